-- Observations that were dated by a clock ahead of the true time: their times may be brought back, and never forward.

DROP TRIGGER offer_seen_stays;
CREATE TRIGGER offer_seen_stays BEFORE UPDATE OF id, provider, instance, region, sku_id, listed_name, gpu_count, vcpus, ram_gb,
    pricing_model, price_micro_usd_per_hour, available, standing, seller_class, machines_seen, sold_by_gpu, source, feed,
    currency, stated_micro_per_hour, country
ON offer_seen BEGIN
    SELECT RAISE(ABORT, 'observations are append-only');
END;
CREATE TRIGGER offer_seen_times BEFORE UPDATE OF seen_at, as_of ON offer_seen WHEN new.seen_at > old.seen_at OR new.as_of > old.as_of BEGIN
    SELECT RAISE(ABORT, 'observations are append-only');
END;
DROP TRIGGER offer_seen_ends;
CREATE TRIGGER offer_seen_ends BEFORE UPDATE OF last_seen_at, ended_at ON offer_seen
WHEN old.ended_at IS NOT NULL AND (new.ended_at IS NULL OR new.ended_at > old.ended_at OR new.last_seen_at IS NULL OR new.last_seen_at > old.last_seen_at) BEGIN
    SELECT RAISE(ABORT, 'observations are append-only');
END;
