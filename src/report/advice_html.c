// The page of an advice: verdict card, figures with their tables, what runs where, evidence.
#include "src/report/advice_html.h"

#include <string.h>

#include "src/report/drawing.h"
#include "src/report/html_page.h"
#include "src/report/sessions.h"
#include "src/report/ranked.h"

enum { BARS_TOP = 12 };

// ---------------------------------------------------------------- verdict

static const char *winner_title(Winner w) {
    switch (w) {
    case WINNER_NVIDIA: return "NVIDIA";
    case WINNER_AMD: return "AMD";
    case WINNER_SPLIT: return "Split";
    case WINNER_TIE: return "Tie";
    case WINNER_NEITHER: return "Neither";
    case WINNER_NOT_YET: return "Not yet";
    case WINNER_UNKNOWN: return "Not known";
    case WINNER_COUNT: break;
    }
    return "";
}

void advice_html_answer(const Verdict *v, Arena *a, Buf *out) {
    buf_puts(out, "<div class=\"answer\">");
    html_element(out, "strong", "", winner_title(v->winner));
    if (is_known(v->probability)) {
        const char *words = arena_printf(a, "%s%s", probability_text(a, v->probability),
                                         v->winner == WINNER_TIE ? " of the likelier side" : "");
        buf_puts(out, "<div class=\"chance\">");
        html_text(out, words);
        buf_printf(out, "<progress max=\"100\" value=\"%.0f\" aria-label=\"", 100 * v->probability);
        html_text(out, words);
        buf_puts(out, "\"></progress></div>");
    }
    buf_puts(out, "</div>\n");
}

// ---------------------------------------------------------------- data of a figure

Json *figure_data(Drawing *d, const char *id, const char *kind) {
    Json *j = json_add_object(d->figures, NULL);
    json_add(j, J_TEXT("id", id), J_TEXT("kind", kind));
    return j;
}

static void numbers_json(Json *parent, const char *key, const double *x, size_t n) {
    Json *list = json_add_array(parent, key);
    for (size_t i = 0; i < n; i++) json_add_number(list, NULL, x[i]);
}

static const char *option_label(Drawing *d, const Option *o) {
    return arena_printf(d->arena, "%s %d x %s, %s", vendor_titles[o->gpu->vendor], o->gpu_count,
                        o->gpu->sku_id, o->offer->provider);
}

static const char *cost_unit(Drawing *d) {
    return arena_printf(d->arena, "USD %s", per_what(d->advice->ask));
}

// ---------------------------------------------------------------- cost of each option

// clang-format off
#define COST_COLUMNS(X) \
    X("option",              "Option",                    TEXT,      label) \
    X("cost",                "Cost",                      NUMBER(3), e->value) \
    X("low",                 "Low",                       NUMBER(3), e->low) \
    X("high",                "High",                      NUMBER(3), e->high) \
    X("basis",               "Basis",                     TEXT,      basis_names[e->basis]) \
    X("output_usd_per_mtok", "Per million output tokens", NUMBER(3), o->output_usd_mtok.value)
// clang-format on

static const char *line_label(Drawing *d, const RankLine *x) {
    const Option *o = x->option;
    return arena_printf(d->arena, "%s %d x %s, %s", vendor_titles[o->gpu->vendor], o->gpu_count,
                        o->gpu->sku_id, o->today ? "what runs today" : sellers_text(x, 0, d->arena));
}

static void draw_costs(Drawing *d) {
    const Advice *x = d->advice;
    const char *unit = cost_unit(d);
    size_t n = 0, all = 0;
    const RankLine *lines =
        ranked_lines(x, x->ask->top < BARS_TOP ? x->ask->top : BARS_TOP, d->arena, &n, &all);
    if (n == 0) return;
    Json *j = figure_data(d, "cost", "bars");
    json_add_text(j, "unit", unit);
    Json *labels = json_add_array(j, "labels"), *vendors = json_add_array(j, "vendors"),
         *value = json_add_array(j, "value"), *low = json_add_array(j, "low"),
         *high = json_add_array(j, "high");
    const char *words = "";
    bool beside = inputs_lead(x->ask);  // the last column
    Listing l = LISTING(d->arena, "cost", COST_COLUMNS, n);
    l.n_columns -= !beside;  // the last one
    for (size_t i = 0; i < n; i++) {
        const Option *o = lines[i].option;
        const Estimate *e = option_cost(o, x->ask);
        const char *label = line_label(d, &lines[i]);
        json_add_text(labels, NULL, label);
        json_add_text(vendors, NULL, o->today ? "" : vendor_names[o->gpu->vendor]);  // of neither colour
        json_add_number(value, NULL, e->value);
        json_add_number(low, NULL, e->low);
        json_add_number(high, NULL, e->high);
        listing_row(&l, COST_COLUMNS(LISTING_CELL));
        if (i == 0 || lines[i].best || o->today)
            words = arena_printf(d->arena, "%s; %s %s (%s to %s)", words, label,
                                 number_text(d->arena, e->value, 3), number_text(d->arena, e->low, 3),
                                 number_text(d->arena, e->high, 3));
    }
    html_figure(
        d->out, "cost", "What each option costs",
        arena_printf(
            d->arena,
            "%s, whole instances, at this load, each GPU at its cheapest seller. Thin line: 80 %% range.",
            unit),
        arena_printf(d->arena, "Bars: cost of %zu options in %s, cheapest first%s", n, unit, words), &l);
}

// ---------------------------------------------------------------- cost against speed

// clang-format off
#define PARETO_COLUMNS(X) \
    X("option",                "Option",     TEXT,      option_label(d, o)) \
    X("tpot_ms",               "TPOT ms",    NUMBER(3), o->tpot_ms.value) \
    X("tokens_per_s_per_user", "tok/s/user", NUMBER(3), o->tokens_s_user.value) \
    X("cost_usd",              "$/Mtok",     NUMBER(3), o->cost) \
    X("concurrency",           "In flight",  NUMBER(4), o->concurrency)
// clang-format on

static void add_point(Drawing *d, const Option *o, Json *points, Listing *l) {
    Json *p = json_add_object(points, NULL);
    json_add(p, J_TEXT("label", option_label(d, o)), J_TEXT("vendor", vendor_names[o->gpu->vendor]),
             J_BOOL("today", o->today), J_NUMBER("x", o->tpot_ms.value), J_NUMBER("y", o->cost));
    listing_row(l, PARETO_COLUMNS(LISTING_CELL));
}

static void draw_pareto(Drawing *d) {
    const Advice *x = d->page->pareto;
    if (x == NULL || x->n_options == 0) return;
    Json *j = figure_data(d, "pareto", "scatter");
    json_add(j, J_TEXT("x", "TPOT, ms a token"), J_TEXT("y", cost_unit(d)));
    Json *points = json_add_array(j, "points");
    Listing l = LISTING(d->arena, "pareto", PARETO_COLUMNS, x->n_options + 1);
    l.columns[3].title = cost_title(d->advice->ask);
    const char *words = "";
    for (int v = 0; v < VENDOR_COUNT; v++) {
        const Option *o = x->best[v];
        if (o != NULL)
            words =
                arena_printf(d->arena, "%s; cheapest of %s %s at %s ms", words, vendor_titles[v],
                             number_text(d->arena, o->cost, 3), number_text(d->arena, o->tpot_ms.value, 3));
    }
    for (size_t i = 0; i < x->n_options; i++) add_point(d, &x->options[i], points, &l);
    const Option *now = d->advice->current;
    if (now != NULL) {
        add_point(d, now, points, &l);
        words =
            arena_printf(d->arena, "%s; what runs today %s at %s ms", words,
                         number_text(d->arena, now->cost, 3), number_text(d->arena, now->tpot_ms.value, 3));
    }
    html_figure(d->out, "pareto", "Cost against speed",
                "Options that no other of their vendor beats both in cost and in time per token. Lower left "
                "is better.",
                arena_printf(d->arena, "Scatter plot: %s against ms per output token of %zu options%s",
                             cost_unit(d), l.n_rows, words),
                &l);
}

// ---------------------------------------------------------------- break-even

static const char *transition_title(const Transition *l) {
    return l->id == TRANSITION_VENDOR ? "across vendors" : "same vendor, other provider";
}

// clang-format off
#define CURVE_COLUMNS(X) \
    X("move",  "Move",              TEXT,      transition_title(transition)) \
    X("month", "Month",             NUMBER(3), transition->curve_month[i]) \
    X("usd",   "Worth so far, USD", NUMBER(4), transition->curve[i]) \
    X("low",   "Low",               NUMBER(4), transition->curve_low[i]) \
    X("high",  "High",              NUMBER(4), transition->curve_high[i])
// clang-format on

static void add_curve(Drawing *d, const Transition *transition, Json *series, Listing *l) {
    Json *one = json_add_object(series, NULL);
    json_add(one,
             J_TEXT("label", arena_printf(d->arena, "to %s at %s (%s)", transition->to->gpu->name,
                                          transition->to->offer->provider, transition_title(transition))),
             J_TEXT("vendor", vendor_names[transition->to->gpu->vendor]));
    numbers_json(one, "month", transition->curve_month, transition->n_curve);
    numbers_json(one, "value", transition->curve, transition->n_curve);
    numbers_json(one, "low", transition->curve_low, transition->n_curve);
    numbers_json(one, "high", transition->curve_high, transition->n_curve);
    for (size_t i = 0; i < transition->n_curve; i++) listing_row(l, CURVE_COLUMNS(LISTING_CELL));
}

static void draw_break_even(Drawing *d) {
    const char *words = "", *from = "";
    size_t n = 0;
    for (int i = 0; i < TRANSITION_COUNT; i++)
        n += d->advice->transitions[i] != NULL ? d->advice->transitions[i]->n_curve : 0;
    if (n == 0) return;
    Json *j = figure_data(d, "break-even", "bands");
    json_add(j, J_TEXT("x", "months"), J_TEXT("y", "present value, USD"));
    Json *series = json_add_array(j, "series");
    Listing l = LISTING(d->arena, "break-even", CURVE_COLUMNS, n);
    for (int i = TRANSITION_COUNT - 1; i >= 0; i--) {
        const Transition *transition = d->advice->transitions[i];
        if (transition == NULL || transition->n_curve == 0) continue;
        add_curve(d, transition, series, &l);
        from = option_label(d, transition->from);
        words = arena_printf(d->arena, "%s%s%s: %s", words, words[0] != '\0' ? ". " : "",
                             transition_title(transition), transition->text);
    }
    html_figure(
        d->out, "break-even", "When a move has paid for itself",
        arena_printf(d->arena,
                     "Saved less spent against %s, in money of today. Where a line crosses zero the move has "
                     "paid; the band holds 80 %% of the draws.",
                     from),
        arena_printf(d->arena, "Curves of what a move is worth over the months, with bands. %s", words), &l);
}

// ---------------------------------------------------------------- what moves the answer

// clang-format off
#define TORNADO_COLUMNS(X) \
    X("assumption", "Assumption",     TEXT,      f->what) \
    X("unit",       "Unit",           TEXT,      f->unit) \
    X("value",      "Now",            NUMBER(3), f->value) \
    X("low",        "Low",            NUMBER(3), f->low) \
    X("high",       "High",           NUMBER(3), f->high) \
    X("at_low",     "Result at low",  NUMBER(4), f->at_low) \
    X("at_high",    "Result at high", NUMBER(4), f->at_high)
// clang-format on

static void draw_tornado(Drawing *d) {
    enum { SHOWN_MAX = 12 };
    const Advice *x = d->advice;
    const Transition *transition = x->transitions[TRANSITION_VENDOR];
    const Transition *other = x->transitions[TRANSITION_PROVIDER];
    bool moves = transition != NULL && is_known(transition->npv.value);
    const char *unit = !moves          ? "cost of AMD over that of NVIDIA"
                       : other != NULL ? "worth of moving to AMD, less that of the other move, USD"
                                       : "worth of moving to AMD, USD";
    Listing l = LISTING(d->arena, "tornado", TORNADO_COLUMNS, SHOWN_MAX);
    for (size_t i = 0; i < x->n_sensitivities && l.n_rows < SHOWN_MAX; i++) {
        const Sensitivity *f = &x->sensitivities[i];
        if (!is_known(f->at_low) || !is_known(f->at_high)) continue;
        listing_row(&l, TORNADO_COLUMNS(LISTING_CELL));
    }
    if (l.n_rows == 0) return;
    Json *j = figure_data(d, "tornado", "tornado");
    json_add(j, J_TEXT("unit", unit),
             J_NUMBER("base", moves ? transition->npv.value - (other != NULL ? fmax(other->npv.value, 0) : 0)
                                    : x->verdict.cost_ratio.value));
    Json *labels = json_add_array(j, "labels"), *low = json_add_array(j, "at_low"),
         *high = json_add_array(j, "at_high");
    for (size_t i = 0; i < l.n_rows; i++) {
        const Cell *row = &l.cells[i * l.n_columns];
        json_add_text(labels, NULL, row[0].text);
        json_add_number(low, NULL, row[5].number);
        json_add_number(high, NULL, row[6].number);
    }
    html_figure(
        d->out, "tornado", "What moves the answer",
        arena_printf(d->arena, "The %s at both ends of each assumption, the others left as they are.", unit),
        arena_printf(d->arena, "Tornado chart of %zu assumptions, the strongest first: %s from %s to %s",
                     l.n_rows, l.cells[0].text, number_text(d->arena, l.cells[5].number, 3),
                     number_text(d->arena, l.cells[6].number, 3)),
        &l);
}

// ---------------------------------------------------------------- prices over time

// Seen nowhere but here: what the user says is paid today, on the last day.
static PriceSeries paid_today(Drawing *d) {
    size_t n = d->page->n_days;
    double *usd = arena_alloc(d->arena, n, sizeof *usd);
    bool *seen = arena_alloc(d->arena, n, sizeof *seen);
    for (size_t i = 0; i < n; i++) usd[i] = (double)NAN;
    usd[n - 1] = d->advice->current->price_usd_gpu_h;
    seen[n - 1] = true;
    return (PriceSeries){d->advice->current->gpu, usd, seen};
}

static void add_series(Drawing *d, const PriceSeries *p, const char *label, const char *vendor,
                       Json *series) {
    Json *one = json_add_object(series, NULL);
    json_add(one, J_TEXT("label", label), J_TEXT("vendor", vendor));
    numbers_json(one, "value", p->usd_gpu_h, d->page->n_days);
    Json *seen = json_add_array(one, "seen");
    for (size_t i = 0; i < d->page->n_days; i++) json_add_bool(seen, NULL, p->seen[i]);
}

static size_t last_seen(const PriceSeries *p, size_t n) {
    while (n > 1 && !p->seen[n - 1]) n--;
    return n - 1;
}

// A row a day on which a price was seen.
static void price_rows(Drawing *d, const PriceSeries *prices, size_t n, Listing *l) {
    for (size_t i = 0; i < d->page->n_days; i++) {
        bool any = false;
        for (size_t s = 0; s < n; s++) any = any || prices[s].seen[i];
        if (!any) continue;
        listing_text(l, 0, d->page->days[i]);
        for (size_t s = 0; s < n; s++) {
            if (prices[s].seen[i]) listing_number(l, 1 + s, prices[s].usd_gpu_h[i]);
        }
        listing_row_done(l);
    }
}

static void draw_prices(Drawing *d) {
    const ReportPage *page = d->page;
    if (page->n_prices == 0 || page->n_days == 0) return;
    PriceSeries prices[VENDOR_COUNT + 1];
    size_t n = 0;
    for (; n < page->n_prices; n++) prices[n] = page->prices[n];
    if (d->advice->current != NULL) prices[n++] = paid_today(d);
    Json *j = figure_data(d, "prices", "lines");
    json_add_text(j, "y", "USD a GPU-hour");
    json_add_texts(j, "labels", page->days, page->n_days);
    Json *series = json_add_array(j, "series");
    Column *columns = arena_alloc(d->arena, 1 + n, sizeof *columns);
    columns[0] = (Column){.key = "day", .title = "Seen"};
    const char *words = "";
    for (size_t s = 0; s < n; s++) {
        const PriceSeries *p = &prices[s];
        const char *label =
            s < page->n_prices ? p->gpu->name : arena_printf(d->arena, "%s, paid today", p->gpu->name);
        size_t last = last_seen(p, page->n_days);
        add_series(d, p, label, s < page->n_prices ? vendor_names[p->gpu->vendor] : "", series);
        columns[1 + s] = (Column){.key = label, .title = label, .number = true, .digits = 4};
        words = arena_printf(d->arena, "%s; %s last seen %s at %s", words, label, page->days[last],
                             number_text(d->arena, p->usd_gpu_h[last], 3));
    }
    Listing l = listing_new(d->arena, "prices", columns, 1 + n, page->n_days);
    price_rows(d, prices, n, &l);
    html_figure(d->out, "prices", "Prices so far",
                "Lowest price of a GPU-hour that stood, of the GPUs of the best options. A mark is a day on "
                "which somebody saw a price; after the last one the line is dashed: nobody has looked since.",
                arena_printf(d->arena, "Lines: lowest price of a GPU-hour in USD from %s to %s%s",
                             page->days[0], page->days[page->n_days - 1], words),
                &l);
}

// ---------------------------------------------------------------- all

void advice_html_figures(const Advice *advice, const ReportPage *page, Json *figures, Arena *a, Buf *out) {
    Drawing d = {advice, page, figures, a, out};
    buf_puts(out, "<noscript><p class=\"note\">Scripts are off: each figure is its table "
                  "here.</p></noscript>\n<div class=\"figures\">\n");
    draw_costs(&d);
    draw_pareto(&d);
    sessions_html(advice, figures, a, out);
    draw_break_even(&d);
    draw_tornado(&d);
    draw_prices(&d);
    draw_migration(&d);
    buf_puts(out, "</div>\n");
    draw_stack(&d);
    draw_matrix(&d);
}

static void stack_evidence(const StackView *v, Arena *a, Buf *out) {
    html_element(out, "h3", "", "The stack on AMD");
    for (size_t i = 0; i < v->n_items; i++) {
        const StackItem *x = &v->items[i];
        html_element(out, "p", "",
                     arena_printf(a, "%s: %s (%s)", x->title, fit_titles[x->fit],
                                  x->as_of[0] != '\0' ? x->as_of : "no date"));
        html_sources(out, x->source);
    }
}

void advice_html_evidence(const Advice *advice, Arena *a, Buf *out) {
    if (advice->n_options == 0) return;
    html_section(out, "long", "Evidence");
    for (int v = 0; v < VENDOR_COUNT; v++) {
        const Option *o = advice->best[v];
        if (o == NULL) continue;
        html_element(out, "h3", "",
                     arena_printf(a, "%s: %s on %s", vendor_titles[v],
                                  o->engine[0] != '\0' ? o->engine : "work", o->gpu->name));
        html_element(out, "p", "",
                     arena_printf(a, "Price of %s, seen %s:", o->offer->provider, o->offer->as_of));
        html_sources(out, o->offer->source);
        html_element(out, "p", "", "Speed and memory:");
        html_sources(out, o->sources);
    }
    if (advice->stack != NULL) stack_evidence(advice->stack, a, out);
    html_end(out, "section");
}
