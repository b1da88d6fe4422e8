// Sizes of the problems that kernels are timed on: by memory and by the side of a product, as text and back.
#include <stdio.h>
#include <string.h>

#include "kernels/reference.h"

size_t buffer_count(const BufferSpec *b, const Shape *s) {
    if (b->count == 0) return 1;
    size_t n = 1;
    for (size_t i = 0; i < COUNT_OF(s->d); i++) n *= (b->count >> i & 1) != 0 ? s->d[i] : 1;
    return n * b->times / (b->over > 0 ? b->over : 1);
}

enum { READ_COLUMNS = 65536, HIDDEN = 4096, GEMV_K = 8192, VOCABULARY = 128256 };

// Kernels that work on rows of a fixed length: as many rows as fill the memory.
static const struct {
    size_t columns, row_bytes;  // bytes of a row in all buffers together
} by_rows[KERNEL_COUNT] = {
    [KERNEL_READ] = {READ_COLUMNS, READ_COLUMNS * 4},
    [KERNEL_REDUCE] = {HIDDEN, HIDDEN * 4},
    [KERNEL_GEMV_BF16] = {GEMV_K, GEMV_K * 2},
    [KERNEL_GEMV_I8] = {GEMV_K, GEMV_K},
    [KERNEL_RMSNORM] = {HIDDEN, HIDDEN * 8},
    [KERNEL_SOFTMAX] = {HIDDEN, HIDDEN * 8},
    [KERNEL_ARGMAX] = {VOCABULARY, VOCABULARY * 4},
    [KERNEL_TOPK] = {VOCABULARY, VOCABULARY * 4},
    [KERNEL_GEMV_I4] = {GEMV_K / I4_GROUP, GEMV_K / 2 + GEMV_K / I4_GROUP * 4},
    [KERNEL_GEMV_MXFP4] = {GEMV_K / MX_BLOCK, GEMV_K / 2 + GEMV_K / MX_BLOCK},
    [KERNEL_GEMV_FP8] = {GEMV_K, GEMV_K},
    [KERNEL_MOE_GATHER] = {HIDDEN, HIDDEN *(2 * MOE_PICKS + 4)},
    [KERNEL_ATOMICS] = {READ_COLUMNS, READ_COLUMNS},
};

static size_t at_least_one(size_t n) { return n > 0 ? n : 1; }

// Sequences of a cache of `heads` x 64 pages, shorter ones where those would be too few for a GPU's multiprocessors;
// where not even one fits, one of a single head as long as it may be.
static Shape cache_shape(size_t bytes, size_t heads, size_t page_bytes) {
    enum { PAGES = 64, PAGES_LEAST = 8, WORK = 320 };  // 304 compute units have an MI300X and an MI325X
    size_t pages = PAGES;
    while (pages > PAGES_LEAST && bytes / (pages * page_bytes) < WORK) pages /= 2;
    size_t sequences = bytes / (heads * pages * page_bytes);
    return sequences > 0 ? (Shape){{sequences, heads, pages}} : (Shape){{1, 1, 1 + bytes / page_bytes}};
}

Shape kernel_shape(KernelId id, size_t bytes, size_t gemm_n) {
    enum { HEADS = 32, CACHE_HEADS = 8, MLA_GROUPS = 1 };
    size_t least = 1;
    if (by_rows[id].columns > 0)
        return (Shape){{at_least_one(bytes / by_rows[id].row_bytes), by_rows[id].columns,
                        id == KERNEL_TOPK ? TOPK_K : 0}};
    switch (id) {
    case KERNEL_COPY:
    case KERNEL_SCALE: return (Shape){{bytes / 8}};
    case KERNEL_ADD:
    case KERNEL_TRIAD:
    case KERNEL_SWIGLU: return (Shape){{bytes / 12}};
    case KERNEL_TRIAD_F64: return (Shape){{bytes / 24}};
    case KERNEL_LATENCY:
        while (least * 8 <= bytes) least *= 2;  // words: the largest power of two that fits
        return (Shape){{least}};
    case KERNEL_GEMM_MXFP4: return (Shape){{gemm_n, gemm_n, at_least_one(gemm_n / MX_BLOCK)}};
    case KERNEL_PREFILL: return (Shape){{at_least_one(gemm_n / 2), HEADS, 0}};
    case KERNEL_DECODE_GQA: return cache_shape(bytes, CACHE_HEADS, PAGE_TOKENS * HEAD_DIM * 4);
    case KERNEL_DECODE_MLA: return cache_shape(bytes, MLA_GROUPS, PAGE_TOKENS * MLA_DIM * 2);
    case KERNEL_LAUNCH: return (Shape){{1}};
    case KERNEL_ROTARY: return (Shape){{at_least_one(bytes / (2 * HEADS * HEAD_DIM * 4)), HEADS, HEAD_DIM}};
    default: return (Shape){{gemm_n, gemm_n, gemm_n}};  // a product
    }
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

unsigned kernel_shared(const Kernel *k) {
    enum { STAGES = 4, STAGE = (128 + 256) * 128 };  // kernels/device/wgmma.h
    return k->matrix_unit == MATRIX_WGMMA ? STAGES * STAGE : 0;
}

void shape_text(const Kernel *k, const Shape *s, char out[64]) {
    size_t dims = kernel_dims(k);
    int used = snprintf(out, 64, "%zu", s->d[0]);
    for (size_t i = 1; i < dims; i++) used += snprintf(out + used, 64 - (size_t)used, "x%zu", s->d[i]);
}

bool shape_read(const Kernel *k, const char *text, Shape *ret_shape) {
    Str rest = str_of(text), part;
    Shape s = {{0}};
    size_t n = 0, dims = kernel_dims(k);
    int64_t size = 0;
    while (str_next(&rest, 'x', &part)) {
        if (n == dims || !parse_integer(part, 1, INT64_C(1) << 53, &size, NULL)) return false;
        s.d[n++] = (size_t)size;
    }
    if (n != dims) return false;
    *ret_shape = s;
    return true;
}
