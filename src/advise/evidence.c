// Claims that contradict each other: which wins, and why.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/advise/stack.h"

// How well a claim of this kind of source is founded: what users say of their own systems goes first; articles and blogs repeat others.
static int founded(const Claim *c) {
    static const char *const firsthand[] = {"project-doc", "vendor-doc", "repo", "release", NULL};
    if (strcmp(c->source_type, "own-word") == 0) return 3;
    if (name_index(firsthand, c->source_type) >= 0) return 2;
    return strcmp(c->source_type, "issue") == 0;
}

static int standing_rank(const Claim *c) {
    static const char *const order[] = {"current", "unverified", "disputed", "superseded", NULL};
    int rank = name_index(order, c->standing);
    return rank >= 0 ? rank : (int)COUNT_OF(order);
}

static int64_t day_of(const Claim *c) {
    int64_t day = 0;
    return parse_date(str_of(c->as_of), &day, NULL) ? day : 0;
}

// Scopes name gfx targets or products; a scope without a target speaks of all.
static bool in_scope(const Claim *c, const char *target) { return target[0] == '\0' || !text_contains(c->gpu_scope, "gfx") || text_contains(c->gpu_scope, target); }

static int best_first(const void *left, const void *right) {
    const Claim *a = ((const StackEvidence *)left)->claim;
    const Claim *b = ((const StackEvidence *)right)->claim;
    int order = (standing_rank(a) > 1) - (standing_rank(b) > 1);
    if (order == 0) order = founded(b) - founded(a);
    if (order == 0) order = (day_of(a) < day_of(b)) - (day_of(a) > day_of(b));
    if (order == 0) order = standing_rank(a) - standing_rank(b);
    if (order == 0) order = strcmp(a->status, b->status);
    return order != 0 ? order : strcmp(a->source, b->source);
}

static const char *why_not(const StackEvidence *x, const StackEvidence *winner, const char *target, Arena *a) {
    const Claim *c = x->claim;
    if (strcmp(c->standing, "superseded") == 0) return "replaced by newer releases";
    if (!in_scope(c, target)) return arena_printf(a, "speaks of other GPUs than %s", target);
    if (strcmp(c->status, winner->claim->status) == 0) return "says the same";
    if (founded(c) < founded(winner->claim)) return arena_printf(a, "%s, against the %s of %s", c->source_type, winner->claim->source_type, winner->claim->as_of);
    return day_of(c) < day_of(winner->claim) ? arena_printf(a, "older than %s", winner->claim->as_of) : "as well founded, but disputed";
}

const StackEvidence *evidence_of(const Claim *claims, size_t n, const char *subject, const char *platform, const char *target, Arena *a, size_t *ret_n) {
    StackEvidence *list = arena_alloc(a, n + 1, sizeof *list);
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(claims[i].subject, subject) == 0 && strcmp(claims[i].platform, platform) == 0) list[m++].claim = &claims[i];
    }
    if (m > 1) qsort(list, m, sizeof *list, best_first);
    size_t winner = 0;
    while (winner < m && !in_scope(list[winner].claim, target)) winner++;
    for (size_t i = 0; i < m; i++) {
        StackEvidence *x = &list[i];
        if (winner == m) {
            x->why = arena_printf(a, "speaks of other GPUs than %s", target);
        } else if (i == winner) {
            x->wins = true;
            x->why = arena_printf(a, "newest of the best founded (%s, %s, %s)", x->claim->source_type, x->claim->standing, x->claim->as_of);
        } else {
            x->disagrees = strcmp(x->claim->status, list[winner].claim->status) != 0 && in_scope(x->claim, target);
            x->why = why_not(x, &list[winner], target, a);
        }
    }
    *ret_n = m;
    return list;
}
