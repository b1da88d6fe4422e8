// Benchmark runs in the database.
#include "catalog/facts/runs.h"

#include "catalog/facts/store.h"

enum { COLUMNS_MAX = 64 };

// ---------------------------------------------------------------- writing

// `first`: a column before those of the list, to be bound by the caller; NULL: none.
static bool insert_statement(Db *db, const char *table, const char *first, const BenchFields *fields,
                             Stmt **ret_stmt, Err *e) {
    const char *columns[COLUMNS_MAX];
    size_t n = 0;
    if (first != NULL) columns[n++] = first;
    for (size_t i = 0; i < fields->n; i++) columns[n++] = fields->list[i].column;
    return stmt_insert(db, table, columns, n, ret_stmt, e);
}

static bool bind_field(Stmt *s, const BenchField *f, const void *row, Err *e) {
    const void *at = (const char *)row + f->offset;
    if (f->kind == BENCH_FLAG) return stmt_bind_integer(s, f->column, *(const bool *)at, e);
    if (f->kind != BENCH_TEXT) return stmt_bind_number(s, f->column, *(const double *)at, e);
    const char *text = *(const char *const *)at;
    return stmt_bind_text(s, f->column, text != NULL ? text : "", e);
}

static bool add_row(Stmt *s, const BenchFields *fields, const void *row, Err *e) {
    for (size_t i = 0; i < fields->n; i++) {
        if (!bind_field(s, &fields->list[i], row, e)) return false;
    }
    return stmt_run(s, e);
}

// Devices or results of a run.
static bool add_rows(Db *db, const char *table, const BenchFields *fields, int64_t run, const void *rows,
                     size_t n, size_t size, Err *e) {
    Stmt *s = NULL;
    bool ok = insert_statement(db, table, "run", fields, &s, e);
    for (size_t i = 0; ok && i < n; i++)
        ok = stmt_bind_integer(s, "run", run, e) && add_row(s, fields, (const char *)rows + i * size, e);
    stmt_free(s);
    return ok;
}

static bool last_id(Db *db, int64_t *ret_id, Err *e) {
    Stmt *s = NULL;
    bool row = false;
    bool ok = stmt_query(db, "bench_last", &s, e) && stmt_step(s, &row, e) && row;
    if (ok) *ret_id = stmt_integer(s, 0);
    stmt_free(s);
    return ok;
}

bool runs_add(Catalog *c, const BenchRun *run, int64_t *ret_id, Err *e) {
    Db *db = catalog_db(c);
    Stmt *s = NULL;
    int64_t id = 0;
    if (!db_begin(db, e)) return err_wrap(e, "keep the run");
    bool ok = insert_statement(db, "bench_run", NULL, &bench_kept_fields, &s, e) &&
              add_row(s, &bench_kept_fields, run, e);
    stmt_free(s);
    ok = ok && last_id(db, &id, e) &&
         add_rows(db, "bench_device", &bench_device_fields, id, run->devices, run->n_devices,
                  sizeof *run->devices, e) &&
         add_rows(db, "bench_result", &bench_result_fields, id, run->results, run->n_results,
                  sizeof *run->results, e) &&
         db_commit(db, e);
    if (!ok) {
        db_rollback(db);
        return err_wrap(e, "keep the run");
    }
    *ret_id = id;
    return true;
}

// ---------------------------------------------------------------- reading

// The first columns of a query, which stand in the order of the list.
static void read_row(Stmt *s, Arena *a, const BenchFields *fields, void *row) {
    for (size_t i = 0; i < fields->n; i++) {
        void *at = (char *)row + fields->list[i].offset;
        switch (fields->list[i].kind) {
        case BENCH_TEXT: *(const char **)at = text_clean(a, stmt_text(s, i)); break;
        case BENCH_NUMBER:
        case BENCH_TRUTH: *(double *)at = stmt_number(s, i); break;
        case BENCH_FLAG: *(bool *)at = stmt_integer(s, i) != 0; break;
        }
    }
}

// Devices or results of a run: at most *n, which becomes how many there are.
static bool read_rows(Db *db, const char *query, const BenchFields *fields, int64_t run, Arena *a, void *rows,
                      size_t *n, size_t size, Err *e) {
    Stmt *s = NULL;
    bool ok = stmt_query(db, query, &s, e) && stmt_bind_integer(s, "run", run, e);
    size_t read = 0;
    while (read < *n && stmt_next(s, &ok, e)) read_row(s, a, fields, (char *)rows + read++ * size);
    *n = read;
    stmt_free(s);
    return ok;
}

static bool read_parts(Db *db, Arena *a, BenchRun *run, Err *e) {
    run->devices = arena_alloc(a, run->n_devices, sizeof *run->devices);
    run->results = arena_alloc(a, run->n_results, sizeof *run->results);
    return read_rows(db, "bench_devices", &bench_device_fields, run->id, a, run->devices, &run->n_devices,
                     sizeof *run->devices, e) &&
           read_rows(db, "bench_results", &bench_result_fields, run->id, a, run->results, &run->n_results,
                     sizeof *run->results, e);
}

bool runs_read(Catalog *c, int64_t id, Arena *a, BenchRun **ret_runs, size_t *ret_n, Err *e) {
    enum { RUNS_MAX = 1000 };
    Db *db = catalog_db(c);
    Stmt *s = NULL;
    size_t n = 0, own = bench_kept_fields.n;  // columns of the query before those that no list has
    BenchRun *runs = arena_alloc(a, RUNS_MAX, sizeof *runs);
    bool ok = stmt_query(db, "bench_runs", &s, e) && (id == 0 || stmt_bind_integer(s, "id", id, e));
    while (n < RUNS_MAX && stmt_next(s, &ok, e)) {
        BenchRun *r = &runs[n++];
        *r = (BenchRun){.id = stmt_integer(s, own),
                        .n_devices = (size_t)stmt_integer(s, own + 1),
                        .n_results = (size_t)stmt_integer(s, own + 2),
                        .device_names = text_clean(a, stmt_text(s, own + 3)),
                        .record = ""};
        read_row(s, a, &bench_kept_fields, r);
    }
    stmt_free(s);
    for (size_t i = 0; ok && id != 0 && i < n; i++) ok = read_parts(db, a, &runs[i], e);
    if (!ok) return err_wrap(e, "read the runs");
    *ret_runs = runs;
    *ret_n = n;
    return true;
}
