// Attention of a decode step over a paged cache.
//
// A sequence's pages are found through its row of the page table; the last page is filled as far as its length says.
// With one cache head for GQA_HEADS queries, and with a latent that all heads share (MLA). On matrix units where there
// are any: by lanes alone a byte of the cache costs 13 (GQA) and 49 (MLA) instructions, more than memory waits for.
#ifndef GPUADVISE_DECODE_H
#define GPUADVISE_DECODE_H

#include "kernels/device/attention.h"

#define GQA_HEADS 8u
#define MLA_THREADS 256u
#define MLA_HEADS 16u                    // of a block
#define MLA_DIM 576u                     // latent and rotary part: what scores see
#define MLA_OUT 512u                     // latent: what is summed
#define MLA_PITCH 584u                   // numbers of a key in shared memory
#define MLA_SCALE 0.072168783648703216f  // 1 / sqrt(192)

#if !defined(GK_FAMILY) || defined(GK_SHIM)

// ---------------------------------------------------------------- grouped queries, without matrix units

#define GQA_PITCH 136u  // numbers of a key in shared memory: eight keys then start in different banks

// 16 keys or values of 128 numbers: two pieces of 16 bytes a thread.
GK_FN void gk_page_fetch(const gk_u16 *page, gk_quad *moved) {
    GK_UNROLL for (gk_u32 i = 0; i < 2; i++) moved[i] =
        ((const gk_quad *)(const void *)page)[GK_THREAD + i * GK_THREADS];
}
GK_FN void gk_page_put(gk_u16 *shared, const gk_quad *moved) {
    GK_UNROLL for (gk_u32 i = 0; i < 2; i++) {
        gk_u32 piece = GK_THREAD + i * GK_THREADS;
        *(gk_quad *)(void *)(shared + piece / 16 * GQA_PITCH + piece % 16 * 8) = moved[i];
    }
}

// The score of this thread's query and token.
GK_FN float gk_gqa_score(const float *query, const gk_u16 *key) {
    float sum = 0;
    for (gk_u32 i = 0; i < HEAD_DIM; i += 8) {
        gk_quad k = *(const gk_quad *)(const void *)(key + i);
        gk_floats a = *(const gk_floats *)(const void *)(query + i),
                  b = *(const gk_floats *)(const void *)(query + i + 4);
        sum += gk_bf16_low(k[0]) * a[0] + gk_bf16_high(k[0]) * a[1] + gk_bf16_low(k[1]) * a[2] +
               gk_bf16_high(k[1]) * a[3];
        sum += gk_bf16_low(k[2]) * b[0] + gk_bf16_high(k[2]) * b[1] + gk_bf16_low(k[3]) * b[2] +
               gk_bf16_high(k[3]) * b[3];
    }
    return sum * GQA_SCALE;
}

// A block makes one cache head of one sequence. Scores: 8 queries x 16 tokens, one a thread; outputs: a
// dimension a thread.
GK_FN void gk_gqa_by_lanes(gk_size sequences, gk_size heads, gk_size pages, const gk_u16 *q, const gk_u16 *k,
                           const gk_u16 *v, const gk_u32 *table, const gk_u32 *lengths, float *out) {
    GK_SHARED_ARRAY(gk_floats, query, GQA_HEADS * HEAD_DIM / 4);
    GK_SHARED_ARRAY(gk_quad, keys, PAGE * GQA_PITCH / 8);
    GK_SHARED_ARRAY(gk_quad, values, PAGE * GQA_PITCH / 8);
    GK_SHARED_ARRAY(float, weights, GQA_HEADS *PAGE);
    GK_SHARED_ARRAY(float, factors, GQA_HEADS);
    gk_u32 head = GK_THREAD / PAGE, token = GK_THREAD % PAGE;
    for (gk_size item = GK_BLOCK; item < sequences * heads; item += GK_BLOCKS) {
        gk_size sequence = item / heads, length = lengths[sequence];
        const gk_u32 *places = table + sequence * pages;
        gk_running run = {LOWEST, 0};
        float sums[GQA_HEADS];
        gk_quad moved_k[2], moved_v[2];
        GK_UNROLL for (gk_u32 h = 0; h < GQA_HEADS; h++) {
            sums[h] = 0;
            ((float *)query)[h * HEAD_DIM + GK_THREAD] =
                gk_bf16(q[(item * GQA_HEADS + h) * HEAD_DIM + GK_THREAD]);
        }
        gk_page_fetch(k + (places[0] * heads + item % heads) * PAGE * HEAD_DIM, moved_k);
        gk_page_fetch(v + (places[0] * heads + item % heads) * PAGE * HEAD_DIM, moved_v);
        for (gk_size at = 0; at < length; at += PAGE) {
            gk_page_put((gk_u16 *)keys, moved_k);
            gk_page_put((gk_u16 *)values, moved_v);
            gk_barrier();
            if (at + PAGE < length) {
                gk_size next = places[at / PAGE + 1] * heads + item % heads;
                gk_page_fetch(k + next * PAGE * HEAD_DIM, moved_k);
                gk_page_fetch(v + next * PAGE * HEAD_DIM, moved_v);
            }
            int there = at + token < length;
            float score = there ? gk_gqa_score((const float *)query + head * HEAD_DIM,
                                               (const gk_u16 *)keys + token * GQA_PITCH)
                                : LOWEST,
                  most = score;
            most = gk_page_most(most);
            float factor = gk_running_raise(&run, most), weight = there ? gk_exp(score - run.most) : 0;
            run.sum += weight;  // of this token alone: added up at the end
            weights[GK_THREAD] = weight;
            if (token == 0) factors[head] = factor;
            gk_barrier();
            GK_UNROLL for (gk_u32 h = 0; h < GQA_HEADS; h++) sums[h] *= factors[h];
            for (gk_u32 t = 0; t < PAGE && at + t < length; t++) {
                float value = gk_bf16(((const gk_u16 *)values)[t * GQA_PITCH + GK_THREAD]);
                GK_UNROLL for (gk_u32 h = 0; h < GQA_HEADS; h++) sums[h] += weights[h * PAGE + t] * value;
            }
            gk_barrier();
        }
        for (gk_u32 mask = PAGE / 2; mask > 0; mask /= 2) run.sum += gk_shuffle_xor_f(run.sum, mask);
        if (token == 0) factors[head] = 1.0f / run.sum;
        gk_barrier();
        GK_UNROLL for (gk_u32 h = 0; h < GQA_HEADS; h++) out[(item * GQA_HEADS + h) * HEAD_DIM + GK_THREAD] =
            sums[h] * factors[h];
        gk_barrier();
    }
}

// ---------------------------------------------------------------- latent attention, without matrix units

GK_FN float gk_mla_score(const gk_u16 *query, const gk_u16 *key) {
    float low = 0, high = 0;
    for (gk_u32 i = 0; i < MLA_DIM; i += 8) {
        gk_quad a = *(const gk_quad *)(const void *)(query + i),
                b = *(const gk_quad *)(const void *)(key + i);
        GK_UNROLL for (gk_u32 w = 0; w < 4; w++) low += gk_bf16_low(a[w]) * gk_bf16_low(b[w]),
            high += gk_bf16_high(a[w]) * gk_bf16_high(b[w]);
    }
    return (low + high) * MLA_SCALE;
}

GK_FN void gk_mla_move(const gk_u16 *rows, gk_u16 *shared) {
    for (gk_u32 piece = GK_THREAD; piece < 16 * MLA_DIM / 8; piece += MLA_THREADS) {
        *(gk_quad *)(void *)(shared + piece / (MLA_DIM / 8) * MLA_PITCH + piece % (MLA_DIM / 8) * 8) =
            ((const gk_quad *)(const void *)rows)[piece];
    }
}

// A block makes 16 heads of one sequence. Scores: one a thread; outputs: two numbers of every head.
GK_FN void gk_mla_by_lanes(gk_size sequences, gk_size groups, gk_size pages, const gk_u16 *q,
                           const gk_u16 *cache, const gk_u32 *table, const gk_u32 *lengths, float *out) {
    GK_SHARED_ARRAY(gk_quad, query, MLA_HEADS * MLA_PITCH / 8);
    GK_SHARED_ARRAY(gk_quad, keys, PAGE * MLA_PITCH / 8);
    GK_SHARED_ARRAY(float, weights, PAGE *MLA_HEADS);
    GK_SHARED_ARRAY(float, factors, MLA_HEADS);
    gk_u32 token = GK_THREAD % PAGE, head = GK_THREAD / PAGE;
    for (gk_size item = GK_BLOCK; item < sequences * groups; item += GK_BLOCKS) {
        gk_size sequence = item / groups, length = lengths[sequence];
        gk_running run = {LOWEST, 0};
        float sums[MLA_HEADS][2];
        GK_UNROLL for (gk_u32 h = 0; h < MLA_HEADS; h++) sums[h][0] = sums[h][1] = 0;
        gk_mla_move(q + item * MLA_HEADS * MLA_DIM, (gk_u16 *)query);
        for (gk_size at = 0; at < length; at += PAGE) {
            gk_mla_move(cache + table[sequence * pages + at / PAGE] * (gk_size)(PAGE * MLA_DIM),
                        (gk_u16 *)keys);
            gk_barrier();
            int there = at + token < length;
            float score = there ? gk_mla_score((const gk_u16 *)query + head * MLA_PITCH,
                                               (const gk_u16 *)keys + token * MLA_PITCH)
                                : LOWEST,
                  most = score;
            most = gk_page_most(most);
            float factor = gk_running_raise(&run, most), weight = there ? gk_exp(score - run.most) : 0;
            run.sum += weight;
            weights[token * MLA_HEADS + head] = weight;
            if (token == 0) factors[head] = factor;
            gk_barrier();
            GK_UNROLL for (gk_u32 h = 0; h < MLA_HEADS; h++) sums[h][0] *= factors[h],
                sums[h][1] *= factors[h];
            for (gk_u32 t = 0; t < PAGE && at + t < length; t++) {
                gk_u32 pair =
                    ((const gk_u32 *)(const void *)((const gk_u16 *)keys + t * MLA_PITCH))[GK_THREAD];
                GK_UNROLL for (gk_u32 h = 0; h < MLA_HEADS; h++) {
                    float weight_of = weights[t * MLA_HEADS + h];
                    sums[h][0] += weight_of * gk_bf16_low(pair), sums[h][1] += weight_of * gk_bf16_high(pair);
                }
            }
            gk_barrier();
        }
        for (gk_u32 mask = PAGE / 2; mask > 0; mask /= 2) run.sum += gk_shuffle_xor_f(run.sum, mask);
        if (token == 0) factors[head] = 1.0f / run.sum;
        gk_barrier();
        GK_UNROLL for (gk_u32 h = 0; h < MLA_HEADS; h++) {
            float *to = out + (item * MLA_HEADS + h) * MLA_OUT + GK_THREAD * 2;
            to[0] = sums[h][0] * factors[h], to[1] = sums[h][1] * factors[h];
        }
        gk_barrier();
    }
}

#endif

// ---------------------------------------------------------------- on matrix units

#ifdef GK_FAMILY

#define DECODE_ROWS 16u  // heads of a tile; GQA fills half of it
#define DECODE_WARPS(threads) ((threads) / (GK_FAMILY == GK_MFMA ? 64u : 32u))
#define DECODE_TURNED 36u   // bytes of a dimension of the turned values: 16 tokens and a word
#define DECODE_WEIGHTS 40u  // bytes of a head's weights
#define DECODE_SCORES (DECODE_ROWS * PAGE)
#define DECODE_PAIRS (PAGE / 2)
// The most that any block here has: steps of 16 dimensions and tiles of a warp, pieces of a page of a thread.
#define DECODE_STEPS_MAX 9
#define DECODE_TILES_MAX 8
#define DECODE_MOVES_MAX 3

// A kind of decode step, and what its block has in shared memory. A block has a thread for each head and token of a page.
typedef struct gk_decode {
    gk_u32 heads, dim, out;  // of the block; numbers that scores see; numbers that are summed
    int latent;              // what is summed are the first numbers of what scores see
    float scale;
    gk_u8 *keys, *turned, *weights;
    float *scores, *factors;  // a tile of scores of each warp, of its part of the dimensions
} gk_decode;

#define DECODE_THREADS(d) ((d)->heads * PAGE)
#define DECODE_PITCH(d) ((d)->dim * 2 + 16)  // bytes of a key in shared memory
#define DECODE_MOVES(d) ((DECODE_PAIRS * (d)->dim / 8 + DECODE_THREADS(d) - 1) / DECODE_THREADS(d))
// Where the dimensions do not share evenly, the last warp takes fewer.
#define DECODE_STEPS(d)                                                                                      \
    (((d)->dim / 16 + DECODE_WARPS(DECODE_THREADS(d)) - 1) / DECODE_WARPS(DECODE_THREADS(d)))
#define DECODE_TILES(d) ((d)->out / 16 / DECODE_WARPS(DECODE_THREADS(d)))

// Eight numbers of two tokens each, of a page of `dim` numbers a token.
GK_FN void gk_decode_fetch(const gk_decode *d, const gk_u16 *page, gk_quad (*moved)[2]) {
    GK_UNROLL for (gk_u32 i = 0; i < DECODE_MOVES(d); i++) {
        gk_u32 item = GK_THREAD + i * DECODE_THREADS(d), pair = item % DECODE_PAIRS,
               piece = item / DECODE_PAIRS;
        if (piece < d->dim / 8) {
            GK_UNROLL for (gk_u32 t = 0; t < 2; t++) moved[i][t] =
                *(const gk_quad *)(const void *)(page + (pair * 2 + t) * d->dim + piece * 8);
        }
    }
}

// As they are, where scores read them.
GK_FN void gk_decode_put(const gk_decode *d, gk_quad (*moved)[2]) {
    GK_UNROLL for (gk_u32 i = 0; i < DECODE_MOVES(d); i++) {
        gk_u32 item = GK_THREAD + i * DECODE_THREADS(d), pair = item % DECODE_PAIRS,
               piece = item / DECODE_PAIRS;
        if (piece < d->dim / 8) {
            GK_UNROLL for (gk_u32 t = 0; t < 2; t++) *
                (gk_quad *)(void *)(d->keys + (pair * 2 + t) * DECODE_PITCH(d) + piece * 16) = moved[i][t];
        }
    }
}

// Turned, so that tokens stand along the row. Past the last token: zeros.
GK_FN void gk_decode_turn(const gk_decode *d, gk_size tokens, gk_quad (*moved)[2]) {
    GK_UNROLL for (gk_u32 i = 0; i < DECODE_MOVES(d); i++) {
        gk_u32 item = GK_THREAD + i * DECODE_THREADS(d), pair = item % DECODE_PAIRS,
               piece = item / DECODE_PAIRS;
        gk_u32 first = pair * 2 < tokens ? ~0u : 0, second = pair * 2 + 1 < tokens ? ~0u : 0;
        gk_u8 *to = d->turned + piece * 8 * DECODE_TURNED + pair * 4;
        if (piece < d->out / 8) {
            GK_UNROLL for (gk_u32 w = 0; w < 4; w++) {
                gk_u32 x = moved[i][0][w] & first, y = moved[i][1][w] & second;
                *(gk_u32 *)(void *)(to + w * 2 * DECODE_TURNED) = (x & 0xFFFFu) | y << 16;
                *(gk_u32 *)(void *)(to + (w * 2 + 1) * DECODE_TURNED) = x >> 16 | (y & 0xFFFF0000u);
            }
        }
    }
}

// This warp's part of every score: of its steps of the dimensions, which its queries are of.
GK_FN void gk_decode_scores(const gk_decode *d, const gk_operand *query) {
    gk_u32 lane = GK_THREAD % GK_WARP, warp = GK_THREAD / GK_WARP;
    gk_sums s;
    gk_operand key;
    GK_UNROLL for (gk_u32 w = 0; w < GK_SUM_WORDS; w++) s.w[w] = 0;
    GK_UNROLL for (gk_u32 i = 0; i < DECODE_STEPS(d); i++) {
        gk_u32 step = warp * DECODE_STEPS(d) + i;
        if (step < d->dim / 16) {
            gk_operand_load(&key, d->keys + step * GK_STEP, DECODE_PITCH(d));
            gk_mma(GK_BF16, &s, &query[i], &key);
        }
    }
    GK_UNROLL for (gk_u32 w = 0; w < GK_SUM_WORDS; w++)
        d->scores[warp * DECODE_SCORES + gk_sum_row(lane, w) * PAGE + gk_sum_column(lane, w)] =
        gk_float(s.w[w]);
}

// The weight of this thread's token for its head, in bf16, and what the head's sums so far are worth.
GK_FN void gk_decode_weight(const gk_decode *d, int there, gk_running *run) {
    gk_u32 token = GK_THREAD % PAGE, head = GK_THREAD / PAGE;
    float score = 0;
    GK_UNROLL for (gk_u32 w = 0; w < DECODE_WARPS(DECODE_THREADS(d)); w++) score +=
        d->scores[w * DECODE_SCORES + GK_THREAD];
    score = there ? score * d->scale : LOWEST;
    float most = score;
    most = gk_page_most(most);
    float factor = gk_running_raise(run, most), weight = there ? gk_exp(score - run->most) : 0;
    run->sum += weight;  // of this token alone: added up at the end
    *(gk_u16 *)(void *)(d->weights + head * DECODE_WEIGHTS + token * 2) = gk_to_bf16(weight);
    if (token == 0) d->factors[head] = factor;
}

// This warp's tiles of 16 of the numbers that are summed, of every head.
GK_FN void gk_decode_add(const gk_decode *d, gk_sums *sums) {
    gk_u32 lane = GK_THREAD % GK_WARP, first = GK_THREAD / GK_WARP * DECODE_TILES(d);
    gk_operand weights, values;
    gk_operand_load(&weights, d->weights, DECODE_WEIGHTS);
    GK_UNROLL for (gk_u32 j = 0; j < DECODE_TILES(d); j++) {
        GK_UNROLL for (gk_u32 w = 0; w < GK_SUM_WORDS; w++) sums[j].w[w] =
            gk_bits(gk_float(sums[j].w[w]) * d->factors[gk_sum_row(lane, w)]);
        gk_operand_load(&values, d->turned + (first + j) * 16 * DECODE_TURNED, DECODE_TURNED);
        gk_mma(GK_BF16, &sums[j], &weights, &values);
    }
}

GK_FN void gk_decode_write(const gk_decode *d, const gk_sums *sums, float *out) {
    gk_u32 lane = GK_THREAD % GK_WARP, first = GK_THREAD / GK_WARP * DECODE_TILES(d) * 16;
    GK_UNROLL for (gk_u32 j = 0; j < DECODE_TILES(d); j++) {
        GK_UNROLL for (gk_u32 w = 0; w < GK_SUM_WORDS; w++) {
            gk_u32 row = gk_sum_row(lane, w);
            if (row < d->heads)
                out[row * d->out + first + j * 16 + gk_sum_column(lane, w)] =
                    gk_float(sums[j].w[w]) * d->factors[row];
        }
    }
}

// Rows of the tile that are no heads: their weights and factors are zeros, their sums written nowhere.
GK_FN void gk_decode_clear(const gk_decode *d) {
    if (GK_THREAD >= d->heads && GK_THREAD < DECODE_ROWS) d->factors[GK_THREAD] = 0;
    for (gk_u32 i = GK_THREAD; i < (DECODE_ROWS - d->heads) * DECODE_WEIGHTS / 4; i += DECODE_THREADS(d))
        ((gk_u32 *)(void *)(d->weights + d->heads * DECODE_WEIGHTS))[i] = 0;
}

// The sequence's pages one after the other: scores by parts of the dimensions, weights by threads, sums by parts of the
// dimensions again; the next page is on its way in registers meanwhile. `stride`: from page to page in keys and values.
GK_FN void gk_decode_pages(const gk_decode *d, const gk_u16 *q, const gk_u16 *k, const gk_u16 *v,
                           gk_size stride, const gk_u32 *places, gk_size length, float *out) {
    gk_running run = {LOWEST, 0};
    gk_operand query[DECODE_STEPS_MAX];
    gk_sums sums[DECODE_TILES_MAX];
    gk_quad moved[DECODE_MOVES_MAX][2], moved_v[DECODE_MOVES_MAX][2];
    GK_UNROLL for (gk_u32 i = 0; i < DECODE_STEPS(d); i++) {
        gk_u32 step = GK_THREAD / GK_WARP * DECODE_STEPS(d) + i;
        if (step < d->dim / 16) gk_flash_query(&query[i], q, d->heads, 0, d->dim, step);
    }
    GK_UNROLL for (gk_u32 j = 0; j < DECODE_TILES(d); j++) {
        GK_UNROLL for (gk_u32 w = 0; w < GK_SUM_WORDS; w++) sums[j].w[w] = 0;
    }
    gk_decode_fetch(d, k + places[0] * stride, moved);
    if (!d->latent) gk_decode_fetch(d, v + places[0] * stride, moved_v);
    for (gk_size at = 0; at < length; at += PAGE) {
        gk_decode_put(d, moved);
        gk_decode_turn(d, length - at, d->latent ? moved : moved_v);
        gk_barrier();
        if (at + PAGE < length) {
            gk_size next = places[at / PAGE + 1] * stride;
            gk_decode_fetch(d, k + next, moved);
            if (!d->latent) gk_decode_fetch(d, v + next, moved_v);
        }
        gk_decode_scores(d, query);
        gk_barrier();
        gk_decode_weight(d, at + GK_THREAD % PAGE < length, &run);
        gk_barrier();
        gk_decode_add(d, sums);
        gk_barrier();
    }
    for (gk_u32 mask = PAGE / 2; mask > 0; mask /= 2) run.sum += gk_shuffle_xor_f(run.sum, mask);
    if (GK_THREAD % PAGE == 0) d->factors[GK_THREAD / PAGE] = 1.0f / run.sum;
    gk_barrier();
    gk_decode_write(d, sums, out);
    gk_barrier();
}

#define DECODE_SHARED(dim, out, warps)                                                                       \
    GK_SHARED_ARRAY(gk_quad, keys, PAGE *((dim)*2 + 16) / 16);                                               \
    GK_SHARED_ARRAY(gk_quad, turned, (out)*DECODE_TURNED / 16);                                              \
    GK_SHARED_ARRAY(gk_quad, weights, DECODE_ROWS *DECODE_WEIGHTS / 16);                                     \
    GK_SHARED_ARRAY(float, scores, (warps)*DECODE_SCORES);                                                   \
    GK_SHARED_ARRAY(float, factors, DECODE_ROWS)
#define DECODE_PLACES (gk_u8 *)keys, (gk_u8 *)turned, (gk_u8 *)weights, scores, factors

// A block makes one cache head of one sequence.
GK_FN void gk_gqa_by_matrix(gk_size sequences, gk_size heads, gk_size pages, const gk_u16 *q, const gk_u16 *k,
                            const gk_u16 *v, const gk_u32 *table, const gk_u32 *lengths, float *out) {
    DECODE_SHARED(HEAD_DIM, HEAD_DIM, 4);
    gk_decode d = {GQA_HEADS, HEAD_DIM, HEAD_DIM, 0, GQA_SCALE, DECODE_PLACES};
    gk_decode_clear(&d);
    for (gk_size item = GK_BLOCK; item < sequences * heads; item += GK_BLOCKS) {
        gk_size first = item % heads * PAGE * HEAD_DIM, sequence = item / heads;
        gk_decode_pages(&d, q + item * GQA_HEADS * HEAD_DIM, k + first, v + first, heads * PAGE * HEAD_DIM,
                        table + sequence * pages, lengths[sequence], out + item * GQA_HEADS * HEAD_DIM);
    }
}

// A block makes 16 heads of one sequence.
GK_FN void gk_mla_by_matrix(gk_size sequences, gk_size groups, gk_size pages, const gk_u16 *q,
                            const gk_u16 *cache, const gk_u32 *table, const gk_u32 *lengths, float *out) {
    DECODE_SHARED(MLA_DIM, MLA_OUT, 8);
    gk_decode d = {MLA_HEADS, MLA_DIM, MLA_OUT, 1, MLA_SCALE, DECODE_PLACES};
    gk_decode_clear(&d);
    for (gk_size item = GK_BLOCK; item < sequences * groups; item += GK_BLOCKS) {
        gk_size sequence = item / groups;
        gk_decode_pages(&d, q + item * MLA_HEADS * MLA_DIM, cache, cache, PAGE * MLA_DIM,
                        table + sequence * pages, lengths[sequence], out + item * MLA_HEADS * MLA_OUT);
    }
}

#endif

// ---------------------------------------------------------------- the entries

#if defined(GK_SHIM)
#define BY_UNIT(name, ...)                                                                                   \
    do {                                                                                                     \
        if (GK_FAMILY != 0)                                                                                  \
            name##_by_matrix(__VA_ARGS__);                                                                   \
        else                                                                                                 \
            name##_by_lanes(__VA_ARGS__);                                                                    \
    } while (0)
#elif defined(GK_FAMILY)
#define BY_UNIT(name, ...) name##_by_matrix(__VA_ARGS__)
#else
#define BY_UNIT(name, ...) name##_by_lanes(__VA_ARGS__)
#endif

GK_KERNEL gk_decode_gqa(gk_size sequences, gk_size heads, gk_size pages, const gk_u16 *q, const gk_u16 *k,
                        const gk_u16 *v, const gk_u32 *table, const gk_u32 *lengths, float *out) {
    BY_UNIT(gk_gqa, sequences, heads, pages, q, k, v, table, lengths, out);
}
GK_KERNEL_TWICE_OF(256)
gk_decode_mla(gk_size sequences, gk_size groups, gk_size pages, const gk_u16 *q, const gk_u16 *cache,
              const gk_u32 *table, const gk_u32 *lengths, float *out) {
    BY_UNIT(gk_mla, sequences, groups, pages, q, cache, table, lengths, out);
}

#endif
