// Offers as `prices list` shows them: those that pass its filters, what these left out, the cheapest region of
// each instance. Pure.
#ifndef GPUADVISE_MARKET_PRICE_LIST_H
#define GPUADVISE_MARKET_PRICE_LIST_H

#include "src/market/select.h"

typedef struct PriceFilter {
    OfferFilter offer;
    const char *name;     // leading or inner parts of the SKU's name: "h100", "a100-80gb"; "" = any
    double memory_gb;     // at least; 0 = any
    double max_age_days;  // NaN = any
    bool unmapped;        // only offers of GPUs without a SKU, instead of only the others
    bool superseded;      // replaced offers too
    bool all_regions;
    bool available;                // without those that could not be had
    const char *const *countries;  // ISO 3166, or eu
    size_t n_countries;            // 0 = any
    const Region *regions;
    size_t n_regions;
    const Seller *sellers;
    size_t n_sellers;
    int64_t today;  // days since 1970-01-01
} PriceFilter;

typedef struct PriceRow {
    const Offer *offer;
    const Gpu *gpu;  // NULL: unmapped
    double usd_h;    // whole instance; NaN: a list price per GPU, no instance stated
    double usd_gpu_h;
    double spot_usd_gpu_h;     // of the same instance and region; NaN = none
    int64_t age_days;          // 0 where it is dated ahead of the clock
    bool ahead;                // its age is not known: it was seen by a clock ahead of this one
    const char *country;       // as the offer says, or where its region lies; "" = unknown
    SellerClass seller_class;  // as the offer says, or its provider's
    Available sold_by_gpu;     // the same
    double discount_pct;       // taken off all prices of this row
} PriceRow;

typedef struct PriceSelection {
    PriceRow *rows;  // by $/GPU-h
    size_t n;
    // Offers that all other filters let through.
    size_t n_superseded, n_unmapped, n_too_old, n_other_regions, n_ahead, n_unavailable, n_unknown_country;
} PriceSelection;

// Do the parts of `name` ("a100-80gb") appear in those of `id` ("a100-sxm4-80gb") whole and in order? Case
// ignored.
bool name_parts_match(const char *id, const char *name);

void price_select(const PriceFilter *f, const Offer *offers, size_t n_offers, const Gpu *gpus, size_t n_gpus,
                  Arena *a, PriceSelection *ret_selection);

#endif
