-- A provider's part of a refresh was accepted.
INSERT INTO feed_provider (feed, provider, rows, confirmed_at) VALUES (:feed, :provider, :rows, :now)
ON CONFLICT (feed, provider) DO UPDATE SET rows = excluded.rows, confirmed_at = excluded.confirmed_at;
