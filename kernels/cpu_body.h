// The CPU kernels, once for every instruction set: included by cpu_base.c, cpu_avx2.c, cpu_avx512.c and
// cpu_neon.c, which define
//
//     LANES    floats of a vector        TARGET   attribute of every function
//     OPS      name of the table         ISA      its name in words
//     ROWS(X)  X(0) X(1) ... rows of the register tile; MR how many
//     A_OF(r)  A's number of a row as a factor, where not from memory; A_LOAD what it needs before
//
// Vectors are the compiler's own (vector_size), so that any CPU gets the base version. Products may be fused.
#include <math.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "kernels/cpu.h"
#include "kernels/reference.h"

#define FN static TARGET
#define VEC(type, size) type __attribute__((vector_size(LANES * (size))))

typedef VEC(float, 4) vf;
typedef double __attribute__((vector_size(LANES * 4))) vd;
typedef VEC(int32_t, 4) vi;
typedef VEC(uint32_t, 4) vu;
typedef VEC(uint16_t, 2) vh;
typedef VEC(int16_t, 2) vs;
typedef VEC(int8_t, 1) vb;
typedef vf __attribute__((aligned(4), may_alias)) vf_any;  // at any float
typedef vd __attribute__((aligned(8), may_alias)) vd_any;
typedef vi __attribute__((aligned(4), may_alias)) vi_any;
typedef vh __attribute__((aligned(2), may_alias)) vh_any;
typedef vb __attribute__((aligned(1), may_alias)) vb_any;

#define LOAD(p) (*(const vf_any *)(const void *)(p))
#define STORE(p, v) (*(vf_any *)(void *)(p) = (v))

#define LOAD_F64(p) (*(const vd_any *)(const void *)(p))
#define STORE_F64(p, v) (*(vd_any *)(void *)(p) = (v))

static const vf zero = {0};

// ---------------------------------------------------------------- STREAM

FN void copy(const CpuArgs *g, size_t begin, size_t end) {
    const float *a = g->in[0];
    float *c = g->out;
    size_t i = begin;
    for (; i + LANES <= end; i += LANES) STORE(c + i, LOAD(a + i));
    for (; i < end; i++) c[i] = a[i];
}

FN void scale(const CpuArgs *g, size_t begin, size_t end) {
    const float *a = g->in[0];
    float *c = g->out;
    size_t i = begin;
    for (; i + LANES <= end; i += LANES) STORE(c + i, KERNEL_SCALAR * LOAD(a + i));
    for (; i < end; i++) c[i] = KERNEL_SCALAR * a[i];
}

FN void add(const CpuArgs *g, size_t begin, size_t end) {
    const float *a = g->in[0], *b = g->in[1];
    float *c = g->out;
    size_t i = begin;
    for (; i + LANES <= end; i += LANES) STORE(c + i, LOAD(a + i) + LOAD(b + i));
    for (; i < end; i++) c[i] = a[i] + b[i];
}

FN void triad(const CpuArgs *g, size_t begin, size_t end) {
    const float *a = g->in[0], *b = g->in[1];
    float *c = g->out;
    size_t i = begin;
    for (; i + LANES <= end; i += LANES) STORE(c + i, LOAD(a + i) + KERNEL_SCALAR * LOAD(b + i));
    for (; i < end; i++) c[i] = a[i] + KERNEL_SCALAR * b[i];
}

FN void triad_f64(const CpuArgs *g, size_t begin, size_t end) {
    const double *a = g->in[0], *b = g->in[1];
    double *c = g->out;
    size_t i = begin;
    for (; i + LANES / 2 <= end; i += LANES / 2)
        STORE_F64(c + i, LOAD_F64(a + i) + (double)KERNEL_SCALAR * LOAD_F64(b + i));
    for (; i < end; i++) c[i] = a[i] + (double)KERNEL_SCALAR * b[i];
}

// ---------------------------------------------------------------- reductions

FN float sum_lanes(const vf *v) {
    float sum = 0;
    for (size_t l = 0; l < LANES; l++) sum += (*v)[l];
    return sum;
}

FN float max_lanes(const vf *v) {
    float most = (*v)[0];
    for (size_t l = 1; l < LANES; l++) most = (*v)[l] > most ? (*v)[l] : most;
    return most;
}

// The larger of both in each lane, taken by masks: `?:` of vectors is no C.
#define MAX_OF(x, y) ((vf)(((vi)(x) & ((x) > (y))) | ((vi)(y) & ~((x) > (y)))))

FN void read_rows(const CpuArgs *g, size_t begin, size_t end) {
    size_t n = g->shape.d[1];
    for (size_t r = begin; r < end; r++) {
        const int32_t *x = (const int32_t *)g->in[0] + r * n;
        vi s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
        size_t i = 0;
        for (; i + 4 * LANES <= n; i += 4 * LANES) {
            s0 += *(const vi_any *)(const void *)(x + i);
            s1 += *(const vi_any *)(const void *)(x + i + LANES);
            s2 += *(const vi_any *)(const void *)(x + i + 2 * LANES);
            s3 += *(const vi_any *)(const void *)(x + i + 3 * LANES);
        }
        s0 += s1 + s2 + s3;
        int32_t sum = 0;
        for (size_t l = 0; l < LANES; l++) sum += s0[l];
        for (; i < n; i++) sum += x[i];
        ((int32_t *)g->out)[r] = sum;
    }
}

FN float sum_of(const float *x, size_t n) {
    vf s0 = zero, s1 = zero, s2 = zero, s3 = zero;
    size_t i = 0;
    for (; i + 4 * LANES <= n; i += 4 * LANES) {
        s0 += LOAD(x + i);
        s1 += LOAD(x + i + LANES);
        s2 += LOAD(x + i + 2 * LANES);
        s3 += LOAD(x + i + 3 * LANES);
    }
    s0 += s1 + s2 + s3;
    float sum = sum_lanes(&s0);
    for (; i < n; i++) sum += x[i];
    return sum;
}

FN float max_of(const float *x, size_t n) {
    size_t i = 0;
    float most = x[0];
    if (n >= LANES) {
        vf m = LOAD(x);
        for (i = LANES; i + LANES <= n; i += LANES) {
            vf v = LOAD(x + i);
            m = MAX_OF(v, m);
        }
        most = max_lanes(&m);
    }
    for (; i < n; i++) most = x[i] > most ? x[i] : most;
    return most;
}

FN void reduce(const CpuArgs *g, size_t begin, size_t end) {
    size_t n = g->shape.d[1];
    for (size_t r = begin; r < end; r++) ((float *)g->out)[r] = sum_of((const float *)g->in[0] + r * n, n);
}

// ---------------------------------------------------------------- decode products

#define BF16(p) ((vf)(__builtin_convertvector(*(const vh_any *)(const void *)(p), vu) << 16))
// In steps of two: gcc 12 takes a conversion to four times the width apart, lane by lane.
#define BYTES(p)                                                                                             \
    (__builtin_convertvector(                                                                                \
        __builtin_convertvector(__builtin_convertvector(*(const vb_any *)(const void *)(p), vs), vi), vf))

FN void gemv_bf16(const CpuArgs *g, size_t begin, size_t end) {
    size_t k = g->shape.d[1];
    const uint16_t *x = g->in[1];
    for (size_t r = begin; r < end; r++) {
        const uint16_t *w = (const uint16_t *)g->in[0] + r * k;
        vf s0 = zero, s1 = zero, s2 = zero, s3 = zero;
        size_t p = 0;
        for (; p + 4 * LANES <= k; p += 4 * LANES) {
            s0 += BF16(w + p) * BF16(x + p);
            s1 += BF16(w + p + LANES) * BF16(x + p + LANES);
            s2 += BF16(w + p + 2 * LANES) * BF16(x + p + 2 * LANES);
            s3 += BF16(w + p + 3 * LANES) * BF16(x + p + 3 * LANES);
        }
        s0 += s1 + s2 + s3;
        float sum = sum_lanes(&s0);
        for (; p < k; p++) sum += bf16_to(w[p]) * bf16_to(x[p]);
        ((float *)g->out)[r] = sum;
    }
}

FN void gemv_i8(const CpuArgs *g, size_t begin, size_t end) {
    size_t k = g->shape.d[1];
    const float *x = g->in[1], *scales = g->in[2];
    for (size_t r = begin; r < end; r++) {
        const int8_t *w = (const int8_t *)g->in[0] + r * k;
        vf s0 = zero, s1 = zero, s2 = zero, s3 = zero;
        size_t p = 0;
        for (; p + 4 * LANES <= k; p += 4 * LANES) {
            s0 += BYTES(w + p) * LOAD(x + p);
            s1 += BYTES(w + p + LANES) * LOAD(x + p + LANES);
            s2 += BYTES(w + p + 2 * LANES) * LOAD(x + p + 2 * LANES);
            s3 += BYTES(w + p + 3 * LANES) * LOAD(x + p + 3 * LANES);
        }
        s0 += s1 + s2 + s3;
        float sum = sum_lanes(&s0);
        for (; p < k; p++) sum += (float)w[p] * x[p];
        ((float *)g->out)[r] = sum * scales[r];
    }
}

// ---------------------------------------------------------------- exponential function

// e^x by 2^n e^r, |r| <= ln 2 / 2, a polynomial of degree 7 for e^r (its Taylor sum: truncation below 2^-27).
// Arguments are clamped to where the result is a normal number; NaN stays NaN.
#define EXP_CONSTANTS(X)                                                                                     \
    X(log2e, 1.44269504f)                                                                                    \
    X(ln2_high, 0.693359375f) X(ln2_low, -2.12194440e-4f) X(magic, 12582912.0f) X(low, -87.0f) X(high, 88.0f)
#define EXP_DECLARE(name, value) const float name = value;
#define EXP_REDUCED(r)                                                                                       \
    (1 +                                                                                                     \
     r * (1 + r * (0.5f + r * (1.0f / 6 +                                                                    \
                               r * (1.0f / 24 + r * (1.0f / 120 + r * (1.0f / 720 + r * (1.0f / 5040))))))))

FN float exp_one(float x) {
    EXP_CONSTANTS(EXP_DECLARE)
    x = x < low ? low : x > high ? high : x;
    float n = (x * log2e + magic) - magic;
    float r = (x - n * ln2_high) - n * ln2_low;
    float y = EXP_REDUCED(r);
    uint32_t bits = (uint32_t)((int32_t)(isnan(x) ? 0 : n) + 127) << 23;
    float power;
    memcpy(&power, &bits, sizeof power);
    return y * power;
}

FN void exp_in_place(vf *v) {
    EXP_CONSTANTS(EXP_DECLARE)
    vf x = *v, lo = zero + low, hi = zero + high;
    vi under = x<lo, over = x> hi, is_number = x == x;
    x = (vf)(((vi)x & ~(under | over)) | ((vi)lo & under) | ((vi)hi & over));
    vf n = (x * log2e + magic) - magic;
    vf r = (x - n * ln2_high) - n * ln2_low;
    vi power = (__builtin_convertvector((vf)((vi)n & is_number), vi) + 127) << 23;
    *v = EXP_REDUCED(r) * (vf)power;
}

// ---------------------------------------------------------------- around attention

FN void rmsnorm(const CpuArgs *g, size_t begin, size_t end) {
    size_t n = g->shape.d[1];
    const float *w = g->in[1];
    for (size_t r = begin; r < end; r++) {
        const float *x = (const float *)g->in[0] + r * n;
        float *y = (float *)g->out + r * n;
        vf s0 = zero, s1 = zero;
        size_t i = 0;
        for (; i + 2 * LANES <= n; i += 2 * LANES) {
            s0 += LOAD(x + i) * LOAD(x + i);
            s1 += LOAD(x + i + LANES) * LOAD(x + i + LANES);
        }
        s0 += s1;
        float sum = sum_lanes(&s0);
        for (; i < n; i++) sum += x[i] * x[i];
        float inverse = 1.0f / sqrtf(sum / (float)n + KERNEL_EPSILON);
        for (i = 0; i + LANES <= n; i += LANES) STORE(y + i, LOAD(x + i) * inverse * LOAD(w + i));
        for (; i < n; i++) y[i] = x[i] * inverse * w[i];
    }
}

FN void softmax(const CpuArgs *g, size_t begin, size_t end) {
    size_t n = g->shape.d[1];
    for (size_t r = begin; r < end; r++) {
        const float *x = (const float *)g->in[0] + r * n;
        float *y = (float *)g->out + r * n;
        float most = max_of(x, n), sum = 0;
        vf sums = zero;
        size_t i = 0;
        for (; i + LANES <= n; i += LANES) {
            vf v = LOAD(x + i) - most;
            exp_in_place(&v);
            STORE(y + i, v);
            sums += v;
        }
        for (; i < n; i++) sum += y[i] = exp_one(x[i] - most);
        float inverse = 1.0f / (sum + sum_lanes(&sums));
        for (i = 0; i + LANES <= n; i += LANES) STORE(y + i, LOAD(y + i) * inverse);
        for (; i < n; i++) y[i] *= inverse;
    }
}

FN void rotary(const CpuArgs *g, size_t begin, size_t end) {
    size_t heads = g->shape.d[1], dim = g->shape.d[2], half = dim / 2;
    for (size_t at = begin * heads; at < end * heads; at++) {
        const float *x = (const float *)g->in[0] + at * dim;
        const float *c = (const float *)g->in[1] + at / heads * dim, *s = c + half;
        float *y = (float *)g->out + at * dim;
        size_t i = 0;
        for (; i + LANES <= half; i += LANES) {
            vf a = LOAD(x + i), b = LOAD(x + half + i), cosine = LOAD(c + i), sine = LOAD(s + i);
            STORE(y + i, a * cosine - b * sine);
            STORE(y + half + i, b * cosine + a * sine);
        }
        for (; i < half; i++) {
            y[i] = x[i] * c[i] - x[half + i] * s[i];
            y[half + i] = x[half + i] * c[i] + x[i] * s[i];
        }
    }
}

FN void swiglu(const CpuArgs *g, size_t begin, size_t end) {
    const float *gate = g->in[0], *up = g->in[1];
    float *y = g->out;
    size_t i = begin;
    for (; i + LANES <= end; i += LANES) {
        vf v = -LOAD(gate + i);
        exp_in_place(&v);
        STORE(y + i, LOAD(gate + i) / (1 + v) * LOAD(up + i));
    }
    for (; i < end; i++) y[i] = gate[i] / (1 + exp_one(-gate[i])) * up[i];
}

// ---------------------------------------------------------------- sampling

enum { CHUNK = 1024 };

FN void argmax(const CpuArgs *g, size_t begin, size_t end) {
    size_t n = g->shape.d[1];
    for (size_t r = begin; r < end; r++) {
        const float *x = (const float *)g->in[0] + r * n;
        float best = max_of(x, n < CHUNK ? n : CHUNK);
        size_t chunk = 0;
        for (size_t i = CHUNK; i < n; i += CHUNK) {
            float most = max_of(x + i, n - i < CHUNK ? n - i : CHUNK);
            if (most > best) best = most, chunk = i;
        }
        while (x[chunk] < best) chunk++;
        ((uint32_t *)g->out)[r] = (uint32_t)chunk;
    }
}

// Keeps the largest in order; of equal values the earlier stands first.
FN void topk_keep(const float *x, size_t begin, size_t end, size_t *used, float *values, uint32_t *places) {
    for (size_t i = begin; i < end; i++) {
        if (*used == TOPK_K && !(x[i] > values[TOPK_K - 1])) continue;
        size_t at = *used < TOPK_K ? (*used)++ : TOPK_K - 1;
        for (; at > 0 && x[i] > values[at - 1]; at--)
            values[at] = values[at - 1], places[at] = places[at - 1];
        values[at] = x[i];
        places[at] = (uint32_t)i;
    }
}

FN void topk(const CpuArgs *g, size_t begin, size_t end) {
    size_t n = g->shape.d[1];
    for (size_t r = begin; r < end; r++) {
        const float *x = (const float *)g->in[0] + r * n;
        float values[TOPK_K];
        size_t used = 0;
        for (size_t i = 0; i < n; i += CHUNK / 4) {
            size_t stop = n - i < CHUNK / 4 ? n : i + CHUNK / 4;
            if (used == TOPK_K && !(max_of(x + i, stop - i) > values[TOPK_K - 1])) continue;
            topk_keep(x, i, stop, &used, values, (uint32_t *)g->out + r * TOPK_K);
        }
    }
}

// ---------------------------------------------------------------- latency

FN void chase(const CpuArgs *g, size_t begin, size_t end) {
    (void)begin, (void)end;
    const uint32_t *next = g->in[0];
    uint32_t at = 0;
    for (size_t n = chase_steps(&g->shape); n > 0; n--) at = next[at];
    *(uint32_t *)g->out = at;
}

#include "kernels/cpu_double.h"
#include "kernels/cpu_serve.h"

// ---------------------------------------------------------------- register tile of the matrix product

#ifndef A_OF
// From memory, no vector of it: building one by an addition costs the multipliers' time.
#define A_LOAD
#define A_OF(r) a[r]
#endif
#define TILE_DECLARE(r) vf c##r##_0 = zero, c##r##_1 = zero, c##r##_2 = zero;
#define TILE_STEP(r) c##r##_0 += A_OF(r) * b0, c##r##_1 += A_OF(r) * b1, c##r##_2 += A_OF(r) * b2;
#define TILE_ADD(r)                                                                                          \
    c##r##_0 += LOAD(c + (r)*ldc), c##r##_1 += LOAD(c + (r)*ldc + LANES),                                    \
        c##r##_2 += LOAD(c + (r)*ldc + 2 * LANES);
#define TILE_STORE(r)                                                                                        \
    STORE(c + (r)*ldc, c##r##_0), STORE(c + (r)*ldc + LANES, c##r##_1),                                      \
        STORE(c + (r)*ldc + 2 * LANES, c##r##_2);

FN void tile(size_t kc, const float *a, const float *b, float *c, size_t ldc, bool more) {
    ROWS(TILE_DECLARE)
    for (size_t p = 0; p < kc; p++, a += MR, b += 3 * LANES) {
        vf b0 = LOAD(b), b1 = LOAD(b + LANES), b2 = LOAD(b + 2 * LANES);
        A_LOAD
        ROWS(TILE_STEP)
    }
    if (more) {
        ROWS(TILE_ADD)
    }
    ROWS(TILE_STORE)
}

const CpuOps OPS = {
    .isa = ISA,
    .range = {[KERNEL_COPY] = copy,
              [KERNEL_SCALE] = scale,
              [KERNEL_ADD] = add,
              [KERNEL_TRIAD] = triad,
              [KERNEL_TRIAD_F64] = triad_f64,
              [KERNEL_GEMM_F64] = gemm_f64,
              [KERNEL_READ] = read_rows,
              [KERNEL_LATENCY] = chase,
              [KERNEL_REDUCE] = reduce,
              [KERNEL_GEMV_BF16] = gemv_bf16,
              [KERNEL_GEMV_I8] = gemv_i8,
              [KERNEL_RMSNORM] = rmsnorm,
              [KERNEL_SOFTMAX] = softmax,
              [KERNEL_ROTARY] = rotary,
              [KERNEL_SWIGLU] = swiglu,
              [KERNEL_ARGMAX] = argmax,
              [KERNEL_TOPK] = topk,
              [KERNEL_GEMV_I4] = gemv_i4,
              [KERNEL_GEMV_FP8] = gemv_fp8,
              [KERNEL_GEMV_MXFP4] = gemv_mxfp4,
              [KERNEL_PREFILL] = prefill,
              [KERNEL_DECODE_GQA] = decode_gqa,
              [KERNEL_DECODE_MLA] = decode_mla,
              [KERNEL_MOE_GATHER] = moe_gather,
              [KERNEL_ATOMICS] = atomics,
              [KERNEL_LAUNCH] = copy},
    .tile = {MR, 3 * LANES, tile},
};
