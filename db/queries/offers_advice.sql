-- What an advice needs of every offer. The rows of the view offer_current, written out: through the view SQLite would copy
-- each row once more. What no advice asks for is left unknown.
SELECT provider, instance, region, sku_id, listed_name, gpu_count, NULL AS vcpus, NULL AS ram_gb, pricing_model,
    price_micro_usd_per_hour, available, CASE WHEN replaced THEN 'superseded' ELSE standing END AS standing,
    seller_class, machines_seen, sold_by_gpu, source, as_of,
    NULL AS feed, NULL AS seen_at, NULL AS country, NULL AS hosts_seen
FROM offers
UNION ALL
SELECT s.provider, s.instance, s.region, l.sku_id, s.listed_name, s.gpu_count, NULL, NULL, s.pricing_model,
    s.price_micro_usd_per_hour, CASE WHEN l.gone THEN 'no' ELSE s.available END,
    CASE WHEN l.replaced THEN 'superseded' ELSE s.standing END, s.seller_class, l.machines_seen, s.sold_by_gpu,
    s.source, l.as_of, NULL, NULL, NULL, l.hosts_seen
FROM offer_latest AS l CROSS JOIN offer_seen AS s ON s.id = l.id;
