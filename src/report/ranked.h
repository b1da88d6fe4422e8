// Inside of src/report: the ranked options as lines for people, one for a GPU in one number, engine and
// precision at all its sellers.
#ifndef GPUADVISE_REPORT_RANKED_H
#define GPUADVISE_REPORT_RANKED_H

#include "src/report/report.h"

typedef struct RankLine {
    const Option *option;  // at its cheapest seller
    const char **sellers;  // providers, cheapest first
    size_t n_sellers;
    double price_low, price_high, cost_high;  // of an hour; of the dearest seller
    size_t rank;                              // among all lines; 0: what runs today
    bool best, next;                          // holds Advice.best, Advice.next of its vendor
} RankLine;

// The first `top` lines, those of the best VENDOR_KEPT GPUs and of the nearest alternative of each vendor,
// and what runs today. *ret_all: lines in all.
const RankLine *ranked_lines(const Advice *advice, size_t top, Arena *a, size_t *ret_n, size_t *ret_all);
// "vast, runpod +4": as many names as fit, one at least
const char *sellers_text(const RankLine *line, size_t width, Arena *a);

#endif
