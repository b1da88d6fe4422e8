// Offers that can be rented for this ask, and why the others cannot.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/advise/prices.h"
#include "src/advise/search.h"

const char over_site_reason[] = "filter: takes more power than the site has";

bool over_site(const Facts *f, const Ask *ask, const Gpu *g, double gpus) {
    return is_known(ask->site_kw) && !(site_kw_of(f, ask, g, gpus) <= ask->site_kw);
}

Offer offer_given(const char *provider, const Gpu *gpu, int gpus, int pricing, int64_t micro_usd_h) {
    return (Offer){.provider = provider,
                   .instance = "",
                   .region = "",
                   .sku_id = gpu->sku_id,
                   .listed_name = gpu->name,
                   .gpu_count = gpus,
                   .vcpus = (double)NAN,
                   .ram_gb = (double)NAN,
                   .pricing_model = pricing,
                   .price_micro_usd_h = micro_usd_h,
                   .available = AVAILABLE_YES,
                   .standing = STANDING_LISTED,
                   .source = "",
                   .as_of = "",
                   .feed = "",
                   .seen_at = "",
                   .country = "",
                   .given = true};
}

double offer_price_usd_h(const Ask *ask, const Offer *offer) {
    return offer_usd_h(offer, discount_of(ask->discounts, ask->n_discounts, offer->provider));
}

static OfferFilter filter_of(const Ask *ask) {
    return (OfferFilter){.vendor = ask->vendor,
                         .gpus = ask->gpus,
                         .providers = ask->providers,
                         .without_gpus = ask->without_gpus,
                         .without_providers = ask->without_providers,
                         .pricing_model = ask->pricing_model,
                         .region = ask->region,
                         .gpus_max = ask->gpus_max,
                         .gpu_count = (double)NAN,
                         .fleet = ask->fleet,
                         .max_usd_gpu_h = ask->max_price_usd_gpu_h,
                         .discounts = ask->discounts,
                         .n_discounts = ask->n_discounts};
}

// The user's own filters: what they drop is expected. NULL = passes.
static const char *filtered_out(const OfferFilter *f, const Offer *o, const Gpu *g) {
    static const char *const reasons[OFFER_REFUSAL_COUNT] = {
        [OFFER_OTHER_VENDOR] = "filter: other vendor",
        [OFFER_OTHER_GPU] = "filter: other GPU",
        [OFFER_GPU_LEFT_OUT] = "filter: GPU left out",
        [OFFER_OTHER_PRICING] = "filter: other pricing model",
        [OFFER_OTHER_PROVIDER] = "filter: other provider",
        [OFFER_PROVIDER_LEFT_OUT] = "filter: provider left out",
        [OFFER_OTHER_REGION] = "filter: other region",
        [OFFER_TOO_LARGE] = "filter: more GPUs than allowed",
        [OFFER_OTHER_COUNT] = "filter: other number of GPUs",
        [OFFER_NO_PART_OF_FLEET] = "filter: the fleet is no whole number of such instances",
        [OFFER_TOO_DEAR] = "filter: over the highest price",
    };
    return reasons[offer_refusal(f, o, g)];
}

// What is wrong with the offer itself. NULL = nothing. A price of one GPU can be rented where the seller
// rents by the GPU.
static const char *unfit(const Facts *f, const Offer *o) {
    if (o->standing == STANDING_SUPERSEDED) return "price replaced by a newer one";
    if (o->standing == STANDING_SECONDARY) return "price from a secondary source, unverified";
    if (o->available == AVAILABLE_NO) return "listed, but not to be had when it was seen";
    if (!is_known(o->gpu_count))
        return offer_by_gpu(f, o) == AVAILABLE_YES ? NULL : "list price without a rentable instance";
    if (o->gpu_count < 1 || o->gpu_count > OFFER_GPUS_MAX || fmod(o->gpu_count, 1) != 0)
        return "slice of a GPU";
    return NULL;
}

// Prices of one GPU without an instance come first.
static double size_of(const Offer *o) { return is_known(o->gpu_count) ? o->gpu_count : 0; }

static int by_gpu_then_price(const void *left, const void *right) {
    const Offer *a = *(const Offer *const *)left;
    const Offer *b = *(const Offer *const *)right;
    int order = strcmp(a->sku_id, b->sku_id);
    if (order == 0) order = (size_of(a) > size_of(b)) - (size_of(a) < size_of(b));
    if (order == 0)
        order = (a->price_micro_usd_h > b->price_micro_usd_h) - (a->price_micro_usd_h < b->price_micro_usd_h);
    if (order == 0) order = strcmp(b->as_of, a->as_of);  // the newer of two equal prices
    if (order == 0) order = strcmp(a->provider, b->provider);
    if (order == 0) order = strcmp(a->instance, b->instance);
    if (order == 0) order = strcmp(a->region, b->region);
    return order;
}

// ---------------------------------------------------------------- sellers by the GPU

static bool sells_the_same(const Facts *f, const Offer *x, const Offer *y) {
    return strcmp(x->sku_id, y->sku_id) == 0 && strcmp(x->provider, y->provider) == 0 &&
           offer_seller(f, x) == offer_seller(f, y);
}

// Whether `gpus` GPUs of that seller are among the offers.
static bool has_size(const Facts *f, const Offer *const *offers, size_t n, const Offer *o, double gpus) {
    for (size_t i = 0; i < n; i++) {
        if (offers[i]->gpu_count == gpus && sells_the_same(f, offers[i], o)) return true;
    }
    return false;
}

static const Offer *derived_offer(const Offer *one, int gpus, Arena *a) {
    Offer *o = arena_alloc(a, 1, sizeof *o);
    *o = *one;
    o->gpu_count = gpus;
    o->derived_from = is_known(one->gpu_count) ? one->gpu_count : 1;
    o->price_micro_usd_h = one->price_micro_usd_h * gpus;
    o->instance =
        arena_printf(a, "%d x %s", gpus, one->instance[0] != '\0' ? one->instance : one->listed_name);
    return o;
}

// A seller by the GPU gives 1, 2, 4 or 8 of one node (what layouts take) at its price of one: whether a model
// that takes a node can be had there does not hang on who wrote a row for it. A price of one that can be
// rented goes before a list price a GPU; `of_gpu`: offers of one GPU, cheapest first, with room for the sizes
// of each behind them.
static size_t derive_sizes(const Facts *f, const Ask *ask, Arena *a, const Offer **of_gpu, size_t n) {
    size_t all = n;
    for (int list = 0; list < 2; list++) {
        for (size_t i = 0; i < n; i++) {
            const Offer *o = of_gpu[i];
            if (list ? is_known(o->gpu_count) : o->gpu_count != 1) continue;
            if (offer_by_gpu(f, o) != AVAILABLE_YES) continue;
            for (int gpus = 1; gpus <= fmin(ask->gpus_max, NODE_GPUS); gpus *= 2) {
                if (divides_fleet(ask->fleet, gpus) && !has_size(f, of_gpu, all, o, gpus))
                    of_gpu[all++] = derived_offer(o, gpus, a);
            }
        }
    }
    return all;
}

// All offers with what sellers by the GPU give besides; those that cannot be rented are gone.
static const Offer **with_sizes(const Facts *f, const Ask *ask, Arena *a, const Offer **offers, size_t n,
                                size_t *ret_n) {
    enum { SIZES = 4 };
    const Offer **all = arena_alloc(a, n * (1 + SIZES) + 1, sizeof *all);
    size_t kept = 0;
    for (size_t i = 0, next = 0; i < n; i = next) {
        while (next < n && strcmp(offers[next]->sku_id, offers[i]->sku_id) == 0) next++;
        const Offer **of_gpu = all + kept;
        memcpy(of_gpu, offers + i, (next - i) * sizeof *of_gpu);
        size_t m = derive_sizes(f, ask, a, of_gpu, next - i);
        for (size_t k = 0; k < m; k++) {
            if (is_known(of_gpu[k]->gpu_count)) all[kept++] = of_gpu[k];
        }
    }
    *ret_n = kept;
    return all;
}

const Offer **usable_offers(const Facts *f, const Ask *ask, Arena *a, Advice *advice, size_t *ret_n) {
    const Offer **kept = arena_alloc(a, f->n_offers + 1, sizeof *kept);
    size_t n = 0;
    const Gpu *g = NULL;
    const OfferFilter filter = filter_of(ask);
    for (size_t i = 0; i < f->n_offers; i++) {
        const Offer *o = &f->offers[i];
        g = offer_gpu(f->gpus, f->n_gpus, o, g);
        advice->offers_seen++;
        const char *why = g == NULL ? "GPU not in the catalog" : unfit(f, o);
        if (why == NULL) why = filtered_out(&filter, o, g);
        bool ahead = is_known(ask->max_age_days) && date_is_ahead(o->as_of, ask->today);
        bool old = why == NULL && (ahead || (double)offer_age_days(o, ask->today) > ask->max_age_days);
        if (old) {
            why = ahead ? "price of unknown age, dated ahead of the clock (--max-age)"
                        : "price older than --max-age";
            advice->offers_too_old++;
        }
        if (why == NULL) {
            kept[n++] = o;
            advice->offers_of[g->vendor]++;
        } else if (exclude(advice, "offers", why)) {
            exclude_example(advice, arena_printf(a, "%s %s", o->provider,
                                                 o->instance[0] != '\0' ? o->instance : o->listed_name));
        }
    }
    qsort(kept, n, sizeof *kept, by_gpu_then_price);
    advice->offers_used = n;
    kept = with_sizes(f, ask, a, kept, n, &n);
    qsort(kept, n, sizeof *kept, by_gpu_then_price);
    advice->nothing_but_age = n == 0 && advice->offers_too_old > 0;
    *ret_n = n;
    return kept;
}
