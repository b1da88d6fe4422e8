-- Facts leave the schema: their tables are made from the column table of src/facts whenever they change.

DROP VIEW IF EXISTS offer_current;
DROP TABLE IF EXISTS device_ids;
DROP TABLE IF EXISTS workloads;
DROP TABLE IF EXISTS checkpoints;
DROP TABLE IF EXISTS offers;
DROP TABLE IF EXISTS gpus;
DROP TABLE IF EXISTS models;
DROP TABLE IF EXISTS traffic;
DROP TABLE IF EXISTS support;
DROP TABLE IF EXISTS libraries;
DROP TABLE IF EXISTS packages;
DROP TABLE IF EXISTS engines;
DROP TABLE IF EXISTS engine_limits;
DROP TABLE IF EXISTS precisions;
DROP TABLE IF EXISTS efficiency;
DROP TABLE IF EXISTS task_efficiency;
DROP TABLE IF EXISTS hpc_cases;
DROP TABLE IF EXISTS constants;
DROP TABLE IF EXISTS measurements;
DROP TABLE IF EXISTS cuda_constructs;
DROP TABLE IF EXISTS ports;
DROP TABLE IF EXISTS effort_factors;
DROP TABLE IF EXISTS regions;
DROP TABLE IF EXISTS sellers;
DROP TABLE IF EXISTS seller_classes;
DROP TABLE IF EXISTS price_moves;
DELETE FROM meta WHERE key = 'facts_digest';

-- Every offer, shipped or seen, with its standing today. What ships counts no hosts.
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
