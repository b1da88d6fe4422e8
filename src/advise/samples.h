// Inside of src/advise: seeded samples, and what a move is worth in each of them.
#ifndef GPUADVISE_ADVISE_SAMPLES_H
#define GPUADVISE_ADVISE_SAMPLES_H

#include "src/advise/advise.h"

enum { SAMPLES = 20000 };

// What is drawn, each independent of the others.
typedef enum SampleColumn {
    SAMPLE_RATIO,   // ln of the costs of the two vendors' options
    SAMPLE_SPLIT,   // which of the two options that error belongs to
    SAMPLE_SAME,    // ln of the costs of two options of one vendor
    SAMPLE_EFFORT,  // days of the port, its tests and its upkeep
    SAMPLE_CONTRACT,
    SAMPLE_REVALIDATION,
    SAMPLE_DAY,
    SAMPLE_PARALLEL,
    SAMPLE_LOAD,
    SAMPLE_PRICE,
    SAMPLE_MARKET,  // where all prices went since they were seen
    SAMPLE_OFFER,   // what became of the price of each vendor's option: VENDOR_COUNT of them
    SAMPLE_STANDS = SAMPLE_OFFER + VENDOR_COUNT,  // which of its offers are still there: likewise
    SAMPLE_COUNT = SAMPLE_STANDS + VENDOR_COUNT
} SampleColumn;

// Latin hypercube: each column holds the SAMPLES middles of as many equally likely slices of a standard normal,
// in a random order.
typedef struct Samples {
    double *z[SAMPLE_COUNT];
} Samples;

void samples_make(uint64_t seed, Arena *a, Samples *ret_samples);

// The quantiles 0.1 and 0.9 of n numbers, which it puts into another order. Infinities are numbers, NaN must
// not be among them.
void tenths_of(double *x, size_t n, double *ret_low, double *ret_high);

double log_spread(const Estimate *x);  // standard deviation of ln; 0 where there is no range

// One world: everything that a transition's money depends on.
typedef struct Flow {
    double bill, bill_after;  // USD a month
    double port_days, contract_days, revalidation_days, upkeep_days_year;
    double day_usd, parallel_weeks, egress_usd, unused_commitment_usd;
    double team, hire_weeks, horizon_months, rate_year;  // rate: 0.1 for 10 %
    // the offer that is compared is still there; else another one's price is in the bill
    bool from_stands, to_stands;
} Flow;

typedef struct Outcome {
    double days, work, parallel_running, once;  // engineer-days, USD
    double upkeep, saving;                      // USD a month
    double months;                              // until paid back once live; +infinity: never
    double live, weeks;                         // until in production: months, weeks
    double npv;
} Outcome;

// Present value of a dollar at the end of each month, worked out once for all samples of one horizon and rate.
typedef struct DiscountFactors {
    double log_rate, monthly, months, all;
} DiscountFactors;
DiscountFactors paid_over(double months, double rate_year);

Outcome flow_outcome(const Flow *f);
Outcome outcome_paid(const Flow *f, double paid);  // the same where flow_paid is known
// present value of a dollar a month from production to the horizon of `all`
double flow_paid(const Flow *f, const DiscountFactors *all);
double flow_npv(const Flow *f, double paid);      // that of flow_outcome alone; paid: flow_paid
double annuity(double months, double rate_year);  // present value of a dollar at the end of each month
double flow_value(const Flow *f, double months);  // present value once so many months have gone by
double flow_pays_after(const Flow *f);            // months until that is 0; +infinity: never

// What became of each vendor's price, by sample: the cost of the option for rent that is taken then, over that
// of the best one as listed.
typedef struct PriceSamples {
    const double *factor[VENDOR_COUNT];  // NULL: the price is certain
    const bool *stands[VENDOR_COUNT];    // that offer is still there
} PriceSamples;
void draw_prices(const Facts *f, const Samples *d, const Advice *advice, Arena *a, PriceSamples *ret);

// A transition as it is weighed: the likely flow, and how each sample departs from it.
typedef struct Weighed {
    const Transition *transition;  // NULL: no such transition
    Flow likely;
    double sigma[SAMPLE_COUNT];  // of ln
    // of the load that moves, of the port that this needs; both 1 unless it is the movable share
    double share, work;
    const double *factor[SAMPLE_COUNT];   // exp(sigma z) by sample; NULL: always 1
    const double *from_price, *to_price;  // what became of the two prices, by sample; NULL: always 1
    const bool *from_stands, *to_stands;
    const Flow *drawn;   // by sample; NULL: what the transition is worth is not known
    const double *paid;  // flow_paid of each
} Weighed;

// The transitions of an advice, weighed.
typedef struct Weighing {
    Weighed transitions[TRANSITION_COUNT];
    Weighed part;  // across vendors, with the movable share of the load alone
    Samples samples;
    PriceSamples prices;
    // no probability that the move across vendors pays is said to be lower or higher: see said
    double least, most;
    // by sample: NPV of the move across vendors less that of the best within one; NULL: not known
    double *gain;
    const double *within;  // by sample: NPV of the best move within one vendor, 0 where none pays
} Weighing;

// Makes the transitions of `advice`. False: there is no move to weigh; the samples are there all the same.
// chances_only: of a transition nothing but what the verdict takes (npv.value, unused_commitment, pays, pays_without_unused_commitment,
// pays_share), in a third of the time.
bool weigh(const Facts *f, Arena *a, Advice *advice, bool chances_only, Weighing *ret);

double share_above(const double *x, size_t n, double limit);

// A share of samples as it is said: not surer than lists of that age, or one host's listing, allow.
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
    PART_PARALLEL,
    PART_PARALLEL_SAME,
    PART_TEAM,
    PART_HIRE,
    PART_HORIZON,
    PART_RATE,
    PART_EGRESS,
    PART_UNUSED_COMMITMENT,
    PART_SPOT,
    PART_COUNT
} Part;

// What the move across vendors is worth in USD by the likely figures, that of the best move within one taken
// off, if `part` were `value` instead of `was`, its likely value.
double worth_if(const Weighing *w, Part part, double was, double value);

// Where that is nothing, and where the verdict of `advice` becomes another one with `part` held there in
// every sample: nearest to `was` and within a factor of 100. NaN: nowhere there. With `was` itself: it would,
// were it known to be just that.
double nothing_at(const Weighing *w, Part part, double was);
double changes_at(const Advice *advice, const Weighing *w, Part part, double was);

// Shares of samples. NaN: not asked.
typedef struct Chances {
    double pays;                       // the move across vendors, against the best within one
    double without_unused_commitment;  // the same move alone, if no commitment went unused
    double share;                      // the movable share of the load alone
} Chances;

// How far in probability the verdict by these is from another one than `winner`; below 0: it is another.
// Infinity: no probability changes it.
double winner_margin(Winner winner, const Chances *c, Winner from, Winner to, bool stuck);
Winner winner_by_move(const Chances *c, Winner from, Winner to, bool stuck);

#endif
