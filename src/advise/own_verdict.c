// Own, rent, or leave what runs today: the cheapest of each, how sure that is, and what owning makes of the
// verdict.
#include <math.h>
#include <string.h>

#include "src/advise/money.h"
#include "src/advise/prices.h"
#include "src/advise/search.h"

const char *const own_choice_names[] = {"rent", "own", "today", NULL};
NAMES_FIT(own_choice_names, OWN_CHOICES);

static const Estimate unknown = {(double)NAN, (double)NAN, (double)NAN, BASIS_UNKNOWN, ""};

// ---------------------------------------------------------------- choices

static OwnChoice choice_of(const Facts *f, const Advice *advice, const Option *o, bool owned) {
    OwnChoice l = {.option = o,
                   .owning = o != NULL && owned ? owning_in(advice, o->gpu) : NULL,
                   .cost = unknown,
                   .usd_month = unknown};
    if (o == NULL) return l;
    l.cost = *option_cost(o, advice->ask);
    // What is owned costs its month whether it is used or not.
    l.usd_month = l.owning != NULL ? estimate_of(o->price_usd_h * HOURS_A_MONTH, own_sigma(l.owning, NULL),
                                                 BASIS_EXTRAPOLATED, o->offer->source)
                                   : bill_usd_month(f, advice->ask, o);
    return l;
}

// The cheapest owned fleet of a vendor (-1: of any). A quote goes before street prices: it is what can be
// had. What a licence keeps out of data centres is taken only where it was quoted.
static const Option *best_owned(const Facts *f, const Advice *advice, int vendor) {
    const Option *best = NULL;
    bool best_quoted = false;
    for (size_t i = 0; advice->owned != NULL && i < advice->owned->n_options; i++) {
        const Option *o = &advice->owned->options[i];
        const Licence *licence = licence_of(f, o->gpu);
        bool quoted = owning_in(advice, o->gpu)->quoted;
        if ((vendor >= 0 && o->gpu->vendor != vendor) ||
            (!quoted && licence != NULL && strcmp(licence->datacenter, "forbidden") == 0))
            continue;
        if (best == NULL || quoted > best_quoted) best = o, best_quoted = quoted;
    }
    return best;
}

OwnChoice own_choice(const Facts *f, const Advice *advice) {
    return choice_of(f, advice, best_owned(f, advice, -1), true);
}

static const OwnChoice *cheaper_of(const OwnChoice *a, const OwnChoice *b) {
    if (a->option == NULL) return b;
    return b->option == NULL || a->option->cost <= b->option->cost ? a : b;
}

static void find_choices(const Facts *f, const Advice *advice, OwnAnswer *x) {
    const Option *now = advice->current;
    for (int v = 0; v < VENDOR_COUNT; v++) {
        // what runs today may be the best
        const Option *rented = advice->best[v] != now ? advice->best[v] : advice->next[v];
        x->of[v][OWN_RENT] = choice_of(f, advice, rented, false);
        x->of[v][OWN_OWN] = choice_of(f, advice, best_owned(f, advice, v), true);
        x->of[v][OWN_TODAY] =
            choice_of(f, advice, now != NULL && (int)now->gpu->vendor == v ? now : NULL, false);
    }
    x->choices[OWN_RENT] = *cheaper_of(&x->of[VENDOR_NVIDIA][OWN_RENT], &x->of[VENDOR_AMD][OWN_RENT]);
    x->choices[OWN_OWN] = own_choice(f, advice);
    x->choices[OWN_TODAY] = choice_of(f, advice, now, false);
    x->cheapest = -1;
    for (int i = 0; i < OWN_CHOICES; i++) {
        const Option *o = x->choices[i].option;
        if (o != NULL && (x->cheapest < 0 || o->cost < x->choices[x->cheapest].option->cost)) x->cheapest = i;
    }
}

// ---------------------------------------------------------------- own or rent

// The cheapest that a vendor has; what runs today counts where nothing of it is rented out, as in the
// verdict.
static const OwnChoice *side_of(const OwnAnswer *x, int vendor, bool owned) {
    const OwnChoice *of = x->of[vendor];
    const OwnChoice *paid = of[OWN_RENT].option != NULL ? &of[OWN_RENT] : &of[OWN_TODAY];
    return owned ? cheaper_of(paid, &of[OWN_OWN]) : paid;
}

// The odds of two choices by their prices: rented ones may move, be gone and be those of the next seller; an
// owned one costs what its terms say. What two owned ones have in common is cancelled: their whole difference
// stands with the first.
static Odds choice_odds(const Facts *f, const Advice *advice, const OwnChoice *first,
                        const OwnChoice *second) {
    const OwnChoice *choices[] = {first, second};
    Ladder ladders[2];
    for (int i = 0; i < 2; i++) {
        const Option *o = choices[i]->option;
        bool of_market = choices[i]->owning == NULL && advice->best[o->gpu->vendor] == o;
        ladders[i] = of_market ? *advice->ladders[o->gpu->vendor] : ladder_alone(f, o);
    }
    if (first->owning != NULL) ladders[0].rungs[0].doubt.sigma = own_sigma(first->owning, second->owning);
    if (first->owning == NULL && second->owning != NULL)
        ladders[1].rungs[0].doubt.sigma = own_sigma(second->owning, NULL);
    Odds odds;
    odds_range(f, &ladders[0], &ladders[1], &odds);
    return odds;
}

static Estimate odds_estimate(const Odds *o, const OwnChoice *first, const OwnChoice *second,
                              const char *sources) {
    double listed = first->option->cost / second->option->cost;
    return (Estimate){listed, fmin(o->low, listed), fmax(o->high, listed), BASIS_EXTRAPOLATED, sources};
}

// Owned servers cost capital and hosting all hours, rented ones only those in which they are wanted.
static double even_at(const Ask *ask, const Owning *x, const Option *own, double rent_per_hour) {
    // cost of the work at a dollar an hour, all hours used
    double scale = own->cost * hours_used(ask) / own->price_usd_h;
    double idle = (x->capital_usd_h + x->hosting_usd_h) * own->gpu_count * scale;
    double power = x->power_usd_h / hours_used(ask) * own->gpu_count * scale;
    return rent_per_hour > power ? idle / (rent_per_hour - power) : (double)INFINITY;
}

static double log_width(double high, double low) { return log(high / low) / (2 * Z80); }

static Estimate even_hours(const Facts *f, const Ask *ask, const OwnChoice *own, const OwnChoice *rent,
                           double speed_sigma) {
    const Owning *x = own->owning;
    double rented = rent->option->cost * hours_used(ask);
    double value = even_at(ask, x, own->option, rented);
    double width = log_width(even_at(ask, x, own->option, rented * exp(-Z80 * speed_sigma)),
                             even_at(ask, x, own->option, rented * exp(Z80 * speed_sigma)));
    double variance = width * width;
    for (int i = 0; i < OWN_TERMS; i++) {
        Owning low, high;
        own_ends(f, ask, x, i, &low, &high);
        width = log_width(even_at(ask, &high, own->option, rented), even_at(ask, &low, own->option, rented));
        variance += width * width;
    }
    if (!isfinite(value)) return unknown;
    // at one end never
    if (!isfinite(variance))
        return (Estimate){value, (double)NAN, (double)NAN, BASIS_EXTRAPOLATED, own->option->offer->source};
    return estimate_of(value, sqrt(variance), BASIS_EXTRAPOLATED, own->option->offer->source);
}

static void own_or_rent(const Facts *f, const Advice *advice, OwnAnswer *x) {
    const OwnChoice *own = &x->choices[OWN_OWN];
    const OwnChoice *rent = &x->choices[OWN_RENT];
    x->probability = (double)NAN;
    x->cost_ratio = x->even_hours = unknown;
    if (own->option == NULL || rent->option == NULL) return;
    double mean = 0, speed = 0;
    Odds odds = choice_odds(f, advice, own, rent);
    cost_ratio(f, own->option, rent->option, &mean, &speed);
    // the first of the two is the owned one
    x->probability = fmin(fmax(odds.amd_cheaper, 1 - odds.surest), odds.surest);
    x->cost_ratio = odds_estimate(&odds, own, rent, own->option->offer->source);
    x->even_hours = even_hours(f, advice->ask, own, rent, hypot(speed, price_doubt(f, rent->option).sigma));
}

// ---------------------------------------------------------------- which vendor then

static bool weighs_a_move(const Advice *advice) {
    return advice->transitions[TRANSITION_VENDOR] != NULL &&
           is_known(advice->transitions[TRANSITION_VENDOR]->npv.value);
}

// By cost: what a move takes is known of what is rented alone.
static void judge_vendors(const Facts *f, const Advice *advice, OwnAnswer *x) {
    const Verdict *v = &advice->verdict;
    const OwnChoice *amd = side_of(x, VENDOR_AMD, true);
    const OwnChoice *nvidia = side_of(x, VENDOR_NVIDIA, true);
    const OwnChoice *amd_paid = side_of(x, VENDOR_AMD, false);
    const OwnChoice *nvidia_paid = side_of(x, VENDOR_NVIDIA, false);
    x->winner = WINNER_UNKNOWN;
    x->before = (int)v->winner;
    x->winner_probability = (double)NAN;
    x->vendor_ratio = unknown;
    if (amd->option == NULL || nvidia->option == NULL) return;
    if (weighs_a_move(advice) && !v->by_needs && amd_paid->option != NULL && nvidia_paid->option != NULL) {
        Odds paid = choice_odds(f, advice, amd_paid, nvidia_paid);
        x->before = (int)odds_winner(&paid);
    }
    Odds odds = choice_odds(f, advice, amd, nvidia);
    x->winner = v->by_needs ? (int)v->winner : (int)odds_winner(&odds);
    x->winner_probability = v->by_needs ? 1 : odds_probability(&odds);
    x->vendor_ratio = odds_estimate(&odds, amd, nvidia,
                                    "the cheaper of own and rent for each vendor, common errors cancelled; "
                                    "data/price_moves.tsv; data/decision.tsv");
    x->changes = x->winner != x->before;
}

// ---------------------------------------------------------------- words

static const char *choice_words(Arena *a, const OwnChoice *l) {
    const Option *o = l->option;
    if (l->owning == NULL) return place_text(a, o);
    return arena_printf(a, "%d x %s owned (%s of %s a GPU)", o->gpu_count, o->gpu->name,
                        l->owning->quoted ? "quote" : "street price",
                        usd_text(a, l->owning->gpu_price.value));
}

static const char *chance(Arena *a, double p) {
    return p < 0.005 ? "probability under 0.01" : probability_text(a, p);
}

static const char *even_words(Arena *a, const OwnAnswer *x) {
    const Estimate *even = &x->even_hours;
    if (!is_known(even->value)) return "; hours rented only as they are needed cost less at any use";
    const char *range =
        is_known(even->low) ? arena_printf(a, " (%.0f to %.0f)", 100 * even->low, 100 * even->high) : "";
    if (even->value > 1)
        return arena_printf(
            a, "; it would take %.0f %%%s of the hours to be even with hours rented as they are needed",
            100 * even->value, range);
    return arena_printf(a, "; against hours rented as they are needed, from %.0f %%%s of the hours on",
                        100 * even->value, range);
}

static const char *side_words(Arena *a, const OwnAnswer *x) {
    const OwnChoice *amd = side_of(x, VENDOR_AMD, true);
    const OwnChoice *nvidia = side_of(x, VENDOR_NVIDIA, true);
    return arena_printf(a, "%s (%s) against %s (%s)", usd_text(a, nvidia->option->cost),
                        choice_words(a, nvidia), usd_text(a, amd->option->cost), choice_words(a, amd));
}

static const char *winner_words(int w) {
    if (w == WINNER_NVIDIA || w == WINNER_AMD)
        return vendor_titles[w == WINNER_AMD ? VENDOR_AMD : VENDOR_NVIDIA];
    return w == WINNER_TIE ? "a tie" : winner_names[w];
}

static const char *vendor_words(Arena *a, const Advice *advice, const OwnAnswer *x) {
    if (x->winner == WINNER_UNKNOWN) return "";
    if (advice->verdict.by_needs)
        return arena_printf(a, " What the stack needs decides as before: %s.", winner_words(x->winner));
    const char *by = weighs_a_move(advice) ? "By cost, what moving takes not counted, " : "";
    if (!x->changes)
        return arena_printf(a, " %s%s what can be owned the answer between the vendors stays %s.", by,
                            by[0] != '\0' ? "with" : "With", winner_words(x->winner));
    const char *move =
        advice->transitions[TRANSITION_VENDOR] != NULL ? "; what moving takes is not in it" : "";
    return arena_printf(a,
                        " This changes the verdict: with what can be owned it is %s (%s), with rented "
                        "servers alone %s: %s%s.",
                        winner_words(x->winner), chance(a, x->winner_probability), winner_words(x->before),
                        side_words(a, x), move);
}

static const char *own_words(Arena *a, const Advice *advice, const OwnAnswer *x) {
    const OwnChoice *own = &x->choices[OWN_OWN];
    const OwnChoice *rent = &x->choices[OWN_RENT];
    const OwnChoice *today = &x->choices[OWN_TODAY];
    const char *per = per_what(advice->ask);
    if (own->option == NULL)
        return "no fleet whose price is known does this work: --gpu-price SKU=USD gives the price of one "
               "GPU.";
    const char *costs =
        arena_printf(a, "%s: %s %s (%s to %s)", choice_words(a, own), usd_text(a, own->cost.value), per,
                     usd_text(a, own->cost.low), usd_text(a, own->cost.high));
    const char *now = today->option != NULL
                          ? arena_printf(a, " What runs today costs %s.", usd_text(a, today->cost.value))
                          : "";
    if (rent->option == NULL) return arena_printf(a, "%s; nothing is rented to compare with.%s", costs, now);
    return arena_printf(a, "%s; the cheapest rented, %s: %s. Owning costs less with %s%s.%s%s", costs,
                        choice_words(a, rent), usd_text(a, rent->cost.value), chance(a, x->probability),
                        even_words(a, x), now, vendor_words(a, advice, x));
}

// One note for each row of the licences: the GPUs of one brand share it.
static void find_notes(const Facts *f, Arena *a, const Advice *advice, OwnAnswer *x) {
    const Licence *said[OWN_NOTES_MAX];
    for (size_t i = 0; advice->owned != NULL && i < advice->owned->n_options && i < advice->ask->top; i++) {
        const Gpu *g = advice->owned->options[i].gpu;
        const Licence *licence = licence_of(f, g);
        size_t k = 0;
        while (k < x->n_notes && said[k] != licence) k++;
        if (licence == NULL || k < x->n_notes || k == OWN_NOTES_MAX) continue;
        said[k] = licence;
        x->notes[x->n_notes++] = licence_note(f, g, a);
    }
}

void judge_owning(const Facts *f, Arena *a, Advice *advice) {
    if (!advice->ask->onprem) return;
    OwnAnswer *x = arena_alloc(a, 1, sizeof *x);
    find_choices(f, advice, x);
    own_or_rent(f, advice, x);
    judge_vendors(f, advice, x);
    find_notes(f, a, advice, x);
    x->text = own_words(a, advice, x);
    advice->verdict.own = x;
}
