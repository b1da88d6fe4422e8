// What would turn the verdict: prices at which it tips, every assumption at the ends of its range, and other
// loads and lengths.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/advise/samples.h"
#include "src/advise/prices.h"
#include "src/advise/search.h"

static const char *const LEVEL_TITLE = "AMD's prices against NVIDIA's over the horizon";

typedef struct Sensitivities {
    const Facts *facts;
    Arena *arena;
    Advice *advice;
    const Weighing *weighing;
    bool moves;  // the result is the NPV of the move; else the ratio of costs
} Sensitivities;

// ---------------------------------------------------------------- by cost alone

// A factor on the costs of some of a vendor's options.
typedef struct Scaled {
    const Sensitivities *sensitivities;
    int vendor;
    Halves halves;
} Scaled;

static double margin_with(const Scaled *q, double times) {
    const Advice *advice = q->sensitivities->advice;
    Ladder scaled = ladder_scaled(&q->halves, times);
    const Ladder *amd = q->vendor == VENDOR_AMD ? &scaled : advice->ladders[VENDOR_AMD];
    const Ladder *nvidia = q->vendor == VENDOR_NVIDIA ? &scaled : advice->ladders[VENDOR_NVIDIA];
    Odds odds = odds_of(q->sensitivities->facts, amd, nvidia);
    return odds_margin(&odds, advice->verdict.winner);
}

// The factor nearest to 1, within a hundred either way, on the costs of those options from which on the
// verdict is another one. NaN: none.
static double changing_factor(const Sensitivities *x, Meant meant) {
    static const double FAR = 100, STEP = 1.05;
    const Advice *advice = x->advice;
    if (advice->verdict.by_needs || advice->verdict.by_staying) return (double)NAN;
    const Scaled of = {x, meant.vendor, ladder_halves(x->facts, advice->all, advice->n_all, &meant)};
    const Scaled *q = &of;
    double best = (double)NAN;
    for (int up = 0; up < 2; up++) {
        double inside = 1;
        double outside = 1;
        while (outside < FAR && outside > 1 / FAR && margin_with(q, outside) >= 0) {
            inside = outside;
            outside = up ? outside * STEP : outside / STEP;
        }
        if (margin_with(q, outside) >= 0) continue;
        for (int i = 0; i < 40; i++) {
            double middle = sqrt(inside * outside);
            *(margin_with(q, middle) >= 0 ? &inside : &outside) = middle;
        }
        if (!is_known(best) || fabs(log(outside)) < fabs(log(best))) best = outside;
    }
    return best;
}

// ---------------------------------------------------------------- prices, either way

typedef struct Turn {
    double equal, changes;  // factors on the price; NaN: nowhere
    const char *hangs;      // what the verdict hangs on if not on this price; NULL: it does
} Turn;

static const char *hangs_on(const Verdict *v) {
    return v->by_needs ? "the verdict hangs on what the stack needs, not on this price"
           : v->by_staying
               ? "the verdict is to stay, whatever moving takes; at which price that ends is not worked out"
               : NULL;
}

static Turn turn_by_cost(const Sensitivities *x, const Option *o, const Option *other) {
    return (Turn){other->cost / o->cost,
                  changing_factor(x, (Meant){o->gpu->vendor, o->gpu, o->offer->provider}),
                  hangs_on(&x->advice->verdict)};
}

static Turn turn_by_move(const Sensitivities *x, Part part) {
    return (Turn){nothing_at(x->weighing, part, 1), changes_at(x->advice, x->weighing, part, 1),
                  hangs_on(&x->advice->verdict)};
}

static const char *worth_nothing(const Sensitivities *x) {
    return x->advice->transitions[TRANSITION_PROVIDER] != NULL
               ? "moving across vendors is worth as much as the best move within one, by the likely figures"
               : "the move pays neither way, by the likely figures";
}

static const char *price_words(const Sensitivities *x, const Sensitivity *flip, double takes_over,
                               const Option *next, const char *hangs) {
    Arena *a = x->arena;
    const char *even = x->moves ? worth_nothing(x) : "the best of both vendors cost the same";
    const char *equal =
        is_known(flip->flip) ? arena_printf(a, "at %s per GPU-hour instead of %s %s", usd_text(a, flip->flip),
                                            usd_text(a, flip->value), even)
        : next != NULL && isfinite(takes_over)
            ? arena_printf(a, "over %s per GPU-hour (now %s) %s at %s takes its place",
                           usd_text(a, takes_over), usd_text(a, flip->value), next->gpu->name,
                           next->offer->provider)
            : arena_printf(a, "no price per GPU-hour (now %s) makes the move even", usd_text(a, flip->value));
    if (hangs != NULL) return arena_printf(a, "%s; %s", equal, hangs);
    if (!is_known(flip->verdict_changes)) return arena_printf(a, "%s; the verdict stays", equal);
    return arena_printf(a, "%s; the verdict changes at %s", equal, usd_text(a, flip->verdict_changes));
}

// What the price of `o` would have to be. A price that rises brings `next`, the vendor's next best, to the
// fore.
static void price_flip(const Sensitivities *x, const Option *o, const Option *next, const Option *other,
                       Turn turn) {
    Arena *a = x->arena;
    double price = o->price_usd_gpu_h;
    Sensitivity flip = {.what = arena_printf(a, "price of %s at %s", o->gpu->name, o->offer->provider),
                        .unit = "USD per GPU-hour",
                        .value = price,
                        .low = (double)NAN,
                        .high = (double)NAN,
                        .flip = price * turn.equal,
                        .verdict_changes = turn.hangs != NULL ? (double)NAN : price * turn.changes,
                        .at_low = (double)NAN,
                        .at_high = (double)NAN,
                        .holds = (double)NAN};
    bool others_hold = next != NULL && (x->moves || o->cost < other->cost) && o != x->advice->current;
    double takes_over = others_hold ? price * next->cost / o->cost : (double)INFINITY;
    if (flip.flip > takes_over) flip.flip = (double)NAN;
    if (x->moves && flip.verdict_changes > takes_over) flip.verdict_changes = (double)NAN;
    flip.text = price_words(x, &flip, takes_over, next, turn.hangs);
    x->advice->sensitivities[x->advice->n_sensitivities++] = flip;
}

static void price_flips(const Sensitivities *x) {
    Advice *advice = x->advice;
    const Option *nvidia = advice->best[VENDOR_NVIDIA];
    const Option *amd = advice->best[VENDOR_AMD];
    if (!x->moves) {
        price_flip(x, nvidia, advice->next[VENDOR_NVIDIA], amd, turn_by_cost(x, nvidia, amd));
        price_flip(x, amd, advice->next[VENDOR_AMD], nvidia, turn_by_cost(x, amd, nvidia));
        return;
    }
    const Transition *l = advice->transitions[TRANSITION_VENDOR];
    const Transition *same = advice->transitions[TRANSITION_PROVIDER];
    const struct {
        Part part;
        const Option *o, *other;
    } prices[] = {{PART_FROM, l->from, l->to},
                  {PART_SAME, same != NULL ? same->to : NULL, l->to},
                  {PART_TO, l->to, l->from}};
    bool first = l->from->gpu->vendor == VENDOR_NVIDIA;  // NVIDIA's prices come first
    for (size_t i = 0; i < COUNT_OF(prices); i++) {
        size_t k = first ? i : COUNT_OF(prices) - 1 - i;
        const Option *o = prices[k].o;
        if (o != NULL)
            price_flip(x, o, advice->next[o->gpu->vendor], prices[k].other, turn_by_move(x, prices[k].part));
    }
}

// ---------------------------------------------------------------- assumptions

static const char *even_words(const Sensitivities *x) {
    return x->advice->transitions[TRANSITION_PROVIDER] != NULL
               ? "it brings as much as the move within the vendor"
               : "it pays neither way";
}

static const char *change_words(const Sensitivities *x, double changes, double value) {
    if (!is_known(changes)) return "";
    return changes == value
               ? "; the verdict changes once it is known to be just that"
               : arena_printf(x->arena, "; the verdict changes at %s", number_text(x->arena, changes, 3));
}

static void part_flip(const Sensitivities *x, Part part, const char *what, const char *unit, Estimate range) {
    if (!is_known(range.value) || !(range.value > 0) || x->advice->n_sensitivities == SENSITIVITIES_MAX)
        return;
    Sensitivity flip = {.what = what,
                        .unit = unit,
                        .value = range.value,
                        .low = range.low,
                        .high = range.high,
                        .holds = (double)NAN};
    flip.flip = nothing_at(x->weighing, part, range.value);
    flip.verdict_changes = changes_at(x->advice, x->weighing, part, range.value);
    flip.at_low = worth_if(x->weighing, part, range.value, range.low);
    flip.at_high = worth_if(x->weighing, part, range.value, range.high);
    Arena *a = x->arena;
    const char *swing =
        range.high > range.low
            ? arena_printf(a, "from %s to %s the move is worth %s to %s", number_text(x->arena, range.low, 3),
                           number_text(x->arena, range.high, 3), about_usd(a, flip.at_low),
                           about_usd(a, flip.at_high))
            : arena_printf(a, "now %s, as given", number_text(x->arena, range.value, 3));
    const char *even = is_known(flip.flip)
                           ? arena_printf(a, "%s at %s", even_words(x), number_text(x->arena, flip.flip, 3))
                           : "nothing within a factor of 100 makes it even";
    flip.text = arena_printf(a, "%s; %s%s", swing, even, change_words(x, flip.verdict_changes, range.value));
    x->advice->sensitivities[x->advice->n_sensitivities++] = flip;
}

static Estimate ranged(double value, double sigma) {
    return (Estimate){value, value * exp(-Z80 * sigma), value * exp(Z80 * sigma), BASIS_CALIBRATED, ""};
}

static int widest_first(const void *left, const void *right) {
    const Sensitivity *a = left;
    const Sensitivity *b = right;
    double x = fabs(a->at_high - a->at_low);
    double y = fabs(b->at_high - b->at_low);
    return (x < y) - (x > y);
}

static void assumption_flips(const Sensitivities *x) {
    Advice *advice = x->advice;
    const Weighed *w = &x->weighing->transitions[TRANSITION_VENDOR];
    const Flow *l = &w->likely;
    static const struct {
        Part part;
        Term term;
        const char *what, *unit;
    } terms[] = {
        {PART_DAY, TERM_ENGINEER_DAY, "price of an engineer's day", "USD a day"},
        {PART_LOAD, TERM_LOAD, "load over the horizon", "of the load asked"},
        {PART_LEVEL, TERM_PRICE_LEVEL, LEVEL_TITLE, "of today's"},
        {PART_CONTRACT, TERM_CONTRACT_DAYS, "work of changing provider", "engineer-days"},
        {PART_PARALLEL, TERM_PARALLEL_VENDOR, "both fleets paid", "weeks"},
        {PART_TEAM, TERM_TEAM_SIZE, "engineers on the move", "engineers"},
        {PART_HIRE, TERM_HIRE_WEEKS, "time to hire them", "weeks"},
        {PART_HORIZON, TERM_HORIZON, "horizon", "months"},
        {PART_RATE, TERM_DISCOUNT_RATE, "discount rate", "percent a year"},
    };
    size_t first = advice->n_sensitivities;
    const Transition *transition = w->transition;
    const char *speed =
        arena_printf(x->arena, "speed of %s%s%s", transition->to->gpu->name,
                     transition->to->gpu == transition->from->gpu ? "" : " against ",
                     transition->to->gpu == transition->from->gpu ? "" : transition->from->gpu->name);
    part_flip(x, PART_SPEED, speed, "of the estimate", ranged(1, w->sigma[SAMPLE_RATIO]));
    part_flip(x, PART_PORT, "work of the port and its tests", "engineer-days",
              ranged(l->port_days, w->sigma[SAMPLE_EFFORT]));
    part_flip(x, PART_UPKEEP, "upkeep of the port", "engineer-days a year",
              ranged(l->upkeep_days_year, w->sigma[SAMPLE_EFFORT]));
    part_flip(x, PART_REVALIDATION, "work of validating again", "engineer-days",
              ranged(l->revalidation_days, w->sigma[SAMPLE_REVALIDATION]));
    part_flip(x, PART_EGRESS, "taking the data out", "USD", ranged(l->egress_usd, 0));
    part_flip(x, PART_UNUSED_COMMITMENT, "commitment that goes unused", "USD",
              ranged(l->unused_commitment_usd, 0));
    if (advice->transitions[TRANSITION_PROVIDER] != NULL)
        part_flip(x, PART_PARALLEL_SAME, "both fleets paid where the vendor stays", "weeks",
                  term_of(x->facts, advice->ask, TERM_PARALLEL_PROVIDER));
    if (transition->to->offer->pricing_model == PRICING_SPOT)
        part_flip(x, PART_SPOT, "spot hours lost to interruptions", "percent",
                  term_of(x->facts, advice->ask, TERM_SPOT_LOSS));
    for (size_t i = 0; i < COUNT_OF(terms); i++)
        part_flip(x, terms[i].part, terms[i].what, terms[i].unit,
                  term_of(x->facts, advice->ask, terms[i].term));
    qsort(advice->sensitivities + first, advice->n_sensitivities - first, sizeof *advice->sensitivities,
          widest_first);
}

// ---------------------------------------------------------------- without a move

static void ratio_flip(const Sensitivities *x, const char *what, const char *unit, Estimate range,
                       double even, double changes, double at_low, double at_high) {
    Arena *a = x->arena;
    const char *both = is_known(even) ? arena_printf(a, "; both cost the same at %.3g", even) : "";
    Sensitivity flip = {.what = what,
                        .unit = unit,
                        .value = range.value,
                        .low = range.low,
                        .high = range.high,
                        .flip = even,
                        .verdict_changes = changes,
                        .at_low = at_low,
                        .at_high = at_high,
                        .holds = (double)NAN};
    flip.text = arena_printf(a, "from %.2f to %.2f AMD costs %.2f to %.2f of NVIDIA%s%s", range.low,
                             range.high, at_low, at_high, both, change_words(x, changes, range.value));
    x->advice->sensitivities[x->advice->n_sensitivities++] = flip;
}

// The ratio of costs, at the ends of what each option's speed may be, and of how prices of both may move
// apart.
static void cost_flips(const Sensitivities *x) {
    Advice *advice = x->advice;
    const Verdict *v = &advice->verdict;
    double likely = v->cost_ratio.value;
    for (int i = 0; i < VENDOR_COUNT; i++) {
        const Option *o = advice->best[i];
        Estimate range = ranged(1, o->sigma_log);
        double even = i == VENDOR_AMD ? likely : 1 / likely;
        double changes = 1 / changing_factor(x, (Meant){i, o->gpu, NULL});
        double power = i == VENDOR_AMD ? -1 : 1;
        ratio_flip(x, arena_printf(x->arena, "speed of %s", o->gpu->name), "of the estimate", range, even,
                   changes, likely * pow(range.low, power), likely * pow(range.high, power));
    }
    Estimate level = term_of(x->facts, advice->ask, TERM_PRICE_LEVEL);
    if (!is_known(level.value)) return;
    double changes = level.value * changing_factor(x, (Meant){VENDOR_AMD, NULL, NULL});
    ratio_flip(x, LEVEL_TITLE, "of today's", level, level.value / likely, changes,
               likely * level.low / level.value, likely * level.high / level.value);
}

void find_sensitivities(const Facts *f, Arena *a, Advice *advice, const Weighing *weighing) {
    if (advice->best[VENDOR_AMD] == NULL || advice->best[VENDOR_NVIDIA] == NULL) return;
    Sensitivities x = {f, a, advice, weighing, weighing->gain != NULL};
    price_flips(&x);
    if (x.moves) {
        assumption_flips(&x);
    } else {
        cost_flips(&x);
    }
    if (advice->n_sensitivities + LOAD_TERMS_MAX <= SENSITIVITIES_MAX) find_load_sensitivities(f, a, advice);
}
