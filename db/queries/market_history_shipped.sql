-- The same of what ships with the program.
SELECT 0 AS id, provider, instance, region, sku_id, listed_name, gpu_count, vcpus, ram_gb, pricing_model, price_micro_usd_per_hour,
    available, standing, source, as_of, 1 AS dated, NULL AS currency, NULL AS stated_micro_per_hour, NULL AS country, 0 AS gone,
    seller_class, machines_seen, sold_by_gpu, NULL AS hosts_seen, NULL AS feed, as_of AS seen_at, as_of AS last_seen_at
FROM offers
WHERE sku_id = :sku_id AND pricing_model = :pricing_model AND as_of >= :since
    AND (:provider IS NULL OR provider = lower(:provider)) AND (:region IS NULL OR instr(lower(region), lower(:region)))
    AND (:gpu_count IS NULL OR abs(gpu_count - :gpu_count) < iif(:gpu_count < 1, 0.005, 1e-6))
ORDER BY as_of DESC
LIMIT :newest;
