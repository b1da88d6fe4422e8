// src/advise/check: bounds by hand arithmetic, what conditions free, shares by regime, peaks, bills and
// support.
#include <math.h>
#include <stddef.h>

#include "tests/claim_world.h"

static void test_bound_is_weights_over_bandwidth(void) {
    World w;
    make(&w);
    w.claim.weights = DTYPE_FP16;
    w.claim.batch = 32;
    double read = (w.model.params_total - w.model.params_input_embedding) * 2 +
                  32 * w.model.kv_bytes_per_token_bf16 / 2;
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
    CHECK_NEAR(w.answer.bound, 2615e12 / (2 * (w.model.params_active - w.model.params_input_embedding)),
               1e-6);
    CHECK_STR(w.answer.bound_by, "compute");
    double free = w.answer.bound;
    // a prompt as long as the answer: twice the arithmetic and some attention
    w.claim.isl_tokens = w.claim.osl_tokens = 1000;
    CHECK_INT(judged(&w, 1), CLAIM_PLAUSIBLE);
    CHECK(w.answer.bound < free / 2 && w.answer.bound > free / 3);
    arena_free(&w.arena);
}

static void test_what_is_left_open_may_save_a_claim(void) {
    World w;
    make(&w);
    w.claim.batch = 32;
    // over what 16-bit weights allow on an MI300X: narrower ones come before speculation
    w.claim.tokens_per_s = 1220 * 1.95;
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
    w.facts.n_engine_limits = 0;  // no estimate
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
    w.claim = claim_blank();
    w.claim.kind = CLAIM_PEAK;
    w.claim.weights = DTYPE_FP16;
    w.claim.tflops = 1979;
    CHECK_INT(judged(&w, 0), CLAIM_CONDITIONAL);
    CHECK(strstr(w.answer.conditions[0], "sparsity") != NULL);
    w.claim.tflops = 1500;
    CHECK_INT(judged(&w, 0), CLAIM_IMPOSSIBLE);
    w.claim.tflops = 989;
    CHECK_INT(judged(&w, 0), CLAIM_PLAUSIBLE);
    w.claim = claim_blank();
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
    w.claim = claim_blank();
    w.claim.kind = CLAIM_TRAINING;
    w.claim.weights = DTYPE_BF16;
    w.claim.gpus = 8;
    w.claim.tokens_per_s = 1e6;
    CHECK_INT(judged(&w, 0), CLAIM_IMPOSSIBLE);
    CHECK_NEAR(w.answer.bound, 8 * 989e12 / (6 * (w.model.params_active - w.model.params_input_embedding)),
               1e-9);
    arena_free(&w.arena);
}

static void test_support_follows_the_sources(void) {
    Claim support[] = {
        {.subject = "vllm",
         .platform = "rocm",
         .status = "none",
         .source_type = "article",
         .standing = "current",
         .gpu_scope = "",
         .note = "",
         .source = "a",
         .as_of = "2026-01"},
        {.subject = "vllm",
         .platform = "rocm",
         .status = "partial",
         .source_type = "issue",
         .standing = "current",
         .gpu_scope = "gfx1100",
         .note = "",
         .source = "b",
         .as_of = "2026-02"},
        {.subject = "vllm",
         .platform = "rocm",
         .status = "full",
         .source_type = "project-doc",
         .standing = "superseded",
         .gpu_scope = "",
         .note = "",
         .source = "c",
         .as_of = "2024"},
    };
    World w;
    make(&w);
    w.claim = claim_blank();
    w.claim.kind = CLAIM_SUPPORT;
    w.claim.subject = "vllm";
    w.claim.platform = "rocm";
    w.claim.status = "none";
    ClaimAsk ask = {.row = &w.claim, .support = support, .n_support = 3};
    Err e = {0};
    CHECK(claim_check(&w.facts, &ask, &w.arena, &w.answer, &e));
    // neither the article nor what was superseded counts: in part
    CHECK_INT(w.answer.verdict, CLAIM_CONDITIONAL);
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
    for (ClaimKind kind = 0; kind < CLAIM_KIND_COUNT; kind++) {
        // of a statement the model and the GPU are too much, of the others something lacks
        w.claim.kind = kind;
        w.claim.model = kind == CLAIM_STATEMENT ? "m" : "";
        CHECK(!claim_check(&w.facts, &ask, &w.arena, &w.answer, &e));
        CHECK_INT(e.kind, ERR_USAGE);
    }
    arena_free(&w.arena);
}

static void test_figures_of_no_use_are_refused(void) {
    World w;
    make(&w);
    Err e = {0};
    const PublicClaim serving = w.claim;
    ClaimAsk ask = {.row = &w.claim, .gpu = &w.gpus[1], .model = &w.model};
    PublicClaim peak = claim_blank();
    peak.kind = CLAIM_PEAK;
    peak.weights = DTYPE_FP16;
    peak.tflops = 1000;
    const PublicClaim *plain[] = {&serving, &peak};
    static const struct {
        int of;
        size_t offset;
        const char *word;
    } useless[] = {
        {0, offsetof(PublicClaim, hours), "hours"},
        {0, offsetof(PublicClaim, tflops), "tflops"},
        {0, offsetof(PublicClaim, steps), "steps"},
        {0, offsetof(PublicClaim, usd_per_mtok), "usd_per_mtok"},
        {1, offsetof(PublicClaim, tokens_per_s), "tokens_per_s"},
        {1, offsetof(PublicClaim, batch), "batch"},
        {1, offsetof(PublicClaim, usd_per_hour), "usd_per_hour"},
    };
    for (size_t i = 0; i < COUNT_OF(useless); i++) {
        w.claim = *plain[useless[i].of];
        CHECK(claim_check(&w.facts, &ask, &w.arena, &w.answer, &e));
        memcpy((char *)&w.claim + useless[i].offset, &(double){5}, sizeof(double));
        CHECK(!claim_check(&w.facts, &ask, &w.arena, &w.answer, &e));
        CHECK_INT(e.kind, ERR_USAGE);
        CHECK(strstr(e.text, useless[i].word) != NULL);
    }
    w.claim = serving;
    w.claim.usd_per_hour = w.claim.usd_per_gpu_hour = 2;
    CHECK(!claim_check(&w.facts, &ask, &w.arena, &w.answer, &e));
    w.claim = serving;
    w.claim.status = "full";
    CHECK(!claim_check(&w.facts, &ask, &w.arena, &w.answer, &e));
    arena_free(&w.arena);
}

// ---------------------------------------------------------------- peaks of other forms of a chip

static void test_peaks_of_siblings(void) {
    World w;
    make(&w);
    Gpu gpus[] = {w.gpus[0], w.gpus[0], w.gpus[0], w.gpus[1]};
    gpus[0].chip = gpus[1].chip = gpus[2].chip = "C1";
    gpus[1].sku_id = "h100-super", gpus[1].name = "H100 of a superchip",
    gpus[1].form_factor = "Superchip NVL72";
    gpus[1].fp16_tflops = 1200, gpus[1].source = "sheet of the superchip";
    gpus[2].sku_id = "x100", gpus[2].fp16_tflops = 1200;
    gpus[0].form_factor = gpus[2].form_factor = "SXM", gpus[3].chip = "C2";
    w.facts = fixture_facts(gpus, COUNT_OF(gpus));
    w.gpus[0] = gpus[0];
    w.claim = claim_blank();
    w.claim.kind = CLAIM_PEAK;
    w.claim.weights = DTYPE_FP16;
    w.claim.tflops = 1200;
    CHECK_INT(judged(&w, 0), CLAIM_CONDITIONAL);
    CHECK_INT(w.answer.n_conditions, 1);
    // the name nearest, of two
    CHECK(strstr(w.answer.conditions[0], "dense fp16 peak of H100 of a superchip, part of a superchip") !=
          NULL);
    CHECK(strstr(w.answer.sources, "sheet of the superchip") != NULL);
    w.claim.tflops = 2400;
    CHECK_INT(judged(&w, 0), CLAIM_CONDITIONAL);
    CHECK_INT(w.answer.n_conditions, 2);
    CHECK(strstr(w.answer.conditions[0], "sparse fp16 peak") != NULL &&
          strstr(w.answer.conditions[1], "sparsity") != NULL);
    w.claim.tflops = 1700;  // nobody's
    CHECK_INT(judged(&w, 0), CLAIM_IMPOSSIBLE);
    w.claim.tflops = 8 * 989;
    CHECK_INT(judged(&w, 0), CLAIM_IMPOSSIBLE);
    CHECK(strstr(w.answer.arithmetic, "that is what 8 GPUs have together, or 4 with sparsity") != NULL);
    w.gpus[0].form_factor = "Superchip NVL72";
    w.claim.tflops = 4 * 989;
    CHECK_INT(judged(&w, 0), CLAIM_CONDITIONAL);
    CHECK(has_condition(&w, "the whole superchip") && has_condition(&w, "sparsity"));
    gpus[1].chip = gpus[2].chip = "C3";  // another chip's peak explains nothing
    w.claim.tflops = 1200;
    CHECK_INT(judged(&w, 0), CLAIM_IMPOSSIBLE);
    w.gpus[0].architecture = "volta";  // no sparse matrix units
    w.claim.tflops = 1979;
    CHECK_INT(judged(&w, 0), CLAIM_IMPOSSIBLE);
    w.gpus[0].fp6_tflops = 10000;
    w.claim.weights = DTYPE_FP6;
    w.claim.tflops = 10000;
    CHECK_INT(judged(&w, 0), CLAIM_PLAUSIBLE);
    arena_free(&w.arena);
}

// ---------------------------------------------------------------- regimes

static void test_each_regime_has_its_share(void) {
    static const struct {
        Dtype weights;
        double batch;
        const char *share;
        double most;
    } regimes[] = {{DTYPE_BF16, 1, "claim_share_one", 0.86},
                   {DTYPE_BF16, 16, "claim_share_batch", 0.8},
                   {DTYPE_BF16, UNKNOWN, "claim_share_dense_16", 0.7},
                   {DTYPE_FP8, UNKNOWN, "claim_share_dense_8", 0.6}};
    for (size_t i = 0; i < COUNT_OF(regimes); i++) {
        World w;
        make(&w);
        w.facts.n_engine_limits = 0;  // no estimate
        w.claim.weights = regimes[i].weights;
        w.claim.batch = regimes[i].batch;
        w.claim.tokens_per_s = 1;
        judged(&w, 1);
        CHECK_STR(w.answer.share_name, regimes[i].share);
        double bound = w.answer.bound;
        w.claim.tokens_per_s = bound * (regimes[i].most - 0.01);
        CHECK_INT(judged(&w, 1), CLAIM_PLAUSIBLE);
        w.claim.tokens_per_s = bound * (regimes[i].most + 0.01);
        CHECK_INT(judged(&w, 1), CLAIM_CONDITIONAL);
        CHECK(strstr(w.answer.conditions[0], "best public measurements of") != NULL);
        arena_free(&w.arena);
    }
    World w;
    make(&w);
    w.facts.n_engine_limits = 0;
    w.model = mixtral();
    w.claim.weights = DTYPE_FP8;
    w.claim.tokens_per_s = 1;
    judged(&w, 1);
    CHECK_STR(w.answer.share_name, "claim_share_moe_8");
    w.claim.weights = DTYPE_BF16;
    // over dense 16-bit arithmetic, not over the sparse one
    w.claim.tokens_per_s = w.answer.bound * 0.5 * 1.5;
    CHECK_INT(judged(&w, 1), CLAIM_CONDITIONAL);
    CHECK(strstr(w.answer.conditions[0], "sparsity") != NULL &&
          strstr(w.answer.arithmetic, "sparse bf16") != NULL);
    arena_free(&w.arena);
}

static const TestCase tests[] = {
    TEST(bound_is_weights_over_bandwidth),
    TEST(large_batches_meet_arithmetic),
    TEST(what_is_left_open_may_save_a_claim),
    TEST(near_the_bound_is_a_condition),
    TEST(prices_must_follow),
    TEST(other_kinds),
    TEST(support_follows_the_sources),
    TEST(lacking_figures_are_refused),
    TEST(figures_of_no_use_are_refused),
    TEST(peaks_of_siblings),
    TEST(each_regime_has_its_share),
};
TEST_MAIN(tests)
