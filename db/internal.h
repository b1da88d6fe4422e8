// What the files of db/ share: the handle, and errors in words.
#ifndef GPUADVISE_DB_INTERNAL_H
#define GPUADVISE_DB_INTERNAL_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "db/db.h"

struct Db {
    Arena arena;  // holds this struct
    sqlite3 *handle;
};

// ---- handle.c

// Opens without judging; `filename` as sqlite3_open_v2 takes it, `flags` its SQLITE_OPEN_*.
bool handle_open(const char *filename, int flags, Db **ret_db, Err *e);

// Says in words why the last call on this handle gave the result code `rc`. Returns false.
bool handle_error(Db *db, int rc, Err *e);

// Runs SQL text that gives no rows; reads the first column of the first row.
bool handle_run(Db *db, const char *sql, Err *e);
bool handle_integer(Db *db, const char *sql, int64_t *ret_value, Err *e);

// ---- path.c

// `path` as SQLite shall read it: never taken for a URI or for ":memory:".
const char *path_plain(Arena *a, const char *path);
// `path` as a URI with parameters, e.g. "immutable=1".
const char *path_uri(Arena *a, const char *path, const char *parameters);

// The file is there and regular, readable and writable; created when missing.
bool path_create(const char *path, Err *e);
bool path_readable(const char *path);
int64_t path_bytes(const char *path);  // length of the file; 0: none
// Is it a file with something in it, but too little for a database?
bool path_is_stub(const char *path);
// Does the write-ahead log beside the file hold anything?
bool path_has_wal(Arena *a, const char *path);

#endif
