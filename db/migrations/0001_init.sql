-- What a refresh saw of offers, and small things kept by key.
--
-- Migrations make what must survive an upgrade. Facts, which ship with the program, are made anew from the column table of
-- src/facts whenever they change: migrations whose number is missing here changed nothing else.
-- Observations are append-only. Text is UTF-8; NULL is unknown; enumerations are stored by name, booleans as 0 and 1.
-- GB are 10^9 bytes, GiB 2^30, dates ISO 8601.

CREATE TABLE meta (
    key TEXT NOT NULL PRIMARY KEY,  -- facts_digest: what the facts were built from; fact_tables: their names
    value TEXT NOT NULL
) STRICT;

-- Offers as refreshes and imports saw them.
CREATE TABLE offer_seen (
    id INTEGER PRIMARY KEY,  -- in the order of arrival
    provider TEXT NOT NULL,  -- lower-case feed name
    instance TEXT,  -- instance type; NULL: not stated
    region TEXT,  -- NULL: one price everywhere, or not stated
    sku_id TEXT,  -- NULL: unmapped; no reference: SKUs come and go with releases
    listed_name TEXT NOT NULL,  -- the GPU as the provider names it
    gpu_count REAL,  -- GPUs of the instance; NULL: a list price per GPU
    vcpus REAL,  -- virtual CPUs of the instance
    ram_gb REAL,  -- GB
    pricing_model TEXT NOT NULL,  -- on-demand, spot, reserved-1y, reserved-3y
    price_micro_usd_per_hour INTEGER NOT NULL CHECK (price_micro_usd_per_hour > 0),  -- 10^-6 USD/h, whole instance or list price
    available TEXT NOT NULL DEFAULT 'unknown',  -- unknown, yes, no: could it be rented when seen
    standing TEXT NOT NULL,  -- listed, superseded, secondary: as its source says, before newer words
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL,  -- date seen: YYYY, YYYY-MM or YYYY-MM-DD
    feed TEXT NOT NULL,  -- which feed or import said so
    seen_at TEXT NOT NULL,  -- UTC, RFC 3339: the time of the refresh, one for all its rows
    thing TEXT GENERATED ALWAYS AS (coalesce(sku_id, listed_name)) VIRTUAL  -- what is offered
) STRICT;

CREATE INDEX offer_seen_kind ON offer_seen (provider, thing, pricing_model, region, gpu_count, as_of, standing, feed, seen_at);

-- What was seen stays as it was seen; only whole rows may go, when the user prunes.
CREATE TRIGGER offer_seen_stays BEFORE UPDATE ON offer_seen BEGIN
    SELECT RAISE(ABORT, 'observations are append-only');
END;

-- Rows of offer_seen that no later refresh of the same feed has replaced: an answer must not grow slower with every refresh.
CREATE TABLE offer_latest (
    id INTEGER PRIMARY KEY REFERENCES offer_seen (id) ON DELETE CASCADE  -- the row
) STRICT;

CREATE TRIGGER offer_seen_latest AFTER INSERT ON offer_seen BEGIN
    DELETE FROM offer_latest WHERE id IN (
        SELECT id FROM offer_seen
        WHERE (provider, thing, pricing_model, region, gpu_count)
            IS (new.provider, new.thing, new.pricing_model, new.region, new.gpu_count)
            AND feed = new.feed AND seen_at < new.seen_at);
    INSERT INTO offer_latest SELECT new.id WHERE NOT EXISTS (
        SELECT 1 FROM offer_seen
        WHERE (provider, thing, pricing_model, region, gpu_count)
            IS (new.provider, new.thing, new.pricing_model, new.region, new.gpu_count)
            AND feed = new.feed AND seen_at > new.seen_at);
END;
