// One kernel on a GPU: checked against the reference first, then timed by the device's events, its sensors
// read beside it.
#include "kernels/gpu_measure.h"

#include <math.h>
#include <string.h>

#include "kernels/carried.h"
#include "kernels/gpu_blas.h"
#include "kernels/gpu_differ.h"
#include "kernels/measure.h"
#include "kernels/numa.h"
#include "kernels/verify.h"
#include "kernels/watch.h"

typedef struct GpuJob {
    GpuSession *session;
    const BenchRequest *request;
    const Kernel *kernel;
    GpuFunction function;
    GpuBlas *blas;  // the vendor's library runs in place of the function; NULL: it does not
    Shape shape;
    GpuPointer buffers[BUFFERS_MAX];  // as the launch passes them: the output's points behind its guard
    GpuPointer raw;                   // guard, output, guard
    size_t out_bytes;
    void *host;  // the output with its guards, as fetched last
    size_t host_bytes;
    GpuDiffer differ;   // holds outputs under load against the checked one; kept 0: not yet
    GpuPointer first;   // guard, the checked output, guard
    Arena *arena;       // of `wrong`
    const char *wrong;  // the first difference, in words; NULL = none
    size_t compared;    // outputs that were held against it
    unsigned blocks;
    uint64_t sizes[COUNT_OF(((Shape *)NULL)->d)];
    void *arguments[COUNT_OF(((Shape *)NULL)->d) + BUFFERS_MAX];
} GpuJob;

// ---------------------------------------------------------------- opening

bool gpu_session_open(const BenchTarget *t, const char *root, Arena *a, GpuSession *ret_session,
                      BenchAbout *ret_about, Err *e) {
    GpuSession s = {.id = t->id, .numa_node = numa_of(root, t->pci)};
    GpuTarget target = {.pci = t->pci, .part = (size_t)t->part, .parts = (size_t)t->parts, .gfx = t->gfx};
    BoardFacts b;
    GpuState idle;
    const char *unread = "";
    if (!gpu_api_of(t->api, &target.api, e)) return false;
    // Before this process uses the device: what is on it then is of others.
    telemetry_open(target.api, root, t->pci, a, &s.telemetry, &unread);
    telemetry_board(&s.telemetry, &b);
    telemetry_read(&s.telemetry, &idle);
    if (!cpu_open(NULL, &s.cpu, e)) return false;
    if (!gpu_open(&target, &s.gpu, e) || !gpu_load(&s.gpu, e)) {
        cpu_close(&s.cpu);
        return false;
    }
    const GpuDriver *g = &s.gpu;
    *ret_about = (BenchAbout){.name = arena_printf(a, "%s", g->name),
                              .arch = arena_printf(a, "%s", g->arch),
                              .library = gpu_driver_text(g, a),
                              .code = arena_printf(a, "%s", g->code),
                              .unread = unread,
                              .units = g->units,
                              .memory_bytes = g->total_bytes,
                              .free_bytes = g->free_bytes,
                              .cache_bytes = g->cache_bytes,
                              .busy_pct = idle.busy_pct,
                              .other_processes = b.other_processes,
                              .power_limit_w = b.power_limit_w,
                              .power_default_w = b.power_default_w,
                              .ecc_on = b.ecc_on,
                              .ecc_errors = b.ecc_errors,
                              .ecc_corrected = b.ecc_corrected,
                              .rows_pending = b.rows_pending,
                              .link_width = b.link_width,
                              .link_width_max = b.link_width_max,
                              .mig = b.mig,
                              .uuid = text_clean(a, b.uuid),
                              .serial = text_clean(a, b.serial),
                              .vbios = text_clean(a, b.vbios)};
    *ret_session = s;
    return true;
}

void gpu_session_look(const GpuSession *s, BenchAbout *about) {
    BoardFacts b;
    telemetry_board(&s->telemetry, &b);
    about->power_limit_w = b.power_limit_w;
    about->ecc_errors = b.ecc_errors;
    about->ecc_corrected = b.ecc_corrected;
    about->rows_pending = b.rows_pending;
    about->link_width = b.link_width;
}

// ---------------------------------------------------------------- buffers

static void job_clear(GpuJob *j) {
    GpuDriver *g = &j->session->gpu;
    for (size_t i = 0; i < j->kernel->output; i++) gpu_release(g, j->buffers[i]), j->buffers[i] = 0;
    gpu_release(g, j->raw);
    gpu_release(g, j->first);
    j->raw = j->first = 0;
    gpu_differ_close(&j->differ);
}

static bool upload(GpuJob *j, size_t buffer, uint64_t seed, const Special *special, Err *e) {
    GpuDriver *g = &j->session->gpu;
    const BufferSpec *b = &j->kernel->buffers[buffer];
    size_t bytes = buffer_count(b, &j->shape) * elem_size(b->elem);
    if (!gpu_alloc(g, bytes, &j->buffers[buffer], e)) return false;
    void *host = pages_map(bytes, e);
    if (host == NULL) return false;
    cpu_fill(&j->session->cpu, j->kernel, &j->shape, buffer, seed, host);
    if (special->set && special->buffer == buffer)
        elem_write(b->elem, host, special->index, (float)special->value);
    bool ok = gpu_to_device(g, j->buffers[buffer], host, bytes, e);
    pages_unmap(host, bytes);
    return ok;
}

// Sizes, then buffers: what every entry takes.
static void set_arguments(GpuJob *j) {
    size_t n = kernel_dims(j->kernel);
    for (size_t i = 0; i < n; i++) j->sizes[i] = j->shape.d[i], j->arguments[i] = &j->sizes[i];
    for (size_t i = 0; i <= j->kernel->output; i++) j->arguments[n + i] = &j->buffers[i];
}

static unsigned blocks_of(const GpuJob *j) {
    enum { THREADS_A_UNIT = 2048 };  // what a multiprocessor or compute unit holds
    size_t wanted = kernel_blocks(j->kernel, &j->shape),
           most = (size_t)j->session->gpu.units * (THREADS_A_UNIT / j->kernel->launch.threads);
    return (unsigned)(wanted < most ? wanted : most);
}

static bool job_prepare(void *job, const Shape *s, uint64_t seed, const Special *special, Err *e) {
    GpuJob *j = job;
    const Kernel *k = j->kernel;
    GpuDriver *g = &j->session->gpu;
    job_clear(j);
    j->shape = *s;
    for (size_t i = 0; i < k->output; i++) {
        if (!upload(j, i, seed, special, e)) return false;
    }
    j->out_bytes = buffer_count(&k->buffers[k->output], s) * elem_size(k->buffers[k->output].elem);
    if (!gpu_alloc(g, j->out_bytes + 2 * GUARD_BYTES, &j->raw, e)) return false;
    j->buffers[k->output] = j->raw + GUARD_BYTES;
    j->blocks = blocks_of(j);
    set_arguments(j);
    return gpu_fill(g, j->raw, GUARD, j->out_bytes + 2 * GUARD_BYTES, e);
}

static bool launch(GpuJob *j, Err *e) {
    if (j->blas != NULL) return gpu_blas_run(j->blas, j->kernel, j->buffers, e);
    return gpu_launch(&j->session->gpu, j->function, j->blocks, j->kernel->launch.threads,
                      kernel_shared(j->kernel), j->arguments, e);
}

// ---------------------------------------------------------------- verification

static bool job_run(void *job, const void **ret_output, size_t *ret_bytes, bool *ret_guards, Err *e) {
    GpuJob *j = job;
    GpuDriver *g = &j->session->gpu;
    size_t bytes = j->out_bytes + 2 * GUARD_BYTES;
    if (!gpu_fill(g, j->raw + GUARD_BYTES, POISON, j->out_bytes, e) || !launch(j, e) || !gpu_wait(g, e))
        return false;
    pages_unmap(j->host, j->host_bytes);
    j->host = pages_map(bytes, e);
    j->host_bytes = bytes;
    if (j->host == NULL || !gpu_to_host(g, j->host, j->raw, bytes, e)) return false;
    *ret_output = (unsigned char *)j->host + GUARD_BYTES;
    *ret_bytes = j->out_bytes;
    *ret_guards = guards_whole(j->host, j->out_bytes);
    return true;
}

static const char *vendor_of(const GpuDriver *g) { return g->api == GPU_CUDA ? "nvidia" : "amd"; }

static bool verify(GpuJob *j, const Shape *timed, Arena *a, BenchResult *r, Err *e) {
    VerifyBackend b = {j,           j->kernel, kernel_roundoff(j->kernel, vendor_of(&j->session->gpu)),
                       job_prepare, job_run,   j->request->hold_s > 0};
    return bench_verify(&b, timed, j->request->seed, a, r, e);
}

// ---------------------------------------------------------------- outputs under load

// Holds the output as it is now against the checked one.
static bool compare(GpuJob *j, Err *e) {
    uint32_t words = 0;
    const char *place = "";
    if (!gpu_differ_count(&j->differ, j->buffers[j->kernel->output], &words, e)) return false;
    j->compared++;
    if (words == 0 || j->wrong != NULL) return true;
    if (!gpu_differ_place(&j->differ, j->buffers[j->kernel->output], j->arena, &place, e)) return false;
    j->wrong = arena_printf(
        j->arena, "right when it was checked, wrong under load: %u of %zu words of output %zu differ: %s",
        words, j->differ.words, j->compared, place);
    return true;
}

// One run into an output that held nothing, by that many blocks.
static bool run_afresh(GpuJob *j, unsigned blocks, Err *e) {
    unsigned usual = j->blocks;
    j->blocks = blocks;
    bool ok = gpu_fill(&j->session->gpu, j->buffers[j->kernel->output], POISON, j->out_bytes, e) &&
              launch(j, e) && compare(j, e);
    j->blocks = usual;
    return ok;
}

// What was checked stays where it is; runs from here on write elsewhere. Half the blocks give each part of
// the output to another multiprocessor: one that is always wrong shows, wherever the samples of the check
// lay.
static bool keep_checked(GpuJob *j, Err *e) {
    GpuDriver *g = &j->session->gpu;
    size_t output = j->kernel->output;
    GpuPointer checked = j->raw;
    unsigned other = gpu_differ_blocks(j->blocks, g->units);
    if (!gpu_differ_open(g, j->buffers[output], j->out_bytes, &j->differ, e) ||
        !gpu_alloc(g, j->out_bytes + 2 * GUARD_BYTES, &j->raw, e))
        return false;
    j->first = checked;
    j->buffers[output] = j->raw + GUARD_BYTES;
    return gpu_fill(g, j->raw, GUARD, j->out_bytes + 2 * GUARD_BYTES, e) && run_afresh(j, other, e);
}

static void say_wrong(const GpuJob *j, BenchResult *r) {
    r->verified = false;
    r->verdict = "wrong";
    r->error = j->wrong;
    r->median = r->p5 = r->p95 = r->burst = r->samples = (double)NAN;
}

// ---------------------------------------------------------------- timing

// Device seconds of one run, the mean of a batch. `w` NULL: nobody looks.
static bool batch(GpuJob *j, size_t runs, Watch *w, double *ret_seconds, Err *e) {
    GpuDriver *g = &j->session->gpu;
    double seconds = 0;
    if (!gpu_clock_start(g, e)) return false;
    for (size_t i = 0; i < runs; i++) {
        if (!launch(j, e)) return false;
    }
    if (w != NULL) watch_look(w, &j->session->telemetry);
    if (!gpu_clock_stop(g, &seconds, e) || (j->differ.kept != 0 && !compare(j, e))) return false;
    if (!(seconds > 0))
        return err_set(e, ERR_FAILED, "the device's clock did not move during %zu runs", runs);
    *ret_seconds = seconds / (double)runs;
    return true;
}

// The first 50 ms of device time, run by run.
static bool burst(GpuJob *j, Arena *a, BenchResult *r, Err *e) {
    double *figures = arena_alloc(a, BURST_RUNS_MAX, sizeof *figures), passed = 0;
    size_t n = 0;
    while (n == 0 || (n < BURST_RUNS_MAX && passed < burst_seconds && j->wrong == NULL)) {
        double one = 0;
        if (!batch(j, 1, NULL, &one, e)) return false;
        passed += one;
        figures[n++] = bench_figure(j->kernel, &j->shape, one);
    }
    r->burst = bench_percentile(figures, n, 0.5);
    return true;
}

// Until two windows of device time agree, or time is up: the seconds of one run then.
static bool warm_up(GpuJob *j, const BenchTimes *t, double *ret_one, Err *e) {
    double passed = 0, before = (double)NAN, mean = 0;
    size_t runs = 1;
    while (passed < t->warm_max && j->wrong == NULL) {
        double window = 0, one = 0;
        size_t n = 0;
        for (; window < t->window && (n == 0 || j->wrong == NULL); n += runs) {
            if (!batch(j, runs, NULL, &one, e)) return false;
            window += one * (double)runs;
            runs = bench_batch_runs(t, one);
        }
        mean = window / (double)n;
        passed += window;
        if (is_known(before) && fabs(mean - before) <= steady_within * before) break;
        before = mean;
    }
    *ret_one = mean;
    return true;
}

// How long to measure: until the median stands, or as long as the request holds the load. What is wrong needs no
// speed.
static bool goes_on(const GpuJob *j, const BenchTimes *t, size_t n, double device_s, double start) {
    if (j->wrong != NULL) return n == 0;
    if (j->request->hold_s > 0) return n == 0 || seconds_now() - start < j->request->hold_s;
    return n < BATCHES_MAX && device_s < t->measure_max && (n < BATCHES_MIN || device_s < t->measure);
}

static bool time_kernel(GpuJob *j, Arena *a, BenchResult *r, Err *e) {
    const BenchTimes *t = bench_times(j->request->quick);
    bool held = j->request->hold_s > 0;
    double one = 0, passed = 0, *figures = arena_alloc(a, BATCHES_MAX, sizeof *figures);
    Watch *w = watch_new(a);
    j->arena = a;
    if ((j->blas == NULL && !keep_checked(j, e)) ||
        !(held ? batch(j, 1, NULL, &one, e) : burst(j, a, r, e) && warm_up(j, t, &one, e)))
        return false;
    size_t runs = bench_batch_runs(t, one), n = 0;
    for (double start = seconds_now(); goes_on(j, t, n, passed, start); passed += one * (double)runs) {
        if (!batch(j, runs, w, &one, e)) return false;
        figures[n++ % BATCHES_MAX] = bench_figure(j->kernel, &j->shape, one);
    }
    bench_figures(r, figures, n < BATCHES_MAX ? n : BATCHES_MAX);
    watch_note(w, a, r);
    if (j->blas == NULL && !run_afresh(j, j->blocks, e)) return false;
    if (j->wrong != NULL) say_wrong(j, r);
    return true;
}

enum { GEMM_QUICK = 2048, GEMM = 8192 };

// Three matrices of that side fit the memory that can be had, and a small working set that was asked for. Of a quick
// run it grows until all multiprocessors are at work: one that is wrong would not show otherwise.
static size_t gemm_side(const GpuJob *j) {
    enum { STEP = 32, MATRICES = 3 };
    const double usable = 0.4;
    double bytes = j->request->sized
                       ? j->request->working_set_bytes
                       : fmax(j->request->working_set_bytes, usable * j->session->gpu.free_bytes);
    double number = fmax(sizeof(float), (double)elem_size(j->kernel->buffers[j->kernel->output].elem)),
           fits = floor(sqrt(bytes / (MATRICES * number)) / STEP) * STEP;
    size_t most = j->request->quick && j->kernel->kind == KIND_COMPUTE
                      ? kernel_filling_side(j->kernel, GEMM_QUICK, GEMM, j->session->gpu.units)
                      : GEMM;
    return (size_t)(fits < STEP ? STEP : fits < (double)most ? fits : (double)most);
}

// The largest side up to gemm_side's of which one product takes no longer than half a second here, judged by
// a small one: 8192 on any GPU that such a product does not fill for long.
static bool timed_side(GpuJob *j, size_t *ret_side, Err *e) {
    static const Special none = {0};
    const double longest_s = 0.5;
    size_t side = gemm_side(j);
    double one = 0;
    *ret_side = j->request->side > 0 ? j->request->side : side;
    if (j->request->side > 0 || j->request->check_only || j->kernel->kind != KIND_COMPUTE ||
        side <= GEMM_QUICK)
        return true;
    Shape small = kernel_shape((KernelId)j->request->test, (size_t)j->request->working_set_bytes, GEMM_QUICK);
    if (!job_prepare(j, &small, j->request->seed, &none, e) || !batch(j, 1, NULL, &one, e) ||
        !batch(j, 1, NULL, &one, e))
        return false;
    while (side > GEMM_QUICK && one * pow((double)side / GEMM_QUICK, 3) > longest_s) side /= 2;
    *ret_side = side;
    return true;
}

// The library's product of the shape that was timed: checked as ours is, timed as ours is.
static bool run_library(GpuJob *j, const Shape *timed, Arena *a, BenchResult *r, Err *e) {
    static const Special none = {0};
    const void *output = NULL;
    size_t bytes = 0;
    bool guards = true;
    RefIn in = {j->kernel, j->request->seed, *timed, kernel_roundoff(j->kernel, vendor_of(&j->session->gpu)),
                none};
    CheckTally tally = {0};
    if (!job_prepare(j, timed, j->request->seed, &none, e) || !job_run(j, &output, &bytes, &guards, e))
        return false;
    check_outputs(&in, output, LIBRARY_SAMPLES, &tally);
    bench_judge(j->kernel, guards, &tally, a, r);
    if (!r->verified || !time_kernel(j, a, r, e)) return !r->verified;
    // What the last batch left: libraries may sum in another order each time, so that their bits say nothing.
    if (!gpu_to_host(&j->session->gpu, j->host, j->raw, j->host_bytes, e)) return false;
    check_outputs(&in, (unsigned char *)j->host + GUARD_BYTES, LIBRARY_SAMPLES, &tally);
    bench_judge(j->kernel, guards_whole(j->host, j->out_bytes), &tally, a, r);
    r->library_ceiling = r->verified ? r->median : (double)NAN;
    return true;
}

static bool measure_library(GpuJob *j, const Shape *timed, Arena *a, BenchResult *r, Err *e) {
    GpuBlas blas = {0};
    GpuDriver *g = &j->session->gpu;
    if (!gpu_blas_open(g, j->kernel, timed, &blas, e)) return false;
    if (blas.name == NULL) return true;
    r->library = arena_printf(a, "%s", blas.name);
    j->blas = &blas;
    bool ok = run_library(j, timed, a, r, e);
    gpu_blas_close(&blas);
    return ok;
}

bool bench_gpu(GpuSession *s, const BenchRequest *request, Arena *a, BenchResult *ret_result, Err *e) {
    enum { NOT_FOUND = 500 };
    const Kernel *k = &kernel_table[request->test];
    BenchResult r = bench_blank(request->test, s->id);
    GpuJob j = {.session = s, .request = request, .kernel = k};
    char shape[64];
    if (!gpu_function(&s->gpu, k->launch.entry, &j.function, e)) {
        if (s->gpu.last_error != NOT_FOUND) return false;
        r.verdict = "not supported";
        bool first_cores = s->gpu.api == GPU_CUDA && s->gpu.capability >= 70 && s->gpu.capability < 80 &&
                           k->matrix_unit == MATRIX_ANY;
        r.error = arena_printf(a, "no code for it in %s: %s", s->gpu.code,
                               first_cores ? "this version has none for the tensor cores of Volta and Turing"
                                           : "this GPU has no unit for it, or its driver is too old for the "
                                             "code that uses it");
        *ret_result = r;
        return true;
    }
    if (!gpu_share(&s->gpu, j.function, kernel_shared(k), e)) return false;
    size_t side = 0;
    if (!timed_side(&j, &side, e)) {
        if (!gpu_is_lost(&s->gpu)) job_clear(&j);
        return false;
    }
    Shape timed = kernel_shape((KernelId)request->test, (size_t)request->working_set_bytes, side);
    shape_text(k, &timed, shape);
    r.shape = arena_printf(a, "%s", shape);
    bool ok = request->ceiling ? measure_library(&j, &timed, a, &r, e)
                               : verify(&j, request->check_only ? NULL : &timed, a, &r, e) &&
                                     (!r.verified || request->check_only || time_kernel(&j, a, &r, e));
    pages_unmap(j.host, j.host_bytes);
    if (!gpu_is_lost(&s->gpu)) job_clear(&j);
    if (ok) *ret_result = r;
    return ok;
}

// ---------------------------------------------------------------- launches by the host's clock

// Seconds of a call that starts the kernel, or of starting it and waiting: the mean of a batch that every
// queue holds.
static bool start_batch(GpuJob *j, bool wait, double *ret_seconds, Err *e) {
    enum { CALLS = 256 };
    GpuDriver *g = &j->session->gpu;
    double start = seconds_now();
    for (size_t i = 0; i < CALLS; i++) {
        if (!launch(j, e) || (wait && !gpu_wait(g, e))) return false;
    }
    *ret_seconds = (seconds_now() - start) / CALLS;
    return gpu_wait(g, e);
}

static bool time_starts(GpuJob *j, bool wait, Arena *a, BenchResult *r, Err *e) {
    const BenchTimes *t = bench_times(j->request->quick);
    double one = 0, *figures = arena_alloc(a, BATCHES_MAX, sizeof *figures);
    size_t n = 0;
    GpuState before;
    if (!start_batch(j, wait, &one, e)) return false;
    r->burst = one * 1e6;
    telemetry_read(&j->session->telemetry, &before);
    for (double start = seconds_now();
         n < BATCHES_MIN || (n < BATCHES_MAX && seconds_now() - start < t->measure);) {
        if (!start_batch(j, wait, &one, e)) return false;
        figures[n++] = one * 1e6;
    }
    bench_sensors(&j->session->telemetry, &before, a, r);
    bench_figures(r, figures, n);
    return true;
}

bool bench_gpu_start(GpuSession *s, const BenchRequest *request, Arena *a, BenchResult *ret_result, Err *e) {
    const Kernel *k = &kernel_table[KERNEL_LAUNCH];
    BenchResult r = bench_blank(request->test, s->id);
    GpuJob j = {.session = s, .request = request, .kernel = k};
    Shape timed = kernel_shape(KERNEL_LAUNCH, (size_t)request->working_set_bytes, 0);
    char shape[64];
    if (!gpu_function(&s->gpu, k->launch.entry, &j.function, e)) return false;
    shape_text(k, &timed, shape);
    r.shape = arena_printf(a, "%s", shape);
    bool ok = verify(&j, &timed, a, &r, e) &&
              (!r.verified || time_starts(&j, request->test == TEST_START + START_TRIP, a, &r, e));
    r.bits = "";  // those of the kernel stand in its own result
    pages_unmap(j.host, j.host_bytes);
    if (!gpu_is_lost(&s->gpu)) job_clear(&j);
    if (ok) *ret_result = r;
    return ok;
}
