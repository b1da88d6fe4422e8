// Two benchmark runs side by side.
#include "src/report/bench_compare.h"

#include <math.h>
#include <string.h>

// Within this of each other two medians are the same; a gate fails from that much slower on, ranges apart.
static const double same_within = 0.05, slower_from = 0.15;

// What `like` is on the device that stands for its own in `s`.
static const BenchResult *find(const BenchSide *s, const BenchResult *like, const char *device) {
    for (size_t i = 0; i < s->n; i++) {
        if (strcmp(s->results[i].test, like->test) == 0 && strcmp(s->results[i].device, device) == 0)
            return &s->results[i];
    }
    return NULL;
}

// Speed of b over that of a; NaN where they cannot be compared.
static double speed_ratio(const BenchResult *a, const BenchResult *b) {
    if (!a->verified || !b->verified || strcmp(a->unit, b->unit) != 0 || strcmp(a->shape, b->shape) != 0)
        return (double)NAN;
    bool of_time = strcmp(a->unit, "ns") == 0 || strcmp(a->unit, "us") == 0;
    return of_time ? a->median / b->median : b->median / a->median;
}

static bool apart(const BenchResult *a, const BenchResult *b) { return a->p95 < b->p5 || b->p95 < a->p5; }

static bool is_slower(const BenchResult *a, const BenchResult *b) {
    return speed_ratio(a, b) < 1 - slower_from && apart(a, b);
}

static const char *word_for(const BenchResult *a, const BenchResult *b) {
    double ratio = speed_ratio(a, b);
    if (!is_known(ratio)) return strcmp(a->shape, b->shape) != 0 ? "other sizes" : "not comparable";
    if (fabs(ratio - 1) <= same_within || !apart(a, b)) return "same";
    return ratio > 1 ? "faster" : "slower";
}

// clang-format off
#define COLUMNS(X) \
    X("device",      "DEVICE",     TEXT,      y->device) \
    X("test",        "TEST",       TEXT,      y->test) \
    X("unit",        "UNIT",       TEXT,      y->unit) \
    X("a_median",    "A",          NUMBER(4), x->median) \
    X("b_median",    "B",          NUMBER(4), y->median) \
    X("speed_ratio", "B/A SPEED",  NUMBER(3), speed_ratio(x, y)) \
    X("change",      "CHANGE",     TEXT,      word_for(x, y)) \
    X("a_device",    "A DEVICE",   MORE_TEXT, other) \
    X("matched_by",  "MATCHED BY", MORE_TEXT, by)
// clang-format on

// How devices were found in the other run, unless each by the board's own identity.
static const char *matches_text(const BenchSide *a, const BenchSide *b, Arena *arena) {
    size_t n = 0, boards = 0;
    const BenchMatch *list = bench_match(arena, a, b, &n);
    const char *text = "";
    for (size_t i = 0; i < n; i++) {
        if (list[i].other[0] == '\0') continue;
        boards += strcmp(list[i].by, "uuid") == 0;
        text = arena_printf(arena, "%s%s %s is %s of A by %s", text, text[0] != '\0' ? "," : "", list[i].id,
                            list[i].other, list[i].by);
    }
    bool by_name = n == 0 || text[0] == '\0';
    return by_name       ? ""
           : boards == n ? " Devices are the same boards, by their UUIDs."
                         : arena_printf(arena, " Devices:%s.", text);
}

Listing bench_compared(const BenchSide *a, const BenchSide *b, Arena *arena) {
    Listing l = LISTING(arena, "comparison", COLUMNS, b->n);
    size_t n = 0;
    const BenchMatch *matches = bench_match(arena, a, b, &n);
    for (size_t i = 0; i < b->n; i++) {
        const char *by = "";
        const BenchResult *y = &b->results[i];
        const char *other = bench_matched(arena, matches, n, y->device, &by);
        const BenchResult *x = find(a, y, other);
        if (x == NULL) continue;
        listing_row(&l, COLUMNS(LISTING_CELL));
    }
    l.note = arena_printf(arena,
                          "Same: medians within 5 %%, or ranges (5th-95th percentile) that overlap. For "
                          "latencies the ratio is that of speeds too.%s",
                          matches_text(a, b, arena));
    return l;
}

size_t bench_slower(const BenchSide *before, const BenchSide *now, Arena *arena, const char **ret_lines,
                    size_t *ret_both) {
    size_t n = 0, both = 0, slower = 0;
    const BenchMatch *matches = bench_match(arena, before, now, &n);
    for (size_t i = 0; i < now->n; i++) {
        const char *by = "";
        const BenchResult *y = &now->results[i];
        const BenchResult *x = find(before, y, bench_matched(arena, matches, n, y->device, &by));
        both += x != NULL && is_known(speed_ratio(x, y));
        if (x != NULL && is_slower(x, y))
            ret_lines[slower++] =
                arena_printf(arena, "%s on %s is slower than in '%s': %.4g, was %.4g %s", y->test, y->device,
                             before->name, y->median, x->median, y->unit);
    }
    *ret_both = both;
    return slower;
}
