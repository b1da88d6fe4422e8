// Fits the efficiency factors, group by group along the chain of families.
#include "src/perf/calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- parameters

// What is fitted, on a scale where its error is about normal, and how far a group may stray from its parent.
typedef struct Parameter {
    size_t offset;  // in Efficiency
    enum { SHARE, TIME, PLAIN } kind;  // fitted as logit, as log, as it is
    double start_dense, start_moe;
    double sd[FACTOR_LEVELS];
} Parameter;

static const Parameter parameters[] = {
    {offsetof(Efficiency, eta_bw), SHARE, 0.70, 0.70, {0.6, 0.5, 0.5, 0.5}},
    {offsetof(Efficiency, eta_kv), SHARE, 0.60, 0.60, {0.6, 0.5, 0.3, 0.3}},
    {offsetof(Efficiency, eta_fl), SHARE, 0.40, 0.25, {0.6, 0.5, 0.5, 0.5}},
    {offsetof(Efficiency, eta_prefill), SHARE, 0.45, 0.40, {0.6, 0.5, 0.4, 0.4}},
    {offsetof(Efficiency, tau_us), TIME, 50, 110, {0.6, 0.5, 0.5, 0.5}},
    {offsetof(Efficiency, tau_tp_us), TIME, 20, 15, {0.8, 0.6, 0.5, 0.5}},
    {offsetof(Efficiency, seq_us), TIME, 10, 10, {1.0, 0.6, 0.4, 0.4}},
    {offsetof(Efficiency, trend), PLAIN, 0.0, 0.0, {0.1, 0.1, 0.05, 0.05}},
    {offsetof(Efficiency, eta_link), SHARE, 0.25, 0.25, {0.8, 0.6, 0.5, 0.4}},
};
enum { P = COUNT_OF(parameters) };

typedef struct Theta {
    double x[P];
} Theta;

static double to_scale(size_t i, double v) {
    switch (parameters[i].kind) {
    case SHARE: return log(v / (1 - v));
    case TIME: return log(v);
    case PLAIN: break;
    }
    return v;
}

static double from_scale(size_t i, double x) {
    switch (parameters[i].kind) {
    case SHARE: return 1 / (1 + exp(-x));
    case TIME: return exp(x);
    case PLAIN: break;
    }
    return x;
}

static Efficiency factors_of(const Theta *t) {
    Efficiency f = {.engine = "", .gpus = ""};
    for (size_t i = 0; i < P; i++) *(double *)(void *)((char *)&f + parameters[i].offset) = from_scale(i, t->x[i]);
    return f;
}

// ---------------------------------------------------------------- rows

static const char *fitted_engine(const Prediction *p, const Measurement *m) {
    return p->factors_engine[0] != '\0' ? p->factors_engine : m->engine;
}

static bool is_old_stack(const char *engine) {
    size_t n = strlen(engine);
    return n > 5 && strcmp(engine + n - 5, "-2024") == 0;
}

static double grade_weight(const Measurement *m) {
    if (!is_known(m->output_tokens_per_s) || m->output_tokens_per_s <= 0) return 0;
    if (strcmp(m->grade, "A") == 0 || strcmp(m->grade, "B") == 0) return 1;
    return strcmp(m->grade, "R") == 0 ? 0.2 : 0;
}

static bool same_cell(const Measurement *a, const Measurement *b) {
    return strcmp(a->gpu_sku, b->gpu_sku) == 0 && strcmp(a->model, b->model) == 0 && strcmp(a->engine, b->engine) == 0 && strcmp(a->submitter, b->submitter) == 0;
}

static void make_keys(FitRow *r, Arena *a) {
    const Prediction *p = &r->prediction;
    const char *class = dtype_names[factor_class(p->serving.weights, p->serving.compute)];
    r->keys[0] = arena_printf(a, "%s|%s", vendor_names[p->gpu->vendor], model_is_moe(p->model) ? "moe" : "dense");
    r->keys[1] = arena_printf(a, "%s|%s", r->keys[0], p->gpu->architecture);
    r->keys[2] = arena_printf(a, "%s|%s", r->keys[1], class);
    r->keys[3] = arena_printf(a, "%s|%s", r->keys[2], fitted_engine(p, r->row));
}

static bool same_source(const Measurement *a, const Measurement *b) { return strcmp(a->source, b->source) == 0; }

// Numbers what is the same by `same` alike, from 0; returns how many there are.
static size_t number_rows(FitRow *rows, size_t n, bool (*same)(const Measurement *a, const Measurement *b), size_t offset) {
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < i && !same(rows[k].row, rows[i].row)) k++;
        size_t *number = (size_t *)(void *)((char *)&rows[i] + offset);
        *number = k < i ? *(size_t *)(void *)((char *)&rows[k] + offset) : found++;
    }
    return found;
}

size_t fit_rows(const Facts *facts, const Measurement *rows, size_t n, LeaveOut leave_out, Arena *a, FitRow **ret_rows) {
    FitRow *out = arena_alloc(a, n + 1, sizeof *out);
    size_t made = 0;
    for (size_t i = 0; i < n; i++) {
        FitRow r = {.row = &rows[i]};
        predict(facts, &rows[i], &r.prediction);
        Check check;
        check_row(&rows[i], &r.prediction, &check);
        if (r.prediction.not_predicted != NULL || is_known(rows[i].rate_rps)) continue;
        r.measured = rows[i].output_tokens_per_s > 0 ? log(rows[i].output_tokens_per_s) : (double)NAN;
        r.measured_tpot = rows[i].tpot_ms > 0 ? log(rows[i].tpot_ms / 1000) : (double)NAN;
        r.load = rows[i].batch_or_concurrency / r.prediction.replicas;
        r.weight = check.special ? 0 : grade_weight(&rows[i]);
        make_keys(&r, a);
        out[made++] = r;
    }
    size_t cells = number_rows(out, made, same_cell, offsetof(FitRow, cell));
    number_rows(out, made, leave_out == LEAVE_OUT_CELL ? same_cell : same_source, offsetof(FitRow, part));
    size_t *counts = arena_alloc(a, cells + 1, sizeof *counts);
    for (size_t i = 0; i < made; i++) counts[out[i].cell]++;
    for (size_t i = 0; i < made; i++) out[i].weight *= pow((double)counts[out[i].cell], -0.4);
    *ret_rows = out;
    return made;
}

// ln output tokens/s and ln TPOT of a row under some factors.
static void predict_with(const FitRow *r, const Efficiency *f, double *ret_output, double *ret_tpot) {
    Serving s = r->prediction.serving;
    s.factors = f;
    Point p = serving_at(&s, is_known(r->load) ? r->load : s.sequences_max);
    *ret_output = log(p.output_tokens_s * r->prediction.replicas);
    *ret_tpot = log(p.tpot_s);
}

// ---------------------------------------------------------------- one group

static const size_t NOTHING = SIZE_MAX;

// Rows of one group that take part in its fit. Old stacks take part in their own group alone.
static bool takes_part(const FitRow *r, int level, const char *key, size_t without) {
    if (r->weight <= 0 || r->part == without || strcmp(r->keys[level], key) != 0) return false;
    return level == FACTOR_LEVELS - 1 || !is_old_stack(fitted_engine(&r->prediction, r->row));
}

// Solves A x = b in place by Cholesky; A is symmetric and positive definite (the prior is on its diagonal).
static void solve(double A[P][P], double b[P]) {
    for (size_t j = 0; j < P; j++) {
        for (size_t k = 0; k < j; k++) A[j][j] -= A[j][k] * A[j][k];
        A[j][j] = sqrt(fmax(A[j][j], 1e-12));
        for (size_t i = j + 1; i < P; i++) {
            for (size_t k = 0; k < j; k++) A[i][j] -= A[i][k] * A[j][k];
            A[i][j] /= A[j][j];
        }
    }
    for (size_t i = 0; i < P; i++) {
        for (size_t k = 0; k < i; k++) b[i] -= A[i][k] * b[k];
        b[i] /= A[i][i];
    }
    for (size_t i = P; i-- > 0;) {
        for (size_t k = i + 1; k < P; k++) b[i] -= A[k][i] * b[k];
        b[i] /= A[i][i];
    }
}

static const double SCALE = 0.13, DEGREES = 4, TPOT_WEIGHT = 0.4, NUDGE = 1e-3;

static void add_response(double A[P][P], double b[P], double weight, double residual, const double slope[P]) {
    if (!is_known(residual) || weight <= 0) return;
    double z = residual / SCALE;
    double w = weight * (DEGREES + 1) / (DEGREES + z * z) / (SCALE * SCALE);
    for (size_t i = 0; i < P; i++) {
        b[i] += w * slope[i] * residual;
        for (size_t j = 0; j <= i; j++) A[i][j] += w * slope[i] * slope[j];
    }
}

static void add_row(double A[P][P], double b[P], const FitRow *r, const Efficiency *f, const Efficiency nudged[P]) {
    double output = 0, tpot = 0, output_slope[P], tpot_slope[P];
    predict_with(r, f, &output, &tpot);
    for (size_t i = 0; i < P; i++) {
        double o = 0, t = 0;
        predict_with(r, &nudged[i], &o, &t);
        output_slope[i] = (o - output) / NUDGE;
        tpot_slope[i] = (t - tpot) / NUDGE;
    }
    add_response(A, b, r->weight, r->measured - output, output_slope);
    bool decoding = r->prediction.serving.osl > 64 && !r->prediction.serving.prompt_cached && strcmp(r->row->scenario, "single-stream") != 0;
    if (decoding) add_response(A, b, r->weight * TPOT_WEIGHT, r->measured_tpot - tpot, tpot_slope);
}

// Most likely factors of a group around its parent's. Starts at *theta.
static void fit_group(const FitRow *rows, size_t n, int level, const char *key, size_t without, const Theta *parent, int steps, Theta *theta) {
    for (int step = 0; step < steps; step++) {
        double A[P][P] = {{0}}, b[P] = {0}, largest = 0;
        Efficiency f = factors_of(theta), nudged[P];
        for (size_t i = 0; i < P; i++) {
            Theta t = *theta;
            t.x[i] += NUDGE;
            nudged[i] = factors_of(&t);
            double precision = 1 / (parameters[i].sd[level] * parameters[i].sd[level]);
            A[i][i] = precision;
            b[i] = precision * (parent->x[i] - theta->x[i]);
        }
        for (size_t i = 0; i < n; i++) {
            if (takes_part(&rows[i], level, key, without)) add_row(A, b, &rows[i], &f, nudged);
        }
        solve(A, b);
        for (size_t i = 0; i < P; i++) largest = fmax(largest, fabs(b[i]));
        for (size_t i = 0; i < P; i++) theta->x[i] += b[i] * (largest > 1 ? 1 / largest : 1);
        if (largest < 2e-3) break;
    }
}

static Theta root(const FitRow *r) {
    Theta t;
    for (size_t i = 0; i < P; i++) t.x[i] = to_scale(i, model_is_moe(r->prediction.model) ? parameters[i].start_moe : parameters[i].start_dense);
    return t;
}

// ---------------------------------------------------------------- all groups

typedef struct Group {
    const char *key;
    int level;
    Theta theta;
    const FitRow *example;
    size_t n;  // rows that take part
    double sigma;
} Group;

typedef struct Groups {
    Group *items;
    size_t n;
} Groups;

static Group *find_group(const Groups *g, const char *key) {
    for (size_t i = 0; i < g->n; i++) {
        if (strcmp(g->items[i].key, key) == 0) return &g->items[i];
    }
    return NULL;
}

static void fit_all(const FitRow *rows, size_t n, Groups *g) {
    enum { STEPS = 15 };
    for (int level = 0; level < FACTOR_LEVELS; level++) {
        for (size_t i = 0; i < n; i++) {
            if (find_group(g, rows[i].keys[level]) != NULL) continue;
            Group group = {.key = rows[i].keys[level], .level = level, .example = &rows[i]};
            for (size_t k = 0; k < n; k++) group.n += takes_part(&rows[k], level, group.key, NOTHING);
            Theta parent = level == 0 ? root(&rows[i]) : find_group(g, rows[i].keys[level - 1])->theta;
            group.theta = parent;
            fit_group(rows, n, level, group.key, NOTHING, &parent, STEPS, &group.theta);
            g->items[g->n++] = group;
        }
    }
}

// Factors of a row's group with the row's part left out of every group on its chain.
static Theta fit_without(const FitRow *rows, size_t n, const Groups *g, const FitRow *r) {
    enum { STEPS = 4 };
    Theta parent = root(r);
    for (int level = 0; level < FACTOR_LEVELS; level++) {
        Theta theta = find_group(g, r->keys[level])->theta;
        fit_group(rows, n, level, r->keys[level], r->part, &parent, STEPS, &theta);
        parent = theta;
    }
    return parent;
}

static void leave_out_parts(const FitRow *rows, size_t n, const Groups *g, Arena *a, double *errors, double *tpot_errors) {
    bool *done = arena_alloc(a, n + 1, sizeof *done);
    for (size_t i = 0; i < n; i++) {
        if (done[i]) continue;
        Theta theta = fit_without(rows, n, g, &rows[i]);
        Efficiency f = factors_of(&theta);
        for (size_t k = i; k < n; k++) {
            if (rows[k].part != rows[i].part || strcmp(rows[k].keys[FACTOR_LEVELS - 1], rows[i].keys[FACTOR_LEVELS - 1]) != 0) continue;
            double output = 0, tpot = 0;
            predict_with(&rows[k], &f, &output, &tpot);
            errors[k] = output - rows[k].measured;
            tpot_errors[k] = tpot - rows[k].measured_tpot;
            done[k] = true;
        }
    }
}

// ---------------------------------------------------------------- ranges

static int by_value(const void *left, const void *right) {
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

static bool is_scored(const FitRow *r) { return r->weight > 0 && strcmp(r->row->grade, "R") != 0; }

// Spread of a group's left-out errors: the width that holds 80 % of its scored rows (else of its R rows), drawn towards the
// parent's where the group has few cells.
static double spread(const FitRow *rows, size_t n, int level, const char *key, size_t without, const double *errors, double parent, Arena *a) {
    static const double PARENT_CELLS = 2, LEAST = 0.06;
    double *values = arena_alloc(a, n + 1, sizeof *values);
    size_t kept = 0, cells = 0, last = NOTHING;
    for (size_t i = 0; i < n; i++) {
        if (!is_scored(&rows[i]) || !takes_part(&rows[i], level, key, without) || !is_known(errors[i])) continue;
        values[kept++] = fabs(errors[i]);
        cells += rows[i].cell != last;
        last = rows[i].cell;
    }
    if (kept == 0) return parent;
    qsort(values, kept, sizeof *values, by_value);
    double own = values[(size_t)(0.8 * (double)(kept - 1))] / Z80;
    double c = (double)cells;
    return fmax(sqrt((c * own * own + PARENT_CELLS * parent * parent) / (c + PARENT_CELLS)), LEAST);
}

static double chain_spread(const FitRow *rows, size_t n, const FitRow *r, size_t without, const double *errors, int level) {
    static const double VENDOR_SPREAD = 0.4;
    double sigma = VENDOR_SPREAD;
    Arena scratch = {0};
    for (int l = 0; l <= level; l++) sigma = spread(rows, n, l, r->keys[l], without, errors, sigma, &scratch);
    arena_free(&scratch);
    return sigma;
}

// ---------------------------------------------------------------- table

static const char *gpus_of(const FitRow *rows, size_t n, const Group *g, Arena *a) {
    const char *list = "";
    for (size_t i = 0; i < n; i++) {
        const char *sku = rows[i].prediction.gpu->sku_id;
        if (takes_part(&rows[i], g->level, g->key, NOTHING) && !word_in(list, sku)) list = arena_printf(a, "%s%s%s", list, list[0] != '\0' ? " " : "", sku);
    }
    return list;
}

static const char *newest(const FitRow *rows, size_t n, const Group *g) {
    const char *date = "";
    for (size_t i = 0; i < n; i++) {
        if (takes_part(&rows[i], g->level, g->key, NOTHING) && strcmp(rows[i].row->as_of, date) > 0) date = rows[i].row->as_of;
    }
    return date;
}

static Efficiency table_row(const FitRow *rows, size_t n, const Group *g, Arena *a) {
    const Prediction *p = &g->example->prediction;
    Efficiency e = factors_of(&g->theta);
    size_t cells = 0, last = NOTHING;
    for (size_t i = 0; i < n; i++) {
        if (!takes_part(&rows[i], g->level, g->key, NOTHING)) continue;
        cells += rows[i].cell != last;
        last = rows[i].cell;
    }
    e.vendor = p->gpu->vendor;
    e.layout = model_is_moe(p->model) ? "moe" : "dense";
    e.architecture = g->level >= 1 ? p->gpu->architecture : "*";
    e.weights = g->level >= 2 ? (int)factor_class(p->serving.weights, p->serving.compute) : DTYPE_UNKNOWN;
    e.engine = g->level >= 3 ? fitted_engine(p, g->example->row) : "*";
    e.sigma_log = g->sigma;
    e.n = (double)g->n;
    e.gpus = gpus_of(rows, n, g, a);
    e.basis = BASIS_CALIBRATED;
    e.source = arena_printf(a, "gpuadvise calibrate on data/measurements.tsv: %zu rows of %zu cells", g->n, cells);
    e.as_of = newest(rows, n, g);
    return e;
}

size_t calibrate(const FitRow *rows, size_t n, Arena *a, Efficiency **ret_table, double *errors, double *tpot_errors, double *sigmas) {
    Groups g = {arena_alloc(a, n * FACTOR_LEVELS + 1, sizeof(Group)), 0};
    fit_all(rows, n, &g);
    leave_out_parts(rows, n, &g, a, errors, tpot_errors);
    for (size_t i = 0; i < n; i++) sigmas[i] = chain_spread(rows, n, &rows[i], rows[i].part, errors, FACTOR_LEVELS - 1);
    Efficiency *table = arena_alloc(a, g.n + 1, sizeof *table);
    size_t made = 0;
    for (size_t i = 0; i < g.n; i++) {
        Group *group = &g.items[i];
        if (group->n == 0) continue;
        group->sigma = chain_spread(rows, n, group->example, NOTHING, errors, group->level);
        table[made++] = table_row(rows, n, group, a);
    }
    *ret_table = table;
    return made;
}
