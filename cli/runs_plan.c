// `runs plan`: the few runs that would settle a verdict.
#include "cli/own_runs.h"
#include "cli/report_ask.h"
#include "cli/report_price.h"
#include "cli/runs.h"
#include "src/advise/plan.h"

static void print(App *app, const Facts *f, const Plan *plan) {
    Listing l = run_plan(f, plan, &app->arena);
    if (app->format == FORMAT_JSON) run_plan_json(plan, l.note, app_json(app));
    app_answer(app, &l);
    if (app->format == FORMAT_TABLE) run_plan_commands(f, plan, &app->arena, &app->out);
}

int runs_plan(App *app) {
    Err e = {0};
    Catalog *c = NULL;
    Facts f;
    Ask ask = {.region = ""};
    Advice advice;
    if (!app_catalog(app, &c, &e) || !app_facts(app, &f, &e) || !report_prices(app, &f, &e) ||
        !report_workload(app, &f, &ask, &e) || !report_changes(app, &f, &ask, &e) ||
        !report_filters(app, &f, &ask, &e))
        return app_fail(app, &e);
    if (!serves_tokens(&ask.workload) || ask.model == NULL)
        return app_refuse(app, "workload '%s' is no token serving: runs are planned for that alone",
                          ask.workload.workload_id);
    if (!catalog_published(c, ask.model->model_id, &app->arena, &f, &e) ||
        !app_know_own(app, c, ask.model, &f, &e) || !advise_search(&f, &ask, &app->arena, &advice, &e))
        return app_fail(app, &e);
    Plan plan;
    plan_runs(&f, &advice, &app->arena, &plan);
    if (plan.n == 0) {
        err_set(&e, ERR_FAILED, "nothing to settle: a vendor has no option for '%s'",
                ask.workload.workload_id);
        return app_fail(app, &e);
    }
    print(app, &f, &plan);
    return EXIT_DONE;
}
