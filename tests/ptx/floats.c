// Small floats, and sums of products as matrix units make them.
#include <math.h>

#include "tests/ptx/machine.h"

// Five bits of exponent biased by 15, ten of fraction.
float half_to_float(uint16_t h) {
    uint32_t sign = (uint32_t)(h >> 15) << 31, exponent = h >> 10 & 31, fraction = h & 0x3FF;
    if (exponent == 31) return float_of(sign | 0x7F800000u | fraction << 13);
    if (exponent != 0) return float_of(sign | (exponent + 112) << 23 | fraction << 13);
    float size = (float)fraction * 0x1p-24f;
    return sign != 0 ? -size : size;
}

// Four bits of exponent biased by 7, three of fraction; no infinity, one NaN of each sign. fp16 has all of them.
double e4m3_to_double(uint8_t x) { return (double)half_to_float(e4m3_to_half(x)); }

uint16_t e4m3_to_half(uint8_t x) {
    uint16_t sign = (uint16_t)((x & 0x80) << 8);
    unsigned exponent = x >> 3 & 15u, fraction = x & 7u;
    if ((x & 0x7F) == 0x7F) return 0x7FFF;
    if (exponent != 0) return (uint16_t)(sign | (exponent + 8) << 10 | fraction << 7);
    if (fraction == 0) return sign;
    // 2^-9 of fp8 are a normal number of fp16
    unsigned top = fraction >= 4 ? 2 : fraction >= 2 ? 1 : 0;
    return (uint16_t)(sign | (top + 6) << 10 | ((fraction << (10 - top)) & 0x3FF));
}

unsigned number_bits(Number n) {
    static const unsigned bits[] = {[NUMBER_TF32] = 32, [NUMBER_F16] = 16, [NUMBER_BF16] = 16,
                                    [NUMBER_E4M3] = 8,  [NUMBER_S8] = 8,   [NUMBER_E2M1] = 4};
    return bits[n];
}

static double e2m1_value(unsigned x) {
    static const double sizes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
    return (x & 8) != 0 ? -sizes[x & 7] : sizes[x & 7];
}

double number_at(Number n, const unsigned char *bytes, size_t i) {
    uint32_t word = 0;
    uint16_t half = 0;
    switch (n) {
    case NUMBER_TF32:
        memcpy(&word, bytes + 4 * i, sizeof word);
        return (double)float_of(word & 0xFFFFE000u);  // the lowest 13 bits are not looked at
    case NUMBER_F16: memcpy(&half, bytes + 2 * i, sizeof half); return (double)half_to_float(half);
    case NUMBER_BF16:
        memcpy(&half, bytes + 2 * i, sizeof half);
        return (double)float_of((uint32_t)half << 16);
    case NUMBER_E4M3: return e4m3_to_double(bytes[i]);
    case NUMBER_S8: return (int8_t)bytes[i];
    case NUMBER_E2M1: return e2m1_value((unsigned)bytes[i / 2] >> (i % 2 * 4) & 15u);
    }
    return (double)NAN;
}

// ---------------------------------------------------------------- sums

static double cut_at(double x, int exponent) { return ldexp(trunc(ldexp(x, -exponent)), exponent); }

// Bits that a term keeps below the largest one: what published tests of fp16 and bf16 find is 24 and more, of
// fp8 on Hopper 13.
static int bits_kept(Number kind) { return kind == NUMBER_E4M3 ? 13 : 23; }

// Terms that the hardware lines up at once.
static size_t terms_at_once(Number kind) {
    return kind == NUMBER_TF32 ? 4 : kind == NUMBER_E4M3 ? 16 : kind == NUMBER_E2M1 ? 32 : 8;
}

static double cut_sum(double start, const double *terms, size_t n, Number kind) {
    int top = start != 0 ? ilogb(start) : INT32_MIN, kept = bits_kept(kind);
    for (size_t i = 0; i < n; i++) {
        if (terms[i] != 0 && ilogb(terms[i]) > top) top = ilogb(terms[i]);
    }
    if (top == INT32_MIN) return start;
    double sum = cut_at(start, top - kept);
    for (size_t i = 0; i < n; i++) sum += cut_at(terms[i], top - kept);
    if (sum == 0) return 0;
    int lowest = ilogb(sum) - kept;
    return cut_at(sum, lowest > -149 ? lowest : -149);
}

static float dot_cut(float start, const double *terms, size_t n, Number kind) {
    double sum = (double)start;
    for (size_t i = 0; i < n; i += terms_at_once(kind)) {
        size_t some = n - i < terms_at_once(kind) ? n - i : terms_at_once(kind);
        sum = cut_sum(sum, terms + i, some, kind);
    }
    return (float)sum;
}

float dot_f32(float start, const double *a, const double *b, size_t n, Number kind, bool cut) {
    double terms[64], sum = (double)start;
    for (size_t i = 0; i < n; i++) sum += terms[i] = a[i] * b[i];
    return cut && isfinite(sum) ? dot_cut(start, terms, n, kind) : (float)sum;
}
