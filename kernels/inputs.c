// Inputs: a counter-based generator, so that device, host and reference make the same element from (seed,
// buffer, index).
#include <math.h>

#include "kernels/kernels.h"

// The finalizer of splitmix64: every bit of the counter reaches every bit of the result.
static inline uint64_t mix(uint64_t x) {
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

static inline uint64_t stream(uint64_t seed, size_t buffer) { return mix(seed * 16 + buffer); }

// Four uniforms of 16 bits: their sum less its mean is a whole number below 2^17, so every step is exact but
// the last.
static inline float normal(uint64_t key, size_t i) {
    uint64_t h = mix(key ^ (uint64_t)i);
    int32_t sum = (int32_t)(h & 0xFFFF) + (int32_t)(h >> 16 & 0xFFFF) + (int32_t)(h >> 32 & 0xFFFF) +
                  (int32_t)(h >> 48) - 131070;
    return (float)sum * 2.6429e-05f;  // sqrt(3) / 65536
}

// A second one far below it, so that rounding to fp32 on the way would show.
static inline double normal_f64(uint64_t key, size_t i) {
    return (double)normal(key, i) + (double)normal(mix(key), i) * 0x1p-28;
}

static inline int8_t byte(uint64_t key, size_t i) {
    return (int8_t)((int)(mix(key ^ (uint64_t)i) % 255) - 127);
}

static inline float scale(uint64_t key, size_t i) {
    return (float)(65536 + (mix(key ^ (uint64_t)i) & 0x1FFFF)) * (1.0f / (131072.0f * 127.0f));
}

static inline uint8_t exponent(uint64_t key, size_t i) {
    return (uint8_t)(121 + (mix(key ^ (uint64_t)i) & 7));
}

// A full-period congruential step through 2^k lines (Hull and Dobell: increment odd, multiplier 1 modulo 4).
static inline uint32_t successor(uint64_t key, size_t line, size_t lines) {
    uint64_t multiplier = (key << 3 & 0xFFFFF8) | 5;
    uint64_t increment = (key >> 20 & 0xFFFFFF) | 1;
    return (uint32_t)((multiplier * line + increment) & (lines - 1));
}

// A permutation of n: steps of a whole number near 0.618 n that shares no factor with it, from an offset.
typedef struct Permutation {
    uint64_t step, offset, n;
} Permutation;

static uint64_t common_factor(uint64_t a, uint64_t b) {
    while (b != 0) {
        uint64_t rest = a % b;
        a = b, b = rest;
    }
    return a;
}

static Permutation permutation(uint64_t key, size_t n) {
    Permutation p = {(uint64_t)((double)n * 0.6180339887) | 1, key % n, n};
    while (common_factor(n, p.step) != 1) p.step++;
    return p;
}

static inline uint32_t permuted(const Permutation *p, size_t i) {
    return (uint32_t)((p->step * i + p->offset) % p->n);
}

// Sequence i of a paged cache lacks i % 16 tokens of its last page, the first being full.
static inline uint32_t length_of(const Shape *s, size_t i) {
    return (uint32_t)(s->d[2] * PAGE_TOKENS - i % PAGE_TOKENS);
}

double input_value(const Kernel *k, const Shape *s, size_t buffer, uint64_t seed, size_t i) {
    uint64_t key = stream(seed, buffer);
    const BufferSpec *b = &k->buffers[buffer];
    Permutation p;
    switch (b->gen) {
    case GEN_NORMAL: return b->elem == ELEM_F64 ? normal_f64(key, i) : elem_round(b->elem, normal(key, i));
    case GEN_BYTE: return byte(key, i);
    case GEN_BITS: return (double)(mix(key ^ (uint64_t)i) & 0xFF);
    case GEN_SCALE: return (double)scale(key, i);
    case GEN_EXPONENT: return ldexp(1, exponent(key, i) - 127);
    case GEN_CHASE:
        return i % CHASE_LINE == 0 ? successor(key, i / CHASE_LINE, s->d[0] / CHASE_LINE) * (double)CHASE_LINE
                                   : 0;
    case GEN_PERMUTATION: p = permutation(key, buffer_count(b, s)); return permuted(&p, i);
    case GEN_LENGTH: return length_of(s, i);
    case GEN_NONE: break;
    }
    return (double)NAN;
}

static void fill_normal(Elem e, uint64_t key, size_t begin, size_t end, void *out) {
    switch (e) {
    case ELEM_F32:
        for (size_t i = begin; i < end; i++) ((float *)out)[i] = normal(key, i);
        break;
    case ELEM_F64:
        for (size_t i = begin; i < end; i++) ((double *)out)[i] = normal_f64(key, i);
        break;
    case ELEM_BF16:
        for (size_t i = begin; i < end; i++) ((uint16_t *)out)[i] = bf16_from(normal(key, i));
        break;
    default:
        for (size_t i = begin; i < end; i++) elem_write(e, out, i, normal(key, i));
    }
}

void input_fill(const Kernel *k, const Shape *s, size_t buffer, uint64_t seed, size_t begin, size_t end,
                void *out) {
    uint64_t key = stream(seed, buffer);
    const BufferSpec *b = &k->buffers[buffer];
    Permutation p;
    switch (b->gen) {
    case GEN_NORMAL: fill_normal(b->elem, key, begin, end, out); break;
    case GEN_SCALE:
        for (size_t i = begin; i < end; i++) ((float *)out)[i] = scale(key, i);
        break;
    case GEN_BYTE:
        if (b->elem == ELEM_I8) {
            for (size_t i = begin; i < end; i++) ((int8_t *)out)[i] = byte(key, i);
        } else {
            for (size_t i = begin; i < end; i++) ((int32_t *)out)[i] = byte(key, i);
        }
        break;
    case GEN_BITS:
        for (size_t i = begin; i < end; i++) ((uint8_t *)out)[i] = (uint8_t)(mix(key ^ (uint64_t)i) & 0xFF);
        break;
    case GEN_EXPONENT:
        for (size_t i = begin; i < end; i++) ((uint8_t *)out)[i] = exponent(key, i);
        break;
    case GEN_CHASE:
        for (size_t i = begin; i < end; i++)
            ((uint32_t *)out)[i] =
                i % CHASE_LINE == 0 ? successor(key, i / CHASE_LINE, s->d[0] / CHASE_LINE) * CHASE_LINE : 0;
        break;
    case GEN_PERMUTATION:
        p = permutation(key, buffer_count(b, s));
        for (size_t i = begin; i < end; i++) ((uint32_t *)out)[i] = permuted(&p, i);
        break;
    case GEN_LENGTH:
        for (size_t i = begin; i < end; i++) ((uint32_t *)out)[i] = length_of(s, i);
        break;
    case GEN_NONE: break;
    }
}
