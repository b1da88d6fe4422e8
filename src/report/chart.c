// A band of figures over time as text.
#include <math.h>
#include <string.h>

#include "src/report/report.h"

static double lowest(const double *x, size_t n) {
    double low = (double)NAN;
    for (size_t i = 0; i < n; i++) {
        if (is_known(x[i]) && !(low <= x[i])) low = x[i];
    }
    return low;
}

static double highest(const double *x, size_t n) {
    double high = (double)NAN;
    for (size_t i = 0; i < n; i++) {
        if (is_known(x[i]) && !(high >= x[i])) high = x[i];
    }
    return high;
}

// Row of the chart, 0 at the top, in which a figure lies.
static size_t row_of(double x, double bottom, double top, size_t rows) {
    double share = top > bottom ? (x - bottom) / (top - bottom) : 0;
    size_t up = (size_t)llround(share * (double)(rows - 1));
    return rows - 1 - (up < rows ? up : rows - 1);
}

void chart_text(const Chart *c, Buf *out) {
    double bottom = lowest(c->low, c->n);
    double top = highest(c->high, c->n);
    if (!is_known(bottom) || !is_known(top)) return;
    for (size_t r = 0; r < c->rows; r++) {
        double y = c->rows > 1 ? top - (top - bottom) * (double)r / (double)(c->rows - 1) : top;
        bool labelled = r == 0 || r + 1 == c->rows || r == c->rows / 2;
        char label[32] = "";
        if (labelled) format_fixed(label, sizeof label, y, y < 10 ? 3 : 2);
        buf_printf(out, "%9s |", label);
        for (size_t i = 0; i < c->n; i++) {
            if (!is_known(c->low[i])) {
                buf_puts(out, " ");
                continue;
            }
            size_t from = row_of(c->high[i], bottom, top, c->rows);
            size_t to = row_of(c->low[i], bottom, top, c->rows);
            buf_puts(out, r == to ? "*" : r >= from && r < to ? ":" : " ");
        }
        buf_puts(out, "\n");
    }
    buf_printf(out, "%9s +", "");
    for (size_t i = 0; i < c->n; i++) buf_puts(out, "-");
    size_t gap = c->n > strlen(c->first) + strlen(c->last) ? c->n - strlen(c->first) - strlen(c->last) : 1;
    buf_printf(out, "\n%11s%s%*s%s\n", "", c->first, (int)gap, "", c->last);
}
