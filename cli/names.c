// What users call GPUs, models, workloads and sellers: found, and said where something else than the typed
// name was taken.
#include <string.h>

#include "catalog/facts/names.h"
#include "catalog/facts/own.h"
#include "cli/cli.h"

static bool read_names(App *app, UserNames *ret, Err *e) {
    Catalog *c = NULL;
    return app_catalog(app, &c, e) && catalog_names(c, &app->arena, ret, e);
}

static void say_taken(App *app, const char *taken) {
    if (taken[0] == '\0') return;
    for (size_t i = 0; i < app->n_warnings; i++) {
        if (strcmp(app->warnings[i], taken) == 0) return;
    }
    app_warn_text(app, taken);
}

bool find_gpu(App *app, const Gpu *rows, size_t n, const char *name, const Gpu **ret_gpu, Err *e) {
    UserNames names;
    const char *taken = "";
    if (!read_names(app, &names, e) ||
        !catalog_find_gpu(&names, rows, n, name, &app->arena, ret_gpu, &taken, e))
        return false;
    say_taken(app, taken);
    return true;
}

// Says so where the name that no model has is one of a workload. Returns false.
static bool workload_for_model(App *app, const char *name, Err *e) {
    Catalog *c = NULL;
    void *rows = NULL;
    size_t n = 0;
    Err ignored = {0};
    if (!app_catalog(app, &c, &ignored) ||
        !catalog_rows(c, TABLE_WORKLOADS, &app->arena, &rows, &n, &ignored))
        return false;
    const Workload *w = rows;
    for (size_t i = 0; i < n; i++) {
        if (!text_same(w[i].workload_id, name)) continue;
        const char *model =
            w[i].model_id[0] != '\0' ? arena_printf(&app->arena, " of model '%s'", w[i].model_id) : "";
        return err_set(e, ERR_USAGE, "'%s' is a workload%s and no model: `gpuadvise report %s`", name, model,
                       name);
    }
    return false;
}

bool find_model(App *app, const Model *rows, size_t n, const char *name, const Model **ret_model, Err *e) {
    UserNames names;
    const char *taken = "";
    if (!read_names(app, &names, e)) return false;
    if (!catalog_find_model(&names, rows, n, name, &app->arena, ret_model, &taken, e))
        return workload_for_model(app, name, e);
    say_taken(app, taken);
    return true;
}

static bool unknown_provider(App *app, const UserNames *names, const char *const *providers, size_t n,
                             const char *name, Err *e) {
    const char **known = arena_alloc(&app->arena, n + names->n + 1, sizeof *known);
    size_t used = 0;
    for (size_t i = 0; i < n; i++) known[used++] = providers[i];
    for (size_t i = 0; i < names->n; i++) {
        if (names->rows[i].kind == NAMED_PROVIDER) known[used++] = names->rows[i].name;
    }
    return name_unknown(e, "provider", name_shown(&app->arena, name), known, used);
}

bool find_provider(App *app, const char *const *providers, size_t n, const char *name,
                   const char **ret_provider, Err *e) {
    UserNames names;
    const char *taken = "";
    if (!read_names(app, &names, e)) return false;
    if (!catalog_find_provider(&names, providers, n, name, &app->arena, ret_provider, &taken))
        return unknown_provider(app, &names, providers, n, name, e);
    say_taken(app, taken);
    return true;
}

bool known_provider(App *app, const char **provider, Err *e) {
    Catalog *c = NULL;
    UserNames names;
    void *rows = NULL;
    size_t n = 0;
    if (!read_names(app, &names, e)) return false;
    if (user_name(&names, NAMED_PROVIDER, *provider) == NULL) return true;
    if (!app_catalog(app, &c, e) || !catalog_rows(c, TABLE_OFFERS, &app->arena, &rows, &n, e)) return false;
    const Offer *offers = rows;
    const char **providers = arena_alloc(&app->arena, n + 1, sizeof *providers);
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        // they come by provider
        if (used == 0 || strcmp(providers[used - 1], offers[i].provider) != 0)
            providers[used++] = offers[i].provider;
    }
    return find_provider(app, providers, used, *provider, provider, e);
}

bool app_provider(App *app, const char **ret_provider, Err *e) {
    *ret_provider = opt_text(app, OPT_PROVIDER, "");
    return known_provider(app, ret_provider, e);
}

// By the first column of the table.
static bool find_row(TableId id, const void *rows, size_t n, const char *name, const void **ret_row, Err *e) {
    const Table *t = &fact_tables[id];
    const char *ids = n > 0 ? (const char *)rows + t->fields[0].offset : NULL;
    size_t i = 0;
    if (!catalog_find(own_noun(id), name, (const char *const *)(const void *)ids, n, t->row_size, &i, e))
        return false;
    *ret_row = (const char *)rows + i * t->row_size;
    return true;
}

bool find_workload(const Workload *rows, size_t n, const char *name, const Workload **ret_workload, Err *e) {
    const void *row = NULL;
    bool ok = find_row(TABLE_WORKLOADS, rows, n, name, &row, e);
    *ret_workload = row;
    return ok;
}

bool find_traffic(const Traffic *rows, size_t n, const char *name, const Traffic **ret_traffic, Err *e) {
    const void *row = NULL;
    bool ok = find_row(TABLE_TRAFFIC, rows, n, name, &row, e);
    *ret_traffic = row;
    return ok;
}

bool find_named(App *app, TableId id, const void *rows, size_t n, const char *name, const void **ret_row,
                Err *e) {
    const Model *m = NULL;
    if (id != TABLE_MODELS) return find_row(id, rows, n, name, ret_row, e);
    bool ok = find_model(app, rows, n, name, &m, e);
    *ret_row = m;
    return ok;
}
