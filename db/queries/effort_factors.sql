-- All rows of effort_factors.
SELECT * FROM effort_factors;
