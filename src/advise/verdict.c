// The verdict: ratio of costs, what a move makes of it, reasons and risks.
#include <math.h>
#include <string.h>

#include "src/advise/samples.h"
#include "src/advise/prices.h"
#include "src/advise/search.h"

// ---------------------------------------------------------------- verdict

static Winner winner_for(const Option *o) {
    return o->gpu->vendor == VENDOR_AMD ? WINNER_AMD : WINNER_NVIDIA;
}

Winner winner_by_move(const Chances *c, Winner from, Winner to, bool stuck) {
    if (c->pays >= SURE && !stuck) return to;
    if (c->share >= SURE) return WINNER_SPLIT;
    if (stuck) return from;
    if (c->without_unused_commitment >= SURE) return WINNER_NOT_YET;
    return c->pays <= 1 - SURE ? from : WINNER_TIE;
}

// How far `x` is short of a limit that counts as passed once it is reached: never 0, so that a margin of 0
// still holds.
static double short_of(double x, double limit) { return x < limit ? limit - x : fmin(limit - x, -1e-12); }

// The same rules as a distance from the nearest of their edges.
double winner_margin(Winner winner, const Chances *c, Winner from, Winner to, bool stuck) {
    double far = (double)INFINITY;
    double not_to = stuck ? far : short_of(c->pays, SURE);
    double not_split = is_known(c->share) ? short_of(c->share, SURE) : far;
    double not_later =
        is_known(c->without_unused_commitment) ? short_of(c->without_unused_commitment, SURE) : far;
    if (winner == to) return stuck ? -1 : c->pays - SURE;
    if (winner == WINNER_SPLIT) return fmin(-not_split, not_to);
    double others = fmin(not_to, not_split);
    if (stuck) return winner == from ? others : -1;
    if (winner == WINNER_NOT_YET) return fmin(others, -not_later);
    return fmin(fmin(others, not_later), winner == from ? 1 - SURE - c->pays : short_of(1 - SURE, c->pays));
}

static const char *cost_words(Arena *a, const Ask *ask, const Option *cheap, const Option *dear) {
    const char *beside = inputs_lead(ask) ? arena_printf(a, ", %s against %s per million output tokens",
                                                         usd_text(a, cheap->output_usd_mtok.value),
                                                         usd_text(a, dear->output_usd_mtok.value))
                                          : "";
    return arena_printf(a, "%s (%s) against %s (%s) %s%s", usd_text(a, cheap->cost), place_text(a, cheap),
                        usd_text(a, dear->cost), place_text(a, dear), per_what(ask), beside);
}

static const char *stuck_names(Arena *a, const StackView *stack) {
    const char *names = "";
    for (size_t i = 0; i < stack->n_items; i++) {
        const StackItem *x = &stack->items[i];
        if (x->fit == FIT_BLOCKED && !x->replaceable)
            names = arena_printf(a, "%s%s%s", names, names[0] != '\0' ? ", " : "", x->title);
    }
    return names;
}

static const char *move_words(Arena *a, const Transition *l) {
    const Estimate *b = &l->break_even_months;
    const char *even = is_known(b->value)
                           ? arena_printf(a, "even after %s", counted_number(a, b->value, 2, "month"))
                           : "never even";
    const char *horizon = counted_number(a, l->curve_month[l->n_curve - 1], 3, "month");
    // The saving is that of the work done; the bill is for whole instances, which that work need not fill.
    bool filled = !(fabs(l->billed_after.value / l->bill_after.value - 1) >= 0.005);
    const char *billed = filled ? ""
                                : arena_printf(a, " for the same work (%s a month are billed there)",
                                               about_usd(a, l->billed_after.value));
    return arena_printf(a, "%s once (%s), then %s a month %s%s; %s; worth %s over %s",
                        about_usd(a, l->once.value), counted_number(a, l->days.value, 2, "engineer-day"),
                        about_usd(a, fabs(l->saving.value - l->upkeep.value)),
                        l->saving.value >= l->upkeep.value ? "less" : "more", billed, even,
                        about_usd(a, l->npv.value), horizon);
}

// Within the vendor it may still pay to go elsewhere.
static const char *stay_words(Arena *a, const Advice *advice) {
    const Transition *l = advice->transitions[TRANSITION_PROVIDER];
    if (l == NULL || !(l->pays >= SURE)) return "stay";
    return arena_printf(a, "stay with the vendor, but move to %s (%s; worth %s)", l->to->offer->provider,
                        l->to->gpu->name, about_usd(a, l->npv.value));
}

static const char *text_by_move(const Facts *f, Arena *a, const Advice *advice, double p) {
    const Verdict *v = &advice->verdict;
    const Transition *l = advice->transitions[TRANSITION_VENDOR];
    const char *to = vendor_titles[l->to->gpu->vendor];
    const char *from = vendor_titles[l->from->gpu->vendor];
    const char *what = move_words(a, l);
    switch (v->winner) {
    case WINNER_NVIDIA:
    case WINNER_AMD:
        if (v->winner == winner_for(l->to))
            return arena_printf(a, "%s: moving pays, %s: %s.", to, probability_text(a, p), what);
        if (v->by_needs)
            return arena_printf(a,
                                "%s: stay. The stack cannot do without %s, which does not run on %s. By "
                                "money alone moving would pay with %s: %s.",
                                from, stuck_names(a, advice->stack), to, probability_text(a, p), what);
        return arena_printf(a, "%s: %s, %s. Moving to %s: %s.", from, stay_words(a, advice),
                            probability_text(a, v->probability), to, what);
    case WINNER_SPLIT:
        return arena_printf(a,
                            "Split: the %.0f %% of the load that need no blocker solved move to %s, %s; the "
                            "rest stays on %s. All of it at once: %s.",
                            100 * term_of(f, advice->ask, TERM_MOVABLE_SHARE).value, to,
                            probability_text(a, v->probability), from, what);
    case WINNER_NOT_YET:
        return arena_printf(
            a, "Not yet: moving to %s pays once the commitment has run out (%s), not before (%s): %s.", to,
            probability_text(a, l->pays_without_unused_commitment), probability_text(a, p), what);
    case WINNER_TIE:
        if (advice->transitions[TRANSITION_PROVIDER] == NULL)
            return arena_printf(a, "Tie: whether moving to %s pays cannot be told, %s that it does: %s.", to,
                                probability_text(a, p), what);
        return arena_printf(a,
                            "Tie: whether moving to %s pays more than staying with %s cannot be told, %s "
                            "that it is worth more than staying and than the move within %s: %s.",
                            to, from, probability_text(a, p), from, what);
    case WINNER_NEITHER:
    case WINNER_UNKNOWN:
    case WINNER_COUNT: break;
    }
    return "";
}

static bool is_stuck(const Advice *advice) { return advice->stack != NULL && advice->stack->stuck > 0; }

static Winner winner_of_move(const Advice *advice, double p) {
    const Transition *l = advice->transitions[TRANSITION_VENDOR];
    Chances chances = {p, l->unused_commitment.value > 0 ? l->pays_without_unused_commitment : (double)NAN,
                       l->pays_share};
    return winner_by_move(&chances, winner_for(l->from), winner_for(l->to),
                          is_stuck(advice) && l->to->gpu->vendor == VENDOR_AMD);
}

// The work of leaving what runs today is not known, and even without any leaving does not pay: work can only
// add to that.
static bool pays_to_stay(const Advice *advice) {
    const Transition *l = advice->transitions[TRANSITION_VENDOR];
    return l != NULL && l->from == advice->current && l->pays_without_work <= 1 - SURE;
}

Winner decide_winner(const Facts *f, Arena *a, const Advice *advice, const Weighing *weighing) {
    const Option *nvidia = advice->best[VENDOR_NVIDIA];
    const Option *amd = advice->best[VENDOR_AMD];
    const Option *only = nvidia != NULL ? nvidia : amd;
    bool filtered = false;
    if (only == NULL) return WINNER_NEITHER;
    if (nvidia == NULL || amd == NULL)
        return why_unknown(f, a, advice, only == nvidia ? VENDOR_AMD : VENDOR_NVIDIA, &filtered) != NULL
                   ? WINNER_UNKNOWN
                   : winner_for(only);
    if (weighing->gain != NULL)
        return winner_of_move(advice, advice->transitions[TRANSITION_VENDOR]->pays_best);
    if (is_stuck(advice)) return WINNER_NVIDIA;
    if (pays_to_stay(advice)) return winner_for(advice->current);
    Odds odds = odds_of(f, advice->ladders[VENDOR_AMD], advice->ladders[VENDOR_NVIDIA]);
    return odds_winner(&odds);
}

static void judge_move(const Facts *f, Arena *a, Advice *advice) {
    Verdict *v = &advice->verdict;
    const Transition *l = advice->transitions[TRANSITION_VENDOR];
    double p = l->pays_best;
    bool stuck = is_stuck(advice) && l->to->gpu->vendor == VENDOR_AMD;
    v->samples = SAMPLES;
    v->winner = winner_of_move(advice, p);
    bool stays = v->winner == winner_for(l->from);
    v->by_needs = stays && stuck;
    v->probability = v->by_needs                   ? 1
                     : v->winner == WINNER_SPLIT   ? l->pays_share
                     : v->winner == WINNER_NOT_YET ? 1 - p
                     : stays                       ? 1 - p
                     : v->winner == WINNER_TIE     ? fmax(p, 1 - p)
                                                   : p;
    v->text = text_by_move(f, a, advice, p);
}

static void judge_costs(Arena *a, Advice *advice, const Odds *odds) {
    Verdict *v = &advice->verdict;
    const Option *amd = advice->best[VENDOR_AMD];
    const Option *nvidia = advice->best[VENDOR_NVIDIA];
    const Option *cheap = amd->cost <= nvidia->cost ? amd : nvidia;
    const Option *dear = cheap == amd ? nvidia : amd;
    const Transition *l = advice->transitions[TRANSITION_VENDOR];
    bool stuck = is_stuck(advice);
    v->by_staying = !stuck && pays_to_stay(advice);
    // the cheaper one as listed is the likelier one, too
    bool likelier = (cheap == amd) == (odds->amd_cheaper >= 0.5);
    v->winner = stuck ? WINNER_NVIDIA : v->by_staying ? winner_for(l->from) : odds_winner(odds);
    v->by_needs = stuck;
    v->probability = odds_probability(odds);
    const char *costs = cost_words(a, advice->ask, cheap, dear);
    const char *who = vendor_titles[cheap->gpu->vendor];
    const char *by = more_or_less(a, cheap->cost / dear->cost, "dearer", "cheaper");
    const char *listed =
        likelier ? arena_printf(a, "%s is %s, %s: %s", who, by, probability_text(a, v->probability), costs)
                 : arena_printf(a,
                                "%s is %s as listed (%s), but with what prices may have become %s is the "
                                "likelier one to be cheaper, %s",
                                who, by, costs, vendor_titles[dear->gpu->vendor],
                                probability_text(a, v->probability));
    if (odds->one_host && v->winner == WINNER_TIE)
        listed = arena_printf(a, "%s. It rests on the listing of %s, which is no supply to build on", listed,
                              offer_one_host(cheap->offer, cheap->seller) == AVAILABLE_YES
                                  ? "one host"
                                  : "marketplace hosts that nobody counted");
    if (v->by_staying) {
        v->text = arena_printf(
            a,
            "%s: %s, %s: even if the software took no work, moving to %s would pay with a probability of %s. "
            "By cost alone: %s.",
            vendor_titles[l->from->gpu->vendor], stay_words(a, advice),
            probability_text(a, 1 - l->pays_without_work), vendor_titles[l->to->gpu->vendor],
            l->pays_without_work < 0.01 ? "under 0.01" : arena_printf(a, "%.2f", l->pays_without_work),
            listed);
    } else if (stuck) {
        v->text = arena_printf(
            a,
            "NVIDIA: the stack cannot do without %s, which does not run on AMD. By cost alone %s is %s: %s.",
            stuck_names(a, advice->stack), who, by, costs);
    } else if (v->winner == WINNER_TIE) {
        v->text = arena_printf(a, "Tie: the costs cannot be told apart. %s.", listed);
    } else if (likelier) {
        v->text = arena_printf(a, "%s: %s, %s, %s.", who, by, probability_text(a, v->probability), costs);
    } else {
        v->text = arena_printf(a, "%s: %s.", vendor_titles[dear->gpu->vendor], listed);
    }
    if (stuck) v->probability = 1;
    if (v->by_staying) v->probability = 1 - l->pays_without_work;
    if (l != NULL && !v->by_staying)
        v->text = arena_printf(a, "%s What moving from %s takes is not in it (%s).", v->text,
                               place_text(a, l->from), l->text);
}

// Where like with like says otherwise, the headline does.
static void judge_alike(const Facts *f, Arena *a, Advice *advice) {
    Verdict *v = &advice->verdict;
    v->alike = compare_alike(f, a, advice);
    bool by_money = v->winner == WINNER_NVIDIA || v->winner == WINNER_AMD || v->winner == WINNER_TIE;
    if (v->alike == NULL || v->by_needs || !by_money || v->alike->winner == v->winner ||
        advice->transitions[TRANSITION_VENDOR] != NULL)
        return;
    v->text = arena_printf(a, "%s At sellers of the same class the answer is another one: %s.", v->text,
                           v->alike->winner == WINNER_TIE
                               ? "a tie"
                               : vendor_titles[v->alike->winner == WINNER_AMD ? VENDOR_AMD : VENDOR_NVIDIA]);
}

static void judge_pair(const Facts *f, Arena *a, Advice *advice, const Weighing *weighing) {
    Verdict *v = &advice->verdict;
    const Option *nvidia = advice->best[VENDOR_NVIDIA];
    const Option *amd = advice->best[VENDOR_AMD];
    Odds odds;
    odds_range(f, advice->ladders[VENDOR_AMD], advice->ladders[VENDOR_NVIDIA], &odds);
    v->cost_ratio = ratio_estimate(&odds, amd, nvidia);
    if (weighing->gain != NULL) {
        judge_move(f, a, advice);
    } else {
        judge_costs(a, advice, &odds);
    }
    const Option *ahead = v->winner == WINNER_AMD      ? amd
                          : v->winner == WINNER_NVIDIA ? nvidia
                          : odds.amd_cheaper >= 0.5    ? amd
                                                       : nvidia;
    find_reasons(f, a, advice, ahead, ahead == amd ? nvidia : amd, v);
}

// Only one vendor has an option: a verdict if the other was judged and does not do it, else nothing is known
// of it.
static void judge_one(const Facts *f, Arena *a, Advice *advice, const Option *only) {
    Verdict *v = &advice->verdict;
    int other = only->gpu->vendor == VENDOR_AMD ? VENDOR_NVIDIA : VENDOR_AMD;
    const char *beside = inputs_lead(advice->ask) ? arena_printf(a, ", %s per million output tokens",
                                                                 usd_text(a, only->output_usd_mtok.value))
                                                  : "";
    const char *what = arena_printf(a, "%s %s%s (%s)", usd_text(a, only->cost), per_what(advice->ask), beside,
                                    place_text(a, only));
    const char *why = why_unknown(f, a, advice, other, &v->filtered);
    find_risks(f, a, advice, only, v);
    v->next_step = "see what was left out, and why, before taking this as a comparison";
    if (why == NULL) {
        v->winner = winner_for(only);
        v->text = arena_printf(
            a, "%s: no GPU of %s does what was asked, whatever its price; the best of %s: %s.",
            vendor_titles[only->gpu->vendor], vendor_titles[other], vendor_titles[only->gpu->vendor], what);
        return;
    }
    v->winner = WINNER_UNKNOWN;
    v->unknown_because = why;
    v->text = v->filtered ? arena_printf(a, "No comparison: %s. The best of %s: %s.", why,
                                         vendor_titles[only->gpu->vendor], what)
                          : arena_printf(a, "Not known which vendor is cheaper: %s. The best of %s: %s.", why,
                                         vendor_titles[only->gpu->vendor], what);
}

void judge(const Facts *f, Arena *a, Advice *advice, const Weighing *weighing) {
    Verdict *v = &advice->verdict;
    v->unknown_because = "";
    v->probability = (double)NAN;
    v->cost_ratio = (Estimate){(double)NAN, (double)NAN, (double)NAN, BASIS_UNKNOWN, ""};
    const Option *nvidia = advice->best[VENDOR_NVIDIA];
    const Option *amd = advice->best[VENDOR_AMD];
    if (nvidia != NULL && amd != NULL) {
        judge_pair(f, a, advice, weighing);
        judge_alike(f, a, advice);
        return;
    }
    const Option *only = nvidia != NULL ? nvidia : amd;
    if (only != NULL) {
        judge_one(f, a, advice, only);
        return;
    }
    v->winner = WINNER_NEITHER;
    v->text = "Neither: no option meets what was asked. The reasons are counted under what was left out.";
    v->next_step = "relax a limit or a filter, or allow more GPUs or older prices";
}
