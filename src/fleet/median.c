// The medians of the good nodes as one run: what estimates may rest on, if it passes their gate.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/fleet/fleet.h"

// Of n values, which get sorted; NaN for none. `share`: 0.5 is the median.
static double quantile(double *x, size_t n, double share) {
    if (n == 0) return (double)NAN;
    qsort(x, n, sizeof *x, order_doubles);
    double at = share * (double)(n - 1), below = floor(at);
    size_t i = (size_t)below;
    return i + 1 < n ? x[i] + (at - below) * (x[i + 1] - x[i]) : x[i];
}

static bool is_good(const Fleet *f, const FleetDevice *d) {
    const FleetRecord *r = &f->records[d->record];
    return d->tested && !r->superseded && f->nodes[r->node].state == FLEET_GOOD;
}

// The larger one of what may spoil a run; unknown spoils it for sure.
static double worse(double a, double b) { return isnan(a) || isnan(b) ? (double)NAN : fmax(a, b); }

static size_t device_of_group(const Fleet *f, size_t group, BenchDevice *ret_device) {
    size_t n = 0, of = 0, nodes = 0, last = SIZE_MAX;
    BenchDevice all = {0};
    for (size_t i = 0; i < f->n_devices; i++) {
        const FleetDevice *d = &f->devices[i];
        if (!d->tested || f->records[d->record].superseded || d->group != group) continue;
        of++;
        if (!is_good(f, d)) continue;
        nodes += f->records[d->record].node != last;
        last = f->records[d->record].node;
        if (n++ == 0) {
            all = d->facts;
            continue;
        }
        all.shared = worse(all.shared, d->facts.shared);
        all.ecc_errors = worse(all.ecc_errors, d->facts.ecc_errors);
        all.ecc_corrected = worse(all.ecc_corrected, d->facts.ecc_corrected);
        if (!(d->facts.power_limit_w >= all.power_limit_w)) all.power_limit_w = d->facts.power_limit_w;
    }
    all.id = arena_printf(f->arena, "gpu%zu", group);
    all.pci = all.uuid = all.serial = all.why = "";
    all.how = arena_printf(f->arena, "medians of %zu of %zu devices on %s of the fleet", n, of,
                           counted(f->arena, nodes, "node"));
    if (n > 0) *ret_device = all;
    return n;
}

// Readings of a line are sorted by speed; those of good nodes are taken.
static bool result_of_line(const Fleet *f, size_t line, const FleetReading *r, size_t n, double *scratch,
                           BenchResult *ret) {
    const FleetLine *l = &f->lines[line];
    const FleetTest *t = &f->tests[l->test];
    double *libraries = scratch + n;
    size_t good = 0, with_library = 0;
    BenchResult x = {.test = t->name,
                     .dtype = t->dtype,
                     .unit = t->unit,
                     .shape = t->shape,
                     .device = arena_printf(f->arena, "gpu%zu", l->group),
                     .path = "",
                     .error = "",
                     .verdict = "no reference",
                     .expected_source = "",
                     .throttle = "",
                     .cause = "",
                     .library = "",
                     .bits = "",
                     .verified = true,
                     .burst = (double)NAN,
                     .datasheet = (double)NAN,
                     .pct_of_datasheet = (double)NAN,
                     .expected_low = (double)NAN,
                     .expected_high = (double)NAN,
                     .max_error = (double)NAN,
                     .checked = (double)NAN,
                     .clock_mhz = (double)NAN,
                     .power_w = (double)NAN,
                     .temperature_c = (double)NAN,
                     .gpu_count = (double)NAN};
    for (size_t i = 0; i < n; i++) {
        if (!is_good(f, &f->devices[r[i].device])) continue;
        x.max_error_of_bound = good == 0 ? r[i].bound : worse(x.max_error_of_bound, r[i].bound);
        x.in_cache = good == 0 ? r[i].in_cache : worse(x.in_cache, r[i].in_cache);
        if (r[i].capped) x.throttle = BENCH_POWER_CAP;  // at its default: else the node would not be good
        if (r[i].library_name[0] != '\0') x.library = r[i].library_name;
        if (is_known(r[i].library)) libraries[with_library++] = r[i].library;
        scratch[good++] = r[i].figure;
    }
    if (good == 0) return false;
    // a library that only some have says nothing of the others
    x.library_ceiling = with_library == good ? quantile(libraries, good, 0.5) : (double)NAN;
    if (with_library != good) x.library = "";
    x.median = quantile(scratch, good, 0.5);
    x.p5 = quantile(scratch, good, 0.05);
    x.p95 = quantile(scratch, good, 0.95);
    x.samples = (double)good;
    *ret = x;
    return true;
}

static void add_results(const Fleet *f, BenchRun *run) {
    double *scratch = arena_alloc(f->arena, 2 * f->n_readings + 1, sizeof *scratch);
    for (size_t i = 0, line = 0; line < f->n_lines; i += f->lines[line++].n) {
        const FleetTest *t = &f->tests[f->lines[line].test];
        BenchResult r;
        if (!is_known(t->gpu_count) &&
            result_of_line(f, line, f->readings + i, f->lines[line].n, scratch, &r))
            run->results[run->n_results++] = r;
    }
}

static const char *latest(const Fleet *f, double *ret_quick) {
    const char *at = "";
    *ret_quick = 0;
    for (size_t i = 0; i < f->n_records; i++) {
        const FleetRecord *r = &f->records[i];
        if (r->superseded || f->nodes[r->node].state != FLEET_GOOD) continue;
        if (strcmp(r->taken_at, at) > 0) at = r->taken_at;
        *ret_quick = worse(*ret_quick, r->quick);
    }
    return at;
}

bool fleet_median_run(const Fleet *f, const char *from, BenchRun *ret_run, const char **ret_why) {
    BenchRun run = {.complete = true,
                    .launcher = "",
                    .job = "",
                    .node = "",
                    .environment = "",
                    .record = "",
                    .host = "",
                    .boot_id = "",
                    .device_names = "",
                    .system = "a fleet",
                    .tool_version = "",
                    .rank = (double)NAN,
                    .ranks = (double)NAN,
                    .local_rank = (double)NAN};
    run.taken_at = latest(f, &run.quick);
    run.origin = arena_printf(f->arena, "fleet of %s in %s", counted(f->arena, f->n_nodes, "node"), from);
    run.options = "gpuadvise bench fleet";
    run.devices = arena_alloc(f->arena, f->n_groups + 1, sizeof *run.devices);
    run.results = arena_alloc(f->arena, f->n_lines + 1, sizeof *run.results);
    for (size_t g = 0; g < f->n_groups; g++)
        run.n_devices += device_of_group(f, g, &run.devices[run.n_devices]) > 0;
    add_results(f, &run);
    *ret_why =
        f->counts[FLEET_GOOD] == 0 ? "no node is good" : "good nodes have no figure of a single device";
    if (run.n_results == 0) return false;
    *ret_run = run;
    return true;
}
