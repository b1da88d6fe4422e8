// Attention of a prompt on matrix units, in blocks with a running softmax; what a decode step's (decode.h) shares with
// it. Caches and queries are bf16, sums fp32.
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

// The greatest of the numbers that the threads of a page hold.
GK_FN float gk_page_most(float most) {
    for (gk_u32 mask = PAGE / 2; mask > 0; mask /= 2) {
        float other = gk_shuffle_xor_f(most, mask);
        most = other > most ? other : most;
    }
    return most;
}

#define GQA_SCALE 0.088388347648318447f  // 1 / sqrt(128)

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
