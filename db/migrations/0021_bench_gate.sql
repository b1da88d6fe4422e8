-- What decides whether a benchmark run may stand for a datasheet, and whose it is. NULL in runs kept before: not known.

ALTER TABLE bench_run ADD COLUMN host TEXT;  -- name of the machine; NULL: not known
ALTER TABLE bench_run ADD COLUMN boot_id TEXT;  -- of the kernel, changes with each start; NULL: not known
ALTER TABLE bench_run ADD COLUMN quick INTEGER;  -- 1: small products and short times; NULL: not known
ALTER TABLE bench_device ADD COLUMN share REAL;  -- of the whole GPU that was tested: 1, 0.125; NULL: not known
ALTER TABLE bench_device ADD COLUMN part TEXT;  -- what a share below 1 is: MIG slice, partition, die; NULL: a whole GPU, or not known
ALTER TABLE bench_device ADD COLUMN shared INTEGER;  -- 1: others computed on it, 0: nobody was seen; NULL: not known
ALTER TABLE bench_device ADD COLUMN power_limit_w REAL;  -- W in force; NULL: not known
ALTER TABLE bench_device ADD COLUMN power_default_w REAL;  -- W as it was built; NULL: not known
ALTER TABLE bench_device ADD COLUMN ecc_errors REAL;  -- uncorrected errors of its memory since the driver was loaded; NULL: not known
ALTER TABLE bench_device ADD COLUMN ecc_corrected REAL;  -- corrected ones; NULL: not known
ALTER TABLE bench_device ADD COLUMN rows_pending INTEGER;  -- 1: rows of its memory wait to be remapped, or could not be; NULL: not known
ALTER TABLE bench_device ADD COLUMN code TEXT;  -- the device code that ran: sm_90a, PTX 8.4; NULL: none
ALTER TABLE bench_device ADD COLUMN uuid TEXT;  -- of the board; NULL: not known
ALTER TABLE bench_device ADD COLUMN vbios TEXT;  -- version of its firmware; NULL: not known
ALTER TABLE bench_result ADD COLUMN in_cache INTEGER;  -- 1: a stream whose working set is not well above the caches; NULL: no stream, or not known
