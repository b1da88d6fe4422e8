// Token serving: which configurations of a GPU work, what each costs under the load on whole instances.
#include <math.h>
#include <string.h>

#include "src/advise/search.h"

// A configuration of one replica that works, with the largest concurrency that keeps the limits.
typedef struct Config {
    Serving serving;
    double capacity;
} Config;

typedef struct Configs {
    Config *items;
    size_t n, size;
} Configs;

enum { CONFIGS_MAX = 512, TP_MAX = 16, PP_MAX = 4 };

static double limit_s(double ms) { return ms / 1000; }

static void try_config(const Facts *f, const Ask *ask, const ServingWant *want, Arena *a, Advice *advice, Configs *out) {
    Serving s;
    ServeStatus status = serving_resolve(f, want, &s);
    double capacity = 0;
    if (status == SERVE_OK) {
        capacity = serving_capacity(&s, limit_s(ask->workload.ttft_p99_ms), limit_s(ask->workload.tpot_ms));
        if (capacity < 1) status = SERVE_NO_SLO;
    }
    if (status != SERVE_OK) {
        if (exclude(advice, "layouts", serve_status_names[status])) {
            exclude_example(advice, arena_printf(a, "%s, %s, TP%d PP%d, %s", want->gpu->sku_id, want->engine, want->layout.tp, want->layout.pp, dtype_names[want->weights]));
        }
        return;
    }
    if (out->n < out->size) out->items[out->n++] = (Config){s, capacity};
}

// Experimental support counts only where the user names the engine.
static bool engine_runs(const Facts *f, const Ask *ask, const Gpu *g, const char *engine) {
    const EngineSupport *support = engine_support(f, g, engine);
    if (support == NULL || support->status == SUPPORT_NONE) return false;
    return support->status != SUPPORT_EXPERIMENTAL || ask->engine[0] != '\0';
}

// The dtypes named in a list of words.
static size_t dtypes_of(const char *list, Dtype out[DTYPE_COUNT]) {
    size_t n = 0;
    for (int d = DTYPE_FP64; d < DTYPE_COUNT; d++) {
        if (word_in(list, dtype_names[d])) out[n++] = (Dtype)d;
    }
    return n;
}

static void all_configs(const Facts *f, const Ask *ask, const Gpu *g, double gpus_max, Arena *a, Advice *advice, Configs *out) {
    Dtype weights[DTYPE_COUNT], kv[DTYPE_COUNT];
    size_t n_weights = dtypes_of(ask->workload.weights, weights);
    size_t n_kv = dtypes_of(ask->workload.kv, kv);
    out->n = 0;
    for (size_t e = 0; e < f->n_engine_limits; e++) {
        const char *engine = f->engine_limits[e].engine;
        if (ask->engine[0] != '\0' && strcmp(ask->engine, engine) != 0) continue;
        if (!engine_runs(f, ask, g, engine)) {
            if (exclude(advice, "engines", serve_status_names[SERVE_NO_ENGINE])) exclude_example(advice, arena_printf(a, "%s on %s", engine, g->sku_id));
            continue;
        }
        for (int tp = 1; tp <= TP_MAX; tp *= 2) {
            for (int pp = 1; pp <= PP_MAX && tp * pp <= gpus_max; pp *= 2) {
                for (size_t w = 0; w < n_weights * n_kv; w++) {
                    ServingWant want = {g, ask->model, engine, {tp, pp, 1, 1}, weights[w / n_kv], kv[w % n_kv], ask->workload.isl_tokens, ask->workload.osl_tokens};
                    try_config(f, ask, &want, a, advice, out);
                }
            }
        }
    }
}

// ---------------------------------------------------------------- load

// A configuration on `instances` instances of `gpus` GPUs each, under the whole load.
typedef struct Loaded {
    const Config *config;
    int instances, replicas;
    Point point;
    double concurrency, output_tokens_s, total_tokens_s;
} Loaded;

static bool fits_limits(const Workload *w, const Point *p) {
    return !(p->ttft_p99_s * 1000 > w->ttft_p99_ms) && !(p->tpot_p99_s * 1000 > w->tpot_ms);
}

static bool load_at_rate(const Facts *f, const Workload *w, int per_instance, int instances_max, Loaded *l) {
    const Serving *s = &l->config->serving;
    double utilisation = constant_of(f, "utilisation_max");
    double best = serving_at(s, l->config->capacity).output_tokens_s / s->osl * utilisation;
    for (double n = ceil(w->rate_rps / (per_instance * best)); n <= instances_max; n = ceil(n * 1.1)) {
        double replicas = per_instance * n;
        if (!serving_at_rate(s, w->rate_rps / replicas, utilisation, &l->point) || !fits_limits(w, &l->point)) continue;
        l->instances = (int)n;
        l->replicas = (int)replicas;
        l->concurrency = l->point.concurrency * replicas;
        l->output_tokens_s = l->point.output_tokens_s * replicas;
        l->total_tokens_s = l->point.total_tokens_s * replicas;
        return true;
    }
    return false;
}

static bool load_in_flight(const Workload *w, int per_instance, int instances_max, Loaded *l) {
    const Serving *s = &l->config->serving;
    double capacity = l->config->capacity;
    double wanted = is_known(w->concurrency) ? w->concurrency : capacity * per_instance;
    double instances = ceil(wanted / (per_instance * capacity));
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

static bool put_load(const Facts *f, const Ask *ask, const Config *c, int gpus, Loaded *ret) {
    enum { INSTANCES_MAX = 4096 };
    int per_instance = gpus / (c->serving.layout.tp * c->serving.layout.pp);
    if (per_instance < 1) return false;
    int instances_max = is_known(ask->gpus_max) ? (int)fmin(ask->gpus_max / gpus, INSTANCES_MAX) : INSTANCES_MAX;
    *ret = (Loaded){.config = c};
    if (is_known(ask->workload.rate_rps)) return load_at_rate(f, &ask->workload, per_instance, instances_max, ret);
    return load_in_flight(&ask->workload, per_instance, instances_max, ret);
}

// Tokens per rented instance: what a dollar buys, the price being the same for all layouts of an offer.
static double yield(const Loaded *l) { return l->output_tokens_s / l->instances; }

static bool better(const Loaded *a, const Loaded *b) {
    enum { NOTICEABLE = 1000 };  // one part in a thousand: below that the surer estimate is preferred
    double difference = (yield(a) - yield(b)) * NOTICEABLE;
    if (difference > yield(b)) return true;
    if (difference < -yield(b)) return false;
    if (a->config->serving.sigma_log != b->config->serving.sigma_log) return a->config->serving.sigma_log < b->config->serving.sigma_log;
    return a->point.tpot_s < b->point.tpot_s;
}

// ---------------------------------------------------------------- options

static Estimate of(const Option *o, double value, double sigma) { return estimate_of(value, sigma, o->basis, o->sources); }

static void fill_times(const Facts *f, Option *o) {
    const Serving *s = &o->serving;
    double extra = constant_of(f, "sigma_ttft");
    double tail = constant_of(f, "sigma_tail");
    double ttft = sqrt(s->sigma_log * s->sigma_log + extra * extra);
    o->ttft_p50_ms = of(o, o->point.ttft_s * 1000, ttft);
    o->ttft_p99_ms = of(o, o->point.ttft_p99_s * 1000, sqrt(ttft * ttft + tail * tail));
    o->tpot_ms = of(o, o->point.tpot_s * 1000, s->sigma_log);
    o->tokens_s_user = of(o, 1 / o->point.tpot_s, s->sigma_log);
}

static void fill_money(const Ask *ask, const Loaded *l, Option *o) {
    const Serving *s = &o->serving;
    double duty = is_known(ask->workload.duty_cycle) ? ask->workload.duty_cycle : 1;
    double usd_h = o->price_usd_h / duty;
    double prefill_share = fmin(o->point.item_s[TIME_PREFILL] * s->osl / o->point.e2e_s, 1);
    double input_s = l->total_tokens_s - l->output_tokens_s;
    double saturated = serving_at(s, l->config->capacity).output_tokens_s * o->replicas;
    o->output_usd_mtok = of(o, usd_per_mtok(usd_h, l->output_tokens_s), s->sigma_log);
    o->blended_usd_mtok = of(o, usd_per_mtok(usd_h, l->total_tokens_s), s->sigma_log);
    o->input_usd_mtok = of(o, usd_per_mtok(usd_h * prefill_share, input_s), s->sigma_log);
    o->saturated_output_usd_mtok = of(o, usd_per_mtok(o->price_usd_h, saturated), s->sigma_log);
    o->cost = o->output_usd_mtok.value;
    o->sigma_log = s->sigma_log;
}

static void fill_option(const Facts *f, const Ask *ask, const Gpu *g, const Offer *offer, const Loaded *l, const char *sources, Option *o) {
    const Serving *s = &l->config->serving;
    *o = (Option){.gpu = g, .offer = offer, .instances = l->instances, .replicas = l->replicas, .layout = s->layout, .serving = *s, .engine = s->engine,
                  .weights = s->weights, .kv = s->kv, .basis = s->basis, .sources = sources, .point = l->point};
    clear_estimates(o);
    o->gpu_count = (int)offer->gpu_count * l->instances;
    o->concurrency = l->concurrency;
    o->price_usd_h = offer_price_usd_h(ask, offer) * l->instances;
    o->price_usd_gpu_h = o->price_usd_h / o->gpu_count;
    double cache = l->point.running * s->cache_bytes_per_seq;
    o->memory_used_pct = 100 * (s->weight_bytes + s->workspace_bytes + cache) / s->usable_bytes;
    o->output_tokens_s = of(o, l->output_tokens_s, s->sigma_log);
    o->output_tokens_s_gpu = of(o, l->output_tokens_s / o->gpu_count, s->sigma_log);
    if (is_known(ask->workload.rate_rps)) {  // nobody can be served more than is asked for
        o->output_tokens_s.high = l->output_tokens_s;
        o->output_tokens_s_gpu.high = l->output_tokens_s / o->gpu_count;
    }
    fill_times(f, o);
    fill_money(ask, l, o);
}

// Offers of one GPU and one instance size share their performance: it is worked out once, the cheapest offer of each
// provider then becomes an option (with `pareto`: one for each layout).
static size_t group_options(const Facts *f, const Ask *ask, const Gpu *g, const Offer **group, size_t n, const Configs *configs, Arena *a, Advice *advice, Option *out) {
    Loaded loads[CONFIGS_MAX];
    size_t n_loads = 0;
    for (size_t c = 0; c < configs->n; c++) {
        Loaded l;
        if (!put_load(f, ask, &configs->items[c], (int)group[0]->gpu_count, &l)) continue;
        if (ask->pareto) {
            loads[n_loads++] = l;
        } else if (n_loads == 0 || better(&l, &loads[0])) {
            loads[0] = l;
            n_loads = 1;
        }
    }
    if (n_loads == 0 && configs->n > 0 && exclude(advice, "offers", "instance too small, or more GPUs needed than allowed")) {
        exclude_example(advice, arena_printf(a, "%s x%g", g->sku_id, group[0]->gpu_count));
    }
    const char *sources[CONFIGS_MAX];
    for (size_t k = 0; k < n_loads; k++) sources[k] = serving_sources(&loads[k].config->serving, a);
    size_t made = 0;
    for (size_t i = 0; i < n && n_loads > 0; i++) {
        size_t earlier = 0;
        while (earlier < i && strcmp(group[earlier]->provider, group[i]->provider) != 0) earlier++;
        if (earlier < i) {
            exclude_dearer(advice, group[i], a);
            continue;
        }
        for (size_t k = 0; k < n_loads; k++) fill_option(f, ask, g, group[i], &loads[k], sources[k], &out[made++]);
    }
    return made;
}

static const Gpu *gpu_named(const Facts *f, const char *sku_id) {
    size_t i = 0;
    while (strcmp(f->gpus[i].sku_id, sku_id) != 0) i++;  // usable_offers keeps only offers of known GPUs
    return &f->gpus[i];
}

Option *serving_options(const Facts *f, const Ask *ask, const Offer **offers, size_t n_offers, Arena *a, Advice *advice, size_t *ret_n) {
    enum { PARETO_LAYOUTS = 64 };
    Configs configs = {arena_alloc(a, CONFIGS_MAX, sizeof(Config)), 0, ask->pareto ? PARETO_LAYOUTS : CONFIGS_MAX};
    Option *options = arena_alloc(a, n_offers * (ask->pareto ? PARETO_LAYOUTS : 1) + 1, sizeof *options);
    size_t n = 0;
    for (size_t i = 0, next = 0; i < n_offers; i = next) {
        const Gpu *g = gpu_named(f, offers[i]->sku_id);
        size_t same_gpu = i;
        while (same_gpu < n_offers && strcmp(offers[same_gpu]->sku_id, g->sku_id) == 0) same_gpu++;
        all_configs(f, ask, g, offers[same_gpu - 1]->gpu_count, a, advice, &configs);
        for (next = i; next < same_gpu;) {
            size_t end = next;
            while (end < same_gpu && offers[end]->gpu_count == offers[next]->gpu_count) end++;
            n += group_options(f, ask, g, offers + next, end - next, &configs, a, advice, options + n);
            next = end;
        }
    }
    *ret_n = n;
    return options;
}
