// A public claim held against what its GPUs can do at most.
//
// A bound takes dense datasheet peaks and the full memory bandwidth, and counts nothing but weights, caches and arithmetic. What a claim
// does not state is taken as it suits the claim: the best batch that fits, the lengths that cost least, the weights as released,
// one GPU.
#ifndef GPUADVISE_CHECK_H
#define GPUADVISE_CHECK_H

#include "src/base/base.h"
#include "src/facts/facts.h"

// Conditional: not as released and plain, but under the conditions named, none of which the claim states otherwise.
typedef enum ClaimVerdict { CLAIM_PLAUSIBLE, CLAIM_CONDITIONAL, CLAIM_IMPOSSIBLE, CLAIM_VERDICT_COUNT } ClaimVerdict;
extern const char *const claim_verdict_names[];  // plausible, conditional, impossible

enum { CONDITIONS_MAX = 8 };

typedef struct ClaimAsk {
    const PublicClaim *row;
    const Gpu *gpu;      // NULL: names none; serving, training, images and peak need one
    const Model *model;  // NULL: names none; serving, training and images need one
    const Claim *support;  // the catalog's evidence, for claims of support
    size_t n_support;
} ClaimAsk;

typedef struct ClaimAnswer {
    ClaimVerdict verdict;
    double claimed, bound;  // in `unit`; the bound under the conditions, where there are any. NaN: no number is claimed
    const char *unit;
    const char *bound_by;  // memory, memory-bandwidth, compute, datasheet, addition, evidence
    const char *arithmetic;
    const char *conditions[CONDITIONS_MAX];
    size_t n_conditions;
    const char *sources;  // "" or a list separated by "; "
} ClaimAnswer;

// ERR_USAGE when the claim lacks what its kind needs, or its model is of another kind.
bool claim_check(const Facts *facts, const ClaimAsk *ask, Arena *a, ClaimAnswer *ret_answer, Err *e);

#endif
