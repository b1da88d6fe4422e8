-- Every observation of one GPU at one pricing model that stood at :since or later, oldest first; :provider NULL: of all.
SELECT s.id, s.provider, s.instance, s.region, s.sku_id, s.listed_name, s.gpu_count, s.vcpus, s.ram_gb, s.pricing_model,
    s.price_micro_usd_per_hour, s.available, s.standing, s.source, s.as_of, 0 AS dated, s.currency, s.stated_micro_per_hour, s.country,
    s.last_seen_at IS NOT NULL AS gone, s.feed, s.seen_at,
    coalesce(s.last_seen_at,
        (SELECT confirmed_at FROM feed_provider AS p WHERE p.feed = s.feed AND p.provider = s.provider), s.seen_at) AS last_seen_at
FROM offer_seen AS s
WHERE s.sku_id = :sku_id AND s.pricing_model = :pricing_model AND (:provider IS NULL OR s.provider = :provider)
    AND (s.last_seen_at IS NULL OR s.last_seen_at >= :since)
ORDER BY s.seen_at;
