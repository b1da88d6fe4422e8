// prices export --snapshot, and taking a snapshot in: signed, or not at all.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "catalog/feeds/minisign.h"
#include "catalog/feeds/snapshot.h"
#include "cli/prices.h"
#include "cli/secret.h"

// ---------------------------------------------------------------- export

// A file that only its owner reads, new.
static bool create_private(const char *path, Err *e) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) return err_set(e, ERR_FAILED, "create '%s': %s", path, strerror(errno));
    close(fd);
    return true;
}

static int new_key(App *app) {
    Err e = {0};
    const char *secret = NULL;
    const char *public = NULL;
    const char *path = opt_text(app, OPT_NEW_KEY, "");
    const char *beside = arena_printf(&app->arena, "%s.pub", path);
    bool ok = minisign_generate(&app->arena, &secret, &public, &e) && create_private(path, &e) &&
              file_write(path, secret, strlen(secret), &e) && file_write(beside, public, strlen(public), &e);
    if (!ok) return app_fail(app, &e);
    buf_printf(&app->out,
               "Secret key: %s (no password; keep it to yourself). Public key, for --trusted-key: %s\n", path,
               beside);
    return EXIT_DONE;
}

// Lists of the user's own that a snapshot leaves out.
static bool lists_left_out(App *app, Market *m, size_t *ret_lists, Err *e) {
    FeedState *states = NULL;
    size_t n = 0;
    *ret_lists = 0;
    if (opt_flag(app, OPT_WITH_IMPORTS)) return true;
    bool ok = market_feeds(m, &app->arena, &states, &n, e);
    for (size_t i = 0; ok && i < n; i++) *ret_lists += states[i].private && states[i].rows > 0;
    return ok;
}

static void export_answer(App *app, const char *path, size_t rows, size_t bytes, size_t lists) {
    if (app->format == FORMAT_JSON) {
        Json *root = app_json(app);
        json_add(root, J_TEXT("snapshot", path),
                 J_TEXT("signature", arena_printf(&app->arena, "%s.minisig", path)), J_INTEGER("rows", rows),
                 J_INTEGER("bytes", bytes), J_INTEGER("lists_left_out", lists));
    } else {
        buf_printf(&app->out, "%s in %s (%s), signed in %s.minisig\n", counted(&app->arena, rows, "offer"),
                   path, counted(&app->arena, bytes, "byte"), path);
        if (lists > 0) buf_printf(&app->out, "%zu of your own lists left out (--with-imports)\n", lists);
    }
}

static int write_snapshot(App *app, const char *path) {
    Err e = {0};
    Market *m = NULL;
    Buf text;
    Str key;
    const char *signature = NULL;
    size_t rows = 0;
    size_t lists = 0;
    char now[32];
    format_time(now, app->now);
    buf_init(&text, SNAPSHOT_BYTES_MAX);
    secret_file_warn(app, "option '--secret-key'", opt_text(app, OPT_SECRET_KEY, ""));
    bool ok = file_read(&app->arena, opt_text(app, OPT_SECRET_KEY, ""), MINISIGN_TEXT_MAX, &key, &e) &&
              app_market(app, &m, &e) &&
              snapshot_write(m, opt_flag(app, OPT_WITH_IMPORTS), &text, &rows, &e) &&
              lists_left_out(app, m, &lists, &e);
    market_close(m);
    if (ok && rows == 0) {
        buf_free(&text);
        buf_printf(&app->out, "There is nothing to export: no refreshed price%s.\n",
                   lists > 0 ? ", and your own lists only with --with-imports" : "");
        return EXIT_NO;
    }
    ok = ok && minisign_sign((Str){text.data, text.length}, key, getenv("GPUADVISE_SNAPSHOT_PASSWORD"),
                             arena_printf(&app->arena, "gpuadvise snapshot of %s, %s", now,
                                          counted(&app->arena, rows, "offer")),
                             &app->arena, &signature, &e);
    // The signature last: a reader that comes between finds two files that do not fit, and refuses.
    ok = ok && file_write(path, text.data, text.length, &e) &&
         file_write(arena_printf(&app->arena, "%s.minisig", path), signature, strlen(signature), &e);
    if (ok) export_answer(app, path, rows, text.length, lists);
    buf_free(&text);
    return ok ? EXIT_DONE : app_fail(app, &e);
}

int prices_export(App *app) {
    if (opt_set(app, OPT_NEW_KEY)) return new_key(app);
    if (!opt_set(app, OPT_SNAPSHOT) || !opt_set(app, OPT_SECRET_KEY))
        return app_refuse(app, "`prices export` needs --snapshot FILE and --secret-key FILE (minisign's; "
                               "--new-key FILE makes one)");
    return write_snapshot(app, opt_text(app, OPT_SNAPSHOT, ""));
}

// ---------------------------------------------------------------- taking in

// The key that the user trusts: a file, or the line of base64 itself.
static bool trusted_key(App *app, Str *ret_key, Err *e) {
    const char *text = opt_text(app, OPT_TRUSTED_KEY, "");
    if (text[0] == '\0')
        return err_set(e, ERR_USAGE,
                       "a snapshot is taken in only with the publisher's key: --trusted-key FILE|KEY");
    if (strlen(text) == 56 && strncmp(text, "RW", 2) == 0) {
        *ret_key = str_of(text);
        return true;
    }
    return file_read(&app->arena, text, MINISIGN_TEXT_MAX, ret_key, e);
}

static void feed_json(Json *list, const SnapshotFeed *f) {
    const char *status = f->skipped[0] != '\0'                    ? "skipped"
                         : f->outcome.fresh + f->outcome.gone > 0 ? "ok"
                                                                  : "unchanged";
    Json *j = outcome_json(list, f->name, status, &f->outcome);
    json_add_text_or_null(j, "error", f->skipped);
}

static void snapshot_answer(App *app, const char *source, const char *comment, const SnapshotFeed *feeds,
                            size_t n) {
    if (app->format == FORMAT_JSON) {
        Json *root = app_json(app);
        json_add(root, J_TEXT("snapshot", source), J_TEXT("trusted_comment", comment));
        Json *list = json_add_array(root, "providers");
        for (size_t i = 0; i < n; i++) feed_json(list, &feeds[i]);
        return;
    }
    buf_printf(&app->out, "Signature good: %s\n", comment);
    for (size_t i = 0; i < n; i++) {
        if (feeds[i].skipped[0] != '\0') {
            buf_printf(&app->out, "%s: skipped: %s\n", text_clean(&app->arena, feeds[i].name),
                       feeds[i].skipped);
        } else {
            const MarketOutcome *o = &feeds[i].outcome;
            buf_printf(&app->out,
                       "%s: %s, %zu of them new or changed; %zu gone, %zu quarantined, %zu rejected\n",
                       text_clean(&app->arena, feeds[i].name), counted(&app->arena, o->rows, "row"), o->fresh,
                       o->gone, o->quarantined, o->rejected);
        }
    }
}

int prices_take_snapshot(App *app, const char *source, Str text, Str signature) {
    Err e = {0};
    Catalog *c = NULL;
    MarketLock *lock = NULL;
    Str key;
    const char *comment = "";
    SnapshotFeed *feeds = NULL;
    size_t n = 0;
    bool ok =
        trusted_key(app, &key, &e) && (minisign_verify(text, signature, key, &app->arena, &comment, &e) ||
                                       err_wrap(&e, "snapshot '%s' refused", source));
    ok = ok && app_catalog(app, &c, &e) && market_lock(c, 60, NULL, &lock, &e);
    if (ok && lock == NULL) ok = err_set(&e, ERR_FAILED, "another refresh or import is under way");
    ok = ok && clock_now(&app->now, &e);
    ok = ok && (snapshot_read(c, text, app->now, source, &app->arena, &feeds, &n, &e) ||
                err_wrap(&e, "snapshot '%s'", source));
    market_unlock(lock);
    if (!ok) return app_fail(app, &e);
    for (size_t i = 0; i < n; i++) {
        if (feeds[i].ahead)
            app_warn(app, "feed '%s' of the snapshot was seen ahead of this machine's clock",
                     text_clean(&app->arena, feeds[i].name));
    }
    snapshot_answer(app, source, comment, feeds, n);
    return EXIT_DONE;
}

int prices_import_snapshot(App *app, const char *path, Str text) {
    Err e = {0};
    Str signature;
    if (!file_read(&app->arena, arena_printf(&app->arena, "%s.minisig", path), MINISIGN_TEXT_MAX, &signature,
                   &e)) {
        err_wrap(&e, "snapshot '%s' refused: no signature beside it", path);
        return app_fail(app, &e);
    }
    return prices_take_snapshot(app, path, text, signature);
}
