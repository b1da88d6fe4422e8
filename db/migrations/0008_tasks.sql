-- Efficiency of training, images, video and HPC as shifts that add up over properties; HPC computations that were measured.
DROP TABLE task_efficiency;
CREATE TABLE task_efficiency (
    effect TEXT NOT NULL,  -- property: kind, vendor, architecture, ...; spread: a range
    level TEXT NOT NULL,  -- its value
    shift REAL NOT NULL,  -- of ln(share of the binding peak)
    sigma_log REAL,  -- spread: standard deviation of ln(predicted / measured)
    n REAL NOT NULL,  -- measured rows behind it; 0: an assumption
    gpus TEXT,  -- spread: sku_ids measured, separated by blanks
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL,  -- date it speaks of: YYYY, YYYY-MM or YYYY-MM-DD
    PRIMARY KEY (effect, level)
) STRICT;
CREATE TABLE hpc_cases (
    case_id TEXT NOT NULL PRIMARY KEY,  -- as measurements name it
    variant TEXT NOT NULL,  -- class of work, as in workloads
    unit TEXT NOT NULL,  -- of the published rate: ns/day, GFLOP/s
    run_tflop_fp64 REAL,  -- TFLOP of one nanosecond or 10^9 flops
    run_tflop_fp32 REAL,  -- TFLOP, the same
    run_tbyte REAL,  -- 10^12 bytes moved, the same
    run_steps REAL,  -- steps, the same, one after the other
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL  -- date it speaks of: YYYY, YYYY-MM or YYYY-MM-DD
) STRICT;
DROP TABLE workloads;
CREATE TABLE workloads (
    workload_id TEXT NOT NULL PRIMARY KEY,  -- catalog id
    title TEXT NOT NULL,  -- what it is
    who TEXT NOT NULL,  -- who has it
    kind TEXT NOT NULL,  -- serve, images, train, lora, hpc
    variant TEXT,  -- hpc: class of work
    model_id TEXT REFERENCES models (model_id),  -- NULL: none (hpc)
    isl_tokens REAL,  -- tokens in
    osl_tokens REAL,  -- tokens out
    rate_rps REAL,  -- requests/s offered
    concurrency REAL,  -- requests in flight
    ttft_p99_ms REAL,  -- ms, limit
    tpot_ms REAL,  -- ms, limit
    weights TEXT,  -- dtypes that keep the quality, best first, separated by blanks
    kv TEXT,  -- the same of the KV cache
    duty_cycle REAL,  -- share of paid hours under load, 0 to 1
    tokens_total REAL,  -- training tokens
    images_steps REAL,  -- denoising steps
    run_tflop_fp64 REAL,  -- TFLOP of one run
    run_tflop_fp32 REAL,  -- TFLOP of one run
    run_memory_gb REAL,  -- hpc: GB that one run keeps on the GPUs
    run_tbyte REAL,  -- 10^12 bytes moved by one run
    run_steps REAL,  -- hpc: steps of one run, one after the other
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL  -- date it speaks of: YYYY, YYYY-MM or YYYY-MM-DD
) STRICT;
