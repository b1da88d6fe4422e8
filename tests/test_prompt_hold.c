// What prompts that are read ahead of decoding hold up, and what a range takes for the two ways to say a time.
#include "src/perf/engines.h"
#include "src/perf/replica.h"
#include "src/perf/version.h"
#include "src/traffic/simulate.h"
#include "tests/check.h"
#include "tests/shipped.h"

static ServingWant wanted(const Shipped *w, const char *engine) {
    ServingWant want = {.engine = engine,
                        .layout = {4, 1, 1, 1},
                        .weights = DTYPE_FP8,
                        .kv = DTYPE_BF16,
                        .isl = 500,
                        .osl = 500};
    for (size_t i = 0; i < w->facts.n_gpus; i++)
        if (strcmp(w->facts.gpus[i].sku_id, "h200-sxm5-141gb") == 0) want.gpu = &w->facts.gpus[i];
    for (size_t i = 0; i < w->facts.n_models; i++)
        if (strcmp(w->facts.models[i].model_id, "llama-3.1-70b") == 0) want.model = &w->facts.models[i];
    return want;
}

static Serving resolved(const Shipped *w, const ServingWant *want) {
    Serving s;
    CHECK_INT(serving_resolve(&w->facts, want, &s), SERVE_OK);
    return s;
}

// ---------------------------------------------------------------- holds

static void test_engines_that_read_ahead_hold_up_what_runs(void) {
    Shipped w;
    open_shipped(&w);
    static const struct {
        const char *engine;
        bool ahead;
    } cases[] = {{"sglang", true}, {"vllm", false}, {"tensorrt-llm", false}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        ServingWant want = wanted(&w, cases[i].engine);
        Serving s = resolved(&w, &want), none = s;
        none.hold_share = 0;
        CHECK_INT(serving_prompt_hold_s(&s) > 0, cases[i].ahead);
        Point with = serving_at(&s, 100), without = serving_at(&none, 100);
        CHECK_INT(with.tpot_s > without.tpot_s * 1.02, cases[i].ahead);
        // one alone waits for nobody
        CHECK_NEAR(serving_at(&s, 1).e2e_s, serving_at(&none, 1).e2e_s, 1e-12);
        // a prompt that a cache holds takes no pass
        s.cached_share = 1;
        CHECK(serving_prompt_hold_s(&s) <= 0);
    }
    close_shipped(&w);
}

static void test_a_release_says_how_prompts_are_read(void) {
    Shipped w;
    open_shipped(&w);
    static const struct {
        const char *version;
        double date;
        bool ahead;
    } cases[] = {{"0.6.1", 2026.2, true}, {"0.7.3", 2026.2, true}, {"0.8.1", 2024.5, false},
                 {"", 2024.7, true},      {"", 2025.6, false},     {"", 0, false}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        ServingWant want = wanted(&w, "vllm");
        want.release = engine_version("vllm", cases[i].version).release;
        want.software_date = cases[i].date;
        Serving s = resolved(&w, &want);
        if ((serving_prompt_hold_s(&s) > 0) != cases[i].ahead)
            FAIL_("vLLM '%s' of %g", cases[i].version, cases[i].date);
    }
    close_shipped(&w);
}

// More in flight never gives less, nor takes a request less time.
static void test_holds_leave_the_order_of_loads(void) {
    Shipped w;
    open_shipped(&w);
    ServingWant want = wanted(&w, "sglang");
    Serving s = resolved(&w, &want);
    for (double hold = 0; hold <= 1; hold += 0.25) {
        s.hold_share = hold;
        Point before = serving_at(&s, 1);
        for (double n = 2; n <= fmin(s.sequences_max, 600); n *= 1.3) {
            Point p = serving_at(&s, n);
            CHECK(p.output_tokens_s >= before.output_tokens_s * (1 - 1e-9) && p.e2e_s >= before.e2e_s);
            before = p;
        }
    }
    close_shipped(&w);
}

// The closed form against steps that are played one by one, where a pass begins as soon as one can: the form, which
// suits measured runs better, has fewer: by a tenth at half of what a replica can carry, by a quarter at seven tenths.
static void test_passes_are_those_of_a_simulation(void) {
    Shipped w;
    open_shipped(&w);
    ServingWant want = wanted(&w, "sglang");
    Serving s = resolved(&w, &want), none = s;
    none.hold_share = 0;
    double best = serving_at(&s, s.sequences_max).output_tokens_s / s.osl;
    for (int tenths = 2; tenths <= 5; tenths++) {
        Arena a = {0};
        Traffic t = {.input_mean = s.isl, .output_mean = s.osl, .rate_rps = (double)NAN};
        t.idc_1s = t.idc_60s = 1;
        t.input_p50 = t.output_p50 = (double)NAN;
        size_t n = 0;
        double rate = best * tenths / 10;
        const Arrival *x = traffic_draw(&t, rate, 4000 / rate, 3, &a, &n);
        ReplicaModel m = replica_model(&s, &a);
        FleetRun r;
        Point p, free;
        CHECK(fleet_simulate(&m, 1, ROUTE_LEAST, x, n, &a, &r));
        CHECK(serving_at_rate(&s, rate, 1, &p) && serving_at_rate(&none, rate, 1, &free));
        CHECK(r.tpot_s.mean > p.tpot_s * 0.98 && r.tpot_s.mean < p.tpot_s * 1.12);
        CHECK(p.tpot_s > free.tpot_s);
        arena_free(&a);
    }
    close_shipped(&w);
}

// ---------------------------------------------------------------- two ways

static void test_ways_that_lie_apart_make_a_range_wider(void) {
    Shipped w;
    open_shipped(&w);
    ServingWant want = wanted(&w, "vllm");
    Serving s = resolved(&w, &want);
    CHECK(s.kernels.known && s.kernel_share > 0);
    double variance = serving_ways_variance(&w.facts, &s);
    CHECK(s.sigma_alone > 0 && square(s.sigma_alone) >= variance);
    Serving slower = s, alone = s;
    slower.factors.scale *= 2, slower.factors.prompt *= 2;  // kernels and nothing else
    CHECK(serving_ways_variance(&w.facts, &slower) > variance + 0.05);
    alone.kernel_share = 0;
    CHECK(serving_ways_variance(&w.facts, &alone) <= 0);
    close_shipped(&w);
}

static const TestCase tests[] = {
    TEST(engines_that_read_ahead_hold_up_what_runs),
    TEST(a_release_says_how_prompts_are_read),
    TEST(holds_leave_the_order_of_loads),
    TEST(passes_are_those_of_a_simulation),
    TEST(ways_that_lie_apart_make_a_range_wider),
};

TEST_MAIN(tests)
