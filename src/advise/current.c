// What runs today, as an option beside the offers; and in words why it does not do the work asked.
#include <math.h>
#include <string.h>

#include "src/advise/search.h"

static Offer offer_today(const Ask *ask, int gpus, double usd_h, Arena *a) {
    Offer o = offer_given("today", ask->current, gpus, PRICING_ON_DEMAND, (int64_t)(usd_h * 1e6 + 0.5));
    o.instance = ask->current->sku_id;
    o.source = "as given (--current)";
    o.as_of = date_text(a, ask->today);
    return o;
}

// The same work with nothing kept to but what the work itself needs.
static Ask ask_today(const Ask *ask, const Workload *w) {
    Ask alone = *ask;
    alone.memo = NULL;
    alone.workload = *w;
    alone.vendor = -1,
    alone.gpus = alone.without_gpus = alone.providers = alone.without_providers = (Names){.n = 0},
    alone.region = "", alone.current = NULL;
    alone.n_discounts = 0, alone.top = 1, alone.pareto = false, alone.pricing_model = PRICING_ON_DEMAND;
    alone.gpus_max = alone.fleet = alone.site_kw = alone.max_price_usd_gpu_h = alone.max_age_days =
        (double)NAN;
    return alone;
}

// What the offers give for it; `ret` holds the reasons where it is nothing.
static const Option *best_of(const Facts *f, const Ask *alone, const Offer *offers, size_t n, int vendor,
                             Arena *a, Advice *ret) {
    Facts own = *f;
    own.offers = offers;
    own.n_offers = n;
    Ask *kept = arena_alloc(a, 1, sizeof *kept);
    *kept = *alone;
    Err e = {0};
    return advise_search(&own, kept, a, ret, &e) ? ret->best[vendor] : NULL;
}

enum { SIZES = 5 };  // 1, 2, 4, 8, 16 GPUs

// How many GPUs serve it was not said: what the load takes, of instances of any size.
static const Option *any_number(const Facts *f, const Ask *ask, const Workload *w, Arena *a, Advice *ret) {
    Offer *offers = arena_alloc(a, SIZES, sizeof *offers);
    for (int i = 0; i < SIZES; i++)
        offers[i] = offer_today(ask, 1 << i, ask->current_usd_gpu_h * (1 << i), a);
    Ask alone = ask_today(ask, w);
    return best_of(f, &alone, offers, SIZES, ask->current->vendor, a, ret);
}

// Exactly so many GPUs, all of them paid. A serving layout may take any of them: nodes and layouts are powers
// of two, so that none crosses a node without need. Images and texts are worked on by each GPU alone, other
// tasks by whole nodes.
static const Option *this_many(const Facts *f, const Ask *ask, const Workload *w, Arena *a, Advice *ret) {
    int n = (int)ask->current_gpus;
    int size = n <= NODE_GPUS || (serves_tokens(w) && n <= OFFER_GPUS_MAX) ? n
               : kind_of(w)->alone                                         ? 1
                                                                           : NODE_GPUS;
    int instances = n / size;
    Offer *offer = arena_alloc(a, 1, sizeof *offer);
    *offer = offer_today(ask, size, ask->current_usd_gpu_h * n / instances, a);
    Ask alone = ask_today(ask, w);
    alone.fleet = size * instances;
    const Option *found = best_of(f, &alone, offer, 1, ask->current->vendor, a, ret);
    if (found == NULL) return NULL;
    Option *o = arena_alloc(a, 1, sizeof *o);
    *o = *found;
    o->gpu_count = n;
    o->price_usd_gpu_h = o->price_usd_h / n;
    if (size > NODE_GPUS && n % NODE_GPUS == 0) {
        *offer = offer_today(ask, NODE_GPUS, ask->current_usd_gpu_h * NODE_GPUS, a);
        o->instances = n / NODE_GPUS;
    }
    return o;
}

static const Option *today(const Facts *f, const Ask *ask, const Workload *w, Arena *a, Advice *ret) {
    return is_known(ask->current_gpus) ? this_many(f, ask, w, a, ret) : any_number(f, ask, w, a, ret);
}

const Option *current_option(const Facts *f, const Ask *ask, Arena *a) {
    if (ask->current == NULL) return NULL;
    Advice *found = arena_alloc(a, 1, sizeof *found);
    const Option *runs = today(f, ask, &ask->workload, a, found);
    if (runs == NULL) return NULL;
    Option *o = arena_alloc(a, 1, sizeof *o);
    *o = *runs;
    o->today = true;
    return o;
}

// ---------------------------------------------------------------- why not

static const Exclusion *excluded_for(const Advice *advice, const char *reason) {
    for (size_t i = 0; i < advice->n_exclusions; i++) {
        if (strcmp(advice->exclusions[i].reason, reason) == 0) return &advice->exclusions[i];
    }
    return NULL;
}

// The lightest of the weights asked that the GPU has a way to run.
static Dtype lightest(const Facts *f, const Ask *ask) {
    Dtype best = DTYPE_UNKNOWN;
    for (int d = DTYPE_FP64; d < DTYPE_COUNT; d++) {
        if (!word_in(ask->workload.weights, dtype_names[d]) ||
            gpu_precision(f, ask->current, (Dtype)d) == NULL)
            continue;
        if (best == DTYPE_UNKNOWN ||
            model_weight_bytes(ask->model, (Dtype)d) < model_weight_bytes(ask->model, best))
            best = (Dtype)d;
    }
    return best;
}

static const char *too_heavy(const Ask *ask, Dtype weights, double gpus, const char *fleet, Arena *a) {
    double heavy = model_weight_bytes(ask->model, weights) / 1e9;
    double usable = gpus * gpu_usable_bytes(ask->current) / 1e9;
    const char *rest =
        heavy < usable ? ", too little for the engine and the cache of one request besides" : "";
    return arena_printf(a, "%s do not hold %s in %s: weights %.0f GB, usable %.0f GB%s", fleet,
                        ask->model->model_id, dtype_names[weights], heavy, usable, rest);
}

const char *current_unfit(const Facts *f, const Ask *ask, Arena *a) {
    double gpus = is_known(ask->current_gpus) ? ask->current_gpus : 1 << (SIZES - 1);
    const char *fleet = arena_printf(
        a,
        is_known(ask->current_gpus) ? "your %.0f x %s" : "%.0f x %s, the most that were tried as one group,",
        gpus, ask->current->name);
    Advice found;
    Workload w = ask->workload;
    if (serves_tokens(&w)) {
        w.rate_rps = w.concurrency = (double)NAN;
        const Option *o = today(f, ask, &w, a, &found);
        const char *asked = is_known(ask->workload.rate_rps)
                                ? arena_printf(a, "%.4g requests/s", ask->workload.rate_rps)
                                : arena_printf(a, "%.0f", ask->workload.concurrency);
        if (o != NULL)
            return arena_printf(a, "%s carry about %.0f requests in flight within the limits; %s are asked",
                                fleet, o->concurrency, asked);
        w.ttft_p99_ms = w.tpot_ms = (double)NAN;
        w.concurrency = 1;
        o = today(f, ask, &w, a, &found);
        if (o != NULL)
            return arena_printf(a,
                                "%s hold the model but miss the limits with one request in flight: TTFT p99 "
                                "about %.0f ms, TPOT p99 about %.1f ms",
                                fleet, o->ttft_p99_ms.value, 1000 * o->point.tpot_p99_s);
        Dtype weights = lightest(f, ask);
        if (weights != DTYPE_UNKNOWN && excluded_for(&found, serve_status_names[SERVE_NO_MEMORY]) != NULL)
            return too_heavy(ask, weights, gpus, fleet, a);
    } else {
        today(f, ask, &w, a, &found);
    }
    return arena_printf(a, "%s do not do this work: %s", fleet,
                        found.n_exclusions > 0 ? found.exclusions[0].reason : "nothing is known of them");
}
