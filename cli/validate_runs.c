// `gpuadvise validate --runs`: the estimator held against the user's own runs, before they counted.
#include <math.h>

#include "cli/own_runs.h"
#include "cli/validate_runs.h"
#include "src/fit/own_errors.h"

enum { GROUPS_MAX = 400 };

enum { G_BY, G_NAME, G_METRIC, G_N, G_MEDIAN, G_BIAS, G_RANGE, G_EARLIER };
static const Column group_columns[] = {
    [G_BY] = {.key = "by", .title = "BY"},
    [G_NAME] = {.key = "name", .title = "NAME"},
    [G_METRIC] = {.key = "metric", .title = "METRIC"},
    [G_N] = {.key = "n", .title = "N", .number = true, .digits = 6},
    [G_MEDIAN] = {.key = "median_abs_error_pct", .title = "MEDIAN ERROR %", .number = true, .digits = 3},
    [G_BIAS] = {.key = "bias_pct", .title = "BIAS %", .number = true, .digits = 3},
    [G_RANGE] = {.key = "in_range_pct", .title = "IN RANGE %", .number = true, .digits = 3},
    [G_EARLIER] = {.key = "median_abs_with_earlier_pct",
                   .title = "WITH EARLIER %",
                   .number = true,
                   .digits = 3},
};

enum {
    R_RUN,
    R_TOOL,
    R_GPU,
    R_GPUS,
    R_MODEL,
    R_ENGINE,
    R_LOAD,
    R_MEASURED,
    R_EXPECTED,
    R_LOW,
    R_HIGH,
    R_STATE
};
static const Column run_columns[] = {
    [R_RUN] = {.key = "run", .title = "RUN", .number = true, .digits = 9},
    [R_TOOL] = {.key = "tool", .title = "TOOL", .detail = true},
    [R_GPU] = {.key = "gpu_sku", .title = "GPU"},
    [R_GPUS] = {.key = "gpu_count", .title = "GPUS", .number = true, .digits = 6},
    [R_MODEL] = {.key = "model", .title = "MODEL"},
    [R_ENGINE] = {.key = "engine", .title = "ENGINE"},
    [R_LOAD] = {.key = "batch_or_concurrency", .title = "CONC", .number = true, .digits = 6},
    [R_MEASURED] = {.key = "measured", .title = "MEASURED", .number = true, .digits = 4},
    [R_EXPECTED] = {.key = "predicted", .title = "PREDICTED", .number = true, .digits = 4},
    [R_LOW] = {.key = "low", .title = "LOW", .number = true, .digits = 4},
    [R_HIGH] = {.key = "high", .title = "HIGH", .number = true, .digits = 4},
    [R_STATE] = {.key = "state", .title = "STATE"},
};

static Listing groups_of(App *app, const JudgedRun *runs, size_t n) {
    Listing l;
    OwnErrors *e = arena_alloc(&app->arena, GROUPS_MAX, sizeof *e);
    size_t made = own_errors(runs, n, &app->arena, e, GROUPS_MAX);
    listing_init(&l, &app->arena, "groups", group_columns, COUNT_OF(group_columns), made);
    for (size_t i = 0; i < made; i++) {
        listing_add(&l, L_TEXT(G_BY, e[i].by), L_TEXT(G_NAME, e[i].name),
                    L_TEXT(G_METRIC, response_names[e[i].metric]), L_NUMBER(G_N, (double)e[i].n),
                    L_NUMBER(G_MEDIAN, e[i].median_abs_error_pct), L_NUMBER(G_BIAS, e[i].bias_pct),
                    L_NUMBER(G_RANGE, e[i].in_range_pct),
                    L_NUMBER(G_EARLIER, e[i].median_abs_with_earlier_pct));
    }
    l.note =
        "Errors of estimates that knew of no run of your own; WITH EARLIER: with the runs that came before "
        "each. BIAS: predicted over measured, so a rate over 0 is too fast and a time over 0 too slow. IN "
        "RANGE: of the 80 % range of output tokens/s. Quarantined runs are in no figure.";
    return l;
}

static Listing runs_of(App *app, const JudgedRun *runs, size_t n) {
    Listing l;
    listing_init(&l, &app->arena, "runs", run_columns, COUNT_OF(run_columns), n);
    for (size_t i = 0; i < n; i++) {
        const Prediction *p = &runs[i].prediction;
        const Measurement *m = &runs[i].run->m;
        bool known = p->not_predicted == NULL;
        Estimate x = estimate_of(known ? p->rate : (double)NAN, p->sigma_log, p->basis, "");
        listing_add(&l, L_NUMBER(R_RUN, (double)runs[i].run->id), L_TEXT(R_TOOL, runs[i].run->tool),
                    L_TEXT(R_GPU, m->gpu_sku), L_NUMBER(R_GPUS, m->gpu_count), L_TEXT(R_MODEL, m->model),
                    L_TEXT(R_ENGINE, m->engine), L_NUMBER(R_LOAD, m->batch_or_concurrency),
                    L_NUMBER(R_MEASURED, known ? measured_rate(m, p) : (double)NAN),
                    L_NUMBER(R_EXPECTED, x.value), L_NUMBER(R_LOW, x.low), L_NUMBER(R_HIGH, x.high),
                    L_TEXT(R_STATE, own_run_state(&runs[i], &app->arena)));
    }
    l.note = "Tokens/s: of output, of prompts alone for runs that read prompts only.";
    return l;
}

static void print_page(App *app, const Listing *groups, const Listing *runs, size_t counting, size_t n) {
    char day[11];
    format_date(day, app->now / 86400);
    if (app->format == FORMAT_MD)
        buf_printf(&app->out,
                   "# How estimates did on own runs\n\ngpuadvise %s, %s: %s, of which %zu count.\n\n",
                   tool_version(), day, counted(&app->arena, n, "run"), counting);
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
    if (opt_set(app, OPT_MEASUREMENTS) || opt_set(app, OPT_LEAVE_OUT) || opt_set(app, OPT_GATE)) {
        err_set(&e, ERR_USAGE, "option '--runs': not with '--measurements', '--leave-out' and '--gate'");
        return app_fail(app, &e);
    }
    if (!app_catalog(app, &catalog, &e) || !catalog_facts(catalog, &app->arena, &f, &e) ||
        !app_own_runs(app, catalog, &f, &runs, &n, &e))
        return app_fail(app, &e);
    for (size_t i = 0; i < n; i++) counting += runs[i].counts;
    if (n == 0)
        app_warn(app,
                 "no run of your own is kept yet: `gpuadvise runs import FILE` takes the result file of a "
                 "benchmark tool");
    Listing groups = groups_of(app, runs, n), each = runs_of(app, runs, n);
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
