// llama.cpp on small GPUs: a part of the model in host memory, and GPUs that take turns. Against arithmetic by hand.
#include <string.h>

#include "src/facts/own_run.h"
#include "src/perf/extras.h"
#include "src/perf/kv.h"
#include "src/perf/predict.h"
#include "tests/check.h"
#include "tests/fixture.h"

static const double BANDWIDTH = 3350e9, HOST = 100e9, LINK = 50e9;  // LINK: host_link_gb_s of the fixture

static Gpu h100(double memory_gib) {
    return gpu_like("h100", VENDOR_NVIDIA, "hopper", memory_gib, 3350, 989, 1979);
}

// 1,000 tokens in, 500 out.
static ServeStatus resolve(const Gpu *g, const Model *m, Layout layout, ServeTechniques techniques,
                           Serving *ret) {
    return resolve_fp8(g, m, layout, techniques, 1000, 500, ret);
}

static const Layout ONE = {1, 1, 1, 1};

// Half of the layers on one GPU that cannot hold all: bytes there / its bandwidth + bytes here / the host's.
static void test_dense_model_half_in_host_memory(void) {
    Gpu small = h100(64), large = h100(128);
    Model m = llama_70b();
    Serving s, whole;
    CHECK_INT(resolve(&small, &m, ONE, (ServeTechniques){0}, &s), SERVE_NO_MEMORY);
    ServeTechniques half = {.host_layers = 40, .host_gb_s = 100, .host_source = "test"};
    CHECK_INT(resolve(&small, &m, ONE, half, &s), SERVE_OK);
    CHECK_INT(resolve(&large, &m, ONE, (ServeTechniques){0}, &whole), SERVE_OK);
    double bytes = model_fixed_bytes(&m, DTYPE_FP8) / 2, cache = model_cache_bytes(&m, 1250, DTYPE_FP8) / 2;
    CHECK_NEAR(serving_host_bytes(&s), bytes, 1e-12);
    CHECK_NEAR(s.weight_bytes, whole.weight_bytes - bytes, 1e-12);
    CHECK_NEAR(s.cache_bytes_per_seq, whole.cache_bytes_per_seq / 2, 1e-12);
    double items[TIME_COUNT], all[TIME_COUNT];
    double step = serving_step_items(&s, 1, items), fast = serving_step_items(&whole, 1, all);
    // the maximum with compute is a smooth one
    CHECK_NEAR(items[TIME_WEIGHTS], bytes / s.factors.eta_bw / BANDWIDTH + (bytes + cache) / HOST, 1e-3);
    CHECK_NEAR(items[TIME_KV], cache / s.factors.eta_kv / BANDWIDTH, 1e-9);
    CHECK_NEAR(step, (fast + all[TIME_LAUNCH]) / 2 + (bytes + cache) / HOST, 1e-9);
    // Each sequence reads its own cache there; weights are read once.
    CHECK_NEAR(extras_step_s(&s, EXTRA_HOST, 4, 4), (bytes + 4 * cache) / HOST, 1e-12);
    CHECK(serving_at(&s, 4).output_tokens_s <= serving_bound(&s, 4));
    CHECK_NEAR(s.sigma_log, sqrt(0.2 * 0.2 + 0.4 * 0.4), 1e-12);
    CHECK_INT(s.basis, BASIS_EXTRAPOLATED);
}

// The fixture's engine reads prompts by 8,192 tokens: for each so many, and for fewer, all weights come over the link.
static void test_prompts_stream_the_weights(void) {
    Gpu g = h100(80);
    Model m = llama_70b();
    Serving s;
    CHECK_INT(resolve(&g, &m, ONE, (ServeTechniques){.host_layers = 40, .host_gb_s = 100}, &s), SERVE_OK);
    double bytes = model_fixed_bytes(&m, DTYPE_FP8) / 2;
    CHECK_NEAR(extras_prompt_s(&s, EXTRA_HOST, 0, 8192), bytes / LINK, 1e-12);
    CHECK_NEAR(extras_prompt_s(&s, EXTRA_HOST, 0, 100), bytes / LINK, 1e-12);
    CHECK_NEAR(extras_prompt_s(&s, EXTRA_HOST, 0, 3 * 8192), 3 * bytes / LINK, 1e-12);
    CHECK_NEAR(extras_prompt_s(&s, EXTRA_HOST, 0, 0), 0, 0);
    CHECK(serving_prompt_s(&s) > bytes / LINK);
}

// Mixtral takes two of eight experts: one token touches a quarter of their bytes, four 1 - (3/4)^4.
static void test_experts_in_host_memory(void) {
    Gpu g = h100(80);
    Model m = mixtral();
    Serving s, whole;
    CHECK_INT(resolve(&g, &m, ONE, (ServeTechniques){0}, &whole), SERVE_OK);
    CHECK_INT(resolve(&g, &m, ONE, (ServeTechniques){.cpu_experts = true, .host_gb_s = 100}, &s), SERVE_OK);
    double experts = model_expert_bytes(&m, DTYPE_FP8);
    CHECK_NEAR(serving_host_bytes(&s), experts, 1e-12);
    CHECK_NEAR(s.expert_bytes, 0, 0);
    CHECK_NEAR(s.fixed_bytes, whole.fixed_bytes, 1e-12);
    CHECK_NEAR(s.weight_bytes, whole.weight_bytes - experts, 1e-9);
    CHECK_NEAR(s.cache_bytes_per_seq, whole.cache_bytes_per_seq, 1e-12);  // attention stays
    CHECK_NEAR(extras_step_s(&s, EXTRA_HOST, 1, 1), experts / 4 / HOST, 1e-12);
    CHECK_NEAR(extras_step_s(&s, EXTRA_HOST, 4, 4), experts * (1 - 81.0 / 256) / HOST, 1e-12);
    double items[TIME_COUNT];
    serving_step_items(&s, 1, items);
    CHECK_NEAR(items[TIME_WEIGHTS], s.fixed_bytes / s.factors.eta_bw / BANDWIDTH + experts / 4 / HOST, 1e-3);
    // Half of the layers take half of the experts with them.
    CHECK_INT(resolve(&g, &m, ONE, (ServeTechniques){.host_layers = 16, .host_gb_s = 100}, &s), SERVE_OK);
    CHECK_NEAR(s.host_expert_bytes, experts / 2, 1e-12);
    CHECK_NEAR(s.expert_bytes, experts / 2, 1e-12);
}

// Two GPUs by layers take as long as one that would hold all; by rows they read at once. A measured row is read as
// what is asked for.
static void test_split_by_layers_takes_turns(void) {
    Gpu small = h100(80), large = h100(160);
    Model m = llama_70b();
    Serving layers, rows, one;
    Facts facts = fixture_facts(&small, 1);
    EngineLimits limits = facts.engine_limits[0];
    limits.stages = "in-turn";
    facts.engine_limits = &limits, facts.models = &m, facts.n_models = 1;
    ServingWant want = {.gpu = &small,
                        .model = &m,
                        .engine = "vllm",
                        .layout = {1, 2, 1, 1},
                        .weights = DTYPE_FP8,
                        .kv = DTYPE_FP8,
                        .isl = 1000,
                        .osl = 500};
    CHECK_INT(serving_resolve(&facts, &want, &layers), SERVE_OK);
    OwnRun run = own_run_blank();
    run.m.gpu_sku = small.sku_id, run.m.model = m.model_id, run.m.engine = "vllm", run.m.task = "serving";
    run.m.scenario = "fixed-concurrency", run.m.precision_weights = run.m.precision_kv = "fp8";
    run.m.gpu_count = run.m.pp = 2, run.m.tp = run.m.dp = 1;
    run.m.input_tokens = 1000, run.m.output_tokens = 500, run.m.batch_or_concurrency = 3;
    Prediction row;
    predict(&facts, &run.m, &row);
    CHECK_NEAR(row.rate, serving_at(&layers, 3).output_tokens_s, 1e-12);
    CHECK_INT(resolve(&small, &m, (Layout){2, 1, 1, 1}, (ServeTechniques){0}, &rows), SERVE_OK);
    CHECK_INT(resolve(&large, &m, ONE, (ServeTechniques){0}, &one), SERVE_OK);
    CHECK_NEAR(layers.usable_bytes, one.usable_bytes, 1e-12);
    static const double running[] = {1, 3, 16};
    for (size_t i = 0; i < COUNT_OF(running); i++) {
        Point p = serving_at(&layers, running[i]), q = serving_at(&one, running[i]);
        CHECK_NEAR(p.output_tokens_s, q.output_tokens_s, 1e-12);
        CHECK_NEAR(p.tpot_s, q.tpot_s, 1e-12);
        CHECK_NEAR(p.ttft_s, q.ttft_s, 1e-12);
        CHECK_NEAR(serving_bound(&layers, running[i]), serving_bound(&one, running[i]), 1e-12);
        CHECK(serving_at(&rows, running[i]).output_tokens_s > p.output_tokens_s);
    }
    double items[TIME_COUNT];
    serving_step_items(&rows, 1, items);
    CHECK(items[TIME_LINK] > 0);
    serving_step_items(&layers, 1, items);
    CHECK_NEAR(items[TIME_LINK], 0, 0);
}

static const TestCase tests[] = {
    TEST(dense_model_half_in_host_memory),
    TEST(prompts_stream_the_weights),
    TEST(experts_in_host_memory),
    TEST(split_by_layers_takes_turns),
};
TEST_MAIN(tests)
