-- Deletes the observations that were seen last before :before.
DELETE FROM offer_seen WHERE last_seen_at < :before;
