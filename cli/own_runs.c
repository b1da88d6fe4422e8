// The user's own runs as an answer takes them.
#include "cli/own_runs.h"

#include "catalog/own_runs.h"

bool app_own_runs(App *app, Catalog *catalog, const Facts *facts, const JudgedRun **ret_runs, size_t *ret_n,
                  Err *e) {
    OwnRun *runs = NULL;
    size_t n = 0, unreadable = 0;
    if (!catalog_own_runs(catalog, &app->arena, &runs, &n, &unreadable, e)) return false;
    JudgedRun *judged = arena_alloc(&app->arena, n + 1, sizeof *judged);
    judge_runs(facts, runs, n, app->now / 86400, &app->arena, judged);
    if (unreadable > 0)
        app_warn(app, "%s of your own not read: another version of this program kept them",
                 counted(&app->arena, unreadable, "run"));
    *ret_runs = judged;
    *ret_n = n;
    return true;
}

bool app_know_own(App *app, Catalog *catalog, const Model *model, Facts *facts, Err *e) {
    const JudgedRun *runs = NULL;
    size_t n = 0;
    if (!app_own_runs(app, catalog, facts, &runs, &n, e)) return false;
    facts->own = posteriors_of_runs(runs, n, model, &app->arena);
    return true;
}
