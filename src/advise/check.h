// A public claim held against what its GPUs can do at most.
//
// A bound takes dense datasheet peaks and the full memory bandwidth, and counts nothing but weights, caches
// and arithmetic. What a claim does not state is taken as it suits the claim: the best batch that fits, the
// lengths that cost least, the weights as released, one GPU. Beside physics stand what public measurements
// reach of such a bound, the best row of that GPU and model, and what the estimator gives.
#ifndef GPUADVISE_CHECK_H
#define GPUADVISE_CHECK_H

#include "src/base/base.h"
#include "src/facts/facts.h"
#include "src/facts/porting.h"
#include "src/perf/perf.h"

// Conditional: not as released and plain, but under the conditions named, none of which the claim states
// otherwise.
typedef enum ClaimVerdict {
    CLAIM_PLAUSIBLE,
    CLAIM_CONDITIONAL,
    CLAIM_IMPOSSIBLE,
    CLAIM_VERDICT_COUNT
} ClaimVerdict;
extern const char *const claim_verdict_names[];  // plausible, conditional, impossible

enum { CONDITIONS_MAX = 8, DIFFERENCES_MAX = 8, RATIO_GROUPS_MAX = 24 };

typedef struct ClaimAsk {
    const PublicClaim *row;
    const Gpu *gpu;        // NULL: names none; serving, training, images and peak need one
    const Gpu *against;    // ratio: the other side's; NULL: names none
    const Model *model;    // NULL: names none; serving, training and images need one
    const Claim *support;  // the catalog's evidence, for claims of support
    size_t n_support;
    const Measurement *measured;  // public measurements, of any GPU and model; those held out do not count
    const HealthyGpu *healthy;    // for ratios of an all-reduce
    size_t n_healthy;
    const PortingFacts *porting;  // for statements; NULL: not at hand
    size_t n_measured;
} ClaimAsk;

// The fastest a GPU of what was measured of that GPU and model at the load nearest to the claim's.
typedef struct BestMeasured {
    const Measurement *row;     // NULL: nothing was measured
    double rate, rate_per_gpu;  // in the unit of the answer
    bool same_load;             // as far as the claim states it
    bool harder;                // than the claim's load in some way: the claim may well lie above it
    const char *differs[DIFFERENCES_MAX];  // "sequences a GPU: 8 instead of 64"
    size_t n_differs;
} BestMeasured;

// What the estimator gives, in the configuration that it thinks fastest.
typedef struct ClaimEstimate {
    bool known;
    Estimate rate;  // output tokens/s of all GPUs
    const char *engine;
    Layout layout;
    Dtype weights;
    double concurrency, isl, osl;
} ClaimEstimate;

// Part of the cases of a ratio: those with so many sequences in flight, or those of one model.
typedef struct RatioGroup {
    const char *what;  // "16 in flight", "gpt-oss-120b"
    double in_flight;  // NaN: a scenario or a model
    size_t n, agree;   // cases, and how many of them lie within what is claimed
    double median;
} RatioGroup;

// What is known of a ratio: one number a case (a load, a seller), or a range of the estimator.
typedef struct ClaimRatios {
    const char *basis;  // measured, estimate, price, datasheet; "": nothing is known of it
    size_t n, agree;    // an estimate and a figure of a datasheet are one case
    double median, low, high, least, most;  // low and high: the range of 80 %; NaN: unknown
    double claimed_low, claimed_high;       // NaN: open to that side
    RatioGroup groups[RATIO_GROUPS_MAX];
    size_t n_groups;
} ClaimRatios;

// What the program counts of a statement by itself, or nothing.
typedef struct ClaimCount {
    const char *name;  // of the count; "": none
    double part, all;
    double share;  // part over all; NaN: none
} ClaimCount;

typedef struct ClaimAnswer {
    ClaimVerdict verdict;
    // in `unit`; the bound under the conditions, where there are any. NaN: no number is claimed
    double claimed, bound;
    const char *unit;
    // memory, memory-bandwidth, compute, datasheet, addition, evidence, measurements, estimate, prices
    const char *bound_by;
    const char *regime;      // what kind of load the share of the bound is held against; "": none
    const char *share_name;  // of the constant that says how far public measurements of that regime come
    double share_most;       // its value
    const char *arithmetic;
    BestMeasured best;
    double times_measured;  // claimed over that, a GPU; NaN: nothing was measured
    const char *measured;   // the same in words, or ""
    ClaimEstimate estimate;
    double times_estimate_high;  // claimed over the top of the range
    const char *expected;        // the same in words, or ""
    ClaimRatios ratios;
    ClaimCount count;
    const char *conditions[CONDITIONS_MAX];
    size_t n_conditions;
    const char *sources;  // "" or a list separated by "; "
} ClaimAnswer;

bool claim_speculates(const Measurement *m);

// Output tokens/s, trained tokens/s or images/s of a row; NaN: it is of another kind.
double claim_measured_rate(const Measurement *m, ClaimKind kind);

// ERR_USAGE when the claim lacks what its kind needs, states what its kind ignores, or its model is of
// another kind.
bool claim_check(const Facts *facts, const ClaimAsk *ask, Arena *a, ClaimAnswer *ret_answer, Err *e);

// A serving claim that states nothing: texts are "", numbers unknown.
PublicClaim claim_blank(void);

#endif
