// Inside of src/advise: seeded draws, and what a move is worth in each of them.
#ifndef GPUADVISE_ADVISE_DRAWS_H
#define GPUADVISE_ADVISE_DRAWS_H

#include "src/advise/advise.h"

enum { DRAWS = 20000 };

// What is drawn, each independent of the others.
typedef enum Draw {
    DRAW_RATIO,   // ln of the costs of the two vendors' options
    DRAW_SPLIT,   // which of the two options that error belongs to
    DRAW_SAME,    // ln of the costs of two options of one vendor
    DRAW_EFFORT,  // days of the port, its tests and its upkeep
    DRAW_CONTRACT,
    DRAW_REVALIDATION,
    DRAW_DAY,
    DRAW_DUAL,
    DRAW_LOAD,
    DRAW_PRICE,
    DRAW_MARKET,  // where all prices went since they were seen
    DRAW_OFFER,   // what became of the price of each vendor's option: VENDOR_COUNT of them
    DRAW_STANDS = DRAW_OFFER + VENDOR_COUNT,  // which of its offers are still there: likewise
    DRAW_COUNT = DRAW_STANDS + VENDOR_COUNT
} Draw;

// Latin hypercube: each column holds the DRAWS middles of as many equally likely slices of a standard normal,
// in a random order.
typedef struct Draws {
    double *z[DRAW_COUNT];
} Draws;

void draws_make(uint64_t seed, Arena *a, Draws *ret_draws);

// The quantiles 0.1 and 0.9 of n numbers, which it puts into another order. Infinities are numbers, NaN must
// not be among them.
void tenths_of(double *x, size_t n, double *ret_low, double *ret_high);

double log_spread(const Estimate *x);  // standard deviation of ln; 0 where there is no range

// One world: everything that a lane's money depends on.
typedef struct Flow {
    double bill, bill_after;  // USD a month
    double port_days, contract_days, revalidation_days, upkeep_days_year;
    double day_usd, dual_weeks, egress_usd, leaving_usd;
    double team, hire_weeks, horizon_months, rate_year;  // rate: 0.1 for 10 %
    // the offer that is compared is still there; else another one's price is in the bill
    bool from_stands, to_stands;
} Flow;

typedef struct Outcome {
    double days, work, dual, once;  // engineer-days, USD
    double upkeep, saving;          // USD a month
    double months;                  // until paid back once live; +infinity: never
    double live, weeks;             // until in production: months, weeks
    double npv;
} Outcome;

// Present value of a dollar at the end of each month, worked out once for all draws of one horizon and rate.
typedef struct Paid {
    double log_rate, monthly, months, all;
} Paid;
Paid paid_over(double months, double rate_year);

Outcome flow_outcome(const Flow *f);
Outcome outcome_paid(const Flow *f, double paid);  // the same where flow_paid is known
// present value of a dollar a month from production to the horizon of `all`
double flow_paid(const Flow *f, const Paid *all);
double flow_npv(const Flow *f, double paid);      // that of flow_outcome alone; paid: flow_paid
double annuity(double months, double rate_year);  // present value of a dollar at the end of each month
double flow_value(const Flow *f, double months);  // present value once so many months have gone by
double flow_pays_after(const Flow *f);            // months until that is 0; +infinity: never
double flow_live(const Flow *f, double days);

// What became of each vendor's price, by draw: the cost of the option for rent that is taken then, over that
// of the best one as listed.
typedef struct PriceDraws {
    const double *factor[VENDOR_COUNT];  // NULL: the price is certain
    const bool *stands[VENDOR_COUNT];    // that offer is still there
} PriceDraws;
void draw_prices(const Facts *f, const Draws *d, const Advice *advice, Arena *a, PriceDraws *ret);

// A lane as it is weighed: the likely flow, and how each draw departs from it.
typedef struct Weighed {
    const Lane *lane;  // NULL: no such lane
    Flow likely;
    double sigma[DRAW_COUNT];  // of ln
    // of the load that moves, of the port that this needs; both 1 unless it is the movable share
    double share, work;
    const double *factor[DRAW_COUNT];     // exp(sigma z) by draw; NULL: always 1
    const double *from_price, *to_price;  // what became of the two prices, by draw; NULL: always 1
    const bool *from_stands, *to_stands;
    const Flow *drawn;   // by draw; NULL: what the lane is worth is not known
    const double *paid;  // flow_paid of each
} Weighed;

// The lanes of an advice, weighed.
typedef struct Weighing {
    Weighed lanes[LANE_COUNT];
    Weighed part;  // across vendors, with the movable share of the load alone
    Draws draws;
    PriceDraws prices;
    // no probability that the move across vendors pays is said to be lower or higher: see said
    double least, most;
    // by draw: NPV of the move across vendors less that of the best within one; NULL: not known
    double *gain;
    const double *within;  // by draw: NPV of the best move within one vendor, 0 where none pays
} Weighing;

// A lane of `advice` (its ask, best options, move) as flows. `w` then holds `lane`.
void weigh_lane(const Facts *f, const Advice *advice, const Lane *lane, Weighed *w);

// Makes the lanes of `advice`. False: there is no move to weigh; the draws are there all the same.
// chances_only: of a lane nothing but what the verdict takes (npv.value, leaving, pays, pays_without_leaving,
// pays_share), in a third of the time.
bool weigh(const Facts *f, Arena *a, Advice *advice, bool chances_only, Weighing *ret);

double share_above(const double *x, size_t n, double limit);

// A share of draws as it is said: not surer than lists of that age, or one host's listing, allow.
double said(const Weighing *w, double share);

// ---------------------------------------------------------------- one thing otherwise

// What a move's worth hangs on. Prices: of what runs today, of the other vendor's option, of the same
// vendor's.
typedef enum Part {
    PART_FROM,
    PART_TO,
    PART_SAME,
    PART_SPEED,
    PART_PORT,
    PART_UPKEEP,
    PART_DAY,
    PART_LOAD,
    PART_LEVEL,
    PART_CONTRACT,
    PART_REVALIDATION,
    PART_DUAL,
    PART_DUAL_SAME,
    PART_TEAM,
    PART_HIRE,
    PART_HORIZON,
    PART_RATE,
    PART_EGRESS,
    PART_LEAVING,
    PART_SPOT,
    PART_COUNT
} Part;

// What the move across vendors is worth in USD by the likely figures, that of the best move within one taken
// off, if `part` were `value` instead of `was`, its likely value.
double worth_if(const Weighing *w, Part part, double was, double value);

// Where that is nothing, and where the verdict of `advice` becomes another one with `part` held there in
// every draw: nearest to `was` and within a factor of 100. NaN: nowhere there. With `was` itself: it would,
// were it known to be just that.
double nothing_at(const Weighing *w, Part part, double was);
double changes_at(const Advice *advice, const Weighing *w, Part part, double was);

// Shares of draws. NaN: not asked.
typedef struct Chances {
    double pays;             // the move across vendors, against the best within one
    double without_leaving;  // the same move alone, if no commitment went unused
    double share;            // the movable share of the load alone
} Chances;

// How far in probability the verdict by these is from another one than `winner`; below 0: it is another.
// Infinity: no probability changes it.
double winner_margin(Winner winner, const Chances *c, Winner from, Winner to, bool stuck);
Winner winner_by_move(const Chances *c, Winner from, Winner to, bool stuck);

#endif
