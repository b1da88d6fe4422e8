-- Devices of a benchmark run.
SELECT id, vendor, name, sku_id, pci, driver, state, why, how, memory FROM bench_device WHERE run = :run ORDER BY rowid;
