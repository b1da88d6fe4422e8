// src/advise/check: bounds by hand arithmetic, what conditions free, and no public measurement called impossible.
#include "catalog/catalog.h"
#include "src/advise/check.h"
#include "tests/check.h"
#include "tests/fixture.h"

static const PublicClaim blank = {.claim = "c", .what = "", .model = "", .gpu = "", .gpus = UNKNOWN, .batch = UNKNOWN, .isl_tokens = UNKNOWN, .osl_tokens = UNKNOWN, .steps = UNKNOWN,
                                  .tokens_per_s = UNKNOWN, .images_per_s = UNKNOWN, .tflops = UNKNOWN, .usd_per_hour = UNKNOWN, .usd_per_gpu_hour = UNKNOWN, .usd_per_mtok = UNKNOWN,
                                  .hours = UNKNOWN, .usd_total = UNKNOWN, .subject = "", .platform = "", .status = "", .source = "", .as_of = ""};

typedef struct World {
    Gpu gpus[2];
    Model model;
    Facts facts;
    Arena arena;
    PublicClaim claim;
    ClaimAnswer answer;
} World;

// 70B on one MI300X (1), or H100 (0): 19,500 tokens/s.
static void make(World *w) {
    *w = (World){0};
    w->gpus[0] = gpu_like("h100", VENDOR_NVIDIA, "hopper", 80, 3350, 989, 1979);
    w->gpus[1] = gpu_like("mi300x", VENDOR_AMD, "cdna3", 192, 5300, 1307, 2615);
    w->model = llama_70b();
    w->facts = fixture_facts(w->gpus, 2);
    w->claim = blank;
    w->claim.tokens_per_s = 19500;
}

static ClaimVerdict judged(World *w, int gpu) {
    Err e = {0};
    ClaimAsk ask = {.row = &w->claim, .gpu = &w->gpus[gpu], .model = &w->model};
    if (!claim_check(&w->facts, &ask, &w->arena, &w->answer, &e)) FAIL_("%s", e.text);
    return w->answer.verdict;
}

static void test_bound_is_weights_over_bandwidth(void) {
    World w;
    make(&w);
    w.claim.weights = DTYPE_FP16;
    w.claim.batch = 32;
    double read = (w.model.params_total - w.model.params_input_embedding) * 2 + 32 * w.model.kv_bytes_per_token_bf16 / 2;
    CHECK_INT(judged(&w, 1), CLAIM_IMPOSSIBLE);
    CHECK_NEAR(w.answer.bound, 32 * 5300e9 / read, 1e-9);
    CHECK_STR(w.answer.bound_by, "memory-bandwidth");
    CHECK_INT(w.answer.n_conditions, 0);
    CHECK_INT(judged(&w, 0), CLAIM_IMPOSSIBLE);  // 141 GB into 80
    CHECK_NEAR(w.answer.bound, 32 * 3350e9 / read, 1e-9);
    CHECK_STR(w.answer.bound_by, "memory");
    w.claim.gpus = 8;
    CHECK_INT(judged(&w, 0), CLAIM_IMPOSSIBLE);
    CHECK_NEAR(w.answer.bound, 8 * 32 * 3350e9 / read, 1e-9);
    CHECK_STR(w.answer.bound_by, "memory-bandwidth");
    arena_free(&w.arena);
}

static void test_large_batches_meet_arithmetic(void) {
    World w;
    make(&w);
    w.claim.weights = DTYPE_FP8;
    w.claim.tokens_per_s = 3000;
    CHECK_INT(judged(&w, 1), CLAIM_PLAUSIBLE);
    CHECK_NEAR(w.answer.bound, 2615e12 / (2 * (w.model.params_active - w.model.params_input_embedding)), 1e-6);
    CHECK_STR(w.answer.bound_by, "compute");
    double free = w.answer.bound;
    w.claim.isl_tokens = w.claim.osl_tokens = 1000;  // a prompt as long as the answer: twice the arithmetic and some attention
    CHECK_INT(judged(&w, 1), CLAIM_PLAUSIBLE);
    CHECK(w.answer.bound < free / 2 && w.answer.bound > free / 3);
    arena_free(&w.arena);
}

static void test_what_is_left_open_may_save_a_claim(void) {
    World w;
    make(&w);
    w.claim.batch = 32;
    w.claim.tokens_per_s = 1220 * 1.95;  // over what 16-bit weights allow on an MI300X: narrower ones come before speculation
    CHECK_INT(judged(&w, 1), CLAIM_CONDITIONAL);
    CHECK(strstr(w.answer.conditions[0], "fp8 weights") != NULL);
    w.claim.weights = DTYPE_BF16;  // stated: nothing is left open
    CHECK_INT(judged(&w, 1), CLAIM_IMPOSSIBLE);
    w.claim.tokens_per_s = 1000;  // does not fit one H100, two hold it
    CHECK_INT(judged(&w, 0), CLAIM_CONDITIONAL);
    CHECK(strstr(w.answer.conditions[0], "2 GPUs") != NULL);
    w.claim.gpus = 1;
    CHECK_INT(judged(&w, 0), CLAIM_IMPOSSIBLE);
    arena_free(&w.arena);
}

static void test_near_the_bound_is_a_condition(void) {
    World w;
    make(&w);
    w.claim.weights = DTYPE_BF16;
    w.claim.batch = 1;
    w.claim.tokens_per_s = 1;
    CHECK_INT(judged(&w, 1), CLAIM_PLAUSIBLE);
    double bound = w.answer.bound;
    w.claim.tokens_per_s = bound * 0.859;
    CHECK_INT(judged(&w, 1), CLAIM_PLAUSIBLE);
    w.claim.tokens_per_s = bound * 0.95;
    CHECK_INT(judged(&w, 1), CLAIM_CONDITIONAL);
    w.claim.tokens_per_s = bound * 1.7;  // speculation has done that in public
    CHECK_INT(judged(&w, 1), CLAIM_CONDITIONAL);
    w.claim.tokens_per_s = bound * 1.9;
    CHECK_INT(judged(&w, 1), CLAIM_IMPOSSIBLE);
    arena_free(&w.arena);
}

static void test_prices_must_follow(void) {
    World w;
    make(&w);
    w.claim.weights = DTYPE_FP8;
    w.claim.usd_per_hour = 1.75;
    w.claim.usd_per_mtok = 0.15;
    w.claim.tokens_per_s = UNKNOWN;
    CHECK_INT(judged(&w, 1), CLAIM_PLAUSIBLE);
    CHECK_NEAR(w.answer.claimed, 1.75 / 3600 / 0.15 * 1e6, 1e-12);
    w.claim.tokens_per_s = 3240;
    CHECK_INT(judged(&w, 1), CLAIM_PLAUSIBLE);
    w.claim.tokens_per_s = 1000;  // $0.486
    CHECK_INT(judged(&w, 1), CLAIM_CONDITIONAL);
    w.claim.usd_per_mtok = 0.0001;
    CHECK_INT(judged(&w, 1), CLAIM_IMPOSSIBLE);
    arena_free(&w.arena);
}

static void test_other_kinds(void) {
    World w;
    make(&w);
    w.claim.kind = CLAIM_PEAK;
    w.claim.weights = DTYPE_FP16;
    w.claim.tflops = 1979;
    CHECK_INT(judged(&w, 0), CLAIM_CONDITIONAL);
    CHECK(strstr(w.answer.conditions[0], "sparsity") != NULL);
    w.claim.tflops = 1500;
    CHECK_INT(judged(&w, 0), CLAIM_IMPOSSIBLE);
    w.claim.tflops = 989;
    CHECK_INT(judged(&w, 0), CLAIM_PLAUSIBLE);
    w.claim = blank;
    w.claim.kind = CLAIM_BILL;
    w.claim.gpus = 8;
    w.claim.hours = 51;
    w.claim.usd_per_gpu_hour = 3.20;
    w.claim.usd_total = 1632;
    CHECK_INT(judged(&w, 0), CLAIM_IMPOSSIBLE);
    CHECK_NEAR(w.answer.bound, 1305.60, 1e-12);
    CHECK(strstr(w.answer.arithmetic, "10 GPUs") != NULL);
    w.claim.usd_total = 1305.60;
    CHECK_INT(judged(&w, 0), CLAIM_PLAUSIBLE);
    w.claim = blank;
    w.claim.kind = CLAIM_TRAINING;
    w.claim.weights = DTYPE_BF16;
    w.claim.gpus = 8;
    w.claim.tokens_per_s = 1e6;
    CHECK_INT(judged(&w, 0), CLAIM_IMPOSSIBLE);
    CHECK_NEAR(w.answer.bound, 8 * 989e12 / (6 * (w.model.params_active - w.model.params_input_embedding)), 1e-9);
    arena_free(&w.arena);
}

static void test_support_follows_the_sources(void) {
    Claim support[] = {
        {.subject = "vllm", .platform = "rocm", .status = "none", .source_type = "article", .standing = "current", .gpu_scope = "", .note = "", .source = "a", .as_of = "2026-01"},
        {.subject = "vllm", .platform = "rocm", .status = "partial", .source_type = "issue", .standing = "current", .gpu_scope = "gfx1100", .note = "", .source = "b", .as_of = "2026-02"},
        {.subject = "vllm", .platform = "rocm", .status = "full", .source_type = "project-doc", .standing = "superseded", .gpu_scope = "", .note = "", .source = "c", .as_of = "2024"},
    };
    World w;
    make(&w);
    w.claim = blank;
    w.claim.kind = CLAIM_SUPPORT;
    w.claim.subject = "vllm";
    w.claim.platform = "rocm";
    w.claim.status = "none";
    ClaimAsk ask = {.row = &w.claim, .support = support, .n_support = 3};
    Err e = {0};
    CHECK(claim_check(&w.facts, &ask, &w.arena, &w.answer, &e));
    CHECK_INT(w.answer.verdict, CLAIM_CONDITIONAL);  // neither the article nor what was superseded counts: in part
    support[2].standing = "current";
    CHECK(claim_check(&w.facts, &ask, &w.arena, &w.answer, &e));
    CHECK_INT(w.answer.verdict, CLAIM_IMPOSSIBLE);
    w.claim.status = "partial";
    CHECK(claim_check(&w.facts, &ask, &w.arena, &w.answer, &e));
    CHECK_INT(w.answer.verdict, CLAIM_CONDITIONAL);
    w.claim.subject = "nothing";
    CHECK(claim_check(&w.facts, &ask, &w.arena, &w.answer, &e));
    CHECK_INT(w.answer.verdict, CLAIM_CONDITIONAL);
    w.claim.status = "maybe";
    CHECK(!claim_check(&w.facts, &ask, &w.arena, &w.answer, &e));
    arena_free(&w.arena);
}

static void test_lacking_figures_are_refused(void) {
    World w;
    make(&w);
    Err e = {0};
    ClaimAsk ask = {.row = &w.claim, .gpu = &w.gpus[0], .model = &w.model};
    w.claim.tokens_per_s = UNKNOWN;
    for (int kind = 0; kind < CLAIM_KIND_COUNT; kind++) {
        w.claim.kind = kind;
        CHECK(!claim_check(&w.facts, &ask, &w.arena, &w.answer, &e));
        CHECK_INT(e.kind, ERR_USAGE);
    }
    arena_free(&w.arena);
}

// ---------------------------------------------------------------- against what was measured

static PublicClaim claim_of(const Measurement *m) {
    PublicClaim c = blank;
    int dtype = name_index(dtype_names, m->precision_weights);
    c.gpus = m->gpu_count;
    c.weights = dtype > 0 ? dtype : DTYPE_UNKNOWN;
    c.batch = m->batch_or_concurrency;
    c.isl_tokens = m->prompt_cached ? UNKNOWN : m->input_tokens;
    c.osl_tokens = m->output_tokens;
    c.tokens_per_s = m->output_tokens_per_s;
    return c;
}

// Weights of fewer bits than their dtype says make a measurement look too fast.
static bool is_plain(const Measurement *m) {
    bool stated = m->precision_weights[0] != '\0' && strcmp(m->precision_weights, "int4") != 0;
    return stated && m->draft_tokens[0] == '\0';
}

static void test_what_was_measured_is_possible(void) {
    Arena a = {0};
    Err e = {0};
    Catalog *c = NULL;
    const char *warning = "";
    const CatalogOptions none = {0};
    Facts f;
    void *rows = NULL;
    size_t n = 0;
    CHECK(catalog_open(&none, &a, &c, &warning, &e) && catalog_facts(c, &a, &f, &e) && catalog_rows(c, TABLE_MEASUREMENTS, &a, &rows, &n, &e));
    const Measurement *m = rows;
    size_t judged_rows = 0, impossible = 0;
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        const Gpu *gpu = NULL;
        const Model *model = NULL;
        for (size_t k = 0; k < f.n_gpus; k++) gpu = strcmp(f.gpus[k].sku_id, m[i].gpu_sku) == 0 ? &f.gpus[k] : gpu;
        for (size_t k = 0; k < f.n_models; k++) model = strcmp(f.models[k].model_id, m[i].model) == 0 ? &f.models[k] : model;
        if (strcmp(m[i].task, "serving") != 0 || !is_known(m[i].output_tokens_per_s) || gpu == NULL || model == NULL) continue;
        PublicClaim claim = claim_of(&m[i]);
        ClaimAsk ask = {.row = &claim, .gpu = gpu, .model = model};
        ClaimAnswer x;
        if (!claim_check(&f, &ask, &a, &x, &e)) continue;  // models that are no decoders
        judged_rows++;
        impossible += x.verdict == CLAIM_IMPOSSIBLE;
        if (x.verdict == CLAIM_IMPOSSIBLE && is_plain(&m[i])) FAIL_("%s: %s", m[i].id, x.arithmetic);
        if (is_plain(&m[i])) most = fmax(most, x.claimed / x.bound);
    }
    CHECK(judged_rows > 2000);
    CHECK(impossible <= 1);  // 70B on a 24 GB card, with weights of 2.5 bits
    CHECK_NEAR(constant_of(&f, "claim_share_most"), most, 0.02);
    catalog_close(c);
    arena_free(&a);
}

static const TestCase tests[] = {
    TEST(bound_is_weights_over_bandwidth), TEST(large_batches_meet_arithmetic), TEST(what_is_left_open_may_save_a_claim), TEST(near_the_bound_is_a_condition),
    TEST(prices_must_follow), TEST(other_kinds), TEST(support_follows_the_sources), TEST(lacking_figures_are_refused), TEST(what_was_measured_is_possible),
};
TEST_MAIN(tests)
