-- How many observations were seen last before :before, and how many there are.
SELECT (SELECT count(*) FROM offer_seen WHERE last_seen_at < :before), (SELECT count(*) FROM offer_seen);
