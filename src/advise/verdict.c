// The verdict: ratio of costs, what a move makes of it, reasons and risks.
#include <math.h>
#include <string.h>

#include "src/advise/draws.h"
#include "src/advise/search.h"

const char *const winner_names[] = {"nvidia", "amd", "split", "tie", "neither", "not-yet", NULL};

static bool same_configuration(const Option *a, const Option *b) {
    const Layout *x = &a->layout;
    const Layout *y = &b->layout;
    return a->gpu == b->gpu && strcmp(a->engine, b->engine) == 0 && a->weights == b->weights &&
           a->kv == b->kv && x->tp == y->tp && x->pp == y->pp && x->ep == y->ep && x->dp == y->dp && a->replicas == b->replicas;
}

void cost_ratio(const Facts *facts, const Option *numerator, const Option *denominator, double *ret_mean, double *ret_sigma) {
    const Option *a = numerator;
    const Option *b = denominator;
    *ret_mean = log(a->cost / b->cost);
    if (same_configuration(a, b)) {
        *ret_sigma = 0;
        return;
    }
    // Other tasks have no engine, HPC no model either: nothing in common to cancel.
    double shared = a->serving.group != NULL ? constant_of(facts, "share_model") : 0;
    if (a->engine[0] != '\0' && strcmp(a->engine, b->engine) == 0) shared += constant_of(facts, "share_engine");
    if (a->gpu == b->gpu) shared += constant_of(facts, "share_gpu");
    double variance = a->sigma_log * a->sigma_log + b->sigma_log * b->sigma_log - 2 * shared * a->sigma_log * b->sigma_log;
    *ret_sigma = sqrt(fmax(variance, 0));
}

// ---------------------------------------------------------------- words

const char *usd_text(Arena *a, double x) {
    char text[64];
    double size = fabs(x);
    if (size >= 1000) {
        format_number(text, sizeof text, round(size), 15);
    } else {
        int decimals = size >= 1 ? 2 : size >= 0.1 ? 3 : size >= 1e-12 ? 2 - (int)floor(log10(size)) : 4;  // three digits at least
        format_fixed(text, sizeof text, size, decimals);
    }
    return arena_printf(a, "%s$%s", x < 0 ? "-" : "", text);
}

// To three digits: for sums that are no surer than that.
const char *about_usd(Arena *a, double x) {
    char text[64];
    double step = fabs(x) >= 1 ? pow(10, floor(log10(fabs(x))) - 2) : 0.01;
    double rounded = round(x / step) * step;
    format_number(text, sizeof text, fabs(rounded), 3);
    return arena_printf(a, "%s$%s", x < 0 ? "-" : "", text);
}

const char *per_what(const Workload *w) {
    switch ((WorkloadKind)w->kind) {
    case KIND_SERVE: return "per million output tokens";
    case KIND_IMAGES: return "per 1,000 images";
    case KIND_TRAIN:
    case KIND_LORA: return "for the whole run";
    case KIND_HPC: return "a run";
    case KIND_EMBED: return "per million input tokens";
    case KIND_COUNT: break;
    }
    return "";
}

static const char *place(Arena *a, const Option *o) {
    return arena_printf(a, "%d x %s at %s", o->gpu_count, o->gpu->name, o->offer->provider);
}

static double speed_per_gpu(const Option *o) {
    if (is_known(o->output_tokens_s_gpu.value)) return o->output_tokens_s_gpu.value;
    return o->task.rate / o->gpu_count;
}

static const char *more_or_less(Arena *a, double ratio, const char *more, const char *less) {
    return arena_printf(a, "%.0f %% %s", 100 * fabs(ratio - 1), ratio >= 1 ? more : less);
}

// ---------------------------------------------------------------- reasons

// What speaks for the winner and against it, with what it weighs: ln of the ratio that it makes.
typedef struct Reasons {
    struct {
        const char *text;
        double weight;  // above 0: for
    } items[16];
    size_t n;
} Reasons;

static void reason(Reasons *r, double weight, const char *text) {
    if (r->n == COUNT_OF(r->items) || !is_known(weight)) return;
    r->items[r->n].text = text;
    r->items[r->n++].weight = weight;
}

// The strongest of one side, strongest first.
static size_t strongest(const Reasons *r, double sign, const char **list) {
    bool taken[COUNT_OF(r->items)] = {false};
    size_t n = 0;
    while (n < REASONS_MAX) {
        size_t best = r->n;
        for (size_t i = 0; i < r->n; i++) {
            if (taken[i] || r->items[i].weight * sign <= 0) continue;
            if (best == r->n || fabs(r->items[i].weight) > fabs(r->items[best].weight)) best = i;
        }
        if (best == r->n) break;
        taken[best] = true;
        list[n++] = r->items[best].text;
    }
    return n;
}

// Facts that speak for `x` against `y`, and those that speak the other way.
static void compare(Arena *a, const Workload *w, const Option *x, const Option *y, Reasons *r) {
    double cost = x->cost / y->cost;
    reason(r, cost == 1 ? (double)NAN : -log(cost) * 1.001, arena_printf(a, "%s costs %s: %s against %s %s", vendor_titles[x->gpu->vendor], more_or_less(a, cost, "more", "less"), usd_text(a, x->cost), usd_text(a, y->cost), per_what(w)));
    double price = x->price_usd_gpu_h / y->price_usd_gpu_h;
    reason(r, -log(price), arena_printf(a, "a GPU-hour costs %s: %s (%s) against %s (%s)", more_or_less(a, price, "more", "less"), usd_text(a, x->price_usd_gpu_h), x->gpu->name, usd_text(a, y->price_usd_gpu_h), y->gpu->name));
    double speed = speed_per_gpu(x) / speed_per_gpu(y);
    reason(r, log(speed), arena_printf(a, "one GPU does %s of the work an hour", more_or_less(a, speed, "more", "less")));
    double memory = gpu_usable_bytes(x->gpu) / gpu_usable_bytes(y->gpu);
    // Memory counts through speed and price already: a share of its own weight, for what a model may yet need.
    if (memory >= 1.1 || memory <= 0.9) reason(r, log(memory) / 4, arena_printf(a, "a GPU has %.0f GiB of memory against %.0f GiB", gpu_usable_bytes(x->gpu) / 1073741824, gpu_usable_bytes(y->gpu) / 1073741824));
    reason(r, log((double)y->gpu_count / x->gpu_count) / 4, arena_printf(a, "it takes %s against %d", counted(a, (size_t)x->gpu_count, "GPU"), y->gpu_count));
    const Option *both[] = {x, y};
    for (int i = 0; i < 2; i++) {
        const EngineSupport *s = both[i]->serving.support;
        if (s == NULL || s->status == SUPPORT_FULL) continue;
        reason(r, i == 0 ? -0.2 : 0.2, arena_printf(a, "%s support on %s is %s", both[i]->engine, both[i]->gpu->architecture, support_names[s->status]));
    }
}

// What the move and the stack say, for (1) or against (-1) whoever wins.
static void compare_moves(Arena *a, const Advice *advice, const Option *winner, Reasons *r) {
    const Lane *l = advice->lanes[LANE_VENDOR];
    const StackView *stack = advice->stack;
    double amd = winner->gpu->vendor == VENDOR_AMD ? 1 : -1;
    int home = advice->current != NULL ? advice->current->gpu->vendor : VENDOR_NVIDIA;
    const char *made_for = home == VENDOR_NVIDIA ? "CUDA" : "ROCm";
    if (l == NULL || !is_known(l->npv.value)) reason(r, (winner->gpu->vendor == home ? 0.5 : -0.5), winner->gpu->vendor == home ? arena_printf(a, "code and tools written for %s stay as they are", made_for) : arena_printf(a, "code and tools written for %s have to move; this answer does not price that", made_for));
    if (l != NULL && is_known(l->npv.value)) {
        bool wins = winner->gpu->vendor == l->to->gpu->vendor;
        double size = fmax(fabs(l->saving.value - l->upkeep.value) * 12, 1);
        reason(r, (wins ? -1 : 1) * l->once.value / size, arena_printf(a, "moving takes %s and %s once (%s to %s)", counted_number(a, l->days.value, 2, "engineer-day"), about_usd(a, l->once.value), about_usd(a, l->once.low), about_usd(a, l->once.high)));
        double net = l->saving.value - l->upkeep.value;
        reason(r, (wins ? 1 : -1) * net / fmax(l->bill.value, 1) * 2, arena_printf(a, "after the move a month costs %s %s, upkeep of the port taken off", about_usd(a, fabs(net)), net >= 0 ? "less" : "more"));
    }
    for (size_t i = 0; stack != NULL && i < stack->n_items; i++) {
        const StackItem *x = &stack->items[i];
        if (x->fit == FIT_BLOCKED) reason(r, -amd * 3, arena_printf(a, "%s does not run on AMD%s%s", x->title, x->change[0] != '\0' ? ": " : "", x->change));
        if (x->fit == FIT_LOSES) reason(r, -amd * 0.4, arena_printf(a, "on AMD %s loses %s", x->title, x->lost));
    }
}

static bool is_extrapolated(const Option *o) { return o->basis == BASIS_EXTRAPOLATED; }

static void add(const char **list, size_t *n, const char *text) {
    if (*n < RISKS_MAX) list[(*n)++] = text;
}

static void find_risks(const Facts *f, Arena *a, const Advice *advice, const Option *o, Verdict *v) {
    const char *title = vendor_titles[o->gpu->vendor];
    double old = constant_of(f, "price_age_warn_days");
    if (advice->providers[o->gpu->vendor] == 1) add(v->risks, &v->n_risks, arena_printf(a, "only one provider (%s) offers a fitting %s option", o->offer->provider, title));
    if ((double)o->price_age_days > old) add(v->risks, &v->n_risks, arena_printf(a, "the price at %s is %s old (%s)", o->offer->provider, counted(a, (size_t)o->price_age_days, "day"), o->offer->as_of));
    if (o->offer->pricing_model == PRICING_SPOT) add(v->risks, &v->n_risks, arena_printf(a, "%s is a spot price: capacity can be taken away at any time", usd_text(a, o->price_usd_gpu_h)));
    if (is_extrapolated(o)) add(v->risks, &v->n_risks, arena_printf(a, "the %s figure is extrapolated: no measurement like it is in the catalog", o->gpu->name));
    if (o->offer->available != AVAILABLE_YES) add(v->risks, &v->n_risks, arena_printf(a, "whether %s has capacity to rent, and how soon, is not known", o->offer->provider));
    if (o->serving.group == NULL && o->instances > 1) add(v->risks, &v->n_risks, arena_printf(a, "training on %d servers needs a fast network between them: ask %s for it", o->instances, o->offer->provider));
    for (size_t i = 0; advice->stack != NULL && i < advice->stack->n_items; i++) {
        const StackItem *x = &advice->stack->items[i];
        size_t against = 0;
        for (size_t k = 0; k < x->n_evidence; k++) against += x->evidence[k].disagrees && strcmp(x->evidence[k].claim->standing, "superseded") != 0;
        if (against > 0) add(v->risks, &v->n_risks, arena_printf(a, "claims about %s contradict each other (%zu against the one that is taken)", x->title, against));
    }
}

// ---------------------------------------------------------------- verdict

static const double SURE = 0.9;  // a one-sided tenth: where an 80 % interval leaves zero out

Winner winner_by_cost(const Option *amd, const Option *nvidia, double mean, double sigma) {
    if (mean == 0 || fabs(mean) < Z80 * sigma) return WINNER_TIE;
    return (mean < 0 ? amd : nvidia)->gpu->vendor == VENDOR_AMD ? WINNER_AMD : WINNER_NVIDIA;
}

static Winner winner_for(const Option *o) { return o->gpu->vendor == VENDOR_AMD ? WINNER_AMD : WINNER_NVIDIA; }

Winner winner_by_move(const Chances *c, Winner from, Winner to, bool stuck) {
    if (c->pays >= SURE && !stuck) return to;
    if (c->share >= SURE) return WINNER_SPLIT;
    if (stuck) return from;
    if (c->without_leaving >= SURE) return WINNER_NOT_YET;
    return c->pays <= 1 - SURE ? from : WINNER_TIE;
}

// The same rules as a distance from the nearest of their edges.
double winner_margin(Winner winner, const Chances *c, Winner from, Winner to, bool stuck) {
    double far = (double)INFINITY;
    double not_to = stuck ? far : SURE - c->pays;
    double not_split = is_known(c->share) ? SURE - c->share : far;
    double not_later = is_known(c->without_leaving) ? SURE - c->without_leaving : far;
    if (winner == to) return stuck ? -1 : c->pays - SURE;
    if (winner == WINNER_SPLIT) return fmin(-not_split, not_to);
    double others = fmin(not_to, not_split);
    if (stuck) return winner == from ? others : -1;
    if (winner == WINNER_NOT_YET) return fmin(others, -not_later);
    return fmin(fmin(others, not_later), winner == from ? 1 - SURE - c->pays : c->pays - (1 - SURE));
}

static const char *probability_text(Arena *a, double p) { return p > 0.995 ? "probability over 0.99" : arena_printf(a, "probability %.2f", p); }

static const char *cost_words(Arena *a, const Workload *w, const Option *cheap, const Option *dear) {
    return arena_printf(a, "%s (%s) against %s (%s) %s", usd_text(a, cheap->cost), place(a, cheap), usd_text(a, dear->cost), place(a, dear), per_what(w));
}

static const char *stuck_names(Arena *a, const StackView *stack) {
    const char *names = "";
    for (size_t i = 0; i < stack->n_items; i++) {
        const StackItem *x = &stack->items[i];
        if (x->fit == FIT_BLOCKED && !x->replaceable) names = arena_printf(a, "%s%s%s", names, names[0] != '\0' ? ", " : "", x->title);
    }
    return names;
}

static const char *move_words(Arena *a, const Lane *l) {
    const Estimate *b = &l->break_even_months;
    const char *even = is_known(b->value) ? arena_printf(a, "even after %s", counted_number(a, b->value, 2, "month")) : "never even";
    const char *horizon = counted_number(a, l->curve_month[l->n_curve - 1], 3, "month");
    return arena_printf(a, "%s once (%s), then %s a month %s; %s; worth %s over %s", about_usd(a, l->once.value), counted_number(a, l->days.value, 2, "engineer-day"), about_usd(a, fabs(l->saving.value - l->upkeep.value)),
                        l->saving.value >= l->upkeep.value ? "less" : "more", even, about_usd(a, l->npv.value), horizon);
}

// Within the vendor it may still pay to go elsewhere.
static const char *stay_words(Arena *a, const Advice *advice) {
    const Lane *l = advice->lanes[LANE_PROVIDER];
    if (l == NULL || !(l->pays >= SURE)) return "stay";
    return arena_printf(a, "stay with the vendor, but move to %s (%s; worth %s)", l->to->offer->provider, l->to->gpu->name, about_usd(a, l->npv.value));
}

static const char *text_by_move(const Facts *f, Arena *a, const Advice *advice, double p) {
    const Verdict *v = &advice->verdict;
    const Lane *l = advice->lanes[LANE_VENDOR];
    const char *to = vendor_titles[l->to->gpu->vendor];
    const char *from = vendor_titles[l->from->gpu->vendor];
    const char *what = move_words(a, l);
    switch (v->winner) {
    case WINNER_NVIDIA:
    case WINNER_AMD:
        if (v->winner == winner_for(l->to)) return arena_printf(a, "%s: moving pays, %s: %s.", to, probability_text(a, p), what);
        if (v->by_needs) return arena_printf(a, "%s: stay. The stack cannot do without %s, which does not run on %s. By money alone moving would pay with %s: %s.", from, stuck_names(a, advice->stack), to, probability_text(a, p), what);
        return arena_printf(a, "%s: %s, %s. Moving to %s: %s.", from, stay_words(a, advice), probability_text(a, v->probability), to, what);
    case WINNER_SPLIT:
        return arena_printf(a, "Split: the %.0f %% of the load that need no blocker solved move to %s, %s; the rest stays on %s. All of it at once: %s.", 100 * term_of(f, advice->ask, TERM_MOVABLE_SHARE).value, to, probability_text(a, v->probability), from, what);
    case WINNER_NOT_YET:
        return arena_printf(a, "Not yet: moving to %s pays once the commitment has run out (%s), not before (%s): %s.", to, probability_text(a, l->pays_without_leaving), probability_text(a, p), what);
    case WINNER_TIE: return arena_printf(a, "Tie: whether moving to %s pays cannot be told; in %.0f %% of the draws it does: %s.", to, 100 * p, what);
    case WINNER_NEITHER:
    case WINNER_COUNT: break;
    }
    return "";
}

static void judge_move(const Facts *f, Arena *a, Advice *advice, const Weighing *weighing) {
    Verdict *v = &advice->verdict;
    double p = share_above(weighing->gain, DRAWS, 0);
    const Lane *l = advice->lanes[LANE_VENDOR];
    bool stuck = advice->stack != NULL && advice->stack->stuck > 0 && l->to->gpu->vendor == VENDOR_AMD;
    Chances chances = {p, l->leaving.value > 0 ? l->pays_without_leaving : (double)NAN, l->pays_share};
    v->winner = winner_by_move(&chances, winner_for(l->from), winner_for(l->to), stuck);
    bool stays = v->winner == winner_for(l->from);
    v->by_needs = stays && stuck;
    v->probability = v->by_needs ? 1 : v->winner == WINNER_SPLIT ? l->pays_share : v->winner == WINNER_NOT_YET ? 1 - p : stays ? 1 - p : v->winner == WINNER_TIE ? fmax(p, 1 - p) : p;
    v->text = text_by_move(f, a, advice, p);
}

static void judge_costs(Arena *a, Advice *advice, const Weighing *weighing, double mean, double sigma) {
    Verdict *v = &advice->verdict;
    const Option *amd = advice->best[VENDOR_AMD];
    const Option *nvidia = advice->best[VENDOR_NVIDIA];
    const Option *cheap = mean <= 0 ? amd : nvidia;
    const Option *dear = mean <= 0 ? nvidia : amd;
    bool stuck = advice->stack != NULL && advice->stack->stuck > 0;
    v->winner = stuck ? WINNER_NVIDIA : winner_by_cost(amd, nvidia, mean, sigma);
    v->by_needs = stuck;
    v->probability = stuck ? 1 : sigma > 0 ? share_above(weighing->draws.z[DRAW_RATIO], DRAWS, -fabs(mean) / sigma) : mean == 0 ? 0.5 : 1;
    const char *costs = cost_words(a, &advice->ask->workload, cheap, dear);
    const char *who = vendor_titles[cheap->gpu->vendor];
    const char *by = more_or_less(a, cheap->cost / dear->cost, "dearer", "cheaper");
    if (stuck) {
        v->text = arena_printf(a, "NVIDIA: the stack cannot do without %s, which does not run on AMD. By cost alone %s is %s: %s.", stuck_names(a, advice->stack), who, by, costs);
    } else if (v->winner == WINNER_TIE) {
        v->text = arena_printf(a, "Tie: the costs cannot be told apart. %s is %s, %s: %s.", who, by, probability_text(a, v->probability), costs);
    } else {
        v->text = arena_printf(a, "%s: %s, %s, %s.", who, by, probability_text(a, v->probability), costs);
    }
    const Lane *l = advice->lanes[LANE_VENDOR];
    if (l != NULL) v->text = arena_printf(a, "%s What moving from %s at %s takes is not in it (%s).", v->text, l->from->gpu->name, l->from->offer->provider, l->text);
}

static void judge_pair(const Facts *f, Arena *a, Advice *advice, const Weighing *weighing) {
    Verdict *v = &advice->verdict;
    const Option *nvidia = advice->best[VENDOR_NVIDIA];
    const Option *amd = advice->best[VENDOR_AMD];
    double mean = 0, sigma = 0;
    cost_ratio(f, amd, nvidia, &mean, &sigma);
    v->cost_ratio = estimate_of(exp(mean), sigma, is_extrapolated(amd) || is_extrapolated(nvidia) ? BASIS_EXTRAPOLATED : BASIS_CALIBRATED, "ratio of the two best options, common errors cancelled");
    v->draws = DRAWS;
    if (weighing->gain != NULL) {
        judge_move(f, a, advice, weighing);
    } else {
        judge_costs(a, advice, weighing, mean, sigma);
    }
    const Option *ahead = v->winner == WINNER_AMD ? amd : v->winner == WINNER_NVIDIA ? nvidia : mean <= 0 ? amd : nvidia;
    Reasons r = {.n = 0};
    compare(a, &advice->ask->workload, ahead, ahead == amd ? nvidia : amd, &r);
    compare_moves(a, advice, ahead, &r);
    v->n_for = strongest(&r, 1, v->reasons_for);
    v->n_against = strongest(&r, -1, v->reasons_against);
    find_risks(f, a, advice, ahead, v);
}

void judge(const Facts *f, Arena *a, Advice *advice, const Weighing *weighing) {
    Verdict *v = &advice->verdict;
    v->probability = (double)NAN;
    v->cost_ratio = (Estimate){(double)NAN, (double)NAN, (double)NAN, BASIS_UNKNOWN, ""};
    const Option *nvidia = advice->best[VENDOR_NVIDIA];
    const Option *amd = advice->best[VENDOR_AMD];
    if (nvidia != NULL && amd != NULL) {
        judge_pair(f, a, advice, weighing);
        return;
    }
    const Option *only = nvidia != NULL ? nvidia : amd;
    if (only == NULL) {
        v->winner = WINNER_NEITHER;
        v->text = "Neither: no option meets what was asked. The reasons are counted under what was left out.";
        v->next_step = "relax a limit or a filter, or allow more GPUs or older prices";
        return;
    }
    v->winner = winner_for(only);
    v->text = arena_printf(a, "%s, for want of the other: only it has an option that meets what was asked: %s %s (%s).", vendor_titles[only->gpu->vendor], usd_text(a, only->cost), per_what(&advice->ask->workload), place(a, only));
    find_risks(f, a, advice, only, v);
    v->next_step = "see what was left out, and why, before taking this as a comparison";
}
