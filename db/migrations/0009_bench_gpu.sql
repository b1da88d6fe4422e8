-- Benchmark results of GPUs: what was expected of the device then, and what held it back.

ALTER TABLE bench_result ADD COLUMN datasheet REAL;  -- in `unit`; of this part of the GPU; NULL: unknown
ALTER TABLE bench_result ADD COLUMN pct_of_datasheet REAL;  -- percent
ALTER TABLE bench_result ADD COLUMN expected_low REAL;  -- in `unit`: from here on as expected; NULL: no reference
ALTER TABLE bench_result ADD COLUMN expected_high REAL;  -- in `unit`: what known-good boards reached
ALTER TABLE bench_result ADD COLUMN expected_source TEXT;  -- whose readings they are
ALTER TABLE bench_result ADD COLUMN throttle TEXT;  -- what held the clocks down: power cap, heat, ...; NULL: nothing that was read
ALTER TABLE bench_result ADD COLUMN cause TEXT;  -- probable cause of a low figure
ALTER TABLE bench_result ADD COLUMN bits TEXT;  -- digests of a fixed problem's inputs and outputs, and outputs as words, in hexadecimal
