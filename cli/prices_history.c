// prices history, prices diff: how prices moved.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/prices.h"
#include "src/report/price_history.h"

enum { CHART_MIN = 20, CHART_MAX = 100, CHART_MARGIN = 12, NEWEST_SHOWN = 15, DIFF_DAYS = 7 };

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

// ---------------------------------------------------------------- history

typedef struct History {
    const Gpu *gpu;
    HistoryFilter filter;
    Observation *rows;
    size_t n, n_all;  // n_all: also those that a table does not show
    PriceSpan *spans;
    size_t n_spans;
} History;

static LowestPrices lowest_of(const History *h, size_t columns, int64_t now, Arena *a) {
    int64_t from = INT64_MAX;
    int64_t to = 0;
    price_range(h->spans, h->n_spans, now, &from, &to);
    return lowest_prices(h->spans, h->n_spans, now, from, to, columns, a);
}

static void history_answer_json(App *app, const History *h) {
    Json *root = app_json(app);
    LowestPrices lowest = {0};
    if (app->n_args > 0) json_add_text(app->inputs, "gpu", app->args[0]);
    if (h->n > 0) lowest = lowest_of(h, CHART_MAX, app->now, &app->arena);
    price_history_json(h->rows, h->n, &lowest, &app->arena, root);
}

static void history_chart(App *app, const History *h) {
    size_t columns = app->width > CHART_MIN + CHART_MARGIN ? app->width - CHART_MARGIN : CHART_MIN;
    if (columns > CHART_MAX) columns = CHART_MAX;
    LowestPrices lowest = lowest_of(h, columns, app->now, &app->arena);
    Chart chart = price_history_chart(&lowest, &app->arena);
    if (app->capture != NULL) app->capture->chart = chart;
    buf_printf(&app->out, "Lowest listed %s price of %s in $/GPU-h\n\n",
               pricing_names[h->filter.pricing_model], h->gpu->sku_id);
    chart_text(&chart, &app->out);
    buf_puts(&app->out, "\n");
}

static void history_answer_text(App *app, const History *h) {
    Listing l = price_history_rows(h->rows, h->n, &app->arena);
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

static void diff_answer(App *app, const Listing *l, const char *since, const size_t counts[CHANGE_COUNT]) {
    if (app->format == FORMAT_JSON) {
        Writer w = app_writer(app);
        price_changes_json(&w, l, since, counts, app->warnings, app->n_warnings, app_json(app));
        app_json_drop(app);
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
    Listing l = price_changes(changes.n, &app->arena);
    for (size_t i = 0; i < changes.n; i++) {
        Change change = market_change(&changes, i);
        const Gpu *gpu = offer_gpu(asked.gpus, asked.n_gpus, &change.offer, NULL);
        if (offer_refusal(&filter, &change.offer, gpu) != OFFER_FITS) continue;
        counts[change.kind]++;
        price_change_row(&l, &change);
    }
    l.note = arena_printf(&app->arena, "Since %s: %zu new, %zu gone, %zu up, %zu down.", asked.since,
                          counts[CHANGE_NEW], counts[CHANGE_GONE], counts[CHANGE_UP], counts[CHANGE_DOWN]);
    diff_answer(app, &l, asked.since, counts);
    return EXIT_DONE;
}
