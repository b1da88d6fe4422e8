// What a configuration under its load gives and costs, as an option.
#include <math.h>

#include "src/advise/loaded.h"
#include "src/advise/prices.h"

static Estimate of(const Option *o, double value, double sigma) {
    return estimate_of(value, sigma, o->basis, o->sources);
}

// Keeps a range on this side of physics: more tokens/s than `limit` cannot be.
static void bound_above(Estimate *x, double limit) {
    if (x->high > limit) x->high = fmax(limit, x->value);
}

Estimate estimate_inverse(const Estimate *rate, double numerator) {
    return (Estimate){numerator / rate->value, numerator / rate->high, numerator / rate->low, rate->basis,
                      rate->sources};
}

static void fill_times(const Facts *f, Option *o) {
    const Serving *s = &o->serving;
    double extra = constant_of(f, CONSTANT_SIGMA_TTFT);
    double tail = constant_of(f, CONSTANT_SIGMA_TAIL);
    double ttft = sqrt(s->sigma_log * s->sigma_log + extra * extra);
    o->ttft_p50_ms = of(o, o->point.ttft_s * 1000, ttft);
    o->ttft_p99_ms = of(o, o->point.ttft_p99_s * 1000, sqrt(ttft * ttft + tail * tail));
    o->tokens_s_user = of(o, 1 / o->point.tpot_s, s->sigma_log);
    bound_above(&o->tokens_s_user, serving_user_bound(s, o->point.running));
    o->tpot_ms = estimate_inverse(&o->tokens_s_user, 1000);
}

// Output tokens/s of a full replica.
static double saturated_tokens_s(const Facts *f, const Ask *ask, const Loaded *l) {
    const Serving *s = &l->config->serving;
    double most = l->config->capacity;
    return l->sessions > 0
               ? sessions_point(f, ask, s, most, l->replicas, ROUTING_CACHE_AWARE).point.output_tokens_s
               : serving_at(s, most).output_tokens_s;
}

static void fill_money(const Facts *f, const Ask *ask, const Loaded *l, Option *o) {
    const Serving *s = &o->serving;
    double duty = is_known(ask->workload.duty_cycle) ? ask->workload.duty_cycle : 1;
    double usd_h = o->price_usd_h / duty;
    double prefill_share = fmin(o->point.item_s[TIME_PREFILL] * s->osl / o->point.e2e_s, 1);
    const Serving *full = &l->config->serving;  // at another load than what may have been published
    Estimate saturated = estimate_of(saturated_tokens_s(f, ask, l) * o->replicas,
                                     l->sessions > 0 ? s->sigma_log : full->sigma_log,
                                     l->sessions > 0 ? s->basis : full->basis, o->sources);
    bound_above(&saturated, serving_bound(s, l->config->capacity) * o->replicas);
    double per_output = usd_per_mtok(usd_h, 1);  // dollars per million tokens at one token a second
    double outputs = l->output_tokens_s / l->total_tokens_s;
    o->output_usd_mtok = estimate_inverse(&o->output_tokens_s, per_output);
    o->blended_usd_mtok = estimate_inverse(&o->output_tokens_s, per_output * outputs);
    o->input_usd_mtok =
        estimate_inverse(&o->output_tokens_s, per_output * prefill_share * outputs / (1 - outputs));
    // Full replicas of an engine that was measured with few requests alone are nobody's measurement.
    bool known = !bound_by_reach(ask) ||
                 in_reach(&l->config->reach, l->config->capacity, l->config->capacity * o->replicas);
    if (known) o->saturated_output_usd_mtok = estimate_inverse(&saturated, usd_per_mtok(o->price_usd_h, 1));
    Estimate *usd[] = {&o->output_usd_mtok, &o->blended_usd_mtok, &o->input_usd_mtok,
                       &o->saturated_output_usd_mtok};
    for (size_t i = 0; i < COUNT_OF(usd); i++) widen_by_price(o, usd[i]);
    o->cost = option_cost(o, ask)->value;
    o->sigma_log = s->sigma_log;
}

void fill_option(const Facts *f, const Ask *ask, const Gpu *g, const Offer *offer, const Loaded *l,
                 const char *sources, Option *o) {
    const Serving *s = l->serving;
    *o = (Option){.gpu = g,
                  .offer = offer,
                  .instances = l->instances,
                  .replicas = l->replicas,
                  .layout = s->layout,
                  .serving = *s,
                  .engine = s->engine,
                  .weights = s->weights,
                  .kv = s->kv,
                  .basis = s->basis,
                  .sources = sources,
                  .point = l->point,
                  .published = l->published,
                  .reach = l->config->reach};
    clear_estimates(o);
    o->gpu_count = (int)offer->gpu_count * l->instances;
    o->concurrency = l->concurrency;
    o->cache = kv_capacity(f, &l->config->serving);
    o->sessions = l->sessions;
    o->session = l->session;
    o->random_output_tokens_s = (double)NAN;
    if (l->sessions > 0)
        o->random_output_tokens_s =
            l->output_tokens_s / l->point.output_tokens_s *
            sessions_point(f, ask, &l->config->serving, fmax(l->sessions / l->replicas, 1), l->replicas,
                           ROUTING_RANDOM)
                .point.output_tokens_s;
    o->price_usd_h = offer_price_usd_h(ask, offer) * l->instances;
    o->price_usd_gpu_h = o->price_usd_h / o->gpu_count;
    note_offer(f, ask, o);
    double cache = l->point.running * s->cache_bytes_per_seq;
    o->memory_used_pct = 100 * (s->weight_bytes + s->workspace_bytes + cache) / s->usable_bytes;
    o->output_tokens_s = of(o, l->output_tokens_s, s->sigma_log);
    bound_above(&o->output_tokens_s, serving_bound(s, l->point.running) * fmin(o->replicas, o->concurrency));
    // no more is asked for
    if (is_known(ask->workload.rate_rps)) bound_above(&o->output_tokens_s, l->output_tokens_s);
    Estimate *all = &o->output_tokens_s;
    double n = o->gpu_count;
    o->output_tokens_s_gpu =
        (Estimate){all->value / n, all->low / n, all->high / n, all->basis, all->sources};
    fill_times(f, o);
    fill_money(f, ask, l, o);
}

double option_share_under(const Facts *f, const Ask *ask, const Option *o, double limit_w) {
    if (!serves_tokens(&ask->workload) || ask->model == NULL || o->sessions > 0) return (double)NAN;
    ServingWant want = {.gpu = o->gpu,
                        .model = ask->model,
                        .engine = o->engine,
                        .layout = o->layout,
                        .weights = o->weights,
                        .kv = o->kv,
                        .isl = ask->workload.isl_tokens,
                        .osl = ask->workload.osl_tokens,
                        .techniques = ask->techniques};
    Serving whole, limited;
    if (serving_resolve(f, &want, &whole) != SERVE_OK) return (double)NAN;
    want.techniques.power_cap_w = limit_w;
    if (serving_resolve(f, &want, &limited) != SERVE_OK) return (double)NAN;
    double each = fmax(o->concurrency / o->replicas, 1);
    return serving_at(&limited, each).output_tokens_s / serving_at(&whole, each).output_tokens_s;
}

static Estimate unknown(void) { return (Estimate){(double)NAN, (double)NAN, (double)NAN, BASIS_UNKNOWN, ""}; }

void clear_estimates(Option *o) {
    Estimate *all[] = {&o->output_tokens_s, &o->output_tokens_s_gpu,
                       &o->tokens_s_user,   &o->ttft_p50_ms,
                       &o->ttft_p99_ms,     &o->tpot_ms,
                       &o->output_usd_mtok, &o->blended_usd_mtok,
                       &o->input_usd_mtok,  &o->saturated_output_usd_mtok,
                       &o->images_s,        &o->usd_1k_images,
                       &o->train_tokens_s,  &o->hours_total,
                       &o->usd_total,       &o->usd_run,
                       &o->sequences_s,     &o->input_tokens_s};
    for (size_t i = 0; i < COUNT_OF(all); i++) *all[i] = unknown();
    o->concurrency = (double)NAN;
}
