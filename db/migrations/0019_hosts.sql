-- How many hosts of a marketplace are behind a price: several machines may be of one.

ALTER TABLE offer_seen ADD COLUMN hosts_seen REAL;  -- whose machines machines_seen counts; NULL: not known
ALTER TABLE offer_held ADD COLUMN hosts_seen REAL;  -- as in offer_seen
ALTER TABLE offer_latest ADD COLUMN hosts_seen REAL;  -- as in offer_seen, when it was seen last

DROP TRIGGER offer_seen_stays;
CREATE TRIGGER offer_seen_stays BEFORE UPDATE OF id, provider, instance, region, sku_id, listed_name, gpu_count, vcpus, ram_gb,
    pricing_model, price_micro_usd_per_hour, available, standing, seller_class, machines_seen, hosts_seen, sold_by_gpu, source, feed,
    currency, stated_micro_per_hour, country
ON offer_seen BEGIN
    SELECT RAISE(ABORT, 'observations are append-only');
END;

-- Every offer, shipped or seen, with its standing today. What ships counts no hosts.
DROP VIEW offer_current;
CREATE VIEW offer_current AS
SELECT provider, instance, region, sku_id, listed_name, gpu_count, vcpus, ram_gb, pricing_model, price_micro_usd_per_hour, available,
    CASE WHEN replaced THEN 'superseded' ELSE standing END AS standing, seller_class, machines_seen, sold_by_gpu,
    source, as_of, CAST(NULL AS TEXT) AS feed, CAST(NULL AS TEXT) AS seen_at, CAST(NULL AS TEXT) AS country, CAST(NULL AS REAL) AS hosts_seen
FROM offers
UNION ALL
SELECT s.provider, s.instance, s.region, l.sku_id, s.listed_name, s.gpu_count, s.vcpus, s.ram_gb, s.pricing_model,
    s.price_micro_usd_per_hour, CASE WHEN l.gone THEN 'no' ELSE s.available END,
    CASE WHEN l.replaced THEN 'superseded' ELSE s.standing END, s.seller_class, l.machines_seen, s.sold_by_gpu,
    s.source, l.as_of, s.feed, s.seen_at, s.country, l.hosts_seen
FROM offer_latest AS l CROSS JOIN offer_seen AS s ON s.id = l.id;
