// What blocks and warps do together, and the functions that kernels need: no mathematics library is at hand.
#ifndef GPUADVISE_BLOCK_H
#define GPUADVISE_BLOCK_H

#include "kernels/device/gk.h"

#define GK_THREADS 128u  // of a block, but for the products on matrix units

GK_FN float gk_warp_sum(float x) {
    for (gk_u32 mask = GK_WARP / 2; mask > 0; mask /= 2) x += gk_shuffle_xor_f(x, mask);
    return x;
}

// ---------------------------------------------------------------- reductions of a block

// The sum over all threads, in every thread. Every thread of the block must call it.
GK_FN float gk_block_sum(float x) {
    GK_SHARED_ARRAY(float, parts, GK_THREADS);
    x = gk_warp_sum(x);
    gk_barrier();  // parts of an earlier call may still be read
    if (GK_THREAD % GK_WARP == 0) parts[GK_THREAD / GK_WARP] = x;
    gk_barrier();
    float sum = 0;
    for (gk_u32 i = 0; i < GK_THREADS / GK_WARP; i++) sum += parts[i];
    return sum;
}

GK_FN float gk_block_max(float x) {
    GK_SHARED_ARRAY(float, parts, GK_THREADS);
    for (gk_u32 mask = GK_WARP / 2; mask > 0; mask /= 2) {
        float other = gk_shuffle_xor_f(x, mask);
        x = other > x ? other : x;
    }
    gk_barrier();
    if (GK_THREAD % GK_WARP == 0) parts[GK_THREAD / GK_WARP] = x;
    gk_barrier();
    for (gk_u32 i = 0; i < GK_THREADS / GK_WARP; i++) x = parts[i] > x ? parts[i] : x;
    return x;
}

// The place of the largest value over all threads, the first of equal ones, in every thread. Place ~0: this
// thread has none.
GK_FN gk_u32 gk_block_argmax(float x, gk_u32 place) {
    GK_SHARED_ARRAY(float, values, GK_THREADS);
    GK_SHARED_ARRAY(gk_u32, places, GK_THREADS);
    for (gk_u32 mask = GK_WARP / 2; mask > 0; mask /= 2) {
        float other = gk_shuffle_xor_f(x, mask);
        gk_u32 there = gk_shuffle_xor(place, mask);
        if (there != ~0u && (place == ~0u || other > x || (other == x && there < place)))
            x = other, place = there;
    }
    gk_barrier();
    if (GK_THREAD % GK_WARP == 0) values[GK_THREAD / GK_WARP] = x, places[GK_THREAD / GK_WARP] = place;
    gk_barrier();
    for (gk_u32 i = 0; i < GK_THREADS / GK_WARP; i++) {
        if (places[i] != ~0u && (place == ~0u || values[i] > x || (values[i] == x && places[i] < place)))
            x = values[i], place = places[i];
    }
    return place;
}

// ---------------------------------------------------------------- exponential function, square root

// As on the CPU (cpu_body.h): 2^n times a polynomial of degree 7, arguments clamped, NaN kept.
GK_FN float gk_exp(float x) {
    x = x < -87.0f ? -87.0f : x > 88.0f ? 88.0f : x;
    float n = (x * 1.44269504f + 12582912.0f) - 12582912.0f;
    float r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
    float y = 1.0f / 5040;
    y = y * r + 1.0f / 720;
    y = y * r + 1.0f / 120;
    y = y * r + 1.0f / 24;
    y = y * r + 1.0f / 6;
    y = y * r + 0.5f;
    y = y * r + 1;
    y = y * r + 1;
    return y * gk_float((gk_u32)((x == x ? (int)n : 0) + 127) << 23);
}

// 1 / sqrt(x) of a positive normal number: a first guess from the bits, four steps of Newton's method. Of
// infinity 0, of NaN NaN.
GK_FN float gk_rsqrt(float x) {
    if (gk_bits(x) >= 0x7F800000u) return x == x ? 0 : x;
    float y = gk_float(0x5F3759DFu - (gk_bits(x) >> 1));
    for (int i = 0; i < 4; i++) y = y * (1.5f - 0.5f * x * y * y);
    return y;
}

// ---------------------------------------------------------------- small numbers

GK_FN float gk_bf16(gk_u16 x) { return gk_float((gk_u32)x << 16); }
GK_FN float gk_bf16_low(gk_u32 pair) { return gk_float(pair << 16); }
GK_FN float gk_bf16_high(gk_u32 pair) { return gk_float(pair & 0xFFFF0000u); }

// Round to nearest even; NaN stays NaN, whatever its bits.
GK_FN gk_u16 gk_to_bf16(float x) {
    gk_u32 bits = gk_bits(x);
    return x == x ? (gk_u16)((bits + 0x7FFFu + (bits >> 16 & 1)) >> 16) : 0x7FC0;
}

#if defined(__CUDACC_RTC__)
GK_FN float gk_half(gk_u16 x) {
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(x));
    return f;
}
#elif defined(GK_CUDA) || defined(__HIP__)
GK_FN float gk_half(gk_u16 x) { return (float)__builtin_bit_cast(_Float16, x); }
#else
GK_FN float gk_half(gk_u16 x) {
    return gk_float((x & 0x8000u) << 16 | gk_bits(gk_float((x & 0x7FFFu) << 13) * 0x1p112f));
}  // finite ones
#endif

// 2^(x - 127), the scale of microscaling formats: 255 is NaN.
GK_FN float gk_e8m0(gk_u32 x) { return gk_float(x == 255 ? 0x7FC00000u : x > 0 ? x << 23 : 1u << 22); }

// e4m3 of the OCP standard: exponent biased by 7, no infinities, 0x7F is NaN.
GK_FN float gk_e4m3(gk_u32 x) {
    gk_u32 rest = x & 0x7F;
    float value = rest >= 8 ? gk_float((rest << 20) + (120u << 23)) : (float)rest * 0.001953125f;
    return gk_float(gk_bits(value) | (x & 0x80) << 24 | (rest == 0x7F ? 0x7FC00000u : 0));
}

#endif
