// Tables of facts: made from their columns, dropped when they change.
#include <string.h>

#include "src/base/embedded.h"
#include "db/internal.h"

// The key of meta under which stands what was made: names in the order of making, blanks between them.
static const char made[] = "fact_tables";

const char *db_facts_schema(void) { return embedded_facts_schema[0].data; }

// Backwards: what refers to a table goes before it.
static bool drop_made(Db *db, Err *e) {
    Arena a = {0};
    const char *names = "";
    bool ok = db_meta_get(db, &a, made, &names, e);
    for (size_t end = strlen(names); ok && end > 0;) {
        size_t start = end;
        while (start > 0 && names[start - 1] != ' ') start--;
        ok = handle_run(db, arena_printf(&a, "DROP TABLE %.*s", (int)(end - start), names + start), e);
        end = start == 0 ? 0 : start - 1;
    }
    arena_free(&a);
    return ok;
}

static void add_column(Buf *sql, const DbColumn *c) {
    static const char *const types[] = {[DB_TEXT] = "TEXT", [DB_REAL] = "REAL", [DB_INTEGER] = "INTEGER"};
    buf_printf(sql, "%s %s%s%s", c->name, types[c->type], c->required ? " NOT NULL" : "",
               c->key ? " PRIMARY KEY" : "");
    if (c->references != NULL) buf_printf(sql, " REFERENCES %s", c->references);
}

static bool make(Db *db, const DbTable *t, Err *e) {
    Buf sql;
    buf_init(&sql, BUF_LIMIT);
    buf_printf(&sql, "CREATE TABLE %s (", t->name);
    for (size_t i = 0; i < t->n_columns; i++) {
        buf_puts(&sql, i == 0 ? "" : ", ");
        add_column(&sql, &t->columns[i]);
    }
    buf_puts(&sql, ") STRICT");
    bool ok = handle_run(db, sql.data, e) || err_wrap(e, "make table '%s'", t->name);
    buf_free(&sql);
    return ok;
}

bool db_make_facts(Db *db, const DbTable *tables, size_t n, Err *e) {
    Buf names;
    buf_init(&names, BUF_LIMIT);
    bool ok = drop_made(db, e);
    for (size_t i = 0; ok && i < n; i++) {
        buf_printf(&names, "%s%s", i == 0 ? "" : " ", tables[i].name);
        ok = make(db, &tables[i], e);
    }
    ok = ok && handle_run(db, db_facts_schema(), e) && db_meta_set(db, made, names.data, e);
    buf_free(&names);
    return ok;
}
