-- A refresh failed.
INSERT INTO feed_state (feed, attempted_at, error) VALUES (:feed, :now, :error)
ON CONFLICT (feed) DO UPDATE SET attempted_at = excluded.attempted_at, error = excluded.error;
