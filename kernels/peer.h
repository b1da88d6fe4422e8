// Several GPUs of one vendor in one process: copies between them, and sums over all of them. For worker
// processes.
//
// Every GPU has its context and a stream of its own: the stream without a handle would make copies between
// two devices wait for both.
#ifndef GPUADVISE_KERNELS_PEER_H
#define GPUADVISE_KERNELS_PEER_H

#include "kernels/bench.h"
#include "kernels/cpu.h"
#include "kernels/gpu.h"
#include "kernels/nccl.h"
#include "kernels/telemetry.h"

#define PEER_FIELD(field, cuda, hip, args) unsigned(*field) args;
#define PEER_FIELD_ONE(field, symbol, args) unsigned(*field) args;
typedef struct PeerTable {
    GPU_PEER_COMMON(PEER_FIELD)
    GPU_PEER_CUDA_ONLY(PEER_FIELD_ONE)
    GPU_PEER_HIP_ONLY(PEER_FIELD_ONE)
    GPU_PEER_HIP_OPTIONAL(PEER_FIELD_ONE)
} PeerTable;
#undef PEER_FIELD
#undef PEER_FIELD_ONE

typedef struct PeerGpu {
    GpuDriver gpu;
    Telemetry telemetry;
    GpuStream stream;
    GpuEvent done;                      // of the last piece that others wait for
    bool reaches[BENCH_GROUP_MAX];      // its kernels and copies go straight into that one's memory
    unsigned refused[BENCH_GROUP_MAX];  // else what the driver said when asked to allow it; 0: it cannot
} PeerGpu;

typedef struct PeerGroup {
    const char *id;
    GpuApi api;
    PeerGpu *gpus;
    size_t n;
    size_t rank, ranks;  // of the first of them among those of all processes; here alone: 0 and n
    PeerTable f;
    const char *path;  // peer_path of all pairs, or that they differ
    Nccl nccl;
    Cpu cpu;
    Arena *arena;            // that texts and communicators live in
    unsigned char *pattern;  // what copies carry
    size_t pattern_bytes;
} PeerGroup;

// Opens all of them, 2 to BENCH_GROUP_MAX, and lets each reach the others where the driver allows it. On
// failure nothing is left open but libraries. Texts live in the arena, which must live as long as the group.
bool peer_open(const BenchGroupTarget *t, const char *root, Arena *a, PeerGroup *ret_group,
               BenchGroupAbout *ret_about, Err *e);
bool peer_is_lost(const PeerGroup *p);
// "NVLink, 18 links", "xGMI, 1 hop", "through the host's memory: no peer access (PCIe, across processors)".
const char *peer_path(const PeerGroup *p, size_t from, size_t to, Arena *a);

// A copy on the stream of the GPU that it leaves. That GPU must be in use.
bool peer_copy(PeerGroup *p, size_t to_gpu, GpuPointer to, size_t from_gpu, GpuPointer from, size_t bytes,
               Err *e);
// Marks what `gpu` was given so far; makes the stream of `gpu` wait for what `other` marked.
bool peer_mark(PeerGroup *p, size_t gpu, Err *e);
bool peer_wait_for(PeerGroup *p, size_t gpu, size_t other, Err *e);

// As bench_gpu does: checks first, then the speed by the devices' clocks.
bool bench_peer(PeerGroup *p, const BenchRequest *r, Arena *a, BenchResult *ret_result, Err *e);
bool bench_peer_copy(PeerGroup *p, const BenchRequest *r, Arena *a, BenchResult *ret_result, Err *e);
bool bench_reduce(PeerGroup *p, const BenchRequest *r, Arena *a, BenchResult *ret_result, Err *e);

// Of ranks of several processes: what two of them exchange, both ways at once; `to` is the other one.
bool bench_rank_pair(PeerGroup *p, const BenchRequest *r, Arena *a, BenchResult *ret_result, Err *e);

// Times `run` until there are figures enough, the sensors of those GPUs read beside it: fills median,
// percentiles, burst, samples, sensors. `run` gives the seconds of one repetition, the mean of `times`.
typedef struct PeerTimed {
    PeerGroup *group;
    bool (*run)(void *job, size_t times, double *ret_seconds, Err *e);
    void *job;
    double work;  // over seconds: the figure; 0: the figure is the time in us
    bool quick;
    const size_t *gpus;  // that take part
    size_t n_gpus;
} PeerTimed;
bool peer_time(const PeerTimed *t, Arena *a, BenchResult *r, Err *e);
// The same as often on every rank: what one repeats the others wait for.
bool peer_time_agreed(const PeerTimed *t, size_t batches, size_t runs, Arena *a, BenchResult *r, Err *e);

#endif
