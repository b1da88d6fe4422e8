// What goes on beside the threads: cp.async, and Hopper's products by warpgroups with their fences and waits.
//
// Copies land, and products are let go, as late as they may: at the wait. What reads or writes before that is a
// fault of shadow.c, or of the check of registers below.
#include "tests/ptx/machine.h"

// ---------------------------------------------------------------- cp.async

// Sixteen bytes, of which the last operand says how many come from memory; the rest are zeros.
static void copy_async(Warp *w, const Ins *in, uint32_t m) {
    const uint32_t *to = file_words(w, in->at[0]), *some = file_words(w, in->at[3]);
    const uint64_t *from = file_quads(w, in->at[1]);
    for (int l = 0; l < LANES; l++) {
        if ((m >> l & 1) == 0) continue;
        if (in->at[2] != 16 || some[l] > 16 || from[l] % 16 != 0) {
            ptx_fault(w, in, l, "cp.async of %u of %u bytes from 0x%llx", some[l], in->at[2],
                      (unsigned long long)from[l]);
            return;
        }
        const unsigned char *source = NULL;
        if (some[l] > 0) source = global_at(w, in, l, from[l], some[l], false, false);
        if ((some[l] > 0 && source == NULL) || !shadow_announce(w, in, l, to[l], 16)) return;
        w->copies =
            arena_grow(w->block->arena, w->copies, w->n_copies, &w->copies_capacity, sizeof *w->copies);
        w->copies[w->n_copies++] = (Copy){to[l], some[l], w->committed[l], (const char *)source, l, false};
        w->block->tally->copies++;
    }
}

static void commit_copies(Warp *w, const Ins *in, uint32_t m) {
    (void)in;
    FOR_LANES(m, w->committed[l]++);
}

// All groups of the lane but its newest ones have landed.
static void wait_copies(Warp *w, const Ins *in, uint32_t m) {
    size_t kept = 0;
    for (size_t i = 0; i < w->n_copies; i++) {
        const Copy *c = &w->copies[i];
        bool done = (m >> c->lane & 1) != 0 && c->group + in->at[0] < w->committed[c->lane];
        if (!done) {
            w->copies[kept++] = *c;
            continue;
        }
        unsigned char *to = w->block->shared + c->to;
        memset(to, 0, 16);
        if (c->bytes > 0) memcpy(to, c->from, c->bytes);
        shadow_land(w, c->lane, c->to, 16);
    }
    w->n_copies = kept;
}

static void proxy_fence(Warp *w, const Ins *in, uint32_t m) {
    Block *b = w->block;
    (void)in;
    b->stamp++;
    FOR_LANES(m, b->fence_stamp[thread_of(w, l)] = b->stamp; b->fence_epoch[thread_of(w, l)] = b->epoch);
}

// ---------------------------------------------------------------- descriptors

enum { GROUP_ROWS = 64, GROUP_COLUMNS = 256, STEP_BYTES = 32, PIECE = 16, SWIZZLE_128 = 1 };

// Rows along k with the swizzle of 128 bytes: eight rows of 128 bytes, then the next eight at the second of the two
// distances; bits 4 to 6 of an address are turned by bits 7 to 9.
static uint32_t place(uint64_t descriptor, uint32_t row, uint32_t byte) {
    uint32_t start = (uint32_t)(descriptor & 0x3FFF) << 4, eight = (uint32_t)(descriptor >> 32 & 0x3FFF) << 4;
    uint32_t at = start + row / 8 * eight + row % 8 * 128 + byte;
    return at ^ (at >> 7 & 7) << 4;
}

// Of the layouts that the ISA has only this one is known here.
static bool is_known_layout(uint64_t descriptor) {
    const uint64_t reserved =
        UINT64_C(0x3FFF) << 48 | UINT64_C(3) << 46 | UINT64_C(3) << 30 | UINT64_C(3) << 14;
    return descriptor >> 62 == SWIZZLE_128 && (descriptor & reserved) == 0;
}

static bool hold_operand(Warp *w, const Ins *in, uint64_t descriptor, uint32_t rows) {
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t byte = 0; byte < STEP_BYTES; byte += PIECE) {
            if (!shadow_hold(w, in, place(descriptor, row, byte), PIECE)) return false;
        }
    }
    return true;
}

static void release_operand(Block *b, uint64_t descriptor, uint32_t rows) {
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t byte = 0; byte < STEP_BYTES; byte += PIECE)
            shadow_release(b, place(descriptor, row, byte), PIECE);
    }
}

// `out`: rows of 32 numbers.
static void read_operand(const Block *b, uint64_t descriptor, uint32_t rows, Number n,
                         double (*out)[STEP_BYTES]) {
    size_t per = PIECE * 8 / number_bits(n);
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t piece = 0; piece < STEP_BYTES / PIECE; piece++) {
            const unsigned char *bytes = b->shared + place(descriptor, row, piece * PIECE);
            for (size_t i = 0; i < per; i++) out[row][piece * per + i] = number_at(n, bytes, i);
        }
    }
}

// ---------------------------------------------------------------- products by warpgroups

static Number number_of(const Ins *in) {
    return strstr(in->op->name, "e4m3") != NULL   ? NUMBER_E4M3
           : strstr(in->op->name, "bf16") != NULL ? NUMBER_BF16
                                                  : NUMBER_F16;
}

// Sum i of a lane of warp `part`: row 16 part + lane / 4 + 8 (i / 2 % 2), column 8 (i / 4) + 2 (lane % 4) + i % 2.
static void sum_part(Warp *w, const Ins *in, unsigned part, size_t k, double (*a)[STEP_BYTES],
                     double (*b)[STEP_BYTES]) {
    bool adds = (*file_words(w, in->at[2]) & 1) != 0;
    for (size_t i = 0; i < in->n_list; i++) {
        uint32_t *sums = file_words(w, in->list[i]);
        for (size_t lane = 0; lane < LANES; lane++) {
            size_t row = 16 * part + lane / 4 + 8 * (i / 2 % 2),
                   column = 8 * (i / 4) + 2 * (lane % 4) + i % 2;
            float start = adds ? float_of(sums[lane]) : 0;
            sums[lane] =
                bits_of(dot_f32(start, a[row], b[column], k, number_of(in), w->block->launch->cut_sums));
        }
    }
}

// The same descriptors and scale in all lanes, numbers as they stand, rows along k, accumulators that nothing
// wrote since the fence.
static bool group_is_right(Warp *w, const Ins *in) {
    const uint64_t *a = file_quads(w, in->at[0]), *b = file_quads(w, in->at[1]);
    const Warp *first = &w->block->warps[w->index / GROUP_WARPS * GROUP_WARPS];
    uint64_t a0 = *file_quads(first, in->at[0]), b0 = *file_quads(first, in->at[1]);
    uint32_t adds = *file_words(w, in->at[2]);
    bool same = (adds == 0 || adds == ALL_LANES) && adds == *file_words(first, in->at[2]);
    for (int l = 0; l < LANES; l++) same = same && a[l] == a0 && b[l] == b0;
    bool plain = in->at[3] == 1 && in->at[4] == 1 && in->at[5] == 0 && in->at[6] == 0;
    if (!same || !plain || in->n_list != 128 || !is_known_layout(a0) || !is_known_layout(b0)) {
        ptx_fault(w, in, 0, "%s",
                  !same    ? "lanes of a warpgroup name different operands"
                  : !plain ? "a scale or a transposition that is not known"
                           : "a descriptor that is not known");
        return false;
    }
    bool clean = w->fenced && w->products_committed == first->products_committed;
    for (size_t i = 0; i < in->n_list; i++) clean = clean && w->dirty[in->list[i] / LANES] == 0;
    if (!clean) ptx_fault(w, in, 0, "accumulators of a product were written with no wgmma.fence after");
    return clean;
}

void group_product(Warp *first, const Ins *in) {
    static double a[GROUP_ROWS][STEP_BYTES], b[GROUP_COLUMNS][STEP_BYTES];
    Block *block = first->block;
    Number n = number_of(in);
    uint64_t left = *file_quads(first, in->at[0]), right = *file_quads(first, in->at[1]);
    for (unsigned i = 0; i < GROUP_WARPS; i++) {
        if (!group_is_right(first + i, in)) return;
    }
    if (!hold_operand(first, in, left, GROUP_ROWS) || !hold_operand(first, in, right, GROUP_COLUMNS)) return;
    read_operand(block, left, GROUP_ROWS, n, a);
    read_operand(block, right, GROUP_COLUMNS, n, b);
    for (unsigned i = 0; i < GROUP_WARPS; i++) {
        Warp *w = first + i;
        sum_part(w, in, i, STEP_BYTES * 8 / number_bits(n), a, b);
        for (size_t r = 0; r < in->n_list; r++) w->in_flight[in->list[r] / LANES]++;
        w->n_in_flight++;
    }
    block->products = arena_grow(block->arena, block->products, block->n_products, &block->products_capacity,
                                 sizeof *block->products);
    block->products[block->n_products++] =
        (GroupProduct){first->index, first->products_committed, in, left, right, 0, false};
    block->tally->group_products++;
}

static void group_fence(Warp *w, const Ins *in, uint32_t m) {
    (void)in, (void)m;
    memset(w->dirty, 0, w->block->entry->words / LANES + 1);
    w->fenced = true;
}

static void commit_products(Warp *w, const Ins *in, uint32_t m) {
    (void)in, (void)m;
    w->products_committed++;
}

// The warp has the sums of all committed groups but its newest ones. A product is over for shared memory when all
// four warps have waited for it.
static void wait_products(Warp *w, const Ins *in, uint32_t m) {
    Block *b = w->block;
    (void)m;
    for (size_t i = 0; i < b->n_products; i++) {
        GroupProduct *p = &b->products[i];
        unsigned bit = w->index - p->first_warp;
        if (bit >= GROUP_WARPS || (p->retired >> bit & 1) != 0 ||
            p->group + in->at[0] >= w->products_committed)
            continue;
        p->retired |= 1u << bit;
        for (size_t r = 0; r < p->in->n_list; r++) w->in_flight[p->in->list[r] / LANES]--;
        w->n_in_flight--;
        if (p->retired != (1u << GROUP_WARPS) - 1) continue;
        release_operand(b, p->a, GROUP_ROWS);
        release_operand(b, p->b, GROUP_COLUMNS);
        p->done = true;
    }
    size_t kept = 0;
    for (size_t i = 0; i < b->n_products; i++) {
        if (!b->products[i].done) b->products[kept++] = b->products[i];
    }
    b->n_products = kept;
}

// clang-format off
static const Op ops[] = {
    {"cp.async.cg.shared.global", "amnw", copy_async, OP_LANES}, {"cp.async.commit_group", "", commit_copies, OP_LANES},
    {"cp.async.wait_group", "n", wait_copies, OP_LANES}, {"fence.proxy.async.shared::cta", "", proxy_fence, OP_LANES},
    {"wgmma.fence.sync.aligned", "", group_fence, OP_WARP}, {"wgmma.commit_group.sync.aligned", "", commit_products, OP_WARP},
    {"wgmma.wait_group.sync.aligned", "n", wait_products, OP_WARP},
    {"wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16", "{W*}qqpnnnn", NULL, OP_GROUP},
    {"wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16", "{W*}qqpnnnn", NULL, OP_GROUP},
    {"wgmma.mma_async.sync.aligned.m64n256k32.f32.e4m3.e4m3", "{W*}qqpnn", NULL, OP_GROUP},
};
// clang-format on

const OpTable ptx_group_ops = {ops, COUNT_OF(ops)};
