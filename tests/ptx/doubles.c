// Numbers of double precision: arithmetic, loads and stores.
#include <math.h>

#include "tests/ptx/machine.h"

static double double_of(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t bits_of_double(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

#define DOUBLES(name, expression)                                                                            \
    static void name(Warp *w, const Ins *in, uint32_t m) {                                                   \
        uint64_t *d = file_quads(w, in->at[0]);                                                              \
        const uint64_t *a = file_quads(w, in->at[1]), *b = file_quads(w, in->at[2]),                         \
                       *c = file_quads(w, in->at[3]);                                                        \
        (void)c;                                                                                             \
        FOR_LANES(m, double x = double_of(a[l]); double y = double_of(b[l]); double z = double_of(c[l]);     \
                  (void)z; d[l] = bits_of_double(expression));                                               \
    }

DOUBLES(add_double, x + y)
DOUBLES(mul_double, x *y)
DOUBLES(fma_double, fma(x, y, z))

static void move_double(Warp *w, const Ins *in, uint32_t m) {
    uint64_t *d = file_quads(w, in->at[0]);
    const uint64_t *a = file_quads(w, in->at[1]);
    FOR_LANES(m, d[l] = a[l]);
}

typedef unsigned char *(*Reach)(Warp *w, const Ins *in, int lane, uint64_t address, uint32_t bytes,
                                bool writes);

static unsigned char *reach_global(Warp *w, const Ins *in, int lane, uint64_t address, uint32_t bytes,
                                   bool writes) {
    return global_at(w, in, lane, address, bytes, writes, false);
}

// One number, or two of a list; the address stands behind what is loaded and before what is stored.
static void load(Warp *w, const Ins *in, uint32_t m, Reach reach, const uint32_t *to, uint32_t n,
                 uint32_t address_at) {
    for (int l = 0; l < LANES; l++) {
        if ((m >> l & 1) == 0) continue;
        const unsigned char *from =
            reach(w, in, l, file_quads(w, address_at)[l] + (uint64_t)in->offset, 8 * n, false);
        if (from == NULL) return;
        for (uint32_t i = 0; i < n; i++) memcpy(&file_quads(w, to[i])[l], from + 8 * (size_t)i, 8);
    }
}

static void store(Warp *w, const Ins *in, uint32_t m, Reach reach, const uint32_t *from, uint32_t n,
                  uint32_t address_at) {
    for (int l = 0; l < LANES; l++) {
        if ((m >> l & 1) == 0) continue;
        unsigned char *to = reach(w, in, l, file_quads(w, address_at)[l] + (uint64_t)in->offset, 8 * n, true);
        if (to == NULL) return;
        for (uint32_t i = 0; i < n; i++) memcpy(to + 8 * (size_t)i, &file_quads(w, from[i])[l], 8);
    }
}

static void load_global(Warp *w, const Ins *in, uint32_t m) {
    load(w, in, m, reach_global, &in->at[0], 1, in->at[1]);
}
static void load_global_two(Warp *w, const Ins *in, uint32_t m) {
    load(w, in, m, reach_global, in->list, 2, in->at[0]);
}
static void load_shared(Warp *w, const Ins *in, uint32_t m) {
    load(w, in, m, shared_at, &in->at[0], 1, in->at[1]);
}
static void load_shared_two(Warp *w, const Ins *in, uint32_t m) {
    load(w, in, m, shared_at, in->list, 2, in->at[0]);
}
static void store_global(Warp *w, const Ins *in, uint32_t m) {
    store(w, in, m, reach_global, &in->at[1], 1, in->at[0]);
}
static void store_global_two(Warp *w, const Ins *in, uint32_t m) {
    store(w, in, m, reach_global, in->list, 2, in->at[0]);
}
static void store_shared(Warp *w, const Ins *in, uint32_t m) {
    store(w, in, m, shared_at, &in->at[1], 1, in->at[0]);
}
static void store_shared_two(Warp *w, const Ins *in, uint32_t m) {
    store(w, in, m, shared_at, in->list, 2, in->at[0]);
}

// clang-format off
static const Op ops[] = {
    {"add.rn.f64", "Qqq", add_double, OP_LANES}, {"mul.rn.f64", "Qqq", mul_double, OP_LANES}, {"fma.rn.f64", "Qqqq", fma_double, OP_LANES},
    {"mov.f64", "Qq", move_double, OP_LANES},
    {"ld.global.f64", "Qm", load_global, OP_LANES}, {"ld.global.v2.f64", "{QQ}m", load_global_two, OP_LANES},
    {"ld.shared.f64", "Qm", load_shared, OP_LANES}, {"ld.shared.v2.f64", "{QQ}m", load_shared_two, OP_LANES},
    {"st.global.f64", "mq", store_global, OP_LANES}, {"st.global.v2.f64", "m{qq}", store_global_two, OP_LANES},
    {"st.shared.f64", "mq", store_shared, OP_LANES}, {"st.shared.v2.f64", "m{qq}", store_shared_two, OP_LANES},
};
// clang-format on

const OpTable ptx_double_ops = {ops, COUNT_OF(ops)};
