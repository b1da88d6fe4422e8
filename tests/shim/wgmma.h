// Hopper's asynchronous copies and warpgroup products in the shim, from NVIDIA's PTX ISA ("Asynchronous
// warpgroup level matrix instructions": matrix descriptors, swizzling modes, fragments of D). Written apart
// from kernels/device/wgmma.h, which it checks.
//
// What may happen at any time happens as early as it can in one order of threads and as late as it can in the
// others: copies when they are asked for or once waited for and fenced, products when all have asked for them
// or once somebody waits.
#ifndef GPUADVISE_TESTS_SHIM_WGMMA_H
#define GPUADVISE_TESTS_SHIM_WGMMA_H

#include "kernels/kernels.h"

enum {
    SHIM_GROUP = 128,
    SHIM_GROUP_SUMS = 128,
    SHIM_GROUPS = SHIM_THREADS_MAX / SHIM_GROUP,
    SHIM_COPIES = 96,
    SHIM_PRODUCTS = 512,
    SHIM_FIRST_ADDRESS = 3072
};

// Sixteen bytes on their way; `group` of the thread's commits.
typedef struct ShimCopy {
    void *to;
    uint32_t words[4];
    unsigned group;
} ShimCopy;

typedef struct ShimThread {
    ShimCopy copies[SHIM_COPIES];
    unsigned n_copies, group, arrived;               // groups below `arrived` were waited for
    unsigned committed[SHIM_PRODUCTS], n_committed;  // products asked for at each commit
    bool fenced;
    size_t a, b;
    float *sums;
    int type;
} ShimThread;

typedef struct ShimProduct {
    int type;
    size_t a, b;
    float *sums[SHIM_GROUP];
} ShimProduct;

typedef struct ShimWarpgroup {
    ShimProduct products[SHIM_PRODUCTS];
    unsigned asked, done;
} ShimWarpgroup;

static ShimThread shim_threads[SHIM_THREADS_MAX];
static ShimWarpgroup shim_groups[SHIM_GROUPS];
static struct {
    char *bytes;
    size_t size;
} shim_stages;

static ShimThread *shim_this(void) { return &shim_threads[shim.current]; }
static ShimWarpgroup *shim_group(void) { return &shim_groups[shim.current / SHIM_GROUP]; }

static void shim_forget_products(void) {
    for (unsigned t = 0; t < SHIM_THREADS_MAX; t++) {
        ShimThread *s = &shim_threads[t];
        s->n_copies = s->group = s->arrived = s->n_committed = 0, s->fenced = false;
    }
    for (unsigned g = 0; g < SHIM_GROUPS; g++) shim_groups[g].asked = shim_groups[g].done = 0;
}

// ---------------------------------------------------------------- copies

// Shared memory of a size given at the launch; its address as the hardware's products see it.
static void *shim_dynamic(size_t bytes) {
    static const char place;
    shim_stages.bytes = shim_array(&place, bytes), shim_stages.size = bytes;
    return shim_stages.bytes;
}
static uint32_t shim_address(const void *p) {
    return (uint32_t)((const char *)p - shim_stages.bytes) + SHIM_FIRST_ADDRESS;
}

static void shim_send(void *to, const uint32_t *words, unsigned group) {
    ShimThread *s = shim_this();
    if (shim.order == SHIM_FORWARD) {
        memcpy(to, words, 16);
    } else if (s->n_copies == SHIM_COPIES) {
        shim.fault = "copies that nobody waits for";
    } else {
        ShimCopy *c = &s->copies[s->n_copies++];
        c->to = to, c->group = group;
        memcpy(c->words, words, 16);
    }
}

static void shim_copy_async(void *to, const void *from, int some) {
    uint32_t words[4] = {0};
    if (some != 0) memcpy(words, from, sizeof words);
    shim_send(to, words, shim_this()->group + 1);
}
// An ordinary store: it needs the fence alone.
static void shim_copy_put(void *to, const void *from) { shim_send(to, from, 0); }
static void shim_copy_commit(void) { shim_this()->group++; }
static void shim_copy_wait(unsigned left) {
    ShimThread *s = shim_this();
    s->arrived = s->group > left ? s->group - left : 0;
}

static void shim_proxy_fence(void) {
    ShimThread *s = shim_this();
    unsigned kept = 0;
    for (unsigned i = 0; i < s->n_copies; i++) {
        if (s->copies[i].group > s->arrived)
            s->copies[kept++] = s->copies[i];
        else
            memcpy(s->copies[i].to, s->copies[i].words, 16);
    }
    s->n_copies = kept;
}

// ---------------------------------------------------------------- products

// Byte `byte` of row `row` of the operand that a descriptor names.
static const void *shim_described(size_t descriptor, unsigned row, unsigned byte) {
    static const unsigned pitches[] = {16, 128, 64, 32}, masks[] = {0, 7, 3, 1};
    size_t start = (descriptor & 0x3FFF) << 4, leading = (descriptor >> 16 & 0x3FFF) << 4,
           stride = (descriptor >> 32 & 0x3FFF) << 4;
    unsigned mode = (unsigned)(descriptor >> 62);
    size_t at = start + row / 8 * stride + row % 8 * pitches[mode] +
                (mode == 0 ? byte / 16 * leading + byte % 16 : byte);
    at ^= (at >> 7 & masks[mode]) << 4;
    if ((descriptor >> 49 & 7) != 0 || at < SHIM_FIRST_ADDRESS ||
        at - SHIM_FIRST_ADDRESS >= shim_stages.size) {
        shim.fault = "a matrix descriptor outside the block's memory";
        return shim_stages.bytes;
    }
    return shim_stages.bytes + (at - SHIM_FIRST_ADDRESS);
}

static void shim_take_described(size_t descriptor, int type, unsigned rows, unsigned depth, double *out) {
    unsigned size = 32 / depth;
    for (unsigned r = 0; r < rows; r++) {
        for (unsigned k = 0; k < depth; k++)
            out[r * depth + k] = shim_element(type, shim_described(descriptor, r, k * size), 0);
    }
}

static void shim_multiply_group(const ShimProduct *p) {
    static double a[64 * 32], b[256 * 32];
    unsigned depth = 32 / (unsigned)elem_size(shim_elem(p->type));
    shim_take_described(p->a, p->type, 64, depth, a);
    shim_take_described(p->b, p->type, 256, depth, b);
    for (unsigned t = 0; t < SHIM_GROUP; t++) {
        for (unsigned i = 0; i < SHIM_GROUP_SUMS; i++) {
            // D: a warp has sixteen rows; four registers are two columns of row l / 4 and of that eight on,
            // the next four eight columns on.
            unsigned warp = t / 32, l = t % 32, row = 16 * warp + l / 4 + (i & 2) * 4,
                     column = 8 * (i / 4) + 2 * (l % 4) + (i & 1);
            double sum = (double)p->sums[t][i];
            for (unsigned k = 0; k < depth; k++) sum += a[row * depth + k] * b[column * depth + k];
            p->sums[t][i] = (float)sum;
        }
    }
}

static void shim_multiply_until(ShimWarpgroup *g, unsigned products) {
    for (; g->done < products; g->done++) shim_multiply_group(&g->products[g->done % SHIM_PRODUCTS]);
}

// All threads of a warpgroup at one product.
static void shim_ask_product(unsigned begin) {
    ShimWarpgroup *g = &shim_groups[begin / SHIM_GROUP];
    const ShimThread *first = &shim_threads[begin];
    ShimProduct *p = &g->products[g->asked % SHIM_PRODUCTS];
    if (g->asked - g->done == SHIM_PRODUCTS) shim.fault = "products that nobody waits for";
    *p = (ShimProduct){.type = first->type, .a = first->a, .b = first->b};
    for (unsigned l = 0; l < SHIM_GROUP; l++) {
        const ShimThread *s = &shim_threads[begin + l];
        if (s->a != first->a || s->b != first->b || s->type != first->type)
            shim.fault = "threads of a warpgroup at different products";
        if (!s->fenced) shim.fault = "a product before its sums are fenced";
        p->sums[l] = s->sums;
        shim.fibers[begin + l].state = SHIM_READY;
    }
    g->asked++;
    if (shim.order == SHIM_REVERSE) shim_multiply_until(g, g->asked);
}

static bool shim_release_groups(void) {
    bool some = false;
    for (unsigned t = 0; t + SHIM_GROUP <= shim.threads; t += SHIM_GROUP) {
        if (shim_together(t, t + SHIM_GROUP, SHIM_WARPGROUP)) shim_ask_product(t), some = true;
    }
    return some;
}

static void shim_wgmma_fence(void) { shim_this()->fenced = true; }

static void shim_wgmma(int type, float *sums, size_t a, size_t b, int line) {
    ShimThread *s = shim_this();
    s->type = type, s->sums = sums, s->a = a, s->b = b;
    shim_yield(SHIM_WARPGROUP, line);
}

static void shim_wgmma_commit(void) {
    ShimThread *s = shim_this();
    s->committed[s->n_committed++ % SHIM_PRODUCTS] = shim_group()->asked;
    s->fenced = false;
}

static void shim_wgmma_wait(unsigned left) {
    ShimThread *s = shim_this();
    if (s->n_committed > left)
        shim_multiply_until(shim_group(), s->committed[(s->n_committed - left - 1) % SHIM_PRODUCTS]);
}

#define GK_DYNAMIC_ARRAY(type, name, n) type *const name = shim_dynamic((n) * sizeof(type))
#define gk_shared_address(p) shim_address(p)
#define gk_copy_async(to, from, some) shim_copy_async((to), (from), (some))
#define gk_copy_put(to, x) shim_copy_put((to), (const gk_quad[]){(x)})
#define gk_copy_commit() shim_copy_commit()
#define gk_wgmma_commit() shim_wgmma_commit()
#define gk_wgmma_keep(sums) ((void)0)
#ifndef SHIM_PLANTS
#define gk_copy_wait() shim_copy_wait(1)
#define gk_proxy_fence() shim_proxy_fence()
#define gk_wgmma_fence() shim_wgmma_fence()
#define gk_wgmma(type, sums, a, b) shim_wgmma((type), (sums), (a), (b), __LINE__)
#define gk_wgmma_wait(left) shim_wgmma_wait(left)
#endif

#endif
