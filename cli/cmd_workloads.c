// workloads: what can be asked of `report --workload`.
#include <string.h>

#include "cli/cmd.h"
#include "cli/own.h"

static const BrowseColumn columns[] = {
    {"workload_id", "WORKLOAD", 0, 0, 0},  {"kind", "KIND", 0, 0, 0},
    {"model_id", "MODEL", 0, 0, 0},        {"isl_tokens", "ISL", 6, 0, 0},
    {"osl_tokens", "OSL", 6, 0, 0},        {"rate_rps", "REQ/s", 4, 0, 130},
    {"ttft_p99_ms", "TTFT ms", 5, 0, 100}, {"tpot_ms", "TPOT ms", 4, 0, 110},
    {"concurrency", "IN FLIGHT", 5, 0, 0}, {"title", "WHAT", 0, 0, 0},
};

static const Browse browse = {
    .table = TABLE_WORKLOADS,
    .name = "workloads",
    .columns = columns,
    .n_columns = COUNT_OF(columns),
    .note = "ISL, OSL: input and output tokens of a request. `gpuadvise workloads show WORKLOAD` gives the "
            "limits too.",
};

static int run(App *app) {
    if (own_verb(app)) return own_run(app, TABLE_WORKLOADS);
    Err e = {0};
    Catalog *c = NULL;
    void *loaded = NULL;
    size_t n = 0;
    if (!app_catalog(app, &c, &e) || !catalog_rows(c, TABLE_WORKLOADS, &app->arena, &loaded, &n, &e))
        return app_fail(app, &e);
    const Workload *workloads = loaded;
    if (strcmp(app->verb->name, "show") == 0) {
        const Workload *w = NULL;
        if (!find_workload(workloads, n, app->args[0], &w, &e)) return app_fail(app, &e);
        return browse_show(app, &browse, w, NULL);
    }
    const void **rows = arena_alloc(&app->arena, n, sizeof *rows);
    for (size_t i = 0; i < n; i++) rows[i] = &workloads[i];
    return browse_list(app, &browse, rows, n);
}

OPTIONS(OPT_WHERE, OPT_SORT);
static const Verb verbs[] = {{"list", "", 0, 0, false, "all of them", ROW_OPTIONS},
                             {"show", "WORKLOAD", 1, 1, false, "one with its limits", NO_OPTIONS},
                             OWN_VERBS("WORKLOAD", "workload")};

COMMAND(workloads, "workloads", FORMATS_LISTING, .summary = "workloads that `report` knows",
        .description = OWN_HELP("`workloads add my-chat kind=serve model_id=llama-3.1-70b isl_tokens=2000 "
                                "osl_tokens=300 concurrency=64`"));
