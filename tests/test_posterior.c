// src/perf: runs of the user's own move what is estimated of their configuration and its kin, as far as they
// bear out, and nothing else.
#include "src/perf/posterior.h"

#include <stdlib.h>
#include <string.h>

#include "catalog/facts/catalog.h"
#include "src/fit/calibrate.h"
#include "src/fit/suspect.h"
#include "tests/check.h"
#include "tests/fixture.h"

// ---------------------------------------------------------------- groups of public rows as own ones

enum { OWN = 3, ROWS_MAX = 8000 };

typedef struct World {
    Arena arena;
    Catalog *catalog;
    Facts facts;
    FitRow *rows;
    size_t n;
    LeftOut left;
} World;

static void open_world(World *w) {
    Err e = {0};
    const char *warning = "";
    *w = (World){0};
    if (!catalog_open(&(CatalogOptions){NULL, "data"}, &w->arena, &w->catalog, &warning, &e) ||
        !catalog_facts(w->catalog, &w->arena, &w->facts, &e))
        FAIL_("%s", e.text);
}

// All public rows, each predicted with the rows of its publisher, GPU and model left out of the fit.
static void fit_world(World *w) {
    Err e = {0};
    void *rows = NULL;
    size_t n = 0;
    if (!catalog_rows(w->catalog, TABLE_MEASUREMENTS, &w->arena, &rows, &n, &e)) FAIL_("%s", e.text);
    Measurement *m = rows;
    for (size_t i = 0; i < n; i++)
        m[i].source = arena_printf(&w->arena, "%s|%s|%s", m[i].submitter, m[i].gpu_sku, m[i].model);
    FitRow *fit = NULL;
    Efficiency *table = NULL;
    size_t n_fit = fit_rows(&w->facts, m, n, LEAVE_OUT_SOURCE, &w->arena, &fit);
    calibrate(&(CalibrateWant){fit, n_fit, &w->facts, NULL, ""}, &w->arena, &table, &w->left);
    w->rows = fit, w->n = n_fit;
}

static void close_world(World *w) {
    catalog_close(w->catalog);
    arena_free(&w->arena);
}

static bool counts(const World *w, size_t i) {
    const FitRow *r = &w->rows[i];
    Check check;
    check_row(r->row, &r->prediction, &check);
    bool graded = strcmp(r->row->grade, "A") == 0 || strcmp(r->row->grade, "B") == 0;
    return graded && !check.special && strcmp(r->prediction.unit, "output") == 0 &&
           is_known(w->left.errors[i]);
}

// A row as one of the user's, as far off as it was with its group left out.
static PosteriorRow own_row(const World *w, size_t i, const OwnRun *run) {
    const FitRow *r = &w->rows[i];
    bool decodes = r->prediction.serving.osl > 64;
    return (PosteriorRow){
        .run = run,
        .place = serving_place(&r->prediction.serving, r->prediction.point.running),
        .off = {[RESPONSE_RATE] = w->left.errors[i],
                [RESPONSE_TPOT] = decodes ? r->measured_tpot - w->left.tpots[i] : (double)NAN,
                [RESPONSE_TTFT] = r->measured_ttft - w->left.ttfts[i]}};
}

static unsigned hash_of(const char *text) {
    unsigned h = 2166136261u;
    for (const char *c = text; *c != '\0'; c++) h = (h ^ (unsigned char)*c) * 16777619u;
    for (int i = 0; i < 2; i++) h = (h ^ h >> 15) * 0x85ebca6bu;  // ids differ in their last digit only
    return h ^ h >> 16;
}

typedef struct Errors {
    double before[ROWS_MAX], after[ROWS_MAX];
    size_t n, inside, inside_before;
} Errors;

static int by_value(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(double *x, size_t n) {
    qsort(x, n, sizeof *x, by_value);
    return n > 0 ? x[n / 2] : (double)NAN;
}

// Which of a group's rows are the user's own: any three, or those of the lowest, a middle and the highest load.
enum { BY_LOAD = -1, BY_PLAN = -2 };  // else the number of a lot

typedef struct Key {
    double value;
    const char *id;
    size_t row;
} Key;

static int by_key(const void *left, const void *right) {
    const Key *a = left, *b = right;
    return a->value != b->value ? (a->value > b->value) - (a->value < b->value) : strcmp(a->id, b->id);
}

// Puts the rows that are the user's own before the others.
static void draw(World *w, size_t *of, size_t n, int lot) {
    Key *keys = arena_alloc(&w->arena, n, sizeof *keys);
    for (size_t i = 0; i < n; i++) {
        const FitRow *r = &w->rows[of[i]];
        const char *lots = arena_printf(&w->arena, "%d %s", lot, r->row->id);
        keys[i] =
            (Key){lot == BY_LOAD ? r->prediction.point.running : (double)hash_of(lots), r->row->id, of[i]};
    }
    qsort(keys, n, sizeof *keys, by_key);
    size_t first = lot == BY_LOAD ? n / 2 : 1, last = lot == BY_LOAD ? n - 1 : 2, at = OWN;
    of[0] = keys[0].row, of[1] = keys[first].row, of[2] = keys[last].row;
    for (size_t i = 1; i < n; i++) {
        if (i != first && i != last) of[at++] = keys[i].row;
    }
}

// Puts those before the others that leave least doubt of all, asked before anything is measured.
static void plan(World *w, size_t *of, size_t n) {
    OwnRun run = own_run_blank();
    PosteriorRow rows[OWN];
    for (size_t own = 0; own < OWN; own++) {
        size_t best = own;
        double least = INFINITY;
        for (size_t i = own; i < n; i++) {
            rows[own] = own_row(w, of[i], &run);
            const struct Posteriors *p = posteriors_of(rows, own + 1, NULL, &w->arena);
            double doubt = 0;
            for (size_t k = 0; k < n; k++) {
                Place place = own_row(w, of[k], &run).place;
                doubt += posterior_left(&p->of[0], &place, RESPONSE_RATE);
            }
            if (doubt < least) least = doubt, best = i;
        }
        size_t kept = of[best];
        of[best] = of[own], of[own] = kept;
        rows[own] = own_row(w, kept, &run);
    }
}

static void try_group(World *w, const size_t *of, size_t n, Errors *e) {
    double wrong = log(constant_of(&w->facts, CONSTANT_OWN_WRONG_FACTOR));
    OwnRun run = own_run_blank();
    PosteriorRow rows[OWN];
    size_t own = 0;
    for (size_t i = 0; i < OWN; i++) {
        PosteriorRow r = own_row(w, of[i], &run);
        if (fabs(r.off[RESPONSE_RATE]) <= wrong + Z80 * w->left.sigmas[of[i]]) rows[own++] = r;
    }
    const struct Posteriors *p = posteriors_of(rows, own, NULL, &w->arena);
    for (size_t i = OWN; i < n; i++) {
        PosteriorRow r = own_row(w, of[i], &run);
        double means[RESPONSE_COUNT] = {0}, left = 1, sigma = w->left.sigmas[of[i]];
        if (p->n > 0) {
            posterior_means(&p->of[0], &r.place, means);
            left = posterior_left(&p->of[0], &r.place, RESPONSE_RATE);
        }
        double rest = r.off[RESPONSE_RATE] - means[RESPONSE_RATE];
        double narrow = posterior_sigma(&w->facts, sigma, left);
        e->inside_before += fabs(r.off[RESPONSE_RATE]) <= Z80 * sigma;
        e->inside += fabs(rest) <= Z80 * narrow;
        e->before[e->n] = fabs(expm1(r.off[RESPONSE_RATE]));
        e->after[e->n++] = fabs(expm1(rest));
    }
}

// Of the groups, by the hash of their name: docs/own-runs.md says which constants were chosen on the even half.
typedef enum Half { HALF_EVEN, HALF_ODD, HALF_BOTH } Half;

// Every group of a publisher's rows of one GPU and model that has more than three.
static void try_groups(World *w, int lot, Half half, Errors *e) {
    bool *done = arena_alloc(&w->arena, w->n + 1, sizeof *done);
    size_t *of = arena_alloc(&w->arena, w->n + 1, sizeof *of);
    for (size_t i = 0; i < w->n; i++) {
        if (done[i] || !counts(w, i)) continue;
        size_t n = 0;
        for (size_t k = i; k < w->n; k++) {
            if (w->rows[k].part != w->rows[i].part || !counts(w, k)) continue;
            of[n++] = k;
            done[k] = true;
        }
        if (n <= OWN || (half != HALF_BOTH && hash_of(w->rows[i].row->source) % 2 != (unsigned)half))
            continue;
        draw(w, of, n, lot);
        if (lot == BY_PLAN) plan(w, of, n);
        try_group(w, of, n, e);
    }
}

// What is left of the median error, and the share of rows in their range, are held to limits: those of the half
// that chose no constant of the throughput too.
static void hold(const char *what, Errors *e, bool whole, double left_most) {
    double before = median(e->before, e->n), after = median(e->after, e->n);
    double inside = 100.0 * (double)e->inside / (double)e->n;
    printf("%s: %zu rows, median error %.1f %% -> %.1f %% (%.2f), in the range %.1f %% -> %.1f %%\n", what,
           e->n, 100 * before, 100 * after, after / before, 100.0 * (double)e->inside_before / (double)e->n,
           inside);
    CHECK(e->n > (whole ? 500 : 200));
    CHECK(after / before <= left_most);
    CHECK(inside >= (whole ? 75 : 70) && inside <= (whole ? 88 : 95));
}

static Errors *errors_of(World *w, int lot, int lots, Half half) {
    Errors *e = arena_alloc(&w->arena, 1, sizeof *e);
    for (int i = 0; i < lots; i++) try_groups(w, lot + i, half, e);
    return e;
}

static void test_three_own_rows_lower_the_error_of_the_rest(void) {
    World w;
    open_world(&w);
    fit_world(&w);
    static const struct {
        const char *what;
        int lot, lots;
        double left_most, left_most_unused;  // of the median error: over all groups, over the odd half
    } draws[] = {{"runs that were planned", BY_PLAN, 1, 2.0 / 3, 0.78},
                 {"lowest, middle, highest load", BY_LOAD, 1, 0.69, 0.75},
                 {"any three", 0, 5, 0.72, 0.81}};
    for (size_t i = 0; i < COUNT_OF(draws); i++) {
        hold(draws[i].what, errors_of(&w, draws[i].lot, draws[i].lots, HALF_BOTH), true, draws[i].left_most);
        hold("  even half", errors_of(&w, draws[i].lot, draws[i].lots, HALF_EVEN), false, draws[i].left_most);
        hold("  odd half", errors_of(&w, draws[i].lot, draws[i].lots, HALF_ODD), false,
             draws[i].left_most_unused);
    }
    close_world(&w);
}

// ---------------------------------------------------------------- mistakes of an import

// A run of `gpus` x `gpu` that goes as predicted, 7 % slower.
static OwnRun honest_run(World *w, const char *gpu, double gpus, const char *model, const char *weights,
                         double isl, double osl, double load) {
    OwnRun r = own_run_blank();
    Measurement *m = &r.m;
    m->id = "own:test", m->gpu_sku = gpu, m->gpu_count = m->tp = gpus, m->model = model;
    m->precision_weights = weights, m->engine = "vllm", m->scenario = "fixed-concurrency",
    m->task = "serving";
    m->grade = "A", m->run_class = "independent", m->date = "2026-09-01";
    m->input_tokens = isl, m->output_tokens = osl, m->batch_or_concurrency = load;
    r.identity = "test", r.ran_at = "2026-11-20", r.seconds = 300;
    Prediction p;
    predict(&w->facts, m, &p);
    if (p.not_predicted != NULL) FAIL_("%s", p.not_predicted);
    m->output_tokens_per_s = p.rate / 1.07;
    m->ttft_ms = p.ttft_s * 1070, m->tpot_ms = p.tpot_s * 1070, m->e2e_ms = p.point.e2e_s * 1070;
    r.requests_per_s = m->output_tokens_per_s / osl;
    return r;
}

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
    w->facts.own = posteriors_of_runs(judged_runs, 3, NULL, &w->arena);
}

typedef struct Asked {
    Serving serving;
    Point point;
} Asked;

static Asked ask(const World *w, const char *gpu, const char *model, const char *engine, int tp,
                 Dtype weights, double load, bool own) {
    Facts facts = w->facts;
    if (!own) facts.own = NULL;
    ServingWant want = {.engine = engine,
                        .layout = {tp, 1, 1, 1},
                        .weights = weights,
                        .kv = DTYPE_BF16,
                        .isl = 1024,
                        .osl = 512};
    for (size_t i = 0; i < facts.n_gpus; i++) {
        if (strcmp(facts.gpus[i].sku_id, gpu) == 0) want.gpu = &facts.gpus[i];
    }
    for (size_t i = 0; i < facts.n_models; i++) {
        if (strcmp(facts.models[i].model_id, model) == 0) want.model = &facts.models[i];
    }
    Asked a;
    CHECK_INT(serving_resolve(&facts, &want, &a.serving), SERVE_OK);
    a.point = serving_at(&a.serving, load);
    posterior_at(&facts, load, &a.serving);
    return a;
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
    CHECK(w.facts.own != NULL && w.facts.own->n == 1 && w.facts.own->of[0].n == 3);
    double own[] = {8, 32, 64, 128, 200};
    for (size_t i = 0; i < COUNT_OF(own); i++) {
        Asked a = ask(&w, "h100-sxm5-80gb", "llama-3.1-70b", "vllm", 4, DTYPE_FP8, own[i], true);
        CHECK_NEAR(slower_by(&w, "h100-sxm5-80gb", "llama-3.1-70b", "vllm", 4, DTYPE_FP8, own[i]), 1.3, 0.03);
        CHECK_INT(a.serving.basis, BASIS_MEASURED);
        CHECK(a.serving.sigma_log <= fmin(a.serving.sigma_alone / 2, 0.14));
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
    // Other GPUs do not.
    CHECK_NEAR(slower_by(&w, "mi300x-192gb", "llama-3.1-70b", "vllm", 4, DTYPE_FP8, 32), 1, 1e-12);
    CHECK_NEAR(slower_by(&w, "h200-sxm5-141gb", "llama-3.1-70b", "vllm", 4, DTYPE_FP8, 32), 1, 1e-12);
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
        w.facts.own = posteriors_of_runs(judged_runs, 3, NULL, &w.arena);
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
    const struct Posteriors *all = posteriors_of(rows, MANY, models[1], &w.arena);
    CHECK_INT(all->n, 1);
    CHECK_INT(all->of[0].n, POSTERIOR_ROWS_MAX);
    CHECK_INT(all->of[0].left_out, MANY - POSTERIOR_ROWS_MAX);
    for (size_t i = 0; i < POSTERIOR_ROWS_MAX; i++) {
        CHECK_STR(all->of[0].rows[i].place.model->model_id, i < 50 ? "llama-3.1-70b" : "llama-3.1-8b");
        if (i > 50) CHECK(strcmp(all->of[0].rows[i].run->ran_at, all->of[0].rows[i - 1].run->ran_at) <= 0);
    }
    close_world(&w);
}

static const TestCase tests[] = {
    TEST(three_own_rows_lower_the_error_of_the_rest),
    TEST(mistakes_of_an_import_are_found),
    TEST(runs_move_their_configuration_then_kin_and_nothing_else),
    TEST(nothing_is_faster_than_the_datasheet),
    TEST(a_short_or_old_run_counts_less),
    TEST(parts_add_up_to_what_is_moved),
    TEST(of_many_runs_those_of_the_model_and_the_newest_count),
};
TEST_MAIN(tests)
