// Look-ups in the tables of kernels: which of them is nearest, and the times of experts. Pure; a part of kernels.c.
#ifndef GPUADVISE_PERF_KERNEL_FIND_H
#define GPUADVISE_PERF_KERNEL_FIND_H

#include "src/perf/perf.h"

static const double US = 1e-6;

// What the matrix units work in, and bytes of a stored weight with its scales.
Dtype kernel_arithmetic(KernelType type);
double kernel_weight_bytes(KernelType type);

// Whose tables an engine on the GPU is held against.
const char *kernel_library(const Serving *s);

// How near a table of one GPU is to another; KERNEL_NONE: another vendor, or not in the catalog.
KernelReach kernel_reach(const Gpu *g, const Gpu *other);

// Whether tables of one type may stand for the other's, some steps farther.
bool kernel_types_alike(KernelType a, KernelType b);
extern const double KERNEL_LIBRARY_STEP, KERNEL_TYPE_STEP;

// The nearest table, NULL: none. `kv`: of the cache, KERNEL_UNKNOWN where it has no say; `together`: ranks of an
// all-reduce. `memo`: NULL, or what to keep.
const KernelFit *kernel_nearest(const Facts *f, KernelMemo *memo, const Serving *s, KernelOp op,
                                KernelType dtype, KernelType kv, double together);

// Seconds that the routed experts of one layer take at moe_tokens tokens of all that share them; false: no
// table holds them. Sets `moe`, `moe_reach` and `exact` of the plan.
bool kernel_experts(const Facts *f, const Serving *s, KernelType type, KernelPlan *p,
                    double ret_s[MOE_POINTS]);

#endif
