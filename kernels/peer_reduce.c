// Sums over all GPUs of a group: by NCCL or RCCL, and by our own ring, both held against sums in double.
//
// The ring has two rounds of n - 1 steps. In the first each GPU passes a piece on to its neighbour, which
// adds its own numbers to it: then every GPU has one piece complete. In the second the complete pieces go
// round.
#include <math.h>
#include <string.h>

#include "kernels/carried.h"
#include "kernels/measure.h"
#include "kernels/peer.h"

enum {
    SAMPLES = 4096,
    PIECE_STEP = 32
};  // pieces begin at 128 bytes: the kernel that adds reads four numbers at a time

typedef struct Reduce {
    PeerGroup *group;
    const GroupTest *test;
    uint64_t seed;
    size_t most, count;  // numbers of each GPU: room for, and used now
    // raw: guard, output, guard; to: the output
    GpuPointer from[BENCH_GROUP_MAX], raw[BENCH_GROUP_MAX], to[BENCH_GROUP_MAX];
    GpuPointer arrived[BENCH_GROUP_MAX];  // of the ring: what the neighbour sent
    GpuStream streams[BENCH_GROUP_MAX];
    GpuFunction add[BENCH_GROUP_MAX];
    void *host;  // an input, or an output with its guards
    size_t host_bytes;
} Reduce;

static const Kernel *adding(void) { return &kernel_table[KERNEL_ADD]; }

// ---------------------------------------------------------------- buffers

static bool reduce_alloc(Reduce *j, Err *e) {
    PeerGroup *p = j->group;
    size_t bytes = j->most * sizeof(float);
    j->host_bytes = bytes + 2 * GUARD_BYTES;
    j->host = pages_map(j->host_bytes, e);
    for (size_t i = 0; j->host != NULL && i < p->n; i++) {
        GpuDriver *g = &p->gpus[i].gpu;
        j->streams[i] = p->gpus[i].stream;
        if (!gpu_use(g, e) || !gpu_alloc(g, bytes, &j->from[i], e) ||
            !gpu_alloc(g, j->host_bytes, &j->raw[i], e))
            return false;
        if (!j->test->library && (!gpu_alloc(g, bytes, &j->arrived[i], e) ||
                                  !gpu_function(g, adding()->launch.entry, &j->add[i], e)))
            return false;
        j->to[i] = j->raw[i] + GUARD_BYTES;
    }
    return j->host != NULL;
}

static void reduce_free(Reduce *j) {
    Err ignored = {0};
    PeerGroup *p = j->group;
    pages_unmap(j->host, j->host_bytes);
    for (size_t i = 0; i < p->n && !peer_is_lost(p); i++) {
        GpuDriver *g = &p->gpus[i].gpu;
        if (!gpu_use(g, &ignored)) continue;
        gpu_release(g, j->from[i]);
        gpu_release(g, j->raw[i]);
        gpu_release(g, j->arrived[i]);
    }
}

// Numbers of each GPU, and outputs that hold none yet.
static bool prepare(Reduce *j, size_t count, Err *e) {
    PeerGroup *p = j->group;
    const Shape shape = {{count}};
    size_t bytes = count * sizeof(float);
    j->count = count;
    for (size_t i = 0; i < p->n; i++) {
        GpuDriver *g = &p->gpus[i].gpu;
        cpu_fill(&p->cpu, adding(), &shape, 0, j->seed + p->rank + i, j->host);
        if (!gpu_use(g, e) || !gpu_to_device(g, j->from[i], j->host, bytes, e) ||
            !gpu_fill(g, j->raw[i], GUARD, bytes + 2 * GUARD_BYTES, e) ||
            !gpu_fill(g, j->to[i], POISON, bytes, e) || !gpu_wait(g, e)) {
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------- the ring

typedef struct Piece {
    size_t at, count;  // bytes from the beginning, numbers
} Piece;

static Piece piece_of(const Reduce *j, size_t number) {
    size_t n = j->group->n, each = (j->count + n - 1) / n;
    each = (each + PIECE_STEP - 1) / PIECE_STEP * PIECE_STEP;
    size_t begin = number * each < j->count ? number * each : j->count;
    return (Piece){begin * sizeof(float), each < j->count - begin ? each : j->count - begin};
}

static bool pass_on(const Reduce *j, size_t gpu, Piece piece, const GpuPointer *from, const GpuPointer *to,
                    Err *e) {
    PeerGroup *p = j->group;
    size_t next = (gpu + 1) % p->n;
    if (!gpu_use(&p->gpus[gpu].gpu, e)) return false;
    if (piece.count > 0 &&
        !peer_copy(p, next, to[next] + piece.at, gpu, from[gpu] + piece.at, piece.count * sizeof(float), e))
        return false;
    return peer_mark(p, gpu, e);
}

// What the neighbour before sent, and our own, into the output.
static bool add_up(const Reduce *j, size_t gpu, Piece piece, Err *e) {
    enum { THREADS_A_UNIT = 2048 };
    PeerGpu *g = &j->group->gpus[gpu];
    const Launch *l = &adding()->launch;
    const Shape shape = {{piece.count}};
    size_t wanted = kernel_blocks(adding(), &shape),
           most = (size_t)g->gpu.units * (THREADS_A_UNIT / l->threads);
    uint64_t n = piece.count;
    GpuPointer own = j->from[gpu] + piece.at, theirs = j->arrived[gpu] + piece.at,
               sum = j->to[gpu] + piece.at;
    void *arguments[] = {&n, &own, &theirs, &sum};
    return gpu_launch_on(&g->gpu, g->stream, j->add[gpu], (unsigned)(wanted < most ? wanted : most),
                         l->threads, arguments, e);
}

// Makes each GPU wait for what the one before it sent, and with `adds` add the piece that came.
static bool receive(const Reduce *j, size_t step, bool adds, Err *e) {
    PeerGroup *p = j->group;
    for (size_t i = 0; i < p->n; i++) {
        Piece piece = piece_of(j, (i + 2 * p->n - 1 - step) % p->n);
        if (!gpu_use(&p->gpus[i].gpu, e) || !peer_wait_for(p, i, (i + p->n - 1) % p->n, e)) return false;
        if (adds && piece.count > 0 && !add_up(j, i, piece, e)) return false;
    }
    return true;
}

static bool ring(const Reduce *j, Err *e) {
    size_t n = j->group->n;
    for (size_t step = 0; step + 1 < n; step++) {
        for (size_t i = 0; i < n; i++) {
            if (!pass_on(j, i, piece_of(j, (i + n - step) % n), step == 0 ? j->from : j->to, j->arrived, e))
                return false;
        }
        if (!receive(j, step, true, e)) return false;
    }
    for (size_t step = 0; step + 1 < n; step++) {
        for (size_t i = 0; i < n; i++) {
            if (!pass_on(j, i, piece_of(j, (i + 1 + n - step) % n), j->to, j->to, e)) return false;
        }
        if (!receive(j, step, false, e)) return false;
    }
    return true;
}

static bool sum_once(const Reduce *j, Err *e) {
    return j->test->library ? nccl_all_reduce(&j->group->nccl, j->from, j->to, j->count, j->streams, e)
                            : ring(j, e);
}

static bool wait_all(const Reduce *j, Err *e) {
    for (size_t i = 0; i < j->group->n; i++) {
        GpuDriver *g = &j->group->gpus[i].gpu;
        if (!gpu_use(g, e) || !gpu_wait(g, e)) return false;
    }
    return !j->test->library || nccl_is_well(&j->group->nccl, e);
}

// ---------------------------------------------------------------- verification

typedef struct Sum {
    size_t index;
    double want, bound;
} Sum;

// n - 1 additions in fp32 in any order: gamma of them times the sum of the sizes; what is below the normal
// numbers may be flushed.
static Sum sum_at(const Reduce *j, size_t index) {
    const double unit = 0x1p-24, least_normal = 0x1p-126;
    const Shape shape = {{j->count}};
    size_t n = j->group->ranks;
    double want = 0, sizes = 0, additions = (double)(n - 1);
    for (size_t i = 0; i < n; i++) {
        double x = input_value(adding(), &shape, 0, j->seed + i, index);
        want += x;
        sizes += fabs(x);
    }
    return (Sum){index, want, additions * unit / (1 - additions * unit) * sizes + (double)n * least_normal};
}

// All of them, or both ends and places spread by a hash.
static size_t choose(const Reduce *j, Sum *sums) {
    size_t n = j->count < SAMPLES ? j->count : SAMPLES, ends = n == j->count ? n : SAMPLES / 4;
    uint64_t state = j->seed;
    for (size_t i = 0; i < n; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        size_t spread = (size_t)((state >> 11) % j->count);
        sums[i] = sum_at(j, i < ends ? i : i < 2 * ends ? j->count - 1 - (i - ends) : spread);
    }
    return n;
}

static void check_one(const Reduce *j, size_t gpu, const Sum *sums, size_t n, Arena *a, BenchResult *r) {
    const float *got = (const float *)(const void *)((const unsigned char *)j->host + GUARD_BYTES);
    size_t wrong = 0, first = 0, unwritten = 0;
    for (size_t i = 0; i < j->count; i++) unwritten += isnan(got[i]) != 0;
    for (size_t i = 0; i < n; i++) {
        double x = (double)got[sums[i].index], of_bound = error_of_bound(x, sums[i].want, sums[i].bound),
               error = fabs(x - sums[i].want);
        if (!(of_bound <= 1) && wrong++ == 0) first = i;
        if (!(error <= r->max_error)) r->max_error = error;
        if (!(of_bound <= r->max_error_of_bound)) r->max_error_of_bound = of_bound;
    }
    r->checked = (is_known(r->checked) ? r->checked : 0) + (double)n;
    if (r->error[0] != '\0') return;
    if (unwritten > 0) {
        r->error = arena_printf(a, "GPU %zu of the group: %zu of %zu sums were not written", gpu, unwritten,
                                j->count);
    } else if (wrong > 0) {
        const Sum *s = &sums[first];
        r->error = arena_printf(
            a, "GPU %zu of the group: %zu of %zu checked sums are wrong, number %zu is %g, not %g", gpu,
            wrong, n, s->index, (double)got[s->index], s->want);
    } else if (!guards_whole(j->host, j->count * sizeof(float))) {
        r->error = arena_printf(a, "GPU %zu of the group: wrote outside its output", gpu);
    }
}

static bool check_count(Reduce *j, size_t count, Sum *sums, Arena *a, BenchResult *r, Err *e) {
    if (!prepare(j, count, e) || !sum_once(j, e) || !wait_all(j, e)) return false;
    size_t n = choose(j, sums), bytes = count * sizeof(float) + 2 * GUARD_BYTES;
    for (size_t i = 0; i < j->group->n; i++) {
        GpuDriver *g = &j->group->gpus[i].gpu;
        if (!gpu_use(g, e) || !gpu_to_host(g, j->host, j->raw[i], bytes, e)) return false;
        check_one(j, i, sums, n, a, r);
    }
    return true;
}

// Ends with the size that is timed.
static bool check(Reduce *j, Arena *a, BenchResult *r, Err *e) {
    const size_t counts[] = {1, 1021, 4099, 65537, j->most};
    Sum *sums = arena_alloc(a, SAMPLES, sizeof *sums);
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        if (counts[i] <= j->most && !check_count(j, counts[i], sums, a, r, e)) return false;
    }
    r->verified = r->error[0] == '\0';
    if (!r->verified) r->verdict = "wrong";
    return true;
}

// ---------------------------------------------------------------- timing

// By the clock of the GPU that took longest.
static bool timed(void *job, size_t times, double *ret_seconds, Err *e) {
    const Reduce *j = job;
    PeerGroup *p = j->group;
    double longest = 0;
    for (size_t i = 0; i < p->n; i++) {
        if (!gpu_use(&p->gpus[i].gpu, e) || !gpu_clock_start_on(&p->gpus[i].gpu, j->streams[i], e))
            return false;
    }
    for (size_t i = 0; i < times; i++) {
        if (!sum_once(j, e)) return false;
    }
    for (size_t i = 0; i < p->n; i++) {
        if (!gpu_use(&p->gpus[i].gpu, e) || !gpu_clock_mark_on(&p->gpus[i].gpu, j->streams[i], e))
            return false;
    }
    for (size_t i = 0; i < p->n; i++) {
        double seconds = 0;
        if (!gpu_use(&p->gpus[i].gpu, e) || !gpu_clock_read(&p->gpus[i].gpu, &seconds, e)) return false;
        longest = fmax(longest, seconds);
    }
    if (j->test->library && !nccl_is_well(&p->nccl, e)) return false;
    if (!(longest > 0)) return err_set(e, ERR_FAILED, "no device's clock moved during %zu sums", times);
    *ret_seconds = longest / (double)times;
    return true;
}

// As many as move 32 MiB, the same on every rank.
static size_t runs_of_ranks(size_t bytes) {
    enum { MOVED = 32 << 20, RUNS_MAX = 200 };
    size_t runs = MOVED / bytes;
    return runs < 1 ? 1 : runs > RUNS_MAX ? RUNS_MAX : runs;
}

static bool drop_figures(BenchResult *r) {
    if (!r->verified) r->median = r->p5 = r->p95 = r->burst = (double)NAN;
    return true;
}

static bool measure(Reduce *j, const BenchRequest *request, Arena *a, BenchResult *r, Err *e) {
    PeerGroup *p = j->group;
    size_t all[BENCH_GROUP_MAX];
    int devices[BENCH_GROUP_MAX];
    for (size_t i = 0; i < p->n; i++) all[i] = i, devices[i] = p->gpus[i].gpu.device;
    bool of_ranks = p->ranks > p->n;
    double bus = 2 * (double)(p->ranks - 1) / (double)p->ranks;
    PeerTimed timing = {
        p,   timed, j, j->test->of_time ? 0 : (double)(j->most * sizeof(float)) / 1e9 * bus, request->quick,
        all, p->n};
    if (j->test->library && !of_ranks && !nccl_join(&p->nccl, devices, p->n, p->arena, e)) return false;
    if (!reduce_alloc(j, e) || !check(j, a, r, e)) return false;
    // a rank that sees a wrong sum goes on: the others wait for it
    if (of_ranks)
        return peer_time_agreed(&timing, BATCHES_MIN, runs_of_ranks(j->most * sizeof(float)), a, r, e) &&
               drop_figures(r);
    return !r->verified || peer_time(&timing, a, r, e);
}

bool bench_reduce(PeerGroup *p, const BenchRequest *request, Arena *a, BenchResult *ret_result, Err *e) {
    const GroupTest *t = test_group(request->test);
    BenchResult r = bench_blank(request->test, p->id);
    Reduce j = {.group = p,
                .test = t,
                .seed = request->seed,
                .most = (size_t)fmin(request->working_set_bytes, (double)t->bytes) / sizeof(float)};
    r.gpu_count = (double)p->ranks;
    r.path = p->path;
    bool other_processes = !t->library && p->ranks > p->n;
    if (other_processes || (t->library && p->nccl.name == NULL)) {
        r.verdict = "not supported";
        r.error = other_processes ? "our own ring reaches no GPU of another process" : p->nccl.missing;
        *ret_result = r;
        return true;
    }
    r.shape = arena_printf(a, "%zu", j.most * sizeof(float));
    if (t->library) r.library = p->nccl.name;
    bool ok = measure(&j, request, a, &r, e);
    reduce_free(&j);
    if (ok) *ret_result = r;
    return ok;
}
