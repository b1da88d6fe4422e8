// Price feeds: what a feed is, and what its parser may call. Internal to the catalog; refreshing them:
// catalog/feeds/refresh.h.
//
// A feed is a table row: documents with their URL and kind, a parser for each, and for joins a function that
// runs when all documents are in. A parser gives rows (feed_row), turns away what is no offer with a reason
// (feed_reject) and says which further documents it wants (feed_follow), which the job then asks for. Parsers
// see hostile bytes and do no input or output.
#ifndef GPUADVISE_CATALOG_FEEDS_FEED_H
#define GPUADVISE_CATALOG_FEEDS_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "catalog/feeds/feed_csv.h"
#include "catalog/market/market.h"
#include "src/base/base.h"
#include "src/facts/facts.h"

typedef enum FeedKind { FEED_JSON, FEED_CSV, FEED_TEXT } FeedKind;

typedef struct FeedDoc FeedDoc;
typedef struct FeedJob FeedJob;

// A CSV document: the header is the first row that holds names[0]; '?' before a name: the column may be
// missing. Cells come in the order of `names`, those of a missing column empty, all borrowed for the call.
typedef struct FeedColumns {
    const char *const *names;
    size_t n;  // at most FEED_COLUMNS_MAX
    bool (*row)(FeedDoc *doc, const Str *cells, Err *e);
} FeedColumns;
enum { FEED_COLUMNS_MAX = 24 };

typedef struct FeedDocSpec {
    const char *part;  // "" the first document; further ones have a name for --feed-url NAME.part=URL
    const char *url;   // "" when only feed_follow knows it
    const char *body;  // JSON of a POST; NULL: GET
    FeedKind kind;     // JSON unless it is said
    bool token;        // trades the key for a token before all others are asked (AUTH_OAUTH)
    bool optional;     // without it the feed is poorer, not wrong
    int64_t body_max;  // bytes, decompressed; 0: 8 MiB
    int timeout_s;     // 0: 60
    bool (*json)(FeedDoc *doc, const Json *root, Err *e);
    const FeedColumns *csv;
    bool (*text)(FeedDoc *doc, Str text, Err *e);  // whole
} FeedDocSpec;

static inline int64_t feed_body_max(const FeedDocSpec *spec) {
    return spec->body_max > 0 ? spec->body_max : INT64_C(8) * 1024 * 1024;
}

typedef enum FeedAuth { AUTH_NONE, AUTH_BEARER, AUTH_HEADER, AUTH_TOKEN, AUTH_OAUTH } FeedAuth;

typedef struct Feed {
    const char *name;
    const char *home;  // where offers come from, as their source names it
    const FeedDocSpec *docs;
    size_t n_docs;                                        // those with a URL are asked for at once
    bool (*finish)(FeedJob *job, FeedDoc *into, Err *e);  // all documents are in; NULL: nothing to join
    FeedAuth auth;
    const char *key_name;   // environment variable of the key
    const char *key_field;  // AUTH_HEADER: its name
    const char *id_name;    // AUTH_OAUTH: environment variable of the client's id
    // what stands for "{region}" in URLs unless the user says otherwise; NULL: there is none
    const char *const *regions;
    size_t n_regions;
    bool peers;             // its documents stand alone: it is enough that one comes in
    const char *team_name;  // environment variable whose value stands for "{team}" in URLs; NULL: none
} Feed;

extern const Feed *const feed_table[];
extern const size_t n_feeds;
const Feed *feed_find(const char *name);  // NULL: none

// ---------------------------------------------------------------- documents, for parsers

enum {
    FEED_REASONS_MAX = 32,
    FEED_ROWS_MAX = 400 * 1000,
    FEED_DOCS_MAX = 500,
    FEED_VALUES_MAX = 4000 * 1000,
    FEED_SAID_MAX = 4000
};

typedef struct FeedReject {
    const char *reason;  // constant text
    size_t count;
    const char *example;  // clean
} FeedReject;

// A further document that an answer led to.
typedef struct FeedLink {
    const FeedDocSpec *spec;
    const char *url, *label;
} FeedLink;

// An instance that can be had now in a region.
typedef struct FeedPlace {
    const char *instance, *region;
} FeedPlace;

struct FeedDoc {
    FeedJob *job;
    const Feed *feed;
    const FeedDocSpec *spec;
    const char *url;             // as asked for
    const char *label;           // given to feed_follow; "" otherwise
    int64_t today;               // days since 1970
    const SellerFacts *sellers;  // NULL: none are known
    Arena arena;  // rows, texts and what the parser keeps; emptied when the document begins again
    FeedRow *rows;
    size_t n_rows, rows_capacity;
    FeedReject rejects[FEED_REASONS_MAX];
    size_t n_rejects;
    FeedLink *links;  // asked for when the document is parsed
    size_t n_links, links_capacity;
    FeedPlace *places;
    size_t n_places, places_capacity;
    void *kept;               // the parser's own, for `finish`; NULL at first
    struct FeedTable *table;  // whose row is at hand, while a parser of CSV runs
};

// Takes a row: its texts are copied; what is not stated may also be 0. Rows without a price or a GPU, or with
// control characters in a name, are turned away with the reason; what else makes an offer the market decides.
void feed_row(FeedDoc *doc, const FeedRow *row);
void feed_reject(FeedDoc *doc, const char *reason, const char *example);

// Wants another document of the feed (the spec named `part`): the job asks for it once this one is parsed.
// There a link that was asked for already, that leaves the feed's host, or one too many fails: "the page
// repeats". Texts are copied.
void feed_follow(FeedDoc *doc, const char *part, const char *url, const char *label);

// An instance that can be had now in a region, for `finish`. Texts are copied.
void feed_place(FeedDoc *doc, const char *instance, const char *region);

// The document of that part that is in, first of them; NULL: none.
FeedDoc *feed_doc(FeedJob *job, const char *part);
// the next one of the same part that is in: a further page; NULL: none
FeedDoc *feed_doc_after(FeedDoc *doc);

// ---------------------------------------------------------------- values, for parsers

// A price as number or text; NaN when it is none: text with commas, words, "".
double feed_number(const Json *j);
double feed_cell_number(Str cell);
const char *feed_text(const Json *object, const char *key);  // "" when it is no text
const char *feed_cell(FeedDoc *doc, Str cell);               // arena copy, trimmed
const char *feed_printf(FeedDoc *doc, const char *format, ...) PRINTF_LIKE(2, 3);

// The form that a text tells: "SXM" (sellers say "sxm5" of a B200 too, so that the number tells nothing),
// "PCIe"; "" none.
const char *feed_form(const char *text);
// A card's name with the form that the source states beside it, unless the name has one.
const char *feed_with_form(FeedDoc *doc, const char *gpu, const char *form);

// What a record says in texts, for FeedRow.said: of its members and of those of objects within it; lists are
// left out, as they tell what else there is. Links and sentences do not count.
const char *feed_said(FeedDoc *doc, const Json *record);
// The same of the columns of a CSV's row at hand that its parser does not name; for such parsers only.
// Borrowed until the next row.
const char *feed_said_unread(FeedDoc *doc);

// The array `key` of an object, or the failure that the answer has none.
bool feed_array(const Json *root, const char *key, const Json **ret_array, Err *e);
// Reads each of its elements.
bool feed_each(FeedDoc *doc, const Json *root, const char *key,
               void (*read)(FeedDoc *doc, const Json *element), Err *e);

// A CSV inside of something else, for parsers of FEED_TEXT. Close it also after a failure.
typedef struct FeedTable FeedTable;
FeedTable *feed_table_open(FeedDoc *doc, const FeedColumns *columns);
bool feed_table_bytes(FeedTable *t, Str bytes, Err *e);
bool feed_table_end(FeedTable *t, Err *e);
void feed_table_close(FeedTable *t);  // NULL is fine

// The GPUs of an instance type whose price list does not tell them (feed_sizes.c); false: not known.
typedef struct SizeGpu {
    const char *sku_id, *name;  // sku_id "": not in the catalog
    double gpu_count;
} SizeGpu;
bool feed_size(const FeedDoc *doc, const char *provider, const char *instance, SizeGpu *ret_gpu);

// Fills the row's GPU from its instance type, for lists that leave the GPUs of some machines out; false:
// turned away, as a machine without any or with unknown ones.
bool feed_size_row(FeedDoc *doc, FeedRow *row);

#define FEED_MIB (INT64_C(1024) * 1024)

#endif
