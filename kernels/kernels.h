// The table of kernels: shapes, buffers, bytes and operations, double-precision reference and error bound of each.
//
// A kernel is written once for GPUs and the shim (kernels/device) and natively for the CPU (kernels/cpu_body.h); this table
// is what both are held against. Inputs come from a counter-based generator, so that a reference can make any element again.
#ifndef GPUADVISE_KERNELS_H
#define GPUADVISE_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/base.h"

typedef enum KernelId {
    KERNEL_COPY,
    KERNEL_SCALE,
    KERNEL_ADD,
    KERNEL_TRIAD,
    KERNEL_READ,
    KERNEL_LATENCY,
    KERNEL_REDUCE,
    KERNEL_GEMM_F32,
    KERNEL_GEMV_BF16,
    KERNEL_GEMV_I8,
    KERNEL_RMSNORM,
    KERNEL_SOFTMAX,
    KERNEL_ROTARY,
    KERNEL_SWIGLU,
    KERNEL_ARGMAX,
    KERNEL_TOPK,
    KERNEL_COUNT
} KernelId;

typedef enum Elem { ELEM_F32, ELEM_BF16, ELEM_I8, ELEM_I32, ELEM_U32 } Elem;
size_t elem_size(Elem e);

// How an input is made.
typedef enum Gen {
    GEN_NONE,    // an output
    GEN_NORMAL,  // sum of four uniforms, mean 0, variance 1, rounded to the element's type
    GEN_BYTE,    // whole numbers -127..127
    GEN_SCALE,   // 0.5..1.5 over 127
    GEN_CHASE    // successor in one cycle through all lines
} Gen;

// Sizes of a problem; what each means is the kernel's `dims`.
typedef struct Shape {
    size_t d[3];
} Shape;

enum { DIM0 = 1, DIM1 = 2, DIM2 = 4, BUFFERS_MAX = 6, TOPK_K = 8, CHASE_LINE = 16, CHASE_STEPS_MAX = 1 << 22 };

// `count`: product of the dimensions named (DIM0 | DIM2); 0 = no such buffer.
typedef struct BufferSpec {
    Elem elem;
    Gen gen;
    unsigned count;
} BufferSpec;

// How a GPU runs it. Arguments of the entry: every size that `dims` names as 64 bits, then the buffers in the row's order. A target
// whose code lacks the entry has no unit for it.
typedef struct Launch {
    const char *entry;      // "gk_triad"
    unsigned threads;       // of a block, in one dimension
    unsigned per_block[3];  // how much of each size a block does at a time; 0 = all of it. A smaller grid is right too.
} Launch;

typedef enum KernelKind { KIND_BANDWIDTH, KIND_LATENCY, KIND_COMPUTE } KernelKind;

typedef struct RefIn {
    const struct Kernel *kernel;
    uint64_t seed;
    Shape shape;
} RefIn;

typedef struct Kernel {
    const char *name, *what, *dtype, *dims;
    KernelKind kind;
    BufferSpec buffers[BUFFERS_MAX];  // inputs, then the output
    size_t output;                    // index of the output
    double (*bytes)(const Shape *s);  // STREAM's rule: read once, written once, no write-allocate
    double (*flops)(const Shape *s);  // an addition and a multiplication count one each
    // Output `index` in double, and how far a correct fp32 computation in any order may be from it.
    void (*reference)(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
    Shape odd[3];                     // small sizes that fit no block: every output is checked
    Launch launch;
} Kernel;

extern const Kernel kernel_table[KERNEL_COUNT];
const Kernel *kernel_find(const char *name);  // NULL: none
const char *kernel_unit(const Kernel *k);     // GB/s, GFLOP/s, ns
size_t buffer_count(const BufferSpec *b, const Shape *s);
// The shape to time: buffers of about `bytes` in all for bandwidth, `gemm_n` squared for the matrix product.
Shape kernel_shape(KernelId id, size_t bytes, size_t gemm_n);
size_t kernel_dims(const Kernel *k);                    // how many sizes `dims` names
size_t kernel_blocks(const Kernel *k, const Shape *s);  // blocks that have something to do, at least 1
void shape_text(const Kernel *k, const Shape *s, char out[64]);

// The scalar of scale and triad, epsilon of the norm: exact in fp32.
#define KERNEL_SCALAR 0.375f
#define KERNEL_EPSILON 9.5367431640625e-07f  // 2^-20

// ---------------------------------------------------------------- inputs (inputs.c)

// Element i of input `buffer` exactly as it is stored.
double input_value(const Kernel *k, const Shape *s, size_t buffer, uint64_t seed, size_t i);
// Elements begin..end into `out`, which points to element 0.
void input_fill(const Kernel *k, const Shape *s, size_t buffer, uint64_t seed, size_t begin, size_t end, void *out);
// Element i of a buffer of that type.
double elem_read(Elem e, const void *buffer, size_t i);
uint16_t bf16_from(float x);  // round to nearest even; NaN stays NaN
float bf16_to(uint16_t x);

// ---------------------------------------------------------------- checks (check.c)

typedef struct CheckTally {
    double max_error, max_of_bound;
    size_t checked, wrong;
    size_t first_wrong;  // index of the output
    double got, want;
} CheckTally;
// Compares `samples` outputs (all, when there are no more): both ends and places spread by a hash. Adds to the tally.
void check_outputs(const RefIn *in, const void *output, size_t samples, CheckTally *tally);

enum { POISON = 0xFF, GUARD_BYTES = 4096, GUARD = 0xA5 };

#endif
