// Loads, stores, atomics and address spaces.
#include "tests/ptx/machine.h"

static uint64_t global_address(const Warp *w, const Ins *in, int lane, uint32_t at) {
    return file_quads(w, at)[lane] + (uint64_t)in->offset;
}

typedef unsigned char *(*Reach)(Warp *w, const Ins *in, int lane, uint64_t address, uint32_t bytes,
                                bool writes);

static unsigned char *reach_global(Warp *w, const Ins *in, int lane, uint64_t address, uint32_t bytes,
                                   bool writes) {
    return global_at(w, in, lane, address, bytes, writes, false);
}

// `n` words in turn of a list, or `at[0]`; each lane's own.
static void load_words(Warp *w, const Ins *in, uint32_t m, Reach reach, uint32_t *const *d, uint32_t n,
                       uint32_t address_at) {
    for (int l = 0; l < LANES; l++) {
        if ((m >> l & 1) == 0) continue;
        const unsigned char *from = reach(w, in, l, global_address(w, in, l, address_at), 4 * n, false);
        if (from == NULL) return;
        for (uint32_t i = 0; i < n; i++) memcpy(&d[i][l], from + 4 * (size_t)i, 4);
    }
}

static void store_words(Warp *w, const Ins *in, uint32_t m, Reach reach, uint32_t *const *s, uint32_t n,
                        uint32_t address_at) {
    for (int l = 0; l < LANES; l++) {
        if ((m >> l & 1) == 0) continue;
        unsigned char *to = reach(w, in, l, global_address(w, in, l, address_at), 4 * n, true);
        if (to == NULL) return;
        for (uint32_t i = 0; i < n; i++) memcpy(to + 4 * (size_t)i, &s[i][l], 4);
    }
}

static void load32(Warp *w, const Ins *in, uint32_t m, Reach reach) {
    uint32_t *d[1] = {file_words(w, in->at[0])};
    load_words(w, in, m, reach, d, 1, in->at[1]);
}
static void store32(Warp *w, const Ins *in, uint32_t m, Reach reach) {
    uint32_t *s[1] = {file_words(w, in->at[1])};
    store_words(w, in, m, reach, s, 1, in->at[0]);
}
static void load128(Warp *w, const Ins *in, uint32_t m, Reach reach) {
    uint32_t *d[4];
    for (size_t i = 0; i < 4; i++) d[i] = file_words(w, in->list[i]);
    load_words(w, in, m, reach, d, 4, in->at[0]);
}
static void store128(Warp *w, const Ins *in, uint32_t m, Reach reach) {
    uint32_t *s[4];
    for (size_t i = 0; i < 4; i++) s[i] = file_words(w, in->list[i]);
    store_words(w, in, m, reach, s, 4, in->at[0]);
}

// Numbers of one and two bytes. `sign`: of a byte, repeated through the register's sixteen bits.
static void load_small(Warp *w, const Ins *in, uint32_t m, Reach reach, uint32_t bytes, bool sign) {
    uint32_t *d = file_words(w, in->at[0]);
    for (int l = 0; l < LANES; l++) {
        if ((m >> l & 1) == 0) continue;
        const unsigned char *from = reach(w, in, l, global_address(w, in, l, in->at[1]), bytes, false);
        if (from == NULL) return;
        uint32_t x = bytes == 1 ? from[0] : from[0] | (uint32_t)from[1] << 8;
        d[l] = sign ? (uint16_t)(int16_t)(int8_t)x : x;
    }
}

static void store16(Warp *w, const Ins *in, uint32_t m, Reach reach) {
    const uint32_t *s = file_words(w, in->at[1]);
    for (int l = 0; l < LANES; l++) {
        if ((m >> l & 1) == 0) continue;
        unsigned char *to = reach(w, in, l, global_address(w, in, l, in->at[0]), 2, true);
        if (to == NULL) return;
        to[0] = (unsigned char)s[l], to[1] = (unsigned char)(s[l] >> 8);
    }
}

static void load_global_u8(Warp *w, const Ins *in, uint32_t m) {
    load_small(w, in, m, reach_global, 1, false);
}
static void load_global_s8(Warp *w, const Ins *in, uint32_t m) {
    load_small(w, in, m, reach_global, 1, true);
}
static void load_global_u16(Warp *w, const Ins *in, uint32_t m) {
    load_small(w, in, m, reach_global, 2, false);
}
static void load_global_32(Warp *w, const Ins *in, uint32_t m) { load32(w, in, m, reach_global); }
static void load_global_128(Warp *w, const Ins *in, uint32_t m) { load128(w, in, m, reach_global); }
static void store_global_32(Warp *w, const Ins *in, uint32_t m) { store32(w, in, m, reach_global); }
static void store_global_128(Warp *w, const Ins *in, uint32_t m) { store128(w, in, m, reach_global); }
static void load_shared_u16(Warp *w, const Ins *in, uint32_t m) { load_small(w, in, m, shared_at, 2, false); }
static void load_shared_32(Warp *w, const Ins *in, uint32_t m) { load32(w, in, m, shared_at); }
static void load_shared_128(Warp *w, const Ins *in, uint32_t m) { load128(w, in, m, shared_at); }
static void store_shared_16(Warp *w, const Ins *in, uint32_t m) { store16(w, in, m, shared_at); }
static void store_shared_32(Warp *w, const Ins *in, uint32_t m) { store32(w, in, m, shared_at); }
static void store_shared_128(Warp *w, const Ins *in, uint32_t m) { store128(w, in, m, shared_at); }

// A word into a register of 64 bits: zeros above.
static void load_global_wide(Warp *w, const Ins *in, uint32_t m) {
    uint64_t *d = file_quads(w, in->at[0]);
    for (int l = 0; l < LANES; l++) {
        uint32_t x = 0;
        if ((m >> l & 1) == 0) continue;
        const unsigned char *from = reach_global(w, in, l, global_address(w, in, l, in->at[1]), 4, false);
        if (from == NULL) return;
        memcpy(&x, from, sizeof x);
        d[l] = x;
    }
}

static void load_parameter(Warp *w, const Ins *in, uint32_t m) {
    uint64_t *d = file_quads(w, in->at[0]);
    const uint64_t *a = file_quads(w, in->at[1]);
    FOR_LANES(m, d[l] = a[l]);
}

static void add_atomically(Warp *w, const Ins *in, uint32_t m) {
    uint32_t *d = file_words(w, in->at[0]);
    const uint32_t *b = file_words(w, in->at[2]);
    for (int l = 0; l < LANES; l++) {
        uint32_t before = 0, after = 0;
        if ((m >> l & 1) == 0) continue;
        unsigned char *at = global_at(w, in, l, global_address(w, in, l, in->at[1]), 4, true, true);
        if (at == NULL) return;
        memcpy(&before, at, sizeof before);
        after = before + b[l];
        memcpy(at, &after, sizeof after);
        d[l] = before;
    }
}

// ---------------------------------------------------------------- address spaces

static void from_global(Warp *w, const Ins *in, uint32_t m) {
    uint64_t *d = file_quads(w, in->at[0]);
    const uint64_t *a = file_quads(w, in->at[1]);
    FOR_LANES(m, d[l] = a[l]);
}

static void to_global(Warp *w, const Ins *in, uint32_t m) {
    uint64_t *d = file_quads(w, in->at[0]);
    const uint64_t *a = file_quads(w, in->at[1]);
    FOR_LANES(m,
              if (a[l] - SHARED_WINDOW < SHARED_SPAN) ptx_fault(w, in, l, "shared memory taken for global");
              d[l] = a[l]);
}

static void from_shared(Warp *w, const Ins *in, uint32_t m) {
    uint64_t *d = file_quads(w, in->at[0]);
    const uint64_t *a = file_quads(w, in->at[1]);
    FOR_LANES(m, d[l] = a[l] + SHARED_WINDOW);
}

static void to_shared(Warp *w, const Ins *in, uint32_t m) {
    uint64_t *d = file_quads(w, in->at[0]);
    const uint64_t *a = file_quads(w, in->at[1]);
    FOR_LANES(m,
              if (a[l] - SHARED_WINDOW >= SHARED_SPAN) ptx_fault(w, in, l, "not an address of shared memory");
              d[l] = a[l] - SHARED_WINDOW);
}

// What a thread wrote is in order for all who see what it writes after: here it always is. The bar.sync beside
// it does the same within a block.
static void fence(Warp *w, const Ins *in, uint32_t m) { (void)w, (void)in, (void)m; }

// clang-format off
static const Op ops[] = {
    {"ld.param.u64", "Qk", load_parameter, OP_LANES},
    {"ld.global.u8", "Xm", load_global_u8, OP_LANES}, {"ld.global.s8", "Hm", load_global_s8, OP_LANES}, {"ld.global.u16", "Xm", load_global_u16, OP_LANES},
    {"ld.global.u32", "Wm", load_global_32, OP_LANES}, {"ld.global.u32", "Qm", load_global_wide, OP_LANES}, {"ld.global.f32", "Wm", load_global_32, OP_LANES},
    {"ld.global.v4.u32", "{WWWW}m", load_global_128, OP_LANES}, {"ld.global.v4.f32", "{WWWW}m", load_global_128, OP_LANES},
    {"st.global.u32", "mw", store_global_32, OP_LANES}, {"st.global.f32", "mw", store_global_32, OP_LANES},
    {"st.global.v4.f32", "m{wwww}", store_global_128, OP_LANES}, {"st.global.v4.u32", "m{wwww}", store_global_128, OP_LANES},
    {"ld.shared.u16", "Xm", load_shared_u16, OP_LANES}, {"ld.shared.u32", "Wm", load_shared_32, OP_LANES}, {"ld.shared.f32", "Wm", load_shared_32, OP_LANES},
    {"ld.shared.v4.u32", "{WWWW}m", load_shared_128, OP_LANES}, {"ld.shared.v4.f32", "{WWWW}m", load_shared_128, OP_LANES},
    {"st.shared.u16", "mx", store_shared_16, OP_LANES}, {"st.shared.u32", "mw", store_shared_32, OP_LANES}, {"st.shared.f32", "mw", store_shared_32, OP_LANES},
    {"st.shared.v4.u32", "m{wwww}", store_shared_128, OP_LANES}, {"st.shared.v4.f32", "m{wwww}", store_shared_128, OP_LANES},
    {"atom.global.add.u32", "Wmw", add_atomically, OP_LANES}, {"membar.gl", "", fence, OP_LANES},
    {"cvta.global.u64", "Qq", from_global, OP_LANES}, {"cvta.to.global.u64", "Qq", to_global, OP_LANES},
    {"cvta.shared.u64", "Qq", from_shared, OP_LANES}, {"cvta.to.shared.u64", "Qq", to_shared, OP_LANES},
};
// clang-format on

const OpTable ptx_memory_ops = {ops, COUNT_OF(ops)};
