// What would turn the verdict: prices at which it tips, every assumption at the ends of its range, and other loads and lengths.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/advise/draws.h"
#include "src/advise/search.h"

static const double SURE = 0.9;

typedef struct Flips {
    const Facts *facts;
    Arena *arena;
    Advice *advice;
    const Weighing *weighing;
    bool moves;  // the result is the NPV of the move; else the ratio of costs
} Flips;

// ---------------------------------------------------------------- prices, by cost alone

static Winner winner_between(const Facts *f, const Option *x, const Option *y) {
    const Option *amd = x->gpu->vendor == VENDOR_AMD ? x : y;
    const Option *nvidia = amd == x ? y : x;
    double mean = 0, sigma = 0;
    cost_ratio(f, amd, nvidia, &mean, &sigma);
    return winner_by_cost(amd, nvidia, mean, sigma);
}

// The cost of `o` at which the verdict against `other` stops being what it is now, when that cost moves towards `other`'s.
static double changing_cost(const Facts *f, const Option *o, const Option *other, Winner now) {
    double mean = 0, sigma = 0;
    cost_ratio(f, o, other, &mean, &sigma);
    double edge = exp(Z80 * sigma);
    bool rises = mean < 0;
    return other->cost * (rises == (now == WINNER_TIE) ? edge : 1 / edge);
}

// ---------------------------------------------------------------- prices, by what a move is worth

// x at which what is linear in x and has these values at 1 and 2 is nothing; 0: below all prices; infinity: nowhere.
static double crossing(double at_one, double at_two) {
    double slope = at_two - at_one;
    return slope != 0 ? fmax(1 - at_one / slope, 0) : (double)INFINITY;
}

typedef void Scale(Flow *f, double x);

static void scale_to(Flow *f, double x) { f->bill_after *= x; }
static void scale_from(Flow *f, double x) { f->bill *= x; }
static void scale_day(Flow *f, double x) { f->day_usd *= x; }
static void scale_load(Flow *f, double x) { f->bill *= x, f->bill_after *= x; }

// The same for one draw of something that makes a move worth more (`rises`) or less: a draw that goes the other way never turns.
static double turning(double at_one, double at_two, bool rises) {
    if (at_two != at_one && (at_two > at_one) == rises) return crossing(at_one, at_two);
    return (at_one > 0) == rises ? 0 : (double)INFINITY;
}

static double npv_at(const Flow *f, Scale *scale, double x) {
    Flow g = *f;
    scale(&g, x);
    return flow_outcome(&g).npv;
}

// The factor on what `scale` scales at which the verdict becomes another one: where the share of draws in which the move pays
// crosses nine or one tenth, the nearer of the two. `rises`: more of it makes the move worth more. NaN: nowhere, or both lanes depend on it.
static double changing_scale(const Flips *x, Scale *scale, bool rises, bool other_lane_too) {
    const Weighed *w = &x->weighing->lanes[LANE_VENDOR];
    const Weighed *p = &x->weighing->lanes[LANE_PROVIDER];
    if (other_lane_too && p->lane != NULL) return (double)NAN;
    double *at = arena_alloc(x->arena, DRAWS, sizeof *at);
    for (size_t i = 0; i < DRAWS; i++) {
        Flow f = flow_drawn(w, &x->weighing->draws, i);
        double base = flow_outcome(&f).npv;
        double less = base - x->weighing->gain[i];  // what the move within one vendor is worth
        at[i] = turning(base - less, npv_at(&f, scale, 2) - less, rises);
    }
    double low = quantile_of(at, DRAWS, 1 - SURE);
    double high = quantile_of(at, DRAWS, SURE);
    double nearest = fabs(log(low)) < fabs(log(high)) ? low : high;
    return nearest > 0 && isfinite(nearest) ? nearest : (double)NAN;
}

// ---------------------------------------------------------------- prices, either way

typedef struct Tip {
    double equal, changes;  // factors on the price; NaN: nowhere
    bool stuck;             // no price changes the verdict
} Tip;

static Tip tip_by_cost(const Flips *x, const Option *o, const Option *other) {
    return (Tip){other->cost / o->cost, changing_cost(x->facts, o, other, x->advice->verdict.winner) / o->cost, x->advice->verdict.by_needs};
}

static Tip tip_by_move(const Flips *x, bool to) {
    const Weighed *w = &x->weighing->lanes[LANE_VENDOR];
    const Weighed *p = &x->weighing->lanes[LANE_PROVIDER];
    double less = p->lane != NULL ? fmax(flow_outcome(&p->likely).npv, 0) : 0;
    Scale *scale = to ? scale_to : scale_from;
    double equal = crossing(npv_at(&w->likely, scale, 1) - less, npv_at(&w->likely, scale, 2) - less);
    bool stuck = x->advice->verdict.by_needs || x->advice->verdict.winner == WINNER_SPLIT;
    return (Tip){isfinite(equal) && equal > 0 ? equal : (double)NAN, stuck ? (double)NAN : changing_scale(x, scale, !to, !to), stuck};
}

static const char *price_words(const Flips *x, const Flip *flip, double takes_over, const Option *next, bool stuck) {
    Arena *a = x->arena;
    const char *even = x->moves ? "the move pays neither way, by the likely figures" : "the best of both vendors cost the same";
    const char *equal = is_known(flip->flip) ? arena_printf(a, "at %s per GPU-hour instead of %s %s", usd_text(a, flip->flip), usd_text(a, flip->value), even)
                        : next != NULL && isfinite(takes_over)
                            ? arena_printf(a, "over %s per GPU-hour (now %s) %s at %s takes its place, and the answer is the same", usd_text(a, takes_over), usd_text(a, flip->value), next->gpu->name, next->offer->provider)
                            : arena_printf(a, "no price per GPU-hour (now %s) makes the move even", usd_text(a, flip->value));
    if (stuck) return arena_printf(a, "%s; the verdict hangs on what the stack needs, not on this price", equal);
    if (!is_known(flip->verdict_changes)) return arena_printf(a, "%s; the verdict stays", equal);
    return arena_printf(a, "%s; the verdict changes at %s", equal, usd_text(a, flip->verdict_changes));
}

// What the price of `o` would have to be. A price that rises brings `next`, the vendor's next best, to the fore.
static void price_flip(const Flips *x, const Option *o, const Option *next, const Option *other, Tip tip) {
    Arena *a = x->arena;
    double price = o->price_usd_gpu_h;
    Winner now = x->advice->verdict.winner;
    Flip flip = {.what = arena_printf(a, "price of %s at %s", o->gpu->name, o->offer->provider), .unit = "USD per GPU-hour", .value = price, .low = (double)NAN, .high = (double)NAN,
                 .flip = price * tip.equal, .verdict_changes = tip.stuck ? (double)NAN : price * tip.changes, .at_low = (double)NAN, .at_high = (double)NAN};
    bool others_hold = next != NULL && (x->moves || o->cost < other->cost) && o != x->advice->current;
    double takes_over = others_hold ? price * next->cost / o->cost : (double)INFINITY;
    if (flip.flip > takes_over) flip.flip = (double)NAN;
    if (flip.verdict_changes > takes_over) flip.verdict_changes = x->moves || winner_between(x->facts, next, other) == now ? (double)NAN : takes_over;
    flip.text = price_words(x, &flip, takes_over, next, tip.stuck);
    x->advice->flips[x->advice->n_flips++] = flip;
}

static void price_flips(const Flips *x) {
    Advice *advice = x->advice;
    const Option *nvidia = advice->best[VENDOR_NVIDIA];
    const Option *amd = advice->best[VENDOR_AMD];
    if (!x->moves) {
        price_flip(x, nvidia, advice->next[VENDOR_NVIDIA], amd, tip_by_cost(x, nvidia, amd));
        price_flip(x, amd, advice->next[VENDOR_AMD], nvidia, tip_by_cost(x, amd, nvidia));
        return;
    }
    const Lane *l = advice->lanes[LANE_VENDOR];
    bool first = l->from->gpu->vendor == VENDOR_NVIDIA;  // NVIDIA's price comes first
    for (int i = 0; i < 2; i++) {
        bool to = (i == 0) != first;
        const Option *o = to ? l->to : l->from;
        price_flip(x, o, advice->next[o->gpu->vendor], to ? l->from : l->to, tip_by_move(x, to));
    }
}

// ---------------------------------------------------------------- assumptions

typedef enum Part { PART_SPEED, PART_PORT, PART_UPKEEP, PART_DAY, PART_LOAD, PART_LEVEL, PART_CONTRACT, PART_REVALIDATION, PART_DUAL, PART_TEAM, PART_HORIZON, PART_RATE, PART_LEAVING, PART_COUNT } Part;

// Sets one assumption of a lane; `was` is its likely value.
static void set_part(Flow *f, Part part, double was, double x) {
    switch (part) {
    case PART_SPEED: f->bill_after *= was / x; break;
    case PART_PORT: f->port_days = x; break;
    case PART_UPKEEP: f->upkeep_days_year = x; break;
    case PART_DAY: f->day_usd = x; break;
    case PART_LOAD: scale_load(f, x / was); break;
    case PART_LEVEL: f->bill_after *= x / was; break;
    case PART_CONTRACT: f->contract_days = x; break;
    case PART_REVALIDATION: f->revalidation_days = x; break;
    case PART_DUAL: f->dual_weeks = x; break;
    case PART_TEAM: f->team = x; break;
    case PART_HORIZON: f->horizon_months = x; break;
    case PART_RATE: f->rate_year = x / 100; break;
    case PART_LEAVING: f->leaving_usd = x; break;
    case PART_COUNT: break;
    }
}

static bool both_lanes(Part part) { return part != PART_SPEED && part != PART_PORT && part != PART_UPKEEP && part != PART_LEVEL && part != PART_REVALIDATION && part != PART_DUAL; }

// What the move is worth at the likely figures but for one: NPV in USD, that of a move within one vendor taken off.
static double worth_at(const Flips *x, Part part, double was, double value) {
    Flow f = x->weighing->lanes[LANE_VENDOR].likely;
    set_part(&f, part, was, value);
    const Weighed *p = &x->weighing->lanes[LANE_PROVIDER];
    if (p->lane == NULL) return flow_outcome(&f).npv;
    Flow g = p->likely;
    if (both_lanes(part)) set_part(&g, part, was, value);
    return flow_outcome(&f).npv - fmax(flow_outcome(&g).npv, 0);
}

// Where the worth is nothing, nearest to `was` and within a factor of 100; NaN: nowhere there.
static double worth_nothing_at(const Flips *x, Part part, double was) {
    double at = worth_at(x, part, was, was);
    double best = (double)NAN;
    for (int up = 0; up < 2; up++) {
        double inside = was;
        double outside = was;
        double step = up ? 1.25 : 0.8;
        for (int i = 0; i < 21 && (worth_at(x, part, was, outside) > 0) == (at > 0); i++) {
            inside = outside;
            outside *= step;
        }
        if ((worth_at(x, part, was, outside) > 0) == (at > 0)) continue;
        for (int i = 0; i < 50; i++) {
            double middle = sqrt(inside * outside);
            *((worth_at(x, part, was, middle) > 0) == (at > 0) ? &inside : &outside) = middle;
        }
        if (!is_known(best) || fabs(log(outside / was)) < fabs(log(best / was))) best = outside;
    }
    return best;
}

// Where the share of draws in which the move pays crosses nine or one tenth, for the assumptions where that has a closed form.
static double verdict_changes_at(const Flips *x, Part part, double was) {
    if (x->advice->verdict.by_needs || x->advice->verdict.winner == WINNER_SPLIT || x->weighing->lanes[LANE_PROVIDER].lane != NULL) return (double)NAN;
    if (part == PART_DAY) return was * changing_scale(x, scale_day, false, true);
    if (part == PART_LOAD) return was * changing_scale(x, scale_load, true, true);
    if (part != PART_HORIZON) return (double)NAN;
    double *at = arena_alloc(x->arena, DRAWS, sizeof *at);
    for (size_t i = 0; i < DRAWS; i++) {
        Flow f = flow_drawn(&x->weighing->lanes[LANE_VENDOR], &x->weighing->draws, i);
        at[i] = flow_pays_after(&f);
    }
    double few = quantile_of(at, DRAWS, 1 - SURE);
    double most = quantile_of(at, DRAWS, SURE);
    double nearest = fabs(log(few / was)) < fabs(log(most / was)) ? few : most;
    return isfinite(nearest) ? nearest : (double)NAN;
}

static const char *figure(const Flips *x, double value) {
    char text[64];
    format_number(text, sizeof text, value, 3);
    return arena_copy(x->arena, text, strlen(text));
}

static void part_flip(const Flips *x, Part part, const char *what, const char *unit, Estimate range) {
    if (!is_known(range.value) || !(range.value > 0) || x->advice->n_flips == FLIPS_MAX) return;
    Flip flip = {.what = what, .unit = unit, .value = range.value, .low = range.low, .high = range.high};
    flip.flip = worth_nothing_at(x, part, range.value);
    flip.verdict_changes = verdict_changes_at(x, part, range.value);
    flip.at_low = worth_at(x, part, range.value, range.low);
    flip.at_high = worth_at(x, part, range.value, range.high);
    Arena *a = x->arena;
    const char *swing = range.high > range.low ? arena_printf(a, "from %s to %s the move is worth %s to %s", figure(x, range.low), figure(x, range.high), about_usd(a, flip.at_low), about_usd(a, flip.at_high))
                                               : arena_printf(a, "now %s, as given", figure(x, range.value));
    const char *even = is_known(flip.flip) ? arena_printf(a, "it pays neither way at %s", figure(x, flip.flip)) : "nothing within a factor of 100 makes it even";
    const char *change = is_known(flip.verdict_changes) ? arena_printf(a, "; the verdict changes at %s", figure(x, flip.verdict_changes)) : "";
    flip.text = arena_printf(a, "%s; %s%s", swing, even, change);
    x->advice->flips[x->advice->n_flips++] = flip;
}

static Estimate ranged(double value, double sigma) { return (Estimate){value, value * exp(-Z80 * sigma), value * exp(Z80 * sigma), BASIS_CALIBRATED, ""}; }

static int widest_first(const void *left, const void *right) {
    const Flip *a = left;
    const Flip *b = right;
    double x = fabs(a->at_high - a->at_low);
    double y = fabs(b->at_high - b->at_low);
    return (x < y) - (x > y);
}

static void assumption_flips(const Flips *x) {
    Advice *advice = x->advice;
    const Weighed *w = &x->weighing->lanes[LANE_VENDOR];
    const Flow *l = &w->likely;
    static const struct {
        Part part;
        Term term;
        const char *what, *unit;
    } terms[] = {
        {PART_DAY, TERM_ENGINEER_DAY, "price of an engineer's day", "USD a day"},
        {PART_LOAD, TERM_LOAD, "load over the horizon", "of the load asked"},
        {PART_LEVEL, TERM_PRICE_LEVEL, "prices of the new fleet over the horizon", "of today's"},
        {PART_CONTRACT, TERM_CONTRACT_DAYS, "work of changing provider", "engineer-days"},
        {PART_DUAL, TERM_DUAL_VENDOR, "both fleets paid", "weeks"},
        {PART_TEAM, TERM_TEAM_SIZE, "engineers on the move", "engineers"},
        {PART_HORIZON, TERM_HORIZON, "horizon", "months"},
        {PART_RATE, TERM_DISCOUNT_RATE, "discount rate", "percent a year"},
    };
    size_t first = advice->n_flips;
    const char *speed = arena_printf(x->arena, "speed of %s", w->lane->to->gpu->name);
    part_flip(x, PART_SPEED, speed, "of the estimate", ranged(1, w->sigma[DRAW_RATIO]));
    part_flip(x, PART_PORT, "work of the port and its tests", "engineer-days", ranged(l->port_days, w->sigma[DRAW_EFFORT]));
    part_flip(x, PART_UPKEEP, "upkeep of the port", "engineer-days a year", ranged(l->upkeep_days_year, w->sigma[DRAW_EFFORT]));
    part_flip(x, PART_REVALIDATION, "work of validating again", "engineer-days", ranged(l->revalidation_days, w->sigma[DRAW_REVALIDATION]));
    part_flip(x, PART_LEAVING, "commitment that goes unused", "USD", ranged(l->leaving_usd, 0));
    for (size_t i = 0; i < COUNT_OF(terms); i++) part_flip(x, terms[i].part, terms[i].what, terms[i].unit, term_of(x->facts, advice->ask, terms[i].term));
    qsort(advice->flips + first, advice->n_flips - first, sizeof *advice->flips, widest_first);
}

// Without a move: the ratio of costs, at the ends of what each option's speed may be.
static void speed_flips(const Flips *x) {
    Advice *advice = x->advice;
    double likely = advice->verdict.cost_ratio.value;
    for (int v = 0; v < VENDOR_COUNT; v++) {
        const Option *o = advice->best[v];
        Estimate range = ranged(1, o->sigma_log);
        double even = v == VENDOR_AMD ? likely : 1 / likely;
        Flip flip = {.what = arena_printf(x->arena, "speed of %s", o->gpu->name), .unit = "of the estimate", .value = 1, .low = range.low, .high = range.high, .flip = even, .verdict_changes = (double)NAN};
        flip.at_low = v == VENDOR_AMD ? likely / range.low : likely * range.low;
        flip.at_high = v == VENDOR_AMD ? likely / range.high : likely * range.high;
        flip.text = arena_printf(x->arena, "from %.2f to %.2f of the estimate AMD costs %.2f to %.2f of NVIDIA; both cost the same at %.2f", range.low, range.high, flip.at_low, flip.at_high, even);
        advice->flips[advice->n_flips++] = flip;
    }
}

// ---------------------------------------------------------------- other loads and lengths

// The offers that are in the running: those of the options kept.
static Facts facts_in_running(const Flips *x) {
    enum { MOST = 24 };
    Facts f = *x->facts;
    const Advice *advice = x->advice;
    Offer *offers = arena_alloc(x->arena, advice->n_options + 1, sizeof *offers);
    f.n_offers = 0;
    for (size_t i = 0; i < advice->n_options; i++) {
        const Option *o = &advice->options[i];
        bool best = o == advice->best[VENDOR_NVIDIA] || o == advice->best[VENDOR_AMD];
        if (f.n_offers < MOST || best) offers[f.n_offers++] = *o->offer;
    }
    f.offers = offers;
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
static double merit(const Flips *x, const Facts *f, const Ask *ask) {
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
    const Flips *flips;
    const Facts *facts;
    Knob knob;
    double now;
    bool amd;  // ahead now
} Turn;

static double merit_at(const Turn *t, double x) {
    Ask ask = *t->flips->advice->ask;
    Workload *w = &ask.workload;
    ask.top = 1;
    ask.pareto = false;
    if (t->knob == KNOB_CONCURRENCY) w->rate_rps = (double)NAN;
    *knob_of(w, t->knob) = t->knob == KNOB_RATE ? x : fmax(round(x), 1);
    return merit(t->flips, t->facts, &ask);
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

static void knob_flip(const Flips *x, const Facts *f, Knob knob, const char *what, const char *unit, double now, double least, double most) {
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

static void knob_flips(const Flips *x) {
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

void find_flips(const Facts *f, Arena *a, Advice *advice, const Weighing *weighing) {
    if (advice->best[VENDOR_AMD] == NULL || advice->best[VENDOR_NVIDIA] == NULL) return;
    Flips x = {f, a, advice, weighing, weighing->gain != NULL};
    price_flips(&x);
    if (x.moves) {
        assumption_flips(&x);
    } else {
        speed_flips(&x);
    }
    knob_flips(&x);
}
