// What becomes of a run: GPUs that this job was not given, hardware that says it is faulty, gates that the
// user set.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench.h"

// ---------------------------------------------------------------- allocation

// The variable that shows a process some GPUs of a vendor only; NULL: none is set.
static const char *showing_some(int vendor) {
    static const struct {
        int vendor;
        const char *name;
    } variables[] = {{VENDOR_NVIDIA, "CUDA_VISIBLE_DEVICES"},
                     {VENDOR_AMD, "ROCR_VISIBLE_DEVICES"},
                     {VENDOR_AMD, "HIP_VISIBLE_DEVICES"},
                     {VENDOR_AMD, "CUDA_VISIBLE_DEVICES"},
                     {VENDOR_AMD, "GPU_DEVICE_ORDINAL"}};
    for (size_t i = 0; i < COUNT_OF(variables); i++) {
        const char *value = variables[i].vendor == vendor ? getenv(variables[i].name) : NULL;
        if (value != NULL && value[0] != '\0') return variables[i].name;
    }
    return NULL;
}

// Why the GPU is not of this job, where others of its vendor are; NULL: it is, and something else is wrong. A
// GPU that is lost is not shown by its driver either: then no variable and no slice explains it.
static const char *left_out(App *app, const GpuDevice *g, const BenchDevice *d, bool slices) {
    const char *variable = showing_some(g->vendor);
    if (g->hidden)
        return "its device file is kept from this process (cgroup, container), and those of others are not";
    if (!text_contains(d->why, BENCH_NOT_SHOWN)) return NULL;
    if (variable != NULL) return arena_printf(&app->arena, "%s shows others only", variable);
    return slices ? "MIG: CUDA shows a process one slice" : NULL;
}

void bench_allocation(App *app, const GpuDevice *const *gpus, const BenchMember *members, size_t n,
                      BenchRun *run) {
    for (size_t i = 0; i < run->n_devices; i++) {
        BenchDevice *d = &run->devices[i];
        bool others = false, slices = false;
        if (gpus[i] == NULL || strcmp(d->state, "not tested") != 0) continue;
        for (size_t k = 0; k < n; k++) {
            if (members[k].gpu->vendor != gpus[i]->vendor) continue;
            others = true;
            slices = slices || members[k].about.mig;
        }
        const char *why = others ? left_out(app, gpus[i], d, slices) : NULL;
        if (why == NULL) continue;
        d->state = BENCH_NOT_ALLOCATED;
        d->why = why;
    }
}

// ---------------------------------------------------------------- hardware that says so itself

bool bench_is_faulty(App *app, const BenchRun *run) {
    bool faulty = false;
    for (size_t i = 0; i < run->n_devices; i++) {
        const BenchDevice *d = &run->devices[i];
        if (d->ecc_errors > 0)
            app_warn(app,
                     "%s: %.0f uncorrected memory errors since its driver was loaded: take it out of use",
                     d->id, d->ecc_errors);
        if (d->rows_pending > 0)
            app_warn(app,
                     "%s: rows of its memory wait to be remapped, or could not be: reset it, or take it out "
                     "of use",
                     d->id);
        faulty = faulty || d->ecc_errors > 0 || d->rows_pending > 0;
    }
    return faulty;
}

// ---------------------------------------------------------------- gates

static const BenchDevice *device_of(const BenchRun *run, const BenchResult *r) {
    for (size_t i = 0; i < run->n_devices; i++) {
        if (strcmp(run->devices[i].id, r->device) == 0) return &run->devices[i];
    }
    return NULL;
}

// In a product every GPU of a kind meets its power cap at the default limit: that is no throttle.
static bool is_throttled(const BenchRun *run, const BenchResult *r) {
    const BenchDevice *d = device_of(run, r);
    bool own = d != NULL && bench_is_own_limit(r->throttle, d->power_limit_w, d->power_default_w);
    return r->throttle[0] != '\0' && !own;
}

static bool gate_results(App *app, const BenchRun *run, bool low, bool throttled) {
    bool failed = false;
    for (size_t i = 0; i < run->n_results; i++) {
        const BenchResult *r = &run->results[i];
        if (low && strcmp(r->verdict, "low") == 0) {
            app_warn(app, "gate 'low': %s of %s: %.4g %s, from %.4g on it is as expected", r->test, r->device,
                     bench_judged(r), r->unit, r->expected_low);
            failed = true;
        }
        if (throttled && is_throttled(run, r)) {
            app_warn(app, "gate 'throttled': %s of %s: clocks held down by %s", r->test, r->device,
                     r->throttle);
            failed = true;
        }
    }
    return failed;
}

static bool gate_ecc(App *app, const BenchRun *run) {
    bool failed = false;
    for (size_t i = 0; i < run->n_devices; i++) {
        const BenchDevice *d = &run->devices[i];
        if (d->ecc_corrected > 0) {
            app_warn(app, "gate 'ecc': %s: %.0f corrected memory errors since its driver was loaded", d->id,
                     d->ecc_corrected);
            failed = true;
        }
    }
    return failed;
}

// In what two GPUs of one vendor differ that should be alike; NULL: in nothing that is known of both.
static const char *difference(const BenchDevice *a, const BenchDevice *b) {
    const struct {
        const char *what, *a, *b;
    } texts[] = {{"model", a->sku_id, b->sku_id},
                 {"driver", a->driver, b->driver},
                 {"VBIOS", a->vbios, b->vbios},
                 {"part", a->part, b->part}};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        bool known = strcmp(texts[i].what, "part") == 0 || (texts[i].a[0] != '\0' && texts[i].b[0] != '\0');
        if (known && strcmp(texts[i].a, texts[i].b) != 0) return texts[i].what;
    }
    bool limits = is_known(a->power_limit_w) && is_known(b->power_limit_w) &&
                  fabs(a->power_limit_w - b->power_limit_w) > 0.5;
    return limits ? "power limit" : NULL;
}

// Groups of a vendor stand after its GPUs and have no address.
static bool gate_mixed(App *app, const BenchRun *run) {
    bool failed = false;
    for (size_t i = 0; i < run->n_devices; i++) {
        const BenchDevice *first = NULL, *d = &run->devices[i];
        for (size_t k = 0; k < i && first == NULL; k++) {
            const BenchDevice *x = &run->devices[k];
            if (strcmp(x->vendor, d->vendor) == 0 && strcmp(x->state, "tested") == 0) first = x;
        }
        if (first == NULL || d->pci[0] == '\0' || strcmp(d->state, "tested") != 0) continue;
        const char *what = difference(first, d);
        if (what != NULL) {
            app_warn(app, "gate 'mixed': %s and %s differ in their %s", first->id, d->id, what);
            failed = true;
        }
    }
    return failed;
}

bool bench_gates_fail(App *app, const BenchRun *run) {
    const OptionValue *asked = &app->values[OPT_FAIL_IF];
    bool on[GATE_COUNT] = {false};
    for (size_t i = 0; i < asked->n; i++) {
        int gate = name_index(bench_gate_names, asked->texts[i]);
        if (gate >= 0) on[gate] = true;
    }
    bool failed =
        (on[GATE_LOW] || on[GATE_THROTTLED]) && gate_results(app, run, on[GATE_LOW], on[GATE_THROTTLED]);
    if (on[GATE_ECC] && gate_ecc(app, run)) failed = true;
    if (on[GATE_MIXED] && gate_mixed(app, run)) failed = true;
    return failed;
}
