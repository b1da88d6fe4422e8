// NCCL and RCCL, opened at run time. For worker processes.
#ifndef GPUADVISE_KERNELS_NCCL_H
#define GPUADVISE_KERNELS_NCCL_H

#include "kernels/gpu.h"

#define NCCL_FIELD(field, symbol, args) unsigned(*field) args;
typedef struct NcclTable {
    NCCL_FUNCTIONS(NCCL_FIELD)
    NCCL_RANK_FUNCTIONS(NCCL_FIELD)
} NcclTable;
#undef NCCL_FIELD

typedef struct Nccl {
    const char *name;     // "libnccl.so.2"; NULL: none is here
    const char *missing;  // which names were tried; "" = it is here
    const char *version;  // "2.21.5"
    NcclTable f;
    NcclComm *comms;  // one a GPU; NULL: not made yet
    size_t n;
} Nccl;

// Looks for the library: no such library is no failure. Texts live in the arena.
void nccl_open(GpuApi api, Arena *a, Nccl *ret_nccl);
// Makes the communicators of those devices, once; they stay until the process ends.
bool nccl_join(Nccl *l, const int *devices, size_t n, Arena *a, Err *e);
// An id as hexadecimal text, for nccl_join_rank of all ranks: one of them makes it.
enum { NCCL_ID_TEXT = 2 * sizeof(NcclId) };
bool nccl_make_id(const Nccl *l, Arena *a, const char **ret_id, Err *e);
// Makes the communicator of one device of this process, which must be in use, among `ranks` processes. Waits
// until all have called it.
bool nccl_join_rank(Nccl *l, const char *id, size_t rank, size_t ranks, Arena *a, Err *e);
// Of such a communicator: sends `count` floats to the rank `peer` and takes as many from it. Later, as
// launches are.
bool nccl_exchange(const Nccl *l, GpuPointer from, GpuPointer to, size_t count, size_t peer, GpuStream stream,
                   Err *e);
// Sums `count` floats over all devices: from[i] of device i into to[i], on its stream. Later, as launches
// are.
bool nccl_all_reduce(const Nccl *l, const GpuPointer *from, const GpuPointer *to, size_t count,
                     const GpuStream *streams, Err *e);
// What went wrong after the calls returned.
bool nccl_is_well(const Nccl *l, Err *e);

#endif
