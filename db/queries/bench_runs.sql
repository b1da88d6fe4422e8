-- Benchmark runs, last kept first; :id NULL: all.
SELECT id, taken_at, tool_version, system, options, complete, (SELECT count(*) FROM bench_device WHERE run = bench_run.id),
    (SELECT count(*) FROM bench_result WHERE run = bench_run.id), origin
FROM bench_run WHERE :id IS NULL OR id = :id ORDER BY id DESC;
