// The estimator held against the user's own runs, before they counted.
#include <math.h>

#include "src/fit/own_errors.h"
#include "src/report/run_report.h"

enum { GROUPS_MAX = 400 };

// clang-format off
#define GROUP_COLUMNS(X) \
    X("by",                          "BY",             TEXT,      e[i].by) \
    X("name",                        "NAME",           TEXT,      e[i].name) \
    X("metric",                      "METRIC",         TEXT,      response_names[e[i].metric]) \
    X("n",                           "N",              NUMBER(6), e[i].n) \
    X("median_abs_error_pct",        "MEDIAN ERROR %", NUMBER(3), e[i].median_abs_error_pct) \
    X("bias_pct",                    "BIAS %",         NUMBER(3), e[i].bias_pct) \
    X("in_range_pct",                "IN RANGE %",     NUMBER(3), e[i].in_range_pct) \
    X("median_abs_with_earlier_pct", "WITH EARLIER %", NUMBER(3), e[i].median_abs_with_earlier_pct)
// clang-format on

// clang-format off
#define RUN_COLUMNS(X) \
    X("run",                  "RUN",       NUMBER(9), runs[i].run->id) \
    X("tool",                 "TOOL",      MORE_TEXT, runs[i].run->tool) \
    X("gpu_sku",              "GPU",       TEXT,      m->gpu_sku) \
    X("gpu_count",            "GPUS",      NUMBER(6), m->gpu_count) \
    X("model",                "MODEL",     TEXT,      m->model) \
    X("engine",               "ENGINE",    TEXT,      m->engine) \
    X("batch_or_concurrency", "CONC",      NUMBER(6), m->batch_or_concurrency) \
    X("measured",             "MEASURED",  NUMBER(4), known ? measured_rate(m, p) : (double)NAN) \
    X("predicted",            "PREDICTED", NUMBER(4), x.value) \
    X("low",                  "LOW",       NUMBER(4), x.low) \
    X("high",                 "HIGH",      NUMBER(4), x.high) \
    X("state",                "STATE",     TEXT,      own_run_state(&runs[i], a))
// clang-format on

Listing run_errors(const Facts *f, const JudgedRun *runs, size_t n, Arena *a) {
    OwnErrors *e = arena_alloc(a, GROUPS_MAX, sizeof *e);
    size_t made = own_errors(f, runs, n, a, e, GROUPS_MAX);
    Listing l = LISTING(a, "groups", GROUP_COLUMNS, made);
    for (size_t i = 0; i < made; i++) listing_row(&l, GROUP_COLUMNS(LISTING_CELL));
    l.note = "Errors of estimates that knew of no run of your own; WITH EARLIER: with the runs that came "
             "before each. BIAS: predicted over measured, so a rate over 0 is too fast and a time over 0 too "
             "slow. IN RANGE: of the 80 % range of output tokens/s. Quarantined runs are in no figure.";
    return l;
}

Listing run_predictions(const JudgedRun *runs, size_t n, Arena *a) {
    Listing l = LISTING(a, "runs", RUN_COLUMNS, n);
    for (size_t i = 0; i < n; i++) {
        const Prediction *p = &runs[i].prediction;
        const Measurement *m = &runs[i].run->m;
        bool known = p->not_predicted == NULL;
        Estimate x = estimate_of(known ? p->rate : (double)NAN, p->sigma_log, p->basis, "");
        listing_row(&l, RUN_COLUMNS(LISTING_CELL));
    }
    l.note = "Tokens/s: of output, of prompts alone for runs that read prompts only.";
    return l;
}
