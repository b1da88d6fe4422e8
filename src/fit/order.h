// Whether the estimator puts the vendors in the right order, and whether it is as sure as it may be. Pure; used
// by `validate`.
#ifndef GPUADVISE_FIT_ORDER_H
#define GPUADVISE_FIT_ORDER_H

#include "src/fit/validate.h"

// Pairs of rows, one of each vendor, of one model under the same lengths, load, scenario and number of GPUs, of
// every grade but D that states them.
typedef struct OrderStats {
    const char *name;  // "over 10 %", "10 to 25 %", "over 25 %": how far the measured rates are apart
    size_t n;
    double right_pct;   // the faster one is predicted faster; NaN without pairs
    size_t publishers;  // groups of pairs that one or two publishers made
    double error_pct;   // standard error of right_pct, with those groups as the sample; NaN below two
} OrderStats;

// Pairs by the probability that would be said of the faster vendor: as a verdict says it of two estimates with
// these doubts, were their prices alike.
typedef struct SaidStats {
    double from, to;  // of the probability said
    size_t n;
    double said_pct;   // mean of what is said; NaN without pairs
    double right_pct;  // NaN without pairs
    size_t publishers;
    double error_pct;  // as above, of right_pct
} SaidStats;

enum { ORDER_BINS = 4, SAID_BINS = 4 };
typedef struct VendorOrder {
    OrderStats
        apart[ORDER_BINS];      // the last: pairs with a held-out row, over 10 % apart, which are in no other
    SaidStats said[SAID_BINS];  // all pairs without a held-out row, however near each other
} VendorOrder;

void vendor_order(const Facts *facts, const Check *checks, size_t n, Arena *a, VendorOrder *ret);

// A bin holds what it says: right within so many points of it, or within the sampling error.
enum { SAID_WITHIN_PCT = 7 };
bool said_holds(const SaidStats *s);

#endif
