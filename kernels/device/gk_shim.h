// The shim's side of gk.h: device code as C17 on the CPU. For tests; results that users see come from native kernels.
#ifndef GPUADVISE_GK_SHIM_H
#define GPUADVISE_GK_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef size_t gk_size;
typedef uint8_t gk_u8;
typedef int8_t gk_i8;
typedef uint16_t gk_u16;
typedef uint32_t gk_u32;

// In which order the threads of a block take their turns. A right kernel gives the same in all of them.
typedef enum ShimOrder { SHIM_FORWARD, SHIM_REVERSE, SHIM_SCATTERED, SHIM_ORDERS } ShimOrder;

typedef struct ShimLaunch {
    unsigned blocks, threads;  // threads: a multiple of warp, at most 1024
    unsigned warp;             // 32 or 64
    ShimOrder order;
} ShimLaunch;

// Runs `kernel(args)` for every thread of every block. Shared memory is poisoned before each block. False, with the reason,
// when threads of a block wait at different barriers, when some left while others wait, or when a warp exchange misses lanes.
typedef void (*ShimKernel)(void *args);
bool shim_run(const ShimLaunch *launch, ShimKernel kernel, void *args, char *ret_reason, size_t size);

// ---------------------------------------------------------------- inside a kernel

enum { SHIM_SHARED_MAX = 65536 };

unsigned shim_thread(void);
unsigned shim_block(void);
unsigned shim_blocks(void);
unsigned shim_warp(void);
// `site` tells barriers apart: reaching different ones together is an error, as is leaving before the others.
void shim_barrier(const char *site);
uint32_t shim_exchange(uint32_t x, uint32_t mask, const char *site);
void *shim_shared(const void *key, size_t bytes);

#define SHIM_TEXT_(x) #x
#define SHIM_TEXT(x) SHIM_TEXT_(x)
#define GK_SITE __FILE__ ":" SHIM_TEXT(__LINE__)

#define GK_KERNEL static void
#define GK_FN static inline
#define GK_SHARED static _Thread_local
#define GK_THREAD (shim_thread())
#define GK_BLOCK (shim_block())
#define GK_BLOCKS (shim_blocks())
#define GK_WARP (shim_warp())
#define gk_barrier() shim_barrier(GK_SITE)
#define gk_shuffle_xor(x, mask) shim_exchange((x), (mask), GK_SITE)

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

#endif
