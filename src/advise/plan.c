// The smallest set of runs that would settle a verdict.
#include "src/advise/plan.h"

#include <math.h>
#include <string.h>

#include "src/fit/suspect.h"

enum { SHARES = 3, RUNS_LEAST = 2 };
static const double shares[SHARES] = {1, 0.25, 4};

// What a side's best would be left with, with runs at some shares of its load beside those that are there.
typedef struct Side {
    const Option *option;
    bool planned[SHARES];
} Side;

// A run of today that went as expected, at a share of the load.
static PosteriorRow run_at(const Option *o, double share, const OwnRun *blank) {
    double running = fmax(fmin(o->point.running * share, o->serving.sequences_max), 1);
    PosteriorRow r = {.run = blank, .place = serving_place(&o->serving, running)};
    return r;
}

// The posterior with the planned runs of both sides beside those that are there; NULL: there are none.
static const Posterior *posterior_with(const Facts *f, const Side sides[VENDOR_COUNT], Arena *a) {
    OwnRun *blank = arena_alloc(a, 1, sizeof *blank);
    *blank = own_run_blank();
    size_t known = f->own != NULL ? f->own->n : 0, n = 0;
    PosteriorRow *rows = arena_alloc(a, known + (size_t)VENDOR_COUNT * SHARES + 1, sizeof *rows);
    for (int v = 0; v < VENDOR_COUNT; v++) {
        for (size_t i = 0; i < SHARES; i++) {
            if (sides[v].planned[i]) rows[n++] = run_at(sides[v].option, shares[i], blank);
        }
    }
    if (known > 0) memcpy(rows + n, f->own->rows, known * sizeof *rows);
    return n + known > 0 ? posterior_of(f, rows, n + known, sides[0].option->serving.model, a) : NULL;
}

static Option with_runs(const Facts *f, const Option *o, const Posterior *p) {
    Option with = *o;
    Serving *s = &with.serving;
    double rest = fmax(o->sigma_log * o->sigma_log - s->sigma_log * s->sigma_log, 0);
    if (p == NULL) return with;
    s->own = p;
    posterior_at(f, o->point.running, s);
    with.sigma_log = fmin(sqrt(rest + s->sigma_log * s->sigma_log), o->sigma_log);
    return with;
}

static double ratio_sigma_of(const Facts *f, const Side sides[VENDOR_COUNT], Arena *a, double *ret_mean) {
    const Posterior *p = posterior_with(f, sides, a);
    Option amd = with_runs(f, sides[VENDOR_AMD].option, p),
           nvidia = with_runs(f, sides[VENDOR_NVIDIA].option, p);
    double sigma = 0;
    cost_ratio(f, &amd, &nvidia, ret_mean, &sigma);
    return sigma;
}

static void add_run(const Facts *f, const Ask *ask, Side sides[VENDOR_COUNT], int v, size_t share, Arena *a,
                    PlannedRun *ret) {
    const Option *o = sides[v].option;
    double before = with_runs(f, o, posterior_with(f, sides, a)).sigma_log;
    sides[v].planned[share] = true;
    Measure m = measure_of(ask, o);
    if (is_known(m.rate_rps)) {
        m.rate_rps *= shares[share];
    } else {
        m.concurrency = fmax(round(m.concurrency * shares[share]), 1);
    }
    *ret = (PlannedRun){.option = o,
                        .share = shares[share],
                        .measure = m,
                        .sigma_before = before,
                        .sigma_after = with_runs(f, o, posterior_with(f, sides, a)).sigma_log,
                        .usd = o->today ? 0 : o->price_usd_h / o->instances};
}

// A side that nobody measured yet, once the other has a run: what is wrong with the estimator is to be taken out of
// both.
static bool waits(const Side sides[VENDOR_COUNT], int v) {
    return !sides[v].planned[0] && sides[!v].planned[0] && sides[v].option->basis != BASIS_MEASURED;
}

// The next run: the one after which the ratio is least in doubt. The load itself goes first on either side.
static bool next_run(const Facts *f, const Ask *ask, Side sides[VENDOR_COUNT], Arena *a, Plan *plan) {
    int best_side = -1;
    size_t best_share = 0;
    double least = (double)INFINITY, mean = 0;
    for (int v = 0; v < VENDOR_COUNT; v++) {
        for (size_t k = 0; k < SHARES && !waits(sides, !v); k++) {
            if (sides[v].planned[k] || (k > 0 && !sides[v].planned[0])) continue;
            sides[v].planned[k] = true;
            double sigma = ratio_sigma_of(f, sides, a, &mean);
            sides[v].planned[k] = false;
            if (sigma < least * (1 - 1e-9)) least = sigma, best_side = v, best_share = k;
        }
    }
    if (best_side < 0) return false;
    PlannedRun *run = &plan->runs[plan->n++];
    add_run(f, ask, sides, best_side, best_share, a, run);
    run->ratio_sigma = least;
    return true;
}

void plan_runs(const Facts *f, const Advice *advice, Arena *a, Plan *ret) {
    *ret = (Plan){.ratio_mean = (double)NAN, .ratio_sigma = (double)NAN};
    Side sides[VENDOR_COUNT] = {{.option = advice->best[0]}, {.option = advice->best[1]}};
    if (sides[0].option == NULL || sides[1].option == NULL || !serves_tokens(&advice->ask->workload)) return;
    ret->ratio_sigma = ratio_sigma_of(f, sides, a, &ret->ratio_mean);
    while (ret->n < PLAN_RUNS_MAX) {
        double sigma = ret->n > 0 ? ret->runs[ret->n - 1].ratio_sigma : ret->ratio_sigma;
        ret->settles = fabs(ret->ratio_mean) > Z80 * sigma;
        if (ret->n >= RUNS_LEAST && ret->settles) return;
        if (!next_run(f, advice->ask, sides, a, ret)) return;
    }
    ret->settles = fabs(ret->ratio_mean) > Z80 * ret->runs[ret->n - 1].ratio_sigma;
}
