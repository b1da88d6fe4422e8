// Which table of kernels is nearest.
#include "src/perf/kernel_find.h"

#include <math.h>
#include <string.h>

#include "src/perf/replica.h"

const char *const kernel_reach_names[] = {"this GPU", "another board of the chip", "the architecture",
                                          "the vendor", "none"};

Dtype kernel_arithmetic(KernelType type) {
    switch (type) {
    case KERNEL_FP8:
    case KERNEL_FP8_BLOCK:
    case KERNEL_FP4_FP8: return DTYPE_FP8;
    case KERNEL_FP4: return DTYPE_FP4;
    case KERNEL_UNKNOWN:
    case KERNEL_BF16:
    case KERNEL_FP4_BF16:
    case KERNEL_INT4:
    case KERNEL_TYPE_COUNT: break;
    }
    return DTYPE_BF16;
}

double kernel_weight_bytes(KernelType type) {
    static const double bytes[KERNEL_TYPE_COUNT] = {
        [KERNEL_BF16] = 2,     [KERNEL_FP8] = 1,           [KERNEL_FP8_BLOCK] = 1,
        [KERNEL_FP4] = 0.5625, [KERNEL_FP4_FP8] = 0.53125, [KERNEL_FP4_BF16] = 0.53125,
        [KERNEL_INT4] = 0.5625};
    return bytes[type];
}

const char *kernel_library(const Serving *s) { return s->gpu->vendor == VENDOR_AMD ? "aiter" : s->engine; }

void kernels_complete(const Facts *facts, KernelFit *fits, size_t n_fits, MoeTimes *times, size_t n_times) {
    for (size_t i = 0; i < n_fits; i++) fits[i].board = facts_gpu(facts, fits[i].gpu);
    for (size_t i = 0; i < n_times; i++) {
        MoeTimes *t = &times[i];
        t->board = facts_gpu(facts, t->gpu);
        t->ln_hidden = log(t->hidden), t->ln_width = log(t->inter / t->tp);
        t->ln_local = log(t->experts / t->ep), t->ln_topk = log(t->topk);
    }
    for (size_t i = n_times; i-- > 0;) {
        MoeTimes *t = &times[i];
        bool like_next = i + 1 < n_times && t->dtype == t[1].dtype && strcmp(t->gpu, t[1].gpu) == 0 &&
                         strcmp(t->library, t[1].library) == 0;
        t->alike = like_next ? t[1].alike + 1 : 1;
    }
}

KernelReach kernel_reach(const Gpu *g, const Gpu *other) {
    if (other == g) return KERNEL_OWN;
    if (other == NULL || other->vendor != g->vendor) return KERNEL_NONE;
    if (strcmp(g->architecture, other->architecture) != 0) return KERNEL_VENDOR;
    if (strcmp(g->sku_id, other->sku_id) == 0) return KERNEL_OWN;
    if (g->chip[0] != '\0' && strcmp(other->chip, g->chip) == 0) return KERNEL_CHIP;
    return KERNEL_ARCHITECTURE;
}

// How far a table is from what is asked for, in steps of KernelReach; library and type count besides.
const double KERNEL_LIBRARY_STEP = 0.5, KERNEL_TYPE_STEP = 1.4;
static const double RANKS_STEP = 0.3;

bool kernel_types_alike(KernelType a, KernelType b) {
    static const bool eight[KERNEL_TYPE_COUNT] = {[KERNEL_FP8] = true, [KERNEL_FP8_BLOCK] = true};
    static const bool four[KERNEL_TYPE_COUNT] = {
        [KERNEL_FP4] = true, [KERNEL_FP4_FP8] = true, [KERNEL_FP4_BF16] = true};
    return (eight[a] && eight[b]) || (four[a] && four[b]);
}

typedef struct Sought {
    KernelOp op;
    KernelType dtype, kv;
    double ranks;
} Sought;

// Distance of one table; INFINITY: of no use.
static double distance_of(const Serving *s, const KernelFit *k, const Sought *w) {
    if (k->op != w->op) return (double)INFINITY;
    if (w->kv != KERNEL_UNKNOWN && k->kv != w->kv) return (double)INFINITY;
    bool same_type = w->dtype == KERNEL_UNKNOWN || k->dtype == w->dtype;
    if (!same_type && !kernel_types_alike(k->dtype, w->dtype)) return (double)INFINITY;
    KernelReach reach = kernel_reach(s->gpu, k->board);
    // products of another architecture say nothing of a GPU's matrix units
    if (reach >= (w->op == KERNEL_GEMM ? KERNEL_VENDOR : KERNEL_NONE)) return (double)INFINITY;
    bool own = strcmp(k->library, kernel_library(s)) == 0;
    return (double)reach + (own ? 0 : KERNEL_LIBRARY_STEP) + (same_type ? 0 : KERNEL_TYPE_STEP) +
           (is_known(k->ranks) ? RANKS_STEP * fabs(log2(k->ranks / w->ranks)) : 0);
}

static const KernelFit *nearest_kernel(const Facts *f, const Serving *s, const Sought *want) {
    const KernelFit *best = NULL;
    double least = (double)INFINITY;
    for (size_t i = 0; i < f->n_kernels; i++) {
        double d = distance_of(s, &f->kernels[i], want);
        if (d >= least) continue;
        least = d, best = &f->kernels[i];
    }
    return best;
}

// Where a look-up is kept: all-reduces are by the number of ranks, attention by the cache; a model has products
// of one type beside those in 16 bits.
static int slot_of(const Sought *w) {
    bool prompt = w->op == KERNEL_ATTN_PREFILL || w->op == KERNEL_MLA_PREFILL;
    switch (w->op) {
    case KERNEL_GEMM: return w->dtype == KERNEL_BF16;
    case KERNEL_ALLREDUCE: return 8 + (int)w->ranks % 8;
    case KERNEL_ATTN_DECODE:
    case KERNEL_ATTN_PREFILL:
    case KERNEL_MLA_DECODE:
    case KERNEL_MLA_PREFILL:
    case KERNEL_LINEAR_DECODE:
    case KERNEL_LINEAR_PREFILL:
    case KERNEL_INDEX_DECODE:
    case KERNEL_INDEX_PREFILL:
    case KERNEL_OP_COUNT: break;
    }
    return 2 + (prompt ? 2 : 0) + (w->kv == KERNEL_FP8);
}

const KernelFit *kernel_nearest(const Facts *f, KernelMemo *memo, const Serving *s, KernelOp op,
                                KernelType dtype, KernelType kv, double together) {
    Sought want = {op, dtype, kv, fmin(together, NODE_GPUS)};
    if (memo == NULL) return nearest_kernel(f, s, &want);
    int slot = slot_of(&want);
    if (!memo->looked[slot]) memo->fits[slot] = nearest_kernel(f, s, &want);
    memo->looked[slot] = true;
    return memo->fits[slot];
}
