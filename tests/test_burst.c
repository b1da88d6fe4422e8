// src/perf/burst.c: prompts that all come at once, against src/traffic/simulate.c, where every step is played.
#include "src/perf/burst.h"

#include "src/fit/validate.h"
#include "src/traffic/simulate.h"
#include "tests/check.h"
#include "tests/shipped.h"

static Prediction predicted(const Shipped *w, const char *gpu, double gpus, const char *model,
                            const char *version, double isl, double osl, double prompts) {
    double nan = (double)NAN;
    Measurement m = {.id = "b",
                     .gpu_sku = gpu,
                     .gpu_count = gpus,
                     .model = model,
                     .engine = "vllm",
                     .engine_version = version,
                     .scenario = "offline",
                     .task = "serving",
                     .grade = "A",
                     .run_class = "independent",
                     .precision_weights = "",
                     .precision_kv = "",
                     .layout = "",
                     .draft_tokens = "",
                     .tokens_kind = "",
                     .latency_statistic = "median",
                     .submitter = "",
                     .date = "2025-11",
                     .source = "",
                     .as_of = "",
                     .weight_bits = nan,
                     .input_tokens = isl,
                     .output_tokens = osl,
                     .batch_or_concurrency = prompts,
                     .rate_rps = nan,
                     .tp = nan,
                     .pp = nan,
                     .ep = nan,
                     .dp = nan,
                     .output_tokens_per_s = nan,
                     .tokens_per_s_total = nan,
                     .ttft_ms = nan,
                     .tpot_ms = nan};
    Prediction p;
    predict(&w->facts, &m, &p);
    if (p.not_predicted != NULL) FAIL_("%s", p.not_predicted);
    return p;
}

// Answers' lengths of the distribution, shuffled: the same ones for the same n.
static Arrival *draw(double n, double isl, double osl, double cv, Arena *a) {
    static const double LONGEST = 5;  // as the closed form cuts them
    Arrival *x = arena_alloc(a, (size_t)n, sizeof *x);
    for (size_t i = 0; i < (size_t)n; i++) {
        double u = ((double)((i * 7919) % (size_t)n) + 0.5) / n;
        double rest = cv > 0 ? fmin(-log(1 - u), LONGEST) * cv * osl : 0;
        x[i] = (Arrival){0, (uint32_t)isl, (uint32_t)fmax(round(osl * (1 - cv) + rest), 1), TOKENS_UNKNOWN};
    }
    return x;
}

// Tokens/s, TTFT in the middle and TPOT of the closed form over those of the simulation.
static void compare(const Prediction *p, const Burst *b, double within) {
    Arena a = {0};
    const Serving *s = &p->serving;
    ReplicaModel m = replica_model(s, &a);
    FleetRun run;
    m.places = (size_t)b->places;
    m.tokens_max = (double)INFINITY;
    m.start_s = s->factors.start_s;
    m.chunk_tokens = is_known(b->chunk_tokens) ? b->chunk_tokens : (double)INFINITY;
    Point point = serving_burst(s, b);
    CHECK(fleet_simulate(&m, 1, ROUTE_LEAST, draw(b->prompts, s->isl, s->osl, b->length_cv, &a),
                         (size_t)b->prompts, &a, &run));
    CHECK_NEAR(point.output_tokens_s, run.output_tokens_s, within);
    // one step that reads all prompts ends them together; of a mixture of lengths the middle is somewhere between
    bool even = b->length_cv == 0 || b->length_cv == 1;
    if (is_known(b->chunk_tokens) && even) CHECK_NEAR(point.ttft_s, run.ttft_s.p50, 2 * within);
    arena_free(&a);
}

// Ramp, hold and drain, of answers of one length and of a data set's, with places for all and for some.
static void test_as_the_simulation(void) {
    static const struct {
        double isl, osl, prompts, places, chunk, cv, within;
    } cases[] = {
        {220, 200, 1000, 1024, 8192, 1, 0.08},     {220, 200, 1000, 256, 2048, 1, 0.08},
        {220, 200, 1000, 64, 8192, 1, 0.08},       {4096, 200, 500, 64, 8192, 0, 0.1},
        {4096, 200, 500, 64, 8192, 1, 0.1},        {2048, 100, 300, 512, 8192, 0, 0.08},
        {512, 1024, 128, 256, 8192, 0, 0.08},      {512, 1024, 600, 256, 8192, 0, 0.1},
        {512, 1024, 600, 256, 8192, 0.5, 0.12},    {512, 512, 200, 256, (double)NAN, 0, 0.08},
        {512, 512, 200, 256, (double)NAN, 1, 0.1}, {32000, 100, 40, 16, 8192, 0, 0.1},
    };
    Shipped w;
    open_shipped(&w);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Prediction p = predicted(&w, "h100-sxm5-80gb", 1, "llama-3.1-8b", "0.11.0", cases[i].isl,
                                 cases[i].osl, cases[i].prompts);
        Burst b = {cases[i].prompts, fmin(cases[i].places, p.serving.sequences_max), cases[i].chunk,
                   cases[i].cv};
        compare(&p, &b, cases[i].within);
    }
    close_shipped(&w);
}

// By hand: of one prompt a burst is what a request alone takes; tokens/s rise with places and never with spread.
static void test_what_a_burst_may_not_do(void) {
    Shipped w;
    open_shipped(&w);
    Prediction p = predicted(&w, "h100-sxm5-80gb", 1, "llama-3.1-8b", "0.11.0", 512, 256, 1);
    const Serving *s = &p.serving;
    double alone = serving_at(s, 1).output_tokens_s;
    CHECK_NEAR(serving_burst(s, &(Burst){1, 64, (double)NAN, 0}).output_tokens_s, alone, 0.05);
    double last = 0;
    for (double places = 1; places <= 256; places *= 2) {
        Point x = serving_burst(s, &(Burst){512, places, 8192, 1}),
              even = serving_burst(s, &(Burst){512, places, 8192, 0});
        CHECK(x.output_tokens_s > last);
        CHECK(x.output_tokens_s <= even.output_tokens_s * 1.02);
        CHECK(x.output_tokens_s <= serving_bound(s, places) * 1.001);
        CHECK(x.ttft_s <= x.ttft_p99_s && x.ttft_p99_s <= 512 * s->osl / x.output_tokens_s);
        CHECK(x.queued);
        last = x.output_tokens_s;
    }
    close_shipped(&w);
}

// What an engine runs at once by release, date and GPU.
static void test_defaults_by_release(void) {
    Shipped w;
    open_shipped(&w);
    CHECK_NEAR(predicted(&w, "h200-sxm5-141gb", 1, "llama-3.1-8b", "0.11.0", 220, 200, 2000).burst.places,
               1024, 1e-9);
    CHECK_NEAR(
        predicted(&w, "h200-sxm5-141gb", 1, "llama-3.1-8b", "0.6.3.post1", 220, 200, 2000).burst.places, 256,
        1e-9);
    CHECK_NEAR(predicted(&w, "a100-sxm4-80gb", 1, "llama-3.1-8b", "0.11.0", 220, 200, 2000).burst.places, 256,
               1e-9);
    // a date alone; 0.6 reads prompts ahead of decoding
    CHECK_NEAR(predicted(&w, "mi300x-192gb", 1, "llama-3.1-8b", "2025-09", 220, 200, 2000).burst.chunk_tokens,
               8192, 1e-9);
    CHECK(!is_known(
        predicted(&w, "mi300x-192gb", 1, "llama-3.1-8b", "0.6.3", 220, 200, 2000).burst.chunk_tokens));
    close_shipped(&w);
}

static void test_spread_of_lengths(void) {
    Shipped w;
    open_shipped(&w);
    static const double same[][2] = {{1024, 1024},   {3200, 800},   {128, 2048},    {1000, 1000}, {2000, 100},
                                     {31999, 100},   {3995.1, 200}, {1009.9, 2000}, {8204, 1024}, {509, 256},
                                     {32009.9, 100}, {1033.9, 128}, {5000, 1000}};
    static const double spread[][2] = {{219.2, 200.8}, {214.5, 199.9}, {342.1, 281.4}, {922, 922},
                                       {7373, 922},    {871, 128},     {499.7, 505.3}, {1154.7, 211.1}};
    for (size_t i = 0; i < COUNT_OF(same); i++)
        CHECK_NEAR(spread_of_lengths(&w.facts, same[i][0], same[i][1]) + 1, 1, 1e-9);
    for (size_t i = 0; i < COUNT_OF(spread); i++)
        CHECK(spread_of_lengths(&w.facts, spread[i][0], spread[i][1]) > 0);
    close_shipped(&w);
}

// All in flight start together: the mean of one wave has the prompts of half of them before it.
static void test_mean_of_a_run(void) {
    Shipped w;
    open_shipped(&w);
    Prediction p = predicted(&w, "h100-sxm5-80gb", 1, "llama-3.1-8b", "0.11.0", 2048, 512, 1);
    Point steady = serving_at(&p.serving, 64);
    double one = run_ttft_mean(&p.serving, &steady, 1), ten = run_ttft_mean(&p.serving, &steady, 10);
    CHECK_NEAR(one - steady.ttft_s, 63 / 2.0 * serving_prompt_mixed_s(&p.serving), 1e-9);
    CHECK_NEAR(ten - steady.ttft_s, (one - steady.ttft_s) / 10, 1e-9);
    CHECK(serving_at(&p.serving, 128).ttft_s > steady.ttft_s);
    close_shipped(&w);
}

static const TestCase tests[] = {
    TEST(as_the_simulation), TEST(what_a_burst_may_not_do), TEST(defaults_by_release),
    TEST(spread_of_lengths), TEST(mean_of_a_run),
};
TEST_MAIN(tests)
