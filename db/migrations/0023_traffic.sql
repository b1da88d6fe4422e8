-- How requests come, how long they are and what of them came before; workloads name theirs.
CREATE TABLE traffic (
    traffic_id TEXT NOT NULL PRIMARY KEY,  -- catalog id
    title TEXT NOT NULL,  -- what it is
    requests REAL,  -- requests counted
    span_s REAL,  -- s from the first arrival to the last
    rate_rps REAL,  -- requests/s
    busy_rps REAL,  -- requests/s of the busiest hour, or of the whole where shorter
    input_mean REAL,  -- tokens, input mean
    input_p50 REAL,  -- tokens, input p50
    input_p90 REAL,  -- tokens, input p90
    input_p99 REAL,  -- tokens, input p99
    input_max REAL,  -- tokens, input max
    output_mean REAL,  -- tokens, output mean
    output_p50 REAL,  -- tokens, output p50
    output_p90 REAL,  -- tokens, output p90
    output_p99 REAL,  -- tokens, output p99
    output_max REAL,  -- tokens, output max
    correlation REAL,  -- of input and output lengths (Pearson)
    gap_cv REAL,  -- standard deviation over mean of gaps between arrivals; NULL: stamps too coarse
    idc_1s REAL,  -- variance over mean of arrivals in 1 s
    idc_60s REAL,  -- the same in 60 s
    idc_3600s REAL,  -- the same in an hour
    cached_share REAL,  -- share of input tokens that the server reported as cached
    block_tokens REAL,  -- tokens of a block of the prefix cache
    hit_rate_max REAL,  -- share of input tokens that an endless cache holds
    hits TEXT,  -- pairs CAPACITY:RATE with blanks between: tokens, share of input tokens
    hit_sessions REAL,  -- sessions at once for which hits holds; NULL: arrivals wait for nothing
    turns_mean REAL,  -- requests of a session
    think_s_mean REAL,  -- s from an answer to the next request of a session
    hours TEXT,  -- 24 numbers: requests of each hour of the day (UTC) over their mean
    note TEXT,  -- remarks for people
    source TEXT NOT NULL,  -- where it was measured
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
    traffic_id TEXT REFERENCES traffic (traffic_id),  -- NULL: not said
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
