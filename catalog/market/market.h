// The market: prices that feeds and imports bring, checked, quarantined or taken in, kept as history.
//
// A feed (catalog/feeds/feed_*.c) or an import begins a refresh, hands in rows one by one, and finishes it
// in one transaction, or abandons it with nothing written. Several refreshes may be under way at once in one
// process. Rows are staged in memory as they pass the checks (rejected ones only counted), so that a source
// of gigabytes with few GPUs stays small.
//
//   MarketRefresh *r = market_begin(market, "azure", url, now);
//   while (...) market_add(r, &row);             // rejects by itself
//   market_reject(r, "Windows", example);        // what the parser itself leaves out
//   market_document(r, url, etag, last_modified);  // for the next conditional request
//   market_finish(r, &arena, &outcome, &e);      // or market_abandon(r)
//
// What makes a row what it is (its identity): feed, provider, instance, region, listed name, GPU count,
// vCPUs, RAM, pricing model. A row whose price and availability stand as they stood is not stored again: it
// lives on, and is seen again. Others are appended (table offer_seen) and end the row that they replace; rows
// missing from an accepted refresh are gone, and stay as the last word with `available` no. Suspicious rows
// are quarantined (table offer_held) until market_accept takes them in; the earlier word stands meanwhile.
#ifndef GPUADVISE_CATALOG_MARKET_MARKET_H
#define GPUADVISE_CATALOG_MARKET_MARKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "catalog/facts/catalog.h"
#include "src/base/base.h"
#include "src/facts/facts.h"
#include "src/market/history.h"

enum {
    MARKET_RECHECK_S = 3600,    // how much later a check must come to be worth writing down
    MARKET_ROWS_MAX = 2000000,  // of one refresh; more are an error (a page that repeats forever)
    MARKET_TEXT_MAX = 200,      // bytes of an instance, a region, a GPU's name; longer rows are rejected
    // raise when code reads the same answer differently: 304s are then not asked for; facts count by
    // themselves
    MARKET_READER = 6
};

typedef struct Market Market;                // owned: market_close
typedef struct MarketRefresh MarketRefresh;  // owned: market_finish or market_abandon

// The market in the catalog's database, which must outlive it. `now`: seconds since 1970.
bool market_open(Catalog *c, int64_t now, Market **ret_market, Err *e);
void market_close(Market *m);  // NULL is fine

// Which GPUs sellers mean by sizes and names of theirs; lives as long as the market.
const SellerFacts *market_sellers(const Market *m);

// A rate of the user's: one unit of `currency` (ISO 4217) was `usd` dollars on `date`. Without one, rows in
// another currency are quarantined.
void market_rate(Market *m, const char *currency, double usd, const char *date);

// ---------------------------------------------------------------- rows in

// One price as a source states it. All texts are borrowed for the call; NULL and "" mean: not stated. Texts
// may be hostile bytes: they are made clean UTF-8 before they are kept. Zero a row with FEED_ROW, then fill
// what is known.
typedef struct FeedRow {
    const char *provider;  // NULL: the feed's name. Aggregators: the provider that they name, in any spelling
    const char *instance, *region;
    const char *country;  // ISO 3166 two letters
    const char *gpu;      // the GPU as the source spells it; required
    // what else the source says of the row (product, meter, flags): read for words of how the price is had,
    // and not kept
    const char *said;
    // the catalog's id where the parser knows it (its own table); NULL: found by name and memory
    const char *sku_id;
    // GPUs of the instance, 0.125 for an eighth; NaN: a list price per GPU without a rentable instance
    double gpu_count;
    double gpu_memory_gb;  // of ONE card; NaN unknown. Checked against the catalog's figure
    double vcpus, ram_gb;  // of the instance
    PricingModel pricing_model;
    double price;  // per hour, in `currency`
    // read instead of `price` when not NULL: a plain decimal number ("1,234.5" and "1,5" are refused)
    const char *price_text;
    // price is for one GPU; else for the whole instance (where gpu_count is NaN: for one GPU always)
    bool per_gpu;
    const char *currency;  // ISO 4217; NULL: USD
    Available available;
    SellerClass seller_class;  // SELLER_UNKNOWN: data/sellers.tsv says it
    double machines_seen;      // that can be rented at this price; NaN or 0: not stated
    double hosts_seen;         // whose machines those are, on a marketplace; NaN or 0: not stated
    Available sold_by_gpu;     // is a part of the node rented at the price of one GPU times their number?
    Standing standing;         // STANDING_SECONDARY: hearsay, as gpurentalprices of others' prices
    // date or time from which it holds; a future one is rejected, of several the latest counts
    const char *effective_from;
    // date that the source gives its own data, also one ahead of the clock; NULL: now, and again at every
    // refresh that still has it
    const char *as_of;
    const char *source;  // NULL: the refresh's URL
} FeedRow;
#define FEED_ROW                                                                                             \
    ((FeedRow){.gpu_count = (double)NAN,                                                                     \
               .gpu_memory_gb = (double)NAN,                                                                 \
               .vcpus = (double)NAN,                                                                         \
               .ram_gb = (double)NAN,                                                                        \
               .price = (double)NAN,                                                                         \
               .machines_seen = (double)NAN,                                                                 \
               .hosts_seen = (double)NAN}) /* needs <math.h> */

// Begins a refresh of the feed `name`; `url` (without secrets) becomes the source of its rows.
MarketRefresh *market_begin(Market *m, const char *name, const char *url);

// What a refresh speaks of: an offer that it no longer has is gone. SCOPE_PROVIDERS (the default): of the
// providers that it names; SCOPE_WHOLE: of all that the feed ever named; SCOPE_PARTIAL: of its own rows only,
// a part of the feed being missing.
typedef enum MarketScope { SCOPE_PROVIDERS, SCOPE_WHOLE, SCOPE_PARTIAL } MarketScope;
void market_scope(MarketRefresh *r, MarketScope scope);

// The refresh is a list of the user's own: kept out of snapshots, and believed on sellers that no public
// source names.
void market_private(MarketRefresh *r);

// Checks a row and stages, quarantines or rejects it. Fails only when the refresh cannot go on (too many rows).
bool market_add(MarketRefresh *r, const FeedRow *row, Err *e);

// Counts a row that the parser leaves out; `reason` is a short text that outlives the refresh (a literal),
// `example` what names the row. At most MARKET_REASONS different reasons; later ones count as "other".
void market_reject(MarketRefresh *r, const char *reason, const char *example);
enum { MARKET_REASONS = 48 };

// The reason of machines that have GPUs while nobody here knows which, or how many. Their examples are names,
// and all of them are kept (as far as a line holds), for whoever adds them to data/instance_gpus.tsv.
extern const char market_unknown_size[];

// The names of "A, B" and those of "B, C" that it lacks, in the arena; from some length on ", ..." stands for
// the rest.
const char *market_names_join(Arena *a, const char *list, const char *names);

// What the next conditional request for this document shall carry; stored when the refresh is accepted. "" or
// NULL: none.
void market_document(MarketRefresh *r, const char *url, const char *etag, const char *last_modified);

void market_abandon(MarketRefresh *r);  // NULL is fine; nothing was written

// ---------------------------------------------------------------- the end of a refresh

typedef struct MarketReject {
    const char *reason, *example;
    size_t count;
} MarketReject;

// A seller's name as stated, and what it counts as.
typedef struct MarketRenamed {
    const char *stated, *provider;
} MarketRenamed;
enum { RENAMED_MAX = 1000 };

typedef struct MarketOutcome {
    size_t rows;                 // accepted: in the market as this refresh's word
    size_t fresh;                // of those: new or with another price (appended)
    size_t unchanged;            // of those: as they stood
    size_t gone;                 // no longer in the feed
    size_t quarantined;          // quarantined
    size_t quarantined_new;      // of those: not quarantined before
    size_t unmapped;             // of rows: GPUs that the catalog does not know
    size_t undated;              // of rows: nobody told their date, so that they count as of today
    size_t ahead;                // of rows: their source dates them ahead of this machine's clock
    MarketReject *rejects;       // most first
    size_t n_rejects, rejected;  // kinds; rows
    MarketReject *quarantines;   // quarantined rows by reason
    size_t n_quarantines;
    // providers whose list is doubted, having lost over half of its rows: what is missing stays, unconfirmed;
    // "" = none
    const char *shrunk;
    const char *unmapped_names;    // up to ten names, separated by ", "
    const char *one_sided;         // as market_one_sided says of the rows taken in
    const MarketRenamed *renamed;  // sellers whose names did not stay as stated, as they came
    size_t n_renamed;
    const char *const *ignored;  // columns of an imported file that are not read, in its order
    size_t n_ignored;
} MarketOutcome;

// Writes the refresh in one transaction (a refresh that finds everything as it was within the last
// MARKET_RECHECK_S, and on the same day, writes nothing) and frees it, also on failure (then nothing was
// written). An answer without a single usable row is a failure where the feed had some, or never had any.
// Texts of the outcome live in `a`.
bool market_finish(MarketRefresh *r, Arena *a, MarketOutcome *ret_outcome, Err *e);

// The source says that nothing changed since the last accepted refresh (304 for every document): all its rows
// are seen again. Writes nothing when that was said within the last MARKET_RECHECK_S of the same day: what is
// stored of the last check is at most so old. ret_rows: how many. Fails when there was no accepted refresh.
bool market_confirm(Market *m, const char *feed, size_t *ret_rows, Err *e);

// Notes that a refresh failed and why (no secrets), for metrics; prices stay as they were.
bool market_failed(Market *m, const char *feed, const char *why, Err *e);

// ---------------------------------------------------------------- what is known of feeds

typedef struct FeedState {
    const char *feed;
    // seconds since 1970; 0: never. confirmed: accepted, or said to be unchanged
    int64_t attempted_at, accepted_at, confirmed_at;
    size_t rows, rejected, quarantined;  // of the last accepted refresh
    bool private;                        // a list of the user's own
    // of MARKET_READER and the facts (GPUs, sizes, names) by which it was taken in
    int64_t reader;
    const char *error;  // of the last attempt; "" = it went well
} FeedState;

// What this process found unchanged counts as checked now, though that is not always written; so does a
// failure that could not be. all zero when never heard of
bool market_feed(Market *m, const char *feed, Arena *a, FeedState *ret_state, Err *e);

// Was the feed last taken in by a clock ahead of this one? Whatever says something of it next puts its times
// right: what was seen, was seen now at the latest.
bool market_is_ahead(const Market *m, const FeedState *s);
bool market_feeds(Market *m, Arena *a, FeedState **ret_states, size_t *ret_n, Err *e);  // by name

// Validators of a document as of the last accepted refresh; "" when there are none, or when another reader
// stored them.
bool market_validators(Market *m, const char *feed, const char *url, Arena *a, const char **ret_etag,
                       const char **ret_last_modified, Err *e);

// All documents of the last accepted refresh, with validators; none when another reader stored them.
typedef struct MarketKnown {
    const char *url, *etag, *last_modified;  // "" = none
} MarketKnown;
bool market_documents(Market *m, const char *feed, Arena *a, MarketKnown **ret_documents, size_t *ret_n,
                      Err *e);

// The catalog's id of a GPU as somebody spells it ("AMD Instinct MI300X OAM", "h100-sxm", "A100-80GB"), ""
// when it is unknown or could be several (an "H100" without SXM, PCIe or NVL). memory_gb of one card, NaN
// unknown.
const char *market_gpu(const Market *m, const char *name, double memory_gb);

// Of these offers (which it sorts): providers of whom one vendor's GPUs count, while none of the other's or
// not all of them can be told apart, so that a comparison of the two would have only one side of what the
// provider asks. "" = none. Texts live in `a`.
const char *market_one_sided(const Gpu *gpus, size_t n_gpus, const Offer **offers, size_t n, Arena *a);

// ---------------------------------------------------------------- history

typedef struct HistoryFilter {
    const char *sku_id;
    PricingModel pricing_model;
    const char *provider, *region;  // NULL or "": any; region: part of its name
    double gpu_count;               // of the instance; 0: any
    const char *since;              // a date or time; "": from the beginning
    size_t newest;                  // only so many, the newest; 0: all
} HistoryFilter;

// Observations that stood at `since` ("" = ever) or later, by first sight.
bool market_history(Market *m, const HistoryFilter *f, Arena *a, Observation **ret_rows, size_t *ret_n,
                    Err *e);

// The same observations by the time that they stood, one row a first and last sight, in no order. `newest`
// does not count here.
bool market_spans(Market *m, const HistoryFilter *f, Arena *a, PriceSpan **ret_spans, size_t *ret_n, Err *e);

typedef struct SeenOffer SeenOffer;
typedef struct MarketChanges {
    const SeenOffer **rows;
    size_t n;
    const char *since;
} MarketChanges;

// What feeds say now against what they said at `since` (RFC 3339), by provider and instance. Its offers have
// no source, no date and nothing of their seller. Texts live in `a`.
bool market_changes(Market *m, const char *since, Arena *a, MarketChanges *ret_changes, Err *e);
Change market_change(const MarketChanges *c, size_t i);

// Deletes observations that were seen last before `before` (RFC 3339); what stands stays. ret_kept: what is
// left.
bool market_prune(Market *m, const char *before, size_t *ret_deleted, size_t *ret_kept, Err *e);

// ---------------------------------------------------------------- rows that wait

bool market_quarantined(Market *m, Arena *a, Quarantined **ret_rows, size_t *ret_n, Err *e);  // by id

// Takes quarantined rows in as the newest word on their offers, in one transaction. ERR_USAGE for an id that is not
// quarantined; fails for a row in a currency without a rate.
bool market_accept(Market *m, const int64_t *ids, size_t n, Err *e);

// ---------------------------------------------------------------- prices of the user's own

// What a price is of where the column's name does not tell.
typedef enum PriceOf { PRICE_OF_UNSAID, PRICE_OF_INSTANCE, PRICE_OF_GPU } PriceOf;

typedef struct ImportAsked {
    const char *file;      // its path or name: some tell whose prices they are
    const char *provider;  // of rows that name none; "": the list's name
    const char *as_of;     // date of prices that have none; "": today
    PriceOf price_of;
    // "NAME=COLUMN": what a column of the file is, as docs/prices-import.md calls it, or "ignore"
    const char *const *columns;
    size_t n_columns;
} ImportAsked;

// Takes in a file (docs/prices-import.md): CSV with a header, JSON, or what a feed's server answers, also
// packed as .gz or .zip. `name` becomes the feed: the next import under it replaces this one. `asked` NULL:
// nothing said. Errors name the line; ERR_USAGE when the user must say what the prices are of, or what a
// column is that is not read and yet tells how prices are had.
bool market_import(Market *m, const char *name, const char *source, Str bytes, const ImportAsked *asked,
                   Arena *a, MarketOutcome *ret_outcome, Err *e);

// ---------------------------------------------------------------- one at a time

typedef struct MarketLock MarketLock;  // owned: market_unlock

// Takes the lock that lets one refresh run at a time on this database, waiting up to wait_s seconds (checked
// twice a second; `stop`, which may be NULL, ends the wait when it becomes non-zero). *ret_lock NULL: another
// process has it. A database in memory needs none and gets one. The lock goes with the process.
bool market_lock(const Catalog *c, double wait_s, const volatile int *stop, MarketLock **ret_lock, Err *e);
void market_unlock(MarketLock *lock);  // NULL is fine

// Prometheus textfile: age, rows, rejects, quarantined rows, success per feed. Appends to `out`.
bool market_metrics(Market *m, Buf *out, Err *e);

#endif
