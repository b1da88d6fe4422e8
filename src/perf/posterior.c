// Gaussian processes over the estimator's errors, given runs of the user's own.
#include "src/perf/posterior.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/perf/fit.h"

// ---------------------------------------------------------------- priors

// Variances of ln(measured / predicted) with a group of rows left out of the fit, between rows of one
// configuration: the part that holds at every load, and the part that changes with it. The first token's is
// beside a share of that of the throughput. Those of the throughput, and REACH, come from a grid over the groups
// of data/measurements.tsv whose name has an even hash, but after results of both halves had been seen; those of
// TPOT and first token, and the likenesses, from trials over all groups. So tests/test_posterior.c judges them on
// no groups that are wholly unseen: docs/own-runs.md has the figures of each half.
static const struct {
    double scale, shape;
} prior[RESPONSE_COUNT] = {
    [RESPONSE_RATE] = {0.04, 0.06}, [RESPONSE_TPOT] = {0.02, 0.02}, [RESPONSE_TTFT] = {0.06, 0.06}};
#define TTFT_OF_RATE 0.5  // of what the throughput is off

// Over what distance a shape holds, in ln of load, input and output tokens.
static const double REACH = 2;

// What configurations have in common, each beside those before it; GPU and layout on one GPU only. Of the others
// another GPU has a share, so that one model, engine and class are off alike by 0.36 there: the mean of seven
// publishers of both vendors' GPUs, each left out of the fit (0.39 under two engines, of three; on one GPU 0.62 in
// another class, of nine, and 0.37 under another engine, of four).
static const struct { double gpu, model, engine, class, layout; } alike = {0.10, 0.25, 0.05, 0.30, 0.30};
static const double ON_OTHER_GPUS = 0.36 / 0.60;

// Variance of repeats within a day: of everything in a run, of each of its figures, of a first token besides.
static const double REPEAT = 0.002, FIGURE = 0.001, FIRST_TOKEN = 0.02;

// ---------------------------------------------------------------- places

Place serving_place(const Serving *s, double running) {
    Place p = {.gpu = s->gpu,
               .model = s->model,
               .engine = s->engine,
               .class = factor_class(s->weights, s->compute),
               .layout = s->layout,
               .speculates = s->drafts > 0,
               .cached = s->cached_share > 0,
               .sigma = s->sigma_alone};
    static const double SHORT_TEXT = 16;  // tokens: below them lengths hardly matter
    p.at[0] = log(fmax(running, 1));
    // A prompt whose work is done already has no length that matters.
    p.at[1] = s->cached_share >= 1 ? (double)NAN : log(s->isl + SHORT_TEXT);
    p.at[2] = log(s->osl + SHORT_TEXT);
    return p;
}

static bool same_model(const Model *a, const Model *b) {
    return a == b || strcmp(a->model_id, b->model_id) == 0;
}

static bool same_layout(const Layout *a, const Layout *b) {
    return a->tp == b->tp && a->pp == b->pp && (a->ep > a->tp) == (b->ep > b->tp);
}

// How ON_OTHER_GPUS is made up: in proportion to what the ratio of two estimates has in common.
static Shares shares_of(const Facts *facts) {
    double always = constant_of(facts, CONSTANT_SHARE_MODEL) + constant_of(facts, CONSTANT_SHARE_ENGINE),
           hand = constant_of(facts, CONSTANT_SHARE_HAND), whole = always + hand;
    return whole > 0 ? (Shares){ON_OTHER_GPUS * always / whole, ON_OTHER_GPUS * hand / whole}
                     : (Shares){0, 0};
}

// Of what is no GPU's own. What a hand does is as large on both sides: of the larger doubt it is less.
static double in_common(const Shares *s, const Place *a, const Place *b, bool one_gpu) {
    double larger = fmax(a->sigma, b->sigma), evenly = larger > 0 ? fmin(a->sigma, b->sigma) / larger : 1;
    return s->always + s->hand * evenly + (one_gpu ? 1 - s->always - s->hand : 0);
}

static double likeness(const Shares *shares, const Place *a, const Place *b) {
    bool one_gpu = strcmp(a->gpu->sku_id, b->gpu->sku_id) == 0;
    double common = in_common(shares, a, b, one_gpu), s = one_gpu ? alike.gpu : 0;
    if (!same_model(a->model, b->model)) return s;
    s += alike.model * common;
    if (a->speculates != b->speculates || strcmp(a->engine, b->engine) != 0) return s;
    s += alike.engine * common;
    if (a->class != b->class) return s;
    s += alike.class * common;
    return one_gpu && same_layout(&a->layout, &b->layout) && a->cached == b->cached ? s + alike.layout : s;
}

// exp(-d^2 / 2)
static double nearness(const Place *a, const Place *b) {
    double sum = 0;
    for (size_t i = 0; i < COUNT_OF(a->at); i++) {
        double d = (a->at[i] - b->at[i]) / REACH;
        if (is_known(d)) sum += d * d;
    }
    return exp(-sum / 2);
}

// What two places have in common.
typedef struct Bond {
    double likeness, nearness;
} Bond;

static Bond bond_of(const Shares *shares, const Place *a, const Place *b) {
    double s = likeness(shares, a, b);
    return (Bond){s, s > 0 ? nearness(a, b) : 0};
}

// Of a value of each.
static double covariance(Bond bond, Response x, Response y) {
    static const double of_rate[RESPONSE_COUNT] = {
        [RESPONSE_RATE] = 1, [RESPONSE_TPOT] = 1, [RESPONSE_TTFT] = TTFT_OF_RATE};
    double sum =
        of_rate[x] * of_rate[y] * (prior[RESPONSE_RATE].scale + prior[RESPONSE_RATE].shape * bond.nearness);
    if (x == y && x != RESPONSE_RATE) sum += prior[x].scale + prior[x].shape * bond.nearness;
    return bond.likeness * sum;
}

static double noise_of(Response x) { return FIGURE + REPEAT + (x == RESPONSE_TTFT ? FIRST_TOKEN : 0); }

// ---------------------------------------------------------------- solving

static const char *ran_on(const PosteriorRow *r) {
    return r->run->ran_at[0] != '\0' ? r->run->ran_at : r->run->m.date;
}

// Better kept of two where there are too many: of the model in question, then the newer, then the later.
static bool before(const PosteriorRow *a, const PosteriorRow *b, const Model *model) {
    bool x = model != NULL && same_model(a->place.model, model),
         y = model != NULL && same_model(b->place.model, model);
    if (x != y) return x;
    int newer = strcmp(ran_on(a), ran_on(b));
    return newer != 0 ? newer > 0 : a->run->id > b->run->id;
}

// At most POSTERIOR_ROWS_MAX: each goes before those that it is better than.
static size_t best_rows(const PosteriorRow *rows, size_t n, const Model *model, PosteriorRow *ret) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        size_t at = kept;
        while (at > 0 && before(&rows[i], &ret[at - 1], model)) at--;
        if (at == POSTERIOR_ROWS_MAX) continue;
        if (kept < POSTERIOR_ROWS_MAX) kept++;
        memmove(&ret[at + 1], &ret[at], (kept - 1 - at) * sizeof *ret);
        ret[at] = rows[i];
    }
    return kept;
}

static void solve(Posterior *p, Arena *a) {
    size_t most = p->n * RESPONSE_COUNT;
    unsigned *row_of = arena_alloc(a, most + 1, sizeof *row_of),
             *response_of = arena_alloc(a, most + 1, sizeof *response_of);
    double *weights = arena_alloc(a, most + 1, sizeof *weights);
    for (size_t i = 0; i < most; i++) {
        double off = p->rows[i / RESPONSE_COUNT].off[i % RESPONSE_COUNT];
        if (!is_known(off)) continue;
        row_of[p->n_values] = (unsigned)(i / RESPONSE_COUNT);
        response_of[p->n_values] = (unsigned)(i % RESPONSE_COUNT);
        weights[p->n_values++] = off;
    }
    size_t n = p->n_values;
    double *factor = arena_alloc(a, n * (n + 1) / 2 + 1, sizeof *factor);
    for (size_t i = 0; i < n; i++) {
        const PosteriorRow *x = &p->rows[row_of[i]];
        for (size_t k = 0; k <= i; k++) {
            const PosteriorRow *y = &p->rows[row_of[k]];
            double shared = x == y ? REPEAT + x->noise : 0;
            double own = i == k ? noise_of((Response)response_of[i]) - REPEAT : 0;
            *triangle_at(factor, i, k) = covariance(bond_of(&p->shares, &x->place, &y->place),
                                                    (Response)response_of[i], (Response)response_of[k]) +
                                         shared + own;
        }
    }
    triangle_factorise(factor, n);
    triangle_solve(factor, weights, n);
    p->row_of = row_of, p->response_of = response_of;
    p->factor = factor, p->weights = weights;
}

const Posterior *posterior_of(const Facts *facts, const PosteriorRow *rows, size_t n, const Model *model,
                              Arena *a) {
    PosteriorRow *kept = arena_alloc(a, POSTERIOR_ROWS_MAX, sizeof *kept);
    Posterior *p = arena_alloc(a, 1, sizeof *p);
    *p = (Posterior){.shares = shares_of(facts), .rows = kept};
    p->n = best_rows(rows, n, model, kept);
    p->left_out = n - p->n;
    solve(p, a);
    return p;
}

// ---------------------------------------------------------------- what they say

void posterior_means(const Posterior *p, const Place *place, double ret[RESPONSE_COUNT]) {
    Bond bond = {0, 0};
    for (int x = 0; x < RESPONSE_COUNT; x++) ret[x] = 0;
    for (size_t i = 0; i < p->n_values; i++) {  // values of a row stand together
        if (i == 0 || p->row_of[i] != p->row_of[i - 1])
            bond = bond_of(&p->shares, place, &p->rows[p->row_of[i]].place);
        for (int x = 0; x < RESPONSE_COUNT; x++)
            ret[x] += p->weights[i] * covariance(bond, (Response)x, (Response)p->response_of[i]);
    }
}

// What the runs have in common with a value at a place, in coordinates in which they are independent and of
// variance 1: the sum of its squares is the variance that they take away there.
static void tell_of(const Posterior *p, const Place *place, Response response, double *ret) {
    for (size_t i = 0; i < p->n_values; i++) {
        const double *row = p->factor + i * (i + 1) / 2;
        double sum = covariance(bond_of(&p->shares, place, &p->rows[p->row_of[i]].place), response,
                                (Response)p->response_of[i]);
        for (size_t k = 0; k < i; k++) sum -= row[k] * ret[k];
        ret[i] = sum / row[i];
    }
}

double posterior_left(const Posterior *p, const Place *place, Response response) {
    double own = covariance((Bond){1, 1}, response, response), noise = noise_of(response), taken = 0;
    double told[POSTERIOR_ROWS_MAX * RESPONSE_COUNT];
    tell_of(p, place, response, told);
    for (size_t i = 0; i < p->n_values; i++) taken += told[i] * told[i];
    return (fmax(own - taken, 0) + noise) / (own + noise);
}

// What is not repeats of an estimate's doubt, as a standard deviation.
static double knowable(const Facts *facts, double sigma) {
    double repeats = fmin(constant_of(facts, CONSTANT_SIGMA_OWN), sigma);
    return sqrt(sigma * sigma - repeats * repeats);
}

double posterior_ratio_left(const Facts *facts, const Posterior *p, const Place *a, const Place *b) {
    double of_a[POSTERIOR_ROWS_MAX * RESPONSE_COUNT], of_b[POSTERIOR_ROWS_MAX * RESPONSE_COUNT];
    double x = knowable(facts, a->sigma), y = knowable(facts, b->sigma), noise = noise_of(RESPONSE_RATE);
    double own = covariance((Bond){1, 1}, RESPONSE_RATE, RESPONSE_RATE);
    double both = covariance(bond_of(&p->shares, a, b), RESPONSE_RATE, RESPONSE_RATE);
    double left = own * (x * x + y * y) - 2 * both * x * y;
    tell_of(p, a, RESPONSE_RATE, of_a);
    tell_of(p, b, RESPONSE_RATE, of_b);
    for (size_t i = 0; i < p->n_values; i++) {
        double told = x * of_a[i] - y * of_b[i];
        left -= told * told;
    }
    return (fmax(left, 0) + noise * (x * x + y * y)) / (own + noise);
}

double posterior_sigma(const Facts *facts, double alone, double left) {
    double repeats = fmin(constant_of(facts, CONSTANT_SIGMA_OWN), alone);
    return sqrt(left * (alone * alone - repeats * repeats) + repeats * repeats);
}

// ---------------------------------------------------------------- in an estimate

void posterior_take(const Facts *facts, Serving *s) {
    s->own = facts->own;
    s->sigma_alone = s->sigma_log;
    s->basis_alone = s->basis;
    posterior_at(facts, sqrt(fmax(s->sequences_max, 1)), s);
}

static double most_alike(const Posterior *p, const Place *place) {
    double most = 0;
    for (size_t i = 0; i < p->n; i++) most = fmax(most, likeness(&p->shares, place, &p->rows[i].place));
    return most;
}

void posterior_at(const Facts *facts, double running, Serving *s) {
    static const double NOTICEABLE = 0.01;
    if (s->own == NULL) return;
    Place place = serving_place(s, running);
    double left = posterior_left(s->own, &place, RESPONSE_RATE), means[RESPONSE_COUNT];
    posterior_means(s->own, &place, means);
    s->sigma_log = posterior_sigma(facts, s->sigma_alone, left);
    bool informed =
        fabs(means[RESPONSE_RATE]) > NOTICEABLE || s->sigma_log < s->sigma_alone * (1 - NOTICEABLE);
    s->basis = most_alike(s->own, &place) > 1 - NOTICEABLE ? BASIS_MEASURED
               : informed                                  ? BASIS_INFORMED
                                                           : s->basis_alone;
}

void posterior_correct(const Serving *s, Point *p) {
    if (s->own == NULL) return;
    Place place = serving_place(s, p->running);
    double means[RESPONSE_COUNT];
    posterior_means(s->own, &place, means);
    double least =
        p->running * s->osl / serving_bound(s, p->running);  // nothing is faster than the datasheet
    double slower = fmax(exp(means[RESPONSE_RATE]), least / p->e2e_s);
    p->e2e_s *= slower;
    p->output_tokens_s /= slower;
    p->total_tokens_s /= slower;
    for (int i = 0; i < TIME_COUNT; i++) p->item_s[i] *= slower;
    double first = fmin(exp(means[RESPONSE_TTFT]), p->e2e_s / p->ttft_s);
    p->ttft_s *= first;
    p->ttft_p99_s *= first;
    if (!is_known(p->tpot_s)) return;
    double token = fmax(exp(means[RESPONSE_TPOT]), 1 / serving_user_bound(s, p->running) / p->tpot_s);
    p->tpot_s *= token;
    p->tpot_p99_s *= token;
}

size_t posterior_accepted(const Posterior *p) {
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++) n += p->rows[i].run->accepted[0] != '\0';
    return n;
}

static int largest_first(const void *left, const void *right) {
    const PosteriorMove *a = left, *b = right;
    double x = fabs(a->moved), y = fabs(b->moved);
    return x != y ? (x < y) - (x > y) : (a->likeness < b->likeness) - (a->likeness > b->likeness);
}

// The mean is a sum of the measured values, each with a weight: the inverse of their covariance times what
// they have in common with the place.
size_t posterior_moves(const Serving *s, double running, PosteriorMove *ret, size_t size) {
    if (s->own == NULL) return 0;
    const Posterior *p = s->own;
    PosteriorMove all[POSTERIOR_ROWS_MAX];
    double weights[POSTERIOR_ROWS_MAX * RESPONSE_COUNT];
    Place place = serving_place(s, running);
    for (size_t i = 0; i < p->n_values; i++)
        weights[i] = covariance(bond_of(&p->shares, &place, &p->rows[p->row_of[i]].place), RESPONSE_RATE,
                                (Response)p->response_of[i]);
    triangle_solve(p->factor, weights, p->n_values);
    size_t n = 0;
    for (size_t i = 0; i < p->n_values; i++) {
        const PosteriorRow *r = &p->rows[p->row_of[i]];
        if (i == 0 || p->row_of[i] != p->row_of[i - 1])
            all[n++] = (PosteriorMove){r, likeness(&p->shares, &place, &r->place), 0};
        all[n - 1].moved += weights[i] * r->off[p->response_of[i]];
    }
    qsort(all, n, sizeof *all, largest_first);
    // a run of another model on another GPU says nothing, but through one that is like both
    while (n > 0 && all[n - 1].moved == 0 && all[n - 1].likeness == 0) n--;
    n = n < size ? n : size;
    memcpy(ret, all, n * sizeof *all);
    return n;
}

const char *posterior_source(const Serving *s, Arena *a) {
    enum { NAMED = 5 };
    if (s->own == NULL || (s->basis != BASIS_MEASURED && s->basis != BASIS_INFORMED)) return "";
    PosteriorMove moves[POSTERIOR_ROWS_MAX];
    size_t n = posterior_moves(s, sqrt(fmax(s->sequences_max, 1)), moves, COUNT_OF(moves));
    size_t named = n < NAMED ? n : NAMED, accepted = posterior_accepted(s->own);
    const char *text = n == 1 ? "run " : "runs ";
    for (size_t i = 0; i < named; i++)
        text = arena_printf(a, "%s%s%lld", text, i > 0 ? ", " : "", (long long)moves[i].row->run->id);
    text = arena_printf(a, n > named ? "%s and %zu more of your own" : "%s of your own", text, n - named);
    return accepted == 0 ? text : arena_printf(a, "%s (%zu accepted against a quarantine)", text, accepted);
}
