// What the files of the market share: rows under way between a source and the database.
#ifndef GPUADVISE_CATALOG_MARKET_MARKET_STORE_H
#define GPUADVISE_CATALOG_MARKET_MARKET_STORE_H

#include "catalog/market/market.h"
#include "catalog/market/market_gate.h"
#include "db/db.h"
#include "src/market/gpu_names.h"

// A checked row, as it is stored. offer.price_micro_usd_h 0: its currency has no dated rate.
typedef struct MarketRow {
    Offer offer;
    int64_t id;                      // in the database; 0: none yet
    const char *currency, *country;  // "" = USD; not stated
    int64_t stated_micro_h;          // of `currency`; 0: USD
    bool dated;                      // its source says as_of
    int64_t effective_at;            // since when it holds, seconds since 1970; 0: not stated, or stored
    bool gone;                       // of a stored row: left its feed
    const char *quarantine;          // why it is quarantined; NULL: it is not
    bool quarantine_feed;            // the whole refresh of its provider is doubtful
    int64_t before_micro_h;          // of a quarantined row: what it cost before; 0: not known before
    // quarantined as too cheap or too dear: the price that it had to keep to; 0: not for that
    double limit_usd_gpu_h;
} MarketRow;

typedef struct MarketRows {
    MarketRow *rows;
    size_t n, capacity;
} MarketRows;

void market_rows_push(MarketRows *list, Arena *a, const MarketRow *row);

// A user's rate for another currency.
typedef struct MarketRate {
    const char *currency, *date;
    double usd;  // of one unit
} MarketRate;

// What this process found of a feed without a word written: all as it was (error ""), or why not even the
// failure could be written down.
typedef struct MarketFound {
    const char *feed, *error;
} MarketFound;

struct Market {
    Arena arena;  // holds this struct
    Db *db;
    int64_t now, clock;  // of what comes in; of this machine, which may be later (a snapshot)
    int64_t reader;
    GpuNames *names;
    SellerFacts sellers;
    MarketRate *rates;
    size_t n_rates;
    MarketFound *found;  // oldest first
    size_t n_found, found_capacity;
};

// A text of a refresh, and what it says of how a price is had: read when it is first asked for.
typedef struct KeptText {
    const char *text;  // NULL: an empty place
    bool read;
    GateSaid said;
    const char *provider;  // the seller whom it names; NULL: nobody asked
} KeptText;

typedef struct MarketDocument {
    const char *url, *etag, *last_modified;
} MarketDocument;

struct MarketRefresh {
    Arena arena;  // holds this struct
    Market *market;
    const char *feed, *url;
    MarketRows staged;
    KeptText *texts;  // every text kept once: open addressing, capacity a power of two
    size_t n_texts, texts_capacity;
    MarketReject rejects[MARKET_REASONS + 1];  // the last: other
    size_t n_rejects;
    MarketDocument *documents;
    size_t n_documents, documents_capacity;
    size_t n_added;
    MarketRenamed *renamed;
    size_t n_renamed, renamed_capacity;
    MarketScope scope;
    bool private;  // a list of the user's own
};

// Was the feed's last word on the same day, less than MARKET_RECHECK_S ago, and no failure?
bool market_is_recent(const Market *m, const FeedState *s);

// Brings the times of a feed that is ahead of the clock back to it; inside a transaction.
bool market_heal(Market *m, const FeedState *s, Err *e);
void market_set_found(Market *m, const char *feed, const char *error);

// One copy of the text in the refresh's memory, control characters and invalid UTF-8 replaced; "" for NULL.
const char *refresh_text(MarketRefresh *r, const char *text);

// The seller whom a source names, as all feeds call him: one spelling, and data/names.tsv for other names
// ("Lambda Labs" is lambda). NULL, "": the feed.
const char *market_provider(MarketRefresh *r, const char *stated);

// Order by identity: 0 is the same offer. Feed and price do not count.
int market_row_compare(const void *left, const void *right);  // MarketRow: for qsort and bsearch too

// ---- market_sides.c
// as market_one_sided
const char *gpu_names_one_sided(const GpuNames *names, const Offer **offers, size_t n, Arena *a);

// ---- market_worth.c Holds staged rows whose price is far from what the provider itself or others ask for
// the same GPU; rows must be one an offer.
bool market_judge_worth(MarketRefresh *r, Err *e);
// Was the level of a row that market_judge_worth quarantines taken in before? A price near one that stands is no
// news.
bool market_is_vouched(const MarketRow *row, const MarketRow *before);

// ---- market_rows.c A row of a query that begins with the columns of market_latest.sql; `before` (may be
// NULL) shares its texts.
enum { MARKET_COLUMNS = 24 };
void market_row_read(Stmt *s, Arena *a, const MarketRow *before, MarketRow *row);
// Rows that a query gives with the columns of market_latest.sql, in identity order.
bool market_rows_read(Stmt *s, Arena *a, MarketRows *ret_rows, Err *e);
// Statements that write rows; NULL until needed.
typedef struct MarketWriter {
    Db *db;
    const char *feed, *now;
    int64_t next_id;
    Stmt *seen, *latest, *end, *drop, *gone, *dated, *quarantined, *quarantined_again, *quarantined_drop;
} MarketWriter;
bool market_writer_open(MarketWriter *w, Db *db, const char *feed, const char *now, Err *e);
void market_writer_close(MarketWriter *w);
bool market_write_seen(MarketWriter *w, const MarketRow *row, Err *e);  // appends, as the last word
bool market_write_end(MarketWriter *w, int64_t id, const char *last_seen_at, bool gone, Err *e);
// seen again: its date, and the machines that there are
bool market_write_again(MarketWriter *w, int64_t id, const MarketRow *row, Err *e);
bool market_write_quarantined(MarketWriter *w, const MarketRow *row, Err *e);  // id 0: a new one
bool market_write_released(MarketWriter *w, int64_t id, Err *e);

// One statement with these texts bound; NULL-terminated pairs of name and text.
bool market_do(Db *db, const char *query, const char *const *pairs, Err *e);

#endif
