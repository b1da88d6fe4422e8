-- The last accepted refresh of each provider of one feed.
SELECT provider, rows, confirmed_at FROM feed_provider WHERE feed = :feed ORDER BY provider;
