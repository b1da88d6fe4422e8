// History, rows that wait, retention.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/market/market_store.h"
#include "catalog/facts/store.h"

enum { C_FEED = MARKET_COLUMNS, C_SEEN, C_LAST, C_REASON, C_REFRESH, C_BEFORE };

static const char *text_of(Stmt *s, size_t column, Arena *a, const char *before) {
    const char *text = stmt_text(s, column);
    if (text[0] == '\0') return "";
    return before != NULL && strcmp(before, text) == 0 ? before : arena_copy(a, text, strlen(text));
}

typedef struct Observations {
    Observation *list;
    size_t n, capacity;
} Observations;

static void observe(Stmt *s, Arena *a, MarketRow *before, Observations *o) {
    o->list = arena_grow(a, o->list, o->n, &o->capacity, sizeof *o->list);
    const Observation *last = o->n == 0 ? NULL : &o->list[o->n - 1];
    Observation *row = &o->list[o->n++];
    MarketRow read;
    market_row_read(s, a, last == NULL ? NULL : before, &read);
    *before = read;
    *row = (Observation){read.offer, text_of(s, C_LAST, a, last == NULL ? NULL : last->last_seen_at),
                         !read.gone, read.currency};
    row->offer.country = read.country;
    row->offer.feed = text_of(s, C_FEED, a, last == NULL ? NULL : last->offer.feed);
    row->offer.seen_at = text_of(s, C_SEEN, a, last == NULL ? NULL : last->offer.seen_at);
}

static bool bind_history(Stmt *s, const HistoryFilter *f, Err *e) {
    return stmt_bind_text(s, "sku_id", f->sku_id, e) &&
           stmt_bind_text(s, "pricing_model", pricing_names[f->pricing_model], e) &&
           stmt_bind_text(s, "provider", f->provider, e) && stmt_bind_text(s, "region", f->region, e) &&
           stmt_bind_number(s, "gpu_count", f->gpu_count > 0 ? f->gpu_count : (double)NAN, e) &&
           stmt_bind_text(s, "since", f->since[0] == '\0' ? "0" : f->since, e);
}

// By first sight, though they come the other way round.
static bool read_history(Market *m, const char *query, const HistoryFilter *f, Arena *a, Observations *o,
                         Err *e) {
    Stmt *s = NULL;
    MarketRow before = {0};
    bool ok = stmt_query(m->db, query, &s, e) && bind_history(s, f, e) &&
              stmt_bind_integer(s, "newest", f->newest > 0 ? (int64_t)f->newest : -1, e);
    while (stmt_next(s, &ok, e)) observe(s, a, &before, o);
    stmt_free(s);
    for (size_t i = 0; ok && i < o->n / 2; i++) {
        Observation other = o->list[i];
        o->list[i] = o->list[o->n - 1 - i];
        o->list[o->n - 1 - i] = other;
    }
    return ok;
}

// Two lists in order of first sight, as one.
static Observation *merged(const Observation *x, size_t nx, const Observation *y, size_t ny, Arena *a) {
    Observation *out = arena_alloc(a, nx + ny + 1, sizeof *out);
    size_t i = 0, j = 0;
    while (i < nx && j < ny) {
        bool first = strcmp(x[i].offer.seen_at, y[j].offer.seen_at) <= 0;
        out[i + j] = first ? x[i] : y[j];
        if (first)
            i++;
        else
            j++;
    }
    if (i < nx) memcpy(out + i + j, x + i, (nx - i) * sizeof *out);
    if (j < ny) memcpy(out + nx + j, y + j, (ny - j) * sizeof *out);
    return out;
}

bool market_history(Market *m, const HistoryFilter *f, Arena *a, Observation **ret_rows, size_t *ret_n,
                    Err *e) {
    Observations shipped = {0}, seen = {0};
    if (!db_begin_read(m->db, e)) return false;
    bool ok = read_history(m, "market_history_shipped", f, a, &shipped, e) &&
              read_history(m, "market_history", f, a, &seen, e);
    db_rollback(m->db);
    if (!ok) return false;
    for (size_t i = 0; i < shipped.n; i++) shipped.list[i].stands = false;
    Observation *all = merged(shipped.list, shipped.n, seen.list, seen.n, a);
    size_t n = shipped.n + seen.n;
    size_t skipped = f->newest > 0 && n > f->newest ? n - f->newest : 0;
    *ret_rows = all + skipped;
    *ret_n = n - skipped;
    return true;
}

bool market_spans(Market *m, const HistoryFilter *f, Arena *a, PriceSpan **ret_spans, size_t *ret_n, Err *e) {
    Stmt *s = NULL;
    PriceSpan *spans = NULL;
    size_t n = 0, capacity = 0;
    bool ok = stmt_query(m->db, "market_spans", &s, e) && bind_history(s, f, e);
    while (stmt_next(s, &ok, e)) {
        spans = arena_grow(a, spans, n, &capacity, sizeof *spans);
        spans[n++] =
            (PriceSpan){arena_printf(a, "%s", stmt_text(s, 0)), arena_printf(a, "%s", stmt_text(s, 1)),
                        stmt_number(s, 2) / 1e6, (size_t)stmt_integer(s, 3), (size_t)stmt_integer(s, 4)};
    }
    stmt_free(s);
    if (!ok) return false;
    *ret_spans = spans;
    *ret_n = n;
    return true;
}

// ---------------------------------------------------------------- quarantined rows

typedef struct Waiting {
    Quarantined quarantined;
    MarketRow row;
    bool feed;  // quarantined with the whole refresh of its provider
} Waiting;

static bool read_waiting(Market *m, Arena *a, Waiting **ret_rows, size_t *ret_n, Err *e) {
    Stmt *s = NULL;
    size_t n = 0;
    size_t capacity = 0;
    Waiting *rows = NULL;
    bool ok = stmt_query(m->db, "market_held_all", &s, e);
    while (stmt_next(s, &ok, e)) {
        rows = arena_grow(a, rows, n, &capacity, sizeof *rows);
        Waiting *w = &rows[n++];
        *w = (Waiting){.feed = strcmp(stmt_text(s, C_REFRESH), "feed") == 0};
        market_row_read(s, a, NULL, &w->row);
        w->row.offer.feed = text_of(s, C_FEED, a, NULL);
        w->row.offer.seen_at = text_of(s, C_SEEN, a, NULL);
        w->row.offer.country = w->row.country;
        w->quarantined = (Quarantined){w->row.id,
                                       w->row.offer,
                                       text_of(s, C_REASON, a, NULL),
                                       w->row.currency,
                                       text_of(s, C_LAST, a, NULL),
                                       w->row.stated_micro_h,
                                       stmt_integer(s, C_BEFORE)};
    }
    stmt_free(s);
    if (!ok) return false;
    *ret_rows = rows;
    *ret_n = n;
    return true;
}

bool market_quarantined(Market *m, Arena *a, Quarantined **ret_rows, size_t *ret_n, Err *e) {
    Waiting *rows = NULL;
    size_t n = 0;
    if (!read_waiting(m, a, &rows, &n, e)) return false;
    Quarantined *quarantined = arena_alloc(a, n + 1, sizeof *quarantined);
    for (size_t i = 0; i < n; i++) quarantined[i] = rows[i].quarantined;
    *ret_rows = quarantined;
    *ret_n = n;
    return true;
}

static Waiting *waiting_by_id(Waiting *rows, size_t n, int64_t id) {
    for (size_t i = 0; i < n; i++) {
        if (rows[i].quarantined.id == id) return &rows[i];
    }
    return NULL;
}

static bool convert_waiting(const Market *m, MarketRow *row, Arena *a, Err *e) {
    if (row->offer.price_micro_usd_h > 0) return true;
    for (size_t i = m->n_rates; i > 0; i--) {
        const MarketRate *rate = &m->rates[i - 1];
        if (!text_same(rate->currency, row->currency)) continue;
        row->offer.price_micro_usd_h = (int64_t)((double)row->stated_micro_h * rate->usd + 0.5);
        row->offer.source = arena_printf(a, "%s; %s at %.6g USD of %s", row->offer.source, rate->currency,
                                         rate->usd, rate->date);
        return row->offer.price_micro_usd_h > 0 ||
               err_set(e, ERR_USAGE, "row %lld costs nothing at this rate", (long long)row->id);
    }
    return err_set(e, ERR_USAGE, "row %lld is in %s: give its rate (--usd-per %s=USD@DATE)",
                   (long long)row->id, row->currency, row->currency);
}

// The last word that the row replaces, or NULL; `at`: when it was seen last.
static bool word_before(Market *m, const Waiting *w, Arena *a, const MarketRow **ret_before, Err *e) {
    Stmt *s = NULL;
    MarketRows latest = {0};
    bool ok = stmt_query(m->db, "market_latest", &s, e) && stmt_bind_text(s, "feed", w->row.offer.feed, e) &&
              market_rows_read(s, a, &latest, e);
    stmt_free(s);
    *ret_before = NULL;
    for (size_t i = 0; ok && i < latest.n; i++) {
        if (market_row_compare(&latest.rows[i], &w->row) == 0) *ret_before = &latest.rows[i];
    }
    return ok;
}

static bool accept_one(Market *m, Waiting *w, Arena *a, Err *e) {
    const MarketRow *before = NULL;
    MarketWriter writer = {0};
    // It is known since the refresh that had it first.
    bool ok = convert_waiting(m, &w->row, a, e) && word_before(m, w, a, &before, e) &&
              market_writer_open(&writer, m->db, w->row.offer.feed, w->row.offer.seen_at, e);
    if (ok && before != NULL) ok = market_write_end(&writer, before->id, w->row.offer.seen_at, false, e);
    ok = ok && market_write_seen(&writer, &w->row, e) && market_write_released(&writer, w->quarantined.id, e);
    market_writer_close(&writer);
    return ok;
}

// Once somebody takes a row of a doubtful refresh in, its size is what the next one is compared with.
static bool accept_size(Market *m, const Waiting *rows, size_t n, const Waiting *w, Err *e) {
    Stmt *s = NULL;
    bool row = false;
    int64_t size = 0;
    if (!w->feed) return true;
    for (size_t i = 0; i < n; i++)
        size += rows[i].feed && strcmp(rows[i].row.offer.feed, w->row.offer.feed) == 0 &&
                strcmp(rows[i].row.offer.provider, w->row.offer.provider) == 0;
    bool ok =
        stmt_query(m->db, "market_provider_set", &s, e) && stmt_bind_text(s, "feed", w->row.offer.feed, e) &&
        stmt_bind_text(s, "provider", w->row.offer.provider, e) && stmt_bind_integer(s, "rows", size, e) &&
        stmt_bind_text(s, "now", w->quarantined.last_seen_at, e) && stmt_step(s, &row, e);
    stmt_free(s);
    return ok;
}

bool market_accept(Market *m, const int64_t *ids, size_t n, Err *e) {
    Arena a = {0};
    Waiting *rows = NULL;
    size_t n_rows = 0;
    if (!db_begin(m->db, e)) return false;
    bool ok = read_waiting(m, &a, &rows, &n_rows, e);
    for (size_t i = 0; ok && i < n; i++) {
        Waiting *w = waiting_by_id(rows, n_rows, ids[i]);
        if (w == NULL) {
            ok = err_set(e, ERR_USAGE, "no row %lld is held; see `prices list --quarantined`",
                         (long long)ids[i]);
        } else {
            ok = accept_one(m, w, &a, e) && accept_size(m, rows, n_rows, w, e) &&
                 catalog_settle(m->db, w->row.offer.feed, e);
        }
    }
    ok = ok && db_commit(m->db, e);
    if (!ok) db_rollback(m->db);
    arena_free(&a);
    return ok;
}

// ---------------------------------------------------------------- retention

bool market_prune(Market *m, const char *before, size_t *ret_deleted, size_t *ret_kept, Err *e) {
    Stmt *s = NULL;
    const char *const pairs[] = {"before", before, NULL};
    if (!db_begin(m->db, e)) return false;
    bool ok = stmt_query(m->db, "market_prune_count", &s, e) && stmt_bind_text(s, "before", before, e) &&
              stmt_run(s, e);
    size_t deleted = ok ? (size_t)stmt_integer(s, 0) : 0;
    size_t all = ok ? (size_t)stmt_integer(s, 1) : 0;
    stmt_free(s);
    ok = ok && market_do(m->db, "market_prune", pairs, e) && catalog_settle(m->db, NULL, e) &&
         db_commit(m->db, e);
    if (!ok) {
        db_rollback(m->db);
        return false;
    }
    *ret_deleted = deleted;
    *ret_kept = all - deleted;
    return true;
}
