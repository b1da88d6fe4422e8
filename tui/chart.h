// Charts of braille dots: 2 x 4 dots a cell.
#ifndef GPUADVISE_TUI_CHART_H
#define GPUADVISE_TUI_CHART_H

#include "tui/grid.h"

typedef struct Dot {
    double x, y;  // a dot with an unknown coordinate is not drawn
    int style;
    uint32_t label;  // drawn instead of the dot; 0 = none
    bool joined;     // a line leads here from the dot before
    int zone;        // one more than the argument of the chart's action on a click; 0: it takes none
} Dot;

typedef struct ChartAxes {
    const char *x_title, *y_title;
    bool x_log, y_log;
    bool x_hidden;   // no figures under the chart
    int row_action;  // of a click on a dot
} ChartAxes;

// Dots over both axes with their lowest and highest figures. Labelled dots stand over others, later ones over
// earlier ones.
void chart_draw(Grid *g, Rect at, const ChartAxes *axes, const Dot *dots, size_t n);

// The last `width` of n figures as a row of bars; unknown ones are blank.
void chart_spark(Grid *g, int x, int y, int width, int style, const double *figures, size_t n);

#endif
