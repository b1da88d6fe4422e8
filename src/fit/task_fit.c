// Fits what properties do to the efficiency of tasks.
#include "src/fit/task_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What each property may shift, as a standard deviation of ln(share of peak).
static const double prior_sd[TASK_SPREAD] = {
    [TASK_ALL] = 0.6,    [TASK_KIND] = 0.35,    [TASK_VENDOR] = 0.3, [TASK_ARCHITECTURE] = 0.25,
    [TASK_CLASS] = 0.3,  [TASK_NATIVE] = 0.2,   [TASK_FAMILY] = 0.2, [TASK_RUN] = 0.25,
    [TASK_LAYOUT] = 0.5, [TASK_SCENARIO] = 0.2, [TASK_SPLIT] = 0.15, [TASK_SCALE] = 0.15,
};

// Where a property starts; all others from no shift. Kept in the table without rows too.
static const struct {
    int effect;
    const char *level;
    double shift;
    const char *source, *as_of;
} priors[] = {
    {TASK_ALL, "*", -1.2, "share of dense peak of well-run jobs, about 0.3", "2026-11-27"},
    {TASK_CLASS, "quantised", -0.33,
     "LoRA on 4-bit weights takes 1.39 times as long as on 16-bit ones (S. Raschka, Practical tips for "
     "finetuning LLMs, 2023-11)",
     "2023-11"},
    {TASK_RUN, "diffusion|independent", -0.3,
     "tuned over ordinary software as in training; no row of images outside MLPerf", "2026-11-27"},
    {TASK_NATIVE, "cdna2|fp32", -0.7,
     "datasheet counts packed FP32, which molecular dynamics hardly uses; no row", "2026-11-27"},
    {TASK_NATIVE, "cdna3|fp32", -0.7,
     "datasheet counts packed FP32, which molecular dynamics hardly uses; no row", "2026-11-27"},
    {TASK_NATIVE, "cdna4|fp32", -0.7,
     "datasheet counts packed FP32, which molecular dynamics hardly uses; no row", "2026-11-27"},
    {TASK_NATIVE, "rdna3|fp32", -0.7,
     "datasheet counts dual issue, which molecular dynamics hardly uses; no row", "2026-11-27"},
    {TASK_NATIVE, "rdna3.5|fp32", -0.7,
     "datasheet counts dual issue, which molecular dynamics hardly uses; no row", "2026-11-27"},
    {TASK_NATIVE, "rdna4|fp32", -0.7,
     "datasheet counts dual issue, which molecular dynamics hardly uses; no row", "2026-11-27"},
};

// ---------------------------------------------------------------- rows

static void number_rows(const Facts *facts, TaskRow *rows, size_t n, LeaveOut leave_out, Arena *a) {
    PartKey *keys = arena_alloc(a, n + 1, sizeof *keys);
    size_t *numbers = arena_alloc(a, n + 1, sizeof *numbers);
    for (size_t i = 0; i < n; i++)
        keys[i] = (PartKey){rows[i].row, rows[i].prediction.gpu, publisher_of(facts, rows[i].row)};
    number_parts(keys, n, LEAVE_OUT_CELL, numbers);
    for (size_t i = 0; i < n; i++) rows[i].cell = numbers[i];
    number_parts(keys, n, leave_out, numbers);
    for (size_t i = 0; i < n; i++) rows[i].part = numbers[i];
}

size_t task_rows(const Facts *facts, const Measurement *rows, size_t n, LeaveOut leave_out, Arena *a,
                 TaskRow **ret_rows) {
    TaskRow *out = arena_alloc(a, n + 1, sizeof *out);
    size_t made = 0;
    for (size_t i = 0; i < n; i++) {
        if (is_serving_task(&rows[i])) continue;
        TaskRow r = {.row = &rows[i]};
        predict(facts, &rows[i], &r.prediction);
        if (r.prediction.not_predicted != NULL && !(r.prediction.ideal_s > 0)) continue;
        double rate = measured_rate(&rows[i], &r.prediction);
        r.measured = rate > 0 ? log(rate) : (double)NAN;
        r.weight = is_known(r.measured) && strcmp(rows[i].grade, "T") == 0 ? 1 : 0;
        task_levels(&r.prediction.task, &r.levels);
        out[made++] = r;
    }
    number_rows(facts, out, made, leave_out, a);
    for (size_t i = 0; i < made; i++) {
        size_t alike = 0;
        for (size_t k = 0; k < made; k++) alike += out[k].weight > 0 && out[i].cell == out[k].cell;
        if (out[i].weight > 0) out[i].weight = cell_weight(alike);
    }
    *ret_rows = out;
    return made;
}

// ---------------------------------------------------------------- unknowns

typedef struct Unknown {
    int effect;
    const char *level;
    double mean, precision;
} Unknown;

typedef struct Design {
    Unknown *unknowns;
    size_t n, capacity;
    size_t (*columns)[TASK_SPREAD];  // of each row
    double *A, *b;
} Design;

static size_t find_unknown(Design *d, const Facts *known, int effect, const char *level, Arena *a) {
    static const double ROWS_OF_A_PRIOR = 10;
    for (size_t i = 0; i < d->n; i++) {
        if (d->unknowns[i].effect == effect && strcmp(d->unknowns[i].level, level) == 0) return i;
    }
    d->unknowns = arena_grow(a, d->unknowns, d->n, &d->capacity, sizeof *d->unknowns);
    Unknown u = {effect, level, 0, 1 / (prior_sd[effect] * prior_sd[effect])};
    for (size_t i = 0; i < COUNT_OF(priors); i++) {
        if (priors[i].effect == effect && strcmp(priors[i].level, level) == 0) u.mean = priors[i].shift;
    }
    for (size_t i = 0; known != NULL && i < known->n_task_efficiency; i++) {
        const TaskEfficiency *e = &known->task_efficiency[i];
        if (e->effect == effect && strcmp(e->level, level) == 0)
            u.mean = e->shift, u.precision *= 1 + e->n / ROWS_OF_A_PRIOR;
    }
    d->unknowns[d->n] = u;
    return d->n++;
}

static Design make_design(const TaskFitWant *want, Arena *a) {
    Design d = {.columns = arena_alloc(a, want->n + 1, sizeof *d.columns)};
    for (size_t i = 0; i < want->n; i++) {
        for (int e = 0; e < TASK_SPREAD; e++)
            d.columns[i][e] = find_unknown(&d, want->known, e, want->rows[i].levels.text[e], a);
    }
    d.A = arena_alloc(a, d.n * (d.n + 1) / 2 + 1, sizeof *d.A);
    d.b = arena_alloc(a, d.n + 1, sizeof *d.b);
    return d;
}

// ln of the rate at some shifts, and what one unit of ln(eta) does to it.
static double rate_at(const Design *d, const TaskRow *r, size_t row, const double *beta, double *ret_slope) {
    const Prediction *p = &r->prediction;
    double eta = 0;
    for (int e = 0; e < TASK_SPREAD; e++) eta += r->levels.weight[e] * beta[d->columns[row][e]];
    eta = exp(fmin(eta, 0));
    double working = p->ideal_s / (p->gpus * eta);
    *ret_slope = working / (working + p->work.fixed_s);
    return log(p->units * task_rate(&p->work, p->ideal_s, p->gpus, eta));
}

static void add_row(const Design *d, const TaskRow *r, size_t row, const double *beta) {
    static const double SCALE = 0.1, DEGREES = 4;
    double slope = 0;
    double residual = r->measured - rate_at(d, r, row, beta, &slope);
    double z = residual / SCALE;
    double w = r->weight * (DEGREES + 1) / (DEGREES + z * z) / (SCALE * SCALE);
    for (int e = 0; e < TASK_SPREAD; e++) {
        size_t i = d->columns[row][e];
        double g = w * slope * r->levels.weight[e];
        d->b[i] += g * residual;
        for (int k = 0; k < TASK_SPREAD; k++) {
            size_t j = d->columns[row][k];
            if (j <= i) *triangle_at(d->A, i, j) += g * slope * r->levels.weight[k];
        }
    }
}

static const size_t NOTHING = SIZE_MAX;

// Gauss-Newton. Rows of the part `left_out` (NOTHING: of none) have no say.
static void fit(const Design *d, const TaskFitWant *want, size_t left_out, double *beta) {
    enum { STEPS = 25 };
    for (size_t i = 0; i < d->n; i++) beta[i] = d->unknowns[i].mean;
    double largest = 1;
    for (int step = 0; step < STEPS && largest > 1e-4; step++) {
        memset(d->A, 0, d->n * (d->n + 1) / 2 * sizeof *d->A);
        memset(d->b, 0, d->n * sizeof *d->b);
        for (size_t i = 0; i < want->n; i++) {
            const TaskRow *r = &want->rows[i];
            if (r->weight > 0 && r->part != left_out) add_row(d, r, i, beta);
        }
        for (size_t i = 0; i < d->n; i++) {
            *triangle_at(d->A, i, i) += d->unknowns[i].precision;
            d->b[i] += d->unknowns[i].precision * (d->unknowns[i].mean - beta[i]);
        }
        triangle_factorise(d->A, d->n);
        triangle_solve(d->A, d->b, d->n);
        largest = 0;
        for (size_t i = 0; i < d->n; i++) beta[i] += d->b[i], largest = fmax(largest, fabs(d->b[i]));
    }
}

// ---------------------------------------------------------------- leaving out, spreads

static void leave_out_parts(const Design *d, const TaskFitWant *want, double *beta) {
    for (size_t i = 0; i < want->n; i++) {
        size_t first = 0;
        while (want->rows[first].part != want->rows[i].part) first++;
        if (first < i) continue;  // done with the first of its part
        fit(d, want, want->rows[i].part, beta);
        for (size_t k = i; k < want->n; k++) {
            double slope = 0;
            if (want->rows[i].part == want->rows[k].part)
                want->rows[k].left_rate = rate_at(d, &want->rows[k], k, beta, &slope);
        }
    }
}

static double group_spread(const TaskFitWant *want, int level, const char *key, size_t left_out,
                           double parent, double *values) {
    size_t n = 0, cells = 0;
    size_t last = NOTHING;
    for (size_t i = 0; i < want->n; i++) {
        const TaskRow *r = &want->rows[i];
        if (r->weight <= 0 || strcmp(r->levels.spread[level], key) != 0 || r->part == left_out) continue;
        values[n++] = fabs(r->left_rate - r->measured);
        cells += r->cell != last;
        last = r->cell;
    }
    return spread_of(values, n, cells, parent);
}

// Spread of a row's group at `level` through its wider ones.
static double chain_spread(const TaskFitWant *want, const TaskRow *r, int level, size_t left_out,
                           double *values) {
    static const double ALL_TASKS = 0.35;
    double sigma = ALL_TASKS;
    for (int l = 0; l <= level; l++)
        sigma = group_spread(want, l, r->levels.spread[l], left_out, sigma, values);
    return sigma;
}

// ---------------------------------------------------------------- table

typedef struct Table {
    TaskEfficiency *rows;
    size_t n;
} Table;

static TaskEfficiency *table_row(Table *t, int effect, const char *level) {
    for (size_t i = 0; i < t->n; i++) {
        if (t->rows[i].effect == effect && strcmp(t->rows[i].level, level) == 0) return &t->rows[i];
    }
    t->rows[t->n] = (TaskEfficiency){
        .effect = effect, .level = level, .sigma_log = (double)NAN, .gpus = "", .source = "", .as_of = ""};
    return &t->rows[t->n++];
}

static void count_row(TaskEfficiency *e, const TaskRow *r, const char *source, Arena *a) {
    const char *sku = r->prediction.gpu->sku_id;
    if (e->n++ == 0) e->as_of = "";  // of a prior
    e->source = source;
    if (e->effect == TASK_SPREAD && !word_in(e->gpus, sku))
        e->gpus = arena_printf(a, "%s%s%s", e->gpus, e->gpus[0] != '\0' ? " " : "", sku);
    if (strcmp(r->row->as_of, e->as_of) > 0) e->as_of = r->row->as_of;
}

static int by_effect(const void *left, const void *right) {
    const TaskEfficiency *a = left;
    const TaskEfficiency *b = right;
    return a->effect != b->effect ? a->effect - b->effect : strcmp(a->level, b->level);
}

static void start_table(const TaskFitWant *want, Table *t) {
    for (; want->known != NULL && t->n < want->known->n_task_efficiency; t->n++)
        t->rows[t->n] = want->known->task_efficiency[t->n];
    for (size_t i = 0; want->known == NULL && i < COUNT_OF(priors); i++) {
        TaskEfficiency *e = table_row(t, priors[i].effect, priors[i].level);
        e->shift = priors[i].shift, e->source = priors[i].source, e->as_of = priors[i].as_of;
    }
}

static size_t make_table(const TaskFitWant *want, const Design *d, const double *beta, double *values,
                         Arena *a, TaskEfficiency **ret) {
    size_t n_known = want->known != NULL ? want->known->n_task_efficiency : COUNT_OF(priors);
    Table t = {arena_alloc(a, n_known + d->n + want->n * TASK_SPREADS + 1, sizeof(TaskEfficiency)), 0};
    start_table(want, &t);
    for (size_t i = 0; i < d->n; i++)
        table_row(&t, d->unknowns[i].effect, d->unknowns[i].level)->shift = beta[i];
    for (size_t i = 0; i < want->n; i++) {
        const TaskRow *r = &want->rows[i];
        if (r->weight <= 0) continue;
        for (int e = 0; e < TASK_SPREAD; e++) {
            if (r->levels.weight[e] != 0) count_row(table_row(&t, e, r->levels.text[e]), r, want->source, a);
        }
        for (int l = 0; l < TASK_SPREADS; l++) {
            TaskEfficiency *s = table_row(&t, TASK_SPREAD, r->levels.spread[l]);
            if (s->source != want->source) s->sigma_log = chain_spread(want, r, l, NOTHING, values);
            count_row(s, r, want->source, a);
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < t.n; i++) {
        // others are of rows that are not fitted
        if (t.rows[i].source[0] != '\0') t.rows[kept++] = t.rows[i];
    }
    qsort(t.rows, kept, sizeof *t.rows, by_effect);
    *ret = t.rows;
    return kept;
}

size_t task_fit(const TaskFitWant *want, Arena *a, TaskEfficiency **ret_table) {
    Design d = make_design(want, a);
    double *beta = arena_alloc(a, d.n + 1, sizeof *beta);
    double *values = arena_alloc(a, want->n + 1, sizeof *values);
    leave_out_parts(&d, want, beta);
    for (size_t i = 0; i < want->n; i++)
        want->rows[i].left_sigma =
            chain_spread(want, &want->rows[i], TASK_SPREADS - 1, want->rows[i].part, values);
    fit(&d, want, NOTHING, beta);
    return make_table(want, &d, beta, values, a, ret_table);
}
