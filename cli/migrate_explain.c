// migrate explain: what a rule of the porting scan means, why it fires, and what is usually done.
#include <string.h>

#include "cli/migrate.h"

bool migrate_facts(App *app, PortingFacts *ret_facts, Err *e) {
    Catalog *c = NULL;
    return app_catalog(app, &c, e) && catalog_porting(c, &app->arena, ret_facts, e);
}

void migrate_line(App *app, const char *what, const char *text) {
    text_labelled(&app->out, what, text, app_width(app));
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

static void minutes(App *app, const PortRule *r) {
    char low[40];
    char high[40];
    format_number(low, sizeof low, r->minutes_low, 4);
    format_number(high, sizeof high, r->minutes_high, 4);
    const char *basis = strcmp(r->minutes_basis, "ports") == 0 ? "in sum these minutes fit documented ports"
                        : strcmp(r->minutes_basis, "mechanical") == 0 ? "mechanical work, seen in own runs"
                                                                      : "a judgment, no measured base";
    const char *per = r->per == UNIT_KLOC ? "thousand lines of CUDA" : port_unit_names[r->per];
    migrate_line(app, "effort",
                 arena_printf(&app->arena, "%s to %s minutes for each %s (%s)", low, high, per, basis));
}

static void rule_text(App *app, const PortRule *r) {
    buf_printf(&app->out, "%s: %s (%s, %s)\n", r->rule, r->what, port_class_names[r->port_class],
               port_area_names[r->area]);
    migrate_line(app, "why", r->why);
    migrate_line(app, "fix", r->fix);
    migrate_line(app, "on AMD", r->amd);
    migrate_line(app, "since ROCm", r->rocm_since);
    if (r->lanes64 != 0) migrate_line(app, "where", "targets with 64 lanes only (gfx9: Instinct)");
    minutes(app, r);
    migrate_line(app, "left out, you lose", r->lost);
    migrate_line(app, "source", arena_printf(&app->arena, "%s (%s)", r->source, r->as_of));
}

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
    rule_text(app, r);
    return EXIT_DONE;
}
