-- Results on devices that are GPUs of the catalog, newest run first, whenever it was taken in, with what decides whether one may stand for the datasheet.
SELECT d.sku_id, r.test, r.dtype, r.shape, r.unit, r.median, r.library_ceiling, r.run, b.taken_at, b.complete, r.verified, r.verdict, r.throttle, r.in_cache,
    d.share, d.part, d.shared, d.power_limit_w, d.power_default_w, d.ecc_errors
FROM bench_result AS r
JOIN bench_device AS d ON d.run = r.run AND d.id = r.device
JOIN bench_run AS b ON b.id = r.run
WHERE d.sku_id IS NOT NULL AND r.gpu_count IS NULL
ORDER BY b.taken_at DESC, r.run DESC, r.rowid;
