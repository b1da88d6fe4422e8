// migrate explain: what a rule of the porting scan means, why it fires, and what is usually done.
#include <string.h>

#include "cli/migrate.h"
#include "src/report/porting.h"

bool migrate_facts(App *app, PortingFacts *ret_facts, Err *e) {
    Catalog *c = NULL;
    return app_catalog(app, &c, e) && catalog_porting(c, &app->arena, ret_facts, e);
}

static const BrowseColumn columns[] = {
    {"rule", "RULE", 0, 0, 0}, {"class", "CLASS", 0, 0, 0},         {"area", "WHERE", 0, 0, 0},
    {"what", "WHAT", 0, 0, 0}, {"minutes_low", "MIN LOW", 4, 0, 0}, {"minutes_high", "MIN HIGH", 4, 0, 0},
    {"per", "PER", 0, 0, 0},   {"rocm_since", "SINCE", 0, 0, 120},  {"amd", "AMD", 0, 0, 140},
};

static const Browse browse = {
    .table = TABLE_CONSTRUCTS,
    .name = "rules",
    .columns = columns,
    .n_columns = COUNT_OF(columns),
    .note = "Minutes are of one engineer for one of PER. `gpuadvise migrate explain RULE` says why and what "
            "to do.",
};

static const PortRule *find(App *app, const PortRule *rules, size_t n, const char *id, Err *e) {
    const char **names = arena_alloc(&app->arena, n + 1, sizeof *names);
    for (size_t i = 0; i < n; i++) {
        if (text_same(rules[i].rule, id)) return &rules[i];
        names[i] = rules[i].rule;
    }
    name_unknown(e, "rule", id, names, n);
    return NULL;
}

int migrate_explain(App *app) {
    Err e = {0};
    void *rules = NULL;
    size_t n = 0;
    if (!app_table(app, TABLE_CONSTRUCTS, &rules, &n, &e)) return app_fail(app, &e);
    if (app->n_args == 0)
        return browse_list(app, &browse, table_pointers(TABLE_CONSTRUCTS, rules, n, &app->arena), n);
    const PortRule *r = find(app, rules, n, app->args[0], &e);
    if (r == NULL) return app_fail(app, &e);
    if (app->format != FORMAT_TABLE) return browse_show(app, &browse, r, NULL);
    Writer w = app_writer(app);
    rule_text(&w, r);
    return EXIT_DONE;
}
