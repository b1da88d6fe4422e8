// Token serving: which configurations of a GPU work.
#include <math.h>
#include <string.h>

#include "src/advise/loaded.h"
#include "src/perf/engines.h"

// powers of two: up to 16 and 4; 2 to 8 replicas that share experts
enum { TP_STEPS = 5, PP_STEPS = 3, DP_STEPS = 3 };

static double limit_s(double ms) { return ms / 1000; }

// The most that a replica carries within the limits. Where a prefix cache finds a part of the prompts, that part
// depends on what the running requests leave of its capacity: both are found together, at full load.
static double find_capacity(const Facts *f, const Ask *ask, Serving *s) {
    enum { STEPS = 8 };
    double ttft = limit_s(ask->workload.ttft_p99_ms), tpot = limit_s(ask->workload.tpot_ms);
    if (!is_known(ask->workload.rate_rps) && in_sessions(ask)) return sessions_capacity(f, ask, s);
    double capacity = serving_capacity(s, ttft, tpot);
    if (!in_reuse(ask)) return capacity;
    for (int i = 0; i < STEPS; i++) {
        s->cached_share = reuse_share(f, ask, s, capacity);
        capacity = floor((capacity + serving_capacity(s, ttft, tpot)) / 2);
    }
    s->sigma_log = hypot(s->sigma_log, s->cached_share > 0 ? constant_of(f, CONSTANT_SIGMA_PREFIX) : 0);
    return capacity;
}

static void try_config(const Facts *f, const Ask *ask, const ServingWant *want, const EngineReach *reach,
                       Arena *a, Advice *advice, Configs *out) {
    Serving s;
    ServeStatus status = serving_resolve(f, want, &s);
    double capacity = 0;
    if (status == SERVE_OK) {
        capacity = find_capacity(f, ask, &s);
        if (capacity < 1) status = SERVE_NO_SLO;
        if (bound_by_reach(ask)) capacity = fmin(capacity, reach->most);
    }
    advice->judged[want->gpu->vendor] +=
        status == SERVE_OK || status == SERVE_NO_SLO || status == SERVE_NO_MEMORY;
    if (status != SERVE_OK) {
        if (exclude(advice, "layouts", serve_status_names[status])) {
            const char *why = serving_why(f, want, status, a) + strlen(serve_status_names[status]);
            exclude_example(advice,
                            arena_printf(a, "%s, %s, %s, %s%s", want->gpu->sku_id, want->engine,
                                         layout_text(&want->layout, a), dtype_names[want->weights], why));
        }
        return;
    }
    bool at_rate = is_known(ask->workload.rate_rps);
    double most_rps =
        at_rate ? serving_at(&s, capacity).output_tokens_s / s.osl * constant_of(f, CONSTANT_UTILISATION_MAX)
                : (double)NAN;
    out->items[out->n++] = (Config){s, capacity, most_rps, *reach};
}

// Experimental support counts only where the user names the engine.
static bool engine_runs(const Facts *f, const Ask *ask, const Gpu *g, const char *engine) {
    const EngineSupport *support = engine_support(f, g, engine);
    if (support == NULL || support->status == SUPPORT_NONE) return false;
    return support->status != SUPPORT_EXPERIMENTAL || ask->engines.n > 0;
}

// The dtypes named in a list of words.
static size_t dtypes_of(const char *list, Dtype out[DTYPE_COUNT]) {
    size_t n = 0;
    for (int d = DTYPE_FP64; d < DTYPE_COUNT; d++) {
        if (word_in(list, dtype_names[d])) out[n++] = (Dtype)d;
    }
    return n;
}

Choices choices_of(const Facts *f, const Workload *w) {
    Choices c = {0};
    c.n_weights = dtypes_of(w->weights, c.weights);
    c.n_kv = dtypes_of(w->kv, c.kv);
    c.configs_max = f->n_engine_limits * TP_STEPS * (PP_STEPS + DP_STEPS) * c.n_weights * c.n_kv;
    return c;
}

static void layout_configs(const Facts *f, const Ask *ask, const Gpu *g, const char *engine,
                           const EngineReach *reach, Layout layout, const Choices *c, Arena *a,
                           Advice *advice, Configs *out) {
    for (size_t d = 0; d < c->n_weights * c->n_kv; d++) {
        Layout whole = layout_of_blocks(f, g, ask->model, c->weights[d / c->n_kv], layout);
        ServingWant want = {g,
                            ask->model,
                            engine,
                            whole,
                            c->weights[d / c->n_kv],
                            c->kv[d % c->n_kv],
                            ask->workload.isl_tokens,
                            ask->workload.osl_tokens,
                            .techniques = ask->techniques,
                            .memo = &out->memo[c->weights[d / c->n_kv]]};
        try_config(f, ask, &want, reach, a, advice, out);
    }
}

static void engine_configs(const Facts *f, const Ask *ask, const Gpu *g, const EngineLimits *engine,
                           const EngineReach *reach, double gpus_max, const Choices *c, Arena *a,
                           Advice *advice, Configs *out) {
    // Every run that spread experts had fast links between all GPUs.
    bool linked = g->link_topology == LINK_SWITCH || g->link_topology == LINK_MESH;
    bool spreads = linked && model_is_moe(ask->model) && is_known(engine->spread_step_ratio);
    for (int tp = 0; tp < TP_STEPS; tp++) {
        for (int pp = 0; pp < PP_STEPS && 1 << (tp + pp) <= gpus_max; pp++)
            layout_configs(f, ask, g, engine->engine, reach, (Layout){1 << tp, 1 << pp, 1, 1}, c, a, advice,
                           out);
        // Experts over replicas of one node.
        for (int dp = 1; spreads && dp <= DP_STEPS && 1 << (tp + dp) <= fmin(gpus_max, NODE_GPUS); dp++) {
            layout_configs(f, ask, g, engine->engine, reach, (Layout){1 << tp, 1, 1 << (tp + dp), 1 << dp}, c,
                           a, advice, out);
        }
    }
}

// An engine that nobody measured on such GPUs has nothing to say.
static bool was_measured(const Ask *ask, const Gpu *g, const char *engine, const EngineReach *reach, Arena *a,
                         Advice *advice) {
    if (!bound_by_reach(ask) || reach->row != NULL) return true;
    if (exclude(advice, "engines", "not measured on GPUs of this family, nor said to hold there"))
        exclude_example(advice, arena_printf(a, "%s: %s", g->sku_id, reach_words(reach, g, engine, a)));
    return false;
}

// Nor has one that was measured with fewer requests in flight than are asked for.
bool carries_load(const Ask *ask, const EngineReach *reach) {
    double asked = is_known(ask->workload.concurrency) ? ask->workload.concurrency : 1;
    return !bound_by_reach(ask) || in_reach(reach, 1, asked);
}

void count_overloaded(const Facts *f, const Ask *ask, const Gpu *g, Arena *a, Advice *advice) {
    for (size_t e = 0; e < f->n_engine_limits; e++) {
        const char *engine = f->engine_limits[e].engine;
        EngineReach reach = engine_reach(f, g, engine);
        if (reach.row == NULL || carries_load(ask, &reach) || !engine_runs(f, ask, g, engine)) continue;
        if (exclude(advice, "engines",
                    "not measured with that many requests in flight on GPUs of this family"))
            exclude_example(advice, arena_printf(a, "%s: %s", g->sku_id, reach_words(&reach, g, engine, a)));
    }
}

void all_configs(const Facts *f, const Ask *ask, const Gpu *g, double gpus_max, const Choices *c, Arena *a,
                 Advice *advice, Configs *out) {
    out->n = 0;
    for (size_t e = 0; e < f->n_engine_limits; e++) {
        const char *engine = f->engine_limits[e].engine;
        if (ask->engines.n > 0 && !names_hold(&ask->engines, engine)) continue;
        if (engine_runs(f, ask, g, engine)) {
            EngineReach reach = engine_reach(f, g, engine);
            if (was_measured(ask, g, engine, &reach, a, advice))
                engine_configs(f, ask, g, &f->engine_limits[e], &reach, gpus_max, c, a, advice, out);
        } else if (exclude(advice, "engines", serve_status_names[SERVE_NO_ENGINE])) {
            exclude_example(advice, arena_printf(a, "%s on %s", engine, g->sku_id));
        }
    }
}
