// Fits the shifts of the efficiency factors, all properties at once.
#include "src/fit/calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/fit/priors.h"
#include "src/fit/ranges.h"

// ---------------------------------------------------------------- rows

static bool reads_prompts_only(const FitRow *r) { return strcmp(r->prediction.unit, "prompt") == 0; }

// What is measured of a row, as logarithms: rate (output tokens/s, of rows without output prompt tokens/s),
// TPOT and TTFT in seconds.
enum { ON_RATE, ON_TPOT, ON_TTFT, RESPONSES };

// A row under some factors; NaN: not predicted, of TTFT also where requests wait.
static void predict_with(const FitRow *r, const double x[FACTOR_COUNT], double ret[RESPONSES]) {
    Serving s = r->prediction.serving;
    s.factors = factors_of(x);
    factors_mix_start(&s.factors, s.kernel_share);
    ret[ON_TPOT] = ret[ON_TTFT] = (double)NAN;
    if (reads_prompts_only(r)) {
        ret[ON_RATE] = log(s.isl / serving_prompt_s(&s) * r->prediction.replicas);
        return;
    }
    Point p = predicted_point(&r->prediction, &s);
    ret[ON_RATE] = log(p.output_tokens_s * r->prediction.replicas);
    ret[ON_TPOT] = log(p.tpot_s);
    bool mean = ttft_is_mean(r->row);
    if (!p.queued) ret[ON_TTFT] = log(mean ? predicted_ttft_mean(&r->prediction, &s, &p) : p.ttft_s);
}

// ---------------------------------------------------------------- unknowns

// One unknown: what a level of an effect adds to a factor.
typedef struct Unknown {
    int effect, factor;
    const char *level;
    double mean, precision;
} Unknown;

enum { TERMS_MAX = EFFECT_SPREAD * FACTOR_COUNT };

// What a row takes part in: term i adds weight x unknown `column` to factor.
typedef struct Term {
    unsigned column;
    unsigned factor;
    double weight;
} Term;

typedef struct Design {
    bool kernels;  // factors of sums of kernels, else the others
    Unknown *unknowns;
    size_t n, capacity;
    Term (*terms)[TERMS_MAX];
    size_t *n_terms;
} Design;

// Starts from a factor that is known from n rows: ten of them hold it as firmly as its prior does.
static void start_from(const Facts *known, Unknown *u) {
    static const double ROWS_OF_A_PRIOR = 10;
    for (size_t i = 0; known != NULL && i < known->n_efficiency; i++) {
        const Efficiency *e = &known->efficiency[i];
        if (e->effect != u->effect || strcmp(e->level, u->level) != 0) continue;
        u->mean = e->shift[u->factor];
        u->precision *= 1 + e->n / ROWS_OF_A_PRIOR;
    }
}

// The first of the unknowns of an effect's level, which stand together, one for each factor that the effect
// has a say in.
static size_t find_unknowns(Design *d, const Facts *known, int effect, const char *level, Arena *a) {
    for (size_t i = 0; i < d->n; i++) {
        if (d->unknowns[i].effect == effect && strcmp(d->unknowns[i].level, level) == 0) return i;
    }
    size_t first = d->n;
    for (int k = 0; k < FACTOR_COUNT; k++) {
        double sd = is_of_kernels(k) == d->kernels ? prior_sd_of(effect, k) : 0;
        if (sd == 0) continue;
        d->unknowns = arena_grow(a, d->unknowns, d->n, &d->capacity, sizeof *d->unknowns);
        d->unknowns[d->n] =
            (Unknown){effect, k, level, effect == EFFECT_ALL ? prior_mean_of(k) : 0, 1 / (sd * sd)};
        start_from(known, &d->unknowns[d->n++]);
    }
    return first;
}

static Design make_design(const CalibrateWant *want, const FitRow *rows, bool kernels, Arena *a) {
    size_t n = want->n;
    Design d = {.kernels = kernels,
                .terms = arena_alloc(a, n + 1, sizeof *d.terms),
                .n_terms = arena_alloc(a, n + 1, sizeof *d.n_terms)};
    for (size_t i = 0; i < n; i++) {
        for (int e = 0; e < EFFECT_SPREAD; e++) {
            if (rows[i].levels.weight[e] == 0) continue;
            size_t column = find_unknowns(&d, want->known, e, rows[i].levels.text[e], a);
            for (int k = 0; k < FACTOR_COUNT; k++) {
                if (is_of_kernels(k) == d.kernels && prior_sd_of(e, k) != 0)
                    d.terms[i][d.n_terms[i]++] =
                        (Term){(unsigned)column++, (unsigned)k, rows[i].levels.weight[e]};
            }
        }
    }
    return d;
}

static void factors_at(const Design *d, size_t row, const double *beta, double x[FACTOR_COUNT]) {
    for (int k = 0; k < FACTOR_COUNT; k++) x[k] = 0;
    for (size_t t = 0; t < d->n_terms[row]; t++)
        x[d->terms[row][t].factor] += d->terms[row][t].weight * beta[d->terms[row][t].column];
}

static bool of_publisher(int effect) {
    return effect == EFFECT_PUBLISHER || effect == EFFECT_PUBLISHED_STACK;
}

// The same for somebody of whom nothing is known, of this kind of factors alone.
static void put_factors_of_anybody(const Design *d, size_t row, const double *beta, double x[FACTOR_COUNT]) {
    for (int k = 0; k < FACTOR_COUNT; k++) {
        if (is_of_kernels(k) == d->kernels) x[k] = 0;
    }
    for (size_t t = 0; t < d->n_terms[row]; t++) {
        const Term *term = &d->terms[row][t];
        if (!of_publisher(d->unknowns[term->column].effect))
            x[term->factor] += term->weight * beta[term->column];
    }
}

// ---------------------------------------------------------------- least squares

static const double SCALE = 0.09, DEGREES = 4, NUDGE = 1e-4;
// What a response counts beside the rate: TPOT says much the same, TTFT depends on how clients start.
static const double response_share[RESPONSES] = {[ON_RATE] = 1, [ON_TPOT] = 0.4, [ON_TTFT] = 0.15};

// How much a residual counts; 0: it is not known.
static double response_weight(double weight, double residual) {
    double z = residual / SCALE;
    return is_known(residual) && weight > 0 ? weight * (DEGREES + 1) / (DEGREES + z * z) / (SCALE * SCALE)
                                            : 0;
}

// What one response of a row says: J' W J (where A is asked for) and J' W r, added with a sign.
static void add_response(const Design *d, size_t row, double sign, double weight, double residual,
                         const double slope[FACTOR_COUNT], double *A, double *b) {
    double w = sign * response_weight(weight, residual);
    if (w == 0) return;
    for (size_t s = 0; s < d->n_terms[row]; s++) {
        const Term *t = &d->terms[row][s];
        double g = w * slope[t->factor] * t->weight;
        if (g == 0) continue;
        b[t->column] += g * residual;
        if (A == NULL) continue;
        for (size_t q = 0; q < d->n_terms[row]; q++) {
            const Term *u = &d->terms[row][q];
            if (u->column <= t->column)
                *triangle_at(A, t->column, u->column) += g * slope[u->factor] * u->weight;
        }
    }
}

// A row's residuals, measured less predicted, and slopes at some shifts.
typedef struct Response {
    double residual[RESPONSES], slope[RESPONSES][FACTOR_COUNT];
} Response;

static void put_residuals(const FitRow *row, const double predicted[RESPONSES], Response *r) {
    bool decoding = row->prediction.serving.osl > 64 && row->prediction.serving.cached_share < 1;
    r->residual[ON_RATE] = row->measured - predicted[ON_RATE];
    r->residual[ON_TPOT] = decoding ? row->measured_tpot - predicted[ON_TPOT] : (double)NAN;
    r->residual[ON_TTFT] = row->measured_ttft - predicted[ON_TTFT];
}

static Response respond(const Design *d, const FitRow *rows, size_t i, const double *beta) {
    Response r;
    double x[FACTOR_COUNT], predicted[RESPONSES], nudged[RESPONSES];
    factors_at(d, i, beta, x);
    predict_with(&rows[i], x, predicted);
    put_residuals(&rows[i], predicted, &r);
    for (int k = 0; k < FACTOR_COUNT; k++) {
        double kept = x[k];
        x[k] += NUDGE;
        predict_with(&rows[i], x, nudged);
        x[k] = kept;
        for (int q = 0; q < RESPONSES; q++) r.slope[q][k] = (nudged[q] - predicted[q]) / NUDGE;
    }
    return r;
}

static void add_row(const Design *d, const FitRow *rows, size_t i, const Response *r, double sign, double *A,
                    double *b) {
    for (int q = 0; q < RESPONSES; q++)
        add_response(d, i, sign, rows[i].weight * response_share[q], r->residual[q], r->slope[q], A, b);
}

typedef struct Workspace {
    double *A, *b;
    size_t bytes;
    const double *factor;            // what steps solve with: A factorised, or that of the whole fit ...
    double *taken, *gram, *scratch;  // ... less these vectors, at most taken_most of them
    size_t n_taken, taken_most;
} Workspace;

static Workspace make_workspace(size_t n, Arena *a) {
    size_t cells = n * (n + 1) / 2;
    Workspace w = {arena_alloc(a, cells + 1, sizeof(double)), arena_alloc(a, n + 1, sizeof(double)),
                   .bytes = cells * sizeof(double), .taken_most = n / 4};
    w.taken = arena_alloc(a, w.taken_most * n + 1, sizeof(double));
    w.gram = arena_alloc(a, w.taken_most * w.taken_most + 1, sizeof(double));
    w.scratch = arena_alloc(a, w.taken_most + 1, sizeof(double));
    return w;
}

// Factorises the rows' matrix with the prior's.
static void factorise(const Design *d, Workspace *w) {
    for (size_t i = 0; i < d->n; i++) *triangle_at(w->A, i, i) += d->unknowns[i].precision;
    triangle_factorise(w->A, d->n);
    w->factor = w->A, w->n_taken = 0;
}

// With w->b the rows' part of the gradient: takes the step (cut to length 1 in any unknown), returns its
// largest part.
static double take_step(const Design *d, Workspace *w, double *beta) {
    double largest = 0;
    for (size_t i = 0; i < d->n; i++) w->b[i] += d->unknowns[i].precision * (d->unknowns[i].mean - beta[i]);
    downdate_solve(w->factor, d->n, w->taken, w->n_taken, w->gram, w->b, w->scratch);
    for (size_t i = 0; i < d->n; i++) largest = fmax(largest, fabs(w->b[i]));
    for (size_t i = 0; i < d->n; i++) beta[i] += w->b[i] * (largest > 1 ? 1 / largest : 1);
    return largest;
}

static const double STEP_LEAST = 2e-3;

static const size_t NOTHING = SIZE_MAX;

// Steps from `beta` on, without the rows of a part (NOTHING: with all).
static void fit(const Design *d, const FitRow *rows, size_t n, size_t without, Workspace *w, double *beta) {
    enum { STEPS = 30 };
    for (int step = 0; step < STEPS; step++) {
        memset(w->A, 0, w->bytes);
        memset(w->b, 0, d->n * sizeof *w->b);
        for (size_t i = 0; i < n; i++) {
            if (rows[i].weight <= 0 || rows[i].part == without) continue;
            Response r = respond(d, rows, i, beta);
            add_row(d, rows, i, &r, 1, w->A, w->b);
        }
        factorise(d, w);
        if (take_step(d, w, beta) < STEP_LEAST) break;
    }
}

// ---------------------------------------------------------------- leaving out

// The whole fit at its optimum, from which parts are taken away.
typedef struct Whole {
    const double *beta;
    const Response *responses;
    const double *A, *b, *factor;  // factor: of A with the prior
} Whole;

// The square root of a response's J' W J, one vector; nothing where it does not count.
static void take_response(const Design *d, size_t row, double weight, double residual,
                          const double slope[FACTOR_COUNT], Workspace *w) {
    double root = sqrt(response_weight(weight, residual));
    if (root == 0) return;
    double *u = w->taken + d->n * w->n_taken++;
    memset(u, 0, d->n * sizeof *u);
    for (size_t t = 0; t < d->n_terms[row]; t++)
        u[d->terms[row][t].column] = root * slope[d->terms[row][t].factor] * d->terms[row][t].weight;
}

// How many rows of a part are fitted.
static size_t fitted_in(const FitRow *rows, size_t n, size_t part) {
    size_t found = 0;
    for (size_t i = 0; i < n; i++) found += rows[i].part == part && rows[i].weight > 0;
    return found;
}

// Prepares steps without a part: its few rows as vectors, or where they are many the matrix anew.
static void take_away(const Design *d, const FitRow *rows, size_t n, const Whole *whole, size_t part,
                      Workspace *w) {
    bool few = RESPONSES * fitted_in(rows, n, part) <= w->taken_most;
    memcpy(w->b, whole->b, d->n * sizeof *w->b);
    if (!few) memcpy(w->A, whole->A, w->bytes);
    w->factor = whole->factor, w->n_taken = 0;
    for (size_t i = 0; i < n; i++) {
        if (rows[i].part != part || rows[i].weight <= 0) continue;
        const Response *r = &whole->responses[i];
        add_row(d, rows, i, r, -1, few ? NULL : w->A, w->b);
        if (!few) continue;
        for (int q = 0; q < RESPONSES; q++)
            take_response(d, i, rows[i].weight * response_share[q], r->residual[q], r->slope[q], w);
    }
    if (few) {
        downdate_start(w->factor, d->n, w->taken, w->n_taken, w->gram);
    } else {
        factorise(d, w);
    }
}

// A row's response where its factors moved a little from those of the whole fit: along its slopes, which stay;
// where they moved further the residuals are worked out anew.
static Response moved_response(const Design *d, const FitRow *rows, size_t i, const Whole *whole,
                               const double *beta) {
    static const double LITTLE = 0.03;
    Response r = whole->responses[i];
    double x[FACTOR_COUNT], start[FACTOR_COUNT], largest = 0, predicted[RESPONSES];
    factors_at(d, i, beta, x);
    factors_at(d, i, whole->beta, start);
    for (int k = 0; k < FACTOR_COUNT; k++) largest = fmax(largest, fabs(x[k] - start[k]));
    if (largest > LITTLE) {
        predict_with(&rows[i], x, predicted);
        put_residuals(&rows[i], predicted, &r);
        return r;
    }
    for (int q = 0; q < RESPONSES; q++) {
        for (int k = 0; k < FACTOR_COUNT; k++) r.residual[q] -= r.slope[q][k] * (x[k] - start[k]);
    }
    return r;
}

// Further steps weigh the residuals anew; slopes and matrix stay those of the whole fit less the part. A part
// that is no small share of all rows is left out by a fit of its own, from the whole one's factors on.
static void fit_without(const Design *d, const FitRow *rows, size_t n, const Whole *whole, size_t part,
                        Workspace *w, double *beta) {
    enum { FURTHER = 6 };
    static const double SMALL = 0.05;
    memcpy(beta, whole->beta, d->n * sizeof *beta);
    if ((double)fitted_in(rows, n, part) > SMALL * (double)n) {
        fit(d, rows, n, part, w, beta);
        return;
    }
    take_away(d, rows, n, whole, part, w);
    for (int step = 0; take_step(d, w, beta) > STEP_LEAST && step < FURTHER; step++) {
        memset(w->b, 0, d->n * sizeof *w->b);
        for (size_t i = 0; i < n; i++) {
            if (rows[i].part == part || rows[i].weight <= 0) continue;
            Response r = moved_response(d, rows, i, whole, beta);
            add_row(d, rows, i, &r, 1, NULL, w->b);
        }
    }
}

static void leave_out_parts(const Design *d, const FitRow *rows, size_t n, const double *beta, Workspace *w,
                            Arena *a, double (*ret_factors)[FACTOR_COUNT]) {
    size_t cells = d->n * (d->n + 1) / 2;
    Workspace kept = {arena_alloc(a, cells + 1, sizeof(double)), arena_alloc(a, d->n + 1, sizeof(double)),
                      .bytes = cells * sizeof(double)};
    double *factor = arena_alloc(a, cells + 1, sizeof *factor);
    Response *responses = arena_alloc(a, n + 1, sizeof *responses);
    for (size_t i = 0; i < n; i++) {
        responses[i] = respond(d, rows, i, beta);
        if (rows[i].weight > 0) add_row(d, rows, i, &responses[i], 1, kept.A, kept.b);
    }
    memcpy(w->A, kept.A, kept.bytes);
    factorise(d, w);
    memcpy(factor, w->A, kept.bytes);
    Whole whole = {beta, responses, kept.A, kept.b, factor};
    double *without = arena_alloc(a, d->n + 1, sizeof *without);
    bool *done = arena_alloc(a, n + 1, sizeof *done);
    for (size_t i = 0; i < n; i++) {
        if (done[i]) continue;
        if (fitted_in(rows, n, rows[i].part) > 0) {
            fit_without(d, rows, n, &whole, rows[i].part, w, without);
        } else {
            memcpy(without, beta, d->n * sizeof *without);
        }
        for (size_t k = i; k < n; k++) {
            if (rows[k].part != rows[i].part) continue;
            put_factors_of_anybody(d, k, without, ret_factors[k]);
            done[k] = true;
        }
    }
}

// ---------------------------------------------------------------- table

typedef struct Table {
    Efficiency *rows;
    size_t n;
} Table;

static Efficiency *table_row(Table *t, int effect, const char *level) {
    for (size_t i = 0; i < t->n; i++) {
        if (t->rows[i].effect == effect && strcmp(t->rows[i].level, level) == 0) return &t->rows[i];
    }
    t->rows[t->n] = (Efficiency){
        .effect = effect, .level = level, .sigma_log = (double)NAN, .gpus = "", .source = "", .as_of = ""};
    return &t->rows[t->n++];
}

static void count_row(Efficiency *e, const FitRow *r, const char *source, Arena *a) {
    const char *sku = r->prediction.gpu->sku_id;
    e->n++;
    e->source = source;
    if (e->effect == EFFECT_SPREAD && !word_in(e->gpus, sku))
        e->gpus = arena_printf(a, "%s%s%s", e->gpus, e->gpus[0] != '\0' ? " " : "", sku);
    if (strcmp(r->row->as_of, e->as_of) > 0) e->as_of = r->row->as_of;
}

static int by_effect(const void *left, const void *right) {
    const Efficiency *a = left;
    const Efficiency *b = right;
    return a->effect != b->effect ? a->effect - b->effect : strcmp(a->level, b->level);
}

// The fit of the formula's factors, and that of sums of kernels.
enum { KINDS = 2 };

static void put_shifts(const Design *d, const double *beta, Table *t) {
    for (size_t i = 0; i < d->n; i++) {
        const Unknown *u = &d->unknowns[i];
        if (!of_publisher(u->effect)) table_row(t, u->effect, u->level)->shift[u->factor] = beta[i];
    }
}

static size_t make_table(const CalibrateWant *want, const Design designs[KINDS], double *const betas[KINDS],
                         Ranges *ranges, Arena *a, Efficiency **ret) {
    size_t n_known = want->known != NULL ? want->known->n_efficiency : 0;
    Table t = {arena_alloc(a, n_known + designs[0].n + designs[1].n + want->n * SPREAD_LEVELS + 1,
                           sizeof(Efficiency)),
               0};
    for (; t.n < n_known; t.n++) t.rows[t.n] = want->known->efficiency[t.n];
    for (int kind = 0; kind < KINDS; kind++) put_shifts(&designs[kind], betas[kind], &t);
    for (size_t i = 0; i < want->n; i++) {
        const FitRow *r = &want->rows[i];
        if (r->weight <= 0) continue;
        for (int e = 0; e < EFFECT_SPREAD; e++) {
            if (r->levels.weight[e] != 0 && !of_publisher(e))
                count_row(table_row(&t, e, r->levels.text[e]), r, want->source, a);
        }
        for (int l = 0; l < SPREAD_LEVELS; l++) {
            Efficiency *s = table_row(&t, EFFECT_SPREAD, r->levels.spread[l]);
            if (s->source != want->source) s->sigma_log = ranges_group(ranges, i, l);
            count_row(s, r, want->source, a);
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < t.n; i++) {
        if (t.rows[i].n > 0) t.rows[kept++] = t.rows[i];  // others are of rows that are not fitted
    }
    qsort(t.rows, kept, sizeof *t.rows, by_effect);
    *ret = t.rows;
    return kept;
}

// Rows as one kind of factors sees them: sums of kernels alone those that have them, the others all without.
static FitRow *rows_of_kind(const CalibrateWant *want, bool kernels, Arena *a) {
    FitRow *rows = arena_alloc(a, want->n + 1, sizeof *rows);
    for (size_t i = 0; i < want->n; i++) {
        rows[i] = want->rows[i];
        Serving *s = &rows[i].prediction.serving;
        if (kernels && !s->kernels.known) rows[i].weight = 0;
        s->kernel_share = kernels && s->kernels.known ? 1 : 0;
    }
    return rows;
}

// What is predicted with both kinds of factors.
static void put_left_out(const CalibrateWant *want, double (*const factors)[FACTOR_COUNT], LeftOut *ret) {
    for (size_t i = 0; i < want->n; i++) {
        double predicted[RESPONSES];
        predict_with(&want->rows[i], factors[i], predicted);
        ret->errors[i] = predicted[ON_RATE] - want->rows[i].measured;
        ret->tpots[i] = predicted[ON_TPOT];
        ret->ttfts[i] = predicted[ON_TTFT];
    }
}

size_t calibrate(const CalibrateWant *want, Arena *a, Efficiency **ret_table, LeftOut *ret) {
    size_t n = want->n;
    double *betas[KINDS];
    double(*factors)[FACTOR_COUNT] = arena_alloc(a, n + 1, sizeof *factors);
    Design designs[KINDS];
    *ret = (LeftOut){arena_alloc(a, n + 1, sizeof(double)), arena_alloc(a, n + 1, sizeof(double)),
                     arena_alloc(a, n + 1, sizeof(double)), arena_alloc(a, n + 1, sizeof(double))};
    for (int kind = 0; kind < KINDS; kind++) {
        FitRow *rows = rows_of_kind(want, kind == 1, a);
        Design d = make_design(want, rows, kind == 1, a);
        Workspace w = make_workspace(d.n, a);
        double *beta = arena_alloc(a, d.n + 1, sizeof *beta);
        for (size_t i = 0; i < d.n; i++) beta[i] = d.unknowns[i].mean;
        fit(&d, rows, n, NOTHING, &w, beta);
        leave_out_parts(&d, rows, n, beta, &w, a, factors);
        designs[kind] = d, betas[kind] = beta;
    }
    put_left_out(want, factors, ret);
    Ranges *ranges = ranges_make(want, ret->errors, factors, a);
    ranges_left_out(ranges, ret->sigmas);
    return make_table(want, designs, betas, ranges, a, ret_table);
}
