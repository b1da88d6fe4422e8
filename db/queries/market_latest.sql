-- The last word of one feed on every offer of its own.
SELECT s.id, s.provider, s.instance, s.region, s.sku_id, s.listed_name, s.gpu_count, s.vcpus, s.ram_gb, s.pricing_model,
    s.price_micro_usd_per_hour, s.available, s.standing, s.source, l.as_of, l.dated, s.currency, s.stated_micro_per_hour, s.country, l.gone,
    s.seller_class, l.machines_seen, s.sold_by_gpu, l.hosts_seen
FROM offer_latest AS l CROSS JOIN offer_seen AS s ON s.id = l.id
WHERE l.feed = :feed;
