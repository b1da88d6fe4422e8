// Text of a facts file -> checked row structs.
#ifndef GPUADVISE_CATALOG_FACTS_LOAD_H
#define GPUADVISE_CATALOG_FACTS_LOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "src/facts/tables.h"
#include "src/base/base.h"

// Rows of one table as structs, in key order (Table.line: as filed); texts live in the arena.
typedef struct TableRows {
    void *rows;
    size_t n;
    const size_t *lines;  // where each row stands in its file
} TableRows;

// Reads a file of `t`: its header names exactly the table's columns in order; every cell is of its column's
// kind, range and names; required cells are filled; no key occurs twice. Errors name file, line and column.
bool table_load(const Table *t, Str text, Arena *a, TableRows *ret_rows, Err *e);

// The same from CSV that a user hands in, or tab-separated text where the first line has a tab: columns by
// name in any order, unknown ones ignored, missing ones unknown; only the key must be filled. Errors name
// line and column.
bool table_load_csv(const Table *t, Str text, Arena *a, TableRows *ret_rows, Err *e);

// Pieces of these. The separator of a text by its first line; which column holds each field of `t` by the
// header just read (SIZE_MAX: none); n_fields cells as one row, all required ones filled (the error names the
// column).
char table_separator(Str text);
bool table_columns(const Table *t, const TableReader *r, size_t *columns, Err *e);
bool table_cells(const Table *t, const Str *cells, Arena *a, void *row, Err *e);
// Fails where any of the table's columns is, naming all of them. `missing`: one for each column; `line`: of the
// header.
bool columns_missing(const Table *t, const bool *missing, size_t line, Arena *a, Err *e);

// The rows of a table as a file of facts: what table_load reads.
void table_write(const Table *t, const void *rows, size_t n, Buf *out);

// Every reference of src/facts/tables.c has its target. `tables` holds TABLE_COUNT entries.
bool tables_check_references(const TableRows *tables, Err *e);

// Those of one row of table `id`; the error names the column.
bool row_check_references(TableId id, const void *row, const TableRows *tables, Err *e);

// Every class of sellers that is known has prices of every pricing model that move from the first day to a
// year, no spread or share of gone offers falls with time, and every class has its number of machines.
bool tables_check_price_moves(const TableRows *tables, Err *e);
// Curves of traffic are curves.
bool tables_check_traffic(const TableRows *tables, Err *e);

// The table of constants holds exactly those that the program looks up, with values that make sense.
bool tables_check_constants(const TableRows *tables, Err *e);

#endif
