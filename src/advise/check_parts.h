// Inside of src/advise: the judges of each kind of claim, and what they share.
#ifndef GPUADVISE_CHECK_PARTS_H
#define GPUADVISE_CHECK_PARTS_H

#include "src/advise/check.h"
#include "src/perf/perf.h"

// A claim on the way to its answer.
typedef struct Judge {
    const Facts *facts;
    const ClaimAsk *ask;
    const PublicClaim *row;
    Arena *arena;
    ClaimAnswer answer;
} Judge;

bool judge_serving(Judge *j, Err *e);
bool judge_training(Judge *j, Err *e);
bool judge_images(Judge *j, Err *e);
bool judge_peak(Judge *j, Err *e);
bool judge_bill(Judge *j, Err *e);
bool judge_support(Judge *j, Err *e);

void judge_condition(Judge *j, const char *text);
void judge_settle(Judge *j);  // plausible with conditions is conditional
// Arena texts: a number, "$1.75", "19,500 claimed is 25 times that".
const char *judge_number(Judge *j, double x, int digits);
const char *judge_money(Judge *j, double usd);
const char *judge_ratio(Judge *j, double claimed, double bound);

// The fastest dense path of a GPU for weights stored as `weights`: formats are widened before the arithmetic, never narrowed.
Dtype judge_fastest(const Gpu *g, Dtype weights);

// Below the bound, but nearer to it than public measurements come: a condition.
void judge_share(Judge *j);

#endif
