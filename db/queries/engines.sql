-- All rows of engines.
SELECT * FROM engines;
