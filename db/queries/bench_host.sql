-- Bandwidth of host memory as the CPU :name reached it in verified triads beyond its caches, newest run first.
SELECT r.median, r.run, b.taken_at, r.unit
FROM bench_result AS r
JOIN bench_device AS d ON d.run = r.run AND d.id = r.device
JOIN bench_run AS b ON b.id = r.run
WHERE d.vendor = 'cpu' AND d.name = :name AND r.test = 'triad' AND r.verified = 1 AND r.in_cache = 0 AND b.complete = 1 AND r.median IS NOT NULL
ORDER BY b.taken_at DESC, r.run DESC, r.median DESC
LIMIT 1;
