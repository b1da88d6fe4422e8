// The kernels as device code: C, CUDA and HIP at once (gk.h). One grid-stride or one-block-a-row loop each.
//
// Blocks have DEVICE_THREADS_ threads. A row's reduction goes through warps by exchange, then through shared memory.
#include "kernels/device/gk.h"

#define DEVICE_THREADS_ 128u
#define TILE 16u
#define SCALAR 0.375f
#define EPSILON 9.5367431640625e-07f
#define LINE_WORDS 16u
#define CHASE_STEPS (1u << 22)

// ---------------------------------------------------------------- STREAM

GK_KERNEL gk_copy(gk_size n, const float *a, float *c) {
    for (gk_size i = GK_BLOCK * (gk_size)DEVICE_THREADS_ + GK_THREAD; i < n; i += GK_BLOCKS * (gk_size)DEVICE_THREADS_) c[i] = a[i];
}

GK_KERNEL gk_scale(gk_size n, const float *a, float *c) {
    for (gk_size i = GK_BLOCK * (gk_size)DEVICE_THREADS_ + GK_THREAD; i < n; i += GK_BLOCKS * (gk_size)DEVICE_THREADS_) c[i] = SCALAR * a[i];
}

GK_KERNEL gk_add(gk_size n, const float *a, const float *b, float *c) {
    for (gk_size i = GK_BLOCK * (gk_size)DEVICE_THREADS_ + GK_THREAD; i < n; i += GK_BLOCKS * (gk_size)DEVICE_THREADS_) c[i] = a[i] + b[i];
}

GK_KERNEL gk_triad(gk_size n, const float *a, const float *b, float *c) {
    for (gk_size i = GK_BLOCK * (gk_size)DEVICE_THREADS_ + GK_THREAD; i < n; i += GK_BLOCKS * (gk_size)DEVICE_THREADS_) c[i] = a[i] + SCALAR * b[i];
}

// One step less than a whole cycle, which would end where it began.
GK_KERNEL gk_latency(gk_size words, const gk_u32 *next, gk_u32 *out) {
    gk_u32 at = 0;
    gk_size lines = words / LINE_WORDS;
    if (GK_BLOCK != 0 || GK_THREAD != 0) return;
    for (gk_size n = lines < CHASE_STEPS ? lines - 1 : CHASE_STEPS; n > 0; n--) at = next[at];
    out[0] = at;
}

// ---------------------------------------------------------------- reductions of a block

// The sum over all threads, in every thread. Every thread of the block must call it.
GK_FN float gk_block_sum(float x) {
    GK_SHARED float parts[DEVICE_THREADS_];
    for (gk_u32 mask = GK_WARP / 2; mask > 0; mask /= 2) x += gk_shuffle_xor_f(x, mask);
    gk_barrier();  // parts of an earlier call may still be read
    if (GK_THREAD % GK_WARP == 0) parts[GK_THREAD / GK_WARP] = x;
    gk_barrier();
    float sum = 0;
    for (gk_u32 i = 0; i < DEVICE_THREADS_ / GK_WARP; i++) sum += parts[i];
    return sum;
}

GK_FN float gk_block_max(float x) {
    GK_SHARED float parts[DEVICE_THREADS_];
    for (gk_u32 mask = GK_WARP / 2; mask > 0; mask /= 2) {
        float other = gk_shuffle_xor_f(x, mask);
        x = other > x ? other : x;
    }
    gk_barrier();
    if (GK_THREAD % GK_WARP == 0) parts[GK_THREAD / GK_WARP] = x;
    gk_barrier();
    for (gk_u32 i = 0; i < DEVICE_THREADS_ / GK_WARP; i++) x = parts[i] > x ? parts[i] : x;
    return x;
}

// The place of the largest value over all threads, the first of equal ones, in every thread. Place ~0: this thread has none.
GK_FN gk_u32 gk_block_argmax(float x, gk_u32 place) {
    GK_SHARED float values[DEVICE_THREADS_];
    GK_SHARED gk_u32 places[DEVICE_THREADS_];
    for (gk_u32 mask = GK_WARP / 2; mask > 0; mask /= 2) {
        float other = gk_shuffle_xor_f(x, mask);
        gk_u32 there = gk_shuffle_xor(place, mask);
        if (there != ~0u && (place == ~0u || other > x || (other == x && there < place))) x = other, place = there;
    }
    gk_barrier();
    if (GK_THREAD % GK_WARP == 0) values[GK_THREAD / GK_WARP] = x, places[GK_THREAD / GK_WARP] = place;
    gk_barrier();
    for (gk_u32 i = 0; i < DEVICE_THREADS_ / GK_WARP; i++) {
        if (places[i] != ~0u && (place == ~0u || values[i] > x || (values[i] == x && places[i] < place))) x = values[i], place = places[i];
    }
    return place;
}

GK_KERNEL gk_read(gk_size rows, gk_size columns, const int *a, int *out) {
    GK_SHARED int parts[DEVICE_THREADS_];
    for (gk_size r = GK_BLOCK; r < rows; r += GK_BLOCKS) {
        int sum = 0;
        for (gk_size i = GK_THREAD; i < columns; i += DEVICE_THREADS_) sum += a[r * columns + i];
        parts[GK_THREAD] = sum;
        for (gk_u32 half = DEVICE_THREADS_ / 2; half > 0; half /= 2) {
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
        for (gk_size i = GK_THREAD; i < columns; i += DEVICE_THREADS_) sum += a[r * columns + i];
        sum = gk_block_sum(sum);
        if (GK_THREAD == 0) out[r] = sum;
    }
}

// ---------------------------------------------------------------- products

// A block makes a tile of 16 x 16: two rows a thread.
GK_KERNEL gk_gemm(gk_size m, gk_size n, gk_size k, const float *a, const float *b, float *c) {
    GK_SHARED float left[TILE * TILE], right[TILE * TILE];
    gk_size across = (n + TILE - 1) / TILE, tiles = (m + TILE - 1) / TILE * across;
    gk_u32 x = GK_THREAD % TILE, y = GK_THREAD / TILE;
    for (gk_size t = GK_BLOCK; t < tiles; t += GK_BLOCKS) {
        gk_size row = t / across * TILE, column = t % across * TILE;
        float sum0 = 0, sum1 = 0;
        for (gk_size p = 0; p < k; p += TILE) {
            for (gk_u32 i = y; i < TILE; i += DEVICE_THREADS_ / TILE) {
                left[i * TILE + x] = row + i < m && p + x < k ? a[(row + i) * k + p + x] : 0;
                right[i * TILE + x] = p + i < k && column + x < n ? b[(p + i) * n + column + x] : 0;
            }
            gk_barrier();
            for (gk_u32 q = 0; q < TILE; q++) {
                sum0 += left[y * TILE + q] * right[q * TILE + x];
                sum1 += left[(y + TILE / 2) * TILE + q] * right[q * TILE + x];
            }
            gk_barrier();
        }
        if (row + y < m && column + x < n) c[(row + y) * n + column + x] = sum0;
        if (row + y + TILE / 2 < m && column + x < n) c[(row + y + TILE / 2) * n + column + x] = sum1;
    }
}

GK_FN float gk_bf16(gk_u16 x) { return gk_float((gk_u32)x << 16); }

// A warp makes a row.
GK_FN float gk_warp_sum(float x) {
    for (gk_u32 mask = GK_WARP / 2; mask > 0; mask /= 2) x += gk_shuffle_xor_f(x, mask);
    return x;
}

GK_KERNEL gk_gemv_bf16(gk_size rows, gk_size columns, const gk_u16 *w, const gk_u16 *x, float *y) {
    gk_u32 warps = DEVICE_THREADS_ / GK_WARP, lane = GK_THREAD % GK_WARP;
    for (gk_size r = GK_BLOCK * (gk_size)warps + GK_THREAD / GK_WARP; r < rows; r += GK_BLOCKS * (gk_size)warps) {
        float sum = 0;
        for (gk_size i = lane; i < columns; i += GK_WARP) sum += gk_bf16(w[r * columns + i]) * gk_bf16(x[i]);
        sum = gk_warp_sum(sum);
        if (lane == 0) y[r] = sum;
    }
}

GK_KERNEL gk_gemv_i8(gk_size rows, gk_size columns, const gk_i8 *w, const float *x, const float *scales, float *y) {
    gk_u32 warps = DEVICE_THREADS_ / GK_WARP, lane = GK_THREAD % GK_WARP;
    for (gk_size r = GK_BLOCK * (gk_size)warps + GK_THREAD / GK_WARP; r < rows; r += GK_BLOCKS * (gk_size)warps) {
        float sum = 0;
        for (gk_size i = lane; i < columns; i += GK_WARP) sum += (float)w[r * columns + i] * x[i];
        sum = gk_warp_sum(sum);
        if (lane == 0) y[r] = sum * scales[r];
    }
}

// ---------------------------------------------------------------- exponential function, square root

// As on the CPU (cpu_body.h): 2^n times a polynomial of degree 7, arguments clamped, NaN kept.
GK_FN float gk_exp(float x) {
    x = x < -87.0f ? -87.0f : x > 88.0f ? 88.0f : x;
    float n = (x * 1.44269504f + 12582912.0f) - 12582912.0f;
    float r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
    float y = 1.0f / 5040;
    y = y * r + 1.0f / 720;
    y = y * r + 1.0f / 120;
    y = y * r + 1.0f / 24;
    y = y * r + 1.0f / 6;
    y = y * r + 0.5f;
    y = y * r + 1;
    y = y * r + 1;
    return y * gk_float((gk_u32)((x == x ? (int)n : 0) + 127) << 23);
}

// 1 / sqrt(x) of a positive normal number: a first guess from the bits, four steps of Newton's method.
GK_FN float gk_rsqrt(float x) {
    float y = gk_float(0x5F3759DFu - (gk_bits(x) >> 1));
    for (int i = 0; i < 4; i++) y = y * (1.5f - 0.5f * x * y * y);
    return y;
}

// ---------------------------------------------------------------- around attention

GK_KERNEL gk_rmsnorm(gk_size rows, gk_size columns, const float *a, const float *w, float *out) {
    for (gk_size r = GK_BLOCK; r < rows; r += GK_BLOCKS) {
        const float *x = a + r * columns;
        float sum = 0;
        for (gk_size i = GK_THREAD; i < columns; i += DEVICE_THREADS_) sum += x[i] * x[i];
        float inverse = gk_rsqrt(gk_block_sum(sum) / (float)columns + EPSILON);
        for (gk_size i = GK_THREAD; i < columns; i += DEVICE_THREADS_) out[r * columns + i] = x[i] * inverse * w[i];
    }
}

GK_KERNEL gk_softmax(gk_size rows, gk_size columns, const float *a, float *out) {
    for (gk_size r = GK_BLOCK; r < rows; r += GK_BLOCKS) {
        const float *x = a + r * columns;
        float most = x[0], sum = 0;
        for (gk_size i = GK_THREAD; i < columns; i += DEVICE_THREADS_) most = x[i] > most ? x[i] : most;
        most = gk_block_max(most);
        for (gk_size i = GK_THREAD; i < columns; i += DEVICE_THREADS_) sum += gk_exp(x[i] - most);
        float inverse = 1.0f / gk_block_sum(sum);
        for (gk_size i = GK_THREAD; i < columns; i += DEVICE_THREADS_) out[r * columns + i] = gk_exp(x[i] - most) * inverse;
    }
}

GK_KERNEL gk_rotary(gk_size tokens, gk_size heads, gk_size dim, const float *a, const float *table, float *out) {
    gk_size half = dim / 2, n = tokens * heads * half;
    for (gk_size i = GK_BLOCK * (gk_size)DEVICE_THREADS_ + GK_THREAD; i < n; i += GK_BLOCKS * (gk_size)DEVICE_THREADS_) {
        gk_size head = i / half, at = i % half;
        float c = table[head / heads * dim + at], s = table[head / heads * dim + half + at];
        float x = a[head * dim + at], y = a[head * dim + half + at];
        out[head * dim + at] = x * c - y * s;
        out[head * dim + half + at] = y * c + x * s;
    }
}

GK_KERNEL gk_swiglu(gk_size n, const float *gate, const float *up, float *out) {
    for (gk_size i = GK_BLOCK * (gk_size)DEVICE_THREADS_ + GK_THREAD; i < n; i += GK_BLOCKS * (gk_size)DEVICE_THREADS_) {
        out[i] = gate[i] / (1 + gk_exp(-gate[i])) * up[i];
    }
}

// ---------------------------------------------------------------- sampling

GK_KERNEL gk_argmax(gk_size rows, gk_size columns, const float *a, gk_u32 *out) {
    for (gk_size r = GK_BLOCK; r < rows; r += GK_BLOCKS) {
        const float *x = a + r * columns;
        gk_u32 place = ~0u;
        for (gk_size i = GK_THREAD; i < columns; i += DEVICE_THREADS_) {
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
            for (gk_size i = GK_THREAD; i < columns; i += DEVICE_THREADS_) {
                int taken = before != ~0u && !(x[i] < x[before] || (x[i] == x[before] && (gk_u32)i > before));
                if (!taken && (place == ~0u || x[i] > x[place])) place = (gk_u32)i;
            }
            before = gk_block_argmax(place == ~0u ? 0 : x[place], place);
            if (GK_THREAD == 0) out[r * k + rank] = before;
        }
    }
}
