// KV capacity and sessions of agents, printed.
#include "src/report/sessions.h"

#include <math.h>

#include "src/advise/sessions.h"

// ---------------------------------------------------------------- JSON

void kv_json(const KvCapacity *kv, const Serving *s, int replicas, Json *parent) {
    if (!is_known(kv->tokens)) {
        json_add_null(parent, "kv_capacity");
        return;
    }
    double n = replicas;
    Json *j = json_add_object(parent, "kv_capacity");
    Estimate tokens = {kv->tokens * n, kv->low * n, kv->high * n, BASIS_CALIBRATED,
                       "data/kv_capacities.tsv; data/engine_limits.tsv"};
    estimate_json(j, "tokens", &tokens);
    json_add(j, J_NUMBER("tokens_of_a_replica", kv->tokens), J_NUMBER("bytes_per_token", kv->bytes_per_token),
             J_NUMBER("copies", s->cache_copies), J_NUMBER("memory_fraction", s->memory_fraction),
             J_NUMBER("state_pool_gb", kv->state_bytes * n / 1e9),
             J_NUMBER("host_tokens", kv->host_tokens * n));
}

void session_json(const SessionPoint *p, double sessions, int replicas, double random_tokens_s,
                  Json *parent) {
    Json *j = json_object_if(parent, "sessions", (sessions > 0));
    if (j == NULL) return;
    json_add(
        j, J_NUMBER("sessions", sessions),
        J_NUMBER("requests_per_s", p->requests_s * fmin(replicas, sessions)), J_NUMBER("hit_rate", p->hit),
        J_NUMBER("hit_rate_on_gpus", p->hit_device), J_NUMBER("hit_rate_max", p->hit_max),
        J_NUMBER("fresh_tokens_per_request", p->fresh_tokens), J_NUMBER("tokens_over_capacity", p->ratio),
        J_NUMBER("cliff_sessions", p->cliff_sessions * replicas), J_BOOL("bound_by_kv_capacity", p->kv_bound),
        J_NUMBER("output_tokens_per_s_random_routing", random_tokens_s));
}

static void curve_json(const SessionCurve *c, Json *parent, const char *key) {
    Json *j = json_object_if(parent, key, c != NULL);
    if (j == NULL) return;
    json_add_number(j, "cliff_sessions", c->cliff_sessions);
    Json *points = json_add_array(j, "points");
    for (size_t i = 0; i < c->n; i++) {
        const SessionCurvePoint *p = &c->points[i];
        Json *one = json_add_object(points, NULL);
        json_add(one, J_NUMBER("sessions", p->sessions), J_NUMBER("output_tokens_per_s", p->output_tokens_s),
                 J_NUMBER("total_tokens_per_s", p->total_tokens_s),
                 J_NUMBER("output_usd_per_mtok", p->output_usd_mtok),
                 J_NUMBER("blended_usd_per_mtok", p->blended_usd_mtok), J_NUMBER("hit_rate", p->hit),
                 J_NUMBER("ttft_ms", p->ttft_s * 1000), J_NUMBER("tpot_ms", p->tpot_s * 1000),
                 J_BOOL("within_limits", p->keeps));
    }
}

void session_curves_json(const Advice *advice, Json *root) {
    Json *j = json_object_if(
        root, "session_curve",
        !(advice->session_curve[VENDOR_NVIDIA] == NULL && advice->session_curve[VENDOR_AMD] == NULL));
    if (j == NULL) return;
    for (int v = 0; v < VENDOR_COUNT; v++) curve_json(advice->session_curve[v], j, vendor_names[v]);
}

// ---------------------------------------------------------------- words

const char *kv_words(const KvCapacity *kv, int replicas, Arena *a) {
    const char *host = kv->host_tokens > 0
                           ? arena_printf(a, ", %.3g M in host memory", kv->host_tokens * replicas / 1e6)
                           : "";
    return arena_printf(a, "%.3g M tokens (%.3g-%.3g)%s", kv->tokens * replicas / 1e6,
                        kv->low * replicas / 1e6, kv->high * replicas / 1e6, host);
}

const char *hit_words(const SessionPoint *p, Arena *a) {
    const char *host = p->hit > p->hit_device ? arena_printf(a, ", %.0f on GPUs", p->hit_device * 100) : "";
    return arena_printf(a, "%.0f %% of %.0f%s", p->hit * 100, p->hit_max * 100, host);
}

const char *cliff_words(const SessionPoint *p, double sessions, int replicas, Arena *a) {
    double cliff = p->cliff_sessions * replicas;
    return sessions < cliff ? arena_printf(a, "%.0f, %.0f %% above", cliff, (cliff / sessions - 1) * 100)
                            : arena_printf(a, "%.0f, passed", cliff);
}

// ---------------------------------------------------------------- table

// clang-format off
#define COLUMNS(X) \
    X("vendor",               "",         TEXT,      vendor_titles[vendor]) \
    X("sessions",             "SESSIONS", NUMBER(5), x->sessions) \
    X("hit_pct",              "HIT%",     NUMBER(3), x->hit * 100) \
    X("total_tokens_per_s",   "TOK/S",    NUMBER(4), x->total_tokens_s) \
    X("blended_usd_per_mtok", "$ IN+OUT", NUMBER(3), x->blended_usd_mtok) \
    X("output_usd_per_mtok",  "$ OUT",    NUMBER(3), x->output_usd_mtok) \
    X("ttft_s",               "TTFT s",   NUMBER(3), x->ttft_s) \
    X("tpot_ms",              "TPOT ms",  NUMBER(3), x->tpot_s * 1000) \
    X("limits",               "LIMITS",   TEXT,      x->keeps ? "kept" : "missed")
// clang-format on

static void add_point(const SessionCurvePoint *x, int vendor, Listing *l) {
    listing_row(l, COLUMNS(LISTING_CELL));
}

void session_listing(const Advice *advice, Arena *a, Listing *ret_listing) {
    *ret_listing = LISTING(a, "sessions", COLUMNS, SESSION_CURVE_MAX * VENDOR_COUNT);
    for (int v = 0; v < VENDOR_COUNT; v++) {
        const SessionCurve *c = advice->session_curve[v];
        for (size_t i = 0; c != NULL && i < c->n; i++) add_point(&c->points[i], v, ret_listing);
    }
}

void sessions_text(Page *p) {
    Listing l;
    session_listing(p->advice, p->arena, &l);
    if (l.n_rows == 0) return;
    page_heading(p, "Sessions at once: tokens/s in and out, dollars per million tokens");
    listing_print(&l, p->format, p->room, p->out);
    for (int v = 0; v < VENDOR_COUNT; v++) {
        const Option *o = p->advice->best[v];
        if (o == NULL || p->advice->session_curve[v] == NULL) continue;
        page_line(p, vendor_titles[v], session_words(o, p->arena));
        if (o->replicas > 1)
            page_printf(p, "", "routed at random, not to where the cache is: %s output tokens/s, not %s",
                        page_number(p, o->random_output_tokens_s, 3),
                        page_number(p, o->output_tokens_s.value, 3));
    }
}
