// Measured times of single kernels (data/kernels.tsv, data/moe_points.tsv). Level 0; the conventions of
// facts.h hold. What they mean is in src/perf/kernels.h.
#ifndef GPUADVISE_FACTS_KERNELS_H
#define GPUADVISE_FACTS_KERNELS_H

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

// One kernel of one library on one GPU: the parameters of its form, fitted to `n` published times.
typedef struct KernelFit {
    int op;  // KernelOp
    const char *gpu, *library;
    int dtype, kv;       // KernelType; kv: of the cache, KERNEL_UNKNOWN where it has no say
    double ranks;        // of an all-reduce, else NaN
    double t0_us;        // launch
    double eta_bw;       // share of memory bandwidth, of an all-reduce of the links
    double eta_compute;  // share of the dense peak of its arithmetic
    double overlap;      // exponent that joins both: 1 they add up, 2, or 4 the longer one counts
    double tail;         // of a GEMM: passes over its input besides; of attention: ns a sequence and head
    double wave;         // of a GEMM: share of one wave of 128 x 128 tiles that is always paid
    const struct Gpu *board;  // no column: `gpu` in the catalog, NULL where it is not
    double sigma_log;         // what the form is off, as a standard deviation of ln time
    double n;
    const char *source, *as_of;
} KernelFit;

enum { MOE_POINTS = 8 };
extern const double moe_tokens[MOE_POINTS];  // 1, 4, 16, ... 16384

// The routed experts of one layer on one of the GPUs that share them.
typedef struct MoeTimes {
    const char *gpu, *library;
    int dtype;                            // KernelType
    double hidden, inter, experts, topk;  // of the whole layer
    double tp, ep;                        // GPUs that share an expert's width, and the experts
    const struct Gpu *board;              // no column: as above
    // no columns: ln of hidden, of inputs and experts that a GPU holds, of topk
    double ln_hidden, ln_width, ln_local, ln_topk;
    size_t alike;           // no column: rows from here on of the same GPU, library and type
    double us[MOE_POINTS];  // at moe_tokens tokens; NaN: not measured, or refused
    const char *source, *as_of;
} MoeTimes;

#endif
