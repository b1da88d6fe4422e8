-- All rows of constants.
SELECT * FROM constants;
