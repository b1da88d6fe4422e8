// The table of kernels.
#include <stdio.h>
#include <string.h>

#include "kernels/reference.h"

// ---------------------------------------------------------------- bytes and operations

static double count(size_t a, size_t b, size_t c) { return (double)a * (double)b * (double)c; }

static double bytes_2n(const Shape *s) { return 8 * (double)s->d[0]; }
static double bytes_3n(const Shape *s) { return 12 * (double)s->d[0]; }
static double bytes_rows(const Shape *s) { return 4 * count(s->d[0], s->d[1], 1) + 4 * (double)s->d[0]; }
static double bytes_rows_both(const Shape *s) { return 8 * count(s->d[0], s->d[1], 1); }
static double bytes_gemm(const Shape *s) { return 4 * (count(s->d[0], s->d[2], 1) + count(s->d[2], s->d[1], 1) + count(s->d[0], s->d[1], 1)); }
static double bytes_gemv_bf16(const Shape *s) { return 2 * count(s->d[0], s->d[1], 1) + 2 * (double)s->d[1] + 4 * (double)s->d[0]; }
static double bytes_gemv_i8(const Shape *s) { return count(s->d[0], s->d[1], 1) + 4 * (double)s->d[1] + 8 * (double)s->d[0]; }
static double bytes_rotary(const Shape *s) { return 8 * count(s->d[0], s->d[1], s->d[2]) + 4 * count(s->d[0], 1, s->d[2]); }
static double bytes_topk(const Shape *s) { return 4 * count(s->d[0], s->d[1], 1) + 4 * count(s->d[0], 1, s->d[2]); }
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

#define N DIM0
#define ROWS_COLS (DIM0 | DIM1)
#define IN(elem, gen, count) {ELEM_##elem, GEN_##gen, count}
#define OUT(elem, count) {ELEM_##elem, GEN_NONE, count}
#define ODD_N {{{1}}, {{1023}}, {{70001}}}
#define ODD_ROWS {{{1, 1, 0}}, {{3, 131, 0}}, {{7, 1031, 0}}}
#define ODD_VOCAB {{{1, 9, TOPK_K}}, {{3, 131, TOPK_K}}, {{5, 5003, TOPK_K}}}

const Kernel kernel_table[KERNEL_COUNT] = {
    [KERNEL_COPY] = {"copy", "c = a", "fp32", "n", KIND_BANDWIDTH, {IN(F32, NORMAL, N), OUT(F32, N)}, 1, bytes_2n, flops_0, ref_copy, ODD_N, {"gk_copy", 128, {128}}},
    [KERNEL_SCALE] = {"scale", "c = s a", "fp32", "n", KIND_BANDWIDTH, {IN(F32, NORMAL, N), OUT(F32, N)}, 1, bytes_2n, flops_n, ref_scale, ODD_N, {"gk_scale", 128, {128}}},
    [KERNEL_ADD] = {"add", "c = a + b", "fp32", "n", KIND_BANDWIDTH, {IN(F32, NORMAL, N), IN(F32, NORMAL, N), OUT(F32, N)}, 2, bytes_3n, flops_n, ref_add, ODD_N, {"gk_add", 128, {128}}},
    [KERNEL_TRIAD] = {"triad", "c = a + s b, STREAM's", "fp32", "n", KIND_BANDWIDTH, {IN(F32, NORMAL, N), IN(F32, NORMAL, N), OUT(F32, N)}, 2, bytes_3n, flops_2n,
                      ref_triad, ODD_N, {"gk_triad", 128, {128}}},
    [KERNEL_READ] = {"read", "sums of rows of whole numbers: reading alone", "int32", "rows x columns", KIND_BANDWIDTH, {IN(I32, BYTE, ROWS_COLS), OUT(I32, N)}, 1,
                     bytes_rows, flops_rows, ref_read, ODD_ROWS, {"gk_read", 128, {1}}},
    [KERNEL_LATENCY] = {"latency", "dependent loads from lines in random order", "-", "words", KIND_LATENCY, {IN(U32, CHASE, N), OUT(U32, 0)}, 1, bytes_steps, flops_0,
                        ref_latency, {{{2 * CHASE_LINE}}, {{64 * CHASE_LINE}}, {{4096 * CHASE_LINE}}}, {"gk_latency", 128, {0}}},
    [KERNEL_REDUCE] = {"reduce", "sums of rows", "fp32", "rows x columns", KIND_BANDWIDTH, {IN(F32, NORMAL, ROWS_COLS), OUT(F32, N)}, 1, bytes_rows, flops_rows, ref_reduce,
                       ODD_ROWS, {"gk_reduce", 128, {1}}},
    [KERNEL_GEMM_F32] = {"gemm-fp32", "C = A B", "fp32", "m x n x k", KIND_COMPUTE,
                         {IN(F32, NORMAL, DIM0 | DIM2), IN(F32, NORMAL, DIM2 | DIM1), OUT(F32, DIM0 | DIM1)}, 2, bytes_gemm, flops_gemm, ref_gemm,
                         {{{1, 1, 1}}, {{17, 33, 65}}, {{129, 77, 261}}}, {"gk_gemm", 128, {16, 16}}},
    [KERNEL_GEMV_BF16] = {"gemv-bf16", "y = W x of a decode step, 16-bit weights", "bf16", "rows x columns", KIND_BANDWIDTH,
                          {IN(BF16, NORMAL, ROWS_COLS), IN(BF16, NORMAL, DIM1), OUT(F32, N)}, 2, bytes_gemv_bf16, flops_gemv, ref_gemv_bf16, ODD_ROWS, {"gk_gemv_bf16", 128, {4}}},
    [KERNEL_GEMV_I8] = {"gemv-int8", "y = s (W x) of a decode step, 8-bit weights, a scale a row", "int8", "rows x columns", KIND_BANDWIDTH,
                        {IN(I8, BYTE, ROWS_COLS), IN(F32, NORMAL, DIM1), IN(F32, SCALE, N), OUT(F32, N)}, 3, bytes_gemv_i8, flops_gemv, ref_gemv_i8, ODD_ROWS, {"gk_gemv_i8", 128, {4}}},
    [KERNEL_RMSNORM] = {"rmsnorm", "y = x w / rms(x)", "fp32", "rows x columns", KIND_BANDWIDTH,
                        {IN(F32, NORMAL, ROWS_COLS), IN(F32, NORMAL, DIM1), OUT(F32, ROWS_COLS)}, 2, bytes_rows_both, flops_norm, ref_rmsnorm, ODD_ROWS, {"gk_rmsnorm", 128, {1}}},
    [KERNEL_SOFTMAX] = {"softmax", "of rows", "fp32", "rows x columns", KIND_BANDWIDTH, {IN(F32, NORMAL, ROWS_COLS), OUT(F32, ROWS_COLS)}, 1, bytes_rows_both, flops_norm,
                        ref_softmax, ODD_ROWS, {"gk_softmax", 128, {1}}},
    [KERNEL_ROTARY] = {"rotary", "rotary position embedding", "fp32", "tokens x heads x dim", KIND_BANDWIDTH,
                       {IN(F32, NORMAL, DIM0 | DIM1 | DIM2), IN(F32, NORMAL, DIM0 | DIM2), OUT(F32, DIM0 | DIM1 | DIM2)}, 2, bytes_rotary, flops_rotary, ref_rotary,
                       {{{1, 1, 2}}, {{3, 5, 34}}, {{7, 3, 128}}}, {"gk_rotary", 128, {1, 1}}},
    [KERNEL_SWIGLU] = {"swiglu", "y = silu(gate) up", "fp32", "n", KIND_BANDWIDTH, {IN(F32, NORMAL, N), IN(F32, NORMAL, N), OUT(F32, N)}, 2, bytes_3n, flops_swiglu,
                       ref_swiglu, ODD_N, {"gk_swiglu", 128, {128}}},
    [KERNEL_ARGMAX] = {"argmax", "greedy sampling of logits", "fp32", "rows x vocabulary", KIND_BANDWIDTH, {IN(F32, NORMAL, ROWS_COLS), OUT(U32, N)}, 1, bytes_rows,
                       flops_rows, ref_argmax, ODD_ROWS, {"gk_argmax", 128, {1}}},
    [KERNEL_TOPK] = {"topk", "the 8 largest logits in order", "fp32", "rows x vocabulary x k", KIND_BANDWIDTH,
                     {IN(F32, NORMAL, ROWS_COLS), OUT(U32, DIM0 | DIM2)}, 1, bytes_topk, flops_rows, ref_topk, ODD_VOCAB, {"gk_topk", 128, {1}}},
};

const Kernel *kernel_find(const char *name) {
    for (size_t i = 0; i < KERNEL_COUNT; i++) {
        if (strcmp(kernel_table[i].name, name) == 0) return &kernel_table[i];
    }
    return NULL;
}

const char *kernel_unit(const Kernel *k) {
    return k->kind == KIND_LATENCY ? "ns" : k->kind == KIND_COMPUTE ? "GFLOP/s" : "GB/s";
}

size_t buffer_count(const BufferSpec *b, const Shape *s) {
    if (b->count == 0) return 1;
    size_t n = 1;
    for (size_t i = 0; i < COUNT_OF(s->d); i++) n *= (b->count >> i & 1) != 0 ? s->d[i] : 1;
    return n;
}

Shape kernel_shape(KernelId id, size_t bytes, size_t gemm_n) {
    enum { READ_COLUMNS = 65536, HIDDEN = 4096, GEMV_K = 8192, VOCABULARY = 128256, HEADS = 32, HEAD_DIM = 128 };
    size_t least = 1, rows = 0, columns = 0;
    switch (id) {
    case KERNEL_COPY:
    case KERNEL_SCALE: return (Shape){{bytes / 8}};
    case KERNEL_ADD:
    case KERNEL_TRIAD:
    case KERNEL_SWIGLU: return (Shape){{bytes / 12}};
    case KERNEL_LATENCY:
        while (least * 8 <= bytes) least *= 2;  // words: the largest power of two that fits
        return (Shape){{least}};
    case KERNEL_GEMM_F32: return (Shape){{gemm_n, gemm_n, gemm_n}};
    case KERNEL_ROTARY:
        rows = bytes / (2 * HEADS * HEAD_DIM * 4);
        return (Shape){{rows > 0 ? rows : 1, HEADS, HEAD_DIM}};
    case KERNEL_READ: columns = READ_COLUMNS, rows = bytes / (READ_COLUMNS * 4); break;
    case KERNEL_REDUCE: columns = HIDDEN, rows = bytes / (HIDDEN * 4); break;
    case KERNEL_GEMV_BF16: columns = GEMV_K, rows = bytes / (GEMV_K * 2); break;
    case KERNEL_GEMV_I8: columns = GEMV_K, rows = bytes / GEMV_K; break;
    case KERNEL_RMSNORM:
    case KERNEL_SOFTMAX: columns = HIDDEN, rows = bytes / (HIDDEN * 8); break;
    case KERNEL_ARGMAX:
    case KERNEL_TOPK: columns = VOCABULARY, rows = bytes / (VOCABULARY * 4); break;
    case KERNEL_COUNT: break;
    }
    return (Shape){{rows > 0 ? rows : 1, columns, id == KERNEL_TOPK ? TOPK_K : 0}};
}

size_t kernel_dims(const Kernel *k) {
    size_t dims = 1;
    for (const char *c = k->dims; *c != '\0'; c++) dims += *c == ' ' && c[1] == 'x' && c[2] == ' ';
    return dims;
}

size_t kernel_blocks(const Kernel *k, const Shape *s) {
    size_t blocks = 1;
    for (size_t i = 0; i < COUNT_OF(s->d); i++) {
        size_t per = k->launch.per_block[i];
        if (per > 0 && s->d[i] > 0) blocks *= (s->d[i] + per - 1) / per;
    }
    return blocks;
}

void shape_text(const Kernel *k, const Shape *s, char out[64]) {
    size_t dims = kernel_dims(k);
    int used = snprintf(out, 64, "%zu", s->d[0]);
    for (size_t i = 1; i < dims; i++) used += snprintf(out + used, 64 - (size_t)used, "x%zu", s->d[i]);
}
