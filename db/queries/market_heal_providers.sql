-- The same of its providers.
UPDATE feed_provider SET confirmed_at = :now WHERE feed = :feed AND confirmed_at > :now;
