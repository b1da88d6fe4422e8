// Answers of `bench`: what was measured, the tests there are, the runs kept.
#include <math.h>

#include "catalog/facts/runs.h"
#include "cli/bench.h"
#include "kernels/bench.h"
#include "src/report/bench_report.h"

void bench_devices_json(const BenchDevice *devices, size_t n, Json *root) {
    Json *list = json_add_array(root, "devices");
    for (size_t i = 0; i < n; i++) bench_device_json(&devices[i], json_add_object(list, NULL));
}

void bench_results_json(const BenchResult *results, size_t n, Json *root) {
    Json *list = json_add_array(root, "results");
    for (size_t i = 0; i < n; i++) bench_result_json(&results[i], json_add_object(list, NULL));
}

static void answer_json(App *app, const BenchRun *run, const char *note) {
    Json *root = app_json(app);
    json_add(root, J_TEXT("taken_at", run->taken_at), J_TEXT("system", run->system),
             J_BOOL("complete", run->complete));
    bench_where_json(run, root);
    json_add_number(root, "run", run->id > 0 ? (double)run->id : (double)NAN);
    bench_devices_json(run->devices, run->n_devices, root);
    bench_results_json(run->results, run->n_results, root);
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
        bool drawn = text && bench_pairs_text(&w, run);
        Listing l = bench_results(&w, run, drawn ? bench_is_pair : NULL);
        if (text && l.n_rows > 0) buf_puts(&app->out, "\n");
        if (l.n_rows > 0) app_listing(app, &l);
    }
    if (!text) return;
    bench_remarks(&w, run);
    bench_soak_text(&w, run->soak);
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

// clang-format off
#define TEST_COLUMNS(X) \
    X("test",  "TEST",  TEXT,      test_name(i)) \
    X("dtype", "DTYPE", TEXT,      test_dtype(i)) \
    X("unit",  "UNIT",  TEXT,      test_unit(i)) \
    X("sizes", "SIZES", MORE_TEXT, test_dims(i)) \
    X("what",  "WHAT",  TEXT,      test_what(i))
// clang-format on

int bench_list(App *app) {
    Listing l = LISTING(&app->arena, "tests", TEST_COLUMNS, TEST_COUNT);
    for (TestId i = 0; i < TEST_COUNT; i++) listing_row(&l, TEST_COLUMNS(LISTING_CELL));
    app_answer(app, &l);
    if (app->format == FORMAT_JSON) device_code_json(&app->arena, app_json(app));
    if (app->format == FORMAT_TABLE) {
        buf_puts(&app->out, "\n");
        app_line(app, 0, "Device code %s.", device_code_text(&app->arena));
    }
    return EXIT_DONE;
}

// ---------------------------------------------------------------- runs

static int show_run(App *app, Catalog *c) {
    Err e = {0};
    int64_t id = 0;
    BenchRun *runs = NULL;
    size_t n = 0;
    if (!parse_integer(str_of(app->args[0]), 1, INT64_MAX / 1024, &id, &e))
        return app_refuse(app, "run '%.40s': runs have numbers; `gpuadvise bench runs` lists them",
                          app->args[0]);
    if (!runs_read(c, id, &app->arena, &runs, &n, &e)) return app_fail(app, &e);
    if (n == 0) return app_refuse(app, "no run %lld; `gpuadvise bench runs` lists them", (long long)id);
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
    Listing l = bench_run_rows(runs, n, &app->arena);
    if (!app_rows(app, &l, &e)) return app_fail(app, &e);
    app_answer(app, &l);
    if (n == 0 && app->format == FORMAT_TABLE)
        buf_puts(&app->out, "No run is kept yet: `gpuadvise bench --quick` makes one.\n");
    return EXIT_DONE;
}
