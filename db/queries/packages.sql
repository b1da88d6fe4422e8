-- All rows of packages.
SELECT * FROM packages;
