-- The same of its rows that are held.
UPDATE offer_held SET seen_at = min(seen_at, :now), last_seen_at = min(last_seen_at, :now), as_of = CASE WHEN dated THEN as_of ELSE min(as_of, :today) END
WHERE feed = :feed AND (seen_at > :now OR last_seen_at > :now);
