// The verbs of `prices`, and what they share.
#ifndef GPUADVISE_PRICES_H
#define GPUADVISE_PRICES_H

#include "catalog/market/market.h"
#include "cli/cli.h"
#include "src/market/price_list.h"

// Fills the parts of "VENDOR:NAME:MEM:COUNT" that are not empty; a single part may also be a NAME. ERR_USAGE.
bool price_spec(App *app, const char *text, PriceFilter *f, Err *e);

// clang-format off
// The columns that tell which offer `o` is.
#define OFFER_COLUMNS(X) \
    X("provider",      "PROVIDER", TEXT,      o->provider) \
    X("instance",      "INSTANCE", TEXT,      o->instance) \
    X("region",        "REGION",   TEXT,      o->region) \
    X("gpu",           "GPU",      TEXT,      o->sku_id[0] != '\0' ? o->sku_id : o->listed_name) \
    X("gpu_count",     "QTY",      NUMBER(3), o->gpu_count) \
    X("pricing_model", "MODEL",    MORE_TEXT, pricing_names[o->pricing_model])
// clang-format on

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

#endif
