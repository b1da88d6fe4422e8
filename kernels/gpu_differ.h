// Is what a GPU computes under load still what was checked? Whole outputs, compared on the device. For worker
// processes.
#ifndef GPUADVISE_KERNELS_GPU_DIFFER_H
#define GPUADVISE_KERNELS_GPU_DIFFER_H

#include "kernels/gpu.h"
#include "kernels/kernels.h"

typedef struct GpuDiffer {
    GpuDriver *gpu;
    GpuFunction function;
    // what outputs are held against (borrowed); a counter on the device that only grows
    GpuPointer kept, count;
    size_t words;      // of an output
    uint32_t counted;  // by then
} GpuDiffer;

// `kept`: an output of `bytes`, a multiple of 4, that stays as it is.
bool gpu_differ_open(GpuDriver *g, GpuPointer kept, size_t bytes, GpuDiffer *ret_differ, Err *e);
void gpu_differ_close(GpuDiffer *d);
// How many words of an output are others than those kept. Waits for what was launched before.
bool gpu_differ_count(GpuDiffer *d, GpuPointer output, uint32_t *ret_words, Err *e);
// The first of them, by the host: "word 4711 is 3f800000, it was 3f800001"; in the arena.
bool gpu_differ_place(GpuDiffer *d, GpuPointer output, Arena *a, const char **ret_place, Err *e);

// In how many blocks to run a grid of `blocks` again so that each part of the output goes to another of `units`
// multiprocessors: one that is always wrong then shows, wherever the samples of a check lay.
unsigned gpu_differ_blocks(unsigned blocks, unsigned units);

#endif
