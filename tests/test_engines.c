// What engines can and cannot run, and where they were measured: by hand, and over the shipped facts.
#include <math.h>
#include <string.h>

#include "catalog/facts/catalog.h"
#include "src/perf/engines.h"
#include "src/fit/validate.h"
#include "tests/advise_world.h"

// ---------------------------------------------------------------- precisions

static ServeStatus resolve(const World *w, const char *why) {
    ServingWant want = {.gpu = &w->gpus[0],
                        .model = &w->model,
                        .engine = "vllm",
                        .layout = {4, 1, 1, 1},
                        .weights = DTYPE_FP8,
                        .kv = DTYPE_BF16,
                        .isl = 100,
                        .osl = 100};
    Serving s;
    Arena a = {0};
    ServeStatus status = serving_resolve(&w->facts, &want, &s);
    if (why != NULL && !text_contains(serving_why(&w->facts, &want, status, &a), why))
        FAIL_("'%s' is not said in '%s'", why, serving_why(&w->facts, &want, status, &a));
    arena_free(&a);
    return status;
}

static void test_exceptions_of_an_engine_go_before_its_architecture(void) {
    World w;
    make(&w);
    CHECK_INT(resolve(&w, NULL), SERVE_OK);
    EnginePrecision x = {"vllm", VENDOR_NVIDIA, "hopper",  DTYPE_FP8,
                         "",     DTYPE_UNKNOWN, "refused", "the made-up engine takes none",
                         "test", "2026-03"};
    w.facts.engine_precisions = &x;
    w.facts.n_engine_precisions = 1;
    CHECK_INT(resolve(&w, "the made-up engine takes none (2026-03)"), SERVE_NO_PRECISION);
    x.layers = "moe";  // of another kind of model
    CHECK_INT(resolve(&w, NULL), SERVE_OK);
    x.layers = "dense";
    CHECK_INT(resolve(&w, "made-up"), SERVE_NO_PRECISION);
    x.engine = "sglang";
    CHECK_INT(resolve(&w, NULL), SERVE_OK);
    // Not known of the architecture, but of the engine there.
    x = (EnginePrecision){"vllm",     VENDOR_NVIDIA, "hopper", DTYPE_FP8, "",
                          DTYPE_BF16, "weight-only", "",       "test",    "2026"};
    w.facts.n_precisions = 1;  // bf16 on hopper
    CHECK_INT(resolve(&w, NULL), SERVE_OK);
    w.facts.n_engine_precisions = 0;
    CHECK_INT(resolve(&w, "no way to run fp8 weights on hopper is known"), SERVE_NO_PRECISION);
    EngineLimits limits = w.facts.engine_limits[0];
    limits.weights = "bf16 int4";
    w.facts.engine_limits = &limits;
    CHECK_INT(resolve(&w, "vllm runs no fp8 weights; it takes bf16 int4"), SERVE_NO_PRECISION);
    arena_free(&w.arena);
}

// ---------------------------------------------------------------- blocks

static Model blocked(double expert, double shared, double dense) {
    Model m = mixtral();
    m.weights_native = DTYPE_FP8;
    m.native_quantization = "fp8 block 128x128";
    m.moe_intermediate = expert, m.shared_intermediate = shared, m.shared_experts = shared > 0,
    m.intermediate = dense, m.dense_layers_first = dense > 0;
    return m;
}

static void test_blocks_are_not_cut(void) {
    World w;
    make(&w);
    static const struct {
        double expert, shared, dense;
        Layout layout;
        bool fits;
    } cases[] = {
        {1536, 0, 0, {8, 1, 1, 1}, false},        {1536, 0, 0, {4, 1, 1, 1}, true},
        {1536, 0, 0, {8, 1, 8, 1}, true},         {1536, 0, 0, {1, 1, 1, 1}, true},
        {768, 0, 0, {4, 1, 1, 1}, false},         {768, 0, 0, {2, 1, 1, 1}, true},
        {2048, 2048, 18432, {16, 1, 1, 1}, true}, {2048, 2048, 18432, {32, 1, 32, 1}, false},
        {512, 512, 0, {8, 1, 8, 1}, false},       {512, 512, 0, {4, 1, 4, 1}, true},
        {320, 0, 0, {2, 1, 1, 1}, false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Model m = blocked(cases[i].expert, cases[i].shared, cases[i].dense);
        if (blocks_fit(&w.facts, &w.gpus[0], &m, DTYPE_FP8, &cases[i].layout) != cases[i].fits)
            FAIL_("case %zu", i);
        CHECK(blocks_fit(&w.facts, &w.gpus[0], &m, DTYPE_BF16, &cases[i].layout));  // another checkpoint
        m.native_quantization = "fp8, embedding and head bf16";                     // a scale a tensor
        CHECK(blocks_fit(&w.facts, &w.gpus[0], &m, DTYPE_FP8, &cases[i].layout));
    }
    // A board of two devices cuts each rank's share once more.
    Model m = blocked(1536, 0, 0);
    w.gpus[0].devices_per_package = 2;
    CHECK(!blocks_fit(&w.facts, &w.gpus[0], &m, DTYPE_FP8, &(Layout){4, 1, 1, 1}));
    arena_free(&w.arena);
}

static void test_a_checkpoint_in_blocks_beside_a_model_in_16_bits(void) {
    World w;
    make(&w);
    Model m = mixtral();
    m.moe_intermediate = 1536;
    Layout l = {8, 1, 1, 1};
    CHECK_NEAR(weight_block(&w.facts, &m, DTYPE_FP8), 0, 0);
    BlockCheckpoint c = {"mixtral", DTYPE_FP8, 64, "x/Mixtral-FP8", "test", "2026"};
    w.facts.block_checkpoints = &c;
    w.facts.n_block_checkpoints = 1;
    CHECK_NEAR(weight_block(&w.facts, &m, DTYPE_FP8), 64, 1e-12);
    CHECK_NEAR(weight_block(&w.facts, &m, DTYPE_INT4), 0, 0);
    CHECK(blocks_fit(&w.facts, &w.gpus[0], &m, DTYPE_FP8, &l));  // 192 is three blocks of 64
    c.block = 128;
    CHECK(!blocks_fit(&w.facts, &w.gpus[0], &m, DTYPE_FP8, &l));
    arena_free(&w.arena);
}

static void test_experts_are_spread_where_they_cannot_be_cut(void) {
    World w;
    make(&w);
    Model m = blocked(1536, 0, 0);
    const Gpu *g = &w.gpus[0];
    CHECK_INT(layout_of_blocks(&w.facts, g, &m, DTYPE_FP8, (Layout){8, 1, 1, 2}).ep, 8);
    CHECK_INT(layout_of_blocks(&w.facts, g, &m, DTYPE_FP8, (Layout){4, 1, 1, 2}).ep, 1);
    CHECK_INT(layout_of_blocks(&w.facts, g, &m, DTYPE_FP8, (Layout){8, 1, 16, 2}).ep, 16);
    CHECK_INT(layout_of_blocks(&w.facts, g, &m, DTYPE_BF16, (Layout){8, 1, 1, 2}).ep, 1);
    m = blocked(512, 512, 0);  // the shared expert is cut all the same
    CHECK_INT(layout_of_blocks(&w.facts, g, &m, DTYPE_FP8, (Layout){8, 1, 1, 1}).ep, 1);
    // What cannot run says so and names what can.
    m = blocked(1536, 0, 0);
    ServingWant want = {.gpu = g,
                        .model = &m,
                        .engine = "vllm",
                        .layout = {8, 1, 1, 1},
                        .weights = DTYPE_FP8,
                        .kv = DTYPE_BF16,
                        .isl = 100,
                        .osl = 100};
    Serving s;
    ServeStatus status = serving_resolve(&w.facts, &want, &s);
    CHECK_INT(status, SERVE_NO_BLOCKS);
    const char *why = serving_why(&w.facts, &want, status, &w.arena);
    CHECK(text_contains(why, "1536 columns of an expert cut by 8 leave 192, no multiple of the 128-block"));
    CHECK(text_contains(why, "pure TP8 is not supported; spread the experts over the GPUs (EP8) or use TP4"));
    want.layout.ep = 8;
    CHECK_INT(serving_resolve(&w.facts, &want, &s), SERVE_OK);
    arena_free(&w.arena);
}

// ---------------------------------------------------------------- loads

static void test_reach_is_by_class(void) {
    World w;
    make(&w);
    EngineLoad rows[] = {{"vllm", VENDOR_NVIDIA, "hopper", LOAD_MEASURED, 1, 3, "", "test", "2026"},
                         {"vllm", VENDOR_AMD, "cdna3", LOAD_SAID, 64, UNKNOWN, "", "test", "2026"}};
    w.facts.engine_loads = rows;
    w.facts.n_engine_loads = 2;
    static const struct {
        double sequences, running, in_flight;
        bool in;
    } cases[] = {{1, 1, 1, true},        {1, 8, 8, true},    {1, 4, 16, false},   {1, 9, 9, false},
                 {8, 1, 9, false},       {9, 1, 256, true},  {9, 64, 6400, true}, {64, 65, 65, false},
                 {65, 1000, 9999, true}, {17364, 4, 4, true}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        rows[0].sequences = cases[i].sequences;
        EngineReach r = engine_reach(&w.facts, &w.gpus[0], "vllm");
        CHECK(r.row == &rows[0]);
        if (in_reach(&r, cases[i].running, cases[i].in_flight) != cases[i].in) FAIL_("case %zu", i);
    }
    rows[0].sequences = 1;
    EngineReach r = engine_reach(&w.facts, &w.gpus[0], "vllm");
    CHECK_STR(reach_words(&r, &w.gpus[0], "vllm", &w.arena),
              "vllm was measured on hopper with 1 request in flight on a replica at most");
    r = engine_reach(&w.facts, &w.gpus[1], "vllm");
    CHECK_STR(reach_words(&r, &w.gpus[1], "vllm", &w.arena),
              "vllm is said to hold on cdna3 with 64 requests in flight on a replica at most");
    r = engine_reach(&w.facts, &w.gpus[1], "sglang");
    CHECK(r.row == NULL && !in_reach(&r, 1, 1));
    CHECK_STR(reach_words(&r, &w.gpus[1], "sglang", &w.arena), "sglang was not measured on cdna3");
    // A larger word of another kind counts.
    rows[1] = (EngineLoad){"vllm", VENDOR_NVIDIA, "hopper", LOAD_SAID, 100, UNKNOWN, "", "test", "2026"};
    CHECK(engine_reach(&w.facts, &w.gpus[0], "vllm").row == &rows[1]);
    arena_free(&w.arena);
}

static size_t engines_excluded(const Advice *a, const char *reason) {
    size_t n = 0;
    for (size_t i = 0; i < a->n_exclusions; i++)
        n += strcmp(a->exclusions[i].what, "engines") == 0 && text_contains(a->exclusions[i].reason, reason)
                 ? a->exclusions[i].count
                 : 0;
    return n;
}

static void test_an_engine_wins_only_where_it_was_measured(void) {
    World w;
    make(&w);
    EngineLoad rows[] = {{"vllm", VENDOR_NVIDIA, "hopper", LOAD_MEASURED, 300, 3, "", "test", "2026"},
                         {"vllm", VENDOR_AMD, "cdna3", LOAD_MEASURED, 1, 3, "", "test", "2026"}};
    w.facts.engine_loads = rows;
    w.facts.n_engine_loads = 2;
    run(&w);  // 64 in flight
    CHECK(w.advice.best[VENDOR_NVIDIA] != NULL && w.advice.best[VENDOR_AMD] == NULL);
    CHECK_INT(engines_excluded(&w.advice, "not measured with that many requests in flight"), 1);
    rows[1].architecture = "cdna4";
    run(&w);
    CHECK(w.advice.best[VENDOR_AMD] == NULL);
    CHECK_INT(engines_excluded(&w.advice, "not measured on GPUs of this family"), 1);
    // Named by the user it may go beyond, and is doubted.
    double sigma = w.advice.best[VENDOR_NVIDIA]->sigma_log;
    w.ask.engines = (Names){.items = {"vllm"}, .n = 1};
    run(&w);
    CHECK_INT(engines_excluded(&w.advice, "not measured"), 0);
    const Option *amd = w.advice.best[VENDOR_AMD];
    CHECK(amd != NULL && amd->basis == BASIS_EXTRAPOLATED &&
          amd->output_tokens_s.basis == BASIS_EXTRAPOLATED);
    CHECK_NEAR(amd->sigma_log, hypot(0.2, 0.15), 1e-9);
    CHECK_INT(w.advice.best[VENDOR_NVIDIA]->basis, BASIS_CALIBRATED);
    CHECK_NEAR(w.advice.best[VENDOR_NVIDIA]->sigma_log, sigma, 1e-12);
    arena_free(&w.arena);
}

// The most that a replica runs, and all of them together.
static double most_running(double sequences, double concurrency, double rate, double *ret_in_flight) {
    World w;
    make(&w);
    EngineLoad rows[] = {{"vllm", VENDOR_NVIDIA, "hopper", LOAD_MEASURED, sequences, 3, "", "test", "2026"},
                         {"vllm", VENDOR_AMD, "cdna3", LOAD_MEASURED, sequences, 3, "", "test", "2026"}};
    w.facts.engine_loads = rows;
    w.facts.n_engine_loads = 2;
    w.ask.workload.concurrency = concurrency;
    w.ask.workload.rate_rps = rate;
    run(&w);
    double running = 0;
    *ret_in_flight = 0;
    for (size_t i = 0; i < w.advice.n_options; i++) {
        running = fmax(running, w.advice.options[i].point.running);
        *ret_in_flight = fmax(*ret_in_flight, w.advice.options[i].concurrency);
    }
    arena_free(&w.arena);
    return running;
}

static void test_replicas_run_no_more_than_was_measured(void) {
    double in_flight = 0;
    CHECK(most_running(1000, 2000, UNKNOWN, &in_flight) > 64);
    CHECK(most_running(33, 2000, UNKNOWN, &in_flight) <= 64 && in_flight == 2000);  // over more replicas
    CHECK(most_running(33, UNKNOWN, UNKNOWN, &in_flight) <= 64 && in_flight > 64);  // as many as fit
    CHECK(most_running(2, UNKNOWN, UNKNOWN, &in_flight) <= 8 && in_flight == 8);
    CHECK(most_running(2, 8, UNKNOWN, &in_flight) <= 8 && in_flight == 8);
    CHECK(most_running(2, UNKNOWN, 0.05, &in_flight) > 0 && in_flight <= 8);
    CHECK(most_running(2, UNKNOWN, 50, &in_flight) == 0);  // cannot be served by a few at a time
}

// ---------------------------------------------------------------- the shipped facts

typedef struct Shipped {
    Catalog *catalog;
    Facts facts;
    const Measurement *rows;
    size_t n_rows;
    Arena arena;
} Shipped;

static void open_shipped(Shipped *s) {
    Err e = {0};
    const char *warning = "";
    void *rows = NULL;
    *s = (Shipped){0};
    if (!catalog_open(&(CatalogOptions){0}, &s->arena, &s->catalog, &warning, &e) ||
        !catalog_facts(s->catalog, &s->arena, &s->facts, &e) ||
        !catalog_rows(s->catalog, TABLE_MEASUREMENTS, &s->arena, &rows, &s->n_rows, &e))
        FAIL_("%s", e.text);
    s->rows = rows;
}

static void close_shipped(Shipped *s) {
    catalog_close(s->catalog);
    arena_free(&s->arena);
}

static const Gpu *shipped_gpu(const Shipped *s, const char *sku_id) {
    size_t i = 0;
    while (i < s->facts.n_gpus && strcmp(s->facts.gpus[i].sku_id, sku_id) != 0) i++;
    return i < s->facts.n_gpus ? &s->facts.gpus[i] : NULL;
}

// Requests in flight on a replica, as stated or by Little's law; NaN: not known.
static double in_flight(const Measurement *m) {
    double replicas = is_known(m->dp) ? m->dp : 1;
    return (is_known(m->batch_or_concurrency) ? m->batch_or_concurrency
                                              : m->output_tokens_per_s * m->tpot_ms / 1000) /
           replicas;
}

// A burst by somebody who did not tell the engine to run all of it shows no load that it carries at once.
static bool prompts_wait(const Measurement *m) {
    return strcmp(m->scenario, "offline") == 0 && is_known(m->batch_or_concurrency) &&
           strcmp(m->run_class, "independent") == 0;
}

// What data/measurements.tsv shows of an engine on an architecture.
static EngineLoad shown(const Shipped *s, const char *engine, const Gpu *of) {
    EngineLoad l = {
        .engine = engine, .vendor = of->vendor, .architecture = of->architecture, .sequences = 0, .rows = 0};
    for (size_t i = 0; i < s->n_rows; i++) {
        const Measurement *m = &s->rows[i];
        const Gpu *g = shipped_gpu(s, m->gpu_sku);
        if (g == NULL || strcmp(m->engine, engine) != 0 || strcmp(g->architecture, of->architecture) != 0 ||
            strcmp(m->task, "serving") != 0 || m->held_out || strcmp(m->grade, "D") == 0 ||
            !is_known(in_flight(m)) || prompts_wait(m))
            continue;
        l.sequences = fmax(l.sequences, in_flight(m));
        l.rows++;
    }
    return l;
}

static void test_engine_loads_are_those_of_the_measurements(void) {
    Shipped s;
    open_shipped(&s);
    size_t said = 0, checked = 0;
    for (size_t i = 0; i < s.facts.n_engine_loads; i++) {
        said += s.facts.engine_loads[i].kind == LOAD_SAID;
        if (s.facts.engine_loads[i].kind == LOAD_SAID)
            CHECK(!is_known(s.facts.engine_loads[i].rows) && s.facts.engine_loads[i].note[0] != '\0');
    }
    for (size_t e = 0; e < s.facts.n_engine_limits; e++) {
        for (size_t g = 0; g < s.facts.n_gpus; g++) {
            const Gpu *gpu = &s.facts.gpus[g];
            EngineLoad want = shown(&s, s.facts.engine_limits[e].engine, gpu);
            const EngineLoad *have = NULL;
            for (size_t i = 0; i < s.facts.n_engine_loads; i++) {
                const EngineLoad *l = &s.facts.engine_loads[i];
                if (l->kind == LOAD_MEASURED && strcmp(l->engine, want.engine) == 0 &&
                    strcmp(l->architecture, want.architecture) == 0)
                    have = l;
            }
            bool right = want.rows == 0 ? have == NULL
                                        : have != NULL && have->rows == want.rows &&
                                              fabs(have->sequences / want.sequences - 1) < 1e-3 &&
                                              have->vendor == want.vendor;
            if (!right)
                FAIL_("data/engine_loads.tsv: %s\t%s\t%s\tmeasured\t%.4g\t%g", want.engine,
                      vendor_names[want.vendor], want.architecture, want.sequences, want.rows);
            checked += have != NULL;
        }
    }
    CHECK(said > 0 && checked > 0);
    close_shipped(&s);
}

static void test_rows_of_the_tables_of_engines_refer_to_something(void) {
    Shipped s;
    open_shipped(&s);
    const Facts *f = &s.facts;
    for (size_t i = 0; i < f->n_engine_precisions; i++) {
        const EnginePrecision *p = &f->engine_precisions[i];
        CHECK((strcmp(p->status, "refused") == 0) == (p->compute == DTYPE_UNKNOWN));
        CHECK(p->layers[0] == '\0' || strcmp(p->layers, "moe") == 0 || strcmp(p->layers, "dense") == 0);
        size_t k = 0;
        while (k < f->n_engines && (strcmp(f->engines[k].engine, p->engine) != 0 ||
                                    strcmp(f->engines[k].architecture, p->architecture) != 0 ||
                                    f->engines[k].vendor != p->vendor))
            k++;
        if (k == f->n_engines) FAIL_("%s on %s", p->engine, p->architecture);
    }
    for (size_t i = 0; i < f->n_engine_loads; i++) {
        const EngineLoad *l = &f->engine_loads[i];
        size_t k = 0;
        while (k < f->n_engines && (strcmp(f->engines[k].engine, l->engine) != 0 ||
                                    strcmp(f->engines[k].architecture, l->architecture) != 0 ||
                                    f->engines[k].status == SUPPORT_NONE))
            k++;
        if (k == f->n_engines) FAIL_("%s on %s", l->engine, l->architecture);
    }
    for (size_t i = 0; i < f->n_block_checkpoints; i++) {
        const BlockCheckpoint *c = &f->block_checkpoints[i];
        size_t k = 0;
        while (k < f->n_models && strcmp(f->models[k].model_id, c->model_id) != 0) k++;
        CHECK(k < f->n_models && f->models[k].weights_native != c->weights);
        CHECK_NEAR(weight_block(f, &f->models[k], (Dtype)c->weights), c->block, 1e-12);
    }
    close_shipped(&s);
}

// What was measured ran.
static void test_no_measured_row_is_refused_by_an_engine_or_its_blocks(void) {
    Shipped s;
    open_shipped(&s);
    size_t spread = 0;
    for (size_t i = 0; i < s.n_rows; i++) {
        Prediction p;
        predict(&s.facts, &s.rows[i], &p);
        if (!is_serving_task(&s.rows[i])) continue;
        if (p.not_predicted != NULL && strcmp(p.not_predicted, serve_status_names[SERVE_NO_BLOCKS]) == 0)
            FAIL_("%s", s.rows[i].id);
        for (size_t k = 0; k < s.facts.n_engine_precisions && p.not_predicted != NULL && p.gpu != NULL; k++) {
            const EnginePrecision *x = &s.facts.engine_precisions[k];
            bool refused = x->compute == DTYPE_UNKNOWN && strcmp(x->engine, s.rows[i].engine) == 0 &&
                           strcmp(x->architecture, p.gpu->architecture) == 0 &&
                           strcmp(dtype_names[x->weights], s.rows[i].precision_weights) == 0;
            if (refused && x->layers[0] == '\0') FAIL_("%s", s.rows[i].id);
        }
        spread += p.not_predicted == NULL && !is_known(s.rows[i].ep) && p.serving.layout.ep > 1 &&
                  !is_split_serving(&s.rows[i]);
    }
    CHECK(spread > 0);
    close_shipped(&s);
}

// `report --model` of every decoder, nothing else said: an engine that only answers one at a time is no
// answer for many.
static void test_single_stream_engines_serve_a_few_users_alone(void) {
    Shipped s;
    open_shipped(&s);
    size_t few = 0, asked = 0, every = check_sanitized() ? 12 : 3;
    static const double loads[] = {UNKNOWN, 4, 9, 256};
    for (size_t i = 0; i < s.facts.n_models; i += every) {
        const Model *m = &s.facts.models[i];
        for (size_t k = 0; k < COUNT_OF(loads) && model_is_decoder(m); k++) {
            World w;
            make(&w);
            w.ask.model = m;
            w.ask.workload.weights = dtype_names[m->weights_native];
            w.ask.workload.kv = "bf16 fp8";
            w.ask.workload.concurrency = loads[k];
            w.ask.top = 10000;
            Err e = {0};
            if (!advise_search(&s.facts, &w.ask, &w.arena, &w.advice, &e)) FAIL_("%s", e.text);
            for (size_t o = 0; o < w.advice.n_options; o++) {
                const Option *x = &w.advice.options[o];
                if (x->reach.row == NULL || !in_reach(&x->reach, x->point.running, x->concurrency))
                    FAIL_("%s: %s on %s", m->model_id, x->engine, x->gpu->sku_id);
                if (strcmp(x->engine, "llama.cpp") != 0) continue;
                if (x->concurrency > 8)
                    FAIL_("%s: llama.cpp for %g on %s", m->model_id, x->concurrency, x->gpu->sku_id);
                few++;
            }
            asked++;
            arena_free(&w.arena);
        }
    }
    CHECK(few > 0 && asked > 150 / every);
    close_shipped(&s);
}

static const TestCase tests[] = {
    TEST(exceptions_of_an_engine_go_before_its_architecture),
    TEST(blocks_are_not_cut),
    TEST(a_checkpoint_in_blocks_beside_a_model_in_16_bits),
    TEST(experts_are_spread_where_they_cannot_be_cut),
    TEST(reach_is_by_class),
    TEST(an_engine_wins_only_where_it_was_measured),
    TEST(replicas_run_no_more_than_was_measured),
    TEST(engine_loads_are_those_of_the_measurements),
    TEST(rows_of_the_tables_of_engines_refer_to_something),
    TEST(no_measured_row_is_refused_by_an_engine_or_its_blocks),
    TEST(single_stream_engines_serve_a_few_users_alone),
};

TEST_MAIN(tests)
