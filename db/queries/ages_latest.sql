-- Of the last words of feeds alone: how many, the newest and the oldest. Unlike all observations (ages_seen.sql), a handful.
SELECT 'offer_seen' AS name, count(*) AS rows, max(as_of) AS newest, min(as_of) AS oldest FROM offer_latest;
