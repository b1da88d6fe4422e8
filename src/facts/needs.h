// What a move between vendors asks of the facts: needs of a stack, steps of the move.
#ifndef GPUADVISE_FACTS_NEEDS_H
#define GPUADVISE_FACTS_NEEDS_H

#include "src/facts/facts.h"
#include "src/facts/porting.h"

// What becomes of a need on the other vendor's GPUs, best first.
typedef enum StackFit { FIT_WORKS, FIT_CHANGES, FIT_LOSES, FIT_BLOCKED, FIT_UNKNOWN, FIT_COUNT } StackFit;
extern const char *const fit_names[];   // works, changes, loses, blocked, unknown
extern const char *const fit_titles[];  // works, works with changes, loses a feature, blocked, unknown

// Something that a stack may need (data/needs.tsv), and what becomes of it on AMD.
typedef struct StackNeed {
    const char *need, *title;
    const char *subject;  // of the claims in data/support.tsv that speak of it; "": none
    StackFit on_amd;
    const char *gpu_scope;  // targets where that holds, separated by blanks; "": any. Elsewhere it is blocked
    const char *change, *lost, *trap;
    const char *rule;  // of data/cuda_constructs.tsv, whose minutes the change takes; "": none
    double count;      // of the rule
    const char *source, *as_of;
} StackNeed;

// A step of a move (data/move_steps.tsv).
typedef struct MoveStep {
    double step;       // order
    const char *when;  // always, code (there is code to port), or the name of a framework or need
    const char *title, *how, *trap;
    const char *source, *as_of;
} MoveStep;

// What judging a stack needs.
typedef struct StackFacts {
    const Claim *claims;
    size_t n_claims;
    const StackNeed *needs;
    size_t n_needs;
    const MoveStep *steps;
    size_t n_steps;
    PortingFacts porting;
} StackFacts;

#endif
