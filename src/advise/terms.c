// Terms of a decision: their bounds, where their values come from, and the power that two of them make.
#include <math.h>
#include <string.h>

#include "src/advise/search.h"

static const Estimate unknown = {(double)NAN, (double)NAN, (double)NAN, BASIS_UNKNOWN, ""};

#define TERM_ROW(id, ...) [id] = {__VA_ARGS__},
const TermSpec term_specs[TERM_COUNT] = {TERMS(TERM_ROW)};

Estimate term_of(const Facts *f, const Ask *ask, Term t) {
    if (ask->terms[t].set)
        return (Estimate){ask->terms[t].value, ask->terms[t].value, ask->terms[t].value, BASIS_PUBLISHED,
                          "as given"};
    if (ask->stack != NULL && ask->stack->terms[t].set)
        return (Estimate){ask->stack->terms[t].value, ask->stack->terms[t].value, ask->stack->terms[t].value,
                          BASIS_PUBLISHED, "stack file"};
    for (size_t i = 0; i < f->n_assumptions; i++) {
        const Assumption *x = &f->assumptions[i];
        if (strcmp(x->name, term_specs[t].name) == 0)
            return (Estimate){x->value, x->low, x->high, BASIS_EXTRAPOLATED, x->source};
    }
    return unknown;
}

// What one board takes at most: its own limit, or the cap it runs under.
double board_kw(const Ask *ask, const Gpu *g) {
    return (ask->techniques.power_cap_w > 0 ? fmin(ask->techniques.power_cap_w, g->board_power_w)
                                            : g->board_power_w) /
           1000;
}

double site_kw_of(const Facts *f, const Ask *ask, const Gpu *g, double gpus) {
    return board_kw(ask, g) * gpus * term_of(f, ask, TERM_HOST_POWER).value * term_of(f, ask, TERM_PUE).value;
}
