// Which offers an answer is about.
#include "src/market/select.h"

#include <math.h>
#include <string.h>

bool names_hold(const Names *names, const char *name) {
    for (size_t i = 0; i < names->n; i++) {
        if (text_same(names->items[i], name)) return true;
    }
    return false;
}

const char *names_text(const Names *names, Arena *a) {
    const char *text = names->n > 0 ? names->items[0] : "";
    for (size_t i = 1; i < names->n; i++) text = arena_printf(a, "%s, %s", text, names->items[i]);
    return text;
}

const Gpu *offer_gpu(const Gpu *gpus, size_t n, const Offer *o, const Gpu *last) {
    return last != NULL && strcmp(last->sku_id, o->sku_id) == 0 ? last
                                                                : row_named(o->sku_id, gpus, n, sizeof *gpus);
}

static bool offer_has_count(const Offer *o, double gpu_count) {
    return fabs(o->gpu_count - gpu_count) < (gpu_count < 1 ? 0.005 : 1e-6);  // an unknown count is none
}

bool divides_fleet(double fleet, double gpus) { return !is_known(fleet) || fmod(fleet, gpus) == 0; }

double discount_of(const Discount *discounts, size_t n, const char *provider) {
    double percent = 0;
    for (size_t i = 0; i < n; i++) {
        if (text_same(discounts[i].provider, provider)) percent = discounts[i].percent;
    }
    return percent;
}

double offer_usd_h(const Offer *o, double discount_pct) {
    return (double)o->price_micro_usd_h / 1e6 * (1 - discount_pct / 100);
}

double offer_usd_gpu_h(const Offer *o, double discount_pct) {
    double usd = offer_usd_h(o, discount_pct);
    return is_known(o->gpu_count) && o->gpu_count > 0 ? usd / o->gpu_count : usd;
}

int64_t offer_age_days(const Offer *o, int64_t today) {
    int64_t days = 0;
    return parse_date(str_of(o->as_of), &days, NULL) && days < today ? today - days : 0;
}

static bool is_of_vendor(const Offer *o, const Gpu *g, int vendor) {
    if (vendor < 0) return true;
    return g != NULL ? g->vendor == vendor : text_contains(o->listed_name, vendor_titles[vendor]);
}

static bool is_named(const Names *names, const char *name) {
    return names->n == 0 || names_hold(names, name);
}

static double discount_at(const OfferFilter *f, const Offer *o) {
    return discount_of(f->discounts, f->n_discounts, o->provider);
}

OfferRefusal offer_refusal(const OfferFilter *f, const Offer *o, const Gpu *g) {
    const char *sku_id = g != NULL ? g->sku_id : "";
    if (!is_of_vendor(o, g, f->vendor)) return OFFER_OTHER_VENDOR;
    if (!is_named(&f->gpus, sku_id)) return OFFER_OTHER_GPU;
    if (names_hold(&f->without_gpus, sku_id)) return OFFER_GPU_LEFT_OUT;
    if (f->pricing_model >= 0 && o->pricing_model != f->pricing_model) return OFFER_OTHER_PRICING;
    if (!is_named(&f->providers, o->provider)) return OFFER_OTHER_PROVIDER;
    if (names_hold(&f->without_providers, o->provider)) return OFFER_PROVIDER_LEFT_OUT;
    if (f->region[0] != '\0' && !text_contains(o->region, f->region)) return OFFER_OTHER_REGION;
    if ((is_known(o->gpu_count) ? o->gpu_count : 1) > f->gpus_max) return OFFER_TOO_LARGE;
    if (is_known(f->gpu_count) && !offer_has_count(o, f->gpu_count)) return OFFER_OTHER_COUNT;
    if (is_known(o->gpu_count) && !divides_fleet(f->fleet, o->gpu_count)) return OFFER_NO_PART_OF_FLEET;
    if (offer_usd_gpu_h(o, discount_at(f, o)) > f->max_usd_gpu_h) return OFFER_TOO_DEAR;
    return OFFER_FITS;
}
