// Like with like: both vendors at one class of sellers, in one precision, at prices of the same weeks; and
// what is to be said where one vendor has no option at all.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/advise/prices.h"
#include "src/advise/search.h"

// ---------------------------------------------------------------- pairs

static double bits_of(const Option *o) {
    double bits = dtype_bits(o->weights);
    return is_known(bits) ? exp2(round(log2(bits))) : 0;
}

typedef struct Pair {
    const Option *option[VENDOR_COUNT];
    SellerClass class;
    double days;  // between the two prices
} Pair;

static double cost_of_pair(const Pair *p) {
    return p->option[VENDOR_NVIDIA]->cost * p->option[VENDOR_AMD]->cost;
}

// The cheapest pair of one class, one precision and prices within `days` of each other. False: there is none.
static bool cheapest_pair(const Facts *f, const Option *all, size_t n, double days, Pair *ret) {
    bool found = false;
    for (size_t i = 0; i < n; i++) {
        const Option *x = &all[i];
        SellerClass class = offer_seller(f, x->offer);
        if (x->gpu->vendor != VENDOR_AMD || class == SELLER_UNKNOWN) continue;
        for (size_t k = 0; k < n; k++) {
            const Option *y = &all[k];
            double apart = fabs((double)(x->price_age_days - y->price_age_days));
            if (y->gpu->vendor != VENDOR_NVIDIA || offer_seller(f, y->offer) != class ||
                bits_of(x) != bits_of(y) || apart > days)
                continue;
            Pair p = {{[VENDOR_AMD] = x, [VENDOR_NVIDIA] = y}, class, apart};
            if (!found || cost_of_pair(&p) < cost_of_pair(ret)) *ret = p;
            found = true;
            break;  // sorted by cost: the first that fits is the cheapest beside x
        }
    }
    return found;
}

// The options that are as those of the pair are: of their class and precision, and not seen further from the
// other vendor's price.
static Ladder ladder_like(const Facts *f, Arena *a, const Option *all, size_t n, const Pair *p, int vendor,
                          double days) {
    const Option *mine = p->option[vendor];
    const Option *other = p->option[!vendor];
    Option *alike = arena_alloc(a, n + 1, sizeof *alike);
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        const Option *o = &all[i];
        bool near = fabs((double)(o->price_age_days - other->price_age_days)) <= days;
        if (o->gpu->vendor == vendor && o->cost >= mine->cost && offer_seller(f, o->offer) == p->class &&
            bits_of(o) == bits_of(mine) && near)
            alike[m++] = *o;
    }
    return ladder_of(f, alike, m, vendor);
}

// ---------------------------------------------------------------- the second line

static const char *alike_text(Arena *a, const Advice *advice, const Alike *x) {
    const Option *amd = x->option[VENDOR_AMD];
    const Option *nvidia = x->option[VENDOR_NVIDIA];
    const Option *cheap = amd->cost <= nvidia->cost ? amd : nvidia;
    const Option *dear = cheap == amd ? nvidia : amd;
    const char *bits = x->bits > 0 ? arena_printf(a, ", weights of %g bits", x->bits) : "";
    const char *winner = x->winner == WINNER_TIE
                             ? "a tie"
                             : vendor_titles[x->winner == WINNER_AMD ? VENDOR_AMD : VENDOR_NVIDIA];
    return arena_printf(
        a,
        "%s (%s sellers on both sides%s, prices seen within %s of each other%s): %s is %s, %s: %s (%s) "
        "against %s (%s) %s",
        winner, seller_class_names[x->seller_class], bits, counted_number(a, x->within_days, 4, "day"),
        x->within_days > ALIKE_DAYS ? ", none nearer was found" : "", vendor_titles[cheap->gpu->vendor],
        more_or_less(a, cheap->cost / dear->cost, "dearer", "cheaper"), probability_text(a, x->probability),
        usd_text(a, cheap->cost), place_text(a, cheap), usd_text(a, dear->cost), place_text(a, dear),
        per_what(advice->ask));
}

static const Alike *judged_pair(const Facts *f, Arena *a, const Advice *advice, const Option *all, size_t n,
                                const Pair *p, double days) {
    Alike *x = arena_alloc(a, 1, sizeof *x);
    *x = (Alike){.option = {p->option[0], p->option[1]},
                 .seller_class = p->class,
                 .bits = bits_of(p->option[0]),
                 .within_days = days};
    Ladder amd = ladder_like(f, a, all, n, p, VENDOR_AMD, days);
    Ladder nvidia = ladder_like(f, a, all, n, p, VENDOR_NVIDIA, days);
    Odds odds;
    odds_range(f, &amd, &nvidia, &odds);
    x->winner = odds_winner(&odds);
    x->probability = odds_probability(&odds);
    x->cost_ratio = ratio_estimate(&odds, x->option[VENDOR_AMD], x->option[VENDOR_NVIDIA]);
    x->text = alike_text(a, advice, x);
    return x;
}

// Another search in weights of one precision, for two vendors whose cheapest options have none in common. All
// that it finds goes to `a`.
static bool pair_in_one_precision(const Facts *f, Arena *a, const Advice *advice, double days,
                                  Advice *ret_found, Pair *ret) {
    static const Dtype tried[] = {DTYPE_FP8, DTYPE_BF16, DTYPE_FP16, DTYPE_INT8, DTYPE_INT4, DTYPE_MXFP4};
    for (size_t i = 0; i < COUNT_OF(tried); i++) {
        Ask *ask = arena_alloc(a, 1, sizeof *ask);
        Err e = {0};
        *ask = *advice->ask;
        ask->memo = NULL;
        if (!word_in(ask->workload.weights, dtype_names[tried[i]])) continue;
        ask->workload.weights = dtype_names[tried[i]];
        ask->pareto = false;
        if (advise_search(f, ask, a, ret_found, &e) &&
            cheapest_pair(f, ret_found->all, ret_found->n_all, days, ret))
            return true;
    }
    return false;
}

const Alike *compare_alike(const Facts *f, Arena *a, const Advice *advice) {
    static const double windows[] = {ALIKE_DAYS, 2 * ALIKE_DAYS, 4 * ALIKE_DAYS, 3650};
    if (f->n_sellers == 0) return NULL;
    for (size_t i = 0; i < COUNT_OF(windows); i++) {
        Pair p;
        if (cheapest_pair(f, advice->all, advice->n_all, windows[i], &p))
            return judged_pair(f, a, advice, advice->all, advice->n_all, &p, fmax(ALIKE_DAYS, p.days));
        Advice *found = arena_alloc(a, 1, sizeof *found);
        if (i == 0 && serves_tokens(&advice->ask->workload) &&
            pair_in_one_precision(f, a, advice, windows[i], found, &p))
            return judged_pair(f, a, advice, found->all, found->n_all, &p, ALIKE_DAYS);
    }
    return NULL;
}

// ---------------------------------------------------------------- a vendor without an option

static bool is_sold(const Facts *f, const Gpu *g) {
    size_t i = 0;
    while (i < f->n_offers && strcmp(f->offers[i].sku_id, g->sku_id) != 0) i++;
    return i < f->n_offers;
}

// The vendor's best GPU for the work if every one of them could be had in every size of a node: what the lack
// of a price keeps from view. One that anybody sells goes before what is only announced. `named`: and if the
// user had named every engine, so that none has to be measured at that load.
static const Gpu *would_do(const Facts *f, Arena *a, const Advice *advice, int vendor, bool named) {
    enum { SIZES = 4 };
    Offer *offers = arena_alloc(a, f->n_gpus * SIZES + 1, sizeof *offers);
    Facts all = *f;
    all.offers = offers;
    all.n_offers = 0;
    for (size_t i = 0; i < f->n_gpus; i++) {
        for (int size = 0; size < SIZES && f->gpus[i].vendor == vendor; size++) {
            offers[all.n_offers++] = offer_given("anybody", &f->gpus[i], 1 << size,
                                                 advice->ask->pricing_model, (int64_t)1000000 << size);
        }
    }
    Ask *ask = arena_alloc(a, 1, sizeof *ask);
    Advice *found = arena_alloc(a, 1, sizeof *found);
    Err e = {0};
    *ask = *advice->ask;
    ask->memo = NULL;
    ask->vendor = vendor, ask->providers.n = ask->without_providers.n = ask->n_discounts = 0,
    ask->region = "", ask->top = 1, ask->pareto = false;
    ask->max_price_usd_gpu_h = ask->max_age_days = (double)NAN;
    for (size_t i = 0; named && i < f->n_engine_limits && ask->engines.n < NAMES_MAX; i++) {
        const char *engine = f->engine_limits[i].engine;
        if (!names_hold(&ask->engines, engine)) ask->engines.items[ask->engines.n++] = engine;
    }
    if (!advise_search(&all, ask, a, found, &e) || found->best[vendor] == NULL) return NULL;
    const Gpu *best = found->best[vendor]->gpu;  // it may be one that is only announced
    for (size_t i = found->n_all; i-- > 0;) {
        if (found->all[i].gpu->vendor == vendor && is_sold(f, found->all[i].gpu)) best = found->all[i].gpu;
    }
    return best;
}

static bool filters_offers(const Ask *ask) {
    size_t names = ask->providers.n + ask->without_providers.n + ask->gpus.n + ask->without_gpus.n;
    return names > 0 || ask->region[0] != '\0' || is_known(ask->max_price_usd_gpu_h) ||
           is_known(ask->max_age_days);
}

static bool engine_asked_runs(const Facts *f, const Ask *ask, int vendor) {
    for (size_t i = 0; i < f->n_engines; i++) {
        const EngineSupport *s = &f->engines[i];
        if (s->vendor == vendor && s->status != SUPPORT_NONE && names_hold(&ask->engines, s->engine))
            return true;
    }
    return false;
}

const char *why_unknown(const Facts *f, Arena *a, const Advice *advice, int vendor, bool *ret_filtered) {
    const Ask *ask = advice->ask;
    const char *title = vendor_titles[vendor];
    bool taken = false;
    for (size_t i = 0; i < f->n_gpus; i++)
        taken = taken || (f->gpus[i].vendor == vendor && ask_takes_gpu(ask, &f->gpus[i]));
    *ret_filtered = !taken;
    if (!taken)
        return arena_printf(a, "%s was left out by a filter (--vendor, --gpu or --exclude-gpu)", title);
    if (ask->engines.n > 0 && !engine_asked_runs(f, ask, vendor)) {
        *ret_filtered = true;
        return arena_printf(a, "%s, the engine asked for, is not known to run on %s's GPUs",
                            names_text(&ask->engines, a), title);
    }
    const Gpu *able = would_do(f, a, advice, vendor, false);
    const Gpu *unmeasured = able == NULL && ask->engines.n == 0 ? would_do(f, a, advice, vendor, true) : NULL;
    if (unmeasured != NULL)
        return arena_printf(a,
                            "no engine was measured on %s's GPUs at such a load; --engine NAME has one taken "
                            "for an %s all the same",
                            title, unmeasured->name);
    if (able == NULL && advice->judged[vendor] > 0) return NULL;
    if (able == NULL)
        return arena_printf(
            a, "no engine and precision of this model is known to run on %s's GPUs, or no speed of them",
            title);
    if (advice->offers_of[vendor] == 0)
        return arena_printf(a, "no %s price of an %s GPU passes the filters; an %s would do the work",
                            pricing_names[ask->pricing_model], title, able->name);
    return arena_printf(
        a, "no offer of an %s GPU that does the work %s in the number needed, though an %s would do it",
        title, filters_offers(ask) ? "passes the filters" : "is in the catalog", able->name);
}
