// src/advise/check beside public measurements and the estimate: the nearest row, what it settles, and no row
// called impossible.
#include <math.h>
#include <stdlib.h>

#include "catalog/facts/catalog.h"
#include "tests/claim_world.h"

// ---------------------------------------------------------------- beside what was measured

static const Measurement row_like = CLAIM_ROW("llama-3.3-70b", 1);

static ClaimVerdict judged_beside(World *w, const Measurement *rows, size_t n) {
    Err e = {0};
    ClaimAsk ask = {
        .row = &w->claim, .gpu = &w->gpus[1], .model = &w->model, .measured = rows, .n_measured = n};
    if (!claim_check(&w->facts, &ask, &w->arena, &w->answer, &e)) FAIL_("%s", e.text);
    return w->answer.verdict;
}

static void test_nearest_row_is_the_yardstick(void) {
    World w;
    make(&w);
    Measurement rows[6];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        rows[i] = row_like;
        rows[i].model = w.model.model_id;
    }
    rows[1].batch_or_concurrency = 512, rows[1].output_tokens_per_s = 2500;  // faster, at another load
    rows[2].held_out = true, rows[2].output_tokens_per_s = 9000;
    rows[3].gpu_sku = "h100", rows[3].output_tokens_per_s = 9000;
    rows[4].task = "prefill", rows[4].output_tokens_per_s = 9000;
    rows[5].gpu_count = 2, rows[5].batch_or_concurrency = 128, rows[5].output_tokens_per_s = 2200,
    rows[5].id = "two";
    w.claim.weights = DTYPE_FP8;
    w.claim.batch = 64;
    w.claim.tokens_per_s = 1650;
    CHECK_INT(judged_beside(&w, rows, COUNT_OF(rows)), CLAIM_PLAUSIBLE);
    CHECK_STR(w.answer.best.row->id, "two");
    CHECK_NEAR(w.answer.best.rate_per_gpu, 1100, 1e-12);
    CHECK_NEAR(w.answer.times_measured, 1.5, 1e-12);
    CHECK(w.answer.best.same_load && !w.answer.best.harder);
    w.claim.tokens_per_s = 3300;  // three times that: as physics allow, but far over what was done
    CHECK_INT(judged_beside(&w, rows, COUNT_OF(rows)), CLAIM_CONDITIONAL);
    CHECK(strstr(w.answer.conditions[0], "anything measured of it") != NULL &&
          strstr(w.answer.conditions[0], "speculation") != NULL);
    CHECK(strstr(w.answer.measured, "3 times anything measured of it (1100 ") != NULL &&
          strstr(w.answer.measured, "two of 2026-01, lab") != NULL);
    w.claim.batch = 512;
    CHECK_INT(judged_beside(&w, rows, COUNT_OF(rows)), CLAIM_PLAUSIBLE);
    CHECK_NEAR(w.answer.times_measured, 3300.0 / 2500, 1e-12);
    w.claim.batch = UNKNOWN;  // left open: any
    CHECK_INT(judged_beside(&w, rows, COUNT_OF(rows)), CLAIM_PLAUSIBLE);
    CHECK_NEAR(w.answer.times_measured, 3300.0 / 2500, 1e-12);
    arena_free(&w.arena);
}

static void test_harder_rows_settle_nothing(void) {
    World w;
    make(&w);
    Measurement row = row_like;
    row.model = w.model.model_id;
    row.batch_or_concurrency = 1;
    row.output_tokens_per_s = 40;
    w.claim.weights = DTYPE_FP8;
    w.claim.batch = 64;
    w.claim.tokens_per_s = 1000;
    CHECK_INT(judged_beside(&w, &row, 1), CLAIM_PLAUSIBLE);
    CHECK(w.answer.best.harder && !w.answer.best.same_load);
    CHECK_STR(w.answer.best.differs[0], "sequences a GPU: 1 instead of 64");
    CHECK_NEAR(w.answer.times_measured, 25, 1e-12);
    CHECK(strstr(w.answer.measured, "the nearest that was measured") != NULL);
    // a lighter load a token: what lies three times above it is doubted all the more
    row.batch_or_concurrency = 256;
    row.precision_weights = "int4";
    row.output_tokens_per_s = 1000;
    w.claim.tokens_per_s = 3000;
    CHECK_INT(judged_beside(&w, &row, 1), CLAIM_CONDITIONAL);
    CHECK(!w.answer.best.harder && !w.answer.best.same_load);
    CHECK_INT(w.answer.best.n_differs, 2);
    row.precision_weights = "bf16";  // wider weights than claimed
    w.claim.tokens_per_s = 1500;
    CHECK_INT(judged_beside(&w, &row, 1), CLAIM_PLAUSIBLE);
    CHECK(w.answer.best.harder);
    w.claim.isl_tokens = 100;  // and longer prompts
    w.claim.osl_tokens = 1000;
    judged_beside(&w, &row, 1);
    CHECK_STR(w.answer.best.differs[2], "input tokens: 1000 instead of 100");
    arena_free(&w.arena);
}

static void test_one_shape_counts_for_another(void) {
    World w;
    make(&w);
    Model models[] = {w.model, w.model};
    models[0].model_id = "sibling";
    models[1].model_id = "stranger", models[1].layers = 79;
    w.facts.models = models, w.facts.n_models = 2;
    Measurement rows[] = {row_like, row_like};
    rows[0].model = "sibling";
    rows[1].model = "stranger", rows[1].output_tokens_per_s = 4000;
    w.claim.weights = DTYPE_FP8;
    w.claim.tokens_per_s = 1000;
    judged_beside(&w, rows, 2);
    CHECK_STR(w.answer.best.row->model, "sibling");
    CHECK(strstr(w.answer.measured, "sibling, a model of the same shape") != NULL);
    arena_free(&w.arena);
}

static void test_speculation_is_named(void) {
    World w;
    make(&w);
    Measurement rows[] = {row_like, row_like};
    rows[0].model = rows[1].model = w.model.model_id;
    rows[1].draft_tokens = "3", rows[1].output_tokens_per_s = 1600, rows[1].id = "drafted";
    w.claim.weights = DTYPE_FP8;
    w.claim.batch = 64;
    w.claim.tokens_per_s = 1500;
    CHECK_INT(judged_beside(&w, rows, 2), CLAIM_CONDITIONAL);
    CHECK_INT(w.answer.n_conditions, 1);
    CHECK(strstr(w.answer.conditions[0], "only with speculation, or with software 1.5 times as fast") !=
              NULL &&
          strstr(w.answer.conditions[0], "drafted") != NULL);
    w.claim.tokens_per_s = 1050;  // what the same run may give another day
    CHECK_INT(judged_beside(&w, rows, 2), CLAIM_PLAUSIBLE);
    rows[1].draft_tokens = "";  // reached without
    w.claim.tokens_per_s = 1500;
    CHECK_INT(judged_beside(&w, rows, 2), CLAIM_PLAUSIBLE);
    arena_free(&w.arena);
}

static void test_estimate_speaks_where_nothing_was_measured(void) {
    World w;
    make(&w);
    w.claim.weights = DTYPE_FP8;
    w.claim.batch = 64;
    w.claim.tokens_per_s = 100;
    CHECK_INT(judged(&w, 1), CLAIM_PLAUSIBLE);
    CHECK(w.answer.estimate.known && w.answer.times_estimate_high < 1);
    CHECK(strstr(w.answer.expected, "below that range") != NULL);
    double high = w.answer.estimate.rate.high;
    w.claim.tokens_per_s = high * 1.1;
    CHECK_INT(judged(&w, 1), CLAIM_CONDITIONAL);
    CHECK_NEAR(w.answer.times_estimate_high, 1.1, 1e-9);
    CHECK(has_condition(&w, "only with speculation, or with software 1.1 times as fast as the top of the "
                            "range that `estimate` gives"));
    Measurement row = row_like;  // measured once: the estimate is told and settles nothing
    row.model = w.model.model_id;
    row.output_tokens_per_s = high * 1.05;
    judged_beside(&w, &row, 1);
    CHECK(!has_condition(&w, "`estimate`"));
    CHECK_NEAR(w.answer.times_estimate_high, 1.1, 1e-9);
    CHECK(strstr(w.answer.expected, "but so is what was measured") != NULL);
    w.claim.weights = DTYPE_BF16;
    w.claim.batch = 16;
    w.claim.tokens_per_s = 1;
    judged(&w, 1);
    CHECK(w.answer.estimate.rate.high * 1.02 < w.answer.bound);
    w.claim.weights = DTYPE_UNKNOWN;  // as released, or narrower
    w.claim.tokens_per_s = w.answer.estimate.rate.high * 1.02;
    CHECK_INT(judged(&w, 1), CLAIM_CONDITIONAL);
    CHECK_INT(w.answer.estimate.weights, DTYPE_FP8);
    CHECK(has_condition(&w, "only with fp8 weights: with bf16 ones it is over the range"));
    arena_free(&w.arena);
}

// ---------------------------------------------------------------- against what was measured

static PublicClaim claim_of(const Measurement *m) {
    PublicClaim c = claim_blank();
    c.gpus = m->gpu_count;
    c.weights = dtype_named(m->precision_weights, DTYPE_UNKNOWN);
    c.batch = m->batch_or_concurrency;
    c.isl_tokens = m->prompt_cached ? UNKNOWN : m->input_tokens;
    c.osl_tokens = m->output_tokens;
    c.tokens_per_s = m->output_tokens_per_s;
    return c;
}

// Weights of fewer bits than their dtype says make a measurement look too fast.
static bool is_plain(const Measurement *m) {
    bool stated = m->precision_weights[0] != '\0' && strcmp(m->precision_weights, "int4") != 0;
    return stated && !claim_speculates(m);
}

// The facts that ship, and the public measurements.
typedef struct Shipped {
    Arena arena;
    Catalog *catalog;
    Facts facts;
    const Measurement *rows;
    size_t n;
} Shipped;

static void open_shipped(Shipped *s) {
    *s = (Shipped){0};
    Err e = {0};
    const char *warning = "";
    const CatalogOptions none = {0};
    void *rows = NULL;
    CHECK(catalog_open(&none, &s->arena, &s->catalog, &warning, &e) &&
          catalog_facts(s->catalog, &s->arena, &s->facts, &e) &&
          catalog_rows(s->catalog, TABLE_MEASUREMENTS, &s->arena, &rows, &s->n, &e));
    s->rows = rows;
}

static void close_shipped(Shipped *s) {
    catalog_close(s->catalog);
    arena_free(&s->arena);
}

// A row told as a claim beside the rows given; false where it is none of its kind.
static bool judge_row(Shipped *s, const Measurement *m, ClaimKind kind, const Measurement *beside, size_t n,
                      ClaimAnswer *ret) {
    Err e = {0};
    const Gpu *gpu = NULL;
    const Model *model = NULL;
    for (size_t k = 0; k < s->facts.n_gpus; k++)
        gpu = strcmp(s->facts.gpus[k].sku_id, m->gpu_sku) == 0 ? &s->facts.gpus[k] : gpu;
    for (size_t k = 0; k < s->facts.n_models; k++)
        model = strcmp(s->facts.models[k].model_id, m->model) == 0 ? &s->facts.models[k] : model;
    double rate = claim_measured_rate(m, kind);
    if (m->held_out || !is_known(rate) || gpu == NULL || model == NULL) return false;
    PublicClaim claim = claim_of(m);
    if (kind != CLAIM_SERVING) {
        claim.batch = claim.isl_tokens = claim.osl_tokens = claim.tokens_per_s = UNKNOWN;
        *(kind == CLAIM_IMAGES ? &claim.images_per_s : &claim.tokens_per_s) = rate;
    }
    claim.kind = kind;
    ClaimAsk ask = {.row = &claim, .gpu = gpu, .model = model, .measured = beside, .n_measured = n};
    return claim_check(&s->facts, &ask, &s->arena, ret, &e);
}

static void test_what_was_measured_is_possible(void) {
    Shipped s;
    open_shipped(&s);
    size_t counts[CLAIM_VERDICT_COUNT] = {0}, drafted = 0;
    for (size_t i = 0; i < s.n; i++) {
        ClaimAnswer x;
        if (!judge_row(&s, &s.rows[i], CLAIM_SERVING, s.rows, s.n, &x)) continue;
        counts[x.verdict]++;
        // 70B on a 24 GB card, with weights of 2.5 bits, is the only one that its dtype makes impossible.
        if (x.verdict == CLAIM_IMPOSSIBLE && !(s.rows[i].weight_bits < 4))
            FAIL_("%s: %s", s.rows[i].id, x.arithmetic);
        if (x.verdict != CLAIM_PLAUSIBLE && is_plain(&s.rows[i]))
            FAIL_("%s: %s", s.rows[i].id, x.conditions[0]);
        drafted += x.verdict == CLAIM_CONDITIONAL && claim_speculates(&s.rows[i]);
        // it is among the rows itself
        if (is_known(s.rows[i].gpu_count) && !(x.times_measured <= 1 + 1e-12 || x.best.harder))
            FAIL_("%s: %s", s.rows[i].id, x.measured);
    }
    CHECK(counts[CLAIM_PLAUSIBLE] > 2900);
    CHECK(counts[CLAIM_IMPOSSIBLE] <= 1);
    CHECK(drafted > 30);                              // "only with speculation" is what they are
    CHECK(counts[CLAIM_CONDITIONAL] - drafted < 25);  // no dtype stated, or fewer bits than the dtype says
    close_shipped(&s);
}

static void test_shares_are_those_of_the_rows(void) {
    if (check_sanitized()) SKIP("figures over all rows: what was measured is possible takes the same code");
    enum { SHARES = 10 };
    struct {
        const char *name;
        double most;
        size_t n;
    } shares[SHARES] = {{NULL, 0, 0}};
    size_t n_shares = 0;
    Shipped s;
    open_shipped(&s);
    for (size_t i = 0; i < s.n * CLAIM_PEAK; i++) {
        ClaimAnswer x;
        const Measurement *m = &s.rows[i / CLAIM_PEAK];
        if (!is_plain(m) || !judge_row(&s, m, (ClaimKind)(i % CLAIM_PEAK), NULL, 0, &x)) continue;
        size_t k = 0;
        while (k < n_shares && strcmp(shares[k].name, x.share_name) != 0) k++;
        CHECK(k < SHARES);
        if (k == n_shares) shares[n_shares++].name = x.share_name;
        shares[k].n++;
        shares[k].most = fmax(shares[k].most, x.claimed / x.bound);
    }
    CHECK_INT(n_shares, SHARES);
    for (size_t k = 0; k < n_shares; k++) {
        double constant = (double)NAN;
        for (int c = 0; c < CONSTANT_COUNT; c++)
            if (strcmp(constant_specs[c].name, shares[k].name) == 0)
                constant = constant_of(&s.facts, (ConstantId)c);
        bool rounded_up = constant >= shares[k].most && constant < shares[k].most + 0.01;
        if (!rounded_up || shares[k].n < 5)
            FAIL_("%s: %g, but the highest of %zu rows reaches %g", shares[k].name, constant, shares[k].n,
                  shares[k].most);
    }
    close_shipped(&s);
}

static int by_number(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Whether a row was measured before another: dates as far as both state them.
static bool is_earlier(const Measurement *a, const Measurement *b) {
    bool years = a->date[0] == '2' && b->date[0] == '2';
    size_t n = strlen(a->date) < strlen(b->date) ? strlen(a->date) : strlen(b->date);
    return years && strncmp(a->date, b->date, n) < 0;
}

// How far measurements lay above the best before them at their load: what a claim may without being doubted.
static void test_the_next_measurement_is_seldom_far_above(void) {
    if (check_sanitized()) SKIP("figures over all rows: what was measured is possible takes the same code");
    Shipped s;
    open_shipped(&s);
    double *ratios = arena_alloc(&s.arena, s.n, sizeof *ratios);
    Measurement *earlier = arena_alloc(&s.arena, s.n, sizeof *earlier);
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) {
        size_t n_earlier = 0;
        for (size_t k = 0; k < s.n && is_plain(&s.rows[i]); k++) {
            if (strcmp(s.rows[k].gpu_sku, s.rows[i].gpu_sku) == 0 && is_plain(&s.rows[k]) &&
                is_earlier(&s.rows[k], &s.rows[i]))
                earlier[n_earlier++] = s.rows[k];
        }
        ClaimAnswer x;
        if (n_earlier == 0 || !judge_row(&s, &s.rows[i], CLAIM_SERVING, earlier, n_earlier, &x)) continue;
        if (x.best.row != NULL && x.best.same_load && !x.best.harder) ratios[n++] = x.times_measured;
    }
    CHECK(n > 200);
    qsort(ratios, n, sizeof *ratios, by_number);
    CHECK_NEAR(constant_of(&s.facts, CONSTANT_CLAIM_MEASURED_MOST), ratios[n - 1 - n / 100], 0.05);
    close_shipped(&s);
}

// Claims that people made or might, each against the facts that ship.
static void test_known_claims(void) {
    static const struct {
        const char *model, *gpu;
        double gpus;
        Dtype weights;
        double batch, tokens_per_s;
        ClaimVerdict verdict;
        const char *words;  // of a condition
    } claims[] = {
        {"gpt-oss-120b", "b200-sxm6-180gb", 1, 0, UNKNOWN, 500000, CLAIM_CONDITIONAL,
         "19.3 times as fast as anything measured"},
        {"gpt-oss-120b", "b200-sxm6-180gb", 1, 0, UNKNOWN, 60000, CLAIM_CONDITIONAL,
         "2.31 times as fast as anything measured"},
        {"gpt-oss-120b", "b200-sxm6-180gb", 1, 0, UNKNOWN, 25000, CLAIM_PLAUSIBLE, NULL},
        {"deepseek-r1", "b200-sxm6-180gb", 8, 0, UNKNOWN, 400000, CLAIM_CONDITIONAL,
         "of a mixture of experts bound by 8- or 16-bit arithmetic"},
        {"deepseek-r1", "b200-sxm6-180gb", 8, 0, UNKNOWN, 30000, CLAIM_PLAUSIBLE, NULL},
        {"llama-3.1-70b", "mi300x-192gb", 1, DTYPE_FP8, 64, 4200, CLAIM_CONDITIONAL, "anything measured"},
        {"llama-3.3-70b", "mi300x-192gb", 1, DTYPE_FP8, 64, 1238, CLAIM_PLAUSIBLE, NULL},
        {"llama-3.3-70b", "h200-sxm5-141gb", 1, DTYPE_FP8, 64, 4000, CLAIM_CONDITIONAL,
         "a batch bound by memory bandwidth"},
        {"deepseek-r1", "mi300x-192gb", 8, 0, 128, 6000, CLAIM_CONDITIONAL, "only with speculation"},
        {"deepseek-r1", "mi300x-192gb", 8, 0, 128, 4274, CLAIM_PLAUSIBLE, NULL},
        {"llama-4-maverick", "b200-sxm6-180gb", 8, 0, 1, 1038, CLAIM_CONDITIONAL, "only with speculation"},
        {"llama-2-70b", "mi355x-288gb", 8, DTYPE_MXFP4, UNKNOWN, 93045, CLAIM_PLAUSIBLE, NULL},
    };
    Shipped s;
    open_shipped(&s);
    for (size_t i = 0; i < COUNT_OF(claims); i++) {
        Err e = {0};
        PublicClaim claim = claim_blank();
        claim.gpus = claims[i].gpus, claim.weights = claims[i].weights, claim.batch = claims[i].batch,
        claim.tokens_per_s = claims[i].tokens_per_s;
        ClaimAsk ask = {.row = &claim, .measured = s.rows, .n_measured = s.n};
        for (size_t k = 0; k < s.facts.n_gpus; k++)
            ask.gpu = strcmp(s.facts.gpus[k].sku_id, claims[i].gpu) == 0 ? &s.facts.gpus[k] : ask.gpu;
        for (size_t k = 0; k < s.facts.n_models; k++)
            ask.model =
                strcmp(s.facts.models[k].model_id, claims[i].model) == 0 ? &s.facts.models[k] : ask.model;
        ClaimAnswer x;
        if (!claim_check(&s.facts, &ask, &s.arena, &x, &e)) FAIL_("%s", e.text);
        bool named = claims[i].words == NULL;
        for (size_t k = 0; k < x.n_conditions; k++)
            named = named || strstr(x.conditions[k], claims[i].words) != NULL;
        if (x.verdict != claims[i].verdict || !named)
            FAIL_("%s on %s, %g: %s, %s", claims[i].model, claims[i].gpu, claims[i].tokens_per_s,
                  claim_verdict_names[x.verdict], x.n_conditions > 0 ? x.conditions[0] : "");
    }
    close_shipped(&s);
}

static const TestCase tests[] = {
    TEST(nearest_row_is_the_yardstick),
    TEST(harder_rows_settle_nothing),
    TEST(one_shape_counts_for_another),
    TEST(speculation_is_named),
    TEST(estimate_speaks_where_nothing_was_measured),
    TEST(what_was_measured_is_possible),
    TEST(shares_are_those_of_the_rows),
    TEST(the_next_measurement_is_seldom_far_above),
    TEST(known_claims),
};
TEST_MAIN(tests)
