// Charts of braille dots.
#include "tui/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LABELS = 8 };  // columns left of the chart

typedef struct Scale {
    double low, high;  // of the scaled figures
    bool log;
} Scale;

static double scaled(const Scale *s, double x) { return s->log ? (x > 0 ? log(x) : (double)NAN) : x; }

static double unscaled(const Scale *s, double x) { return s->log ? exp(x) : x; }

static Scale scale_of(const Dot *dots, size_t n, bool x_axis, bool logarithmic) {
    Scale s = {(double)NAN, (double)NAN, logarithmic};
    for (size_t i = 0; i < n; i++) {
        double v = scaled(&s, x_axis ? dots[i].x : dots[i].y);
        if (!isfinite(v)) continue;
        if (!(s.low <= v)) s.low = v;
        if (!(s.high >= v)) s.high = v;
    }
    double room = s.high > s.low ? 0.04 * (s.high - s.low) : fabs(s.low) * 0.1 + 0.1;
    s.low -= room;
    s.high += room;
    return s;
}

typedef struct Canvas {
    unsigned char *bits;  // a cell's dots
    unsigned char *style;
    int width, height;  // cells
} Canvas;

// Dot of a scaled figure among n, -1: outside.
static int place(const Scale *s, double v, int n) {
    if (!isfinite(v) || !(s->high > s->low)) return -1;
    int at = (int)floor((v - s->low) / (s->high - s->low) * n);
    return at < 0 ? -1 : at >= n ? n - 1 : at;
}

static void canvas_set(Canvas *c, int x, int y, int style) {
    static const unsigned char bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    if (x < 0 || y < 0 || x >= c->width * 2 || y >= c->height * 4) return;
    int at = (y / 4) * c->width + x / 2;
    c->bits[at] |= bits[y % 4][x % 2];
    c->style[at] = (unsigned char)style;
}

static void canvas_line(Canvas *c, int x0, int y0, int x1, int y1, int style) {
    int steps = abs(x1 - x0) > abs(y1 - y0) ? abs(x1 - x0) : abs(y1 - y0);
    for (int i = 0; i <= steps; i++) {
        int x = steps > 0 ? x0 + (x1 - x0) * i / steps : x0;
        int y = steps > 0 ? y0 + (y1 - y0) * i / steps : y0;
        canvas_set(c, x, y, style);
    }
}

static void draw_dots(Grid *g, Rect plot, const Scale *sx, const Scale *sy, const Dot *dots, size_t n,
                      int action) {
    size_t cells = (size_t)plot.width * (size_t)plot.height;
    Canvas c = {arena_alloc(g->arena, cells, 1), arena_alloc(g->arena, cells, 1), plot.width, plot.height};
    int before_x = -1, before_y = -1;
    for (size_t i = 0; i < n; i++) {
        int x = place(sx, scaled(sx, dots[i].x), plot.width * 2);
        int y = place(sy, scaled(sy, dots[i].y), plot.height * 4);
        if (x < 0 || y < 0) {
            before_x = -1;
            continue;
        }
        y = plot.height * 4 - 1 - y;
        if (dots[i].joined && before_x >= 0) canvas_line(&c, before_x, before_y, x, y, dots[i].style);
        if (dots[i].label == 0) canvas_set(&c, x, y, dots[i].style);
        before_x = x;
        before_y = y;
    }
    for (int y = 0; y < plot.height; y++) {
        for (int x = 0; x < plot.width; x++) {
            int at = y * plot.width + x;
            if (c.bits[at] != 0) grid_point(g, plot.x + x, plot.y + y, c.style[at], 0x2800u + c.bits[at]);
        }
    }
    for (size_t i = 0; i < n; i++) {
        int x = place(sx, scaled(sx, dots[i].x), plot.width);
        int y = place(sy, scaled(sy, dots[i].y), plot.height);
        if (dots[i].label != 0 && x >= 0 && y >= 0)
            grid_point(g, plot.x + x, plot.y + plot.height - 1 - y, dots[i].style, dots[i].label);
        if (dots[i].zone > 0 && x >= 0 && y >= 0)
            grid_zone(g, (Rect){plot.x + x, plot.y + plot.height - 1 - y, 1, 1}, action, dots[i].zone - 1);
    }
}

static void draw_axes(Grid *g, Rect at, Rect plot, const ChartAxes *axes, const Scale *sx, const Scale *sy) {
    for (int y = 0; y < plot.height; y++) grid_point(g, plot.x - 1, plot.y + y, STYLE_FRAME, 0x2502);
    for (int x = 0; x < plot.width; x++) grid_point(g, plot.x + x, plot.y + plot.height, STYLE_FRAME, 0x2500);
    grid_point(g, plot.x - 1, plot.y + plot.height, STYLE_FRAME, 0x2570);
    double middle = (sy->low + sy->high) / 2;
    grid_right(g, at.x, plot.y, LABELS - 1, STYLE_DIM, number_text(g->arena, unscaled(sy, sy->high), 3));
    if (plot.height > 4)
        grid_right(g, at.x, plot.y + plot.height / 2, LABELS - 1, STYLE_DIM,
                   number_text(g->arena, unscaled(sy, middle), 3));
    grid_right(g, at.x, plot.y + plot.height - 1, LABELS - 1, STYLE_DIM,
               number_text(g->arena, unscaled(sy, sy->low), 3));
    grid_printf(g, at.x, at.y, at.width, STYLE_DIM, "%s%s", axes->y_title, axes->y_log ? ", log scale" : "");
    int row = plot.y + plot.height + 1;
    if (axes->x_hidden) return;
    int used =
        grid_text(g, plot.x, row, plot.width, STYLE_DIM, number_text(g->arena, unscaled(sx, sx->low), 3));
    const char *right = number_text(g->arena, unscaled(sx, sx->high), 3);
    grid_right(g, plot.x, row, plot.width, STYLE_DIM, right);
    int room = plot.width - 2 * (used > (int)strlen(right) ? used : (int)strlen(right)) - 2;
    const char *title = axes->x_log ? arena_printf(g->arena, "%s, log scale", axes->x_title) : axes->x_title;
    int own = (int)text_width(title);
    if (own > room) title = axes->x_title, own = (int)text_width(title);
    if (own <= room) grid_text(g, plot.x + (plot.width - own) / 2, row, own, STYLE_DIM, title);
}

void chart_draw(Grid *g, Rect at, const ChartAxes *axes, const Dot *dots, size_t n) {
    Rect plot = {at.x + LABELS, at.y + 1, at.width - LABELS, at.height - (axes->x_hidden ? 2 : 3)};
    Scale sx = scale_of(dots, n, true, axes->x_log);
    Scale sy = scale_of(dots, n, false, axes->y_log);
    if (plot.width < 8 || plot.height < 2 || !isfinite(sx.low) || !isfinite(sy.low)) return;
    draw_axes(g, at, plot, axes, &sx, &sy);
    draw_dots(g, plot, &sx, &sy, dots, n, axes->row_action);
}

void chart_spark(Grid *g, int x, int y, int width, int style, const double *figures, size_t n) {
    size_t from = n > (size_t)width ? n - (size_t)width : 0;
    double low = (double)NAN, high = (double)NAN;
    for (size_t i = from; i < n; i++) {
        if (!isfinite(figures[i])) continue;
        if (!(low <= figures[i])) low = figures[i];
        if (!(high >= figures[i])) high = figures[i];
    }
    for (size_t i = from; i < n; i++) {
        if (!isfinite(figures[i])) continue;
        int step = high > low ? (int)((figures[i] - low) / (high - low) * 7 + 0.5) : 3;
        grid_point(g, x + (int)(i - from), y, style, 0x2581u + (uint32_t)step);
    }
}
