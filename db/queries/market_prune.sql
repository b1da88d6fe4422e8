-- Deletes the observations that ended before :before.
DELETE FROM offer_seen WHERE last_seen_at < :before;
