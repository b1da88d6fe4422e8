// Copies between host and device: every byte compared, then timed. Locked memory by the device's clock;
// ordinary memory is staged by the driver, so that the host's clock counts.
#include <math.h>
#include <string.h>

#include "kernels/carried.h"
#include "kernels/gpu_measure.h"
#include "kernels/measure.h"
#include "kernels/numa.h"

typedef struct Copy {
    GpuDriver *gpu;
    const Transfer *kind;
    GpuPointer device;  // guard, data, guard
    // the same; the twin is ordinary memory for the way there or back that is not measured
    unsigned char *host, *twin;
    size_t room;  // bytes of each
} Copy;

static void copy_free(Copy *c) {
    if (c->kind->pinned) {
        gpu_host_release(c->gpu, c->host);
    } else {
        pages_unmap(c->host, c->room);
    }
    pages_unmap(c->twin, c->room);
    if (!gpu_is_lost(c->gpu)) gpu_release(c->gpu, c->device);
}

static bool copy_alloc(Copy *c, Err *e) {
    void *locked = NULL;
    c->twin = pages_map(c->room, e);
    if (c->twin == NULL) return false;
    if (c->kind->pinned && !gpu_host_alloc(c->gpu, c->room, &locked, e)) return false;
    c->host = c->kind->pinned ? locked : pages_map(c->room, e);
    return c->host != NULL && gpu_alloc(c->gpu, c->room, &c->device, e);
}

static bool one_copy(const Copy *c, size_t bytes, Err *e) {
    unsigned char *host = c->host + GUARD_BYTES;
    GpuPointer device = c->device + GUARD_BYTES;
    if (c->kind->pinned)
        return c->kind->to_device ? gpu_to_device_async(c->gpu, device, host, bytes, e)
                                  : gpu_to_host_async(c->gpu, host, device, bytes, e);
    return c->kind->to_device ? gpu_to_device(c->gpu, device, host, bytes, e)
                              : gpu_to_host(c->gpu, host, device, bytes, e);
}

// ---------------------------------------------------------------- verification

// One size, filled anew: the target is poisoned, and guards around it must stand.
static bool check_size(const Copy *c, size_t bytes, uint64_t seed, Arena *a, BenchResult *r, Err *e) {
    size_t all = bytes + 2 * GUARD_BYTES;
    unsigned char *source = c->kind->to_device ? c->host : c->twin,
                  *arrived = c->kind->to_device ? c->twin : c->host;
    carried_make(source + GUARD_BYTES, bytes, seed);
    memset(arrived, GUARD, all);
    memset(arrived + GUARD_BYTES, POISON, bytes);
    if (!gpu_fill(c->gpu, c->device, GUARD, all, e)) return false;
    if (!c->kind->to_device &&
        !gpu_to_device(c->gpu, c->device + GUARD_BYTES, source + GUARD_BYTES, bytes, e))
        return false;
    if (!one_copy(c, bytes, e) || !gpu_wait(c->gpu, e)) return false;
    if (c->kind->to_device && !gpu_to_host(c->gpu, arrived, c->device, all, e)) return false;
    carried_check(arrived, source + GUARD_BYTES, bytes, a, r);
    return true;
}

static bool check(const Copy *c, size_t bytes, uint64_t seed, Arena *a, BenchResult *r, Err *e) {
    const size_t sizes[] = {1, 4099, 65537, bytes};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        if (sizes[i] <= bytes && !check_size(c, sizes[i], seed + i, a, r, e)) return false;
    }
    carried_judge(r);
    return true;
}

// ---------------------------------------------------------------- timing

// Seconds of one copy, the mean of several.
static bool timed(const Copy *c, size_t bytes, size_t runs, double *ret_seconds, Err *e) {
    double seconds = 0, start = seconds_now();
    if (c->kind->pinned && !gpu_clock_start(c->gpu, e)) return false;
    for (size_t i = 0; i < runs; i++) {
        if (!one_copy(c, bytes, e)) return false;
    }
    if (c->kind->pinned ? !gpu_clock_stop(c->gpu, &seconds, e) : !gpu_wait(c->gpu, e)) return false;
    if (!c->kind->pinned) seconds = seconds_now() - start;
    if (!(seconds > 0)) return err_set(e, ERR_FAILED, "the clock did not move during %zu copies", runs);
    *ret_seconds = seconds / (double)runs;
    return true;
}

static bool time_copies(const GpuSession *s, const Copy *c, size_t bytes, bool quick, Arena *a,
                        BenchResult *r, Err *e) {
    const BenchTimes *t = bench_times(quick);
    double one = 0, passed = 0, gb = (double)bytes / 1e9,
           *figures = arena_alloc(a, BATCHES_MAX, sizeof *figures);
    GpuState before;
    if (!timed(c, bytes, 1, &one, e) || !timed(c, bytes, 1, &one, e)) return false;  // the first maps pages
    r->burst = gb / one;
    size_t runs = bench_batch_runs(t, one), n = 0;
    telemetry_read(&s->telemetry, &before);
    for (; n < BATCHES_MAX && passed < t->measure_max && (n < BATCHES_MIN || passed < t->measure);
         passed += one * (double)runs) {
        if (!timed(c, bytes, runs, &one, e)) return false;
        figures[n++] = gb / one;
    }
    bench_sensors(&s->telemetry, &before, a, r);
    bench_figures(r, figures, n);
    return true;
}

bool bench_gpu_transfer(GpuSession *s, const BenchRequest *request, Arena *a, BenchResult *ret_result,
                        Err *e) {
    // bytes: far more than any link's latency hides
    const double most = request->quick ? 67108864 : 268435456;
    BenchResult r = bench_blank(request->test, s->id);
    size_t bytes = (size_t)fmin(request->working_set_bytes, most);
    Copy c = {.gpu = &s->gpu, .kind = test_transfer(request->test), .room = bytes + 2 * GUARD_BYTES};
    r.shape = arena_printf(a, "%zu", bytes);
    r.path = numa_prefer(s->numa_node, a);
    bool ok = copy_alloc(&c, e) && check(&c, bytes, request->seed, a, &r, e) &&
              (!r.verified || time_copies(s, &c, bytes, request->quick, a, &r, e));
    copy_free(&c);
    numa_forget();
    if (ok) *ret_result = r;
    return ok;
}
