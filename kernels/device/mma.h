// Matrix units behind one step: C[16][16] += A[16][32 bytes] B[16][32 bytes]^T, by all lanes of a warp
// together.
//
// 32 bytes of a row are 8 tf32, 16 fp16 or bf16, 32 int8 or fp8 numbers. Four families: NVIDIA's mma.sync
// (m16n8, warps of 32), AMD's MFMA (16x16, waves of 64) and WMMA of RDNA 3 and RDNA 4 (16x16, waves of 32).
// Which row, byte and column a lane's words hold is the same for all types of a family; the order of k within
// a step is the hardware's own, but the same in A and B.
#ifndef GPUADVISE_MMA_H
#define GPUADVISE_MMA_H

#include "kernels/device/gk.h"

#define GK_STEP 32u  // bytes of k

// Families.
#define GK_NV 1
#define GK_MFMA 2
#define GK_WMMA3 3
#define GK_WMMA4 4
enum { GK_TF32, GK_F16, GK_BF16, GK_I8, GK_FP8, GK_FP8_FNUZ };  // types; sums are fp32, of int8 int32

#if defined(GK_CUDA)
#if __CUDA_ARCH__ >= 800
#define GK_FAMILY GK_NV
#define GK_HAS_TF32 1
#if __CUDA_ARCH__ >= 890
#define GK_HAS_FP8 1
#endif
#endif
#elif defined(__HIP__)
#if defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__)
#define GK_FAMILY GK_MFMA
#define GK_HAS_TF32 1
#if defined(__gfx942__)
#define GK_HAS_FP8_FNUZ 1
#elif defined(__gfx950__)
#define GK_HAS_FP8 1
#endif
#elif defined(__GFX11__)
#define GK_FAMILY GK_WMMA3
#elif defined(__GFX12__)
#define GK_FAMILY GK_WMMA4
#define GK_HAS_FP8 1
#endif
#else
#define GK_FAMILY ((int)shim.family)
#define GK_HAS_TF32 1
#define GK_HAS_FP8 1
#define GK_HAS_FP8_FNUZ 1
#endif

#ifdef GK_FAMILY

// Words of an operand and of an accumulator in a lane. The shim has room for the largest.
#define GK_OPERAND_WORDS (GK_FAMILY == GK_MFMA ? 2u : GK_FAMILY == GK_WMMA3 ? 8u : 4u)
#define GK_SUM_WORDS (GK_FAMILY == GK_MFMA ? 4u : 8u)
typedef struct gk_operand {
    gk_u32 w[8];
} gk_operand;
typedef struct gk_sums {
    gk_u32 w[8];
} gk_sums;

// ---------------------------------------------------------------- instructions

#if defined(GK_CUDA)

#define GK_ASM_NV(shape, types, sums)                                                                        \
    asm volatile("mma.sync.aligned." shape ".row.col." types                                                 \
                 " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"                                    \
                 : "+" sums(c0), "+" sums(c1), "+" sums(c2), "+" sums(c3)                                    \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1))

GK_FN void gk_nv_mma(int type, gk_u32 *c, const gk_u32 *a, gk_u32 b0, gk_u32 b1) {
    if (type == GK_I8) {
        int c0 = (int)c[0], c1 = (int)c[1], c2 = (int)c[2], c3 = (int)c[3];
        GK_ASM_NV("m16n8k32", "s32.s8.s8.s32", "r");
        c[0] = (gk_u32)c0, c[1] = (gk_u32)c1, c[2] = (gk_u32)c2, c[3] = (gk_u32)c3;
        return;
    }
    float c0 = gk_float(c[0]), c1 = gk_float(c[1]), c2 = gk_float(c[2]), c3 = gk_float(c[3]);
    if (type == GK_TF32) GK_ASM_NV("m16n8k8", "f32.tf32.tf32.f32", "f");
    if (type == GK_F16) GK_ASM_NV("m16n8k16", "f32.f16.f16.f32", "f");
    if (type == GK_BF16) GK_ASM_NV("m16n8k16", "f32.bf16.bf16.f32", "f");
    if (type == GK_FP8) GK_ASM_NV("m16n8k32", "f32.e4m3.e4m3.f32", "f");
    c[0] = gk_bits(c0), c[1] = gk_bits(c1), c[2] = gk_bits(c2), c[3] = gk_bits(c3);
}
#define gk_mfma(type, c, a, b) ((void)0)
#define gk_wmma3(type, c, a, b) ((void)0)
#define gk_wmma4(type, c, a, b) ((void)0)

#elif defined(__HIP__)

#define GK_VECTOR(name, type, n) typedef type name __attribute__((ext_vector_type(n)))
#define GK_AS(type, x) __builtin_bit_cast(type, x)
GK_VECTOR(gk_f2, float, 2);
GK_VECTOR(gk_f4, float, 4);
GK_VECTOR(gk_f8, float, 8);
GK_VECTOR(gk_w2, int, 2);
GK_VECTOR(gk_w4, int, 4);
GK_VECTOR(gk_w8, int, 8);
GK_VECTOR(gk_half4, _Float16, 4);
GK_VECTOR(gk_half8, _Float16, 8);
GK_VECTOR(gk_half16, _Float16, 16);
GK_VECTOR(gk_short4, short, 4);
GK_VECTOR(gk_short8, short, 8);
GK_VECTOR(gk_short16, short, 16);

#define GK_PAIR(p) ((gk_w2){(int)(p)[0], (int)(p)[1]})
#define GK_QUAD(p) ((gk_w4){(int)(p)[0], (int)(p)[1], (int)(p)[2], (int)(p)[3]})
#define GK_OCTET(p)                                                                                          \
    ((gk_w8){(int)(p)[0], (int)(p)[1], (int)(p)[2], (int)(p)[3], (int)(p)[4], (int)(p)[5], (int)(p)[6],      \
             (int)(p)[7]})
#define gk_nv_mma(type, c, a, b0, b1) ((void)0)

#if GK_FAMILY == GK_MFMA
// What some of the family lack: tf32 is done in full fp32, two instructions do 32 bytes of int8, fp8 stays
// away.
#if defined(__gfx942__)
#define GK_MFMA_TF32(f) __builtin_amdgcn_mfma_f32_16x16x8_xf32(GK_AS(gk_f2, x), GK_AS(gk_f2, y), f, 0, 0, 0)
#else
#define GK_MFMA_ONE(i, f) __builtin_amdgcn_mfma_f32_16x16x4f32(gk_float(a[i]), gk_float(b[i]), f, 0, 0, 0)
#define GK_MFMA_TF32(f) GK_MFMA_ONE(1, GK_MFMA_ONE(0, f))
#endif
#if defined(__gfx90a__)
#define GK_MFMA_HALF(i, sums) __builtin_amdgcn_mfma_i32_16x16x16i8(x[i], y[i], sums, 0, 0, 0)
#define GK_MFMA_I8(sums) GK_MFMA_HALF(1, GK_MFMA_HALF(0, sums))
#define GK_MFMA_FP8(f) (f)
#else
#define GK_MFMA_I8(sums) __builtin_amdgcn_mfma_i32_16x16x32_i8(GK_AS(long, x), GK_AS(long, y), sums, 0, 0, 0)
#define GK_MFMA_FP8(f) __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8(GK_AS(long, x), GK_AS(long, y), f, 0, 0, 0)
#endif

GK_FN void gk_mfma(int type, gk_u32 *c, const gk_u32 *a, const gk_u32 *b) {
    gk_w2 x = GK_PAIR(a), y = GK_PAIR(b);
    gk_w4 sums = GK_QUAD(c);
    gk_f4 f = GK_AS(gk_f4, sums);
    if (type == GK_F16)
        f = __builtin_amdgcn_mfma_f32_16x16x16f16(GK_AS(gk_half4, x), GK_AS(gk_half4, y), f, 0, 0, 0);
    if (type == GK_BF16)
        f = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(GK_AS(gk_short4, x), GK_AS(gk_short4, y), f, 0, 0, 0);
    if (type == GK_TF32) f = GK_MFMA_TF32(f);
    if (type >= GK_FP8) f = GK_MFMA_FP8(f);
    sums = type == GK_I8 ? GK_MFMA_I8(sums) : GK_AS(gk_w4, f);
    for (int i = 0; i < 4; i++) c[i] = (gk_u32)sums[i];
}
#else
#define gk_mfma(type, c, a, b) ((void)0)
#endif

#if GK_FAMILY == GK_WMMA3
GK_FN void gk_wmma3(int type, gk_u32 *c, const gk_u32 *a, const gk_u32 *b) {
    gk_w8 sums = GK_OCTET(c);
    gk_f8 f = GK_AS(gk_f8, sums);
    if (type == GK_I8) {
        sums = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(1, GK_QUAD(a), 1, GK_QUAD(b), sums, 0);
    } else {
        gk_w8 x = GK_OCTET(a), y = GK_OCTET(b);
        if (type == GK_F16)
            f = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(GK_AS(gk_half16, x), GK_AS(gk_half16, y), f);
        if (type == GK_BF16)
            f = __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(GK_AS(gk_short16, x), GK_AS(gk_short16, y), f);
        sums = GK_AS(gk_w8, f);
    }
    for (int i = 0; i < 8; i++) c[i] = (gk_u32)sums[i];
}
#else
#define gk_wmma3(type, c, a, b) ((void)0)
#endif

#if GK_FAMILY == GK_WMMA4
GK_FN void gk_wmma4(int type, gk_u32 *c, const gk_u32 *a, const gk_u32 *b) {
    gk_w8 sums = GK_OCTET(c);
    gk_f8 f = GK_AS(gk_f8, sums);
    if (type == GK_I8) {
        sums = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32_gfx12(1, GK_PAIR(a), 1, GK_PAIR(b), sums, 0);
    } else if (type == GK_FP8) {
        sums = GK_AS(gk_w8, __builtin_amdgcn_wmma_f32_16x16x16_fp8_fp8_w32_gfx12(GK_PAIR(a), GK_PAIR(b), f));
    } else {
        gk_w4 x = GK_QUAD(a), y = GK_QUAD(b);
        if (type == GK_F16)
            f = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(GK_AS(gk_half8, x), GK_AS(gk_half8, y), f);
        if (type == GK_BF16)
            f = __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32_gfx12(GK_AS(gk_short8, x), GK_AS(gk_short8, y),
                                                                  f);
        sums = GK_AS(gk_w8, f);
    }
    for (int i = 0; i < 8; i++) c[i] = (gk_u32)sums[i];
}
#else
#define gk_wmma4(type, c, a, b) ((void)0)
#endif

#endif

// ---------------------------------------------------------------- a step of any family

// Which row and byte of a 16 x 32-byte operand word `w` of a lane holds.
GK_FN gk_u32 gk_operand_row(gk_u32 lane, gk_u32 w) {
    return GK_FAMILY == GK_NV ? lane / 4 + w % 2 * 8 : lane % 16;
}
GK_FN gk_u32 gk_operand_byte(gk_u32 lane, gk_u32 w) {
    return GK_FAMILY == GK_NV      ? lane % 4 * 4 + w / 2 * 16
           : GK_FAMILY == GK_MFMA  ? lane / 16 * 8 + w * 4
           : GK_FAMILY == GK_WMMA3 ? w * 4
                                   : lane / 16 * 16 + w * 4;
}

// Which row and column of C word `w` of a lane holds.
GK_FN gk_u32 gk_sum_row(gk_u32 lane, gk_u32 w) {
    return GK_FAMILY == GK_NV      ? lane / 4 + w % 4 / 2 * 8
           : GK_FAMILY == GK_MFMA  ? lane / 16 * 4 + w
           : GK_FAMILY == GK_WMMA3 ? w * 2 + lane / 16
                                   : lane / 16 * 8 + w;
}
GK_FN gk_u32 gk_sum_column(gk_u32 lane, gk_u32 w) {
    return GK_FAMILY == GK_NV ? w / 4 * 8 + lane % 4 * 2 + w % 2 : lane % 16;
}

// From 16 rows in shared memory, `pitch` bytes apart, each at a multiple of four bytes.
GK_FN void gk_operand_load(gk_operand *o, const gk_u8 *rows, gk_u32 pitch) {
    gk_u32 lane = GK_THREAD % GK_WARP;
    GK_UNROLL for (gk_u32 w = 0; w < GK_OPERAND_WORDS; w++) {
        o->w[w] = *(const gk_u32 *)(const void *)(rows + gk_operand_row(lane, w) * pitch +
                                                  gk_operand_byte(lane, w));
    }
}

// Every lane of the warp must call it.
GK_FN void gk_mma(int type, gk_sums *c, const gk_operand *a, const gk_operand *b) {
    if (GK_FAMILY == GK_NV) {
        gk_nv_mma(type, c->w, a->w, b->w[0], b->w[2]);      // columns 0-7
        gk_nv_mma(type, c->w + 4, a->w, b->w[1], b->w[3]);  // columns 8-15
    } else if (GK_FAMILY == GK_MFMA) {
        gk_mfma(type, c->w, a->w, b->w);
    } else if (GK_FAMILY == GK_WMMA3) {
        gk_wmma3(type, c->w, a->w, b->w);
        if (type == GK_I8) gk_wmma3(type, c->w, a->w + 4, b->w + 4);  // sixteen bytes an instruction
    } else {
        gk_wmma4(type, c->w, a->w, b->w);
        if (type >= GK_I8) gk_wmma4(type, c->w, a->w + 2, b->w + 2);
    }
}

#endif
#endif
