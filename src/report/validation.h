// The estimator's errors, printed.
#ifndef GPUADVISE_REPORT_VALIDATION_H
#define GPUADVISE_REPORT_VALIDATION_H

#include "src/perf/validate.h"
#include "src/report/report.h"

typedef struct Validation {
    const Check *checks;
    size_t n;
    const GroupStats *groups;
    size_t n_groups;
    bool own;              // rows of the user's own, not those of data/
    const char *left_out;  // "cell", "source": what each prediction was refitted without; "": the shipped factors
} Validation;

void validation_json(const Validation *v, Json *root);  // adds groups[] and rows[]
void validation_text(const Validation *v, Format format, size_t width, Arena *a, Buf *out);  // table, md, csv (groups)
void accuracy_page(const Validation *v, Arena *a, Buf *out);  // what Markdown says besides the tables: docs/accuracy.md

#endif
