// Other loads and lengths: where the other vendor is ahead.
#include <math.h>
#include <string.h>

#include "src/advise/draws.h"
#include "src/advise/search.h"

typedef struct Knobs {
    const Facts *facts;
    Arena *arena;
    Advice *advice;
    bool moves;  // the result is the NPV of the move; else the ratio of costs
} Knobs;

static const char *figure(const Knobs *x, double value) {
    char text[64];
    format_number(text, sizeof text, value, 3);
    return arena_copy(x->arena, text, strlen(text));
}

// Of the GPUs in the running every size, at its cheapest provider: which of them are best may be others at another load.
static Facts facts_in_running(const Knobs *x) {
    Facts f = *x->facts;
    const Advice *advice = x->advice;
    Advice scratch = {0};
    size_t n = 0;
    const Offer **all = usable_offers(x->facts, advice->ask, x->arena, &scratch, &n);
    Offer *offers = arena_alloc(x->arena, n + 1, sizeof *offers);
    f.n_offers = 0;
    for (size_t i = 0; i < n; i++) {
        bool dearer = i > 0 && strcmp(all[i]->sku_id, all[i - 1]->sku_id) == 0 && all[i]->gpu_count == all[i - 1]->gpu_count;
        bool runs = false;
        for (size_t k = 0; k < advice->n_running; k++) runs = runs || strcmp(advice->running[k]->sku_id, all[i]->sku_id) == 0;
        if (runs && !dearer) offers[f.n_offers++] = *all[i];
    }
    f.offers = offers;
    f.n_published = 0;  // measured at one load alone: beside estimates at the others it would turn the answer by itself
    return f;
}

// NPV of going from `from` to `to` by the likely figures, less that of the best move within the vendor of `from`, if that is one.
static double move_worth(const Facts *f, const Advice *advice, const Option *from, const Option *to, bool within) {
    Lane across = {.id = LANE_VENDOR, .from = from, .to = to};
    Lane same = {.id = LANE_PROVIDER, .from = from, .to = advice->best[from->gpu->vendor]};
    Weighed w;
    Weighed v;
    weigh_lane(f, advice, &across, &w);
    if (!within) return flow_outcome(&w.likely).npv;
    weigh_lane(f, advice, &same, &v);
    return flow_outcome(&w.likely).npv - fmax(flow_outcome(&v.likely).npv, 0);
}

// Above 0: AMD is ahead. NPV of the move, or -ln of the ratio of costs; an infinity where only one vendor has an option, NaN: neither.
static double merit(const Knobs *x, const Facts *f, const Ask *ask) {
    Arena a = {0};
    Advice other;
    Err e = {0};
    double m = (double)NAN;
    if (advise_search(f, ask, &a, &other, &e)) {
        const Option *amd = other.best[VENDOR_AMD];
        const Option *nvidia = other.best[VENDOR_NVIDIA];
        if (amd != NULL && nvidia != NULL) {
            m = -log(amd->cost / nvidia->cost);
        } else if (amd != NULL || nvidia != NULL) {
            m = amd != NULL ? (double)INFINITY : -(double)INFINITY;
        }
        const Lane *l = x->moves ? x->advice->lanes[LANE_VENDOR] : NULL;
        bool back = l != NULL && l->to->gpu->vendor == VENDOR_NVIDIA;
        if (l != NULL && isfinite(m)) {
            other.move = x->advice->move;
            const Option *from = x->advice->current != NULL ? current_option(f, ask, &a) : other.best[back ? VENDOR_AMD : VENDOR_NVIDIA];
            m = from != NULL ? move_worth(f, &other, from, other.best[back ? VENDOR_NVIDIA : VENDOR_AMD], x->advice->current != NULL) * (back ? -1 : 1) : (double)NAN;
        }
    }
    arena_free(&a);
    return m;
}

typedef enum Knob { KNOB_RATE, KNOB_CONCURRENCY, KNOB_ISL } Knob;

static double *knob_of(Workload *w, Knob k) { return k == KNOB_RATE ? &w->rate_rps : k == KNOB_CONCURRENCY ? &w->concurrency : &w->isl_tokens; }

typedef struct Turn {
    const Knobs *knobs;
    const Facts *facts;
    Knob knob;
    double now;
    bool amd;  // ahead now
} Turn;

static double merit_at(const Turn *t, double x) {
    Ask ask = *t->knobs->advice->ask;
    Workload *w = &ask.workload;
    ask.top = 1;
    ask.pareto = false;
    if (t->knob == KNOB_CONCURRENCY) w->rate_rps = (double)NAN;
    *knob_of(w, t->knob) = t->knob == KNOB_RATE ? x : fmax(round(x), 1);
    return merit(t->knobs, t->facts, &ask);
}

// The nearest value, in one direction, at which the other vendor is ahead; NaN: none up to `limit`.
static double turns_at(const Turn *t, double step, double limit) {
    double inside = t->now;
    double outside = t->now;
    bool turned = false;
    for (int i = 0; i < 4 && !turned; i++) {
        double next = step > 1 ? fmin(outside * step, limit) : fmax(outside * step, limit);
        if (next == outside) break;
        inside = outside;
        outside = next;
        double m = merit_at(t, outside);
        if (isnan(m)) return (double)NAN;
        turned = (m > 0) != t->amd;
    }
    for (int i = 0; i < 5 && turned; i++) {
        double middle = sqrt(inside * outside);
        double m = merit_at(t, middle);
        *(!isnan(m) && (m > 0) != t->amd ? &outside : &inside) = middle;
    }
    return turned ? t->knob == KNOB_RATE ? outside : fmax(round(outside), 1) : (double)NAN;
}

static void knob_flip(const Knobs *x, const Facts *f, Knob knob, const char *what, const char *unit, double now, double least, double most) {
    if (!is_known(now) || x->advice->n_flips == FLIPS_MAX) return;
    Turn t = {x, f, knob, now, false};
    double m = merit_at(&t, now);
    if (isnan(m)) return;
    t.amd = m > 0;
    double down = turns_at(&t, 0.4, least);
    double up = turns_at(&t, 2.5, most);
    Arena *a = x->arena;
    Flip flip = {.what = what, .unit = unit, .value = now, .low = (double)NAN, .high = (double)NAN, .verdict_changes = (double)NAN, .at_low = (double)NAN, .at_high = (double)NAN};
    flip.flip = !is_known(down) || (is_known(up) && up / now < now / down) ? up : down;
    const char *ahead = x->moves ? (t.amd ? "moving no longer pays" : "moving pays") : t.amd ? "NVIDIA is the cheaper one" : "AMD is the cheaper one";
    const char *below = is_known(down) ? arena_printf(a, "at about %s (now %s) %s", figure(x, down), figure(x, now), ahead) : "";
    const char *above = is_known(up) ? arena_printf(a, "at about %s (now %s) %s", figure(x, up), figure(x, now), ahead) : "";
    const char *both = is_known(down) && is_known(up) ? "; " : "";
    flip.text = is_known(down) || is_known(up) ? arena_printf(a, "%s%s%s, by the likely figures", below, both, above) : arena_printf(a, "now %s: no other value that fits, up to %.0f times less or more, turns it", figure(x, now), pow(2.5, 4));
    x->advice->flips[x->advice->n_flips++] = flip;
}

static void knob_flips(const Knobs *x) {
    const Workload *w = &x->advice->ask->workload;
    if (w->kind != KIND_SERVE) return;
    Facts f = facts_in_running(x);
    const Option *best = x->advice->best[VENDOR_NVIDIA];
    if (is_known(w->rate_rps)) knob_flip(x, &f, KNOB_RATE, "load", "requests per second", w->rate_rps, 0, 1e6);
    double flight = is_known(w->concurrency) ? w->concurrency : round(best->concurrency);
    knob_flip(x, &f, KNOB_CONCURRENCY, is_known(w->concurrency) ? "load (requests in flight; the batch follows it)" : "batch (requests in flight)", "requests", flight, 1, 1e6);
    double most = is_known(x->advice->ask->model->max_context) ? fmax(x->advice->ask->model->max_context - w->osl_tokens, w->isl_tokens) : w->isl_tokens * 40;
    knob_flip(x, &f, KNOB_ISL, "context length (input tokens)", "tokens", w->isl_tokens, 1, most);
}

void find_knob_flips(const Facts *f, Arena *a, Advice *advice, bool moves) {
    Knobs x = {f, a, advice, moves};
    knob_flips(&x);
}
