// Inside of src/report: the figures of the HTML report, one function each, and what they share.
#ifndef GPUADVISE_REPORT_DRAWING_H
#define GPUADVISE_REPORT_DRAWING_H

#include "src/report/report.h"

typedef struct Drawing {
    const Advice *advice;
    const ReportPage *page;
    Json *figures;
    Arena *arena;
    Buf *out;
} Drawing;

// A figure's object in the data of the page: what its script draws.
Json *figure_data(Drawing *d, const char *id, const char *kind);

// Of advice_tables_html.c: what stands as bars and tables without an axis of money.
void draw_migration(Drawing *d);
void draw_stack(Drawing *d);
void draw_matrix(Drawing *d);

#endif
