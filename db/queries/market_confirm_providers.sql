-- The same for the providers of the feed.
UPDATE feed_provider SET confirmed_at = :now
WHERE feed = :feed AND NOT EXISTS (
    SELECT 1 FROM offer_held AS h
    WHERE h.feed = feed_provider.feed AND h.provider = feed_provider.provider AND h.refresh = 'feed');
