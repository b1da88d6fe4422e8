-- Forgets the validators of a feed.
DELETE FROM feed_document WHERE feed = :feed;
