// Fits the efficiency factors of src/perf/perf.h to measurements. Pure; used by `calibrate` and `validate
// --leave-out`.
//
// Every property of a configuration (src/perf/effects.h) shifts each factor by an unknown of its own; all are
// found at once, as the most likely under normal priors around no shift: a property with many rows goes its
// own way, one with few hardly moves. Errors are Student t (4 degrees of freedom) so that odd rows pull
// little. Rows of one cell - GPU, model, engine, submitter - share their weight: n rows count as n^0.7. Grade
// R counts a fifth. Grade C, D, T rows, speculation, disaggregation and request rates are not fitted. Method:
// Gauss-Newton with the prior as its damping.
#ifndef GPUADVISE_FIT_CALIBRATE_H
#define GPUADVISE_FIT_CALIBRATE_H

#include "src/perf/fit.h"
#include "src/fit/validate.h"

// A measured row ready to be predicted with any factors.
typedef struct FitRow {
    const Measurement *row;
    Prediction prediction;    // prepared with the facts at hand; its factors are replaced
    double measured, weight;  // ln of the rate in the prediction's unit; 0: predicted but not fitted
    double measured_tpot, measured_ttft;  // ln seconds, NaN = not measured
    EffectLevels levels;
    size_t cell;       // shares its weight
    size_t publisher;  // whose rows say how far another publisher's may be off
    size_t part;       // left out together: the cell, or all rows of one source
} FitRow;

// Rows that can be predicted, in cells and parts; others are left out.
size_t fit_rows(const Facts *facts, const Measurement *rows, size_t n, LeaveOut leave_out, Arena *a,
                FitRow **ret_rows);

// What is predicted for each row with its part left out of the fit. Lives in the arena.
typedef struct LeftOut {
    double *errors;         // ln(predicted / measured) of the rate; NaN where not measured
    double *tpots, *ttfts;  // ln seconds; TTFT NaN where requests wait
    double *sigmas;         // width of the range, from the other parts' errors
} LeftOut;

typedef struct CalibrateWant {
    const FitRow *rows;
    size_t n;
    const Facts *facts;  // whose constants say what unseen properties add to ranges
    const Facts *known;  // whose factors the fit starts from and leans on; NULL: from priors alone
    const char *source;  // what the rows are, for the table
} CalibrateWant;

// The table of shifts (with `known`: its rows too), and a spread for every group that has a fitted row:
// `sigma_log` is the 80 % width of what its rows are off when their part is left out, every publisher counting as
// one, drawn towards the wider group's by how few publishers there are, and never under what one publisher's own
// runs differ by. For ranges that hold for somebody else's runs the parts are publishers. Texts live in `a`.
size_t calibrate(const CalibrateWant *want, Arena *a, Efficiency **ret_table, LeftOut *ret);

#endif
