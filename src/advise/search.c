// From an ask to options: offers that pass, configurations that work, ranked and cut.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/advise/prices.h"
#include "src/advise/search.h"

static int cheapest_first(const void *left, const void *right) {
    const Option *a = left;
    const Option *b = right;
    if (a->cost != b->cost) return a->cost < b->cost ? -1 : 1;
    if (a->sigma_log != b->sigma_log) return a->sigma_log < b->sigma_log ? -1 : 1;
    int order = strcmp(b->offer->as_of, a->offer->as_of);
    if (order == 0) order = strcmp(a->gpu->sku_id, b->gpu->sku_id);
    if (order == 0) order = strcmp(a->offer->provider, b->offer->provider);
    return order != 0 ? order : a->gpu_count - b->gpu_count;
}

// Keeps, within each vendor, the options that no other one beats both in cost and in time per token.
static size_t keep_pareto(Option *options, size_t n) {
    double best_tpot[VENDOR_COUNT] = {(double)INFINITY, (double)INFINITY};
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        int vendor = options[i].gpu->vendor;
        if (options[i].tpot_ms.value >= best_tpot[vendor]) continue;
        best_tpot[vendor] = options[i].tpot_ms.value;
        options[kept++] = options[i];
    }
    return kept;
}

// Takes down a vendor's next GPU. False: it is there already, or enough are.
static bool another_gpu(const Gpu *seen[VENDOR_KEPT], size_t *n, const Gpu *g) {
    for (size_t i = 0; i < *n; i++) {
        if (seen[i] == g) return false;
    }
    if (*n == VENDOR_KEPT) return false;
    seen[(*n)++] = g;
    return true;
}

// The first `top`, and further down those of the best GPUs of each vendor.
static void keep_top(Advice *advice, Arena *a, const Option *options, size_t n, size_t top) {
    Option *kept = arena_alloc(a, n + 1, sizeof *kept);
    const Gpu *seen[VENDOR_COUNT][VENDOR_KEPT];
    size_t n_seen[VENDOR_COUNT] = {0};
    for (size_t i = 0; i < n; i++) {
        int vendor = options[i].gpu->vendor;
        const Option **best = &advice->best[vendor];
        bool first = another_gpu(seen[vendor], &n_seen[vendor], options[i].gpu);
        if (i >= top && !first) continue;
        kept[advice->n_options] = options[i];
        if (*best == &options[i]) *best = &kept[advice->n_options];
        advice->n_options++;
    }
    advice->options = kept;
}

// Of the same GPU at the same provider and class of seller only the cheapest option says something new.
static size_t keep_cheapest_size(const Facts *f, Advice *advice, Arena *a, Option *options, size_t n) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < kept && !same_seller(f, &options[k], &options[i])) k++;
        if (k < kept) {
            exclude_dearer(advice, options[i].offer, a);
        } else {
            options[kept++] = options[i];
        }
    }
    return kept;
}

static void count_providers(Advice *advice, const Option *options, size_t n) {
    for (size_t i = 0; i < n; i++) {
        int vendor = options[i].gpu->vendor;
        size_t k = 0;
        while (k < i && (options[k].gpu->vendor != vendor ||
                         strcmp(options[k].offer->provider, options[i].offer->provider) != 0))
            k++;
        advice->providers[vendor] += k == i;
    }
}

static void note_running(Advice *advice, const Option *options, size_t n) {
    size_t of_vendor[VENDOR_COUNT] = {0};
    for (size_t i = 0; i < n; i++) {
        const Gpu *g = options[i].gpu;
        size_t k = 0;
        while (k < advice->n_running && advice->running[k] != g) k++;
        if (k < advice->n_running || of_vendor[g->vendor] == RUNNING_MAX) continue;
        of_vendor[g->vendor]++;
        advice->running[advice->n_running++] = g;
    }
}

// The vendor's best option that does not hang on the price of its very best.
static const Option *next_best(const Option *options, size_t n, const Option *best) {
    for (size_t i = 0; i < n && best != NULL; i++) {
        const Option *o = &options[i];
        bool same = o->gpu == best->gpu && strcmp(o->offer->provider, best->offer->provider) == 0;
        if (o->gpu->vendor == best->gpu->vendor && !same) return o;
    }
    return NULL;
}

static void note_ages(Advice *advice, const Option *options, size_t n) {
    advice->oldest_price_days = advice->newest_price_days = -1;
    for (size_t i = 0; i < n; i++) {
        int64_t age = options[i].price_age_days;
        if (age > advice->oldest_price_days) advice->oldest_price_days = age;
        if (advice->newest_price_days < 0 || age < advice->newest_price_days) advice->newest_price_days = age;
    }
}

static int sku_to_offer(const void *sku_id, const void *offer) {
    return strcmp(sku_id, (*(const Offer *const *)offer)->sku_id);
}

static void count_gpus_without_offers(const Facts *f, const Ask *ask, const Offer **offers, size_t n,
                                      Advice *advice) {
    for (size_t i = 0; i < f->n_gpus; i++) {
        const Gpu *g = &f->gpus[i];
        if (!ask_takes_gpu(ask, g)) continue;
        if (bsearch(g->sku_id, offers, n, sizeof *offers, sku_to_offer) != NULL) continue;
        if (exclude(advice, "GPUs", "no offer that passes the filters")) exclude_example(advice, g->sku_id);
    }
}

static void find_offers(const Facts *f, const Ask *ask, Arena *a, Advice *advice, SearchMemo *memo) {
    memo->offers = usable_offers(f, ask, a, advice, &memo->n_offers);
    memo->offers_used = advice->offers_used;
    memcpy(memo->offers_of, advice->offers_of, sizeof memo->offers_of);
    count_gpus_without_offers(f, ask, memo->offers, memo->n_offers, advice);
}

static const Ladder *keep_ladder(Ladder l, Arena *a) {
    Ladder *kept = arena_alloc(a, 1, sizeof *kept);
    *kept = l;
    return kept;
}

void note_next(const Facts *f, Arena *a, Advice *advice, int vendor) {
    const Option *best = advice->best[vendor];
    advice->next[vendor] = next_best(advice->all, advice->n_all, best);
    advice->ladders[vendor] =
        best != NULL ? keep_ladder(ladder_of(f, advice->all, advice->n_all, vendor), a) : NULL;
}

bool advise_search(const Facts *facts, const Ask *ask, Arena *a, Advice *ret_advice, Err *e) {
    if (!check_ask(ask, e)) return false;
    Advice advice = {.ask = ask};
    SearchMemo *memo = advice.memo = arena_alloc(a, 1, sizeof *memo);
    *memo = ask->memo != NULL ? *ask->memo : (SearchMemo){.offers = NULL};
    if (memo->offers == NULL) find_offers(facts, ask, a, &advice, memo);
    const Offer **offers = memo->offers;
    size_t n_offers = memo->n_offers;
    advice.offers_used = memo->offers_used;
    memcpy(advice.offers_of, memo->offers_of, sizeof advice.offers_of);
    size_t n = 0;
    Option *options = serves_tokens(&ask->workload)
                          ? serving_options(facts, ask, offers, n_offers, a, &advice, &n)
                          : task_options(facts, ask, offers, n_offers, a, &advice, &n);
    qsort(options, n, sizeof *options, cheapest_first);
    n = ask->pareto ? keep_pareto(options, n) : keep_cheapest_size(facts, &advice, a, options, n);
    note_ages(&advice, options, n);
    count_providers(&advice, options, n);
    note_running(&advice, options, n);
    advice.n_found = advice.n_all = n;
    advice.all = options;
    for (size_t i = n; i-- > 0;) advice.best[options[i].gpu->vendor] = &options[i];
    for (int v = 0; v < VENDOR_COUNT; v++) note_next(facts, a, &advice, v);
    keep_top(&advice, a, options, n, ask->top);
    *ret_advice = advice;
    return true;
}

const Option *cheapest_offered(const Advice *advice) {
    for (size_t i = 0; i < advice->n_options; i++) {
        if (!advice->options[i].today) return &advice->options[i];
    }
    return NULL;
}
