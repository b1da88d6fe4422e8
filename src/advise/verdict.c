// The verdict: ratio of costs, reasons, risks and what would turn it.
#include <math.h>
#include <string.h>

#include "src/advise/search.h"

const char *const winner_names[] = {"nvidia", "amd", "split", "tie", "neither", "not-yet", NULL};

static bool same_configuration(const Option *a, const Option *b) {
    const Layout *x = &a->layout;
    const Layout *y = &b->layout;
    return a->gpu == b->gpu && strcmp(a->engine, b->engine) == 0 && a->weights == b->weights &&
           a->kv == b->kv && x->tp == y->tp && x->pp == y->pp && x->ep == y->ep && a->replicas == b->replicas;
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

static double normal_below(double x) { return erfc(-x / sqrt(2)) / 2; }

// ---------------------------------------------------------------- words

static void add(const char **list, size_t *n, const char *text) {
    if (*n < REASONS_MAX) list[(*n)++] = text;
}

static const char *money(Arena *a, double x) {
    char text[64];
    if (x >= 1000) {
        format_number(text, sizeof text, round(x), 15);
    } else {
        format_fixed(text, sizeof text, x, x >= 1 ? 2 : x >= 0.1 ? 3 : 4);
    }
    return arena_printf(a, "$%s", text);
}

static const char *per_what(const Workload *w) {
    switch ((WorkloadKind)w->kind) {
    case KIND_SERVE: return "per million output tokens";
    case KIND_IMAGES: return "per 1,000 images";
    case KIND_TRAIN:
    case KIND_LORA: return "for the whole run";
    case KIND_HPC: return "a run";
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

static void reason(Verdict *v, bool good, const char *text) {
    if (good) {
        add(v->reasons_for, &v->n_for, text);
    } else {
        add(v->reasons_against, &v->n_against, text);
    }
}

// Facts that speak for `x` (the cheaper) against `y`, and those that speak the other way.
static void compare(Arena *a, const Workload *w, const Option *x, const Option *y, Verdict *v) {
    const char *who = vendor_titles[x->gpu->vendor];
    double cost = x->cost / y->cost;
    reason(v, true, arena_printf(a, "%s costs %s: %s against %s %s", who, more_or_less(a, cost, "more", "less"), money(a, x->cost), money(a, y->cost), per_what(w)));
    double price = x->price_usd_gpu_h / y->price_usd_gpu_h;
    reason(v, price <= 1, arena_printf(a, "a GPU-hour costs %s: %s (%s) against %s (%s)", more_or_less(a, price, "more", "less"), money(a, x->price_usd_gpu_h), x->gpu->name, money(a, y->price_usd_gpu_h), y->gpu->name));
    double speed = speed_per_gpu(x) / speed_per_gpu(y);
    if (is_known(speed)) reason(v, speed >= 1, arena_printf(a, "one GPU does %s of the work an hour", more_or_less(a, speed, "more", "less")));
    double memory = gpu_usable_bytes(x->gpu) / gpu_usable_bytes(y->gpu);
    if (memory >= 1.1 || memory <= 0.9) reason(v, memory > 1, arena_printf(a, "a GPU has %.0f GiB of memory against %.0f GiB", gpu_usable_bytes(x->gpu) / 1073741824, gpu_usable_bytes(y->gpu) / 1073741824));
    if (x->gpu_count != y->gpu_count) reason(v, x->gpu_count < y->gpu_count, arena_printf(a, "it takes %d GPU%s against %d", x->gpu_count, x->gpu_count == 1 ? "" : "s", y->gpu_count));
    if (x->gpu->vendor == VENDOR_AMD) {
        reason(v, false, "code and tools written for CUDA have to move; this answer does not price that");
    }
    if (x->serving.support != NULL && x->serving.support->status != SUPPORT_FULL) {
        reason(v, false, arena_printf(a, "%s support on %s is %s", x->engine, x->gpu->architecture, support_names[x->serving.support->status]));
    }
}

static bool is_extrapolated(const Option *o) { return o->basis == BASIS_EXTRAPOLATED; }

static void find_risks(const Facts *f, Arena *a, const Advice *advice, const Option *o, Verdict *v) {
    const char *title = vendor_titles[o->gpu->vendor];
    double old = constant_of(f, "price_age_warn_days");
    if (advice->providers[o->gpu->vendor] == 1) add(v->risks, &v->n_risks, arena_printf(a, "only one provider (%s) offers a fitting %s option", o->offer->provider, title));
    if ((double)o->price_age_days > old) add(v->risks, &v->n_risks, arena_printf(a, "the price at %s is %lld days old (%s)", o->offer->provider, (long long)o->price_age_days, o->offer->as_of));
    if (o->offer->pricing_model == PRICING_SPOT) add(v->risks, &v->n_risks, arena_printf(a, "%s is a spot price: capacity can be taken away at any time", money(a, o->price_usd_gpu_h)));
    if (is_extrapolated(o)) add(v->risks, &v->n_risks, arena_printf(a, "the %s figure is extrapolated: no measurement of its group is in the catalog", o->gpu->name));
    if (o->offer->available != AVAILABLE_YES) add(v->risks, &v->n_risks, arena_printf(a, "whether %s has capacity to rent is not known", o->offer->provider));
}

// ---------------------------------------------------------------- turning points

static Winner winner_of(const Option *amd, const Option *nvidia, double mean, double sigma) {
    if (mean == 0 || fabs(mean) < Z80 * sigma) return WINNER_TIE;
    return (mean < 0 ? amd : nvidia)->gpu->vendor == VENDOR_AMD ? WINNER_AMD : WINNER_NVIDIA;
}

static Winner winner_between(const Facts *f, const Option *x, const Option *y) {
    const Option *amd = x->gpu->vendor == VENDOR_AMD ? x : y;
    const Option *nvidia = amd == x ? y : x;
    double mean = 0, sigma = 0;
    cost_ratio(f, amd, nvidia, &mean, &sigma);
    return winner_of(amd, nvidia, mean, sigma);
}

// The cost of `o` at which the verdict against `other` stops being what it is now, when that cost moves towards `other`'s.
static double changing_cost(const Facts *f, const Option *o, const Option *other, Winner now) {
    double mean = 0, sigma = 0;
    cost_ratio(f, o, other, &mean, &sigma);
    double edge = exp(Z80 * sigma);
    bool rises = mean < 0;
    return other->cost * (rises == (now == WINNER_TIE) ? edge : 1 / edge);
}

// What the price of `o` would have to be. A price that rises brings `next`, the vendor's next best, to the fore.
static Flip flip_of(const Facts *f, Arena *a, const Option *o, const Option *next, const Option *other, Winner now) {
    double price = o->price_usd_gpu_h;
    Flip flip = {arena_printf(a, "price of %s at %s", o->gpu->name, o->offer->provider), "USD per GPU-hour", price, price * other->cost / o->cost, price * changing_cost(f, o, other, now) / o->cost, ""};
    double takes_over = next != NULL && o->cost < other->cost ? price * next->cost / o->cost : (double)INFINITY;
    bool stays = false;
    if (flip.flip > takes_over) flip.flip = (double)NAN;
    if (flip.verdict_changes > takes_over) {
        stays = winner_between(f, next, other) == now;
        flip.verdict_changes = stays ? (double)NAN : takes_over;
    }
    const char *equal = is_known(flip.flip) ? arena_printf(a, "at %s per GPU-hour instead of %s the best of both vendors cost the same", money(a, flip.flip), money(a, price))
                                            : arena_printf(a, "over %s per GPU-hour (now %s) %s at %s takes its place, and still costs less than the other vendor's best", money(a, takes_over), money(a, price), next->gpu->name, next->offer->provider);
    flip.text = stays ? arena_printf(a, "%s; the verdict stays", equal) : arena_printf(a, "%s; the verdict changes at %s", equal, money(a, flip.verdict_changes));
    return flip;
}

static void find_flips(const Facts *f, Arena *a, Advice *advice) {
    const Option *nvidia = advice->best[VENDOR_NVIDIA];
    const Option *amd = advice->best[VENDOR_AMD];
    advice->flips[advice->n_flips++] = flip_of(f, a, nvidia, advice->next[VENDOR_NVIDIA], amd, advice->verdict.winner);
    advice->flips[advice->n_flips++] = flip_of(f, a, amd, advice->next[VENDOR_AMD], nvidia, advice->verdict.winner);
}

// ---------------------------------------------------------------- verdict

static const char *probability_text(Arena *a, double p) { return p > 0.995 ? "probability over 0.99" : arena_printf(a, "probability %.2f", p); }

static void judge_pair(const Facts *f, Arena *a, Advice *advice) {
    Verdict *v = &advice->verdict;
    const Workload *w = &advice->ask->workload;
    const Option *nvidia = advice->best[VENDOR_NVIDIA];
    const Option *amd = advice->best[VENDOR_AMD];
    double mean = 0, sigma = 0;
    cost_ratio(f, amd, nvidia, &mean, &sigma);
    v->cost_ratio = estimate_of(exp(mean), sigma, is_extrapolated(amd) || is_extrapolated(nvidia) ? BASIS_EXTRAPOLATED : BASIS_CALIBRATED, "ratio of the two best options, common errors cancelled");
    const Option *cheap = mean <= 0 ? amd : nvidia;
    const Option *dear = mean <= 0 ? nvidia : amd;
    v->winner = winner_of(amd, nvidia, mean, sigma);
    bool tie = v->winner == WINNER_TIE;
    v->probability = sigma > 0 ? normal_below(fabs(mean) / sigma) : mean == 0 ? 0.5 : 1;
    const char *costs = arena_printf(a, "%s (%s) against %s (%s) %s", money(a, cheap->cost), place(a, cheap), money(a, dear->cost), place(a, dear), per_what(w));
    if (tie) {
        v->text = arena_printf(a, "Tie: the costs cannot be told apart. %s is %s, %s: %s.", vendor_titles[cheap->gpu->vendor], more_or_less(a, cheap->cost / dear->cost, "dearer", "cheaper"), probability_text(a, v->probability), costs);
    } else {
        v->text = arena_printf(a, "%s: %s, %s, %s.", vendor_titles[cheap->gpu->vendor], more_or_less(a, cheap->cost / dear->cost, "dearer", "cheaper"), probability_text(a, v->probability), costs);
    }
    compare(a, w, cheap, dear, v);
    find_risks(f, a, advice, cheap, v);
    const Option *doubtful = amd->sigma_log >= nvidia->sigma_log ? amd : nvidia;
    v->next_step = arena_printf(a, "rent %d x %s at %s for an hour (%s) and measure this workload on it: its estimate is the less sure one", (int)doubtful->offer->gpu_count, doubtful->gpu->name, doubtful->offer->provider, money(a, doubtful->price_usd_h / doubtful->instances));
    find_flips(f, a, advice);
}

void judge(const Facts *f, Arena *a, Advice *advice) {
    Verdict *v = &advice->verdict;
    v->probability = (double)NAN;
    v->cost_ratio = (Estimate){(double)NAN, (double)NAN, (double)NAN, BASIS_UNKNOWN, ""};
    const Option *nvidia = advice->best[VENDOR_NVIDIA];
    const Option *amd = advice->best[VENDOR_AMD];
    if (nvidia != NULL && amd != NULL) {
        judge_pair(f, a, advice);
        return;
    }
    const Option *only = nvidia != NULL ? nvidia : amd;
    if (only == NULL) {
        v->winner = WINNER_NEITHER;
        v->text = "Neither: no option meets what was asked. The reasons are counted under what was left out.";
        v->next_step = "relax a limit or a filter, or allow more GPUs or older prices";
        return;
    }
    v->winner = only->gpu->vendor == VENDOR_AMD ? WINNER_AMD : WINNER_NVIDIA;
    v->text = arena_printf(a, "%s, for want of the other: only it has an option that meets what was asked: %s %s (%s).", vendor_titles[only->gpu->vendor], money(a, only->cost), per_what(&advice->ask->workload), place(a, only));
    find_risks(f, a, advice, only, v);
    v->next_step = "see what was left out, and why, before taking this as a comparison";
}
