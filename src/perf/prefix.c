// Hit rates of prefix caches, and replicas under sessions.
#include "src/perf/prefix.h"

#include <math.h>

#include "src/perf/replica.h"

SessionFactors session_factors(const Facts *facts) {
    return (SessionFactors){.prefill_ratio = constant_of(facts, CONSTANT_SESSION_PREFILL_RATIO),
                            .alone_ratio = constant_of(facts, CONSTANT_SESSION_ALONE_RATIO),
                            .step_ratio = constant_of(facts, CONSTANT_SESSION_STEP_RATIO),
                            .running_share = constant_of(facts, CONSTANT_SESSION_RUNNING_SHARE),
                            .host_us_token = constant_of(facts, CONSTANT_SESSION_HOST_US_TOKEN),
                            .offload_ratio = constant_of(facts, CONSTANT_SESSION_OFFLOAD_RATIO)};
}

// ---------------------------------------------------------------- hits

HitCurve cliff_curve(double hit_max, double tokens, double at, double steepness) {
    enum { POINTS = 33 };
    static const double RATIO_FIRST = 8, RATIO_LAST = 0.25;  // of the smallest and the largest capacity
    HitCurve c = {.hit_rate_max = hit_max, .sessions = 1, .n = POINTS};
    for (int i = 0; i < POINTS; i++) {
        double ratio = RATIO_FIRST * pow(RATIO_LAST / RATIO_FIRST, i / (POINTS - 1.0));
        c.points[i] = (HitPoint){tokens / ratio, hit_max / (1 + pow(ratio / at, steepness))};
    }
    return c;
}

// Randomly routed, a session's request finds what it left there some turns ago: j turns with probability
// (1 - 1/R)^(j - 1) / R, and each turn adds the part that is new.
static double turns_ago_share(const SessionLoad *load) {
    double newly = 1 - load->curve.hit_rate_max, there = 1 / load->replicas;
    if (load->routing == ROUTING_CACHE_AWARE || load->replicas <= 1) return 1;
    double found = 0, chance = there;
    for (double left = load->curve.hit_rate_max; left > 0 && newly > 1e-3; left -= newly) {
        found += chance * left;
        chance *= 1 - there;
    }
    return newly > 1e-3 ? found / load->curve.hit_rate_max : 1;
}

// Sessions whose caches a replica sees.
static double seen_sessions(const SessionLoad *load, double sessions) {
    return load->routing == ROUTING_CACHE_AWARE ? sessions : sessions * load->replicas;
}

// Of input tokens, at a capacity, before what steps of kept states cost.
static double curve_share(const SessionLoad *load, const Serving *s, double tokens, double sessions) {
    double scale = load->curve_tokens / s->isl;
    return hit_curve_at(&load->curve, tokens * scale, seen_sessions(load, sessions)) * turns_ago_share(load);
}

double reusable_share(const Serving *s, double share) {
    if (!(kv_state_bytes(s->model) > 0) || !is_known(s->limits->state_step_tokens)) return share;
    return fmax(share - s->limits->state_step_tokens / 2 / s->isl, 0);
}

double open_hit_rate(const HitCurve *curve, const Serving *s, const KvCapacity *kv, double running,
                     double replicas, Routing routing) {
    double left = fmax(fmax(kv->tokens, kv->host_tokens) - running * mean_context(s), 0);
    double rate = routing == ROUTING_CACHE_AWARE ? hit_curve_at(curve, left * replicas, 1)
                                                 : hit_curve_at(curve, left * replicas, 1) / replicas;
    return reusable_share(s, rate);
}

// ---------------------------------------------------------------- time

// One replica with what its prompts take, whatever runs.
typedef struct Replica {
    const SessionFactors *factors;
    Serving held;    // with the share that is found as its cached one
    double slower;   // by caches in host memory: they are written, looked up and kept in step with the GPUs'
    double start_s;  // of a request, before anything of it runs
    double prompt_s, alone_step_s, running_max;
} Replica;

// Seconds of a step of `batch` sequences and where they go.
static double step_s(const Serving *s, double batch, double items[TIME_COUNT]) {
    double ratio = s->expert_ranks > 1 ? s->limits->spread_step_ratio : 1;
    double step = serving_step_items(s, batch, items) * ratio;
    for (int i = 0; i < TIME_COUNT; i++) items[i] *= ratio;
    return step;
}

// The same under sessions: each further sequence adds more.
static double session_step_s(const Replica *r, double running, double items[TIME_COUNT]) {
    double plain = step_s(&r->held, fmax(running / stages_at_once(&r->held), 1), items);
    double step = r->slower * (r->alone_step_s * r->factors->alone_ratio +
                               (plain - r->alone_step_s) * r->factors->step_ratio);
    for (int i = 0; i < TIME_COUNT; i++) items[i] *= step / plain;
    return step;
}

static double whole_s(const Replica *r, double running) {
    double items[TIME_COUNT];
    const Serving *s = &r->held;
    return r->start_s + fmax(running / stages_at_once(s), 1) * r->prompt_s +
           s->osl * session_step_s(r, running, items) / s->kept;
}

// Sequences that run: as many as sessions wait for an answer, or as many as can.
static double find_running(const Replica *r, double sessions, double think_s) {
    double high = fmin(r->running_max, sessions), low = 0;
    double e2e = whole_s(r, high);
    double under = sessions * e2e / (e2e + think_s) - high, over = sessions;
    if (under >= 0) return high;
    e2e = whole_s(r, low);
    over = sessions * e2e / (e2e + think_s);
    // regula falsi (Illinois): the time of a request grows almost in proportion with what runs
    for (int i = 0; i < 60 && high - low > 1e-6 * high; i++) {
        double x = (low * under - high * over) / (under - over);
        if (!(x > low && x < high)) x = (low + high) / 2;
        e2e = whole_s(r, x);
        double left = sessions * e2e / (e2e + think_s) - x;
        if (left > 0) {
            low = x, over = left, under /= 2;
        } else {
            high = x, under = left, over /= 2;
            if (-left <= 1e-9 * x) break;
        }
    }
    return high;
}

// How much longer fresh prompts take: what one GPU reads alone takes what a prompt alone does, and the rest
// grows with the part of the activations that ranks of tensor parallelism have to exchange.
static double prompt_ratio(const SessionFactors *factors, double tp) {
    static const double TP_MEASURED = 8;  // of the prompts that `prefill_ratio` is from
    return 1 + (factors->prefill_ratio - 1) * (1 - 1 / tp) / (1 - 1 / TP_MEASURED);
}

static Replica replica_of(const Facts *facts, const SessionFactors *factors, const Serving *s,
                          const KvCapacity *kv, double found, double from_host) {
    Replica r = {.factors = factors, .held = *s};
    r.held.cached_share = fmin(found, 1);
    double items[TIME_COUNT];
    double ratio = prompt_ratio(factors, s->layout.tp);
    double fresh = r.held.cached_share < 1 ? serving_prompt_s(&r.held) * ratio : 0;
    r.slower = s->host_bytes > 0 ? factors->offload_ratio : 1;
    r.start_s = r.slower * (s->factors.start_s + factors->host_us_token * s->isl * 1e-6);
    r.prompt_s = r.slower * fresh + kv_load_s(facts, s, from_host * s->isl);
    r.alone_step_s = step_s(&r.held, 1, items);
    double in_memory = factors->running_share * kv->tokens / mean_context(s);
    r.running_max = fmax(fmin(in_memory, s->limits->max_running_sequences), 1);
    return r;
}

// What waits for prompts that came before: M/G/1 with lengths as they spread. While a prompt is read answers
// stand all but still and none ends, so that only sessions that think can send another: no more wait than half
// of those.
static double prompts_before_s(const Replica *r, double requests_s, double think_s) {
    double a_prompt = r->prompt_s / stages_at_once(&r->held), rho = fmin(requests_s * a_prompt, 0.99);
    double queue = rho / (1 - rho) * a_prompt * (1 + square(r->held.length_cv)) / 2;
    return fmin(queue, requests_s * think_s * a_prompt / 2);
}

static void put_times(const Replica *r, double sessions, double think_s, SessionPoint *ret) {
    const Serving *s = &r->held;
    Point *p = &ret->point;
    p->running = find_running(r, sessions, think_s);
    double e2e = whole_s(r, p->running);
    double each = session_step_s(r, p->running, p->item_s) / s->kept;
    for (int i = 0; i < TIME_COUNT; i++) p->item_s[i] /= s->kept;
    p->queued = p->running >= r->running_max && sessions * e2e / (e2e + think_s) > p->running;
    ret->requests_s = p->queued ? p->running / e2e : sessions / (e2e + think_s);
    double wait = p->queued ? fmax(sessions / ret->requests_s - think_s - e2e, 0) : 0;
    // Who waits for memory gets it when an answer ends, which none does while a prompt is read.
    double before = fmax(prompts_before_s(r, ret->requests_s, think_s) - wait, 0);
    double first = fmin(r->start_s + before + r->prompt_s, e2e - (s->osl - 1) * each);
    p->e2e_s = e2e + wait;
    p->ttft_s = s->osl > 1 ? first + wait : p->e2e_s;
    p->tpot_s = s->osl > 1 ? (p->e2e_s - p->ttft_s) / (s->osl - 1) : (double)NAN;
    p->ttft_p99_s = p->ttft_s * s->ttft_p99_ratio;
    p->tpot_p99_s = p->tpot_s * s->tpot_p99_ratio;
    p->item_s[TIME_PREFILL] = fmax(e2e / s->osl - each, 0);
    for (int i = 0; i < TIME_COUNT; i++) {
        if (p->item_s[i] > p->item_s[p->bound_by]) p->bound_by = (TimeItem)i;
    }
    p->concurrency = ret->requests_s * p->e2e_s;  // Little's law
    p->output_tokens_s = ret->requests_s * s->osl;
    p->total_tokens_s = ret->requests_s * (s->isl + s->osl);
}

// ---------------------------------------------------------------- sessions

// The capacity at which the curve has come to `rate`; infinity: never.
static double capacity_of(const HitCurve *c, double rate) {
    const HitPoint *p = c->points;
    if (p[0].hit_rate >= rate) return p[0].capacity_tokens * rate / p[0].hit_rate;
    size_t i = 1;
    while (i < c->n && p[i].hit_rate < rate) i++;
    if (i == c->n) return (double)INFINITY;
    double share = (rate - p[i - 1].hit_rate) / (p[i].hit_rate - p[i - 1].hit_rate);
    return p[i - 1].capacity_tokens * pow(p[i].capacity_tokens / p[i - 1].capacity_tokens, share);
}

// Sessions of a replica with which half of what could be found is: the curve depends on capacity over
// sessions.
static double cliff_of(const SessionLoad *load, const Serving *s, double tokens) {
    double needed = capacity_of(&load->curve, load->curve.hit_rate_max / 2);
    double seen = tokens * load->curve_tokens / s->isl * load->curve.sessions / needed;
    return seen / seen_sessions(load, 1);
}

SessionPoint session_at(const Facts *facts, const SessionFactors *factors, const Serving *s,
                        const KvCapacity *kv, const SessionLoad *load) {
    double n = load->sessions;
    SessionPoint p = {.hit_max = reusable_share(s, load->curve.hit_rate_max * turns_ago_share(load)),
                      .hit_device = reusable_share(s, curve_share(load, s, kv->tokens, n)),
                      .ratio = seen_sessions(load, n) * s->isl / kv->tokens,
                      .cliff_sessions = cliff_of(load, s, kv->tokens)};
    double behind = kv->host_tokens > 0 ? reusable_share(s, curve_share(load, s, kv->host_tokens, n)) : 0;
    p.hit = fmax(p.hit_device, behind);
    p.fresh_tokens = s->isl * (1 - p.hit);
    Replica r = replica_of(facts, factors, s, kv, p.hit, p.hit - p.hit_device);
    put_times(&r, n, load->think_s, &p);
    static const double LOST = 0.9;  // of what could be found
    bool by_memory = r.running_max < s->limits->max_running_sequences;
    p.kv_bound = p.hit_device < LOST * p.hit_max || (p.point.queued && by_memory);
    return p;
}

typedef struct Best {
    const Facts *facts;
    const SessionFactors *factors;
    const Serving *s;
    const KvCapacity *kv;
    SessionLoad load;
    double ttft_limit_s, tpot_limit_s;
} Best;

static Point point_with(Best *b, double sessions) {
    b->load.sessions = sessions;
    return session_at(b->facts, b->factors, b->s, b->kv, &b->load).point;
}

static bool keeps(Best *b, double sessions) {
    Point p = point_with(b, sessions);
    return !(p.ttft_p99_s > b->ttft_limit_s) && !(p.tpot_p99_s > b->tpot_limit_s);
}

double session_best(const Facts *facts, const SessionFactors *factors, const Serving *s, const KvCapacity *kv,
                    const SessionLoad *load, double ttft_limit_s, double tpot_limit_s, double most) {
    Best b = {facts, factors, s, kv, *load, ttft_limit_s, tpot_limit_s};
    if (most < 1 || !keeps(&b, 1)) return 0;
    // Times grow with the sessions: the largest number within the limits.
    double low = 1, high = floor(most) + 1;
    while (high - low > 1) {
        double middle = floor(sqrt(low * high));
        middle = middle > low ? middle : low + 1;
        if (keeps(&b, middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    // Tokens/s grow to one summit: before or within the cliff, or, where decoding bounds, at the end.
    double first = 1, last = low;
    while (last - first > 3) {
        double third = floor((last - first) / 3), a = first + third, c = last - third;
        if (point_with(&b, a).output_tokens_s < point_with(&b, c).output_tokens_s) {
            first = a;
        } else {
            last = c;
        }
    }
    double best = first;
    for (double n = first + 1; n <= last; n++) {
        if (point_with(&b, n).output_tokens_s > point_with(&b, best).output_tokens_s) best = n;
    }
    return best;
}
