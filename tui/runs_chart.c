// Runs of the user's own, measured against predicted: the chart above their list, whose row under the cursor is
// the point that stands out.
#include <math.h>
#include <string.h>

#include "tui/chart.h"
#include "tui/view_parts.h"

typedef struct Columns {
    size_t measured, predicted, low, high, state;
} Columns;

static double number_at(const Listing *l, size_t row, size_t column) {
    return l->cells[row * l->n_columns + column].number;
}

static Dot dot_of(const Listing *l, const Columns *c, size_t row) {
    const char *state = l->cells[row * l->n_columns + c->state].text;
    bool counts = strcmp(state, "counts") == 0, out = strncmp(state, "quarantined", 11) == 0;
    return (Dot){.x = number_at(l, row, c->measured),
                 .y = number_at(l, row, c->predicted),
                 .style = counts ? STYLE_GOOD
                          : out  ? STYLE_BAD
                                 : STYLE_WARN,
                 .label = counts ? 'o'
                          : out  ? 'x'
                                 : '?'};
}

// Where measured is as predicted, from the lowest to the highest figure of both.
static size_t diagonal(Dot *dots, size_t n) {
    double low = (double)NAN, high = (double)NAN;
    for (size_t i = 0; i < n; i++) {
        if (!(dots[i].x > 0 && dots[i].y > 0)) continue;
        low = fmin(low, fmin(dots[i].x, dots[i].y));
        high = fmax(high, fmax(dots[i].x, dots[i].y));
    }
    dots[n] = (Dot){.x = low, .y = low, .style = STYLE_FRAME};
    dots[n + 1] = (Dot){.x = high, .y = high, .style = STYLE_FRAME, .joined = true};
    return n + 2;
}

void runs_chart_draw(const List *list, Grid *g, Rect at) {
    const Listing *l = list->of;
    Columns c = {list_column(l, "measured_tokens_per_s"), list_column(l, "predicted_tokens_per_s"),
                 list_column(l, "predicted_low_tokens_per_s"), list_column(l, "predicted_high_tokens_per_s"),
                 list_column(l, "state")};
    Dot *dots = arena_alloc(g->arena, list->n_shown + 5, sizeof *dots);
    size_t n = 0, row = list_row(list);
    grid_box(g, at, "own runs, tokens/s: o counts, ? counts less or moves nothing, x quarantined");
    for (size_t i = 0; i < list->n_shown; i++) dots[n++] = dot_of(l, &c, list->shown[i]);
    n = diagonal(dots, n);
    if (row != SIZE_MAX) {
        Dot chosen = dot_of(l, &c, row), end = chosen;
        end.label = 0;
        end.style = STYLE_DIM;
        end.y = number_at(l, row, c.low);
        dots[n++] = end;
        end.y = number_at(l, row, c.high);
        end.joined = true;
        dots[n++] = end;
        chosen.style |= STYLE_CURSOR;
        dots[n++] = chosen;
    }
    ChartAxes axes = {.x_title = "measured",
                      .y_title =
                          "predicted without own runs, with its 80 % range for the row under the cursor",
                      .x_log = true,
                      .y_log = true};
    chart_draw(g, rect_inside(at), &axes, dots, n);
}
