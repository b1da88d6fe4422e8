// The user's own runs as an answer takes them.
#include "cli/own_runs.h"

#include "catalog/facts/own_runs.h"

bool app_own_runs(App *app, Catalog *catalog, const Facts *facts, const JudgedRun **ret_runs, size_t *ret_n,
                  Err *e) {
    OwnRun *runs = NULL;
    size_t n = 0, unreadable = 0;
    if (!catalog_own_runs(catalog, &app->arena, &runs, &n, &unreadable, e)) return false;
    if (unreadable > 0)
        app_warn(app, "%s of your own not read: another version of this program kept them",
                 counted(&app->arena, unreadable, "run"));
    *ret_runs = app_judge_runs(app, facts, runs, n);
    *ret_n = n;
    return true;
}

const JudgedRun *app_judge_runs(App *app, const Facts *facts, const OwnRun *runs, size_t n) {
    JudgedRun *judged = arena_alloc(&app->arena, n + 1, sizeof *judged);
    judge_runs(facts, runs, n, app->now / DAY_S, &app->arena, judged);
    return judged;
}

bool app_know_own(App *app, Catalog *catalog, const Model *model, Facts *facts, Err *e) {
    const JudgedRun *runs = NULL;
    size_t n = 0;
    if (!app_own_runs(app, catalog, facts, &runs, &n, e)) return false;
    facts->own = posterior_of_runs(facts, runs, n, model, &app->arena);
    return true;
}
