// Inside of src/advise: offers that pass the filters, configurations that work, options that cost something.
#ifndef GPUADVISE_ADVISE_SEARCH_H
#define GPUADVISE_ADVISE_SEARCH_H

#include "src/advise/advise.h"

// Counts one more of `what` left out for `reason` (both static texts). True the first time: then the caller adds an example.
bool exclude(Advice *advice, const char *what, const char *reason);
void exclude_example(Advice *advice, const char *example);  // of the reason just counted first

// The offers that pass every filter, grouped by GPU and instance size: sorted by sku_id, then gpu_count, then price.
const Offer **usable_offers(const Facts *facts, const Ask *ask, Arena *a, Advice *advice, size_t *ret_n);

// One more offer that a cheaper one of the same provider, GPU and size makes pointless.
void exclude_dearer(Advice *advice, const Offer *offer, Arena *a);

// Adds `name` to the names unless it is among them. True: it was new.
bool add_new(const char **names, size_t *n, const char *name);

// What is inverse to a rate, dearest where that is slowest.
Estimate estimate_inverse(const Estimate *rate, double numerator);

// Every estimate unknown: what does not apply to a kind of workload stays so.
void clear_estimates(Option *o);

double offer_price_usd_h(const Ask *ask, const Offer *offer);  // one instance, discount taken

// All options, unsorted.
Option *serving_options(const Facts *facts, const Ask *ask, const Offer **offers, size_t n_offers, Arena *a, Advice *advice, size_t *ret_n);
Option *task_options(const Facts *facts, const Ask *ask, const Offer **offers, size_t n_offers, Arena *a, Advice *advice, size_t *ret_n);

// Fills verdict, reasons and risks from best[] and the lanes; what would turn it; what is worth knowing.
struct Weighing;
void judge(const Facts *facts, Arena *a, Advice *advice, const struct Weighing *weighing);
void find_flips(const Facts *facts, Arena *a, Advice *advice, const struct Weighing *weighing);
enum { KNOBS_MAX = 3 };
void find_knob_flips(const Facts *facts, Arena *a, Advice *advice, bool moves);  // adds KNOBS_MAX flips at most
void find_next_steps(const Facts *facts, Arena *a, Advice *advice, const struct Weighing *weighing);
Winner winner_by_cost(const Option *amd, const Option *nvidia, double mean, double sigma);  // mean and sigma: of ln(AMD / NVIDIA)

// A month of an option: all instances for 730 hours, or its jobs (unknown unless their number is); spot losses included.
Estimate bill_usd_month(const Facts *facts, const Ask *ask, const Option *o);

// What the best options and today's cost beside their price, what owning would, and what an API's price says.
void find_costs(const Facts *facts, Arena *a, Advice *advice);

// What runs today, as an option: NULL when it does not do the work.
const Option *current_option(const Facts *facts, const Ask *ask, Arena *a);

const char *usd_text(Arena *a, double x);   // "$0.344", "-$12,345"
const char *about_usd(Arena *a, double x);  // three digits

#endif
