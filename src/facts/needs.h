// What a move between vendors asks of the facts: needs of a stack, steps of the move.
#ifndef GPUADVISE_FACTS_NEEDS_H
#define GPUADVISE_FACTS_NEEDS_H

#include "src/facts/columns.h"
#include "src/facts/facts.h"
#include "src/facts/porting.h"

// What becomes of a need on the other vendor's GPUs, best first.
typedef enum StackFit { FIT_WORKS, FIT_CHANGES, FIT_LOSES, FIT_BLOCKED, FIT_UNKNOWN, FIT_COUNT } StackFit;
extern const char *const fit_names[];   // works, changes, loses, blocked, unknown
extern const char *const fit_titles[];  // works, works with changes, loses a feature, blocked, unknown

// clang-format off
// Something that a stack may need (data/needs.tsv), and what becomes of it on AMD.
#define STACK_NEED_FIELDS(X) \
    X(StackNeed, TEXT, KEY, need) \
    X(StackNeed, TEXT, MUST, title) \
    /* of the claims in data/support.tsv that speak of it; "": none */ \
    X(StackNeed, TEXT, MAY, subject) \
    X(StackNeed, NAME, MUST, on_amd, StackFit, fit_names) \
    /* targets where that holds, separated by blanks; "": any. Elsewhere it is blocked */ \
    X(StackNeed, TEXT, MAY, gpu_scope) \
    X(StackNeed, TEXT, MAY, change) \
    X(StackNeed, TEXT, MAY, lost) \
    X(StackNeed, TEXT, MAY, trap) \
    /* of data/cuda_constructs.tsv, whose minutes the change takes; "": none */ \
    X(StackNeed, TEXT, MAY, rule) \
    X(StackNeed, NUM, MAY, count, 0, 1e4)  /* of the rule */ \
    ORIGIN(X, StackNeed)
typedef struct StackNeed {STACK_NEED_FIELDS(MEMBER)} StackNeed;

// A step of a move (data/move_steps.tsv).
#define MOVE_STEP_FIELDS(X) \
    X(MoveStep, NUM, KEY_MAY, step, 1, 1000)  /* order */ \
    /* always, code (there is code to port), or the name of a framework or need */ \
    X(MoveStep, TEXT, MUST, when) \
    X(MoveStep, TEXT, MUST, title) \
    X(MoveStep, TEXT, MUST, how) \
    X(MoveStep, TEXT, MAY, trap) \
    ORIGIN(X, MoveStep)
typedef struct MoveStep {MOVE_STEP_FIELDS(MEMBER)} MoveStep;
// clang-format on

// What judging a stack needs.
typedef struct StackFacts {
    ROWS(Claim, claims);
    ROWS(StackNeed, needs);
    ROWS(MoveStep, steps);
    PortingFacts porting;
} StackFacts;

#endif
