-- Results of a benchmark run, in the order of measuring.
SELECT device, test, dtype, shape, unit, median, p5, p95, burst, samples, library_ceiling, library, verified, max_error, max_error_of_bound,
    checked, verdict, clock_mhz, power_w, temperature_c, error, datasheet, pct_of_datasheet, expected_low, expected_high, expected_source,
    throttle, cause, bits, gpu_count, path, in_cache
FROM bench_result WHERE run = :run ORDER BY rowid;
