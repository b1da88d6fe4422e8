// Attention: of a prompt on matrix units (in blocks with a running softmax), and of a decode step over a
// paged cache.
//
// All caches and queries are bf16, sums fp32. A sequence's pages are found through its row of the page table;
// the last page is filled as far as its length says. With one cache head for GQA_HEADS queries, and with a
// latent that all heads share (MLA).
#ifndef GPUADVISE_ATTENTION_H
#define GPUADVISE_ATTENTION_H

#include "kernels/device/block.h"
#include "kernels/device/mma.h"

#define HEAD_DIM 128u
#define PAGE 16u  // tokens
#define LOWEST (-1e30f)

// What a row of scores has seen so far.
typedef struct gk_running {
    float most, sum;
} gk_running;

// Takes in `most` of the next scores: returns what sums so far are worth relative to the new maximum.
GK_FN float gk_running_raise(gk_running *r, float most) {
    float before = r->most;
    r->most = most > before ? most : before;
    float factor = gk_exp(before - r->most);
    r->sum *= factor;
    return factor;
}

// ---------------------------------------------------------------- decode, grouped queries

#define GQA_HEADS 8u
#define GQA_SCALE 0.088388347648318447f  // 1 / sqrt(128)
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
GK_KERNEL gk_decode_gqa(gk_size sequences, gk_size heads, gk_size pages, const gk_u16 *q, const gk_u16 *k,
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
            for (gk_u32 mask = PAGE / 2; mask > 0; mask /= 2) {
                float other = gk_shuffle_xor_f(most, mask);
                most = other > most ? other : most;
            }
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

// ---------------------------------------------------------------- decode, latent attention

#define MLA_HEADS 16u  // of a block
#define MLA_DIM 576u   // latent and rotary part: what scores see
#define MLA_OUT 512u   // latent: what is summed
#define MLA_PITCH 584u
#define MLA_SCALE 0.072168783648703216f  // 1 / sqrt(192)

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
    for (gk_u32 piece = GK_THREAD; piece < 16 * MLA_DIM / 8; piece += GK_THREADS) {
        *(gk_quad *)(void *)(shared + piece / (MLA_DIM / 8) * MLA_PITCH + piece % (MLA_DIM / 8) * 8) =
            ((const gk_quad *)(const void *)rows)[piece];
    }
}

// A block makes 16 heads of one sequence. Scores: two a thread, of one token; outputs: four numbers of every
// head.
GK_KERNEL gk_decode_mla(gk_size sequences, gk_size groups, gk_size pages, const gk_u16 *q,
                        const gk_u16 *cache, const gk_u32 *table, const gk_u32 *lengths, float *out) {
    GK_SHARED_ARRAY(gk_quad, query, MLA_HEADS * MLA_PITCH / 8);
    GK_SHARED_ARRAY(gk_quad, keys, PAGE * MLA_PITCH / 8);
    GK_SHARED_ARRAY(float, weights, PAGE *MLA_HEADS);
    GK_SHARED_ARRAY(float, factors, MLA_HEADS);
    gk_u32 token = GK_THREAD % PAGE, first = GK_THREAD / PAGE;  // heads `first` and `first` + 8
    for (gk_size item = GK_BLOCK; item < sequences * groups; item += GK_BLOCKS) {
        gk_size sequence = item / groups, length = lengths[sequence];
        gk_running run[2] = {{LOWEST, 0}, {LOWEST, 0}};
        float sums[MLA_HEADS][4];
        GK_UNROLL for (gk_u32 h = 0; h < MLA_HEADS; h++) {
            GK_UNROLL for (gk_u32 i = 0; i < 4; i++) sums[h][i] = 0;
        }
        gk_mla_move(q + item * MLA_HEADS * MLA_DIM, (gk_u16 *)query);
        for (gk_size at = 0; at < length; at += PAGE) {
            gk_mla_move(cache + table[sequence * pages + at / PAGE] * (gk_size)(PAGE * MLA_DIM),
                        (gk_u16 *)keys);
            gk_barrier();
            int there = at + token < length;
            GK_UNROLL for (gk_u32 i = 0; i < 2; i++) {
                gk_u32 head = first + i * 8;
                float score = there ? gk_mla_score((const gk_u16 *)query + head * MLA_PITCH,
                                                   (const gk_u16 *)keys + token * MLA_PITCH)
                                    : LOWEST,
                      most = score;
                for (gk_u32 mask = PAGE / 2; mask > 0; mask /= 2) {
                    float other = gk_shuffle_xor_f(most, mask);
                    most = other > most ? other : most;
                }
                float factor = gk_running_raise(&run[i], most),
                      weight = there ? gk_exp(score - run[i].most) : 0;
                run[i].sum += weight;
                weights[token * MLA_HEADS + head] = weight;
                if (token == 0) factors[head] = factor;
            }
            gk_barrier();
            GK_UNROLL for (gk_u32 h = 0; h < MLA_HEADS; h++) {
                GK_UNROLL for (gk_u32 i = 0; i < 4; i++) sums[h][i] *= factors[h];
            }
            for (gk_u32 t = 0; t < PAGE && at + t < length; t++) {
                const gk_u32 *pairs =
                    (const gk_u32 *)(const void *)((const gk_u16 *)keys + t * MLA_PITCH + GK_THREAD * 4);
                float value[4] = {gk_bf16_low(pairs[0]), gk_bf16_high(pairs[0]), gk_bf16_low(pairs[1]),
                                  gk_bf16_high(pairs[1])};
                GK_UNROLL for (gk_u32 h = 0; h < MLA_HEADS; h++) {
                    float weight = weights[t * MLA_HEADS + h];
                    GK_UNROLL for (gk_u32 i = 0; i < 4; i++) sums[h][i] += weight * value[i];
                }
            }
            gk_barrier();
        }
        GK_UNROLL for (gk_u32 i = 0; i < 2; i++) {
            for (gk_u32 mask = PAGE / 2; mask > 0; mask /= 2)
                run[i].sum += gk_shuffle_xor_f(run[i].sum, mask);
            if (token == 0) factors[first + i * 8] = 1.0f / run[i].sum;
        }
        gk_barrier();
        GK_UNROLL for (gk_u32 h = 0; h < MLA_HEADS; h++) {
            gk_floats four = {sums[h][0] * factors[h], sums[h][1] * factors[h], sums[h][2] * factors[h],
                              sums[h][3] * factors[h]};
            ((gk_floats *)(void *)out)[(item * MLA_HEADS + h) * (MLA_OUT / 4) + GK_THREAD] = four;
        }
        gk_barrier();
    }
}

// ---------------------------------------------------------------- prompt

#ifdef GK_FAMILY

#define FLASH_ROWS 64u                                // queries of a block: four tiles of 16
#define FLASH_KEYS 32u                                // taken at a time
#define FLASH_GROUP 4u                                // queries' heads of a cache head
#define FLASH_TILES (GK_FAMILY == GK_MFMA ? 2u : 1u)  // of a warp
#define FLASH_PARTS (GK_FAMILY == GK_MFMA ? 4u : 2u)  // lanes that share a row of scores
#define FLASH_STEPS (HEAD_DIM * 2 / GK_STEP)
#define FLASH_PITCH 272u  // bytes of a key in shared memory
#define FLASH_TURNED 80u  // bytes of a dimension of the turned values, and of a row of weights
#define FLASH_SCORES 36u  // floats of a row of scores

typedef struct gk_flash {
    gk_u8 *keys, *turned, *weights;
    float *scores, *factors;
    gk_size tokens, row;  // first query of the block
} gk_flash;

// Rows past the last one are that one again: their results are written nowhere.
GK_FN void gk_flash_query(gk_operand *o, const gk_u16 *q, gk_size tokens, gk_size row, gk_size row_numbers,
                          gk_u32 step) {
    gk_u32 lane = GK_THREAD % GK_WARP;
    GK_UNROLL for (gk_u32 w = 0; w < GK_OPERAND_WORDS; w++) {
        gk_size r = row + gk_operand_row(lane, w);
        r = r < tokens ? r : tokens - 1;
        o->w[w] = *(const gk_u32 *)(const void *)(q + r * row_numbers +
                                                  (step * GK_STEP + gk_operand_byte(lane, w)) / 2);
    }
}

// Keys as they are, values turned so that tokens stand along the row. Past the last token: zeros.
GK_FN void gk_flash_fetch(const gk_flash *f, const gk_u16 *k, const gk_u16 *v, gk_size at,
                          gk_size row_numbers) {
    for (gk_u32 piece = GK_THREAD; piece < FLASH_KEYS * HEAD_DIM / 8; piece += GK_THREADS) {
        gk_u32 key = piece / (HEAD_DIM / 8), dim = piece % (HEAD_DIM / 8) * 8;
        gk_quad from_k = {0, 0, 0, 0}, from_v = {0, 0, 0, 0};
        if (at + key < f->tokens) {
            from_k = *(const gk_quad *)(const void *)(k + (at + key) * row_numbers + dim);
            from_v = *(const gk_quad *)(const void *)(v + (at + key) * row_numbers + dim);
        }
        *(gk_quad *)(void *)(f->keys + key * FLASH_PITCH + dim * 2) = from_k;
        GK_UNROLL for (gk_u32 i = 0; i < 8; i++) {
            *(gk_u16 *)(void *)(f->turned + (dim + i) * FLASH_TURNED + key * 2) =
                (gk_u16)(from_v[i / 2] >> i % 2 * 16);
        }
    }
}

GK_FN void gk_flash_scores(const gk_flash *f, gk_u32 tile, const gk_operand *query) {
    gk_u32 lane = GK_THREAD % GK_WARP;
    for (gk_u32 half = 0; half < FLASH_KEYS; half += 16) {
        gk_sums s;
        gk_operand key;
        GK_UNROLL for (gk_u32 w = 0; w < GK_SUM_WORDS; w++) s.w[w] = 0;
        GK_UNROLL for (gk_u32 step = 0; step < FLASH_STEPS; step++) {
            gk_operand_load(&key, f->keys + half * FLASH_PITCH + step * GK_STEP, FLASH_PITCH);
            gk_mma(GK_BF16, &s, &query[step], &key);
        }
        GK_UNROLL for (gk_u32 w = 0; w < GK_SUM_WORDS; w++) {
            f->scores[(tile * 16 + gk_sum_row(lane, w)) * FLASH_SCORES + half + gk_sum_column(lane, w)] =
                gk_float(s.w[w]);
        }
    }
}

// Turns the scores of a row into weights in bf16; a query sees itself and what stands before it.
GK_FN void gk_flash_weights(const gk_flash *f, gk_u32 tile, gk_size at, gk_running *run) {
    gk_u32 lane = GK_THREAD % GK_WARP, row = tile * 16 + lane % 16, part = FLASH_KEYS / FLASH_PARTS,
           first = lane / 16 * part;
    const float *scores = f->scores + row * FLASH_SCORES;
    float most = LOWEST;
    for (gk_u32 i = first; i < first + part; i++) {
        float x = scores[i] * GQA_SCALE;
        if (at + i <= f->row + row && at + i < f->tokens && x > most) most = x;
    }
    for (gk_u32 mask = 16; mask < 16 * FLASH_PARTS; mask *= 2) {
        float other = gk_shuffle_xor_f(most, mask);
        most = other > most ? other : most;
    }
    float factor = gk_running_raise(run, most);
    for (gk_u32 i = first; i < first + part; i++) {
        float weight =
            at + i <= f->row + row && at + i < f->tokens ? gk_exp(scores[i] * GQA_SCALE - run->most) : 0;
        run->sum += weight;
        *(gk_u16 *)(void *)(f->weights + row * FLASH_TURNED + i * 2) = gk_to_bf16(weight);
    }
    if (lane < 16) f->factors[row] = factor;
}

GK_FN void gk_flash_add(const gk_flash *f, gk_u32 tile, gk_sums *out) {
    gk_u32 lane = GK_THREAD % GK_WARP;
    gk_operand weights[FLASH_KEYS * 2 / GK_STEP], values;
    GK_UNROLL for (gk_u32 s = 0; s < FLASH_KEYS * 2 / GK_STEP; s++)
        gk_operand_load(&weights[s], f->weights + tile * 16 * FLASH_TURNED + s * GK_STEP, FLASH_TURNED);
    GK_UNROLL for (gk_u32 j = 0; j < HEAD_DIM / 16; j++) {
        GK_UNROLL for (gk_u32 w = 0; w < GK_SUM_WORDS; w++) {
            out[j].w[w] = gk_bits(gk_float(out[j].w[w]) * f->factors[tile * 16 + gk_sum_row(lane, w)]);
        }
        GK_UNROLL for (gk_u32 s = 0; s < FLASH_KEYS * 2 / GK_STEP; s++) {
            gk_operand_load(&values, f->turned + j * 16 * FLASH_TURNED + s * GK_STEP, FLASH_TURNED);
            gk_mma(GK_BF16, &out[j], &weights[s], &values);
        }
    }
}

GK_FN void gk_flash_write(const gk_flash *f, gk_u32 tile, const gk_sums *out, float *to,
                          gk_size row_numbers) {
    gk_u32 lane = GK_THREAD % GK_WARP;
    GK_UNROLL for (gk_u32 j = 0; j < HEAD_DIM / 16; j++) {
        GK_UNROLL for (gk_u32 w = 0; w < GK_SUM_WORDS; w++) {
            gk_u32 row = tile * 16 + gk_sum_row(lane, w);
            if (f->row + row < f->tokens)
                to[(f->row + row) * row_numbers + j * 16 + gk_sum_column(lane, w)] =
                    gk_float(out[j].w[w]) * f->factors[row];
        }
    }
}

// A block makes 64 queries of one head.
GK_KERNEL gk_prefill(gk_size tokens, gk_size heads, const gk_u16 *q, const gk_u16 *k, const gk_u16 *v,
                     float *out) {
    GK_SHARED_ARRAY(gk_quad, keys, FLASH_KEYS * FLASH_PITCH / 16);
    GK_SHARED_ARRAY(gk_quad, turned, HEAD_DIM * FLASH_TURNED / 16);
    GK_SHARED_ARRAY(gk_quad, weights, FLASH_ROWS * FLASH_TURNED / 16);
    GK_SHARED_ARRAY(float, scores, FLASH_ROWS *FLASH_SCORES);
    GK_SHARED_ARRAY(float, factors, FLASH_ROWS);
    gk_size tiles = (tokens + FLASH_ROWS - 1) / FLASH_ROWS, row_q = heads * HEAD_DIM,
            row_kv = heads / FLASH_GROUP * HEAD_DIM;
    gk_u32 first = GK_THREAD / GK_WARP * FLASH_TILES;
    for (gk_size item = GK_BLOCK; item < tiles * heads; item += GK_BLOCKS) {
        gk_size head = item % heads, kv = head / FLASH_GROUP * HEAD_DIM;
        gk_flash f = {(gk_u8 *)keys, (gk_u8 *)turned, (gk_u8 *)weights,         scores,
                      factors,       tokens,          item / heads * FLASH_ROWS};
        gk_operand query[2][FLASH_STEPS];
        gk_sums sums[2][HEAD_DIM / 16];
        gk_running run[2] = {{LOWEST, 0}, {LOWEST, 0}};
        GK_UNROLL for (gk_u32 i = 0; i < FLASH_TILES; i++) {
            GK_UNROLL for (gk_u32 s = 0; s < FLASH_STEPS; s++)
                gk_flash_query(&query[i][s], q + head * HEAD_DIM, tokens, f.row + (first + i) * 16, row_q, s);
            GK_UNROLL for (gk_u32 j = 0; j < HEAD_DIM / 16; j++) {
                GK_UNROLL for (gk_u32 w = 0; w < GK_SUM_WORDS; w++) sums[i][j].w[w] = 0;
            }
        }
        for (gk_size at = 0; at < tokens && at < f.row + FLASH_ROWS; at += FLASH_KEYS) {
            gk_flash_fetch(&f, k + kv, v + kv, at, row_kv);
            gk_barrier();
            GK_UNROLL for (gk_u32 i = 0; i < FLASH_TILES; i++) gk_flash_scores(&f, first + i, query[i]);
            gk_barrier();
            GK_UNROLL for (gk_u32 i = 0; i < FLASH_TILES; i++) gk_flash_weights(&f, first + i, at, &run[i]);
            gk_barrier();
            GK_UNROLL for (gk_u32 i = 0; i < FLASH_TILES; i++) gk_flash_add(&f, first + i, sums[i]);
            gk_barrier();
        }
        GK_UNROLL for (gk_u32 i = 0; i < FLASH_TILES; i++) {
            for (gk_u32 mask = 16; mask < 16 * FLASH_PARTS; mask *= 2)
                run[i].sum += gk_shuffle_xor_f(run[i].sum, mask);
            if (GK_THREAD % GK_WARP < 16)
                f.factors[(first + i) * 16 + GK_THREAD % GK_WARP] = 1.0f / run[i].sum;
        }
        gk_barrier();
        GK_UNROLL for (gk_u32 i = 0; i < FLASH_TILES; i++)
            gk_flash_write(&f, first + i, sums[i], out + head * HEAD_DIM, row_q);
        gk_barrier();
    }
}

#endif
#endif
