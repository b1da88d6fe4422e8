// `gpuadvise validate --runs`: the estimator held against the user's own runs, before they counted.
#include <math.h>

#include "cli/own_runs.h"
#include "cli/validate_runs.h"
#include "src/fit/own_errors.h"

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
    X("state",                "STATE",     TEXT,      own_run_state(&runs[i], &app->arena))
// clang-format on

static Listing groups_of(App *app, const Facts *f, const JudgedRun *runs, size_t n) {
    OwnErrors *e = arena_alloc(&app->arena, GROUPS_MAX, sizeof *e);
    size_t made = own_errors(f, runs, n, &app->arena, e, GROUPS_MAX);
    Listing l = LISTING(&app->arena, "groups", GROUP_COLUMNS, made);
    for (size_t i = 0; i < made; i++) listing_row(&l, GROUP_COLUMNS(LISTING_CELL));
    l.note = "Errors of estimates that knew of no run of your own; WITH EARLIER: with the runs that came "
             "before each. BIAS: predicted over measured, so a rate over 0 is too fast and a time over 0 too "
             "slow. IN RANGE: of the 80 % range of output tokens/s. Quarantined runs are in no figure.";
    return l;
}

static Listing runs_of(App *app, const JudgedRun *runs, size_t n) {
    Listing l = LISTING(&app->arena, "runs", RUN_COLUMNS, n);
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

static void print_page(App *app, const Listing *groups, const Listing *runs, size_t counting, size_t n) {
    if (app->format == FORMAT_MD)
        buf_printf(&app->out,
                   "# How estimates did on own runs\n\ngpuadvise %s, %s: %s, of which %zu count.\n\n",
                   tool_version(), app_today(app), counted(&app->arena, n, "run"), counting);
    app_listing(app, groups);
    if (app->format == FORMAT_CSV) return;
    buf_puts(&app->out, "\n");
    app_listing(app, runs);
}

int validate_runs(App *app) {
    Err e = {0};
    Catalog *catalog = NULL;
    Facts f;
    const JudgedRun *runs = NULL;
    size_t n = 0, counting = 0;
    if (opt_set(app, OPT_MEASUREMENTS) || opt_set(app, OPT_LEAVE_OUT) || opt_set(app, OPT_GATE))
        return app_refuse(app, "option '--runs': not with '--measurements', '--leave-out' and '--gate'");
    if (!app_catalog(app, &catalog, &e) || !catalog_facts(catalog, &app->arena, &f, &e) ||
        !app_own_runs(app, catalog, &f, &runs, &n, &e))
        return app_fail(app, &e);
    for (size_t i = 0; i < n; i++) counting += runs[i].counts;
    if (n == 0)
        app_warn(app, "no run of your own is kept yet: `gpuadvise runs import FILE` takes the result file of "
                      "a benchmark tool");
    Listing groups = groups_of(app, &f, runs, n), each = runs_of(app, runs, n);
    if (app->format == FORMAT_JSON) {
        Json *root = app_json(app);
        json_add_integer(root, "runs_counting", (int64_t)counting);
        listing_json(&groups, root);
        listing_json(&each, root);
    } else {
        print_page(app, &groups, &each, counting, n);
    }
    return counting > 0 ? EXIT_DONE : EXIT_NO;
}
