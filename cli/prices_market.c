// prices: rows that are quarantined, taken in, imported and forgotten.
#include <math.h>
#include <string.h>

#include "catalog/feeds/snapshot.h"
#include "cli/prices.h"
#include "src/report/price_history.h"

enum { IMPORT_BYTES_MAX = 512 * 1024 * 1024, LOCK_WAIT_S = 60 };

bool since_time(App *app, double default_days, const char **ret_since, Err *e) {
    Arena *a = &app->arena;
    if (!opt_set(app, OPT_SINCE)) {
        *ret_since = is_known(default_days) ? time_text(a, app->now - (int64_t)(default_days * DAY_S)) : "";
        return true;
    }
    Str text = str_of(opt_text(app, OPT_SINCE, ""));
    char unit = text.length > 0 ? text.data[text.length - 1] : '\0';
    double ago = 0;
    int64_t days = 0;
    if ((unit == 'd' || unit == 'h') && parse_number((Str){text.data, text.length - 1}, 0, 1e6, &ago, NULL)) {
        *ret_since = time_text(a, app->now - (int64_t)llround(ago * (unit == 'd' ? DAY_S : 3600)));
    } else if (text.length >= 10 && parse_date(text, &days, NULL)) {
        // The moment before that day, so that what came on it is in.
        *ret_since = time_text(a, text.length > 10 ? time_seconds(text.data) : days * DAY_S);
    } else {
        return err_set(e, ERR_USAGE,
                       "option '--since': '%s' is neither a date (2026-11-01) nor an age (7d, 12h)",
                       text.data);
    }
    return true;
}

// ---------------------------------------------------------------- quarantined rows

static bool asked_for(const App *app, const Quarantined *h) {
    const char *provider = opt_text(app, OPT_PROVIDER, "");
    const char *region = opt_text(app, OPT_REGION, "");
    return (provider[0] == '\0' || text_same(provider, h->offer.provider)) &&
           text_contains(h->offer.region, region);
}

int prices_quarantined(App *app) {
    Err e = {0};
    Market *m = NULL;
    Quarantined *quarantined = NULL;
    size_t n = 0;
    bool ok = app_market(app, &m, &e) && market_quarantined(m, &app->arena, &quarantined, &n, &e);
    market_close(m);
    if (!ok) return app_fail(app, &e);
    Listing l = price_quarantined(n, &app->arena);
    for (size_t i = 0; i < n; i++) {
        if (asked_for(app, &quarantined[i])) price_quarantined_row(&l, &quarantined[i]);
    }
    l.note =
        l.n_rows == 0
            ? "No row is quarantined."
            : arena_printf(
                  &app->arena,
                  "%s quarantined; the earlier prices stand. Take one in with `gpuadvise prices accept ID`.",
                  counted(&app->arena, l.n_rows, "row"));
    if (app->format == FORMAT_JSON) {
        Json *root = app_json(app);
        listing_json(&l, root);
        json_add_array(root, "offers");
    } else if (l.n_rows == 0 && app->format == FORMAT_TABLE) {
        text_wrapped(&app->out, l.note, 0, app_width(app));
    } else {
        app_listing(app, &l);
    }
    return EXIT_DONE;
}

// The ids that the arguments name: an id, or all of a feed or import.
static bool accepted_ids(App *app, const Quarantined *quarantined, size_t n, int64_t *ids, size_t *ret_n,
                         Err *e) {
    size_t used = 0;
    for (size_t i = 0; i < app->n_args; i++) {
        int64_t id = 0;
        size_t before = used;
        bool number = parse_integer(str_of(app->args[i]), 1, INT64_MAX, &id, NULL);
        for (size_t k = 0; k < n; k++) {
            bool wanted =
                number ? quarantined[k].id == id : text_same(quarantined[k].offer.feed, app->args[i]);
            for (size_t d = 0; d < used; d++) wanted = wanted && ids[d] != quarantined[k].id;
            if (wanted) ids[used++] = quarantined[k].id;
        }
        bool doubled = number && used == before;
        for (size_t d = 0; d < used && doubled; d++) doubled = ids[d] != id;
        if (doubled || (!number && used == before)) {
            return err_set(e, ERR_USAGE, "no row %s'%s' is held; see `gpuadvise prices list --quarantined`",
                           number ? "" : "of ", app->args[i]);
        }
    }
    *ret_n = used;
    return true;
}

int prices_accept(App *app) {
    Err e = {0};
    Catalog *c = NULL;
    Market *m = NULL;
    Quarantined *quarantined = NULL;
    size_t n = 0;
    size_t n_ids = 0;
    bool ok = app_kept(app, &c, &e) && app_market(app, &m, &e) &&
              market_quarantined(m, &app->arena, &quarantined, &n, &e);
    int64_t *ids = arena_alloc(&app->arena, n + 1, sizeof *ids);
    ok = ok && accepted_ids(app, quarantined, n, ids, &n_ids, &e) && market_accept(m, ids, n_ids, &e);
    market_close(m);
    if (!ok) return app_fail(app, &e);
    if (app->format == FORMAT_JSON) {
        Json *root = app_json(app);
        Json *list = json_add_array(root, "accepted");
        for (size_t i = 0; i < n_ids; i++) json_add_integer(list, NULL, ids[i]);
    } else {
        buf_printf(&app->out, "%s taken in.\n", counted(&app->arena, n_ids, "row"));
    }
    return EXIT_DONE;
}

// ---------------------------------------------------------------- retention

int prices_prune(App *app) {
    Err e = {0};
    Catalog *c = NULL;
    Market *m = NULL;
    size_t deleted = 0;
    size_t kept = 0;
    char before[32];
    if (!opt_set(app, OPT_OLDER_THAN))
        return app_refuse(app, "`prices prune` needs --older-than: what was last seen longer ago is "
                               "forgotten (--older-than 365d)");
    format_time(before, app->now - (int64_t)llround(opt_number(app, OPT_OLDER_THAN, 0) * DAY_S));
    bool ok =
        app_kept(app, &c, &e) && app_market(app, &m, &e) && market_prune(m, before, &deleted, &kept, &e);
    market_close(m);
    if (!ok) return app_fail(app, &e);
    if (app->format == FORMAT_JSON) {
        Json *root = app_json(app);
        json_add(root, J_TEXT("before", before), J_INTEGER("deleted", deleted), J_INTEGER("kept", kept));
    } else {
        buf_printf(&app->out, "%s last seen before %s forgotten, %zu kept.\n",
                   counted(&app->arena, deleted, "observation"), before, kept);
    }
    return EXIT_DONE;
}

// ---------------------------------------------------------------- import

// "import-" and the file's name without its folder: prices.csv and prices.json are two lists.
static const char *import_name(App *app, const char *path) {
    const char *base = path_name(path);
    size_t length = strlen(base);
    return arena_printf(&app->arena, "import-%.*s", (int)(length > 100 ? 100 : length), base);
}

static void rejects_text(App *app, const char *what, const MarketReject *list, size_t n) {
    for (size_t i = 0; i < n; i++) {
        app_line(app, 4, "%s %zu: %s (%s)", what, list[i].count, list[i].reason, list[i].example);
    }
}

static void ignored_text(App *app, const MarketOutcome *out) {
    Buf line;
    if (out->n_ignored == 0) return;
    buf_init(&line, 20000);
    buf_printf(&line, "%s not read: ", counted(&app->arena, out->n_ignored, "column"));
    for (size_t i = 0; i < out->n_ignored; i++)
        buf_printf(&line, "%s%s", i == 0 ? "" : ", ",
                   out->ignored[i][0] == '\0' ? "(without a name)" : out->ignored[i]);
    text_wrapped(&app->out, line.data, 4, app_width(app));
    buf_free(&line);
}

static void renamed_text(App *app, const MarketOutcome *out) {
    Buf line;
    if (out->n_renamed == 0) return;
    buf_init(&line, 200000);
    buf_printf(&line, "%s by another name here: ", counted(&app->arena, out->n_renamed, "seller"));
    for (size_t i = 0; i < out->n_renamed; i++)
        buf_printf(&line, "%s'%s' is %s", i == 0 ? "" : ", ", out->renamed[i].stated,
                   out->renamed[i].provider);
    text_wrapped(&app->out, line.data, 4, app_width(app));
    buf_free(&line);
}

static void import_answer(App *app, const char *name, const MarketOutcome *out) {
    if (out->one_sided[0] != '\0') app_warn_text(app, out->one_sided);
    if (app->format == FORMAT_JSON) {
        Json *root = app_json(app);
        json_add_text(app->inputs, "file", app->args[0]);
        const char *status = out->fresh == 0 && out->gone == 0 ? "unchanged" : "ok";
        Json *j = outcome_json(json_add_array(root, "providers"), name, status, out);
        json_add_integer(j, "undated", (int64_t)out->undated);
        json_add_texts(j, "ignored_columns", out->ignored, out->n_ignored);
        Json *renamed = json_add_array(j, "renamed_providers");
        for (size_t i = 0; i < out->n_renamed; i++) {
            Json *pair = json_add_object(renamed, NULL);
            json_add(pair, J_TEXT("stated", out->renamed[i].stated),
                     J_TEXT("provider", out->renamed[i].provider));
        }
        json_add_text_or_null(j, "note", out->shrunk);
        json_add_null(j, "error");
        return;
    }
    buf_printf(&app->out,
               "%s: %s taken in, %zu of them new or changed, %zu as before; %zu gone, %zu quarantined, %zu "
               "rejected.\n",
               name, counted(&app->arena, out->rows, "row"), out->fresh, out->unchanged, out->gone,
               out->quarantined, out->rejected);
    ignored_text(app, out);
    renamed_text(app, out);
    rejects_text(app, "rejected", out->rejects, out->n_rejects);
    rejects_text(app, "quarantined", out->quarantines, out->n_quarantines);
    if (out->shrunk[0] != '\0')
        buf_printf(&app->out, "%s; what is missing stays until its rows are taken in (prices accept)\n",
                   out->shrunk);
    if (out->undated > 0)
        buf_printf(&app->out,
                   "%zu without a date: they count as of today, unless --as-of says when they were asked\n",
                   out->undated);
    if (out->unmapped > 0)
        buf_printf(&app->out, "%zu of GPUs that the catalog does not know (--unmapped): %s\n", out->unmapped,
                   out->unmapped_names);
}

static int import_text(App *app, const char *path, const char *name, Str text) {
    static const PriceOf prices_of[] = {PRICE_OF_INSTANCE, PRICE_OF_GPU};
    Err e = {0};
    Catalog *c = NULL;
    Market *m = NULL;
    MarketLock *lock = NULL;
    MarketOutcome out = {0};
    int of = opt_choice(app, OPT_PRICE_OF, -1);
    const char *const *columns = NULL;
    size_t n_columns = opt_list(app, OPT_COLUMN, &columns);
    const ImportAsked asked = {.file = path,
                               .provider = opt_text(app, OPT_PROVIDER, ""),
                               .as_of = opt_text(app, OPT_AS_OF, ""),
                               .price_of = of < 0 ? PRICE_OF_UNSAID : prices_of[of],
                               .columns = columns,
                               .n_columns = n_columns};
    const char *source = text_clean(&app->arena, arena_printf(&app->arena, "import of %s", path));
    FeedState before = {0};
    int64_t day = 0;
    bool ok = asked.as_of[0] == '\0' || parse_date(str_of(asked.as_of), &day, &e);
    if (!ok) {
        e.kind = ERR_USAGE;
        err_wrap(&e, "--as-of '%s'", asked.as_of);
    }
    ok = ok && app_catalog(app, &c, &e) && market_lock(c, LOCK_WAIT_S, NULL, &lock, &e);
    if (ok && lock == NULL) ok = err_set(&e, ERR_FAILED, "another refresh or import is under way");
    ok = ok && clock_now(&app->now, &e) && app_market(app, &m, &e) &&
         market_feed(m, name, &app->arena, &before, &e) &&
         (market_import(m, name, source, text, &asked, &app->arena, &out, &e) ||
          err_wrap(&e, "import '%s'", path));
    bool ahead = ok && market_is_ahead(m, &before);
    market_close(m);
    market_unlock(lock);
    if (!ok) return app_fail(app, &e);
    if (ahead)
        app_warn(app,
                 "'%s': its last import was dated ahead of this machine's clock; what was seen then counts "
                 "as seen now",
                 name);
    if (out.ahead > 0)
        app_warn(app, "%s dated ahead of this machine's clock", counted(&app->arena, out.ahead, "row"));
    import_answer(app, name, &out);
    return EXIT_DONE;
}

int prices_import(App *app) {
    Err e = {0};
    Catalog *c = NULL;
    Str text;
    const char *path = app->args[0];
    bool url = strstr(path, "://") != NULL;
    // A URL's query may hold a token: it is asked for, and kept nowhere.
    const char *shown = url ? arena_copy(&app->arena, path, strcspn(path, "?#")) : path;
    const char *name = opt_text(app, OPT_NAME, import_name(app, shown));
    if (!app_kept(app, &c, &e)) return app_fail(app, &e);
    bool ok = url ? prices_fetch(app, path, IMPORT_BYTES_MAX, &text, &e)
                  : file_read(&app->arena, path, IMPORT_BYTES_MAX, &text, &e);
    if (!ok) return app_fail(app, &e);
    if (!snapshot_is(text)) return import_text(app, shown, name, text);
    if (!url) return prices_import_snapshot(app, path, text);
    return app_refuse(app, "'%s' is a snapshot: `gpuadvise prices refresh --from URL` takes it in", shown);
}
