// What is worth finding out next: the expected value of knowing one part of the doubt before deciding.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/advise/samples.h"
#include "src/advise/measure.h"
#include "src/advise/prices.h"
#include "src/advise/search.h"

enum { BINS = 40 };

// Knowing `share` (between 0 and 1 in each sample) lets each bin of it be decided by itself: what that gains
// over one decision for all.
static double worth_of_bins(const double *gain, const double *share) {
    double sum[BINS] = {0};
    double all = 0;
    double apart = 0;
    for (size_t i = 0; i < SAMPLES; i++) {
        int bin = (int)(BINS * share[i]);
        sum[bin < 0 ? 0 : bin < BINS ? bin : BINS - 1] += gain[i];
        all += gain[i];
    }
    for (int b = 0; b < BINS; b++) apart += fmax(sum[b], 0);
    return fmax(apart - fmax(all, 0), 0) / SAMPLES;
}

// The same of a standard normal.
static double worth_knowing(const double *gain, const double *z, Arena *a) {
    double *share = arena_alloc(a, SAMPLES, sizeof *share);
    for (size_t i = 0; i < SAMPLES; i++) share[i] = erfc(-z[i] / sqrt(2)) / 2;
    return worth_of_bins(gain, share);
}

// The same of what a vendor's price is today, as a factor on what was seen: from a fifth to five times, as
// ln.
static double worth_of_price(const double *gain, const double *factor, Arena *a) {
    static const double WIDE = 5;
    double *share = arena_alloc(a, SAMPLES, sizeof *share);
    for (size_t i = 0; i < SAMPLES; i++) share[i] = 0.5 + log(factor[i]) / (2 * log(WIDE));
    return worth_of_bins(gain, share);
}

// The error of the ratio of two costs, of which a part is the first one's own: that part as a standard normal
// a sample.
static const double *own_part(const Weighing *w, double own, double sigma, double sign, Arena *a) {
    double *z = arena_alloc(a, SAMPLES, sizeof *z);
    double share = sigma > 0 ? fmin(own / sigma, 1) : 0;
    for (size_t i = 0; i < SAMPLES; i++)
        z[i] = share * sign * w->samples.z[SAMPLE_RATIO][i] +
               sqrt(1 - share * share) * sign * w->samples.z[SAMPLE_SPLIT][i];
    return z;
}

// USD over the horizon that going across brings, by sample; NULL: no monthly bill.
static const double *gains(const Facts *f, Arena *a, const Advice *advice, const Weighing *w, double sigma) {
    if (w->gain != NULL) return w->gain;
    const Costs *c = &advice->costs[VENDOR_NVIDIA];
    double paid = annuity(term_of(f, advice->ask, TERM_HORIZON).value,
                          term_of(f, advice->ask, TERM_DISCOUNT_RATE).value / 100);
    if (!is_known(c->usd_month.value * paid)) return NULL;
    double *gain = arena_alloc(a, SAMPLES, sizeof *gain);
    double likely = advice->best[VENDOR_AMD]->cost / advice->best[VENDOR_NVIDIA]->cost;
    const double *nvidia =
        advice->best[VENDOR_NVIDIA] != advice->current ? w->prices.factor[VENDOR_NVIDIA] : NULL;
    const double *amd = advice->best[VENDOR_AMD] != advice->current ? w->prices.factor[VENDOR_AMD] : NULL;
    for (size_t i = 0; i < SAMPLES; i++)
        gain[i] = c->usd_month.value * paid *
                  ((nvidia != NULL ? nvidia[i] : 1) -
                   likely * exp(sigma * w->samples.z[SAMPLE_RATIO][i]) * (amd != NULL ? amd[i] : 1));
    return gain;
}

static void offer_step(Verdict *v, const char *text, double cost, double worth) {
    if (v->n_next_steps == NEXT_STEPS_MAX) return;
    v->next_steps[v->n_next_steps++] = (NextStep){text, cost, worth, false};
}

// Steps that cost nothing and tell something go before all that cost.
static bool is_free(const NextStep *s) { return s->cost_usd == 0 && s->free_look; }

static int most_worth_first(const void *left, const void *right) {
    const NextStep *a = left;
    const NextStep *b = right;
    if (is_free(a) != is_free(b)) return is_free(a) ? -1 : 1;
    double x = is_known(a->worth_usd) ? a->worth_usd - a->cost_usd : -1e300;
    double y = is_known(b->worth_usd) ? b->worth_usd - b->cost_usd : -1e300;
    return (x < y) - (x > y);
}

// With what to measure it, and where the result goes; "" where no load generator does.
static const char *measuring(const Facts *f, const Ask *ask, Arena *a, const Option *o) {
    if (!serves_tokens(&ask->workload) || ask->model == NULL || !model_is_decoder(ask->model)) return "";
    Measure m = measure_of(ask, o);
    return arena_printf(a, ": `%s`, then `gpuadvise runs import`", measure_command(&m, measure_tool(f), a));
}

static const char *rent_text(const Facts *f, const Ask *ask, Arena *a, const Option *o, bool doubtful) {
    const char *less_sure = doubtful ? " (its estimate is the less sure one)" : "",
               *how = measuring(f, ask, a, o);
    if (o->today)
        return arena_printf(
            a, "measure this workload on what runs today (%d x %s), beside `gpuadvise bench`%s%s",
            o->gpu_count, o->gpu->name, less_sure, how);
    return arena_printf(
        a, "rent %d x %s at %s for an hour (%s), run `gpuadvise bench` and measure this workload on it%s%s",
        (int)o->offer->gpu_count, o->gpu->name, o->offer->provider,
        usd_text(a, o->price_usd_h / o->instances), less_sure, how);
}

static void offer_measurements(const Facts *f, Arena *a, Advice *advice, const Weighing *w,
                               const double *gain, double sigma) {
    const Option *amd = advice->best[VENDOR_AMD];
    const Option *nvidia = advice->best[VENDOR_NVIDIA];
    double shared =
        (amd->sigma_log * amd->sigma_log + nvidia->sigma_log * nvidia->sigma_log - sigma * sigma) / 2;
    for (int v = 0; v < VENDOR_COUNT; v++) {
        const Option *o = advice->best[v];
        double own = sqrt(fmax(o->sigma_log * o->sigma_log - shared, 0));
        double worth = gain != NULL && sigma > 0
                           ? worth_knowing(gain, own_part(w, own, sigma, v == VENDOR_AMD ? 1 : -1, a), a)
                           : (double)NAN;
        offer_step(&advice->verdict,
                   rent_text(f, advice->ask, a, o, o->sigma_log > advice->best[!v]->sigma_log),
                   o->today ? 0 : o->price_usd_h / o->instances, worth);
    }
}

// Prices that were seen days ago can be looked at for nothing.
static void offer_price_looks(const Facts *f, Arena *a, Advice *advice, const Weighing *w, const double *gain,
                              double sigma) {
    static const double TELLS_USD = 1;
    Verdict *v = &advice->verdict;
    for (int vendor = 0; vendor < VENDOR_COUNT; vendor++) {
        const Option *o = advice->best[vendor];
        const double *factor = w->prices.factor[vendor];
        if (factor == NULL || o == advice->current || v->n_next_steps == NEXT_STEPS_MAX) continue;
        double worth = gain != NULL ? worth_of_price(gain, factor, a) : (double)NAN;
        bool tells = is_known(worth) ? worth >= TELLS_USD : price_doubt(f, o).sigma > sigma / 2;
        bool feed = advice->ask->feeds != NULL && name_index(advice->ask->feeds, o->offer->provider) >= 0;
        const char *how = feed ? arena_printf(a, "`gpuadvise prices refresh %s`", o->offer->provider)
                               : "no feed asks it: its own page, then `gpuadvise prices import`";
        const char *text = arena_printf(a, "look at today's price of %s at %s, seen %s (%s)", o->gpu->name,
                                        o->offer->provider, price_seen_words(a, o), how);
        v->next_steps[v->n_next_steps++] = (NextStep){text, 0, worth, tells};
    }
}

static void offer_moves(Arena *a, Advice *advice, const Weighing *w) {
    Verdict *v = &advice->verdict;
    const Transition *l = advice->transitions[TRANSITION_VENDOR];
    const Weighed *x = &w->transitions[TRANSITION_VENDOR];
    if (x->sigma[SAMPLE_EFFORT] > 0 && x->likely.port_days > 0) {
        double worth = worth_knowing(w->gain, w->samples.z[SAMPLE_EFFORT], a);
        double trial = fmin(2, x->likely.port_days / 10);
        if (advice->move->scanned) {
            offer_step(v,
                       arena_printf(a,
                                    "port the smallest part that runs by itself, with %.2g engineer-days as "
                                    "the limit, and hold the days against the estimate",
                                    trial),
                       trial * x->likely.day_usd, worth);
        } else {
            offer_step(v,
                       "have the code itself counted: `gpuadvise migrate scan PATH`, then --source PATH here",
                       0, worth);
        }
    }
    if (x->sigma[SAMPLE_PRICE] > 0) {
        offer_step(v,
                   arena_printf(a, "ask %s for a price that holds for %s", l->to->offer->provider,
                                counted_number(a, x->likely.horizon_months, 3, "month")),
                   0, worth_knowing(w->gain, w->samples.z[SAMPLE_PRICE], a));
    }
}

// Without what holds the stack back, the better of both could be chosen.
static void offer_unblocking(Arena *a, Advice *advice, const Weighing *w) {
    const StackView *stack = advice->stack;
    double best = 0;
    for (size_t i = 0; w->gain != NULL && i < SAMPLES; i++) best += w->gain[i] / SAMPLES;
    for (size_t i = 0; i < stack->n_items; i++) {
        const StackItem *x = &stack->items[i];
        if (x->fit != FIT_BLOCKED || x->replaceable) continue;
        const char *instead = x->change[0] != '\0' ? arena_printf(a, " (%s)", x->change) : "";
        offer_step(&advice->verdict,
                   arena_printf(a,
                                "find out whether the stack can do without %s%s: `may-replace = %s` in the "
                                "stack file then says what the answer would be",
                                x->title, instead, x->name),
                   0, w->gain != NULL ? fmax(best, 0) : (double)NAN);
    }
}

void find_next_steps(const Facts *f, Arena *a, Advice *advice, const Weighing *w) {
    Verdict *v = &advice->verdict;
    if (advice->best[VENDOR_AMD] == NULL || advice->best[VENDOR_NVIDIA] == NULL) return;
    double mean = 0, sigma = 0;
    cost_ratio(f, advice->best[VENDOR_AMD], advice->best[VENDOR_NVIDIA], &mean, &sigma);
    if (v->by_needs) {
        offer_unblocking(a, advice, w);
    } else {
        const double *gain = gains(f, a, advice, w, sigma);
        offer_measurements(f, a, advice, w, gain, sigma);
        offer_price_looks(f, a, advice, w, gain, sigma);
        if (w->gain != NULL) offer_moves(a, advice, w);
    }
    qsort(v->next_steps, v->n_next_steps, sizeof *v->next_steps, most_worth_first);
    const NextStep *first = &v->next_steps[0];
    bool known = is_known(first->worth_usd);
    if (!known && !v->by_needs && !first->free_look) {  // no bill to weigh with: the less sure estimate
        const Option *amd = advice->best[VENDOR_AMD];
        const Option *nvidia = advice->best[VENDOR_NVIDIA];
        v->next_step = rent_text(f, advice->ask, a, amd->sigma_log >= nvidia->sigma_log ? amd : nvidia, true);
        return;
    }
    if (known && first->worth_usd <= first->cost_usd && !v->by_needs && !first->free_look) {
        v->next_step = arena_printf(a, "what is known decides: no step is worth what it costs (the best: %s)",
                                    first->text);
        return;
    }
    v->next_step =
        known && first->worth_usd >= 0.5
            ? arena_printf(a, "%s; knowing it is worth up to %s", first->text, about_usd(a, first->worth_usd))
            : first->text;
}
