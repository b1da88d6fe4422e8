-- Results of a benchmark run, in the order of measuring; columns as BENCH_RESULT (src/facts/bench.h) lists them.
SELECT test, device, dtype, shape, median, p5, p95, unit, burst, samples, datasheet, pct_of_datasheet, library_ceiling, library,
    expected_low, expected_high, expected_source, max_error, max_error_of_bound, checked, verdict, clock_mhz, power_w, temperature_c,
    throttle, cause, error, bits, gpu_count, path, in_cache, verified
FROM bench_result WHERE run = :run ORDER BY rowid;
