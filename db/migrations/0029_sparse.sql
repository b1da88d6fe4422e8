-- What layers of sparse attention read, and what their indexers compute.
DELETE FROM workloads;  -- they refer to models; both are read again
DROP TABLE models;
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
    params_lookup REAL,  -- elements, inside the total: tables that tokens look up and engines keep in host memory
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
    kv_sparse_bytes_per_token_bf16 REAL,  -- bytes, growth of the cache in layers of sparse attention
    sparse_tokens REAL,  -- tokens of which those layers read the entries, at most
    index_flops_per_pair REAL,  -- flops of the indexers a pair of tokens, all layers
    image_size TEXT,  -- pixels: WxH
    latent_tokens REAL,  -- tokens of one image
    steps_default REAL,  -- denoising steps
    forwards_per_step REAL,  -- 2 with classifier-free guidance
    tflop_per_forward_matmul REAL,  -- TFLOP
    tflop_per_forward_attention REAL,  -- TFLOP
    tflop_per_image REAL,  -- TFLOP, denoiser at steps_default
    released REAL,  -- years, when it came out; NULL: long ago or unknown
    confidence TEXT NOT NULL,  -- A, B
    note TEXT,  -- remarks for people
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL  -- date it speaks of: YYYY, YYYY-MM or YYYY-MM-DD
) STRICT;

-- Whether a GPU can be had: announced, shipping, rented out.
DELETE FROM offers;  -- they and the ids of devices refer to GPUs; all are read again
DELETE FROM device_ids;
DROP TABLE gpus;
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
    market TEXT NOT NULL,  -- announced, shipping, rented (offers of it were seen)
    devices_per_package REAL NOT NULL,  -- devices that one SKU shows
    peak_clock_mhz REAL,  -- MHz
    flop_per_clk_per_unit REAL,  -- dense 16-bit matrix FLOP per clock and compute unit
    confidence TEXT NOT NULL,  -- A, B, C
    note TEXT,  -- remarks for people
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL  -- date it speaks of: YYYY, YYYY-MM or YYYY-MM-DD
) STRICT;
