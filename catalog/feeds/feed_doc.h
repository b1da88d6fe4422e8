// A document on its way in: bytes to its parser. Internal to the refresh.
#ifndef GPUADVISE_CATALOG_FEEDS_FEED_DOC_H
#define GPUADVISE_CATALOG_FEEDS_FEED_DOC_H

#include "catalog/feeds/feed.h"
#include "catalog/feeds/http.h"

typedef enum DocState { DOC_ASKED, DOC_IN, DOC_MISSING } DocState;

typedef struct DocIn {
    FeedDoc doc;  // first: a FeedDoc of a job is one of these
    struct DocIn *next;
    DocState state;
    Buf body;  // of JSON and text
    FeedTable *table;
    const char *etag, *last_modified;
} DocIn;

// Content types that a kind of document may come with; a list for HttpRequest.types.
const char *doc_types(FeedKind kind);

void doc_init(DocIn *d);
void doc_begin(DocIn *d);  // forgets everything that came before
bool doc_bytes(DocIn *d, Str bytes, Err *e);
bool doc_end(DocIn *d, Err *e);  // parses what is parsed whole
void doc_free(DocIn *d);

// What a document gave, into the market.
bool doc_add_rows(const FeedDoc *doc, MarketRefresh *r, Err *e);

#endif
