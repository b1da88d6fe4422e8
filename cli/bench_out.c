// Answers of `bench`: what was measured, the tests there are, the runs kept.
#include <math.h>
#include <string.h>

#include "catalog/facts/runs.h"
#include "cli/bench.h"
#include "kernels/bench.h"
#include "src/report/bench_report.h"

void bench_devices_json(const BenchDevice *devices, size_t n, Json *root) {
    Json *list = json_add_array(root, "devices");
    for (size_t i = 0; i < n; i++) bench_device_json(&devices[i], json_add_object(list, NULL));
}

static void answer_json(App *app, const BenchRun *run, const char *note) {
    Json *root = app_json(app);
    json_add(root, J_TEXT("taken_at", run->taken_at), J_TEXT("system", run->system),
             J_BOOL("complete", run->complete));
    bench_where_json(run, root);
    if (run->id > 0) {
        json_add_integer(root, "run", run->id);
    } else {
        json_add_null(root, "run");
    }
    bench_devices_json(run->devices, run->n_devices, root);
    Json *results = json_add_array(root, "results");
    for (size_t i = 0; i < run->n_results; i++)
        bench_result_json(&run->results[i], json_add_object(results, NULL));
    bench_roofline_json(app, run, root);
    bench_soak_json(run->soak, root);
    json_add_text_or_null(root, "note", note);
}

void bench_answer_print(App *app, const BenchRun *run, const char *note, Buf *out) {
    answer_json(app, run, note);
    app_json_print(app, out);
}

void bench_answer(App *app, const BenchRun *run, const char *note) {
    if (app->format == FORMAT_JSON) {
        answer_json(app, run, note);
        return;
    }
    bool text = app->format == FORMAT_TABLE;
    Writer w = app_writer(app);
    if (text) bench_device_lines(&w, run->devices, run->n_devices);
    if (run->n_results > 0) {
        bool drawn = text && bench_pairs_text(app, run);
        Listing l = bench_results(&w, run, drawn ? bench_is_pair : NULL);
        if (text && l.n_rows > 0) buf_puts(&app->out, "\n");
        if (l.n_rows > 0) app_listing(app, &l);
    }
    if (!text) return;
    bench_remarks(&w, run);
    bench_soak_text(app, run->soak);
    if (run->n_results > 0) {
        buf_puts(&app->out, "\n");
        bench_legend(&w, run);
        if (run->soak == NULL) bench_roofline_text(app, run);
        buf_puts(&app->out, "\n");
    }
    if (note[0] != '\0') writer_line(&w, 0, "%s", note);
    if (run->id > 0) writer_line(&w, 0, "Kept as run %lld.", (long long)run->id);
}

// ---------------------------------------------------------------- list

enum { T_TEST, T_DTYPE, T_UNIT, T_DIMS, T_WHAT };
static const Column test_columns[] = {
    [T_TEST] = {"test", "TEST", false, 0, false}, [T_DTYPE] = {"dtype", "DTYPE", false, 0, false},
    [T_UNIT] = {"unit", "UNIT", false, 0, false}, [T_DIMS] = {"sizes", "SIZES", false, 0, true},
    [T_WHAT] = {"what", "WHAT", false, 0, false},
};

int bench_list(App *app) {
    Listing l;
    listing_init(&l, &app->arena, "tests", test_columns, COUNT_OF(test_columns), TEST_COUNT);
    for (TestId i = 0; i < TEST_COUNT; i++) {
        listing_add(&l, L_TEXT(T_TEST, test_name(i)), L_TEXT(T_DTYPE, test_dtype(i)),
                    L_TEXT(T_UNIT, test_unit(i)), L_TEXT(T_DIMS, test_dims(i)), L_TEXT(T_WHAT, test_what(i)));
    }
    app_answer(app, &l);
    if (app->format == FORMAT_JSON) device_code_json(&app->arena, app_json(app));
    if (app->format == FORMAT_TABLE) {
        buf_puts(&app->out, "\n");
        text_wrapped(&app->out, arena_printf(&app->arena, "Device code %s.", device_code_text(&app->arena)),
                     0, app_width(app));
    }
    return EXIT_DONE;
}

// ---------------------------------------------------------------- runs

enum { K_RUN, K_TAKEN, K_NAMES, K_ORIGIN, K_COMPLETE, K_DEVICES, K_RESULTS, K_VERSION, K_SYSTEM, K_OPTIONS };
static const Column run_columns[] = {
    [K_RUN] = {"run", "RUN", true, 9, false},
    [K_TAKEN] = {"taken_at", "TAKEN", false, 0, false},
    [K_NAMES] = {"device_names", "DEVICES", false, 0, false},
    [K_ORIGIN] = {"imported_from", "FROM", false, 0, false},
    [K_COMPLETE] = {"complete", "COMPLETE", false, 0, false},
    [K_DEVICES] = {"device_count", "COUNT", true, 4, true},
    [K_RESULTS] = {"result_count", "RESULTS", true, 5, false},
    [K_VERSION] = {"measured_by", "VERSION", false, 0, true},
    [K_SYSTEM] = {"system", "SYSTEM", false, 0, true},
    [K_OPTIONS] = {"options", "COMMAND", false, 0, false},
};

static const Column *columns_of_runs(App *app, const BenchRun *runs, size_t n) {
    Column *columns = arena_alloc(&app->arena, COUNT_OF(run_columns), sizeof *columns);
    memcpy(columns, run_columns, sizeof run_columns);
    columns[K_ORIGIN].detail = columns[K_COMPLETE].detail = true;
    for (size_t i = 0; i < n; i++) {
        if (runs[i].origin[0] != '\0') columns[K_ORIGIN].detail = false;
        if (!runs[i].complete) columns[K_COMPLETE].detail = false;
    }
    return columns;
}

static int show_run(App *app, Catalog *c) {
    Err e = {0};
    int64_t id = 0;
    BenchRun *runs = NULL;
    size_t n = 0;
    if (!parse_integer(str_of(app->args[0]), 1, INT64_MAX / 1024, &id, &e)) {
        err_set(&e, ERR_USAGE, "run '%.40s': runs have numbers; `gpuadvise bench runs` lists them",
                app->args[0]);
        return app_fail(app, &e);
    }
    if (!runs_read(c, id, &app->arena, &runs, &n, &e)) return app_fail(app, &e);
    if (n == 0) {
        err_set(&e, ERR_USAGE, "no run %lld; `gpuadvise bench runs` lists them", (long long)id);
        return app_fail(app, &e);
    }
    bench_answer(app, &runs[0],
                 runs[0].origin[0] != '\0' ? arena_printf(&app->arena, "Imported from '%s'.", runs[0].origin)
                                           : "");
    return EXIT_DONE;
}

int bench_runs(App *app) {
    Err e = {0};
    Catalog *c = NULL;
    BenchRun *runs = NULL;
    size_t n = 0;
    if (!app_catalog(app, &c, &e)) return app_fail(app, &e);
    if (app->n_args > 0) return show_run(app, c);
    if (!runs_read(c, 0, &app->arena, &runs, &n, &e)) return app_fail(app, &e);
    Listing l;
    listing_init(&l, &app->arena, "runs", columns_of_runs(app, runs, n), COUNT_OF(run_columns), n);
    for (size_t i = 0; i < n; i++) {
        listing_add(&l, L_NUMBER(K_RUN, (double)runs[i].id), L_TEXT(K_TAKEN, runs[i].taken_at),
                    L_TEXT(K_NAMES, runs[i].device_names), L_TEXT(K_ORIGIN, runs[i].origin),
                    L_TEXT(K_COMPLETE, runs[i].complete ? "yes" : "no"),
                    L_NUMBER(K_DEVICES, (double)runs[i].n_devices),
                    L_NUMBER(K_RESULTS, (double)runs[i].n_results), L_TEXT(K_VERSION, runs[i].tool_version),
                    L_TEXT(K_SYSTEM, runs[i].system), L_TEXT(K_OPTIONS, runs[i].options));
    }
    if (!app_rows(app, &l, &e)) return app_fail(app, &e);
    app_answer(app, &l);
    if (n == 0 && app->format == FORMAT_TABLE)
        buf_puts(&app->out, "No run is kept yet: `gpuadvise bench --quick` makes one.\n");
    return EXIT_DONE;
}
