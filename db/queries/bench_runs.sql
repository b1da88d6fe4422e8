-- Benchmark runs, last kept first; :id NULL: all. The first columns are those of BENCH_KEPT (src/facts/bench.h).
SELECT taken_at, tool_version, system, options, complete, origin, host, boot_id, quick, launcher, job, node, rank, ranks, local_rank, environment,
    id, (SELECT count(*) FROM bench_device WHERE run = bench_run.id), (SELECT count(*) FROM bench_result WHERE run = bench_run.id),
    (SELECT group_concat(CASE n WHEN 1 THEN label ELSE n || ' x ' || label END, ', ')
     FROM (SELECT coalesce(sku_id, name) AS label, count(*) AS n FROM bench_device WHERE run = bench_run.id GROUP BY label ORDER BY min(rowid)))
FROM bench_run WHERE :id IS NULL OR id = :id ORDER BY id DESC;
