// Inside of src/report: a report for people as it is written, line by line.
#ifndef GPUADVISE_REPORT_PAGE_H
#define GPUADVISE_REPORT_PAGE_H

#include "src/report/report.h"

typedef struct Page {
    const Advice *advice;
    const Facts *facts;
    Format format;
    Room room;
    Arena *arena;
    Buf *out;
    bool section;  // HTML: one is open
} Page;

void page_heading(Page *p, const char *title);
void page_end_section(Page *p);  // HTML: the one that a heading opened, if any
// "label       text", the text wrapped beside the label
void page_line(Page *p, const char *label, const char *text);
void page_bullet(Page *p, const char *mark, const char *text);
// The same, the text as by printf.
#define page_printf(p, label, ...) page_line((p), (label), arena_printf((p)->arena, __VA_ARGS__))
#define bullet_printf(p, mark, ...) page_bullet((p), (mark), arena_printf((p)->arena, __VA_ARGS__))
const char *page_number(Page *p, double x, int digits);
const char *page_range(Page *p, const Estimate *x, int digits);

// The best of each vendor side by side.
void best_text(Page *p);
// Options, cheapest first; what its sellers are taken to have; sums over months.
void ranked_text(Page *p);
void assumed_supply(Page *p);
void totals_text(Page *p);
// The commands that serve the best option of each vendor.
void launch_text(Page *p);
// What would flip it; the stack; moving and break-even; owning and an API.
void decision_text(Page *p);
void owning_text(Page *p);
// The assumptions that a move was weighed with.
void terms_text(Page *p, const Facts *facts);

#endif
