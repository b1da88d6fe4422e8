// Rows of a fact table as they stand.
#ifndef GPUADVISE_BROWSE_H
#define GPUADVISE_BROWSE_H

#include "src/facts/tables.h"
#include "src/report/writer.h"

typedef struct BrowseColumn {
    const char *field, *title;
    int digits;
    double scale;       // the number shown is field x scale; 0 = 1
    size_t from_width;  // shown on terminals at least this wide; 0 = always
} BrowseColumn;

typedef struct Browse {
    TableId table;
    const char *name;  // key of the array in JSON
    const BrowseColumn *columns;
    size_t n_columns;
    const char *note;  // under the text
} Browse;

// The chosen columns, with those for wide terminals and the origin as details where there is no room; every column.
Listing browse_chosen(const Writer *w, const Browse *b, const void *const *rows, size_t n);
Listing browse_full(const Writer *w, const Browse *b, const void *const *rows, size_t n);
void row_json(Json *object, const Table *table, const void *row);
// The cell of a field in the row being filled, a number times `scale`.
void listing_field(Listing *l, size_t column, const Field *f, const void *row, double scale);

#endif
