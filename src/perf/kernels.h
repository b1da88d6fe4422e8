// A decode step and a prompt as sums of measured kernels. Pure; used by resolve.c and serving.c.
//
// F dense peak of a kernel's arithmetic, BW memory bandwidth of one rank, M tokens, [a, b]_p = (a^p + b^p)^(1/p):
//   gemm       t0 + [(N K w + M K a + 2 M N) / (eta_bw BW), 2 N K (M + wave units 128^2 / N) / (eta_fl F)]_p
//              + tail M K / BW                                            w, a: bytes of a weight, an input
//   attention  t0 + [cache and outputs / (eta_bw BW), flops / (eta_fl F)]_p + tail sequences heads / 1000
//   all-reduce t0 + 2 (n - 1)/n bytes / (eta_bw LINK)
//   experts    points over the roofline of the same shape, between points along the logarithms
// A layer is its products by their shapes under tensor parallelism, its experts, its attention, two all-reduces
// (or an exchange of tokens), and a few small kernels. Where the library has no table of the GPU, the nearest
// is taken: same GPU, same chip, same architecture, same vendor, at the target's own peaks. Whatever engines
// add - scheduling, launches, kernels that they call instead - is fitted end to end on top (src/perf/effects.h).
#ifndef GPUADVISE_PERF_KERNELS_H
#define GPUADVISE_PERF_KERNELS_H

#include "src/base/base.h"
#include "src/facts/facts.h"

// How near a table is to what is asked for.
typedef enum KernelReach {
    KERNEL_OWN,   // this GPU
    KERNEL_CHIP,  // another board of the chip
    KERNEL_ARCHITECTURE,
    KERNEL_VENDOR,
    KERNEL_NONE
} KernelReach;
extern const char *const kernel_reach_names[];

// `calls` products of M tokens by `k` inputs and `n` outputs in all layers together.
typedef struct KernelGemm {
    const KernelFit *fit;
    double n, k, calls;
    double weight_bytes, input_bytes;  // of an element
} KernelGemm;

// What the kernels of one rank need, looked up once. Borrows the tables.
enum { KERNEL_GEMMS_MAX = 14, KERNEL_PARTS = 4 };
typedef struct KernelPlan {
    bool known;  // else the step is that of src/perf/perf.h
    size_t n_gemms;
    KernelGemm gemms[KERNEL_GEMMS_MAX], head;
    // at moe_tokens tokens of a rank: ln seconds of all products and experts of a step without their launches,
    // whether arithmetic bounds them; a search asks a hundred times of a plan
    double products_ln[MOE_POINTS];
    bool computes[MOE_POINTS];
    double launch_s;                            // of the products
    const KernelFit *decode, *prompt, *reduce;  // reduce: NULL with one rank
    // ln tokens of all that share the experts, ln seconds of one layer; no points: dense
    double moe_tokens[MOE_POINTS], moe_s[MOE_POINTS];
    size_t n_moe;
    const MoeTimes *moe;
    // products, decode, prompt, reduce: which table, and how near it is; NULL: none needed
    const KernelFit *parts[KERNEL_PARTS];
    KernelReach reaches[KERNEL_PARTS], moe_reach;
    bool exact;  // of this very shape and split
} KernelPlan;

struct Serving;

// Tables found for one GPU and engine, which layouts and caches share: a search asks for them thousands of
// times. Of one model and weights, as FactorMemo of src/perf/perf.h is.
enum { KERNEL_MEMO = 16 };
typedef struct KernelMemo {
    const Gpu *gpu;  // NULL: nothing is kept yet
    const char *engine;
    const KernelFit *fits[KERNEL_MEMO];
    bool looked[KERNEL_MEMO];
} KernelMemo;

// Fills what rows of the tables hold besides their columns; `facts` has the GPUs.
void kernels_complete(const Facts *facts, KernelFit *fits, size_t n_fits, MoeTimes *times, size_t n_times);

// Looks the tables up for a resolved replica. `known` is false where an operation has none: other engines,
// weights in integers, sparse or linear attention, models without a closed form.
// `memo`: NULL, or what to keep.
void kernels_plan(const Facts *facts, KernelMemo *memo, struct Serving *s);

// Seconds of one step of all layers, by item, before anything that is fitted: `tokens` of `batch` sequences.
void kernels_step(const struct Serving *s, double batch, double tokens, double *items);

// Seconds that the tokens of one prompt take in chunks of `chunk`.
double kernels_prompt_s(const struct Serving *s, double tokens, double chunk);

// "products of vllm on this GPU (fp8); ...", for people; "" without tables. Lives in the arena.
const char *kernels_words(const struct Serving *s, Arena *a);

#endif
