// Which runs would settle a verdict: a few of them, each on one server of one side's best.
#ifndef GPUADVISE_ADVISE_PLAN_H
#define GPUADVISE_ADVISE_PLAN_H

#include "src/advise/measure.h"

enum { PLAN_RUNS_MAX = 4 };

typedef struct PlannedRun {
    const Option *option;
    double share;                      // of the load of a replica that it runs at
    Measure measure;                   // at that load
    double sigma_before, sigma_after;  // of ln of the option's speed at its load
    double ratio_sigma;                // of ln of the ratio of costs, once it and those before it are there
    double usd;                        // an hour of one instance
} PlannedRun;

typedef struct Plan {
    PlannedRun runs[PLAN_RUNS_MAX];
    size_t n;
    // ln of the AMD / NVIDIA cost ratio as it is; NaN: a side has no option
    double ratio_mean, ratio_sigma;
    // after all of them the 80 % range of the ratio lies on one side of 1, should it come out as estimated
    bool settles;
} Plan;

// Greedy: the run that leaves least doubt of the ratio, until that settles it; two at least, and of both sides where
// neither was measured. The load itself first, then a quarter of it and four times.
void plan_runs(const Facts *facts, const Advice *advice, Arena *a, Plan *ret);

#endif
