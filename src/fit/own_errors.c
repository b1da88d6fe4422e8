// Errors on own runs by tool, GPU and metric.
#include "src/fit/own_errors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/median.h"

const char *const response_names[] = {"output-tokens", "tpot", "ttft", NULL};

typedef struct Error {
    double alone[RESPONSE_COUNT], later[RESPONSE_COUNT];  // ln(measured / predicted) of times
} Error;

// What each run was off, and what with the runs of smaller numbers.
static Error *errors_of(const Facts *facts, const JudgedRun *runs, size_t n, Arena *a) {
    Error *errors = arena_alloc(a, n + 1, sizeof *errors);
    JudgedRun *earlier = arena_alloc(a, n + 1, sizeof *earlier);
    for (size_t i = 0; i < n; i++) {
        const PosteriorRow *r = &runs[i].row;
        double means[RESPONSE_COUNT] = {0};
        size_t before = 0;
        for (size_t k = 0; k < n && runs[i].counts; k++) {
            if (runs[k].counts && runs[k].run->id < runs[i].run->id) earlier[before++] = runs[k];
        }
        Arena scratch = {0};
        const Posterior *p =
            runs[i].counts ? posterior_of_runs(facts, earlier, before, r->place.model, &scratch) : NULL;
        if (p != NULL) posterior_means(p, &r->place, means);
        arena_free(&scratch);
        for (int x = 0; x < RESPONSE_COUNT; x++) {
            errors[i].alone[x] = runs[i].counts ? r->off[x] : (double)NAN;
            errors[i].later[x] = errors[i].alone[x] - means[x];
        }
    }
    return errors;
}

static const char *tool_of(const JudgedRun *j) { return j->run->tool; }
static const char *gpu_of(const JudgedRun *j) { return j->run->m.gpu_sku; }
static const char *engine_of(const JudgedRun *j) { return j->run->m.engine; }
static const char *all_of(const JudgedRun *j) {
    (void)j;
    return "all";
}

typedef struct Grouping {
    const char *by;
    const char *(*name_of)(const JudgedRun *j);
} Grouping;

static OwnErrors errors_in(const JudgedRun *runs, const Error *errors, size_t n, const Grouping *g,
                           const char *name, Response x, Arena *a) {
    OwnErrors e = {.by = g->by, .name = name, .metric = x, .in_range_pct = (double)NAN};
    double *size = arena_alloc(a, n + 1, sizeof *size), *sign = arena_alloc(a, n + 1, sizeof *sign),
           *later = arena_alloc(a, n + 1, sizeof *later);
    size_t inside = 0;
    for (size_t i = 0; i < n; i++) {
        double off = errors[i].alone[x];
        if (!is_known(off) || strcmp(g->name_of(&runs[i]), name) != 0) continue;
        // More tokens than measured is too fast, a longer time too slow.
        double predicted = x == RESPONSE_RATE ? off : -off;
        inside += fabs(off) <= Z80 * runs[i].prediction.sigma_log;
        size[e.n] = fabs(expm1(predicted));
        later[e.n] = fabs(expm1(x == RESPONSE_RATE ? errors[i].later[x] : -errors[i].later[x]));
        sign[e.n++] = predicted;
    }
    e.median_abs_error_pct = 100 * median(size, e.n);
    e.bias_pct = 100 * expm1(median(sign, e.n));
    e.median_abs_with_earlier_pct = 100 * median(later, e.n);
    if (x == RESPONSE_RATE && e.n > 0) e.in_range_pct = 100.0 * (double)inside / (double)e.n;
    return e;
}

size_t own_errors(const Facts *facts, const JudgedRun *runs, size_t n, Arena *a, OwnErrors *ret,
                  size_t size) {
    static const Grouping groupings[] = {
        {"all", all_of}, {"tool", tool_of}, {"gpu", gpu_of}, {"engine", engine_of}};
    const Error *errors = errors_of(facts, runs, n, a);
    size_t made = 0;
    for (size_t g = 0; g < COUNT_OF(groupings); g++) {
        size_t first = made;
        for (size_t i = 0; i < n; i++) {
            const char *name = groupings[g].name_of(&runs[i]);
            size_t k = first;
            while (k < made && strcmp(ret[k].name, name) != 0) k++;
            if (k < made || !runs[i].counts) continue;
            for (int x = 0; x < RESPONSE_COUNT && made < size; x++) {
                ret[made] = errors_in(runs, errors, n, &groupings[g], name, (Response)x, a);
                made += ret[made].n > 0;
            }
        }
    }
    return made;
}
