// bench export, bench import: runs between machines.
#include <math.h>
#include <string.h>

#include "catalog/facts/runs.h"
#include "cli/bench.h"

enum { FILE_BYTES_MAX = 64 * 1024 * 1024, FILE_VALUES_MAX = 2000000 };

// ---------------------------------------------------------------- export

// The runs that were named, all without a name, oldest first.
static bool chosen_runs(App *app, BenchRun **ret_runs, size_t *ret_n, Err *e) {
    Catalog *c = NULL;
    BenchRun *all = NULL, *one = NULL;
    size_t n = 0, n_one = 0, kept = 0;
    if (!app_catalog(app, &c, e) || !runs_read(c, 0, &app->arena, &all, &n, e)) return false;
    BenchRun *runs = arena_alloc(&app->arena, n + app->n_args, sizeof *runs);
    for (size_t i = 0; i < (app->n_args > 0 ? app->n_args : n); i++) {
        int64_t id = app->n_args > 0 ? 0 : all[n - 1 - i].id;
        if (app->n_args > 0 && !parse_integer(str_of(app->args[i]), 1, INT64_MAX / 1024, &id, e)) {
            return err_set(e, ERR_USAGE, "run '%.40s': runs have numbers; `gpuadvise bench runs` lists them",
                           app->args[i]);
        }
        if (!runs_read(c, id, &app->arena, &one, &n_one, e)) return false;
        if (n_one == 0)
            return err_set(e, ERR_USAGE, "no run %lld; `gpuadvise bench runs` lists them", (long long)id);
        runs[kept++] = one[0];
    }
    *ret_runs = runs;
    *ret_n = kept;
    return true;
}

int bench_export(App *app) {
    Err e = {0};
    BenchRun *runs = NULL;
    size_t n = 0;
    if (app->format != FORMAT_JSON && app->format != FORMAT_TABLE)
        return app_refuse(app, "runs are exported as JSON only");
    if (!chosen_runs(app, &runs, &n, &e)) return app_fail(app, &e);
    if (n == 0) app_warn(app, "no run is kept yet: `gpuadvise bench --quick` makes one");
    Json *root = app_json(app);
    Json *list = json_add_array(root, "runs");
    for (size_t i = 0; i < n; i++) bench_run_json(&runs[i], json_add_object(list, NULL));
    return n > 0 ? EXIT_DONE : EXIT_NO;
}

// ---------------------------------------------------------------- import

typedef struct Taken {
    const char *file, *taken_at, *devices;
    const char *status, *reason;  // new, unchanged, rejected
    double run, results;          // NaN = none
} Taken;

typedef struct Import {
    App *app;
    Catalog *catalog;
    BenchRun *kept;  // heads of all runs here
    size_t n_kept;
    Taken *taken;
    size_t n, room;
} Import;

static Taken *next_row(Import *m, const char *file) {
    if (m->n == m->room) {
        Taken *more = arena_alloc(&m->app->arena, 2 * m->room + 8, sizeof *more);
        if (m->n > 0) memcpy(more, m->taken, m->n * sizeof *more);
        m->taken = more;
        m->room = 2 * m->room + 8;
    }
    Taken *t = &m->taken[m->n++];
    *t = (Taken){.file = file,
                 .taken_at = "",
                 .devices = "",
                 .status = "rejected",
                 .reason = "",
                 .run = (double)NAN,
                 .results = (double)NAN};
    return t;
}

static const char *device_names(App *app, const BenchRun *run) {
    const char *text = "";
    for (size_t i = 0; i < run->n_devices && i < 8; i++) {
        text =
            arena_printf(&app->arena, "%s%s%s", text, i > 0 ? ", " : "",
                         run->devices[i].sku_id[0] != '\0' ? run->devices[i].sku_id : run->devices[i].name);
    }
    return run->n_devices > 8 ? arena_printf(&app->arena, "%s, ...", text) : text;
}

static bool same_results(const BenchRun *a, const BenchRun *b) {
    if (a->n_results != b->n_results) return false;
    for (size_t i = 0; i < a->n_results; i++) {
        const BenchResult *x = &a->results[i], *y = &b->results[i];
        bool same = strcmp(x->test, y->test) == 0 && strcmp(x->device, y->device) == 0 &&
                    (x->median == y->median || (isnan(x->median) && isnan(y->median)));
        if (!same) return false;
    }
    return true;
}

// The run here that this one is, with whatever it was taken in from; 0 = none.
static bool find_same(Import *m, const BenchRun *run, int64_t *ret_id, Err *e) {
    *ret_id = 0;
    for (size_t i = 0; i < m->n_kept && *ret_id == 0; i++) {
        const BenchRun *head = &m->kept[i];
        BenchRun *whole = NULL;
        size_t n = 0;
        if (strcmp(head->taken_at, run->taken_at) != 0 || strcmp(head->system, run->system) != 0 ||
            head->n_results != run->n_results)
            continue;
        if (!runs_read(m->catalog, head->id, &m->app->arena, &whole, &n, e)) return false;
        if (n == 1 && same_results(&whole[0], run)) *ret_id = head->id;
    }
    return true;
}

static bool take_run(Import *m, const char *file, const Json *object, Err *e) {
    Taken *t = next_row(m, file);
    BenchRun run;
    Err why = {0};
    size_t unknown = 0;
    int64_t id = 0;
    if (!bench_run_read(object, m->app->now, &m->app->arena, &run, &unknown, &why)) {
        t->reason = arena_printf(&m->app->arena, "%s", why.text);
        return true;
    }
    if (strcmp(run.record, BENCH_STARTED) == 0) {
        t->reason = "a record that was begun and not finished: it has no results";
        return true;
    }
    run.origin = file;
    t->taken_at = run.taken_at;
    t->devices = device_names(m->app, &run);
    t->results = (double)run.n_results;
    if (unknown > 0)
        t->reason = arena_printf(&m->app->arena, "left out, as this version does not know their tests: %s",
                                 counted(&m->app->arena, unknown, "result"));
    if (!find_same(m, &run, &id, e)) return false;
    t->status = id > 0 ? "unchanged" : "new";
    if (id == 0 && !runs_add(m->catalog, &run, &id, e)) return false;
    t->run = (double)id;
    return runs_read(m->catalog, 0, &m->app->arena, &m->kept, &m->n_kept, e);  // a file may have a run twice
}

// False only when the database fails: what is wrong with a file is a row.
static bool take_file(Import *m, const char *path, Err *e) {
    Str text;
    Json *json = NULL;
    Err why = {0};
    const char *name = text_clean(&m->app->arena, path);
    if (!file_read(&m->app->arena, path, FILE_BYTES_MAX, &text, &why) ||
        !json_parse(text, FILE_VALUES_MAX, &json, &why)) {
        next_row(m, name)->reason = arena_printf(&m->app->arena, "%s", why.text);
        return true;
    }
    const Json *runs = json_get(json, "runs");
    bool ok = true;
    if (json_is_array(runs)) {
        for (const Json *r = json_first(runs); ok && r != NULL; r = json_next(r))
            ok = take_run(m, name, r, e);
        if (json_first(runs) == NULL) next_row(m, name)->reason = "it has no runs";
    } else if (json_is_array(json_get(json, "results"))) {
        ok = take_run(m, name, json, e);
    } else {
        next_row(m, name)->reason = "neither a file of `bench export` nor an answer of `bench --json`";
    }
    json_free(json);
    return ok;
}

// clang-format off
#define COLUMNS(X) \
    X("file",         "FILE",    TEXT,      t->file) \
    X("status",       "STATUS",  TEXT,      t->status) \
    X("run",          "RUN",     NUMBER(9), t->run) \
    X("taken_at",     "TAKEN",   MORE_TEXT, t->taken_at) \
    X("devices",      "DEVICES", TEXT,      t->devices) \
    X("result_count", "RESULTS", NUMBER(5), t->results) \
    X("reason",       "WHY",     TEXT,      t->reason)
// clang-format on

static void import_answer(App *app, const Import *m) {
    Listing l = LISTING(&app->arena, "imported", COLUMNS, m->n);
    for (size_t i = 0; i < m->n; i++) {
        const Taken *t = &m->taken[i];
        listing_row(&l, COLUMNS(LISTING_CELL));
    }
    app_answer(app, &l);
}

int bench_import(App *app) {
    Err e = {0};
    Import m = {.app = app};
    size_t rejected = 0;
    bool ok = app_kept(app, &m.catalog, &e) && runs_read(m.catalog, 0, &app->arena, &m.kept, &m.n_kept, &e);
    for (size_t i = 0; ok && i < app->n_args; i++) ok = take_file(&m, app->args[i], &e);
    if (!ok) return app_fail(app, &e);
    for (size_t i = 0; i < m.n; i++) {
        if (strcmp(m.taken[i].status, "rejected") != 0) continue;
        app_warn(app, "'%s': %s", m.taken[i].file, m.taken[i].reason);
        rejected++;
    }
    import_answer(app, &m);
    return rejected > 0 ? EXIT_FAILED : EXIT_DONE;
}
