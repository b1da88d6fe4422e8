-- Id of the next observation.
SELECT coalesce(max(id), 0) + 1 FROM offer_seen;
