// Claims: what every kind shares, and those of serving.
#include "src/advise/check.h"

#include <math.h>
#include <string.h>

#include "src/advise/advise.h"
#include "src/advise/check_parts.h"
#include "src/facts/tables.h"

const char *const claim_verdict_names[] = {"plausible", "conditional", "impossible", NULL};
NAMES_FIT(claim_verdict_names, CLAIM_VERDICT_COUNT);

// ---------------------------------------------------------------- serving: what holds under given conditions

typedef struct Setting {
    Dtype weights;
    int gpus;
    bool prompts;   // their arithmetic counts
    double drafts;  // tokens that one step gives a sequence
    bool sparse;    // two of four weights are zero, and left out of the arithmetic
} Setting;

typedef struct Limit {
    Serving serving;
    Roof roof;
    double running, cache_bytes;  // of one sequence
    double needed_bytes, usable_bytes;
    bool fits;
    double tokens_s;
} Limit;

enum { BATCH_ENDLESS = 1000000000 };

// As few bytes as the dtype allows: every parameter in it, where released checkpoints keep some parts wider.
static void put_weights(Serving *s) {
    const Model *m = s->model;
    double bytes = dtype_bits(s->weights) / 8;
    double routed = model_is_moe(m) ? or_zero(m->params_expert_routed) : 0;
    s->weight_bytes = m->params_total * bytes;
    s->expert_bytes = routed * bytes;
    s->fixed_bytes =
        (m->params_total - routed - or_zero(m->params_input_embedding) - or_zero(m->params_vision)) * bytes;
}

static Limit limit_of(const Judge *j, const Setting *at) {
    const PublicClaim *row = j->row;
    const Model *m = j->ask->model;
    double isl = is_known(row->isl_tokens) ? row->isl_tokens : 0;
    double osl = is_known(row->osl_tokens) ? row->osl_tokens : 0;
    bool prompts = at->prompts && isl > 0 && osl > 0;
    Limit l = {.serving = {.gpu = j->ask->gpu,
                           .model = m,
                           .layout = {at->gpus, 1, 1, 1},
                           .weights = at->weights,
                           .compute = judge_fastest(j->ask->gpu, at->weights),
                           .expert_ranks = 1,
                           .kept = 1,
                           .clock = 1}};
    Serving *s = &l.serving;
    s->isl = prompts ? isl : 0;
    s->osl = prompts ? osl : 1;
    put_weights(s);
    s->cache_bytes_per_seq = l.cache_bytes = model_cache_bytes(m, fmax(isl + osl / 2, 1), DTYPE_FP8);
    s->read_bytes_per_seq = model_read_bytes(m, fmax(isl + osl / 2, 1), DTYPE_FP8);
    l.usable_bytes = at->gpus * gpu_usable_bytes(s->gpu);
    double room = floor((l.usable_bytes - s->weight_bytes) / l.cache_bytes);
    double most = is_known(row->batch) ? row->batch : BATCH_ENDLESS;
    l.running = room >= 1 ? fmin(room, most) : most;  // the others of a batch wait
    l.needed_bytes = s->weight_bytes + l.cache_bytes;
    l.fits = l.needed_bytes <= l.usable_bytes;
    l.roof = serving_roof(s, l.running);
    if (at->sparse) l.roof.compute_s /= SPARSE_GAIN;
    l.tokens_s = l.running / fmax(l.roof.read_s / at->drafts, l.roof.compute_s);
    return l;
}

static bool holds(const Judge *j, const Limit *l) { return l->fits && j->row->tokens_per_s <= l->tokens_s; }

// ---------------------------------------------------------------- serving: what the claim leaves open

// Narrower weights, as far as it takes.
static void narrow(Judge *j, Setting *at, Limit *l) {
    Dtype first = at->weights, narrower[DTYPE_COUNT];
    size_t n = judge_narrower(j, first, narrower);
    for (size_t i = 0; i < n && !holds(j, l); i++) {
        if (dtype_bits(narrower[i]) >= dtype_bits(at->weights)) continue;
        Setting next = *at;
        next.weights = narrower[i];
        Limit with = limit_of(j, &next);
        if (with.fits == l->fits && with.tokens_s <= l->tokens_s) continue;
        *at = next;
        *l = with;
    }
    if (at->weights != first)
        condition_printf(j, "only with %s weights: as released they are %s", dtype_names[at->weights],
                         dtype_names[first]);
}

// GPUs enough to hold it, in one server; a rate that takes more of them is not what was claimed.
static void spread(Judge *j, Setting *at, Limit *l) {
    enum { SERVER_GPUS = 8 };
    Setting next = *at;
    for (next.gpus = 2; next.gpus <= SERVER_GPUS && !l->fits; next.gpus *= 2) {
        Limit with = limit_of(j, &next);
        if (!with.fits) continue;
        *at = next;
        *l = with;
        condition_printf(j, "only on %d GPUs or more: %s GB do not fit into one", at->gpus,
                         judge_number(j, with.needed_bytes / 1e9, 4));
    }
}

static void cache_prompts(Judge *j, Setting *at, Limit *l) {
    Setting next = *at;
    next.prompts = false;
    Limit with = limit_of(j, &next);
    if (with.tokens_s <= l->tokens_s) return;
    *at = next;
    *l = with;
    judge_condition(j, "only if the prompts come out of a cache, so that their arithmetic is not done again");
}

static void speculate(Judge *j, Setting *at, Limit *l) {
    Setting next = *at;
    next.drafts = j->row->tokens_per_s / l->tokens_s;
    if (next.drafts > constant_of(j->facts, CONSTANT_CLAIM_DRAFT_GAIN_MOST)) return;
    Limit with = limit_of(j, &next);
    if (with.tokens_s < j->row->tokens_per_s * (1 - 1e-9)) return;
    *at = next;
    *l = with;
    condition_printf(j, "only with speculation of which at least %.1f tokens a step are accepted",
                     next.drafts);
}

static void thin_out(Judge *j, Setting *at, Limit *l) {
    Setting next = *at;
    next.sparse = true;
    Limit with = limit_of(j, &next);
    if (!judge_is_sparse(j->ask->gpu) || with.tokens_s < j->row->tokens_per_s) return;
    *at = next;
    *l = with;
    judge_condition(j, judge_sparse_words);
}

// ---------------------------------------------------------------- serving: words

static const char *memory_words(Judge *j, const Setting *at, const Limit *l) {
    return arena_printf(j->arena, "%s GB of %s weights and one sequence's cache do not fit into %d x %s GB",
                        judge_number(j, l->serving.weight_bytes / 1e9, 4), dtype_names[at->weights], at->gpus,
                        judge_number(j, l->usable_bytes / at->gpus / 1e9, 4));
}

static const char *rate_words(Judge *j, const Setting *at, const Limit *l) {
    const Roof *r = &l->roof;
    const Gpu *g = j->ask->gpu;
    const char *drafted = at->drafts > 1 ? arena_printf(j->arena, " x %.1f tokens a step", at->drafts) : "";
    const char *bound = judge_number(j, l->tokens_s, 4);
    if (r->read_s / at->drafts >= r->compute_s) {
        return arena_printf(j->arena, "a step reads %s GB at %d x %s GB/s: %s ms; %s%s / %s ms = %s tokens/s",
                            judge_number(j, r->read_bytes / 1e9, 4), at->gpus,
                            judge_number(j, g->memory_bw_gb_s, 5), judge_number(j, r->read_s * 1000, 4),
                            counted_number(j->arena, l->running, 6, "sequence"), drafted,
                            judge_number(j, r->read_s * 1000, 4), bound);
    }
    return arena_printf(
        j->arena, "%d x %s %s %s TFLOPS / %s GFLOP a token%s = %s tokens/s", at->gpus,
        judge_number(j, gpu_peak_flops(g, l->serving.compute) / 1e12 * (at->sparse ? SPARSE_GAIN : 1), 5),
        at->sparse ? "sparse" : "dense", dtype_names[l->serving.compute],
        judge_number(j, r->flops / l->running / 1e9, 4),
        at->prompts && j->row->isl_tokens > 0 && j->row->osl_tokens > 0
            ? " (its share of the prompt included)"
            : "",
        bound);
}

// ---------------------------------------------------------------- serving: money

static double usd_h(const PublicClaim *row) {
    return is_known(row->usd_per_hour) ? row->usd_per_hour
                                       : row->usd_per_gpu_hour * (is_known(row->gpus) ? row->gpus : 1);
}

// The three figures of a price claim must agree. `*tokens_per_s` unknown: what the other two imply.
static bool settle_price(PublicClaim *row, Err *e) {
    if (is_known(row->usd_per_mtok) && !is_known(usd_h(row)))
        return err_set(e, ERR_USAGE,
                       "dollars per million tokens (usd_per_mtok) say nothing without dollars per hour");
    if (is_known(row->tokens_per_s)) return true;
    row->tokens_per_s = usd_h(row) / 3600 / row->usd_per_mtok * 1e6;
    return is_known(row->tokens_per_s) ||
           err_set(
               e, ERR_USAGE,
               "the claim states neither tokens per second nor both dollars per hour and per million tokens");
}

static void judge_price(Judge *j, const Limit *l) {
    static const double ROUNDING = 0.05;
    const PublicClaim *row = j->row;
    double price = usd_h(row);
    if (!is_known(price)) return;
    double implied = usd_per_mtok(price, row->tokens_per_s);
    ClaimAnswer *x = &j->answer;
    x->arithmetic =
        arena_printf(j->arena, "%s; %s an hour / 3600 / %s tokens/s = %s per million, %s at the bound",
                     x->arithmetic, judge_money(j, price), judge_number(j, row->tokens_per_s, 6),
                     judge_money(j, implied), judge_money(j, usd_per_mtok(price, l->tokens_s)));
    if (!is_known(row->usd_per_mtok) || fabs(row->usd_per_mtok / implied - 1) <= ROUNDING) return;
    const char *said = judge_money(j, row->usd_per_mtok);
    double needed = price / 3600 / row->usd_per_mtok * 1e6;
    if (needed > l->tokens_s) {
        x->verdict = CLAIM_IMPOSSIBLE;
        x->arithmetic = arena_printf(j->arena, "%s; %s per million would take %s tokens/s", x->arithmetic,
                                     said, judge_number(j, needed, 4));
    } else if (row->usd_per_mtok < implied) {
        condition_printf(
            j, "only at %s an hour, or at %s tokens/s: %s per million does not follow from the other figures",
            judge_money(j, row->usd_per_mtok * 3.6e-3 * row->tokens_per_s), judge_number(j, needed, 4), said);
    } else {
        condition_printf(j,
                         "only if %.0f %% of the paid hours carry the load: %s per million is more than the "
                         "other figures give",
                         100 * implied / row->usd_per_mtok, said);
    }
}

// ---------------------------------------------------------------- serving

static Regime regime_of(const Judge *j, const Limit *l) {
    bool by_bandwidth = strcmp(j->answer.bound_by, "compute") != 0;
    double bits = dtype_bits(l->serving.compute);
    if (by_bandwidth) return l->running > 1 ? REGIME_BATCH : REGIME_ONE;
    if (model_is_moe(j->ask->model)) return bits < 8 ? REGIME_MOE_4 : REGIME_MOE_8;
    return bits < 8 ? REGIME_DENSE_4 : bits <= 8 ? REGIME_DENSE_8 : REGIME_DENSE_16;
}

static bool judge_serving(Judge *j, Err *e) {
    const ClaimAsk *ask = j->ask;
    PublicClaim *row = arena_alloc(j->arena, 1, sizeof *row);
    *row = *j->row;
    if (ask->model == NULL || ask->gpu == NULL)
        return err_set(e, ERR_USAGE, "a claim of serving names a model and a GPU");
    if (!model_is_decoder(ask->model) || !is_known(ask->model->params_active))
        return err_set(e, ERR_USAGE, "model '%s' (%s) is no decoder that is served token by token",
                       ask->model->model_id, ask->model->family);
    if (!settle_price(row, e)) return false;
    j->row = row;
    bool stated = row->weights != DTYPE_UNKNOWN;
    Setting at = {stated ? row->weights : ask->model->weights_native,
                  is_known(row->gpus) ? (int)row->gpus : 1, true, 1, false};
    if (!is_known(dtype_bits(at.weights)) || !is_known(ask->gpu->memory_bw_gb_s) ||
        judge_fastest(ask->gpu, at.weights) == DTYPE_UNKNOWN)
        return err_set(e, ERR_USAGE, "no path for %s weights on '%s' is known", dtype_names[at.weights],
                       ask->gpu->sku_id);
    Setting plain = at;
    Limit l = limit_of(j, &at);
    Limit as_stated = l;
    if (!holds(j, &l) && !stated) narrow(j, &at, &l);
    if (!l.fits && !is_known(row->gpus)) spread(j, &at, &l);
    if (l.fits && !holds(j, &l)) cache_prompts(j, &at, &l);
    if (l.fits && !holds(j, &l)) speculate(j, &at, &l);
    if (l.fits && !holds(j, &l) && at.drafts == 1) thin_out(j, &at, &l);
    ClaimAnswer *x = &j->answer;
    bool possible = l.fits && row->tokens_per_s <= l.tokens_s * (1 + 1e-9);
    if (!possible) {
        x->n_conditions = 0;
        l = as_stated;
        at = plain;
    }
    x->verdict = possible ? CLAIM_PLAUSIBLE : CLAIM_IMPOSSIBLE;
    x->claimed = row->tokens_per_s;
    x->bound = l.tokens_s;
    x->unit = "output tokens/s";
    x->bound_by = !l.fits                                         ? "memory"
                  : l.roof.read_s / at.drafts >= l.roof.compute_s ? "memory-bandwidth"
                                                                  : "compute";
    x->sources = arena_printf(j->arena, "%s; %s", ask->gpu->source, ask->model->source);
    x->arithmetic = arena_printf(j->arena, "%s%s%s; %s", l.fits ? "" : memory_words(j, &at, &l),
                                 l.fits ? "" : "; if it fitted, ", rate_words(j, &at, &l),
                                 judge_ratio(j, row->tokens_per_s, l.tokens_s));
    if (l.fits) judge_share(j, regime_of(j, &l));
    judge_price(j, &l);
    judge_estimate(j, at.weights, at.gpus, judge_measured(j, at.gpus));
    judge_settle(j);
    return true;
}

// ---------------------------------------------------------------- all kinds

#define OF(kind) (1u << CLAIM_##kind)

static bool is_stated(const PublicClaim *row, const Field *f) {
    return field_is_number(f) ? is_known(row_number(row, f)) : row_word(row, f)[0] != '\0';
}

// ERR_USAGE: the claim states a figure that its kind has no use for.
static bool judge_takes(const PublicClaim *row, Err *e) {
    static const struct {
        const char *name;
        unsigned kinds;  // that make use of it
    } columns[] = {
        {"model", OF(SERVING) | OF(TRAINING) | OF(IMAGES) | OF(RATIO)},
        {"gpu", OF(SERVING) | OF(TRAINING) | OF(IMAGES) | OF(PEAK) | OF(BILL) | OF(RATIO)},
        {"gpus", OF(SERVING) | OF(TRAINING) | OF(IMAGES) | OF(BILL) | OF(RATIO)},
        {"batch", OF(SERVING) | OF(RATIO)},
        {"isl_tokens", OF(SERVING) | OF(RATIO)},
        {"osl_tokens", OF(SERVING) | OF(RATIO)},
        {"steps", OF(IMAGES)},
        {"tokens_per_s", OF(SERVING) | OF(TRAINING)},
        {"images_per_s", OF(IMAGES)},
        {"tflops", OF(PEAK)},
        {"usd_per_hour", OF(SERVING) | OF(BILL)},
        {"usd_per_gpu_hour", OF(SERVING) | OF(BILL)},
        {"usd_per_mtok", OF(SERVING)},
        {"hours", OF(BILL)},
        {"usd_total", OF(BILL)},
        {"subject", OF(SUPPORT) | OF(STATEMENT)},
        {"platform", OF(SUPPORT)},
        {"status", OF(SUPPORT)},
        {"engine", OF(RATIO)},
        {"against_gpu", OF(RATIO)},
        {"against_gpus", OF(RATIO)},
        {"against_engine", OF(RATIO)},
        {"claimed_low", OF(RATIO) | OF(STATEMENT)},
        {"claimed_high", OF(RATIO) | OF(STATEMENT)},
        {"weights", OF(SERVING) | OF(TRAINING) | OF(IMAGES) | OF(PEAK) | OF(RATIO)},
        {"compares", OF(RATIO)},
    };
    for (size_t i = 0; i < COUNT_OF(columns); i++) {
        bool used = (columns[i].kinds & 1u << row->kind) != 0;
        if (!used && is_stated(row, field_find(&claims_table, columns[i].name)))
            return err_set(e, ERR_USAGE, "column '%s' is of no use in a claim of kind '%s'", columns[i].name,
                           claim_kind_names[row->kind]);
    }
    return !(is_known(row->usd_per_hour) && is_known(row->usd_per_gpu_hour)) ||
           err_set(e, ERR_USAGE, "give one of 'usd_per_hour' and 'usd_per_gpu_hour'");
}

bool claim_check(const Facts *facts, const ClaimAsk *ask, Arena *a, ClaimAnswer *ret_answer, Err *e) {
    static bool (*const judges[CLAIM_KIND_COUNT])(Judge *, Err *) = {
        [CLAIM_SERVING] = judge_serving, [CLAIM_TRAINING] = judge_training,   [CLAIM_IMAGES] = judge_images,
        [CLAIM_PEAK] = judge_peak,       [CLAIM_BILL] = judge_bill,           [CLAIM_SUPPORT] = judge_support,
        [CLAIM_RATIO] = judge_compared,  [CLAIM_STATEMENT] = judge_statement,
    };
    Judge j = {
        .facts = facts,
        .ask = ask,
        .row = ask->row,
        .arena = a,
        .answer = {.claimed = (double)NAN,
                   .bound = (double)NAN,
                   .unit = "",
                   .bound_by = "",
                   .regime = "",
                   .share_name = "",
                   .share_most = (double)NAN,
                   .arithmetic = "",
                   .times_measured = (double)NAN,
                   .measured = "",
                   .times_estimate_high = (double)NAN,
                   .expected = "",
                   .sources = "",
                   .ratios = {.basis = "",
                              .median = (double)NAN,
                              .low = (double)NAN,
                              .high = (double)NAN,
                              .least = (double)NAN,
                              .most = (double)NAN,
                              .claimed_low = (double)NAN,
                              .claimed_high = (double)NAN},
                   .count = {.name = "", .part = (double)NAN, .all = (double)NAN, .share = (double)NAN}}};
    if (!judge_takes(ask->row, e) || !judges[ask->row->kind](&j, e)) return false;
    *ret_answer = j.answer;
    return true;
}
