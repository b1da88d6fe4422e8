-- A market with a memory: what feeds said, for how long it stood, what is held back, how each feed is doing.

-- How long an observation stood, and what was written where it was read.
ALTER TABLE offer_seen ADD COLUMN last_seen_at TEXT;  -- UTC, RFC 3339; NULL: it stands (as of feed_provider.confirmed_at)
ALTER TABLE offer_seen ADD COLUMN ended_at TEXT;  -- UTC, RFC 3339: the refresh that no longer had it so; NULL: it stands
ALTER TABLE offer_seen ADD COLUMN currency TEXT;  -- ISO 4217 of the price as stated; NULL: USD
ALTER TABLE offer_seen ADD COLUMN stated_micro_per_hour INTEGER;  -- 10^-6 of that currency an hour; NULL: USD
ALTER TABLE offer_seen ADD COLUMN country TEXT;  -- ISO 3166, two letters; NULL: not stated

-- An observation may end once; nothing else of it changes.
DROP TRIGGER offer_seen_stays;
CREATE TRIGGER offer_seen_stays BEFORE UPDATE OF id, provider, instance, region, sku_id, listed_name, gpu_count, vcpus, ram_gb,
    pricing_model, price_micro_usd_per_hour, available, standing, source, as_of, feed, seen_at, currency, stated_micro_per_hour, country
ON offer_seen BEGIN
    SELECT RAISE(ABORT, 'observations are append-only');
END;
CREATE TRIGGER offer_seen_ends BEFORE UPDATE OF last_seen_at, ended_at ON offer_seen WHEN old.ended_at IS NOT NULL BEGIN
    SELECT RAISE(ABORT, 'observations are append-only');
END;

-- The last word of every feed on every offer: those that stand, and those gone from their feed. Working state, rebuilt by refreshes.
DROP VIEW IF EXISTS offer_current;  -- of a database that was made with facts in its schema
DROP TRIGGER offer_seen_latest;
DROP INDEX offer_seen_kind;
ALTER TABLE offer_latest RENAME TO offer_latest_0001;
CREATE TABLE offer_latest (
    id INTEGER PRIMARY KEY REFERENCES offer_seen (id) ON DELETE CASCADE,  -- the row
    feed TEXT NOT NULL,  -- as in the row
    provider TEXT NOT NULL,  -- as in the row
    sku_id TEXT,  -- as the catalog maps it now; NULL: unmapped
    thing TEXT NOT NULL,  -- sku_id, or the listed name
    pricing_model TEXT NOT NULL,  -- as in the row
    region TEXT,  -- as in the row
    gpu_count REAL,  -- as in the row
    standing TEXT NOT NULL,  -- as in the row
    as_of TEXT NOT NULL,  -- date: as its source says, or when it was seen last
    dated INTEGER NOT NULL,  -- 1: its source says as_of
    gone INTEGER NOT NULL DEFAULT 0,  -- 1: missing from the feed's last accepted refresh
    replaced INTEGER NOT NULL DEFAULT 0  -- 1: a newer word on its kind exists (queries/settle_seen.sql)
) STRICT;
INSERT INTO offer_latest (id, feed, provider, sku_id, thing, pricing_model, region, gpu_count, standing, as_of, dated)
SELECT id, feed, provider, sku_id, thing, pricing_model, region, gpu_count, standing, as_of, 1
FROM offer_seen WHERE id IN (SELECT id FROM offer_latest_0001);
DROP TABLE offer_latest_0001;
CREATE INDEX offer_latest_kind ON offer_latest (provider, thing, pricing_model, region, gpu_count, as_of, standing, feed);
CREATE INDEX offer_latest_feed ON offer_latest (feed, provider);
CREATE INDEX offer_latest_sku ON offer_latest (sku_id);

-- History of one GPU; the ends, for retention.
CREATE INDEX offer_seen_gpu ON offer_seen (sku_id, seen_at);
CREATE INDEX offer_seen_time ON offer_seen (seen_at);
CREATE INDEX offer_seen_end ON offer_seen (ended_at) WHERE ended_at IS NOT NULL;

-- Rows that wait for somebody's word: `prices list --quarantined`, `prices accept`.
CREATE TABLE offer_held (
    id INTEGER PRIMARY KEY AUTOINCREMENT,  -- what `prices accept` takes; never used twice
    reason TEXT NOT NULL,  -- why it is held
    refresh TEXT NOT NULL,  -- row: only this row is doubtful; feed: the whole refresh of this provider is
    before_micro_usd_per_hour INTEGER,  -- 10^-6 USD/h that the offer cost before; NULL: not known before
    provider TEXT NOT NULL,  -- lower case
    instance TEXT,  -- NULL: not stated
    region TEXT,  -- NULL: not stated
    sku_id TEXT,  -- NULL: unmapped
    listed_name TEXT NOT NULL,  -- the GPU as the provider names it
    gpu_count REAL,  -- GPUs of the instance; NULL: a list price per GPU
    vcpus REAL,  -- virtual CPUs of the instance
    ram_gb REAL,  -- GB
    pricing_model TEXT NOT NULL,  -- on-demand, spot, reserved-1y, reserved-3y
    price_micro_usd_per_hour INTEGER,  -- 10^-6 USD/h; NULL: no dated rate for its currency
    available TEXT NOT NULL,  -- unknown, yes, no
    standing TEXT NOT NULL,  -- listed, secondary
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL,  -- date
    dated INTEGER NOT NULL,  -- 1: its source says as_of
    currency TEXT,  -- ISO 4217; NULL: USD
    stated_micro_per_hour INTEGER,  -- 10^-6 of that currency an hour; NULL: USD
    country TEXT,  -- ISO 3166; NULL: not stated
    feed TEXT NOT NULL,  -- which feed or import said so
    seen_at TEXT NOT NULL,  -- UTC, RFC 3339: first refresh that had it
    last_seen_at TEXT NOT NULL  -- UTC, RFC 3339: newest refresh that had it
) STRICT;
CREATE INDEX offer_held_feed ON offer_held (feed, provider);

-- How each feed is doing.
CREATE TABLE feed_state (
    feed TEXT NOT NULL PRIMARY KEY,  -- name
    attempted_at TEXT NOT NULL,  -- UTC, RFC 3339: the last attempt
    error TEXT,  -- of the last attempt; NULL: it went well
    accepted_at TEXT,  -- UTC, RFC 3339: last refresh that was taken in
    confirmed_at TEXT,  -- UTC, RFC 3339: the same, or the last word that nothing changed since
    rows INTEGER NOT NULL DEFAULT 0,  -- of the last accepted refresh
    rejected INTEGER NOT NULL DEFAULT 0,  -- rows rejected by it
    held INTEGER NOT NULL DEFAULT 0,  -- rows held by it
    reader INTEGER NOT NULL DEFAULT 0  -- MARKET_READER of the program that took it in
) STRICT;

-- The last accepted refresh of each provider that a feed speaks of: what the next one is compared with.
CREATE TABLE feed_provider (
    feed TEXT NOT NULL,  -- name
    provider TEXT NOT NULL,  -- lower case
    rows INTEGER NOT NULL,  -- accepted
    confirmed_at TEXT NOT NULL,  -- UTC, RFC 3339: when its rows were seen last
    PRIMARY KEY (feed, provider)
) STRICT;

-- For conditional requests.
CREATE TABLE feed_document (
    feed TEXT NOT NULL,  -- name
    url TEXT NOT NULL,  -- without secrets
    etag TEXT,  -- as the server sent it
    last_modified TEXT,  -- as the server sent it
    PRIMARY KEY (feed, url)
) STRICT;
