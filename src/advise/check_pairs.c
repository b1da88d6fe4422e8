// What the catalog holds of two things made alike: runs of one load, prices of one seller.
#include <math.h>
#include <string.h>

#include "src/advise/check_parts.h"

// ---------------------------------------------------------------- runs

// Lengths are drawn anew by every harness (1,000 and 1,024; 273 and 283): no further apart, they are the
// same.
static const double SAME_LENGTH = 1.15;

// One side of the claim: which rows of the measurements are its own.
typedef struct Side {
    const char *gpu, *engine;  // "": any
    double gpus;               // NaN: any
} Side;

static bool same_number(double x, double y, double within) {
    if (!is_known(x) || !is_known(y)) return !is_known(x) && !is_known(y);
    return fabs(log(x / y)) <= log(within) + 1e-9;
}

static Dtype dtype_of(const Measurement *m) { return dtype_named(m->precision_weights, DTYPE_UNKNOWN); }

static bool same_bits(Dtype x, Dtype y) {
    double a = judge_whole_bits(x), b = judge_whole_bits(y);
    return is_known(a) && a == b;
}

// Everything that a load is made of but the number of GPUs. Runs that state no number in flight are alike
// when they are of one scenario.
static bool same_load(const Measurement *x, const Measurement *y) {
    if (strcmp(x->model, y->model) != 0 || strcmp(x->task, y->task) != 0 ||
        !same_bits(dtype_of(x), dtype_of(y)))
        return false;
    if (strcmp(x->task, "serving") != 0) return same_number(x->input_tokens, y->input_tokens, SAME_LENGTH);
    if (claim_speculates(x) != claim_speculates(y) || x->prompt_cached != y->prompt_cached) return false;
    if (!is_known(x->batch_or_concurrency) && strcmp(x->scenario, y->scenario) != 0) return false;
    return same_number(x->batch_or_concurrency, y->batch_or_concurrency, 1) &&
           same_number(x->rate_rps, y->rate_rps, SAME_LENGTH) &&
           same_number(x->input_tokens, y->input_tokens, SAME_LENGTH) &&
           same_number(x->output_tokens, y->output_tokens, SAME_LENGTH);
}

static bool fits_number(double claimed, double measured, double within) {
    return !is_known(claimed) || (is_known(measured) && same_number(claimed, measured, within));
}

// Rows that the claim speaks of, whichever side they are on.
static size_t rows_of(const Judge *j, ClaimKind kind, const Measurement **ret_rows) {
    enum { MODELS_MAX = 32 };
    const PublicClaim *c = j->row;
    const char *models[MODELS_MAX];
    size_t n_models = j->ask->model != NULL ? judge_same_models(j, models, MODELS_MAX) : 0, n = 0;
    for (size_t i = 0; i < j->ask->n_measured; i++) {
        const Measurement *m = &j->ask->measured[i];
        if (m->held_out || strcmp(m->grade, "D") == 0 || !(claim_measured_rate(m, kind) > 0) ||
            !is_known(m->gpu_count))
            continue;
        if (n_models > 0 && !judge_is_one_of(m->model, models, n_models)) continue;
        if (c->weights != DTYPE_UNKNOWN && !same_bits(c->weights, dtype_of(m))) continue;
        if (!fits_number(c->batch, m->batch_or_concurrency, 1) ||
            !fits_number(c->isl_tokens, m->input_tokens, SAME_LENGTH) ||
            !fits_number(c->osl_tokens, m->output_tokens, SAME_LENGTH))
            continue;
        ret_rows[n++] = m;
    }
    return n;
}

static bool is_on(const Side *s, const Measurement *m) {
    return (s->gpu[0] == '\0' || strcmp(s->gpu, m->gpu_sku) == 0) &&
           (s->engine[0] == '\0' || strcmp(s->engine, m->engine) == 0) &&
           (!is_known(s->gpus) || s->gpus == m->gpu_count);
}

// The fastest of a side at the load of `m`, on as many GPUs as the side says (where it says nothing: as `m`
// ran on) and on the GPU of `m` where the side names none; of equals the first.
static const Measurement *fastest(const Side *s, const Measurement *const *rows, size_t n,
                                  const Measurement *m, ClaimKind kind) {
    const Measurement *best = NULL;
    for (size_t i = 0; i < n; i++) {
        const Measurement *x = rows[i];
        if (!is_on(s, x) || !same_load(x, m) || (!is_known(s->gpus) && x->gpu_count != m->gpu_count))
            continue;
        if (s->gpu[0] == '\0' && strcmp(x->gpu_sku, m->gpu_sku) != 0) continue;
        if (best == NULL || claim_measured_rate(x, kind) > claim_measured_rate(best, kind)) best = x;
    }
    return best;
}

size_t judge_pairs(const Judge *j, Compared compares, RatioCase *ret_cases) {
    const PublicClaim *c = j->row;
    ClaimKind kind = compares == COMPARED_TRAINING ? CLAIM_TRAINING : CLAIM_SERVING;
    const char *gpu = j->ask->gpu != NULL ? j->ask->gpu->sku_id : "";
    Side first = {gpu, c->engine, c->gpus};
    Side other = {j->ask->against != NULL ? j->ask->against->sku_id : gpu,
                  c->against_engine[0] != '\0' ? c->against_engine : c->engine,
                  is_known(c->against_gpus) ? c->against_gpus : c->gpus};
    const Measurement **rows = arena_alloc(j->arena, j->ask->n_measured + 1, sizeof *rows);
    size_t n_rows = rows_of(j, kind, rows), n = 0;
    for (size_t i = 0; i < n_rows; i++) {
        const Measurement *a = rows[i];
        if (!is_on(&first, a) || fastest(&first, rows, n_rows, a, kind) != a) continue;
        const Measurement *b = fastest(&other, rows, n_rows, a, kind);
        if (b != NULL)
            ret_cases[n++] =
                (RatioCase){claim_measured_rate(a, kind) / claim_measured_rate(b, kind), a, b, ""};
    }
    return n;
}

// ---------------------------------------------------------------- prices

static double on_demand(const Offer *o, const Gpu *gpu) {
    bool counts = strcmp(o->sku_id, gpu->sku_id) == 0 && o->pricing_model == PRICING_ON_DEMAND &&
                  o->standing == STANDING_LISTED;
    return counts ? (double)o->price_micro_usd_h / 1e6 / (is_known(o->gpu_count) ? o->gpu_count : 1)
                  : (double)NAN;
}

// The lowest price of a GPU-hour at the seller of offer `i`; NaN: it was told at an earlier offer, or the
// seller has none.
static double lowest_at(const Facts *f, size_t i, const Gpu *gpu, bool once) {
    double lowest = (double)NAN;
    for (size_t k = 0; k < f->n_offers; k++) {
        double usd = on_demand(&f->offers[k], gpu);
        if (!is_known(usd) || strcmp(f->offers[k].provider, f->offers[i].provider) != 0) continue;
        if (once && k < i) return (double)NAN;
        lowest = is_known(lowest) ? fmin(lowest, usd) : usd;
    }
    return lowest;
}

size_t judge_prices(const Judge *j, RatioCase *ret_cases) {
    const Facts *f = j->facts;
    size_t n = 0;
    for (size_t i = 0; i < f->n_offers; i++) {
        if (!is_known(on_demand(&f->offers[i], j->ask->gpu))) continue;
        double a = lowest_at(f, i, j->ask->gpu, true);
        double b = is_known(a) ? lowest_at(f, i, j->ask->against, false) : (double)NAN;
        if (is_known(b)) ret_cases[n++] = (RatioCase){a / b, NULL, NULL, f->offers[i].provider};
    }
    return n;
}

double judge_usual_price(const Judge *j, const Gpu *gpu, size_t *ret_sellers) {
    const Facts *f = j->facts;
    double *prices = arena_alloc(j->arena, f->n_offers + 1, sizeof *prices);
    size_t n = 0;
    for (size_t i = 0; i < f->n_offers; i++) {
        double usd = is_known(on_demand(&f->offers[i], gpu)) ? lowest_at(f, i, gpu, true) : (double)NAN;
        if (!is_known(usd)) continue;
        size_t k = n++;
        for (; k > 0 && prices[k - 1] > usd; k--) prices[k] = prices[k - 1];
        prices[k] = usd;
    }
    *ret_sellers = n;
    return n == 0 ? (double)NAN : (prices[(n - 1) / 2] + prices[n / 2]) / 2;
}
