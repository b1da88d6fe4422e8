// The second half of cpu_body.h: what serving a model consists of beside dense products; and atomics.

// ---------------------------------------------------------------- decode products of few bits

typedef VEC(uint8_t, 1) vub;
typedef vub __attribute__((aligned(1), may_alias)) vub_any;
#define UBYTES(p)                                                                                            \
    (__builtin_convertvector(__builtin_convertvector(*(const vub_any *)(const void *)(p), vh), vu))

// e4m3: below 8 the bits count steps of 2^-9, above they are a float's with another bias; 0x7F is NaN.
FN void e4m3_vector(const uint8_t *p, vf *ret_values) {
    vu x = UBYTES(p), rest = x & 0x7F;
    vu small = (vu)(rest < 8), nan = (vu)(rest == 0x7F) & 0x7FC00000u;
    vu normal = (rest << 20) + (120u << 23), steps = (vu)(__builtin_convertvector((vi)rest, vf) * 0x1p-9f);
    *ret_values = (vf)((normal & ~small) | (steps & small) | nan | (x & 0x80) << 24);
}

FN void gemv_fp8(const CpuArgs *g, size_t begin, size_t end) {
    size_t k = g->shape.d[1];
    const float *x = g->in[1], *scales = g->in[2];
    for (size_t r = begin; r < end; r++) {
        const uint8_t *w = (const uint8_t *)g->in[0] + r * k;
        vf s0 = zero, s1 = zero, a, b;
        size_t p = 0;
        for (; p + 2 * LANES <= k; p += 2 * LANES) {
            e4m3_vector(w + p, &a);
            e4m3_vector(w + p + LANES, &b);
            s0 += a * LOAD(x + p);
            s1 += b * LOAD(x + p + LANES);
        }
        s0 += s1;
        float sum = sum_lanes(&s0);
        for (; p < k; p++) sum += (float)elem_read(ELEM_E4M3, w, p) * x[p];
        ((float *)g->out)[r] = sum * scales[r];
    }
}

// Even and odd weights lie in the two halves of bytes, so the other side is taken apart once for all rows.
enum { I4_CHUNK = 64 };  // groups

FN void gemv_i4_chunk(const CpuArgs *g, size_t begin, size_t end, size_t from, size_t groups) {
    float even[I4_CHUNK * I4_GROUP / 2], odd[I4_CHUNK * I4_GROUP / 2];
    const float *x = (const float *)g->in[1] + from * I4_GROUP;
    for (size_t i = 0; i < groups * I4_GROUP / 2; i++) even[i] = x[2 * i], odd[i] = x[2 * i + 1];
    for (size_t r = begin; r < end; r++) {
        const uint8_t *w = (const uint8_t *)g->in[0] + (r * g->shape.d[1] + from) * (I4_GROUP / 2);
        const float *scales = (const float *)g->in[2] + r * g->shape.d[1] + from;
        vf sums = zero;
        for (size_t q = 0; q < groups; q++) {
            vf s0 = zero, s1 = zero;
            for (size_t i = q * I4_GROUP / 2; i < (q + 1) * I4_GROUP / 2; i += LANES) {
                vu bytes = UBYTES(w + i);
                s0 += __builtin_convertvector((vi)(bytes & 15) - 8, vf) * LOAD(even + i);
                s1 += __builtin_convertvector((vi)(bytes >> 4) - 8, vf) * LOAD(odd + i);
            }
            sums += (s0 + s1) * scales[q];
        }
        float *y = (float *)g->out + r;
        *y = (from > 0 ? *y : 0) + sum_lanes(&sums);
    }
}

FN void gemv_i4(const CpuArgs *g, size_t begin, size_t end) {
    size_t groups = g->shape.d[1];
    for (size_t from = 0; from < groups; from += I4_CHUNK)
        gemv_i4_chunk(g, begin, end, from, groups - from < I4_CHUNK ? groups - from : I4_CHUNK);
}

// A block of e2m1 numbers twice as large, so that they are whole (0 1 2 3 4 6 8 12), against the numbers that
// its even and odd ones meet.
#if defined(__x86_64__) && LANES >= 8
static const float e2m1_table[16] = {0, 1, 2, 3, 4, 6, 8, 12, -0.0f, -1, -2, -3, -4, -6, -8, -12};

// Places in a table of one vector: the hardware looks at as many bits of them as it needs.
#if LANES == 16
#define E2M1(table, x) ((vf)_mm512_permutexvar_ps((__m512i)(x), (__m512)(table)))
#define NIBBLES(p) ((vu)_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)(p))))
#else
#define E2M1(table, x) ((vf)((vu)_mm256_permutevar8x32_ps((__m256)(table), (__m256i)(x)) | (((x)&8) << 28)))
#define NIBBLES(p) ((vu)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)(p))))
#endif

FN void e2m1_dot(const uint8_t *w, const float *even, const float *odd, vf *ret_sums) {
    vf table = LOAD(e2m1_table), s0 = zero, s1 = zero;
    for (size_t i = 0; i < MX_BLOCK / 2; i += LANES) {
        vu x = NIBBLES(w + i);
        s0 += E2M1(table, x) * LOAD(even + i);
        s1 += E2M1(table, x >> 4) * LOAD(odd + i);
    }
    *ret_sums = s0 + s1;
}
#else
typedef int8_t Nibbles __attribute__((vector_size(16)));
typedef Nibbles __attribute__((aligned(1), may_alias)) Nibbles_any;

FN void e2m1_doubled(Nibbles n, int8_t *out) {
    Nibbles m = n & 7, negative = (Nibbles)(n > 7);
    m = m - (Nibbles)(m > 4) - (Nibbles)(m > 5) + ((Nibbles)(m > 6) & 3);
    *(Nibbles_any *)(void *)out = (m ^ negative) - negative;
}

FN void e2m1_dot(const uint8_t *w, const float *even, const float *odd, vf *ret_sums) {
    int8_t low[MX_BLOCK / 2], high[MX_BLOCK / 2];
    vf s0 = zero, s1 = zero;
    e2m1_doubled(*(const Nibbles_any *)(const void *)w & 15, low);
    e2m1_doubled(*(const Nibbles_any *)(const void *)w >> 4 & 15, high);
    for (size_t i = 0; i < MX_BLOCK / 2; i += LANES) {
        s0 += BYTES(low + i) * LOAD(even + i);
        s1 += BYTES(high + i) * LOAD(odd + i);
    }
    *ret_sums = s0 + s1;
}
#endif

// The scale of doubled elements.
FN float e8m0_halved(uint8_t x) {
    uint32_t bits = x == 0xFF ? 0x7FC00000u : x > 1 ? (uint32_t)(x - 1) << 23 : (uint32_t)(x + 1) << 21;
    float scale;
    memcpy(&scale, &bits, sizeof scale);
    return scale;
}

enum { MX_CHUNK = 256 };  // blocks

FN void gemv_mxfp4_chunk(const CpuArgs *g, size_t begin, size_t end, size_t from, size_t blocks) {
    float even[MX_CHUNK * MX_BLOCK / 2], odd[MX_CHUNK * MX_BLOCK / 2];
    const uint16_t *x = (const uint16_t *)g->in[1] + from * MX_BLOCK;
    for (size_t i = 0; i < blocks * MX_BLOCK / 2; i++)
        even[i] = bf16_to(x[2 * i]), odd[i] = bf16_to(x[2 * i + 1]);
    for (size_t r = begin; r < end; r++) {
        const uint8_t *w = (const uint8_t *)g->in[0] + (r * g->shape.d[1] + from) * (MX_BLOCK / 2);
        const uint8_t *scales = (const uint8_t *)g->in[2] + r * g->shape.d[1] + from;
        vf sums = zero;
        for (size_t b = 0; b < blocks; b++) {
            vf part;
            e2m1_dot(w + b * (MX_BLOCK / 2), even + b * (MX_BLOCK / 2), odd + b * (MX_BLOCK / 2), &part);
            sums += part * e8m0_halved(scales[b]);
        }
        float *y = (float *)g->out + r;
        *y = (from > 0 ? *y : 0) + sum_lanes(&sums);
    }
}

FN void gemv_mxfp4(const CpuArgs *g, size_t begin, size_t end) {
    size_t blocks = g->shape.d[1];
    for (size_t from = 0; from < blocks; from += MX_CHUNK)
        gemv_mxfp4_chunk(g, begin, end, from, blocks - from < MX_CHUNK ? blocks - from : MX_CHUNK);
}

// ---------------------------------------------------------------- attention

// Queries that share keys, and what they have seen so far. Sizes are multiples of the widest vector.
typedef struct Attend {
    size_t heads, dims, out_dims;
    float scale, most[MLA_HEADS], sum[MLA_HEADS];
    float query[MLA_HEADS * MLA_DIM], out[MLA_HEADS * MLA_OUT];
} Attend;

FN void attend_start(Attend *a, const uint16_t *q, size_t stride) {
    memset(a->out, 0, sizeof a->out);
    for (size_t h = 0; h < a->heads; h++) {
        a->most[h] = -INFINITY, a->sum[h] = 0;
        for (size_t i = 0; i < a->dims; i += LANES)
            STORE(a->query + h * a->dims + i, BF16(q + h * stride + i));
    }
}

FN float attend_score(const float *q, const uint16_t *k, size_t dims) {
    vf s0 = zero, s1 = zero;
    size_t i = 0;
    for (; i + 2 * LANES <= dims; i += 2 * LANES) {
        s0 += LOAD(q + i) * BF16(k + i);
        s1 += LOAD(q + i + LANES) * BF16(k + i + LANES);
    }
    for (; i < dims; i += LANES) s0 += LOAD(q + i) * BF16(k + i);
    s0 += s1;
    return sum_lanes(&s0);
}

// Takes in n <= PAGE_TOKENS keys and values, `stride` numbers apart.
FN void attend_rows(Attend *a, const uint16_t *k, const uint16_t *v, size_t stride, size_t n) {
    for (size_t h = 0; h < a->heads; h++) {
        float weights[PAGE_TOKENS], most = a->most[h], *out = a->out + h * a->out_dims;
        for (size_t t = 0; t < n; t++) {
            weights[t] = a->scale * attend_score(a->query + h * a->dims, k + t * stride, a->dims);
            most = weights[t] > most ? weights[t] : most;
        }
        if (most > a->most[h]) {
            float factor = exp_one(a->most[h] - most);
            for (size_t i = 0; i < a->out_dims; i += LANES) STORE(out + i, LOAD(out + i) * factor);
            a->sum[h] *= factor;
            a->most[h] = most;
        }
        for (size_t t = 0; t < n; t++) a->sum[h] += weights[t] = exp_one(weights[t] - most);
        for (size_t i = 0; i < a->out_dims; i += LANES) {
            vf sum = LOAD(out + i);
            for (size_t t = 0; t < n; t++) sum += weights[t] * BF16(v + t * stride + i);
            STORE(out + i, sum);
        }
    }
}

FN void attend_done(const Attend *a, float *to, size_t stride) {
    for (size_t h = 0; h < a->heads; h++) {
        for (size_t i = 0; i < a->out_dims; i++) to[h * stride + i] = a->out[h * a->out_dims + i] / a->sum[h];
    }
}

// Items are cache heads.
FN void prefill(const CpuArgs *g, size_t begin, size_t end) {
    size_t tokens = g->shape.d[0], row_q = g->shape.d[1] * HEAD_DIM, row_kv = row_q / PREFILL_HEADS;
    Attend a = {
        .heads = PREFILL_HEADS, .dims = HEAD_DIM, .out_dims = HEAD_DIM, .scale = 0.088388347648318447f};
    for (size_t item = begin * tokens; item < end * tokens; item++) {
        size_t head = item / tokens, token = item % tokens,
               at = token * row_q + head * PREFILL_HEADS * HEAD_DIM;
        const uint16_t *k = (const uint16_t *)g->in[1] + head * HEAD_DIM,
                       *v = (const uint16_t *)g->in[2] + head * HEAD_DIM;
        attend_start(&a, (const uint16_t *)g->in[0] + at, HEAD_DIM);
        for (size_t t = 0; t <= token; t += PAGE_TOKENS) {
            attend_rows(&a, k + t * row_kv, v + t * row_kv, row_kv,
                        token + 1 - t < PAGE_TOKENS ? token + 1 - t : PAGE_TOKENS);
        }
        attend_done(&a, (float *)g->out + at, HEAD_DIM);
    }
}

// Items are sequences.
FN void decode_gqa(const CpuArgs *g, size_t begin, size_t end) {
    size_t heads = g->shape.d[1], pages = g->shape.d[2];
    const uint32_t *lengths = g->in[4];
    Attend a = {.heads = GQA_HEADS, .dims = HEAD_DIM, .out_dims = HEAD_DIM, .scale = 0.088388347648318447f};
    for (size_t item = begin * heads; item < end * heads; item++) {
        const uint32_t *table = (const uint32_t *)g->in[3] + item / heads * pages;
        size_t length = lengths[item / heads], at = item * GQA_HEADS * HEAD_DIM;
        attend_start(&a, (const uint16_t *)g->in[0] + at, HEAD_DIM);
        for (size_t t = 0; t < length; t += PAGE_TOKENS) {
            size_t page = (table[t / PAGE_TOKENS] * heads + item % heads) * PAGE_TOKENS * HEAD_DIM;
            attend_rows(&a, (const uint16_t *)g->in[1] + page, (const uint16_t *)g->in[2] + page, HEAD_DIM,
                        length - t < PAGE_TOKENS ? length - t : PAGE_TOKENS);
        }
        attend_done(&a, (float *)g->out + at, HEAD_DIM);
    }
}

FN void decode_mla(const CpuArgs *g, size_t begin, size_t end) {
    size_t groups = g->shape.d[1], pages = g->shape.d[2];
    const uint32_t *lengths = g->in[3];
    Attend a = {.heads = MLA_HEADS, .dims = MLA_DIM, .out_dims = MLA_OUT, .scale = 0.072168783648703216f};
    for (size_t item = begin * groups; item < end * groups; item++) {
        const uint32_t *table = (const uint32_t *)g->in[2] + item / groups * pages;
        size_t length = lengths[item / groups];
        attend_start(&a, (const uint16_t *)g->in[0] + item * MLA_HEADS * MLA_DIM, MLA_DIM);
        for (size_t t = 0; t < length; t += PAGE_TOKENS) {
            const uint16_t *page =
                (const uint16_t *)g->in[1] + (size_t)table[t / PAGE_TOKENS] * PAGE_TOKENS * MLA_DIM;
            attend_rows(&a, page, page, MLA_DIM, length - t < PAGE_TOKENS ? length - t : PAGE_TOKENS);
        }
        attend_done(&a, (float *)g->out + item * MLA_HEADS * MLA_OUT, MLA_OUT);
    }
}

// ---------------------------------------------------------------- experts, atomics

FN void moe_gather(const CpuArgs *g, size_t begin, size_t end) {
    size_t n = g->shape.d[1];
    for (size_t t = begin; t < end; t++) {
        const uint32_t *picks = (const uint32_t *)g->in[1] + t * MOE_PICKS;
        const float *weights = (const float *)g->in[2] + t * MOE_PICKS;
        const uint16_t *rows[MOE_PICKS];
        float *y = (float *)g->out + t * n;
        size_t i = 0;
        for (size_t e = 0; e < MOE_PICKS; e++) rows[e] = (const uint16_t *)g->in[0] + picks[e] * n;
        for (; i + LANES <= n; i += LANES) {
            vf sum = zero;
            for (size_t e = 0; e < MOE_PICKS; e++) sum += weights[e] * BF16(rows[e] + i);
            STORE(y + i, sum);
        }
        for (; i < n; i++) {
            y[i] = 0;
            for (size_t e = 0; e < MOE_PICKS; e++) y[i] += weights[e] * bf16_to(rows[e][i]);
        }
    }
}

FN void atomics(const CpuArgs *g, size_t begin, size_t end) {
    size_t n = g->shape.d[1];
    for (size_t r = begin; r < end; r++) {
        const uint8_t *x = (const uint8_t *)g->in[0] + r * n;
        uint32_t *counts = (uint32_t *)g->out + r * COUNTS;
        memset(counts, 0, COUNTS * sizeof *counts);
        for (size_t i = 0; i < n; i++) __atomic_fetch_add(&counts[x[i]], 1, __ATOMIC_RELAXED);
    }
}
