// src/perf: three rows of a group of public ones, taken for runs of the user's own, lower the error of the rest.
#include "tests/posterior_world.h"

enum { OWN = 3, ROWS_MAX = 8000 };

static unsigned hash_of(const char *text) {
    unsigned h = 2166136261u;
    for (const char *c = text; *c != '\0'; c++) h = (h ^ (unsigned char)*c) * 16777619u;
    for (int i = 0; i < 2; i++) h = (h ^ h >> 15) * 0x85ebca6bu;  // ids differ in their last digit only
    return h ^ h >> 16;
}

typedef struct Errors {
    double before[ROWS_MAX], after[ROWS_MAX];
    size_t n, inside, inside_before;
} Errors;

static int by_value(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(double *x, size_t n) {
    qsort(x, n, sizeof *x, by_value);
    return n > 0 ? x[n / 2] : (double)NAN;
}

// Which of a group's rows are the user's own: any three, or those of the lowest, a middle and the highest load.
enum { BY_LOAD = -1, BY_PLAN = -2 };  // else the number of a lot

typedef struct Key {
    double value;
    const char *id;
    size_t row;
} Key;

static int by_key(const void *left, const void *right) {
    const Key *a = left, *b = right;
    return a->value != b->value ? (a->value > b->value) - (a->value < b->value) : strcmp(a->id, b->id);
}

// Puts the rows that are the user's own before the others.
static void draw(World *w, size_t *of, size_t n, int lot) {
    Key *keys = arena_alloc(&w->arena, n, sizeof *keys);
    for (size_t i = 0; i < n; i++) {
        const FitRow *r = &w->rows[of[i]];
        const char *lots = arena_printf(&w->arena, "%d %s", lot, r->row->id);
        keys[i] =
            (Key){lot == BY_LOAD ? r->prediction.point.running : (double)hash_of(lots), r->row->id, of[i]};
    }
    qsort(keys, n, sizeof *keys, by_key);
    size_t first = lot == BY_LOAD ? n / 2 : 1, last = lot == BY_LOAD ? n - 1 : 2, at = OWN;
    of[0] = keys[0].row, of[1] = keys[first].row, of[2] = keys[last].row;
    for (size_t i = 1; i < n; i++) {
        if (i != first && i != last) of[at++] = keys[i].row;
    }
}

// Puts those before the others that leave least doubt of all, asked before anything is measured.
static void plan(World *w, size_t *of, size_t n) {
    OwnRun run = own_run_blank();
    PosteriorRow rows[OWN];
    for (size_t own = 0; own < OWN; own++) {
        size_t best = own;
        double least = (double)INFINITY;
        for (size_t i = own; i < n; i++) {
            rows[own] = own_row(w, of[i], &run);
            const Posterior *p = posterior_of(&w->facts, rows, own + 1, NULL, &w->arena);
            double doubt = 0;
            for (size_t k = 0; k < n; k++) {
                Place place = own_row(w, of[k], &run).place;
                doubt += posterior_left(p, &place, RESPONSE_RATE);
            }
            if (doubt < least) least = doubt, best = i;
        }
        size_t kept = of[best];
        of[best] = of[own], of[own] = kept;
        rows[own] = own_row(w, kept, &run);
    }
}

static void try_group(World *w, const size_t *of, size_t n, Errors *e) {
    double wrong = log(constant_of(&w->facts, CONSTANT_OWN_WRONG_FACTOR));
    OwnRun run = own_run_blank();
    PosteriorRow rows[OWN];
    size_t own = 0;
    for (size_t i = 0; i < OWN; i++) {
        PosteriorRow r = own_row(w, of[i], &run);
        if (fabs(r.off[RESPONSE_RATE]) <= wrong + Z80 * w->left.sigmas[of[i]]) rows[own++] = r;
    }
    const Posterior *p = posterior_of(&w->facts, rows, own, NULL, &w->arena);
    for (size_t i = OWN; i < n; i++) {
        PosteriorRow r = own_row(w, of[i], &run);
        double means[RESPONSE_COUNT], sigma = w->left.sigmas[of[i]];
        posterior_means(p, &r.place, means);
        double left = posterior_left(p, &r.place, RESPONSE_RATE);
        double rest = r.off[RESPONSE_RATE] - means[RESPONSE_RATE];
        double narrow = posterior_sigma(&w->facts, sigma, left);
        e->inside_before += fabs(r.off[RESPONSE_RATE]) <= Z80 * sigma;
        e->inside += fabs(rest) <= Z80 * narrow;
        e->before[e->n] = fabs(expm1(r.off[RESPONSE_RATE]));
        e->after[e->n++] = fabs(expm1(rest));
    }
}

// Of the groups, by the hash of their name: docs/own-runs.md says which constants were chosen on the even half.
typedef enum Half { HALF_EVEN, HALF_ODD, HALF_BOTH } Half;

// Every group of a publisher's rows of one GPU and model that has more than three.
static void try_groups(World *w, int lot, Half half, Errors *e) {
    bool *done = arena_alloc(&w->arena, w->n + 1, sizeof *done);
    size_t *of = arena_alloc(&w->arena, w->n + 1, sizeof *of);
    for (size_t i = 0; i < w->n; i++) {
        if (done[i] || !counts(w, i)) continue;
        size_t n = 0;
        for (size_t k = i; k < w->n; k++) {
            if (w->rows[k].part != w->rows[i].part || !counts(w, k)) continue;
            of[n++] = k;
            done[k] = true;
        }
        if (n <= OWN || (half != HALF_BOTH && hash_of(w->rows[i].row->source) % 2 != (unsigned)half))
            continue;
        draw(w, of, n, lot);
        if (lot == BY_PLAN) plan(w, of, n);
        try_group(w, of, n, e);
    }
}

// What is left of the median error, and the share of rows in their range, are held to limits: those of the half
// that chose no constant of the throughput too.
static void hold(const char *what, Errors *e, bool whole, double left_most) {
    double before = median(e->before, e->n), after = median(e->after, e->n);
    double inside = 100.0 * (double)e->inside / (double)e->n;
    printf("%s: %zu rows, median error %.1f %% -> %.1f %% (%.2f), in the range %.1f %% -> %.1f %%\n", what,
           e->n, 100 * before, 100 * after, after / before, 100.0 * (double)e->inside_before / (double)e->n,
           inside);
    CHECK(e->n > (whole ? 500 : 200));
    CHECK(after / before <= left_most);
    CHECK(inside >= (whole ? 75 : 70) && inside <= (whole ? 88 : 95));
}

static Errors *errors_of(World *w, int lot, int lots, Half half) {
    Errors *e = arena_alloc(&w->arena, 1, sizeof *e);
    for (int i = 0; i < lots; i++) try_groups(w, lot + i, half, e);
    return e;
}

static void test_three_own_rows_lower_the_error_of_the_rest(void) {
    if (check_sanitized()) SKIP("figures over all rows: test_posterior.c takes the same code");
    World w;
    open_world(&w);
    fit_world(&w, LEAVE_OUT_SOURCE);
    static const struct {
        const char *what;
        int lot, lots;
        double left_most, left_most_unused;  // of the median error: over all groups, over the odd half
    } draws[] = {{"runs that were planned", BY_PLAN, 1, 2.0 / 3, 0.78},
                 {"lowest, middle, highest load", BY_LOAD, 1, 0.69, 0.75},
                 {"any three", 0, 5, 0.72, 0.81}};
    for (size_t i = 0; i < COUNT_OF(draws); i++) {
        hold(draws[i].what, errors_of(&w, draws[i].lot, draws[i].lots, HALF_BOTH), true, draws[i].left_most);
        hold("  even half", errors_of(&w, draws[i].lot, draws[i].lots, HALF_EVEN), false, draws[i].left_most);
        hold("  odd half", errors_of(&w, draws[i].lot, draws[i].lots, HALF_ODD), false,
             draws[i].left_most_unused);
    }
    close_world(&w);
}

static const TestCase tests[] = {
    TEST(three_own_rows_lower_the_error_of_the_rest),
};
TEST_MAIN(tests)
