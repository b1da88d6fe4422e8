-- Rows of one feed that are held.
SELECT id, provider, instance, region, sku_id, listed_name, gpu_count, vcpus, ram_gb, pricing_model,
    coalesce(price_micro_usd_per_hour, 0) AS price_micro_usd_per_hour, available, standing, source, as_of, dated, currency,
    stated_micro_per_hour, country, 0 AS gone, seller_class, machines_seen, sold_by_gpu, hosts_seen
FROM offer_held WHERE feed = :feed;
