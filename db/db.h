// The database: open, migrate, statements, transactions. The only place for SQLite and for SQL text.
//
// Level 4; includes base. A database has two kinds of tables. Facts are made and filled anew whenever `data/`
// or their columns change: the caller hands their columns in, db/facts.sql adds indices. Observations are
// append-only and survive every upgrade: db/migrations/*.sql. Queries: db/queries/*.sql.
#ifndef GPUADVISE_DB_H
#define GPUADVISE_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/base.h"

typedef struct Db Db;      // owned: db_close
typedef struct Stmt Stmt;  // owned: stmt_free; must be freed before its Db is closed

// Opens (creating it, mode 0600, and its folder, mode 0700) and migrates the database at `path`; NULL: a
// private one in memory. Refuses, leaving the file untouched: another program's database, one from a newer
// version, a corrupt one, and one that cannot be written.
bool db_open(const char *path, Db **ret_db, Err *e);
void db_close(Db *db);  // NULL is fine

// Can a database be kept at `path`? Creates the folder, not the file. False, with the reason, where folder or
// file may not be written or the file may not be read.
bool db_writable(const char *path, Err *e);

// A private copy in memory of the database at `path`, for a place that cannot be written; an empty one when
// no file is there or it may not be read. Refuses what db_open refuses.
bool db_open_copy(const char *path, Db **ret_db, Err *e);

// Schema version of an open database, and the newest this program knows.
bool db_version(Db *db, int64_t *ret_version, Err *e);
int64_t db_version_known(void);
const char *db_library_version(void);  // of SQLite

// Is it a failure of the database itself (no space, damaged, locked, not to be read), and not of what was to
// be put into it?
bool db_at_fault(const Err *e);

// Transactions do not nest. db_begin takes the lock for writing at once and waits up to 5 s for another
// process; db_begin_read keeps what is read until its end consistent. db_rollback never fails (there may be
// none); a failed commit needs one.
bool db_begin(Db *db, Err *e);
bool db_begin_read(Db *db, Err *e);
bool db_commit(Db *db, Err *e);
void db_rollback(Db *db);

// From here on a commit is on the disk before db_commit returns; without it a power cut may take back the
// newest ones (never half of one).
bool db_durable(Db *db, Err *e);

// The query file `name` (without .sql), prepared.
bool stmt_query(Db *db, const char *name, Stmt **ret_stmt, Err *e);

// INSERT of the named columns into `table`; both come from the program's own tables, never from outside.
bool stmt_insert(Db *db, const char *table, const char *const *columns, size_t n_columns, Stmt **ret_stmt,
                 Err *e);

// SELECT of the named columns of all rows of a table or view; both as above.
bool stmt_select(Db *db, const char *table, const char *const *columns, size_t n_columns, Stmt **ret_stmt,
                 Err *e);

// A row for each of these tables of facts, in their order: name, rows, newest and oldest `as_of` of those that
// ship with the program.
bool stmt_ages(Db *db, const char *const *tables, size_t n_tables, Stmt **ret_stmt, Err *e);

typedef enum DbType { DB_TEXT, DB_REAL, DB_INTEGER } DbType;

typedef struct DbColumn {
    const char *name;
    DbType type;
    bool key;                // the whole key of its table: what references lead to
    bool required;           // never NULL
    const char *references;  // "table (column)" of an earlier table; NULL: none
} DbColumn;

typedef struct DbTable {
    const char *name;
    const DbColumn *columns;
    size_t n_columns;
} DbTable;

// Drops the tables of facts that the last call made, and makes these, empty, with what db/facts.sql adds.
// Inside a transaction. Fails where a table of that name exists that is none of facts. Names come from the
// program's own tables.
bool db_make_facts(Db *db, const DbTable *tables, size_t n, Err *e);

// What db/facts.sql says.
const char *db_facts_schema(void);

// Binding by parameter name (without the colon). Text is copied.
bool stmt_bind_text(Stmt *s, const char *name, const char *text, Err *e);  // "" is stored as NULL
bool stmt_bind_number(Stmt *s, const char *name, double x, Err *e);        // NaN is stored as NULL
bool stmt_bind_integer(Stmt *s, const char *name, int64_t x, Err *e);

// Runs to the next row; ret_row false: no more. A statement that returned no more is reset and keeps no
// bindings.
bool stmt_step(Stmt *s, bool *ret_row, Err *e);
// The same where there is nothing to read, or one row for sure: a count, a maximum.
bool stmt_run(Stmt *s, Err *e);
// For `while`: is there a next row? Not where *ok is false already; an error makes it so.
bool stmt_next(Stmt *s, bool *ok, Err *e);

// Columns of the current row. Text is valid until the next step; NULL reads as "", NaN, 0.
size_t stmt_columns(const Stmt *s);
const char *stmt_column_name(const Stmt *s, size_t column);
bool stmt_is_null(const Stmt *s, size_t column);
const char *stmt_text(const Stmt *s, size_t column);
double stmt_number(const Stmt *s, size_t column);
int64_t stmt_integer(const Stmt *s, size_t column);

void stmt_free(Stmt *s);  // NULL is fine

// Prepares and runs a query that takes no parameters and gives no rows.
bool db_run(Db *db, const char *name, Err *e);

// Reads every page: false, with the first fault, unless the database is whole and its references lead somewhere.
bool db_check(Db *db, Err *e);

// One text by key, kept in the database (facts digest, program version that wrote it).
bool db_meta_get(Db *db, Arena *a, const char *key, const char **ret_value, Err *e);  // "" when absent
bool db_meta_set(Db *db, const char *key, const char *value, Err *e);

// Names of all query files, for the test that prepares each. NULL-terminated.
const char *const *db_query_names(void);

#endif
