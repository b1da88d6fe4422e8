// Inputs: a counter-based generator, so that device, host and reference make the same element from (seed, buffer, index).
#include <math.h>
#include <string.h>

#include "kernels/kernels.h"

size_t elem_size(Elem e) {
    static const size_t sizes[] = {[ELEM_F32] = 4, [ELEM_BF16] = 2, [ELEM_I8] = 1, [ELEM_I32] = 4, [ELEM_U32] = 4};
    return sizes[e];
}

uint16_t bf16_from(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return (uint16_t)(bits >> 16 | 0x40);  // a quiet NaN
    return (uint16_t)((bits + 0x7FFFu + (bits >> 16 & 1)) >> 16);
}

float bf16_to(uint16_t x) {
    uint32_t bits = (uint32_t)x << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// The finalizer of splitmix64: every bit of the counter reaches every bit of the result.
static inline uint64_t mix(uint64_t x) {
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

static inline uint64_t stream(uint64_t seed, size_t buffer) { return mix(seed * 16 + buffer); }

// Four uniforms of 16 bits: their sum less its mean is a whole number below 2^17, so every step is exact but the last.
static inline float normal(uint64_t key, size_t i) {
    uint64_t h = mix(key ^ (uint64_t)i);
    int32_t sum = (int32_t)(h & 0xFFFF) + (int32_t)(h >> 16 & 0xFFFF) + (int32_t)(h >> 32 & 0xFFFF) + (int32_t)(h >> 48) - 131070;
    return (float)sum * 2.6429e-05f;  // sqrt(3) / 65536
}

static inline int8_t byte(uint64_t key, size_t i) { return (int8_t)((int)(mix(key ^ (uint64_t)i) % 255) - 127); }

static inline float scale(uint64_t key, size_t i) { return (float)(65536 + (mix(key ^ (uint64_t)i) & 0x1FFFF)) * (1.0f / (131072.0f * 127.0f)); }

// A full-period congruential step through 2^k lines (Hull and Dobell: increment odd, multiplier 1 modulo 4).
static inline uint32_t successor(uint64_t key, size_t line, size_t lines) {
    uint64_t multiplier = (key << 3 & 0xFFFFF8) | 5;
    uint64_t increment = (key >> 20 & 0xFFFFFF) | 1;
    return (uint32_t)((multiplier * line + increment) & (lines - 1));
}

double input_value(const Kernel *k, const Shape *s, size_t buffer, uint64_t seed, size_t i) {
    uint64_t key = stream(seed, buffer);
    const BufferSpec *b = &k->buffers[buffer];
    switch (b->gen) {
    case GEN_NORMAL: return b->elem == ELEM_BF16 ? (double)bf16_to(bf16_from(normal(key, i))) : (double)normal(key, i);
    case GEN_BYTE: return byte(key, i);
    case GEN_SCALE: return (double)scale(key, i);
    case GEN_CHASE: return i % CHASE_LINE == 0 ? successor(key, i / CHASE_LINE, s->d[0] / CHASE_LINE) * (double)CHASE_LINE : 0;
    case GEN_NONE: break;
    }
    return (double)NAN;
}

static void fill_f32(Gen gen, uint64_t key, size_t begin, size_t end, float *out) {
    if (gen == GEN_SCALE) {
        for (size_t i = begin; i < end; i++) out[i] = scale(key, i);
    } else {
        for (size_t i = begin; i < end; i++) out[i] = normal(key, i);
    }
}

void input_fill(const Kernel *k, const Shape *s, size_t buffer, uint64_t seed, size_t begin, size_t end, void *out) {
    uint64_t key = stream(seed, buffer);
    const BufferSpec *b = &k->buffers[buffer];
    switch (b->elem) {
    case ELEM_F32: fill_f32(b->gen, key, begin, end, out); break;
    case ELEM_BF16:
        for (size_t i = begin; i < end; i++) ((uint16_t *)out)[i] = bf16_from(normal(key, i));
        break;
    case ELEM_I8:
        for (size_t i = begin; i < end; i++) ((int8_t *)out)[i] = byte(key, i);
        break;
    case ELEM_I32:
        for (size_t i = begin; i < end; i++) ((int32_t *)out)[i] = byte(key, i);
        break;
    case ELEM_U32:
        for (size_t i = begin; i < end; i++) ((uint32_t *)out)[i] = i % CHASE_LINE == 0 ? successor(key, i / CHASE_LINE, s->d[0] / CHASE_LINE) * CHASE_LINE : 0;
        break;
    }
}

double elem_read(Elem e, const void *buffer, size_t i) {
    switch (e) {
    case ELEM_F32: return (double)((const float *)buffer)[i];
    case ELEM_BF16: return (double)bf16_to(((const uint16_t *)buffer)[i]);
    case ELEM_I8: return ((const int8_t *)buffer)[i];
    case ELEM_I32: return ((const int32_t *)buffer)[i];
    case ELEM_U32: return ((const uint32_t *)buffer)[i];
    }
    return (double)NAN;
}
