// What a simulation takes: a replica as the estimate sees it, and requests drawn from a traffic's figures.
#include <math.h>
#include <stdlib.h>

#include "src/traffic/parts.h"
#include "src/traffic/simulate.h"

// ---------------------------------------------------------------- a replica

// Seconds of one prompt of so many tokens.
static double prompt_s(const Serving *s, double tokens) {
    Serving x = *s;
    x.isl = tokens;
    x.cached_share = 0;
    return serving_prompt_mixed_s(&x);
}

ReplicaModel replica_model(const Serving *s, Arena *a) {
    enum { PLACES_MAX = 4096 };
    size_t places = (size_t)fmin(fmax(floor(s->sequences_max), 1), PLACES_MAX);
    double *steps = arena_alloc(a, places, sizeof *steps);
    for (size_t i = 0; i < places; i++) steps[i] = serving_running_step_s(s, (double)i + 1);
    // a line and a parabola through two lengths: arithmetic of weights, and of attention
    double low = fmax(s->isl / 2, 1), high = fmax(s->isl * 2, 2);
    double low_token = prompt_s(s, low) / low, high_token = prompt_s(s, high) / high;
    double pair = fmax(2 * (high_token - low_token) / (high - low), 0);
    return (ReplicaModel){.step_s = steps,
                          .places = places,
                          .prompt_token_s = fmax(low_token - pair * low / 2, 0),
                          .prompt_pair_s = pair,
                          .chunk_tokens = s->limits->chunk_tokens,
                          .pass_s = serving_prompt_hold_s(s),
                          .tokens_max = s->sequences_max * (s->isl + s->osl / 2),
                          .kept = s->kept,
                          .start_s = s->rate_overhead_s,
                          .cached_share = s->cached_share};
}

// ---------------------------------------------------------------- numbers that are drawn

typedef struct Draw {
    uint64_t state;
} Draw;

static double uniform(Draw *d) {  // above 0, below 1
    d->state += 0x9e3779b97f4a7c15u;
    return ((double)(hash64(d->state) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(Draw *d) { return sqrt(-2 * log(uniform(d))) * cos(6.283185307179586 * uniform(d)); }

// Mean 1 and this variance (Marsaglia and Tsang 2000; shapes below 1 by a power of a uniform).
static double gamma_one(Draw *d, double variance) {
    if (!(variance > 0)) return 1;
    double shape = 1 / variance, more = shape < 1 ? pow(uniform(d), 1 / shape) : 1;
    double b = (shape < 1 ? shape + 1 : shape) - 1.0 / 3, c = 1 / sqrt(9 * b);
    for (;;) {
        double x = normal(d), v = 1 + c * x;
        if (v <= 0) continue;
        v = v * v * v;
        if (log(uniform(d)) < x * x / 2 + b - b * v + b * log(v)) return b * v * more / shape;
    }
}

static size_t poisson(Draw *d, double mean) {
    size_t n = 0;
    for (double sum = -log(uniform(d)); sum < mean; sum -= log(uniform(d))) n++;
    return n;
}

// ---------------------------------------------------------------- lengths

// Lengths at shares of the requests, geometric between; the shortest is such that the mean is right.
typedef struct LengthDraw {
    double mean, least, p50, p90, p99, max;
    bool known;
} LengthDraw;

static double between(double low, double high) {  // mean of a geometric piece
    return high > low ? (high - low) / log(high / low) : low;
}

static LengthDraw length_draw(double mean, double p50, double p90, double p99, double max) {
    LengthDraw l = {.mean = mean, .p50 = p50, .p90 = p90, .p99 = p99, .max = max};
    l.known = p50 >= 1 && p90 >= p50 && p99 >= p90 && max >= p99;
    if (!l.known) return l;
    double upper = 0.4 * between(p50, p90) + 0.09 * between(p90, p99) + 0.01 * between(p99, max);
    double low = 1e-3, high = p50;
    for (int i = 0; i < 60; i++) {
        l.least = sqrt(low * high);
        if (0.5 * between(l.least, p50) + upper < mean)
            low = l.least;
        else
            high = l.least;
    }
    return l;
}

static uint32_t length_of(const LengthDraw *l, Draw *d) {
    static const double at[] = {0, 0.5, 0.9, 0.99, 1};
    const double values[] = {l->least, l->p50, l->p90, l->p99, l->max};
    if (!l->known) return (uint32_t)fmax(round(l->mean), 1);
    double u = uniform(d);
    size_t i = 1;
    while (u > at[i]) i++;
    double share = (u - at[i - 1]) / (at[i] - at[i - 1]);
    return (uint32_t)fmax(round(values[i - 1] * pow(values[i] / values[i - 1], share)), 1);
}

// ---------------------------------------------------------------- arrivals

static double or_poisson(double index) { return is_known(index) ? fmax(index, 1) : 1; }

// The rate of each minute is the mean one times a gamma variable, that of each second the minute's times
// another: their variances are those that give the dispersion at both widths.
const Arrival *traffic_draw(const Traffic *t, double rate, double seconds, uint64_t seed, Arena *a,
                            size_t *ret_n) {
    enum { MINUTE = 60, REQUESTS_MAX = 4000000 };
    Draw d = {seed + 1};
    double told = is_known(t->rate_rps) ? t->rate_rps : rate;
    double by_second = (or_poisson(t->idc_1s) - 1) / told, by_minute = (or_poisson(t->idc_60s) - 1) / told;
    if (!is_known(t->idc_1s)) by_second = by_minute / MINUTE;
    double minutes = fmax((by_minute - by_second) / (MINUTE - 1), 0);
    double within = fmax((by_second - minutes) / (1 + minutes), 0);
    LengthDraw input = length_draw(t->input_mean, t->input_p50, t->input_p90, t->input_p99, t->input_max);
    LengthDraw output =
        length_draw(t->output_mean, t->output_p50, t->output_p90, t->output_p99, t->output_max);
    Arrival *list = NULL;
    size_t n = 0, capacity = 0;
    double of_minute = 1;
    for (int64_t s = 0; s < (int64_t)seconds && n < REQUESTS_MAX; s++) {
        if (s % MINUTE == 0) of_minute = gamma_one(&d, minutes);
        size_t first = n;
        for (size_t more = poisson(&d, rate * of_minute * gamma_one(&d, within)); more > 0; more--) {
            list = arena_grow(a, list, n, &capacity, sizeof *list);
            double at_s = (double)s + uniform(&d);
            uint32_t in = length_of(&input, &d);
            list[n++] = (Arrival){at_s, in, length_of(&output, &d), TOKENS_UNKNOWN};
        }
        arrivals_sort(list + first, n - first);
    }
    *ret_n = n;
    return list;
}
