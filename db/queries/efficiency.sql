-- All rows of efficiency.
SELECT * FROM efficiency;
