// Token serving: what configurations cost under the load on whole instances.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/advise/loaded.h"
#include "src/advise/prices.h"
#include "src/perf/engines.h"
#include "src/perf/posterior.h"

// ---------------------------------------------------------------- load

static bool fits_limits(const Workload *w, const Point *p) {
    return !(p->ttft_p99_s * 1000 > w->ttft_p99_ms) && !(p->tpot_p99_s * 1000 > w->tpot_ms);
}

static bool load_at_rate(const Facts *f, const Workload *w, int per_instance, int instances_min,
                         int instances_max, Loaded *l) {
    const Serving *s = &l->config->serving;
    double utilisation = constant_of(f, CONSTANT_UTILISATION_MAX);
    for (double n = fmax(ceil(w->rate_rps / (per_instance * l->config->most_rps)), instances_min);
         n <= instances_max; n = ceil(n * 1.1)) {
        double replicas = per_instance * n;
        if (!serving_at_rate(s, w->rate_rps / replicas, utilisation, &l->point) || !fits_limits(w, &l->point))
            continue;
        l->instances = (int)n;
        l->replicas = (int)replicas;
        l->concurrency = l->point.concurrency * replicas;
        l->output_tokens_s = l->point.output_tokens_s * replicas;
        l->total_tokens_s = l->point.total_tokens_s * replicas;
        return true;
    }
    return false;
}

// `most`: in flight on all replicas together, where no number is asked for.
static bool load_in_flight(const Workload *w, int per_instance, int instances_min, int instances_max,
                           double most, Loaded *l) {
    const Serving *s = &l->config->serving;
    double capacity = l->config->capacity;
    double wanted =
        is_known(w->concurrency) ? w->concurrency : fmin(capacity * per_instance * instances_min, most);
    double instances = fmax(ceil(wanted / (per_instance * capacity)), instances_min);
    if (instances > instances_max) return false;
    l->instances = (int)instances;
    l->replicas = per_instance * l->instances;
    // Fewer requests than replicas: some replicas stand idle, the others run one each.
    l->point = serving_at(s, fmax(wanted / l->replicas, 1));
    l->concurrency = wanted;
    l->output_tokens_s = wanted * s->osl / l->point.e2e_s;
    l->total_tokens_s = wanted * (s->isl + s->osl) / l->point.e2e_s;
    return true;
}

// Sessions at once: whole instances for all that are asked for, each with no more than give it most.
static bool load_sessions(const Facts *f, const Ask *ask, int per_instance, int instances_min,
                          int instances_max, Arena *a, Loaded *l) {
    double capacity = l->config->capacity;
    double wanted = ask->sessions > 0 ? ask->sessions : capacity * per_instance * instances_min;
    double instances = fmax(ceil(wanted / (per_instance * capacity)), instances_min);
    if (instances > instances_max) return false;
    l->instances = (int)instances;
    l->replicas = per_instance * l->instances;
    double each = fmax(wanted / l->replicas, 1), busy = wanted / each;
    l->sessions = wanted;
    l->session = sessions_point(f, ask, &l->config->serving, each, l->replicas, ROUTING_CACHE_AWARE);
    l->point = l->session.point;
    l->concurrency = l->point.concurrency * busy;
    l->output_tokens_s = l->point.output_tokens_s * busy;
    l->total_tokens_s = l->point.total_tokens_s * busy;
    Serving *s = arena_alloc(a, 1, sizeof *s);
    *s = l->config->serving;
    s->cached_share = l->session.hit;
    s->sigma_log = fmax(s->sigma_log, constant_of(f, CONSTANT_SIGMA_SESSIONS));
    s->basis = BASIS_EXTRAPOLATED;
    l->serving = s;
    return true;
}

// A public measurement of the very same goes before the estimate, but for the user's own GPU's. False: by it
// the limits are missed.
static bool take_published(const Facts *f, const Workload *w, Loaded *l, Arena *a) {
    if (f->n_published == 0 || l->serving->basis == BASIS_MEASURED) return true;
    Published p = published_of(f, l->serving, l->replicas, l->concurrency, a);
    if (p.n == 0) return true;
    Serving *s = arena_alloc(a, 1, sizeof *s);
    *s = *l->serving;
    double was = l->point.output_tokens_s;
    use_published(f, &p, l->replicas, s, &l->point);
    l->output_tokens_s *= l->point.output_tokens_s / was;
    l->total_tokens_s *= l->point.output_tokens_s / was;
    l->serving = s;
    l->published = p;
    return fits_limits(w, &l->point);
}

// A load that its engine was not measured at is out, unless the user names the engine: then it is
// extrapolated.
static bool keep_to_reach(const Facts *f, const Ask *ask, Arena *a, Loaded *l) {
    if (in_reach(&l->config->reach, l->point.running, l->concurrency)) return true;
    if (bound_by_reach(ask)) return false;
    Serving *s = arena_alloc(a, 1, sizeof *s);
    *s = *l->serving;
    go_beyond_reach(f, s);
    l->serving = s;
    return true;
}

// Requests at a rate give every option the same tokens: with more instances than this another one is neither
// chosen before `rival` nor where machines are too few for that one.
static double instances_worth(const Loaded *rival, const Config *c) {
    static const double CLOSE = 1.002;  // as near as `better` takes for equal, and a little
    double surer =
        rival->serving->sigma_log * rival->serving->sigma_log - c->serving.sigma_log * c->serving.sigma_log;
    return rival->instances * fmax(exp(surer / 2) * CLOSE, 1);
}

// Range and basis as runs of the user's own leave them at this load.
static void take_own(const Facts *f, Arena *a, Loaded *l) {
    if (l->serving->own == NULL) return;
    Serving *s = arena_alloc(a, 1, sizeof *s);
    *s = *l->serving;
    posterior_at(f, l->point.running, s);
    l->serving = s;
}

// `rival`: the best load so far of the same GPU and instance size, where only the best is wanted; NULL: none.
static bool put_load(const Facts *f, const Ask *ask, const Config *c, int gpus, const Loaded *rival, Arena *a,
                     Loaded *ret) {
    enum { INSTANCES_MAX = 4096 };
    const Layout *l = &c->serving.layout;
    int per_instance = gpus / (l->tp * l->pp * l->dp) * l->dp;
    if (per_instance < 1 || !carries_load(ask, &c->reach)) return false;
    int instances_max =
        is_known(ask->gpus_max) ? (int)fmin(ask->gpus_max / gpus, INSTANCES_MAX) : INSTANCES_MAX;
    int instances_min = 1;
    if (is_known(ask->fleet)) instances_min = instances_max = (int)(ask->fleet / gpus);
    *ret = (Loaded){.config = c, .serving = &c->serving};
    const Workload *w = &ask->workload;
    if (is_known(w->rate_rps) && rival != NULL)
        instances_max = (int)fmin(instances_max, instances_worth(rival, c));
    if (!is_known(w->rate_rps) && in_sessions(ask))
        return load_sessions(f, ask, per_instance, instances_min, instances_max, a, ret) &&
               keep_to_reach(f, ask, a, ret);
    double most = bound_by_reach(ask) && c->reach.most <= LOAD_FEW ? LOAD_FEW : (double)INFINITY;
    bool carried = is_known(w->rate_rps)
                       ? load_at_rate(f, w, per_instance, instances_min, instances_max, ret)
                       : load_in_flight(w, per_instance, instances_min, instances_max, most, ret);
    if (!carried) return false;
    take_own(f, a, ret);
    return (is_known(w->rate_rps) || take_published(f, w, ret, a)) && keep_to_reach(f, ask, a, ret);
}

// Tokens per rented instance: what a dollar buys, the price being the same for all layouts of an offer. A
// doubtful estimate counts for less: the mean of a log-normal cost lies above its median by sigma^2 / 2.
static double yield(const Loaded *l) {
    double sigma = l->serving->sigma_log;
    return l->output_tokens_s / l->instances * exp(-sigma * sigma / 2);
}

static bool better(const Loaded *a, const Loaded *b) {
    enum { NOTICEABLE = 1000 };  // one part in a thousand: below that the surer estimate is preferred
    double difference = (yield(a) - yield(b)) * NOTICEABLE;
    if (difference > yield(b)) return true;
    if (difference < -yield(b)) return false;
    if (a->serving->sigma_log != b->serving->sigma_log) return a->serving->sigma_log < b->serving->sigma_log;
    return a->point.tpot_s < b->point.tpot_s;
}

// ---------------------------------------------------------------- options

static int most_yield_first(const void *left, const void *right) {
    const Loaded *a = left;
    const Loaded *b = right;
    if (yield(a) != yield(b)) return yield(a) > yield(b) ? -1 : 1;
    if (a->point.tpot_s != b->point.tpot_s) return a->point.tpot_s < b->point.tpot_s ? -1 : 1;
    double sigma = a->serving->sigma_log - b->serving->sigma_log;
    return sigma != 0 ? (sigma > 0) - (sigma < 0) : (a->config > b->config) - (a->config < b->config);
}

// The layouts worth showing of those in `loads` that take no more than `most` instances: the best, or with
// `pareto` all that no other beats in yield and TPOT. ret: room for n.
static size_t keep_best(const Ask *ask, const Loaded *loads, size_t n, double most, Loaded *ret) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (loads[i].instances > most) continue;
        if (ask->pareto || kept == 0 || better(&loads[i], &ret[0]))
            ret[ask->pareto ? kept : 0] = loads[i], kept = ask->pareto ? kept + 1 : 1;
    }
    if (!ask->pareto || kept == 0) return kept;
    qsort(ret, kept, sizeof *ret, most_yield_first);
    size_t best = 1;
    for (size_t i = 1; i < kept; i++) {
        if (ret[i].point.tpot_s < ret[best - 1].point.tpot_s) ret[best++] = ret[i];
    }
    return best;
}

// Nobody reads them where another load's verdict alone is asked for.
static const char *load_sources(const Ask *ask, const Loaded *l, Arena *a) {
    if (ask->memo != NULL) return "";
    const char *estimate = serving_sources(&l->config->serving, a);
    return l->published.n > 0 ? arena_printf(a, "%s; %s", l->published.sources, estimate) : estimate;
}

typedef struct Options {
    Option *items;
    size_t n, size;
    Arena *arena;
    Loaded *loads, *best;  // room for all configurations of one GPU
} Options;

static Option *next_option(Options *o) {
    if (o->n == o->size) {
        Option *larger = arena_alloc(o->arena, o->size * 2, sizeof *larger);
        memcpy(larger, o->items, o->n * sizeof *larger);
        o->items = larger;
        o->size *= 2;
    }
    return &o->items[o->n++];
}

// An offer of the same provider and class of seller became an option already.
static bool served_before(const Facts *f, const Offer *const *served, size_t n, const Offer *o) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(served[i]->provider, o->provider) == 0 && offer_seller(f, served[i]) == offer_seller(f, o))
            return true;
    }
    return false;
}

static bool no_engine_carries(const Ask *ask, const Configs *configs) {
    for (size_t c = 0; c < configs->n; c++) {
        if (carries_load(ask, &configs->items[c].reach)) return false;
    }
    return true;
}

// Offers of one GPU and one instance size share their performance: it is worked out once, the cheapest offer
// of each provider and class of seller that has machines enough then becomes an option (with `pareto`: one
// for each layout).
static void group_options(const Facts *f, const Ask *ask, const Gpu *g, const Offer **group, size_t n,
                          const Configs *configs, Advice *advice, Options *out) {
    Arena *a = out->arena;
    Loaded *loads = out->loads;
    size_t n_loads = 0;
    bool hungry = false;
    const Loaded *rival = NULL;
    for (size_t c = 0; c < configs->n; c++) {
        Loaded *l = &loads[n_loads];
        if (!put_load(f, ask, &configs->items[c], (int)group[0]->gpu_count, rival, a, l)) continue;
        bool over = over_site(f, ask, g, group[0]->gpu_count * l->instances);
        hungry = hungry || over;
        n_loads += !over;
        if (!over && !ask->pareto && (rival == NULL || better(l, rival))) rival = l;
    }
    for (size_t i = 0; i < n && n_loads == 0; i++) {
        const char *why = configs->n == 0 ? "no layout of the model works on the GPU"
                          : hungry        ? over_site_reason
                          : no_engine_carries(ask, configs)
                              ? "no engine was measured with that many requests in flight"
                              : "instance too small, or more GPUs needed than allowed";
        if (exclude(advice, "offers", why))
            exclude_example(advice, arena_printf(a, "%s x%g", g->sku_id, group[i]->gpu_count));
    }
    const Offer **served = arena_alloc(a, n + 1, sizeof *served);
    size_t n_served = 0;
    for (size_t i = 0; i < n && n_loads > 0; i++) {
        if (served_before(f, served, n_served, group[i])) {
            exclude_dearer(advice, group[i], a);
            continue;
        }
        bool assumed = false;
        Loaded *best = out->best;
        size_t n_best = keep_best(ask, loads, n_loads, offer_instances_most(f, group[i], &assumed), best);
        if (n_best == 0) {
            exclude_short(advice, group[i], assumed, a);
            continue;
        }
        served[n_served++] = group[i];
        for (size_t k = 0; k < n_best; k++)
            fill_option(f, ask, g, group[i], &best[k], load_sources(ask, &best[k], a), next_option(out));
    }
}

// `f` with no other public measurements than those on a GPU at the workload's lengths: they are asked for
// each layout and size.
static Facts measured_on(const Facts *f, const Ask *ask, const Gpu *g, Arena *a) {
    Facts own = *f;
    Measurement *rows = NULL;
    own.n_published = 0;
    for (size_t i = 0; i < f->n_published; i++) {
        const Measurement *m = &f->published[i];
        if (strcmp(m->gpu_sku, g->sku_id) != 0 || m->batch_or_concurrency != ask->workload.concurrency)
            continue;
        if (rows == NULL) rows = arena_alloc(a, f->n_published, sizeof *rows);
        rows[own.n_published++] = *m;
    }
    own.published = rows;
    return own;
}

static bool runs_under_cap(const Facts *f, const Ask *ask, const Gpu *g, Advice *advice) {
    advice->judged[g->vendor] += ask->techniques.power_cap_w > 0 && is_known(g->board_power_w);
    if (ask->techniques.power_cap_w == 0 || is_known(capped_clock(f, g, ask->techniques.power_cap_w)))
        return true;
    if (exclude(advice, "GPUs",
                "the power cap is below what it takes without computing, or its power is unknown"))
        exclude_example(advice, g->sku_id);
    return false;
}

Option *serving_options(const Facts *f, const Ask *ask, const Offer **offers, size_t n_offers, Arena *a,
                        Advice *advice, size_t *ret_n) {
    Choices choices = choices_of(f, &ask->workload);
    SearchMemo *memo = advice->memo;
    bool known = memo->has_configs;
    Configs scratch = {.items = known ? NULL : arena_alloc(a, choices.configs_max + 1, sizeof(Config))};
    size_t n_gpus = 0;
    if (!known) memo->configs = arena_alloc(a, f->n_gpus + 1, sizeof *memo->configs);
    enum { OPTIONS_FIRST = 128 };
    Options options = {
        .items = arena_alloc(a, OPTIONS_FIRST, sizeof(Option)), .size = OPTIONS_FIRST, .arena = a};
    options.loads = arena_alloc(a, choices.configs_max + 1, sizeof *options.loads);
    options.best = arena_alloc(a, choices.configs_max + 1, sizeof *options.best);
    for (size_t i = 0, next = 0; i < n_offers; i = next) {
        const Gpu *g = facts_gpu(f, offers[i]->sku_id);
        size_t same_gpu = i;
        while (same_gpu < n_offers && strcmp(offers[same_gpu]->sku_id, g->sku_id) == 0) same_gpu++;
        next = same_gpu;
        if (!runs_under_cap(f, ask, g, advice)) continue;
        Facts own = measured_on(f, ask, g, a);
        count_overloaded(f, ask, g, a, advice);
        Configs *configs = &memo->configs[n_gpus++];
        if (!known) {
            all_configs(f, ask, g, offers[same_gpu - 1]->gpu_count, &choices, a, advice, &scratch);
            *configs =
                (Configs){.items = arena_alloc(a, scratch.n + 1, sizeof *configs->items), .n = scratch.n};
            memcpy(configs->items, scratch.items, scratch.n * sizeof *configs->items);
        }
        for (next = i; next < same_gpu;) {
            size_t end = next;
            while (end < same_gpu && offers[end]->gpu_count == offers[next]->gpu_count) end++;
            group_options(&own, ask, g, offers + next, end - next, configs, advice, &options);
            next = end;
        }
    }
    if (!known) memcpy(memo->judged, advice->judged, sizeof memo->judged);
    memo->has_configs = true;
    memcpy(advice->judged, memo->judged, sizeof memo->judged);
    *ret_n = options.n;
    return options.items;
}
