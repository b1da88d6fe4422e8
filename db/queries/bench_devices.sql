-- Devices of a benchmark run.
SELECT id, vendor, name, sku_id, pci, driver, state, why, how, memory, share, part, shared, power_limit_w, power_default_w, ecc_errors, code, uuid, vbios
FROM bench_device WHERE run = :run ORDER BY rowid;
