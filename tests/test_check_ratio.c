// src/advise/check of ratios and statements: which runs and prices make a pair, what a verdict rests on, what
// is refused.
#include <math.h>

#include "tests/claim_world.h"

static const Measurement run = CLAIM_ROW("m", 8);

enum { LOADS = 5 };

// MI300X over H100 0.8, 0.9, 1.0, 1.1 and 1.2 at 4, 8, 16, 32 and 64 in flight.
typedef struct Runs {
    World w;
    Measurement rows[2 * LOADS + 2];
    size_t n;
} Runs;

static void make_runs(Runs *r) {
    make(&r->w);
    r->w.facts.models = &r->w.model, r->w.facts.n_models = 1;
    r->n = 2 * LOADS;
    for (int i = 0; i < LOADS; i++) {
        Measurement *a = &r->rows[2 * i], *b = &r->rows[2 * i + 1];
        *a = *b = run;
        a->model = b->model = r->w.model.model_id;
        a->batch_or_concurrency = b->batch_or_concurrency = 4 << i;
        b->gpu_sku = "h100";
        a->output_tokens_per_s = 1000 * (0.8 + 0.1 * i);
        b->input_tokens = 1024;  // as near as harnesses come
    }
    r->w.claim = claim_blank();
    r->w.claim.kind = CLAIM_RATIO;
}

static bool ask(Runs *r, bool gpus, Err *e) {
    World *w = &r->w;
    ClaimAsk a = {.row = &w->claim,
                  .gpu = gpus ? &w->gpus[1] : NULL,
                  .against = gpus ? &w->gpus[0] : NULL,
                  .measured = r->rows,
                  .n_measured = r->n};
    return claim_check(&w->facts, &a, &w->arena, &w->answer, e);
}

static ClaimVerdict verdict(Runs *r, double low, double high) {
    Err e = {0};
    r->w.claim.claimed_low = low, r->w.claim.claimed_high = high;
    if (!ask(r, true, &e)) FAIL_("%s", e.text);
    return r->w.answer.verdict;
}

static void test_the_middle_decides(void) {
    Runs r;
    make_runs(&r);
    const ClaimRatios *x = &r.w.answer.ratios;
    CHECK_INT(verdict(&r, 0.95, 1.05), CLAIM_PLAUSIBLE);
    CHECK_INT(x->n, LOADS);
    CHECK_NEAR(x->median, 1, 1e-12);
    CHECK_NEAR(x->low, 0.84, 1e-9);
    CHECK_NEAR(x->high, 1.16, 1e-9);
    CHECK_NEAR(x->most, 1.2, 1e-12);
    CHECK_INT(x->agree, 1);
    CHECK_INT(verdict(&r, 1.15, 1.3), CLAIM_CONDITIONAL);
    CHECK_INT(x->agree, 1);
    CHECK(has_condition(&r.w, "1 of 5 loads lie within what is claimed: 64 in flight (1 of 1)"));
    CHECK(!has_condition(&r.w, "32 in flight"));
    CHECK_INT(verdict(&r, 1.5, UNKNOWN), CLAIM_CONDITIONAL);  // never seen, and nothing forbids it
    CHECK(has_condition(&r.w, "not seen in 5 loads of the catalog, they run from 0.8 to 1.2"));
    CHECK_INT(verdict(&r, UNKNOWN, 1.5), CLAIM_PLAUSIBLE);
    CHECK_INT(verdict(&r, 500, UNKNOWN), CLAIM_IMPOSSIBLE);
    CHECK_INT(verdict(&r, UNKNOWN, 0.002), CLAIM_IMPOSSIBLE);  // the other side would have to
    arena_free(&r.w.arena);
}

static void test_only_what_is_alike_makes_a_pair(void) {
    Runs r;
    make_runs(&r);
    r.rows[0].held_out = true;
    r.rows[2].grade = "D";
    r.rows[4].precision_weights = "bf16";
    r.rows[6].output_tokens = 200;
    r.rows[8].draft_tokens = "3";
    CHECK_INT(verdict(&r, 0.9, 1.1), CLAIM_CONDITIONAL);
    CHECK_STR(r.w.answer.ratios.basis, "");
    CHECK(has_condition(&r.w, "names no model to estimate"));
    arena_free(&r.w.arena);
    make_runs(&r);
    // a faster run of the same load takes the place of the first
    r.rows[10] = r.rows[0], r.rows[10].output_tokens_per_s = 1300, r.n = 11;
    verdict(&r, 0.9, 1.1);
    CHECK_INT(r.w.answer.ratios.n, LOADS);
    CHECK_NEAR(r.w.answer.ratios.most, 1.3, 1e-12);
    r.rows[10].gpu_count = 4;  // on fewer GPUs: another load
    verdict(&r, 0.9, 1.1);
    CHECK_NEAR(r.w.answer.ratios.most, 1.2, 1e-12);
    r.w.claim.gpus = 4, r.w.claim.against_gpus = 8;  // unless the claim says so
    CHECK_INT(verdict(&r, 1.3, 1.3), CLAIM_PLAUSIBLE);
    CHECK_INT(r.w.answer.ratios.n, 1);
    r.w.claim.batch = 8;
    CHECK_INT(verdict(&r, 1.3, 1.3), CLAIM_CONDITIONAL);
    CHECK_INT(r.w.answer.ratios.n, 0);
    arena_free(&r.w.arena);
}

static void test_engines_on_every_gpu(void) {
    Runs r;
    Err e = {0};
    make_runs(&r);
    for (size_t i = 0; i < r.n; i++) r.rows[i].gpu_sku = i < 4 ? "h100" : "mi300x";
    for (int i = 0; i < LOADS; i++) r.rows[2 * i + 1].engine = "sglang";
    r.rows[9].gpu_sku = "h100";  // of the last load no GPU ran both
    r.w.claim.engine = "vllm", r.w.claim.against_engine = "sglang";
    r.w.claim.claimed_low = 0.9, r.w.claim.claimed_high = 1;
    CHECK(ask(&r, false, &e));
    CHECK_INT(r.w.answer.ratios.n, LOADS - 1);
    CHECK_NEAR(r.w.answer.ratios.median, 0.95, 1e-9);
    CHECK_INT(r.w.answer.verdict, CLAIM_PLAUSIBLE);
    r.w.claim.engine = "nemo";
    CHECK(!ask(&r, false, &e) && strstr(e.text, "an engine 'nemo'") != NULL);
    arena_free(&r.w.arena);
}

static void test_estimates_where_nothing_was_measured(void) {
    Runs r;
    Err e = {0};
    make_runs(&r);
    r.w.claim.weights = DTYPE_FP8, r.w.claim.batch = 64;
    r.w.claim.claimed_low = r.w.claim.claimed_high = 1000;
    ClaimAsk a = {.row = &r.w.claim, .gpu = &r.w.gpus[1], .against = &r.w.gpus[0], .model = &r.w.model};
    CHECK(claim_check(&r.w.facts, &a, &r.w.arena, &r.w.answer, &e));
    const ClaimRatios *x = &r.w.answer.ratios;
    CHECK_STR(x->basis, "estimate");
    CHECK(x->low < x->median && x->median < x->high);
    CHECK_INT(r.w.answer.verdict, CLAIM_CONDITIONAL);
    r.w.claim.claimed_low = r.w.claim.claimed_high = x->low * 1.01;
    CHECK(claim_check(&r.w.facts, &a, &r.w.arena, &r.w.answer, &e));
    CHECK_INT(r.w.answer.verdict, CLAIM_PLAUSIBLE);
    arena_free(&r.w.arena);
}

static void test_prices_and_costs(void) {
    Runs r;
    make_runs(&r);
    Offer offers[] = {{.provider = "a", .sku_id = "mi300x", .gpu_count = 8, .price_micro_usd_h = 16000000},
                      {.provider = "a", .sku_id = "h100", .gpu_count = UNKNOWN, .price_micro_usd_h = 4000000},
                      {.provider = "a", .sku_id = "h100", .gpu_count = 1, .price_micro_usd_h = 5000000},
                      {.provider = "b", .sku_id = "mi300x", .gpu_count = 1, .price_micro_usd_h = 3000000},
                      {.provider = "b",
                       .sku_id = "h100",
                       .gpu_count = 1,
                       .pricing_model = PRICING_SPOT,
                       .price_micro_usd_h = 1000000}};
    r.w.facts.offers = offers, r.w.facts.n_offers = COUNT_OF(offers);
    r.w.claim.compares = COMPARED_PRICE;
    CHECK_INT(verdict(&r, 0.45, 0.55), CLAIM_PLAUSIBLE);  // $2 over $4 at the only seller of both
    CHECK_INT(r.w.answer.ratios.n, 1);
    CHECK_NEAR(r.w.answer.ratios.median, 0.5, 1e-12);
    CHECK(strstr(r.w.answer.arithmetic, "$2.50 (2 sellers) and $4.00 (1 seller)") != NULL);
    r.w.claim.compares = COMPARED_COST;
    CHECK_INT(verdict(&r, 0.6, 0.65), CLAIM_PLAUSIBLE);  // 2.5 / 4 at the same speed
    CHECK_NEAR(r.w.answer.ratios.median, 0.625, 1e-12);
    CHECK_NEAR(r.w.answer.ratios.least, 0.625 / 1.2, 1e-12);
    arena_free(&r.w.arena);
}

static void test_memory_and_all_reduce(void) {
    Runs r;
    Err e = {0};
    make_runs(&r);
    r.w.claim.compares = COMPARED_MEMORY;
    r.w.claim.gpus = 1, r.w.claim.against_gpus = 2;
    CHECK_INT(verdict(&r, 1, UNKNOWN), CLAIM_PLAUSIBLE);  // 192 GB and twice 80
    r.w.claim.against_gpus = 3;
    CHECK_INT(verdict(&r, 1, UNKNOWN), CLAIM_IMPOSSIBLE);
    r.w.claim.compares = COMPARED_ALL_REDUCE;
    r.w.claim.gpus = 8, r.w.claim.against_gpus = UNKNOWN;
    r.w.claim.claimed_low = r.w.claim.claimed_high = 0.7;
    HealthyGpu healthy[] = {
        {.sku_id = "mi300x", .test = "all-reduce-large", .gpu_count = 8, .median_gb_s = 315},
        {.sku_id = "h100", .test = "all-reduce-large", .gpu_count = 8, .median_gb_s = 450},
        {.sku_id = "h100", .test = "all-reduce-large", .gpu_count = 4, .median_gb_s = 100}};
    ClaimAsk a = {.row = &r.w.claim,
                  .gpu = &r.w.gpus[1],
                  .against = &r.w.gpus[0],
                  .healthy = healthy,
                  .n_healthy = COUNT_OF(healthy)};
    CHECK(claim_check(&r.w.facts, &a, &r.w.arena, &r.w.answer, &e));
    CHECK_INT(r.w.answer.verdict, CLAIM_PLAUSIBLE);
    CHECK_NEAR(r.w.answer.ratios.median, 0.7, 1e-12);
    a.healthy++, a.n_healthy -= 2;  // one side only
    CHECK(claim_check(&r.w.facts, &a, &r.w.arena, &r.w.answer, &e));
    CHECK_INT(r.w.answer.verdict, CLAIM_CONDITIONAL);
    CHECK(strcmp(r.w.answer.ratios.basis, "measured") != 0);
    arena_free(&r.w.arena);
}

static void test_statements_are_counted(void) {
    World w;
    Err e = {0};
    make(&w);
    const CudaName names[] = {{.kind = "function", .hip_name = "a", .hip_removed = ""},
                              {.kind = "function", .hip_name = "", .hip_removed = ""},
                              {.kind = "enum", .hip_name = "b", .hip_removed = "6.0"},
                              {.kind = "enum", .hip_name = "c", .hip_removed = ""}};
    const Port ports[] = {{.author_days = 21, .squashed = "no"},
                          {.author_days = 100, .squashed = "no"},
                          {.author_days = 1, .squashed = "yes"},
                          {.author_days = UNKNOWN, .squashed = "no"},
                          {.author_days = 90, .squashed = "no", .scope = SCOPE_UPKEEP}};
    const Constant days = {.name = "working_days_month", .value = 21};
    w.facts.constants = &days, w.facts.n_constants = 1;
    PortingFacts porting = {
        .names = names, .n_names = COUNT_OF(names), .ports = ports, .n_ports = COUNT_OF(ports)};
    w.claim = claim_blank();
    w.claim.kind = CLAIM_STATEMENT, w.claim.subject = "cuda-names",
    w.claim.claimed_low = w.claim.claimed_high = 0.8;
    ClaimAsk a = {.row = &w.claim, .porting = &porting};
    CHECK(claim_check(&w.facts, &a, &w.arena, &w.answer, &e));
    CHECK_INT(w.answer.verdict, CLAIM_CONDITIONAL);
    CHECK_NEAR(w.answer.count.share, 0.5, 1e-12);
    CHECK(strstr(w.answer.arithmetic, "80 % claimed") != NULL);
    w.claim.claimed_high = 3;
    CHECK(!claim_check(&w.facts, &a, &w.arena, &w.answer, &e) &&
          strstr(e.text, "a share between 0 and 1") != NULL);
    w.claim.subject = "ports", w.claim.claimed_low = 3, w.claim.claimed_high = 6;
    CHECK(claim_check(&w.facts, &a, &w.arena, &w.answer, &e));
    CHECK_NEAR(w.answer.count.part, 1, 0);
    CHECK_NEAR(w.answer.count.all, 2, 0);
    w.claim.subject = "", w.claim.claimed_low = w.claim.claimed_high = UNKNOWN;
    CHECK(claim_check(&w.facts, &a, &w.arena, &w.answer, &e));
    CHECK(w.answer.verdict == CLAIM_CONDITIONAL && w.answer.count.name[0] == '\0');
    w.claim.subject = "papers";
    CHECK(!claim_check(&w.facts, &a, &w.arena, &w.answer, &e) && strstr(e.text, "'papers'") != NULL);
    arena_free(&w.arena);
}

static const TestCase tests[] = {
    TEST(the_middle_decides),     TEST(only_what_is_alike_makes_a_pair),
    TEST(engines_on_every_gpu),   TEST(estimates_where_nothing_was_measured),
    TEST(prices_and_costs),       TEST(memory_and_all_reduce),
    TEST(statements_are_counted),
};
TEST_MAIN(tests)
