// A small made-up world for tests of src/perf and src/advise: two GPUs, a dense and a MoE model, their
// factors.
#ifndef GPUADVISE_TESTS_FIXTURE_H
#define GPUADVISE_TESTS_FIXTURE_H

#include "src/perf/perf.h"

#define UNKNOWN ((double)NAN)

static inline Gpu gpu_like(const char *sku, Vendor vendor, const char *architecture, double memory_gib,
                           double bw_gb_s, double bf16, double fp8) {
    return (Gpu){.sku_id = sku,
                 .vendor = (int)vendor,
                 .name = sku,
                 .architecture = architecture,
                 .chip = "",
                 .target = "",
                 .launch = "",
                 .memory_gb = memory_gib,
                 .memory_usable_mib = memory_gib * 1024,
                 .memory_type = "",
                 .memory_bw_gb_s = bw_gb_s,
                 .cache_mb = UNKNOWN,
                 .compute_units = UNKNOWN,
                 .fp64_vector_tflops = 60,
                 .fp64_matrix_tflops = UNKNOWN,
                 .fp32_vector_tflops = 60,
                 .tf32_tflops = UNKNOWN,
                 .fp16_tflops = bf16,
                 .bf16_tflops = bf16,
                 .fp8_tflops = fp8,
                 .fp6_tflops = UNKNOWN,
                 .fp4_tflops = UNKNOWN,
                 .int8_tops = fp8,
                 .board_power_w = 700,
                 .form_factor = "",
                 .link = "",
                 .link_topology = LINK_SWITCH,
                 .link_gb_s = 900,
                 .pcie_gen = 5,
                 .street_price_usd = UNKNOWN,
                 .street_price_basis = "",
                 .support = "supported",
                 .devices_per_package = 1,
                 .peak_clock_mhz = UNKNOWN,
                 .flop_per_clk_per_unit = UNKNOWN,
                 .confidence = "A",
                 .note = "",
                 .source = "test",
                 .as_of = "2026-11"};
}

static inline Model blank_model(const char *id) {
    return (Model){.model_id = id,
                   .hf_name = "",
                   .family = "dense",
                   .attention = "gqa",
                   .layers = UNKNOWN,
                   .hidden = UNKNOWN,
                   .heads = UNKNOWN,
                   .kv_heads = UNKNOWN,
                   .head_dim = UNKNOWN,
                   .intermediate = UNKNOWN,
                   .vocab = UNKNOWN,
                   .ffn_matrices = 3,
                   .experts = UNKNOWN,
                   .experts_per_token = UNKNOWN,
                   .shared_experts = UNKNOWN,
                   .moe_intermediate = UNKNOWN,
                   .shared_intermediate = UNKNOWN,
                   .dense_layers_first = UNKNOWN,
                   .moe_every = UNKNOWN,
                   .q_lora_rank = UNKNOWN,
                   .kv_lora_rank = UNKNOWN,
                   .qk_nope_head_dim = UNKNOWN,
                   .qk_rope_head_dim = UNKNOWN,
                   .v_head_dim = UNKNOWN,
                   .sliding_window = UNKNOWN,
                   .sliding_pattern = "",
                   .max_context = UNKNOWN,
                   .weights_native = DTYPE_BF16,
                   .native_quantization = "",
                   .params_published_b = UNKNOWN,
                   .params_total = UNKNOWN,
                   .params_active = UNKNOWN,
                   .params_input_embedding = UNKNOWN,
                   .params_expert_routed = UNKNOWN,
                   .params_vision = UNKNOWN,
                   .params_mtp = UNKNOWN,
                   .kv_full_layers = UNKNOWN,
                   .kv_window_layers = UNKNOWN,
                   .linear_layers = UNKNOWN,
                   .kv_bytes_per_token_bf16 = UNKNOWN,
                   .kv_window_bytes_per_token_bf16 = UNKNOWN,
                   .kv_extra_bytes_per_token = UNKNOWN,
                   .state_elements_per_seq = UNKNOWN,
                   .weight_bytes_native = UNKNOWN,
                   .attn_flops_per_pair_full = UNKNOWN,
                   .attn_flops_per_pair_window = UNKNOWN,
                   .sparse_tokens = UNKNOWN,
                   .image_size = "",
                   .latent_tokens = UNKNOWN,
                   .steps_default = UNKNOWN,
                   .forwards_per_step = UNKNOWN,
                   .tflop_per_forward_matmul = UNKNOWN,
                   .tflop_per_forward_attention = UNKNOWN,
                   .tflop_per_image = UNKNOWN,
                   .confidence = "A",
                   .note = "",
                   .source = "test",
                   .as_of = "2026-11"};
}

// The public shape of Llama 3.1 70B (80 layers, 8,192 wide, 64 query and 8 KV heads, 128,256 words).
static inline Model llama_70b(void) {
    Model m = blank_model("llama-70b");
    m.layers = 80, m.hidden = 8192, m.heads = 64, m.kv_heads = 8, m.head_dim = 128, m.intermediate = 28672,
    m.vocab = 128256;
    model_complete(&m);
    return m;
}

// The public shape of Mixtral 8x7B.
static inline Model mixtral(void) {
    Model m = blank_model("mixtral");
    m.family = "moe";
    m.layers = 32, m.hidden = 4096, m.heads = 32, m.kv_heads = 8, m.head_dim = 128, m.vocab = 32000;
    m.experts = 8, m.experts_per_token = 2, m.moe_intermediate = 14336, m.dense_layers_first = 0,
    m.moe_every = 1;
    model_complete(&m);
    return m;
}

static const EngineLimits fixture_limits[] = {{"vllm", 0.9, "memory", (double)NAN, 1024, 8192, 1.5,
                                               (double)NAN, (double)NAN, (double)NAN, "bf16 fp8 int4",
                                               "bf16 fp8", "", "test", "2026"}};
static const EngineSupport fixture_engines[] = {
    {"vllm", VENDOR_NVIDIA, "hopper", SUPPORT_FULL, "", "test", "2026"},
    {"vllm", VENDOR_AMD, "cdna3", SUPPORT_FULL, "", "test", "2026"}};
static const Precision fixture_precisions[] = {
    {DTYPE_BF16, VENDOR_NVIDIA, "hopper", DTYPE_BF16, "native", "test", "2026"},
    {DTYPE_FP8, VENDOR_NVIDIA, "hopper", DTYPE_FP8, "native", "test", "2026"},
    {DTYPE_BF16, VENDOR_AMD, "cdna3", DTYPE_BF16, "native", "test", "2026"},
    {DTYPE_FP8, VENDOR_AMD, "cdna3", DTYPE_FP8, "native", "test", "2026"},
};
static const EngineLoad fixture_loads[] = {
    {"vllm", VENDOR_NVIDIA, "hopper", LOAD_MEASURED, 1024, 90, "", "test", "2026"},
    {"vllm", VENDOR_AMD, "cdna3", LOAD_MEASURED, 1024, 90, "", "test", "2026"}};
// As logits and logarithms: nvidia|dense 0.75 of bandwidth, 0.5 of arithmetic, 50 us a layer, 20 more under
// TP, 0.4 of the link; nvidia|moe 0.75, 0.35, 110, 0, 0.3; amd|dense 0.55, 0.3, 10, 60, 0.25. No time a
// sequence, none before the prompt.
#define FIXTURE_LAYOUT(key, ...)                                                                             \
    { EFFECT_LAYOUT, key, {__VA_ARGS__}, (double)NAN, 90, "", "test", "2026" }
static const Efficiency fixture_efficiency[] = {
    FIXTURE_LAYOUT("nvidia|dense", 1.0986122886681098, 1.0986122886681098, 0, 0, -9.903487552536127,
                   -10.819778284410283, -0.4054651081081643, 1.0986122886681098, -40, 0, -40),
    FIXTURE_LAYOUT("nvidia|moe", 1.0986122886681098, 1.0986122886681098, -0.6190392084062235,
                   -0.6190392084062235, -9.115030192171858, -40, -0.8472978603872036, 1.0986122886681098, -40,
                   0, -40),
    FIXTURE_LAYOUT("amd|dense", 0.20067069546215124, 0.20067069546215124, -0.8472978603872036,
                   -0.8472978603872036, -11.512925464970229, -9.721165995742174, -1.0986122886681098,
                   0.20067069546215124, -40, 0, -40),
    {EFFECT_NATIVE, "hopper|bf16", {0}, (double)NAN, 90, "", "test", "2026"},
    {EFFECT_NATIVE, "hopper|fp8", {0}, (double)NAN, 90, "", "test", "2026"},
    {EFFECT_NATIVE, "cdna3|bf16", {0}, (double)NAN, 90, "", "test", "2026"},
    {EFFECT_SPREAD, "dense|since 2025", {0}, 0.2, 90, "h100 g mi300x", "test", "2026"},
    {EFFECT_SPREAD, "dense|since 2025|hopper", {0}, 0.2, 90, "h100 g", "test", "2026"},
    {EFFECT_SPREAD, "dense|since 2025|hopper|vllm", {0}, 0.2, 90, "h100 g", "test", "2026"},
    {EFFECT_SPREAD, "moe|since 2025", {0}, 0.3, 20, "h100 g", "test", "2026"},
    {EFFECT_SPREAD, "moe|since 2025|hopper", {0}, 0.3, 20, "h100 g", "test", "2026"},
    {EFFECT_SPREAD, "moe|since 2025|hopper|vllm", {0}, 0.3, 20, "h100 g", "test", "2026"},
    {EFFECT_SPREAD, "dense|since 2025|cdna3", {0}, 0.2, 90, "mi300x", "test", "2026"},
    {EFFECT_SPREAD, "dense|since 2025|cdna3|vllm", {0}, 0.2, 90, "mi300x", "test", "2026"},
};
static const Constant fixture_constants[] = {
    {"cache_use", 1, "1", "", "test", "2026"},
    {"memory_fraction_most", 0.96, "1", "", "test", "2026"},
    {"workspace_gb_least", 1.5, "GB", "", "test", "2026"},
    {"sequences_few", 32, "1", "", "test", "2026"},
    {"ttft_alone_share", 1, "1", "", "test", "2026"},
    {"workspace_gb_per_gpu", 1.8, "GB", "", "test", "2026"},
    {"workspace_share", 0, "1", "", "test", "2026"},
    {"sigma_sessions", 0.3, "ln", "", "test", "2026"},
    {"session_alone_ratio", 1, "1", "", "test", "2026"},
    {"session_host_us_token", 8, "us", "", "test", "2026"},
    {"session_prefill_ratio", 1, "1", "", "test", "2026"},
    {"session_offload_ratio", 1, "1", "", "test", "2026"},
    {"session_running_share", 1, "1", "", "test", "2026"},
    {"session_step_ratio", 1, "1", "", "test", "2026"},
    {"kv_doubt_share", 0.02, "1", "", "test", "2026"},
    {"host_link_gb_s", 50, "GB/s", "", "test", "2026"},
    {"pp_bubble", 0.06, "1", "", "test", "2026"},
    {"sigma_pipeline", 0.2, "ln", "", "test", "2026"},
    {"sigma_unseen_group", 0.35, "ln", "", "test", "2026"},
    {"sigma_unseen_gpu", 0.2, "ln", "", "test", "2026"},
    {"sigma_unseen_engine", 0.15, "ln", "", "test", "2026"},
    {"ttft_p99_ratio", 2.25, "1", "", "test", "2026"},
    {"tpot_p99_ratio", 1.15, "1", "", "test", "2026"},
    {"utilisation_max", 0.85, "1", "", "test", "2026"},
    {"share_hand", 0, "1", "", "test", "2026"},
    {"share_model", 0.3, "1", "", "test", "2026"},
    {"share_engine", 0.15, "1", "", "test", "2026"},
    {"share_gpu", 0.35, "1", "", "test", "2026"},
    {"sigma_ttft", 0.3, "ln", "", "test", "2026"},
    {"sigma_tail", 0.4, "ln", "", "test", "2026"},
    {"price_age_warn_days", 30, "d", "", "test", "2026"},
    {"prompt_hold_share", 0.6, "1", "", "test", "2026"},
    {"sigma_burst", 0, "ln", "", "test", "2026"},
    {"ways_doubt", 0, "1", "", "test", "2026"},
    {"train_bytes_per_param", 16, "B", "", "test", "2026"},
    {"train_activation_factor", 2, "1", "", "test", "2026"},
    {"claim_share_one", 0.86, "1", "", "test", "2026"},
    {"claim_share_batch", 0.8, "1", "", "test", "2026"},
    {"claim_share_dense_16", 0.7, "1", "", "test", "2026"},
    {"claim_share_dense_8", 0.6, "1", "", "test", "2026"},
    {"claim_share_dense_4", 0.5, "1", "", "test", "2026"},
    {"claim_share_moe_8", 0.4, "1", "", "test", "2026"},
    {"claim_share_moe_4", 0.1, "1", "", "test", "2026"},
    {"claim_share_training_16", 0.55, "1", "", "test", "2026"},
    {"claim_share_training_8", 0.45, "1", "", "test", "2026"},
    {"claim_share_images", 0.8, "1", "", "test", "2026"},
    {"claim_measured_most", 2, "1", "", "test", "2026"},
    {"claim_draft_gain_most", 1.8, "1", "", "test", "2026"},
    {"train_memory_fraction", 0.92, "1", "", "test", "2026"},
    {"lora_bytes_per_param", 2.1, "B", "", "test", "2026"},
    {"images_workspace_gb", 6, "GB", "", "test", "2026"},
    {"healthy_bandwidth_amd", 0.8, "1", "", "test", "2026"},
    {"healthy_bandwidth_nvidia", 0.9, "1", "", "test", "2026"},
    {"healthy_gemm_amd", 0.6, "1", "", "test", "2026"},
    {"healthy_gemm_nvidia", 0.8, "1", "", "test", "2026"},
    {"sigma_published", 0.05, "ln", "", "test", "2026"},
    {"length_cv", 1, "1", "", "test", "2026"},
    {"rate_overhead_ms", 0, "ms", "", "test", "2026"},
    {"hpc_step_us", 100, "us", "", "test", "2026"},
    {"embed_batch_tokens", 16384, "tokens", "", "test", "2026"},
    {"draft_acceptance", 0.5, "1", "", "test", "2026"},
    {"draft_tokens_usual", 1, "1", "", "test", "2026"},
    {"network_gb_s", 50, "GB/s", "", "test", "2026"},
    {"list_doubt_year", 0, "1", "", "test", "2026"},
    {"one_host_surest", 1, "1", "", "test", "2026"},
    {"own_wrong_factor", 2.5, "ratio", "", "test", "2026"},
    {"owned_gpus_times_most", 8, "1", "", "test", "2026"},
    {"sigma_host", 0.4, "ln", "", "test", "2026"},
    {"sigma_market_year", 0, "ln", "", "test", "2026"},
    {"power_doubt", 0.5, "1", "", "test", "2026"},
    {"power_idle_share", 0.2, "1", "", "test", "2026"},
    {"sigma_acceptance", 0.3, "ln", "", "test", "2026"},
    {"sigma_drafts", 0.1, "ln", "", "test", "2026"},
    {"sigma_network", 0.3, "ln", "", "test", "2026"},
    {"sigma_own", 0.1, "ln", "", "test", "2026"},
    {"sigma_prefix", 0.1, "ln", "", "test", "2026"},
    {"sigma_split", 0.4, "ln", "", "test", "2026"},
    {"sigma_spread", 0.3, "ln", "", "test", "2026"},
    {"split_step_ratio", 1, "1", "", "test", "2026"},
};

// Without ranges: what hand arithmetic can follow.
static const Assumption fixture_assumptions[] = {
    {"contract_days", 4, 4, 4, "days", "", "test", "2026"},
    {"discount_rate_pct", 12, 12, 12, "percent", "", "test", "2026"},
    {"dual_weeks_provider", 2, 2, 2, "weeks", "", "test", "2026"},
    {"dual_weeks_vendor", 4, 4, 4, "weeks", "", "test", "2026"},
    {"engineer_day_usd", 800, 800, 800, "USD", "", "test", "2026"},
    {"horizon_months", 24, 24, 24, "months", "", "test", "2026"},
    {"load_factor", 1, 1, 1, "factor", "", "test", "2026"},
    {"price_level", 1, 1, 1, "factor", "", "test", "2026"},
    {"revalidation_days", 20, 20, 20, "days", "", "test", "2026"},
    {"team_size", 2, 2, 2, "engineers", "", "test", "2026"},
    {"spot_loss_pct", 10, 10, 10, "percent", "", "test", "2026"},
    {"pue", 1.5, 1.5, 1.5, "factor", "", "test", "2026"},
    {"power_price", 0.1, 0.1, 0.1, "USD", "", "test", "2026"},
    {"host_power_factor", 2, 2, 2, "factor", "", "test", "2026"},
    {"host_price_factor", 1.5, 1.5, 1.5, "factor", "", "test", "2026"},
    {"hosting_usd_kw_month", 146, 146, 146, "USD", "", "test", "2026"},
    {"amortise_months", 40, 40, 40, "months", "", "test", "2026"},
    {"residual_pct", 20, 20, 20, "percent", "", "test", "2026"},
    {"street_price_factor", 1, 1, 1, "factor", "", "test", "2026"},
};

static inline Facts fixture_facts(const Gpu *gpus, size_t n_gpus) {
    return (Facts){.gpus = gpus,
                   .n_gpus = n_gpus,
                   .engines = fixture_engines,
                   .n_engines = COUNT_OF(fixture_engines),
                   .engine_limits = fixture_limits,
                   .n_engine_limits = COUNT_OF(fixture_limits),
                   .engine_loads = fixture_loads,
                   .n_engine_loads = COUNT_OF(fixture_loads),
                   .precisions = fixture_precisions,
                   .n_precisions = COUNT_OF(fixture_precisions),
                   .efficiency = fixture_efficiency,
                   .n_efficiency = COUNT_OF(fixture_efficiency),
                   .constants = fixture_constants,
                   .n_constants = COUNT_OF(fixture_constants),
                   .assumptions = fixture_assumptions,
                   .n_assumptions = COUNT_OF(fixture_assumptions)};
}

// A model in FP8 under vLLM.
static inline ServeStatus resolve_fp8(const Gpu *g, const Model *m, Layout layout, ServeTechniques techniques,
                                      double isl, double osl, Serving *ret) {
    Facts f = fixture_facts(g, 1);
    ServingWant want = {.gpu = g,
                        .model = m,
                        .engine = "vllm",
                        .layout = layout,
                        .weights = DTYPE_FP8,
                        .kv = DTYPE_FP8,
                        .isl = isl,
                        .osl = osl,
                        .techniques = techniques};
    return serving_resolve(&f, &want, ret);
}

// Llama 70B in FP8 on four H100 under vLLM.
typedef struct Served {
    Gpu gpu;
    Model model;
    Facts facts;
    Serving serving;
    double requests_s;  // when saturated
} Served;

// Points into itself: not to be copied. SERVE_OK, or why not.
static inline ServeStatus served(Served *s, double isl, double osl) {
    s->gpu = gpu_like("h100", VENDOR_NVIDIA, "hopper", 80, 3350, 989, 1979);
    s->model = llama_70b();
    s->facts = fixture_facts(&s->gpu, 1);
    ServingWant want = {.gpu = &s->gpu,
                        .model = &s->model,
                        .engine = "vllm",
                        .layout = {4, 1, 1, 1},
                        .weights = DTYPE_FP8,
                        .kv = DTYPE_FP8,
                        .isl = isl,
                        .osl = osl};
    ServeStatus status = serving_resolve(&s->facts, &want, &s->serving);
    if (status == SERVE_OK)
        s->requests_s = serving_at(&s->serving, s->serving.sequences_max).output_tokens_s / osl;
    return status;
}

#endif
