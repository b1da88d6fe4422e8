-- All rows of libraries.
SELECT * FROM libraries;
