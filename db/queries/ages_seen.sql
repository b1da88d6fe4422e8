-- Of the offers seen since: how many observations there are, the newest word of any feed, and the oldest date.
SELECT 'offer_seen' AS name, count(*) AS rows, (SELECT max(as_of) FROM offer_latest) AS newest, min(as_of) AS oldest FROM offer_seen;
