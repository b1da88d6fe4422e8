// Comparisons, predicates, choices and moves.
#include "tests/ptx/machine.h"

// A predicate is a word of the file with a bit a lane.
static void put(uint32_t *predicate, uint32_t lanes, uint32_t mask) {
    *predicate = (*predicate & ~mask) | (lanes & mask);
}

#define COMPARE(name, storage, type, read, condition)                                                        \
    static void name(Warp *w, const Ins *in, uint32_t m) {                                                   \
        const storage *a = file_##read(w, in->at[1]), *b = file_##read(w, in->at[2]);                        \
        uint32_t lanes = 0;                                                                                  \
        FOR_LANES(m, type x = (type)a[l]; type y = (type)b[l]; lanes |= (uint32_t)(condition) << l);         \
        put(file_words(w, in->at[0]), lanes, m);                                                             \
    }
#define COMPARE_FLOATS(name, condition)                                                                      \
    static void name(Warp *w, const Ins *in, uint32_t m) {                                                   \
        const uint32_t *a = file_words(w, in->at[1]), *b = file_words(w, in->at[2]);                         \
        uint32_t lanes = 0;                                                                                  \
        FOR_LANES(m, float x = float_of(a[l]); float y = float_of(b[l]);                                     \
                  lanes |= (uint32_t)(condition) << l);                                                      \
        put(file_words(w, in->at[0]), lanes, m);                                                             \
    }
#define COMPARE_ALL(bits, storage, sign, type, read)                                                         \
    COMPARE(eq_##sign##bits, storage, type, read, x == y)                                                    \
    COMPARE(ne_##sign##bits, storage, type, read, x != y)                                                    \
    COMPARE(lt_##sign##bits, storage, type, read, x < y)                                                     \
    COMPARE(le_##sign##bits, storage, type, read, x <= y)                                                    \
    COMPARE(gt_##sign##bits, storage, type, read, x > y)                                                     \
    COMPARE(ge_##sign##bits, storage, type, read, x >= y)

COMPARE_ALL(16, uint32_t, u, uint16_t, words)
COMPARE_ALL(16, uint32_t, s, int16_t, words)
COMPARE_ALL(32, uint32_t, u, uint32_t, words)
COMPARE_ALL(32, uint32_t, s, int32_t, words)
COMPARE_ALL(64, uint64_t, u, uint64_t, quads)
COMPARE_ALL(64, uint64_t, s, int64_t, quads)
COMPARE_FLOATS(eq_f32, x == y)
COMPARE_FLOATS(lt_f32, x < y)
COMPARE_FLOATS(le_f32, x <= y)
COMPARE_FLOATS(gt_f32, x > y)
COMPARE_FLOATS(ge_f32, x >= y)
COMPARE_FLOATS(neu_f32, !(x == y))
COMPARE_FLOATS(leu_f32, !(x > y))
COMPARE_FLOATS(num_f32, x == x && y == y)

static void and_predicates(Warp *w, const Ins *in, uint32_t m) {
    put(file_words(w, in->at[0]), *file_words(w, in->at[1]) & *file_words(w, in->at[2]), m);
}
static void or_predicates(Warp *w, const Ins *in, uint32_t m) {
    put(file_words(w, in->at[0]), *file_words(w, in->at[1]) | *file_words(w, in->at[2]), m);
}
static void not_predicate(Warp *w, const Ins *in, uint32_t m) {
    put(file_words(w, in->at[0]), ~*file_words(w, in->at[1]), m);
}
static void move_predicate(Warp *w, const Ins *in, uint32_t m) {
    put(file_words(w, in->at[0]), *file_words(w, in->at[1]), m);
}

static void move32(Warp *w, const Ins *in, uint32_t m) {
    uint32_t *d = file_words(w, in->at[0]);
    const uint32_t *a = file_words(w, in->at[1]);
    FOR_LANES(m, d[l] = a[l]);
}

static void move64(Warp *w, const Ins *in, uint32_t m) {
    uint64_t *d = file_quads(w, in->at[0]);
    const uint64_t *a = file_quads(w, in->at[1]);
    FOR_LANES(m, d[l] = a[l]);
}

static void select32(Warp *w, const Ins *in, uint32_t m) {
    uint32_t *d = file_words(w, in->at[0]), p = *file_words(w, in->at[3]);
    const uint32_t *a = file_words(w, in->at[1]), *b = file_words(w, in->at[2]);
    FOR_LANES(m, d[l] = (p >> l & 1) != 0 ? a[l] : b[l]);
}

static void select64(Warp *w, const Ins *in, uint32_t m) {
    uint64_t *d = file_quads(w, in->at[0]);
    const uint64_t *a = file_quads(w, in->at[1]), *b = file_quads(w, in->at[2]);
    uint32_t p = *file_words(w, in->at[3]);
    FOR_LANES(m, d[l] = (p >> l & 1) != 0 ? a[l] : b[l]);
}

// The first of a list holds the lowest bits.
static void take_apart32(Warp *w, const Ins *in, uint32_t m) {
    uint32_t *low = file_words(w, in->list[0]), *high = file_words(w, in->list[1]);
    const uint32_t *a = file_words(w, in->at[0]);
    FOR_LANES(m, uint32_t x = a[l]; low[l] = x & 0xFFFF; high[l] = x >> 16);
}

static void take_apart64(Warp *w, const Ins *in, uint32_t m) {
    uint32_t *low = file_words(w, in->list[0]), *high = file_words(w, in->list[1]);
    const uint64_t *a = file_quads(w, in->at[0]);
    FOR_LANES(m, uint64_t x = a[l]; low[l] = (uint32_t)x; high[l] = (uint32_t)(x >> 32));
}

static void put_together32(Warp *w, const Ins *in, uint32_t m) {
    uint32_t *d = file_words(w, in->at[0]);
    const uint32_t *low = file_words(w, in->list[0]), *high = file_words(w, in->list[1]);
    FOR_LANES(m, d[l] = (low[l] & 0xFFFF) | high[l] << 16);
}

static void put_together64(Warp *w, const Ins *in, uint32_t m) {
    uint64_t *d = file_quads(w, in->at[0]);
    const uint32_t *low = file_words(w, in->list[0]), *high = file_words(w, in->list[1]);
    FOR_LANES(m, d[l] = low[l] | (uint64_t)high[l] << 32);
}

#define ROW(condition, type, name, operands)                                                                 \
    { "setp." #condition "." #type, operands, name, OP_LANES }
#define ROWS(type, bits, letters)                                                                            \
    ROW(eq, type##bits, eq_##type##bits, letters), ROW(ne, type##bits, ne_##type##bits, letters),            \
        ROW(lt, type##bits, lt_##type##bits, letters), ROW(le, type##bits, le_##type##bits, letters),        \
        ROW(gt, type##bits, gt_##type##bits, letters), ROW(ge, type##bits, ge_##type##bits, letters)
// clang-format off
static const Op ops[] = {
    ROWS(u, 16, "Phh"), ROWS(s, 16, "Phh"), ROWS(u, 32, "Pww"), ROWS(s, 32, "Pww"), ROWS(u, 64, "Pqq"), ROWS(s, 64, "Pqq"),
    ROW(eq, f32, eq_f32, "Pww"), ROW(lt, f32, lt_f32, "Pww"), ROW(le, f32, le_f32, "Pww"), ROW(gt, f32, gt_f32, "Pww"),
    ROW(ge, f32, ge_f32, "Pww"), ROW(neu, f32, neu_f32, "Pww"), ROW(leu, f32, leu_f32, "Pww"), ROW(num, f32, num_f32, "Pww"),
    ROW(eq, b64, eq_u64, "Pqq"), ROW(ne, b64, ne_u64, "Pqq"),
    {"and.pred", "Ppp", and_predicates, OP_LANES}, {"or.pred", "Ppp", or_predicates, OP_LANES}, {"mov.pred", "Pp", move_predicate, OP_LANES}, {"not.pred", "Pp", not_predicate, OP_LANES},
    {"mov.u16", "Hh", move32, OP_LANES}, {"mov.u32", "Ww", move32, OP_LANES}, {"mov.b32", "Ww", move32, OP_LANES}, {"mov.f32", "Ww", move32, OP_LANES},
    {"mov.u64", "Qq", move64, OP_LANES}, {"mov.b64", "Qq", move64, OP_LANES},
    {"mov.b32", "{HH}w", take_apart32, OP_LANES}, {"mov.b32", "W{hh}", put_together32, OP_LANES},
    {"mov.b64", "{WW}q", take_apart64, OP_LANES}, {"mov.b64", "Q{ww}", put_together64, OP_LANES},
    {"selp.b16", "Hhhp", select32, OP_LANES}, {"selp.b32", "Wwwp", select32, OP_LANES}, {"selp.u32", "Wwwp", select32, OP_LANES},
    {"selp.f32", "Wwwp", select32, OP_LANES}, {"selp.b64", "Qqqp", select64, OP_LANES}, {"selp.s64", "Qqqp", select64, OP_LANES},
};
// clang-format on

const OpTable ptx_compare_ops = {ops, COUNT_OF(ops)};
