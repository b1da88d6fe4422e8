// `gpuadvise validate --runs`: the estimator held against the user's own runs, before they counted.
#include "cli/own_runs.h"
#include "cli/validate_runs.h"

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
    Listing groups = run_errors(&f, runs, n, &app->arena), each = run_predictions(runs, n, &app->arena);
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
