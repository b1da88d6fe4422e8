// Prices handed on to a team: what feeds say now, as one file that any web server can host.
//
// A snapshot is text: the line "gpuadvise-snapshot 2 TIME" (form 1 lacks the cells of the seller, and is read
// too), then for each feed "feed NAME CONFIRMED ROWS" and its rows as tab-separated cells under one header; a
// cell "^" repeats the one above. Whoever takes one in checks its signature first (catalog/feeds/minisign.h); the
// rows then pass the same checks as a refresh of their feed.
#ifndef GPUADVISE_CATALOG_FEEDS_SNAPSHOT_H
#define GPUADVISE_CATALOG_FEEDS_SNAPSHOT_H

#include "catalog/market/market.h"

enum { SNAPSHOT_BYTES_MAX = 256 * 1024 * 1024 };

// Appends a snapshot of everything that stands: what feeds say, and with `imports` also the lists of the
// user's own (quotes, contracts), which are nobody else's business unless the user says so. ret_rows: offers
// in it.
bool snapshot_write(Market *m, bool imports, Buf *out, size_t *ret_rows, Err *e);

bool snapshot_is(Str text);  // does it begin as one

typedef struct SnapshotFeed {
    const char *name;
    int64_t confirmed_at;
    size_t rows;          // in the snapshot
    const char *skipped;  // why it was not taken in (this database knows newer prices, ...); "" = it was
    bool ahead;           // seen later than this machine's clock says
    MarketOutcome outcome;
} SnapshotFeed;

// Takes in a snapshot whose signature was verified: one transaction a feed. Fails, with nothing taken in, on
// damaged text or on a newer version of the form.
bool snapshot_read(Catalog *c, Str text, int64_t now, const char *source, Arena *a, SnapshotFeed **ret_feeds,
                   size_t *ret_n, Err *e);

#endif
