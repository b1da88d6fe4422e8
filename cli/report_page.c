// What the HTML of a report shows besides the advice: the front of cost and speed, prices so far.
#include "cli/report_page.h"

#include <string.h>

#include "cli/prices.h"

enum { PRICE_COLUMNS = 1500, PARETO_TOP = 60 };

static const Advice *pareto_of(App *app, const Facts *facts, const Advice *advice) {
    if (!serves_tokens(&advice->ask->workload)) return NULL;
    Err e = {0};
    Ask *ask = arena_alloc(&app->arena, 1, sizeof *ask);
    Advice *front = arena_alloc(&app->arena, 1, sizeof *front);
    *ask = *advice->ask;
    ask->pareto = true;
    ask->top = PARETO_TOP;
    if (advise_search(facts, ask, &app->arena, front, &e)) return front;
    app_warn(app, "no front of cost and speed: %s", e.text);
    return NULL;
}

static bool read_spans(App *app, Market *market, const Advice *advice, ReportPage *page, PriceSpan **spans,
                       size_t *n, Err *e) {
    for (int v = 0; v < VENDOR_COUNT; v++) {
        const Option *o = advice->best[v];
        if (o == NULL) continue;
        HistoryFilter filter = {
            .sku_id = o->gpu->sku_id, .pricing_model = (PricingModel)advice->ask->pricing_model, .since = ""};
        if (!market_spans(market, &filter, &app->arena, &spans[page->n_prices], &n[page->n_prices], e))
            return false;
        if (n[page->n_prices] > 0) page->prices[page->n_prices++].gpu = o->gpu;
    }
    return true;
}

// Whole days, one a column, or several a column where they would be too many.
static size_t day_columns(int64_t *from, int64_t *to) {
    *from -= *from % DAY_S;
    int64_t days = (*to - *from) / DAY_S + 1;
    int64_t each = (days + PRICE_COLUMNS - 1) / PRICE_COLUMNS;
    int64_t columns = (days + each - 1) / each;
    *to = *from + columns * each * DAY_S - 1;
    return (size_t)columns;
}

static void add_prices(App *app, const Advice *advice, ReportPage *page) {
    Err e = {0};
    Market *market = NULL;
    PriceSpan *spans[VENDOR_COUNT];
    size_t n[VENDOR_COUNT];
    int64_t from = INT64_MAX, to = 0;
    bool ok = app_market(app, &market, &e) && read_spans(app, market, advice, page, spans, n, &e);
    market_close(market);
    if (!ok) {
        app_warn(app, "no prices so far: %s", e.text);
        page->n_prices = 0;
    }
    if (page->n_prices == 0) return;
    for (size_t s = 0; s < page->n_prices; s++) price_range(spans[s], n[s], app->now, &from, &to);
    page->n_days = day_columns(&from, &to);
    const char **days = arena_alloc(&app->arena, page->n_days, sizeof *days);
    for (size_t s = 0; s < page->n_prices; s++) {
        LowestPrices x = lowest_prices(spans[s], n[s], app->now, from, to, page->n_days, &app->arena);
        page->prices[s].usd_gpu_h = x.usd_gpu_h;
        page->prices[s].seen = x.seen;
        for (size_t i = 0; i < x.n; i++)
            days[i] = date_text(&app->arena, (x.from + (int64_t)i * x.step) / DAY_S);
    }
    page->days = days;
}

void report_page(App *app, const Facts *facts, const Advice *advice, ReportPage *ret_page) {
    char time[32];
    format_time(time, app->now);
    *ret_page = (ReportPage){
        .facts = facts,
        .pareto = pareto_of(app, facts, advice),
        .made = arena_printf(
            &app->arena,
            "gpuadvise %s, %s. This file asks nothing of any network. Charts: Chart.js (MIT licence).",
            tool_version(), time)};
    add_prices(app, advice, ret_page);
}
