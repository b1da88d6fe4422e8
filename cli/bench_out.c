// Answers of `bench`: what was measured, the tests there are, the runs kept.
#include <math.h>
#include <string.h>

#include "catalog/facts/runs.h"
#include "cli/bench.h"
#include "kernels/bench.h"

enum {
    R_DEVICE,
    R_TEST,
    R_DTYPE,
    R_MEDIAN,
    R_P5,
    R_P95,
    R_UNIT,
    R_BURST,
    R_LIBRARY,
    R_CHECK,
    R_VERDICT,
    R_SHAPE,
    R_SHEET,
    R_CLOCK,
    R_POWER,
    R_HEAT,
    R_GPUS,
    R_PATH
};

static const Column result_columns[] = {
    [R_DEVICE] = {"device", "DEVICE", false, 0, false},
    [R_TEST] = {"test", "TEST", false, 0, false},
    [R_DTYPE] = {"dtype", "DTYPE", false, 0, true},
    [R_MEDIAN] = {"median", "MEDIAN", true, 4, false},
    [R_P5] = {"p5", "P5", true, 3, false},
    [R_P95] = {"p95", "P95", true, 3, false},
    [R_UNIT] = {"unit", "UNIT", false, 0, false},
    [R_BURST] = {"burst", "BURST", true, 4, false},
    [R_LIBRARY] = {"library_ceiling", "LIBRARY", true, 4, false},
    [R_CHECK] = {"max_error_of_bound", "ERR/BOUND", true, 2, true},
    [R_VERDICT] = {"verdict", "VERDICT", false, 0, false},
    [R_SHAPE] = {"shape", "SHAPE", false, 0, true},
    [R_SHEET] = {"pct_of_datasheet", "% OF SHEET", true, 3, true},
    [R_CLOCK] = {"clock_mhz", "MHZ", true, 4, true},
    [R_POWER] = {"power_w", "W", true, 4, true},
    [R_HEAT] = {"temperature_c", "C", true, 3, true},
    [R_GPUS] = {"gpu_count", "GPUS", true, 3, true},
    [R_PATH] = {"path", "PATH", false, 0, true},
};

static bool is_narrow(const App *app) { return app->format == FORMAT_TABLE && app_columns(app) < 96; }

// What is the same or unknown in every row makes no column of text. A narrow terminal has no room for how
// figures spread: a verdict that is cut off says nothing.
static const Column *columns_for(App *app, const BenchRun *run) {
    Column *columns = arena_alloc(&app->arena, COUNT_OF(result_columns), sizeof *columns);
    memcpy(columns, result_columns, sizeof result_columns);
    columns[R_DEVICE].detail = run->n_devices < 2;
    columns[R_BURST].detail = is_narrow(app);
    columns[R_P5].detail = columns[R_P95].detail = is_narrow(app) && run->n_devices > 1;
    columns[R_LIBRARY].detail = true;
    for (size_t i = 0; i < run->n_results; i++) {
        if (is_known(run->results[i].library_ceiling)) columns[R_LIBRARY].detail = false;
    }
    return columns;
}

// `pairs` false: those stand elsewhere.
static Listing results_of(App *app, const BenchRun *run, bool pairs) {
    Listing l;
    listing_init(&l, &app->arena, "results", columns_for(app, run), COUNT_OF(result_columns), run->n_results);
    for (size_t i = 0; i < run->n_results; i++) {
        const BenchResult *r = &run->results[i];
        if (!pairs && bench_is_pair(r)) continue;
        listing_add(&l, L_TEXT(R_DEVICE, r->device), L_TEXT(R_TEST, r->test), L_TEXT(R_DTYPE, r->dtype),
                    L_NUMBER(R_MEDIAN, r->median), L_NUMBER(R_P5, r->p5), L_NUMBER(R_P95, r->p95),
                    L_TEXT(R_UNIT, r->unit), L_NUMBER(R_BURST, r->burst),
                    L_NUMBER(R_LIBRARY, r->library_ceiling), L_NUMBER(R_CHECK, r->max_error_of_bound),
                    L_TEXT(R_VERDICT, r->verdict), L_TEXT(R_SHAPE, r->shape),
                    L_NUMBER(R_SHEET, r->pct_of_datasheet), L_NUMBER(R_CLOCK, r->clock_mhz),
                    L_NUMBER(R_POWER, r->power_w), L_NUMBER(R_HEAT, r->temperature_c),
                    L_NUMBER(R_GPUS, r->gpu_count), L_TEXT(R_PATH, r->path));
    }
    return l;
}

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

void bench_device_lines(App *app, const BenchDevice *devices, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const BenchDevice *d = &devices[i];
        const char *parts[] = {d->sku_id, d->pci, d->driver, d->how, d->memory};
        Buf line;
        buf_init(&line, BUF_LIMIT);
        buf_printf(&line, "%s", d->id);
        if (strcmp(d->id, d->name) != 0) buf_printf(&line, ": %s", d->name);
        for (size_t k = 0; k < COUNT_OF(parts); k++) {
            if (parts[k][0] != '\0') buf_printf(&line, ", %s", parts[k]);
        }
        bool as_before = i > 0 && strcmp(d->state, d[-1].state) == 0 && strcmp(d->why, d[-1].why) == 0;
        const char *why = as_before ? arena_printf(&app->arena, "as %s", d[-1].id) : d->why;
        if (strcmp(d->state, "tested") != 0)
            buf_printf(&line, ": %s%s%s", d->state, d->why[0] != '\0' ? ": " : "", why);
        text_wrapped(&app->out, line.data, 2, app_width(app));
        buf_free(&line);
    }
}

// What a row has no room for: why there is no figure, what a low one is held against and what may be behind
// it.
static void result_remarks(App *app, const BenchResult *r, bool several) {
    const char *who = several ? arena_printf(&app->arena, "%s %s", r->device, r->test) : r->test;
    if (r->error[0] != '\0')
        text_wrapped(&app->out, arena_printf(&app->arena, "%s: %s", who, r->error), 2, app_width(app));
    if (r->cause[0] == '\0') return;
    if (!is_known(r->expected_low)) {  // no band, and no part of the datasheet
        text_wrapped(&app->out, arena_printf(&app->arena, "%s: %s", who, r->cause), 2, app_width(app));
        return;
    }
    text_wrapped(
        &app->out,
        arena_printf(&app->arena,
                     "%s: %s: %.4g %s, known-good boards reach %.4g to %.4g (%s). Probable cause: %s", who,
                     r->verdict, bench_judged(r), r->unit, r->expected_low, r->expected_high,
                     r->expected_source, r->cause),
        2, app_width(app));
}

typedef struct Extent {
    double least, most;
} Extent;

static void extend(Extent *e, double x) {
    if (!(e->least <= x)) e->least = is_known(x) ? x : e->least;
    if (!(e->most >= x)) e->most = is_known(x) ? x : e->most;
}

// What its sensors said while the tests ran; each result has its own in JSON and CSV.
static void sensor_line(App *app, const BenchRun *run, const char *device) {
    const Extent none = {(double)NAN, (double)NAN};
    Extent mhz = none, watts = none, celsius = none;
    size_t held = 0;
    const char *by = "";
    for (size_t i = 0; i < run->n_results; i++) {
        const BenchResult *r = &run->results[i];
        if (strcmp(r->device, device) != 0) continue;
        extend(&mhz, r->clock_mhz);
        extend(&watts, r->power_w);
        extend(&celsius, r->temperature_c);
        if (r->throttle[0] != '\0') by = r->throttle, held++;
    }
    const char *text = "";
    if (is_known(mhz.most))
        text = arena_printf(&app->arena, "%s, %.0f to %.0f MHz", text, mhz.least, mhz.most);
    if (is_known(watts.most))
        text = arena_printf(&app->arena, "%s, %.0f to %.0f W", text, watts.least, watts.most);
    if (is_known(celsius.most))
        text = arena_printf(&app->arena, "%s, %.0f to %.0f C", text, celsius.least, celsius.most);
    if (held > 0)
        text = arena_printf(&app->arena, "%s, clocks held down in %zu test%s by %s", text, held,
                            held == 1 ? "" : "s", by);
    if (text[0] != '\0')
        text_wrapped(&app->out, arena_printf(&app->arena, "%s under load: %s.", device, text + 2), 2,
                     app_width(app));
}

// "libopenblas.so.0, libdnnl.so.2": whose figures stand beside ours.
static const char *libraries_of(App *app, const BenchRun *run) {
    const char *text = "";
    for (size_t i = 0; i < run->n_results; i++) {
        const BenchResult *r = &run->results[i];
        if (!is_known(r->library_ceiling) || text_contains(text, r->library)) continue;
        text = arena_printf(&app->arena, "%s%s%s", text, text[0] != '\0' ? ", " : "", r->library);
    }
    return text;
}

static const char *verified_text(App *app, const BenchRun *run) {
    size_t verified = 0;
    for (size_t i = 0; i < run->n_results; i++) verified += run->results[i].verified;
    if (verified == 0)
        return arena_printf(&app->arena, "0 of %s verified.", counted(&app->arena, run->n_results, "test"));
    return arena_printf(&app->arena,
                        "%zu of %s verified: every output that was checked is within its error bound of a "
                        "double-precision reference.",
                        verified, counted(&app->arena, run->n_results, "test"));
}

static const char *legend(App *app, const BenchRun *run) {
    const Column *columns = columns_for(app, run);
    const char *text = columns[R_P5].detail ? "MEDIAN: of batches, steady."
                                            : "Steady figures: median and 5th-95th percentile of batches.";
    if (!columns[R_BURST].detail) text = arena_printf(&app->arena, "%s BURST: the first 50 ms.", text);
    if (!columns[R_LIBRARY].detail)
        text = arena_printf(&app->arena, "%s LIBRARY: the same product by %s.", text, libraries_of(app, run));
    bool unknown = false;
    for (size_t i = 0; i < run->n_results; i++)
        unknown = unknown || strcmp(run->results[i].verdict, "no reference") == 0;
    if (unknown)
        text = arena_printf(
            &app->arena, "%s No reference: no figures of known-good devices are known to judge the speed by.",
            text);
    return is_narrow(app) ? arena_printf(&app->arena, "%s A wider terminal and --json show more.", text)
                          : text;
}

void bench_answer(App *app, const BenchRun *run, const char *note) {
    if (app->format == FORMAT_JSON) {
        answer_json(app, run, note);
        return;
    }
    bool text = app->format == FORMAT_TABLE;
    if (text) bench_device_lines(app, run->devices, run->n_devices);
    if (run->n_results > 0) {
        bool drawn = text && bench_pairs_text(app, run);
        Listing l = results_of(app, run, !drawn);
        if (text && l.n_rows > 0) buf_puts(&app->out, "\n");
        if (l.n_rows > 0) app_listing(app, &l);
    }
    if (!text) return;
    for (size_t i = 0; i < run->n_results; i++) result_remarks(app, &run->results[i], run->n_devices > 1);
    bench_soak_text(app, run->soak);
    if (run->n_results > 0) {
        buf_puts(&app->out, "\n");
        text_wrapped(&app->out, verified_text(app, run), 0, app_width(app));
        text_wrapped(&app->out, legend(app, run), 0, app_width(app));
        for (size_t i = 0; i < run->n_devices; i++) sensor_line(app, run, run->devices[i].id);
        if (run->soak == NULL) bench_roofline_text(app, run);
        buf_puts(&app->out, "\n");
    }
    if (note[0] != '\0') text_wrapped(&app->out, note, 0, app_width(app));
    if (run->id > 0)
        text_wrapped(&app->out, arena_printf(&app->arena, "Kept as run %lld.", (long long)run->id), 0,
                     app_width(app));
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
