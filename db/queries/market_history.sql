-- Every observation of one GPU that stood at :since or later, oldest first; then what ships with the program.
SELECT s.id, s.provider, s.instance, s.region, s.sku_id, s.listed_name, s.gpu_count, s.vcpus, s.ram_gb, s.pricing_model,
    s.price_micro_usd_per_hour, s.available, s.standing, s.source, s.as_of, 0 AS dated, s.currency, s.stated_micro_per_hour, s.country,
    s.last_seen_at IS NOT NULL AS gone, s.feed, s.seen_at,
    coalesce(s.last_seen_at,
        (SELECT confirmed_at FROM feed_provider AS p WHERE p.feed = s.feed AND p.provider = s.provider), s.seen_at) AS last_seen_at
FROM offer_seen AS s
WHERE s.sku_id = :sku_id AND (s.last_seen_at IS NULL OR s.last_seen_at >= :since)
UNION ALL
SELECT 0, provider, instance, region, sku_id, listed_name, gpu_count, vcpus, ram_gb, pricing_model, price_micro_usd_per_hour, available,
    standing, source, as_of, 1, NULL, NULL, NULL, 0, NULL, as_of, as_of
FROM offers
WHERE sku_id = :sku_id AND as_of >= :since
ORDER BY seen_at, id;
