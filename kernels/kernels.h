// The table of kernels: shapes, buffers, bytes and operations, double-precision reference and error bound of
// each.
//
// A kernel is written once for GPUs and the shim (kernels/device) and natively for the CPU
// (kernels/cpu_body.h); this table is what both are held against. Inputs come from a counter-based generator,
// so that a reference can make any element again.
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
    KERNEL_TRIAD_F64,
    KERNEL_READ,
    KERNEL_LATENCY,
    KERNEL_REDUCE,
    KERNEL_GEMM_F32,
    KERNEL_GEMM_F64,
    KERNEL_GEMV_BF16,
    KERNEL_GEMV_I8,
    KERNEL_RMSNORM,
    KERNEL_SOFTMAX,
    KERNEL_ROTARY,
    KERNEL_SWIGLU,
    KERNEL_ARGMAX,
    KERNEL_TOPK,
    KERNEL_GEMM_TF32,
    KERNEL_GEMM_F16,
    KERNEL_GEMM_BF16,
    KERNEL_GEMM_I8,
    KERNEL_GEMM_FP8,
    KERNEL_GEMM_FP8_FNUZ,
    KERNEL_WGMMA_F16,
    KERNEL_WGMMA_BF16,
    KERNEL_WGMMA_FP8,
    KERNEL_GEMM_MXFP4,
    KERNEL_GEMV_I4,
    KERNEL_GEMV_FP8,
    KERNEL_GEMV_MXFP4,
    KERNEL_PREFILL,
    KERNEL_DECODE_GQA,
    KERNEL_DECODE_MLA,
    KERNEL_MOE_GATHER,
    KERNEL_ATOMICS,
    KERNEL_LAUNCH,
    KERNEL_COUNT
} KernelId;

// E4M3 is the OCP standard's 8-bit float; MI300's FNUZ kind has the exponent biased by 8 and no negative
// zero. E8M0 is the scale of the OCP's microscaling formats: 2^(x - 127), NaN for 255.
typedef enum Elem {
    ELEM_F32,
    ELEM_F64,
    ELEM_TF32,
    ELEM_F16,
    ELEM_BF16,
    ELEM_E4M3,
    ELEM_E4M3_FNUZ,
    ELEM_E8M0,
    ELEM_I8,
    ELEM_U8,
    ELEM_I32,
    ELEM_U32
} Elem;

// How an input is made.
typedef enum Gen {
    GEN_NONE,         // an output
    GEN_NORMAL,       // sum of four uniforms, mean 0, variance 1, rounded to the element's type
    GEN_BYTE,         // whole numbers -127..127
    GEN_BITS,         // bytes 0..255
    GEN_SCALE,        // 0.5..1.5 over 127
    GEN_EXPONENT,     // 2^-6..2^1
    GEN_PERMUTATION,  // of 0..count - 1
    GEN_LENGTH,       // tokens of a sequence in d[2] pages: 0-15 short of them
    GEN_CHASE         // successor in one cycle through all lines
} Gen;

// Sizes of a problem; what each means is the kernel's `dims`.
typedef struct Shape {
    size_t d[3];
} Shape;

enum {
    DIM0 = 1,
    DIM1 = 2,
    DIM2 = 4,
    BUFFERS_MAX = 6,
    TOPK_K = 8,
    CHASE_LINE = 16,
    CHASE_STEPS_MAX = 1 << 22
};
// Fixed sizes of attention and of a mixture of experts: queries' heads of a cache head, numbers of a head,
// tokens of a page.
enum {
    HEAD_DIM = 128,
    PAGE_TOKENS = 16,
    GQA_HEADS = 8,
    PREFILL_HEADS = 4,
    MLA_HEADS = 16,
    MLA_DIM = 576,
    MLA_OUT = 512,
    MOE_PICKS = 8,
    I4_GROUP = 128,
    MX_BLOCK = 32,
    COUNTS = 256
};

// `count`: product of the dimensions named (DIM0 | DIM2), times `times` over `over` (0 = 1).
typedef struct BufferSpec {
    Elem elem;
    Gen gen;
    unsigned count, times, over;
} BufferSpec;

// How a GPU runs it. Arguments of the entry: every size that `dims` names as 64 bits, then the buffers in the
// row's order. A target whose code lacks the entry has no unit for it.
typedef struct Launch {
    const char *entry;  // "gk_triad"
    unsigned threads;   // of a block, in one dimension
    // how much of each size a block does at a time; 0 = all of it. A smaller grid is right too.
    unsigned per_block[3];
} Launch;

// What is measured: bytes, accesses or operations over time, or the time of one run.
typedef enum KernelKind { KIND_BANDWIDTH, KIND_LATENCY, KIND_COMPUTE, KIND_RATE, KIND_TIME } KernelKind;

// A number put into an input in place of the generated one. As stored: elem_round.
typedef struct Special {
    bool set;
    size_t buffer, index;
    double value;
} Special;

typedef struct RefIn {
    const struct Kernel *kernel;
    uint64_t seed;
    Shape shape;
    double roundoff;  // of the accumulator: kernel_roundoff
    Special special;
} RefIn;

// Which numbers may stand in an input: what comes of them is the reference's affair.
enum { WITH_NAN = 1, WITH_INFINITY = 2, WITH_DENORMAL = 4, WITH_ANY = 7 };

// On GPUs, whose unit does the products: none; that of every family (mma.sync, MFMA, WMMA); Hopper's by
// warpgroups, beside the one before.
enum { MATRIX_NONE, MATRIX_ANY, MATRIX_WGMMA };

typedef struct Kernel {
    const char *name, *what, *dtype, *dims;
    KernelKind kind;
    BufferSpec buffers[BUFFERS_MAX];  // inputs, then the output
    size_t output;                    // index of the output
    double (*bytes)(const Shape *s);  // STREAM's rule: read once, written once, no write-allocate
    double (*flops)(const Shape *s);  // an addition and a multiplication count one each
    // Output `index` in double, and how far a correct fp32 computation in any order may be from it.
    void (*reference)(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
    Shape odd[3];  // small sizes that fit no block: every output is checked
    Launch launch;
    unsigned matrix_unit;  // MATRIX_NONE ...
    unsigned specials;     // WITH_NAN ...: of the first input of floats
    const char *differs;   // why two machines' bits may differ, both right; "" = they may not
    size_t samples;        // outputs checked at the size that is timed; 0 = 256
} Kernel;

extern const Kernel kernel_table[KERNEL_COUNT];
// An entry that is no test: counts words of two arrays that are not the same. Arguments: how many words, both
// arrays, a counter of 32 bits.
extern const Launch launch_differ;
// Two more: write the words of a pattern (kernels/pattern.h), and count those that are others by now.
// Arguments, of 64 bits each but for the last: how many words, the number of the first, pattern, seed, the
// memory, and for the second a counter of 32 bits.
extern const Launch launch_pattern_fill, launch_pattern_check;
const Kernel *kernel_find(const char *name);  // NULL: none
const char *kernel_unit(const Kernel *k);     // GB/s, GFLOP/s, Gop/s, ns, us
size_t buffer_count(const BufferSpec *b, const Shape *s);
// The shape to time: buffers of about `bytes` in all for bandwidth, `gemm_n` squared for the matrix product.
Shape kernel_shape(KernelId id, size_t bytes, size_t gemm_n);
// From `side` on in steps, to `most`: where a product is parts enough for that many multiprocessors.
size_t kernel_filling_side(const Kernel *k, size_t side, size_t most, size_t units);
size_t kernel_dims(const Kernel *k);                    // how many sizes `dims` names
size_t kernel_blocks(const Kernel *k, const Shape *s);  // blocks that have something to do, at least 1
// bytes of shared memory that a launch must ask for; 0 = what the code has is enough
unsigned kernel_shared(const Kernel *k);
void shape_text(const Kernel *k, const Shape *s, char out[64]);
// what shape_text wrote, no size above 2^53; false: it is not
bool shape_read(const Kernel *k, const char *text, Shape *ret_shape);

// The scalar of scale and triad, epsilon of the norm: exact in fp32.
#define KERNEL_SCALAR 0.375f
#define KERNEL_EPSILON 9.5367431640625e-07f  // 2^-20

// Relative error of one addition where this kernel runs: vendor "cpu", "nvidia" or "amd". Sources in
// reference_serve.c.
double kernel_roundoff(const Kernel *k, const char *vendor);

// ---------------------------------------------------------------- elements (elems.c)

size_t elem_size(Elem e);
bool elem_is_float(Elem e);
double elem_read(Elem e, const void *buffer, size_t i);
// Rounds to nearest even; too large: infinity, or the largest number of a type that has none.
void elem_write(Elem e, void *buffer, size_t i, float x);
double elem_round(Elem e, float x);  // what would be read again
// a number below the normal ones, of a type of floats; the least of one that has none
float elem_least(Elem e);
// Elements begin .. begin + n - 1 as floats: exact for all types of 16 bits and less.
void elem_floats(Elem e, const void *buffer, size_t begin, size_t n, float *out);
uint16_t bf16_from(float x);  // NaN stays NaN
float bf16_to(uint16_t x);
float tf32_round(float x);
// Of a nibble, e2m1 of the OCP's microscaling formats: sign, two bits of exponent biased by 1, one of
// mantissa.
double e2m1_to(unsigned nibble);
// Elements begin .. begin + n - 1 of MXFP4, both multiples of MX_BLOCK, times their scales.
void mxfp4_floats(const void *nibbles, const void *scales, size_t begin, size_t n, float *out);

// ---------------------------------------------------------------- inputs (inputs.c)

// Element i of input `buffer` exactly as it is stored.
double input_value(const Kernel *k, const Shape *s, size_t buffer, uint64_t seed, size_t i);
// Elements begin..end into `out`, which points to element 0.
void input_fill(const Kernel *k, const Shape *s, size_t buffer, uint64_t seed, size_t begin, size_t end,
                void *out);

// ---------------------------------------------------------------- checks (check.c)

typedef struct CheckTally {
    double max_error, max_of_bound;
    size_t checked, wrong;
    size_t first_wrong;  // index of the output
    double got, want;
} CheckTally;
// Compares `samples` outputs (all, when there are no more): both ends and places spread by a hash. Adds to
// the tally. How far `got` is off, over the bound: at most 1 is right. NaN must be NaN, infinity that
// infinity.
double error_of_bound(double got, double want, double bound);
void check_outputs(const RefIn *in, const void *output, size_t samples, CheckTally *tally);

enum { POISON = 0xFF, GUARD_BYTES = 4096, GUARD = 0xA5 };

#endif
