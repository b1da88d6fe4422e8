-- What a feed is said to have shown later than :now was seen now at the latest.
UPDATE offer_seen SET seen_at = min(seen_at, :now), as_of = CASE WHEN seen_at > :now THEN min(as_of, :today) ELSE as_of END,
    last_seen_at = min(last_seen_at, :now), ended_at = min(ended_at, :now)
WHERE feed = :feed AND (seen_at > :now OR ended_at > :now OR last_seen_at > :now);
