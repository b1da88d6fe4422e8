// The traffic of a service: how long its requests are, how they come, and what of their prompts came before.
//
// Level 0. One row of data/traffic.tsv, or what `gpuadvise traffic` found in a log or trace. A length is in
// tokens; NaN is unknown, "" as well.
#ifndef GPUADVISE_FACTS_TRAFFIC_H
#define GPUADVISE_FACTS_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>

#include "src/facts/columns.h"

// clang-format off
#define TRAFFIC_FIELDS(X) \
    X(Traffic, TEXT, KEY, traffic_id) \
    X(Traffic, TEXT, MUST, title)                 /* what it is */ \
    X(Traffic, NUM, MAY, requests, 1, 1e12)       /* that were counted */ \
    X(Traffic, NUM, MAY, span_s, 0, 1e9)          /* from the first arrival to the last */ \
    X(Traffic, NUM, MAY, rate_rps, 1e-9, 1e6)     /* (requests - 1) / span */ \
    /* mean of the busiest hour, or of the whole where that is shorter */ \
    X(Traffic, NUM, MAY, busy_rps, 1e-9, 1e6) \
    X(Traffic, NUM, MAY, input_mean, 0, 1e8) \
    X(Traffic, NUM, MAY, input_p50, 0, 1e8) \
    X(Traffic, NUM, MAY, input_p90, 0, 1e8) \
    X(Traffic, NUM, MAY, input_p99, 0, 1e8) \
    X(Traffic, NUM, MAY, input_max, 0, 1e8) \
    X(Traffic, NUM, MAY, output_mean, 0, 1e8) \
    X(Traffic, NUM, MAY, output_p50, 0, 1e8) \
    X(Traffic, NUM, MAY, output_p90, 0, 1e8) \
    X(Traffic, NUM, MAY, output_p99, 0, 1e8) \
    X(Traffic, NUM, MAY, output_max, 0, 1e8) \
    X(Traffic, NUM, MAY, correlation, -1, 1)      /* of input and output lengths (Pearson) */ \
    /* Burstiness: standard deviation of the gaps between arrivals over their mean, and variance over */ \
    /* mean of the arrivals in 1 s, 60 s and an hour. 1 for Poisson arrivals. NaN where time stamps are */ \
    /* too coarse or the span too short. */ \
    X(Traffic, NUM, MAY, gap_cv, 0, 1e6) \
    X(Traffic, NUM, MAY, idc_1s, 0, 1e9) \
    X(Traffic, NUM, MAY, idc_60s, 0, 1e9) \
    X(Traffic, NUM, MAY, idc_3600s, 0, 1e9) \
    /* of all input tokens, that the server's own cache held, as it reported */ \
    X(Traffic, NUM, MAY, cached_share, 0, 1) \
    X(Traffic, NUM, MAY, block_tokens, 1, 65536)  /* of the blocks whose reuse was counted */ \
    /* of all input tokens, that an endless prefix cache holds */ \
    X(Traffic, NUM, MAY, hit_rate_max, 0, 1) \
    /* hit rate by capacity: "100000:0.0427 200000:0.0430 ..." (hit_curve_of) */ \
    X(Traffic, TEXT, MAY, hits) \
    /* Sessions at once for which `hits` holds: its capacities grow in proportion with their number. NaN: */ \
    /* what comes does not wait for answers, and capacities are as they stand. */ \
    X(Traffic, NUM, MAY, hit_sessions, 1, 1e6) \
    /* requests of a session; seconds from an answer to the next request */ \
    X(Traffic, NUM, MAY, turns_mean, 1, 1e6) \
    X(Traffic, NUM, MAY, think_s_mean, 0, 1e7) \
    /* Mean requests of each hour of the day over the mean of all, from midnight UTC: 24 numbers with */ \
    /* blanks between; "": shorter than a day, or no dates. */ \
    X(Traffic, TEXT, MAY, hours) \
    X(Traffic, TEXT, MAY, note) \
    ORIGIN(X, Traffic)
typedef struct Traffic {TRAFFIC_FIELDS(MEMBER)} Traffic;

// What a seller of tokens asks for a million of them, USD (data/api_prices.tsv).
#define API_PRICE_FIELDS(X) \
    X(ApiPrice, TEXT, KEY, model) \
    X(ApiPrice, TEXT, KEY, provider) \
    X(ApiPrice, NUM, MUST, input_usd_mtok, 0, 1e6) \
    /* of input tokens that its cache finds; NaN: not known */ \
    X(ApiPrice, NUM, MAY, cached_usd_mtok, 0, 1e6) \
    X(ApiPrice, NUM, MUST, output_usd_mtok, 0, 1e6) \
    X(ApiPrice, TEXT, MAY, note) \
    ORIGIN(X, ApiPrice)
typedef struct ApiPrice {API_PRICE_FIELDS(MEMBER)} ApiPrice;
// clang-format on

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
