// Element types: sizes, and numbers of 8, 16 and 19 bits to and from float.
#include <math.h>
#include <string.h>

#include "kernels/kernels.h"

size_t elem_size(Elem e) {
    static const size_t sizes[] = {[ELEM_F32] = 4,  [ELEM_F64] = 8,  [ELEM_TF32] = 4,      [ELEM_F16] = 2,
                                   [ELEM_BF16] = 2, [ELEM_E4M3] = 1, [ELEM_E4M3_FNUZ] = 1, [ELEM_E8M0] = 1,
                                   [ELEM_I8] = 1,   [ELEM_U8] = 1,   [ELEM_I32] = 4,       [ELEM_U32] = 4};
    return sizes[e];
}

bool elem_is_float(Elem e) { return e <= ELEM_E8M0; }

static uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

uint16_t bf16_from(float x) {
    uint32_t bits = bits_of(x);
    if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return (uint16_t)(bits >> 16 | 0x40);  // a quiet NaN
    return (uint16_t)((bits + 0x7FFFu + (bits >> 16 & 1)) >> 16);
}

float bf16_to(uint16_t x) { return float_of((uint32_t)x << 16); }

float tf32_round(float x) {
    uint32_t bits = bits_of(x);
    if ((bits & 0x7FFFFFFFu) >= 0x7F800000u) return x;
    return float_of((bits + 0xFFFu + (bits >> 13 & 1)) & ~0x1FFFu);
}

// ---------------------------------------------------------------- fp16 and fp8

// Sign, exponent, mantissa. `most`: the largest magnitude's bits; above it come infinity (fp16) or NaN.
typedef struct Small {
    int mantissa, bias, width;
    uint32_t most;
    bool infinite;  // the pattern after `most` is infinity
    bool zero_nan;  // the only NaN is what would be minus zero
} Small;

static const Small half = {10, 15, 16, 0x7BFF, true, false};
static const Small e4m3 = {3, 7, 8, 0x7E, false, false};      // OCP: 448 at most, 0x7F is NaN
static const Small e4m3_fnuz = {3, 8, 8, 0x7F, false, true};  // AMD's MI300: 240 at most

static double small_to(const Small *s, uint32_t x) {
    uint32_t sign = x >> (s->width - 1) & 1, rest = x & ((1u << (s->width - 1)) - 1);
    if (s->zero_nan && rest == 0 && sign != 0) return (double)NAN;
    if (rest > s->most)
        return s->infinite && rest == s->most + 1 ? (sign != 0 ? -(double)INFINITY : (double)INFINITY)
                                                  : (double)NAN;
    uint32_t exponent = rest >> s->mantissa, fraction = rest & ((1u << s->mantissa) - 1);
    double value = exponent == 0 ? ldexp(fraction, 1 - s->bias - s->mantissa)
                                 : ldexp((double)(fraction + (1u << s->mantissa)),
                                         (int)exponent - s->bias - s->mantissa);
    return sign != 0 ? -value : value;
}

// Nearest, ties to even; what is too large becomes infinity, or the largest number where there is none.
static uint32_t small_from(const Small *s, float x) {
    uint32_t sign = bits_of(x) >> 31 << (s->width - 1), rest = bits_of(x) & 0x7FFFFFFFu, bits;
    int shift = 23 - s->mantissa, least = 1 - s->bias;
    if (rest > 0x7F800000u) return s->zero_nan ? 1u << (s->width - 1) : s->most + 1 + s->infinite;
    if (rest < (uint32_t)(least + 127) << 23) {
        // Below the normal numbers: the sum's last bit weighs as much as a step.
        uint32_t unit = (uint32_t)(shift + least + 127) << 23;
        bits = bits_of(float_of(rest) + float_of(unit)) - unit;
    } else {
        bits = ((rest + (1u << (shift - 1)) - 1 + (rest >> shift & 1)) >> shift) -
               ((uint32_t)(127 - s->bias) << s->mantissa);
    }
    if (bits > s->most) bits = s->infinite ? s->most + 1 : s->most;
    return bits == 0 && s->zero_nan ? 0 : bits | sign;
}

// Steps of 2^(1 - bias - 3) below 8; a float's bits with another bias above.
static float e4m3_to(uint8_t x, uint32_t bias) {
    uint32_t rest = x & 0x7F;
    float value =
        rest < 8 ? (float)rest * float_of((125 - bias) << 23) : float_of((rest << 20) + ((127 - bias) << 23));
    return (x & 0x80) != 0 ? -value : value;
}

double e2m1_to(unsigned nibble) {
    static const double magnitudes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
    double value = magnitudes[nibble & 7];
    return (nibble & 8) != 0 ? -value : value;
}

static double e8m0_to(uint8_t x) { return x == 0xFF ? (double)NAN : ldexp(1, x - 127); }

void mxfp4_floats(const void *nibbles, const void *scales, size_t begin, size_t n, float *out) {
    for (size_t i = 0; i < n; i += MX_BLOCK) {
        float table[16], scale = (float)e8m0_to(((const uint8_t *)scales)[(begin + i) / MX_BLOCK]);
        for (unsigned x = 0; x < COUNT_OF(table); x++) table[x] = (float)e2m1_to(x) * scale;
        for (size_t j = i; j < i + MX_BLOCK; j++)
            out[j] = table[((const uint8_t *)nibbles)[(begin + j) / 2] >> j % 2 * 4 & 15];
    }
}

// The nearest power of two above 0; of two that are as near the larger.
static uint8_t e8m0_from(float x) {
    uint32_t exponent = x >= 0x1.8p-127f ? (bits_of(x) + 0x400000u) >> 23 : 0;
    return isnan(x) ? 0xFF : exponent > 0xFE ? 0xFE : (uint8_t)exponent;
}

float elem_least(Elem e) {
    if (e == ELEM_E8M0) return 0x1p-127f;
    return e == ELEM_F16 ? 0x1p-20f : e == ELEM_E4M3 || e == ELEM_E4M3_FNUZ ? 0x1p-9f : 0x1p-130f;
}

// ---------------------------------------------------------------- any

double elem_read(Elem e, const void *buffer, size_t i) {
    switch (e) {
    case ELEM_F32:
    case ELEM_TF32: return (double)((const float *)buffer)[i];
    case ELEM_F64: return ((const double *)buffer)[i];
    case ELEM_F16: return small_to(&half, ((const uint16_t *)buffer)[i]);
    case ELEM_BF16: return (double)bf16_to(((const uint16_t *)buffer)[i]);
    case ELEM_E4M3: return small_to(&e4m3, ((const uint8_t *)buffer)[i]);
    case ELEM_E4M3_FNUZ: return small_to(&e4m3_fnuz, ((const uint8_t *)buffer)[i]);
    case ELEM_E8M0: return e8m0_to(((const uint8_t *)buffer)[i]);
    case ELEM_I8: return ((const int8_t *)buffer)[i];
    case ELEM_U8: return ((const uint8_t *)buffer)[i];
    case ELEM_I32: return ((const int32_t *)buffer)[i];
    case ELEM_U32: return ((const uint32_t *)buffer)[i];
    }
    return (double)NAN;
}

void elem_write(Elem e, void *buffer, size_t i, float x) {
    switch (e) {
    case ELEM_F32: ((float *)buffer)[i] = x; break;
    case ELEM_F64: ((double *)buffer)[i] = (double)x; break;
    case ELEM_TF32: ((float *)buffer)[i] = tf32_round(x); break;
    case ELEM_F16: ((uint16_t *)buffer)[i] = (uint16_t)small_from(&half, x); break;
    case ELEM_BF16: ((uint16_t *)buffer)[i] = bf16_from(x); break;
    case ELEM_E4M3: ((uint8_t *)buffer)[i] = (uint8_t)small_from(&e4m3, x); break;
    case ELEM_E4M3_FNUZ: ((uint8_t *)buffer)[i] = (uint8_t)small_from(&e4m3_fnuz, x); break;
    case ELEM_E8M0: ((uint8_t *)buffer)[i] = e8m0_from(x); break;
    case ELEM_I8: ((int8_t *)buffer)[i] = (int8_t)x; break;
    case ELEM_U8: ((uint8_t *)buffer)[i] = (uint8_t)x; break;
    case ELEM_I32: ((int32_t *)buffer)[i] = (int32_t)x; break;
    case ELEM_U32: ((uint32_t *)buffer)[i] = (uint32_t)x; break;
    }
}

double elem_round(Elem e, float x) {
    switch (e) {
    case ELEM_TF32: return (double)tf32_round(x);
    case ELEM_F16: return small_to(&half, small_from(&half, x));
    case ELEM_BF16: return (double)bf16_to(bf16_from(x));
    case ELEM_E4M3: return small_to(&e4m3, small_from(&e4m3, x));
    case ELEM_E4M3_FNUZ: return small_to(&e4m3_fnuz, small_from(&e4m3_fnuz, x));
    case ELEM_E8M0: return e8m0_to(e8m0_from(x));
    default: return (double)x;
    }
}

static float half_to(uint16_t x) {
    uint32_t rest = (uint32_t)(x & 0x7FFF) << 13, sign = (uint32_t)(x & 0x8000) << 16;
    // infinity and NaN keep their mantissa
    return float_of(bits_of(float_of(rest) * 0x1p112f) | (rest >= 0x0F800000u ? 0x7F800000u : 0) | sign);
}

void elem_floats(Elem e, const void *buffer, size_t begin, size_t n, float *out) {
    switch (e) {
    case ELEM_F32:
    case ELEM_TF32: memcpy(out, (const float *)buffer + begin, n * sizeof *out); break;
    case ELEM_F16:
        for (size_t i = 0; i < n; i++) out[i] = half_to(((const uint16_t *)buffer)[begin + i]);
        break;
    case ELEM_BF16:
        for (size_t i = 0; i < n; i++)
            out[i] = float_of((uint32_t)((const uint16_t *)buffer)[begin + i] << 16);
        break;
    case ELEM_I8:
        for (size_t i = 0; i < n; i++) out[i] = ((const int8_t *)buffer)[begin + i];
        break;
    case ELEM_E4M3:
        for (size_t i = 0; i < n; i++) {
            uint8_t x = ((const uint8_t *)buffer)[begin + i];
            out[i] = (x & 0x7F) == 0x7F ? NAN : e4m3_to(x, 7);
        }
        break;
    case ELEM_E4M3_FNUZ:
        for (size_t i = 0; i < n; i++) {
            uint8_t x = ((const uint8_t *)buffer)[begin + i];
            out[i] = x == 0x80 ? NAN : e4m3_to(x, 8);
        }
        break;
    default:
        for (size_t i = 0; i < n; i++) out[i] = (float)elem_read(e, buffer, begin + i);
    }
}
