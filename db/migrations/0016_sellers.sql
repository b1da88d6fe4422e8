-- Who sells an offer, how many machines were seen at its price, and how the prices of such sellers move.

-- Of an offer. Facts are loaded anew; what was seen before this version says nothing of its seller.
ALTER TABLE offers ADD COLUMN seller_class TEXT NOT NULL DEFAULT 'unknown';  -- unknown, hyperscaler, cloud, marketplace-host, broker, price-list-only
ALTER TABLE offers ADD COLUMN machines_seen REAL;  -- that could be rented at this price; NULL: not known
ALTER TABLE offers ADD COLUMN sold_by_gpu TEXT NOT NULL DEFAULT 'unknown';  -- unknown, yes, no: parts of a node at the price of one GPU times their number
ALTER TABLE offer_seen ADD COLUMN seller_class TEXT NOT NULL DEFAULT 'unknown';  -- as in offers
ALTER TABLE offer_seen ADD COLUMN machines_seen REAL;  -- as in offers, when the price was seen first
ALTER TABLE offer_seen ADD COLUMN sold_by_gpu TEXT NOT NULL DEFAULT 'unknown';  -- as in offers
ALTER TABLE offer_held ADD COLUMN seller_class TEXT NOT NULL DEFAULT 'unknown';  -- as in offers
ALTER TABLE offer_held ADD COLUMN machines_seen REAL;  -- as in offers
ALTER TABLE offer_held ADD COLUMN sold_by_gpu TEXT NOT NULL DEFAULT 'unknown';  -- as in offers

-- Machines come and go at the same price: their number is the last word's alone, and no reason for another observation.
ALTER TABLE offer_latest ADD COLUMN machines_seen REAL;  -- as in offers, when it was seen last

DROP TRIGGER offer_seen_stays;
CREATE TRIGGER offer_seen_stays BEFORE UPDATE OF id, provider, instance, region, sku_id, listed_name, gpu_count, vcpus, ram_gb,
    pricing_model, price_micro_usd_per_hour, available, standing, seller_class, machines_seen, sold_by_gpu, source, as_of, feed, seen_at,
    currency, stated_micro_per_hour, country
ON offer_seen BEGIN
    SELECT RAISE(ABORT, 'observations are append-only');
END;

-- Every offer, shipped or seen, with its standing today.
DROP VIEW offer_current;
CREATE VIEW offer_current AS
SELECT provider, instance, region, sku_id, listed_name, gpu_count, vcpus, ram_gb, pricing_model, price_micro_usd_per_hour, available,
    CASE WHEN replaced THEN 'superseded' ELSE standing END AS standing, seller_class, machines_seen, sold_by_gpu,
    source, as_of, CAST(NULL AS TEXT) AS feed, CAST(NULL AS TEXT) AS seen_at, CAST(NULL AS TEXT) AS country
FROM offers
UNION ALL
SELECT s.provider, s.instance, s.region, l.sku_id, s.listed_name, s.gpu_count, s.vcpus, s.ram_gb, s.pricing_model,
    s.price_micro_usd_per_hour, CASE WHEN l.gone THEN 'no' ELSE s.available END,
    CASE WHEN l.replaced THEN 'superseded' ELSE s.standing END, s.seller_class, l.machines_seen, s.sold_by_gpu,
    s.source, l.as_of, s.feed, s.seen_at, s.country
FROM offer_latest AS l CROSS JOIN offer_seen AS s ON s.id = l.id;

-- Facts: what kind of seller a provider is.
CREATE TABLE sellers (
    provider TEXT NOT NULL,  -- lower-case feed name
    region TEXT,  -- where one brand has several kinds: community, secure; NULL: all that have no row of their own
    seller_class TEXT NOT NULL,  -- as in offers
    sold_by_gpu TEXT NOT NULL,  -- as in offers
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL  -- date it speaks of
) STRICT;

-- Facts: what is taken of a class of sellers where nobody counted.
CREATE TABLE seller_classes (
    seller_class TEXT NOT NULL PRIMARY KEY,  -- as in offers
    machines REAL NOT NULL,  -- of at most eight GPUs each, at one price
    what TEXT NOT NULL,  -- why so many
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL  -- date it speaks of
) STRICT;

-- Facts: how prices move within some days of having been seen. Straight lines between the rows.
CREATE TABLE price_moves (
    seller_class TEXT NOT NULL,  -- as in offers
    pricing_model TEXT NOT NULL,  -- on-demand, spot, reserved-1y, reserved-3y
    lag_days REAL NOT NULL,  -- days since it was seen
    sigma_log REAL NOT NULL,  -- standard deviation of ln(price then / price seen)
    drift_log REAL NOT NULL,  -- mean of the same
    gone REAL NOT NULL,  -- share of offers that are no longer there, 0-1
    pairs REAL NOT NULL,  -- pairs of prices behind it; 0: an assumption
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL,  -- date it speaks of
    PRIMARY KEY (seller_class, pricing_model, lag_days)
) STRICT;
