// Sessions of agents as the load of a search.
#include <math.h>

#include "src/advise/search.h"

bool in_sessions(const Ask *ask) {
    const Traffic *t = ask->traffic;
    const Workload *w = &ask->workload;
    return t != NULL && serves_tokens(w) && is_known(t->hit_sessions) && is_known(t->think_s_mean) &&
           t->hits[0] != '\0' && !is_known(w->rate_rps) && !is_known(w->concurrency) &&
           ask->techniques.cached_share == 0;
}

// False where the table's text is no curve, which loading it has refused.
static bool load_of(const Ask *ask, SessionLoad *ret) {
    const Traffic *t = ask->traffic;
    *ret = (SessionLoad){.curve_tokens = is_known(t->input_mean) ? t->input_mean : ask->workload.isl_tokens,
                         .think_s = t->think_s_mean,
                         .replicas = 1};
    return hit_curve_of(t, &ret->curve);
}

bool in_reuse(const Ask *ask) {
    const Traffic *t = ask->traffic;
    return t != NULL && serves_tokens(&ask->workload) && !is_known(t->hit_sessions) && t->hits[0] != '\0' &&
           ask->techniques.cached_share == 0;
}

double reuse_share(const Facts *f, const Ask *ask, const Serving *s, double running) {
    HitCurve curve;
    KvCapacity kv = kv_capacity(f, s);
    return hit_curve_of(ask->traffic, &curve) ? open_hit_rate(&curve, s, &kv, running, 1, ROUTING_CACHE_AWARE)
                                              : 0;
}

double sessions_capacity(const Facts *f, const Ask *ask, const Serving *s) {
    SessionLoad load;
    SessionFactors factors = session_factors(f);
    KvCapacity kv = kv_capacity(f, s);
    if (!load_of(ask, &load) || !(kv.tokens >= s->isl + s->osl)) return 0;
    static const double TIMES = 4;  // the sessions with which the cache is used up: what is past them queues
    double full = kv.tokens / s->isl, most = fmax(fmax(full, kv.host_tokens / s->isl) * TIMES, 8);
    return session_best(f, &factors, s, &kv, &load, ask->workload.ttft_p99_ms / 1000,
                        ask->workload.tpot_ms / 1000, fmin(most, s->limits->max_running_sequences * TIMES));
}

SessionPoint sessions_point(const Facts *f, const Ask *ask, const Serving *s, double sessions,
                            double replicas, Routing routing) {
    SessionLoad load;
    SessionFactors factors = session_factors(f);
    KvCapacity kv = kv_capacity(f, s);
    load_of(ask, &load);
    load.sessions = sessions, load.replicas = replicas, load.routing = routing;
    return session_at(f, &factors, s, &kv, &load);
}

// ---------------------------------------------------------------- curve

static SessionCurvePoint curve_point(const Facts *f, const Ask *ask, const Option *o, double sessions) {
    double each = fmax(sessions / o->replicas, 1), busy = sessions / each;  // fewer than replicas: some idle
    SessionPoint p = sessions_point(f, ask, &o->serving, each, o->replicas, ROUTING_CACHE_AWARE);
    const Workload *w = &ask->workload;
    double duty = is_known(w->duty_cycle) ? w->duty_cycle : 1;
    double output = p.point.output_tokens_s * busy, total = p.point.total_tokens_s * busy;
    return (SessionCurvePoint){.sessions = sessions,
                               .output_tokens_s = output,
                               .total_tokens_s = total,
                               .output_usd_mtok = usd_per_mtok(o->price_usd_h / duty, output),
                               .blended_usd_mtok = usd_per_mtok(o->price_usd_h / duty, total),
                               .hit = p.hit,
                               .ttft_s = p.point.ttft_s,
                               .tpot_s = p.point.tpot_s,
                               .keeps = !(p.point.ttft_p99_s * 1000 > w->ttft_p99_ms) &&
                                        !(p.point.tpot_p99_s * 1000 > w->tpot_ms)};
}

// From one session to twice those of the cliff, closer together where it falls.
static const SessionCurve *curve_of(const Facts *f, Arena *a, const Ask *ask, const Option *o) {
    static const double OF_CLIFF[] = {0.06, 0.12, 0.25, 0.4, 0.55, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.4, 1.7, 2};
    SessionCurve *c = arena_alloc(a, 1, sizeof *c);
    *c = (SessionCurve){.cliff_sessions = o->session.cliff_sessions * o->replicas};
    for (size_t i = 0; i < COUNT_OF(OF_CLIFF); i++) {
        double sessions = fmax(round(OF_CLIFF[i] * c->cliff_sessions), 1);
        if (c->n > 0 && sessions <= c->points[c->n - 1].sessions) continue;
        c->points[c->n++] = curve_point(f, ask, o, sessions);
    }
    return c;
}

void find_session_curves(const Facts *f, Arena *a, Advice *advice) {
    for (int v = 0; v < VENDOR_COUNT; v++) {
        const Option *o = advice->best[v];
        advice->session_curve[v] = o != NULL && o->sessions > 0 ? curve_of(f, a, advice->ask, o) : NULL;
    }
}

// ---------------------------------------------------------------- words

const char *session_words(const Option *o, Arena *a) {
    double cliff = o->session.cliff_sessions * o->replicas, at = o->sessions / cliff;
    const char *where =
        at < 1 ? arena_printf(a, "%.0f %% below it", (1 - at) * 100) : arena_printf(a, "%.1f times that", at);
    return arena_printf(a,
                        "%s: its KV capacity of %.3g million tokens%s loses half of what could be found in "
                        "it at %.0f sessions; %.0f are %s%s",
                        place_text(a, o), o->cache.tokens * o->replicas / 1e6,
                        o->replicas > 1 ? " in all" : "", cliff, o->sessions, where,
                        o->session.kv_bound ? ": bound by KV capacity" : "");
}
