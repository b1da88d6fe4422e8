// src/perf: runs of the user's own move what is estimated of their configuration and its kin, as far as they
// bear out, and nothing else.
#include "src/fit/suspect.h"
#include "tests/posterior_world.h"

// ---------------------------------------------------------------- mistakes of an import

static JudgedRun judged(World *w, const OwnRun *run) {
    JudgedRun *j = arena_alloc(&w->arena, 1, sizeof *j);
    judge_runs(&w->facts, run, 1, 20786, &w->arena, j);  // 2026-11-29
    return *j;
}

typedef void (*Mistake)(OwnRun *r);

static void seconds_for_ms(OwnRun *r) { r->m.ttft_ms /= 1000, r->m.tpot_ms /= 1000, r->m.e2e_ms /= 1000; }
static void tpot_in_seconds(OwnRun *r) {
    r->m.tpot_ms /= 1000, r->m.e2e_ms = UNKNOWN, r->m.ttft_ms = UNKNOWN;
}
static void ns_for_ms(OwnRun *r) { r->m.tpot_ms *= 1e6, r->m.e2e_ms = UNKNOWN; }
static void all_tokens(OwnRun *r) {
    r->m.output_tokens_per_s *= (r->m.input_tokens + r->m.output_tokens) / r->m.output_tokens;
    r->requests_per_s = UNKNOWN;
}
static void eight_called_one(OwnRun *r) { r->m.gpu_count = r->m.tp = 1; }
static void one_gpu_of_all(OwnRun *r) {
    r->m.output_tokens_per_s /= r->m.gpu_count;
    r->requests_per_s = r->m.e2e_ms = r->m.tpot_ms = r->m.ttft_ms = UNKNOWN;
}
static void an_a100(OwnRun *r) { r->m.gpu_sku = "a100-sxm4-80gb"; }
static void a_b200(OwnRun *r) { r->m.gpu_sku = "b200-sxm6-180gb"; }
static void requests_for_tokens(OwnRun *r) {
    r->m.output_tokens_per_s /= r->m.output_tokens;
    r->requests_per_s = UNKNOWN;
}
static void warm_up(OwnRun *r) {
    r->m.output_tokens_per_s /= 5;
    r->requests_per_s /= 5;
    r->m.e2e_ms = r->m.tpot_ms = r->m.ttft_ms = UNKNOWN;
    r->seconds = 20, r->flags = RUN_SHORT;
}

static void test_mistakes_of_an_import_are_found(void) {
    static const struct {
        const char *gpu;
        double gpus;
        const char *model, *weights;
        double isl, osl, load;
        Mistake mistake;
        const char *says;  // in the reason
    } cases[] = {
        {"h100-sxm5-80gb", 8, "llama-3.1-70b", "fp8", 1024, 1024, 64, seconds_for_ms, "milliseconds"},
        {"mi300x-192gb", 1, "llama-3.1-8b", "bf16", 1024, 256, 16, tpot_in_seconds, "milliseconds"},
        {"h200-sxm5-141gb", 1, "llama-3.1-8b", "bf16", 512, 512, 8, ns_for_ms, "milliseconds"},
        {"h100-sxm5-80gb", 4, "llama-3.1-70b", "fp8", 2048, 256, 32, all_tokens, "alone"},
        {"h100-sxm5-80gb", 2, "llama-3.1-8b", "bf16", 1024, 1024, 64, all_tokens, "alone"},
        {"mi300x-192gb", 8, "llama-3.1-70b", "fp8", 1024, 1024, 256, eight_called_one, "GPU"},
        {"h100-sxm5-80gb", 8, "llama-3.1-405b", "fp8", 1024, 1024, 32, eight_called_one, "fit"},
        {"mi325x-256gb", 8, "llama-3.1-70b", "bf16", 1024, 512, 64, one_gpu_of_all, "GPU"},
        {"b200-sxm6-180gb", 1, "llama-3.1-8b", "bf16", 1024, 512, 128, an_a100, "GPU"},
        {"l4-24gb", 1, "llama-3.1-8b", "bf16", 512, 256, 8, a_b200, "suit"},
        {"h100-sxm5-80gb", 1, "llama-3.1-8b", "bf16", 1024, 512, 32, requests_for_tokens, "requests/s"},
        {"h100-sxm5-80gb", 2, "llama-3.1-70b", "fp8", 1024, 512, 32, warm_up, "warm-up"},
    };
    World w;
    open_world(&w);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        OwnRun r = honest_run(&w, cases[i].gpu, cases[i].gpus, cases[i].model, cases[i].weights, cases[i].isl,
                              cases[i].osl, cases[i].load);
        JudgedRun good = judged(&w, &r);
        if (!good.counts || good.doubt[0] != '\0')
            FAIL_("case %zu: %s%s%s", i, good.wrong, good.doubt, good.idle);
        cases[i].mistake(&r);
        JudgedRun bad = judged(&w, &r);
        if (bad.wrong[0] == '\0' && bad.doubt[0] == '\0') FAIL_("case %zu: nothing found", i);
        if (strstr(bad.wrong, cases[i].says) == NULL && strstr(bad.doubt, cases[i].says) == NULL)
            FAIL_("case %zu: no '%s' in: %s%s", i, cases[i].says, bad.wrong, bad.doubt);
    }
    close_world(&w);
}

// ---------------------------------------------------------------- what they move

// Three runs of Llama 70B on H100s that take `slower` times what is predicted.
static void measure(World *w, double slower, OwnRun runs[3]) {
    static const double loads[] = {8, 32, 128};
    for (int i = 0; i < 3; i++) {
        runs[i] = honest_run(w, "h100-sxm5-80gb", 4, "llama-3.1-70b", "fp8", 1024, 512, loads[i]);
        Measurement *m = &runs[i].m;
        double times = slower / 1.07;
        m->output_tokens_per_s /= times, runs[i].requests_per_s /= times;
        m->ttft_ms *= times, m->tpot_ms *= times, m->e2e_ms *= times;
        runs[i].id = i + 1;
    }
    JudgedRun *judged_runs = arena_alloc(&w->arena, 3, sizeof *judged_runs);
    judge_runs(&w->facts, runs, 3, 20786, &w->arena, judged_runs);
    w->facts.own = posterior_of_runs(&w->facts, judged_runs, 3, NULL, &w->arena);
}

// What the runs make of the time of a request, as a factor.
static double slower_by(const World *w, const char *gpu, const char *model, const char *engine, int tp,
                        Dtype weights, double load) {
    return ask(w, gpu, model, engine, tp, weights, load, true).point.e2e_s /
           ask(w, gpu, model, engine, tp, weights, load, false).point.e2e_s;
}

static void test_runs_move_their_configuration_then_kin_and_nothing_else(void) {
    World w;
    OwnRun runs[3];
    open_world(&w);
    measure(&w, 1.3, runs);
    CHECK(w.facts.own != NULL && w.facts.own->n == 3);
    double own[] = {8, 32, 64, 128, 200};
    for (size_t i = 0; i < COUNT_OF(own); i++) {
        Asked a = ask(&w, "h100-sxm5-80gb", "llama-3.1-70b", "vllm", 4, DTYPE_FP8, own[i], true);
        CHECK_NEAR(slower_by(&w, "h100-sxm5-80gb", "llama-3.1-70b", "vllm", 4, DTYPE_FP8, own[i]), 1.3, 0.03);
        CHECK_INT(a.serving.basis, BASIS_MEASURED);
        CHECK(a.serving.sigma_log <= fmin(a.serving.sigma_alone * 0.6, 0.14));
    }
    // Far from the loads that were measured the range is wider again.
    Asked near = ask(&w, "h100-sxm5-80gb", "llama-3.1-70b", "vllm", 4, DTYPE_FP8, 32, true);
    Asked far = ask(&w, "h100-sxm5-80gb", "llama-3.1-70b", "vllm", 4, DTYPE_FP8, 1, true);
    CHECK(far.serving.sigma_log >= near.serving.sigma_log);
    // Kin moves less, the less alike it is.
    double layout = slower_by(&w, "h100-sxm5-80gb", "llama-3.1-70b", "vllm", 8, DTYPE_FP8, 32);
    double class = slower_by(&w, "h100-sxm5-80gb", "llama-3.1-70b", "vllm", 4, DTYPE_BF16, 32);
    double engine = slower_by(&w, "h100-sxm5-80gb", "llama-3.1-70b", "sglang", 4, DTYPE_FP8, 32);
    double model = slower_by(&w, "h100-sxm5-80gb", "qwen2.5-72b", "vllm", 4, DTYPE_FP8, 32);
    CHECK(1.3 > layout && layout > class && class > engine && engine > model && model > 1);
    CHECK(model < 1.05);
    CHECK_INT(ask(&w, "h100-sxm5-80gb", "llama-3.1-70b", "sglang", 4, DTYPE_FP8, 32, true).serving.basis,
              BASIS_INFORMED);
    // Another GPU does by what one hand's two sides have in common, not with another model.
    double other = slower_by(&w, "mi300x-192gb", "llama-3.1-70b", "vllm", 4, DTYPE_FP8, 32);
    CHECK(layout > other &&
          other > slower_by(&w, "mi300x-192gb", "llama-3.1-70b", "sglang", 4, DTYPE_FP8, 32));
    CHECK(other > 1.05);
    CHECK_INT(ask(&w, "mi300x-192gb", "llama-3.1-70b", "vllm", 4, DTYPE_FP8, 32, true).serving.basis,
              BASIS_INFORMED);
    CHECK_NEAR(slower_by(&w, "mi300x-192gb", "qwen2.5-72b", "vllm", 4, DTYPE_FP8, 32), 1, 1e-12);
    close_world(&w);
}

static void test_nothing_is_faster_than_the_datasheet(void) {
    World w;
    OwnRun runs[3];
    open_world(&w);
    measure(&w, 0.5, runs);
    for (double load = 1; load <= 256; load *= 2) {
        Asked a = ask(&w, "h100-sxm5-80gb", "llama-3.1-70b", "vllm", 4, DTYPE_FP8, load, true);
        CHECK(a.point.output_tokens_s <= serving_bound(&a.serving, a.point.running) * (1 + 1e-9));
        CHECK(a.point.tpot_s >= 1 / serving_user_bound(&a.serving, a.point.running) * (1 - 1e-9));
        double sum = 0;
        for (int i = 0; i < TIME_COUNT; i++) sum += a.point.item_s[i];
        CHECK(sum <= a.point.e2e_s / 512 * (1 + 1e-9) && a.point.ttft_s <= a.point.e2e_s);
    }
    close_world(&w);
}

static void test_a_short_or_old_run_counts_less(void) {
    World w;
    OwnRun runs[3];
    open_world(&w);
    measure(&w, 1.3, runs);
    double good = slower_by(&w, "h100-sxm5-80gb", "llama-3.1-70b", "vllm", 4, DTYPE_FP8, 32);
    for (int flagged = 0; flagged < 2; flagged++) {
        JudgedRun judged_runs[3];
        for (int i = 0; i < 3; i++) {
            runs[i].flags = flagged ? RUN_SHORT : 0;
            runs[i].ran_at = flagged ? "2026-11-20" : "2023-11-20";
        }
        judge_runs(&w.facts, runs, 3, 20786, &w.arena, judged_runs);
        w.facts.own = posterior_of_runs(&w.facts, judged_runs, 3, NULL, &w.arena);
        double less = slower_by(&w, "h100-sxm5-80gb", "llama-3.1-70b", "vllm", 4, DTYPE_FP8, 32);
        CHECK(less < good && less > 1.05);
    }
    close_world(&w);
}

// Each run's part, added up, is the whole.
static void test_parts_add_up_to_what_is_moved(void) {
    World w;
    OwnRun runs[3];
    open_world(&w);
    measure(&w, 1.3, runs);
    Asked a = ask(&w, "h100-sxm5-80gb", "llama-3.1-70b", "vllm", 4, DTYPE_FP8, 64, true);
    PosteriorMove moves[8];
    size_t n = posterior_moves(&a.serving, 64, moves, COUNT_OF(moves));
    CHECK_INT(n, 3);
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += moves[i].moved;
    CHECK_NEAR(exp(sum), slower_by(&w, "h100-sxm5-80gb", "llama-3.1-70b", "vllm", 4, DTYPE_FP8, 64), 1e-9);
    CHECK(fabs(moves[0].moved) >= fabs(moves[1].moved));
    close_world(&w);
}

// The most useful are kept of more runs than are solved together.
static void test_of_many_runs_those_of_the_model_and_the_newest_count(void) {
    World w;
    open_world(&w);
    enum { MANY = 200 };
    PosteriorRow *rows = arena_alloc(&w.arena, MANY, sizeof *rows);
    OwnRun *runs = arena_alloc(&w.arena, MANY, sizeof *runs);
    const Model *models[2] = {NULL, NULL};
    for (size_t i = 0; i < MANY; i++) {
        const char *model = i % 4 == 0 ? "llama-3.1-70b" : "llama-3.1-8b";
        runs[i] = honest_run(&w, "h100-sxm5-80gb", 4, model, "fp8", 1024, 512, (double)(1 + i));
        runs[i].id = (int64_t)i;
        runs[i].ran_at = arena_printf(&w.arena, "2026-%02zu-01", 1 + i / 20);
        Prediction p;
        CHECK(posterior_row(&w.facts, &runs[i], 20786, &p, &rows[i]));
        models[i % 4 == 0] = p.model;
    }
    const Posterior *all = posterior_of(&w.facts, rows, MANY, models[1], &w.arena);
    CHECK_INT(all->n, POSTERIOR_ROWS_MAX);
    CHECK_INT(all->left_out, MANY - POSTERIOR_ROWS_MAX);
    for (size_t i = 0; i < POSTERIOR_ROWS_MAX; i++) {
        CHECK_STR(all->rows[i].place.model->model_id, i < 50 ? "llama-3.1-70b" : "llama-3.1-8b");
        if (i > 50) CHECK(strcmp(all->rows[i].run->ran_at, all->rows[i - 1].run->ran_at) <= 0);
    }
    close_world(&w);
}

static const TestCase tests[] = {
    TEST(mistakes_of_an_import_are_found),      TEST(runs_move_their_configuration_then_kin_and_nothing_else),
    TEST(nothing_is_faster_than_the_datasheet), TEST(a_short_or_old_run_counts_less),
    TEST(parts_add_up_to_what_is_moved),        TEST(of_many_runs_those_of_the_model_and_the_newest_count),
};
TEST_MAIN(tests)
