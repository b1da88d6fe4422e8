-- Observations that began, or were found to have ended, after :since, in no order. (The + keeps the second half to the index of ends.)
SELECT id, feed, provider, instance, region, listed_name, sku_id, country, gpu_count, vcpus, ram_gb, pricing_model, price_micro_usd_per_hour,
    seen_at, coalesce(last_seen_at, '') AS last_seen_at, last_seen_at IS NOT NULL AS gone
FROM offer_seen WHERE seen_at > :since
UNION ALL
SELECT id, feed, provider, instance, region, listed_name, sku_id, country, gpu_count, vcpus, ram_gb, pricing_model, price_micro_usd_per_hour,
    seen_at, last_seen_at, 1
FROM offer_seen WHERE ended_at > :since AND +seen_at <= :since;
