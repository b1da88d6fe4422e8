-- How every feed is doing.
SELECT feed, attempted_at, accepted_at, confirmed_at, rows, rejected, held, error, reader, private FROM feed_state ORDER BY feed;
