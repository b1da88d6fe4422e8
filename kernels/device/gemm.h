// C = A B^T on matrix units: both operands with k along the row, as activations and weights of a layer are.
//
// A block of 256 threads makes 128 x 128 of C. 64 bytes of k at a time go to shared memory, the next ones are
// on their way in registers meanwhile. Rows past the edge and bytes past k are zeros, so that any size is
// right.
#ifndef GPUADVISE_GEMM_H
#define GPUADVISE_GEMM_H

#include "kernels/device/mma.h"
#include "kernels/device/mxfp4.h"

#ifdef GK_FAMILY

#define GEMM_THREADS 256u
#define GEMM_SIDE 128u
#define GEMM_DEPTH 64u  // bytes of k
#define GEMM_PITCH 80u  // of a row in shared memory: eight rows then start in eight different groups of banks
#define GEMM_MOVES (GEMM_SIDE * GEMM_DEPTH / 16 / GEMM_THREADS)
#define GEMM_ACROSS 4u                              // 16 x 16 tiles of a warp
#define GEMM_DOWN (GK_FAMILY == GK_MFMA ? 4u : 2u)  // a wave of 64 makes twice as much
#define GEMM_DOWN_MAX 4

typedef struct gk_matrix {
    const gk_u8 *bytes;
    gk_size rows, row_bytes;
} gk_matrix;

// Sixteen bytes of a row, zeros where there are none. Byte by byte where rows do not start at multiples of
// sixteen.
GK_FN gk_quad gk_matrix_quad(const gk_matrix *m, gk_size row, gk_size at) {
    gk_quad q = {0, 0, 0, 0};
    if (row >= m->rows || at >= m->row_bytes) return q;
    const gk_u8 *from = m->bytes + row * m->row_bytes + at;
    if (m->row_bytes % 16 == 0) return *(const gk_quad *)(const void *)from;
    gk_size left = m->row_bytes - at;
    GK_LOOP for (gk_u32 i = 16; i-- > 0;) {
        gk_u32 byte = i < left ? from[i] : 0;
        gk_quad moved = {q[0] << 8 | byte, q[1] << 8 | q[0] >> 24, q[2] << 8 | q[1] >> 24,
                         q[3] << 8 | q[2] >> 24};
        q = moved;
    }
    return q;
}

GK_FN void gk_gemm_fetch(const gk_matrix *m, gk_size row, gk_size at, gk_quad *moved) {
    GK_UNROLL for (gk_u32 i = 0; i < GEMM_MOVES; i++) {
        gk_u32 piece = GK_THREAD + i * GEMM_THREADS;
        moved[i] = gk_matrix_quad(m, row + piece / (GEMM_DEPTH / 16), at + piece % (GEMM_DEPTH / 16) * 16);
    }
}

GK_FN void gk_gemm_put(gk_u8 *shared, const gk_quad *moved) {
    GK_UNROLL for (gk_u32 i = 0; i < GEMM_MOVES; i++) {
        gk_u32 piece = GK_THREAD + i * GEMM_THREADS;
        *(gk_quad *)(void *)(shared + piece / (GEMM_DEPTH / 16) * GEMM_PITCH +
                             piece % (GEMM_DEPTH / 16) * 16) = moved[i];
    }
}

// What a warp does with the bytes of k in shared memory.
GK_FN void gk_gemm_steps(int type, const gk_u8 *left, const gk_u8 *right, gk_sums *sums) {
    GK_UNROLL for (gk_u32 at = 0; at < GEMM_DEPTH; at += GK_STEP) {
        gk_operand a[GEMM_DOWN_MAX], b[GEMM_ACROSS];
        GK_UNROLL for (gk_u32 i = 0; i < GEMM_DOWN; i++)
            gk_operand_load(&a[i], left + i * 16 * GEMM_PITCH + at, GEMM_PITCH);
        GK_UNROLL for (gk_u32 j = 0; j < GEMM_ACROSS; j++)
            gk_operand_load(&b[j], right + j * 16 * GEMM_PITCH + at, GEMM_PITCH);
        GK_UNROLL for (gk_u32 i = 0; i < GEMM_DOWN; i++) {
            GK_UNROLL for (gk_u32 j = 0; j < GEMM_ACROSS; j++)
                gk_mma(type, &sums[i * GEMM_ACROSS + j], &a[i], &b[j]);
        }
    }
}

GK_FN void gk_gemm_write(gk_size m, gk_size n, gk_size row, gk_size column, const gk_sums *sums, gk_u32 *c) {
    gk_u32 lane = GK_THREAD % GK_WARP;
    GK_UNROLL for (gk_u32 t = 0; t < GEMM_DOWN * GEMM_ACROSS; t++) {
        GK_UNROLL for (gk_u32 w = 0; w < GK_SUM_WORDS; w++) {
            gk_size i = row + t / GEMM_ACROSS * 16 + gk_sum_row(lane, w),
                    j = column + t % GEMM_ACROSS * 16 + gk_sum_column(lane, w);
            if (i < m && j < n) c[i * n + j] = sums[t].w[w];
        }
    }
}

GK_FN void gk_gemm_nt(int type, gk_u32 size, gk_size m, gk_size n, gk_size k, const void *a, const void *b,
                      gk_u32 *c) {
    GK_SHARED_ARRAY(gk_quad, shared, 4 * GEMM_SIDE * GEMM_PITCH / 16);  // A and B, twice
    gk_u8 *half = (gk_u8 *)shared;
    gk_matrix left = {(const gk_u8 *)a, m, k * size}, right = {(const gk_u8 *)b, n, k * size};
    gk_size across = (n + GEMM_SIDE - 1) / GEMM_SIDE, tiles = (m + GEMM_SIDE - 1) / GEMM_SIDE * across;
    gk_u32 warp = GK_THREAD / GK_WARP, down = warp / 2 * GEMM_DOWN * 16,
           right_half = warp % 2 * GEMM_ACROSS * 16;
    for (gk_size t = GK_BLOCK; t < tiles; t += GK_BLOCKS) {
        gk_size row = t / across * GEMM_SIDE, column = t % across * GEMM_SIDE;
        gk_sums sums[GEMM_DOWN_MAX * GEMM_ACROSS];
        gk_quad moved_a[GEMM_MOVES], moved_b[GEMM_MOVES];
        GK_UNROLL for (gk_u32 i = 0; i < GEMM_DOWN * GEMM_ACROSS; i++) {
            GK_UNROLL for (gk_u32 w = 0; w < GK_SUM_WORDS; w++) sums[i].w[w] = 0;
        }
        gk_gemm_fetch(&left, row, 0, moved_a);
        gk_gemm_fetch(&right, column, 0, moved_b);
        for (gk_size at = 0; at < left.row_bytes; at += GEMM_DEPTH) {
            gk_u8 *now = half + (at / GEMM_DEPTH % 2 == 0 ? 0 : 2 * GEMM_SIDE * GEMM_PITCH);
            gk_gemm_put(now, moved_a);
            gk_gemm_put(now + GEMM_SIDE * GEMM_PITCH, moved_b);
            gk_barrier();  // one is enough: the other half is free once all are here
            gk_gemm_fetch(&left, row, at + GEMM_DEPTH, moved_a);
            gk_gemm_fetch(&right, column, at + GEMM_DEPTH, moved_b);
            gk_gemm_steps(type, now + down * GEMM_PITCH, now + (GEMM_SIDE + right_half) * GEMM_PITCH, sums);
        }
        gk_barrier();  // the next tile starts with the first half again
        gk_gemm_write(m, n, row + down, column + right_half, sums, c);
    }
}

GK_KERNEL_OF(256) gk_gemm_f16(gk_size m, gk_size n, gk_size k, const gk_u16 *a, const gk_u16 *b, float *c) {
    gk_gemm_nt(GK_F16, 2, m, n, k, a, b, (gk_u32 *)(void *)c);
}
GK_KERNEL_OF(256) gk_gemm_bf16(gk_size m, gk_size n, gk_size k, const gk_u16 *a, const gk_u16 *b, float *c) {
    gk_gemm_nt(GK_BF16, 2, m, n, k, a, b, (gk_u32 *)(void *)c);
}
GK_KERNEL_OF(256) gk_gemm_i8(gk_size m, gk_size n, gk_size k, const gk_i8 *a, const gk_i8 *b, int *c) {
    gk_gemm_nt(GK_I8, 1, m, n, k, a, b, (gk_u32 *)(void *)c);
}
#ifdef GK_HAS_TF32
GK_KERNEL_OF(256) gk_gemm_tf32(gk_size m, gk_size n, gk_size k, const float *a, const float *b, float *c) {
    gk_gemm_nt(GK_TF32, 4, m, n, k, a, b, (gk_u32 *)(void *)c);
}
#endif
#ifdef GK_HAS_FP8
GK_KERNEL_OF(256) gk_gemm_fp8(gk_size m, gk_size n, gk_size k, const gk_u8 *a, const gk_u8 *b, float *c) {
    gk_gemm_nt(GK_FP8, 1, m, n, k, a, b, (gk_u32 *)(void *)c);
}
#endif
#ifdef GK_HAS_FP8_FNUZ
GK_KERNEL_OF(256)
gk_gemm_fp8_fnuz(gk_size m, gk_size n, gk_size k, const gk_u8 *a, const gk_u8 *b, float *c) {
    gk_gemm_nt(GK_FP8_FNUZ, 1, m, n, k, a, b, (gk_u32 *)(void *)c);
}
#endif

#ifdef GK_HAS_MXFP4
// The scales of a row's next 64 bytes; none past the edge, where the numbers are zeros.
GK_FN gk_u32 gk_mxfp4_scales(const gk_u8 *scales, gk_size rows, gk_size blocks, gk_size row, gk_size block) {
    gk_u32 word = 0;
    if (row >= rows) return 0;
    if (blocks % 4 == 0)
        return block < blocks ? *(const gk_u32 *)(const void *)(scales + row * blocks + block) : 0;
    GK_UNROLL for (gk_u32 i = 0; i < 4; i++) word |=
        block + i < blocks ? (gk_u32)scales[row * blocks + block + i] << 8 * i : 0;
    return word;
}

// As gk_gemm_nt; a thread brings the scales of one row of A or B.
GK_KERNEL_OF(256)
gk_gemm_mxfp4(gk_size m, gk_size n, gk_size blocks, const gk_u8 *a, const gk_u8 *b, const gk_u8 *a_scales,
              const gk_u8 *b_scales, float *c) {
    GK_SHARED_ARRAY(gk_quad, shared, 4 * GEMM_SIDE * GEMM_PITCH / 16);
    GK_SHARED_ARRAY(gk_u32, shared_scales, 2 * GEMM_THREADS);
    gk_u8 *half = (gk_u8 *)shared;
    gk_matrix left = {a, m, blocks * 16}, right = {b, n, blocks * 16};
    gk_size across = (n + GEMM_SIDE - 1) / GEMM_SIDE, tiles = (m + GEMM_SIDE - 1) / GEMM_SIDE * across;
    gk_u32 warp = GK_THREAD / GK_WARP, down = warp / 2 * GEMM_DOWN * 16,
           right_half = warp % 2 * GEMM_ACROSS * 16, first = GK_THREAD % GEMM_SIDE;
    int of_b = GK_THREAD >= GEMM_SIDE;
    const gk_u8 *scales = of_b ? b_scales : a_scales;
    gk_size rows = of_b ? n : m;
    for (gk_size t = GK_BLOCK; t < tiles; t += GK_BLOCKS) {
        gk_size row = t / across * GEMM_SIDE, column = t % across * GEMM_SIDE;
        gk_sums sums[GEMM_DOWN_MAX * GEMM_ACROSS];
        GK_UNROLL for (gk_u32 i = 0; i < GEMM_DOWN * GEMM_ACROSS; i++) {
            GK_UNROLL for (gk_u32 w = 0; w < GK_SUM_WORDS; w++) sums[i].w[w] = 0;
        }
        gk_quad moved_a[GEMM_MOVES], moved_b[GEMM_MOVES];
        gk_gemm_fetch(&left, row, 0, moved_a);
        gk_gemm_fetch(&right, column, 0, moved_b);
        gk_u32 moved_scales = gk_mxfp4_scales(scales, rows, blocks, first + (of_b ? column : row), 0);
        for (gk_size at = 0; at < left.row_bytes; at += GEMM_DEPTH) {
            gk_u32 odd = (gk_u32)(at / GEMM_DEPTH % 2);
            gk_u8 *now = half + odd * 2 * GEMM_SIDE * GEMM_PITCH;
            gk_u32 *now_scales = shared_scales + odd * GEMM_THREADS;
            gk_gemm_put(now, moved_a);
            gk_gemm_put(now + GEMM_SIDE * GEMM_PITCH, moved_b);
            now_scales[GK_THREAD] = moved_scales;
            gk_barrier();  // one is enough: the other half is free once all are here
            gk_gemm_fetch(&left, row, at + GEMM_DEPTH, moved_a);
            gk_gemm_fetch(&right, column, at + GEMM_DEPTH, moved_b);
            moved_scales =
                gk_mxfp4_scales(scales, rows, blocks, first + (of_b ? column : row), (at + GEMM_DEPTH) / 16);
            gk_mxfp4_steps(GEMM_DOWN, GEMM_ACROSS, now + down * GEMM_PITCH,
                           now + (GEMM_SIDE + right_half) * GEMM_PITCH, GEMM_PITCH, now_scales + down,
                           now_scales + GEMM_SIDE + right_half, sums);
        }
        gk_barrier();  // the next tile starts with the first half again
        gk_gemm_write(m, n, row + down, column + right_half, sums, (gk_u32 *)(void *)c);
    }
}
#endif

#endif
#endif
