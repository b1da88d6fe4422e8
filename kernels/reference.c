// Double-precision references of single outputs, and how far fp32 may stray from them.
//
// Bounds are of the standard model of rounding (Higham, Accuracy and Stability of Numerical Algorithms, 2nd
// ed., ch. 3): a sum of K terms in any order errs by at most gamma_K times the sum of their magnitudes,
// gamma_K = K u / (1 - K u), u = 2^-24. A fused multiply-add only removes roundings. Products of two bf16
// numbers are exact in fp32.
#include "kernels/reference.h"

#include <math.h>

#define U ROUNDOFF_F32
#define TINY 1.1754943508222875e-38  // 2^-126: below it results may be flushed
// Relative error allowed to an exponential function of fp32, in units of U; its argument's rounding comes on
// top.
#define EXP_ULPS 8.0
// Of double precision. The references err as much as what they judge: bounds are twice as wide.
#define U_F64 1.1102230246251565e-16  // 2^-53
#define TINY_F64 2.2250738585072014e-308

static double gamma_of(double k) { return k * U / (1 - k * U); }

void ref_copy(const RefIn *in, size_t index, double *ret_value, double *ret_bound) {
    *ret_value = ref_input(in, 0, index);
    *ret_bound = 0;
}

void ref_scale(const RefIn *in, size_t index, double *ret_value, double *ret_bound) {
    *ret_value = (double)KERNEL_SCALAR * ref_input(in, 0, index);
    *ret_bound = fabs(*ret_value) * U + TINY;
}

void ref_add(const RefIn *in, size_t index, double *ret_value, double *ret_bound) {
    *ret_value = ref_input(in, 0, index) + ref_input(in, 1, index);
    *ret_bound = fabs(*ret_value) * U + TINY;
}

void ref_triad(const RefIn *in, size_t index, double *ret_value, double *ret_bound) {
    double product = (double)KERNEL_SCALAR * ref_input(in, 1, index);
    *ret_value = ref_input(in, 0, index) + product;
    *ret_bound = (fabs(product) * (1 + U) + fabs(*ret_value)) * U + TINY;
}

void ref_triad_f64(const RefIn *in, size_t index, double *ret_value, double *ret_bound) {
    double product = (double)KERNEL_SCALAR * ref_input(in, 1, index);
    *ret_value = ref_input(in, 0, index) + product;
    *ret_bound = 2 * (fabs(product) * (1 + U_F64) + fabs(*ret_value)) * U_F64 + TINY_F64;
}

// Sums of whole numbers are exact in 32 bits.
void ref_read(const RefIn *in, size_t index, double *ret_value, double *ret_bound) {
    size_t columns = in->shape.d[1];
    double sum = 0;
    for (size_t i = 0; i < columns; i++) sum += ref_input(in, 0, index * columns + i);
    *ret_value = sum;
    *ret_bound = 0;
}

size_t chase_steps(const Shape *s) {
    size_t lines = s->d[0] / CHASE_LINE;
    return lines < CHASE_STEPS_MAX ? lines - 1 : CHASE_STEPS_MAX;  // a whole cycle would end where it began
}

void ref_latency(const RefIn *in, size_t index, double *ret_value, double *ret_bound) {
    (void)index;
    double at = 0;
    for (size_t n = chase_steps(&in->shape); n > 0; n--) at = ref_input(in, 0, (size_t)at);
    *ret_value = at;
    *ret_bound = 0;
}

void ref_reduce(const RefIn *in, size_t index, double *ret_value, double *ret_bound) {
    size_t columns = in->shape.d[1];
    double sum = 0, magnitude = 0;
    for (size_t i = 0; i < columns; i++) {
        double x = ref_input(in, 0, index * columns + i);
        sum += x;
        magnitude += fabs(x);
    }
    *ret_value = sum;
    *ret_bound = gamma_of((double)columns) * magnitude + TINY;
}

void ref_gemm(const RefIn *in, size_t index, double *ret_value, double *ret_bound) {
    size_t n = in->shape.d[1], k = in->shape.d[2];
    double sum = 0, magnitude = 0;
    for (size_t p = 0; p < k; p++) {
        double product = ref_input(in, 0, index / n * k + p) * ref_input(in, 1, p * n + index % n);
        sum += product;
        magnitude += fabs(product);
    }
    *ret_value = sum;
    *ret_bound = gamma_of((double)k + 1) * magnitude + TINY;
}

void ref_gemm_f64(const RefIn *in, size_t index, double *ret_value, double *ret_bound) {
    size_t n = in->shape.d[1], k = in->shape.d[2];
    double sum = 0, magnitude = 0, terms = (double)k + 1;
    for (size_t p = 0; p < k; p++) {
        double product = ref_input(in, 0, index / n * k + p) * ref_input(in, 1, p * n + index % n);
        sum += product;
        magnitude += fabs(product);
    }
    *ret_value = sum;
    *ret_bound = 2 * terms * U_F64 / (1 - terms * U_F64) * magnitude + TINY_F64;
}

void ref_gemv_bf16(const RefIn *in, size_t index, double *ret_value, double *ret_bound) {
    size_t k = in->shape.d[1];
    double sum = 0, magnitude = 0;
    for (size_t p = 0; p < k; p++) {
        double product = ref_input(in, 0, index * k + p) * ref_input(in, 1, p);
        sum += product;
        magnitude += fabs(product);
    }
    *ret_value = sum;
    *ret_bound = gamma_of((double)k) * magnitude + TINY;
}

void ref_gemv_bytes(const RefIn *in, size_t index, double *ret_value, double *ret_bound) {
    size_t k = in->shape.d[1];
    double sum = 0, magnitude = 0, scale = ref_input(in, 2, index);
    for (size_t p = 0; p < k; p++) {
        double product = ref_input(in, 0, index * k + p) * ref_input(in, 1, p);
        sum += product;
        magnitude += fabs(product);
    }
    *ret_value = sum * scale;
    *ret_bound = gamma_of((double)k + 2) * magnitude * scale + TINY;
}

// Squares are positive, so their sum has a relative error of gamma_n; the square root halves it.
void ref_rmsnorm(const RefIn *in, size_t index, double *ret_value, double *ret_bound) {
    size_t n = in->shape.d[1], row = index / n * n;
    double squares = 0;
    for (size_t i = 0; i < n; i++) squares += ref_input(in, 0, row + i) * ref_input(in, 0, row + i);
    double root = sqrt(squares / (double)n + (double)KERNEL_EPSILON);
    *ret_value = ref_input(in, 0, index) / root * ref_input(in, 1, index % n);
    *ret_bound = fabs(*ret_value) * (gamma_of((double)n) / 2 + 8 * U) + TINY;
}

void ref_softmax(const RefIn *in, size_t index, double *ret_value, double *ret_bound) {
    size_t n = in->shape.d[1], row = index / n * n;
    double most = ref_input(in, 0, row), least = most, sum = 0;
    for (size_t i = 1; i < n; i++) {
        double x = ref_input(in, 0, row + i);
        most = fmax(most, x);
        least = fmin(least, x);
    }
    for (size_t i = 0; i < n; i++) sum += exp(ref_input(in, 0, row + i) - most);
    *ret_value = exp(ref_input(in, 0, index) - most) / sum;
    *ret_bound = *ret_value * (gamma_of((double)n) + 2 * (EXP_ULPS + (most - least) + 2) * U) + TINY;
}

// Rows are tokens, then heads; a head's first half turns against its second. The table holds cosines, then
// sines.
void ref_rotary(const RefIn *in, size_t index, double *ret_value, double *ret_bound) {
    size_t heads = in->shape.d[1], dim = in->shape.d[2], half = dim / 2;
    size_t i = index % dim, head = index / dim * dim, token = index / (dim * heads);
    double c = ref_input(in, 1, token * dim + i % half), s = ref_input(in, 1, token * dim + half + i % half);
    double x = ref_input(in, 0, index) * c;
    double y = ref_input(in, 0, head + (i < half ? i + half : i - half)) * s;
    *ret_value = i < half ? x - y : x + y;
    *ret_bound = (fabs(x) + fabs(y)) * gamma_of(2) + TINY;
}

void ref_swiglu(const RefIn *in, size_t index, double *ret_value, double *ret_bound) {
    double gate = ref_input(in, 0, index), up = ref_input(in, 1, index);
    *ret_value = gate / (1 + exp(-gate)) * up;
    *ret_bound = fabs(*ret_value) * (EXP_ULPS + fabs(gate) + 4) * U + TINY;
}

// Of equal values the first wins.
void ref_argmax(const RefIn *in, size_t index, double *ret_value, double *ret_bound) {
    size_t n = in->shape.d[1], best = 0;
    double most = ref_input(in, 0, index * n);
    for (size_t i = 1; i < n; i++) {
        double x = ref_input(in, 0, index * n + i);
        if (x > most) most = x, best = i;
    }
    *ret_value = (double)best;
    *ret_bound = 0;
}

void ref_topk(const RefIn *in, size_t index, double *ret_value, double *ret_bound) {
    size_t n = in->shape.d[1], row = index / TOPK_K, rank = index % TOPK_K, used = 0;
    double values[TOPK_K];
    size_t places[TOPK_K];
    for (size_t i = 0; i < n; i++) {
        double x = ref_input(in, 0, row * n + i);
        if (used == TOPK_K && !(x > values[TOPK_K - 1])) continue;
        size_t at = used < TOPK_K ? used++ : TOPK_K - 1;
        for (; at > 0 && x > values[at - 1]; at--) values[at] = values[at - 1], places[at] = places[at - 1];
        values[at] = x, places[at] = i;
    }
    *ret_value = (double)places[rank];
    *ret_bound = 0;
}
