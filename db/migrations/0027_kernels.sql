-- Efficiency of sums of measured kernels beside that of the formula.
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
    scale REAL NOT NULL,  -- ln of what a step takes of the time of its kernels
    prompt REAL NOT NULL,  -- the same of a prompt
    step REAL NOT NULL,  -- ln of seconds a step beside its kernels
    kernel_seq REAL NOT NULL,  -- ln of seconds a running sequence and step beside its kernels
    kernel_start REAL NOT NULL,  -- ln of seconds before the first token beside the kernels of the prompt
    sigma_log REAL,  -- spread: standard deviation of ln(predicted / measured)
    n REAL NOT NULL,  -- measured rows behind it
    gpus TEXT,  -- spread: sku_ids measured, separated by blanks
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL,  -- date it speaks of: YYYY, YYYY-MM or YYYY-MM-DD
    PRIMARY KEY (effect, level)
) STRICT;
