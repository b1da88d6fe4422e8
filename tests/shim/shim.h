// Device code on the CPU: every thread of a block a fiber, in an order of our choice, so that races and wrong
// barriers show.
//
// A block's threads run one at a time until each waits (at a barrier, in a warp exchange) or ends. Then: all
// at one barrier go on; all lanes of a warp in one exchange trade and go on. Anything else is the fault that
// it would be on a GPU, and is reported: threads at different barriers, some gone while others wait, an
// exchange without all lanes. For one test binary.
#ifndef GPUADVISE_TESTS_SHIM_H
#define GPUADVISE_TESTS_SHIM_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#if defined(__SANITIZE_ADDRESS__)
#define SHIM_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SHIM_ASAN 1
#endif
#endif
#ifdef SHIM_ASAN
#include <sanitizer/common_interface_defs.h>
#define SHIM_LEAVE(save, bottom, size) __sanitizer_start_switch_fiber((save), (bottom), (size))
#define SHIM_ARRIVE(save, bottom, size) __sanitizer_finish_switch_fiber((save), (bottom), (size))
#else
#define SHIM_LEAVE(save, bottom, size) ((void)(save), (void)(bottom), (void)(size))
#define SHIM_ARRIVE(save, bottom, size) ((void)(save), (void)(bottom), (void)(size))
#endif

typedef enum ShimOrder { SHIM_FORWARD, SHIM_REVERSE, SHIM_SCATTERED, SHIM_ORDERS } ShimOrder;
typedef enum ShimState {
    SHIM_READY,
    SHIM_BARRIER,
    SHIM_EXCHANGE,
    SHIM_MATRIX,
    SHIM_WARPGROUP,
    SHIM_DONE
} ShimState;
// Numbered as in kernels/device/mma.h; a test holds them against it.
typedef enum ShimFamily { SHIM_NONE, SHIM_NV, SHIM_MFMA, SHIM_WMMA3, SHIM_WMMA4, SHIM_FAMILIES } ShimFamily;
enum { SHIM_I8 = 3, SHIM_MXFP4 = 6 };

enum { SHIM_THREADS_MAX = 256, SHIM_STACK = 128 * 1024, SHIM_ARRAYS_MAX = 16, SHIM_POISON = 0xFF };

// What a lane brings to a matrix instruction.
typedef struct ShimMma {
    int type;
    uint32_t c[8], a[8], b[8];
    uint32_t x, y;  // scales of A and B
} ShimMma;

// Shared memory of a block: of its own size from the heap, so that a sanitizer sees its ends, and poisoned.
typedef struct ShimArray {
    const void *place;  // in the source
    void *bytes;
} ShimArray;

typedef struct ShimFiber {
    ucontext_t context;
    char *stack;
    ShimState state;
    int line;  // where it waits
    uint32_t value, mask;
    ShimMma mma;
    void *fake;
} ShimFiber;

typedef struct Shim {
    ShimFiber fibers[SHIM_THREADS_MAX];
    ucontext_t scheduler;
    const void *main_bottom;
    size_t main_size;
    void *main_fake;
    unsigned threads, warp, blocks, block, current;
    ShimFamily family;
    ShimOrder order;
    ShimArray arrays[SHIM_ARRAYS_MAX];
    unsigned n_arrays;
    void (*kernel)(void *args);
    void *args;
    const char *fault;
} Shim;

static Shim shim;

static void shim_yield(ShimState state, int line) {
    ShimFiber *f = &shim.fibers[shim.current];
    f->state = state;
    f->line = line;
    SHIM_LEAVE(state == SHIM_DONE ? NULL : &f->fake, shim.main_bottom, shim.main_size);
    swapcontext(&f->context, &shim.scheduler);
    SHIM_ARRIVE(f->fake, &shim.main_bottom, &shim.main_size);
}

static void shim_start(void) {
    SHIM_ARRIVE(NULL, &shim.main_bottom, &shim.main_size);
    shim.kernel(shim.args);
    shim_yield(SHIM_DONE, 0);
}

static void shim_resume(unsigned thread) {
    ShimFiber *f = &shim.fibers[thread];
    shim.current = thread;
    SHIM_LEAVE(&shim.main_fake, f->stack, SHIM_STACK);
    swapcontext(&shim.scheduler, &f->context);
    SHIM_ARRIVE(shim.main_fake, NULL, NULL);
}

static unsigned shim_place(ShimOrder order, unsigned i) {
    switch (order) {
    case SHIM_FORWARD: return i;
    case SHIM_REVERSE: return shim.threads - 1 - i;
    case SHIM_SCATTERED: return i * 37 % shim.threads;  // 37 shares no factor with a multiple of 32
    case SHIM_ORDERS: break;
    }
    return i;
}

// All of threads begin..end in this state, at one place?
static bool shim_together(unsigned begin, unsigned end, ShimState state) {
    for (unsigned t = begin; t < end; t++) {
        if (shim.fibers[t].state != state || shim.fibers[t].line != shim.fibers[begin].line) return false;
    }
    return true;
}

static void shim_trade(unsigned begin) {
    uint32_t values[64];
    for (unsigned l = 0; l < shim.warp; l++) {
        uint32_t from = l ^ shim.fibers[begin + l].mask;
        if (from >= shim.warp) {
            shim.fault = "an exchange with a lane outside the warp";
            from = l;
        }
        values[l] = shim.fibers[begin + from].value;
    }
    for (unsigned l = 0; l < shim.warp; l++)
        shim.fibers[begin + l].value = values[l], shim.fibers[begin + l].state = SHIM_READY;
}

static const char *shim_why_stuck(void) {
    unsigned done = 0, barrier = 0;
    for (unsigned t = 0; t < shim.threads; t++)
        done += shim.fibers[t].state == SHIM_DONE, barrier += shim.fibers[t].state == SHIM_BARRIER;
    if (barrier == 0) return "a warp exchange without all lanes";
    return done > 0 ? "a barrier that only part of the block reaches: others have ended"
                    : "threads of a block wait at different places";
}

static void shim_multiply(int family, ShimMma *const *lanes, unsigned warp);

static void shim_multiply_warp(unsigned begin) {
    ShimMma *lanes[64];
    for (unsigned l = 0; l < shim.warp; l++)
        lanes[l] = &shim.fibers[begin + l].mma, shim.fibers[begin + l].state = SHIM_READY;
    shim_multiply((int)shim.family, lanes, shim.warp);
}

static bool shim_release_groups(void);
static void shim_forget_products(void);

// Lets go on whoever may. False: nobody can, and not all are done.
static bool shim_release(void) {
    bool some = shim_release_groups();
    for (unsigned w = 0; w < shim.threads; w += shim.warp) {
        if (shim_together(w, w + shim.warp, SHIM_EXCHANGE)) shim_trade(w), some = true;
        if (shim_together(w, w + shim.warp, SHIM_MATRIX)) shim_multiply_warp(w), some = true;
    }
    if (some || shim_together(0, shim.threads, SHIM_DONE)) return shim.fault == NULL;
    if (!shim_together(0, shim.threads, SHIM_BARRIER)) {
        shim.fault = shim_why_stuck();
        return false;
    }
    for (unsigned t = 0; t < shim.threads; t++) shim.fibers[t].state = SHIM_READY;
    return true;
}

static void shim_prepare(ShimFiber *f) {
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = f->stack, f->context.uc_stack.ss_size = SHIM_STACK, f->context.uc_link = NULL;
    f->state = SHIM_READY, f->fake = NULL;
    makecontext(&f->context, shim_start, 0);
}

static void shim_forget_arrays(void) {
    for (unsigned i = 0; i < shim.n_arrays; i++) free(shim.arrays[i].bytes);
    shim.n_arrays = 0;
}

// The block's array of this place: the first thread that comes makes it.
static void *shim_array(const void *place, size_t bytes) {
    for (unsigned i = 0; i < shim.n_arrays; i++) {
        if (shim.arrays[i].place == place) return shim.arrays[i].bytes;
    }
    if (shim.n_arrays == SHIM_ARRAYS_MAX) abort();
    void *made = malloc(bytes);
    memset(made, SHIM_POISON, bytes);
    shim.arrays[shim.n_arrays++] = (ShimArray){place, made};
    return made;
}

// Runs kernel(args) for every thread of every block. NULL, or the fault that was found.
static const char *shim_run(unsigned blocks, unsigned threads, unsigned warp, ShimFamily family,
                            ShimOrder order, void (*kernel)(void *args), void *args) {
    shim.blocks = blocks, shim.threads = threads, shim.warp = warp, shim.family = family, shim.order = order,
    shim.kernel = kernel, shim.args = args, shim.fault = NULL;
    for (unsigned t = 0; t < threads; t++) {
        if (shim.fibers[t].stack == NULL) shim.fibers[t].stack = malloc(SHIM_STACK);
    }
    for (shim.block = 0; shim.block < blocks && shim.fault == NULL; shim.block++) {
        for (unsigned t = 0; t < threads; t++) shim_prepare(&shim.fibers[t]);
        shim_forget_arrays();
        shim_forget_products();
        while (!shim_together(0, threads, SHIM_DONE) && shim.fault == NULL) {
            for (unsigned i = 0; i < threads; i++) {
                unsigned t = shim_place(order, i);
                if (shim.fibers[t].state == SHIM_READY) shim_resume(t);
            }
            shim_release();
        }
    }
    shim_forget_arrays();
    return shim.fault;
}

static uint32_t shim_exchange(uint32_t x, uint32_t mask, int line) {
    shim.fibers[shim.current].value = x;
    shim.fibers[shim.current].mask = mask;
    shim_yield(SHIM_EXCHANGE, line);
    return shim.fibers[shim.current].value;
}

// ---------------------------------------------------------------- the names of gk.h

typedef size_t gk_size;
typedef uint8_t gk_u8;
typedef int8_t gk_i8;
typedef uint16_t gk_u16;
typedef uint32_t gk_u32;

#define GK_SHIM  // the family of matrix units is a variable, also none
#define GK_KERNEL_OF(threads) static void
#define GK_KERNEL_TWICE_OF(threads) static void
#define GK_FN static inline
#define GK_SHARED_ARRAY(type, name, n)                                                                       \
    static const char name##_place;                                                                          \
    type *const name = shim_array(&name##_place, (n) * sizeof(type))
#define GK_UNROLL
#define GK_LOOP
#define GK_THREAD (shim.current)
#define GK_BLOCK (shim.block)
#define GK_BLOCKS (shim.blocks)
#define GK_WARP (shim.warp)
#define gk_fence() ((void)0)
#define gk_fma(x, y, z) fmaf((x), (y), (z))
#define gk_fma_f64(x, y, z) fma((x), (y), (z))
#define gk_atomic_add(p, x) (*(p) += (x))
#ifndef SHIM_PLANTS  // a test may put faults here
#define gk_barrier() shim_yield(SHIM_BARRIER, __LINE__)
#define gk_shuffle_xor(x, mask) shim_exchange((x), (mask), __LINE__)
#endif

GK_FN gk_u32 gk_bits(float x) {
    gk_u32 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
GK_FN float gk_float(gk_u32 x) {
    float value;
    memcpy(&value, &x, sizeof value);
    return value;
}

#ifdef SHIM_PLANTS
static void shim_planted_mma(ShimMma *m);
#endif

#define gk_nv_mxfp4(c, a, b0, b1, scale_a, scale_b)                                                          \
    (shim.fibers[shim.current].mma.x = (scale_a), shim.fibers[shim.current].mma.y = (scale_b),               \
     shim_mma(SHIM_MXFP4, (c), 4, (a), 4, (const gk_u32[]){(b0), (b1)}, 2, __LINE__))
#define gk_mfma_mxfp4(c, a, b, scale_a, scale_b)                                                             \
    (shim.fibers[shim.current].mma.x = (scale_a), shim.fibers[shim.current].mma.y = (scale_b),               \
     shim_mma(SHIM_MXFP4, (c), 4, (a), 4, (b), 4, __LINE__))

// A matrix instruction of `words` registers of A, B and `sums` of C.
static void shim_mma(int type, gk_u32 *c, unsigned sums, const gk_u32 *a, unsigned a_words, const gk_u32 *b,
                     unsigned b_words, int line) {
    unsigned thread = shim.current;
    ShimMma *m = &shim.fibers[thread].mma;
    m->type = type;
    memcpy(m->c, c, sums * sizeof *c);
    memcpy(m->a, a, a_words * sizeof *a);
    memcpy(m->b, b, b_words * sizeof *b);
#ifdef SHIM_PLANTS
    shim_planted_mma(m);
#endif
    shim_yield(SHIM_MATRIX, line);
    memcpy(c, m->c, sums * sizeof *c);
}
#define gk_nv_mma(type, c, a, b0, b1)                                                                        \
    shim_mma((type), (c), 4, (a), 4, (const gk_u32[]){(b0), (b1)}, 2, __LINE__)
#define gk_mfma(type, c, a, b) shim_mma((type), (c), 4, (a), 2, (b), 2, __LINE__)
#define gk_wmma3(type, c, a, b)                                                                              \
    shim_mma((type), (c), 8, (a), (type) == SHIM_I8 ? 4 : 8, (b), (type) == SHIM_I8 ? 4 : 8, __LINE__)
#define gk_wmma4(type, c, a, b)                                                                              \
    shim_mma((type), (c), 8, (a), (type) >= SHIM_I8 ? 2 : 4, (b), (type) >= SHIM_I8 ? 2 : 4, __LINE__)

#include "tests/shim/matrix.h"
#include "tests/shim/wgmma.h"

#endif
