-- What the latencies of a measurement are: a run's mean holds its cold start, its median does not. What comes before a prompt
-- is a factor like others, fitted, no longer a figure of each engine. Facts are loaded anew.
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

DROP TABLE efficiency;
CREATE TABLE efficiency (
    effect TEXT NOT NULL,  -- property: vendor, architecture, engine, ...; spread: a range
    level TEXT NOT NULL,  -- its value
    bw REAL NOT NULL,  -- logit of the share of bandwidth that reading weights reaches
    kv REAL NOT NULL,  -- the same of the KV cache
    fl REAL NOT NULL,  -- logit of the share of dense peak when decoding
    prefill REAL NOT NULL,  -- the same when reading prompts
    tau REAL NOT NULL,  -- ln of seconds a layer and step
    tau_tp REAL NOT NULL,  -- ln of seconds added under tensor parallelism
    link REAL NOT NULL,  -- logit of the share of one-direction link bandwidth at 1 MB
    expert REAL NOT NULL,  -- logit of the share of bandwidth that reading routed experts reaches
    seq REAL NOT NULL,  -- ln of seconds a running sequence and step
    link_size REAL NOT NULL,  -- gain of the link's logit per ln of message size
    start REAL NOT NULL,  -- ln of seconds before the first token, beside the prompt itself: request handling, tokenization, scheduling
    sigma_log REAL,  -- spread: standard deviation of ln(predicted / measured)
    n REAL NOT NULL,  -- measured rows behind it
    gpus TEXT,  -- spread: sku_ids measured, separated by blanks
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL,  -- date it speaks of: YYYY, YYYY-MM or YYYY-MM-DD
    PRIMARY KEY (effect, level)
) STRICT;

DROP TABLE engine_limits;
CREATE TABLE engine_limits (
    engine TEXT NOT NULL PRIMARY KEY,  -- as in engines
    memory_fraction REAL NOT NULL,  -- share of the memory named by fraction_of, 0 to 1
    fraction_of TEXT NOT NULL,  -- memory: of all that is usable; rest: of what weights leave
    max_running_sequences REAL NOT NULL,  -- sequences a replica
    chunk_tokens REAL NOT NULL,  -- prefill tokens mixed into one step
    weights TEXT NOT NULL,  -- dtypes of weights that it runs, separated by blanks
    kv TEXT NOT NULL,  -- dtypes of the KV cache
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL  -- date it speaks of: YYYY, YYYY-MM or YYYY-MM-DD
) STRICT;
