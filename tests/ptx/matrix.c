// Shuffles and mma.sync: what the lanes of a warp do together, by the ISA's fragment layouts.
//
// With g = lane / 4 and t = lane % 4, and registers of A and B that hold `per` numbers each: register i of A is row
// g + 8 (i % 2), its numbers k = per t + 4 per (i / 2) and on; register i of B is column g, k = per t + 4 per i and
// on; sums 0 and 1 are row g, columns 2 t and 2 t + 1, sums 2 and 3 the same of row g + 8.
#include "tests/ptx/machine.h"

enum { ROWS = 16, COLUMNS = 8, K_MAX = 64 };

typedef struct Tile {
    double a[ROWS][K_MAX], b[COLUMNS][K_MAX];
} Tile;

static void gather(const Warp *w, const Ins *in, Number n, Tile *tile) {
    size_t per = 32 / number_bits(n);
    const uint32_t *a = in->list + 4, *b = in->list + 8;
    for (size_t lane = 0; lane < LANES; lane++) {
        size_t g = lane / 4, t = lane % 4;
        for (size_t r = 0; r < 4; r++) {
            unsigned char bytes[4];
            memcpy(bytes, &file_words(w, a[r])[lane], sizeof bytes);
            for (size_t i = 0; i < per; i++)
                tile->a[g + 8 * (r % 2)][per * t + 4 * per * (r / 2) + i] = number_at(n, bytes, i);
        }
        for (size_t r = 0; r < 2; r++) {
            unsigned char bytes[4];
            memcpy(bytes, &file_words(w, b[r])[lane], sizeof bytes);
            for (size_t i = 0; i < per; i++) tile->b[g][per * t + 4 * per * r + i] = number_at(n, bytes, i);
        }
    }
}

static void multiply(Warp *w, const Ins *in, Number n, const Tile *tile) {
    size_t k = 8 * 32 / number_bits(n);
    bool cut = w->block->launch->cut_sums;
    for (size_t lane = 0; lane < LANES; lane++) {
        for (size_t i = 0; i < 4; i++) {
            size_t row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
            uint32_t start = file_words(w, in->list[10 + i])[lane];
            file_words(w, in->list[i])[lane] =
                bits_of(dot_f32(float_of(start), tile->a[row], tile->b[column], k, n, cut));
        }
    }
    w->block->tally->products++;
}

static void product(Warp *w, const Ins *in, Number n) {
    Tile tile;
    gather(w, in, n, &tile);
    multiply(w, in, n, &tile);
}

static void product_tf32(Warp *w, const Ins *in, uint32_t m) { (void)m, product(w, in, NUMBER_TF32); }
static void product_f16(Warp *w, const Ins *in, uint32_t m) { (void)m, product(w, in, NUMBER_F16); }
static void product_bf16(Warp *w, const Ins *in, uint32_t m) { (void)m, product(w, in, NUMBER_BF16); }
static void product_e4m3(Warp *w, const Ins *in, uint32_t m) { (void)m, product(w, in, NUMBER_E4M3); }

// Whole numbers; sums wrap around.
static void product_s8(Warp *w, const Ins *in, uint32_t m) {
    Tile tile;
    (void)m;
    gather(w, in, NUMBER_S8, &tile);
    for (size_t lane = 0; lane < LANES; lane++) {
        for (size_t i = 0; i < 4; i++) {
            size_t row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
            uint32_t sum = file_words(w, in->list[10 + i])[lane];
            for (size_t k = 0; k < 32; k++) sum += (uint32_t)(int32_t)(tile.a[row][k] * tile.b[column][k]);
            file_words(w, in->list[i])[lane] = sum;
        }
    }
    w->block->tally->products++;
}

// 2^(x - 127); 255 is NaN.
static double scale_value(uint32_t x) {
    uint64_t bits = (uint64_t)(x + 1023 - 127) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return x == 255 ? (double)float_of(0x7FC00000u) : value;
}

// Two scales a row of A and a column of B, each of 32 numbers. Two bytes of a register hold them, from `byte` on:
// of A in lane 4 g + 2 `pair` row g, in the lane after it row g + 8; of B in lane 4 g + `of` column g.
static void product_mxfp4(Warp *w, const Ins *in, uint32_t m) {
    Tile tile;
    const uint32_t *scales_a = file_words(w, in->at[0]), *scales_b = file_words(w, in->at[1]);
    // in->list: 14 registers, then byte and lane of A's scales, then of B's
    uint32_t byte_a = in->list[14], pair = in->list[15], byte_b = in->list[16], of = in->list[17];
    (void)m;
    if (byte_a % 2 != 0 || byte_a > 2 || byte_b % 2 != 0 || byte_b > 2 || pair > 1 || of > 3) {
        ptx_fault(w, in, 0, "no such place of scales");
        return;
    }
    gather(w, in, NUMBER_E2M1, &tile);
    for (size_t g = 0; g < 8; g++) {
        for (size_t k = 0; k < K_MAX; k++) {
            unsigned shift_a = 8 * (byte_a + (unsigned)(k / 32)), shift_b = 8 * (byte_b + (unsigned)(k / 32));
            tile.a[g][k] *= scale_value(scales_a[4 * g + 2 * pair] >> shift_a & 0xFF);
            tile.a[g + 8][k] *= scale_value(scales_a[4 * g + 2 * pair + 1] >> shift_a & 0xFF);
            tile.b[g][k] *= scale_value(scales_b[4 * g + of] >> shift_b & 0xFF);
        }
    }
    multiply(w, in, NUMBER_E2M1, &tile);
}

// Each lane gets what lane ^ distance has, within segments; beyond the clamp its own.
static void shuffle_bfly(Warp *w, const Ins *in, uint32_t m) {
    uint32_t *d = file_words(w, in->at[0]), from[LANES];
    const uint32_t *distance = file_words(w, in->at[2]), *c = file_words(w, in->at[3]),
                   *members = file_words(w, in->at[4]);
    memcpy(from, file_words(w, in->at[1]), sizeof from);
    for (uint32_t l = 0; l < LANES; l++) {
        uint32_t segment = c[l] >> 8 & 31, clamp = c[l] & 31, most = (l & segment) | (clamp & ~segment);
        uint32_t source = l ^ (distance[l] & 31);
        if (members[l] != m) {
            ptx_fault(w, in, (int)l, "lanes %08x shuffle, members are %08x", m, members[l]);
            return;
        }
        d[l] = from[source <= most ? source : l];
    }
}

// clang-format off
#define MMA(shape, types) "mma.sync.aligned." shape ".row.col." types
static const Op ops[] = {
    {"shfl.sync.bfly.b32", "Wwwww", shuffle_bfly, OP_WARP},
    {MMA("m16n8k8", "f32.tf32.tf32.f32"), "{WWWW}{wwww}{ww}{wwww}", product_tf32, OP_WARP},
    {MMA("m16n8k16", "f32.f16.f16.f32"), "{WWWW}{wwww}{ww}{wwww}", product_f16, OP_WARP},
    {MMA("m16n8k16", "f32.bf16.bf16.f32"), "{WWWW}{wwww}{ww}{wwww}", product_bf16, OP_WARP},
    {MMA("m16n8k32", "f32.e4m3.e4m3.f32"), "{WWWW}{wwww}{ww}{wwww}", product_e4m3, OP_WARP},
    {MMA("m16n8k32", "s32.s8.s8.s32"), "{WWWW}{wwww}{ww}{wwww}", product_s8, OP_WARP},
    {MMA("m16n8k64", "kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0"), "{WWWW}{wwww}{ww}{wwww}w{nn}w{nn}", product_mxfp4, OP_WARP},
};
// clang-format on

const OpTable ptx_matrix_ops = {ops, COUNT_OF(ops)};
