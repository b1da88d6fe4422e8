-- Verified results of complete runs on devices that are GPUs of the catalog, newest run first, whenever it was taken in.
SELECT d.sku_id, r.test, r.dtype, r.unit, r.median, r.library_ceiling, r.run, b.taken_at
FROM bench_result AS r
JOIN bench_device AS d ON d.run = r.run AND d.id = r.device
JOIN bench_run AS b ON b.id = r.run
WHERE d.sku_id IS NOT NULL AND r.verified = 1 AND r.median IS NOT NULL AND b.complete = 1
ORDER BY b.taken_at DESC, r.run DESC, r.rowid;
