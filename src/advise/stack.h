// The user's stack: frameworks, own kernels and needs, from a short file; what becomes of each on AMD, and
// the work it takes.
//
// Level 2, part of src/advise. Pure: the file comes in as text, the facts as rows.
#ifndef GPUADVISE_ADVISE_STACK_H
#define GPUADVISE_ADVISE_STACK_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/base.h"
#include "src/facts/facts.h"
#include "src/facts/needs.h"
#include "src/migrate/effort.h"

// What the user may set about money and time, in the order of term_specs. Unset: the row of
// data/decision.tsv; where that has none, unknown.
typedef enum Term {
    TERM_ENGINEER_DAY,
    TERM_HORIZON,
    TERM_DISCOUNT_RATE,
    TERM_LOAD,
    TERM_PRICE_LEVEL,
    TERM_CONTRACT_DAYS,
    TERM_REVALIDATION_DAYS,
    TERM_PORT_DAYS,
    TERM_UPKEEP_DAYS,
    TERM_PARALLEL_PROVIDER,
    TERM_PARALLEL_VENDOR,
    TERM_TEAM_SIZE,
    TERM_HIRE_WEEKS,
    TERM_DATA_GB,
    TERM_EGRESS_USD_GB,
    TERM_COMMITMENT_USD,
    TERM_COMMITMENT_MONTHS,
    TERM_MOVABLE_SHARE,
    TERM_JOBS_MONTH,
    TERM_SPOT_LOSS,
    TERM_POWER_PRICE,
    TERM_PUE,
    TERM_HOST_POWER,
    TERM_HOST_PRICE,
    TERM_HOSTING,
    TERM_AMORTISE,
    TERM_RESIDUAL,
    TERM_CAPITAL_RATE,
    TERM_STREET_PRICE,
    TERM_API_OUTPUT,
    TERM_API_INPUT,
    TERM_COUNT
} Term;

typedef struct TermSpec {
    const char *name;  // of the row in data/decision.tsv
    const char *key;   // in a stack file; also the option's name
    const char *unit, *what;
    double min, max;
} TermSpec;
extern const TermSpec term_specs[TERM_COUNT];

typedef struct Given {
    bool set;
    double value;
} Given;

// What the user says, in a stack file.
typedef enum StackKind { STACK_FRAMEWORK, STACK_NEED, STACK_LIBRARY, STACK_KIND_COUNT } StackKind;
extern const char *const stack_kind_names[];  // framework, need, library

typedef struct StackEntry {
    StackKind kind;
    const char *name, *version;  // version "": not said
    double count;                // of a need: kernels, places; NaN: not said
    const char *from;            // where a guess read it; "": the file itself
} StackEntry;

typedef struct Stack {
    const char *path;  // "" when guessed
    const StackEntry *entries;
    size_t n_entries;
    const char *const *replaceable;  // names that may be given up or replaced
    size_t n_replaceable;
    double kernel_kloc;    // thousand lines of own CUDA; NaN: not said
    double test_coverage;  // 0-1; NaN
    int team;              // Team; -1: not said
    bool regulated, spot;
    Given terms[TERM_COUNT];
} Stack;

// Reads a stack file: `key = value`, '#' comments. Everything lives in the arena. ERR_USAGE names line and
// key.
bool stack_parse(Str text, const char *path, Arena *a, Stack *ret_stack, Err *e);

// The file that `stack init` writes: every key with a comment, needs listed from `facts`.
void stack_template(const StackFacts *facts, Buf *out);

// ---------------------------------------------------------------- judged

// A claim that speaks of an item, and where it stands among those that say something else.
typedef struct StackEvidence {
    const Claim *claim;
    bool wins;        // the newest of the well-founded ones
    bool disagrees;   // says another status than the one that wins
    const char *why;  // why it wins, or what beats it
} StackEvidence;

typedef struct StackItem {
    StackKind kind;
    const char *name, *title, *version;
    StackFit fit;
    bool replaceable;  // the user would give it up: blocked does not keep the stack where it is
    const char *change, *lost, *install, *trap;
    double days_low, days, days_high;  // of the first port, the range of its rule alone
    const PortRule *rule;              // NULL: no work known
    double count;
    const StackEvidence *evidence;
    size_t n_evidence;
    const char *source, *as_of;  // of the row that decides
} StackItem;

typedef struct StackView {
    const Stack *stack;
    const char *target;  // gfx target judged for; "": any
    const StackItem *items;
    size_t n_items;
    const MoveStep *const *steps;
    size_t n_steps;
    size_t by_fit[FIT_COUNT];
    size_t stuck;  // blocked, and not to be given up
    Effort effort;
    size_t findings[PORT_CLASS_COUNT];
} StackView;

// Judges each entry for an AMD target ("" = any) and adds up the work. `scanned`: effort items of a scan,
// which then stand for frameworks and kernels. Fails only where the facts are incomplete.
bool stack_judge(const StackFacts *facts, const Stack *stack, const char *target, double engineer_day_usd,
                 Arena *a, StackView *ret_view, Err *e);

// The claims on one subject and platform, newest well-founded first, with which wins and why; also for
// `compat`.
const StackEvidence *evidence_of(const Claim *claims, size_t n, const char *subject, const char *platform,
                                 const char *target, Arena *a, size_t *ret_n);

#endif
