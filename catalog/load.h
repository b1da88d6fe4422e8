// Text of a facts file -> checked row structs.
#ifndef GPUADVISE_CATALOG_LOAD_H
#define GPUADVISE_CATALOG_LOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "catalog/tables.h"
#include "src/base/base.h"

// Rows of one table as structs, in key order; texts live in the arena.
typedef struct TableRows {
    void *rows;
    size_t n;
    const size_t *lines;  // where each row stands in its file
} TableRows;

// Reads a file of `t`: its header names exactly the table's columns in order; every cell is of its column's kind, range and
// names; required cells are filled; no key occurs twice. Errors name file, line and column.
bool table_load(const Table *t, Str text, Arena *a, TableRows *ret_rows, Err *e);

// The same from CSV that a user hands in, or tab-separated text where the first line has a tab: columns by name in any order, unknown ones ignored, missing ones unknown; only the
// key must be filled. Errors name line and column.
bool table_load_csv(const Table *t, Str text, Arena *a, TableRows *ret_rows, Err *e);

// The rows of a table as a file of facts: what table_load reads.
void table_write(const Table *t, const void *rows, size_t n, Buf *out);

// Every reference of catalog/tables.c has its target. `tables` holds TABLE_COUNT entries.
bool tables_check_references(const TableRows *tables, Err *e);

// The table of constants holds exactly those that the program looks up, with values that make sense.
bool tables_check_constants(const TableRows *tables, Err *e);

#endif
