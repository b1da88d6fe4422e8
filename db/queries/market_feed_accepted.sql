-- A refresh was accepted.
INSERT INTO feed_state (feed, attempted_at, accepted_at, confirmed_at, rows, rejected, held, reader, private)
VALUES (:feed, :now, :now, :now, :rows, :rejected, :held, :reader, :private)
ON CONFLICT (feed) DO UPDATE SET attempted_at = excluded.attempted_at, error = NULL, accepted_at = excluded.accepted_at,
    confirmed_at = excluded.confirmed_at, rows = excluded.rows, rejected = excluded.rejected, held = excluded.held,
    reader = excluded.reader, private = excluded.private;
