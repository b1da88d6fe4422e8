// A feed under way: shared by the files of the refresh.
#ifndef GPUADVISE_CATALOG_FEEDS_REFRESH_JOB_H
#define GPUADVISE_CATALOG_FEEDS_REFRESH_JOB_H

#include "catalog/feeds/feed_doc.h"
#include "catalog/feeds/refresh.h"

typedef struct Run {
    Market *market;
    Http *http;
    const RefreshOptions *options;
    Arena *arena;  // of the results
} Run;

struct FeedJob {
    Run *run;
    const Feed *feed;
    RefreshResult *result;
    Arena arena;
    DocIn *docs;
    size_t n_docs, n_open, n_probes;
    const char *secret_header;    // NULL: none
    const char *key, *id, *team;  // "" none
    const MarketKnown *known;     // documents of the last time
    size_t n_known;
    bool probing, over, missing;
    bool partial;  // documents that were read last time are not asked for now
    Err first;     // first failure of a document, of feeds whose documents stand alone
};

// A document that is to be asked for.
typedef struct Wanted {
    const FeedDocSpec *spec;
    const char *url, *label;
} Wanted;

// ---- refresh_docs.c Where a document of the feed's own URL is to be had: the user's word on it, else the
// host that the user named for the feed.
const char *job_url(FeedJob *job, const char *part, const char *url);
// The documents asked for at once, one a region where the feed has a list for each; none twice. Fails on a
// region that is no name.
bool job_wanted(FeedJob *job, const Wanted **ret_wanted, size_t *ret_n, Err *e);
// Where a link of a document that was parsed leads; feed_follow says what fails.
bool job_follow(FeedJob *job, const FeedDoc *doc, const FeedLink *link, Wanted *ret_wanted, Err *e);

// ---- refresh_token.c
// e NULL: success
typedef void (*TokenDone)(FeedJob *job, const char *token, const HttpReply *reply, const Err *e);
// Asks a server that trades an id and a secret for a token (OAuth 2 client credentials). Neither they nor the
// token are shown.
void token_ask(FeedJob *job, const char *url, TokenDone done);
// May this value of the variable `name` stand in the head of a request? "" may. The error does not show it.
enum { KEY_LENGTH_MAX = 8000 };
bool key_check(const char *name, const char *value, Err *e);
// The user's value of that variable, or of what other tools call it; "" where there is none or `name` is NULL.
bool job_secret(FeedJob *job, const char *name, const char **ret_value, Err *e);
// The token of its answer. For the fuzzer, too.
bool token_read(Str answer, Arena *a, const char **ret_token, Err *e);

#endif
