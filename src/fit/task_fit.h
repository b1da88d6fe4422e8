// Fits the shifts of data/task_efficiency.tsv to measurements of training, images, video, HPC and embeddings.
// Pure.
//
// Ridge regression of ln(rate) on all properties at once (see TaskEffect), errors as in src/fit/calibrate.h:
// a property with many rows goes its own way, one with few hardly moves.
#ifndef GPUADVISE_FIT_TASK_FIT_H
#define GPUADVISE_FIT_TASK_FIT_H

#include "src/perf/fit.h"
#include "src/fit/validate.h"

typedef struct TaskRow {
    const Measurement *row;
    Prediction prediction;
    double measured;  // ln of its rate, NaN: not measured
    double weight;    // 0: predicted but not fitted
    TaskLevels levels;
    // What is predicted when its part is left out.
    double left_rate, left_sigma;  // ln; standard deviation of ln
    size_t cell;                   // shares its weight
    size_t part;                   // left out together
} TaskRow;

typedef struct TaskFitWant {
    TaskRow *rows;  // left_* are filled
    size_t n;
    const Facts *known;  // whose factors the fit starts from and leans on; NULL: from priors alone
    const char *source;  // what the rows are, for the table
} TaskFitWant;

// Rows that are no token serving and can be predicted but for the factors.
size_t task_rows(const Facts *facts, const Measurement *rows, size_t n, LeaveOut leave_out, Arena *a,
                 TaskRow **ret_rows);

// The table of shifts (with `known`: its rows too), priors without rows included, and a spread for every
// group. Texts live in `a`.
size_t task_fit(const TaskFitWant *want, Arena *a, TaskEfficiency **ret_table);

#endif
