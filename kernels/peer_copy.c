// Copies between two GPUs, one way or both ways at once: every byte compared, then timed by the clock of the
// GPU that sends first.
#include <math.h>
#include <string.h>

#include "kernels/carried.h"
#include "kernels/measure.h"
#include "kernels/peer.h"

// Way 0 goes from gpu[0] to gpu[1], way 1 back.
typedef struct Pair {
    PeerGroup *group;
    size_t gpu[2], ways, bytes;
    GpuPointer source[2], target[2];  // target: guard, data, guard
    unsigned char *arrived;
} Pair;

static GpuDriver *sender(const Pair *c, size_t way) { return &c->group->gpus[c->gpu[way]].gpu; }
static GpuDriver *receiver(const Pair *c, size_t way) { return &c->group->gpus[c->gpu[1 - way]].gpu; }
static size_t room_of(const Pair *c) { return c->bytes + 2 * GUARD_BYTES; }

// The way back carries what stands one block further on.
static const unsigned char *sent(const Pair *c, size_t way) { return c->group->pattern + 8 * way; }

static bool have_pattern(PeerGroup *p, size_t bytes, uint64_t seed, Err *e) {
    size_t all = bytes + 8;
    if (p->pattern_bytes >= all) return true;
    pages_unmap(p->pattern, p->pattern_bytes);
    p->pattern_bytes = 0;
    p->pattern = pages_map(all, e);
    if (p->pattern == NULL) return false;
    p->pattern_bytes = all;
    carried_make(p->pattern, all, seed);
    return true;
}

static bool pair_alloc(Pair *c, uint64_t seed, Err *e) {
    c->arrived = pages_map(room_of(c), e);
    if (c->arrived == NULL || !have_pattern(c->group, c->bytes, seed, e)) return false;
    for (size_t w = 0; w < c->ways; w++) {
        GpuDriver *from = sender(c, w), *to = receiver(c, w);
        if (!gpu_use(from, e) || !gpu_alloc(from, c->bytes, &c->source[w], e) ||
            !gpu_to_device(from, c->source[w], sent(c, w), c->bytes, e))
            return false;
        if (!gpu_use(to, e) || !gpu_alloc(to, room_of(c), &c->target[w], e)) return false;
    }
    return true;
}

static void pair_free(Pair *c) {
    Err ignored = {0};
    pages_unmap(c->arrived, room_of(c));
    for (size_t w = 0; w < c->ways && !peer_is_lost(c->group); w++) {
        if (gpu_use(sender(c, w), &ignored)) gpu_release(sender(c, w), c->source[w]);
        if (gpu_use(receiver(c, w), &ignored)) gpu_release(receiver(c, w), c->target[w]);
    }
}

static bool copy_way(const Pair *c, size_t way, size_t bytes, Err *e) {
    return gpu_use(sender(c, way), e) && peer_copy(c->group, c->gpu[1 - way], c->target[way] + GUARD_BYTES,
                                                   c->gpu[way], c->source[way], bytes, e);
}

// One size: targets are poisoned, and guards around them must stand.
static bool check_size(const Pair *c, size_t bytes, Arena *a, BenchResult *r, Err *e) {
    size_t all = bytes + 2 * GUARD_BYTES;
    for (size_t w = 0; w < c->ways; w++) {
        GpuDriver *to = receiver(c, w);
        if (!gpu_use(to, e) || !gpu_fill(to, c->target[w], GUARD, all, e) ||
            !gpu_fill(to, c->target[w] + GUARD_BYTES, POISON, bytes, e) || !gpu_wait(to, e))
            return false;
    }
    for (size_t w = 0; w < c->ways; w++) {
        if (!copy_way(c, w, bytes, e)) return false;
    }
    for (size_t w = 0; w < c->ways; w++) {
        GpuDriver *from = sender(c, w), *to = receiver(c, w);
        if (!gpu_use(from, e) || !gpu_wait(from, e) || !gpu_use(to, e) ||
            !gpu_to_host(to, c->arrived, c->target[w], all, e))
            return false;
        carried_check(c->arrived, sent(c, w), bytes, a, r);
    }
    return true;
}

static bool check(const Pair *c, Arena *a, BenchResult *r, Err *e) {
    const size_t sizes[] = {1, 4099, 65537, c->bytes};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        if (sizes[i] <= c->bytes && !check_size(c, sizes[i], a, r, e)) return false;
    }
    carried_judge(r);
    // What is known to let peer traffic over PCIe arrive wrong, without an error.
    if (!r->verified && strncmp(r->path, "PCIe", 4) == 0)
        r->error = arena_printf(a, "%s: see the IOMMU and PCIe access control (ACS), which may redirect it",
                                r->error);
    return true;
}

// The one that goes back starts with the other and is waited for at the end.
static bool timed(void *job, size_t times, double *ret_seconds, Err *e) {
    const Pair *c = job;
    PeerGroup *p = c->group;
    PeerGpu *first = &p->gpus[c->gpu[0]];
    GpuDriver *g = &first->gpu;
    bool both = c->ways == 2;
    if (!gpu_use(g, e) || !gpu_clock_start_on(g, first->stream, e) || (both && !peer_mark(p, c->gpu[0], e)))
        return false;
    if (both && (!gpu_use(sender(c, 1), e) || !peer_wait_for(p, c->gpu[1], c->gpu[0], e))) return false;
    for (size_t i = 0; i < times; i++) {
        if (!copy_way(c, 0, c->bytes, e) || (both && !copy_way(c, 1, c->bytes, e))) return false;
    }
    if (both && (!peer_mark(p, c->gpu[1], e) || !gpu_use(g, e) || !peer_wait_for(p, c->gpu[0], c->gpu[1], e)))
        return false;
    double seconds = 0;
    if (!gpu_clock_mark_on(g, first->stream, e) || !gpu_clock_read(g, &seconds, e)) return false;
    if (!(seconds > 0))
        return err_set(e, ERR_FAILED, "the device's clock did not move during %zu copies", times);
    *ret_seconds = seconds / (double)times;
    return true;
}

bool bench_peer_copy(PeerGroup *p, const BenchRequest *request, Arena *a, BenchResult *ret_result, Err *e) {
    const GroupTest *t = test_group(request->test);
    const double quick_most = 67108864;  // bytes: far more than any link's latency hides
    if (request->from == request->to || request->from >= p->n || request->to >= p->n)
        return err_set(e, ERR_FAILED, "request: no such pair of GPUs");
    BenchResult r = bench_blank(request->test, p->id);
    Pair c = {.group = p, .gpu = {request->from, request->to}, .ways = t->both_ways ? 2 : 1};
    c.bytes = (size_t)fmin(request->working_set_bytes, request->quick ? quick_most : (double)t->bytes);
    r.shape = arena_printf(a, "%zu", c.bytes);
    r.gpu_count = 2;
    r.path = peer_path(p, request->from, request->to, a);
    PeerTimed timing = {p, timed, &c, (double)(c.bytes * c.ways) / 1e9, request->quick, c.gpu, 2};
    bool ok = pair_alloc(&c, request->seed, e) && check(&c, a, &r, e) &&
              (!r.verified || peer_time(&timing, a, &r, e));
    pair_free(&c);
    if (ok) *ret_result = r;
    return ok;
}
