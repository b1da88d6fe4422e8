// The option table: what every option is called, what values it takes, and who set the one that holds.
#ifndef GPUADVISE_OPTIONS_H
#define GPUADVISE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/option_table.h"
#include "src/advise/stack.h"

#define OPTION_ID_(id, ...) id,
typedef enum OptionId { OPTION_TABLE(OPTION_ID_) OPT_COUNT } OptionId;
#undef OPTION_ID_

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
    const TermSpec *term;        // the assumption of the decision that it sets, whose bounds hold; NULL: none
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
