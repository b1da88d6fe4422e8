// Which measurement lies nearest to an option: by hand.
#include <math.h>

#include "src/perf/nearest.h"
#include "tests/advise_world.h"

static Measurement measured(const char *id, const char *gpu, const char *model, const char *engine) {
    return (Measurement){.id = id,
                         .gpu_sku = gpu,
                         .gpu_count = 2,
                         .model = model,
                         .precision_weights = "bf16",
                         .precision_kv = "",
                         .engine = engine,
                         .grade = "A",
                         .input_tokens = 1024,
                         .output_tokens = 512,
                         .batch_or_concurrency = 64,
                         .rate_rps = UNKNOWN,
                         .tp = 2,
                         .pp = UNKNOWN,
                         .ep = UNKNOWN,
                         .dp = UNKNOWN,
                         .draft_tokens = "",
                         .output_tokens_per_s = 1000,
                         .date = "2026-01",
                         .source = "a paper",
                         .as_of = "2026-02"};
}

typedef struct Near {
    Gpu gpus[4];
    Model models[3];
    Measurement rows[8];
    Facts facts;
    Serving s;
    Arena arena;
} Near;

static void make_near(Near *x) {
    *x = (Near){0};
    x->gpus[0] = gpu_like("h100", VENDOR_NVIDIA, "hopper", 80, 3350, 989, 1979);
    x->gpus[1] = gpu_like("h200", VENDOR_NVIDIA, "hopper", 141, 4800, 989, 1979);
    x->gpus[2] = gpu_like("b200", VENDOR_NVIDIA, "blackwell", 180, 8000, 2250, 4500);
    x->gpus[3] = gpu_like("mi300x", VENDOR_AMD, "cdna3", 192, 5300, 1307, 2615);
    x->models[0] = llama_70b();
    x->models[1] = llama_70b();
    x->models[1].model_id = "twice";
    x->models[1].params_active = 2 * x->models[0].params_active,
    x->models[1].params_total = 4 * x->models[0].params_total;
    x->models[2] = mixtral();
    x->facts = fixture_facts(x->gpus, 4);
    x->facts.models = x->models;
    x->facts.n_models = 3;
    x->facts.measured = x->rows;
    ServingWant want = {.gpu = &x->gpus[0],
                        .model = &x->models[0],
                        .engine = "vllm",
                        .layout = {2, 1, 1, 1},
                        .weights = DTYPE_BF16,
                        .kv = DTYPE_BF16,
                        .isl = 1024,
                        .osl = 512};
    CHECK_INT(serving_resolve(&x->facts, &want, &x->s), SERVE_OK);
}

static Nearest nearest_of(Near *x, size_t n) {
    x->facts.n_measured = n;
    return nearest_measured(&x->facts, &x->s, 1, 64, &x->arena);
}

static void test_distances_by_hand(void) {
    Near x;
    make_near(&x);
    CHECK(nearest_of(&x, 0).row == NULL);
    Measurement same = measured("a", "h100", "llama-70b", "vllm");
    static const struct {
        const char *differs;
        double distance;
    } wanted[] = {{NULL, 0},
                  {"h200", 1},
                  {"b200", 2.5},
                  {"twice", 1 + 1 + 1},
                  {"sglang", 1},
                  {"fp8 weights", 1.5},
                  {"fp8 KV cache", 0.25},
                  {"2048 input tokens", 0.5},
                  {"128 output tokens", 1},
                  {"16 instead of 64 in flight", 1},
                  {"requests in flight not stated", 1.5},
                  {"8 GPUs instead of 2 on a replica", 1},
                  {"tokens speculated", 2},
                  {"prompts cached", 2},
                  {"input length not stated", 1},
                  {"dtype of the weights not stated", 1},
                  {"2 requests/s arriving", 1.5},
                  {"engine not stated", 1}};
    for (size_t i = 0; i < COUNT_OF(wanted); i++) {
        Measurement *m = &x.rows[0];
        *m = same;
        if (i == 1) m->gpu_sku = "h200";
        if (i == 2) m->gpu_sku = "b200";
        if (i == 3) m->model = "twice";
        if (i == 4) m->engine = "sglang";
        if (i == 5) m->precision_weights = "fp8";
        if (i == 6) m->precision_kv = "fp8";
        if (i == 7) m->input_tokens = 2048;
        if (i == 8) m->output_tokens = 128;
        if (i == 9) m->batch_or_concurrency = 16;
        if (i == 10) m->batch_or_concurrency = UNKNOWN;
        if (i == 11) m->tp = m->gpu_count = 8;
        if (i == 12) m->draft_tokens = "3";
        if (i == 13) m->prompt_cached = 1;
        if (i == 14) m->input_tokens = UNKNOWN;
        if (i == 15) m->precision_weights = "";
        if (i == 16) m->rate_rps = 2, m->batch_or_concurrency = UNKNOWN;
        if (i == 17) m->engine = "";
        Nearest n = nearest_of(&x, 1);
        CHECK(n.row == m);
        if (fabs(n.distance - wanted[i].distance) > 1e-9)
            FAIL_("%zu: %g instead of %g", i, n.distance, wanted[i].distance);
        CHECK_INT(n.n_differs, wanted[i].differs != NULL);
        if (wanted[i].differs != NULL) CHECK_STR(n.differs[0], wanted[i].differs);
        CHECK_NEAR(n.output_tokens_s_gpu, 1000 / m->gpu_count, 1e-12);
    }
    arena_free(&x.arena);
}

static void test_the_nearest_wins_and_some_rows_do_not_count(void) {
    Near x;
    make_near(&x);
    x.rows[0] = measured("other-vendor", "mi300x", "llama-70b", "vllm");
    x.rows[1] = measured("doubtful", "h100", "llama-70b", "vllm");
    x.rows[1].grade = "D";
    x.rows[2] = measured("unknown-model", "h100", "nobody", "vllm");
    x.rows[3] = measured("unknown-gpu", "h900", "llama-70b", "vllm");
    x.rows[4] = measured("no-rate", "h100", "llama-70b", "vllm");
    x.rows[4].output_tokens_per_s = UNKNOWN;
    CHECK(nearest_of(&x, 5).row == NULL);
    x.rows[5] = measured("family", "h200", "llama-70b", "vllm");
    x.rows[6] = measured("model", "h100", "mixtral", "vllm");
    CHECK_STR(nearest_of(&x, 7).row->id, "family");
    x.rows[7] = measured("family-newer", "h200", "llama-70b", "vllm");
    x.rows[7].date = "2026-05-02";
    CHECK_STR(nearest_of(&x, 8).row->id, "family-newer");
    x.rows[7].date = x.rows[5].date;
    x.rows[7].id = "a-smaller-id";
    CHECK_STR(nearest_of(&x, 8).row->id, "a-smaller-id");
    // Replicas that share experts count as one, on both sides.
    x.s.model = &x.models[2];
    x.s.layout = (Layout){1, 1, 8, 8};
    x.s.expert_ranks = 8;
    x.rows[0] = measured("spread", "h100", "mixtral", "vllm");
    x.rows[0].tp = 8, x.rows[0].gpu_count = 8;
    x.facts.n_measured = 1;
    Nearest n = nearest_measured(&x.facts, &x.s, 8, 64, &x.arena);
    CHECK_NEAR(n.distance, 0, 1e-12);
    x.rows[0].tp = 1, x.rows[0].dp = 8, x.rows[0].ep = 8;
    n = nearest_measured(&x.facts, &x.s, 8, 64, &x.arena);
    CHECK_NEAR(n.distance, 0, 1e-12);
    // A file's model of the same shape as one of the catalog.
    make_near(&x);
    Model own = x.models[0];
    own.model_id = "config.json";
    x.s.model = &own;
    x.rows[0] = measured("shape", "h100", "llama-70b", "vllm");
    CHECK(nearest_of(&x, 1).distance > 0);
    own.like = "llama-70b";
    CHECK_NEAR(nearest_of(&x, 1).distance, 0, 1e-12);
    arena_free(&x.arena);
}

static void test_an_advice_shows_the_nearest_of_each_vendor(void) {
    World w;
    make(&w);
    Measurement m = measured("x1", "mi300x", "llama-70b", "vllm");
    m.tp = m.gpu_count = 1;
    w.facts.models = &w.model;
    w.facts.n_models = 1;
    w.facts.measured = &m;
    w.facts.n_measured = 1;
    run(&w);
    CHECK(w.advice.nearest[VENDOR_NVIDIA].row == NULL);
    CHECK(w.advice.nearest[VENDOR_AMD].row == &m);
    arena_free(&w.arena);
}

static const TestCase tests[] = {
    TEST(distances_by_hand),
    TEST(the_nearest_wins_and_some_rows_do_not_count),
    TEST(an_advice_shows_the_nearest_of_each_vendor),
};

TEST_MAIN(tests)
