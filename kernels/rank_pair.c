// Two ranks of several processes: what they send each other at once, checked, then timed.
#include <math.h>
#include <string.h>

#include "kernels/carried.h"
#include "kernels/measure.h"
#include "kernels/peer.h"

enum { PAIR_BYTES = 64 << 20, BATCHES = 5, RUNS = 4 };

typedef struct RankPair {
    PeerGroup *group;
    size_t other, count;
    GpuPointer from, to;
    float *own, *theirs;  // what each sends; then what came
    uint64_t seed;
} RankPair;

static const Kernel *filling(void) { return &kernel_table[KERNEL_ADD]; }

static bool exchange_once(const RankPair *c, Err *e) {
    const PeerGroup *p = c->group;
    return nccl_exchange(&p->nccl, c->from, c->to, c->count, c->other, p->gpus[0].stream, e);
}

static bool timed(void *job, size_t times, double *ret_seconds, Err *e) {
    const RankPair *c = job;
    PeerGpu *g = &c->group->gpus[0];
    if (!gpu_use(&g->gpu, e) || !gpu_clock_start_on(&g->gpu, g->stream, e)) return false;
    for (size_t i = 0; i < times; i++) {
        if (!exchange_once(c, e)) return false;
    }
    double seconds = 0;
    if (!gpu_clock_mark_on(&g->gpu, g->stream, e) || !gpu_clock_read(&g->gpu, &seconds, e)) return false;
    if (!(seconds > 0)) return err_set(e, ERR_FAILED, "no device's clock moved during %zu copies", times);
    *ret_seconds = seconds / (double)times;
    return nccl_is_well(&c->group->nccl, e);
}

// Every byte that came is the one that the other sent.
static bool check(RankPair *c, Arena *a, BenchResult *r, Err *e) {
    GpuDriver *g = &c->group->gpus[0].gpu;
    const Shape shape = {{c->count}};
    size_t bytes = c->count * sizeof(float), wrong = 0;
    cpu_fill(&c->group->cpu, filling(), &shape, 0, c->seed + c->group->rank, c->own);
    if (!gpu_to_device(g, c->from, c->own, bytes, e) || !gpu_fill(g, c->to, POISON, bytes, e) ||
        !gpu_wait(g, e) || !exchange_once(c, e) || !gpu_wait(g, e) || !nccl_is_well(&c->group->nccl, e) ||
        !gpu_to_host(g, c->own, c->to, bytes, e))
        return false;
    cpu_fill(&c->group->cpu, filling(), &shape, 0, c->seed + c->other, c->theirs);
    for (size_t i = 0; i < c->count; i++) wrong += memcmp(&c->own[i], &c->theirs[i], sizeof *c->own) != 0;
    r->checked = (double)c->count;
    r->max_error = r->max_error_of_bound = wrong > 0 ? (double)INFINITY : 0;
    r->verified = wrong == 0;
    if (r->verified) return true;
    r->verdict = "wrong";
    r->error =
        arena_printf(a, "of what rank %zu sent %zu of %zu numbers came wrong", c->other, wrong, c->count);
    return true;
}

static bool measure(RankPair *c, const BenchRequest *request, Arena *a, BenchResult *r, Err *e) {
    GpuDriver *g = &c->group->gpus[0].gpu;
    const size_t gpu = 0;
    size_t bytes = c->count * sizeof(float);
    PeerTimed timing = {c->group, timed, c, 2 * (double)bytes / 1e9, request->quick, &gpu, 1};
    bool ok = gpu_use(g, e) && gpu_alloc(g, bytes, &c->from, e) && gpu_alloc(g, bytes, &c->to, e) &&
              check(c, a, r, e) && peer_time_agreed(&timing, BATCHES, RUNS, a, r, e);
    if (ok && !r->verified) r->median = r->p5 = r->p95 = r->burst = (double)NAN;
    if (!gpu_is_lost(g)) gpu_release(g, c->from), gpu_release(g, c->to);
    return ok;
}

bool bench_rank_pair(PeerGroup *p, const BenchRequest *request, Arena *a, BenchResult *ret_result, Err *e) {
    size_t count = (size_t)fmin(request->working_set_bytes, PAIR_BYTES) / sizeof(float),
           bytes = count * sizeof(float);
    BenchResult r = bench_blank(request->test, p->id);
    RankPair c = {.group = p, .other = request->to, .count = count, .seed = request->seed};
    if (request->to >= p->ranks || request->to == p->rank || request->from != p->rank)
        return err_set(e, ERR_FAILED, "request: no such pair of ranks");
    void *pages = pages_map(2 * bytes, e);
    if (pages == NULL) return false;
    c.own = pages;
    c.theirs = c.own + c.count;
    r.gpu_count = 2;
    r.library = p->nccl.name;
    r.path = p->path;
    r.shape = arena_printf(a, "%zu", bytes);
    bool ok = measure(&c, request, a, &r, e);
    pages_unmap(pages, 2 * bytes);
    if (ok) *ret_result = r;
    return ok;
}
