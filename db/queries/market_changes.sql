-- Observations that began, or were found to have ended, after :since, in no order. (The + keeps the second half to the index of ends.)
SELECT id, provider, instance, region, sku_id, listed_name, gpu_count, vcpus, ram_gb, pricing_model, price_micro_usd_per_hour, available,
    standing, source, as_of, 0 AS dated, currency, stated_micro_per_hour, country, last_seen_at IS NOT NULL AS gone,
    seller_class, machines_seen, sold_by_gpu, hosts_seen, feed, seen_at, coalesce(last_seen_at, '') AS last_seen_at
FROM offer_seen WHERE seen_at > :since
UNION ALL
SELECT id, provider, instance, region, sku_id, listed_name, gpu_count, vcpus, ram_gb, pricing_model, price_micro_usd_per_hour, available,
    standing, source, as_of, 0, currency, stated_micro_per_hour, country, 1,
    seller_class, machines_seen, sold_by_gpu, hosts_seen, feed, seen_at, last_seen_at
FROM offer_seen WHERE ended_at > :since AND +seen_at <= :since;
