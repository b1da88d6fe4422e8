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

// What the user may set about money and time. Unset: the row of data/decision.tsv; where that has none, unknown.
// ROW(Term, its row in data/decision.tsv, its key in a stack file and the name of its option, least, most, unit, what it is)
// clang-format off
#define TERMS(ROW) \
    ROW(TERM_ENGINEER_DAY, "engineer_day_usd", "engineer-day-usd", 1e-6, 1e9, "USD a day", "what a day of an engineer costs") \
    ROW(TERM_HORIZON, "horizon_months", "horizon-months", 1, 600, "months", "time over which a move has to pay") \
    ROW(TERM_DISCOUNT_RATE, "discount_rate_pct", "discount-rate", 0, 1000, "percent a year", "rate at which later money counts for less") \
    ROW(TERM_LOAD, "load_factor", "load-factor", 1e-6, 1e6, "of the load asked", "load over the horizon") \
    ROW(TERM_PRICE_LEVEL, "price_level", "price-level", 0.01, 100, "of today's", "prices of AMD's GPU-hours against NVIDIA's over the horizon") \
    ROW(TERM_CONTRACT_DAYS, "contract_days", "contract-days", 0, 1e6, "engineer-days", "work of changing provider whatever the GPUs") \
    ROW(TERM_REVALIDATION_DAYS, "revalidation_days", "revalidation-days", 0, 1e6, "engineer-days", "validating again what is regulated") \
    ROW(TERM_PORT_DAYS, "port_days", "port-days", 0, 1e6, "engineer-days", "moving the software with its tests and CI, where you know it; for moves to NVIDIA the only word on it") \
    ROW(TERM_UPKEEP_DAYS, "upkeep_days_year", "upkeep-days-per-year", 0, 1e6, "engineer-days a year", "keeping what was moved, where you know it") \
    ROW(TERM_PARALLEL_PROVIDER, "dual_weeks_provider", "dual-weeks-provider", 0, 520, "weeks", "both fleets paid while changing provider") \
    ROW(TERM_PARALLEL_VENDOR, "dual_weeks_vendor", "dual-weeks", 0, 520, "weeks", "both fleets paid while changing vendor") \
    ROW(TERM_TEAM_SIZE, "team_size", "team-size", 0.01, 1e5, "engineers", "who work on the move at the same time") \
    ROW(TERM_HIRE_WEEKS, "hire_weeks", "hire-weeks", 0, 520, "weeks", "until those who can do it are there") \
    ROW(TERM_DATA_GB, "data_gb", "data-gb", 0, 1e12, "GB", "data that has to leave the old provider") \
    ROW(TERM_EGRESS_USD_GB, "egress_usd_gb", "egress-usd-per-gb", 0, 1e6, "USD a GB", "what the old provider takes for that") \
    ROW(TERM_COMMITMENT_USD, "commitment_usd_month", "commitment-usd-per-month", 0, 1e12, "USD a month", "commitment to the old provider that would go unused") \
    ROW(TERM_COMMITMENT_MONTHS, "commitment_months", "commitment-months", 0, 600, "months", "for which it still runs") \
    ROW(TERM_MOVABLE_SHARE, "movable_share", "movable-share", 0, 1, "of the load, 0-1", "load that needs no blocker solved") \
    ROW(TERM_JOBS_MONTH, "jobs_per_month", "jobs-per-month", 1e-6, 1e9, "jobs", "runs of a job a month (training, HPC)") \
    ROW(TERM_SPOT_LOSS, "spot_loss_pct", "spot-loss", 0, 95, "percent", "of spot hours lost to interruptions") \
    ROW(TERM_POWER_PRICE, "power_price", "power-price", 0, 1000, "USD a kWh", "electricity") \
    ROW(TERM_PUE, "pue", "pue", 1, 10, "factor", "power of the data centre for that of its servers") \
    ROW(TERM_HOST_POWER, "host_power_factor", "host-power-factor", 1, 10, "factor", "power of a server for that of its GPUs") \
    ROW(TERM_HOST_PRICE, "host_price_factor", "host-price-factor", 1, 10, "factor", "price of a server for that of its GPUs") \
    ROW(TERM_HOSTING, "hosting_usd_kw_month", "hosting-usd-per-kw", 0, 1e6, "USD a kW and month", "space and cooling") \
    ROW(TERM_AMORTISE, "amortise_months", "amortise-months", 1, 600, "months", "over which owned servers are written off") \
    ROW(TERM_RESIDUAL, "residual_pct", "residual", 0, 99, "percent", "of the price that they fetch then") \
    ROW(TERM_CAPITAL_RATE, "capital_rate_pct", "capital-rate", 0, 1000, "percent a year", "what the money in owned servers costs; unsaid: the discount rate") \
    ROW(TERM_STREET_PRICE, "street_price_factor", "street-price-factor", 0.01, 100, "factor", "what a GPU is bought for, for its street price") \
    ROW(TERM_API_OUTPUT, "api_output_usd_mtok", "api-usd-per-mtok", 0, 1e6, "USD a million tokens", "an API's price of output tokens") \
    ROW(TERM_API_INPUT, "api_input_usd_mtok", "api-input-usd-per-mtok", 0, 1e6, "USD a million tokens", "an API's price of input tokens")

#define TERM_ID_(id, ...) id,
// clang-format on
typedef enum Term { TERMS(TERM_ID_) TERM_COUNT } Term;
#undef TERM_ID_

typedef struct TermSpec {
    const char *name, *key;
    double min, max;
    const char *unit, *what;
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
