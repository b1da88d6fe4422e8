// What was seen of prices over time, what changed and what waits: listings, JSON, a chart.
#include "src/report/price_history.h"

#include <math.h>

#include "src/market/select.h"

enum { CHART_ROWS = 10 };

static double usd_gpu_h(const Offer *o) { return offer_usd_gpu_h(o, 0); }

static double usd_h(const Offer *o) {
    return is_known(o->gpu_count) ? (double)o->price_micro_usd_h / 1e6 : (double)NAN;
}

static double usd_or_unknown(int64_t micro) { return micro > 0 ? (double)micro / 1e6 : (double)NAN; }

static const char *currency_of(const char *stated) { return stated[0] != '\0' ? stated : "USD"; }

// clang-format off
// The columns that tell which offer `o` is.
#define OFFER_COLUMNS(X) \
    X("provider",      "PROVIDER", TEXT,      o->provider) \
    X("instance",      "INSTANCE", TEXT,      o->instance) \
    X("region",        "REGION",   TEXT,      o->region) \
    X("gpu",           "GPU",      TEXT,      o->sku_id[0] != '\0' ? o->sku_id : o->listed_name) \
    X("gpu_count",     "QTY",      NUMBER(3), o->gpu_count) \
    X("pricing_model", "MODEL",    MORE_TEXT, pricing_names[o->pricing_model])
// clang-format on

// ---------------------------------------------------------------- observations

// clang-format off
#define HISTORY_COLUMNS(X) \
    X("first_seen_at",          "FIRST SEEN", TEXT,           o->seen_at) \
    X("last_seen_at",           "LAST SEEN",  TEXT,           row->last_seen_at) \
    X("provider",               "PROVIDER",   TEXT,           o->provider) \
    X("instance",               "INSTANCE",   TEXT,           o->instance) \
    X("region",                 "REGION",     TEXT,           o->region) \
    X("gpu",                    "GPU",        MORE_TEXT,      o->sku_id) \
    X("gpu_count",              "QTY",        NUMBER(3),      o->gpu_count) \
    X("pricing_model",          "MODEL",      MORE_TEXT,      pricing_names[o->pricing_model]) \
    X("price_usd_per_hour",     "$/h",        MORE_NUMBER(5), usd_h(o)) \
    X("price_usd_per_gpu_hour", "$/GPU-h",    NUMBER(4),      usd_gpu_h(o)) \
    X("available",              "AVAILABLE",  MORE_TEXT, \
      o->available == AVAILABLE_UNKNOWN ? "" : available_names[o->available]) \
    X("stands",                 "STANDS",     MORE_TEXT,      row->stands ? "yes" : "no") \
    X("currency",               "CURRENCY",   MORE_TEXT,      currency_of(row->currency)) \
    X("feed",                   "FEED",       MORE_TEXT,      o->feed) \
    X("source",                 "SOURCE",     MORE_TEXT,      o->source)
// clang-format on

Listing price_history_rows(const Observation *rows, size_t n, Arena *a) {
    Listing l = LISTING(a, "observations", HISTORY_COLUMNS, n);
    for (size_t i = 0; i < n; i++) {
        const Observation *row = &rows[i];
        const Offer *o = &row->offer;
        listing_row(&l, HISTORY_COLUMNS(LISTING_CELL));
    }
    return l;
}

static void observation_json(Json *list, const Observation *row) {
    const Offer *o = &row->offer;
    Json *j = json_add_object(list, NULL);
    json_add(j, J_TEXT("provider", o->provider), J_TEXT_OR_NULL("instance", o->instance),
             J_TEXT_OR_NULL("region", o->region), J_TEXT("gpu", o->sku_id),
             J_NUMBER("gpu_count", o->gpu_count), J_TEXT("pricing_model", pricing_names[o->pricing_model]),
             J_NUMBER("price_usd_per_hour", usd_h(o)), J_NUMBER("price_usd_per_gpu_hour", usd_gpu_h(o)),
             J_AVAILABLE("available", o->available), J_TEXT("first_seen_at", o->seen_at),
             J_TEXT("last_seen_at", row->last_seen_at), J_BOOL("stands", row->stands),
             J_TEXT("currency", currency_of(row->currency)), J_TEXT_OR_NULL("feed", o->feed),
             J_TEXT("source", o->source));
}

void price_history_json(const Observation *rows, size_t n, const LowestPrices *lowest, Arena *a, Json *root) {
    Json *list = json_add_array(root, "observations");
    for (size_t i = 0; i < n; i++) observation_json(list, &rows[i]);
    Json *series = json_add_array(root, "series");
    for (size_t i = 0; i < lowest->n; i++) {
        if (lowest->offers[i] == 0) continue;
        Json *j = json_add_object(series, NULL);
        json_add(j, J_TEXT("from", time_text(a, lowest->from + (int64_t)i * lowest->step)),
                 J_NUMBER("lowest_usd_per_gpu_hour", lowest->usd_gpu_h[i]),
                 J_INTEGER("offers", lowest->offers[i]));
    }
}

static const char *day_of(int64_t seconds, Arena *a) { return date_text(a, seconds / DAY_S); }

Chart price_history_chart(const LowestPrices *x, Arena *a) {
    return (Chart){x->usd_gpu_h, x->usd_gpu_h,       x->n,
                   CHART_ROWS,   day_of(x->from, a), day_of(x->from + x->step * (int64_t)x->n, a)};
}

// ---------------------------------------------------------------- rows that wait

// clang-format off
#define HELD_COLUMNS(X) \
    X("id",                    "ID",         NUMBER(12),     row->id) \
    X("reason",                "WHY HELD",   TEXT,           row->reason) \
    X("feed",                  "FEED",       MORE_TEXT,      o->feed) \
    OFFER_COLUMNS(X) \
    X("price_usd_per_hour",    "$/h",        NUMBER(5),      usd_or_unknown(o->price_micro_usd_h)) \
    X("before_usd_per_hour",   "BEFORE $/h", NUMBER(5),      usd_or_unknown(row->before_micro_h)) \
    X("currency",              "CURRENCY",   MORE_TEXT, \
      currency_of(row->currency)) \
    X("stated_price_per_hour", "STATED/h",   MORE_NUMBER(5), \
      row->stated_micro_h > 0 ? (double)row->stated_micro_h / 1e6 \
        : usd_or_unknown(o->price_micro_usd_h)) \
    X("seen_at",               "SEEN",       MORE_TEXT,      row->last_seen_at)
// clang-format on

Listing price_quarantined(size_t rows_max, Arena *a) {
    return LISTING(a, "quarantined", HELD_COLUMNS, rows_max);
}

void price_quarantined_row(Listing *l, const Quarantined *row) {
    const Offer *o = &row->offer;
    listing_row(l, HELD_COLUMNS(LISTING_CELL));
}

// ---------------------------------------------------------------- changes

// clang-format off
#define DIFF_COLUMNS(X) \
    X("change",                  "CHANGE",   TEXT,      change_names[c->kind]) \
    OFFER_COLUMNS(X) \
    X("before_usd_per_gpu_hour", "BEFORE",   NUMBER(4), was) \
    X("price_usd_per_gpu_hour",  "$/GPU-h",  NUMBER(4), now) \
    X("change_pct",              "%",        NUMBER(3), (now / was - 1) * 100) \
    X("at",                      "SEEN",     MORE_TEXT, c->at) \
    X("feed",                    "FEED",     MORE_TEXT, o->feed)
// clang-format on

Listing price_changes(size_t rows_max, Arena *a) { return LISTING(a, "changes", DIFF_COLUMNS, rows_max); }

void price_change_row(Listing *l, const Change *c) {
    const Offer *o = &c->offer;
    double now = c->kind == CHANGE_GONE ? (double)NAN : usd_gpu_h(o);
    Offer before = *o;
    before.price_micro_usd_h = c->before_micro_h;
    double was = c->before_micro_h > 0 ? usd_gpu_h(&before) : (double)NAN;
    listing_row(l, DIFF_COLUMNS(LISTING_CELL));
}

void price_changes_json(const Writer *w, const Listing *l, const char *since,
                        const size_t counts[CHANGE_COUNT], const char *const *warnings, size_t n_warnings,
                        Json *root) {
    Json *more = json_object();
    JsonRows rows;
    json_add_text(root, "since", since);
    json_add_array(root, l->name);
    json_rows_open(root, w->out, &rows);
    for (size_t i = 0; i < l->n_rows; i++) {
        Json *row = json_object();
        listing_row_json(l, i, row);
        writer_row(w, &rows, row);
    }
    Json *sums = json_add_object(more, "counts");
    for (size_t i = 0; i < CHANGE_COUNT; i++) json_add_integer(sums, change_names[i], (int64_t)counts[i]);
    warnings_json(more, warnings, n_warnings);
    json_rows_close(&rows, more);
    json_free(more);
}
