// References of what serving a model consists of: products of low precision, attention, mixtures of experts;
// and of atomics.
//
// The roundoff of an accumulator:
// - fp32 in software: 2^-24 a step, rounded to nearest.
// - matrix units: products exact, sums of fp32 cut off instead of rounded, so 2^-23 (Fasi, Higham, Mikaitis,
//   Pranesh: Numerical behavior of NVIDIA tensor cores, PeerJ Computer Science 2021); AMD documents no more
//   for MFMA and WMMA.
// - fp8 on NVIDIA, and fp4 for want of a better source: sums keep about 14 bits within an instruction
//   (DeepSeek-V3 Technical Report, arXiv 2412.19437, section 3.3.2): 2^-13.
#include <math.h>
#include <string.h>

#include "kernels/reference.h"

#define TINY 1.1754943508222875e-38
#define EXP_ULPS 8.0

static double u_of(const RefIn *in) { return in->roundoff > 0 ? in->roundoff : ROUNDOFF_F32; }

static double gamma_of(double k, double u) { return k * u / (1 - k * u); }

double kernel_roundoff(const Kernel *k, const char *vendor) {
    bool nvidia = strcmp(vendor, "nvidia") == 0;
    if (!k->matrix_unit || strcmp(vendor, "cpu") == 0) return ROUNDOFF_F32;
    return nvidia && (k->buffers[0].elem == ELEM_E4M3 || k->buffers[0].elem == ELEM_U8) ? 0x1p-13 : 0x1p-23;
}

// ---------------------------------------------------------------- products

// A sum by matrix units. An accumulator of few bits: every instruction cuts each of its terms off relative to
// the largest; those of shorter instructions are added up more often, hence a quarter more. Otherwise any
// order: gamma_K, a quarter more for partial sums that are added up.
typedef struct Product {
    double sum, magnitude, cut, before, step;
    size_t terms, in_step;
} Product;

static void product_add(Product *p, size_t step, double u, double term) {
    p->sum += term;
    p->magnitude += fabs(term);
    p->step += fabs(term);
    p->terms++;
    if (++p->in_step < step) return;
    p->cut += 1.25 * (double)step * u * (p->before + p->step);
    p->before = fabs(p->sum), p->step = 0, p->in_step = 0;
}

static double product_bound(const Product *p, size_t step, double u) {
    if (u <= 0x1p-20) return gamma_of(1.25 * (double)p->terms + 2, u) * p->magnitude + TINY;
    return p->cut + (p->in_step > 0 ? 1.25 * (double)step * u * (p->before + p->step) : 0) + TINY;
}

// fp16 numbers below the normal ones may be taken for zero (MI200's matrix units do).
void ref_gemm_nt(const RefIn *in, size_t index, double *ret_value, double *ret_bound) {
    enum { STEP = 32 };
    size_t n = in->shape.d[1], k = in->shape.d[2];
    bool half = in->kernel->buffers[0].elem == ELEM_F16,
         exact = in->kernel->buffers[in->kernel->output].elem == ELEM_I32;
    Product product = {0};
    double flushed = 0, u = u_of(in);
    for (size_t p = 0; p < k; p++) {
        double a = ref_input(in, 0, index / n * k + p), b = ref_input(in, 1, index % n * k + p);
        product_add(&product, STEP, u, a * b);
        if (half && fmin(fabs(a), fabs(b)) < 0x1p-14) flushed += fabs(a * b);
    }
    *ret_value = product.sum;
    *ret_bound = exact ? 0 : product_bound(&product, STEP, u) + flushed;
}

// Instructions of 64 numbers.
void ref_gemm_mxfp4(const RefIn *in, size_t index, double *ret_value, double *ret_bound) {
    enum { STEP = 64 };
    size_t n = in->shape.d[1], blocks = in->shape.d[2], row = index / n * blocks, column = index % n * blocks;
    Product product = {0};
    for (size_t b = 0; b < blocks; b++) {
        double scale = ref_input(in, 2, row + b) * ref_input(in, 3, column + b);
        for (size_t i = 0; i < MX_BLOCK; i++) {
            unsigned x = (unsigned)ref_input(in, 0, (row + b) * (MX_BLOCK / 2) + i / 2),
                     y = (unsigned)ref_input(in, 1, (column + b) * (MX_BLOCK / 2) + i / 2);
            product_add(&product, STEP, u_of(in),
                        e2m1_to(x >> i % 2 * 4 & 15) * e2m1_to(y >> i % 2 * 4 & 15) * scale);
        }
    }
    *ret_value = product.sum;
    *ret_bound = product_bound(&product, STEP, u_of(in));
}

void ref_gemv_i4(const RefIn *in, size_t index, double *ret_value, double *ret_bound) {
    size_t groups = in->shape.d[1];
    double sum = 0, magnitude = 0;
    for (size_t g = 0; g < groups; g++) {
        double scale = ref_input(in, 2, index * groups + g);
        for (size_t i = 0; i < I4_GROUP; i++) {
            unsigned byte = (unsigned)ref_input(in, 0, (index * groups + g) * (I4_GROUP / 2) + i / 2);
            double product =
                ((double)(byte >> i % 2 * 4 & 15) - 8) * ref_input(in, 1, g * I4_GROUP + i) * scale;
            sum += product;
            magnitude += fabs(product);
        }
    }
    *ret_value = sum;
    *ret_bound = gamma_of((double)(groups * I4_GROUP) + 2, ROUNDOFF_F32) * magnitude + TINY;
}

// Scales are powers of two, and an element of two bits times one of eight is exact: only the sum rounds.
void ref_gemv_mxfp4(const RefIn *in, size_t index, double *ret_value, double *ret_bound) {
    size_t blocks = in->shape.d[1];
    double sum = 0, magnitude = 0;
    for (size_t b = 0; b < blocks; b++) {
        double scale = ref_input(in, 2, index * blocks + b);
        for (size_t i = 0; i < MX_BLOCK; i++) {
            unsigned byte = (unsigned)ref_input(in, 0, (index * blocks + b) * (MX_BLOCK / 2) + i / 2);
            double product = e2m1_to(byte >> i % 2 * 4 & 15) * ref_input(in, 1, b * MX_BLOCK + i) * scale;
            sum += product;
            magnitude += fabs(product);
        }
    }
    *ret_value = sum;
    *ret_bound = gamma_of((double)(blocks * MX_BLOCK), ROUNDOFF_F32) * magnitude + TINY;
}

// ---------------------------------------------------------------- attention

// What one output has seen. Scores of these inputs stay far from where exp overflows in double.
typedef struct Attention {
    double query[MLA_DIM], scale;
    size_t dims;
    double sum, value, magnitude;  // of weights; of weight times value; of its magnitude
    double most, least, score_error;
} Attention;

static void attend(Attention *a, const RefIn *in, size_t key_buffer, size_t key, size_t value_buffer,
                   size_t value) {
    double score = 0, magnitude = 0;
    for (size_t i = 0; i < a->dims; i++) {
        double product = a->query[i] * ref_input(in, key_buffer, key + i);
        score += product;
        magnitude += fabs(product);
    }
    double v = ref_input(in, value_buffer, value), weight = exp(score * a->scale);
    a->score_error = fmax(a->score_error, magnitude * a->scale * gamma_of((double)a->dims + 3, u_of(in)));
    a->most = a->sum > 0 ? fmax(a->most, score * a->scale) : score * a->scale;
    a->least = a->sum > 0 ? fmin(a->least, score * a->scale) : score * a->scale;
    a->sum += weight;
    a->value += weight * v;
    a->magnitude += weight * fabs(v);
}

// A weight errs by its score's error and its exponential's, and once more where the running maximum was
// raised (at most once a page); on matrix units it is rounded to bf16. The same errors stand in the sum that
// divides.
static void attention_done(const Attention *a, const RefIn *in, size_t tokens, double *ret_value,
                           double *ret_bound) {
    double pages = ceil((double)tokens / PAGE_TOKENS), u = u_of(in);
    double weight =
        a->score_error + (EXP_ULPS + 2 * (a->most - a->least) + 4 + pages * (EXP_ULPS + 1)) * ROUNDOFF_F32;
    double rounded = in->kernel->matrix_unit && u > ROUNDOFF_F32 ? 0x1p-8 : 0;
    *ret_value = a->value / a->sum;
    *ret_bound =
        (2 * weight + rounded + 2 * gamma_of(1.25 * (double)tokens + 4, u)) * a->magnitude / a->sum + TINY;
}

// tokens x heads: a query sees its own token and those before it.
void ref_prefill(const RefIn *in, size_t index, double *ret_value, double *ret_bound) {
    size_t heads = in->shape.d[1], dim = index % HEAD_DIM, head = index / HEAD_DIM % heads,
           token = index / HEAD_DIM / heads;
    Attention a = {.scale = 1 / sqrt(HEAD_DIM), .dims = HEAD_DIM};
    for (size_t i = 0; i < HEAD_DIM; i++) a.query[i] = ref_input(in, 0, index - dim + i);
    for (size_t t = 0; t <= token; t++) {
        size_t row = (t * (heads / PREFILL_HEADS) + head / PREFILL_HEADS) * HEAD_DIM;
        attend(&a, in, 1, row, 2, row + dim);
    }
    attention_done(&a, in, token + 1, ret_value, ret_bound);
}

// sequences x cache heads x pages.
void ref_decode_gqa(const RefIn *in, size_t index, double *ret_value, double *ret_bound) {
    size_t heads = in->shape.d[1], pages = in->shape.d[2], dim = index % HEAD_DIM,
           item = index / HEAD_DIM / GQA_HEADS;
    size_t sequence = item / heads, tokens = (size_t)ref_input(in, 4, sequence);
    Attention a = {.scale = 1 / sqrt(HEAD_DIM), .dims = HEAD_DIM};
    for (size_t i = 0; i < HEAD_DIM; i++) a.query[i] = ref_input(in, 0, index - dim + i);
    for (size_t t = 0; t < tokens; t++) {
        size_t page = (size_t)ref_input(in, 3, sequence * pages + t / PAGE_TOKENS);
        size_t row = ((page * heads + item % heads) * PAGE_TOKENS + t % PAGE_TOKENS) * HEAD_DIM;
        attend(&a, in, 1, row, 2, row + dim);
    }
    attention_done(&a, in, tokens, ret_value, ret_bound);
}

// sequences x groups of heads x pages; the scale is that of 192 numbers a head before they are folded into
// the latent.
void ref_decode_mla(const RefIn *in, size_t index, double *ret_value, double *ret_bound) {
    size_t groups = in->shape.d[1], pages = in->shape.d[2], dim = index % MLA_OUT, query = index / MLA_OUT;
    size_t sequence = query / MLA_HEADS / groups, tokens = (size_t)ref_input(in, 3, sequence);
    Attention a = {.scale = 1 / sqrt(192), .dims = MLA_DIM};
    for (size_t i = 0; i < MLA_DIM; i++) a.query[i] = ref_input(in, 0, query * MLA_DIM + i);
    for (size_t t = 0; t < tokens; t++) {
        size_t row =
            ((size_t)ref_input(in, 2, sequence * pages + t / PAGE_TOKENS) * PAGE_TOKENS + t % PAGE_TOKENS) *
            MLA_DIM;
        attend(&a, in, 1, row, 1, row + dim);
    }
    attention_done(&a, in, tokens, ret_value, ret_bound);
}

// ---------------------------------------------------------------- experts, atomics, launch

void ref_moe_gather(const RefIn *in, size_t index, double *ret_value, double *ret_bound) {
    size_t columns = in->shape.d[1], token = index / columns;
    double sum = 0, magnitude = 0;
    for (size_t e = 0; e < MOE_PICKS; e++) {
        size_t row = (size_t)ref_input(in, 1, token * MOE_PICKS + e);
        double product =
            ref_input(in, 2, token * MOE_PICKS + e) * ref_input(in, 0, row * columns + index % columns);
        sum += product;
        magnitude += fabs(product);
    }
    *ret_value = sum;
    *ret_bound = gamma_of(MOE_PICKS + 1, ROUNDOFF_F32) * magnitude + TINY;
}

void ref_atomics(const RefIn *in, size_t index, double *ret_value, double *ret_bound) {
    size_t columns = in->shape.d[1], row = index / COUNTS * columns;
    double count = 0;
    for (size_t i = 0; i < columns; i++) count += ref_input(in, 0, row + i) == (double)(index % COUNTS);
    *ret_value = count;
    *ret_bound = 0;
}
