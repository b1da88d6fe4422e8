-- Everything that stands in any feed, feed by feed; lists of the user's own only where :private is 1.
SELECT s.id, s.provider, s.instance, s.region, l.sku_id, s.listed_name, s.gpu_count, s.vcpus, s.ram_gb, s.pricing_model,
    s.price_micro_usd_per_hour, s.available, s.standing, s.source, l.as_of, l.dated, s.currency, s.stated_micro_per_hour, s.country,
    0 AS gone, s.seller_class, l.machines_seen, s.sold_by_gpu, l.hosts_seen, s.feed
FROM offer_latest AS l CROSS JOIN offer_seen AS s ON s.id = l.id
WHERE NOT l.gone AND (:private OR l.feed NOT IN (SELECT feed FROM feed_state WHERE private))
ORDER BY s.feed, s.id;
