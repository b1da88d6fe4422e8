// C = A B^T by Hopper's warpgroups: 128 threads multiply 64 x 256, both operands read from shared memory,
// while they go on.
//
// A block of two warpgroups makes 128 x 256 of C. 128 bytes of k are a stage: rows of 128 bytes, their pieces
// of sixteen permuted within eight rows so that no two meet in a bank (the hardware's swizzle of 128 bytes).
// Four stages: one is multiplied, one still may be, two are on their way. Rows past the edge and bytes past k
// are zeros. The products read through a proxy of their own: what a thread wrote or copied is fenced for it
// first.
#ifndef GPUADVISE_WGMMA_H
#define GPUADVISE_WGMMA_H

#include "kernels/device/gemm.h"

// Only for compute capability 9.0 itself: later GPUs have no such instruction.
#if defined(GK_CUDA) && defined(__CUDA_ARCH_FEAT_SM90_ALL) && !defined(__CUDACC_RTC__)
#define GK_HAS_WGMMA 1
#elif !defined(GK_CUDA) && !defined(__HIP__)
#define GK_HAS_WGMMA 1
#endif

#ifdef GK_HAS_WGMMA

#define WG_THREADS 256u
#define WG_DOWN 128u
#define WG_ACROSS 256u
#define WG_DEPTH 128u  // bytes of k of a stage
#define WG_STAGES 4u
#define WG_AHEAD 2u  // stages on their way
#define WG_STAGE ((WG_DOWN + WG_ACROSS) * WG_DEPTH)
#define WG_SUMS 128u    // of a thread
#define WG_EIGHT 1024u  // bytes of eight rows

#if defined(GK_CUDA)

#define GK_DYNAMIC_ARRAY(type, name, n) extern __attribute__((shared, aligned(1024))) type name[]

GK_FN gk_u32 gk_shared_address(const void *p) {
    gk_u32 address;
    asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(address) : "l"(p));
    return address;
}
// Sixteen bytes on their way to shared memory, zeros where `some` is 0; all of a thread since its last commit
// are one group.
GK_FN void gk_copy_async(gk_quad *to, const gk_u8 *from, int some) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :
                 : "r"(gk_shared_address(to)), "l"(from), "r"(some != 0 ? 16 : 0)
                 : "memory");
}
GK_FN void gk_copy_put(gk_quad *to, gk_quad x) { *to = x; }
GK_FN void gk_copy_commit(void) { asm volatile("cp.async.commit_group;" : : : "memory"); }
// Until all groups of this thread but the newest WG_AHEAD - 1 are there.
GK_FN void gk_copy_wait(void) { asm volatile("cp.async.wait_group 1;" : : : "memory"); }
GK_FN void gk_proxy_fence(void) { asm volatile("fence.proxy.async.shared::cta;" : : : "memory"); }
GK_FN void gk_wgmma_fence(void) { asm volatile("wgmma.fence.sync.aligned;" : : : "memory"); }
GK_FN void gk_wgmma_commit(void) { asm volatile("wgmma.commit_group.sync.aligned;" : : : "memory"); }
// Until all products but the newest `left` groups are done.
GK_FN void gk_wgmma_wait(int left) {
    if (left == 1) asm volatile("wgmma.wait_group.sync.aligned 1;" : : : "memory");
    if (left == 0) asm volatile("wgmma.wait_group.sync.aligned 0;" : : : "memory");
}
// Nothing of the sums moves across.
GK_FN void gk_wgmma_keep(float *sums) {
    GK_UNROLL for (gk_u32 i = 0; i < WG_SUMS; i++) asm volatile("" : "+f"(sums[i]) : : "memory");
}

// clang-format off
#define GK_TEN(t) "%" #t "0,%" #t "1,%" #t "2,%" #t "3,%" #t "4,%" #t "5,%" #t "6,%" #t "7,%" #t "8,%" #t "9,"
#define GK_NAMES GK_TEN() GK_TEN(1) GK_TEN(2) GK_TEN(3) GK_TEN(4) GK_TEN(5) GK_TEN(6) GK_TEN(7) GK_TEN(8) GK_TEN(9) GK_TEN(10) GK_TEN(11) \
    "%120,%121,%122,%123,%124,%125,%126,%127"
// clang-format on
#define GK_SUMS4(i) "+f"(sums[i]), "+f"(sums[i + 1]), "+f"(sums[i + 2]), "+f"(sums[i + 3])
#define GK_SUMS16(i) GK_SUMS4(i), GK_SUMS4(i + 4), GK_SUMS4(i + 8), GK_SUMS4(i + 12)
#define GK_SUMS64(i) GK_SUMS16(i), GK_SUMS16(i + 16), GK_SUMS16(i + 32), GK_SUMS16(i + 48)
#define GK_ASM_WGMMA(kind, rest)                                                                             \
    asm volatile("{ .reg .pred more; setp.eq.u32 more, 0, 0; wgmma.mma_async.sync.aligned.m64n256" kind      \
                 " {" GK_NAMES "}, %128, %129, more, 1, 1" rest "; }"                                        \
                 : GK_SUMS64(0), GK_SUMS64(64)                                                               \
                 : "l"(a), "l"(b)                                                                            \
                 : "memory")

// sums += A[64][32 bytes] B[256][32 bytes]^T, later.
GK_FN void gk_wgmma(int type, float *sums, gk_size a, gk_size b) {
    if (type == GK_F16) GK_ASM_WGMMA("k16.f32.f16.f16", ", 0, 0");
    if (type == GK_BF16) GK_ASM_WGMMA("k16.f32.bf16.bf16", ", 0, 0");
    if (type == GK_FP8) GK_ASM_WGMMA("k32.f32.e4m3.e4m3", "");
}

#endif

// The descriptor of an operand at an address of shared memory: rows along k, swizzle of 128 bytes (1 << 62),
// eight rows to the next eight; the other distance means nothing in this layout.
GK_FN gk_size gk_wgmma_operand(gk_u32 address) {
    return (gk_size)((address & 0x3FFFFu) >> 4) | (gk_size)1 << 16 | (gk_size)(WG_EIGHT >> 4) << 32 |
           (gk_size)1 << 62;
}

// `rows` rows of a matrix, bytes at .. at + WG_DEPTH of each. Rows that do not start at multiples of sixteen
// are put together byte by byte.
GK_FN void gk_wgmma_fetch(const gk_matrix *m, gk_size row, gk_size at, gk_u32 rows, gk_u8 *to) {
    gk_u32 piece = GK_THREAD % 8, first = GK_THREAD / 8;
    gk_size byte = at + piece * 16;
    const gk_u8 *from = m->bytes + (row + first) * m->row_bytes + byte;
    gk_quad *put = (gk_quad *)(void *)(to + first * WG_DEPTH + (piece ^ first % 8) * 16);
    if (m->row_bytes % 16 == 0) {
        GK_UNROLL for (gk_u32 i = 0; i < rows; i += WG_THREADS / 8) {
            int some = row + first + i < m->rows && byte < m->row_bytes;
            gk_copy_async(put + i * (WG_DEPTH / 16), some ? from + i * m->row_bytes : m->bytes, some);
        }
        return;
    }
    GK_LOOP for (gk_u32 i = 0; i < rows; i += WG_THREADS / 8)
        gk_copy_put(put + i * (WG_DEPTH / 16), gk_matrix_quad(m, row + first + i, byte));
}

GK_FN void gk_wgmma_stage(const gk_matrix *left, const gk_matrix *right, gk_size row, gk_size column,
                          gk_size step, gk_u8 *stages) {
    gk_u8 *to = stages + step % WG_STAGES * WG_STAGE;
    if (step * WG_DEPTH < left->row_bytes) {
        gk_wgmma_fetch(left, row, step * WG_DEPTH, WG_DOWN, to);
        gk_wgmma_fetch(right, column, step * WG_DEPTH, WG_ACROSS, to + WG_DOWN * WG_DEPTH);
    }
    gk_copy_commit();
}

// Sums of a warpgroup's 64 x 256: sixteen rows a warp; a thread has pairs, eight columns apart, of two rows,
// eight apart.
GK_FN void gk_wgmma_write(gk_size m, gk_size n, gk_size row, gk_size column, const float *sums, float *c) {
    gk_u32 lane = GK_THREAD % 32;
    row += GK_THREAD % 128 / 32 * 16 + lane / 4;
    column += lane % 4 * 2;
    gk_u32 width = column >= n ? 0 : n - column < WG_ACROSS ? (gk_u32)(n - column) : WG_ACROSS;
    GK_UNROLL for (gk_u32 below = 0; below < 2; below++) {
        float *to = c + (row + below * 8) * n + column;
        if (row + below * 8 >= m) continue;
        GK_UNROLL for (gk_u32 i = 0; i < WG_ACROSS; i += 8) {
            if (i < width) to[i] = sums[i / 2 + below * 2];
            if (i + 1 < width) to[i + 1] = sums[i / 2 + below * 2 + 1];
        }
    }
}

GK_FN void gk_wgmma_nt(int type, gk_u32 size, gk_size m, gk_size n, gk_size k, const void *a, const void *b,
                       float *c) {
    GK_DYNAMIC_ARRAY(gk_quad, shared_stages, WG_STAGES * WG_STAGE / 16);
    gk_u8 *stages = (gk_u8 *)shared_stages;
    gk_matrix left = {(const gk_u8 *)a, m, k * size}, right = {(const gk_u8 *)b, n, k * size};
    gk_size across = (n + WG_ACROSS - 1) / WG_ACROSS, tiles = (m + WG_DOWN - 1) / WG_DOWN * across,
            steps = (left.row_bytes + WG_DEPTH - 1) / WG_DEPTH;
    gk_u32 half = GK_THREAD / 128 * 64;  // first row of this warpgroup
    for (gk_size t = GK_BLOCK; t < tiles; t += GK_BLOCKS) {
        gk_size row = t / across * WG_DOWN, column = t % across * WG_ACROSS;
        float sums[WG_SUMS];
        GK_UNROLL for (gk_u32 i = 0; i < WG_SUMS; i++) sums[i] = 0;
        for (gk_u32 s = 0; s < WG_AHEAD; s++) gk_wgmma_stage(&left, &right, row, column, s, stages);
        for (gk_size step = 0; step < steps; step++) {
            gk_u8 *now = stages + step % WG_STAGES * WG_STAGE;
            gk_size x = gk_wgmma_operand(gk_shared_address(now + half * WG_DEPTH)),
                    y = gk_wgmma_operand(gk_shared_address(now + WG_DOWN * WG_DEPTH));
            gk_copy_wait();
            gk_proxy_fence();
            // all of this stage is there, and the products of the one before the last are done: its place is
            // free
            gk_barrier();
            gk_wgmma_stage(&left, &right, row, column, step + WG_AHEAD, stages);
            gk_wgmma_fence();
            GK_UNROLL for (gk_u32 q = 0; q < WG_DEPTH / GK_STEP; q++)
                gk_wgmma(type, sums, x + q * (GK_STEP / 16), y + q * (GK_STEP / 16));
            gk_wgmma_commit();
            gk_wgmma_wait(1);
        }
        gk_wgmma_wait(0);
        gk_wgmma_keep(sums);
        gk_wgmma_write(m, n, row + half, column, sums, c);
        gk_barrier();  // the next tile starts with the first stage again
    }
}

GK_KERNEL_OF(256) gk_wgmma_f16(gk_size m, gk_size n, gk_size k, const gk_u16 *a, const gk_u16 *b, float *c) {
    gk_wgmma_nt(GK_F16, 2, m, n, k, a, b, c);
}
GK_KERNEL_OF(256) gk_wgmma_bf16(gk_size m, gk_size n, gk_size k, const gk_u16 *a, const gk_u16 *b, float *c) {
    gk_wgmma_nt(GK_BF16, 2, m, n, k, a, b, c);
}
GK_KERNEL_OF(256) gk_wgmma_fp8(gk_size m, gk_size n, gk_size k, const gk_u8 *a, const gk_u8 *b, float *c) {
    gk_wgmma_nt(GK_FP8, 1, m, n, k, a, b, c);
}

#endif
#endif
