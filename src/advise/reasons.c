// What speaks for the option that is ahead and against it, and what may go wrong with it.
#include <math.h>
#include <string.h>

#include "src/advise/own.h"
#include "src/advise/prices.h"
#include "src/advise/search.h"

static double speed_per_gpu(const Option *o) {
    if (is_known(o->output_tokens_s_gpu.value)) return o->output_tokens_s_gpu.value;
    return o->task.rate / o->gpu_count;
}

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
#define reason_printf(a, r, weight, ...) reason((r), (weight), arena_printf((a), __VA_ARGS__))

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
static void compare(Arena *a, const Ask *ask, const Option *x, const Option *y, Reasons *r) {
    double cost = x->cost / y->cost;
    reason_printf(a, r, cost == 1 ? (double)NAN : -log(cost) * 1.001, "%s costs %s: %s against %s %s",
                  vendor_titles[x->gpu->vendor], more_or_less(a, cost, "more", "less"), usd_text(a, x->cost),
                  usd_text(a, y->cost), per_what(ask));
    const char *who = vendor_titles[x->gpu->vendor];
    double price = x->price_usd_gpu_h / y->price_usd_gpu_h;
    reason_printf(a, r, -log(price), "a GPU-hour of %s costs %s: %s (%s) against %s (%s)", who,
                  more_or_less(a, price, "more", "less"), usd_text(a, x->price_usd_gpu_h), x->gpu->name,
                  usd_text(a, y->price_usd_gpu_h), y->gpu->name);
    if (x->sessions > 0 && y->sessions > 0) {
        int gx = x->layout.tp * x->layout.pp, gy = y->layout.tp * y->layout.pp;
        double held = (x->cache.tokens / gx) / (y->cache.tokens / gy);
        reason_printf(
            a, r, log(held), "a GPU of %s holds %s KV cache: %.3g million tokens on %d against %.3g on %d",
            who, more_or_less(a, held, "more", "less"), x->cache.tokens / 1e6, gx, y->cache.tokens / 1e6, gy);
    }
    double speed = speed_per_gpu(x) / speed_per_gpu(y);
    reason_printf(a, r, log(speed), "one GPU of %s does %s of the work an hour", who,
                  more_or_less(a, speed, "more", "less"));
    double memory = gpu_usable_bytes(x->gpu) / gpu_usable_bytes(y->gpu);
    // Memory counts through speed and price already: a share of its own weight, for what a model may yet
    // need.
    if (memory >= 1.1 || memory <= 0.9)
        reason_printf(a, r, log(memory) / 4, "a GPU of %s has %.0f GiB of memory against %.0f GiB", who,
                      gpu_usable_bytes(x->gpu) / 1073741824, gpu_usable_bytes(y->gpu) / 1073741824);
    reason_printf(a, r, log((double)y->gpu_count / x->gpu_count) / 4, "%s takes %s against %d", who,
                  counted(a, (size_t)x->gpu_count, "GPU"), y->gpu_count);
    const Option *both[] = {x, y};
    for (int i = 0; i < 2; i++) {
        const EngineSupport *s = both[i]->serving.support;
        if (s == NULL || s->status == SUPPORT_FULL) continue;
        reason_printf(a, r, i == 0 ? -0.2 : 0.2, "%s support on %s is %s", both[i]->engine,
                      both[i]->gpu->architecture, support_names[s->status]);
    }
}

// What the move and the stack say, for (1) or against (-1) whoever wins.
static void compare_moves(Arena *a, const Advice *advice, const Option *winner, Reasons *r) {
    const Transition *l = advice->transitions[TRANSITION_VENDOR];
    const StackView *stack = advice->stack;
    double amd = winner->gpu->vendor == VENDOR_AMD ? 1 : -1;
    int home = advice->current != NULL ? advice->current->gpu->vendor : VENDOR_NVIDIA;
    const char *made_for = home == VENDOR_NVIDIA ? "CUDA" : "ROCm";
    if (l == NULL || !is_known(l->npv.value))
        reason(r, (winner->gpu->vendor == home ? 0.5 : -0.5),
               winner->gpu->vendor == home
                   ? arena_printf(a, "code and tools written for %s stay as they are", made_for)
                   : arena_printf(
                         a, "code and tools written for %s have to move; this answer does not price that",
                         made_for));
    if (l != NULL && is_known(l->npv.value)) {
        bool wins = winner->gpu->vendor == l->to->gpu->vendor;
        double size = fmax(fabs(l->saving.value - l->upkeep.value) * 12, 1);
        reason_printf(a, r, (wins ? -1 : 1) * l->once.value / size, "moving takes %s and %s once (%s to %s)",
                      counted_number(a, l->days.value, 2, "engineer-day"), about_usd(a, l->once.value),
                      about_usd(a, l->once.low), about_usd(a, l->once.high));
        double net = l->saving.value - l->upkeep.value;
        reason_printf(a, r, (wins ? 1 : -1) * net / fmax(l->bill.value, 1) * 2,
                      "after the move a month costs %s %s, upkeep of the port taken off",
                      about_usd(a, fabs(net)), net >= 0 ? "less" : "more");
    }
    for (size_t i = 0; stack != NULL && i < stack->n_items; i++) {
        const StackItem *x = &stack->items[i];
        if (x->fit == FIT_BLOCKED)
            reason_printf(a, r, -amd * 3, "%s does not run on AMD%s%s", x->title,
                          x->change[0] != '\0' ? ": " : "", x->change);
        if (x->fit == FIT_LOSES) reason_printf(a, r, -amd * 0.4, "on AMD %s loses %s", x->title, x->lost);
    }
}

// ---------------------------------------------------------------- risks

static void risk(Verdict *v, const char *text) {
    if (v->n_risks < RISKS_MAX) v->risks[v->n_risks++] = text;
}
#define risk_printf(a, v, ...) risk((v), arena_printf((a), __VA_ARGS__))

void find_risks(const Facts *f, Arena *a, const Advice *advice, const Option *o, Verdict *v) {
    const char *title = vendor_titles[o->gpu->vendor];
    double old = constant_of(f, CONSTANT_PRICE_AGE_WARN_DAYS);
    if (advice->providers[o->gpu->vendor] == 1)
        risk_printf(a, v, "only one provider (%s) offers a fitting %s option", o->offer->provider, title);
    if ((double)o->price_age_days > old)
        risk_printf(a, v, "the price at %s is %s old (%s)", o->offer->provider,
                    counted(a, (size_t)o->price_age_days, "day"), o->offer->as_of);
    if (o->price_ahead)
        risk_printf(a, v, "the price at %s is dated %s, ahead of this machine's clock: its age is not known",
                    o->offer->provider, o->offer->as_of);
    const char *licence = licence_note(f, o->gpu, a);
    if (licence[0] != '\0') risk(v, licence);
    if (o->offer->pricing_model == PRICING_SPOT)
        risk_printf(a, v, "%s is a spot price: capacity can be taken away at any time",
                    usd_text(a, o->price_usd_gpu_h));
    if (o->basis == BASIS_EXTRAPOLATED)
        risk_printf(a, v, "the %s figure is extrapolated: no measurement like it is in the catalog",
                    o->gpu->name);
    if (o->offer->available != AVAILABLE_YES)
        risk_printf(a, v, "whether %s has capacity to rent, and how soon, is not known", o->offer->provider);
    if (kind_of(&advice->ask->workload)->trains && o->instances > 1)
        risk_printf(a, v, "training on %d servers needs a fast network between them: ask %s for it",
                    o->instances, o->offer->provider);
    for (size_t i = 0; advice->stack != NULL && i < advice->stack->n_items; i++) {
        const StackItem *x = &advice->stack->items[i];
        size_t against = 0;
        for (size_t k = 0; k < x->n_evidence; k++)
            against += x->evidence[k].disagrees && strcmp(x->evidence[k].claim->standing, "superseded") != 0;
        if (against > 0)
            risk_printf(a, v, "claims about %s contradict each other (%zu against the one that is taken)",
                        x->title, against);
    }
}

// What the two compared options do not have in common, though it is no matter of money.
static void find_differences(const Facts *f, Arena *a, const Option *x, const Option *y, Verdict *v) {
    if (x->weights != y->weights && x->serving.group != NULL) {
        risk_printf(a, v,
                    "%s runs weights in %s, %s in %s: such checkpoints are not equal in quality, and no "
                    "accuracy is compared here",
                    vendor_titles[x->gpu->vendor], dtype_names[x->weights], vendor_titles[y->gpu->vendor],
                    dtype_names[y->weights]);
    }
    const char *note = licence_note(f, y->gpu, a);
    if (note[0] != '\0') risk(v, note);
}

// Beside an option whose price was seen long ago: the vendor's cheapest by prices of these weeks. That no
// seller of it was seen since is why the answer rests on the older one.
static void find_newer(Arena *a, const Advice *advice, const Option *o, Verdict *v) {
    if (o == advice->current || o->price_age_days <= ALIKE_DAYS) return;
    const Option *newer = NULL;
    for (size_t i = 0; i < advice->n_all && newer == NULL; i++) {
        const Option *x = &advice->all[i];
        if (x->gpu->vendor == o->gpu->vendor && !x->price_ahead && x->price_age_days <= ALIKE_DAYS) newer = x;
    }
    const char *title = vendor_titles[o->gpu->vendor];
    if (newer == NULL) {
        risk_printf(a, v, "no option of %s has a price of the last %d days", title, ALIKE_DAYS);
        return;
    }
    const char *by = more_or_less(a, newer->cost / o->cost, "more", "less");
    risk_printf(a, v,
                "by prices of the last %d days the best of %s is %s (%s, %s); the price of %s ago at %s "
                "counts since no newer one of it is known",
                ALIKE_DAYS, title, place_text(a, newer), usd_text(a, newer->cost), by,
                counted(a, (size_t)o->price_age_days, "day"), o->offer->provider);
}

void find_reasons(const Facts *f, Arena *a, const Advice *advice, const Option *ahead, const Option *behind,
                  Verdict *v) {
    Reasons r = {.n = 0};
    compare(a, advice->ask, ahead, behind, &r);
    compare_moves(a, advice, ahead, &r);
    v->n_for = strongest(&r, 1, v->reasons_for);
    v->n_against = strongest(&r, -1, v->reasons_against);
    find_risks(f, a, advice, ahead, v);
    find_differences(f, a, ahead, behind, v);
    find_newer(a, advice, ahead, v);
    find_newer(a, advice, behind, v);
}
