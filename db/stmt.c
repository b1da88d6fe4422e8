// Statements: prepared from query files or for inserting rows, bound and read by name.
#include <math.h>
#include <string.h>

#include "src/base/embedded.h"
#include "db/internal.h"

struct Stmt {
    Arena arena;  // holds this struct
    Db *db;
    const char *what;  // for errors: "query 'offers'"
    sqlite3_stmt *handle;
};

const char *const *db_query_names(void) { return embedded_queries_names; }

static bool fail(const Stmt *s, int rc, Err *e) {
    handle_error(s->db, rc, e);
    return err_wrap(e, "%s", s->what);
}

// `what` names the statement in errors.
static bool prepare(Db *db, const char *kind, const char *name, const char *sql, Stmt **ret_stmt, Err *e) {
    Arena a = {0};
    Stmt *s = arena_alloc(&a, 1, sizeof *s);
    const char *rest = "";
    s->db = db;
    s->what = arena_printf(&a, "%s '%s'", kind, name);
    s->arena = a;
    int rc = sqlite3_prepare_v2(db->handle, sql, -1, &s->handle, &rest);
    bool ok = rc == SQLITE_OK;
    if (!ok) {
        fail(s, rc, e);
    } else if (str_trim(str_of(rest)).length > 0) {
        ok = err_set(e, ERR_FAILED, "%s: more than one statement", s->what);
    }
    if (ok) {
        *ret_stmt = s;
    } else {
        stmt_free(s);
    }
    return ok;
}

void stmt_free(Stmt *s) {
    if (s == NULL) return;
    sqlite3_finalize(s->handle);
    Arena a = s->arena;
    arena_free(&a);
}

bool stmt_query(Db *db, const char *name, Stmt **ret_stmt, Err *e) {
    const EmbeddedFile *file = row_named(name, embedded_queries, n_embedded_queries, sizeof *file);
    if (file == NULL) return err_set(e, ERR_FAILED, "query '%s': no such query", name);
    return prepare(db, "query", name, file->data, ret_stmt, e);
}

static void add_list(Buf *sql, const char *mark, const char *const *words, size_t n) {
    for (size_t i = 0; i < n; i++) buf_printf(sql, "%s%s%s", i == 0 ? "" : ", ", mark, words[i]);
}

bool stmt_insert(Db *db, const char *table, const char *const *columns, size_t n_columns, Stmt **ret_stmt,
                 Err *e) {
    Buf sql;
    buf_init(&sql, BUF_LIMIT);
    buf_printf(&sql, "INSERT INTO %s (", table);
    add_list(&sql, "", columns, n_columns);
    buf_puts(&sql, ") VALUES (");
    add_list(&sql, ":", columns, n_columns);
    buf_puts(&sql, ")");
    bool ok = prepare(db, "insert", table, sql.data, ret_stmt, e);
    buf_free(&sql);
    return ok;
}

bool stmt_select(Db *db, const char *table, const char *const *columns, size_t n_columns, Stmt **ret_stmt,
                 Err *e) {
    Buf sql;
    buf_init(&sql, BUF_LIMIT);
    buf_puts(&sql, "SELECT ");
    add_list(&sql, "", columns, n_columns);
    buf_printf(&sql, " FROM %s", table);
    bool ok = prepare(db, "table", table, sql.data, ret_stmt, e);
    buf_free(&sql);
    return ok;
}

bool stmt_ages(Db *db, const char *const *tables, size_t n_tables, Stmt **ret_stmt, Err *e) {
    Buf sql;
    buf_init(&sql, BUF_LIMIT);
    for (size_t i = 0; i < n_tables; i++)
        buf_printf(&sql,
                   "%s SELECT '%s', count(*), max(as_of), min(as_of) FROM %s WHERE source NOT LIKE 'own: %%'",
                   i == 0 ? "" : " UNION ALL", tables[i], tables[i]);
    bool ok = prepare(db, "query", "ages", sql.data, ret_stmt, e);
    buf_free(&sql);
    return ok;
}

bool db_run(Db *db, const char *name, Err *e) {
    Stmt *s = NULL;
    bool ok = stmt_query(db, name, &s, e) && stmt_run(s, e);
    stmt_free(s);
    return ok;
}

bool db_check(Db *db, Err *e) {
    Stmt *s = NULL;
    bool row = false;
    bool ok = stmt_query(db, "integrity", &s, e) && stmt_step(s, &row, e);
    ok = ok && (!row || strcmp(stmt_text(s, 0), "ok") == 0 || err_set(e, ERR_FAILED, "%s", stmt_text(s, 0)));
    ok = ok && stmt_step(s, &row, e);
    ok = ok && (!row || err_set(e, ERR_FAILED, "%s", stmt_text(s, 0)));
    stmt_free(s);
    return ok;
}

// ---------------------------------------------------------------- binding

// 0 (no such parameter) is turned into an error by the bind that follows.
static int parameter(const Stmt *s, const char *name) {
    char key[100] = ":";
    size_t length = strlen(name);
    if (length + 2 > sizeof key) return 0;
    memcpy(key + 1, name, length + 1);
    return sqlite3_bind_parameter_index(s->handle, key);
}

static bool bound(const Stmt *s, const char *name, int rc, Err *e) {
    if (rc == SQLITE_OK) return true;
    if (rc == SQLITE_RANGE) return err_set(e, ERR_FAILED, "%s: no parameter '%s'", s->what, name);
    return fail(s, rc, e);
}

bool stmt_bind_text(Stmt *s, const char *name, const char *text, Err *e) {
    int at = parameter(s, name);
    bool none = text == NULL || text[0] == '\0';
    return bound(s, name,
                 none ? sqlite3_bind_null(s->handle, at)
                      : sqlite3_bind_text(s->handle, at, text, -1, SQLITE_TRANSIENT),
                 e);
}

bool stmt_bind_number(Stmt *s, const char *name, double x, Err *e) {
    int at = parameter(s, name);
    return bound(s, name, isnan(x) ? sqlite3_bind_null(s->handle, at) : sqlite3_bind_double(s->handle, at, x),
                 e);
}

bool stmt_bind_integer(Stmt *s, const char *name, int64_t x, Err *e) {
    return bound(s, name, sqlite3_bind_int64(s->handle, parameter(s, name), x), e);
}

// ---------------------------------------------------------------- rows

bool stmt_step(Stmt *s, bool *ret_row, Err *e) {
    int rc = sqlite3_step(s->handle);
    if (rc == SQLITE_ROW) {
        *ret_row = true;
        return true;
    }
    bool ok = rc == SQLITE_DONE || fail(s, rc, e);
    sqlite3_reset(s->handle);
    sqlite3_clear_bindings(s->handle);
    if (ok) *ret_row = false;
    return ok;
}

bool stmt_run(Stmt *s, Err *e) {
    bool row = false;
    return stmt_step(s, &row, e);
}

bool stmt_next(Stmt *s, bool *ok, Err *e) {
    bool row = false;
    *ok = *ok && stmt_step(s, &row, e);
    return *ok && row;
}

size_t stmt_columns(const Stmt *s) { return (size_t)sqlite3_column_count(s->handle); }

const char *stmt_column_name(const Stmt *s, size_t column) {
    return sqlite3_column_name(s->handle, (int)column);
}

bool stmt_is_null(const Stmt *s, size_t column) {
    return sqlite3_column_type(s->handle, (int)column) == SQLITE_NULL;
}

const char *stmt_text(const Stmt *s, size_t column) {
    const unsigned char *text = sqlite3_column_text(s->handle, (int)column);
    return text == NULL ? "" : (const char *)text;
}

double stmt_number(const Stmt *s, size_t column) {
    return stmt_is_null(s, column) ? (double)NAN : sqlite3_column_double(s->handle, (int)column);
}

int64_t stmt_integer(const Stmt *s, size_t column) { return sqlite3_column_int64(s->handle, (int)column); }
