// Sums of minutes with their uncertainty: shared by the estimate and its calibration.
#ifndef GPUADVISE_MIGRATE_EFFORT_SUM_H
#define GPUADVISE_MIGRATE_EFFORT_SUM_H

#include "src/migrate/effort.h"

// Minutes of several rules. One rule's range is taken as an 80 % interval that all its occurrences share;
// rules are independent.
typedef struct MinuteSum {
    double low, high;  // end points added up: for shares of parts, never shown as a range of the whole
    double mean, variance;
} MinuteSum;

void minutes_add(MinuteSum *s, double low, double high);
// Standard deviation of the logarithm of a lognormal with the sum's mean and variance; 0 for an empty sum.
double minutes_spread(const MinuteSum *s);
// 80 % interval of a lognormal around `days`.
Estimate days_estimate(double days, double spread_log);

// Occurrences of a construct as minutes count them: each doubling of what was met makes the next one cheaper
// by the learning rate. Dependencies and what a project needs once are no repetition. NaN without the factor.
double repeated(const PortingFacts *facts, const PortRule *rule, double count);

const PortRule *rule_find(const PortingFacts *facts, const char *id);  // NULL: none
double factor_value(const PortingFacts *facts, const char *name);      // NaN: none

#endif
