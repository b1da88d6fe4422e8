// Runs of the user's own: rows as text in the database, so that a column more needs no migration.
#include "catalog/facts/own_runs.h"

#include <math.h>
#include <string.h>

#include "catalog/facts/load.h"
#include "catalog/facts/rows.h"
#include "catalog/facts/store.h"

const char *const own_run_fate_names[] = {"new", "unchanged", "replaced", NULL};
NAMES_FIT(own_run_fate_names, RUN_REPLACED + 1);

// A run is two rows side by side: its measurement, and the rest.
typedef struct Half {
    const Table *table;
    size_t offset;  // in OwnRun
} Half;
static const Half halves[] = {{&fact_tables[TABLE_MEASUREMENTS], offsetof(OwnRun, m)}, {&own_run_table, 0}};

// ---------------------------------------------------------------- rows as text

static void add_cell(const Field *f, const char *row, char separator, Arena *a, Buf *out) {
    if (field_is_number(f)) {
        if (is_known(row_number(row, f))) buf_printf(out, "%.10g", row_number(row, f));
    } else {
        const char *text = text_clean(a, row_word(row, f));
        bool quoted = separator == ',' && strpbrk(text, ",\"") != NULL;
        if (!quoted) {
            buf_puts(out, text);
            return;
        }
        buf_puts(out, "\"");
        for (const char *c = text; *c != '\0'; c++) buf_printf(out, *c == '"' ? "\"\"" : "%c", *c);
        buf_puts(out, "\"");
    }
}

void own_run_write(const OwnRun *r, char separator, bool header, Buf *out) {
    Arena a = {0};
    for (int line = header ? 0 : 1; line < 2; line++) {
        bool first = true;
        for (size_t h = 0; h < COUNT_OF(halves); h++) {
            const Table *t = halves[h].table;
            for (size_t i = 0; i < t->n_fields; i++, first = false) {
                if (!first) buf_add(out, &separator, 1);
                if (line == 0)
                    buf_puts(out, t->fields[i].name);
                else
                    add_cell(&t->fields[i], (const char *)r + halves[h].offset, separator, &a, out);
            }
        }
        buf_puts(out, "\n");
    }
    arena_free(&a);
}

bool own_run_columns(const TableReader *r, size_t *ret_columns, Err *e) {
    size_t used = 0;
    for (size_t h = 0; h < COUNT_OF(halves); h++) {
        if (!table_columns(halves[h].table, r, ret_columns + used, e)) return false;
        used += halves[h].table->n_fields;
    }
    return used <= OWN_RUN_COLUMNS_MAX || err_set(e, ERR_FAILED, "too many columns");
}

bool own_run_cells(const TableReader *r, const size_t *columns, Arena *a, OwnRun *ret_run, Err *e) {
    OwnRun run = {0};
    size_t used = 0;
    for (size_t h = 0; h < COUNT_OF(halves); h++) {
        const Table *t = halves[h].table;
        Str cells[OWN_RUN_COLUMNS_MAX];
        for (size_t i = 0; i < t->n_fields; i++, used++)
            cells[i] = columns[used] < r->n_cells ? str_trim(r->cells[columns[used]]) : (Str){"", 0};
        if (!table_cells(t, cells, a, (char *)&run + halves[h].offset, e)) return false;
    }
    if (!is_known(run.flags)) run.flags = 0;
    *ret_run = run;
    return true;
}

static bool parse_kept(Str content, Arena *a, OwnRun *ret_run, Err *e) {
    TableReader r;
    size_t columns[OWN_RUN_COLUMNS_MAX];
    bool more = false;
    table_open(&r, a, content, '\t');
    bool ok = table_next(&r, &more, e) && own_run_columns(&r, columns, e) && table_next(&r, &more, e);
    return ok && (more || err_set(e, ERR_FAILED, "has no cells")) &&
           own_run_cells(&r, columns, a, ret_run, e);
}

// ---------------------------------------------------------------- in the database

bool own_runs_read(Db *db, Arena *a, OwnRun **ret_runs, size_t *ret_n, size_t *ret_unreadable, Err *e) {
    Stmt *s = NULL;
    OwnRun *runs = NULL;
    size_t n = 0;
    size_t capacity = 0;
    size_t unreadable = 0;
    bool ok = stmt_query(db, "own_runs", &s, e);
    while (stmt_next(s, &ok, e)) {
        Err why = {0};
        const char *text = stmt_text(s, 1);
        runs = arena_grow(a, runs, n, &capacity, sizeof *runs);
        if (parse_kept((Str){arena_copy(a, text, strlen(text)), strlen(text)}, a, &runs[n], &why))
            runs[n++].id = stmt_integer(s, 0);
        else
            unreadable++;
    }
    stmt_free(s);
    if (!ok) return false;
    *ret_runs = runs;
    *ret_n = n;
    if (ret_unreadable != NULL) *ret_unreadable = unreadable;
    return true;
}

bool catalog_own_runs(Catalog *c, Arena *a, OwnRun **ret_runs, size_t *ret_n, size_t *ret_unreadable,
                      Err *e) {
    return own_runs_read(catalog_db(c), a, ret_runs, ret_n, ret_unreadable, e);
}

// The statements of keeping, prepared once for all rows.
typedef struct Keeping {
    Stmt *find, *add, *change;
    Buf content;
} Keeping;

// The id and the text of the run with this identity; 0: none is kept.
static bool find_kept(Keeping *k, const char *identity, Arena *a, int64_t *ret_id, const char **ret_text,
                      Err *e) {
    bool row = false;
    *ret_id = 0;
    if (!stmt_bind_text(k->find, "identity", identity, e) || !stmt_step(k->find, &row, e)) return false;
    if (!row) return true;
    *ret_id = stmt_integer(k->find, 0);
    *ret_text = arena_printf(a, "%s", stmt_text(k->find, 1));
    return stmt_step(k->find, &row, e);  // to its end, which resets it
}

static const char *write_content(Keeping *k, const OwnRun *r) {
    k->content.length = 0;
    own_run_write(r, '\t', true, &k->content);
    return k->content.data;
}

// Another place, a later import and what the user said of it are no news of a run that is there already.
static bool says_the_same(Keeping *k, OwnRun *r, const char *text, Arena *scratch, Arena *a) {
    OwnRun kept;
    Err ignored = {0};
    if (!parse_kept(str_of(text), scratch, &kept, &ignored)) return false;
    OwnRun here = *r;
    here.imported_at = kept.imported_at;
    here.file = kept.file;
    here.place = kept.place;
    here.m.source = kept.m.source;
    here.m.as_of = kept.m.as_of;
    here.accepted = kept.accepted;
    if (strcmp(write_content(k, &here), text) != 0) return false;
    r->accepted = arena_printf(a, "%s", kept.accepted);
    return true;
}

static bool keep_one(Keeping *k, OwnRun *r, bool write, Arena *scratch, Arena *a, OwnRunFate *ret_fate,
                     Err *e) {
    const char *text = "";
    if (!find_kept(k, r->identity, scratch, &r->id, &text, e)) return false;
    *ret_fate = r->id == 0 ? RUN_NEW : says_the_same(k, r, text, scratch, a) ? RUN_UNCHANGED : RUN_REPLACED;
    if (!write || *ret_fate == RUN_UNCHANGED) return true;
    const char *content = write_content(k, r);
    if (*ret_fate == RUN_REPLACED)
        return stmt_bind_integer(k->change, "id", r->id, e) &&
               stmt_bind_text(k->change, "content", content, e) && stmt_run(k->change, e);
    return stmt_bind_text(k->add, "identity", r->identity, e) &&
           stmt_bind_text(k->add, "content", content, e) && stmt_run(k->add, e) &&
           find_kept(k, r->identity, scratch, &r->id, &text, e);
}

static bool keep_all(Db *db, Arena *a, OwnRun *runs, size_t n, OwnRunFate *ret_fates, bool write, Err *e) {
    static const char *const columns[] = {"identity", "content"};
    Keeping k = {0};
    buf_init(&k.content, BUF_LIMIT);
    bool ok = stmt_query(db, "own_run", &k.find, e) && stmt_query(db, "own_run_change", &k.change, e) &&
              stmt_insert(db, "own_run", columns, COUNT_OF(columns), &k.add, e);
    for (size_t i = 0; ok && i < n; i++) {
        Arena scratch = {0};
        ok = keep_one(&k, &runs[i], write, &scratch, a, &ret_fates[i], e);
        arena_free(&scratch);
    }
    stmt_free(k.find);
    stmt_free(k.change);
    stmt_free(k.add);
    buf_free(&k.content);
    return ok;
}

bool own_runs_keep(Catalog *c, Arena *a, OwnRun *runs, size_t n, OwnRunFate *ret_fates, Err *e) {
    Db *db = catalog_db(c);
    if (!catalog_keep(c, e) || !db_begin(db, e)) return false;
    if (keep_all(db, a, runs, n, ret_fates, true, e) && db_commit(db, e)) return true;
    db_rollback(db);
    return err_wrap(e, "keep the runs");
}

bool own_runs_try(Catalog *c, Arena *a, OwnRun *runs, size_t n, OwnRunFate *ret_fates, Err *e) {
    return keep_all(catalog_db(c), a, runs, n, ret_fates, false, e);
}

bool own_runs_change(Catalog *c, const OwnRun *runs, size_t n, Err *e) {
    Db *db = catalog_db(c);
    Keeping k = {0};
    buf_init(&k.content, BUF_LIMIT);
    bool ok = catalog_keep(c, e) && db_begin(db, e);
    bool begun = ok;
    ok = ok && stmt_query(db, "own_run_change", &k.change, e);
    for (size_t i = 0; ok && i < n; i++)
        ok = stmt_bind_integer(k.change, "id", runs[i].id, e) &&
             stmt_bind_text(k.change, "content", write_content(&k, &runs[i]), e) && stmt_run(k.change, e);
    stmt_free(k.change);
    buf_free(&k.content);
    if (ok && db_commit(db, e)) return true;
    if (begun) db_rollback(db);
    return false;
}

bool own_runs_remove(Catalog *c, const int64_t *ids, size_t n, Err *e) {
    Db *db = catalog_db(c);
    Stmt *s = NULL;
    if (!catalog_keep(c, e) || !db_begin(db, e)) return false;
    bool ok = stmt_query(db, "own_run_drop", &s, e);
    for (size_t i = 0; ok && i < n; i++) {
        bool row = false;
        bool done = false;
        ok = stmt_bind_integer(s, "id", ids[i], e) && stmt_step(s, &row, e) &&
             (!row || stmt_step(s, &done, e));
        if (ok && !row)
            ok = err_set(e, ERR_USAGE, "no run %lld of your own; `gpuadvise runs list` lists them",
                         (long long)ids[i]);
    }
    stmt_free(s);
    if (ok && db_commit(db, e)) return true;
    db_rollback(db);
    return false;
}
