// The options of an answer as points: cost against speed.
#include <stdlib.h>
#include <string.h>

#include "tui/chart.h"
#include "tui/option_box.h"

static bool serves(const Advice *x) { return serves_tokens(&x->ask->workload); }

// Down and left is better: milliseconds a token where tokens are served, else the dollars of an hour.
static double speed(const Advice *x, const Option *o) {
    return serves(x) ? o->tpot_ms.value : o->price_usd_h;
}

typedef struct Point2 {
    double x, y;
    size_t index;  // among the shown
} Point2;

static int by_speed(const void *left, const void *right) {
    const Point2 *a = left;
    const Point2 *b = right;
    if (a->x < b->x || a->x > b->x) return a->x < b->x ? -1 : 1;
    if (a->y < b->y || a->y > b->y) return a->y < b->y ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

// The options shown that no other of them beats in both, the fastest first.
static size_t front_of(const Advice *x, const List *list, Arena *a, Point2 **ret_points) {
    Point2 *points = arena_alloc(a, list->n_shown + 1, sizeof *points);
    size_t n = 0, kept = 0;
    for (size_t i = 0; i < list->n_shown; i++) {
        const Option *o = &x->options[list->shown[i]];
        if (is_known(speed(x, o)) && is_known(o->cost)) points[n++] = (Point2){speed(x, o), o->cost, i};
    }
    if (n > 0) qsort(points, n, sizeof *points, by_speed);
    for (size_t i = 0; i < n; i++) {
        if (kept == 0 || points[i].y < points[kept - 1].y) points[kept++] = points[i];
    }
    *ret_points = points;
    return kept;
}

static Dot dot_of(const Advice *x, size_t option, size_t index) {
    const Option *o = &x->options[option];
    bool nvidia = o->gpu->vendor == VENDOR_NVIDIA;
    bool best = o == x->best[o->gpu->vendor];
    return (Dot){.x = speed(x, o),
                 .y = o->cost,
                 .style = nvidia ? STYLE_NVIDIA : STYLE_AMD,
                 .label = best     ? (nvidia ? 'N' : 'A')
                          : nvidia ? 'n'
                                   : 'a',
                 .zone = (int)index + 1};
}

static bool on_front(const Point2 *front, size_t n, size_t index) {
    for (size_t i = 0; i < n; i++) {
        if (front[i].index == index) return true;
    }
    return false;
}

// What the letters are, and which option the cursor is on.
static void draw_legend(const Advice *x, const List *list, const Point2 *front, size_t n_front, Grid *g,
                        Rect at, bool walks) {
    size_t row = list_row(list);
    if (row != SIZE_MAX && row < x->n_options) {
        int used = grid_text(g, at.x, at.y, at.width,
                             x->options[row].gpu->vendor == VENDOR_NVIDIA ? STYLE_NVIDIA : STYLE_AMD,
                             option_brief(x, row, g->arena));
        if (on_front(front, n_front, list->cursor))
            grid_text(g, at.x + used, at.y, at.width - used, STYLE_DIM, ", on the front");
    }
    grid_text(g, at.x, at.y + 1, at.width, STYLE_DIM,
              walks ? "n a options  N A best of each  line: Pareto front; left, right: along it"
                    : "n a options  N A best of each  line: Pareto front");
}

void options_chart_draw(const Advice *x, const List *list, Grid *g, Rect at, bool walks) {
    enum { LEGEND = 2, LOW = 9 };
    if (list->of == NULL) return;
    Point2 *front = NULL;
    size_t n_front = front_of(x, list, g->arena, &front);
    Dot *dots = arena_alloc(g->arena, 2 * list->n_shown + 4, sizeof *dots);
    size_t n = 0;
    for (size_t i = 0; i < n_front; i++)
        dots[n++] = (Dot){.x = front[i].x, .y = front[i].y, .style = STYLE_FRAME, .joined = i > 0};
    for (size_t i = list->n_shown; i-- > 0;) dots[n++] = dot_of(x, list->shown[i], i);
    if (list->cursor < list->n_shown) {
        dots[n] = dot_of(x, list->shown[list->cursor], list->cursor);
        dots[n++].style |= STYLE_CURSOR;
    }
    ChartAxes axes = {.x_title = serves(x) ? "TPOT ms" : "$/h",
                      .y_title = cost_axis(x->ask),
                      .x_log = true,
                      .y_log = true,
                      .row_action = ACT_ROW};
    bool legend = at.height >= LOW;
    Rect plot = rect_top(&at, at.height - (legend ? LEGEND : 0));
    chart_draw(g, plot, &axes, dots, n);
    if (legend) draw_legend(x, list, front, n_front, g, at, walks);
}

bool options_front_move(const Advice *x, List *list, int step) {
    Arena a = {0};
    Point2 *front = NULL;
    size_t n = list->of != NULL ? front_of(x, list, &a, &front) : 0;
    size_t row = list_row(list);
    double here = row != SIZE_MAX ? speed(x, &x->options[row]) : 0;
    size_t to = n;
    for (size_t i = 0; i < n; i++) {
        if (step < 0 && front[i].x < here) to = i;
        if (step > 0 && to == n && front[i].x > here) to = i;
    }
    if (to < n) list->cursor = front[to].index;
    arena_free(&a);
    return to < n;
}
