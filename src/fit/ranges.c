// Widths of ranges from left-out errors.
#include "src/fit/ranges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/perf/replica.h"

static const size_t NOTHING = SIZE_MAX;

// Runs of one configuration that one publisher repeats months later differ by 10.7 % in the middle (InferenceX,
// same engine and layout at two dates): a doubt of 0.11, as medians of normal variables go. What a second publisher
// does otherwise joins it: where publishers are left out the narrowest fifth of ranges held 64 % without, and 70 % with
// as much and half as much again. Nothing is known better.
static const double LEAST = 0.19;

// One row's error, and what it counts.
typedef struct Miss {
    double off, weight;
    size_t publisher;
} Miss;

// width = scale x (a group's own)^power
typedef struct Law {
    double scale, power;
} Law;

// A row that judges laws: what the group's width would have to be for the range to end at its error, over the
// group's own to some power.
typedef struct Need {
    double ratio, weight;
    size_t row;
} Need;

enum { POWERS = 13 };  // that are tried: 0, 0.1, ... 1.2

struct Ranges {
    const CalibrateWant *want;
    const double *errors;
    double *widths, *beside;  // of each row with its part left out: its group's own; variance besides that
    Need *needs[POWERS];      // smallest ratio first
    size_t n_needs;
    Miss *misses;  // room for one of each row
};

static bool is_scored(const FitRow *r) {
    return r->weight > 0 && strcmp(r->prediction.unit, "prompt") != 0 && strcmp(r->row->grade, "R") != 0;
}

// ---------------------------------------------------------------- groups

static int by_publisher(const void *left, const void *right) {
    const Miss *a = left;
    const Miss *b = right;
    return a->publisher != b->publisher ? (a->publisher > b->publisher) - (a->publisher < b->publisher)
                                        : (a->off > b->off) - (a->off < b->off);
}
static int by_size(const void *left, const void *right) {
    const Miss *a = left;
    const Miss *b = right;
    return (a->off > b->off) - (a->off < b->off);
}

// The width that holds 80 % of the misses as a standard deviation, every publisher counting as one whatever the
// number of his rows, and drawn towards the parent's by how few they are.
static double width_of(Miss *misses, size_t n, double parent) {
    static const double PARENT_PUBLISHERS = 4;
    double publishers = 0, seen = 0;
    if (n == 0) return parent;
    qsort(misses, n, sizeof *misses, by_publisher);
    for (size_t i = 0, end = 0; i < n; i = end) {
        while (end < n && misses[end].publisher == misses[i].publisher) end++;
        for (size_t k = i; k < end; k++) misses[k].weight = 1 / (double)(end - i);
        publishers++;
    }
    qsort(misses, n, sizeof *misses, by_size);
    size_t q = 0;
    while (q + 1 < n && (seen += misses[q].weight) < 0.8 * publishers) q++;
    double own = misses[q].off / Z80;
    return sqrt((publishers * own * own + PARENT_PUBLISHERS * parent * parent) /
                (publishers + PARENT_PUBLISHERS));
}

// Spread of a group's left-out errors; level -1: of all rows.
static double spread(const Ranges *r, int level, const char *key, size_t without, double parent) {
    size_t kept = 0;
    for (size_t i = 0; i < r->want->n; i++) {
        const FitRow *row = &r->want->rows[i];
        if (!is_scored(row) || row->part == without || !is_known(r->errors[i]) ||
            (level >= 0 && strcmp(row->levels.spread[level], key) != 0))
            continue;
        r->misses[kept++] = (Miss){fabs(r->errors[i]), 1, row->publisher};
    }
    return width_of(r->misses, kept, parent);
}

// A group's own width, drawn towards those of the wider ones.
static double chain_spread(const Ranges *r, const FitRow *row, size_t without, int level) {
    static const double ALL_SPREAD = 0.4;
    double sigma =
        r->want->known != NULL ? row->prediction.sigma_log : spread(r, -1, "", without, ALL_SPREAD);
    for (int l = 0; l <= level; l++) sigma = spread(r, l, row->levels.spread[l], without, sigma);
    return fmax(sigma, LEAST);
}

// ---------------------------------------------------------------- what nobody else measured

// The variance that serving_resolve adds for properties without a row, where the rows are those of the other parts.
static double unseen_without(const Ranges *r, const FitRow *row, size_t without) {
    const char *sku = row->prediction.gpu->sku_id;
    Seen seen = {0};
    bool gpu_in_group = false, gpu_under_engine = false;
    for (size_t i = 0; i < r->want->n; i++) {
        const FitRow *other = &r->want->rows[i];
        if (other->weight <= 0 || other->part == without) continue;
        bool same =
            other->prediction.gpu == row->prediction.gpu || strcmp(other->prediction.gpu->sku_id, sku) == 0;
        seen.class =
            seen.class || strcmp(other->levels.text[EFFECT_NATIVE], row->levels.text[EFFECT_NATIVE]) == 0;
        if (strcmp(other->levels.spread[1], row->levels.spread[1]) != 0) continue;
        seen.group = true, gpu_in_group = gpu_in_group || same;
        if (strcmp(other->levels.spread[2], row->levels.spread[2]) != 0) continue;
        seen.engine = true, gpu_under_engine = gpu_under_engine || same;
    }
    seen.gpu = seen.engine ? gpu_under_engine : gpu_in_group;
    return unseen_variance(r->want->facts, &seen);
}

// Of a row with its part left out: what ways of serving add, what nobody else measured, and how far the sum of kernels
// and the formula lie apart with these factors.
static double beside(const Ranges *r, const FitRow *row, const double factors[FACTOR_COUNT]) {
    const Facts *facts = r->want->facts;
    Serving s = row->prediction.serving;
    double all = s.group != NULL ? square(s.sigma_alone) - square(s.group->sigma_log) : 0;
    double techniques = fmax(all - unseen_without(r, row, NOTHING) - serving_ways_variance(facts, &s), 0);
    s.factors = factors_of(factors);
    return techniques + unseen_without(r, row, row->part) + serving_ways_variance(facts, &s);
}

// ---------------------------------------------------------------- law

static int by_ratio(const void *left, const void *right) {
    const Need *a = left;
    const Need *b = right;
    return (a->ratio > b->ratio) - (a->ratio < b->ratio);
}

static double power_at(size_t i) { return (double)i / 10; }

static void put_needs(Ranges *r, Arena *a) {
    const CalibrateWant *want = r->want;
    size_t publishers = 0;
    for (size_t i = 0; i < want->n; i++)
        publishers = want->rows[i].publisher >= publishers ? want->rows[i].publisher + 1 : publishers;
    size_t *counts = arena_alloc(a, publishers + 1, sizeof *counts);
    for (size_t i = 0; i < want->n; i++) counts[want->rows[i].publisher] += is_scored(&want->rows[i]);
    for (size_t p = 0; p < POWERS; p++) {
        r->needs[p] = arena_alloc(a, want->n + 1, sizeof **r->needs);
        r->n_needs = 0;
        for (size_t i = 0; i < want->n; i++) {
            const FitRow *row = &want->rows[i];
            if (!is_scored(row) || !is_known(r->errors[i])) continue;
            double needed = sqrt(fmax(square(r->errors[i] / Z80) - r->beside[i], 0));
            r->needs[p][r->n_needs++] =
                (Need){needed / pow(r->widths[i], power_at(p)), cell_weight(counts[row->publisher]), i};
        }
        qsort(r->needs[p], r->n_needs, sizeof **r->needs, by_ratio);
    }
}

// The scale with which ranges hold 80 % of the other parts' rows.
static double scale_of(const Ranges *r, size_t power, size_t without) {
    const Need *needs = r->needs[power];
    double all = 0, seen = 0;
    for (size_t i = 0; i < r->n_needs; i++)
        all += r->want->rows[needs[i].row].part == without ? 0 : needs[i].weight;
    size_t i = 0;
    for (; i + 1 < r->n_needs; i++) {
        seen += r->want->rows[needs[i].row].part == without ? 0 : needs[i].weight;
        if (seen >= 0.8 * all) break;
    }
    return r->n_needs > 0 ? needs[i].ratio : 1;
}

static double width_by(const Law *law, double own) { return fmax(law->scale * pow(own, law->power), LEAST); }

// Check (pinball) loss of the range's end at 80 %: least where it is the quantile, given the width.
static double loss_of(const Ranges *r, const Law *law, size_t power, size_t without) {
    double loss = 0;
    for (size_t i = 0; i < r->n_needs; i++) {
        const Need *need = &r->needs[power][i];
        if (r->want->rows[need->row].part == without) continue;
        double end = log(Z80 * sqrt(square(width_by(law, r->widths[need->row])) + r->beside[need->row]));
        double over = log(fmax(fabs(r->errors[need->row]), 1e-3)) - end;
        loss += need->weight * (over > 0 ? 0.8 * over : -0.2 * over);
    }
    return loss;
}

// The law that suits the other parts' rows best.
static Law law_without(const Ranges *r, size_t without) {
    Law best = {1, 1};
    double least = (double)INFINITY;
    for (size_t p = 0; p < POWERS && r->want->known == NULL; p++) {
        Law law = {scale_of(r, p, without), power_at(p)};
        double loss = loss_of(r, &law, p, without);
        if (loss < least) least = loss, best = law;
    }
    return best;
}

// ---------------------------------------------------------------- answers

Ranges *ranges_make(const CalibrateWant *want, const double *errors, double (*const factors)[FACTOR_COUNT],
                    Arena *a) {
    Ranges *r = arena_alloc(a, 1, sizeof *r);
    *r = (Ranges){.want = want,
                  .errors = errors,
                  .widths = arena_alloc(a, want->n + 1, sizeof(double)),
                  .beside = arena_alloc(a, want->n + 1, sizeof(double)),
                  .misses = arena_alloc(a, want->n + 1, sizeof(Miss))};
    for (size_t i = 0; i < want->n; i++) {
        const FitRow *row = &want->rows[i];
        r->widths[i] = chain_spread(r, row, row->part, SPREAD_LEVELS - 1);
        r->beside[i] = want->known == NULL ? beside(r, row, factors[i]) : 0;
    }
    put_needs(r, a);
    return r;
}

void ranges_left_out(Ranges *r, double *ret_sigmas) {
    const FitRow *rows = r->want->rows;
    for (size_t i = 0; i < r->want->n; i++) {
        size_t first = 0;
        while (rows[first].part != rows[i].part) first++;
        if (first < i) continue;
        Law law = law_without(r, rows[i].part);
        for (size_t k = i; k < r->want->n; k++) {
            if (rows[k].part == rows[i].part)
                ret_sigmas[k] = sqrt(square(width_by(&law, r->widths[k])) + r->beside[k]);
        }
    }
}

double ranges_group(Ranges *r, size_t i, int level) {
    Law law = law_without(r, NOTHING);
    return width_by(&law, chain_spread(r, &r->want->rows[i], NOTHING, level));
}
