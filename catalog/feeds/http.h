// HTTPS, many requests at once, each bounded in bytes and time. The only place for curl.
//
// TLS is verified, and only https is spoken, in redirects too (at most 5). What fails for a passing reason
// (no connection, a cut body, HTTP 408, 429, 5xx) is tried again with growing, jittered pauses that honour
// Retry-After; the last try starts within 30 s of the first. Bodies arrive decompressed (gzip, br, zstd, as
// curl has them) and count as such. HTTPS_PROXY, NO_PROXY, SSL_CERT_FILE and SSL_CERT_DIR are honoured.
// Errors name the URL without its query and never a header.
#ifndef GPUADVISE_CATALOG_FEEDS_HTTP_H
#define GPUADVISE_CATALOG_FEEDS_HTTP_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/base.h"

typedef struct Http Http;  // owned: http_close

typedef struct HttpOptions {
    const char *ca_file;     // PEM file of authorities trusted besides the system's; NULL: none
    const char *user_agent;  // borrowed until http_close
} HttpOptions;

enum { HTTP_ETAG_MAX = 256, HTTP_DATE_MAX = 64, HTTP_TYPE_MAX = 128, HTTP_URL_MAX = 4096 };

typedef struct HttpReply {
    long status;                        // 200 or 304; of a failed request the last one, 0: none
    char etag[HTTP_ETAG_MAX];           // "" when there is none or an overlong one
    char last_modified[HTTP_DATE_MAX];  // likewise
    int64_t bytes;                      // of the body, decompressed
    double seconds;                     // from http_add to the end
    int attempts;
} HttpReply;

// Texts are borrowed until `done` was called.
typedef struct HttpRequest {
    const char *url;
    const char *body;           // of a POST; NULL: GET
    const char *body_type;      // its content type
    const char *secret_header;  // "Authorization: Bearer ..." or NULL; goes to the URL's own host only
    const char *types;          // content types to take, separated by blanks; an answer without one is taken
    const char *etag, *last_modified;  // what is known already: the answer may be 304; "" or NULL: nothing
    bool probe;                        // asks only whether it changed: the body of a 200 is not read
    int64_t body_max;                  // bytes
    int timeout_s;                     // of one attempt
    const void *group;                 // requests that http_cancel ends together
    void *user;
    // a body begins, perhaps again: forget what came before
    void (*begin)(void *user);
    // the next piece; false ends the request with that error
    bool (*bytes)(void *user, Str bytes, Err *e);
    // e NULL: success. May add and cancel requests
    void (*done)(void *user, const HttpReply *reply, const Err *e);
} HttpRequest;

// `begin` and `bytes` of an answer that is held in memory: what `user` points to begins with the Buf that takes it.
void http_keep_begin(void *user);
bool http_keep_bytes(void *user, Str piece, Err *e);

// Fails (ERR_USAGE) on a CA file that cannot be read or holds no certificate.
bool http_open(const HttpOptions *options, Http **ret_http, Err *e);
void http_close(Http *h);  // NULL is fine

void http_add(Http *h, const HttpRequest *request);

// Drops the group's requests without calling `done`. Not from `begin` or `bytes`.
void http_cancel(Http *h, const void *group);

// Works until no request is left.
bool http_run(Http *h, Err *e);

// Is this an https URL of a sane length without a user name or password in it? The error names what is wrong.
bool http_url_check(const char *url, Err *e);

// Scheme, host and port alike? Of two https URLs.
bool http_same_origin(const char *a, const char *b);

// One line of an answer's head, as it came: what the reply keeps of it, and the content type. A status line begins
// another answer. Values that do not fit or hold anything odd are as good as absent.
void http_head_line(Str line, HttpReply *reply, char type[HTTP_TYPE_MAX]);
// Is that content type ("" without one) among `types`, separated by blanks? NULL: any is.
bool http_type_wanted(const char *type, const char *types);

// The URL without its query and fragment, for messages.
void http_url_shown(char *out, size_t size, const char *url);

#endif
