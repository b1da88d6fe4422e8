// How the estimator did on runs of the user's own: before any of them counted, and with those before it.
#ifndef GPUADVISE_FIT_OWN_ERRORS_H
#define GPUADVISE_FIT_OWN_ERRORS_H

#include "src/fit/suspect.h"

extern const char *const response_names[];  // output-tokens, tpot, ttft

// Errors of a set of values. Error: ln(predicted / measured) of a rate, of a time likewise.
typedef struct OwnErrors {
    const char *by, *name;  // "tool", "vllm-serve"; "all", ""
    Response metric;
    size_t n;
    // with no own run at all: median of the absolute error, median of the error, share in the 80 % range (of
    // output tokens; NaN of times)
    double median_abs_error_pct, bias_pct, in_range_pct;
    double median_abs_with_earlier_pct;  // with the runs that came before each
} OwnErrors;

// Of all runs that count, then by tool, GPU and engine, each by metric; quarantined ones are in none. Returns how many were
// written to `ret`, at most `size`.
size_t own_errors(const Facts *facts, const JudgedRun *runs, size_t n, Arena *a, OwnErrors *ret, size_t size);

#endif
