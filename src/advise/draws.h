// Inside of src/advise: seeded draws, and what a move is worth in each of them.
#ifndef GPUADVISE_ADVISE_DRAWS_H
#define GPUADVISE_ADVISE_DRAWS_H

#include "src/advise/advise.h"

enum { DRAWS = 20000 };

// What is drawn, each independent of the others.
typedef enum Draw {
    DRAW_RATIO,     // ln of the costs of the two vendors' options
    DRAW_SPLIT,     // which of the two options that error belongs to
    DRAW_SAME,      // ln of the costs of two options of one vendor
    DRAW_EFFORT,    // days of the port, its tests and its upkeep
    DRAW_CONTRACT, DRAW_REVALIDATION, DRAW_DAY, DRAW_DUAL, DRAW_LOAD, DRAW_PRICE,
    DRAW_COUNT
} Draw;

// Latin hypercube: each column holds the DRAWS middles of as many equally likely slices of a standard normal, in a random order.
typedef struct Draws {
    double *z[DRAW_COUNT];
} Draws;

void draws_make(uint64_t seed, Arena *a, Draws *ret_draws);

// The q-quantile (0-1) of n numbers, which it puts into another order. Infinities are numbers, NaN must not be among them.
double quantile_of(double *x, size_t n, double q);

double log_spread(const Estimate *x);  // standard deviation of ln; 0 where there is no range

// One world: everything that a lane's money depends on.
typedef struct Flow {
    double bill, bill_after;  // USD a month
    double port_days, contract_days, revalidation_days, upkeep_days_year;
    double day_usd, dual_weeks, egress_usd, leaving_usd;
    double team, hire_weeks, horizon_months, rate_year;  // rate: 0.1 for 10 %
} Flow;

typedef struct Outcome {
    double days, work, dual, once;  // engineer-days, USD
    double upkeep, saving;          // USD a month
    double months;                  // until paid back once live; +infinity: never
    double live, weeks;             // until in production: months, weeks
    double npv;
} Outcome;

Outcome flow_outcome(const Flow *f);
double annuity(double months, double rate_year);  // present value of a dollar at the end of each month
double flow_value(const Flow *f, double months);  // present value once so many months have gone by
double flow_pays_after(const Flow *f);            // months until that is 0; +infinity: never
double flow_live(const Flow *f, double days);

// A lane as it is weighed: the likely flow, and how each draw departs from it.
typedef struct Weighed {
    const Lane *lane;
    Flow likely;
    double sigma[DRAW_COUNT];  // of ln
    double share;              // of the load that moves; 1
} Weighed;

Flow flow_drawn(const Weighed *w, const Draws *d, size_t i);

// Both lanes of an advice, weighed. lanes[x].lane NULL: no such lane.
typedef struct Weighing {
    Weighed lanes[LANE_COUNT];
    Draws draws;
    double *gain;  // by draw: NPV of the move across vendors less that of the best within one; NULL: not known
} Weighing;

// A lane of `advice` (its ask, best options, move) as flows. `w` then holds `lane`.
void weigh_lane(const Facts *f, const Advice *advice, const Lane *lane, Weighed *w);

// Makes the lanes of `advice`. False: there is no move to weigh; the draws are there all the same.
bool weigh(const Facts *f, Arena *a, Advice *advice, Weighing *ret);

double share_above(const double *x, size_t n, double limit);

#endif
