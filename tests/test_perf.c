// src/perf: models as bytes and flops, memory, time, physical bounds on random inputs.
#include "tests/check.h"
#include "tests/fixture.h"

static Gpu h100(void) { return gpu_like("h100", VENDOR_NVIDIA, "hopper", 80, 3350, 989, 1979); }
static Gpu mi300x(void) { return gpu_like("mi300x", VENDOR_AMD, "cdna3", 192, 5300, 1307, 2615); }

static void test_llama_70b_has_its_published_size(void) {
    Model m = llama_70b();
    CHECK_NEAR(m.params_total, 70553706496.0, 1e-4);
    CHECK_NEAR(model_weight_bytes(&m, DTYPE_BF16), 141.1e9, 1e-3);
    CHECK_NEAR(model_kv_bytes_per_token(&m, DTYPE_BF16), 320 * 1024, 1e-12);
    CHECK_NEAR(model_kv_bytes_per_token(&m, DTYPE_FP8), 160 * 1024, 1e-12);
    // FP8 keeps embedding and head in 16 bits: 68.45e9 + 2 x 2.10e9 bytes.
    CHECK_NEAR(model_weight_bytes(&m, DTYPE_FP8), 72.65e9, 1e-3);
}

static void test_mixtral_counts_experts(void) {
    Model m = mixtral();
    CHECK_NEAR(m.params_total, 46702792704.0, 1e-4);
    CHECK_NEAR(m.params_active, 12879925248.0, 1e-3);
    CHECK_NEAR(m.params_expert_routed, 45097156608.0, 1e-9);
}

static void test_windowed_cache_stops_growing(void) {
    Model m = llama_70b();
    m.kv_window_bytes_per_token_bf16 = 1000, m.sliding_window = 128;
    double at_window = model_cache_bytes(&m, 128, DTYPE_BF16);
    CHECK_NEAR(at_window, 128 * (327680.0 + 1000), 1e-12);
    CHECK_NEAR(model_cache_bytes(&m, 1128, DTYPE_BF16) - at_window, 1000 * 327680.0, 1e-12);
}

static void test_four_bits_cost_their_scales(void) {
    CHECK_NEAR(dtype_bits(DTYPE_MXFP4), 4.25, 1e-12);
    CHECK_NEAR(dtype_bits(DTYPE_NVFP4), 4.5, 1e-12);
    CHECK(isnan(dtype_bits(DTYPE_UNKNOWN)));
}

static void test_links_by_topology(void) {
    Gpu g = mi300x();
    g.link_topology = LINK_MESH, g.link_gb_s = 896;
    CHECK_NEAR(gpu_link_bytes_s(&g, 2), 64e9, 1e-9);  // one link of seven
    CHECK_NEAR(gpu_link_bytes_s(&g, 8), 448e9, 1e-9);
    g.link_topology = LINK_SWITCH;
    CHECK_NEAR(gpu_link_bytes_s(&g, 2), 448e9, 1e-9);
    g.link_topology = LINK_NONE;
    CHECK_NEAR(gpu_link_bytes_s(&g, 2), 63e9, 1e-9);  // PCIe 5
    g.link_gb_s = UNKNOWN, g.pcie_gen = UNKNOWN;
    CHECK(isnan(gpu_link_bytes_s(&g, 2)));
}

static ServeStatus resolve_layout(Gpu *g, Model *m, Layout layout, Dtype weights, double isl, double osl,
                                  Serving *ret) {
    Facts f = fixture_facts(g, 1);
    ServingWant want = {.gpu = g,
                        .model = m,
                        .engine = "vllm",
                        .layout = layout,
                        .weights = weights,
                        .kv = DTYPE_BF16,
                        .isl = isl,
                        .osl = osl};
    return serving_resolve(&f, &want, ret);
}

static ServeStatus resolve(Gpu *g, Model *m, int tp, Dtype weights, double isl, double osl, Arena *a,
                           Serving *ret) {
    (void)a;
    return resolve_layout(g, m, (Layout){tp, 1, 1, 1}, weights, isl, osl, ret);
}

static void test_70b_in_16_bits_does_not_fit_one_h100(void) {
    Arena a = {0};
    Gpu h = h100(), x = mi300x();
    Model m = llama_70b();
    Serving s;
    CHECK_INT(resolve(&h, &m, 1, DTYPE_BF16, 1024, 512, &a, &s), SERVE_NO_MEMORY);
    CHECK_INT(resolve(&h, &m, 2, DTYPE_BF16, 1024, 512, &a, &s), SERVE_OK);
    CHECK_INT(resolve(&x, &m, 1, DTYPE_BF16, 1024, 512, &a, &s), SERVE_OK);
    // One step reads all weights once: 32 sequences cannot exceed 32 x 5.3 TB/s / 141.1 GB = 1,202 tokens/s.
    Point p = serving_at(&s, 32);
    CHECK(p.output_tokens_s < 1202);
    CHECK(p.output_tokens_s > 200);
    arena_free(&a);
}

static void test_unsupported_is_said(void) {
    Arena a = {0};
    Gpu h = h100();
    Model m = llama_70b();
    Serving s;
    CHECK_INT(resolve(&h, &m, 2, DTYPE_INT4, 1024, 512, &a, &s), SERVE_NO_PRECISION);
    CHECK_INT(resolve(&h, &m, 3, DTYPE_BF16, 1024, 512, &a, &s), SERVE_NO_LAYOUT);
    h.architecture = "volta";
    CHECK_INT(resolve(&h, &m, 2, DTYPE_BF16, 1024, 512, &a, &s), SERVE_NO_ENGINE);
    h.architecture = "hopper", h.memory_bw_gb_s = UNKNOWN;
    CHECK_INT(resolve(&h, &m, 2, DTYPE_BF16, 1024, 512, &a, &s), SERVE_NO_DATA);
    arena_free(&a);
}

static void check_consistent(const Serving *s, const Point *p) {
    CHECK_NEAR(p->e2e_s, p->ttft_s + (s->osl > 1 ? (s->osl - 1) * p->tpot_s : 0), 1e-9);
    CHECK_NEAR(p->output_tokens_s, p->concurrency * s->osl / p->e2e_s, 1e-9);
    CHECK(p->ttft_p99_s >= p->ttft_s);
    double items = 0;
    for (int i = 0; i < TIME_COUNT; i++) {
        CHECK(p->item_s[i] >= 0);
        items += p->item_s[i];
    }
    if (p->concurrency == p->running) CHECK_NEAR(items, p->e2e_s / s->osl, 1e-9);
}

static void test_hand_arithmetic_of_one_step(void) {
    Arena a = {0};
    Gpu x = mi300x();
    Model m = llama_70b();
    Serving s;
    CHECK_INT(resolve(&x, &m, 1, DTYPE_BF16, 1000, 1000, &a, &s), SERVE_OK);
    Point p = serving_at(&s, 1);
    double embedding = 128256.0 * 8192 * 2;
    CHECK_NEAR(p.item_s[TIME_WEIGHTS], (141107412992.0 - embedding) / (5300e9 * 0.55), 1e-3);
    CHECK_NEAR(p.item_s[TIME_KV], 1500 * 327680.0 / (5300e9 * 0.55), 1e-9);
    CHECK_NEAR(p.item_s[TIME_LAUNCH], 80 * 10e-6, 1e-9);
    CHECK_INT(p.bound_by, TIME_WEIGHTS);
    check_consistent(&s, &p);
    arena_free(&a);
}

// A small generator of its own, so that the same cases are tried everywhere (xorshift64, Marsaglia 2003).
static uint64_t state = 88172645463325252u;
static double uniform(double low, double high) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
}

// Random but possible: returns false where the configuration does not work.
static bool random_serving(Gpu *g, Model *m, Serving *ret) {
    *g = gpu_like("g", VENDOR_NVIDIA, "hopper", uniform(16, 400), uniform(300, 20000), uniform(50, 5000),
                  uniform(100, 10000));
    *m = uniform(0, 1) < 0.5 ? llama_70b() : mixtral();
    Layout l = {1 << (int)uniform(0, 4), 1, 1, 1};
    if (model_is_moe(m) && uniform(0, 1) < 0.5) {  // experts over replicas, of several nodes too
        l.dp = 1 << (int)uniform(1, 4);
        l.ep = l.tp * l.dp;
        m->experts = fmax(m->experts, l.ep);  // whole ones on each GPU
    }
    return resolve_layout(g, m, l, uniform(0, 1) < 0.5 ? DTYPE_BF16 : DTYPE_FP8, floor(uniform(1, 20000)),
                          floor(uniform(1, 4000)), ret) == SERVE_OK;
}

static void test_points_are_consistent(void) {
    int tried = 0;
    for (int i = 0; i < 3000; i++) {
        Gpu g;
        Model m;
        Serving s;
        if (!random_serving(&g, &m, &s)) continue;
        tried++;
        Point p = serving_at(&s, floor(uniform(1, 2 * s.sequences_max)));
        check_consistent(&s, &p);
        Point q;
        double best = serving_at(&s, s.sequences_max).output_tokens_s / s.osl;
        if (serving_at_rate(&s, uniform(0.01, 0.84) * best, 0.85, &q)) check_consistent(&s, &q);
    }
    CHECK(tried > 500);
}

static void test_never_faster_than_physics(void) {
    for (int i = 0; i < 3000; i++) {
        Gpu g;
        Model m;
        Serving s;
        if (!random_serving(&g, &m, &s)) continue;
        Point p = serving_at(&s, floor(uniform(1, s.sequences_max)));
        double gpus = s.layout.tp;
        double reads_s = model_fixed_bytes(&m, s.weights) / (g.memory_bw_gb_s * 1e9 * gpus);
        CHECK(p.output_tokens_s <= p.running / reads_s * (1 + 1e-9));
        double flops = model_token_flops(&m) * (1 + s.isl / s.osl);
        CHECK(p.output_tokens_s <= gpu_peak_flops(&g, s.compute) * gpus / flops * (1 + 1e-9));
        CHECK(s.weight_bytes + p.running * s.cache_bytes_per_seq <= s.usable_bytes);
    }
}

static void test_more_hardware_is_never_slower(void) {
    for (int i = 0; i < 2000; i++) {
        Gpu g;
        Model m;
        Serving s, t;
        if (!random_serving(&g, &m, &s)) continue;
        double n = floor(uniform(1, s.sequences_max));
        double before = serving_at(&s, n).output_tokens_s;
        Gpu faster = g;
        faster.memory_bw_gb_s *= uniform(1, 2);
        if (uniform(0, 1) < 0.5) faster.bf16_tflops *= 1.5, faster.fp8_tflops *= 1.5;
        if (uniform(0, 1) < 0.5) faster.memory_usable_mib *= 1.5;
        CHECK_INT(resolve_layout(&faster, &m, s.layout, s.weights, s.isl, s.osl, &t), SERVE_OK);
        CHECK(serving_at(&t, n).output_tokens_s >= before * (1 - 1e-9));
        CHECK(t.sequences_max >= s.sequences_max);
        // A longer context is never faster.
        if (resolve_layout(&g, &m, s.layout, s.weights, s.isl * 2, s.osl, &t) == SERVE_OK) {
            CHECK(t.sequences_max <= s.sequences_max);
            CHECK(serving_at(&t, n).output_tokens_s <= before * (1 + 1e-9));
        }
        // More in flight, never fewer tokens.
        CHECK(serving_at(&s, fmin(n + 1, s.sequences_max)).output_tokens_s >= before * (1 - 1e-9));
    }
}

// Replicas that halve a load are together never slower, however short the answers and however much faster a
// prompt is alone.
static void test_more_replicas_are_never_slower(void) {
    for (int i = 0; i < 3000; i++) {
        Gpu g;
        Model m;
        Serving s;
        if (!random_serving(&g, &m, &s)) continue;
        s.ttft_alone_share = uniform(0.5, 1);
        s.layout.pp = 1 << (int)uniform(0, 3);
        s.isl = floor(pow(10, uniform(0, 4))), s.osl = floor(pow(10, uniform(0, 3)));
        double n = floor(uniform(2, fmin(s.sequences_max, uniform(2, 100)) + 1));
        double one = serving_at(&s, n).output_tokens_s;
        CHECK(2 * serving_at(&s, n / 2).output_tokens_s >= one * (1 - 1e-9));
        CHECK(serving_at(&s, n - 0.5).output_tokens_s <= one * (1 + 1e-9));
        CHECK(serving_at(&s, 1).output_tokens_s <= one * (1 + 1e-9));
    }
}

static void test_a_prompt_of_ones_own_is_no_part_of_tpot(void) {
    Arena a = {0};
    Gpu x = mi300x();
    Model m = llama_70b();
    Serving s;
    CHECK_INT(resolve(&x, &m, 1, DTYPE_BF16, 30000, 10, &a, &s), SERVE_OK);
    s.ttft_alone_share = 0.8;
    Point p = serving_at(&s, 1);
    double items[TIME_COUNT], step = serving_step_items(&s, 1, items);
    CHECK_NEAR(p.ttft_s, s.factors.start_s + 0.8 * serving_prompt_s(&s), 1e-9);
    CHECK_NEAR(p.tpot_s, step * 10 / 9, 1e-9);
    CHECK(p.tpot_s >= 1 / serving_user_bound(&s, 1));
    CHECK(p.tpot_s < 1 / serving_bound(&s, 1));  // which holds the prompt
    arena_free(&a);
}

// Memory from too little to plenty, in small steps: never fewer sequences, and what runs has room.
static void test_more_memory_never_holds_fewer(void) {
    Arena a = {0};
    Gpu g = h100();
    Model m = mixtral();
    double before = 0;
    for (g.memory_usable_mib = 60000; g.memory_usable_mib < 200000; g.memory_usable_mib += 250) {
        Serving s;
        double n = resolve(&g, &m, 1, DTYPE_FP8, 2000, 20000, &a, &s) == SERVE_OK ? s.sequences_max : 0;
        CHECK(n >= before);
        CHECK(n * s.cache_bytes_per_seq <= s.room_bytes);
        CHECK(n == 0 || s.room_bytes + s.weight_bytes + s.workspace_bytes <= s.usable_bytes);
        before = n;
    }
    CHECK(before > 32);
    arena_free(&a);
}

// A vendor's "80 GB" without a reading of a device is the smaller of its meanings: nothing may fit by the 7 % of doubt.
static void test_memory_that_no_device_reported_is_decimal(void) {
    Gpu g = h100();
    g.memory_gb = 80, g.memory_usable_mib = 81559;
    CHECK(gpu_usable_bytes(&g) == 81559 * 1048576.0);
    g.memory_usable_mib = (double)NAN;
    CHECK(gpu_usable_bytes(&g) == 80e9);
}

static void test_capacity_is_the_last_that_keeps_the_limits(void) {
    for (int i = 0; i < 300; i++) {
        Gpu g;
        Model m;
        Serving s;
        if (!random_serving(&g, &m, &s) || s.osl < 2) continue;
        double ttft = uniform(0.05, 20), tpot = uniform(0.005, 0.2);
        double n = serving_capacity(&s, ttft, tpot);
        Point p = serving_at(&s, fmax(n, 1));
        if (n >= 1) CHECK(p.ttft_p99_s <= ttft && p.tpot_p99_s <= tpot);
        if (n < s.sequences_max) {
            p = serving_at(&s, n + 1);
            CHECK(p.ttft_p99_s > ttft || p.tpot_p99_s > tpot);
        }
    }
}

static void test_interval_holds_80_percent(void) {
    Estimate x = estimate_of(100, 0.2, BASIS_CALIBRATED, "");
    CHECK_NEAR(x.low, 100 * exp(-1.2815515655446004 * 0.2), 1e-12);
    CHECK_NEAR(x.high * x.low, 10000, 1e-12);
    x = estimate_of(UNKNOWN, 0.2, BASIS_CALIBRATED, "");
    CHECK_INT(x.basis, BASIS_UNKNOWN);
    CHECK(isnan(x.low));
}

static const TestCase tests[] = {
    TEST(llama_70b_has_its_published_size),
    TEST(mixtral_counts_experts),
    TEST(windowed_cache_stops_growing),
    TEST(four_bits_cost_their_scales),
    TEST(links_by_topology),
    TEST(70b_in_16_bits_does_not_fit_one_h100),
    TEST(unsupported_is_said),
    TEST(hand_arithmetic_of_one_step),
    TEST(points_are_consistent),
    TEST(never_faster_than_physics),
    TEST(more_hardware_is_never_slower),
    TEST(more_replicas_are_never_slower),
    TEST(a_prompt_of_ones_own_is_no_part_of_tpot),
    TEST(more_memory_never_holds_fewer),
    TEST(memory_that_no_device_reported_is_decimal),
    TEST(capacity_is_the_last_that_keeps_the_limits),
    TEST(interval_holds_80_percent),
};
TEST_MAIN(tests)
