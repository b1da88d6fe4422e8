// Fits the efficiency factors of src/perf/perf.h to measurements. Pure; used by `calibrate` and `validate --leave-out`.
//
// Groups form a chain: vendor and layout -> architecture -> weight class -> engine. Each group's factors are those that its
// rows, and all rows below it, make most likely, under a normal prior around its parent's factors (in log and logit space):
// a group with many rows goes its own way, one with few stays near its family, one with none is its family. Errors are
// Student t (4 degrees of freedom) so that odd rows pull little. Rows of one cell - GPU, model, engine, submitter - share
// their weight: n rows count as n^0.6. Grade R counts a fifth. Grade C, D, T rows, speculation, disaggregation and request
// rates are not fitted. Method: Gauss-Newton with the prior as its damping.
#ifndef GPUADVISE_PERF_CALIBRATE_H
#define GPUADVISE_PERF_CALIBRATE_H

#include "src/perf/validate.h"

enum { FACTOR_LEVELS = 4 };

// A measured row ready to be predicted with any factors.
typedef struct FitRow {
    const Measurement *row;
    Prediction prediction;    // prepared with the facts at hand; its factors are replaced
    double measured, weight;  // ln output tokens/s; 0: predicted but not fitted
    double measured_tpot;     // ln seconds, NaN = not measured
    double load;              // concurrency of a replica, NaN = as many as fit
    const char *keys[FACTOR_LEVELS];  // path of groups: "amd|moe", "amd|moe|cdna3", ...
    size_t cell;  // shares its weight
    size_t part;  // left out together: the cell, or all rows of one source
} FitRow;

typedef enum LeaveOut { LEAVE_OUT_CELL, LEAVE_OUT_SOURCE } LeaveOut;

// Rows that can be predicted, in cells and parts; others are left out.
size_t fit_rows(const Facts *facts, const Measurement *rows, size_t n, LeaveOut leave_out, Arena *a, FitRow **ret_rows);

// The factor table: a row for every group that has a fitted row. `sigma_log` is the 80 % width of what the rows of the group
// are off when their part is left out of the fit. Texts live in `a`. For each row: `errors` and `tpot_errors`,
// ln(predicted / measured) with its part left out of every group (NaN where not measured), and `sigmas`, the width of its
// range from the other parts' errors.
size_t calibrate(const FitRow *rows, size_t n, Arena *a, Efficiency **ret_table, double *errors, double *tpot_errors, double *sigmas);

#endif
