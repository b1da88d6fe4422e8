-- Measurements that no fit may use. Facts are loaded anew.
DROP TABLE measurements;
CREATE TABLE measurements (
    id TEXT NOT NULL PRIMARY KEY,  -- row id
    gpu_sku TEXT,  -- as in gpus, or what the source calls it
    gpu_count REAL,  -- GPUs of the whole run
    model TEXT,  -- as in models, or what the source calls it
    precision_weights TEXT,  -- dtype of the weights as stated
    precision_kv TEXT,  -- dtype of the KV cache as stated
    weight_bits REAL,  -- bits a weight as stored
    engine TEXT,  -- serving engine
    engine_version TEXT,  -- as stated
    scenario TEXT,  -- fixed-concurrency, offline, ...
    task TEXT,  -- serving, prefill, pretrain, ...
    grade TEXT,  -- A, B, C, R, T, D
    run_class TEXT,  -- mlperf, vendor, independent
    input_tokens REAL,  -- tokens, mean of a request
    output_tokens REAL,  -- tokens, mean of a request
    batch_or_concurrency REAL,  -- requests in flight
    rate_rps REAL,  -- requests/s offered
    tp REAL,  -- tensor parallel
    pp REAL,  -- pipeline parallel
    ep REAL,  -- expert parallel
    dp REAL,  -- data parallel
    layout TEXT,  -- stated, assumed
    draft_tokens TEXT,  -- tokens speculated a step; ?: unknown number
    prompt_cached INTEGER NOT NULL,  -- 0 or 1: the work of the prompt is not in the time
    held_out INTEGER NOT NULL,  -- 0 or 1: kept from every fit, to hold its factors against
    output_tokens_per_s REAL,  -- tokens/s of the whole run, measured
    tokens_per_s_total REAL,  -- in tokens_kind, measured
    tokens_kind TEXT,  -- unit of tokens_per_s_total
    ttft_ms REAL,  -- ms, measured
    ttft_p99_ms REAL,  -- ms, measured
    tpot_ms REAL,  -- ms, measured
    tpot_p99_ms REAL,  -- ms, measured
    e2e_ms REAL,  -- ms, measured
    latency_statistic TEXT,  -- of ttft_ms and tpot_ms: median, mean; NULL: not stated
    submitter TEXT,  -- who measured
    date TEXT,  -- of the software: YYYY, YYYY-MM or YYYY-MM-DD
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL  -- date it speaks of
) STRICT;
