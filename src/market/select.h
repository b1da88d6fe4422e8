// Which offers an answer is about: the one filter behind `report`, `prices list`, `prices history` and `diff`. Pure.
#ifndef GPUADVISE_MARKET_SELECT_H
#define GPUADVISE_MARKET_SELECT_H

#include "src/base/base.h"
#include "src/facts/facts.h"
#include "src/facts/offers.h"

// A user's own discount with a provider.
typedef struct Discount {
    const char *provider;
    double percent;  // 0-100 off the listed price
} Discount;

enum { DISCOUNTS_MAX = 16, NAMES_MAX = 16 };

// Names of one kind that a filter takes or leaves out; n 0: it filters nothing.
typedef struct Names {
    const char *items[NAMES_MAX];
    size_t n;
} Names;

bool names_hold(const Names *names, const char *name);  // is it one of them? ASCII case ignored
const char *names_text(const Names *names, Arena *a);   // "aws, oci"; "" for none

// No names, "", negative or NaN: any.
typedef struct OfferFilter {
    int vendor;
    Names gpus, providers;                  // only these
    Names without_gpus, without_providers;  // all but these
    int pricing_model;                      // PricingModel
    const char *region;                     // part of the region's name
    double gpus_max;                        // of an instance, at most
    double gpu_count;                       // of an instance; below 1: as a third is written 0.33
    double fleet;                           // whole instances make up so many GPUs
    double max_usd_gpu_h;                   // discount taken
    const Discount *discounts;              // of one provider the last counts
    size_t n_discounts;
} OfferFilter;

// Why an offer is not among those asked for: the first that applies.
typedef enum OfferRefusal {
    OFFER_FITS,
    OFFER_OTHER_VENDOR,
    OFFER_OTHER_GPU,
    OFFER_GPU_LEFT_OUT,
    OFFER_OTHER_PRICING,
    OFFER_OTHER_PROVIDER,
    OFFER_PROVIDER_LEFT_OUT,
    OFFER_OTHER_REGION,
    OFFER_TOO_LARGE,
    OFFER_OTHER_COUNT,
    OFFER_NO_PART_OF_FLEET,
    OFFER_TOO_DEAR,
    OFFER_REFUSAL_COUNT
} OfferRefusal;

// `g`: the offer's GPU; NULL: it is not in the catalog, and of its vendor the listed name alone can tell.
OfferRefusal offer_refusal(const OfferFilter *f, const Offer *o, const Gpu *g);

// The GPU that the offer is of; NULL: not in the catalog. `last`: that of the offer before, which mostly sells
// the same; NULL: none.
const Gpu *offer_gpu(const Gpu *gpus, size_t n, const Offer *o, const Gpu *last);

bool divides_fleet(double fleet, double gpus);  // fleet NaN: any does
// Percent off at that provider; the last one given counts, 0: none.
double discount_of(const Discount *discounts, size_t n, const char *provider);
double offer_usd_h(const Offer *o,
                   double discount_pct);  // as it is stated: an instance, or a GPU without one
double offer_usd_gpu_h(const Offer *o, double discount_pct);  // of one GPU
int64_t offer_age_days(const Offer *o, int64_t today);        // 0 where it is dated ahead of the clock

#endif
