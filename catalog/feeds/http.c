// HTTPS on curl's multi interface: one loop, bounded bodies, retries, redirects followed by hand.
#include "catalog/feeds/http.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/feeds/http_retry.h"

enum {
    REDIRECTS_MAX = 5,
    CONNECT_MS_MAX = 10 * 1000,
    LOW_SPEED_BYTES_S = 200,
    LOW_SPEED_S = 12,
    RUNNING_MAX = 32,       // at once
    RUNNING_GROUP_MAX = 4,  // of one group
    WASTE_MAX = 64 * 1024,  // bytes read of an answer that is not wanted
    CA_BYTES_MAX = 16 * 1024 * 1024,
    POLL_MS = 1000
};

typedef enum State { FREE, WAITING, RUNNING } State;

typedef struct Transfer {
    struct Transfer *next;
    Http *http;
    State state;
    HttpRequest r;
    char url[HTTP_URL_MAX];  // after redirects
    bool same_host;          // url is still of the host asked for
    CURL *easy;
    struct curl_slist *headers;
    char curl_error[CURL_ERROR_SIZE];
    HttpReply reply;
    Err err;  // of this attempt, when set by a callback
    char type[HTTP_TYPE_MAX];
    bool begun, unwanted;
    int64_t added_ms, sent_ms, due_ms;
    int64_t wasted;
    int redirects;
} Transfer;

struct Http {
    Arena arena;
    CURLM *multi;
    Transfer *transfers;
    const char *user_agent;
    Str ca;  // PEM of all authorities; empty: curl's default
    const char *ca_path, *cert_file;
    uint64_t random;
};

// ---------------------------------------------------------------- answers as they come in

void http_keep_begin(void *user) { buf_free((Buf *)user); }

bool http_keep_bytes(void *user, Str piece, Err *e) {
    Buf *body = user;
    buf_add(body, piece.data, piece.length);
    return !body->overflow || err_set(e, ERR_FAILED, "the answer is over %zu bytes", body->limit);
}

static size_t on_header(char *bytes, size_t size, size_t n, void *user) {
    Transfer *t = user;
    http_head_line((Str){bytes, size * n}, &t->reply, t->type);
    return size * n;
}

// The first byte of a 200's body, or its end without one: is it what was asked for?
static bool begin_body(Transfer *t) {
    t->begun = true;
    curl_off_t length = -1;
    curl_easy_getinfo(t->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    if (t->r.probe) {
        t->unwanted = true;
        return false;
    }
    if (!http_type_wanted(t->type, t->r.types))
        return err_set(&t->err, ERR_FAILED, "answers with content type '%s'", t->type);
    if (length > t->r.body_max) {
        return err_set(&t->err, ERR_FAILED, "announces %lld bytes, over the %lld that this feed may have",
                       (long long)length, (long long)t->r.body_max);
    }
    t->r.begin(t->r.user);
    return true;
}

static size_t on_body(char *bytes, size_t size, size_t n, void *user) {
    Transfer *t = user;
    size_t length = size * n;
    long status = 0;
    curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
    if (status != 200) {  // an error page
        t->wasted += (int64_t)length;
        t->unwanted = t->wasted > WASTE_MAX;
        return t->unwanted ? 0 : length;
    }
    if (!t->begun && !begin_body(t)) return 0;
    if ((int64_t)length > t->r.body_max - t->reply.bytes) {
        err_set(&t->err, ERR_FAILED, "the answer is over %lld bytes", (long long)t->r.body_max);
        return 0;
    }
    t->reply.bytes += (int64_t)length;
    return t->r.bytes(t->r.user, (Str){bytes, length}, &t->err) ? length : 0;
}

// ---------------------------------------------------------------- starting

static void add_header(Transfer *t, const char *name, const char *value) {
    Arena a = {0};
    struct curl_slist *headers = curl_slist_append(t->headers, arena_printf(&a, "%s%s", name, value));
    arena_free(&a);
    if (headers == NULL) out_of_memory();
    t->headers = headers;
}

static void set_tls(const Http *h, CURL *easy) {
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
    curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    if (h->ca.length > 0) {
        struct curl_blob blob = {.len = h->ca.length, .flags = CURL_BLOB_NOCOPY};
        memcpy(&blob.data, &h->ca.data, sizeof blob.data);  // curl only reads it
        curl_easy_setopt(easy, CURLOPT_CAINFO_BLOB, &blob);
    } else if (h->cert_file != NULL) {
        curl_easy_setopt(easy, CURLOPT_CAINFO, h->cert_file);
    }
    if (h->ca_path != NULL) curl_easy_setopt(easy, CURLOPT_CAPATH, h->ca_path);
}

static void set_limits(const Transfer *t, int64_t now) {
    int64_t left = (t->sent_ms + RETRY_MS_MAX - now) / 1000;
    bool again = t->reply.attempts > 1;
    long patience = again && left < LOW_SPEED_S ? (left < 2 ? 2 : (long)left) : LOW_SPEED_S;
    curl_easy_setopt(t->easy, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS_MAX);
    curl_easy_setopt(t->easy, CURLOPT_LOW_SPEED_LIMIT, (long)LOW_SPEED_BYTES_S);
    curl_easy_setopt(t->easy, CURLOPT_LOW_SPEED_TIME, patience);
    curl_easy_setopt(t->easy, CURLOPT_TIMEOUT, (long)t->r.timeout_s);
    curl_easy_setopt(t->easy, CURLOPT_NOSIGNAL, 1L);
}

static void set_request(Transfer *t) {
    curl_easy_setopt(t->easy, CURLOPT_URL, t->url);
    curl_easy_setopt(t->easy, CURLOPT_PROTOCOLS_STR, "https");
    curl_easy_setopt(t->easy, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(t->easy, CURLOPT_USERAGENT, t->http->user_agent);
    if (t->r.body != NULL) {
        curl_easy_setopt(t->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)strlen(t->r.body));
        curl_easy_setopt(t->easy, CURLOPT_POSTFIELDS, t->r.body);
        add_header(t, "Content-Type: ", t->r.body_type);
        add_header(t, "Expect:", "");
    }
    if (t->r.secret_header != NULL && t->same_host) add_header(t, t->r.secret_header, "");
    if (t->r.body == NULL && t->r.etag != NULL && t->r.etag[0] != '\0')
        add_header(t, "If-None-Match: ", t->r.etag);
    if (t->r.body == NULL && t->r.last_modified != NULL && t->r.last_modified[0] != '\0') {
        add_header(t, "If-Modified-Since: ", t->r.last_modified);
    }
    curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER, t->headers);
    curl_easy_setopt(t->easy, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(t->easy, CURLOPT_HEADERDATA, t);
    curl_easy_setopt(t->easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(t->easy, CURLOPT_WRITEDATA, t);
    curl_easy_setopt(t->easy, CURLOPT_ERRORBUFFER, t->curl_error);
    curl_easy_setopt(t->easy, CURLOPT_PRIVATE, t);
}

// Ends the attempt's use of curl.
static void detach(Transfer *t) {
    if (t->easy != NULL) {
        curl_multi_remove_handle(t->http->multi, t->easy);
        curl_easy_cleanup(t->easy);
    }
    curl_slist_free_all(t->headers);
    t->easy = NULL;
    t->headers = NULL;
}

static void finish(Transfer *t, const Err *e) {
    t->reply.seconds = (double)(ms_now() - t->added_ms) / 1000;
    detach(t);
    t->state = FREE;  // before `done`, which may add requests: the copies outlive that
    HttpRequest r = t->r;
    HttpReply reply = t->reply;
    r.done(r.user, &reply, e);
}

static void fail(Transfer *t, const char *why) {
    char shown[300];
    http_url_shown(shown, sizeof shown, t->url);
    Err e = {0};
    err_set(&e, ERR_FAILED, "%s", why);
    err_wrap(&e, "%s '%s'", t->r.body != NULL ? "POST" : "GET", shown);
    finish(t, &e);
}

static void start(Transfer *t, int64_t now) {
    t->state = RUNNING;
    t->begun = t->unwanted = false;
    t->wasted = 0;
    t->err = (Err){0};
    t->curl_error[0] = '\0';
    t->reply.status = 0;
    t->reply.bytes = 0;
    if (t->reply.attempts == 0) t->sent_ms = now;
    t->reply.attempts++;
    t->easy = curl_easy_init();
    if (t->easy != NULL) {
        set_request(t);
        set_tls(t->http, t->easy);
        set_limits(t, now);
        if (curl_multi_add_handle(t->http->multi, t->easy) == CURLM_OK) return;
    }
    fail(t, "curl has no resources left");
}

static size_t running(const Http *h, const void *group) {
    size_t n = 0;
    for (const Transfer *t = h->transfers; t != NULL; t = t->next)
        n += t->state == RUNNING && (group == NULL || t->r.group == group);
    return n;
}

// Starts what is due; how long until the next one is, at most POLL_MS.
static int start_due(Http *h) {
    int64_t now = ms_now();
    int64_t wait = POLL_MS;
    for (Transfer *t = h->transfers; t != NULL; t = t->next) {
        if (t->state != WAITING) continue;
        if (t->due_ms > now) {
            if (t->due_ms - now < wait) wait = t->due_ms - now;
        } else if (running(h, NULL) < RUNNING_MAX && running(h, t->r.group) < RUNNING_GROUP_MAX) {
            start(t, now);
        }
    }
    return (int)wait;
}

// ---------------------------------------------------------------- ending

// Is there another attempt in time?
static bool try_again(Transfer *t, int64_t retry_after_s) {
    int64_t now = ms_now();
    int64_t wait =
        retry_wait_ms(t->reply.attempts, retry_after_s, now - t->sent_ms, retry_random(&t->http->random));
    if (wait < 0) return false;
    detach(t);
    t->state = WAITING;
    t->due_ms = now + wait;
    return true;
}

static bool passing_failure(CURLcode code) {
    switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM: return true;
    default: return false;
    }
}

static void follow_redirect(Transfer *t) {
    const char *to = NULL;
    curl_easy_getinfo(t->easy, CURLINFO_REDIRECT_URL, &to);
    char shown[300];
    char why[400];
    http_url_shown(shown, sizeof shown, to != NULL ? to : "");
    if (to == NULL) {
        snprintf(why, sizeof why, "HTTP %ld without a place to go to", t->reply.status);
    } else if (++t->redirects > REDIRECTS_MAX) {
        snprintf(why, sizeof why, "more than %d redirects", REDIRECTS_MAX);
    } else if (!http_url_check(to, NULL)) {
        snprintf(why, sizeof why, "redirects to '%.280s', which is no https URL", shown);
    } else {
        t->same_host = t->same_host && http_same_origin(t->url, to);
        memcpy(t->url, to, strlen(to) + 1);
        t->reply.attempts--;  // a redirect is no new try
        detach(t);
        t->state = WAITING;
        t->due_ms = 0;
        return;
    }
    fail(t, why);
}

static void end_of_answer(Transfer *t) {
    curl_off_t retry_after = 0;
    curl_easy_getinfo(t->easy, CURLINFO_RETRY_AFTER, &retry_after);
    long status = t->reply.status;
    if (status == 304 || (status == 200 && t->r.probe)) {
        finish(t, NULL);
    } else if (status == 200) {
        if (!t->begun && !begin_body(t)) {
            fail(t, t->err.text);
        } else {
            finish(t, NULL);
        }
    } else if (status >= 301 && status <= 308 && status != 305 && status != 306) {
        follow_redirect(t);
    } else if (!retry_status(status) || !try_again(t, (int64_t)retry_after)) {
        char why[200];
        int n = snprintf(why, sizeof why, "HTTP %ld", status);
        if (retry_after > 0)
            n += snprintf(why + n, sizeof why - (size_t)n, ", asks to wait %lld s", (long long)retry_after);
        if (t->reply.attempts > 1)
            snprintf(why + n, sizeof why - (size_t)n, " (tried %d times)", t->reply.attempts);
        fail(t, why);
    }
}

static void end_of_attempt(Transfer *t, CURLcode code) {
    curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &t->reply.status);
    if (t->err.kind != ERR_NONE) {
        fail(t, t->err.text);
    } else if (code == CURLE_OK || t->unwanted) {
        end_of_answer(t);
    } else if (code == CURLE_OPERATION_TIMEDOUT) {
        char why[CURL_ERROR_SIZE + 40];
        snprintf(why, sizeof why, "too slow: %s",
                 t->curl_error[0] != '\0' ? t->curl_error : curl_easy_strerror(code));
        fail(t, why);
    } else if (!passing_failure(code) || !try_again(t, 0)) {
        char why[CURL_ERROR_SIZE + 40];
        int n = snprintf(why, sizeof why, "%s",
                         t->curl_error[0] != '\0' ? t->curl_error : curl_easy_strerror(code));
        if (t->reply.attempts > 1)
            snprintf(why + n, sizeof why - (size_t)n, " (tried %d times)", t->reply.attempts);
        fail(t, why);
    }
}

// ---------------------------------------------------------------- sessions

// All authorities in one text: curl takes one file, and --ca adds to the system's.
static bool load_ca(Http *h, const char *file, Err *e) {
    Str own;
    if (!file_read(&h->arena, file, CA_BYTES_MAX, &own, e)) {
        e->kind = ERR_USAGE;
        return false;
    }
    if (!text_contains(own.data, "-----BEGIN CERTIFICATE-----"))
        return err_set(e, ERR_USAGE, "'%s' holds no PEM certificate", file);
    const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
    const char *system = h->cert_file != NULL ? h->cert_file : info->cainfo;
    Str others = {"", 0};
    Err ignored = {0};
    // a system without any has only --ca
    if (system != NULL) file_read(&h->arena, system, CA_BYTES_MAX, &others, &ignored);
    const char *all = arena_printf(&h->arena, "%s\n%s\n", own.data, others.data);
    h->ca = str_of(all);
    return true;
}

bool http_open(const HttpOptions *options, Http **ret_http, Err *e) {
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return err_set(e, ERR_FAILED, "curl does not start");
    Arena a = {0};
    Http *h = arena_alloc(&a, 1, sizeof *h);
    h->arena = a;
    h->user_agent = options->user_agent;
    h->random = (uint64_t)ms_now() * 0x9e3779b97f4a7c15ULL | 1;
    const char *file = getenv("SSL_CERT_FILE");
    const char *path = getenv("SSL_CERT_DIR");
    h->cert_file = file != NULL && file[0] != '\0' ? file : NULL;
    h->ca_path = path != NULL && path[0] != '\0' ? path : NULL;
    h->multi = curl_multi_init();
    bool ok = h->multi != NULL || err_set(e, ERR_FAILED, "curl does not start");
    if (ok && options->ca_file != NULL) ok = load_ca(h, options->ca_file, e);
    if (!ok) {
        http_close(h);
        return false;
    }
    *ret_http = h;
    return true;
}

void http_close(Http *h) {
    if (h == NULL) return;
    for (Transfer *t = h->transfers; t != NULL; t = t->next) detach(t);
    if (h->multi != NULL) curl_multi_cleanup(h->multi);
    curl_global_cleanup();
    Arena a = h->arena;
    arena_free(&a);
}

void http_add(Http *h, const HttpRequest *request) {
    Transfer *t = h->transfers;
    while (t != NULL && t->state != FREE) t = t->next;
    if (t == NULL) {
        Transfer **end = &h->transfers;
        while (*end != NULL) end = &(*end)->next;
        t = arena_alloc(&h->arena, 1, sizeof *t);
        *end = t;
    }
    Transfer *next = t->next;
    *t = (Transfer){
        .next = next, .http = h, .state = WAITING, .r = *request, .same_host = true, .added_ms = ms_now()};
    snprintf(t->url, sizeof t->url, "%s", request->url);
}

void http_cancel(Http *h, const void *group) {
    for (Transfer *t = h->transfers; t != NULL; t = t->next) {
        if (t->state == FREE || t->r.group != group) continue;
        detach(t);
        t->state = FREE;
    }
}

static bool any_left(const Http *h) {
    for (const Transfer *t = h->transfers; t != NULL; t = t->next) {
        if (t->state != FREE) return true;
    }
    return false;
}

bool http_run(Http *h, Err *e) {
    while (any_left(h)) {
        int wait = start_due(h);
        int n = 0;
        CURLMcode code = curl_multi_perform(h->multi, &n);
        if (code != CURLM_OK) return err_set(e, ERR_FAILED, "curl: %s", curl_multi_strerror(code));
        const CURLMsg *m = NULL;
        bool ended = false;
        while ((m = curl_multi_info_read(h->multi, &n)) != NULL) {
            char *user = NULL;
            if (m->msg != CURLMSG_DONE ||
                curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &user) != CURLE_OK)
                continue;
            ended = true;
            CURLcode result = m->data.result;
            Transfer *t = (Transfer *)(void *)user;
            end_of_attempt(t, result);
        }
        if (ended) continue;
        code = curl_multi_poll(h->multi, NULL, 0, wait, NULL);
        if (code != CURLM_OK) return err_set(e, ERR_FAILED, "curl: %s", curl_multi_strerror(code));
    }
    return true;
}
