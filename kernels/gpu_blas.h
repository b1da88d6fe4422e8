// The vendor's matrix products beside ours: cuBLASLt or hipBLASLt, opened at run time. For worker processes.
#ifndef GPUADVISE_KERNELS_GPU_BLAS_H
#define GPUADVISE_KERNELS_GPU_BLAS_H

#include <stdalign.h>
#include <stdint.h>

#include "kernels/gpu.h"
#include "kernels/kernels.h"

#define BLAS_FIELD(field, cuda, hip, args) unsigned(*field) args;
typedef struct GpuBlasTable {
    GPU_BLAS_FUNCTIONS(BLAS_FIELD)
} GpuBlasTable;
#undef BLAS_FIELD

// One product, ready to run as often as is wanted.
typedef struct GpuBlas {
    GpuDriver *gpu;
    const char *name;  // "libcublasLt.so.12"
    GpuBlasTable f;
    void *handle, *task, *a, *b, *c, *preference;
    GpuPointer workspace;
    // What the library proposes, the way to do it first. Its size differs between libraries and versions:
    // this is more than any.
    alignas(16) unsigned char proposal[4096];
} GpuBlas;

// Opens the library and prepares `k` of that shape. True and ret_blas->name NULL: no such library is here.
// False: it refuses, with its reason.
bool gpu_blas_open(GpuDriver *g, const Kernel *k, const Shape *s, GpuBlas *ret_blas, Err *e);
void gpu_blas_close(GpuBlas *b);
// C of the kernel's own inputs and output; runs later, as gpu_launch does.
bool gpu_blas_run(GpuBlas *b, const Kernel *k, const GpuPointer *buffers, Err *e);

#endif
