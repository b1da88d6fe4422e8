// Refreshing prices: one job a feed, one request a document, all in one loop.
//
// A feed whose documents all have validators is probed first: only when every one answers 304 did nothing change, since rows of
// one document cannot be taken without those of the others. Else everything is fetched.
#include "catalog/refresh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "catalog/feed_doc.h"

const char *const refresh_status_names[] = {"ok", "unchanged", "failed", "skipped"};

typedef struct Run {
    Market *market;
    Http *http;
    const RefreshOptions *options;
    Arena *arena;  // of the results
} Run;

// One question whether a document changed.
typedef struct Probe {
    FeedJob *job;
    bool known;  // else it was missing last time, and may still be
} Probe;

struct FeedJob {
    Run *run;
    const Feed *feed;
    RefreshResult *result;
    Arena arena;
    DocIn *docs;
    size_t n_docs, n_open, n_probes;
    const char *secret_header;  // NULL: none
    const char *key, *team;     // "" none
    bool probing, over, missing;
    Err first;  // first failure of a document, of feeds whose documents stand alone
};

const char *const *refresh_names(Arena *a, size_t *ret_n) {
    const char **names = arena_alloc(a, n_feeds + 1, sizeof *names);
    for (size_t i = 0; i < n_feeds; i++) names[i] = feed_table[i]->name;
    *ret_n = n_feeds;
    return names;
}

// ---------------------------------------------------------------- where documents are

static const char *override_of(const FeedJob *job, const char *part) {
    const RefreshOptions *o = job->run->options;
    const char *url = NULL;
    for (size_t i = 0; i < o->n_urls; i++) {
        if (strcmp(o->urls[i].name, job->feed->name) == 0 && strcmp(o->urls[i].part, part) == 0) url = o->urls[i].url;
    }
    return url;
}

static size_t origin_length(const char *url) { return 8 + strcspn(url + 8, "/?#"); }

// The other URL's query, behind this one's.
static const char *with_query(Arena *a, const char *url, const char *other) {
    const char *query = strchr(other, '?');
    if (query == NULL) return url;
    return arena_printf(a, "%s%c%s", url, strchr(url, '?') != NULL ? '&' : '?', query + 1);
}

// Where a document of the feed's own URL is to be had: the user's word on it, else the host that the user named for the feed.
static const char *real_url(FeedJob *job, const char *part, const char *url) {
    const char *own = override_of(job, part);
    const char *first = override_of(job, "");
    if (own != NULL) return with_query(&job->arena, own, url);
    if (first != NULL) return arena_printf(&job->arena, "%.*s%s", (int)origin_length(first), first, url + origin_length(url));
    const char *at = strstr(url, "{team}");
    return at == NULL ? url : arena_printf(&job->arena, "%.*s%s%s", (int)(at - url), url, job->team, at + strlen("{team}"));
}

static Str host_of(const char *url) {
    Str host = {url, origin_length(url)};
    if (host.length > 4 && memcmp(host.data + host.length - 4, ":443", 4) == 0) host.length -= 4;
    return host;
}

static bool hosts_match(const char *a, const char *b) {
    Str x = host_of(a);
    Str y = host_of(b);
    return x.length == y.length && memcmp(x.data, y.data, x.length) == 0;
}

// ---------------------------------------------------------------- the end of a job

static void release(FeedJob *job) {
    for (DocIn *d = job->docs; d != NULL; d = d->next) doc_free(d);
    job->over = true;
}

static void conclude(FeedJob *job) {
    const RefreshOptions *o = job->run->options;
    release(job);
    if (o->finished != NULL) o->finished(o->user, job->result);
}

static void fail_job(FeedJob *job, const Err *e) {
    if (job->over) return;
    http_cancel(job->run->http, job);
    Err ignored = {0};
    market_failed(job->run->market, job->feed->name, e->text, &ignored);
    job->result->status = REFRESH_FAILED;
    job->result->error = arena_copy(job->run->arena, e->text, strlen(e->text));
    conclude(job);
}

static void warn(FeedJob *job, const char *text) {
    RefreshResult *r = job->result;
    r->warning = r->warning[0] == '\0' ? arena_copy(job->run->arena, text, strlen(text)) : arena_printf(job->run->arena, "%s; %s", r->warning, text);
}

static bool add_doc(MarketRefresh *r, const FeedDoc *doc, Err *e) {
    for (size_t i = 0; i < doc->n_rejects; i++) {
        for (size_t k = 0; k < doc->rejects[i].count; k++) market_reject(r, doc->rejects[i].reason, doc->rejects[i].example);
    }
    for (size_t i = 0; i < doc->n_rows; i++) {
        if (!market_add(r, &doc->rows[i], e)) return false;
    }
    return true;
}

// Validators are kept only when the whole feed can be asked by them.
static void add_documents(const FeedJob *job, MarketRefresh *r) {
    for (const DocIn *d = job->docs; d != NULL; d = d->next) {
        if (d->state == DOC_IN && d->etag[0] == '\0' && d->last_modified[0] == '\0') return;
    }
    for (const DocIn *d = job->docs; d != NULL; d = d->next) {
        if (d->state == DOC_IN) market_document(r, d->doc.url, d->etag, d->last_modified);
    }
}

static void take_in(FeedJob *job) {
    Err e = {0};
    DocIn joined = {.doc = {.job = job, .feed = job->feed, .spec = &job->feed->docs[0], .url = "", .label = "", .today = job->run->options->now / 86400, .sellers = market_sellers(job->run->market)}};
    MarketRefresh *r = market_begin(job->run->market, job->feed->name, job->feed->home);
    bool ok = job->feed->finish == NULL || job->feed->finish(job, &joined.doc, &e);
    for (DocIn *d = job->docs; ok && d != NULL; d = d->next) ok = d->state != DOC_IN || add_doc(r, &d->doc, &e);
    ok = ok && add_doc(r, &joined.doc, &e);
    for (const DocIn *d = job->docs; d != NULL; d = d->next) {
        if (d->state == DOC_MISSING) market_scope(r, SCOPE_PARTIAL);
    }
    if (ok) {
        add_documents(job, r);
        ok = market_finish(r, job->run->arena, &job->result->outcome, &e);
    } else {
        market_abandon(r);
    }
    doc_free(&joined);
    if (!ok) {
        fail_job(job, &e);
        return;
    }
    bool changed = job->result->outcome.fresh > 0 || job->result->outcome.gone > 0 || job->result->outcome.held > 0;
    job->result->status = changed ? REFRESH_OK : REFRESH_UNCHANGED;
    conclude(job);
}

static void doc_over(FeedJob *job) {
    if (job->over || job->n_open > 0) return;
    bool any = false;
    for (const DocIn *d = job->docs; d != NULL; d = d->next) any = any || d->state == DOC_IN;
    if (any) {
        take_in(job);
    } else {
        fail_job(job, &job->first);
    }
}

// ---------------------------------------------------------------- documents

static void begin(void *user) { doc_begin(user); }

static bool bytes(void *user, Str piece, Err *e) { return doc_bytes(user, piece, e); }

static void count_reply(FeedJob *job, const HttpReply *reply) {
    job->result->requests += (size_t)reply->attempts;
    job->result->not_modified += reply->status == 304;
    job->result->bytes += reply->bytes;
    if (reply->seconds > job->result->seconds) job->result->seconds = reply->seconds;
}

// Can the feed do without this document? Absent, or of another shape: yes, where it is optional. A server in trouble: no.
static bool bearable(const DocIn *d, const HttpReply *reply) {
    if (d->doc.feed->peers) return true;
    bool absent = reply->status == 404 || reply->status == 410 || reply->status == 403;
    return d->doc.spec->optional && (absent || reply->status == 200);
}

static bool same_text(const char *a, const char *b) { return strcmp(a != NULL ? a : "", b != NULL ? b : "") == 0; }

static bool same_row(const FeedRow *a, const FeedRow *b) {
    return same_text(a->instance, b->instance) && same_text(a->region, b->region) && same_text(a->gpu, b->gpu) && a->pricing_model == b->pricing_model && !(a->price < b->price) && !(a->price > b->price);
}

// Did an earlier page of the same kind hold the very same rows? Its text may differ by the link to the next page.
static bool repeats(const FeedJob *job, const DocIn *d) {
    for (const DocIn *o = job->docs; o != NULL && d->doc.spec->kind == FEED_JSON; o = o->next) {
        if (o == d || o->state != DOC_IN || o->doc.spec != d->doc.spec || o->doc.n_rows != d->doc.n_rows || d->doc.n_rows == 0) continue;
        size_t i = 0;
        while (i < d->doc.n_rows && same_row(&o->doc.rows[i], &d->doc.rows[i])) i++;
        if (i == d->doc.n_rows) return true;
    }
    return false;
}

static void doc_done(void *user, const HttpReply *reply, const Err *failed) {
    DocIn *d = user;
    FeedJob *job = d->doc.job;
    Err e = {0};
    count_reply(job, reply);
    job->n_open--;
    bool ok = failed == NULL;
    if (!ok) e = *failed;
    if (ok) {
        ok = doc_end(d, &e) && (!repeats(job, d) || err_set(&e, ERR_FAILED, "a page repeats"));
        if (!ok) {
            char shown[300];
            http_url_shown(shown, sizeof shown, d->doc.url);
            err_wrap(&e, "'%s'", shown);
        }
    }
    if (ok) {
        d->state = DOC_IN;
        d->etag = arena_copy(&job->arena, reply->etag, strlen(reply->etag));
        d->last_modified = arena_copy(&job->arena, reply->last_modified, strlen(reply->last_modified));
    } else {
        d->state = DOC_MISSING;
        bool bears = bearable(d, reply);
        doc_free(d);
        if (!bears) {
            fail_job(job, &e);
            return;
        }
        if (job->first.kind == ERR_NONE) job->first = e;
        warn(job, e.text);
    }
    doc_over(job);
}

static void ask(FeedJob *job, const FeedDocSpec *spec, const char *url, const char *label) {
    DocIn *d = arena_alloc(&job->arena, 1, sizeof *d);
    DocIn **end = &job->docs;
    while (*end != NULL) end = &(*end)->next;
    *end = d;
    *d = (DocIn){.doc = {.job = job, .feed = job->feed, .spec = spec, .url = url, .label = label, .today = job->run->options->now / 86400, .sellers = market_sellers(job->run->market)}, .etag = "", .last_modified = ""};
    doc_init(d);
    doc_begin(d);
    job->n_docs++;
    job->n_open++;
    http_add(job->run->http, &(HttpRequest){.url = url,
                                            .body = spec->body,
                                            .body_type = "application/json",
                                            .secret_header = job->secret_header,
                                            .types = doc_types(spec->kind),
                                            .body_max = spec->body_max,
                                            .timeout_s = spec->timeout_s,
                                            .group = job,
                                            .user = d,
                                            .begin = begin,
                                            .bytes = bytes,
                                            .done = doc_done});
}

bool feed_follow(FeedDoc *doc, const char *part, const char *url, const char *label, Err *e) {
    FeedJob *job = doc->job;
    const FeedDocSpec *spec = doc->spec;
    for (size_t i = 0; i < doc->feed->n_docs; i++) {
        if (strcmp(doc->feed->docs[i].part, part) == 0) spec = &doc->feed->docs[i];
    }
    if (job == NULL) return true;  // a parser that is tried alone
    if (!http_url_check(url, e)) return err_wrap(e, "the next page");
    const char *first = spec->url[0] != '\0' ? spec->url : doc->url;
    const char *to = NULL;
    if (spec->url[0] == '\0' && override_of(job, part) != NULL) {  // nowhere else is it known where that document is
        to = override_of(job, part);
    } else if (hosts_match(url, doc->url)) {
        to = arena_copy(&job->arena, url, strlen(url));
    } else if (hosts_match(url, first)) {
        to = real_url(job, part, arena_copy(&job->arena, url, strlen(url)));
    } else {
        return err_set(e, ERR_FAILED, "the next page is on another host");
    }
    if (job->n_docs >= FEED_DOCS_MAX) return err_set(e, ERR_FAILED, "more than %d pages", FEED_DOCS_MAX);
    for (const DocIn *d = job->docs; d != NULL; d = d->next) {
        if (strcmp(d->doc.url, to) == 0) return err_set(e, ERR_FAILED, "a page repeats: its link to the next one was followed before");
    }
    ask(job, spec, to, arena_copy(&job->arena, label, strlen(label)));
    return true;
}

FeedDoc *feed_doc(FeedJob *job, const char *part) {
    for (DocIn *d = job->docs; d != NULL; d = d->next) {
        if (d->state == DOC_IN && strcmp(d->doc.spec->part, part) == 0) return &d->doc;
    }
    return NULL;
}

static void fetch(FeedJob *job) {
    job->probing = false;
    for (size_t i = 0; i < job->feed->n_docs; i++) {
        const FeedDocSpec *spec = &job->feed->docs[i];
        if (spec->url[0] != '\0') ask(job, spec, real_url(job, spec->part, spec->url), "");
    }
}

// ---------------------------------------------------------------- did anything change?

static void ignore_begin(void *user) { (void)user; }

static bool ignore_bytes(void *user, Str piece, Err *e) {
    (void)user;
    (void)piece;
    (void)e;
    return true;
}

static void probe_done(void *user, const HttpReply *reply, const Err *failed) {
    Probe *p = user;
    FeedJob *job = p->job;
    Err e = {0};
    count_reply(job, reply);
    job->n_probes--;
    bool same = failed == NULL ? reply->status == 304 : !p->known && (reply->status == 404 || reply->status == 410 || reply->status == 403);
    if (!same) {
        http_cancel(job->run->http, job);
        fetch(job);
    } else if (job->n_probes == 0) {
        job->result->status = REFRESH_UNCHANGED;
        if (market_confirm(job->run->market, job->feed->name, &job->result->outcome.rows, &e)) {
            job->result->outcome.unchanged = job->result->outcome.rows;
            conclude(job);
        } else {
            fail_job(job, &e);
        }
    }
}

static void probe(FeedJob *job, const char *url, const MarketKnown *known, int timeout_s) {
    Probe *p = arena_alloc(&job->arena, 1, sizeof *p);
    *p = (Probe){job, known != NULL};
    job->n_probes++;
    http_add(job->run->http, &(HttpRequest){.url = url,
                                            .secret_header = job->secret_header,
                                            .etag = known != NULL ? known->etag : "",
                                            .last_modified = known != NULL ? known->last_modified : "",
                                            .probe = true,
                                            .body_max = FEED_MIB,
                                            .timeout_s = timeout_s,
                                            .group = job,
                                            .user = p,
                                            .begin = ignore_begin,
                                            .bytes = ignore_bytes,
                                            .done = probe_done});
}

static const MarketKnown *known_find(const MarketKnown *known, size_t n, const char *url) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(known[i].url, url) == 0) return &known[i];
    }
    return NULL;
}

// Asks for all documents of the last time and those that were missing then; false when that cannot tell.
static bool start_probes(FeedJob *job, const MarketKnown *known, size_t n) {
    const char *urls[FEED_DOCS_MAX];
    size_t found = 0;
    for (size_t i = 0; i < job->feed->n_docs; i++) {
        const FeedDocSpec *spec = &job->feed->docs[i];
        urls[i] = spec->url[0] != '\0' ? real_url(job, spec->part, spec->url) : "";
        found += known_find(known, n, urls[i]) != NULL;
        if (spec->body != NULL) return false;
    }
    if (found == 0) return false;
    job->probing = true;
    for (size_t i = 0; i < n; i++) probe(job, known[i].url, &known[i], 60);
    for (size_t i = 0; i < job->feed->n_docs; i++) {
        if (urls[i][0] != '\0' && known_find(known, n, urls[i]) == NULL) probe(job, urls[i], NULL, 60);
    }
    return true;
}

// ---------------------------------------------------------------- jobs

static bool secret(FeedJob *job, const char *name, const char **ret_value, Err *e) {
    const RefreshOptions *o = job->run->options;
    *ret_value = "";
    if (name == NULL || o->secret == NULL) return true;
    if (!o->secret(o->user, name, ret_value, e)) return false;
    for (const char *c = *ret_value; *c != '\0'; c++) {
        if ((unsigned char)*c <= ' ' || (unsigned char)*c >= 0x7f) return err_set(e, ERR_USAGE, "%s holds a blank or a character that no key has", name);
    }
    return true;
}

// Fills key and header; false: the job is over (skipped or failed).
static bool unlock(FeedJob *job, bool named) {
    const Feed *f = job->feed;
    Err e = {0};
    if (f->auth == AUTH_NONE) return true;
    bool ok = secret(job, f->key_name, &job->key, &e) && secret(job, f->team_name, &job->team, &e);
    bool lacking = ok && (job->key[0] == '\0' || (f->team_name != NULL && job->team[0] == '\0'));
    if (lacking) {
        const char *what = job->key[0] == '\0' ? f->key_name : f->team_name;
        ok = err_set(&e, ERR_USAGE, "needs a key: set %s, %s_FILE or %s_COMMAND", what, what, what);
    }
    if (lacking && !named) {
        job->result->status = REFRESH_SKIPPED;
        warn(job, e.text);
        conclude(job);
        return false;
    }
    if (!ok) {
        fail_job(job, &e);
        return false;
    }
    const char *scheme = f->auth == AUTH_BEARER ? "Authorization: Bearer" : f->auth == AUTH_TOKEN ? "Authorization: Token" : NULL;
    if (scheme != NULL) job->secret_header = arena_printf(&job->arena, "%s %s", scheme, job->key);
    if (f->auth == AUTH_HEADER) job->secret_header = arena_printf(&job->arena, "%s: %s", f->key_field, job->key);
    return true;
}

static void start_job(FeedJob *job, bool named) {
    const RefreshOptions *o = job->run->options;
    Err e = {0};
    FeedState state = {0};
    MarketKnown *known = NULL;
    size_t n_known = 0;
    if (!market_feed(job->run->market, job->feed->name, &job->arena, &state, &e) ||
        !market_documents(job->run->market, job->feed->name, &job->arena, &known, &n_known, &e)) {
        fail_job(job, &e);
        return;
    }
    double age_days = (double)(o->now - state.confirmed_at) / 86400;
    if (state.confirmed_at > 0 && age_days >= 0 && age_days <= o->max_age_days) {
        job->result->status = REFRESH_SKIPPED;
        job->result->outcome.rows = state.rows;
        warn(job, "fresh enough");
        conclude(job);
        return;
    }
    if (!unlock(job, named)) return;
    if (n_known == 0 || n_known >= FEED_DOCS_MAX || !start_probes(job, known, n_known)) fetch(job);
}

static bool check_urls(const RefreshOptions *o, Err *e) {
    for (size_t i = 0; i < o->n_urls; i++) {
        const RefreshUrl *u = &o->urls[i];
        const Feed *f = feed_find(u->name);
        bool found = f != NULL && u->part[0] == '\0';
        for (size_t k = 0; f != NULL && k < f->n_docs; k++) found = found || strcmp(f->docs[k].part, u->part) == 0;
        if (!found) return err_set(e, ERR_USAGE, "no feed has a document '%s%s%s'", u->name, u->part[0] != '\0' ? "." : "", u->part);
        if (!http_url_check(u->url, e)) return err_wrap(e, "document '%s%s%s'", u->name, u->part[0] != '\0' ? "." : "", u->part);
    }
    return true;
}

bool refresh_feeds(Market *m, const RefreshOptions *o, Arena *a, RefreshResult **ret_results, size_t *ret_n, Err *e) {
    Run run = {.market = m, .options = o, .arena = a};
    size_t n = o->n_names > 0 ? o->n_names : n_feeds;
    RefreshResult *results = arena_alloc(a, n, sizeof *results);
    FeedJob *jobs = arena_alloc(a, n, sizeof *jobs);
    for (size_t i = 0; i < o->n_names; i++) {
        if (feed_find(o->names[i]) == NULL) return err_set(e, ERR_USAGE, "unknown feed '%s'", o->names[i]);
    }
    if (!check_urls(o, e)) return false;
    HttpOptions http = {.ca_file = o->ca_file, .user_agent = o->user_agent};
    if (!http_open(&http, &run.http, e)) return false;
    for (size_t i = 0; i < n; i++) {
        const Feed *f = o->n_names > 0 ? feed_find(o->names[i]) : feed_table[i];
        results[i] = (RefreshResult){.name = f->name, .error = "", .warning = ""};
        jobs[i] = (FeedJob){.run = &run, .feed = f, .result = &results[i], .key = "", .team = ""};
        start_job(&jobs[i], o->n_names > 0);
    }
    bool ok = http_run(run.http, e);
    http_close(run.http);
    for (size_t i = 0; i < n; i++) {
        release(&jobs[i]);
        arena_free(&jobs[i].arena);
    }
    *ret_results = results;
    *ret_n = n;
    return ok;
}
