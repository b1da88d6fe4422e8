-- Benchmark runs of other machines, taken in from files.

ALTER TABLE bench_run ADD COLUMN origin TEXT;  -- the file it came from; NULL: measured here
