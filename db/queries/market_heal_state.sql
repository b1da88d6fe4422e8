-- The same of the feed itself.
UPDATE feed_state SET attempted_at = min(attempted_at, :now), accepted_at = min(accepted_at, :now), confirmed_at = min(confirmed_at, :now)
WHERE feed = :feed;
