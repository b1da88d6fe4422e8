// The table of kernels.
#include <string.h>

#include "kernels/reference.h"

// ---------------------------------------------------------------- bytes and operations

static double count(size_t a, size_t b, size_t c) { return (double)a * (double)b * (double)c; }

static double bytes_2n(const Shape *s) { return 8 * (double)s->d[0]; }
static double bytes_3n(const Shape *s) { return 12 * (double)s->d[0]; }
static double bytes_3n_f64(const Shape *s) { return 24 * (double)s->d[0]; }
static double bytes_rows(const Shape *s) { return 4 * count(s->d[0], s->d[1], 1) + 4 * (double)s->d[0]; }
static double bytes_rows_both(const Shape *s) { return 8 * count(s->d[0], s->d[1], 1); }
static double bytes_gemm(const Shape *s) {
    return 4 * (count(s->d[0], s->d[2], 1) + count(s->d[2], s->d[1], 1) + count(s->d[0], s->d[1], 1));
}
static double bytes_gemm_f64(const Shape *s) { return 2 * bytes_gemm(s); }
static double bytes_gemv_bf16(const Shape *s) {
    return 2 * count(s->d[0], s->d[1], 1) + 2 * (double)s->d[1] + 4 * (double)s->d[0];
}
static double bytes_gemv_i8(const Shape *s) {
    return count(s->d[0], s->d[1], 1) + 4 * (double)s->d[1] + 8 * (double)s->d[0];
}
static double bytes_rotary(const Shape *s) {
    return 8 * count(s->d[0], s->d[1], s->d[2]) + 4 * count(s->d[0], 1, s->d[2]);
}
static double bytes_topk(const Shape *s) {
    return 4 * count(s->d[0], s->d[1], 1) + 4 * count(s->d[0], 1, s->d[2]);
}
static double bytes_steps(const Shape *s) { return (double)chase_steps(s); }  // accesses

static double flops_0(const Shape *s) {
    (void)s;
    return 0;
}
static double flops_n(const Shape *s) { return (double)s->d[0]; }
static double flops_2n(const Shape *s) { return 2 * (double)s->d[0]; }
static double flops_rows(const Shape *s) { return count(s->d[0], s->d[1], 1); }
static double flops_gemv(const Shape *s) { return 2 * count(s->d[0], s->d[1], 1); }
static double flops_gemm(const Shape *s) { return 2 * count(s->d[0], s->d[1], s->d[2]); }
static double flops_norm(const Shape *s) { return 4 * count(s->d[0], s->d[1], 1); }
static double flops_rotary(const Shape *s) { return 3 * count(s->d[0], s->d[1], s->d[2]); }
static double flops_swiglu(const Shape *s) { return 4 * (double)s->d[0]; }

// ---------------------------------------------------------------- the table

static double bytes_nt(const Shape *s, double size) {
    return size * (count(s->d[0], s->d[2], 1) + count(s->d[1], s->d[2], 1)) + 4 * count(s->d[0], s->d[1], 1);
}
static double bytes_nt1(const Shape *s) { return bytes_nt(s, 1); }
static double bytes_nt2(const Shape *s) { return bytes_nt(s, 2); }
static double bytes_nt4(const Shape *s) { return bytes_nt(s, 4); }
static double bytes_gemv_i4(const Shape *s) {
    return (I4_GROUP / 2 + 4) * count(s->d[0], s->d[1], 1) + 4 * I4_GROUP * (double)s->d[1] +
           4 * (double)s->d[0];
}
static double flops_gemv_i4(const Shape *s) { return 2 * I4_GROUP * count(s->d[0], s->d[1], 1); }
static double bytes_gemm_mxfp4(const Shape *s) {
    return (MX_BLOCK / 2 + 1) * (count(s->d[0], s->d[2], 1) + count(s->d[1], s->d[2], 1)) +
           4 * count(s->d[0], s->d[1], 1);
}
static double flops_gemm_mxfp4(const Shape *s) { return 2 * MX_BLOCK * count(s->d[0], s->d[1], s->d[2]); }
static double bytes_gemv_mxfp4(const Shape *s) {
    return (MX_BLOCK / 2 + 1) * count(s->d[0], s->d[1], 1) + 2 * MX_BLOCK * (double)s->d[1] +
           4 * (double)s->d[0];
}
static double flops_gemv_mxfp4(const Shape *s) { return 2 * MX_BLOCK * count(s->d[0], s->d[1], 1); }

// Tokens in the cache of all sequences: sequence i is i % 16 short of its pages.
static double cached(const Shape *s) {
    double missing = 0;
    for (size_t i = 0; i < s->d[0]; i++) missing += (double)(i % PAGE_TOKENS);
    return count(s->d[0], s->d[2], PAGE_TOKENS) - missing;
}
static double bytes_gqa(const Shape *s) {
    return cached(s) * (double)s->d[1] * 2 * 2 * HEAD_DIM + count(s->d[0], s->d[1], GQA_HEADS * HEAD_DIM) * 6;
}
static double flops_gqa(const Shape *s) { return cached(s) * (double)s->d[1] * GQA_HEADS * 4 * HEAD_DIM; }
static double bytes_mla(const Shape *s) {
    return cached(s) * 2 * MLA_DIM + count(s->d[0], s->d[1], MLA_HEADS) * (2 * MLA_DIM + 4 * MLA_OUT);
}
static double flops_mla(const Shape *s) {
    return cached(s) * (double)s->d[1] * MLA_HEADS * 2 * (MLA_DIM + MLA_OUT);
}
static double bytes_prefill(const Shape *s) {
    return count(s->d[0], s->d[1], HEAD_DIM) * (2 + 4 + 2 * 2.0 / PREFILL_HEADS);
}
static double flops_prefill(const Shape *s) {
    return 4.0 * HEAD_DIM * (double)s->d[1] * (double)s->d[0] * ((double)s->d[0] + 1) / 2;
}
static double bytes_moe(const Shape *s) {
    return count(s->d[0], s->d[1], 2 * MOE_PICKS + 4) + (double)s->d[0] * 8 * MOE_PICKS;
}
static double flops_moe(const Shape *s) { return count(s->d[0], s->d[1], 2 * MOE_PICKS); }
static double bytes_atomics(const Shape *s) {
    return count(s->d[0], s->d[1], 1) + 4 * count(s->d[0], COUNTS, 1);
}

#define N DIM0
#define ROWS_COLS (DIM0 | DIM1)
#define ALL (DIM0 | DIM1 | DIM2)
#define IN(elem, gen, count)                                                                                 \
    { ELEM_##elem, GEN_##gen, count, 1, 0 }
#define OUT(elem, count)                                                                                     \
    { ELEM_##elem, GEN_NONE, count, 1, 0 }
#define IN_TIMES(elem, gen, count, times)                                                                    \
    { ELEM_##elem, GEN_##gen, count, times, 0 }
#define OUT_TIMES(elem, count, times)                                                                        \
    { ELEM_##elem, GEN_NONE, count, times, 0 }
#define IN_SHARED(elem, gen, count, times, over)                                                             \
    { ELEM_##elem, GEN_##gen, count, times, over }
// C = A B^T on matrix units: blocks of 256 threads make 128 x `across`.
#define GEMM_BY(unit, across, large, name, dtype, elem, gen, out, bytes, entry, specials, differs)           \
    {                                                                                                        \
        name, "C = A B^T, k along the rows of both", dtype, "m x n x k", KIND_COMPUTE,                       \
            {IN(elem, gen, DIM0 | DIM2), IN(elem, gen, DIM1 | DIM2), OUT(out, DIM0 | DIM1)}, 2, bytes,       \
            flops_gemm, ref_gemm_nt, {{{1, 1, 1}}, {{17, 33, 65}}, large}, {entry, 256, {128, across}},      \
            unit, specials, differs, 0                                                                       \
    }
#define LARGE                                                                                                \
    {                                                                                                        \
        { 130, 77, 272 }                                                                                     \
    }
#define LARGER                                                                                               \
    {                                                                                                        \
        { 130, 261, 272 }                                                                                    \
    }
#define GEMM_NT(...) GEMM_BY(MATRIX_ANY, 128, LARGE, __VA_ARGS__)
#define GEMM_WG(...) GEMM_BY(MATRIX_WGMMA, 256, LARGER, __VA_ARGS__)
// Why the bits of two machines may differ.
#define FMA "a multiply-add rounds once where it is fused, twice where it is not"
#define ORDER "sums are added up in another order"
#define MATRIX "matrix units add up in an order and with a rounding of their own"
#define EXPONENTIAL "exponential functions and sums differ in their last bits"
#define ATTENTION                                                                                            \
    "exponential functions and sums differ in their last bits; matrix units take weights as bf16"
#define ODD_PAGES                                                                                            \
    {                                                                                                        \
        {{1, 1, 1}}, {{3, 2, 2}}, {                                                                          \
            { 18, 1, 3 }                                                                                     \
        }                                                                                                    \
    }
#define ODD_N                                                                                                \
    {                                                                                                        \
        {{1}}, {{1023}}, {                                                                                   \
            { 70001 }                                                                                        \
        }                                                                                                    \
    }
#define ODD_ROWS                                                                                             \
    {                                                                                                        \
        {{1, 1, 0}}, {{3, 131, 0}}, {                                                                        \
            { 7, 1031, 0 }                                                                                   \
        }                                                                                                    \
    }
#define ODD_VOCAB                                                                                            \
    {                                                                                                        \
        {{1, 9, TOPK_K}}, {{3, 131, TOPK_K}}, {                                                              \
            { 5, 5003, TOPK_K }                                                                              \
        }                                                                                                    \
    }

// A row is a kernel.
// clang-format off
const Kernel kernel_table[KERNEL_COUNT] = {
    [KERNEL_COPY] = {"copy", "c = a", "fp32", "n", KIND_BANDWIDTH, {IN(F32, NORMAL, N), OUT(F32, N)}, 1, bytes_2n, flops_0, ref_copy, ODD_N, {"gk_copy", 128, {128}}, false, WITH_ANY, "", 0},
    [KERNEL_SCALE] = {"scale", "c = s a", "fp32", "n", KIND_BANDWIDTH, {IN(F32, NORMAL, N), OUT(F32, N)}, 1, bytes_2n, flops_n, ref_scale, ODD_N, {"gk_scale", 128, {128}}, false, WITH_ANY, "", 0},
    [KERNEL_ADD] = {"add", "c = a + b", "fp32", "n", KIND_BANDWIDTH, {IN(F32, NORMAL, N), IN(F32, NORMAL, N), OUT(F32, N)}, 2, bytes_3n, flops_n, ref_add, ODD_N, {"gk_add", 128, {128}}, false, WITH_ANY, "", 0},
    [KERNEL_TRIAD] = {"triad", "c = a + s b, STREAM's", "fp32", "n", KIND_BANDWIDTH, {IN(F32, NORMAL, N), IN(F32, NORMAL, N), OUT(F32, N)}, 2, bytes_3n, flops_2n,
                      ref_triad, ODD_N, {"gk_triad", 128, {128}}, false, WITH_ANY, FMA, 0},
    [KERNEL_TRIAD_F64] = {"triad-fp64", "c = a + s b in double precision", "fp64", "n", KIND_BANDWIDTH, {IN(F64, NORMAL, N), IN(F64, NORMAL, N), OUT(F64, N)}, 2, bytes_3n_f64,
                          flops_2n, ref_triad_f64, ODD_N, {"gk_triad_f64", 128, {64}}, false, WITH_NAN | WITH_INFINITY, FMA, 0},
    [KERNEL_READ] = {"read", "sums of rows of whole numbers: reading alone", "int32", "rows x columns", KIND_BANDWIDTH, {IN(I32, BYTE, ROWS_COLS), OUT(I32, N)}, 1,
                     bytes_rows, flops_rows, ref_read, ODD_ROWS, {"gk_read", 128, {1}}, false, 0, "", 0},
    [KERNEL_LATENCY] = {"latency", "dependent loads from lines in random order", "-", "words", KIND_LATENCY, {IN(U32, CHASE, N), OUT(U32, 0)}, 1, bytes_steps, flops_0,
                        ref_latency, {{{2 * CHASE_LINE}}, {{64 * CHASE_LINE}}, {{4096 * CHASE_LINE}}}, {"gk_latency", 128, {0}}, false, 0, "", 0},
    [KERNEL_REDUCE] = {"reduce", "sums of rows", "fp32", "rows x columns", KIND_BANDWIDTH, {IN(F32, NORMAL, ROWS_COLS), OUT(F32, N)}, 1, bytes_rows, flops_rows, ref_reduce,
                       ODD_ROWS, {"gk_reduce", 128, {1}}, false, WITH_ANY, ORDER, 0},
    [KERNEL_GEMM_F32] = {"gemm-fp32", "C = A B", "fp32", "m x n x k", KIND_COMPUTE,
                         {IN(F32, NORMAL, DIM0 | DIM2), IN(F32, NORMAL, DIM2 | DIM1), OUT(F32, DIM0 | DIM1)}, 2, bytes_gemm, flops_gemm, ref_gemm,
                         {{{1, 1, 1}}, {{17, 33, 65}}, {{129, 77, 261}}}, {"gk_gemm", 256, {128, 128}}, false, WITH_ANY, ORDER, 0},
    [KERNEL_GEMM_F64] = {"gemm-fp64", "C = A B in double precision", "fp64", "m x n x k", KIND_COMPUTE,
                         {IN(F64, NORMAL, DIM0 | DIM2), IN(F64, NORMAL, DIM2 | DIM1), OUT(F64, DIM0 | DIM1)}, 2, bytes_gemm_f64, flops_gemm, ref_gemm_f64,
                         {{{1, 1, 1}}, {{17, 33, 65}}, {{129, 77, 261}}}, {"gk_dgemm", 256, {128, 64}}, false, WITH_NAN | WITH_INFINITY, ORDER, 0},
    [KERNEL_GEMV_BF16] = {"gemv-bf16", "y = W x of a decode step, 16-bit weights", "bf16", "rows x columns", KIND_BANDWIDTH,
                          {IN(BF16, NORMAL, ROWS_COLS), IN(BF16, NORMAL, DIM1), OUT(F32, N)}, 2, bytes_gemv_bf16, flops_gemv, ref_gemv_bf16, ODD_ROWS, {"gk_gemv_bf16", 128, {4}}, false, WITH_ANY, ORDER, 0},
    [KERNEL_GEMV_I8] = {"gemv-int8", "y = s (W x) of a decode step, 8-bit weights, a scale a row", "int8", "rows x columns", KIND_BANDWIDTH,
                        {IN(I8, BYTE, ROWS_COLS), IN(F32, NORMAL, DIM1), IN(F32, SCALE, N), OUT(F32, N)}, 3, bytes_gemv_i8, flops_gemv, ref_gemv_bytes, ODD_ROWS, {"gk_gemv_i8", 128, {4}}, false, WITH_ANY, ORDER, 0},
    [KERNEL_RMSNORM] = {"rmsnorm", "y = x w / rms(x)", "fp32", "rows x columns", KIND_BANDWIDTH,
                        {IN(F32, NORMAL, ROWS_COLS), IN(F32, NORMAL, DIM1), OUT(F32, ROWS_COLS)}, 2, bytes_rows_both, flops_norm, ref_rmsnorm, ODD_ROWS, {"gk_rmsnorm", 128, {1}}, false, WITH_ANY, ORDER, 256},
    [KERNEL_SOFTMAX] = {"softmax", "of rows", "fp32", "rows x columns", KIND_BANDWIDTH, {IN(F32, NORMAL, ROWS_COLS), OUT(F32, ROWS_COLS)}, 1, bytes_rows_both, flops_norm,
                        ref_softmax, ODD_ROWS, {"gk_softmax", 128, {1}}, false, WITH_ANY, EXPONENTIAL, 256},
    [KERNEL_ROTARY] = {"rotary", "rotary position embedding", "fp32", "tokens x heads x dim", KIND_BANDWIDTH,
                       {IN(F32, NORMAL, ALL), IN(F32, NORMAL, DIM0 | DIM2), OUT(F32, ALL)}, 2, bytes_rotary, flops_rotary, ref_rotary,
                       {{{1, 1, 2}}, {{3, 5, 34}}, {{7, 3, 128}}}, {"gk_rotary", 128, {1, 1}}, false, WITH_ANY, FMA, 0},
    [KERNEL_SWIGLU] = {"swiglu", "y = silu(gate) up", "fp32", "n", KIND_BANDWIDTH, {IN(F32, NORMAL, N), IN(F32, NORMAL, N), OUT(F32, N)}, 2, bytes_3n, flops_swiglu,
                       ref_swiglu, ODD_N, {"gk_swiglu", 128, {128}}, false, WITH_ANY, EXPONENTIAL, 0},
    [KERNEL_ARGMAX] = {"argmax", "greedy sampling of logits", "fp32", "rows x vocabulary", KIND_BANDWIDTH, {IN(F32, NORMAL, ROWS_COLS), OUT(U32, N)}, 1, bytes_rows,
                       flops_rows, ref_argmax, ODD_ROWS, {"gk_argmax", 128, {1}}, false, 0, "", 0},
    [KERNEL_TOPK] = {"topk", "the 8 largest logits in order", "fp32", "rows x vocabulary x k", KIND_BANDWIDTH,
                     {IN(F32, NORMAL, ROWS_COLS), OUT(U32, DIM0 | DIM2)}, 1, bytes_topk, flops_rows, ref_topk, ODD_VOCAB, {"gk_topk", 128, {1}}, false, 0, "", 0},
    [KERNEL_GEMM_TF32] = GEMM_NT("gemm-tf32", "tf32", TF32, NORMAL, F32, bytes_nt4, "gk_gemm_tf32", WITH_ANY, MATRIX),
    [KERNEL_GEMM_F16] = GEMM_NT("gemm-fp16", "fp16", F16, NORMAL, F32, bytes_nt2, "gk_gemm_f16", WITH_ANY, MATRIX),
    [KERNEL_GEMM_BF16] = GEMM_NT("gemm-bf16", "bf16", BF16, NORMAL, F32, bytes_nt2, "gk_gemm_bf16", WITH_ANY, MATRIX),
    [KERNEL_GEMM_I8] = GEMM_NT("gemm-int8", "int8", I8, BYTE, I32, bytes_nt1, "gk_gemm_i8", 0, ""),
    [KERNEL_GEMM_FP8] = GEMM_NT("gemm-fp8", "fp8", E4M3, NORMAL, F32, bytes_nt1, "gk_gemm_fp8", WITH_NAN | WITH_DENORMAL, MATRIX),
    [KERNEL_GEMM_FP8_FNUZ] = GEMM_NT("gemm-fp8-fnuz", "fp8", E4M3_FNUZ, NORMAL, F32, bytes_nt1, "gk_gemm_fp8_fnuz", WITH_NAN | WITH_DENORMAL, MATRIX),
    [KERNEL_WGMMA_F16] = GEMM_WG("gemm-fp16-wgmma", "fp16", F16, NORMAL, F32, bytes_nt2, "gk_wgmma_f16", WITH_ANY, MATRIX),
    [KERNEL_WGMMA_BF16] = GEMM_WG("gemm-bf16-wgmma", "bf16", BF16, NORMAL, F32, bytes_nt2, "gk_wgmma_bf16", WITH_ANY, MATRIX),
    [KERNEL_WGMMA_FP8] = GEMM_WG("gemm-fp8-wgmma", "fp8", E4M3, NORMAL, F32, bytes_nt1, "gk_wgmma_fp8", WITH_NAN | WITH_DENORMAL, MATRIX),
    [KERNEL_GEMM_MXFP4] = {"gemm-mxfp4", "C = A B^T in 4-bit floats, a power of two for 32 of them along k: OCP MXFP4", "mxfp4", "m x n x blocks of 32", KIND_COMPUTE,
                           {IN_TIMES(U8, BITS, DIM0 | DIM2, MX_BLOCK / 2), IN_TIMES(U8, BITS, DIM1 | DIM2, MX_BLOCK / 2), IN(E8M0, EXPONENT, DIM0 | DIM2),
                            IN(E8M0, EXPONENT, DIM1 | DIM2), OUT(F32, DIM0 | DIM1)}, 4, bytes_gemm_mxfp4, flops_gemm_mxfp4, ref_gemm_mxfp4,
                           {{{1, 1, 1}}, {{17, 33, 3}}, {{130, 77, 12}}}, {"gk_gemm_mxfp4", 256, {128, 128}}, MATRIX_ANY, WITH_NAN | WITH_DENORMAL, MATRIX, 0},
    [KERNEL_GEMV_I4] = {"gemv-int4", "y = W x of a decode step, 4-bit weights, a scale for 128 of them", "int4", "rows x groups of 128", KIND_BANDWIDTH,
                        {IN_TIMES(U8, BITS, ROWS_COLS, I4_GROUP / 2), IN_TIMES(F32, NORMAL, DIM1, I4_GROUP), IN(F32, SCALE, ROWS_COLS), OUT(F32, N)}, 3,
                        bytes_gemv_i4, flops_gemv_i4, ref_gemv_i4, {{{1, 1, 0}}, {{3, 3, 0}}, {{19, 9, 0}}}, {"gk_gemv_i4", 128, {16}}, false, WITH_ANY, ORDER, 0},
    [KERNEL_GEMV_FP8] = {"gemv-fp8", "y = s (W x) of a decode step, 8-bit floats, a scale a row", "fp8", "rows x columns", KIND_BANDWIDTH,
                         {IN(E4M3, NORMAL, ROWS_COLS), IN(F32, NORMAL, DIM1), IN(F32, SCALE, N), OUT(F32, N)}, 3, bytes_gemv_i8, flops_gemv, ref_gemv_bytes,
                         ODD_ROWS, {"gk_gemv_fp8", 128, {4}}, false, WITH_NAN | WITH_DENORMAL, ORDER, 0},
    [KERNEL_GEMV_MXFP4] = {"gemv-mxfp4", "y = W x of a decode step, 4-bit floats, a power of two for 32 of them: OCP MXFP4, as gpt-oss", "mxfp4", "rows x blocks of 32",
                           KIND_BANDWIDTH, {IN_TIMES(U8, BITS, ROWS_COLS, MX_BLOCK / 2), IN_TIMES(BF16, NORMAL, DIM1, MX_BLOCK), IN(E8M0, EXPONENT, ROWS_COLS), OUT(F32, N)}, 3,
                           bytes_gemv_mxfp4, flops_gemv_mxfp4, ref_gemv_mxfp4, {{{1, 1, 0}}, {{3, 3, 0}}, {{19, 77, 0}}}, {"gk_gemv_mxfp4", 128, {16}}, false, WITH_ANY, ORDER, 0},
    [KERNEL_PREFILL] = {"attention-prefill", "causal attention of a prompt, 4 heads a cache head, 128 wide", "bf16", "tokens x heads", KIND_COMPUTE,
                        {IN_TIMES(BF16, NORMAL, ROWS_COLS, HEAD_DIM), IN_SHARED(BF16, NORMAL, ROWS_COLS, HEAD_DIM, PREFILL_HEADS),
                         IN_SHARED(BF16, NORMAL, ROWS_COLS, HEAD_DIM, PREFILL_HEADS), OUT_TIMES(F32, ROWS_COLS, HEAD_DIM)}, 3, bytes_prefill, flops_prefill,
                        ref_prefill, {{{1, 4, 0}}, {{37, 4, 0}}, {{131, 8, 0}}}, {"gk_prefill", 128, {64, 1}}, true, WITH_NAN | WITH_DENORMAL, ATTENTION, 64},
    [KERNEL_DECODE_GQA] = {"attention-gqa", "decode step over a paged cache, 8 heads a cache head, 128 wide", "bf16", "sequences x cache heads x pages of 16",
                           KIND_BANDWIDTH,
                           {IN_TIMES(BF16, NORMAL, ROWS_COLS, GQA_HEADS * HEAD_DIM), IN_TIMES(BF16, NORMAL, ALL, PAGE_TOKENS * HEAD_DIM),
                            IN_TIMES(BF16, NORMAL, ALL, PAGE_TOKENS * HEAD_DIM), IN(U32, PERMUTATION, DIM0 | DIM2), IN(U32, LENGTH, N),
                            OUT_TIMES(F32, ROWS_COLS, GQA_HEADS * HEAD_DIM)}, 5, bytes_gqa, flops_gqa, ref_decode_gqa, ODD_PAGES,
                           {"gk_decode_gqa", 128, {1, 1}}, MATRIX_ANY, WITH_NAN | WITH_DENORMAL, ATTENTION, 64},
    [KERNEL_DECODE_MLA] = {"attention-mla", "decode step over a paged latent of 512 + 64 that all heads share", "bf16",
                           "sequences x groups of 16 heads x pages of 16", KIND_BANDWIDTH,
                           {IN_TIMES(BF16, NORMAL, ROWS_COLS, MLA_HEADS * MLA_DIM), IN_TIMES(BF16, NORMAL, DIM0 | DIM2, PAGE_TOKENS * MLA_DIM),
                            IN(U32, PERMUTATION, DIM0 | DIM2), IN(U32, LENGTH, N), OUT_TIMES(F32, ROWS_COLS, MLA_HEADS * MLA_OUT)}, 4, bytes_mla, flops_mla,
                           ref_decode_mla, ODD_PAGES, {"gk_decode_mla", 256, {1, 1}}, MATRIX_ANY, WITH_NAN | WITH_DENORMAL, ATTENTION, 32},
    [KERNEL_MOE_GATHER] = {"moe-gather", "y = weighted sum of 8 experts' rows, from where they lie", "bf16", "tokens x columns", KIND_BANDWIDTH,
                           {IN_TIMES(BF16, NORMAL, ROWS_COLS, MOE_PICKS), IN_TIMES(U32, PERMUTATION, N, MOE_PICKS), IN_TIMES(F32, NORMAL, N, MOE_PICKS),
                            OUT(F32, ROWS_COLS)}, 3, bytes_moe, flops_moe, ref_moe_gather, ODD_ROWS, {"gk_moe_gather", 128, {1}}, false, WITH_ANY, FMA, 0},
    [KERNEL_ATOMICS] = {"atomics", "counts of bytes in rows: an atomic addition in memory each", "uint32", "rows x columns", KIND_RATE,
                        {IN(U8, BITS, ROWS_COLS), OUT_TIMES(U32, N, COUNTS)}, 1, bytes_atomics, flops_rows, ref_atomics, ODD_ROWS,
                        {"gk_atomics", 128, {1}}, false, 0, "", 0},
    [KERNEL_LAUNCH] = {"launch", "starting all threads to move one word", "-", "words", KIND_TIME, {IN(F32, NORMAL, N), OUT(F32, N)}, 1, bytes_2n, flops_0,
                       ref_copy, {{{1}}, {{1}}, {{1}}}, {"gk_launch", 128, {128}}, false, WITH_ANY, "", 0},
};
// clang-format on

const Kernel *kernel_find(const char *name) {
    return row_named(name, kernel_table, KERNEL_COUNT, sizeof *kernel_table);
}

size_t kernel_filling_side(const Kernel *k, size_t side, size_t most, size_t units) {
    enum { STEP = 256 };
    for (; side < most; side += STEP) {
        Shape s = kernel_shape((KernelId)(k - kernel_table), 0, side);
        if (kernel_blocks(k, &s) >= units) break;
    }
    return side;
}

const char *kernel_unit(const Kernel *k) {
    static const char *const units[] = {[KIND_BANDWIDTH] = "GB/s",
                                        [KIND_LATENCY] = "ns",
                                        [KIND_COMPUTE] = "GFLOP/s",
                                        [KIND_RATE] = "Gop/s",
                                        [KIND_TIME] = "us"};
    return k->kind == KIND_COMPUTE && k->buffers[k->output].elem == ELEM_I32 ? "Gop/s" : units[k->kind];
}

const Launch launch_differ = {"gk_differ", 128, {0}};
const Launch launch_pattern_fill = {"gk_pattern_fill", 128, {0}},
             launch_pattern_check = {"gk_pattern_check", 128, {0}};
