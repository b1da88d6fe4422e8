// The end of a refresh: compared with the feed's own last word, written in one transaction.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/market/market_store.h"
#include "catalog/facts/store.h"

enum { COLLAPSE_ROWS_MIN = 4, COLLAPSE_DAYS_MAX = 14, HOLDS_MAX = 32, UNMAPPED_NAMES_MAX = 10 };
// a price that grew or shrank more than this waits for somebody's word
static const double jump_factor = 5;
// fewer rows than this share of the last refresh: the refresh is doubtful
static const double collapse_share = 0.5;

// One provider's part of the refresh, and of the one before.
typedef struct Part {
    const char *provider;
    size_t first, n;        // staged rows
    size_t before;          // rows of the last accepted refresh
    const char *confirmed;  // when those were seen last; "" = never
    bool known, collapsed;
} Part;

typedef struct Finish {
    MarketRefresh *r;
    Arena *a;  // of the outcome
    Arena scratch;
    MarketWriter writer;
    char now[32];
    MarketRows latest, quarantined;
    FeedState state;  // before this refresh
    size_t n_again, n_released;
    Part *parts;
    size_t n_parts;
    MarketOutcome out;
} Finish;

// ---------------------------------------------------------------- within the refresh

static int by_identity_then_price(const void *x, const void *y) {
    const MarketRow *p = x;
    const MarketRow *q = y;
    int c = market_row_compare(p, q);
    // a list with a past: its newest word counts
    if (c == 0 && p->dated && q->dated) c = strcmp(q->offer.as_of, p->offer.as_of);
    // of two in force the later start
    if (c == 0) c = (p->effective_at < q->effective_at) - (p->effective_at > q->effective_at);
    if (c == 0) c = (p->quarantine != NULL) - (q->quarantine != NULL);
    if (c == 0) c = (p->offer.available == AVAILABLE_NO) - (q->offer.available == AVAILABLE_NO);
    return c != 0 ? c
                  : (p->offer.price_micro_usd_h > q->offer.price_micro_usd_h) -
                        (p->offer.price_micro_usd_h < q->offer.price_micro_usd_h);
}

// Why a row is left out beside one of the same offer that comes first.
static const char *why_doubled(const MarketRow *first, const MarketRow *row) {
    if (first->dated && row->dated && strcmp(first->offer.as_of, row->offer.as_of) != 0)
        return "an earlier day's price of the same offer";
    if (first->offer.price_micro_usd_h == row->offer.price_micro_usd_h) return "the same row again";
    return first->effective_at > row->effective_at ? "a later price of the same offer is in force"
                                                   : "the same offer at a higher price";
}

// One row an offer: a page that came twice brings nothing new, and of several prices the lowest that can be
// had is the offer.
static void drop_doubles(MarketRefresh *r) {
    MarketRows *s = &r->staged;
    size_t kept = 0;
    if (s->n > 0) qsort(s->rows, s->n, sizeof *s->rows, by_identity_then_price);
    for (size_t i = 0; i < s->n; i++) {
        const MarketRow *last = kept == 0 ? NULL : &s->rows[kept - 1];
        if (last == NULL || market_row_compare(last, &s->rows[i]) != 0) {
            s->rows[kept++] = s->rows[i];
            continue;
        }
        market_reject(r, why_doubled(last, &s->rows[i]),
                      s->rows[i].offer.instance[0] != '\0' ? s->rows[i].offer.instance
                                                           : s->rows[i].offer.listed_name);
    }
    s->n = kept;
}

// The same machine in the same place: rows that differ in the pricing model only stand side by side.
static bool same_machine(const MarketRow *x, const MarketRow *y) {
    MarketRow other = *y;
    other.offer.pricing_model = x->offer.pricing_model;
    return market_row_compare(x, &other) == 0;
}

static void hold_dear_spot(MarketRefresh *r) {
    MarketRow *rows = r->staged.rows;
    for (size_t i = 1; i < r->staged.n; i++) {
        const Offer *o = &rows[i].offer;
        const Offer *p = &rows[i - 1].offer;
        if (o->pricing_model != PRICING_SPOT || p->pricing_model != PRICING_ON_DEMAND ||
            rows[i].quarantine != NULL || rows[i - 1].quarantine != NULL)
            continue;
        if (o->price_micro_usd_h > p->price_micro_usd_h && same_machine(&rows[i - 1], &rows[i]))
            rows[i].quarantine = "spot price above the on-demand price";
    }
}

// ---------------------------------------------------------------- against the refresh before

static Part *part_of(Finish *f, const char *provider) {
    for (size_t i = 0; i < f->n_parts; i++) {
        if (strcmp(f->parts[i].provider, provider) == 0) return &f->parts[i];
    }
    return NULL;
}

static bool read_before(Finish *f, Err *e) {
    MarketRefresh *r = f->r;
    Db *db = r->market->db;
    Stmt *s = NULL;
    f->parts = arena_alloc(&f->scratch, r->staged.n + 1, sizeof *f->parts);
    for (size_t i = 0; i < r->staged.n; i++) {
        const char *provider = r->staged.rows[i].offer.provider;
        if (f->n_parts == 0 || strcmp(f->parts[f->n_parts - 1].provider, provider) != 0)
            f->parts[f->n_parts++] = (Part){.provider = provider, .first = i, .confirmed = ""};
        f->parts[f->n_parts - 1].n++;
    }
    bool ok = stmt_query(db, "market_providers", &s, e) && stmt_bind_text(s, "feed", r->feed, e);
    while (stmt_next(s, &ok, e)) {
        Part *p = part_of(f, stmt_text(s, 0));
        if (p == NULL) continue;
        p->known = true;
        p->before = (size_t)stmt_integer(s, 1);
        p->confirmed = arena_printf(&f->scratch, "%s", stmt_text(s, 2));
    }
    stmt_free(s);
    s = NULL;
    ok = ok && stmt_query(db, "market_latest", &s, e) && stmt_bind_text(s, "feed", r->feed, e) &&
         market_rows_read(s, &f->scratch, &f->latest, e);
    stmt_free(s);
    s = NULL;
    ok = ok && stmt_query(db, "market_held", &s, e) && stmt_bind_text(s, "feed", r->feed, e) &&
         market_rows_read(s, &f->scratch, &f->quarantined, e);
    stmt_free(s);
    return ok;
}

static const MarketRow *before_of(const MarketRows *rows, const MarketRow *row) {
    return row_find(row, rows->rows, rows->n, sizeof *row, market_row_compare);
}

static bool same_price(const MarketRow *x, const MarketRow *y) {
    if (x->stated_micro_h != 0 || y->stated_micro_h != 0)
        return x->stated_micro_h == y->stated_micro_h && strcmp(x->currency, y->currency) == 0;
    return x->offer.price_micro_usd_h == y->offer.price_micro_usd_h;
}

// A jump of the price since the last accepted refresh: why the row must wait, or NULL.
static const char *jump(Finish *f, const MarketRow *row, const MarketRow *before) {
    double was = (double)before->offer.price_micro_usd_h;
    double is = (double)row->offer.price_micro_usd_h;
    if (!(was > 0) || !(is > 0)) return NULL;
    double ratio = is > was ? is / was : was / is;
    const char *way = is > was ? "up" : "down";
    double count = row->offer.gpu_count;
    if (count >= 2 && fabs(ratio - count) < 0.002 * count)
        return arena_printf(&f->scratch, "price %s by its GPU count, %.4g: of one GPU, or of the instance?",
                            way, count);
    if (ratio <= jump_factor) return NULL;
    return arena_printf(&f->scratch, "price %s %.3g-fold, from %.6g to %.6g $/h", way, ratio, was / 1e6,
                        is / 1e6);
}

static void judge_row(Finish *f, MarketRow *row) {
    const MarketRow *before = before_of(&f->latest, row);
    if (before == NULL) return;
    row->before_micro_h = before->offer.price_micro_usd_h;
    if (same_price(row, before) && row->offer.price_micro_usd_h > 0) {
        row->quarantine = NULL;  // somebody took this very price in, or it was fine then
        return;
    }
    bool far = row->limit_usd_gpu_h > 0;  // quarantined for its level, and for nothing else
    const char *why = row->quarantine == NULL || far ? jump(f, row, before) : NULL;
    if (why != NULL || (far && market_is_vouched(row, before))) row->quarantine = why;
}

// What says what was said before is no news, and no doubt.
static bool is_no_news(const Finish *f, const MarketRow *row) {
    const MarketRow *before = before_of(&f->latest, row);
    return before != NULL && !before->gone && same_price(row, before);
}

// A provider whose rows became few is doubted. Where those left say nothing new there is nothing that
// somebody could take in: then a file that only lost lines is believed at once, and a feed that stays short
// after two weeks.
static bool is_collapsed(const Finish *f, const Part *p) {
    bool few = f->r->scope != SCOPE_PARTIAL && p->before >= COLLAPSE_ROWS_MIN &&
               (double)p->n < collapse_share * (double)p->before;
    if (!few) return false;
    for (size_t k = p->first; k < p->first + p->n; k++) {
        if (!is_no_news(f, &f->r->staged.rows[k])) return true;
    }
    return !f->r->private &&
           f->r->market->now - time_seconds(p->confirmed) <= (int64_t)COLLAPSE_DAYS_MAX * DAY_S;
}

static void judge(Finish *f) {
    for (size_t i = 0; i < f->r->staged.n; i++) judge_row(f, &f->r->staged.rows[i]);
    for (size_t i = 0; i < f->n_parts; i++) {
        Part *p = &f->parts[i];
        p->collapsed = is_collapsed(f, p);
        if (!p->collapsed) continue;
        const char *why = arena_printf(&f->scratch, "only %s of %s, after %zu in the last accepted refresh",
                                       counted(&f->scratch, p->n, "row"), p->provider, p->before);
        f->out.shrunk =
            arena_printf(f->a, "%s%s%s", f->out.shrunk, f->out.shrunk[0] == '\0' ? "" : "; ", why);
        for (size_t k = p->first; k < p->first + p->n; k++) {
            MarketRow *row = &f->r->staged.rows[k];
            if (is_no_news(f, row)) continue;
            row->quarantine = row->quarantine == NULL ? why : row->quarantine;
            row->quarantine_feed = true;
        }
    }
}

// ---------------------------------------------------------------- writing

static void count_hold(Finish *f, const char *reason, const Offer *o) {
    MarketOutcome *out = &f->out;
    out->quarantined++;
    for (size_t i = 0; i < out->n_quarantines; i++) {
        if (strcmp(out->quarantines[i].reason, reason) != 0) continue;
        out->quarantines[i].count++;
        return;
    }
    if (out->n_quarantines == HOLDS_MAX) return;
    const char *name = o->instance[0] != '\0' ? o->instance : o->listed_name;
    out->quarantines[out->n_quarantines++] = (MarketReject){
        arena_printf(f->a, "%s", reason), arena_printf(f->a, "%s %s %s", o->provider, name, o->region), 1};
}

static bool quarantine(Finish *f, MarketRow *row, Err *e) {
    row->id = 0;
    count_hold(f, row->quarantine, &row->offer);
    for (size_t i = 0; i < f->quarantined.n; i++) {
        MarketRow *old = &f->quarantined.rows[i];
        if (old->id == 0 || market_row_compare(old, row) != 0 || !same_price(old, row)) continue;
        row->id = old->id;
        old->id = 0;  // still quarantined: not to be released
        break;
    }
    f->out.quarantined_new += row->id == 0;
    return market_write_quarantined(&f->writer, row, e);
}

static bool stands(const MarketRow *row, const MarketRow *before) {
    return before != NULL && !before->gone && same_price(row, before) &&
           row->offer.price_micro_usd_h == before->offer.price_micro_usd_h &&
           row->offer.available == before->offer.available && row->offer.standing == before->offer.standing &&
           row->offer.seller_class == before->offer.seller_class &&
           row->offer.sold_by_gpu == before->offer.sold_by_gpu &&
           strcmp(row->offer.sku_id, before->offer.sku_id) == 0;
}

static bool same_number(double p, double q) { return is_known(p) == is_known(q) && !(fabs(p - q) > 0); }

static bool same_machines(const MarketRow *x, const MarketRow *y) {
    return same_number(x->offer.machines_seen, y->offer.machines_seen) &&
           same_number(x->offer.hosts_seen, y->offer.hosts_seen);
}

static void count_unmapped(Finish *f, const Offer *o) {
    if (o->sku_id[0] != '\0') return;
    size_t names = 1;
    for (const char *c = f->out.unmapped_names; *c != '\0'; c++) names += *c == ',';
    f->out.unmapped++;
    if (names > UNMAPPED_NAMES_MAX || strstr(f->out.unmapped_names, o->listed_name) != NULL) return;
    f->out.unmapped_names = arena_printf(f->a, "%s%s%s", f->out.unmapped_names,
                                         f->out.unmapped_names[0] == '\0' ? "" : ", ", o->listed_name);
}

static void renamed_out(Finish *f) {
    MarketRenamed *list = arena_alloc(f->a, f->r->n_renamed + 1, sizeof *list);
    for (size_t i = 0; i < f->r->n_renamed; i++)
        list[i] = (MarketRenamed){arena_printf(f->a, "%s", f->r->renamed[i].stated),
                                  arena_printf(f->a, "%s", f->r->renamed[i].provider)};
    f->out.renamed = list;
    f->out.n_renamed = f->r->n_renamed;
}

// Takes in one row: seen again, or new.
static bool take(Finish *f, const MarketRow *row, MarketRow *before, const Part *part, Err *e) {
    f->out.rows++;
    f->out.undated += !row->dated;
    f->out.ahead += row->dated && date_is_ahead(row->offer.as_of, f->r->market->clock / DAY_S);
    count_unmapped(f, &row->offer);
    if (stands(row, before)) {
        f->out.unchanged++;
        bool same = strcmp(before->offer.as_of, row->offer.as_of) == 0 && before->dated == row->dated &&
                    same_machines(row, before);
        f->n_again += !same;
        return same || market_write_again(&f->writer, before->id, row, e);
    }
    f->out.fresh++;
    if (before != NULL && !market_write_end(&f->writer, before->id,
                                            part->confirmed[0] != '\0' ? part->confirmed : f->now, false, e))
        return false;
    return market_write_seen(&f->writer, row, e);
}

// Does the refresh say anything of a provider's offers that are not in it?
static bool is_spoken_of(const Finish *f, const Part *part) {
    if (f->r->scope == SCOPE_PARTIAL) return false;
    return part != NULL ? !part->collapsed : f->r->scope == SCOPE_WHOLE;
}

// Walks the refresh and the last words side by side, both in identity order.
static bool write_rows(Finish *f, Err *e) {
    size_t k = 0;
    const MarketRows *staged = &f->r->staged;
    for (size_t i = 0; i <= staged->n; i++) {
        MarketRow *row = i < staged->n ? &staged->rows[i] : NULL;
        int order = -1;
        for (; k < f->latest.n && (row == NULL || (order = market_row_compare(&f->latest.rows[k], row)) < 0);
             k++) {
            MarketRow *old = &f->latest.rows[k];
            // under another name of before, too
            const Part *part = part_of(f, market_provider(f->r, old->offer.provider));
            if (old->gone || !is_spoken_of(f, part)) continue;
            f->out.gone++;
            if (!market_write_end(&f->writer, old->id,
                                  part != NULL && part->confirmed[0] != '\0' ? part->confirmed : f->now, true,
                                  e))
                return false;
        }
        if (row == NULL) break;
        MarketRow *before = k < f->latest.n && order == 0 ? &f->latest.rows[k++] : NULL;
        bool ok = row->quarantine != NULL ? quarantine(f, row, e)
                                          : take(f, row, before, part_of(f, row->offer.provider), e);
        if (!ok) return false;
    }
    for (size_t i = 0; i < f->quarantined.n; i++) {
        if (f->quarantined.rows[i].id == 0) continue;
        f->n_released++;
        if (!market_write_released(&f->writer, f->quarantined.rows[i].id, e)) return false;
    }
    return true;
}

static bool write_parts(Finish *f, Err *e) {
    Stmt *s = NULL;
    bool ok = stmt_query(f->r->market->db, "market_provider_set", &s, e);
    for (size_t i = 0; ok && i < f->n_parts; i++) {
        const Part *p = &f->parts[i];
        if (p->collapsed) continue;
        ok = stmt_bind_text(s, "feed", f->r->feed, e) && stmt_bind_text(s, "provider", p->provider, e) &&
             stmt_bind_integer(s, "rows", (int64_t)p->n, e) && stmt_bind_text(s, "now", f->now, e) &&
             stmt_run(s, e);
    }
    stmt_free(s);
    return ok;
}

static bool write_documents(Finish *f, Err *e) {
    static const char *const columns[] = {"feed", "url", "etag", "last_modified"};
    const char *const pairs[] = {"feed", f->r->feed, NULL};
    Stmt *s = NULL;
    bool ok = market_do(f->r->market->db, "market_documents_clear", pairs, e) &&
              stmt_insert(f->r->market->db, "feed_document", columns, COUNT_OF(columns), &s, e);
    // A doubtful answer is read again next time: "not modified" would confirm what it lacks.
    for (size_t i = 0; ok && f->out.shrunk[0] == '\0' && i < f->r->n_documents; i++) {
        const MarketDocument *d = &f->r->documents[i];
        bool doubled = false;
        for (size_t k = 0; k < i; k++) doubled = doubled || strcmp(f->r->documents[k].url, d->url) == 0;
        if (doubled) continue;
        ok = stmt_bind_text(s, "feed", f->r->feed, e) && stmt_bind_text(s, "url", d->url, e) &&
             stmt_bind_text(s, "etag", d->etag, e) &&
             stmt_bind_text(s, "last_modified", d->last_modified, e) && stmt_run(s, e);
    }
    stmt_free(s);
    return ok;
}

static bool write_state(Finish *f, Err *e) {
    Stmt *s = NULL;
    bool ok = stmt_query(f->r->market->db, "market_feed_accepted", &s, e) &&
              stmt_bind_text(s, "feed", f->r->feed, e) && stmt_bind_text(s, "now", f->now, e) &&
              stmt_bind_integer(s, "rows", (int64_t)f->out.rows, e) &&
              stmt_bind_integer(s, "rejected", (int64_t)f->out.rejected, e) &&
              stmt_bind_integer(s, "held", (int64_t)f->out.quarantined, e) &&
              stmt_bind_integer(s, "reader", f->r->market->reader, e) &&
              stmt_bind_integer(s, "private", f->r->private, e) && stmt_run(s, e);
    stmt_free(s);
    return ok;
}

static int most_first(const void *x, const void *y) {
    const MarketReject *a = x;
    const MarketReject *b = y;
    return a->count != b->count ? (a->count < b->count ? 1 : -1) : strcmp(a->reason, b->reason);
}

static void count_rejects(Finish *f) {
    MarketRefresh *r = f->r;
    MarketOutcome *out = &f->out;
    out->rejects = arena_alloc(f->a, r->n_rejects + 1, sizeof *out->rejects);
    out->n_rejects = r->n_rejects;
    for (size_t i = 0; i < r->n_rejects; i++) {
        const MarketReject *from = &r->rejects[i];
        out->rejects[i] = (MarketReject){arena_printf(f->a, "%s", from->reason),
                                         arena_printf(f->a, "%s", from->example), from->count};
        out->rejected += from->count;
    }
    if (r->n_rejects > 0) qsort(out->rejects, r->n_rejects, sizeof *out->rejects, most_first);
}

// Are the documents, and what the next request for each shall carry, those that are stored?
static bool same_documents(Finish *f, bool *ret_same, Err *e) {
    MarketKnown *known = NULL;
    size_t n = 0;
    if (!market_documents(f->r->market, f->r->feed, &f->scratch, &known, &n, e)) return false;
    size_t found = 0;
    for (size_t i = 0; i < f->r->n_documents; i++) {
        const MarketDocument *d = &f->r->documents[i];
        for (size_t k = 0; k < n; k++)
            found += strcmp(d->url, known[k].url) == 0 && strcmp(d->etag, known[k].etag) == 0 &&
                     strcmp(d->last_modified, known[k].last_modified) == 0;
    }
    *ret_same = found == n && n == f->r->n_documents;
    return true;
}

// Is there nothing in this refresh that the last one did not say?
static bool says_nothing(Finish *f, bool *ret_nothing, Err *e) {
    const MarketOutcome *out = &f->out;
    const FeedState *s = &f->state;
    bool same = out->fresh + out->gone + out->quarantined_new + f->n_again + f->n_released == 0 &&
                s->rows == out->rows && s->rejected == out->rejected && s->quarantined == out->quarantined;
    for (size_t i = 0; i < f->n_parts; i++)
        same = same && f->parts[i].known && f->parts[i].n == f->parts[i].before;
    *ret_nothing = false;
    return !same || !market_is_recent(f->r->market, s) || same_documents(f, ret_nothing, e);
}

static bool write_all(Finish *f, Err *e) {
    Db *db = f->r->market->db;
    if (!db_begin(db, e)) return false;
    bool ok = market_feed(f->r->market, f->r->feed, &f->scratch, &f->state, e) &&
              market_heal(f->r->market, &f->state, e) && read_before(f, e) &&
              market_writer_open(&f->writer, db, f->r->feed, f->now, e);
    ok = ok && market_judge_worth(f->r, e);
    if (ok) {
        hold_dear_spot(f->r);
        judge(f);
    }
    bool nothing = false;
    ok = ok && write_rows(f, e) && says_nothing(f, &nothing, e);
    if (ok && nothing) {
        market_writer_close(&f->writer);
        db_rollback(db);
        market_set_found(f->r->market, f->r->feed, "");
        return true;
    }
    ok = ok && write_parts(f, e) && write_documents(f, e) && write_state(f, e) &&
         catalog_settle(db, f->r->feed, e);
    market_writer_close(&f->writer);
    ok = ok && db_commit(db, e);
    if (!ok) db_rollback(db);
    return ok;
}

static void look_at_sides(Finish *f) {
    const MarketRows *staged = &f->r->staged;
    const Offer **offers = arena_alloc(&f->scratch, staged->n + 1, sizeof *offers);
    size_t n = 0;
    for (size_t i = 0; i < staged->n; i++) {
        if (staged->rows[i].quarantine == NULL) offers[n++] = &staged->rows[i].offer;
    }
    f->out.one_sided = gpu_names_one_sided(f->r->market->names, offers, n, f->a);
}

bool market_finish(MarketRefresh *r, Arena *a, MarketOutcome *ret_outcome, Err *e) {
    Finish f = {.r = r, .a = a};
    format_time(f.now, r->market->now);
    f.out.unmapped_names = f.out.shrunk = f.out.one_sided = "";
    renamed_out(&f);
    f.out.quarantines = arena_alloc(a, HOLDS_MAX, sizeof *f.out.quarantines);
    drop_doubles(r);
    count_rejects(&f);
    bool ok = r->staged.n > 0 || err_set(e, ERR_FAILED, "not one usable offer in the answer%s%s",
                                         f.out.n_rejects > 0 ? "; rejected: " : "",
                                         f.out.n_rejects > 0 ? f.out.rejects[0].reason : "");
    ok = ok && write_all(&f, e);
    if (ok && f.out.unmapped > 0) look_at_sides(&f);
    arena_free(&f.scratch);
    market_abandon(r);
    if (ok) *ret_outcome = f.out;
    return ok;
}
