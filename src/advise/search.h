// Inside of src/advise: offers that pass the filters, configurations that work, options that cost something.
#ifndef GPUADVISE_ADVISE_SEARCH_H
#define GPUADVISE_ADVISE_SEARCH_H

#include "src/advise/advise.h"
#include "src/advise/sessions.h"

// Counts one more of `what` left out for `reason` (both static texts). True the first time: then the caller
// adds an example.
bool exclude(Advice *advice, const char *what, const char *reason);
void exclude_example(Advice *advice, const char *example);  // of the reason just counted first

enum { OFFER_GPUS_MAX = 1024 };  // of one instance

// The offers that pass every filter, grouped by GPU and instance size: sorted by sku_id, then gpu_count, then
// price.
const Offer **usable_offers(const Facts *facts, const Ask *ask, Arena *a, Advice *advice, size_t *ret_n);

// What of a search does not depend on the load: the offers that pass the filters and, of serving, what works
// on each GPU among them. A search at another load takes it over, one at another length the offers alone
// (has_configs false).
typedef struct SearchMemo {
    const Offer **offers;
    size_t n_offers, offers_used, offers_of[VENDOR_COUNT];
    struct Configs *configs;  // of the GPUs in the order of the offers
    size_t judged[VENDOR_COUNT];
    bool has_configs;
    const struct Samples *samples;  // NULL: none were made yet
} SearchMemo;

// One more offer that a cheaper one of the same provider, GPU and size makes pointless.
void exclude_dearer(Advice *advice, const Offer *offer, Arena *a);

// One more offer that has too few machines; `assumed`: nobody counted them, its class of sellers is taken to
// have so many.
void exclude_short(Advice *advice, const Offer *offer, bool assumed, Arena *a);

// What is inverse to a rate, dearest where that is slowest.
Estimate estimate_inverse(const Estimate *rate, double numerator);

// Every estimate unknown: what does not apply to a kind of workload stays so.
void clear_estimates(Option *o);

// An offer that no list has, of a machine of these GPUs: what runs today, what is owned, what anybody might sell.
// pricing: PricingModel.
Offer offer_given(const char *provider, const Gpu *gpu, int gpus, int pricing, int64_t micro_usd_h);
double offer_price_usd_h(const Ask *ask, const Offer *offer);  // one instance, discount taken

// Whether its workload is whole and its model one that the workload takes. ERR_USAGE.
bool check_ask(const Ask *ask, Err *e);

// Costs of a task by its rate: of what the kind of workload is paid for.
void fill_task_cost(const Ask *ask, Option *o);

// All options, unsorted.
Option *serving_options(const Facts *facts, const Ask *ask, const Offer **offers, size_t n_offers, Arena *a,
                        Advice *advice, size_t *ret_n);
Option *task_options(const Facts *facts, const Ask *ask, const Offer **offers, size_t n_offers, Arena *a,
                     Advice *advice, size_t *ret_n);

// Fills verdict, reasons and risks from best[] and the transitions; what would turn it; what is worth knowing.
struct Weighing;
void judge(const Facts *facts, Arena *a, Advice *advice, const struct Weighing *weighing);
void find_sensitivities(const Facts *facts, Arena *a, Advice *advice, const struct Weighing *weighing);
enum { LOAD_TERMS_MAX = 2 };
void find_load_sensitivities(const Facts *facts, Arena *a, Advice *advice);  // adds KNOBS_MAX flips at most

// The verdict's winner alone, as advise would give it: what is asked many times over. Everything it makes
// goes to `a`.
bool advise_winner(const Facts *facts, const Ask *ask, Arena *a, Winner *ret_winner, Err *e);
Winner decide_winner(const Facts *facts, Arena *a, const Advice *advice, const struct Weighing *weighing);
void find_next_steps(const Facts *facts, Arena *a, Advice *advice, const struct Weighing *weighing);

// Where runs of the user's own count: what they changed, and what it means that one side alone has them.
bool tell_own_runs(const Facts *facts, Arena *a, Advice *advice, Err *e);

// A month of an option: all instances for 730 hours, or its jobs (unknown unless their number is); spot
// losses included.
Estimate bill_usd_month(const Facts *facts, const Ask *ask, const Option *o);

// What the best options and today's cost beside their price, what owning would, and what an API's price says.
void find_costs(const Facts *facts, Arena *a, Advice *advice);

// Owning, where it is asked about: prices, owned fleets and what the best GPUs would cost owned; own.c.
void find_owned(const Facts *facts, Arena *a, Advice *advice);
OwnChoice own_choice(const Facts *facts, const Advice *advice);   // the cheapest owned fleet
void judge_owning(const Facts *facts, Arena *a, Advice *advice);  // after judge: fills verdict.own
const Owning *owning_in(const Advice *advice, const Gpu *g);
const Option *owned_option(const Advice *owned, const Gpu *g);  // NULL: none
// An hour with one of the terms (by its place in own.c) at either end of its range; `x` holds gpu_usd.
void own_ends(const Facts *facts, const Ask *ask, const Owning *x, int term, Owning *ret_low,
              Owning *ret_high);
// Standard deviation of ln of the ratio of two prices of an hour, what both have in common cancelled; NULL: a
// rented one.
double own_sigma(const Owning *a, const Owning *b);
double hours_used(const Ask *ask);              // share of the hours that carry the load
double board_kw(const Ask *ask, const Gpu *g);  // most that a board takes

// m NULL: none
const Checkpoint *const *checkpoints_of(const Facts *facts, const Model *m, Arena *a, size_t *ret_n);

// What runs today, as an option: NULL when it does not do the work, for the reason that current_unfit gives.
const Option *current_option(const Facts *facts, const Ask *ask, Arena *a);
const char *current_unfit(const Facts *facts, const Ask *ask, Arena *a);

// Fills next and ladders of a vendor from all options.
void note_next(const Facts *facts, Arena *a, Advice *advice, int vendor);

// All that a verdict rests on: the move, what runs today, the transitions. `chances_only`: as weigh takes it.
bool advise_settle(const Facts *facts, Arena *a, Advice *advice, bool chances_only, struct Weighing *weighing,
                   Err *e);

// Puts it among the options, where it may be its vendor's best. Nothing where there is none.
void take_today(const Facts *facts, Arena *a, Advice *advice);

// Power of so many GPUs at full load with their servers and the site's losses; NaN: not known.
double site_kw_of(const Facts *facts, const Ask *ask, const Gpu *g, double gpus);
// more than the ask allows, or not known
bool over_site(const Facts *facts, const Ask *ask, const Gpu *g, double gpus);
extern const char over_site_reason[];

// Reasons for the option that is ahead of the other, against it, and risks.
void find_reasons(const Facts *facts, Arena *a, const Advice *advice, const Option *ahead,
                  const Option *behind, Verdict *v);
void find_risks(const Facts *facts, Arena *a, const Advice *advice, const Option *o, Verdict *v);

// Like with like: NULL where the options have no such pair.
const Alike *compare_alike(const Facts *facts, Arena *a, const Advice *advice);

// Why nothing can be said of a vendor without an option; NULL: it was judged, and does not do what was asked.
// *ret_filtered: the user left it out.
const char *why_unknown(const Facts *facts, Arena *a, const Advice *advice, int vendor, bool *ret_filtered);

const char *more_or_less(Arena *a, double ratio, const char *more, const char *less);  // "20 % more"
const char *usd_text(Arena *a, double x);                                              // "$0.344", "-$12,345"
const char *about_usd(Arena *a, double x);                                             // three digits

#endif
