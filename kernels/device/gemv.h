// y = W x of a decode step: every weight is read once, so that the speed is that of memory. A warp makes a
// row.
#ifndef GPUADVISE_GEMV_H
#define GPUADVISE_GEMV_H

#include "kernels/device/block.h"

// Warps of the grid take rows in turn.
#define GEMV_ROWS(r, rows)                                                                                   \
    for (gk_size r = GK_BLOCK * (gk_size)(GK_THREADS / GK_WARP) + GK_THREAD / GK_WARP; r < (rows);           \
         r += GK_BLOCKS * (gk_size)(GK_THREADS / GK_WARP))

// Sixteen bytes an instruction where rows start at multiples of that; `end`: the elements done so.
GK_FN gk_size gk_gemv_even(gk_size columns, gk_u32 size) { return columns * size % 16 == 0 ? columns : 0; }

GK_KERNEL gk_gemv_bf16(gk_size rows, gk_size columns, const gk_u16 *w, const gk_u16 *x, float *y) {
    gk_u32 lane = GK_THREAD % GK_WARP;
    gk_size even = gk_gemv_even(columns, 2);
    GEMV_ROWS(r, rows) {
        const gk_u16 *row = w + r * columns;
        float low = 0, high = 0;
        for (gk_size i = lane * 8; i < even; i += GK_WARP * 8) {
            gk_quad a = *(const gk_quad *)(const void *)(row + i),
                    b = *(const gk_quad *)(const void *)(x + i);
            GK_UNROLL for (gk_u32 q = 0; q < 4; q++) {
                low += gk_bf16_low(a[q]) * gk_bf16_low(b[q]);
                high += gk_bf16_high(a[q]) * gk_bf16_high(b[q]);
            }
        }
        for (gk_size i = even + lane; i < columns; i += GK_WARP) low += gk_bf16(row[i]) * gk_bf16(x[i]);
        low = gk_warp_sum(low + high);
        if (lane == 0) y[r] = low;
    }
}

// Four weights of a word against four numbers.
GK_FN float gk_dot_i8(gk_u32 w, gk_floats x) {
    return (float)(gk_i8)w * x[0] + (float)(gk_i8)(w >> 8) * x[1] + (float)(gk_i8)(w >> 16) * x[2] +
           (float)(gk_i8)(w >> 24) * x[3];
}

#if defined(GK_CUDA) && __CUDA_ARCH__ >= 890
GK_FN float gk_dot_e4m3(gk_u32 w, gk_floats x) {
    gk_u32 pairs[2];
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(pairs[0]) : "h"((gk_u16)w));
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(pairs[1]) : "h"((gk_u16)(w >> 16)));
    float sum = 0;
    GK_UNROLL for (gk_u32 i = 0; i < 4; i++) sum += gk_half((gk_u16)(pairs[i / 2] >> i % 2 * 16)) * x[i];
    return sum;
}
#elif defined(__HIP__) && defined(__GFX12__)
GK_FN float gk_dot_e4m3(gk_u32 w, gk_floats x) {
    return __builtin_amdgcn_cvt_f32_fp8((int)w, 0) * x[0] + __builtin_amdgcn_cvt_f32_fp8((int)w, 1) * x[1] +
           __builtin_amdgcn_cvt_f32_fp8((int)w, 2) * x[2] + __builtin_amdgcn_cvt_f32_fp8((int)w, 3) * x[3];
}
#else
GK_FN float gk_dot_e4m3(gk_u32 w, gk_floats x) {
    return gk_e4m3(w & 0xFF) * x[0] + gk_e4m3(w >> 8 & 0xFF) * x[1] + gk_e4m3(w >> 16 & 0xFF) * x[2] +
           gk_e4m3(w >> 24) * x[3];
}
#endif

#define GK_FLOATS(p) (*(const gk_floats *)(const void *)(p))

#define GEMV_OF_BYTES(name, type, dot, one)                                                                  \
    GK_KERNEL name(gk_size rows, gk_size columns, const type *w, const float *x, const float *scales,        \
                   float *y) {                                                                               \
        gk_u32 lane = GK_THREAD % GK_WARP;                                                                   \
        gk_size even = gk_gemv_even(columns, 1);                                                             \
        GEMV_ROWS(r, rows) {                                                                                 \
            const type *row = w + r * columns;                                                               \
            float sum = 0;                                                                                   \
            for (gk_size i = lane * 16; i < even; i += GK_WARP * 16) {                                       \
                gk_quad a = *(const gk_quad *)(const void *)(row + i);                                       \
                GK_UNROLL for (gk_u32 q = 0; q < 4; q++) sum += dot(a[q], GK_FLOATS(x + i + 4 * q));         \
            }                                                                                                \
            for (gk_size i = even + lane; i < columns; i += GK_WARP) sum += one(row[i]) * x[i];              \
            sum = gk_warp_sum(sum);                                                                          \
            if (lane == 0) y[r] = sum * scales[r];                                                           \
        }                                                                                                    \
    }

GEMV_OF_BYTES(gk_gemv_i8, gk_i8, gk_dot_i8, (float))
GEMV_OF_BYTES(gk_gemv_fp8, gk_u8, gk_dot_e4m3, gk_e4m3)

// Rows of a warp at once where weights are of four bits: the other side, many times as large, is fetched for
// all of them. Rows past the last one do as the last: none is written twice.
#define GEMV_AT_ONCE 4u
#define GEMV_WORDS 4u  // of 32 weights
#define GEMV_GROUPS(first, n, rows)                                                                          \
    for (gk_size first = (GK_BLOCK * (gk_size)(GK_THREADS / GK_WARP) + GK_THREAD / GK_WARP) * GEMV_AT_ONCE,  \
                 n;                                                                                          \
         first < (rows) && (n = (rows)-first < GEMV_AT_ONCE ? (rows)-first : GEMV_AT_ONCE) > 0;              \
         first += GK_BLOCKS * (gk_size)(GK_THREADS / GK_WARP) * GEMV_AT_ONCE)

GK_FN void gk_gemv_write(const float *sums, gk_size n, float *y) {
    GK_UNROLL for (gk_u32 r = 0; r < GEMV_AT_ONCE; r++) {
        float sum = gk_warp_sum(sums[r]);
        if (GK_THREAD % GK_WARP == 0 && r < n) y[r] = sum;
    }
}

// Weight `p` of the four in the low half of a word, less 8, times 16^p: where it stands, in a float whose
// bits count ones. Its number of the other side is divided by that once for all rows.
GK_FN float gk_i4(gk_u32 w, gk_u32 p) {
    return gk_float(0x4B000000u | (w & 15u << 4 * p)) - (8388608.0f + (float)(8u << 4 * p));
}
GK_FN float gk_i4_other(float x, gk_u32 p) { return x * gk_float((127u - 4 * p) << 23); }

// Groups of 128 weights of four bits with one scale: 64 bytes, the even weight in the low half of a byte,
// stored plus 8. A lane takes a quarter.
GK_KERNEL gk_gemv_i4(gk_size rows, gk_size groups, const gk_u8 *w, const float *x, const float *scales,
                     float *y) {
    GEMV_GROUPS(first, n, rows) {
        float sums[GEMV_AT_ONCE] = {0, 0, 0, 0};
        for (gk_size piece = GK_THREAD % GK_WARP; piece < groups * 4; piece += GK_WARP) {
            gk_quad weights[GEMV_AT_ONCE];
            float parts[GEMV_AT_ONCE] = {0, 0, 0, 0}, scale[GEMV_AT_ONCE];
            GK_UNROLL for (gk_u32 r = 0; r < GEMV_AT_ONCE; r++) {
                gk_size row = first + (r < n ? r : n - 1);
                weights[r] = *(const gk_quad *)(const void *)(w + (row * groups * 4 + piece) * 16);
                scale[r] = scales[row * groups + piece / 4];
            }
            GK_UNROLL for (gk_u32 q = 0; q < GEMV_WORDS; q++) {
                gk_floats four = GK_FLOATS(x + piece * 32 + q * 8),
                          next = GK_FLOATS(x + piece * 32 + q * 8 + 4);
                GK_UNROLL for (gk_u32 p = 0; p < 4; p++) {
                    float low = gk_i4_other(four[p], p), high = gk_i4_other(next[p], p);
                    GK_UNROLL for (gk_u32 r = 0; r < GEMV_AT_ONCE; r++) {
                        parts[r] = gk_fma(gk_i4(weights[r][q], p), low, parts[r]);
                        parts[r] = gk_fma(gk_i4(weights[r][q] >> 16, p), high, parts[r]);
                    }
                }
            }
            GK_UNROLL for (gk_u32 r = 0; r < GEMV_AT_ONCE; r++) sums[r] = gk_fma(parts[r], scale[r], sums[r]);
        }
        gk_gemv_write(sums, n, y + first);
    }
}

// Of the e2m1 numbers of a word number p and p + 4, as fp16 in the two halves and 2^-14 times as large: their
// bits then need no other change.
GK_FN gk_u32 gk_e2m1_pair(gk_u32 w, gk_u32 p) {
    gk_u32 sign = p < 3 ? w << (12 - 4 * p) : w, rest = p < 3 ? w << (9 - 4 * p) : w >> 3;
    return (sign & 0x80008000u) | (rest & 0x0E000E00u);
}

// Blocks of 32 with one scale, the even weight in the low half of a byte. A lane takes a block.
GK_KERNEL gk_gemv_mxfp4(gk_size rows, gk_size blocks, const gk_u8 *w, const gk_u16 *x, const gk_u8 *scales,
                        float *y) {
    GEMV_GROUPS(first, n, rows) {
        float sums[GEMV_AT_ONCE] = {0, 0, 0, 0};
        for (gk_size b = GK_THREAD % GK_WARP; b < blocks; b += GK_WARP) {
            gk_quad weights[GEMV_AT_ONCE];
            float parts[GEMV_AT_ONCE] = {0, 0, 0, 0}, scale[GEMV_AT_ONCE];
            GK_UNROLL for (gk_u32 r = 0; r < GEMV_AT_ONCE; r++) {
                gk_size at = (first + (r < n ? r : n - 1)) * blocks + b;
                weights[r] = *(const gk_quad *)(const void *)(w + at * 16);
                scale[r] = gk_e8m0(scales[at]);
            }
            GK_UNROLL for (gk_u32 q = 0; q < GEMV_WORDS; q++) {
                gk_quad eight = *(const gk_quad *)(const void *)(x + b * 32 + q * 8);
                GK_UNROLL for (gk_u32 r = 0; r < GEMV_AT_ONCE; r++) {
                    GK_UNROLL for (gk_u32 p = 0; p < 4; p++) {
                        gk_u32 pair = gk_e2m1_pair(weights[r][q], p);
                        float low = p % 2 == 0 ? gk_bf16_low(eight[p / 2]) : gk_bf16_high(eight[p / 2]);
                        float high =
                            p % 2 == 0 ? gk_bf16_low(eight[p / 2 + 2]) : gk_bf16_high(eight[p / 2 + 2]);
                        parts[r] = gk_fma(gk_half((gk_u16)pair), low, parts[r]);
                        parts[r] = gk_fma(gk_half((gk_u16)(pair >> 16)), high, parts[r]);
                    }
                }
            }
            GK_UNROLL for (gk_u32 r = 0; r < GEMV_AT_ONCE; r++) sums[r] =
                gk_fma(parts[r] * 16384.0f, scale[r], sums[r]);
        }
        gk_gemv_write(sums, n, y + first);
    }
}

#endif
