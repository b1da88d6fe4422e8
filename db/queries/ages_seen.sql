-- Of the offers seen since: how many observations there are, the newest word of any feed, and the date of the one that was seen
-- first. Both dates are single look-ups; only counting reads an index to its end.
SELECT 'offer_seen' AS name, count(*) AS rows, (SELECT max(as_of) FROM offer_latest) AS newest,
    (SELECT as_of FROM offer_seen ORDER BY seen_at LIMIT 1) AS oldest
FROM offer_seen;
