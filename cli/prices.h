// Selecting offers for `prices list`: the filters, what they left out, and the cheapest region of each
// instance.
#ifndef GPUADVISE_PRICES_H
#define GPUADVISE_PRICES_H

#include "catalog/market/market.h"
#include "cli/cli.h"

// A user's own discount with a provider.
typedef struct PriceDiscount {
    const char *provider;
    double percent;
} PriceDiscount;

typedef struct PriceFilter {
    int vendor;            // -1 = any
    const Gpu *gpu;        // NULL = any
    const char *name;      // leading or inner parts of the SKU's name: "h100", "a100-80gb"; "" = any
    double memory_gb;      // at least; 0 = any
    double gpu_count;      // of the instance; 0 = any
    const char *provider;  // "" = any
    const char *region;    // part of the region's name; "" = any
    int pricing_model;     // PricingModel
    double max_usd_gpu_h;  // NaN = any
    double max_age_days;   // NaN = any
    bool unmapped;         // only offers of GPUs without a SKU, instead of only the others
    bool superseded;       // replaced offers too
    bool all_regions;
    bool available;                // without those that could not be had
    const char *const *countries;  // ISO 3166, or eu
    size_t n_countries;            // 0 = any
    const Region *regions;
    size_t n_regions;
    const Seller *sellers;
    size_t n_sellers;
    const PriceDiscount *discounts;
    size_t n_discounts;
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

// Fills the parts of "VENDOR:NAME:MEM:COUNT" that are not empty; a single part may also be a NAME. ERR_USAGE.
bool price_spec(App *app, const char *text, PriceFilter *f, Err *e);

// Do the parts of `name` ("a100-80gb") appear in those of `id` ("a100-sxm4-80gb") whole and in order? Case
// ignored.
bool name_parts_match(const char *id, const char *name);

// The verbs of `prices` beside `list`: each fills app->out and returns an exit code.
int prices_quarantined(App *app);
int prices_refresh(App *app);
int prices_history(App *app);
int prices_diff(App *app);
int prices_accept(App *app);
int prices_prune(App *app);
int prices_import(App *app);
int prices_export(App *app);

// A whole document over HTTPS, of at most `limit` bytes (arena). Refused under --offline.
bool prices_fetch(App *app, const char *url, size_t limit, Str *ret_text, Err *e);

// Takes in a signed snapshot that came from `source` (a file or a URL): checks the signature against
// --trusted-key, writes, fills app->out, returns an exit code.
int prices_take_snapshot(App *app, const char *source, Str text, Str signature);
int prices_import_snapshot(App *app, const char *path, Str text);  // its signature lies beside it

// Adds what came of a provider's or an import's rows to `list`; returns the object.
Json *outcome_json(Json *list, const char *name, const char *status, const MarketOutcome *o);

// The lowest price over time.
typedef struct Series {
    double *low;  // USD a GPU-hour; NaN: nothing listed stood
    size_t *offers;
    bool *seen;          // somebody looked and saw one: between such columns it is only taken to stand
    size_t n;            // columns
    int64_t from, step;  // seconds
} Series;
// Widens from..to (INT64_MAX and 0 at first) so that it holds all spans.
void price_range(const App *app, const PriceSpan *spans, size_t n, int64_t *from, int64_t *to);
Series price_series(App *app, const PriceSpan *spans, size_t n, int64_t from, int64_t to, size_t columns);

// The market of the catalog that the options name, with the user's rates; closed by market_close before the
// app ends.
bool app_market(App *app, Market **ret_market, Err *e);

// --since as a time (RFC 3339), or the time `default_days` ago; "" when that is NaN. ERR_USAGE.
bool since_time(App *app, double default_days, const char **ret_since, Err *e);

void price_select(const PriceFilter *f, const Offer *offers, size_t n_offers, const Gpu *gpus, size_t n_gpus,
                  Arena *a, PriceSelection *ret_selection);

#endif
