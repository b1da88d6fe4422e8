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
