// Claims that contradict each other: which wins, and why.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/advise/stack.h"

// How well a claim of this kind of source is founded: what users say of their own systems goes first;
// articles and blogs repeat others.
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

// The first day of a year alone: it may speak of any, so it is never later than a month of that year.
static int64_t day_of(const Claim *c) {
    enum { YEAR_ALONE = 4 };
    int64_t day = 0;
    if (strlen(c->as_of) == YEAR_ALONE) {
        char first[11] = "0000-01-01";
        memcpy(first, c->as_of, YEAR_ALONE);
        return parse_date(str_of(first), &day, NULL) ? day : 0;
    }
    return parse_date(str_of(c->as_of), &day, NULL) ? day : 0;
}

// Scopes name gfx targets or products; a scope without a target speaks of all.
static bool in_scope(const Claim *c, const char *target) {
    return target[0] == '\0' || !text_contains(c->gpu_scope, "gfx") || text_contains(c->gpu_scope, target);
}

// Of one target alone.
static bool is_narrow(const Claim *c) {
    const char *first = strstr(c->gpu_scope, "gfx");
    return first != NULL && strstr(first + 1, "gfx") == NULL && strpbrk(first, "-,/") == NULL;
}

// The newest version that a text names, part by part: "10.0.0, 7.14.1" is 10.0.0. *ret_parts: how many; 0:
// none.
enum { VERSION_PARTS = 3 };
static int version_of(const char *text, int ret[VERSION_PARTS]) {
    enum { PART_MAX = 1000 };
    int best = 0;
    for (const char *c = text; *c != '\0';) {
        int parts[VERSION_PARTS] = {0};
        int n = 0;
        while (*c != '\0' && (*c < '0' || *c > '9')) c++;
        while (*c >= '0' && *c <= '9') {
            int x = 0;
            for (; *c >= '0' && *c <= '9'; c++) x = x < PART_MAX ? 10 * x + (*c - '0') : PART_MAX;
            if (n < VERSION_PARTS) parts[n++] = x;
            if (*c == '.' && c[1] >= '0' && c[1] <= '9') c++;
        }
        if (n < 2) continue;  // a year, or a number of something
        int order = 0;
        for (int i = 0; i < VERSION_PARTS && order == 0; i++) order = parts[i] - ret[i];
        if (best == 0 || order > 0) memcpy(ret, parts, sizeof parts), best = n;
    }
    return best;
}

static bool later_platform(const Claim *a, const Claim *b) {
    int x[VERSION_PARTS] = {0}, y[VERSION_PARTS] = {0};
    if (version_of(a->platform_version, x) == 0 || version_of(b->platform_version, y) == 0) return false;
    for (int i = 0; i < VERSION_PARTS; i++) {
        if (x[i] != y[i]) return x[i] > y[i];
    }
    return false;
}

static int best_first(const void *left, const void *right) {
    const Claim *a = ((const StackEvidence *)left)->claim;
    const Claim *b = ((const StackEvidence *)right)->claim;
    int order = (standing_rank(a) > 1) - (standing_rank(b) > 1);
    if (order == 0) order = founded(b) - founded(a);
    if (order == 0) order = (day_of(a) < day_of(b)) - (day_of(a) > day_of(b));
    if (order == 0) order = standing_rank(a) - standing_rank(b);
    if (order == 0) order = (a->framework_version[0] == '\0') - (b->framework_version[0] == '\0');
    if (order == 0) order = strcmp(a->status, b->status);
    return order != 0 ? order : strcmp(a->source, b->source);
}

static const char *why_not(const StackEvidence *x, const StackEvidence *winner, const char *target,
                           Arena *a) {
    const Claim *c = x->claim;
    if (strcmp(c->standing, "superseded") == 0) return "replaced by newer releases";
    if (!in_scope(c, target)) return arena_printf(a, "speaks of other GPUs than %s", target);
    if (strcmp(c->status, winner->claim->status) == 0) return "says the same";
    if (founded(c) < founded(winner->claim))
        return arena_printf(a, "%s, against the %s of %s", c->source_type, winner->claim->source_type,
                            winner->claim->as_of);
    return day_of(c) < day_of(winner->claim) ? arena_printf(a, "older than %s", winner->claim->as_of)
                                             : "as well founded, but disputed";
}

// The first in scope; where no target is asked for, claims of one target alone stand back. m: none.
static size_t winner_of(const StackEvidence *list, size_t m, const char *target) {
    size_t first = m;
    for (size_t i = m; i-- > 0;) {
        if (in_scope(list[i].claim, target)) first = i;
    }
    for (size_t i = first; target[0] == '\0' && i < m; i++) {
        bool as_good =
            standing_rank(list[i].claim) <= 1 && founded(list[i].claim) == founded(list[first].claim);
        if (as_good && !is_narrow(list[i].claim)) return i;
    }
    return first;
}

// Whoever says the same of a newer platform tells more.
static size_t newest_platform(const StackEvidence *list, size_t m, size_t winner, const char *target) {
    size_t best = winner;
    for (size_t i = 0; winner < m && i < m; i++) {
        const Claim *c = list[i].claim;
        bool same = strcmp(c->status, list[winner].claim->status) == 0 &&
                    standing_rank(c) <= standing_rank(list[winner].claim) && in_scope(c, target);
        if (same && (target[0] != '\0' || !is_narrow(c)) && later_platform(c, list[best].claim)) best = i;
    }
    return best;
}

const StackEvidence *evidence_of(const Claim *claims, size_t n, const char *subject, const char *platform,
                                 const char *target, Arena *a, size_t *ret_n) {
    StackEvidence *list = arena_alloc(a, n + 1, sizeof *list);
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(claims[i].subject, subject) == 0 && strcmp(claims[i].platform, platform) == 0)
            list[m++].claim = &claims[i];
    }
    if (m > 1) qsort(list, m, sizeof *list, best_first);
    size_t winner = winner_of(list, m, target);
    size_t headline = newest_platform(list, m, winner, target);
    bool moved = headline != winner;
    if (headline < m) {  // it goes first, the others keep their order
        StackEvidence taken = list[headline];
        memmove(list + 1, list, headline * sizeof *list);
        list[0] = taken;
        headline = 0;
    }
    winner = headline;
    for (size_t i = 0; i < m; i++) {
        StackEvidence *x = &list[i];
        if (winner == m) {
            x->why = arena_printf(a, "speaks of other GPUs than %s", target);
        } else if (i == winner) {
            x->wins = true;
            x->why =
                arena_printf(a,
                             moved ? "says what the best founded say, of the newest platform (%s, %s, %s)"
                                   : "newest of the best founded (%s, %s, %s)",
                             x->claim->source_type, x->claim->standing, x->claim->as_of);
        } else {
            x->disagrees =
                strcmp(x->claim->status, list[winner].claim->status) != 0 && in_scope(x->claim, target);
            x->why = why_not(x, &list[winner], target, a);
        }
    }
    *ret_n = m;
    return list;
}
