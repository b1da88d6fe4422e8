// Row structs <-> database rows, by the columns of src/facts/tables.c.
#ifndef GPUADVISE_CATALOG_FACTS_ROWS_H
#define GPUADVISE_CATALOG_FACTS_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/facts/tables.h"
#include "db/db.h"
#include "src/base/base.h"

// Name of the field's column in the database.
const char *field_column(const Field *f);

// Index of `text` among the names of a FIELD_NAME; else an error that lists them.
bool field_name(const Field *f, Str text, int *ret_index, Err *e);

// Order of two rows by the key of their table, unknown first; 0: the same key.
int row_compare(const Table *t, const void *x, const void *y);

// Indices of n rows in key order, rows of the same key as they come.
const size_t *rows_order(const Table *t, Arena *a, const void *rows, size_t n);

// Makes the database's tables of facts, all of src/facts/tables.c, empty. Inside a transaction.
bool rows_make_tables(Db *db, Err *e);

// Appends n row structs to a database table with the columns of `t`.
bool rows_insert(Db *db, const Table *t, const void *rows, size_t n, Err *e);

// Runs a statement that gives the columns of `t` (others are ignored) and returns its rows in key order as
// structs in the arena. Fails on a missing column and on a stored name that this program does not know.
bool rows_read(Stmt *s, const Table *t, Arena *a, void **ret_rows, size_t *ret_n, Err *e);

// The same of all rows of a table or view of the database that has these columns.
bool rows_read_all(Db *db, const char *from, const Table *t, Arena *a, void **ret_rows, size_t *ret_n,
                   Err *e);

#endif
