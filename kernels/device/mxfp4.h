// A step of C += A B^T in OCP MXFP4 by matrix units that take the scales along: NVIDIA's mma.sync of sm_120a,
// AMD's MFMA of gfx950.
//
// Rows of 64 bytes in shared memory hold 128 numbers e2m1, the even one in the low half of a byte; a word a
// row their four scales (e8m0), of 32 numbers each. NVIDIA takes two steps of 32 bytes, AMD one of 64. Sums
// lie as those of the family's other products do.
#ifndef GPUADVISE_MXFP4_H
#define GPUADVISE_MXFP4_H

#include "kernels/device/mma.h"

#if defined(GK_SM120A) || defined(__CUDA_ARCH_FEAT_SM120_ALL) || defined(__gfx950__)
#define GK_HAS_MXFP4 1
#elif !defined(GK_CUDA) && !defined(__HIP__)
#define GK_HAS_MXFP4 1
#endif

#ifdef GK_HAS_MXFP4

#define MX_BYTES 64u  // of a row

#if defined(GK_CUDA)
// Two bytes of `x` are the scales of a row of A, of `y` those of a column of B: lane 4 i has row i, lane 4 i
// + 1 row i + 8, lane 4 j column j.
GK_FN void gk_nv_mxfp4(gk_u32 *c, const gk_u32 *a, gk_u32 b0, gk_u32 b1, gk_u32 x, gk_u32 y) {
    float c0 = gk_float(c[0]), c1 = gk_float(c[1]), c2 = gk_float(c[2]), c3 = gk_float(c[3]);
    asm volatile(
        "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3}, %10, {0,0}, %11, {0,0};"
        : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1), "r"(x), "r"(y));
    c[0] = gk_bits(c0), c[1] = gk_bits(c1), c[2] = gk_bits(c2), c[3] = gk_bits(c3);
}
#define gk_mfma_mxfp4(c, a, b, x, y) ((void)0)
#elif defined(__HIP__)
#define gk_nv_mxfp4(c, a, b0, b1, x, y) ((void)0)
// The low byte of `x` is the scale of a lane's 32 numbers of A, of `y` that of B. 4: e2m1.
GK_FN void gk_mfma_mxfp4(gk_u32 *c, const gk_u32 *a, const gk_u32 *b, gk_u32 x, gk_u32 y) {
    gk_w8 left = {(int)a[0], (int)a[1], (int)a[2], (int)a[3], 0, 0, 0, 0},
          right = {(int)b[0], (int)b[1], (int)b[2], (int)b[3], 0, 0, 0, 0};
    gk_f4 f = {gk_float(c[0]), gk_float(c[1]), gk_float(c[2]), gk_float(c[3])};
    f = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(left, right, f, 4, 4, 0, (int)x, 0, (int)y);
    for (int i = 0; i < 4; i++) c[i] = gk_bits(f[i]);
}
#endif

// A lane's sixteen bytes of a row for the MFMA: 32 numbers, one scale.
GK_FN void gk_mfma_load(gk_operand *o, const gk_u8 *rows, gk_u32 pitch) {
    gk_u32 lane = GK_THREAD % GK_WARP;
    gk_quad q = *(const gk_quad *)(const void *)(rows + lane % 16 * pitch + lane / 16 * 16);
    GK_UNROLL for (gk_u32 w = 0; w < 4; w++) o->w[w] = q[w];
}

// `down` times `across` tiles of 16 x 16 from rows of A and B and their scales in shared memory.
GK_FN void gk_mxfp4_steps(gk_u32 down, gk_u32 across, const gk_u8 *left, const gk_u8 *right, gk_u32 pitch,
                          const gk_u32 *left_scales, const gk_u32 *right_scales, gk_sums *sums) {
    gk_u32 lane = GK_THREAD % GK_WARP, steps = GK_FAMILY == GK_NV ? 2 : 1;
    GK_UNROLL for (gk_u32 s = 0; s < steps; s++) {
        gk_operand a[4], b[4];
        gk_u32 shift = GK_FAMILY == GK_NV ? s * 16 : lane / 16 * 8;
        GK_UNROLL for (gk_u32 i = 0; i < down; i++) {
            if (GK_FAMILY == GK_NV) gk_operand_load(&a[i], left + i * 16 * pitch + s * GK_STEP, pitch);
            if (GK_FAMILY == GK_MFMA) gk_mfma_load(&a[i], left + i * 16 * pitch, pitch);
        }
        GK_UNROLL for (gk_u32 j = 0; j < across; j++) {
            if (GK_FAMILY == GK_NV) gk_operand_load(&b[j], right + j * 16 * pitch + s * GK_STEP, pitch);
            if (GK_FAMILY == GK_MFMA) gk_mfma_load(&b[j], right + j * 16 * pitch, pitch);
        }
        GK_UNROLL for (gk_u32 i = 0; i < down; i++) {
            gk_u32 x =
                left_scales[i * 16 + (GK_FAMILY == GK_NV ? lane / 4 + lane % 2 * 8 : lane % 16)] >> shift;
            GK_UNROLL for (gk_u32 j = 0; j < across; j++) {
                gk_sums *c = &sums[i * across + j];
                const gk_u32 *y = right_scales + j * 16;
                if (GK_FAMILY == GK_NV) {
                    // columns 0-7
                    gk_nv_mxfp4(c->w, a[i].w, b[j].w[0], b[j].w[2], x, y[lane / 4] >> shift);
                    // columns 8-15
                    gk_nv_mxfp4(c->w + 4, a[i].w, b[j].w[1], b[j].w[3], x, y[lane / 4 + 8] >> shift);
                } else {
                    gk_mfma_mxfp4(c->w, a[i].w, b[j].w, x & 0xFF, y[lane % 16] >> shift & 0xFF);
                }
            }
        }
    }
}

#endif
#endif
