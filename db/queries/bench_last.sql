-- The id of the benchmark run added last.
SELECT max(id) FROM bench_run;
