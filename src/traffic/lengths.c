// Lengths of prompts and answers: exact quantiles and correlation.
#include <math.h>
#include <stdlib.h>

#include "src/traffic/parts.h"

void lengths_open(Lengths *l, Arena *a) {
    *l = (Lengths){.pages = arena_alloc(a, LENGTH_PAGES, sizeof *l->pages), .min = UINT32_MAX};
}

void lengths_add(Lengths *l, Arena *a, uint32_t tokens) {
    uint32_t **page = &l->pages[tokens / LENGTH_PAGE];
    if (*page == NULL) *page = arena_alloc(a, LENGTH_PAGE, sizeof **page);
    (*page)[tokens % LENGTH_PAGE]++;
    double from_mean = tokens - l->mean;
    l->n++;
    l->sum += tokens;
    l->mean += from_mean / l->n;
    l->squares += from_mean * (tokens - l->mean);
    if (tokens < l->min) l->min = tokens;
    if (tokens > l->max) l->max = tokens;
}

// The lengths at two places in their order, 0 <= first <= second < n.
static void at_places(const Lengths *l, double first, double second, double *ret_first, double *ret_second) {
    double passed = 0;
    bool found = false;
    for (size_t p = 0; p < LENGTH_PAGES; p++) {
        for (size_t i = 0; l->pages[p] != NULL && i < LENGTH_PAGE; i++) {
            passed += l->pages[p][i];
            if (!found && passed > first) *ret_first = (double)(p * LENGTH_PAGE + i), found = true;
            if (passed > second) {
                *ret_second = (double)(p * LENGTH_PAGE + i);
                return;
            }
        }
    }
}

// Linear between neighbours (type 7).
static double lengths_quantile(const Lengths *l, double p) {
    if (l->n < 1) return (double)NAN;
    double place = (l->n - 1) * p, whole = floor(place);
    double low = 0, high = 0;
    at_places(l, whole, fmin(whole + 1, l->n - 1), &low, &high);
    return low + (high - low) * (place - whole);
}

LengthFound lengths_unknown(double n) {
    const double unknown = (double)NAN;
    return (LengthFound){n, unknown, unknown, unknown, unknown, unknown, unknown, unknown, unknown};
}

LengthFound lengths_found(const Lengths *l) {
    if (l->n < 1) return lengths_unknown(0);
    return (LengthFound){.n = l->n,
                         .mean = l->sum / l->n,
                         .std = sqrt(l->squares / l->n),
                         .min = l->min,
                         .p50 = lengths_quantile(l, 0.5),
                         .p90 = lengths_quantile(l, 0.9),
                         .p99 = lengths_quantile(l, 0.99),
                         .max = l->max,
                         .sum = l->sum};
}

// ---------------------------------------------------------------- both together

void pairs_open(LengthPairs *p, Arena *a) {
    *p = (LengthPairs){.pairs = arena_alloc(a, PAIRS_MAX, sizeof *p->pairs), .seed = 1};
}

void pairs_add(LengthPairs *p, uint32_t x, uint32_t y) {
    double dx = x - p->mean_x, dy = y - p->mean_y;
    p->n++;
    p->mean_x += dx / p->n;
    p->mean_y += dy / p->n;
    p->xx += dx * (x - p->mean_x);
    p->yy += dy * (y - p->mean_y);
    p->xy += dx * (y - p->mean_y);
    size_t at = p->kept;
    if (p->kept < PAIRS_MAX) {
        p->kept++;
    } else {  // each of n is in the sample with the same probability (reservoir)
        p->seed += 0x9e3779b97f4a7c15u;
        double place = (double)(hash64(p->seed) >> 11) / 9007199254740992.0 * p->n;
        if (place >= PAIRS_MAX) return;
        at = (size_t)place;
    }
    p->pairs[at][0] = x;
    p->pairs[at][1] = y;
}

static double correlation(double xx, double yy, double xy) {
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : (double)NAN;
}

double pairs_pearson(const LengthPairs *p) { return correlation(p->xx, p->yy, p->xy); }

static int by_value(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// Where a value stands among n sorted ones: the mean rank of its equals.
static double rank_of(const uint32_t *sorted, size_t n, uint32_t value) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    size_t first = low;
    high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (sorted[middle] <= value)
            low = middle + 1;
        else
            high = middle;
    }
    return (double)(first + low - 1) / 2;
}

double pairs_spearman(const LengthPairs *p, Arena *a) {
    size_t n = p->kept;
    uint32_t *sorted[2];
    for (int side = 0; side < 2; side++) {
        sorted[side] = arena_alloc(a, n + 1, sizeof *sorted[side]);
        for (size_t i = 0; i < n; i++) sorted[side][i] = p->pairs[i][side];
        qsort(sorted[side], n, sizeof *sorted[side], by_value);
    }
    double middle = ((double)n - 1) / 2;
    double xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; i < n; i++) {
        double x = rank_of(sorted[0], n, p->pairs[i][0]) - middle;
        double y = rank_of(sorted[1], n, p->pairs[i][1]) - middle;
        xx += x * x;
        yy += y * y;
        xy += x * y;
    }
    return correlation(xx, yy, xy);
}
