// The estimator's errors, printed.
#ifndef GPUADVISE_REPORT_VALIDATION_H
#define GPUADVISE_REPORT_VALIDATION_H

#include "src/perf/validate.h"
#include "src/report/report.h"

// What the project wants of left-out cells, percent: median error of all rows and of each vendor or other
// group, 90th percentile, rows inside the 80 % range, pairs called right.
enum {
    LIMIT_MEDIAN = 12,
    LIMIT_GROUP_MEDIAN = 14,
    LIMIT_P90 = 50,
    LIMIT_RANGE_LOW = 75,
    LIMIT_RANGE_HIGH = 88,
    LIMIT_PAIRS = 92
};

typedef struct Validation {
    const Check *checks;
    size_t n;
    const GroupStats *groups;
    size_t n_groups;
    bool own;  // rows of the user's own, not those of data/
    // "cell", "source": what each prediction was refitted without; "": the shipped factors
    const char *left_out;
} Validation;

void validation_json(const Validation *v, Json *root);  // adds groups[] and rows[]
// table, md, csv (groups)
void validation_text(const Validation *v, Format format, size_t width, Arena *a, Buf *out);
// what Markdown says besides the tables: docs/accuracy.md
void accuracy_page(const Validation *v, Arena *a, Buf *out);

#endif
