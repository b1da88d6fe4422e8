-- All rows of precisions.
SELECT * FROM precisions;
