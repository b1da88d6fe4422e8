// What a benchmark run measured: devices, results, what the figures mean and what its sensors said.
#include "src/report/bench_report.h"

#include <string.h>

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

static bool is_narrow(const Writer *w) { return w->format == FORMAT_TABLE && writer_columns(w) < 96; }

// What is the same or unknown in every row makes no column of text. A narrow terminal has no room for how
// figures spread: a verdict that is cut off says nothing.
static const Column *columns_for(const Writer *w, const BenchRun *run) {
    Column *columns = arena_alloc(w->arena, COUNT_OF(result_columns), sizeof *columns);
    memcpy(columns, result_columns, sizeof result_columns);
    columns[R_DEVICE].detail = run->n_devices < 2;
    columns[R_BURST].detail = is_narrow(w);
    columns[R_P5].detail = columns[R_P95].detail = is_narrow(w) && run->n_devices > 1;
    columns[R_LIBRARY].detail = true;
    for (size_t i = 0; i < run->n_results; i++) {
        if (is_known(run->results[i].library_ceiling)) columns[R_LIBRARY].detail = false;
    }
    return columns;
}

Listing bench_results(const Writer *w, const BenchRun *run, bool (*elsewhere)(const BenchResult *r)) {
    Listing l;
    listing_init(&l, w->arena, "results", columns_for(w, run), COUNT_OF(result_columns), run->n_results);
    for (size_t i = 0; i < run->n_results; i++) {
        const BenchResult *r = &run->results[i];
        if (elsewhere != NULL && elsewhere(r)) continue;
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

void bench_device_lines(const Writer *w, const BenchDevice *devices, size_t n) {
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
        const char *why = as_before ? arena_printf(w->arena, "as %s", d[-1].id) : d->why;
        if (strcmp(d->state, "tested") != 0)
            buf_printf(&line, ": %s%s%s", d->state, d->why[0] != '\0' ? ": " : "", why);
        text_wrapped(w->out, line.data, 2, w->room.width);
        buf_free(&line);
    }
}

// What a row has no room for: why there is no figure, what a low one is held against and what may be behind
// it.
static void result_remarks(const Writer *w, const BenchResult *r, bool several) {
    const char *who = several ? arena_printf(w->arena, "%s %s", r->device, r->test) : r->test;
    if (r->error[0] != '\0') writer_line(w, 2, "%s: %s", who, r->error);
    if (r->cause[0] == '\0') return;
    if (!is_known(r->expected_low)) {  // no band, and no part of the datasheet
        writer_line(w, 2, "%s: %s", who, r->cause);
        return;
    }
    writer_line(w, 2, "%s: %s: %.4g %s, known-good boards reach %.4g to %.4g (%s). Probable cause: %s", who,
                r->verdict, bench_judged(r), r->unit, r->expected_low, r->expected_high, r->expected_source,
                r->cause);
}

typedef struct Extent {
    double least, most;
} Extent;

static void extend(Extent *e, double x) {
    if (!(e->least <= x)) e->least = is_known(x) ? x : e->least;
    if (!(e->most >= x)) e->most = is_known(x) ? x : e->most;
}

// What its sensors said while the tests ran; each result has its own in JSON and CSV.
static void sensor_line(const Writer *w, const BenchRun *run, const char *device) {
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
    if (is_known(mhz.most)) text = arena_printf(w->arena, "%s, %.0f to %.0f MHz", text, mhz.least, mhz.most);
    if (is_known(watts.most))
        text = arena_printf(w->arena, "%s, %.0f to %.0f W", text, watts.least, watts.most);
    if (is_known(celsius.most))
        text = arena_printf(w->arena, "%s, %.0f to %.0f C", text, celsius.least, celsius.most);
    if (held > 0)
        text = arena_printf(w->arena, "%s, clocks held down in %zu test%s by %s", text, held,
                            held == 1 ? "" : "s", by);
    if (text[0] != '\0') writer_line(w, 2, "%s under load: %s.", device, text + 2);
}

// "libopenblas.so.0, libdnnl.so.2": whose figures stand beside ours.
static const char *libraries_of(const Writer *w, const BenchRun *run) {
    const char *text = "";
    for (size_t i = 0; i < run->n_results; i++) {
        const BenchResult *r = &run->results[i];
        if (!is_known(r->library_ceiling) || text_contains(text, r->library)) continue;
        text = arena_printf(w->arena, "%s%s%s", text, text[0] != '\0' ? ", " : "", r->library);
    }
    return text;
}

static const char *verified_text(const Writer *w, const BenchRun *run) {
    size_t verified = 0;
    for (size_t i = 0; i < run->n_results; i++) verified += run->results[i].verified;
    if (verified == 0)
        return arena_printf(w->arena, "0 of %s verified.", counted(w->arena, run->n_results, "test"));
    return arena_printf(w->arena,
                        "%zu of %s verified: every output that was checked is within its error bound of a "
                        "double-precision reference.",
                        verified, counted(w->arena, run->n_results, "test"));
}

static const char *legend(const Writer *w, const BenchRun *run) {
    const Column *columns = columns_for(w, run);
    const char *text = columns[R_P5].detail ? "MEDIAN: of batches, steady."
                                            : "Steady figures: median and 5th-95th percentile of batches.";
    if (!columns[R_BURST].detail) text = arena_printf(w->arena, "%s BURST: the first 50 ms.", text);
    if (!columns[R_LIBRARY].detail)
        text = arena_printf(w->arena, "%s LIBRARY: the same product by %s.", text, libraries_of(w, run));
    bool unknown = false;
    for (size_t i = 0; i < run->n_results; i++)
        unknown = unknown || strcmp(run->results[i].verdict, "no reference") == 0;
    if (unknown)
        text = arena_printf(
            w->arena, "%s No reference: no figures of known-good devices are known to judge the speed by.",
            text);
    return is_narrow(w) ? arena_printf(w->arena, "%s A wider terminal and --json show more.", text) : text;
}

void bench_remarks(const Writer *w, const BenchRun *run) {
    for (size_t i = 0; i < run->n_results; i++) result_remarks(w, &run->results[i], run->n_devices > 1);
}

void bench_legend(const Writer *w, const BenchRun *run) {
    writer_line(w, 0, "%s", verified_text(w, run));
    writer_line(w, 0, "%s", legend(w, run));
    for (size_t i = 0; i < run->n_devices; i++) sensor_line(w, run, run->devices[i].id);
}
