-- All rows of workloads.
SELECT * FROM workloads;
