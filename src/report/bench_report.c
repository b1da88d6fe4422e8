// What a benchmark run measured: devices, results, what the figures mean and what its sensors said.
#include "src/report/bench_report.h"

#include <string.h>

// clang-format off
#define RESULT_COLUMNS(X) \
    X("device",             "DEVICE",     TEXT,           r->device) \
    X("test",               "TEST",       TEXT,           r->test) \
    X("dtype",              "DTYPE",      MORE_TEXT,      r->dtype) \
    X("median",             "MEDIAN",     NUMBER(4),      r->median) \
    X("p5",                 "P5",         NUMBER(3),      r->p5) \
    X("p95",                "P95",        NUMBER(3),      r->p95) \
    X("unit",               "UNIT",       TEXT,           r->unit) \
    X("burst",              "BURST",      NUMBER(4),      r->burst) \
    X("library_ceiling",    "LIBRARY",    NUMBER(4),      r->library_ceiling) \
    X("max_error_of_bound", "ERR/BOUND",  MORE_NUMBER(2), r->max_error_of_bound) \
    X("verdict",            "VERDICT",    TEXT,           r->verdict) \
    X("shape",              "SHAPE",      MORE_TEXT,      r->shape) \
    X("pct_of_datasheet",   "% OF SHEET", MORE_NUMBER(3), r->pct_of_datasheet) \
    X("clock_mhz",          "MHZ",        MORE_NUMBER(4), r->clock_mhz) \
    X("power_w",            "W",          MORE_NUMBER(4), r->power_w) \
    X("temperature_c",      "C",          MORE_NUMBER(3), r->temperature_c) \
    X("gpu_count",          "GPUS",       MORE_NUMBER(3), r->gpu_count) \
    X("path",               "PATH",       MORE_TEXT,      r->path)
// clang-format on

static bool is_narrow(const Writer *w) { return w->format == FORMAT_TABLE && writer_columns(w) < 96; }

static bool hides_spread(const Writer *w, const BenchRun *run) { return is_narrow(w) && run->n_devices > 1; }

static bool has_library(const BenchRun *run) {
    for (size_t i = 0; i < run->n_results; i++) {
        if (is_known(run->results[i].library_ceiling)) return true;
    }
    return false;
}

// What is the same or unknown in every row makes no column of text. A narrow terminal has no room for how
// figures spread: a verdict that is cut off says nothing.
Listing bench_results(const Writer *w, const BenchRun *run, bool (*elsewhere)(const BenchResult *r)) {
    Listing l = LISTING(w->arena, "results", RESULT_COLUMNS, run->n_results);
    listing_hide(&l, "device", run->n_devices < 2);
    listing_hide(&l, "burst", is_narrow(w));
    listing_hide(&l, "p5 p95", hides_spread(w, run));
    listing_hide(&l, "library_ceiling", !has_library(run));
    for (size_t i = 0; i < run->n_results; i++) {
        const BenchResult *r = &run->results[i];
        if (elsewhere != NULL && elsewhere(r)) continue;
        listing_row(&l, RESULT_COLUMNS(LISTING_CELL));
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
    const char *text = hides_spread(w, run) ? "MEDIAN: of batches, steady."
                                            : "Steady figures: median and 5th-95th percentile of batches.";
    if (!is_narrow(w)) text = arena_printf(w->arena, "%s BURST: the first 50 ms.", text);
    if (has_library(run))
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

// ---------------------------------------------------------------- runs

// clang-format off
#define RUN_COLUMNS(X) \
    X("run",           "RUN",      NUMBER(9),      runs[i].id) \
    X("taken_at",      "TAKEN",    TEXT,           runs[i].taken_at) \
    X("device_names",  "DEVICES",  TEXT,           runs[i].device_names) \
    X("imported_from", "FROM",     TEXT,           runs[i].origin) \
    X("complete",      "COMPLETE", TEXT,           runs[i].complete ? "yes" : "no") \
    X("device_count",  "COUNT",    MORE_NUMBER(4), runs[i].n_devices) \
    X("result_count",  "RESULTS",  NUMBER(5),      runs[i].n_results) \
    X("measured_by",   "VERSION",  MORE_TEXT,      runs[i].tool_version) \
    X("system",        "SYSTEM",   MORE_TEXT,      runs[i].system) \
    X("options",       "COMMAND",  TEXT,           runs[i].options)
// clang-format on

Listing bench_run_rows(const BenchRun *runs, size_t n, Arena *a) {
    bool imported = false, broken_off = false;
    Listing l = LISTING(a, "runs", RUN_COLUMNS, n);
    for (size_t i = 0; i < n; i++) {
        listing_row(&l, RUN_COLUMNS(LISTING_CELL));
        imported = imported || runs[i].origin[0] != '\0';
        broken_off = broken_off || !runs[i].complete;
    }
    listing_hide(&l, "imported_from", !imported);
    listing_hide(&l, "complete", !broken_off);
    return l;
}
