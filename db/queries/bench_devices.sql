-- Devices of a benchmark run; columns as BENCH_DEVICE (src/facts/bench.h) lists them.
SELECT id, vendor, name, sku_id, pci, driver, state, why, how, memory, share, part, shared, power_limit_w, power_default_w, ecc_errors, ecc_corrected, rows_pending, code, uuid, vbios, serial
FROM bench_device WHERE run = :run ORDER BY rowid;
