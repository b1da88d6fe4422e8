// Points and lines on two logarithmic axes as text.
#include <math.h>
#include <string.h>

#include "src/report/report.h"

enum { LABEL = 9, ROWS_MAX = 64, COLUMNS_MAX = 240 };

typedef struct Canvas {
    const LogPlot *plot;
    size_t columns, rows;
    char cells[ROWS_MAX][COLUMNS_MAX];
} Canvas;

// Cell of `x` on an axis of n cells, n when it lies outside.
static size_t cell_of(double x, double from, double to, size_t n) {
    double share = log(x / from) / log(to / from);
    return share >= 0 && share <= 1 ? (size_t)llround(share * (double)(n - 1)) : n;
}

static void put(Canvas *c, double x, double y, char mark, bool over) {
    size_t column = cell_of(x, c->plot->x_from, c->plot->x_to, c->columns),
           row = cell_of(y, c->plot->y_from, c->plot->y_to, c->rows);
    if (column == c->columns || row == c->rows) return;
    char *cell = &c->cells[c->rows - 1 - row][column];
    if (!over) {
        *cell = mark;
    } else {
        bool taken = strchr(" ./-", *cell) == NULL;
        *cell = taken && *cell != mark ? '*' : mark;
    }
}

static void draw_line(Canvas *c, const LogLine *l) {
    for (size_t i = 0; i < c->columns; i++) {
        double x =
            c->plot->x_from * pow(c->plot->x_to / c->plot->x_from, (double)i / (double)(c->columns - 1));
        double y = fmin(l->slope * x, l->ceiling);
        if (x < l->x_from) continue;
        put(c, x, y, l->slope * x < l->ceiling ? '/' : '-', false);
    }
}

static const char *line_label(const LogPlot *p, const Canvas *c, size_t row) {
    for (size_t i = 0; i < p->n_lines; i++) {
        if (p->lines[i].label[0] != '\0' &&
            cell_of(p->lines[i].ceiling, p->y_from, p->y_to, c->rows) == c->rows - 1 - row)
            return p->lines[i].label;
    }
    return "";
}

static void print_rows(const Canvas *c, Buf *out) {
    const LogPlot *p = c->plot;
    for (size_t r = 0; r < c->rows; r++) {
        double y = p->y_from * pow(p->y_to / p->y_from, (double)(c->rows - 1 - r) / (double)(c->rows - 1));
        char label[32] = "";
        if (r == 0 || r + 1 == c->rows || r == c->rows / 2) format_number(label, sizeof label, y, 2);
        buf_printf(out, "%*s |%.*s", LABEL, label, (int)c->columns, c->cells[r]);
        const char *name = line_label(p, c, r);
        buf_printf(out, "%s%s\n", name[0] != '\0' ? " " : "", name);
    }
}

void logplot_text(const LogPlot *p, Buf *out) {
    Canvas c = {.plot = p,
                .columns = p->columns < COLUMNS_MAX ? p->columns : COLUMNS_MAX,
                .rows = p->rows < ROWS_MAX ? p->rows : ROWS_MAX};
    char from[32], to[32];
    if (c.columns < 2 || c.rows < 2 ||
        !(p->x_from > 0 && p->x_to > p->x_from && p->y_from > 0 && p->y_to > p->y_from))
        return;
    memset(c.cells, ' ', sizeof c.cells);
    for (size_t i = 0; i < p->n_lines; i++) draw_line(&c, &p->lines[i]);
    for (size_t i = 0; i < p->n_points; i++) put(&c, p->points[i].x, p->points[i].y, p->points[i].mark, true);
    buf_printf(out, "%*s\n", LABEL, p->y_name);
    print_rows(&c, out);
    buf_printf(out, "%*s +", LABEL, "");
    for (size_t i = 0; i < c.columns; i++) buf_puts(out, "-");
    format_number(from, sizeof from, p->x_from, 2);
    format_number(to, sizeof to, p->x_to, 2);
    int room = (int)c.columns - (int)strlen(from) - (int)strlen(to), name = (int)strlen(p->x_name),
        before = room > name ? (room - name) / 2 : 1;
    buf_printf(out, "\n%*s  %s%*s%s%*s%s\n", LABEL, "", from, before, "", p->x_name,
               room - before - name > 1 ? room - before - name : 1, "", to);
}
