// Opening and migrating a database; transactions; small things kept by key.
#include <stdio.h>
#include <string.h>

#include "src/base/embedded.h"
#include "db/internal.h"

// "GPUA" in the file's header: the mark of this program's databases.
enum { APPLICATION_ID = 0x47505541 };

// The version that a migration leads to: the number that its name begins with. A number that is missing was
// a change of facts alone, which are no part of the schema.
static int64_t version_after(size_t index) {
    int64_t version = 0;
    for (const char *c = embedded_migrations[index].name; *c >= '0' && *c <= '9'; c++)
        version = version * 10 + (*c - '0');
    return version;
}

const char *db_library_version(void) { return sqlite3_libversion(); }

int64_t db_version_known(void) { return version_after(n_embedded_migrations - 1); }

bool db_version(Db *db, int64_t *ret_version, Err *e) {
    return handle_integer(db, "PRAGMA user_version", ret_version, e);
}

// ---------------------------------------------------------------- whose is it

// Accepts a database of this program that this version knows, and one without any content.
static bool judge_content(Db *db, Err *e) {
    int64_t id = 0;
    int64_t version = 0;
    // counting them reads the schema, so that damage there shows before anything is written
    int64_t objects = 0;
    if (!handle_integer(db, "PRAGMA application_id", &id, e)) return false;
    if (!handle_integer(db, "PRAGMA user_version", &version, e)) return false;
    if (id == APPLICATION_ID && version > db_version_known()) {
        return err_set(e, ERR_DATABASE,
                       "made by a newer version of this program (schema %lld, this one knows %lld)",
                       (long long)version, (long long)db_version_known());
    }
    if (!handle_integer(db, "SELECT count(*) FROM sqlite_schema", &objects, e)) return false;
    if (id == APPLICATION_ID || (id == 0 && objects == 0)) return true;
    return err_set(e, ERR_DATABASE, "this is another program's database");
}

// Is the file as long as its pages are? SQLite takes a last page that lacks some bytes for a whole one.
static bool judge_length(Db *db, bool *ret_cut, Err *e) {
    Arena a = {0};
    const char *path = sqlite3_db_filename(db->handle, "main");
    int64_t pages = 0;
    int64_t page_bytes = 0;
    bool ok = handle_integer(db, "PRAGMA page_count", &pages, e) &&
              handle_integer(db, "PRAGMA page_size", &page_bytes, e);
    // While a log lies beside it, the file may be behind; it is whole by the time that the log is gone.
    bool cut = ok && path_bytes(path) < pages * page_bytes && !path_has_wal(&a, path) &&
               path_bytes(path) < pages * page_bytes;
    arena_free(&a);
    if (cut)
        err_set(e, ERR_DATABASE, "the file is damaged (cut short: it should have %lld bytes)",
                (long long)(pages * page_bytes));
    *ret_cut = cut;
    return ok && !cut;
}

// Judges one state of the content: another process may be creating it just now. ret_damaged (may be NULL):
// refused for damage.
static bool judge(Db *db, bool *ret_damaged, Err *e) {
    if (!db_begin_read(db, e)) return false;
    bool cut = false;
    bool ok = judge_content(db, e);
    bool corrupt = !ok && (sqlite3_errcode(db->handle) & 0xff) == SQLITE_CORRUPT;
    ok = ok && judge_length(db, &cut, e);
    if (ret_damaged != NULL) *ret_damaged = corrupt || cut;
    db_rollback(db);
    return ok;
}

// Judges the bytes of the file alone, without locks and without a trace on disk. What only looks damaged may
// be another process at work or a log beside the file: that is left for the open that takes locks.
static bool look(Arena *a, const char *path, Err *e) {
    Db *db = NULL;
    // SQLite would take a single byte for an empty file.
    if (path_is_stub(path)) return err_set(e, ERR_DATABASE, "not a database");
    if (!handle_open(path_uri(a, path, "immutable=1"), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, &db, e))
        return false;
    bool damaged = false;
    bool ok = judge(db, &damaged, e) || damaged;
    db_close(db);
    return ok;
}

// ---------------------------------------------------------------- migrations

// Applies migration `index`, unless another process did so meanwhile.
static bool migrate_one(Db *db, size_t index, Err *e) {
    int64_t version = 0;
    char mark[100];
    snprintf(mark, sizeof mark, "PRAGMA application_id = %d; PRAGMA user_version = %lld", APPLICATION_ID,
             (long long)version_after(index));
    if (!db_begin(db, e)) return false;
    if (!db_version(db, &version, e)) goto fail;
    if (version >= version_after(index)) {
        db_rollback(db);
        return true;
    }
    if (!handle_run(db, embedded_migrations[index].data, e) || !handle_run(db, mark, e) || !db_commit(db, e))
        goto fail;
    return true;
fail:
    db_rollback(db);
    return err_wrap(e, "migration '%s'", embedded_migrations[index].name);
}

static bool migrate(Db *db, Err *e) {
    for (size_t i = 0; i < n_embedded_migrations; i++) {
        int64_t version = 0;
        if (!db_version(db, &version, e)) return false;
        if (version < version_after(i) && !migrate_one(db, i, e)) return false;
    }
    // Not before: a migration that rebuilds a table must be able to drop the old one.
    return handle_run(db, "PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY",
                      e);
}

// ---------------------------------------------------------------- opening

static bool open_memory(Db **ret_db, Err *e) {
    return handle_open(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY, ret_db,
                       e);
}

static bool open_file(Arena *a, const char *path, Db **ret_db, Err *e) {
    Db *db = NULL;
    if (!path_create(path, e) || !look(a, path, e)) return false;
    if (!handle_open(path_plain(a, path), SQLITE_OPEN_READWRITE, &db, e)) return false;
    // Closing copies the log into the file: not into one that is about to be refused.
    bool has_log = path_has_wal(a, path);
    if (has_log) sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    if (!judge(db, NULL, e)) goto fail;
    if (has_log) sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
    if (sqlite3_db_readonly(db->handle, "main") != 0) {
        err_set(e, ERR_DATABASE, "may not be written");
        goto fail;
    }
    if (!migrate(db, e)) goto fail;
    // After the first migration, so that the mark stands in the file itself and not in a log beside it. Where
    // it cannot be had (another process is reading just now, no shared memory) the database works without.
    Err ignored;
    handle_run(db, "PRAGMA journal_mode = WAL", &ignored);
    *ret_db = db;
    return true;
fail:
    db_close(db);
    return false;
}

bool db_open(const char *path, Db **ret_db, Err *e) {
    Arena a = {0};
    Db *db = NULL;
    bool ok = path == NULL ? open_memory(&db, e) && migrate(db, e) : open_file(&a, path, &db, e);
    if (ok) {
        *ret_db = db;
    } else {
        if (path == NULL) db_close(db);
        err_wrap(e, "open database '%s'", path == NULL ? "in memory" : path);
    }
    arena_free(&a);
    return ok;
}

// All pages of the file at `path` into `to`.
static bool copy_pages(Arena *a, const char *path, Db *to, Err *e) {
    Db *from = NULL;
    // Without a log beside it the file is complete, and SQLite need not create one.
    const char *parameters = path_has_wal(a, path) ? "mode=ro" : "immutable=1";
    if (!look(a, path, e)) return false;
    if (!handle_open(path_uri(a, path, parameters), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, &from, e))
        return false;
    bool ok = judge(from, NULL, e);
    if (ok) {
        sqlite3_backup *backup = sqlite3_backup_init(to->handle, "main", from->handle, "main");
        if (backup != NULL) sqlite3_backup_step(backup, -1);
        int rc = sqlite3_backup_finish(backup);
        if (rc == SQLITE_OK) rc = sqlite3_errcode(to->handle);
        ok = rc == SQLITE_OK || rc == SQLITE_DONE || handle_error(to, rc, e);
    }
    db_close(from);
    return ok;
}

bool db_open_copy(const char *path, Db **ret_db, Err *e) {
    Arena a = {0};
    Db *db = NULL;
    bool ok = open_memory(&db, e);
    if (ok && path_readable(path)) ok = copy_pages(&a, path, db, e);
    if (ok) ok = migrate(db, e);
    if (ok) {
        *ret_db = db;
    } else {
        db_close(db);
        err_wrap(e, "open database '%s'", path);
    }
    arena_free(&a);
    return ok;
}

// ---------------------------------------------------------------- transactions

bool db_begin(Db *db, Err *e) { return handle_run(db, "BEGIN IMMEDIATE", e); }

bool db_begin_read(Db *db, Err *e) { return handle_run(db, "BEGIN", e); }

bool db_durable(Db *db, Err *e) { return handle_run(db, "PRAGMA synchronous = FULL", e); }

bool db_commit(Db *db, Err *e) { return handle_run(db, "COMMIT", e); }

void db_rollback(Db *db) {
    if (sqlite3_get_autocommit(db->handle) == 0) sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
}

// ---------------------------------------------------------------- meta

bool db_meta_get(Db *db, Arena *a, const char *key, const char **ret_value, Err *e) {
    Stmt *s = NULL;
    bool row = false;
    bool ok = stmt_query(db, "meta_get", &s, e) && stmt_bind_text(s, "key", key, e) && stmt_step(s, &row, e);
    if (ok) {
        const char *value = row ? stmt_text(s, 0) : "";
        *ret_value = arena_copy(a, value, strlen(value));
    }
    stmt_free(s);
    return ok;
}

bool db_meta_set(Db *db, const char *key, const char *value, Err *e) {
    Stmt *s = NULL;
    bool ok = stmt_query(db, "meta_set", &s, e) && stmt_bind_text(s, "key", key, e) &&
              stmt_bind_text(s, "value", value, e) && stmt_run(s, e);
    stmt_free(s);
    return ok;
}
