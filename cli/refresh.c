// prices refresh: asks the feeds, says in one line what came of it.
#include <math.h>
#include <string.h>

#include "catalog/feeds/minisign.h"
#include "catalog/feeds/refresh.h"
#include "catalog/feeds/snapshot.h"
#include "cli/prices.h"
#include "cli/secret.h"

enum { LOCK_WAIT_S = 600 };

// Of one run: who is told, and the secrets that were asked for.
typedef struct Asking {
    App *app;
    Secrets secrets;
} Asking;

static bool secret(void *user, const char *name, const char **ret_value, Err *e) {
    return secret_find(&((Asking *)user)->secrets, name, ret_value, e);
}

// ---------------------------------------------------------------- what is asked

static bool read_urls(App *app, RefreshOptions *o, Err *e) {
    const char *const *texts = NULL;
    size_t n = opt_list(app, OPT_FEED_URL, &texts);
    RefreshUrl *urls = arena_alloc(&app->arena, n + 1, sizeof *urls);
    for (size_t i = 0; i < n; i++) {
        Str name = {texts[i], strcspn(texts[i], "=")};
        Str part = {"", 0};
        const char *dot = memchr(name.data, '.', name.length);
        if (texts[i][name.length] == '\0')
            return err_set(e, ERR_USAGE, "option '--feed-url': '%.60s' is not NAME=URL", texts[i]);
        const char *url = texts[i] + name.length + 1;
        if (dot != NULL) {
            part = (Str){dot + 1, name.length - (size_t)(dot + 1 - name.data)};
            name.length = (size_t)(dot - name.data);
        }
        urls[i] = (RefreshUrl){arena_copy(&app->arena, name.data, name.length),
                               arena_copy(&app->arena, part.data, part.length), url};
    }
    o->urls = urls;
    o->n_urls = n;
    return true;
}

// A seller that no feed asks by its name is none that nobody knows.
static bool unknown_feed(App *app, const char *name, const char *const *known, size_t n_known, Err *e) {
    Catalog *c = NULL;
    void *rows = NULL;
    size_t n = 0;
    Err unread = {0};
    if (app_catalog(app, &c, &unread) && catalog_rows(c, TABLE_SELLERS, &app->arena, &rows, &n, &unread)) {
        const Seller *sellers = rows;
        for (size_t i = 0; i < n; i++) {
            if (!text_same(sellers[i].provider, name)) continue;
            return err_set(e, ERR_USAGE,
                           "no feed asks %s itself (docs/prices-feeds.md says which sellers answer): "
                           "`gpuadvise prices list --provider %s` shows what others list of it, `prices "
                           "import FILE --provider %s` takes a list of yours",
                           sellers[i].provider, sellers[i].provider, sellers[i].provider);
        }
    }
    return name_unknown(e, "feed", name, known, n_known);
}

static bool read_names(App *app, RefreshOptions *o, Err *e) {
    size_t n_known = 0;
    const char *const *known = refresh_names(&app->arena, &n_known);
    const char **names = arena_alloc(&app->arena, app->n_args + 1, sizeof *names);
    for (size_t i = 0; i < app->n_args; i++) {
        size_t k = 0;
        while (k < n_known && !text_same(known[k], app->args[i])) k++;
        if (k == n_known) return unknown_feed(app, app->args[i], known, n_known, e);
        bool twice = false;
        for (size_t j = 0; j < o->n_names; j++) twice = twice || names[j] == known[k];
        if (!twice) names[o->n_names++] = known[k];
    }
    o->names = names;
    return true;
}

// "us-east-1,eu-central-1"
static void read_regions(App *app, RefreshOptions *o) {
    const char *text = opt_text(app, OPT_FEED_REGIONS, "");
    Str rest = str_of(text);
    Str part;
    const char **regions = arena_alloc(&app->arena, strlen(text) + 1, sizeof *regions);
    while (text[0] != '\0' && str_next(&rest, ',', &part)) {
        part = str_trim(part);
        if (part.length > 0) regions[o->n_regions++] = arena_copy(&app->arena, part.data, part.length);
    }
    o->regions = regions;
}

static void on_finished(void *user, const RefreshResult *r) {
    App *app = ((Asking *)user)->app;
    app_step(app, app->steps_done + 1, r->name);
    if (r->status == REFRESH_FAILED) {
        app_warn(app, "feed '%s': %s; its earlier prices stay", r->name, r->error);
    } else if (r->warning[0] != '\0' && r->status != REFRESH_SKIPPED) {
        app_note(app, "feed '%s': %s", r->name, r->warning);
    }
    if (r->ahead && r->status != REFRESH_FAILED)
        app_warn(app,
                 "feed '%s': its last refresh was dated ahead of this machine's clock; what was seen then "
                 "counts as seen now",
                 r->name);
    if (r->outcome.ahead > 0)
        app_warn(app, "feed '%s': %s dated ahead of this machine's clock", r->name,
                 counted(&app->arena, r->outcome.ahead, "row"));
    if (r->missing > 0 && r->status != REFRESH_FAILED && opt_flag(app, OPT_STRICT))
        app_warn(app, "feed '%s': %zu of its documents are missing: %s", r->name, r->missing, r->warning);
    if (r->status != REFRESH_FAILED && r->outcome.shrunk != NULL && r->outcome.shrunk[0] != '\0')
        app_warn(app, "feed '%s': %s; what is missing stays, and ages", r->name, r->outcome.shrunk);
    if (r->outcome.quarantined_new > 0)
        app_warn(app, "feed '%s': %s quarantined as doubtful; see `gpuadvise prices list --quarantined`",
                 r->name, counted(&app->arena, r->outcome.quarantined_new, "row"));
    app_note(app, "feed '%s': %s, %s, %.1f s", r->name, refresh_status_names[r->status],
             counted(&app->arena, r->outcome.rows, "row"), r->seconds);
}

// ---------------------------------------------------------------- answers

static void answer_json(App *app, const RefreshResult *results, size_t n) {
    Json *root = app_json(app);
    Json *list = json_add_array(root, "providers");
    for (size_t i = 0; i < n; i++) {
        const RefreshResult *r = &results[i];
        const MarketOutcome *o = &r->outcome;
        Json *j = outcome_json(list, r->name, refresh_status_names[r->status], o);
        json_add(j, J_INTEGER("held", o->quarantined), J_INTEGER("held_new", o->quarantined_new),
                 J_INTEGER("missing_documents", r->missing),
                 J_TEXT_OR_NULL("unmapped_names", o->unmapped_names != NULL ? o->unmapped_names : ""),
                 J_TEXT_OR_NULL("error", r->error), J_TEXT_OR_NULL("note", r->warning),
                 J_NUMBER("seconds", r->seconds), J_INTEGER("bytes", r->bytes),
                 J_INTEGER("requests", r->requests), J_INTEGER("not_modified", r->not_modified));
    }
}

static void answer_line(App *app, const RefreshResult *results, size_t n, const size_t *by_status) {
    MarketOutcome sum = {0};
    for (size_t i = 0; i < n; i++) {
        const MarketOutcome *o = &results[i].outcome;
        sum.rows += o->rows;
        sum.fresh += o->fresh;
        sum.gone += o->gone;
        sum.quarantined += o->quarantined;
        sum.rejected += o->rejected;
        sum.unmapped += o->unmapped;
    }
    if (by_status[REFRESH_FAILED] > 0)
        app_warn(app, "%zu of %zu feeds failed; their earlier prices stay", by_status[REFRESH_FAILED], n);
    buf_printf(
        &app->out,
        "%zu refreshed, %zu unchanged, %zu failed, %zu skipped: %s, %zu new, %zu gone, %zu quarantined, %zu "
        "rejected, %zu unmapped\n",
        by_status[REFRESH_OK], by_status[REFRESH_UNCHANGED], by_status[REFRESH_FAILED],
        by_status[REFRESH_SKIPPED], counted(&app->arena, sum.rows, "row"), sum.fresh, sum.gone,
        sum.quarantined, sum.rejected, sum.unmapped);
}

static bool write_metrics(App *app, Market *m, Err *e) {
    if (!opt_set(app, OPT_METRICS)) return true;
    Buf text;
    buf_init(&text, BUF_LIMIT);
    bool ok = market_metrics(m, &text, e) &&
              file_write(opt_text(app, OPT_METRICS, ""), text.length > 0 ? text.data : "", text.length, e);
    buf_free(&text);
    return ok;
}

// A snapshot that somebody publishes, with its signature beside it.
static int take_from(App *app, const RefreshOptions *o) {
    Err e = {0};
    Catalog *c = NULL;
    Str text, signature;
    const char *url = opt_text(app, OPT_FROM, "");
    if (app->n_args > 0)
        return app_refuse(app, "--from takes a whole snapshot: no feeds can be named with it");
    bool ok = app_kept(app, &c, &e) && refresh_fetch(o, url, SNAPSHOT_BYTES_MAX, &app->arena, &text, &e) &&
              refresh_fetch(o, arena_printf(&app->arena, "%s.minisig", url), MINISIGN_TEXT_MAX, &app->arena,
                            &signature, &e);
    return ok ? prices_take_snapshot(app, url, text, signature) : app_fail(app, &e);
}

// Nothing can be kept, `why`: no feed is asked, and metrics say so of those that were named, without names of
// those that are known.
static void tell_unkept(App *app, const RefreshOptions *o, const Err *why) {
    Market *m = NULL;
    FeedState *states = NULL;
    size_t n = 0;
    Err e = {0};
    if (app->catalog == NULL || !opt_set(app, OPT_METRICS)) return;
    bool ok = app_market(app, &m, &e) && market_feeds(m, &app->arena, &states, &n, &e);
    for (size_t i = 0; ok && o->n_names == 0 && i < n; i++)
        ok = states[i].private || market_failed(m, states[i].feed, why->text, &e);
    for (size_t i = 0; ok && i < o->n_names; i++) ok = market_failed(m, o->names[i], why->text, &e);
    if (!ok || !write_metrics(app, m, &e)) app_warn(app, "%s", e.text);
    market_close(m);
}

// Secrets first: a command that prints one may take its time, and nobody shall wait for it.
static bool refresh(App *app, Asking *asking, RefreshOptions *o, RefreshResult **ret_results, size_t *ret_n,
                    Err *e) {
    Catalog *c = NULL;
    Market *m = NULL;
    MarketLock *lock = NULL;
    if (!app_kept(app, &c, e)) {
        tell_unkept(app, o, e);
        return false;
    }
    bool ok = app_market(app, &m, e) && refresh_secrets(m, o, LOCK_WAIT_S, e);
    market_close(m);
    m = NULL;
    asking->secrets.closed = true;
    ok = ok && market_lock(c, LOCK_WAIT_S, NULL, &lock, e);
    if (ok && lock == NULL) ok = err_set(e, ERR_FAILED, "another refresh of this database is still running");
    ok = ok && clock_now(&app->now, e);  // the wait for another's refresh is over: this one is newer
    o->now = app->now;
    ok = ok && app_market(app, &m, e) && refresh_feeds(m, o, &app->arena, ret_results, ret_n, e) &&
         write_metrics(app, m, e);
    market_close(m);
    market_unlock(lock);
    return ok;
}

static RefreshOptions base_options(App *app) {
    return (RefreshOptions){.max_age_days = opt_number(app, OPT_MAX_AGE, (double)NAN),
                            .now = app->now,
                            .user_agent = arena_printf(&app->arena, "gpuadvise/%s (prices)", tool_version()),
                            .ca_file = opt_text(app, OPT_CA, NULL)};
}

bool prices_fetch(App *app, const char *url, size_t limit, Str *ret_text, Err *e) {
    RefreshOptions o = base_options(app);
    if (opt_flag(app, OPT_OFFLINE))
        return err_set(e, ERR_USAGE, "a URL needs the network, and --offline refuses it");
    return refresh_fetch(&o, url, limit, &app->arena, ret_text, e);
}

int prices_refresh(App *app) {
    Err e = {0};
    RefreshResult *results = NULL;
    size_t n = 0;
    size_t by_status[4] = {0};
    Asking asking = {.app = app, .secrets = {.app = app}};
    RefreshOptions o = base_options(app);
    o.secret = secret;
    o.finished = on_finished;
    o.user = &asking;
    if (opt_flag(app, OPT_OFFLINE))
        return app_refuse(app, "`prices refresh` needs the network, and --offline refuses it");
    if (app->format == FORMAT_CSV || app->format == FORMAT_MD)
        return app_refuse(app, "format '%s' is not available for 'prices refresh'",
                          format_names[app->format]);
    if (opt_set(app, OPT_FROM) && opt_set(app, OPT_METRICS))
        return app_refuse(app, "--metrics speaks of feeds: it does not go with --from");
    if (opt_set(app, OPT_FROM)) return take_from(app, &o);
    read_regions(app, &o);
    refresh_names(&app->arena, &app->steps);
    if (app->n_args > 0) app->steps = app->n_args;
    app_step(app, 0, "asking");
    if (!read_names(app, &o, &e) || !read_urls(app, &o, &e) || !refresh(app, &asking, &o, &results, &n, &e))
        return app_fail(app, &e);
    for (size_t i = 0; i < n; i++) {
        const char *sides = results[i].outcome.one_sided;
        by_status[results[i].status]++;
        if (sides != NULL && sides[0] != '\0') app_warn(app, "%s: %s", results[i].name, sides);
    }
    if (app->format == FORMAT_JSON) {
        answer_json(app, results, n);
    } else {
        answer_line(app, results, n, by_status);
    }
    size_t failed = by_status[REFRESH_FAILED];
    bool all = failed > 0 && failed + by_status[REFRESH_SKIPPED] == n;
    bool unkept = false;
    size_t missing = 0;
    for (size_t i = 0; i < n; i++) {
        missing += results[i].missing;
        unkept = unkept || results[i].unkept;
    }
    return all || unkept || (failed + missing > 0 && opt_flag(app, OPT_STRICT)) ? EXIT_FAILED : EXIT_DONE;
}
