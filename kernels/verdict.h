// What a figure says of a GPU: beside its datasheet, and beside what known-good boards reach.
#ifndef GPUADVISE_KERNELS_VERDICT_H
#define GPUADVISE_KERNELS_VERDICT_H

#include "kernels/bench.h"
#include "src/facts/facts.h"

typedef struct VerdictBasis {
    const Gpu *gpu;             // of the catalog; NULL = not mapped: no datasheet, no reference
    const HealthyGpu *healthy;  // readings of all GPUs
    size_t n_healthy;
    double share;   // of the whole GPU that was tested: 1, 1/8; NaN = not known
    bool shared;    // others were computing on it
    bool in_cache;  // the working set fits caches: figures of the memory they are not
    // of the whole GPU's bandwidth that it can reach, where that is more than `share`: partitions may reach
    // all; NaN = no more
    double memory_share;
    const Gpu *gpus;  // all of the catalog: whose readings stand in where this GPU has none; may be none
    size_t n_gpus;
} VerdictBasis;

// How much of a GPU of the catalog this device is: dies of a package, partitions, slices. 1 = all of it; NaN
// = cannot be told.
double device_share(const Gpu *gpu, double parts, bool mig, double memory_bytes);

// Why our own figure of a kernel is below what the datasheet promises by its making, on that architecture ("sm_90",
// "gfx950:..."); NULL: it is not.
const char *verdict_own_unit(const Gpu *gpu, const Kernel *k, const char *arch);

// Fills datasheet, percentage (of a product its library's, where there is one; none of a figure of ours that is low by
// its making, which `cause` then says), band, verdict and probable cause of a verified figure. A part of a GPU has a
// share of the datasheet's bandwidth and no reference: readings are of whole boards. A die that is a device of its
// own has its part of the whole board's band, and `expected_source` says so. A product is judged by its
// library's figure, `r` has it by then, at sides from 8192 on. Where the GPU has no reading, its band is the part
// of the datasheet that others of its architecture reach, or two of its vendor; `expected_source` says so.
void verdict_fill(const VerdictBasis *b, const BenchAbout *about, Arena *a, BenchResult *r);

// A figure above 103 % of what is promised is none: verdict "impossible", not verified, no speed. `r` has its
// datasheet and its library's figure. Links that add up on their way (sums in a switch) are not meant.
void verdict_possible(const VerdictBasis *b, Arena *a, BenchResult *r);

// The same of a figure of several GPUs of one kind, whole boards: `b` is one's. The datasheet is that of the
// links where they join each to each (a switch), or are a bridge between two; how many links join two GPUs of
// a mesh is not listed.
void verdict_fill_group(const VerdictBasis *b, Arena *a, BenchResult *r);

#endif
