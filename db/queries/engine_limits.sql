-- All rows of engine_limits.
SELECT * FROM engine_limits;
