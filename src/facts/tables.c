// Columns of the fact tables that are in the database, which makes its tables from them. A new column is one
// line here.
#include "src/facts/tables.h"

#include "src/facts/table_fields.h"
#include "src/facts/facts.h"
#include "src/facts/needs.h"

static const Field gpu_fields[] = {
    KEY(Gpu, sku_id),
    NAME(Gpu, vendor, vendor_names),
    MUST(Gpu, name),
    MUST(Gpu, architecture),
    TEXT(Gpu, chip),
    TEXT(Gpu, target),
    DATE(Gpu, launch),
    MUSTNUM(Gpu, memory_gb, 4, 2000),
    NUM(Gpu, memory_usable_mib, 1000, 2e6),
    TEXT(Gpu, memory_type),
    NUM(Gpu, memory_bw_gb_s, 50, 50000),
    NUM(Gpu, cache_mb, 0.5, 2000),
    NUM(Gpu, compute_units, 8, 1000),
    NUM(Gpu, fp64_vector_tflops, 0.05, 1000),
    NUM(Gpu, fp64_matrix_tflops, 0.05, 1000),
    NUM(Gpu, fp32_vector_tflops, 1, 1000),
    NUM(Gpu, tf32_tflops, 1, 10000),
    NUM(Gpu, fp16_tflops, 1, 20000),
    NUM(Gpu, bf16_tflops, 1, 20000),
    NUM(Gpu, fp8_tflops, 1, 40000),
    NUM(Gpu, fp6_tflops, 1, 40000),
    NUM(Gpu, fp4_tflops, 1, 80000),
    NUM(Gpu, int8_tops, 1, 40000),
    NUM(Gpu, board_power_w, 10, 5000),
    TEXT(Gpu, form_factor),
    TEXT(Gpu, link),
    NAME(Gpu, link_topology, link_topology_names),
    NUM(Gpu, link_gb_s, 10, 10000),
    NUM(Gpu, pcie_gen, 2, 8),
    NUM(Gpu, street_price_usd, 50, 500000),
    TEXT(Gpu, street_price_basis),
    MUST(Gpu, support),
    NAME(Gpu, market, market_names),
    MUSTNUM(Gpu, devices_per_package, 1, 8),
    NUM(Gpu, peak_clock_mhz, 300, 5000),
    NUM(Gpu, flop_per_clk_per_unit, 32, 65536),
    MUST(Gpu, confidence),
    TEXT(Gpu, note),
    ORIGIN(Gpu),
};

static const Field device_id_fields[] = {
    KEYNAME(DeviceId, vendor, vendor_names),
    KEYTEXT(DeviceId, pci_device),
    KEYTEXT(DeviceId, pci_subsystem),
    KEYTEXT(DeviceId, pci_revision),
    KEYTEXT(DeviceId, name),
    KEYTEXT(DeviceId, name_api),
    KEY(DeviceId, sku_id),
    KEYNUM(DeviceId, gfx_target_version, 0, 999999),
    KEYNUM(DeviceId, cu_count, 0, 1000),
    KEYNUM(DeviceId, memory_gib, 1, 2000),
    TEXT(DeviceId, note),
    ORIGIN(DeviceId),
};

static const Field model_fields[] = {
    KEY(Model, model_id),
    TEXT(Model, hf_name),
    MUST(Model, family),
    MUST(Model, attention),
    NUM(Model, layers, 1, 1000),
    NUM(Model, hidden, 64, 100000),
    NUM(Model, heads, 1, 1024),
    NUM(Model, kv_heads, 1, 1024),
    NUM(Model, head_dim, 8, 2048),
    NUM(Model, intermediate, 64, 1e6),
    NUM(Model, vocab, 100, 1e7),
    BOOL(Model, tied_embeddings),
    NUM(Model, ffn_matrices, 2, 3),
    NUM(Model, experts, 2, 10000),
    NUM(Model, experts_per_token, 1, 1000),
    NUM(Model, shared_experts, 0, 100),
    NUM(Model, moe_intermediate, 16, 1e6),
    NUM(Model, shared_intermediate, 16, 1e6),
    NUM(Model, dense_layers_first, 0, 1000),
    NUM(Model, moe_every, 1, 100),
    NUM(Model, q_lora_rank, 1, 100000),
    NUM(Model, kv_lora_rank, 1, 100000),
    NUM(Model, qk_nope_head_dim, 1, 10000),
    NUM(Model, qk_rope_head_dim, 0, 10000),
    NUM(Model, v_head_dim, 1, 10000),
    NUM(Model, sliding_window, 1, 1e7),
    TEXT(Model, sliding_pattern),
    NUM(Model, max_context, 16, 1e9),
    NAME(Model, weights_native, dtype_names),
    TEXT(Model, native_quantization),
    NUM(Model, params_published_b, 0.001, 10000),
    MUSTNUM(Model, params_total, 1e6, 1e13),
    NUM(Model, params_active, 1e6, 1e13),
    NUM(Model, params_input_embedding, 0, 1e12),
    NUM(Model, params_expert_routed, 1e6, 1e13),
    NUM(Model, params_vision, 1e3, 1e12),
    NUM(Model, params_mtp, 1e3, 1e12),
    NUM(Model, params_lookup, 1e3, 1e13),
    NUM(Model, kv_full_layers, 0, 1000),
    NUM(Model, kv_window_layers, 0, 1000),
    NUM(Model, linear_layers, 0, 1000),
    NUM(Model, kv_bytes_per_token_bf16, 0, 1e8),
    NUM(Model, kv_window_bytes_per_token_bf16, 0, 1e8),
    NUM(Model, kv_extra_bytes_per_token, 0, 1e7),
    NUM(Model, state_elements_per_seq, 0, 1e10),
    NUM(Model, weight_bytes_native, 1e6, 1e14),
    NUM(Model, attn_flops_per_pair_full, 0, 1e9),
    NUM(Model, attn_flops_per_pair_window, 0, 1e9),
    NUM(Model, kv_sparse_bytes_per_token_bf16, 0, 1e8),
    NUM(Model, sparse_tokens, 1, 1e7),
    NUM(Model, index_flops_per_pair, 0, 1e9),
    TEXT(Model, image_size),
    NUM(Model, latent_tokens, 1, 1e8),
    NUM(Model, steps_default, 1, 1000),
    NUM(Model, forwards_per_step, 1, 10),
    NUM(Model, tflop_per_forward_matmul, 0.001, 1e6),
    NUM(Model, tflop_per_forward_attention, 0, 1e6),
    NUM(Model, tflop_per_image, 0.001, 1e8),
    NUM(Model, released, 2017, 2100),
    MUST(Model, confidence),
    TEXT(Model, note),
    ORIGIN(Model),
};

static const Field traffic_fields[] = {
    KEY(Traffic, traffic_id),
    MUST(Traffic, title),
    NUM(Traffic, requests, 1, 1e12),
    NUM(Traffic, span_s, 0, 1e9),
    NUM(Traffic, rate_rps, 1e-9, 1e6),
    NUM(Traffic, busy_rps, 1e-9, 1e6),
    NUM(Traffic, input_mean, 0, 1e8),
    NUM(Traffic, input_p50, 0, 1e8),
    NUM(Traffic, input_p90, 0, 1e8),
    NUM(Traffic, input_p99, 0, 1e8),
    NUM(Traffic, input_max, 0, 1e8),
    NUM(Traffic, output_mean, 0, 1e8),
    NUM(Traffic, output_p50, 0, 1e8),
    NUM(Traffic, output_p90, 0, 1e8),
    NUM(Traffic, output_p99, 0, 1e8),
    NUM(Traffic, output_max, 0, 1e8),
    NUM(Traffic, correlation, -1, 1),
    NUM(Traffic, gap_cv, 0, 1e6),
    NUM(Traffic, idc_1s, 0, 1e9),
    NUM(Traffic, idc_60s, 0, 1e9),
    NUM(Traffic, idc_3600s, 0, 1e9),
    NUM(Traffic, cached_share, 0, 1),
    NUM(Traffic, block_tokens, 1, 65536),
    NUM(Traffic, hit_rate_max, 0, 1),
    TEXT(Traffic, hits),
    NUM(Traffic, hit_sessions, 1, 1e6),
    NUM(Traffic, turns_mean, 1, 1e6),
    NUM(Traffic, think_s_mean, 0, 1e7),
    TEXT(Traffic, hours),
    TEXT(Traffic, note),
    ORIGIN(Traffic),
};

static const Field workload_fields[] = {
    KEY(Workload, workload_id),
    MUST(Workload, title),
    MUST(Workload, who),
    NAME(Workload, kind, kind_names),
    TEXT(Workload, variant),
    TEXT(Workload, model_id),
    TEXT(Workload, traffic_id),
    NUM(Workload, isl_tokens, 1, 1e7),
    NUM(Workload, osl_tokens, 1, 1e6),
    NUM(Workload, rate_rps, 1e-6, 1e6),
    NUM(Workload, concurrency, 1, 1e6),
    NUM(Workload, ttft_p99_ms, 1, 1e7),
    NUM(Workload, tpot_ms, 0.1, 1e6),
    TEXT(Workload, weights),
    TEXT(Workload, kv),
    NUM(Workload, duty_cycle, 0.001, 1),
    NUM(Workload, tokens_total, 1e3, 1e16),
    NUM(Workload, images_steps, 1, 1000),
    NUM(Workload, run_tflop_fp64, 0, 1e12),
    NUM(Workload, run_tflop_fp32, 0, 1e12),
    NUM(Workload, run_memory_gb, 0, 1e9),
    NUM(Workload, run_tbyte, 0, 1e12),
    NUM(Workload, run_steps, 0, 1e12),
    ORIGIN(Workload),
};

// The key of an offer holds its price: a marketplace lists one machine at several prices on one day.
#define OFFER_FIELDS                                                                                         \
    KEY(Offer, provider), KEYTEXT(Offer, instance), KEYTEXT(Offer, region), KEYTEXT(Offer, sku_id),          \
        KEY(Offer, listed_name), KEYNUM(Offer, gpu_count, 0.01, 1024), KEYNUM(Offer, vcpus, 0.1, 10000),     \
        KEYNUM(Offer, ram_gb, 0.1, 1e6), KEYNAME(Offer, pricing_model, pricing_names),                       \
        KEYMICRO(Offer, price_micro_usd_h, "price_usd_per_hour", "price_micro_usd_per_hour", 0.001, 10000),  \
        MAYBE(Offer, available, available_names), NAME(Offer, standing, standing_names),                     \
        MAYBE(Offer, seller_class, seller_class_names), NUM(Offer, machines_seen, 1, 1e6),                   \
        MAYBE(Offer, sold_by_gpu, available_names), MUST(Offer, source), KEYDATE(Offer, as_of)

static const Field offer_fields[] = {OFFER_FIELDS};
static const Field offer_current_fields[] = {OFFER_FIELDS, TEXT(Offer, feed), TEXT(Offer, seen_at),
                                             TEXT(Offer, country), NUM(Offer, hosts_seen, 1, 1e6)};

static const Field region_fields[] = {KEY(Region, provider), KEY(Region, region), MUST(Region, country),
                                      ORIGIN(Region)};

static const Field seller_fields[] = {
    KEY(Seller, provider),
    KEYTEXT(Seller, region),
    NAME(Seller, seller_class, seller_class_names),
    MAYBE(Seller, sold_by_gpu, available_names),
    ORIGIN(Seller),
};

static const Field seller_class_fields[] = {
    KEYNAME(SellerClassFact, seller_class, seller_class_names),
    MUSTNUM(SellerClassFact, machines, 1, 1e6),
    MUST(SellerClassFact, what),
    ORIGIN(SellerClassFact),
};

static const Field checkpoint_fields[] = {
    KEY(Checkpoint, model_id), KEYNAME(Checkpoint, weights, dtype_names),
    KEY(Checkpoint, hf_name),  NAME(Checkpoint, maker, checkpoint_maker_names),
    ORIGIN(Checkpoint),
};

static const Field price_move_fields[] = {
    KEYNAME(PriceMove, seller_class, seller_class_names),
    KEYNAME(PriceMove, pricing_model, pricing_names),
    MUSTKEYNUM(PriceMove, lag_days, 0, 3650),
    MUSTNUM(PriceMove, sigma_log, 0, 3),
    MUSTNUM(PriceMove, drift_log, -3, 3),
    MUSTNUM(PriceMove, gone, 0, 1),
    MUSTNUM(PriceMove, pairs, 0, 1e9),
    ORIGIN(PriceMove),
};

// The key of a claim holds who said it and when: sources contradict each other, and the older word is kept.
static const Field support_fields[] = {
    KEY(Claim, subject),
    KEY(Claim, platform),
    KEY(Claim, status),
    KEYTEXT(Claim, since_version),
    KEYTEXT(Claim, framework_version),
    KEYTEXT(Claim, platform_version),
    KEYTEXT(Claim, gpu_scope),
    TEXT(Claim, install_hint),
    TEXT(Claim, source_type),
    MUST(Claim, standing),
    TEXT(Claim, note),
    KEY(Claim, source),
    KEYDATE(Claim, as_of),
};

static const Field library_fields[] = {
    KEY(Library, cuda_name),          TEXT(Library, rocm_name), MUST(Library, kind), MUST(Library, coverage),
    NUM(Library, effort_class, 0, 5), TEXT(Library, note),      ORIGIN(Library),
};

static const Field package_fields[] = {
    KEY(Package, package),
    MUST(Package, rocm_status),
    TEXT(Package, install_instead),
    NUM(Package, effort_class, 0, 5),
    TEXT(Package, lost),
    TEXT(Package, trap),
    TEXT(Package, note),
    ORIGIN(Package),
};

static const Field engine_fields[] = {
    KEY(EngineSupport, engine),       KEYNAME(EngineSupport, vendor, vendor_names),
    KEY(EngineSupport, architecture), NAME(EngineSupport, status, support_names),
    TEXT(EngineSupport, note),        ORIGIN(EngineSupport),
};

static const Field engine_limit_fields[] = {
    KEY(EngineLimits, engine),
    MUSTNUM(EngineLimits, memory_fraction, 0.1, 1),
    MUST(EngineLimits, fraction_of),
    NUM(EngineLimits, process_gb, 0, 100),
    MUSTNUM(EngineLimits, max_running_sequences, 1, 1e6),
    MUSTNUM(EngineLimits, chunk_tokens, 16, 1e6),
    NUM(EngineLimits, spread_step_ratio, 0.1, 10),
    NUM(EngineLimits, state_share, 0.01, 0.99),
    NUM(EngineLimits, state_step_tokens, 1, 1e6),
    NUM(EngineLimits, int4_bits, 3, 8),
    MUST(EngineLimits, weights),
    MUST(EngineLimits, kv),
    TEXT(EngineLimits, stages),
    ORIGIN(EngineLimits),
};

static const Field precision_fields[] = {
    KEYNAME(Precision, weights, dtype_names),
    KEYNAME(Precision, vendor, vendor_names),
    KEY(Precision, architecture),
    NAME(Precision, compute, dtype_names),
    MUST(Precision, status),
    ORIGIN(Precision),
};

#define SHIFT(name, i)                                                                                       \
    { name, FIELD_NUM, offsetof(Efficiency, shift) + (i) * sizeof(double), false, true, -20, 20, NULL, NULL }
static const Field efficiency_fields[] = {
    KEYNAME(Efficiency, effect, effect_names),
    KEY(Efficiency, level),
    SHIFT("bw", FACTOR_BW),
    SHIFT("kv", FACTOR_KV),
    SHIFT("fl", FACTOR_FL),
    SHIFT("prefill", FACTOR_PREFILL),
    SHIFT("tau", FACTOR_TAU),
    SHIFT("tau_tp", FACTOR_TAU_TP),
    SHIFT("link", FACTOR_LINK),
    SHIFT("expert", FACTOR_EXPERT),
    SHIFT("seq", FACTOR_SEQ),
    SHIFT("link_size", FACTOR_LINK_SIZE),
    SHIFT("start", FACTOR_START),
    SHIFT("scale", FACTOR_SCALE),
    SHIFT("prompt", FACTOR_PROMPT),
    SHIFT("step", FACTOR_STEP),
    SHIFT("kernel_seq", FACTOR_KERNEL_SEQ),
    SHIFT("kernel_start", FACTOR_KERNEL_START),
    NUM(Efficiency, sigma_log, 0.02, 2),
    MUSTNUM(Efficiency, n, 0, 1e5),
    TEXT(Efficiency, gpus),
    ORIGIN(Efficiency),
};

static const Field task_efficiency_fields[] = {
    KEYNAME(TaskEfficiency, effect, task_effect_names),
    KEY(TaskEfficiency, level),
    MUSTNUM(TaskEfficiency, shift, -10, 10),
    NUM(TaskEfficiency, sigma_log, 0.02, 2),
    MUSTNUM(TaskEfficiency, n, 0, 1e5),
    TEXT(TaskEfficiency, gpus),
    ORIGIN(TaskEfficiency),
};

static const Field hpc_case_fields[] = {
    KEY(HpcCase, case_id),
    MUST(HpcCase, variant),
    MUST(HpcCase, unit),
    NUM(HpcCase, run_tflop_fp64, 0, 1e12),
    NUM(HpcCase, run_tflop_fp32, 0, 1e12),
    NUM(HpcCase, run_tbyte, 0, 1e12),
    NUM(HpcCase, run_steps, 0, 1e12),
    ORIGIN(HpcCase),
};

static const Field constant_fields[] = {
    KEY(Constant, name), MUSTNUM(Constant, value, -1e15, 1e15), MUST(Constant, unit), MUST(Constant, what),
    ORIGIN(Constant),
};

// What a measurement is of, and under which load.
#define MEASURED_OF                                                                                          \
    KEY(Measurement, id), TEXT(Measurement, gpu_sku), NUM(Measurement, gpu_count, 1, 1e6),                   \
        TEXT(Measurement, model), TEXT(Measurement, precision_weights), TEXT(Measurement, precision_kv)
#define MEASURED_AT                                                                                          \
    NUM(Measurement, input_tokens, 0, 1e7), NUM(Measurement, output_tokens, 0, 1e7),                         \
        NUM(Measurement, batch_or_concurrency, 1, 1e7), NUM(Measurement, rate_rps, 1e-6, 1e6),               \
        NUM(Measurement, tp, 1, 1e5), NUM(Measurement, pp, 1, 1e5), NUM(Measurement, ep, 1, 1e5),            \
        NUM(Measurement, dp, 1, 1e5)

static const Field measurement_fields[] = {
    MEASURED_OF,
    NUM(Measurement, weight_bits, 0.5, 64),
    TEXT(Measurement, engine),
    TEXT(Measurement, engine_version),
    TEXT(Measurement, scenario),
    TEXT(Measurement, task),
    TEXT(Measurement, grade),
    TEXT(Measurement, run_class),
    MEASURED_AT,
    TEXT(Measurement, layout),
    TEXT(Measurement, draft_tokens),
    BOOL(Measurement, prompt_cached),
    BOOL(Measurement, held_out),
    NUM(Measurement, output_tokens_per_s, 0, 1e9),
    NUM(Measurement, tokens_per_s_total, 0, 1e12),
    TEXT(Measurement, tokens_kind),
    NUM(Measurement, ttft_ms, 0, 1e9),
    NUM(Measurement, ttft_p99_ms, 0, 1e9),
    NUM(Measurement, tpot_ms, 0, 1e9),
    NUM(Measurement, tpot_p99_ms, 0, 1e9),
    NUM(Measurement, e2e_ms, 0, 1e9),
    TEXT(Measurement, latency_statistic),
    TEXT(Measurement, submitter),
    TEXT(Measurement, date),
    ORIGIN(Measurement),
};

// What says how far a measurement lies from a configuration: a report reads them all.
static const Field measured_fields[] = {
    MEASURED_OF,
    TEXT(Measurement, engine),
    TEXT(Measurement, scenario),
    TEXT(Measurement, grade),
    MEASURED_AT,
    TEXT(Measurement, draft_tokens),
    BOOL(Measurement, prompt_cached),
    NUM(Measurement, output_tokens_per_s, 0, 1e9),
    TEXT(Measurement, date),
    ORIGIN(Measurement),
};

static const Field construct_fields[] = {
    KEY(PortRule, rule),
    NAME(PortRule, area, port_area_names),
    {"class", FIELD_NAME, offsetof(PortRule, port_class), false, true, 0, 0, port_class_names, NULL},
    MUSTNUM(PortRule, minutes_low, 0, 1e5),
    MUSTNUM(PortRule, minutes_high, 0, 1e5),
    NAME(PortRule, per, port_unit_names),
    MUST(PortRule, minutes_basis),
    BOOL(PortRule, lanes64),
    NAME(PortRule, effect, port_effect_names),
    MUST(PortRule, what),
    MUST(PortRule, why),
    MUST(PortRule, fix),
    MUST(PortRule, amd),
    TEXT(PortRule, rocm_since),
    TEXT(PortRule, lost),
    ORIGIN(PortRule),
};

static const Field port_fields[] = {
    KEY(Port, port),
    MUST(Port, title),
    NUM(Port, cuda_files, 1, 1e6),
    NUM(Port, cuda_loc, 1, 1e9),
    NUM(Port, asm_blocks, 0, 1e6),
    NUM(Port, lane_uses, 0, 1e6),
    NUM(Port, wmma_uses, 0, 1e6),
    NUM(Port, library_uses, 0, 1e6),
    NUM(Port, launches, 0, 1e6),
    NUM(Port, weights_low_days, 0.1, 1e5),
    NUM(Port, weights_high_days, 0.1, 1e5),
    NAME(Port, scope, port_scope_names),
    MUSTNUM(Port, years, 0, 30),
    NUM(Port, commits, 1, 1e6),
    NUM(Port, authors, 1, 1e5),
    NUM(Port, author_days, 0.5, 1e6),
    MUST(Port, squashed),
    MUST(Port, how),
    TEXT(Port, left_out),
    ORIGIN(Port),
};

static const Field effort_factor_fields[] = {
    KEY(EffortFactor, factor), MUSTNUM(EffortFactor, value, 0.001, 1e6),
    MUST(EffortFactor, unit),  MUST(EffortFactor, what),
    ORIGIN(EffortFactor),
};

const Table fact_tables[TABLE_COUNT] = {
    [TABLE_GPUS] = TABLE("gpus", gpu_fields, Gpu),
    [TABLE_DEVICE_IDS] = TABLE("device_ids", device_id_fields, DeviceId),
    [TABLE_MODELS] = TABLE("models", model_fields, Model),
    [TABLE_TRAFFIC] = TABLE("traffic", traffic_fields, Traffic),
    [TABLE_WORKLOADS] = TABLE("workloads", workload_fields, Workload),
    [TABLE_OFFERS] = TABLE("offers", offer_fields, Offer),
    [TABLE_SUPPORT] = TABLE("support", support_fields, Claim),
    [TABLE_LIBRARIES] = TABLE("libraries", library_fields, Library),
    [TABLE_PACKAGES] = TABLE("packages", package_fields, Package),
    [TABLE_ENGINES] = TABLE("engines", engine_fields, EngineSupport),
    [TABLE_ENGINE_LIMITS] = TABLE("engine_limits", engine_limit_fields, EngineLimits),
    [TABLE_PRECISIONS] = TABLE("precisions", precision_fields, Precision),
    [TABLE_EFFICIENCY] = TABLE("efficiency", efficiency_fields, Efficiency),
    [TABLE_TASK_EFFICIENCY] = TABLE("task_efficiency", task_efficiency_fields, TaskEfficiency),
    [TABLE_HPC_CASES] = TABLE("hpc_cases", hpc_case_fields, HpcCase),
    [TABLE_MEASUREMENTS] = TABLE("measurements", measurement_fields, Measurement),
    [TABLE_REGIONS] = TABLE("regions", region_fields, Region),
    [TABLE_SELLERS] = TABLE("sellers", seller_fields, Seller),
    [TABLE_SELLER_CLASSES] = TABLE("seller_classes", seller_class_fields, SellerClassFact),
    [TABLE_CHECKPOINTS] = TABLE("checkpoints", checkpoint_fields, Checkpoint),
    [TABLE_PRICE_MOVES] = TABLE("price_moves", price_move_fields, PriceMove),
    [TABLE_CONSTANTS] = TABLE("constants", constant_fields, Constant),
    [TABLE_CONSTRUCTS] = TABLE("cuda_constructs", construct_fields, PortRule),
    [TABLE_PORTS] = TABLE("ports", port_fields, Port),
    [TABLE_EFFORT_FACTORS] = TABLE("effort_factors", effort_factor_fields, EffortFactor),
};

const Reference fact_references[] = {
    {TABLE_DEVICE_IDS, "sku_id", TABLE_GPUS, "sku_id"},
    {TABLE_WORKLOADS, "model_id", TABLE_MODELS, "model_id"},
    {TABLE_WORKLOADS, "traffic_id", TABLE_TRAFFIC, "traffic_id"},
    {TABLE_CHECKPOINTS, "model_id", TABLE_MODELS, "model_id"},
    {TABLE_OFFERS, "sku_id", TABLE_GPUS, "sku_id"},
};
const size_t n_fact_references = sizeof fact_references / sizeof *fact_references;

const Table measured_table = TABLE("measurements", measured_fields, Measurement);

const Table offer_current_table = TABLE("offers", offer_current_fields, Offer);
