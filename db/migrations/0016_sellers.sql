-- Who sells an offer, and how many machines were seen at its price.

-- What was seen before this version says nothing of its seller.
ALTER TABLE offer_seen ADD COLUMN seller_class TEXT NOT NULL DEFAULT 'unknown';  -- unknown, hyperscaler, cloud, marketplace-host, broker, price-list-only
ALTER TABLE offer_seen ADD COLUMN machines_seen REAL;  -- that could be rented at this price, when the price was seen first
ALTER TABLE offer_seen ADD COLUMN sold_by_gpu TEXT NOT NULL DEFAULT 'unknown';  -- unknown, yes, no: parts of a node at the price of one GPU times their number
ALTER TABLE offer_held ADD COLUMN seller_class TEXT NOT NULL DEFAULT 'unknown';  -- as in offer_seen
ALTER TABLE offer_held ADD COLUMN machines_seen REAL;  -- as in offer_seen
ALTER TABLE offer_held ADD COLUMN sold_by_gpu TEXT NOT NULL DEFAULT 'unknown';  -- as in offer_seen

-- Machines come and go at the same price: their number is the last word's alone, and no reason for another observation.
ALTER TABLE offer_latest ADD COLUMN machines_seen REAL;  -- as in offer_seen, when it was seen last

DROP TRIGGER offer_seen_stays;
CREATE TRIGGER offer_seen_stays BEFORE UPDATE OF id, provider, instance, region, sku_id, listed_name, gpu_count, vcpus, ram_gb,
    pricing_model, price_micro_usd_per_hour, available, standing, seller_class, machines_seen, sold_by_gpu, source, as_of, feed, seen_at,
    currency, stated_micro_per_hour, country
ON offer_seen BEGIN
    SELECT RAISE(ABORT, 'observations are append-only');
END;
