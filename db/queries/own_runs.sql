-- Runs of the user's own, in the order of arrival.
SELECT id, content FROM own_run ORDER BY id;
