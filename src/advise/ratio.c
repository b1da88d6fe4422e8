// Two options against each other: the ratio of their costs, and how such things are said.
#include <math.h>
#include <string.h>

#include "src/advise/samples.h"
#include "src/advise/prices.h"
#include "src/advise/search.h"
#include "src/perf/posterior.h"

const char *const winner_names[] = {"nvidia", "amd", "split", "tie", "neither", "not-yet", "unknown", NULL};
NAMES_FIT(winner_names, WINNER_COUNT);

static bool same_configuration(const Option *a, const Option *b) {
    const Layout *x = &a->layout;
    const Layout *y = &b->layout;
    return a->gpu == b->gpu && strcmp(a->engine, b->engine) == 0 && a->weights == b->weights &&
           a->kv == b->kv && x->tp == y->tp && x->pp == y->pp && x->ep == y->ep && x->dp == y->dp &&
           a->replicas == b->replicas;
}

// Of its speed without runs of the user's own.
static double alone_sigma(const Option *o) {
    const Serving *s = &o->serving;
    if (s->own == NULL) return o->sigma_log;
    return sqrt(fmax(o->sigma_log * o->sigma_log - s->sigma_log * s->sigma_log, 0) +
                s->sigma_alone * s->sigma_alone);
}

// What runs leave of it, of either side and of what the two have in common; never more than without them. Repeats
// stay, but for what one hand does to both.
static double sigma_with_runs(const Facts *facts, const Option *a, const Option *b, double alone) {
    Place x = serving_place(&a->serving, a->point.running), y = serving_place(&b->serving, b->point.running);
    double left = posterior_ratio_left(facts, a->serving.own, &x, &y);
    double repeats = constant_of(facts, CONSTANT_SIGMA_OWN), p = alone_sigma(a), q = alone_sigma(b);
    double apart = alone * alone / (p * p + q * q);
    return fmin(sqrt(left + 2 * repeats * repeats * apart), alone);
}

void cost_ratio(const Facts *facts, const Option *numerator, const Option *denominator, double *ret_mean,
                double *ret_sigma) {
    const Option *a = numerator;
    const Option *b = denominator;
    *ret_mean = log(a->cost / b->cost);
    if (same_configuration(a, b)) {
        *ret_sigma = 0;
        return;
    }
    // Other tasks have no engine, HPC no model either: nothing in common to cancel. Whoever asks runs both.
    bool serving = a->serving.group != NULL;
    Common common = {.model = serving,
                     .engine = a->engine[0] != '\0' && strcmp(a->engine, b->engine) == 0,
                     .gpu = a->gpu == b->gpu,
                     .hand = serving};
    double alone = ratio_sigma(facts, alone_sigma(a), alone_sigma(b), common);
    *ret_sigma =
        a->serving.own != NULL && b->serving.own != NULL ? sigma_with_runs(facts, a, b, alone) : alone;
}

const char *place_text(Arena *a, const Option *o) {
    return o->today ? arena_printf(a, "today's %d x %s", o->gpu_count, o->gpu->name)
                    : arena_printf(a, "%d x %s at %s", o->gpu_count, o->gpu->name, o->offer->provider);
}

const char *more_or_less(Arena *a, double ratio, const char *more, const char *less) {
    return arena_printf(a, "%.0f %% %s", 100 * fabs(ratio - 1), ratio >= 1 ? more : less);
}

// Rounded down: a tie just short of nine in ten must not read as one.
const char *probability_text(Arena *a, double p) {
    return p > 0.995 ? "probability over 0.99"
                     : arena_printf(a, "probability %.2f", floor(100 * p + 1e-9) / 100);
}
