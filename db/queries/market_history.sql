-- Every observation of one GPU at one pricing model that stood at :since or later, newest first, at most :newest (-1: all). :provider,
-- :region, :gpu_count NULL: any.
SELECT s.id, s.provider, s.instance, s.region, s.sku_id, s.listed_name, s.gpu_count, s.vcpus, s.ram_gb, s.pricing_model,
    s.price_micro_usd_per_hour, s.available, s.standing, s.source, s.as_of, 0 AS dated, s.currency, s.stated_micro_per_hour, s.country,
    s.last_seen_at IS NOT NULL AS gone, s.seller_class, s.machines_seen, s.sold_by_gpu, s.hosts_seen, s.feed, s.seen_at,
    coalesce(s.last_seen_at,
        (SELECT confirmed_at FROM feed_provider AS p WHERE p.feed = s.feed AND p.provider = s.provider), s.seen_at) AS last_seen_at
FROM offer_seen AS s
WHERE s.sku_id = :sku_id AND s.pricing_model = :pricing_model AND (s.last_seen_at IS NULL OR s.last_seen_at >= :since)
    AND (:provider IS NULL OR s.provider = lower(:provider)) AND (:region IS NULL OR instr(lower(s.region), lower(:region)))
    AND (:gpu_count IS NULL OR abs(s.gpu_count - :gpu_count) < iif(:gpu_count < 1, 0.005, 1e-6))
ORDER BY s.seen_at DESC
LIMIT :newest;
