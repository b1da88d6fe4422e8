// A table that one can move in, filter, sort and mark: the rows of a Listing.
#ifndef GPUADVISE_TUI_LIST_H
#define GPUADVISE_TUI_LIST_H

#include "src/report/report.h"
#include "tui/grid.h"

enum { FILTER_MAX = 240 };

typedef struct List {
    const Listing *of;  // borrowed; NULL: nothing to show
    Arena *arena;       // what it needs lives as long as the listing
    size_t *shown;      // rows that pass the filter, in order
    size_t n_shown;
    int *widths;   // of each column, titles included
    bool *marked;  // by row of the listing
    size_t n_marked;
    // What outlives a listing:
    char filter[FILTER_MAX];  // as typed: see src/report/filter.h
    char taken[FILTER_MAX];   // the last one that could be read: what the rows shown pass
    Err error;                // what is wrong in `filter`
    size_t cursor, top;       // among the shown
    int sort;                 // column; -1: as the command gave them
    bool descending;
    uint64_t hidden;  // columns that the user took away, by bit
    int shift;        // text columns hidden at the left
} List;

// Shows another listing; filter and sort stay, and so do the marks of rows that say the same (of up to 64);
// the cursor stays on its row, or the first with the same first text.
void list_open(List *s, const Listing *l, Arena *a);
void list_filter(List *s, const char *filter);
void list_sort(List *s, int column, bool descending);
// the column shown after or before the sorted one; turns around at the ends
void list_sort_next(List *s, int step);
void list_move(List *s, long by);
// how often it can be shifted: text columns shown besides the first
int list_shifts(const List *s);
void list_mark(List *s);         // or no longer
void list_unmark(List *s);       // all of them
size_t list_row(const List *s);  // of the listing under the cursor; SIZE_MAX: none
const char *list_text(const List *s, size_t row, size_t column, Arena *a);  // of a cell, as shown

Listing list_shown(const List *s, Arena *a);      // the rows that pass the filter, in their order
const char *list_count(const List *s, Arena *a);  // " 8 of 111 ", " 111 "

// Rows under titles, inside of a box: marks stand left of `at`, the bar that shows how far one has scrolled
// on the box's right line. Zone actions are given the column and the index among the shown. `style_of` may be
// NULL.
typedef struct ListLook {
    int sort_action, row_action;
    int (*style_of)(const Listing *l, size_t row, size_t column);
} ListLook;
void list_draw(List *s, Grid *g, Rect at, const ListLook *look);

#endif
