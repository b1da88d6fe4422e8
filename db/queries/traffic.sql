-- All rows of traffic.
SELECT * FROM traffic;
