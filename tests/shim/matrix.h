// The matrix instructions in the shim, from the register layouts that their makers document: NVIDIA's PTX ISA
// ("Matrix fragments for mma.m16n8k8 / k16 / k32"), AMD's instruction set references of CDNA 3 (MFMA), RDNA 3
// and RDNA 4 (WMMA). Written element by element and apart from kernels/device/mma.h, which it checks.
#ifndef GPUADVISE_TESTS_SHIM_MATRIX_H
#define GPUADVISE_TESTS_SHIM_MATRIX_H

#include "kernels/kernels.h"

typedef struct ShimMatrix {
    double a[16][128], b[128][16], c[16][16];
    unsigned depth;
} ShimMatrix;

static Elem shim_elem(int type) {
    static const Elem elems[] = {ELEM_TF32, ELEM_F16, ELEM_BF16, ELEM_I8, ELEM_E4M3, ELEM_E4M3_FNUZ};
    return elems[type];
}

// Element `i` of a lane's registers.
static double shim_element(int type, const uint32_t *registers, unsigned i) {
    return elem_read(shim_elem(type), registers, i);
}

// Lane `l`'s element `i` of A (16 x depth): its row and k. B's column and k are found the same way.
static void shim_place_nv(unsigned size, unsigned l, unsigned i, unsigned *ret_row, unsigned *ret_k) {
    unsigned group = l / 4, in_group = l % 4;
    if (size == 4) {  // k8: a0, a1 of rows g and g + 8, then four columns on
        *ret_row = i % 2 == 0 ? group : group + 8;
        *ret_k = in_group + (i >= 2 ? 4 : 0);
    } else if (size == 2) {  // k16
        *ret_row = i < 2 || (i >= 4 && i < 6) ? group : group + 8;
        *ret_k = in_group * 2 + (i & 1) + (i >= 4 ? 8 : 0);
    } else {  // k32
        *ret_row = i < 4 || (i >= 8 && i < 12) ? group : group + 8;
        *ret_k = in_group * 4 + (i & 3) + (i >= 8 ? 16 : 0);
    }
}

static void shim_place_nv_b(unsigned size, unsigned l, unsigned i, unsigned *ret_column, unsigned *ret_k) {
    *ret_column = l / 4;
    if (size == 4) *ret_k = l % 4 + (i == 1 ? 4 : 0);
    if (size == 2) *ret_k = l % 4 * 2 + (i & 1) + (i >= 2 ? 8 : 0);
    if (size == 1) *ret_k = l % 4 * 4 + (i & 3) + (i >= 4 ? 16 : 0);
}

// C and D: fp32 or int32, one element a register. Columns of NVIDIA's are 8.
static void shim_place_sum(int family, unsigned l, unsigned r, unsigned *ret_row, unsigned *ret_column) {
    if (family == SHIM_NV) *ret_row = r < 2 ? l / 4 : l / 4 + 8, *ret_column = l % 4 * 2 + (r & 1);
    if (family == SHIM_MFMA) *ret_row = 4 * (l / 16) + r, *ret_column = l % 16;
    if (family == SHIM_WMMA3) *ret_row = 2 * r + (l >= 16), *ret_column = l % 16;
    if (family == SHIM_WMMA4) *ret_row = r + (l >= 16 ? 8 : 0), *ret_column = l % 16;
}

// AMD: a lane holds consecutive k of row (or column) l % 16. WMMA of RDNA 3 holds all sixteen, both halves of
// the wave the same.
static void shim_take_amd(ShimMatrix *m, int family, int type, const ShimMma *x, unsigned l) {
    unsigned size = (unsigned)elem_size(shim_elem(type)), n = family == SHIM_MFMA    ? 8 / size
                                                              : family == SHIM_WMMA3 ? 16
                                                                                     : 8;
    unsigned first = family == SHIM_WMMA3 ? 0 : l / 16 * n;
    for (unsigned i = 0; i < n; i++) {
        double a = shim_element(type, x->a, i), b = shim_element(type, x->b, i);
        if (family == SHIM_WMMA3 && l >= 16 && (m->a[l % 16][i] != a || m->b[i][l % 16] != b))
            shim.fault = "halves of a wave differ before a WMMA";
        m->a[l % 16][first + i] = a;
        m->b[first + i][l % 16] = b;
    }
    m->depth = family == SHIM_MFMA ? 32 / size : 16;
}

static void shim_take_nv(ShimMatrix *m, int type, const ShimMma *x, unsigned l) {
    unsigned size = (unsigned)elem_size(shim_elem(type)), row = 0, k = 0;
    for (unsigned i = 0; i < 16 / size; i++) {
        shim_place_nv(size, l, i, &row, &k);
        m->a[row][k] = shim_element(type, x->a, i);
    }
    for (unsigned i = 0; i < 8 / size; i++) {
        shim_place_nv_b(size, l, i, &row, &k);
        m->b[k][row] = shim_element(type, x->b, i);
    }
    m->depth = 32 / size;
}

// MXFP4, from the PTX ISA (mma.m16n8k64 of e2m1; block scaling, scale_vec::2X, selectors of 0) and the
// reference of CDNA 4 (16x16x128 of f8f6f4). Numbers come multiplied by their scale. NVIDIA: the first two
// lanes of four have the scales of rows l / 4 and l / 4 + 8 of A, the first that of column l / 4 of B; bytes
// 0 and 1 are those of the first and of the last 32 of k. AMD: a lane has 32 numbers of a row and their
// scale.
static double shim_mxfp4(const uint32_t *registers, unsigned i, uint32_t scale) {
    uint8_t byte = (uint8_t)scale;
    return e2m1_to(registers[i / 8] >> i % 8 * 4 & 15) * elem_read(ELEM_E8M0, &byte, 0);
}

static void shim_take_mxfp4(ShimMatrix *m, int family, ShimMma *const *lanes, unsigned l) {
    const ShimMma *x = lanes[l];
    for (unsigned i = 0; i < 32 && family == SHIM_MFMA; i++) {
        m->a[l % 16][l / 16 * 32 + i] = shim_mxfp4(x->a, i, x->x);
        m->b[l / 16 * 32 + i][l % 16] = shim_mxfp4(x->b, i, x->y);
    }
    for (unsigned i = 0; i < 32 && family == SHIM_NV; i++) {
        unsigned below = i / 8 % 2, k = l % 4 * 8 + i % 8 + i / 16 * 32;
        m->a[l / 4 + 8 * below][k] = shim_mxfp4(x->a, i, lanes[l / 4 * 4 + below]->x >> i / 16 * 8);
    }
    for (unsigned i = 0; i < 16 && family == SHIM_NV; i++) {
        m->b[l % 4 * 8 + i % 8 + i / 8 * 32][l / 4] = shim_mxfp4(x->b, i, lanes[l / 4 * 4]->y >> i / 8 * 8);
    }
    m->depth = family == SHIM_NV ? 64 : 128;
}

// All lanes of a warp at one instruction: `lanes[l]` is what lane l brought. Sums are rounded once to fp32.
static void shim_multiply(int family, ShimMma *const *lanes, unsigned warp) {
    ShimMatrix m = {.depth = 0};
    int type = lanes[0]->type;
    unsigned registers = family == SHIM_NV || family == SHIM_MFMA ? 4 : 8, row = 0, column = 0;
    for (unsigned l = 0; l < warp; l++) {
        if (lanes[l]->type != type) shim.fault = "lanes at different matrix instructions";
        if (type == SHIM_MXFP4)
            shim_take_mxfp4(&m, family, lanes, l);
        else if (family == SHIM_NV)
            shim_take_nv(&m, type, lanes[l], l);
        else
            shim_take_amd(&m, family, type, lanes[l], l);
        for (unsigned r = 0; r < registers; r++) {
            shim_place_sum(family, l, r, &row, &column);
            m.c[row][column] = elem_read(type == SHIM_I8 ? ELEM_I32 : ELEM_F32, lanes[l]->c, r);
        }
    }
    for (unsigned l = 0; l < warp; l++) {
        for (unsigned r = 0; r < registers; r++) {
            shim_place_sum(family, l, r, &row, &column);
            double sum = m.c[row][column];
            for (unsigned k = 0; k < m.depth; k++) sum += m.a[row][k] * m.b[k][column];
            if (type == SHIM_I8) {
                int32_t whole = (int32_t)sum;
                memcpy(&lanes[l]->c[r], &whole, sizeof whole);
            } else {
                float rounded = (float)sum;
                memcpy(&lanes[l]->c[r], &rounded, sizeof rounded);
            }
        }
    }
}

#endif
