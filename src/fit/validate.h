// The estimator held against measurements: one prediction a row, errors by group. Pure; used by `validate`.
#ifndef GPUADVISE_FIT_VALIDATE_H
#define GPUADVISE_FIT_VALIDATE_H

#include "src/perf/predict.h"

// A measured row and its prediction. Error: ln(predicted / measured), NaN where there is no measured value.
typedef struct Check {
    const Measurement *row;
    Prediction prediction;
    // TTFT only where nothing waits: a queue's length is the load, not the speed
    double error, ttft_error, tpot_error;
    // measured as the mean of a run, which holds its cold start; predicted is the median
    bool ttft_is_mean;
    bool inside;            // the 80 % range holds the measured value
    bool special;           // speculation, disaggregation or a request rate: reported apart
    const char *publisher;  // "" until somebody says
} Check;

void check_row(const Measurement *m, const Prediction *p, Check *ret);

// Serving of grades A and B without what is special, nor held out: what errors are told of.
bool is_scored_check(const Check *c);

// Linear between the order statistics of a sorted list (type 7 of Hyndman and Fan 1996); NaN of none.
double sorted_quantile(const double *sorted, size_t n, double q);
int compare_numbers(const void *left, const void *right);  // of doubles, for qsort

// Errors of a set of rows.
typedef struct GroupStats {
    const char *by, *name;  // "vendor", "amd"
    size_t n;
    // output tokens/s; NaN when n is 0
    double median_abs_error_pct, p90_abs_error_pct, bias_pct, interval_coverage_pct;
    double rms_log;  // root of the mean squared ln(predicted / measured)
    size_t n_pairs;
    double pair_winner_accuracy_pct;  // NaN without pairs
    size_t n_ttft, n_tpot;
    double ttft_median_abs_error_pct, ttft_p90_abs_error_pct, tpot_median_abs_error_pct,
        tpot_p90_abs_error_pct;
    double ttft_median_factor;  // predicted over measured or the other way round, the larger
} GroupStats;

// Statistics over the checks for which `in` holds (NULL = all). A pair is an NVIDIA and an AMD row of the
// same model, lengths, concurrency and GPU count whose measurements differ by over 10 %; it is right when the
// same one is predicted faster.
GroupStats group_stats(const Check *checks, size_t n, bool (*in)(const Check *c, const char *name),
                       const char *by, const char *name, Arena *a);

bool is_vendor_pair(const Check *a, const Check *b);

// All groups of the report, in its order: all, vendor since 2025-07, fifths of the rows by the width of their
// range, vendor and half-year, publisher, grade, vendor, architecture, engine, precision, scenario (serving,
// grades A and B, special rows left out), tasks that are no serving, the special rows, those held out, bursts, then
// TTFT by how many are in flight. Returns how many
// were written to `ret` (at most `size`).
size_t all_groups(const Check *checks, size_t n, Arena *a, GroupStats *ret, size_t size);

#endif
