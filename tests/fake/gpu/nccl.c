// NCCL and RCCL, which have the same names: sums over the devices of whichever driver was started.
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fake/gpu/nccl_ranks.h"
#include "tests/fake/gpu/state.h"

#define DECLARE(field, symbol, args) FAKE_EXPORT unsigned symbol args;
NCCL_FUNCTIONS(DECLARE)
NCCL_RANK_FUNCTIONS(DECLARE)

enum { UNHANDLED = 1, SYSTEM = 2, INVALID_ARGUMENT = 4, INVALID_USAGE = 5, FLOAT_32 = 7, SUM = 0 };
static const char nccl[] = "FAKE_NCCL";

// A rank and what it was asked for in the group that is open.
typedef struct Rank {
    int device;
    bool asked;
    GpuPointer from, to;
    size_t count;
    Stream *stream;
    int peer;  // whom it sends to and takes from; -1: a sum
} Rank;

static struct {
    State *driver;
    Rank ranks[DEVICES];
    size_t n, depth, of_all;
    uint64_t memory;  // generation that the last sum was made of, and where it went
    GpuPointer to;
} world;

static bool fault(const char *word) {
    char text[256];
    return strcmp(fake_text(nccl, "fault", "", text), word) == 0;
}

unsigned ncclGetVersion(int *version) {
    *version = (int)fake_number(nccl, "version", 22105);
    return 0;
}

unsigned ncclCommInitAll(NcclComm *comms, int n, const int *devices) {
    world.driver = fake_states[FAKE_CUDA].started ? &fake_states[FAKE_CUDA] : &fake_states[FAKE_HIP];
    if (fault("system")) return SYSTEM;
    if (!world.driver->started || n < 1 || n > DEVICES) return INVALID_ARGUMENT;
    for (int i = 0; i < n; i++) {
        if (devices[i] < 0 || (size_t)devices[i] >= world.driver->n_devices) return INVALID_ARGUMENT;
        for (int k = 0; k < i; k++) {
            if (devices[k] == devices[i]) return INVALID_USAGE;
        }
        world.ranks[i] = (Rank){.device = devices[i], .peer = -1};
        comms[i] = &world.ranks[i];
    }
    world.n = (size_t)n;
    return 0;
}

unsigned ncclGroupStart(void) {
    world.depth++;
    return 0;
}

unsigned ncclAllReduce(const void *from, void *to, size_t count, NcclType type, NcclOperation operation,
                       NcclComm comm, GpuStream stream) {
    Rank *r = comm;
    if (r < world.ranks || r >= world.ranks + world.n || type != FLOAT_32 || operation != SUM || count == 0)
        return INVALID_ARGUMENT;
    // Every stream, current device or not: NCCL goes by the communicator.
    Stream *s = stream;
    if (s < world.driver->made || s >= world.driver->made + STREAMS || !s->used || s->device != r->device)
        return INVALID_USAGE;
    // Without a group this call waits for the other ranks, which nobody calls.
    while (world.depth == 0 && world.n > 1) sleep(1);
    *r = (Rank){r->device, true, (GpuPointer)(uintptr_t)from, (GpuPointer)(uintptr_t)to, count, s, -1};
    return 0;
}

static char *of_rank(const Rank *r, GpuPointer pointer) {
    const Allocation *a = state_holder(world.driver, pointer, r->count * sizeof(float));
    return a != NULL && a->device == r->device ? state_host(pointer) : NULL;
}

static bool add_all(void) {
    size_t count = world.ranks[0].count;
    float *sums = calloc(count, sizeof *sums);
    if (sums == NULL) abort();
    bool ok = true;
    for (size_t i = 0; ok && i < world.n; i++) {
        const float *from = (const float *)(const void *)of_rank(&world.ranks[i], world.ranks[i].from);
        ok = from != NULL && of_rank(&world.ranks[i], world.ranks[i].to) != NULL;
        if (fault("missing") && i == world.n - 1) continue;  // one rank's numbers do not arrive
        for (size_t k = 0; ok && k < count; k++) sums[k] += from[k];
    }
    for (size_t i = 0; ok && i < world.n; i++) {
        char *to = of_rank(&world.ranks[i], world.ranks[i].to);
        memcpy(to, sums, count * sizeof *sums);
        if (fault("wrong") && i == 1)
            to[count * sizeof *sums / 2] ^= 0x40, to[count * sizeof *sums / 2 + 3] ^= 0x40;
        if (fault("stray") && i == 0) to[count * sizeof *sums] = 0;
    }
    free(sums);
    return ok;
}

// Of a communicator over processes: the sum or the exchange that this one takes part in.
static unsigned end_of_ranks(void) {
    Rank *r = &world.ranks[0];
    double n = (double)world.of_all, bytes = (double)r->count * sizeof(float), speed;
    if (!r->asked) return INVALID_USAGE;
    const float *from = (const float *)(const void *)of_rank(r, r->from);
    float *to = (float *)(void *)of_rank(r, r->to);
    if (from == NULL || to == NULL) return UNHANDLED;
    if (fault("hang")) state_mark(world.driver);
    while (fault("hang")) sleep(1);  // the others wait for it
    speed = r->peer < 0 ? ranks_sum(from, to, r->count)
                        : ranks_exchange(from, to, r->count, r->peer, fault("wrong-pair"));
    if (!(speed > 0)) return INVALID_ARGUMENT;
    world.driver->memory++;
    r->stream->clock +=
        fake_number(nccl, "us", 20) * 1e-6 + (r->peer < 0 ? bytes * 2 * (n - 1) / n : bytes) / (speed * 1e9);
    *r = (Rank){.device = r->device, .peer = -1};
    return 0;
}

unsigned ncclGroupEnd(void) {
    double at = 0, n = (double)world.n;
    if (world.depth == 0) return INVALID_USAGE;
    if (--world.depth > 0) return 0;
    if (ranks_joined()) return end_of_ranks();
    for (size_t i = 0; i < world.n; i++) {
        if (!world.ranks[i].asked || world.ranks[i].count != world.ranks[0].count) return INVALID_USAGE;
        if (world.ranks[i].stream->clock > at) at = world.ranks[i].stream->clock;
    }
    if (fault("unhandled")) return UNHANDLED;
    if (fault("crash")) raise(SIGSEGV);
    if (fault("hang")) state_mark(world.driver);
    while (fault("hang")) sleep(1);  // a rank that never comes
    if (world.memory != world.driver->memory || world.to != world.ranks[0].to) {
        if (!add_all()) return UNHANDLED;
        world.memory = ++world.driver->memory;
        world.to = world.ranks[0].to;
    }
    double moved = (double)world.ranks[0].count * sizeof(float) * 2 * (n - 1) / n;
    for (size_t i = 0; i < world.n; i++) {
        world.ranks[i].stream->clock =
            at + fake_number(nccl, "us", 20) * 1e-6 + moved / (fake_number(nccl, "busbw", 400) * 1e9);
        world.ranks[i].asked = false;
    }
    return 0;
}

unsigned ncclCommGetAsyncError(NcclComm comm, NcclResult *error) {
    const Rank *r = comm;
    *error = (unsigned)fake_number(nccl, "async", 0);
    return r >= world.ranks && r < world.ranks + world.n ? 0 : INVALID_ARGUMENT;
}

// ---------------------------------------------------------------- over processes

unsigned ncclGetUniqueId(NcclId *id) {
    ranks_make_id(id);
    return 0;
}

unsigned ncclCommInitRank(NcclComm *comm, int ranks, NcclId id, int rank) {
    world.driver = fake_states[FAKE_CUDA].started ? &fake_states[FAKE_CUDA] : &fake_states[FAKE_HIP];
    if (fault("system")) return SYSTEM;
    while (fault("late")) sleep(1);  // it never joins
    if (!world.driver->started || !ranks_join(&id, ranks, rank, fake_number(nccl, "busbw", 400)))
        return INVALID_ARGUMENT;
    world.ranks[0] = (Rank){.device = world.driver->current, .peer = -1};
    world.n = 1;
    world.of_all = (size_t)ranks;
    *comm = &world.ranks[0];
    return 0;
}

static unsigned exchange(size_t count, NcclType type, int peer, NcclComm comm, GpuStream stream, Rank **ret) {
    Rank *r = comm;
    Stream *s = stream;
    if (!ranks_joined() || r != &world.ranks[0] || type != FLOAT_32 || count == 0 || world.depth == 0)
        return INVALID_ARGUMENT;
    if (s < world.driver->made || s >= world.driver->made + STREAMS || !s->used) return INVALID_USAGE;
    r->asked = true;
    r->count = count;
    r->stream = s;
    r->peer = peer;
    *ret = r;
    return 0;
}

unsigned ncclSend(const void *from, size_t count, NcclType type, int peer, NcclComm comm, GpuStream stream) {
    Rank *r = NULL;
    unsigned error = exchange(count, type, peer, comm, stream, &r);
    if (error == 0) r->from = (GpuPointer)(uintptr_t)from;
    return error;
}

unsigned ncclRecv(void *to, size_t count, NcclType type, int peer, NcclComm comm, GpuStream stream) {
    Rank *r = NULL;
    unsigned error = exchange(count, type, peer, comm, stream, &r);
    if (error == 0) r->to = (GpuPointer)(uintptr_t)to;
    return error;
}
