// The one filter language over the rows of a listing: on the screen, and as --where of every command that lists.
//
//     amd !vast               both: a row that has "amd" in it and not "vast"
//     mi300x|h200             either
//     age<30 $/Mtok<=1.5      a figure of a column: < <= > >= = !=, with k, M, G or the column's own unit behind it
//     provider=azure          the text of a column holds "azure"; != it does not
//     seen>=2026-09           dates as they are written
//     "device memory"         one text, blanks and all
//
// A column goes by its key, its title or a beginning of either that no other column has; blanks, "_" and "-" in
// it do not count, nor do capitals. A figure that is not known passes no comparison.
#ifndef GPUADVISE_REPORT_FILTER_H
#define GPUADVISE_REPORT_FILTER_H

#include "src/report/report.h"

typedef struct FilterAtom FilterAtom;

typedef struct Filter {
    const FilterAtom *atoms;  // alternatives of one term follow each other
    size_t n_atoms;
} Filter;

// Reads `text` for listings with the columns of `l`. ERR_USAGE: what is wrong in it, in words for whoever typed
// it; `ret_filter` is then unchanged. Lives as long as the arena and `l`'s columns.
bool filter_parse(const Listing *l, const char *text, Arena *a, Filter *ret_filter, Err *e);

bool filter_passes(const Filter *filter, const Listing *l, size_t row);

// The rows that pass `where` ("": all), ordered by the columns of `sort` ("": as they are), which are named as
// in a filter and separated by commas; "provider,-age": "-" is descending. Unknown cells come last either way,
// and rows that are level stay in their order. The rows live in the arena.
bool listing_choose(const Listing *l, const char *where, const char *sort, Arena *a, size_t **ret_rows,
                    size_t *ret_n, Err *e);

// Leaves those rows of `l`, in that order.
void listing_take(Listing *l, const size_t *rows, size_t n, Arena *a);

// The column of that name; SIZE_MAX with an error that lists the names: none, or several.
size_t listing_column(const Listing *l, Str name, Err *e);

#endif
