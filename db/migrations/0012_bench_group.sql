-- Tests of several GPUs together: bench_result.device is then a group's id, or a pair, "gpu0>gpu1" one way and "gpu0+gpu1" both ways.

ALTER TABLE bench_result ADD COLUMN gpu_count REAL;  -- GPUs that took part in a test of several; NULL: a test of one device
ALTER TABLE bench_result ADD COLUMN path TEXT;  -- what joins them: NVLink, xGMI, PCIe, through the host's memory; NULL: a test of one device
