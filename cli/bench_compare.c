// bench compare, bench --baseline: two runs side by side.
#include "catalog/facts/runs.h"
#include "cli/bench.h"
#include "kernels/bench.h"

enum { FILE_BYTES_MAX = 16 * 1024 * 1024, FILE_VALUES_MAX = 200000, RESULTS_MAX = 4096, DEVICES_MAX = 1024 };

static bool read_file(App *app, const char *path, BenchSide *ret_side, Err *e) {
    Str text;
    Json *json = NULL;
    if (!file_read(&app->arena, path, FILE_BYTES_MAX, &text, e)) return false;
    if (!json_parse(text, FILE_VALUES_MAX, &json, e)) return err_wrap(e, "'%s'", path);
    const Json *runs = json_get(json, "runs"), *first = json_is_array(runs) ? json_first(runs) : NULL;
    if (first != NULL && json_next(first) != NULL) {
        json_free(json);
        return err_set(
            e, ERR_USAGE,
            "'%s' holds several runs: `gpuadvise bench import` takes them in, and gives each an id", path);
    }
    const Json *list = json_get(first != NULL ? first : json, "results");
    BenchSide side = {.name = path};
    if (json_is_array(list)) {
        side.results = arena_alloc(&app->arena, RESULTS_MAX, sizeof *side.results);
        for (const Json *r = json_first(list); r != NULL && side.n < RESULTS_MAX; r = json_next(r)) {
            if (json_is_object(r)) bench_result_read(r, &app->arena, &side.results[side.n++]);
        }
    }
    const Json *devices = json_get(first != NULL ? first : json, "devices");
    if (json_is_array(devices)) {
        side.devices = arena_alloc(&app->arena, DEVICES_MAX, sizeof *side.devices);
        for (const Json *d = json_first(devices); d != NULL && side.n_devices < DEVICES_MAX;
             d = json_next(d)) {
            if (json_is_object(d)) bench_device_read(d, &app->arena, &side.devices[side.n_devices++]);
        }
    }
    json_free(json);
    if (side.results == NULL)
        return err_set(e, ERR_USAGE, "'%s' is no answer of `gpuadvise bench --json`: it has no results",
                       path);
    *ret_side = side;
    return true;
}

bool bench_side_read(App *app, const char *name, BenchSide *ret_side, Err *e) {
    int64_t id = 0;
    Catalog *c = NULL;
    BenchRun *runs = NULL;
    size_t n = 0;
    if (!parse_integer(str_of(name), 1, INT64_MAX / 1024, &id, NULL))
        return read_file(app, name, ret_side, e);
    if (!app_catalog(app, &c, e) || !runs_read(c, id, &app->arena, &runs, &n, e)) return false;
    if (n == 0) return err_set(e, ERR_USAGE, "no run %lld; `gpuadvise bench runs` lists them", (long long)id);
    *ret_side = (BenchSide){arena_printf(&app->arena, "run %lld", (long long)id), runs[0].results,
                            runs[0].n_results, runs[0].devices, runs[0].n_devices};
    return true;
}

int bench_compare(App *app) {
    Err e = {0};
    BenchSide a, b;
    if (!bench_side_read(app, app->args[0], &a, &e) || !bench_side_read(app, app->args[1], &b, &e))
        return app_fail(app, &e);
    Listing l = bench_compared(&a, &b, &app->arena);
    if (l.n_rows < b.n || l.n_rows < a.n)
        app_warn(app, "of %zu and %zu tests both have %zu", a.n, b.n, l.n_rows);
    app_input(app, "a", a.name);
    app_input(app, "b", b.name);
    app_answer(app, &l);
    return EXIT_DONE;
}

bool bench_is_slower(App *app, const BenchRun *run, const BenchSide *before) {
    BenchSide now = {"", run->results, run->n_results, run->devices, run->n_devices};
    const char **lines = arena_alloc(&app->arena, now.n, sizeof *lines);
    size_t both = 0, n = bench_slower(before, &now, &app->arena, lines, &both);
    for (size_t i = 0; i < n; i++) app_warn(app, "%s", lines[i]);
    if (both == 0) app_warn(app, "no test here can be compared with '%s'", before->name);
    return n > 0;
}
