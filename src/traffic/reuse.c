// Reuse of prompt blocks: the hit rate of an LRU cache of any capacity, in one pass.
#include <math.h>
#include <string.h>

#include "src/traffic/parts.h"

enum { SLOTS_FIRST = 1 << 16 };

uint64_t hash64(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// Room for `slots` keys, half of which are used at most, and twice as many touches as keys.
static void make_room(Reuse *x, size_t slots) {
    x->slots = slots;
    x->keys = arena_alloc(x->arena, slots, sizeof *x->keys);
    x->last = arena_alloc(x->arena, slots, sizeof *x->last);
    x->positions = slots;
    x->tree = arena_alloc(x->arena, x->positions + 1, sizeof *x->tree);
    x->slot_of = arena_alloc(x->arena, x->positions + 1, sizeof *x->slot_of);
    size_t before = x->distances;
    double *tokens = arena_alloc(x->arena, slots, sizeof *tokens);
    double *blocks = arena_alloc(x->arena, slots, sizeof *blocks);
    if (before > 0) {
        memcpy(tokens, x->hit_tokens, before * sizeof *tokens);
        memcpy(blocks, x->hit_blocks, before * sizeof *blocks);
    }
    x->hit_tokens = tokens;
    x->hit_blocks = blocks;
    x->distances = slots;
}

void reuse_open(Reuse *x, Arena *a) {
    *x = (Reuse){.arena = a, .block_tokens = (double)NAN, .share = 1, .below = UINT64_MAX};
}

// ---------------------------------------------------------------- the tree

static void tree_add(Reuse *x, size_t position, uint32_t change) {
    for (size_t i = position; i <= x->positions; i += i & (~i + 1)) x->tree[i] += change;
}

static size_t tree_sum(const Reuse *x, size_t position) {  // live ones up to there
    size_t sum = 0;
    for (size_t i = position; i > 0; i -= i & (~i + 1)) sum += x->tree[i];
    return sum;
}

// ---------------------------------------------------------------- keys

static size_t find_slot(const Reuse *x, uint64_t key) {
    size_t at = (size_t)hash64(key * 0x9e3779b97f4a7c15u) & (x->slots - 1);
    while (x->keys[at] != 0 && x->keys[at] != key) at = (at + 1) & (x->slots - 1);
    return at;
}

// Live keys in the order of their last touch; numbers touches anew from 1. Keys at or over `below` are let
// go.
static void renumber(Reuse *x, size_t slots) {
    size_t n = 0;
    Arena scratch = {0};
    uint64_t *order = arena_alloc(&scratch, x->live + 1, sizeof *order);
    for (size_t i = 1; i <= x->clock; i++) {
        if (x->slot_of[i] == 0) continue;
        uint64_t key = x->keys[x->slot_of[i] - 1];
        if (hash64(key) < x->below) order[n++] = key;
    }
    if (slots != x->slots) {
        make_room(x, slots);
    } else {
        memset(x->keys, 0, slots * sizeof *x->keys);
        memset(x->tree, 0, (x->positions + 1) * sizeof *x->tree);
        memset(x->slot_of, 0, (x->positions + 1) * sizeof *x->slot_of);
    }
    x->live = x->clock = n;
    for (size_t i = 0; i < n; i++) {
        size_t slot = find_slot(x, order[i]);
        x->keys[slot] = order[i];
        x->last[slot] = (uint32_t)(i + 1);
        x->slot_of[i + 1] = (uint32_t)(slot + 1);
        x->tree[i + 1] = 1;
    }
    for (size_t i = 1; i <= x->positions; i++) {  // sums of ranges, from below
        size_t parent = i + (i & (~i + 1));
        if (parent <= x->positions) x->tree[parent] += x->tree[i];
    }
    arena_free(&scratch);
}

// Follows half as many blocks from here on: of what was counted, distances halve.
static void follow_fewer(Reuse *x) {
    x->below /= 2;
    x->share /= 2;
    for (size_t i = 0; i < x->distances; i++) {
        double tokens = x->hit_tokens[i], blocks = x->hit_blocks[i];
        x->hit_tokens[i] = x->hit_blocks[i] = 0;
        x->hit_tokens[i / 2] += tokens;
        x->hit_blocks[i / 2] += blocks;
    }
    renumber(x, x->slots);
}

static void touch(Reuse *x, uint64_t key) {
    if (x->clock == x->positions) renumber(x, x->slots);
    size_t slot = find_slot(x, key);
    if (x->keys[slot] == key) {
        tree_add(x, x->last[slot], UINT32_MAX);  // minus one
        x->slot_of[x->last[slot]] = 0;
        x->live--;
    } else {
        x->distinct += 1 / x->share;
    }
    x->keys[slot] = key;
    x->last[slot] = (uint32_t)++x->clock;
    x->slot_of[x->clock] = (uint32_t)(slot + 1);
    tree_add(x, x->clock, 1);
    x->live++;
    if (2 * x->live < x->slots) return;
    if (x->slots < 2 * (size_t)BLOCKS_MAX)
        renumber(x, 2 * x->slots);
    else
        follow_fewer(x);
}

// ---------------------------------------------------------------- requests

// A key that is never 0.
static uint64_t key_of(uint64_t block) {
    uint64_t key = block + 1;
    return key != 0 ? key : 1;
}

void reuse_add(Reuse *x, const uint64_t *blocks, size_t n, double input) {
    size_t farthest = 0;
    if (x->slots == 0) make_room(x, SLOTS_FIRST);
    x->blocks += (double)n;
    x->input += input;
    for (size_t i = 0; i < n; i++) {
        uint64_t key = key_of(blocks[i]);
        if (hash64(key) >= x->below && x->share < 1) continue;
        size_t slot = find_slot(x, key);
        if (x->keys[slot] == 0) break;
        size_t distance = x->live - tree_sum(x, x->last[slot]);
        if (distance > farthest) farthest = distance;
        double tokens = fmin(x->block_tokens, input - (double)i * x->block_tokens);
        x->hit_tokens[farthest] += fmax(tokens, 0) / x->share;
        x->hit_blocks[farthest] += 1 / x->share;
    }
    for (size_t i = n; i-- > 0;) {
        uint64_t key = key_of(blocks[i]);
        if (x->share < 1 && hash64(key) >= x->below) continue;
        x->followed += 1 / x->share;
        touch(x, key);
    }
}

// ---------------------------------------------------------------- the curve

// 1, 2, 3 and 5 of every decade: the capacities of a curve.
static double capacity_at(size_t i) {
    static const double steps[] = {1, 2, 3, 5};
    return steps[i % COUNT_OF(steps)] * pow(10, (double)(i / COUNT_OF(steps)));
}

// `sum`: hits at a distance of 0 beside those in the list.
static void curve_of(const Reuse *x, const double *hits, double sum, double all, double max, HitCurve *c) {
    static const double CAPACITY_FIRST = 1e4, CAPACITY_LAST = 1e13;
    *c = (HitCurve){.hit_rate_max = max, .sessions = (double)NAN};
    size_t next = 0;
    for (size_t i = 0; c->n < HIT_POINTS_MAX; i++) {
        double capacity = capacity_at(i);
        if (capacity < CAPACITY_FIRST) continue;
        if (capacity > CAPACITY_LAST) break;
        // a block is held when its distance, counted from 0, is below the number of blocks
        double blocks = floor(capacity / x->block_tokens) * x->share;
        while (next < x->distances && (double)next < blocks) sum += hits[next++];
        c->points[c->n++] = (HitPoint){capacity, fmax(fmin(sum / all, max), 0)};
        if (blocks >= x->distinct * x->share || next == x->distances || sum / all >= max * (1 - 1e-12)) break;
    }
}

void reuse_found(const Reuse *x, TrafficFound *f) {
    f->block_tokens = x->block_tokens;
    f->blocks = x->blocks;
    f->distinct_blocks = x->distinct;
    if (x->blocks <= 0 || x->input <= 0) return;
    // A block that nearly every prompt begins with is among those that are followed, or it is not, and then
    // counts for too many or for none. Such blocks are always found: what the followed ones are short of all
    // is theirs (SHARDS-adj).
    double short_of = x->blocks - x->followed, tokens = short_of * x->input / x->blocks, blocks = short_of;
    double near_tokens = tokens, near_blocks = blocks;
    for (size_t i = 0; i < x->distances; i++) tokens += x->hit_tokens[i], blocks += x->hit_blocks[i];
    f->hit_max = fmax(fmin(tokens / x->input, 1), 0);
    f->block_hit_max = fmax(fmin(blocks / x->blocks, 1), 0);
    curve_of(x, x->hit_tokens, near_tokens, x->input, f->hit_max, &f->hits);
    curve_of(x, x->hit_blocks, near_blocks, x->blocks, f->block_hit_max, &f->block_hits);
}
