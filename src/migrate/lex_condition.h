// Between lex_c.c and lex_condition.c: what a condition of the preprocessor means for a build for AMD.
#ifndef GPUADVISE_MIGRATE_LEX_CONDITION_H
#define GPUADVISE_MIGRATE_LEX_CONDITION_H

#include "src/migrate/cuda.h"

// What a condition is for a build for AMD.
typedef enum Truth { NEVER, ALWAYS, OPEN, AMD_ONLY, NOT_AMD } Truth;

// Of the expression in n tokens, which are places in `text`. OPEN where it hangs on what nobody here knows.
Truth condition_truth(const CWords *words, const char *text, const CToken *tokens, size_t n);

// Does the macro say that a build is for AMD?
bool is_amd_macro(const CWords *words, Str name);

#endif
