// The traffic of a service: how long its requests are, how they come, and what of their prompts came before.
//
// Level 0. One row of data/traffic.tsv, or what `gpuadvise traffic` found in a log or trace. A length is in
// tokens; NaN is unknown, "" as well.
#ifndef GPUADVISE_FACTS_TRAFFIC_H
#define GPUADVISE_FACTS_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Traffic {
    const char *traffic_id;
    const char *title;  // what it is
    double requests;    // that were counted
    double span_s;      // from the first arrival to the last
    double rate_rps;    // (requests - 1) / span
    double busy_rps;    // mean of the busiest hour, or of the whole where that is shorter
    double input_mean, input_p50, input_p90, input_p99, input_max;
    double output_mean, output_p50, output_p90, output_p99, output_max;
    double correlation;  // of input and output lengths (Pearson)
    // Burstiness: standard deviation of the gaps between arrivals over their mean, and variance over mean of
    // the arrivals in 1 s, 60 s and an hour. 1 for Poisson arrivals. NaN where time stamps are too coarse or
    // the span too short.
    double gap_cv, idc_1s, idc_60s, idc_3600s;
    double cached_share;  // of all input tokens, that the server's own cache held, as it reported
    double block_tokens;  // of the blocks whose reuse was counted
    double hit_rate_max;  // of all input tokens, that an endless prefix cache holds
    const char *hits;     // hit rate by capacity: "100000:0.0427 200000:0.0430 ..." (hit_curve_of)
    // Sessions at once for which `hits` holds: its capacities grow in proportion with their number. NaN: what
    // comes does not wait for answers, and capacities are as they stand.
    double hit_sessions;
    double turns_mean, think_s_mean;  // requests of a session; seconds from an answer to the next request
    // Mean requests of each hour of the day over the mean of all, from midnight UTC: 24 numbers with blanks
    // between; "": shorter than a day, or no dates.
    const char *hours;
    const char *note;
    const char *source, *as_of;
} Traffic;

// What a seller of tokens asks for a million of them, USD (data/api_prices.tsv).
typedef struct ApiPrice {
    const char *model, *provider;
    double input_usd_mtok, output_usd_mtok;
    double cached_usd_mtok;  // of input tokens that its cache finds; NaN: not known
    const char *note;
    const char *source, *as_of;
} ApiPrice;

enum { HIT_POINTS_MAX = 64 };

typedef struct HitPoint {
    double capacity_tokens;  // of a cache for nothing but reuse: what running requests hold comes off first
    double hit_rate;         // share of all input tokens found, 0 to hit_rate_max
} HitPoint;

// Hit rate of a least-recently-used prefix cache against its capacity. Points rise in both.
typedef struct HitCurve {
    double hit_rate_max;  // of an endless cache
    double sessions;      // see Traffic.hit_sessions
    HitPoint points[HIT_POINTS_MAX];
    size_t n;
} HitCurve;

// Reads `hits`, `hit_rate_max` and `hit_sessions` of a traffic. False, without a word: it has no curve, or the
// text is none (not pairs, falling, over hit_rate_max, more than HIT_POINTS_MAX).
bool hit_curve_of(const Traffic *t, HitCurve *ret_curve);

// Hit rate at a capacity: linear in the logarithm of the capacity between points, in proportion to the
// capacity below the first, and hit_rate_max beyond the last when the last reaches it (else the last point).
// `sessions` at once matter only where the curve is of sessions.
double hit_curve_at(const HitCurve *c, double capacity_tokens, double sessions);

#endif
