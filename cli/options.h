// The option table: what every option is called, what values it takes, and who set the one that holds.
#ifndef GPUADVISE_OPTIONS_H
#define GPUADVISE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "src/advise/stack.h"

typedef enum OptionId {
    // every command
    OPT_DB,
    OPT_DATA,
    OPT_FORMAT,
    OPT_JSON,  // --format json; never stored
    OPT_OUTPUT,
    OPT_EXPLAIN,
    OPT_COLOR,
    OPT_OFFLINE,
    OPT_NO_PAGER,
    OPT_QUIET,
    OPT_VERBOSE,
    OPT_HELP,
    OPT_VERSION,
    // workload and configuration
    OPT_WORKLOAD,
    OPT_MODEL,
    OPT_ASSUME_DENSE,
    OPT_ISL,
    OPT_OSL,
    OPT_TTFT,
    OPT_TPOT,
    OPT_RATE,
    OPT_CONCURRENCY,
    OPT_BATCH,
    OPT_GPU,
    OPT_GPUS,
    OPT_FLEET,
    OPT_SITE_KW,
    OPT_TP,
    OPT_PP,
    OPT_EP,
    OPT_DP,
    OPT_PREFILL_GPUS,
    OPT_DRAFT_TOKENS,
    OPT_ACCEPTED_TOKENS,
    OPT_CACHED_PROMPT,
    OPT_POWER_CAP,
    OPT_HOST_GB,
    OPT_SPLIT,
    OPT_GPU_LAYERS,
    OPT_CPU_OFFLOAD,
    OPT_CPU_EXPERTS,
    OPT_HOST_GB_S,
    OPT_MEMORY_FRACTION,
    OPT_VENDOR,
    OPT_EXCLUDE_GPU,
    OPT_ENGINE,
    OPT_WEIGHTS,
    OPT_KV,
    // offers and money
    OPT_SPOT,
    OPT_RESERVED,
    OPT_PROVIDER,
    OPT_EXCLUDE_PROVIDER,
    OPT_REGION,
    OPT_MAX_PRICE,
    OPT_PRICE,
    OPT_DISCOUNT,
    OPT_DUTY_CYCLE,
    OPT_MAX_AGE,
    OPT_ALL_REGIONS,
    OPT_UNMAPPED,
    OPT_SUPERSEDED,
    OPT_GROUP_BY,
    OPT_COUNTRY,
    OPT_AVAILABLE,
    OPT_QUARANTINED,
    OPT_SORT,
    OPT_WHERE,
    OPT_SINCE,
    OPT_CURRENCY_RATE,  // --usd-per
    OPT_NAME,
    OPT_AS_OF,
    OPT_PRICE_OF,
    OPT_COLUMN,
    OPT_OLDER_THAN,
    OPT_SNAPSHOT,
    OPT_WITH_IMPORTS,
    OPT_SECRET_KEY,
    OPT_TRUSTED_KEY,
    OPT_NEW_KEY,
    OPT_STRICT,
    OPT_FEED_URL,
    OPT_FEED_REGIONS,
    OPT_CA,
    OPT_METRICS,
    OPT_FROM,
    // runs of the user's own
    OPT_HOST,
    OPT_DRY_RUN,
    OPT_REDACT,
    // answers
    OPT_TOP,
    OPT_PARETO,
    OPT_FAIL_OVER,     // --fail-over-usd-per-mtok
    OPT_FAIL_CHANGES,  // --fail-if-verdict-changes
    OPT_SEED,
    OPT_PLATFORM,
    OPT_MAN,
    OPT_MEASUREMENTS,
    OPT_LEAVE_OUT,
    OPT_RUNS,
    OPT_GATE,
    OPT_TSV,
    OPT_TASKS,
    OPT_ROCM,
    OPT_TEAM,
    OPT_TEST_COVERAGE,
    OPT_EXCLUDE,
    OPT_CLASS,
    OPT_RULE,
    OPT_PATH,
    OPT_BASELINE,
    OPT_FAIL_OVER_DAYS,
    OPT_ENGINEER_DAY,
    OPT_WRITE,
    OPT_CHECK,
    OPT_TOKENS_S,
    OPT_USD_HOUR,
    OPT_USD_MTOK,
    OPT_FILE,
    OPT_CLAIMS,
    OPT_QUICK,
    OPT_DEVICE,
    OPT_WORKING_SET,
    OPT_DEADLINE,
    OPT_SHARED,
    OPT_MINUTES,
    OPT_FAIL_IF,
    OPT_REFERENCE,
    OPT_RECORD,
    OPT_EXPECT,
    OPT_KEEP,
    OPT_JOIN,
    OPT_ONCE,
    OPT_SIZE,
    OPT_THEME,
    OPT_ASCII,
    OPT_BIND,
    OPT_PROGRESS,
    // the decision
    OPT_POWER_PRICE,
    OPT_PUE,
    OPT_ONPREM,
    OPT_GPU_PRICE,
    OPT_HOST_PRICE,
    OPT_AMORTISE,
    OPT_RESIDUAL,
    OPT_CAPITAL_RATE,
    OPT_CURRENT,
    OPT_STACK,
    OPT_SOURCE,
    OPT_HORIZON,
    OPT_DISCOUNT_RATE,
    OPT_TEAM_SIZE,
    OPT_MOVABLE,
    OPT_JOBS,
    OPT_API_OUTPUT,
    OPT_API_INPUT,
    // requests of logs and traces
    OPT_MAP,
    OPT_BLOCK_TOKENS,
    OPT_SERVICE,
    OPT_SESSIONS,
    OPT_TRAFFIC,
    OPT_START_MIN,
    OPT_BILLING_MIN,
    OPT_GROWTH,
    OPT_COUNT
} OptionId;

typedef enum OptionKind {
    OPTION_FLAG,
    OPTION_TEXT,     // not empty
    OPTION_LINK,     // the same, and commas do not split it
    OPTION_INTEGER,  // whole number in min..max
    OPTION_NUMBER,   // number in min..max
    OPTION_CHOICE,   // one of `choices`, case ignored; stored as spelled there
    OPTION_AGE,      // N[h|d], bare number = days; number: days
    OPTION_PAIR,     // NAME=NUMBER, number in min..max
    OPTION_RATE      // CURRENCY=NUMBER@DATE, number in min..max
} OptionKind;

typedef struct OptionSpec {
    // without dashes; also the key of the settings file, and GPUADVISE_<NAME> in the environment
    const char *name;
    char letter;  // short form or 0
    OptionKind kind;
    const char *metavar;
    const char *help;  // one sentence, no full stop
    double min, max;
    bool term;  // an assumption of the decision: bounds and place are those of the term of this name
    const char *const *choices;  // NULL-terminated
    bool global;                 // every command takes it
    bool setting;                // may be set in the environment and the settings file
    bool repeat;                 // may be given several times, and as a list with commas
    // with repeat: the one command that takes several; NULL: all that take the option
    const char *several_in;
    const char *former;  // an older name that still works wherever the name does; NULL: none
    const char *key;     // in the inputs of JSON, where an argument has the name already; NULL: by the name
} OptionSpec;

extern const OptionSpec option_table[OPT_COUNT];
bool option_term(OptionId id, Term *ret_term);  // the term that it sets; false: none
enum { GATE_LOW, GATE_THROTTLED, GATE_ECC, GATE_MIXED, GATE_COUNT };
extern const char *const bench_gate_names[];  // of --fail-if; the gates are in bench_gate.c

// Who set a value; a higher level replaces the lower one's.
typedef enum OptionLevel { LEVEL_NONE, LEVEL_FILE, LEVEL_ENVIRONMENT, LEVEL_FLAG } OptionLevel;

typedef struct OptionValue {
    OptionLevel level;
    const char **texts;  // as typed (choices: as listed); n > 1 only for repeatable options
    double *numbers;     // INTEGER, NUMBER, AGE, PAIR; FLAG: 1 or 0
    size_t n, capacity;
    size_t latest;  // the first value of the last time that the option was given
} OptionValue;

#endif
