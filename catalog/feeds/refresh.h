// Refreshing prices: feeds asked in parallel, each taken in by a transaction of its own as soon as it is
// whole.
//
// Level 5. One feed failing touches no other, and its earlier rows stay. A process killed at any moment
// leaves finished feeds taken in and unfinished ones as they were.
#ifndef GPUADVISE_CATALOG_FEEDS_REFRESH_H
#define GPUADVISE_CATALOG_FEEDS_REFRESH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "catalog/market/market.h"
#include "src/base/base.h"

typedef enum RefreshStatus { REFRESH_OK, REFRESH_UNCHANGED, REFRESH_FAILED, REFRESH_SKIPPED } RefreshStatus;
extern const char *const refresh_status_names[];  // ok, unchanged, failed, skipped

typedef struct RefreshResult {
    const char *name;
    RefreshStatus status;
    MarketOutcome outcome;  // of ok; rows also of unchanged
    const char *error;      // of failed; "" otherwise
    bool unkept;            // of failed: the program's own database is at fault, not the feed
    const char *warning;    // documents that are missing, or why it is skipped; "" = none
    bool ahead;             // its last refresh was dated by a clock ahead of this one
    size_t missing;         // documents that it was taken in without
    size_t requests, not_modified;
    int64_t bytes;
    double seconds;
} RefreshResult;

// NAME=URL or NAME.part=URL: where a document is to be had instead. The query of the feed's own URL is kept.
typedef struct RefreshUrl {
    const char *name, *part, *url;  // part "": the first document
} RefreshUrl;

typedef struct RefreshOptions {
    const char *const *names;  // feeds; NULL: all that need no key or have one
    size_t n_names;
    double max_age_days;               // skip those confirmed within it; NaN: none
    int64_t now;                       // seconds since 1970
    const char *user_agent, *ca_file;  // ca_file: NULL none
    const RefreshUrl *urls;
    size_t n_urls;
    // whose lists are read of feeds that have one a region; NULL: those feeds' own choice
    const char *const *regions;
    size_t n_regions;
    // The value of a secret by its name, "" when it is not set; false (with the reason) when it is set but
    // cannot be read.
    bool (*secret)(void *user, const char *name, const char **ret_value, Err *e);
    void (*finished)(void *user, const RefreshResult *result);  // after each feed; may be NULL
    void *user;
} RefreshOptions;

// Asks for the secrets of all feeds that refresh_feeds would ask now or in the next wait_s seconds: to be
// called before the lock is taken, since what answers may take its time. Whoever answers remembers.
bool refresh_secrets(Market *m, const RefreshOptions *options, double wait_s, Err *e);

// Asks the feeds. Fails only for what concerns all of them (bad URLs, the CA file); results stand in the
// order of the names.
bool refresh_feeds(Market *m, const RefreshOptions *options, Arena *a, RefreshResult **ret_results,
                   size_t *ret_n, Err *e);

// A file of at most `limit` bytes at an https URL, with the CA and user agent of the options.
bool refresh_fetch(const RefreshOptions *options, const char *url, size_t limit, Arena *a, Str *ret_text,
                   Err *e);

// Names of all feeds in the order of their table, for help and "did you mean". NULL-terminated; texts are
// constant.
const char *const *refresh_names(Arena *a, size_t *ret_n);

#endif
