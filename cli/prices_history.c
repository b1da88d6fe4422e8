// prices history, prices diff: how prices moved.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/prices.h"

enum {
    CHART_ROWS = 10,
    CHART_MIN = 20,
    CHART_MAX = 100,
    CHART_MARGIN = 12,
    NEWEST_SHOWN = 15,
    DIFF_DAYS = 7
};

// Seconds since 1970 of a time, or of the last day of a date.
static int64_t seconds_of(const char *text) {
    int64_t days = 0;
    if (strlen(text) >= 19) return market_seconds(text);
    return parse_date(str_of(text), &days, NULL) ? days * DAY_S : 0;
}

static double usd_gpu_h(const Offer *o) { return offer_usd_gpu_h(o, 0); }

static double usd_h(const Offer *o) {
    return is_known(o->gpu_count) ? (double)o->price_micro_usd_h / 1e6 : (double)NAN;
}

// ---------------------------------------------------------------- what is asked

// What `history` and `diff` alike are asked about.
typedef struct Asked {
    Market *market;  // NULL unless all went well
    Gpu *gpus;
    size_t n_gpus;
    const Gpu *gpu;  // NULL: any
    PricingModel pricing;
    const char *provider;  // "": any
    const char *since;     // "": ever since
} Asked;

// `gpu`: as typed, NULL for any; `days`: how far back unless --since says so, NaN for ever since.
static bool asked_open(App *app, const char *gpu, double days, Asked *asked, Err *e) {
    Catalog *c = NULL;
    void *gpus = NULL;
    *asked = (Asked){.pricing = PRICING_ON_DEMAND, .provider = "", .since = ""};
    if (!app_pricing(app, &asked->pricing, e) || !since_time(app, days, &asked->since, e) ||
        !app_catalog(app, &c, e))
        return false;
    if (!app_provider(app, &asked->provider, e)) return false;
    if (!catalog_rows(c, TABLE_GPUS, &app->arena, &gpus, &asked->n_gpus, e)) return false;
    asked->gpus = gpus;
    return (gpu == NULL || find_gpu(app, asked->gpus, asked->n_gpus, gpu, &asked->gpu, e)) &&
           app_market(app, &asked->market, e);
}

// A table without rows would be a riddle: `none` says it in words.
static void answer_rows(App *app, const Listing *l, const char *none) {
    if (l->n_rows == 0 && app->format == FORMAT_TABLE) {
        buf_printf(&app->out, "%s\n", none);
    } else {
        app_listing(app, l);
    }
}

// ---------------------------------------------------------------- history: the lowest price over time

static int64_t end_of(const App *app, const PriceSpan *span) {
    return span->last[0] == '\0' ? app->now : seconds_of(span->last);
}

void price_range(const App *app, const PriceSpan *spans, size_t n, int64_t *from, int64_t *to) {
    for (size_t i = 0; i < n; i++) {
        int64_t first = seconds_of(spans[i].first);
        int64_t last = end_of(app, &spans[i]);
        if (first < *from) *from = first;
        if (last > *to) *to = last;
        if (first > *to) *to = first;
    }
    if (*to < *from) *to = *from;
}

Series price_series(App *app, const PriceSpan *spans, size_t n, int64_t from, int64_t to, size_t columns) {
    Series s = {arena_alloc(&app->arena, columns, sizeof *s.low),
                arena_alloc(&app->arena, columns, sizeof *s.offers),
                arena_alloc(&app->arena, columns, sizeof *s.seen),
                columns,
                from,
                (to - from) / (int64_t)columns + 1};
    for (size_t i = 0; i < columns; i++) s.low[i] = (double)NAN;
    for (size_t i = 0; i < n; i++) {
        int64_t end = (end_of(app, &spans[i]) - from) / s.step;
        int64_t first = (seconds_of(spans[i].first) - from) / s.step;
        if (spans[i].offers == 0) continue;
        s.seen[first] = true;
        if (spans[i].last[0] != '\0') s.seen[end] = true;
        for (int64_t k = first; k <= end; k++) {
            if (!(s.low[k] <= spans[i].lowest_usd_gpu_h)) s.low[k] = spans[i].lowest_usd_gpu_h;
            s.offers[k] += spans[i].offers;
        }
    }
    return s;
}

static Series make_series(App *app, const PriceSpan *spans, size_t n, size_t columns) {
    int64_t from = INT64_MAX;
    int64_t to = 0;
    price_range(app, spans, n, &from, &to);
    return price_series(app, spans, n, from, to, columns);
}

static const char *day_of(App *app, int64_t seconds) { return date_text(&app->arena, seconds / DAY_S); }

// ---------------------------------------------------------------- history: rows

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
    X("currency",               "CURRENCY",   MORE_TEXT,      row->currency[0] != '\0' ? row->currency : "USD") \
    X("feed",                   "FEED",       MORE_TEXT,      o->feed) \
    X("source",                 "SOURCE",     MORE_TEXT,      o->source)
// clang-format on

static void history_row(Listing *l, const Observation *row) {
    const Offer *o = &row->offer;
    listing_row(l, HISTORY_COLUMNS(LISTING_CELL));
}

static void history_json(Json *list, const Observation *row) {
    const Offer *o = &row->offer;
    Json *j = json_add_object(list, NULL);
    json_add(j, J_TEXT("provider", o->provider), J_TEXT_OR_NULL("instance", o->instance),
             J_TEXT_OR_NULL("region", o->region), J_TEXT("gpu", o->sku_id),
             J_NUMBER("gpu_count", o->gpu_count), J_TEXT("pricing_model", pricing_names[o->pricing_model]),
             J_NUMBER("price_usd_per_hour", usd_h(o)), J_NUMBER("price_usd_per_gpu_hour", usd_gpu_h(o)),
             J_AVAILABLE("available", o->available), J_TEXT("first_seen_at", o->seen_at),
             J_TEXT("last_seen_at", row->last_seen_at), J_BOOL("stands", row->stands),
             J_TEXT("currency", row->currency[0] != '\0' ? row->currency : "USD"),
             J_TEXT_OR_NULL("feed", o->feed), J_TEXT("source", o->source));
}

typedef struct History {
    const Gpu *gpu;
    HistoryFilter filter;
    Observation *rows;
    size_t n, n_all;  // n_all: also those that a table does not show
    PriceSpan *spans;
    size_t n_spans;
} History;

static void history_answer_json(App *app, const History *h) {
    Json *root = app_json(app);
    if (app->n_args > 0) json_add_text(app->inputs, "gpu", app->args[0]);
    Json *list = json_add_array(root, "observations");
    for (size_t i = 0; i < h->n; i++) history_json(list, &h->rows[i]);
    Json *series = json_add_array(root, "series");
    if (h->n > 0) {
        Series s = make_series(app, h->spans, h->n_spans, CHART_MAX);
        for (size_t i = 0; i < s.n; i++) {
            if (s.offers[i] == 0) continue;
            Json *j = json_add_object(series, NULL);
            json_add(j, J_TEXT("from", time_text(&app->arena, s.from + (int64_t)i * s.step)),
                     J_NUMBER("lowest_usd_per_gpu_hour", s.low[i]), J_INTEGER("offers", s.offers[i]));
        }
    }
}

static void history_chart(App *app, const History *h) {
    size_t columns = app->width > CHART_MIN + CHART_MARGIN ? app->width - CHART_MARGIN : CHART_MIN;
    if (columns > CHART_MAX) columns = CHART_MAX;
    Series s = make_series(app, h->spans, h->n_spans, columns);
    Chart chart = {
        s.low, s.low, s.n, CHART_ROWS, day_of(app, s.from), day_of(app, s.from + s.step * (int64_t)s.n)};
    if (app->capture != NULL) app->capture->chart = chart;
    buf_printf(&app->out, "Lowest listed %s price of %s in $/GPU-h\n\n",
               pricing_names[h->filter.pricing_model], h->gpu->sku_id);
    chart_text(&chart, &app->out);
    buf_puts(&app->out, "\n");
}

static void history_answer_text(App *app, const History *h) {
    Listing l = LISTING(&app->arena, "observations", HISTORY_COLUMNS, h->n);
    for (size_t i = 0; i < h->n; i++) history_row(&l, &h->rows[i]);
    if (h->n < h->n_all)
        l.note =
            arena_printf(&app->arena, "The newest %zu of %zu observations; --json and --format csv give all.",
                         h->n, h->n_all);
    if (app->format == FORMAT_TABLE && h->n > 0) history_chart(app, h);
    const char *since = h->filter.since[0] != '\0' ? " in that time" : "";
    answer_rows(app, &l,
                arena_printf(&app->arena, "No %s price of %s was seen%s.",
                             pricing_names[h->filter.pricing_model], h->gpu->sku_id, since));
}

static bool read_history(App *app, History *h, Err *e) {
    Asked asked;
    if (!asked_open(app, app->args[0], (double)NAN, &asked, e)) return false;
    h->gpu = asked.gpu;
    h->filter = (HistoryFilter){.sku_id = h->gpu->sku_id,
                                .pricing_model = asked.pricing,
                                .provider = asked.provider,
                                .region = opt_text(app, OPT_REGION, ""),
                                .gpu_count = opt_number(app, OPT_GPUS, 0),
                                .since = asked.since,
                                .newest = app->format == FORMAT_TABLE ? NEWEST_SHOWN : 0};
    bool ok = market_history(asked.market, &h->filter, &app->arena, &h->rows, &h->n, e) &&
              market_spans(asked.market, &h->filter, &app->arena, &h->spans, &h->n_spans, e);
    market_close(asked.market);
    for (size_t i = 0; ok && i < h->n_spans; i++) h->n_all += h->spans[i].observations;
    return ok;
}

int prices_history(App *app) {
    Err e = {0};
    History h = {0};
    if (!read_history(app, &h, &e)) return app_fail(app, &e);
    if (app->format == FORMAT_JSON) {
        history_answer_json(app, &h);
    } else {
        history_answer_text(app, &h);
    }
    return h.n > 0 ? EXIT_DONE : EXIT_NO;
}

// ---------------------------------------------------------------- diff

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

static OfferFilter change_filter(const App *app, const Asked *asked) {
    OfferFilter f = {.vendor = opt_choice(app, OPT_VENDOR, -1),
                     .region = opt_text(app, OPT_REGION, ""),
                     .pricing_model =
                         opt_flag(app, OPT_SPOT) || opt_set(app, OPT_RESERVED) ? (int)asked->pricing : -1,
                     .gpu_count = opt_number(app, OPT_GPUS, (double)NAN),
                     .gpus_max = (double)NAN,
                     .fleet = (double)NAN,
                     .max_usd_gpu_h = (double)NAN};
    if (asked->provider[0] != '\0') f.providers = (Names){{asked->provider}, 1};
    if (asked->gpu != NULL) f.gpus = (Names){{asked->gpu->sku_id}, 1};
    return f;
}

static void diff_row(Listing *l, const Change *c) {
    const Offer *o = &c->offer;
    double now = c->kind == CHANGE_GONE ? (double)NAN : usd_gpu_h(o);
    Offer before = *o;
    before.price_micro_usd_h = c->before_micro_h;
    double was = c->before_micro_h > 0 ? usd_gpu_h(&before) : (double)NAN;
    listing_row(l, DIFF_COLUMNS(LISTING_CELL));
}

// Row by row: the changes of a large market are never held as a tree.
static void diff_json(App *app, const Listing *l, const char *since, const size_t counts[CHANGE_COUNT]) {
    Json *root = app_json(app);
    Json *more = json_object();
    JsonRows rows;
    json_add_text(root, "since", since);
    json_add_array(root, l->name);
    json_rows_open(root, &app->out, &rows);
    for (size_t i = 0; i < l->n_rows; i++) {
        Json *row = json_object();
        listing_row_json(l, i, row);
        json_rows_add(&rows, row);
        json_free(row);
        app_drain(app);
    }
    Json *sums = json_add_object(more, "counts");
    for (size_t i = 0; i < CHANGE_COUNT; i++) json_add_integer(sums, change_names[i], (int64_t)counts[i]);
    warnings_json(more, app->warnings, app->n_warnings);
    json_rows_close(&rows, more);
    json_free(more);
    app_json_drop(app);
}

static void diff_answer(App *app, const Listing *l, const char *since, const size_t counts[CHANGE_COUNT]) {
    if (app->format == FORMAT_JSON) {
        diff_json(app, l, since, counts);
    } else {
        answer_rows(app, l,
                    arena_printf(&app->arena, "No refreshed or imported price changed since %s.", since));
    }
}

int prices_diff(App *app) {
    Err e = {0};
    Asked asked;
    MarketChanges changes = {0};
    bool ok =
        asked_open(app, opt_set(app, OPT_GPU) ? opt_text(app, OPT_GPU, "") : NULL, DIFF_DAYS, &asked, &e) &&
        market_changes(asked.market, asked.since, &app->arena, &changes, &e);
    market_close(asked.market);
    if (!ok) return app_fail(app, &e);
    size_t counts[CHANGE_COUNT] = {0};
    OfferFilter filter = change_filter(app, &asked);
    Listing l = LISTING(&app->arena, "changes", DIFF_COLUMNS, changes.n);
    for (size_t i = 0; i < changes.n; i++) {
        Change change = market_change(&changes, i);
        const Gpu *gpu = offer_gpu(asked.gpus, asked.n_gpus, &change.offer, NULL);
        if (offer_refusal(&filter, &change.offer, gpu) != OFFER_FITS) continue;
        counts[change.kind]++;
        diff_row(&l, &change);
    }
    l.note = arena_printf(&app->arena, "Since %s: %zu new, %zu gone, %zu up, %zu down.", asked.since,
                          counts[CHANGE_NEW], counts[CHANGE_GONE], counts[CHANGE_UP], counts[CHANGE_DOWN]);
    diff_answer(app, &l, asked.since, counts);
    return EXIT_DONE;
}
