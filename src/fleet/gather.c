// What counts of each record, as it is read.
#include <math.h>
#include <string.h>

#include "src/fleet/inside.h"

static const double whole_limit = 0.97;  // of the default: a power limit below it is a cap

const char *const fleet_state_names[] = {"good",       "mixed",      "straggler", "throttled", "missing",
                                         "unreadable", "unfinished", "faulty",    NULL};

static const char *kept(Fleet *f, const char *text) {
    return text == NULL || text[0] == '\0' ? "" : arena_copy(f->arena, text, strlen(text));
}

void fleet_found(Fleet *f, size_t of, FleetState state, double weight, const char *text) {
    f->findings = arena_grow(f->arena, f->findings, f->n_findings, &f->room.findings, sizeof *f->findings);
    f->findings[f->n_findings++] = (FleetFinding){of, state, weight, text};
}

static FleetRecord *new_record(Fleet *f, const char *file) {
    f->records = arena_grow(f->arena, f->records, f->n_records, &f->room.records, sizeof *f->records);
    FleetRecord *r = &f->records[f->n_records++];
    *r = (FleetRecord){.file = kept(f, file),
                       .name = "",
                       .host = "",
                       .launcher = "",
                       .job = "",
                       .taken_at = "",
                       .rank = (double)NAN,
                       .ranks = (double)NAN,
                       .quick = (double)NAN,
                       .first_device = f->n_devices};
    return r;
}

void fleet_add_unreadable(Fleet *f, const char *file, const char *why) {
    FleetRecord *r = new_record(f, file);
    r->name = r->file;
    fleet_found(f, f->n_records - 1, FLEET_UNREADABLE, 0, kept(f, why));
}

void fleet_expect(Fleet *f, const char *const *hosts, size_t n) {
    f->expected = hosts;
    f->n_expected = n;
}

// ---------------------------------------------------------------- devices

static FleetDevice *add_device(Fleet *f, const BenchDevice *d) {
    f->devices = arena_grow(f->arena, f->devices, f->n_devices, &f->room.devices, sizeof *f->devices);
    FleetDevice *x = &f->devices[f->n_devices++];
    *x = (FleetDevice){.record = f->n_records - 1, .facts = *d, .tested = strcmp(d->state, "tested") == 0};
    const char **texts[] = {&x->facts.id,   &x->facts.vendor, &x->facts.name, &x->facts.sku_id,
                            &x->facts.pci,  &x->facts.driver, &x->facts.why,  &x->facts.part,
                            &x->facts.code, &x->facts.uuid,   &x->facts.vbios};
    for (size_t i = 0; i < COUNT_OF(texts); i++) *texts[i] = kept(f, *texts[i]);
    x->facts.state = x->tested ? "tested" : kept(f, d->state);
    x->facts.how = x->facts.memory = x->facts.serial = "";
    return x;
}

static void judge_device(Fleet *f, size_t record, const BenchDevice *d) {
    bool fine = strcmp(d->state, "tested") == 0 || strcmp(d->state, BENCH_NOT_ALLOCATED) == 0;
    if (!fine)
        fleet_found(f, record, FLEET_FAULTY, 3, arena_printf(f->arena, "%s %s: %s", d->id, d->state, d->why));
    if (d->ecc_errors > 0)
        fleet_found(f, record, FLEET_FAULTY, 2,
                    arena_printf(f->arena, "%s: %.0f uncorrected memory errors", d->id, d->ecc_errors));
    if (d->rows_pending > 0)
        fleet_found(f, record, FLEET_FAULTY, 1,
                    arena_printf(f->arena, "%s: rows of its memory wait to be remapped", d->id));
}

// ---------------------------------------------------------------- results

// Records of one kind have their tests in one order: the one after the last is looked at first.
static size_t test_of(Fleet *f, const BenchResult *r, size_t *last) {
    for (size_t k = 0; k < f->n_tests; k++) {
        size_t i = (*last + 1 + k) % f->n_tests;
        const FleetTest *t = &f->tests[i];
        bool count = t->gpu_count == r->gpu_count || (isnan(t->gpu_count) && isnan(r->gpu_count));
        if (count && strcmp(t->name, r->test) == 0 && strcmp(t->shape, r->shape) == 0 &&
            strcmp(t->path, r->path) == 0 && strcmp(t->unit, r->unit) == 0)
            return *last = i;
    }
    f->tests = arena_grow(f->arena, f->tests, f->n_tests, &f->room.tests, sizeof *f->tests);
    f->tests[f->n_tests] = (FleetTest){kept(f, r->test),
                                       kept(f, r->dtype),
                                       kept(f, r->shape),
                                       kept(f, r->unit),
                                       kept(f, r->path),
                                       r->gpu_count,
                                       strcmp(r->unit, "us") == 0 || strcmp(r->unit, "ns") == 0};
    return *last = f->n_tests++;
}

// The device of the record that a result is of; of a pair the first of both. n_devices: none.
static size_t device_of(const Fleet *f, const FleetRecord *r, const char *id) {
    size_t length = strcspn(id, ">+");
    for (size_t i = 0; i < r->n_devices; i++) {
        const char *own = f->devices[r->first_device + i].facts.id;
        if (strlen(own) == length && strncmp(own, id, length) == 0) return r->first_device + i;
    }
    return f->n_devices;
}

static const char *source_of(Fleet *f, const char *text) {
    for (size_t i = f->n_readings; i-- > 0 && f->n_readings - i < 100;) {
        if (strcmp(f->readings[i].known_source, text) == 0) return f->readings[i].known_source;
    }
    return kept(f, text);
}

static void add_reading(Fleet *f, const BenchResult *r, size_t device, size_t test) {
    f->readings = arena_grow(f->arena, f->readings, f->n_readings, &f->room.readings, sizeof *f->readings);
    FleetReading *x = &f->readings[f->n_readings];
    *x = (FleetReading){.device = device,
                        .test = test,
                        .figure = r->median,
                        .speed = f->tests[test].of_time ? 1 / r->median : r->median,
                        .library = r->library_ceiling,
                        .bound = r->max_error_of_bound,
                        .in_cache = r->in_cache,
                        .known_low = r->expected_low,
                        .known_high = r->expected_high,
                        .library_name = "",
                        .known_source = "",
                        .capped = r->throttle[0] != '\0'};
    x->known_source = source_of(f, r->expected_source);
    x->library_name = is_known(r->library_ceiling) ? kept(f, r->library) : "";
    f->n_readings++;
}

// A healthy GPU meets its default power limit too.
static bool is_throttled(const BenchResult *r, const BenchDevice *d) {
    if (r->throttle[0] == '\0') return false;
    return strcmp(r->throttle, BENCH_POWER_CAP) != 0 ||
           !(d->power_limit_w >= whole_limit * d->power_default_w);
}

// What is wrong with the results of each device of a record, one finding a kind.
typedef struct Faults {
    size_t wrong, throttled;
    const BenchResult *first_wrong, *first_throttled;
} Faults;

static void say_faults(Fleet *f, size_t record, const BenchDevice *d, const Faults *x) {
    Arena *a = f->arena;
    if (x->wrong > 0) {
        const BenchResult *r = x->first_wrong;
        const char *more = x->wrong > 1 ? arena_printf(a, ", and %zu more tests", x->wrong - 1) : "";
        fleet_found(f, record, FLEET_FAULTY, 4,
                    arena_printf(a, "%s of %s is %s%s%s%s", r->test, r->device, r->verdict,
                                 r->error[0] != '\0' ? ": " : "", r->error, more));
    }
    if (x->throttled > 0) {
        bool cap = strcmp(x->first_throttled->throttle, BENCH_POWER_CAP) == 0 && is_known(d->power_default_w);
        const char *limit =
            cap ? arena_printf(a, " (limit %.0f of %.0f W)", d->power_limit_w, d->power_default_w) : "";
        fleet_found(f, record, FLEET_THROTTLED, (double)x->throttled,
                    arena_printf(a, "%s: clocks held down by %s%s in %s", d->id, x->first_throttled->throttle,
                                 limit, counted(a, x->throttled, "test")));
    }
}

static void add_results(Fleet *f, const BenchRun *run) {
    size_t record = f->n_records - 1, last = 0;
    const FleetRecord *r = &f->records[record];
    Faults *faults = arena_alloc(f->arena, r->n_devices + 1, sizeof *faults);
    for (size_t i = 0; i < run->n_results; i++) {
        const BenchResult *x = &run->results[i];
        size_t device = device_of(f, r, x->device);
        if (device == f->n_devices) continue;
        Faults *own = &faults[device - r->first_device];
        if (!x->verified && strcmp(x->verdict, "not supported") != 0 && own->wrong++ == 0)
            own->first_wrong = x;
        if (is_throttled(x, &f->devices[device].facts) && own->throttled++ == 0) own->first_throttled = x;
        if (x->verified && is_known(x->median)) add_reading(f, x, device, test_of(f, x, &last));
    }
    for (size_t i = 0; i < r->n_devices; i++)
        say_faults(f, record, &f->devices[r->first_device + i].facts, &faults[i]);
}

void fleet_add(Fleet *f, const char *file, const BenchRun *run) {
    FleetRecord *r = new_record(f, file);
    size_t record = f->n_records - 1;
    r->host = kept(f, run->host);
    r->scheduled = run->node[0] != '\0';
    r->name = r->scheduled ? kept(f, run->node) : r->host[0] != '\0' ? r->host : r->file;
    r->launcher = kept(f, run->launcher);
    r->job = kept(f, run->job);
    r->taken_at = kept(f, run->taken_at);
    r->rank = run->rank;
    r->ranks = run->ranks;
    r->quick = run->quick;
    r->n_devices = run->n_devices;
    if (strcmp(run->record, BENCH_STARTED) == 0) {
        fleet_found(f, record, FLEET_UNFINISHED, 0,
                    arena_printf(f->arena, "began at %s and left no answer", r->taken_at));
    } else if (!run->complete) {
        fleet_found(
            f, record, FLEET_UNFINISHED, 0,
            arena_printf(f->arena, "interrupted after %s", counted(f->arena, run->n_results, "test")));
    }
    for (size_t i = 0; i < run->n_devices; i++) {
        (void)add_device(f, &run->devices[i]);
        if (strcmp(run->record, BENCH_STARTED) != 0) judge_device(f, record, &run->devices[i]);
    }
    add_results(f, run);
}
