-- All rows of hpc_cases.
SELECT * FROM hpc_cases;
