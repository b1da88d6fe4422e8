// How many replicas carry a traffic in its busiest hour, and what a day of it costs: a fleet for the peak,
// and one that grows and shrinks with the load.
//
// The closed form has ranked the options. For the few that are asked about, the busy hour's requests are
// simulated as they come (src/traffic/simulate.h): the fewest whole instances whose TTFT and TPOT at p99 keep
// the limits. What an instance then carries a second sizes every other minute of the trace.
#ifndef GPUADVISE_ADVISE_SIZING_H
#define GPUADVISE_ADVISE_SIZING_H

#include "src/advise/advise.h"
#include "src/traffic/simulate.h"

// A traffic as it is planned for.
typedef struct TrafficLoad {
    const char *name;
    const Arrival *busy;  // requests of the busiest hour, in order
    size_t n_busy;
    double busy_s;   // its length
    double thinned;  // requests that each of them stands for: 1, or more where there are too many to simulate
    double busy_rps;
    // Requests a second by interval, each the mean of the hour around it, as the busy hour is one; a day of
    // them or more. NULL: shorter than a day, and nothing is known of how the load moves over one.
    const double *rates;
    size_t n_rates;
    double interval_s;
    double input_mean, output_mean;
    double input_cv;    // standard deviation over mean of the busy hour's prompts
    double growth;      // by the month, 0.05 for 5 %; NaN: not asked for
    const char *basis;  // how its requests came about: a sentence
} TrafficLoad;

// How a fleet that follows the load is run.
typedef struct Scaling {
    double start_s;    // from the order of an instance until it serves
    double billing_s;  // each use of an instance is billed in whole ones of these
} Scaling;

// A month of a load that grows: its busy hour, the fleet for it, what that costs at today's prices.
typedef struct GrowthMonth {
    double busy_rps;
    int instances;
    double fixed_usd, scaled_usd;  // the fleet all month; one that follows the load (NaN: not known)
} GrowthMonth;

// A fleet while the load grows by the month, from the traffic's own in month 1.
typedef struct Growth {
    double carries_rps;  // most that the first fleet carries within the limits, as far as was tried
    double short_month;  // first month whose busy hour is too much for it; NaN: none of the term
    const GrowthMonth *months;
    size_t n_months;
    double fixed_usd, scaled_usd;  // over the term; scaled NaN: not known
} Growth;

// USD; NaN: not known.
typedef struct Sizing {
    const Option *option;
    bool met;  // the limits are kept; else `instances` is as far as was tried
    int instances, replicas, gpus;
    int closed_instances;  // by the closed form, for the same rate as Poisson arrivals
    FleetRun run;          // of the busy hour
    double fixed_usd_day, fixed_usd_month,
        fixed_idle;       // the peak's fleet all day; share of paid time without work
    int floor_instances;  // least that ever runs
    double scaled_usd_day, scaled_usd_month, scaled_idle, scaled_hours_day;  // instance-hours
    double short_share;  // of requests that come while a fleet that only reacts is too small
    Estimate fixed_usd_mtok, scaled_usd_mtok;            // a million output tokens, as paid
    double fixed_total_usd_mtok, scaled_total_usd_mtok;  // of input and output together
    const Growth *growth;                                // NULL: not asked for
} Sizing;

// `limits` of the ask's workload; where it has none, no request waits over SIZING_WAIT_S at p99.
#define SIZING_WAIT_S 1.0
Sizing size_fleet(const Ask *ask, const Option *o, const TrafficLoad *load, const Scaling *scaling, Arena *a);

// Adds what months of growth do to a fleet that keeps the limits. Its first instances are simulated under the
// busy hour's requests coming faster, up to the last month; later fleets are counted by what each carries then.
void grow_fleet(const Ask *ask, const TrafficLoad *load, const Scaling *scaling, size_t months, Arena *a,
                Sizing *s);

// A fleet that follows `rates`: instances of each interval where one carries `each_rps`, at least one; ordered
// so early that each serves when it is needed. Instance-hours paid over all intervals, uses of an instance
// rounded up to what is billed; the least that runs.
double scaled_hours(const double *rates, size_t n, double interval_s, double each_rps, const Scaling *s,
                    Arena *a, int *ret_floor);

// Share of requests that come while a fleet that orders by the last interval's load is too small.
double reacting_short(const double *rates, size_t n, double interval_s, double each_rps, const Scaling *s);

#endif
