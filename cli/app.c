// The App below every command: warnings and failures, the catalog and the facts in it.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "catalog/facts/own.h"
#include "cli/cli.h"
#include "version.h"

const char *tool_version(void) { return GPUADVISE_VERSION; }

// ---------------------------------------------------------------- standard error

static void say(const char *kind, const char *text) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    buf_puts(&b, kind);
    buf_add_clean(&b, text);
    buf_puts(&b, "\n");
    size_t done = 0;
    while (done < b.length) {
        ssize_t n = write(STDERR_FILENO, b.data + done, b.length - done);
        if (n <= 0) break;  // nowhere left to complain
        done += (size_t)n;
    }
    buf_free(&b);
}

void app_warn_text(App *app, const char *text) {
    if (!app->quiet && app->capture == NULL) say("gpuadvise: warning: ", text);
    if (app->n_warnings == app->warnings_capacity) {
        size_t capacity = app->warnings_capacity == 0 ? 8 : app->warnings_capacity * 2;
        const char **list = arena_alloc(&app->arena, capacity, sizeof *list);
        for (size_t i = 0; i < app->n_warnings; i++) list[i] = app->warnings[i];
        app->warnings = list;
        app->warnings_capacity = capacity;
    }
    app->warnings[app->n_warnings++] = text;
}

void app_note_text(const App *app, const char *text) {
    if (app->verbose && app->capture == NULL) say("gpuadvise: note: ", text);
}

void app_step(App *app, size_t done, const char *what) {
    app->steps_done = done;
    if (opt_flag(app, OPT_PROGRESS))
        say("progress ", arena_printf(&app->arena, "%zu %zu %s", done, app->steps, what));
}

const char *app_today(App *app) { return date_text(&app->arena, app->now / 86400); }

int app_refuse_text(App *app, const char *text) {
    Err e = {0};
    err_set(&e, ERR_USAGE, "%s", text);
    return app_fail(app, &e);
}

int app_fail(App *app, const Err *e) {
    if (app->capture != NULL) {
        app->capture->error = *e;
    } else {
        say("gpuadvise: ", e->text);
    }
    app->failed = true;
    switch (e->kind) {
    case ERR_USAGE: return EXIT_USAGE;
    case ERR_MISSING: return EXIT_STALE;
    case ERR_FULL:
    case ERR_DATABASE:
    case ERR_NONE:
    case ERR_FAILED: break;
    }
    return EXIT_FAILED;
}

// ---------------------------------------------------------------- data

static bool warned(const App *app, const char *text) {
    for (size_t i = 0; i < app->n_warnings; i++) {
        if (strcmp(app->warnings[i], text) == 0) return true;
    }
    return false;
}

bool app_warn_left_out(App *app, Err *e) {
    enum { SHOWN = 5 };
    OwnNames texts = {0};
    if (!catalog_own_left_out(app->catalog, &app->arena, &texts, e)) return false;
    for (size_t i = 0; i < texts.n && i < SHOWN; i++) {
        if (!warned(app, texts.names[i])) app_warn_text(app, texts.names[i]);
    }
    if (texts.n > SHOWN) app_warn(app, "%zu rows of your own are left out", texts.n);
    return true;
}

const char *xdg_path(App *app, const char *variable, const char *below_home, const char *name) {
    const char *base = getenv(variable);
    // The base directory specification: a relative path is to be ignored.
    if (base != NULL && base[0] == '/') return arena_printf(&app->arena, "%s/gpuadvise/%s", base, name);
    const char *home = getenv("HOME");
    if (home == NULL || home[0] != '/') return "";
    return arena_printf(&app->arena, "%s/%s/gpuadvise/%s", home, below_home, name);
}

bool app_catalog(App *app, Catalog **ret_catalog, Err *e) {
    if (app->capture != NULL) app->catalog = app->capture->catalog;
    if (app->catalog == NULL) {
        const char *path = opt_text(app, OPT_DB, NULL);
        if (path == NULL) path = xdg_path(app, "XDG_DATA_HOME", ".local/share", "catalog.db");
        if (path[0] == '\0')
            app_warn(app, "neither XDG_DATA_HOME nor HOME is set: the database is in memory only");
        CatalogOptions o = {.db_path = path[0] != '\0' ? path : NULL,
                            .data_dir = opt_text(app, OPT_DATA, NULL)};
        bool other = opt_set(app, OPT_DB) && app->capture == NULL && access(path, F_OK) != 0;
        const char *warning = "";
        if (!catalog_open(&o, &app->arena, &app->catalog, &warning, e)) return false;
        if (warning[0] != '\0')
            app_warn_text(app, warning);
        else if (other)
            app_warn(app, "database '%s' is new: it has the shipped facts and nothing of your own", path);
        const char *used = catalog_db_path(app->catalog);
        app_note(app, "database %s; facts: %s", used[0] != '\0' ? used : "in memory",
                 catalog_data_origin(app->catalog));
        if (!app_warn_left_out(app, e)) {
            catalog_close(app->catalog);
            app->catalog = NULL;
            return false;
        }
    }
    if (app->capture != NULL) app->capture->catalog = app->catalog;
    *ret_catalog = app->catalog;
    return true;
}

bool app_kept(App *app, Catalog **ret_catalog, Err *e) {
    return app_catalog(app, ret_catalog, e) && catalog_keep(*ret_catalog, e);
}

bool app_facts(App *app, Facts *ret_facts, Err *e) {
    Catalog *catalog = NULL;
    if (!app_catalog(app, &catalog, e)) return false;
    AppCapture *c = app->capture;
    if (c == NULL) return catalog_facts(catalog, &app->arena, ret_facts, e);
    if (!c->facts_read && !catalog_facts(catalog, &c->facts_arena, &c->facts, e)) return false;
    c->facts_read = true;
    *ret_facts = c->facts;
    return true;
}

bool app_measurements(App *app, Catalog *catalog, const Measurement **ret_rows, size_t *ret_n, Err *e) {
    enum { FILE_BYTES_MAX = 256 * 1024 * 1024 };
    if (opt_set(app, OPT_MEASUREMENTS))
        return catalog_measurements_file(opt_text(app, OPT_MEASUREMENTS, ""), FILE_BYTES_MAX, &app->arena,
                                         ret_rows, ret_n, e);
    void *rows = NULL;
    if (!catalog_rows(catalog, TABLE_MEASUREMENTS, &app->arena, &rows, ret_n, e)) return false;
    *ret_rows = rows;
    return true;
}

void app_close(App *app) {
    catalog_close(app->catalog);
    buf_free(&app->out);
    arena_free(&app->arena);
}

bool app_needs(const App *app, const OptionId *options, size_t n, const char *instead, Err *e) {
    Buf list;
    size_t missing = 0;
    buf_init(&list, sizeof e->text);
    for (size_t i = 0; i < n; i++) {
        if (!opt_set(app, options[i]))
            buf_printf(&list, "%s'--%s'", missing++ > 0 ? ", " : "", option_table[options[i]].name);
    }
    if (missing > 0)
        err_set(e, ERR_USAGE, missing > 1 ? "options %s are missing%s" : "option %s is missing%s", list.data,
                instead);
    buf_free(&list);
    return missing == 0;
}
