// NCCL and RCCL, opened at run time. For worker processes.
#ifndef GPUADVISE_KERNELS_NCCL_H
#define GPUADVISE_KERNELS_NCCL_H

#include "kernels/gpu.h"

#define NCCL_FIELD(field, symbol, args) unsigned(*field) args;
typedef struct NcclTable {
    NCCL_FUNCTIONS(NCCL_FIELD)
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
// Sums `count` floats over all devices: from[i] of device i into to[i], on its stream. Later, as launches
// are.
bool nccl_all_reduce(const Nccl *l, const GpuPointer *from, const GpuPointer *to, size_t count,
                     const GpuStream *streams, Err *e);
// What went wrong after the calls returned.
bool nccl_is_well(const Nccl *l, Err *e);

#endif
