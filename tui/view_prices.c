// Prices: offers, groups, what moved, what is quarantined; and how the price of the row's GPU moved.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui/services.h"
#include "tui/chart.h"

static const Panel price_panels[] = {
    {"offers", {"prices", "list"}, {"prices", "history"}, "gpu"},
    {"by GPU", {"prices", "list", "--group-by", "gpu"}, {"prices", "history"}, "gpu"},
    {"by provider", {"prices", "list", "--group-by", "provider"}, {NULL}, NULL},
    {"moved", {"prices", "diff"}, {"prices", "history"}, "gpu"},
    {"quarantined", {"prices", "list", "--quarantined"}, {NULL}, NULL},
    {"unmapped", {"prices", "list", "--unmapped"}, {NULL}, NULL},
};

// Starts `prices refresh`; its answer is read again when it has ended.
static bool refresh(Tui *t) {
    static const char *const words[] = {"prices", "refresh", "--progress"};
    tui_start(t, JOB_REFRESH, words, COUNT_OF(words));
    return true;
}

// ---------------------------------------------------------------- how the price of the row's GPU moved

// The GPU under the cursor, "" = none.
static const char *gpu_of_row(const ViewState *v) {
    size_t row = list_row(&v->list);
    for (size_t c = 0; row != SIZE_MAX && c < v->list.of->n_columns; c++) {
        if (strcmp(v->list.of->columns[c].key, "gpu") == 0)
            return v->list.of->cells[row * v->list.of->n_columns + c].text;
    }
    return "";
}

static bool idle(Tui *t, ViewState *v, bool ask) {
    const char *gpu = gpu_of_row(v);
    History *h = &t->history;
    if (gpu[0] == '\0' || (h->gpu != NULL && strcmp(gpu, h->gpu) == 0) || t->asker.running) return false;
    if (!ask) return true;
    TuiAnswer answer = {0};
    Err e = {0};
    arena_free(&h->arena);
    h->gpu = arena_copy(&h->arena, gpu, strlen(gpu));
    h->chart = (Chart){0};
    const char *const words[] = {"prices", "history", h->gpu};
    if (t->host->ask(t->host->self, words, COUNT_OF(words), (size_t)t->width, &h->arena, &answer, &e))
        h->chart = answer.chart;
    snprintf(h->why, sizeof h->why, "%s", e.text);
    return true;
}

static void draw_history(const History *h, Grid *g, Rect box) {
    const Chart *c = &h->chart;
    Dot *dots = arena_alloc(g->arena, c->n + 1, sizeof *dots);
    for (size_t i = 0; i < c->n; i++)
        dots[i] = (Dot){.x = (double)i, .y = c->low[i], .style = STYLE_AMD, .joined = true};
    grid_box(g, box,
             arena_printf(g->arena, "lowest on-demand price of %s, %s to %s", h->gpu, c->first, c->last));
    ChartAxes axes = {.x_title = "", .y_title = "$/GPU-h", .x_hidden = true};
    chart_draw(g, rect_inside(box), &axes, dots, c->n);
}

// In the box's bottom line, right of the filter: as many bars as there is room for.
static void draw_spark(const History *h, const char *filter, Grid *g, Rect box) {
    enum { BARS_MAX = 32, FRAME = 8, FILTER_TITLE = 10 };
    const Chart *c = &h->chart;
    double last = (double)NAN;
    for (size_t i = 0; i < c->n; i++) last = is_known(c->low[i]) ? c->low[i] : last;
    const char *now = number_text(g->arena, last, 3);
    const char *from = arena_printf(g->arena, " %s $%s, since %s ", h->gpu, now, c->first);
    int filtered = filter[0] != '\0' ? (int)text_width(filter) + FILTER_TITLE : 0;
    int room = box.width - FRAME - filtered - (int)text_width(from);
    if (room < 0) return;
    size_t n = room < BARS_MAX ? (size_t)room : BARS_MAX;
    int width = (int)text_width(from) + (int)n + 1;
    int y = box.y + box.height - 1;
    double *bars = arena_alloc(g->arena, n + 1, sizeof *bars);
    for (size_t i = 0; i < n; i++) {
        bars[i] = (double)NAN;
        for (size_t k = i * c->n / n; k < (i + 1) * c->n / n; k++)
            bars[i] = is_known(c->low[k]) ? c->low[k] : bars[i];
    }
    int x = box.x + box.width - width - 2;
    grid_fill(g, (Rect){x, y, width, 1}, STYLE_TEXT);
    chart_spark(g, x + 1, y, (int)n, STYLE_AMD, bars, n);
    grid_text(g, x + 1 + (int)n, y, width, STYLE_DIM, from);
}

static void fill(Tui *t, ViewState *v, Grid *g, Rect at) {
    enum { TALL = 34, CHART_ROWS = 12 };
    const char *gpu = gpu_of_row(v);
    const History *h = &t->history;
    bool asked = h->gpu != NULL && strcmp(gpu, h->gpu) == 0;
    bool known = asked && h->chart.n > 0;
    bool tall = at.height >= TALL && gpu[0] != '\0';
    Rect table = rect_top(&at, at.height - (tall ? CHART_ROWS : 0));
    view_table_fill(v, g, table);
    if (tall && known) draw_history(h, g, at);
    if (tall && !known)
        grid_box(g, at,
                 arena_printf(g->arena, "%s: %s", gpu,
                              !asked              ? "..."
                              : h->why[0] != '\0' ? h->why
                                                  : "no price of it was ever dated"));
    if (!tall && known) draw_spark(h, v->list.filter, g, table);
    if (!tall && asked && h->why[0] != '\0')
        grid_text(g, table.x + 2, table.y + table.height - 1, table.width - 4, STYLE_WARN, h->why);
}

static bool act(Tui *t, ViewState *v, Action action, int argument) {
    (void)v;
    (void)argument;
    return action == ACT_REFRESH && refresh(t);
}

static const Action price_keys[] = {ACT_OPEN,    ACT_FILTER,  ACT_SORT_RIGHT, ACT_EXPORT,
                                    ACT_PANEL,   ACT_BASIS,   ACT_REFRESH,    ACT_MARK,
                                    ACT_COMPARE, ACT_SORT_BY, ACT_FIND,       ACT_COPY};

const View view_prices = {
    .panels = price_panels,
    .n_panels = COUNT_OF(price_panels),
    .fill = fill,
    .act = act,
    .idle = idle,
    .keys = price_keys,
    .n_keys = COUNT_OF(price_keys),
    .lists = true,
};
