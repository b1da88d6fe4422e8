// Running a grid: blocks one after the other, their warps in an order that is meant to hurt, lanes that part and
// meet again.
#include <stdio.h>

#include "tests/ptx/machine.h"

const char *const ptx_order_names[PTX_ORDERS] = {"in turn", "one first", "reversed", "random"};

void ptx_fault(Warp *w, const Ins *in, int lane, const char *format, ...) {
    Block *b = w->block;
    char text[600];
    va_list args;
    if (b->failed) return;
    b->failed = true;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    err_set(b->e, ERR_FAILED, "%s, line %d, block %u, thread %d: %s", b->entry->name, in->line, b->index,
            thread_of(w, lane), text);
}

// ---------------------------------------------------------------- lanes

// Lanes that came to the same place go on together; then those that are furthest behind do (`ahead`: furthest
// ahead), until they wait for the others.
static void regroup(Warp *w, bool ahead) {
    for (size_t i = 0; i < w->n_groups; i++) {
        for (size_t j = i + 1; j < w->n_groups;) {
            Lanes *a = &w->groups[i], *b = &w->groups[j];
            if (a->pc != b->pc) {
                j++;
                continue;
            }
            *a = (Lanes){a->pc, a->mask | b->mask, false};
            *b = w->groups[--w->n_groups];
        }
    }
    size_t best = w->n_groups;
    for (size_t i = 0; i < w->n_groups; i++) {
        if (w->groups[i].waits) continue;
        if (best == w->n_groups || (w->groups[i].pc < w->groups[best].pc) != ahead) best = i;
    }
    if (best == w->n_groups && w->n_groups > 1) {
        const Ins *code = w->block->entry->code;
        ptx_fault(w, &code[w->groups[0].pc], __builtin_ctz(w->groups[0].mask),
                  "lanes of a warp wait for each other, others at line %d", code[w->groups[1].pc].line);
    }
    w->now = best < w->n_groups ? best : 0;
}

static void part(Warp *w, Lanes *g, uint32_t taken, uint32_t target) {
    uint32_t rest = g->mask & ~taken;
    if (taken == 0) {
        g->pc++;
    } else if (rest == 0) {
        g->pc = target;
    } else {
        *g = (Lanes){g->pc + 1, rest, false};
        w->groups[w->n_groups++] = (Lanes){target, taken, false};
    }
}

static void end_lanes(Warp *w, Lanes *g, uint32_t mask) {
    w->live &= ~mask;
    g->mask &= ~mask;
    g->pc++;
    if (g->mask == 0) *g = w->groups[--w->n_groups], w->now = 0;
    if (w->live == 0) w->state = WARP_ENDED;
}

// May the warp do together what it stands at? False: others of its lanes have to come first, or a fault.
static bool all_here(Warp *w, const Ins *in, Lanes *g, uint32_t mask) {
    if (mask != g->mask || w->live != ALL_LANES) {
        ptx_fault(w, in, 0, "lanes %08x of a warp, of which %08x still run, do what all lanes have to", mask,
                  w->live);
        return false;
    }
    if (g->mask == w->live) return true;
    g->waits = true;
    return false;
}

// Registers that a product by the warpgroup still writes are nobody's until the wait; what is written else has to
// be fenced before the next one.
static void watch_registers(Warp *w, const Ins *in) {
    if (in->op->kind == OP_GROUP) return;
    for (size_t i = 0; w->n_in_flight > 0 && i < in->n_touched; i++) {
        if (w->in_flight[in->touched[i] / LANES] == 0) continue;
        ptx_fault(w, in, 0, "touches a sum of a product by the warpgroup before its wait");
        return;
    }
    for (size_t i = 0; i < in->n_written; i++) w->dirty[in->touched[i] / LANES] = 1;
}

static void step(Warp *w) {
    Block *b = w->block;
    Lanes *g = &w->groups[w->now];
    const Ins *in = &b->entry->code[g->pc];
    uint32_t mask = g->mask;
    if (in->guard >= 0) {
        uint32_t p = *file_words(w, (uint32_t)in->guard);
        mask &= in->unless ? ~p : p;
    }
    b->used += (unsigned)__builtin_popcount(g->mask);
    if (b->launch->budget != 0 && b->used > b->launch->budget)
        ptx_fault(w, in, 0, "the budget of %llu instructions is used up",
                  (unsigned long long)b->launch->budget);
    if (b->entry->has_groups) watch_registers(w, in);
    switch (in->op->kind) {
    case OP_LANES:
        if (mask != 0) in->op->execute(w, in, mask);
        g->pc++;
        break;
    case OP_BRANCH: part(w, g, mask, in->target); break;
    case OP_END: end_lanes(w, g, mask); break;
    case OP_WARP:
        if (!all_here(w, in, g, mask)) break;
        in->op->execute(w, in, mask);
        g->pc++;
        break;
    case OP_BARRIER:
        if (in->at[0] != 0) ptx_fault(w, in, 0, "barrier %u: only number 0 is known", in->at[0]);
        if (all_here(w, in, g, mask)) w->state = WARP_AT_BARRIER;
        break;
    case OP_GROUP:
        if (all_here(w, in, g, mask)) w->state = WARP_AT_GROUP;
        break;
    }
    if (w->n_groups > 1 && !b->failed) regroup(w, b->launch->order == PTX_REVERSED);
}

// ---------------------------------------------------------------- warps of a block

static uint64_t next_random(Block *b) {
    b->random ^= b->random << 13;
    b->random ^= b->random >> 7;
    return b->random ^= b->random << 17;
}

// Warpgroups whose four warps stand at the same product do it.
static void do_products(Block *b) {
    for (unsigned first = 0; first < b->n_warps && !b->failed; first += GROUP_WARPS) {
        Warp *w = &b->warps[first];
        bool all = first + GROUP_WARPS <= b->n_warps;
        for (unsigned i = 0; all && i < GROUP_WARPS; i++)
            all = w[i].state == WARP_AT_GROUP && w[i].groups[0].pc == w->groups[0].pc;
        if (!all) continue;
        group_product(w, &b->entry->code[w->groups[0].pc]);
        for (unsigned i = 0; i < GROUP_WARPS; i++) w[i].state = WARP_READY, w[i].groups[0].pc++;
    }
}

// All warps wait at the barrier: on. Else they wait for ever.
static void pass_barrier(Block *b) {
    for (unsigned i = 0; i < b->n_warps; i++) {
        Warp *w = &b->warps[i];
        if (w->state == WARP_AT_BARRIER) continue;
        const Warp *waits = w;
        for (unsigned j = 0; j < b->n_warps; j++) {
            if (b->warps[j].state != WARP_ENDED) waits = &b->warps[j];
        }
        ptx_fault(w, &b->entry->code[waits->groups[0].pc], 0, "warp %u waits for warp %u, which %s",
                  waits->index, w->index, w->state == WARP_ENDED ? "has ended" : "waits elsewhere");
        return;
    }
    b->epoch++;
    b->tally->barriers++;
    for (unsigned i = 0; i < b->n_warps; i++) {
        b->warps[i].state = WARP_READY;
        b->warps[i].groups[0].pc++;
    }
}

// The next warp that can go on after `last`, in the launch's order; NULL: none can.
static Warp *next_warp(Block *b, unsigned last) {
    unsigned n = b->n_warps;
    unsigned from = b->launch->order == PTX_RANDOM    ? (unsigned)(next_random(b) % n)
                    : b->launch->order == PTX_IN_TURN ? last + 1
                                                      : 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned at = (from + i) % n;
        Warp *w = &b->warps[b->launch->order == PTX_REVERSED ? n - 1 - at : at];
        if (w->state == WARP_READY) return w;
    }
    return NULL;
}

static void run_warps(Block *b) {
    unsigned last = b->n_warps - 1;
    while (!b->failed) {
        Warp *w = next_warp(b, last);
        if (w == NULL) {
            bool any = false;
            do_products(b);
            for (unsigned i = 0; i < b->n_warps; i++) any = any || b->warps[i].state == WARP_READY;
            bool ended = true;
            for (unsigned i = 0; i < b->n_warps; i++) ended = ended && b->warps[i].state == WARP_ENDED;
            if (ended) return;
            if (!any && !b->failed) pass_barrier(b);
            continue;
        }
        uint64_t some = b->launch->order == PTX_IN_TURN  ? 1
                        : b->launch->order == PTX_RANDOM ? 1 + next_random(b) % 64
                                                         : UINT64_MAX;
        for (; some > 0 && w->state == WARP_READY && !b->failed; some--) step(w);
        last = w->index;
    }
}

// ---------------------------------------------------------------- blocks of a grid

static void put_constants(Block *b, Warp *w) {
    const PtxEntry *entry = b->entry;
    for (size_t i = 0; i < entry->n_constants; i++) {
        const Constant *c = &entry->constants[i];
        for (int l = 0; l < LANES; l++) {
            if (c->wide) file_quads(w, c->at)[l] = c->value;
            if (!c->wide) file_words(w, c->at)[l] = (uint32_t)c->value;
        }
    }
    for (size_t i = 0; i < entry->n_params; i++) {
        for (int l = 0; l < LANES; l++) file_quads(w, entry->params[i])[l] = b->launch->params[i];
    }
    for (uint32_t l = 0; l < LANES; l++) {
        if (entry->tid != 0) file_words(w, entry->tid)[l] = w->index * LANES + l;
        if (entry->block != 0) file_words(w, entry->block)[l] = b->index;
        if (entry->blocks != 0) file_words(w, entry->blocks)[l] = b->launch->blocks;
        if (entry->width != 0) file_words(w, entry->width)[l] = b->launch->threads;
    }
}

// Registers hold nothing of use until they are written: what they hold differs by order and block.
static void start_warp(Block *b, unsigned index) {
    Warp *w = &b->warps[index];
    w->block = b, w->index = index;
    w->state = WARP_READY;
    w->live = ALL_LANES;
    w->groups[0] = (Lanes){0, ALL_LANES, false};
    w->n_groups = 1, w->now = 0;
    w->n_copies = 0;
    memset(w->committed, 0, sizeof w->committed);
    w->products_committed = w->products_done = 0;
    w->n_in_flight = 0;
    w->fenced = false;
    memset(w->in_flight, 0, b->entry->words / LANES + 1);
    memset(w->dirty, 1, b->entry->words / LANES + 1);
    memset(w->file, (int)(0x5B + 37 * b->launch->order + b->index), b->entry->words * sizeof *w->file);
    put_constants(b, w);
}

static void start_block(Block *b, unsigned index) {
    b->index = index;
    b->first_epoch = ++b->epoch;
    b->n_products = 0;
    memset(b->fence_stamp, 0, sizeof b->fence_stamp);
    memset(b->shared, 0xA7, b->shared_bytes);
    shadow_map(b);
    for (unsigned i = 0; i < b->n_warps; i++) start_warp(b, i);
}

static bool check_launch(const PtxEntry *entry, const PtxLaunch *l, Err *e) {
    const char *wrong = l->blocks == 0 || l->threads == 0 ? "an empty grid"
                        : l->threads % LANES != 0         ? "a block that is not whole warps"
                        : l->threads > entry->threads     ? "more threads than the entry's .maxntid"
                        : l->n_params != entry->n_params  ? "parameters that are not the entry's"
                        : l->n_ranges > PTX_RANGES_MAX    ? "too many ranges of memory"
                        : l->dynamic_bytes > SHARED_SPAN - SHARED_DYNAMIC_AT ? "too much shared memory"
                                                                             : NULL;
    return wrong == NULL || err_set(e, ERR_FAILED, "%s: launched with %s", entry->name, wrong);
}

static void prepare(Block *b, Arena *a) {
    b->shared_bytes = b->entry->shared_top;
    if (b->launch->dynamic_bytes > 0) b->shared_bytes = SHARED_DYNAMIC_AT + b->launch->dynamic_bytes;
    b->shared_bytes = (b->shared_bytes + SHARED_GRANULE) / SHARED_GRANULE * SHARED_GRANULE;
    b->shared = arena_alloc(a, b->shared_bytes, 1);
    b->cells = arena_alloc(a, b->shared_bytes / SHARED_GRANULE, sizeof *b->cells);
    for (unsigned i = 0; i < b->n_warps; i++) {
        b->warps[i].file = arena_alloc(a, b->entry->words, sizeof(uint32_t));
        b->warps[i].in_flight = arena_alloc(a, b->entry->words / LANES + 1, 1);
        b->warps[i].dirty = arena_alloc(a, b->entry->words / LANES + 1, 1);
    }
    for (size_t i = 0; i < b->launch->n_ranges; i++) {
        Range *r = &b->ranges[b->n_ranges++];
        r->r = b->launch->ranges[i];
        if (r->r.writable) r->cells = arena_alloc(a, r->r.bytes / GLOBAL_GRANULE + 1, sizeof *r->cells);
    }
}

bool ptx_run(const PtxEntry *entry, const PtxLaunch *launch, PtxTally *tally, Err *e) {
    Arena a = {0};
    if (!check_launch(entry, launch, e)) return false;
    Block *b = arena_alloc(&a, 1, sizeof *b);
    *b = (Block){.entry = entry,
                 .launch = launch,
                 .n_warps = launch->threads / LANES,
                 .tally = tally,
                 .random = launch->seed * 2 + 1,
                 .arena = &a,
                 .e = e};
    prepare(b, &a);
    for (unsigned i = 0; i < launch->blocks && !b->failed; i++) {
        start_block(b, launch->order == PTX_REVERSED ? launch->blocks - 1 - i : i);
        run_warps(b);
    }
    bool ok = !b->failed;
    tally->instructions += b->used;
    arena_free(&a);
    return ok;
}

static const Op ops[] = {{"bra", "l", NULL, OP_BRANCH},
                         {"bra.uni", "l", NULL, OP_BRANCH},
                         {"ret", "", NULL, OP_END},
                         {"bar.sync", "n", NULL, OP_BARRIER}};
const OpTable ptx_flow_ops = {ops, COUNT_OF(ops)};
