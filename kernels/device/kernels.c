// The kernels as device code: C, CUDA and HIP at once (gk.h). One grid-stride or one-block-a-row loop each.
//
// This file is the whole of it: all else is included. Blocks have as many threads as the table of kernels
// says.
#include "kernels/device/block.h"
#include "kernels/device/decode.h"
#include "kernels/device/gemm.h"
#include "kernels/device/gemv.h"
#include "kernels/device/gk.h"
#include "kernels/device/wgmma.h"

#define SCALAR 0.375f
#define SCALAR_F64 0.375
#define EPSILON 9.5367431640625e-07f
#define LINE_WORDS 16u
#define CHASE_STEPS (1u << 22)
#define MOE_PICKS 8u

// ---------------------------------------------------------------- STREAM

// Four floats at a time, what is left over one by one.
#define FIRST (GK_BLOCK * (gk_size)GK_THREADS + GK_THREAD)
#define STRIDE (GK_BLOCKS * (gk_size)GK_THREADS)
#define ELEMENTWISE(n, four, one)                                                                            \
    for (gk_size i = FIRST; i < (n) / 4; i += STRIDE) {                                                      \
        four;                                                                                                \
    }                                                                                                        \
    for (gk_size i = (n) / 4 * 4 + FIRST; i < (n); i += STRIDE) {                                            \
        one;                                                                                                 \
    }
#define FOUR(p) (((const gk_floats *)(const void *)(p))[i])
#define PUT_FOUR(p, x) (((gk_floats *)(void *)(p))[i] = (x))

// clang-format off
GK_KERNEL gk_copy(gk_size n, const float *a, float *c) { ELEMENTWISE(n, PUT_FOUR(c, FOUR(a)), c[i] = a[i]) }
GK_KERNEL gk_scale(gk_size n, const float *a, float *c) {
    ELEMENTWISE(n, PUT_FOUR(c, SCALAR * FOUR(a)), c[i] = SCALAR * a[i])
}
GK_KERNEL gk_add(gk_size n, const float *a, const float *b, float *c) {
    ELEMENTWISE(n, PUT_FOUR(c, FOUR(a) + FOUR(b)), c[i] = a[i] + b[i])
}
GK_KERNEL gk_triad(gk_size n, const float *a, const float *b, float *c) {
    ELEMENTWISE(n, PUT_FOUR(c, FOUR(a) + SCALAR * FOUR(b)), c[i] = a[i] + SCALAR * b[i])
}
// clang-format on

GK_KERNEL gk_triad_f64(gk_size n, const double *a, const double *b, double *c) {
    for (gk_size i = FIRST; i < n / 2; i += STRIDE)
        ((gk_doubles *)(void *)c)[i] =
            ((const gk_doubles *)(const void *)a)[i] + SCALAR_F64 * ((const gk_doubles *)(const void *)b)[i];
    if (FIRST == 0 && n % 2 != 0) c[n - 1] = a[n - 1] + SCALAR_F64 * b[n - 1];
}

// One word through, and nothing else: what a launch costs.
GK_KERNEL gk_launch(gk_size words, const gk_u32 *in, gk_u32 *out) {
    if (FIRST < words) out[FIRST] = in[FIRST];
}

// One step less than a whole cycle, which would end where it began.
GK_KERNEL gk_latency(gk_size words, const gk_u32 *next, gk_u32 *out) {
    gk_u32 at = 0;
    gk_size lines = words / LINE_WORDS;
    if (GK_BLOCK != 0 || GK_THREAD != 0) return;
    for (gk_size n = lines < CHASE_STEPS ? lines - 1 : CHASE_STEPS; n > 0; n--) at = next[at];
    out[0] = at;
}

// ---------------------------------------------------------------- rows

GK_KERNEL gk_read(gk_size rows, gk_size columns, const int *a, int *out) {
    GK_SHARED_ARRAY(int, parts, GK_THREADS);
    for (gk_size r = GK_BLOCK; r < rows; r += GK_BLOCKS) {
        int sum = 0;
        for (gk_size i = GK_THREAD; i < columns; i += GK_THREADS) sum += a[r * columns + i];
        parts[GK_THREAD] = sum;
        for (gk_u32 half = GK_THREADS / 2; half > 0; half /= 2) {
            gk_barrier();
            if (GK_THREAD < half) parts[GK_THREAD] += parts[GK_THREAD + half];
        }
        if (GK_THREAD == 0) out[r] = parts[0];
        gk_barrier();
    }
}

GK_KERNEL gk_reduce(gk_size rows, gk_size columns, const float *a, float *out) {
    for (gk_size r = GK_BLOCK; r < rows; r += GK_BLOCKS) {
        float sum = 0;
        for (gk_size i = GK_THREAD; i < columns; i += GK_THREADS) sum += a[r * columns + i];
        sum = gk_block_sum(sum);
        if (GK_THREAD == 0) out[r] = sum;
    }
}

// ---------------------------------------------------------------- products without matrix units

#define NUMBER float
#define VECTOR gk_floats
#define GROUP 4u
#define MULTIPLY_ADD gk_fma
#define COLUMN_GROUPS 2u
#define LANES(name) gk_lanes_f32_##name
#define ENTRY gk_gemm
#include "kernels/device/gemm_lanes.h"

// Half as wide: numbers take two registers.
#define NUMBER double
#define VECTOR gk_doubles
#define GROUP 2u
#define MULTIPLY_ADD gk_fma_f64
#define COLUMN_GROUPS 2u
#define LANES(name) gk_lanes_f64_##name
#define ENTRY gk_dgemm
#include "kernels/device/gemm_lanes.h"

// ---------------------------------------------------------------- around attention

GK_KERNEL gk_rmsnorm(gk_size rows, gk_size columns, const float *a, const float *w, float *out) {
    for (gk_size r = GK_BLOCK; r < rows; r += GK_BLOCKS) {
        const float *x = a + r * columns;
        float sum = 0;
        for (gk_size i = GK_THREAD; i < columns; i += GK_THREADS) sum += x[i] * x[i];
        float inverse = gk_rsqrt(gk_block_sum(sum) / (float)columns + EPSILON);
        for (gk_size i = GK_THREAD; i < columns; i += GK_THREADS)
            out[r * columns + i] = x[i] * inverse * w[i];
    }
}

GK_KERNEL gk_softmax(gk_size rows, gk_size columns, const float *a, float *out) {
    for (gk_size r = GK_BLOCK; r < rows; r += GK_BLOCKS) {
        const float *x = a + r * columns;
        float most = x[0], sum = 0;
        for (gk_size i = GK_THREAD; i < columns; i += GK_THREADS) most = x[i] > most ? x[i] : most;
        most = gk_block_max(most);
        for (gk_size i = GK_THREAD; i < columns; i += GK_THREADS) sum += gk_exp(x[i] - most);
        float inverse = 1.0f / gk_block_sum(sum);
        for (gk_size i = GK_THREAD; i < columns; i += GK_THREADS)
            out[r * columns + i] = gk_exp(x[i] - most) * inverse;
    }
}

GK_KERNEL gk_rotary(gk_size tokens, gk_size heads, gk_size dim, const float *a, const float *table,
                    float *out) {
    gk_size half = dim / 2, n = tokens * heads * half;
    for (gk_size i = FIRST; i < n; i += STRIDE) {
        gk_size head = i / half, at = i % half;
        float c = table[head / heads * dim + at], s = table[head / heads * dim + half + at];
        float x = a[head * dim + at], y = a[head * dim + half + at];
        out[head * dim + at] = x * c - y * s;
        out[head * dim + half + at] = y * c + x * s;
    }
}

GK_KERNEL gk_swiglu(gk_size n, const float *gate, const float *up, float *out) {
    for (gk_size i = FIRST; i < n; i += STRIDE) {
        out[i] = gate[i] / (1 + gk_exp(-gate[i])) * up[i];
    }
}

// ---------------------------------------------------------------- sampling

GK_KERNEL gk_argmax(gk_size rows, gk_size columns, const float *a, gk_u32 *out) {
    for (gk_size r = GK_BLOCK; r < rows; r += GK_BLOCKS) {
        const float *x = a + r * columns;
        gk_u32 place = ~0u;
        for (gk_size i = GK_THREAD; i < columns; i += GK_THREADS) {
            if (place == ~0u || x[i] > x[place]) place = (gk_u32)i;
        }
        place = gk_block_argmax(place == ~0u ? 0 : x[place], place);
        if (GK_THREAD == 0) out[r] = place;
    }
}

// k rounds: the largest of what stands after the one taken before (smaller, or as large and further on).
GK_KERNEL gk_topk(gk_size rows, gk_size columns, gk_size k, const float *a, gk_u32 *out) {
    for (gk_size r = GK_BLOCK; r < rows; r += GK_BLOCKS) {
        const float *x = a + r * columns;
        gk_u32 before = ~0u;
        for (gk_size rank = 0; rank < k; rank++) {
            gk_u32 place = ~0u;
            for (gk_size i = GK_THREAD; i < columns; i += GK_THREADS) {
                int taken = before != ~0u && !(x[i] < x[before] || (x[i] == x[before] && (gk_u32)i > before));
                if (!taken && (place == ~0u || x[i] > x[place])) place = (gk_u32)i;
            }
            before = gk_block_argmax(place == ~0u ? 0 : x[place], place);
            if (GK_THREAD == 0) out[r * k + rank] = before;
        }
    }
}

// ---------------------------------------------------------------- mixture of experts, atomics

// y = sum of MOE_PICKS rows of the experts' outputs, each times its weight. A block makes a token's row.
GK_KERNEL gk_moe_gather(gk_size tokens, gk_size columns, const gk_u16 *rows, const gk_u32 *picks,
                        const float *weights, float *out) {
    for (gk_size t = GK_BLOCK; t < tokens; t += GK_BLOCKS) {
        for (gk_size i = GK_THREAD; i < columns; i += GK_THREADS) {
            float sum = 0;
            GK_UNROLL for (gk_u32 e = 0; e < MOE_PICKS; e++) sum +=
                weights[t * MOE_PICKS + e] * gk_bf16(rows[picks[t * MOE_PICKS + e] * columns + i]);
            out[t * columns + i] = sum;
        }
    }
}

// How often each of 256 values stands in a row of bytes: an atomic addition in global memory for every byte.
GK_KERNEL gk_atomics(gk_size rows, gk_size columns, const gk_u8 *a, gk_u32 *out) {
    for (gk_size r = GK_BLOCK; r < rows; r += GK_BLOCKS) {
        gk_u32 *counts = out + r * 256;
        for (gk_u32 i = GK_THREAD; i < 256; i += GK_THREADS) counts[i] = 0;
        gk_fence();
        gk_barrier();
        for (gk_size i = GK_THREAD; i < columns; i += GK_THREADS)
            gk_atomic_add(&counts[a[r * columns + i]], 1);
    }
}

// ---------------------------------------------------------------- outputs under load

// Adds to `count` how many words of two arrays are not the same: is a result under load still the one that
// was checked?
GK_KERNEL gk_differ(gk_size words, const gk_u32 *a, const gk_u32 *b, gk_u32 *count) {
    gk_u32 differ = 0;
    for (gk_size i = FIRST; i < words; i += STRIDE) differ += a[i] != b[i];
    if (differ > 0) gk_atomic_add(count, differ);
}

// ---------------------------------------------------------------- patterns of a memory test

// The word at `at` under one of the patterns of kernels/pattern.h, which says the same to the host.
GK_FN gk_u32 gk_pattern(gk_u32 pattern, gk_size at, gk_u32 seed) {
    gk_u32 low = (gk_u32)at, high = (gk_u32)(at >> 16 >> 16), word = low ^ high * 0x9E3779B1u;
    if ((pattern & 3) == 0) word = 1u << ((low + seed) & 31);
    if ((pattern & 3) == 2) {
        word = (word + seed) * 0x85EBCA6Bu;
        word = (word ^ word >> 13) * 0xC2B2AE35u;
        word ^= word >> 16;
    }
    return (pattern & 4) != 0 ? ~word : word;
}

// Words `first` and following of a pattern, as they lie in memory from `out` on.
GK_KERNEL gk_pattern_fill(gk_size words, gk_size first, gk_size pattern, gk_size seed, gk_u32 *out) {
    for (gk_size i = FIRST; i < words; i += STRIDE)
        out[i] = gk_pattern((gk_u32)pattern, first + i, (gk_u32)seed);
}

// Adds to `count` how many of them are others by now.
GK_KERNEL gk_pattern_check(gk_size words, gk_size first, gk_size pattern, gk_size seed, const gk_u32 *in,
                           gk_u32 *count) {
    gk_u32 differ = 0;
    for (gk_size i = FIRST; i < words; i += STRIDE)
        differ += in[i] != gk_pattern((gk_u32)pattern, first + i, (gk_u32)seed);
    if (differ > 0) gk_atomic_add(count, differ);
}
