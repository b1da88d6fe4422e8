// Arithmetic, bits and conversions: instructions of which each lane does its own.
#include <math.h>

#include "tests/ptx/machine.h"

// x, y, z: what the lane reads, in that type. Registers of 16 bits stand in words, the upper half zero.
#define WORDS(name, type, expression)                                                                        \
    static void name(Warp *w, const Ins *in, uint32_t m) {                                                   \
        uint32_t *d = file_words(w, in->at[0]);                                                              \
        const uint32_t *a = file_words(w, in->at[1]), *b = file_words(w, in->at[2]),                         \
                       *c = file_words(w, in->at[3]);                                                        \
        (void)b, (void)c;                                                                                    \
        FOR_LANES(m, type x = (type)a[l]; type y = (type)b[l]; type z = (type)c[l]; (void)y; (void)z;        \
                  d[l] = (uint32_t)(expression));                                                            \
    }
#define QUADS(name, type, expression)                                                                        \
    static void name(Warp *w, const Ins *in, uint32_t m) {                                                   \
        uint64_t *d = file_quads(w, in->at[0]);                                                              \
        const uint64_t *a = file_quads(w, in->at[1]), *b = file_quads(w, in->at[2]);                         \
        FOR_LANES(m, type x = (type)a[l]; type y = (type)b[l]; d[l] = (uint64_t)(expression));               \
    }
#define FLOATS(name, expression)                                                                             \
    static void name(Warp *w, const Ins *in, uint32_t m) {                                                   \
        uint32_t *d = file_words(w, in->at[0]);                                                              \
        const uint32_t *a = file_words(w, in->at[1]), *b = file_words(w, in->at[2]),                         \
                       *c = file_words(w, in->at[3]);                                                        \
        (void)b, (void)c;                                                                                    \
        FOR_LANES(m, float x = float_of(a[l]); float y = float_of(b[l]); float z = float_of(c[l]); (void)y;  \
                  (void)z; d[l] = bits_of(expression));                                                      \
    }

WORDS(add32, uint32_t, x + y)
WORDS(sub32, uint32_t, x - y)
WORDS(mul32, uint32_t, x *y)
WORDS(mad32, uint32_t, x *y + z)
WORDS(and32, uint32_t, x &y)
WORDS(or32, uint32_t, x | y)
WORDS(xor32, uint32_t, x ^ y)
WORDS(add16, uint32_t, (uint16_t)(x + y))
WORDS(sub16, uint32_t, (uint16_t)(x - y))
WORDS(mul16, uint32_t, (uint16_t)((x & 0xFFFF) * (y & 0xFFFF)))
WORDS(mul_high16, uint32_t, (x & 0xFFFF) * (y & 0xFFFF) >> 16)
WORDS(mul_wide16, uint32_t, (x & 0xFFFF) * (y & 0xFFFF))
WORDS(and16, uint32_t, x &y & 0xFFFF)
WORDS(or16, uint32_t, (x | y) & 0xFFFF)
WORDS(xor16, uint32_t, (x ^ y) & 0xFFFF)
WORDS(shl16, uint32_t, y > 15 ? 0 : (uint16_t)(x << y))
WORDS(shr16, uint32_t, y > 15 ? 0 : (x & 0xFFFF) >> y)
WORDS(shl32, uint32_t, y > 31 ? 0 : x << y)
WORDS(shr32, uint32_t, y > 31 ? 0 : x >> y)
WORDS(neg32, uint32_t, x ^ 0x80000000u)  // a float's sign

QUADS(add64, uint64_t, x + y)
QUADS(sub64, uint64_t, x - y)
QUADS(mul64, uint64_t, x *y)
QUADS(and64, uint64_t, x &y)
QUADS(or64, uint64_t, x | y)
QUADS(min64, uint64_t, x < y ? x : y)
QUADS(max64, uint64_t, x > y ? x : y)

FLOATS(add_float, x + y)
FLOATS(sub_float, x - y)
FLOATS(mul_float, x *y)
FLOATS(div_float, x / y)
FLOATS(fma_float, fmaf(x, y, z))
FLOATS(reciprocal, 1.0f / x)

static void div32(Warp *w, const Ins *in, uint32_t m) {
    uint32_t *d = file_words(w, in->at[0]);
    const uint32_t *a = file_words(w, in->at[1]), *b = file_words(w, in->at[2]);
    FOR_LANES(m, if (b[l] == 0) ptx_fault(w, in, l, "division by zero"); d[l] = b[l] == 0 ? 0 : a[l] / b[l]);
}

static void div64(Warp *w, const Ins *in, uint32_t m) {
    uint64_t *d = file_quads(w, in->at[0]);
    const uint64_t *a = file_quads(w, in->at[1]), *b = file_quads(w, in->at[2]);
    FOR_LANES(m, if (b[l] == 0) ptx_fault(w, in, l, "division by zero"); d[l] = b[l] == 0 ? 0 : a[l] / b[l]);
}

// Of a register of 64 bits and a distance of 32.
static void shl64(Warp *w, const Ins *in, uint32_t m) {
    uint64_t *d = file_quads(w, in->at[0]);
    const uint64_t *a = file_quads(w, in->at[1]);
    const uint32_t *b = file_words(w, in->at[2]);
    FOR_LANES(m, d[l] = b[l] > 63 ? 0 : a[l] << b[l]);
}

// The sign comes in from above.
static void shr_signed64(Warp *w, const Ins *in, uint32_t m) {
    uint64_t *d = file_quads(w, in->at[0]);
    const uint64_t *a = file_quads(w, in->at[1]);
    const uint32_t *b = file_words(w, in->at[2]);
    FOR_LANES(m, uint64_t sign = a[l] >> 63 != 0 ? UINT64_MAX : 0; uint32_t by = b[l] > 63 ? 63 : b[l];
              d[l] = a[l] >> by | (by > 0 ? sign << (64 - by) : 0));
}

static void shr64(Warp *w, const Ins *in, uint32_t m) {
    uint64_t *d = file_quads(w, in->at[0]);
    const uint64_t *a = file_quads(w, in->at[1]);
    const uint32_t *b = file_words(w, in->at[2]);
    FOR_LANES(m, d[l] = b[l] > 63 ? 0 : a[l] >> b[l]);
}

static void mul_wide32(Warp *w, const Ins *in, uint32_t m) {
    uint64_t *d = file_quads(w, in->at[0]);
    const uint32_t *a = file_words(w, in->at[1]), *b = file_words(w, in->at[2]);
    FOR_LANES(m, d[l] = (uint64_t)a[l] * b[l]);
}

// A field of bits from `start`, `length` long, of a number of `width` bits. A signed field repeats its highest
// bit, or that of the number where the field reaches beyond it; a field without bits is 0.
static uint64_t field(uint64_t x, unsigned width, bool is_signed, uint32_t start, uint32_t length) {
    uint32_t from = start & 0xFF, n = length & 0xFF, top = from + n - 1;
    if (n == 0) return 0;
    if (top > width - 1) top = width - 1;
    uint64_t sign = is_signed && (x >> top & 1) != 0 ? UINT64_MAX : 0;
    uint64_t inside = from > width - 1 ? 0 : x >> from;
    uint32_t kept = from > width - 1 ? 0 : top - from + 1;
    if (kept > n) kept = n;
    uint64_t mask = kept > 63 ? UINT64_MAX : (UINT64_C(1) << kept) - 1;
    return (inside & mask) | (sign & ~mask);
}

static void field_u32(Warp *w, const Ins *in, uint32_t m) {
    uint32_t *d = file_words(w, in->at[0]);
    const uint32_t *a = file_words(w, in->at[1]), *b = file_words(w, in->at[2]),
                   *c = file_words(w, in->at[3]);
    FOR_LANES(m, d[l] = (uint32_t)field(a[l], 32, false, b[l], c[l]));
}

static void field_s32(Warp *w, const Ins *in, uint32_t m) {
    uint32_t *d = file_words(w, in->at[0]);
    const uint32_t *a = file_words(w, in->at[1]), *b = file_words(w, in->at[2]),
                   *c = file_words(w, in->at[3]);
    FOR_LANES(m, d[l] = (uint32_t)field(a[l], 32, true, b[l], c[l]));
}

static void field_s64(Warp *w, const Ins *in, uint32_t m) {
    uint64_t *d = file_quads(w, in->at[0]);
    const uint64_t *a = file_quads(w, in->at[1]);
    const uint32_t *b = file_words(w, in->at[2]), *c = file_words(w, in->at[3]);
    FOR_LANES(m, d[l] = field(a[l], 64, true, b[l], c[l]));
}

// ---------------------------------------------------------------- conversions

WORDS(half_f32, uint32_t, bits_of(half_to_float((uint16_t)x)))
WORDS(e4m3x2_f16x2, uint32_t, e4m3_to_half((uint8_t)x) | (uint32_t)e4m3_to_half((uint8_t)(x >> 8)) << 16)
WORDS(s16_f32, uint32_t, bits_of((float)(int16_t)x))
WORDS(u16_f32, uint32_t, bits_of((float)(uint16_t)x))
WORDS(u32_f32, uint32_t, bits_of((float)x))
WORDS(s8_s32, uint32_t, (int32_t)(int8_t)x)
WORDS(s32_s8, uint32_t, (uint16_t)(int16_t)(int8_t)x)
WORDS(low16, uint32_t, x & 0xFFFF)

// Towards zero; beyond the range its end, NaN 0.
static uint32_t whole_of(float x) {
    if (x != x) return 0;
    if (x >= 2147483648.0f) return 0x7FFFFFFFu;
    if (x <= -2147483648.0f) return 0x80000000u;
    return (uint32_t)(int32_t)x;
}
WORDS(f32_s32, uint32_t, whole_of(float_of(x)))

static void u64_f32(Warp *w, const Ins *in, uint32_t m) {
    uint32_t *d = file_words(w, in->at[0]);
    const uint64_t *a = file_quads(w, in->at[1]);
    FOR_LANES(m, d[l] = bits_of((float)a[l]));
}

static void low32(Warp *w, const Ins *in, uint32_t m) {
    uint32_t *d = file_words(w, in->at[0]);
    const uint64_t *a = file_quads(w, in->at[1]);
    FOR_LANES(m, d[l] = (uint32_t)a[l]);
}

static void widen(Warp *w, const Ins *in, uint32_t m) {
    uint64_t *d = file_quads(w, in->at[0]);
    const uint32_t *a = file_words(w, in->at[1]);
    FOR_LANES(m, d[l] = a[l]);
}

// clang-format off
static const Op ops[] = {
    {"add.s16", "Hhh", add16, OP_LANES}, {"add.s32", "Www", add32, OP_LANES}, {"add.s64", "Qqq", add64, OP_LANES},
    {"sub.s16", "Hhh", sub16, OP_LANES}, {"sub.s32", "Www", sub32, OP_LANES}, {"sub.s64", "Qqq", sub64, OP_LANES},
    {"mul.lo.s16", "Hhh", mul16, OP_LANES}, {"mul.lo.s32", "Www", mul32, OP_LANES}, {"mul.lo.s64", "Qqq", mul64, OP_LANES},
    {"mul.hi.u16", "Hhh", mul_high16, OP_LANES}, {"mul.wide.u16", "Whh", mul_wide16, OP_LANES}, {"mul.wide.u32", "Qww", mul_wide32, OP_LANES},
    {"mad.lo.s32", "Wwww", mad32, OP_LANES}, {"div.u32", "Www", div32, OP_LANES}, {"div.u64", "Qqq", div64, OP_LANES},
    {"min.u64", "Qqq", min64, OP_LANES}, {"max.u64", "Qqq", max64, OP_LANES},
    {"and.b16", "Hhh", and16, OP_LANES}, {"and.b32", "Www", and32, OP_LANES}, {"and.b64", "Qqq", and64, OP_LANES},
    {"or.b16", "Hhh", or16, OP_LANES}, {"or.b32", "Www", or32, OP_LANES}, {"or.b64", "Qqq", or64, OP_LANES},
    {"xor.b16", "Hhh", xor16, OP_LANES}, {"xor.b32", "Www", xor32, OP_LANES},
    {"shl.b16", "Hhw", shl16, OP_LANES}, {"shl.b32", "Www", shl32, OP_LANES}, {"shl.b64", "Qqw", shl64, OP_LANES},
    {"shr.u16", "Hhw", shr16, OP_LANES}, {"shr.u32", "Www", shr32, OP_LANES}, {"shr.u64", "Qqw", shr64, OP_LANES}, {"shr.s64", "Qqw", shr_signed64, OP_LANES},
    {"bfe.u32", "Wwww", field_u32, OP_LANES}, {"bfe.s32", "Wwww", field_s32, OP_LANES}, {"bfe.s64", "Qqww", field_s64, OP_LANES},
    {"add.rn.f32", "Www", add_float, OP_LANES}, {"sub.rn.f32", "Www", sub_float, OP_LANES}, {"mul.rn.f32", "Www", mul_float, OP_LANES},
    {"div.rn.f32", "Www", div_float, OP_LANES}, {"fma.rn.f32", "Wwww", fma_float, OP_LANES}, {"rcp.rn.f32", "Ww", reciprocal, OP_LANES},
    {"neg.f32", "Ww", neg32, OP_LANES},
    {"cvt.f32.f16", "Wh", half_f32, OP_LANES}, {"cvt.rn.f16x2.e4m3x2", "Wh", e4m3x2_f16x2, OP_LANES},
    {"cvt.rn.f32.s16", "Wh", s16_f32, OP_LANES}, {"cvt.rn.f32.u16", "Wh", u16_f32, OP_LANES}, {"cvt.rn.f32.u32", "Ww", u32_f32, OP_LANES},
    {"cvt.rn.f32.u64", "Wq", u64_f32, OP_LANES}, {"cvt.rzi.s32.f32", "Ww", f32_s32, OP_LANES},
    {"cvt.s32.s8", "Wx", s8_s32, OP_LANES}, {"cvt.s8.s32", "Hw", s32_s8, OP_LANES}, {"cvt.u16.u32", "Hw", low16, OP_LANES},
    {"cvt.u32.u16", "Wh", low16, OP_LANES}, {"cvt.u32.u64", "Wq", low32, OP_LANES}, {"cvt.u64.u32", "Qw", widen, OP_LANES},
};
// clang-format on

const OpTable ptx_scalar_ops = {ops, COUNT_OF(ops)};
