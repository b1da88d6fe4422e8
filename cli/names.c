// What users call GPUs, models, workloads and sellers: found, and said where something else than the typed name was taken.
#include <string.h>

#include "catalog/names.h"
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
    if (!read_names(app, &names, e) || !catalog_find_gpu(&names, rows, n, name, &app->arena, ret_gpu, &taken, e)) return false;
    say_taken(app, taken);
    return true;
}

bool find_model(App *app, const Model *rows, size_t n, const char *name, const Model **ret_model, Err *e) {
    UserNames names;
    const char *taken = "";
    if (!read_names(app, &names, e) || !catalog_find_model(&names, rows, n, name, &app->arena, ret_model, &taken, e)) return false;
    say_taken(app, taken);
    return true;
}

bool find_provider(App *app, const char *const *providers, size_t n, const char *name, const char **ret_provider, Err *e) {
    UserNames names;
    const char *taken = "";
    if (!read_names(app, &names, e)) return false;
    if (!catalog_find_provider(&names, providers, n, name, &app->arena, ret_provider, &taken)) return name_unknown(e, "provider", name_shown(&app->arena, name), providers, n);
    say_taken(app, taken);
    return true;
}

bool find_workload(const Workload *rows, size_t n, const char *name, const Workload **ret_workload, Err *e) {
    size_t i = 0;
    if (!catalog_find("workload", name, n > 0 ? &rows[0].workload_id : NULL, n, sizeof *rows, &i, e)) return false;
    *ret_workload = &rows[i];
    return true;
}
