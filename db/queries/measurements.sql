-- All rows of measurements.
SELECT * FROM measurements;
