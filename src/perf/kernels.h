// A decode step and a prompt as sums of measured kernels. Pure; used by resolve.c and serving.c.
//
// F dense peak of a kernel's arithmetic, BW memory bandwidth of one rank, M tokens, [a, b]_p = (a^p + b^p)^(1/p):
//   gemm       t0 + [(N K w + M K a + 2 M N) / (eta_bw BW), 2 N K (M + wave units 128^2 / N) / (eta_fl F)]_p
//              + tail M K / BW                                            w, a: bytes of a weight, an input
//   attention  t0 + [cache and outputs / (eta_bw BW), flops / (eta_fl F)]_p + tail sequences heads / 1000
//   all-reduce t0 + 2 (n - 1)/n bytes / (eta_bw LINK)
//   indexers of sparse attention: src/perf/extras.h
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

// What the kernels of one rank need, looked up once: times as they grow with tokens and sequences. Borrows the
// tables.
enum { PLAN_PRODUCTS, PLAN_DECODE, PLAN_PROMPT, PLAN_REDUCE, PLAN_PARTS };
typedef struct KernelPlan {
    bool known;  // else the step is that of src/perf/perf.h
    // at moe_tokens tokens of a rank: ln seconds of all products and experts of a step without their launches,
    // whether arithmetic bounds them
    double products_ln[MOE_POINTS];
    bool computes[MOE_POINTS];
    double products_launch_s;
    double small_s, small_token_s;    // small kernels, and what a token adds
    double link_s, link_token_s;      // all-reduces and exchanges of tokens
    double kv_step_s, kv_sequence_s;  // attention of decoding, and what a sequence adds
    // which table, and how near it is; NULL: none needed
    const KernelFit *parts[PLAN_PARTS];
    KernelReach reaches[PLAN_PARTS], moe_reach;
    const MoeTimes *moe;
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
    // products, experts and messages of the last layout
    bool planned;
    int tp, ep, expert_ranks;
    KernelPlan last;
} KernelMemo;

// Fills what rows of the tables hold besides their columns; `facts` has the GPUs.
void kernels_complete(const Facts *facts, KernelFit *fits, size_t n_fits, MoeTimes *times, size_t n_times);

// Looks the tables up for a resolved replica. `known` is false where an operation has none: other engines,
// weights in integers of dense models but where a table has them, linear attention, attention over compressed caches,
// models without a closed form.
// `memo`: NULL, or what to keep.
void kernels_plan(const Facts *facts, KernelMemo *memo, struct Serving *s);

// Seconds of one step of all layers, by item, before anything that is fitted: `tokens` of `batch` sequences.
void kernels_step(const struct Serving *s, double batch, double tokens, double *items);

// The same in the parts that tables have, each with how near its table is ("assumed" where no
// table has them, "" where there is nothing to do). Of a plan that is known; no drafts.
typedef enum KernelPart {
    KERNEL_PART_GEMMS,
    KERNEL_PART_EXPERTS,
    KERNEL_PART_ATTENTION,
    KERNEL_PART_MESSAGES,
    KERNEL_PART_SMALL,
    KERNEL_PART_COUNT
} KernelPart;
extern const char *const kernel_part_names[];  // for people and JSON
typedef struct KernelParts {
    double s[KERNEL_PART_COUNT], sum_s;
    const char *bases[KERNEL_PART_COUNT];
} KernelParts;
void kernels_parts(const Facts *facts, const struct Serving *s, double batch, KernelParts *ret);

// Seconds that the tokens of one prompt take in chunks of `chunk`.
double kernels_prompt_s(const struct Serving *s, double tokens, double chunk);

// "products of vllm on this GPU (fp8); ...", for people; "" without tables. Lives in the arena.
const char *kernels_words(const struct Serving *s, Arena *a);

#endif
