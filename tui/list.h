// A table that one can move in, filter, sort and mark: the rows of a Listing.
#ifndef GPUADVISE_TUI_LIST_H
#define GPUADVISE_TUI_LIST_H

#include "src/report/report.h"
#include "tui/grid.h"

enum { FILTER_MAX = 240, SORTS_MAX = 8 };

typedef struct SortKey {
    size_t column;
    bool descending;
} SortKey;

typedef struct List {
    const Listing *of;  // borrowed; NULL: nothing to show
    Arena *arena;       // what it needs lives as long as the listing
    size_t *shown;      // rows that pass the filter, in order
    size_t n_shown;
    int *widths;   // of each column, titles included
    bool *marked;  // by row of the listing
    size_t n_marked;
    // What outlives a listing:
    char filter[FILTER_MAX];   // as typed: see src/report/filter.h
    char taken[FILTER_MAX];    // the last one that could be read: what the rows shown pass
    Err error;                 // what is wrong in `filter`
    char order[FILTER_MAX];    // columns to sort by, as --sort takes them; "": as the command gave the rows
    SortKey sorts[SORTS_MAX];  // `order` in columns of this listing; none when it has not all of them
    size_t n_sorts;
    char find[FILTER_MAX];  // what the next match has: in the language of filters
    size_t cursor, top;     // among the shown
    uint64_t hidden;        // columns that the user took away, by bit
    int shift;              // text columns hidden at the left
} List;

// Shows another listing; filter and sort stay, and so do the marks of rows that say the same (of up to 64);
// the cursor stays on its row, or the first with the same first text.
void list_open(List *s, const Listing *l, Arena *a);
void list_filter(List *s, const char *filter);
// By that column alone; SIZE_MAX: as the command gave them.
void list_sort(List *s, size_t column, bool descending);
// As --sort takes it: "provider,-age". ERR_USAGE: a column that there is not, and nothing changes.
bool list_order(List *s, const char *order, Err *e);
// the column shown after or before the last one that is sorted by; turns around at the ends
void list_sort_next(List *s, int step);
void list_sort_turn(List *s);  // the last of them, around
void list_sort_then(List *s);  // rows that are level so far, by one more column
// `order` of this listing in keys of its columns, as --sort takes it; "" = none.
const char *list_sorts(const List *s, Arena *a);
// The cursor goes to the next (or with `step` -1 the previous) row that `find` fits, around the end. ERR_USAGE:
// it cannot be read, or no row fits it.
bool list_find(List *s, int step, Err *e);
void list_move(List *s, long by);
// how often it can be shifted: text columns shown besides the first
int list_shifts(const List *s);
void list_mark(List *s);                                // or no longer
void list_unmark(List *s);                              // all of them
size_t list_row(const List *s);                         // of the listing under the cursor; SIZE_MAX: none
size_t list_column(const Listing *l, const char *key);  // by its key; SIZE_MAX: it has none
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
