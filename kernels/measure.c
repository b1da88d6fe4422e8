// One kernel on the CPU: checked against the reference first, then timed (steady and burst), or its library
// beside it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/bench.h"
#include "kernels/blas.h"
#include "kernels/cpu.h"
#include "kernels/measure.h"
#include "kernels/reference.h"
#include "kernels/verify.h"

enum { PAIRS = 9, PAIRS_QUICK = 5, GEMM_QUICK = 1536, GEMM = 2048 };

static const BenchTimes quick_times = {0.010, 0.1, 0.3, 0.3, 1.0}, full_times = {0.010, 1.0, 20, 1.0, 20};
const BenchTimes *bench_times(bool quick) { return quick ? &quick_times : &full_times; }

size_t bench_batch_runs(const BenchTimes *t, double one) {
    enum { RUNS_MAX = 10000000 };
    if (!(one > 0) || one >= t->batch) return 1;
    return (size_t)fmin(t->batch / one, RUNS_MAX - 1) + 1;
}

typedef struct Job {
    const BenchRequest *request;
    const Kernel *kernel;
    Cpu cpu;
    Shape shape;
    void *in[BUFFERS_MAX - 1], *raw;  // raw: guard, output, guard
    size_t in_bytes[BUFFERS_MAX - 1], out_bytes;
    CpuArgs args;
} Job;

double bench_working_set(double cache_bytes, double available_bytes, bool quick) {
    double least = quick && is_known(cache_bytes) ? 64 * 1048576.0 : 512 * 1048576.0;
    double wanted = is_known(cache_bytes) && 4 * cache_bytes > least ? 4 * cache_bytes : least;
    return is_known(available_bytes) && wanted > 0.4 * available_bytes ? 0.4 * available_bytes : wanted;
}

// ---------------------------------------------------------------- buffers

static void job_clear(Job *j) {
    for (size_t i = 0; i < BUFFERS_MAX - 1; i++) pages_unmap(j->in[i], j->in_bytes[i]), j->in[i] = NULL;
    pages_unmap(j->raw, j->out_bytes + 2 * GUARD_BYTES);
    j->raw = NULL;
}

static bool job_prepare(void *job, const Shape *s, uint64_t seed, const Special *special, Err *e) {
    Job *j = job;
    const Kernel *k = j->kernel;
    job_clear(j);
    j->shape = *s;
    for (size_t i = 0; i < k->output; i++) {
        j->in_bytes[i] = buffer_count(&k->buffers[i], s) * elem_size(k->buffers[i].elem);
        j->in[i] = pages_map(j->in_bytes[i], e);
        if (j->in[i] == NULL) return false;
        cpu_fill(&j->cpu, k, s, i, seed, j->in[i]);
        if (special->set && special->buffer == i)
            elem_write(k->buffers[i].elem, j->in[i], special->index, (float)special->value);
    }
    j->out_bytes = buffer_count(&k->buffers[k->output], s) * elem_size(k->buffers[k->output].elem);
    j->raw = pages_map(j->out_bytes + 2 * GUARD_BYTES, e);
    if (j->raw == NULL) return false;
    unsigned char *raw = j->raw;
    memset(raw, GUARD, GUARD_BYTES);
    memset(raw + GUARD_BYTES + j->out_bytes, GUARD, GUARD_BYTES);
    j->args = (CpuArgs){.out = raw + GUARD_BYTES, .shape = *s};
    for (size_t i = 0; i < k->output; i++) j->args.in[i] = j->in[i];
    return true;
}

static bool guards_whole(const Job *j) {
    const unsigned char *raw = j->raw;
    for (size_t i = 0; i < GUARD_BYTES; i++) {
        if (raw[i] != GUARD || raw[GUARD_BYTES + j->out_bytes + i] != GUARD) return false;
    }
    return true;
}

// ---------------------------------------------------------------- verification

static bool job_run(void *job, const void **ret_output, size_t *ret_bytes, bool *ret_guards, Err *e) {
    Job *j = job;
    (void)e;
    memset(j->args.out, POISON, j->out_bytes);
    cpu_run(&j->cpu, (KernelId)j->request->test, &j->args);
    *ret_output = j->args.out;
    *ret_bytes = j->out_bytes;
    *ret_guards = guards_whole(j);
    return true;
}

static bool verify(Job *j, const Shape *timed, Arena *a, BenchResult *r, Err *e) {
    VerifyBackend b = {j, j->kernel, kernel_roundoff(j->kernel, "cpu"), job_prepare, job_run, false};
    return bench_verify(&b, timed, j->request->seed, a, r, e);
}

// ---------------------------------------------------------------- timing

double bench_percentile(double *values, size_t n, double share) {
    if (n == 0) return (double)NAN;
    qsort(values, n, sizeof *values, order_doubles);
    double at = share * (double)(n - 1);
    size_t i = (size_t)at;
    return i + 1 < n ? values[i] + (values[i + 1] - values[i]) * (at - (double)i) : values[n - 1];
}

void bench_figures(BenchResult *r, double *figures, size_t n) {
    r->samples = (double)n;
    r->median = bench_percentile(figures, n, 0.5);
    r->p5 = bench_percentile(figures, n, 0.05);
    r->p95 = bench_percentile(figures, n, 0.95);
}

double bench_figure(const Kernel *k, const Shape *s, double time) {
    switch (k->kind) {
    case KIND_LATENCY: return time * 1e9 / k->bytes(s);
    case KIND_COMPUTE:
    case KIND_RATE: return k->flops(s) / time / 1e9;
    case KIND_TIME: return time * 1e6;
    case KIND_BANDWIDTH: break;
    }
    return k->bytes(s) / time / 1e9;
}

static double figure(const Job *j, double time) { return bench_figure(j->kernel, &j->shape, time); }

// Seconds of one run, the mean of a batch.
static double batch(const Job *j, size_t runs) {
    double start = seconds_now();
    for (size_t i = 0; i < runs; i++) cpu_run(&j->cpu, (KernelId)j->request->test, &j->args);
    return (seconds_now() - start) / (double)runs;
}

// Also gives the seconds of one run.
static double burst(const Job *j, Arena *a, double *ret_seconds) {
    double *figures = arena_alloc(a, BURST_RUNS_MAX, sizeof *figures), start = seconds_now();
    size_t n = 0;
    while (n == 0 || (n < BURST_RUNS_MAX && seconds_now() - start < burst_seconds))
        figures[n++] = figure(j, batch(j, 1));
    *ret_seconds = (seconds_now() - start) / (double)n;
    return bench_percentile(figures, n, 0.5);
}

// Until two windows agree, or time is up. Returns the seconds of one run.
static double warm_up(const Job *j, const BenchTimes *t) {
    double start = seconds_now(), before = (double)NAN, mean = 0;
    while (mean == 0 || seconds_now() - start < t->warm_max) {
        double from = seconds_now();
        size_t runs = 0;
        while (runs == 0 || seconds_now() - from < t->window) batch(j, 1), runs++;
        mean = (seconds_now() - from) / (double)runs;
        if (is_known(before) && fabs(mean - before) <= steady_within * before) break;
        before = mean;
    }
    return mean;
}

// The usual times, or their share of what the budget leaves.
static BenchTimes times_within(const BenchRequest *request, double passed) {
    BenchTimes t = *bench_times(request->quick);
    double left = request->budget_s > passed ? request->budget_s - passed : 0;
    if (request->budget_s <= 0) return t;
    t.warm_max = fmin(t.warm_max, 0.3 * left);
    t.window = fmin(t.window, t.warm_max / 2);
    t.measure = fmin(t.measure, 0.4 * left);
    t.measure_max = fmin(t.measure_max, 0.5 * left);
    return t;
}

static void time_kernel(const Job *j, const BenchTimes *t, Arena *a, BenchResult *r) {
    CpuFacts before, after;
    double one = 0;
    r->burst = burst(j, a, &one);
    if (one < t->warm_max) one = warm_up(j, t);  // else the time for it is up already
    size_t runs = bench_batch_runs(t, one), n = 0;
    double *figures = arena_alloc(a, BATCHES_MAX, sizeof *figures);
    cpu_facts("", &before);
    double start = seconds_now();
    for (double passed = 0;
         n == 0 || (n < BATCHES_MAX && passed < t->measure_max && (n < BATCHES_MIN || passed < t->measure));
         passed = seconds_now() - start) {
        figures[n++] = figure(j, batch(j, runs));
    }
    double passed = seconds_now() - start;
    cpu_facts("", &after);
    bench_figures(r, figures, n);
    r->clock_mhz = (before.clock_mhz + after.clock_mhz) / 2;
    r->power_w = (after.energy_j - before.energy_j) / passed;
    if (r->power_w < 0) r->power_w = (double)NAN;  // the counter wrapped
    r->temperature_c = after.temperature_c;
}

// ---------------------------------------------------------------- the library beside it

// One library's product, checked as ours is, then timed in turn with ours so that both see the same machine.
static void judge_library(Job *j, const Blas *blas, Arena *a, BenchResult *r) {
    RefIn in = {j->kernel, j->request->seed, j->shape, kernel_roundoff(j->kernel, "cpu"), {0}};
    CheckTally t = {0};
    double figures[PAIRS];
    size_t pairs = j->request->quick ? PAIRS_QUICK : PAIRS;
    r->library = arena_printf(a, "%s", blas->name);
    memset(j->args.out, POISON, j->out_bytes);
    if (!blas_run(blas, &j->shape, j->in[0], j->in[1], j->args.out)) {
        r->error = "it refuses this product";
        return;
    }
    check_outputs(&in, j->args.out, LIBRARY_SAMPLES, &t);
    bench_judge(j->kernel, guards_whole(j), &t, a, r);
    for (size_t i = 0; r->verified && i < pairs; i++) {
        batch(j, 1);
        double start = seconds_now();
        blas_run(blas, &j->shape, j->in[0], j->in[1], j->args.out);
        figures[i] = figure(j, seconds_now() - start);
    }
    if (r->verified) r->library_ceiling = bench_percentile(figures, pairs, 0.5);
}

static bool time_library(Job *j, const Shape *timed, Arena *a, BenchResult *r, Err *e) {
    static const Special none = {0};
    Blas blas;
    if (!blas_open(j->request->library, (KernelId)j->request->test, j->cpu.threads, &blas)) return true;
    bool ok = job_prepare(j, timed, j->request->seed, &none, e);
    if (ok) judge_library(j, &blas, a, r);
    blas_close(&blas);
    return ok;
}

// Three matrices of that side fit a small working set too.
static size_t gemm_side(const BenchRequest *request) {
    enum { STEP = 32 };
    double most = request->quick ? GEMM_QUICK : GEMM,
           fits = floor(sqrt(request->working_set_bytes / 12) / STEP) * STEP;
    return (size_t)(fits < STEP ? STEP : fits < most ? fits : most);
}

bool bench_cpu(const BenchRequest *request, Arena *a, BenchResult *ret_result, Err *e) {
    const Kernel *k = &kernel_table[request->test];
    double start = seconds_now();
    BenchResult r = bench_blank(request->test, "cpu");
    Job j = {.request = request, .kernel = k};
    Shape timed =
        kernel_shape((KernelId)request->test, (size_t)request->working_set_bytes, gemm_side(request));
    char shape[64];
    if (!cpu_open(NULL, &j.cpu, e)) return false;
    shape_text(k, &timed, shape);
    r.shape = arena_printf(a, "%s", shape);
    bool ok;
    if (request->ceiling) {
        ok = time_library(&j, &timed, a, &r, e);
    } else {
        ok = verify(&j, request->check_only ? NULL : &timed, a, &r, e);
        BenchTimes times = times_within(request, seconds_now() - start);
        if (ok && r.verified && !request->check_only) time_kernel(&j, &times, a, &r);
    }
    job_clear(&j);
    cpu_close(&j.cpu);
    if (ok) *ret_result = r;
    return ok;
}

void bench_sensors(const Telemetry *t, const GpuState *before, Arena *a, BenchResult *r) {
    GpuState after;
    telemetry_read(t, &after);
    r->clock_mhz = after.clock_mhz;
    r->power_w = after.power_w;
    r->temperature_c = after.temperature_c;
    r->throttle = limits_text(a, telemetry_limits(before, &after));
}
