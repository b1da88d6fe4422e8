-- Facts, one table for each file in data/, and the first observations.
--
-- Facts are dropped and rebuilt whenever the digest of their files changes; src/facts/tables.c names the same columns.
-- Observations are append-only. Text is UTF-8; NULL is unknown; enumerations are stored by name, booleans as 0 and 1.
-- GB are 10^9 bytes, GiB 2^30, dates ISO 8601.

CREATE TABLE meta (
    key TEXT NOT NULL PRIMARY KEY,  -- facts_digest: what the facts were built from
    value TEXT NOT NULL
) STRICT;

-- ---------------------------------------------------------------- facts

-- GPU SKUs. Counts and rates are per SKU.
CREATE TABLE gpus (
    sku_id TEXT NOT NULL PRIMARY KEY,  -- catalog id, e.g. h100-sxm5-80gb
    vendor TEXT NOT NULL,  -- nvidia, amd
    name TEXT NOT NULL,  -- marketing name
    architecture TEXT NOT NULL,  -- family key of the factor tables: hopper, cdna3, ...
    chip TEXT,  -- e.g. GH100
    target TEXT,  -- CUDA compute capability or LLVM target: 9.0, gfx942
    launch TEXT,  -- date: YYYY-MM
    memory_gb REAL NOT NULL,  -- GB as the vendor counts them: never plan with it
    memory_usable_mib REAL,  -- MiB that a real device reports
    memory_type TEXT,  -- e.g. HBM3
    memory_bw_gb_s REAL,  -- GB/s, peak
    cache_mb REAL,  -- MB, largest on-package shared cache
    compute_units REAL,  -- SMs or CUs
    fp64_vector_tflops REAL,  -- TFLOP/s, dense, as all below
    fp64_matrix_tflops REAL,  -- TFLOP/s
    fp32_vector_tflops REAL,  -- TFLOP/s
    tf32_tflops REAL,  -- TFLOP/s
    fp16_tflops REAL,  -- TFLOP/s
    bf16_tflops REAL,  -- TFLOP/s
    fp8_tflops REAL,  -- TFLOP/s
    fp6_tflops REAL,  -- TFLOP/s
    fp4_tflops REAL,  -- TFLOP/s
    int8_tops REAL,  -- TOP/s
    board_power_w REAL,  -- W
    form_factor TEXT,  -- e.g. SXM, OAM, PCIe
    link TEXT,  -- scale-up link, e.g. NVLink 4
    link_topology TEXT NOT NULL,  -- none, pair, mesh, switch
    link_gb_s REAL,  -- GB/s, all scale-up links of one GPU, both directions
    pcie_gen REAL,  -- PCIe generation
    street_price_usd REAL,  -- USD a card
    street_price_basis TEXT,  -- whose price, and when
    support TEXT NOT NULL,  -- supported, deprecated, planned
    devices_per_package REAL NOT NULL,  -- devices that one SKU shows
    peak_clock_mhz REAL,  -- MHz
    flop_per_clk_per_unit REAL,  -- dense 16-bit matrix FLOP per clock and compute unit
    confidence TEXT NOT NULL,  -- A, B, C
    note TEXT,  -- remarks for people
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL  -- date it speaks of: YYYY, YYYY-MM or YYYY-MM-DD
) STRICT;

-- How devices report themselves.
CREATE TABLE device_ids (
    vendor TEXT NOT NULL,  -- nvidia, amd
    pci_device TEXT,  -- vendor:device in hex, 10de:1eb8; NULL in these columns: any
    pci_subsystem TEXT,  -- the same of the subsystem
    pci_revision TEXT,  -- hex
    name TEXT,  -- as the device reports itself
    name_api TEXT,  -- which interface reports that name
    sku_id TEXT NOT NULL REFERENCES gpus (sku_id),  -- the SKU that it is
    gfx_target_version REAL,  -- AMD KFD property, e.g. 90402
    cu_count REAL,  -- compute units that the device must show
    memory_gib REAL,  -- GiB that the device must show
    note TEXT,  -- remarks for people
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL  -- date it speaks of: YYYY, YYYY-MM or YYYY-MM-DD
) STRICT;

-- Model architectures.
CREATE TABLE models (
    model_id TEXT NOT NULL PRIMARY KEY,  -- catalog id, e.g. llama-3.1-70b
    hf_name TEXT,  -- owner/name at Hugging Face
    family TEXT NOT NULL,  -- dense, moe, vision-language, encoder, encoder-decoder, diffusion
    attention TEXT NOT NULL,  -- mha, gqa, mla, hybrid
    layers REAL,  -- decoder or encoder layers
    hidden REAL,  -- elements
    heads REAL,  -- query heads
    kv_heads REAL,  -- key and value heads
    head_dim REAL,  -- elements
    intermediate REAL,  -- elements, width of a dense FFN
    vocab REAL,  -- tokens
    tied_embeddings INTEGER NOT NULL CHECK (tied_embeddings IN (0, 1)),  -- 1: the head is the input embedding
    ffn_matrices REAL,  -- 3 gated, 2 plain
    experts REAL,  -- routed experts a layer
    experts_per_token REAL,  -- routed experts that a token visits
    shared_experts REAL,  -- experts that every token visits
    moe_intermediate REAL,  -- elements
    shared_intermediate REAL,  -- elements
    dense_layers_first REAL,  -- leading layers without experts
    moe_every REAL,  -- 1: every later layer has experts, 2: every second
    q_lora_rank REAL,  -- elements
    kv_lora_rank REAL,  -- elements
    qk_nope_head_dim REAL,  -- elements
    qk_rope_head_dim REAL,  -- elements
    v_head_dim REAL,  -- elements
    sliding_window REAL,  -- tokens
    sliding_pattern TEXT,  -- which layers are windowed
    max_context REAL,  -- tokens
    weights_native TEXT NOT NULL,  -- dtype of the released checkpoint
    native_quantization TEXT,  -- how it was quantized
    params_published_b REAL,  -- 10^9 elements, as published
    params_total REAL NOT NULL,  -- elements, served checkpoint with vision part, without MTP
    params_active REAL,  -- elements that one token passes through
    params_input_embedding REAL,  -- elements only looked up, 0 when tied
    params_expert_routed REAL,  -- elements, all routed experts
    params_vision REAL,  -- elements, inside the total
    params_mtp REAL,  -- elements, not inside the total
    kv_full_layers REAL,  -- layers with a full cache
    kv_window_layers REAL,  -- layers with a windowed cache
    linear_layers REAL,  -- layers with a recurrent state
    kv_bytes_per_token_bf16 REAL,  -- bytes, full layers
    kv_window_bytes_per_token_bf16 REAL,  -- bytes, windowed layers
    kv_extra_bytes_per_token REAL,  -- bytes, indexer cache in its own precision
    state_elements_per_seq REAL,  -- elements, recurrent state
    weight_bytes_native REAL,  -- bytes, released checkpoint with scales, without MTP
    attn_flops_per_pair_full REAL,  -- FLOP per query-key pair, summed over full layers
    attn_flops_per_pair_window REAL,  -- the same of windowed layers
    image_size TEXT,  -- pixels: WxH
    latent_tokens REAL,  -- tokens of one image
    steps_default REAL,  -- denoising steps
    forwards_per_step REAL,  -- 2 with classifier-free guidance
    tflop_per_forward_matmul REAL,  -- TFLOP
    tflop_per_forward_attention REAL,  -- TFLOP
    tflop_per_image REAL,  -- TFLOP, denoiser at steps_default
    confidence TEXT NOT NULL,  -- A, B
    note TEXT,  -- remarks for people
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL  -- date it speaks of: YYYY, YYYY-MM or YYYY-MM-DD
) STRICT;

-- What users run.
CREATE TABLE workloads (
    workload_id TEXT NOT NULL PRIMARY KEY,  -- catalog id
    title TEXT NOT NULL,  -- what it is
    who TEXT NOT NULL,  -- who has it
    kind TEXT NOT NULL,  -- serve, images, train, lora, hpc
    variant TEXT,  -- hpc: class of work, as in task_efficiency
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
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL  -- date it speaks of: YYYY, YYYY-MM or YYYY-MM-DD
) STRICT;

-- Offers that ship with the program.
CREATE TABLE offers (
    provider TEXT NOT NULL,  -- lower-case feed name
    instance TEXT,  -- instance type; NULL: not stated
    region TEXT,  -- NULL: one price everywhere, or not stated
    sku_id TEXT REFERENCES gpus (sku_id),  -- NULL: unmapped
    listed_name TEXT NOT NULL,  -- the GPU as the provider names it
    gpu_count REAL,  -- GPUs of the instance; NULL: a list price per GPU
    vcpus REAL,  -- virtual CPUs of the instance
    ram_gb REAL,  -- GB
    pricing_model TEXT NOT NULL,  -- on-demand, spot, reserved-1y, reserved-3y
    price_micro_usd_per_hour INTEGER NOT NULL CHECK (price_micro_usd_per_hour > 0),  -- 10^-6 USD/h, whole instance or list price
    available TEXT NOT NULL DEFAULT 'unknown',  -- unknown, yes, no: could it be rented when seen
    standing TEXT NOT NULL,  -- listed, superseded, secondary: as its source says, before newer words
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL,  -- date seen: YYYY, YYYY-MM or YYYY-MM-DD
    thing TEXT GENERATED ALWAYS AS (coalesce(sku_id, listed_name)) VIRTUAL  -- what is offered
) STRICT;

-- Offers of one kind: the newer word on a kind replaces the older one, whatever the instance is called.
CREATE INDEX offers_kind ON offers (provider, thing, pricing_model, region, gpu_count, as_of, standing);

-- Support claims, as their sources make them.
CREATE TABLE support (
    subject TEXT NOT NULL,  -- framework, library or tool
    platform TEXT NOT NULL,  -- cuda, rocm, ...
    status TEXT NOT NULL,  -- full, partial, experimental, none
    since_version TEXT,  -- version of the subject
    framework_version TEXT,  -- version spoken of
    platform_version TEXT,  -- CUDA or ROCm version
    gpu_scope TEXT,  -- GPUs spoken of
    install_hint TEXT,  -- command or where to get it
    source_type TEXT,  -- kind of evidence
    standing TEXT NOT NULL,  -- current, superseded, disputed, unverified
    note TEXT,  -- remarks for people
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL  -- date it speaks of: YYYY, YYYY-MM or YYYY-MM-DD
) STRICT;

-- CUDA libraries and tools, and what stands for them on ROCm.
CREATE TABLE libraries (
    cuda_name TEXT NOT NULL PRIMARY KEY,  -- as NVIDIA names it
    rocm_name TEXT,  -- NULL: none
    kind TEXT NOT NULL,  -- runtime, library, tool, ...
    coverage TEXT NOT NULL,  -- how much of it is there
    effort_class REAL,  -- 0-1 automatic, 2-3 review, 4 manual, 5 blocker
    note TEXT,  -- remarks for people
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL  -- date it speaks of: YYYY, YYYY-MM or YYYY-MM-DD
) STRICT;

-- Python packages and their ROCm status.
CREATE TABLE packages (
    package TEXT NOT NULL PRIMARY KEY,  -- name in the Python package index
    rocm_status TEXT NOT NULL,  -- none, pure-python, works-unchanged, different-wheel, fork, partial, ...
    install_instead TEXT,  -- what to install on ROCm
    effort_class REAL,  -- as in libraries
    note TEXT,  -- remarks for people
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL  -- date it speaks of: YYYY, YYYY-MM or YYYY-MM-DD
) STRICT;

-- Which serving engine runs on which architecture.
CREATE TABLE engines (
    engine TEXT NOT NULL,  -- vllm, sglang, ...
    vendor TEXT NOT NULL,  -- nvidia, amd
    architecture TEXT NOT NULL,  -- as in gpus
    status TEXT NOT NULL,  -- full, partial, experimental, none
    note TEXT,  -- remarks for people
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL,  -- date it speaks of: YYYY, YYYY-MM or YYYY-MM-DD
    PRIMARY KEY (engine, vendor, architecture)
) STRICT;

-- What a serving engine takes for itself.
CREATE TABLE engine_limits (
    engine TEXT NOT NULL PRIMARY KEY,  -- as in engines
    memory_fraction REAL NOT NULL,  -- share of usable memory for weights, workspace, KV cache, 0 to 1
    max_running_sequences REAL NOT NULL,  -- sequences a replica
    chunk_tokens REAL NOT NULL,  -- prefill tokens mixed into one step
    weights TEXT NOT NULL,  -- dtypes of weights that it runs, separated by blanks
    kv TEXT NOT NULL,  -- dtypes of the KV cache
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL  -- date it speaks of: YYYY, YYYY-MM or YYYY-MM-DD
) STRICT;

-- How a weight dtype runs on an architecture; no row: it does not.
CREATE TABLE precisions (
    weights TEXT NOT NULL,  -- dtype stored
    vendor TEXT NOT NULL,  -- nvidia, amd
    architecture TEXT NOT NULL,  -- as in gpus
    compute TEXT NOT NULL,  -- dtype that the matrix units use
    status TEXT NOT NULL,  -- native, weight-only, emulated
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL,  -- date it speaks of: YYYY, YYYY-MM or YYYY-MM-DD
    PRIMARY KEY (weights, vendor, architecture)
) STRICT;

-- Efficiency factors of token serving.
CREATE TABLE efficiency (
    vendor TEXT NOT NULL,  -- nvidia, amd
    architecture TEXT NOT NULL,  -- as in gpus
    engine TEXT NOT NULL,  -- * = any
    layout TEXT NOT NULL,  -- dense, moe
    weights TEXT NOT NULL,  -- dtype stored
    eta_bw REAL NOT NULL,  -- share of peak memory bandwidth when reading weights, 0 to 1
    eta_kv REAL NOT NULL,  -- the same when reading the KV cache
    eta_fl REAL NOT NULL,  -- share of dense peak when decoding, 0 to 1
    eta_prefill REAL NOT NULL,  -- the same when reading prompts
    tau_us REAL NOT NULL,  -- us a layer and step
    tau_tp_us REAL NOT NULL,  -- us added under tensor parallelism
    seq_us REAL NOT NULL,  -- us a running sequence and step
    trend REAL NOT NULL,  -- ln of the gain in half a year of software
    eta_link REAL NOT NULL,  -- share of one-direction link bandwidth, 0 to 1
    sigma_log REAL NOT NULL,  -- standard deviation of ln(predicted / measured)
    n REAL NOT NULL,  -- measured rows behind it; 0: carried over
    gpus TEXT,  -- sku_ids measured, separated by blanks
    basis TEXT NOT NULL,  -- measured, published, calibrated, extrapolated, datasheet, unknown
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL,  -- date it speaks of: YYYY, YYYY-MM or YYYY-MM-DD
    PRIMARY KEY (vendor, architecture, engine, layout, weights)
) STRICT;

-- Efficiency of everything else.
CREATE TABLE task_efficiency (
    task TEXT NOT NULL,  -- images, train, lora, hpc
    variant TEXT,  -- class of hpc work; NULL: any
    vendor TEXT NOT NULL,  -- nvidia, amd
    architecture TEXT NOT NULL,  -- as in gpus
    dtype TEXT NOT NULL,  -- dtype computed in
    eta_fl REAL,  -- share of dense peak, 0 to 1
    eta_bw REAL,  -- share of peak memory bandwidth, 0 to 1
    sigma_log REAL NOT NULL,  -- standard deviation of ln(predicted / measured)
    n REAL NOT NULL,  -- measured rows behind it
    basis TEXT NOT NULL,  -- as in efficiency
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL  -- date it speaks of: YYYY, YYYY-MM or YYYY-MM-DD
) STRICT;

-- Numbers that belong to no one GPU, model or engine.
CREATE TABLE constants (
    name TEXT NOT NULL PRIMARY KEY,  -- as src/perf and src/advise look it up
    value REAL NOT NULL,  -- in `unit`
    unit TEXT NOT NULL,  -- of `value`
    what TEXT NOT NULL,  -- what it stands for
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL  -- date it speaks of: YYYY, YYYY-MM or YYYY-MM-DD
) STRICT;

-- ---------------------------------------------------------------- observations

-- Offers as refreshes and imports saw them.
CREATE TABLE offer_seen (
    id INTEGER PRIMARY KEY,  -- in the order of arrival
    provider TEXT NOT NULL,  -- lower-case feed name
    instance TEXT,  -- instance type; NULL: not stated
    region TEXT,  -- NULL: one price everywhere, or not stated
    sku_id TEXT,  -- NULL: unmapped; no reference: SKUs come and go with releases
    listed_name TEXT NOT NULL,  -- the GPU as the provider names it
    gpu_count REAL,  -- GPUs of the instance; NULL: a list price per GPU
    vcpus REAL,  -- virtual CPUs of the instance
    ram_gb REAL,  -- GB
    pricing_model TEXT NOT NULL,  -- on-demand, spot, reserved-1y, reserved-3y
    price_micro_usd_per_hour INTEGER NOT NULL CHECK (price_micro_usd_per_hour > 0),  -- 10^-6 USD/h, whole instance or list price
    available TEXT NOT NULL DEFAULT 'unknown',  -- unknown, yes, no: could it be rented when seen
    standing TEXT NOT NULL,  -- listed, superseded, secondary: as its source says, before newer words
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL,  -- date seen: YYYY, YYYY-MM or YYYY-MM-DD
    feed TEXT NOT NULL,  -- which feed or import said so
    seen_at TEXT NOT NULL,  -- UTC, RFC 3339: the time of the refresh, one for all its rows
    thing TEXT GENERATED ALWAYS AS (coalesce(sku_id, listed_name)) VIRTUAL  -- what is offered
) STRICT;

CREATE INDEX offer_seen_kind ON offer_seen (provider, thing, pricing_model, region, gpu_count, as_of, standing, feed, seen_at);

-- What was seen stays as it was seen; only whole rows may go, when the user prunes.
CREATE TRIGGER offer_seen_stays BEFORE UPDATE ON offer_seen BEGIN
    SELECT RAISE(ABORT, 'observations are append-only');
END;

-- Rows of offer_seen that no later refresh of the same feed has replaced: an answer must not grow slower with every refresh.
CREATE TABLE offer_latest (
    id INTEGER PRIMARY KEY REFERENCES offer_seen (id) ON DELETE CASCADE  -- the row
) STRICT;

CREATE TRIGGER offer_seen_latest AFTER INSERT ON offer_seen BEGIN
    DELETE FROM offer_latest WHERE id IN (
        SELECT id FROM offer_seen
        WHERE (provider, thing, pricing_model, region, gpu_count)
            IS (new.provider, new.thing, new.pricing_model, new.region, new.gpu_count)
            AND feed = new.feed AND seen_at < new.seen_at);
    INSERT INTO offer_latest SELECT new.id WHERE NOT EXISTS (
        SELECT 1 FROM offer_seen
        WHERE (provider, thing, pricing_model, region, gpu_count)
            IS (new.provider, new.thing, new.pricing_model, new.region, new.gpu_count)
            AND feed = new.feed AND seen_at > new.seen_at);
END;

-- The newest word on every offer, shipped or seen. `standing` is 'superseded' where
--   - its source says so, or
--   - a newer listed price of the same kind exists (hearsay is replaced by newer hearsay too, a listed price never), or
--   - it names no region, and a newer list price per GPU without a region exists.
-- On the same date an observation beats what was shipped. Shipped offers were judged among themselves when they were loaded
-- (queries/settle_offers.sql): here they are only held against observations.
CREATE VIEW offer_current AS
SELECT provider, instance, region, sku_id, listed_name, gpu_count, vcpus, ram_gb, pricing_model, price_micro_usd_per_hour, available,
    CASE WHEN EXISTS (SELECT 1 FROM offer_latest) AND standing <> 'superseded' AND (
        EXISTS (
            SELECT 1 FROM offer_seen
            WHERE (provider, thing, pricing_model, region, gpu_count)
                IS (o.provider, o.thing, o.pricing_model, o.region, o.gpu_count)
                AND as_of >= o.as_of AND standing IN ('listed', o.standing))
        OR region IS NULL AND gpu_count IS NOT NULL AND EXISTS (
            SELECT 1 FROM offer_seen
            WHERE (provider, thing, pricing_model, region, gpu_count) IS (o.provider, o.thing, o.pricing_model, NULL, NULL)
                AND as_of > o.as_of AND standing = 'listed')
    ) THEN 'superseded' ELSE standing END AS standing,
    source, as_of, CAST(NULL AS TEXT) AS feed, CAST(NULL AS TEXT) AS seen_at
FROM offers AS o
UNION ALL
SELECT provider, instance, region, sku_id, listed_name, gpu_count, vcpus, ram_gb, pricing_model, price_micro_usd_per_hour, available,
    CASE WHEN standing <> 'superseded' AND (
        EXISTS (
            SELECT 1 FROM offer_seen
            WHERE (provider, thing, pricing_model, region, gpu_count)
                IS (o.provider, o.thing, o.pricing_model, o.region, o.gpu_count)
                AND as_of > o.as_of AND standing IN ('listed', o.standing))
        OR EXISTS (
            SELECT 1 FROM offers
            WHERE (provider, thing, pricing_model, region, gpu_count)
                IS (o.provider, o.thing, o.pricing_model, o.region, o.gpu_count)
                AND as_of > o.as_of AND standing IN ('listed', o.standing))
        OR region IS NULL AND gpu_count IS NOT NULL AND (
            EXISTS (
                SELECT 1 FROM offer_seen
                WHERE (provider, thing, pricing_model, region, gpu_count) IS (o.provider, o.thing, o.pricing_model, NULL, NULL)
                    AND as_of > o.as_of AND standing = 'listed')
            OR EXISTS (
                SELECT 1 FROM offers
                WHERE (provider, thing, pricing_model, region, gpu_count) IS (o.provider, o.thing, o.pricing_model, NULL, NULL)
                    AND as_of > o.as_of AND standing = 'listed'))
    ) THEN 'superseded' ELSE standing END AS standing,
    source, as_of, feed, seen_at
FROM offer_seen AS o
WHERE id IN (SELECT id FROM offer_latest);
