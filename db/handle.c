// One SQLite connection: opened with the same safeguards everywhere, its errors in words.
#include <errno.h>
#include <string.h>

#include "db/internal.h"

// How long another process is waited for: two dozen first starts on a busy machine take more than a few seconds.
enum { BUSY_MS = 30000 };

bool handle_open(const char *filename, int flags, Db **ret_db, Err *e) {
    Arena a = {0};
    Db *db = arena_alloc(&a, 1, sizeof *db);
    db->arena = a;
    int rc =
        sqlite3_open_v2(filename, &db->handle, flags | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOMUTEX, NULL);
    if (rc != SQLITE_OK) {
        handle_error(db, rc, e);
        db_close(db);
        return false;
    }
    sqlite3_busy_timeout(db->handle, BUSY_MS);
    // A crafted file must not run code of ours, nor may a statement break the file.
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    *ret_db = db;
    return true;
}

void db_close(Db *db) {
    if (db == NULL) return;
    sqlite3_close(db->handle);
    Arena a = db->arena;
    arena_free(&a);
}

// What the system said, as "File too large" of a limit on the size of files.
static bool system_error(const Db *db, int rc, Err *e) {
    int number = db->handle != NULL ? sqlite3_system_errno(db->handle) : 0;
    if (number == ENOSPC || number == EDQUOT) return err_set(e, ERR_FULL, "no space left");
    return number != 0 ? err_set(e, ERR_DATABASE, "%s: %s", sqlite3_errstr(rc & 0xff), strerror(number))
                       : err_set(e, ERR_DATABASE, "%s", sqlite3_errstr(rc & 0xff));
}

bool handle_error(Db *db, int rc, Err *e) {
    switch (rc & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return err_set(e, ERR_DATABASE, "another process keeps it locked");
    case SQLITE_NOTADB: return err_set(e, ERR_DATABASE, "not a database");
    case SQLITE_CORRUPT:
        return err_set(e, ERR_DATABASE, "the file is damaged (%s)", sqlite3_errmsg(db->handle));
    case SQLITE_FULL: return err_set(e, ERR_FULL, "no space left");
    case SQLITE_IOERR: return system_error(db, rc, e);
    case SQLITE_READONLY: return err_set(e, ERR_DATABASE, "may not be written");
    default:
        return err_set(e, ERR_DATABASE, "%s",
                       db->handle != NULL ? sqlite3_errmsg(db->handle) : sqlite3_errstr(rc));
    }
}

bool db_at_fault(const Err *e) { return e->kind == ERR_FULL || e->kind == ERR_DATABASE; }

bool handle_run(Db *db, const char *sql, Err *e) {
    int rc = sqlite3_exec(db->handle, sql, NULL, NULL, NULL);
    return rc == SQLITE_OK || handle_error(db, rc, e);
}

bool handle_integer(Db *db, const char *sql, int64_t *ret_value, Err *e) {
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_prepare_v2(db->handle, sql, -1, &s, NULL);
    if (rc == SQLITE_OK) rc = sqlite3_step(s);
    bool ok = rc == SQLITE_ROW;
    if (ok) {
        *ret_value = sqlite3_column_int64(s, 0);
    } else {
        handle_error(db, rc, e);
    }
    sqlite3_finalize(s);
    return ok;
}
