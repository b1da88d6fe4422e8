// Rows of the market between structs and the database.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/market/market_store.h"
#include "catalog/facts/rows.h"

void market_rows_push(MarketRows *list, Arena *a, const MarketRow *row) {
    list->rows = arena_grow(a, list->rows, list->n, &list->capacity, sizeof *list->rows);
    list->rows[list->n++] = *row;
}

int market_row_compare(const void *left, const void *right) {
    const MarketRow *x = left, *y = right;
    const Offer *p = &x->offer;
    const Offer *q = &y->offer;
    int c = strcmp(p->provider, q->provider);
    if (c == 0) c = strcmp(p->instance, q->instance);
    if (c == 0) c = strcmp(p->region, q->region);
    if (c == 0) c = strcmp(p->listed_name, q->listed_name);
    if (c == 0) c = number_order(p->gpu_count, q->gpu_count);
    if (c == 0) c = number_order(p->vcpus, q->vcpus);
    if (c == 0) c = number_order(p->ram_gb, q->ram_gb);
    return c != 0 ? c : p->pricing_model - q->pricing_model;
}

// ---------------------------------------------------------------- reading

enum {
    R_ID,
    R_PROVIDER,
    R_INSTANCE,
    R_REGION,
    R_SKU,
    R_LISTED,
    R_COUNT,
    R_VCPUS,
    R_RAM,
    R_PRICING,
    R_PRICE,
    R_AVAILABLE,
    R_STANDING,
    R_SOURCE,
    R_AS_OF,
    R_DATED,
    R_CURRENCY,
    R_STATED,
    R_COUNTRY,
    R_GONE,
    R_CLASS,
    R_MACHINES,
    R_SOLD,
    R_HOSTS
};

static const char *copied(Stmt *s, size_t column, Arena *a, const char *before) {
    const char *text = stmt_text(s, column);
    if (text[0] == '\0') return "";
    return before != NULL && strcmp(before, text) == 0 ? before : arena_copy(a, text, strlen(text));
}

// Where a column's text stands among the names; the first of them where it is none.
static unsigned named(Stmt *s, size_t column, const char *const *names) {
    int i = name_index(names, stmt_text(s, column));
    return i < 0 ? 0 : (unsigned)i;
}

void market_row_read(Stmt *s, Arena *a, const MarketRow *before, MarketRow *row) {
    static const Offer none = {0};
    const Offer *b = before == NULL ? &none : &before->offer;
    *row = (MarketRow){.offer = {.provider = copied(s, R_PROVIDER, a, b->provider),
                                 .instance = copied(s, R_INSTANCE, a, b->instance),
                                 .region = copied(s, R_REGION, a, b->region),
                                 .sku_id = copied(s, R_SKU, a, b->sku_id),
                                 .listed_name = copied(s, R_LISTED, a, b->listed_name),
                                 .gpu_count = stmt_number(s, R_COUNT),
                                 .vcpus = stmt_number(s, R_VCPUS),
                                 .ram_gb = stmt_number(s, R_RAM),
                                 .pricing_model = (int)named(s, R_PRICING, pricing_names),
                                 .price_micro_usd_h = stmt_integer(s, R_PRICE),
                                 .available = named(s, R_AVAILABLE, available_names),
                                 .standing = named(s, R_STANDING, standing_names),
                                 .seller_class = named(s, R_CLASS, seller_class_names),
                                 .machines_seen = stmt_number(s, R_MACHINES),
                                 .hosts_seen = stmt_number(s, R_HOSTS),
                                 .sold_by_gpu = named(s, R_SOLD, available_names),
                                 .source = copied(s, R_SOURCE, a, b->source),
                                 .as_of = copied(s, R_AS_OF, a, b->as_of),
                                 .feed = "",
                                 .seen_at = "",
                                 .country = ""},
                       .id = stmt_integer(s, R_ID),
                       .currency = copied(s, R_CURRENCY, a, NULL),
                       .country = copied(s, R_COUNTRY, a, NULL),
                       .stated_micro_h = stmt_integer(s, R_STATED),
                       .dated = stmt_integer(s, R_DATED) != 0,
                       .gone = stmt_integer(s, R_GONE) != 0};
}

bool market_rows_read(Stmt *s, Arena *a, MarketRows *ret_rows, Err *e) {
    MarketRows list = {0};
    bool ok = true;
    while (stmt_next(s, &ok, e)) {
        if (stmt_columns(s) < MARKET_COLUMNS)
            return err_set(e, ERR_FAILED, "read the market: too few columns");
        MarketRow row;
        market_row_read(s, a, list.n == 0 ? NULL : &list.rows[list.n - 1], &row);
        market_rows_push(&list, a, &row);
    }
    if (list.n > 0) qsort(list.rows, list.n, sizeof *list.rows, market_row_compare);
    if (ok) *ret_rows = list;
    return ok;
}

// ---------------------------------------------------------------- writing

bool market_do(Db *db, const char *query, const char *const *pairs, Err *e) {
    Stmt *s = NULL;
    bool ok = stmt_query(db, query, &s, e);
    for (; ok && pairs != NULL && pairs[0] != NULL; pairs += 2) ok = stmt_bind_text(s, pairs[0], pairs[1], e);
    ok = ok && stmt_run(s, e);
    stmt_free(s);
    return ok;
}

static const char *const seen_columns[] = {"provider",      "instance",
                                           "region",        "sku_id",
                                           "listed_name",   "gpu_count",
                                           "vcpus",         "ram_gb",
                                           "pricing_model", "price_micro_usd_per_hour",
                                           "available",     "standing",
                                           "source",        "as_of",
                                           "currency",      "stated_micro_per_hour",
                                           "country",       "feed",
                                           "seen_at",       "seller_class",
                                           "machines_seen", "hosts_seen",
                                           "sold_by_gpu",   "id"};
static const char *const held_columns[] = {"provider",
                                           "instance",
                                           "region",
                                           "sku_id",
                                           "listed_name",
                                           "gpu_count",
                                           "vcpus",
                                           "ram_gb",
                                           "pricing_model",
                                           "price_micro_usd_per_hour",
                                           "available",
                                           "standing",
                                           "source",
                                           "as_of",
                                           "currency",
                                           "stated_micro_per_hour",
                                           "country",
                                           "feed",
                                           "seen_at",
                                           "seller_class",
                                           "machines_seen",
                                           "hosts_seen",
                                           "sold_by_gpu",
                                           "last_seen_at",
                                           "reason",
                                           "refresh",
                                           "before_micro_usd_per_hour",
                                           "dated"};
static const char *const latest_columns[] = {
    "id",        "feed",     "provider", "sku_id", "thing",         "pricing_model", "region",
    "gpu_count", "standing", "as_of",    "dated",  "machines_seen", "hosts_seen"};

bool market_writer_open(MarketWriter *w, Db *db, const char *feed, const char *now, Err *e) {
    *w = (MarketWriter){.db = db, .feed = feed, .now = now};
    Stmt *next = NULL;
    bool ok = stmt_query(db, "market_next", &next, e) && stmt_run(next, e);
    if (ok) w->next_id = stmt_integer(next, 0);
    stmt_free(next);
    ok = ok && stmt_insert(db, "offer_seen", seen_columns, COUNT_OF(seen_columns), &w->seen, e) &&
         stmt_insert(db, "offer_latest", latest_columns, COUNT_OF(latest_columns), &w->latest, e) &&
         stmt_insert(db, "offer_held", held_columns, COUNT_OF(held_columns), &w->quarantined, e) &&
         stmt_query(db, "market_end", &w->end, e) && stmt_query(db, "market_latest_drop", &w->drop, e) &&
         stmt_query(db, "market_latest_gone", &w->gone, e) &&
         stmt_query(db, "market_latest_dated", &w->dated, e) &&
         stmt_query(db, "market_held_again", &w->quarantined_again, e) &&
         stmt_query(db, "market_held_drop", &w->quarantined_drop, e);
    if (!ok) market_writer_close(w);
    return ok;
}

void market_writer_close(MarketWriter *w) {
    Stmt *const all[] = {w->seen,
                         w->latest,
                         w->end,
                         w->drop,
                         w->gone,
                         w->dated,
                         w->quarantined,
                         w->quarantined_again,
                         w->quarantined_drop};
    for (size_t i = 0; i < COUNT_OF(all); i++) stmt_free(all[i]);
    *w = (MarketWriter){0};
}

static bool done(Stmt *s, Err *e) { return stmt_run(s, e); }

// 0 stands for: none.
static bool bind_micro(Stmt *s, const char *name, int64_t x, Err *e) {
    return x == 0 ? stmt_bind_text(s, name, NULL, e) : stmt_bind_integer(s, name, x, e);
}

static bool bind_row(Stmt *s, const MarketWriter *w, const MarketRow *row, Err *e) {
    const Offer *o = &row->offer;
    return stmt_bind_text(s, "provider", o->provider, e) && stmt_bind_text(s, "instance", o->instance, e) &&
           stmt_bind_text(s, "region", o->region, e) && stmt_bind_text(s, "sku_id", o->sku_id, e) &&
           stmt_bind_text(s, "listed_name", o->listed_name, e) &&
           stmt_bind_number(s, "gpu_count", o->gpu_count, e) && stmt_bind_number(s, "vcpus", o->vcpus, e) &&
           stmt_bind_number(s, "ram_gb", o->ram_gb, e) &&
           stmt_bind_text(s, "pricing_model", pricing_names[o->pricing_model], e) &&
           bind_micro(s, "price_micro_usd_per_hour", o->price_micro_usd_h, e) &&
           stmt_bind_text(s, "available", available_names[o->available], e) &&
           stmt_bind_text(s, "standing", standing_names[o->standing], e) &&
           stmt_bind_text(s, "source", o->source, e) && stmt_bind_text(s, "as_of", o->as_of, e) &&
           stmt_bind_text(s, "currency", row->currency, e) &&
           bind_micro(s, "stated_micro_per_hour", row->stated_micro_h, e) &&
           stmt_bind_text(s, "country", row->country, e) &&
           stmt_bind_text(s, "seller_class", seller_class_names[o->seller_class], e) &&
           stmt_bind_number(s, "machines_seen", o->machines_seen, e) &&
           stmt_bind_number(s, "hosts_seen", o->hosts_seen, e) &&
           stmt_bind_text(s, "sold_by_gpu", available_names[o->sold_by_gpu], e) &&
           stmt_bind_text(s, "feed", w->feed, e) && stmt_bind_text(s, "seen_at", w->now, e);
}

bool market_write_seen(MarketWriter *w, const MarketRow *row, Err *e) {
    const Offer *o = &row->offer;
    int64_t id = w->next_id;
    Stmt *s = w->latest;
    bool ok = bind_row(w->seen, w, row, e) && stmt_bind_integer(w->seen, "id", id, e) && done(w->seen, e) &&
              stmt_bind_integer(s, "id", id, e) && stmt_bind_text(s, "feed", w->feed, e) &&
              stmt_bind_text(s, "provider", o->provider, e) && stmt_bind_text(s, "sku_id", o->sku_id, e) &&
              stmt_bind_text(s, "thing", o->sku_id[0] != '\0' ? o->sku_id : o->listed_name, e) &&
              stmt_bind_text(s, "pricing_model", pricing_names[o->pricing_model], e) &&
              stmt_bind_text(s, "region", o->region, e) &&
              stmt_bind_number(s, "gpu_count", o->gpu_count, e) &&
              stmt_bind_text(s, "standing", standing_names[o->standing], e) &&
              stmt_bind_text(s, "as_of", o->as_of, e) && stmt_bind_integer(s, "dated", row->dated, e) &&
              stmt_bind_number(s, "machines_seen", o->machines_seen, e) &&
              stmt_bind_number(s, "hosts_seen", o->hosts_seen, e) && done(s, e);
    w->next_id += ok;
    return ok;
}

bool market_write_end(MarketWriter *w, int64_t id, const char *last_seen_at, bool gone, Err *e) {
    Stmt *s = gone ? w->gone : w->drop;
    return stmt_bind_text(w->end, "at", last_seen_at, e) && stmt_bind_text(w->end, "now", w->now, e) &&
           stmt_bind_integer(w->end, "id", id, e) && done(w->end, e) && stmt_bind_integer(s, "id", id, e) &&
           done(s, e);
}

bool market_write_again(MarketWriter *w, int64_t id, const MarketRow *row, Err *e) {
    return stmt_bind_text(w->dated, "as_of", row->offer.as_of, e) &&
           stmt_bind_integer(w->dated, "dated", row->dated, e) &&
           stmt_bind_number(w->dated, "machines_seen", row->offer.machines_seen, e) &&
           stmt_bind_number(w->dated, "hosts_seen", row->offer.hosts_seen, e) &&
           stmt_bind_integer(w->dated, "id", id, e) && done(w->dated, e);
}

bool market_write_quarantined(MarketWriter *w, const MarketRow *row, Err *e) {
    Stmt *s = row->id == 0 ? w->quarantined : w->quarantined_again;
    bool ok = stmt_bind_text(s, "reason", row->quarantine, e) &&
              stmt_bind_text(s, "refresh", row->quarantine_feed ? "feed" : "row", e) &&
              stmt_bind_text(s, row->id == 0 ? "last_seen_at" : "now", w->now, e);
    if (row->id != 0) {
        return ok && bind_micro(s, "before", row->before_micro_h, e) &&
               stmt_bind_text(s, "as_of", row->offer.as_of, e) &&
               stmt_bind_number(s, "machines_seen", row->offer.machines_seen, e) &&
               stmt_bind_number(s, "hosts_seen", row->offer.hosts_seen, e) &&
               stmt_bind_integer(s, "id", row->id, e) && done(s, e);
    }
    return ok && bind_micro(s, "before_micro_usd_per_hour", row->before_micro_h, e) &&
           stmt_bind_integer(s, "dated", row->dated, e) && bind_row(s, w, row, e) && done(s, e);
}

bool market_write_released(MarketWriter *w, int64_t id, Err *e) {
    return stmt_bind_integer(w->quarantined_drop, "id", id, e) && done(w->quarantined_drop, e);
}
