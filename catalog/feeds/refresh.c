// Refreshing prices: one job a feed, one request a document, all in one loop.
//
// A feed whose documents all have validators is probed first: only when every one answers 304 did nothing
// change, since rows of one document cannot be taken without those of the others. Else everything is fetched.
#include "catalog/feeds/refresh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "catalog/feeds/refresh_job.h"
#include "db/db.h"

const char *const refresh_status_names[] = {"ok", "unchanged", "failed", "skipped", NULL};
NAMES_FIT(refresh_status_names, REFRESH_SKIPPED + 1);

// One question whether a document changed.
typedef struct Probe {
    FeedJob *job;
    bool known;  // else it was missing last time, and may still be
} Probe;

const char *const *refresh_names(Arena *a, size_t *ret_n) {
    const char **names = arena_alloc(a, n_feeds + 1, sizeof *names);
    for (size_t i = 0; i < n_feeds; i++) names[i] = feed_table[i]->name;
    *ret_n = n_feeds;
    return names;
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
    job->result->unkept = db_at_fault(e);
    job->result->error = job->result->unkept
                             ? arena_printf(job->run->arena, "the program's own database: %s", e->text)
                             : arena_copy(job->run->arena, e->text, strlen(e->text));
    conclude(job);
}

static void warn(FeedJob *job, const char *text) {
    RefreshResult *r = job->result;
    r->warning = r->warning[0] == '\0' ? arena_copy(job->run->arena, text, strlen(text))
                                       : arena_printf(job->run->arena, "%s; %s", r->warning, text);
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
    DocIn joined = {.doc = {.job = job,
                            .feed = job->feed,
                            .spec = &job->feed->docs[0],
                            .url = "",
                            .label = "",
                            .today = job->run->options->now / DAY_S,
                            .sellers = market_sellers(job->run->market)}};
    MarketRefresh *r = market_begin(job->run->market, job->feed->name, job->feed->home);
    bool ok = job->feed->finish == NULL || job->feed->finish(job, &joined.doc, &e);
    for (DocIn *d = job->docs; ok && d != NULL; d = d->next)
        ok = d->state != DOC_IN || doc_add_rows(&d->doc, r, &e);
    ok = ok && doc_add_rows(&joined.doc, r, &e);
    bool partial = job->partial;
    for (const DocIn *d = job->docs; d != NULL; d = d->next) partial = partial || d->state == DOC_MISSING;
    if (partial) market_scope(r, SCOPE_PARTIAL);
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
    if (job->result->outcome.shrunk[0] != '\0') warn(job, job->result->outcome.shrunk);
    bool changed = job->result->outcome.fresh > 0 || job->result->outcome.gone > 0 ||
                   job->result->outcome.quarantined_new > 0;
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

// Can the feed do without this document? Absent, or of another shape: yes, where it is optional. A server in
// trouble: no.
static bool bearable(const DocIn *d, const HttpReply *reply) {
    if (d->doc.feed->peers) return true;
    bool absent = reply->status == 404 || reply->status == 410 || reply->status == 403;
    return d->doc.spec->optional && (absent || reply->status == 200);
}

static bool same_text(const char *a, const char *b) {
    return strcmp(a != NULL ? a : "", b != NULL ? b : "") == 0;
}

static bool same_row(const FeedRow *a, const FeedRow *b) {
    return same_text(a->instance, b->instance) && same_text(a->region, b->region) &&
           same_text(a->gpu, b->gpu) && a->pricing_model == b->pricing_model && !(a->price < b->price) &&
           !(a->price > b->price);
}

// Did an earlier page of the same kind hold the very same rows? Its text may differ by the link to the next
// page.
static bool repeats(const FeedJob *job, const DocIn *d) {
    for (const DocIn *o = job->docs; o != NULL && d->doc.spec->kind == FEED_JSON; o = o->next) {
        if (o == d || o->state != DOC_IN || o->doc.spec != d->doc.spec || o->doc.n_rows != d->doc.n_rows ||
            d->doc.n_rows == 0)
            continue;
        size_t i = 0;
        while (i < d->doc.n_rows && same_row(&o->doc.rows[i], &d->doc.rows[i])) i++;
        if (i == d->doc.n_rows) return true;
    }
    return false;
}

static void doc_done(void *user, const HttpReply *reply, const Err *failed);

static void job_ask(FeedJob *job, const Wanted *wanted) {
    const FeedDocSpec *spec = wanted->spec;
    DocIn *d = arena_alloc(&job->arena, 1, sizeof *d);
    DocIn **end = &job->docs;
    while (*end != NULL) end = &(*end)->next;
    *end = d;
    *d = (DocIn){.doc = {.job = job,
                         .feed = job->feed,
                         .spec = spec,
                         .url = wanted->url,
                         .label = wanted->label,
                         .today = job->run->options->now / DAY_S,
                         .sellers = market_sellers(job->run->market)},
                 .etag = "",
                 .last_modified = ""};
    doc_init(d);
    doc_begin(d);
    job->n_docs++;
    job->n_open++;
    http_add(job->run->http, &(HttpRequest){.url = wanted->url,
                                            .body = spec->body,
                                            .body_type = "application/json",
                                            .secret_header = job->secret_header,
                                            .types = doc_types(spec->kind),
                                            .body_max = feed_body_max(spec),
                                            .timeout_s = spec->timeout_s > 0 ? spec->timeout_s : 60,
                                            .group = job,
                                            .user = d,
                                            .begin = begin,
                                            .bytes = bytes,
                                            .done = doc_done});
}

// Asks for what the document leads to.
static bool follow_links(FeedJob *job, const FeedDoc *doc, Err *e) {
    for (size_t i = 0; i < doc->n_links; i++) {
        Wanted wanted;
        if (!job_follow(job, doc, &doc->links[i], &wanted, e)) return false;
        job_ask(job, &wanted);
    }
    return true;
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
        ok = doc_end(d, &e) && follow_links(job, &d->doc, &e) &&
             (!repeats(job, d) || err_set(&e, ERR_FAILED, "a page repeats"));
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
        job->result->missing++;
        if (job->first.kind == ERR_NONE) job->first = e;
        warn(job, e.text);
    }
    doc_over(job);
}

static void fetch(FeedJob *job) {
    const Wanted *wanted = NULL;
    size_t n = 0;
    Err e = {0};
    job->probing = false;
    if (!job_wanted(job, &wanted, &n, &e)) {
        fail_job(job, &e);
        return;
    }
    for (size_t i = 0; i < n && !job->over; i++) job_ask(job, &wanted[i]);
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
    bool same = failed == NULL
                    ? reply->status == 304
                    : !p->known && (reply->status == 404 || reply->status == 410 || reply->status == 403);
    job->result->missing += same && !p->known;
    if (!same) {
        job->result->missing = 0;
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

static const MarketKnown *known_find(const FeedJob *job, const char *url) {
    return row_named(url, job->known, job->n_known, sizeof *job->known);
}

static bool is_wanted(const Wanted *wanted, size_t n, const char *url) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(wanted[i].url, url) == 0) return true;
    }
    return false;
}

// Asks for all documents of the last time and those that were missing then; false when that cannot tell.
static bool start_probes(FeedJob *job) {
    const Wanted *wanted = NULL;
    size_t n = 0, found = 0;
    Err e = {0};
    if (!job_wanted(job, &wanted, &n, &e)) return false;  // fetch says so
    for (size_t i = 0; i < n; i++) {
        if (wanted[i].spec->body != NULL) return false;
        found += known_find(job, wanted[i].url) != NULL;
    }
    // The list of a region that is not asked for now: its prices stand.
    for (size_t i = 0; i < job->n_known && job->feed->n_regions > 0; i++)
        job->partial = job->partial || !is_wanted(wanted, n, job->known[i].url);
    if (found == 0) return false;
    job->probing = true;
    for (size_t i = 0; i < job->n_known; i++) {
        bool left_out = job->feed->n_regions > 0 && !is_wanted(wanted, n, job->known[i].url);
        if (!left_out) probe(job, job->known[i].url, &job->known[i], 60);
    }
    for (size_t i = 0; i < n; i++) {
        if (known_find(job, wanted[i].url) == NULL) probe(job, wanted[i].url, NULL, 60);
    }
    return true;
}

// ---------------------------------------------------------------- jobs

// Fills key and header; false: the job is over (skipped or failed).
static bool unlock(FeedJob *job, bool named) {
    const Feed *f = job->feed;
    Err e = {0};
    if (f->auth == AUTH_NONE) return true;
    bool ok = job_secret(job, f->key_name, &job->key, &e) && job_secret(job, f->team_name, &job->team, &e) &&
              job_secret(job, f->id_name, &job->id, &e);
    const char *what = job->key[0] == '\0'                            ? f->key_name
                       : f->team_name != NULL && job->team[0] == '\0' ? f->team_name
                       : f->id_name != NULL && job->id[0] == '\0'     ? f->id_name
                                                                      : NULL;
    bool lacking = ok && what != NULL;
    if (lacking) {
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
    const char *scheme = f->auth == AUTH_BEARER  ? "Authorization: Bearer"
                         : f->auth == AUTH_TOKEN ? "Authorization: Token"
                                                 : NULL;
    if (scheme != NULL) job->secret_header = arena_printf(&job->arena, "%s %s", scheme, job->key);
    if (f->auth == AUTH_HEADER)
        job->secret_header = arena_printf(&job->arena, "%s: %s", f->key_field, job->key);
    return true;
}

static void begin_job(FeedJob *job) {
    if (job->n_known == 0 || job->n_known >= FEED_DOCS_MAX || !start_probes(job)) fetch(job);
}

static void token_done(FeedJob *job, const char *token, const HttpReply *reply, const Err *failed) {
    count_reply(job, reply);
    if (failed != NULL) {
        fail_job(job, failed);
        return;
    }
    job->secret_header = arena_printf(&job->arena, "Authorization: Bearer %s", token);
    begin_job(job);
}

static bool is_fresh(const RefreshOptions *o, const FeedState *s, int64_t now) {
    double age_days = (double)(now - s->confirmed_at) / DAY_S;
    return s->confirmed_at > 0 && age_days >= 0 && age_days <= o->max_age_days;
}

static void start_job(FeedJob *job, bool named) {
    const RefreshOptions *o = job->run->options;
    Err e = {0};
    FeedState state = {0};
    MarketKnown *known = NULL;
    if (!market_feed(job->run->market, job->feed->name, &job->arena, &state, &e) ||
        !market_documents(job->run->market, job->feed->name, &job->arena, &known, &job->n_known, &e)) {
        fail_job(job, &e);
        return;
    }
    job->known = known;
    job->result->ahead = market_is_ahead(job->run->market, &state);
    if (is_fresh(o, &state, o->now)) {
        job->result->status = REFRESH_SKIPPED;
        job->result->outcome.rows = state.rows;
        warn(job, "fresh enough");
        conclude(job);
        return;
    }
    if (!unlock(job, named)) return;
    for (size_t i = 0; i < job->feed->n_docs; i++) {
        const FeedDocSpec *spec = &job->feed->docs[i];
        if (!spec->token) continue;
        token_ask(job, job_url(job, spec->part, spec->url), token_done);
        return;
    }
    begin_job(job);
}

bool refresh_secrets(Market *m, const RefreshOptions *o, double wait_s, Err *e) {
    Arena a = {0};
    bool ok = true;
    size_t n = o->n_names > 0 ? o->n_names : n_feeds;
    for (size_t i = 0; ok && o->secret != NULL && i < n; i++) {
        const Feed *f = o->n_names > 0 ? feed_find(o->names[i]) : feed_table[i];
        FeedState state;
        if (f == NULL || f->auth == AUTH_NONE) continue;
        ok = market_feed(m, f->name, &a, &state, e);
        if (!ok || is_fresh(o, &state, o->now + (int64_t)wait_s)) continue;
        const char *const names[] = {f->key_name, f->team_name, f->id_name};
        for (size_t k = 0; k < COUNT_OF(names); k++) {
            const char *value = "";
            Err later = {0};  // refresh_feeds says it of the feed
            if (names[k] != NULL) o->secret(o->user, names[k], &value, &later);
        }
    }
    arena_free(&a);
    return ok;
}

static bool check_urls(const RefreshOptions *o, Err *e) {
    for (size_t i = 0; i < o->n_urls; i++) {
        const RefreshUrl *u = &o->urls[i];
        const Feed *f = feed_find(u->name);
        bool found = f != NULL && u->part[0] == '\0';
        for (size_t k = 0; f != NULL && k < f->n_docs; k++)
            found = found || strcmp(f->docs[k].part, u->part) == 0;
        if (!found)
            return err_set(e, ERR_USAGE, "no feed has a document '%s%s%s'", u->name,
                           u->part[0] != '\0' ? "." : "", u->part);
        if (!http_url_check(u->url, e))
            return err_wrap(e, "document '%s%s%s'", u->name, u->part[0] != '\0' ? "." : "", u->part);
    }
    return true;
}

bool refresh_feeds(Market *m, const RefreshOptions *o, Arena *a, RefreshResult **ret_results, size_t *ret_n,
                   Err *e) {
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
        jobs[i] = (FeedJob){.run = &run, .feed = f, .result = &results[i], .key = "", .id = "", .team = ""};
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
