-- All rows of support.
SELECT * FROM support;
