-- The job that a benchmark run was a part of, and the serial number of a board.

ALTER TABLE bench_run ADD COLUMN launcher TEXT;  -- slurm, openmpi, kubernetes, pmi; NULL: none, or not known
ALTER TABLE bench_run ADD COLUMN job TEXT;  -- its id there
ALTER TABLE bench_run ADD COLUMN node TEXT;  -- the scheduler's name of the machine
ALTER TABLE bench_run ADD COLUMN rank REAL;  -- of the process that measured, from 0
ALTER TABLE bench_run ADD COLUMN ranks REAL;  -- processes of the job
ALTER TABLE bench_run ADD COLUMN local_rank REAL;  -- of the process on its machine, from 0
ALTER TABLE bench_run ADD COLUMN environment TEXT;  -- variables that steer NCCL, RCCL and the choice of GPUs, as words of a shell
ALTER TABLE bench_device ADD COLUMN serial TEXT;  -- of the board
