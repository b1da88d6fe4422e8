// The verbs of `prices`, and what they share.
#ifndef GPUADVISE_PRICES_H
#define GPUADVISE_PRICES_H

#include "catalog/market/market.h"
#include "cli/cli.h"
#include "src/market/price_list.h"

// Fills the parts of "VENDOR:NAME:MEM:COUNT" that are not empty; a single part may also be a NAME. ERR_USAGE.
bool price_spec(App *app, const char *text, PriceFilter *f, Err *e);

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

// The market of the catalog that the options name, with the user's rates; closed by market_close before the
// app ends.
bool app_market(App *app, Market **ret_market, Err *e);

// --since as a time (RFC 3339), or the time `default_days` ago; "" when that is NaN. ERR_USAGE.
bool since_time(App *app, double default_days, const char **ret_since, Err *e);

#endif
