// Claims that hold two things against each other: twice as fast, a third cheaper, within 10 %.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/advise/check_parts.h"
#include "src/advise/samples.h"

// Published ratios are rounded: no further apart, they are the same.
static const double RATIO_ROUNDING = 1.03;

static bool lies_within(const ClaimRatios *r, double ratio) {
    return !(ratio < r->claimed_low / RATIO_ROUNDING) && !(ratio > r->claimed_high * RATIO_ROUNDING);
}

// "0.9 to 1.1", "at least 2", "0.7"
static const char *claimed_words(Judge *j) {
    const ClaimRatios *r = &j->answer.ratios;
    if (!is_known(r->claimed_high))
        return arena_printf(j->arena, "at least %s", judge_number(j, r->claimed_low, 3));
    if (!is_known(r->claimed_low))
        return arena_printf(j->arena, "at most %s", judge_number(j, r->claimed_high, 3));
    if (r->claimed_low == r->claimed_high) return judge_number(j, r->claimed_low, 3);
    return arena_printf(j->arena, "%s to %s", judge_number(j, r->claimed_low, 3),
                        judge_number(j, r->claimed_high, 3));
}

// One side as people name it: "2 x NVIDIA H100 with vllm".
static const char *side_words(Judge *j, const Gpu *gpu, const char *engine, double gpus) {
    const char *what = gpu == NULL         ? engine
                       : engine[0] != '\0' ? arena_printf(j->arena, "%s with %s", gpu->name, engine)
                                           : gpu->name;
    return is_known(gpus) ? arena_printf(j->arena, "%.0f x %s", gpus, what) : what;
}

static const char *sides_words(Judge *j) {
    const PublicClaim *c = j->row;
    const Gpu *other = j->ask->against != NULL ? j->ask->against : j->ask->gpu;
    bool engines = c->against_engine[0] != '\0';
    return arena_printf(j->arena, "%s over %s", side_words(j, j->ask->gpu, c->engine, c->gpus),
                        side_words(j, other, engines ? c->against_engine : c->engine,
                                   is_known(c->against_gpus) ? c->against_gpus : c->gpus));
}

// ---------------------------------------------------------------- cases

static int by_ratio(const void *left, const void *right) {
    double a = ((const RatioCase *)left)->ratio, b = ((const RatioCase *)right)->ratio;
    return (a > b) - (a < b);
}

// Quantile of sorted cases, between two of them where it falls between.
static double quantile(const RatioCase *cases, size_t n, double share) {
    double at = share * (double)(n - 1);
    size_t i = (size_t)at;
    return i + 1 < n ? cases[i].ratio + (at - (double)i) * (cases[i + 1].ratio - cases[i].ratio)
                     : cases[n - 1].ratio;
}

static void summarize(Judge *j, RatioCase *cases, size_t n, const char *basis) {
    ClaimRatios *r = &j->answer.ratios;
    r->basis = basis;
    r->n = n;
    qsort(cases, n, sizeof *cases, by_ratio);
    r->least = cases[0].ratio, r->most = cases[n - 1].ratio;
    r->median = quantile(cases, n, 0.5), r->low = quantile(cases, n, 0.1), r->high = quantile(cases, n, 0.9);
    for (size_t i = 0; i < n; i++) r->agree += lies_within(r, cases[i].ratio);
}

// What a case is told under: how many were in flight, or the scenario of a run that does not say it; its
// model.
static const char *name_of(const Judge *j, const RatioCase *c, bool by_model) {
    if (by_model) return c->a->model;
    return is_known(c->a->batch_or_concurrency)
               ? arena_printf(j->arena, "%.0f in flight", c->a->batch_or_concurrency)
               : c->a->scenario;
}

// Cases come sorted by ratio: so do those of a group.
static void add_groups(Judge *j, const RatioCase *cases, size_t n, bool by_model) {
    ClaimRatios *r = &j->answer.ratios;
    RatioCase *own = arena_alloc(j->arena, n + 1, sizeof *own);
    size_t first = r->n_groups;
    for (size_t i = 0; i < n; i++) {
        RatioGroup g = {.what = name_of(j, &cases[i], by_model),
                        .in_flight = by_model ? (double)NAN : cases[i].a->batch_or_concurrency};
        size_t seen = first;
        while (seen < r->n_groups && strcmp(r->groups[seen].what, g.what) != 0) seen++;
        if (seen < r->n_groups || r->n_groups == RATIO_GROUPS_MAX) continue;
        for (size_t k = 0; k < n; k++) {
            if (strcmp(name_of(j, &cases[k], by_model), g.what) != 0) continue;
            own[g.n++] = cases[k];
            g.agree += lies_within(r, cases[k].ratio);
        }
        g.median = quantile(own, g.n, 0.5);
        r->groups[r->n_groups++] = g;
    }
}

static int by_size(const void *left, const void *right) {
    const RatioGroup *a = left, *b = right;
    double x = is_known(a->in_flight) ? a->in_flight : 0, y = is_known(b->in_flight) ? b->in_flight : 0;
    return x != y ? (x > y) - (x < y) : strcmp(a->what, b->what);
}

static void group(Judge *j, const RatioCase *cases, size_t n) {
    ClaimRatios *r = &j->answer.ratios;
    add_groups(j, cases, n, false);
    qsort(r->groups, r->n_groups, sizeof *r->groups, by_size);
    size_t loads = r->n_groups;
    add_groups(j, cases, n, true);
    if (r->n_groups > loads) qsort(r->groups + loads, r->n_groups - loads, sizeof *r->groups, by_size);
}

// "16 in flight (3 of 37), gpt-oss-120b (2 of 2)": the groups with a case that agrees.
static const char *groups_words(Judge *j) {
    const ClaimRatios *r = &j->answer.ratios;
    const char *text = "";
    for (size_t i = 0; i < r->n_groups; i++) {
        if (r->groups[i].agree > 0)
            text = arena_printf(j->arena, "%s%s%s (%zu of %zu)", text, text[0] != '\0' ? ", " : ": ",
                                r->groups[i].what, r->groups[i].agree, r->groups[i].n);
    }
    return text;
}

// ---------------------------------------------------------------- physics

// Whether no software can serve the load of `m` on the GPUs that it ran on at `tokens_per_s`.
static bool is_forbidden(const Judge *j, const Measurement *m, double tokens_per_s) {
    PublicClaim c = *j->row;
    c.kind = CLAIM_SERVING, c.compares = COMPARED_UNKNOWN, c.engine = c.against_gpu = c.against_engine = "";
    c.against_gpus = c.claimed_low = c.claimed_high = (double)NAN;
    c.gpus = m->gpu_count, c.weights = dtype_named(m->precision_weights, DTYPE_UNKNOWN),
    c.batch = m->batch_or_concurrency, c.tokens_per_s = tokens_per_s;
    c.isl_tokens = m->prompt_cached ? (double)NAN : m->input_tokens;
    c.osl_tokens = m->output_tokens;
    ClaimAsk ask = {
        .row = &c, .gpu = facts_gpu(j->facts, m->gpu_sku), .model = facts_model(j->facts, m->model)};
    ClaimAnswer x;
    Err e = {0};
    return claim_check(j->facts, &ask, j->arena, &x, &e) && x.verdict == CLAIM_IMPOSSIBLE;
}

// Each measured load told as a claim: the side that was said to be faster would have to run at the other
// side's rate times the ratio.
static bool all_forbidden(const Judge *j, const RatioCase *cases, size_t n) {
    const ClaimRatios *r = &j->answer.ratios;
    bool more = r->claimed_low > r->most;
    for (size_t i = 0; i < n; i++) {
        const Measurement *a = cases[i].a, *b = cases[i].b;
        bool forbidden = more ? is_forbidden(j, a, b->output_tokens_per_s * r->claimed_low / RATIO_ROUNDING)
                              : is_forbidden(j, b, a->output_tokens_per_s / r->claimed_high / RATIO_ROUNDING);
        if (!forbidden) return false;
    }
    return true;
}

// ---------------------------------------------------------------- verdicts

static const char *spread_words(Judge *j) {
    const ClaimRatios *r = &j->answer.ratios;
    if (r->n == 1) return judge_number(j, r->median, 3);
    return arena_printf(j->arena, "%s in the middle, 80 %% of them between %s and %s, all between %s and %s",
                        judge_number(j, r->median, 3), judge_number(j, r->low, 3),
                        judge_number(j, r->high, 3), judge_number(j, r->least, 3),
                        judge_number(j, r->most, 3));
}

// The middle of what is known lies within what is claimed, or some of it does, or nothing.
static void settle(Judge *j, const RatioCase *cases, const char *noun) {
    ClaimAnswer *x = &j->answer;
    ClaimRatios *r = &x->ratios;
    if (lies_within(r, r->median)) return;
    if (r->agree > 0) {
        condition_printf(j, "only in some cases: %zu of %s lie within what is claimed%s", r->agree,
                         counted(j->arena, r->n, noun), groups_words(j));
        return;
    }
    bool serves = cases[0].a != NULL && strcmp(x->unit, "times the tokens/s") == 0;
    if (serves && all_forbidden(j, cases, r->n)) {
        x->verdict = CLAIM_IMPOSSIBLE;
        x->arithmetic = arena_printf(
            j->arena, "%s; at every one of these loads the faster side would have to run over its bound",
            x->arithmetic);
        return;
    }
    const char *range = r->n == 1 ? arena_printf(j->arena, "it is %s", judge_number(j, r->median, 3))
                                  : arena_printf(j->arena, "they run from %s to %s",
                                                 judge_number(j, r->least, 3), judge_number(j, r->most, 3));
    condition_printf(j, "only elsewhere: not seen in %s of the catalog, %s", counted(j->arena, r->n, noun),
                     range);
}

// ---------------------------------------------------------------- what is compared

static const char *const load_text = "same model, bits of a weight, GPUs, sequences in flight and lengths on "
                                     "both sides, the fastest run of each";

static void nothing(Judge *j, const char *what, const char *missing) {
    j->answer.bound_by = "evidence";
    j->answer.arithmetic = arena_printf(
        j->arena,
        "%s: nothing was measured of both in public that could be held against each other; %s claimed", what,
        claimed_words(j));
    condition_printf(j, "only on the word of whoever says so: %s", missing);
}

// The estimator speaks where no load was measured on both.
static bool judge_estimated(Judge *j) {
    const PublicClaim *c = j->row;
    const ClaimAsk *ask = j->ask;
    Dtype weights = c->weights != DTYPE_UNKNOWN ? c->weights
                    : ask->model != NULL        ? ask->model->weights_native
                                                : DTYPE_UNKNOWN;
    if (ask->model == NULL || ask->gpu == NULL || !model_is_decoder(ask->model)) return false;
    ClaimAsk swapped = *ask;
    swapped.gpu = ask->against != NULL ? ask->against : ask->gpu;
    Judge other = *j;
    other.ask = &swapped;
    int gpus = is_known(c->gpus) ? (int)c->gpus : NODE_GPUS,
        others = is_known(c->against_gpus) ? (int)c->against_gpus : gpus;
    ClaimEstimate a = judge_estimate_of(j, weights, gpus, c->engine),
                  b = judge_estimate_of(&other, weights, others,
                                        c->against_engine[0] != '\0' ? c->against_engine : c->engine);
    if (!a.known || !b.known) return false;
    double spread = exp(Z80 * hypot(log_spread(&a.rate), log_spread(&b.rate)));
    ClaimRatios *r = &j->answer.ratios;
    r->basis = "estimate", r->n = 1;
    r->median = a.rate.value / b.rate.value;
    r->least = r->low = r->median / spread;
    r->most = r->high = r->median * spread;
    r->agree = !(r->high < r->claimed_low / RATIO_ROUNDING) && !(r->low > r->claimed_high * RATIO_ROUNDING);
    j->answer.bound_by = "estimate";
    j->answer.arithmetic =
        arena_printf(j->arena,
                     "%s, tokens/s: no load was measured on both; `estimate` gives %s (%d GPUs, %s) over %s "
                     "(%d GPUs, %s) = %s, 80 %% between %s and %s; %s claimed",
                     sides_words(j), judge_number(j, a.rate.value, 4), gpus, a.engine,
                     judge_number(j, b.rate.value, 4), others, b.engine, judge_number(j, r->median, 3),
                     judge_number(j, r->low, 3), judge_number(j, r->high, 3), claimed_words(j));
    if (r->agree == 0)
        judge_condition(j, "only where the estimate is wrong: the claim lies outside of its 80 % range, and "
                           "nothing was measured");
    return true;
}

static bool judge_runs(Judge *j, Compared compares) {
    RatioCase *cases = arena_alloc(j->arena, j->ask->n_measured + 1, sizeof *cases);
    size_t n = judge_pairs(j, compares, cases);
    const char *unit = compares == COMPARED_TRAINING ? "trained tokens/s" : "tokens/s";
    j->answer.unit = compares == COMPARED_TRAINING ? "times the trained tokens/s" : "times the tokens/s";
    if (n == 0) {
        const char *missing =
            compares == COMPARED_TRAINING
                ? "no training run of one model, bits, length and number of GPUs is known on both"
            : j->ask->model != NULL
                ? "no run of this model is known on both, and `estimate` does not know one of them"
                : "no load was measured on both, and the claim names no model to estimate";
        if (compares == COMPARED_TRAINING || !judge_estimated(j))
            nothing(j, arena_printf(j->arena, "%s, %s", sides_words(j), unit), missing);
        return true;
    }
    summarize(j, cases, n, "measured");
    group(j, cases, n);
    j->answer.bound_by = "measurements";
    j->answer.arithmetic = arena_printf(j->arena, "%s, %s, in %s measured on both (%s): %s; %s claimed",
                                        sides_words(j), unit, counted(j->arena, n, "load"),
                                        compares == COMPARED_TRAINING
                                            ? "same model, bits, length and GPUs, the fastest run of each"
                                            : load_text,
                                        spread_words(j), claimed_words(j));
    settle(j, cases, "load");
    return true;
}

static bool judge_priced(Judge *j) {
    RatioCase *cases = arena_alloc(j->arena, j->facts->n_offers + 1, sizeof *cases);
    size_t n = judge_prices(j, cases), sellers[2];
    double usual[2] = {judge_usual_price(j, j->ask->gpu, &sellers[0]),
                       judge_usual_price(j, j->ask->against, &sellers[1])};
    const char *what = arena_printf(j->arena, "%s, dollars a GPU-hour on demand", sides_words(j));
    j->answer.unit = "times the price";
    const char *markets =
        is_known(usual[0] / usual[1])
            ? arena_printf(j->arena, "; the median seller of each asks %s (%s) and %s (%s): %s",
                           judge_money(j, usual[0]), counted(j->arena, sellers[0], "seller"),
                           judge_money(j, usual[1]), counted(j->arena, sellers[1], "seller"),
                           judge_number(j, usual[0] / usual[1], 3))
            : "";
    if (n == 0 && markets[0] == '\0') {
        nothing(j, what, "no seller of the catalog lists both GPUs on demand");
        return true;
    }
    bool shared = n > 0;
    if (!shared) cases[n++] = (RatioCase){usual[0] / usual[1], NULL, NULL, "median of either market"};
    summarize(j, cases, n, "price");
    j->answer.bound_by = "prices";
    j->answer.arithmetic = arena_printf(
        j->arena, "%s: %s%s; %s claimed", what,
        shared ? arena_printf(j->arena, "at %s of both %s", counted(j->arena, n, "seller"), spread_words(j))
               : "no seller has both",
        markets, claimed_words(j));
    settle(j, cases, shared ? "seller" : "pair of medians");
    return true;
}

// Dollars a token: the usual price of either GPU over its rate at every load that was measured on both.
static bool judge_costs(Judge *j) {
    RatioCase *cases = arena_alloc(j->arena, j->ask->n_measured + 1, sizeof *cases);
    size_t n = judge_pairs(j, COMPARED_SERVING, cases), sellers;
    double a = judge_usual_price(j, j->ask->gpu, &sellers),
           b = judge_usual_price(j, j->ask->against, &sellers);
    const char *what = arena_printf(j->arena, "%s, dollars a token", sides_words(j));
    j->answer.unit = "times the cost";
    if (n == 0 || !is_known(a / b)) {
        nothing(j, what,
                n == 0 ? "no load was measured on both"
                       : "one of them has no price on demand in the catalog");
        return true;
    }
    for (size_t i = 0; i < n; i++)
        cases[i].ratio = a * cases[i].a->gpu_count / (b * cases[i].b->gpu_count) / cases[i].ratio;
    summarize(j, cases, n, "measured");
    group(j, cases, n);
    j->answer.bound_by = "measurements";
    j->answer.arithmetic =
        arena_printf(j->arena,
                     "%s: %s and %s a GPU-hour (median of the sellers, on demand) over the tokens/s of %s "
                     "measured on both (%s): %s; %s claimed",
                     what, judge_money(j, a), judge_money(j, b), counted(j->arena, n, "load"), load_text,
                     spread_words(j), claimed_words(j));
    settle(j, cases, "load");
    return true;
}

static double all_reduce_of(const Judge *j, const Gpu *gpu, double gpus) {
    for (size_t i = 0; i < j->ask->n_healthy; i++) {
        const HealthyGpu *h = &j->ask->healthy[i];
        if (strcmp(h->sku_id, gpu->sku_id) == 0 && strcmp(h->test, "all-reduce-large") == 0 &&
            (!is_known(gpus) || h->gpu_count == gpus))
            return h->median_gb_s;
    }
    return (double)NAN;
}

// Bus bandwidth of a large all-reduce; where one side was not measured, what the links of a datasheet give
// each GPU towards the others.
static bool judge_all_reduce(Judge *j) {
    const Gpu *gpus[2] = {j->ask->gpu, j->ask->against};
    double n = is_known(j->row->gpus) ? j->row->gpus : NODE_GPUS, run[2], link[2];
    const char *words[2];
    for (int i = 0; i < 2; i++) {
        run[i] = all_reduce_of(j, gpus[i], j->row->gpus);
        link[i] = gpu_link_bytes_s(gpus[i], (int)n) / 1e9;
        words[i] = arena_printf(j->arena, "%s: %s, links %s GB/s in one direction", gpus[i]->name,
                                is_known(run[i])
                                    ? arena_printf(j->arena, "%s GB/s measured", judge_number(j, run[i], 4))
                                    : "not measured",
                                judge_number(j, link[i], 4));
    }
    bool measured = is_known(run[0] / run[1]);
    double ratio = measured ? run[0] / run[1] : link[0] / link[1];
    const char *what = arena_printf(j->arena, "bus bandwidth of a large all-reduce of %.0f GPUs. %s; %s", n,
                                    words[0], words[1]);
    j->answer.unit = "times the bandwidth";
    j->answer.sources = arena_printf(j->arena, "%s; %s", gpus[0]->source, gpus[1]->source);
    if (!is_known(ratio)) {
        nothing(j, what, "the links of one of them are not known");
        return true;
    }
    RatioCase one = {ratio, NULL, NULL, ""};
    summarize(j, &one, 1, measured ? "measured" : "datasheet");
    j->answer.bound_by = measured ? "measurements" : "datasheet";
    j->answer.arithmetic =
        arena_printf(j->arena, "%s; %s over each other %s; %s claimed", what, measured ? "measured" : "links",
                     judge_number(j, ratio, 3), claimed_words(j));
    if (measured) settle(j, &one, "pair");
    if (!measured)
        judge_condition(j, "only on the word of whoever says so: no all-reduce was measured on both, and "
                           "libraries reach different shares of a link; `gpuadvise bench` measures yours");
    return true;
}

// Memory is what the datasheets say: there is nothing else that it could be.
static bool judge_memory(Judge *j) {
    const Gpu *a = j->ask->gpu, *b = j->ask->against;
    double n = is_known(j->row->gpus) ? j->row->gpus : 1,
           m = is_known(j->row->against_gpus) ? j->row->against_gpus : n;
    RatioCase one = {n * gpu_usable_bytes(a) / (m * gpu_usable_bytes(b)), NULL, NULL, ""};
    j->answer.unit = "times the memory";
    j->answer.bound_by = "datasheet";
    j->answer.sources = arena_printf(j->arena, "%s; %s", a->source, b->source);
    summarize(j, &one, 1, "datasheet");
    j->answer.arithmetic = arena_printf(j->arena, "%.0f x %s GB of %s / %.0f x %s GB of %s = %s; %s claimed",
                                        n, judge_number(j, gpu_usable_bytes(a) / 1e9, 4), a->name, m,
                                        judge_number(j, gpu_usable_bytes(b) / 1e9, 4), b->name,
                                        judge_number(j, one.ratio, 3), claimed_words(j));
    j->answer.verdict = j->answer.ratios.agree > 0 ? CLAIM_PLAUSIBLE : CLAIM_IMPOSSIBLE;
    return true;
}

// ---------------------------------------------------------------- all of them

static bool is_measured_engine(const Judge *j, const char *engine) {
    size_t i = 0;
    while (i < j->ask->n_measured && strcmp(j->ask->measured[i].engine, engine) != 0) i++;
    return engine[0] == '\0' || i < j->ask->n_measured;
}

static bool is_of_one_thing(const Judge *j) {
    const PublicClaim *c = j->row;
    bool engine = c->against_engine[0] == '\0' || strcmp(c->engine, c->against_engine) == 0;
    bool gpu = j->ask->against == NULL || j->ask->against == j->ask->gpu;
    return engine && gpu && (!is_known(c->against_gpus) || c->against_gpus == c->gpus);
}

static bool states_enough(const Judge *j, Compared compares, Err *e) {
    const PublicClaim *c = j->row;
    const ClaimAsk *ask = j->ask;
    bool runs = compares == COMPARED_SERVING || compares == COMPARED_TRAINING,
         loads = compares == COMPARED_SERVING || compares == COMPARED_COST;
    bool gpus = ask->gpu != NULL && ask->against != NULL;
    if (!is_known(c->claimed_low) && !is_known(c->claimed_high))
        return err_set(e, ERR_USAGE, "a claim of a ratio states claimed_low, claimed_high or both");
    if (c->claimed_low > c->claimed_high) return err_set(e, ERR_USAGE, "claimed_low is over claimed_high");
    if (!gpus && !(runs && ask->against == NULL && c->engine[0] != '\0' && c->against_engine[0] != '\0'))
        return err_set(
            e, ERR_USAGE,
            "a claim of a ratio names gpu and against_gpu, or, of runs, engine and against_engine");
    if (!is_known(c->gpus) && is_known(c->against_gpus))
        return err_set(e, ERR_USAGE, "against_gpus says nothing without gpus");
    if (is_of_one_thing(j))
        return err_set(e, ERR_USAGE, "a claim of a ratio has two sides, and both are the same here");
    const char *useless = !loads && (is_known(c->batch) || is_known(c->isl_tokens) || is_known(c->osl_tokens))
                              ? "batch, isl_tokens and osl_tokens are"
                          : !runs && !loads &&
                                  (ask->model != NULL || c->weights != DTYPE_UNKNOWN ||
                                   c->engine[0] != '\0' || c->against_engine[0] != '\0')
                              ? "model, weights and engines are"
                          : compares == COMPARED_PRICE && is_known(c->gpus)              ? "gpus is"
                          : compares == COMPARED_ALL_REDUCE && is_known(c->against_gpus) ? "against_gpus is"
                                                                                         : "";
    if (useless[0] != '\0')
        return err_set(e, ERR_USAGE, "%s of no use in a ratio of '%s'", useless, compared_names[compares]);
    const char *engines[] = {c->engine, c->against_engine};
    for (size_t i = 0; i < COUNT_OF(engines); i++) {
        if (j->ask->n_measured > 0 && !is_measured_engine(j, engines[i]))
            return err_set(e, ERR_USAGE, "no measurement of the catalog is of an engine '%.60s'", engines[i]);
    }
    return true;
}

bool judge_compared(Judge *j, Err *e) {
    const PublicClaim *c = j->row;
    Compared compares = c->compares == COMPARED_UNKNOWN ? COMPARED_SERVING : c->compares;
    if (!states_enough(j, compares, e)) return false;
    ClaimAnswer *x = &j->answer;
    x->ratios.claimed_low = c->claimed_low, x->ratios.claimed_high = c->claimed_high;
    x->claimed = !is_known(c->claimed_low)    ? c->claimed_high
                 : !is_known(c->claimed_high) ? c->claimed_low
                                              : sqrt(c->claimed_low * c->claimed_high);
    bool done = false;
    switch (compares) {
    case COMPARED_UNKNOWN:
    case COMPARED_COUNT:
    case COMPARED_SERVING:
    case COMPARED_TRAINING: done = judge_runs(j, compares); break;
    case COMPARED_COST: done = judge_costs(j); break;
    case COMPARED_PRICE: done = judge_priced(j); break;
    case COMPARED_ALL_REDUCE: done = judge_all_reduce(j); break;
    case COMPARED_MEMORY: done = judge_memory(j); break;
    }
    judge_settle(j);
    return done;
}
