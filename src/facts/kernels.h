// Measured times of single kernels (data/kernels.tsv, data/moe_points.tsv). Level 0; the conventions of
// facts.h hold. What they mean is in src/perf/kernels.h.
#ifndef GPUADVISE_FACTS_KERNELS_H
#define GPUADVISE_FACTS_KERNELS_H

#include "src/facts/columns.h"

struct Gpu;

typedef enum KernelOp {
    KERNEL_GEMM,
    KERNEL_ATTN_DECODE,
    KERNEL_ATTN_PREFILL,
    KERNEL_MLA_DECODE,
    KERNEL_MLA_PREFILL,
    KERNEL_ALLREDUCE,
    KERNEL_LINEAR_DECODE,  // convolution and recurrence of a layer of linear attention
    KERNEL_LINEAR_PREFILL,
    KERNEL_INDEX_DECODE,  // the indexer of sparse attention: scores of all keys, and the choice of the best
    KERNEL_INDEX_PREFILL,
    KERNEL_OP_COUNT
} KernelOp;
extern const char *const kernel_op_names[];

// Weights and arithmetic of a kernel. fp8: scales of whole tensors or tokens; fp8-block: of blocks of 128;
// fp4-fp8 and fp4-bf16: weights of 4 bits, arithmetic in the other; int4: weights alone.
typedef enum KernelType {
    KERNEL_UNKNOWN,
    KERNEL_BF16,
    KERNEL_FP8,
    KERNEL_FP8_BLOCK,
    KERNEL_FP4,
    KERNEL_FP4_FP8,
    KERNEL_FP4_BF16,
    KERNEL_INT4,
    KERNEL_TYPE_COUNT
} KernelType;
extern const char *const kernel_type_names[];

// clang-format off
// One kernel of one library on one GPU: the parameters of its form, fitted to `n` published times.
#define KERNEL_FIT_FIELDS(X) \
    X(KernelFit, NAME, KEY, op, KernelOp, kernel_op_names) \
    X(KernelFit, TEXT, KEY, gpu) \
    X(KernelFit, TEXT, KEY, library) \
    /* kv: of the cache, KERNEL_UNKNOWN where it has no say */ \
    X(KernelFit, NAME, KEY_MAY, dtype, KernelType, kernel_type_names) \
    X(KernelFit, NAME, KEY_MAY, kv, KernelType, kernel_type_names) \
    X(KernelFit, NUM, KEY_MAY, ranks, 2, 8)                     /* of an all-reduce, else NaN */ \
    X(KernelFit, NUM, MUST, t0_us, 0.1, KERNEL_LAUNCH_US_MOST)  /* launch */ \
    /* share of memory bandwidth, of an all-reduce of the links */ \
    X(KernelFit, NUM, MUST, eta_bw, 0.01, 1) \
    /* share of the dense peak of its arithmetic */ \
    X(KernelFit, NUM, MAY, eta_compute, 0.01, 1) \
    /* exponent that joins both: 1 they add up, 2, or 4 the longer one counts */ \
    X(KernelFit, NUM, MAY, overlap, 1, 20) \
    /* of a GEMM: passes over its input besides; of attention: ns a sequence and head */ \
    X(KernelFit, NUM, MAY, tail, 0, 1000) \
    /* of a GEMM: share of one wave of 128 x 128 tiles that is always paid */ \
    X(KernelFit, NUM, MAY, wave, 0, 1) \
    /* what the form is off, as a standard deviation of ln time */ \
    X(KernelFit, NUM, MUST, sigma_log, 0.01, 1) \
    X(KernelFit, NUM, MUST, n, 1, 1e6) \
    ORIGIN(X, KernelFit)
typedef struct KernelFit {
    KERNEL_FIT_FIELDS(MEMBER)
    const struct Gpu *board;  // no column: `gpu` in the catalog, NULL where it is not
} KernelFit;
// clang-format on

enum { MOE_POINTS = 8 };
extern const double moe_tokens[MOE_POINTS];  // 1, 4, 16, ... 16384

// clang-format off
// The routed experts of one layer on one of the GPUs that share them.
#define MOE_TIMES_FIELDS(X) \
    X(MoeTimes, TEXT, KEY, gpu) \
    X(MoeTimes, TEXT, KEY, library) \
    X(MoeTimes, NAME, KEY, dtype, KernelType, kernel_type_names) \
    X(MoeTimes, NUM, KEY, hidden, 16, 1e6)                 /* of the whole layer */ \
    X(MoeTimes, NUM, KEY, inter, 16, 1e6) \
    X(MoeTimes, NUM, KEY, experts, 1, 1e5) \
    X(MoeTimes, NUM, KEY, topk, 1, 1e3) \
    /* GPUs that share an expert's width, and the experts */ \
    X(MoeTimes, NUM, KEY, tp, 1, 1024) \
    X(MoeTimes, NUM, KEY, ep, 1, 1024) \
    /* at moe_tokens tokens; NaN: not measured, or refused */ \
    X(MoeTimes, ARRAY, MAY, us, MOE_POINTS) \
    X(MoeTimes, NUMAT, MAY, us, 0, "us_1", 1, 1e6) \
    X(MoeTimes, NUMAT, MAY, us, 1, "us_4", 1, 1e6) \
    X(MoeTimes, NUMAT, MAY, us, 2, "us_16", 1, 1e6) \
    X(MoeTimes, NUMAT, MAY, us, 3, "us_64", 1, 1e6) \
    X(MoeTimes, NUMAT, MAY, us, 4, "us_256", 1, 1e6) \
    X(MoeTimes, NUMAT, MAY, us, 5, "us_1024", 1, 1e6) \
    X(MoeTimes, NUMAT, MAY, us, 6, "us_4096", 1, 1e6) \
    X(MoeTimes, NUMAT, MAY, us, 7, "us_16384", 1, 1e6) \
    ORIGIN(X, MoeTimes)
typedef struct MoeTimes {
    MOE_TIMES_FIELDS(MEMBER)
    const struct Gpu *board;  // no column: as above
    // no columns: ln of hidden, of inputs and experts that a GPU holds, of topk
    double ln_hidden, ln_width, ln_local, ln_topk;
    size_t alike;  // no column: rows from here on of the same GPU, library and type
} MoeTimes;
// clang-format on

#endif
