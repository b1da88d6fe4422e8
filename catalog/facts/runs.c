// Benchmark runs in the database.
#include "catalog/facts/runs.h"

#include <math.h>
#include <string.h>

#include "catalog/facts/store.h"

typedef struct RunField {
    const char *column;
    size_t offset;
    bool number;
} RunField;

#define DEVICE_TEXT(f)                                                                                       \
    { #f, offsetof(BenchDevice, f), false }
#define DEVICE_NUMBER(f)                                                                                     \
    { #f, offsetof(BenchDevice, f), true }
#define RESULT_TEXT(f)                                                                                       \
    { #f, offsetof(BenchResult, f), false }
#define RESULT_NUMBER(f)                                                                                     \
    { #f, offsetof(BenchResult, f), true }

// In the order of the queries; `verified` is a boolean and goes by itself.
static const RunField device_fields[] = {DEVICE_TEXT(id),
                                         DEVICE_TEXT(vendor),
                                         DEVICE_TEXT(name),
                                         DEVICE_TEXT(sku_id),
                                         DEVICE_TEXT(pci),
                                         DEVICE_TEXT(driver),
                                         DEVICE_TEXT(state),
                                         DEVICE_TEXT(why),
                                         DEVICE_TEXT(how),
                                         DEVICE_TEXT(memory),
                                         DEVICE_NUMBER(share),
                                         DEVICE_TEXT(part),
                                         DEVICE_NUMBER(shared),
                                         DEVICE_NUMBER(power_limit_w),
                                         DEVICE_NUMBER(power_default_w),
                                         DEVICE_NUMBER(ecc_errors),
                                         DEVICE_NUMBER(ecc_corrected),
                                         DEVICE_NUMBER(rows_pending),
                                         DEVICE_TEXT(code),
                                         DEVICE_TEXT(uuid),
                                         DEVICE_TEXT(vbios),
                                         DEVICE_TEXT(serial)};
static const RunField result_fields[] = {
    RESULT_TEXT(device),
    RESULT_TEXT(test),
    RESULT_TEXT(dtype),
    RESULT_TEXT(shape),
    RESULT_TEXT(unit),
    RESULT_NUMBER(median),
    RESULT_NUMBER(p5),
    RESULT_NUMBER(p95),
    RESULT_NUMBER(burst),
    RESULT_NUMBER(samples),
    RESULT_NUMBER(library_ceiling),
    RESULT_TEXT(library),
    {"verified", 0, true},
    RESULT_NUMBER(max_error),
    RESULT_NUMBER(max_error_of_bound),
    RESULT_NUMBER(checked),
    RESULT_TEXT(verdict),
    RESULT_NUMBER(clock_mhz),
    RESULT_NUMBER(power_w),
    RESULT_NUMBER(temperature_c),
    RESULT_TEXT(error),
    RESULT_NUMBER(datasheet),
    RESULT_NUMBER(pct_of_datasheet),
    RESULT_NUMBER(expected_low),
    RESULT_NUMBER(expected_high),
    RESULT_TEXT(expected_source),
    RESULT_TEXT(throttle),
    RESULT_TEXT(cause),
    RESULT_TEXT(bits),
    RESULT_NUMBER(gpu_count),
    RESULT_TEXT(path),
    RESULT_NUMBER(in_cache),
};
enum { FIELD_VERIFIED = 12, COLUMNS_MAX = COUNT_OF(result_fields) + 1 };

static const char *text_at(const void *row, size_t offset) {
    const void *at = (const char *)row + offset;
    const char *text = *(const char *const *)at;
    return text != NULL ? text : "";
}

static double number_at(const void *row, size_t offset) {
    const void *at = (const char *)row + offset;
    return *(const double *)at;
}

// ---------------------------------------------------------------- writing

static bool insert_statement(Db *db, const char *table, const RunField *fields, size_t n, Stmt **ret_stmt,
                             Err *e) {
    const char *columns[COLUMNS_MAX] = {"run"};
    for (size_t i = 0; i < n; i++) columns[i + 1] = fields[i].column;
    return stmt_insert(db, table, columns, n + 1, ret_stmt, e);
}

static bool add_row(Stmt *s, int64_t run, const void *row, const RunField *fields, size_t n, int verified,
                    Err *e) {
    bool more = false;
    if (!stmt_bind_integer(s, "run", run, e)) return false;
    for (size_t i = 0; i < n; i++) {
        bool ok = strcmp(fields[i].column, "verified") == 0 ? stmt_bind_integer(s, "verified", verified, e)
                  : fields[i].number
                      ? stmt_bind_number(s, fields[i].column, number_at(row, fields[i].offset), e)
                      : stmt_bind_text(s, fields[i].column, text_at(row, fields[i].offset), e);
        if (!ok) return false;
    }
    return stmt_step(s, &more, e);
}

static bool add_rows(Db *db, int64_t id, const BenchRun *run, Err *e) {
    Stmt *s = NULL;
    bool ok = insert_statement(db, "bench_device", device_fields, COUNT_OF(device_fields), &s, e);
    for (size_t i = 0; ok && i < run->n_devices; i++)
        ok = add_row(s, id, &run->devices[i], device_fields, COUNT_OF(device_fields), 0, e);
    stmt_free(s);
    s = NULL;
    ok = ok && insert_statement(db, "bench_result", result_fields, COUNT_OF(result_fields), &s, e);
    for (size_t i = 0; ok && i < run->n_results; i++) {
        ok = add_row(s, id, &run->results[i], result_fields, COUNT_OF(result_fields),
                     run->results[i].verified, e);
    }
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

static bool bind_job(Stmt *s, const BenchRun *run, Err *e) {
    return stmt_bind_text(s, "launcher", run->launcher, e) && stmt_bind_text(s, "job", run->job, e) &&
           stmt_bind_text(s, "node", run->node, e) && stmt_bind_number(s, "rank", run->rank, e) &&
           stmt_bind_number(s, "ranks", run->ranks, e) &&
           stmt_bind_number(s, "local_rank", run->local_rank, e) &&
           stmt_bind_text(s, "environment", run->environment, e);
}

bool runs_add(Catalog *c, const BenchRun *run, int64_t *ret_id, Err *e) {
    static const char *const columns[] = {
        "taken_at", "tool_version", "system", "options", "complete", "origin", "host",       "boot_id",
        "quick",    "launcher",     "job",    "node",    "rank",     "ranks",  "local_rank", "environment"};
    Db *db = catalog_db(c);
    Stmt *s = NULL;
    bool more = false;
    int64_t id = 0;
    if (!db_begin(db, e)) return err_wrap(e, "keep the run");
    bool ok = stmt_insert(db, "bench_run", columns, COUNT_OF(columns), &s, e) &&
              stmt_bind_text(s, "taken_at", run->taken_at, e) &&
              stmt_bind_text(s, "tool_version", run->tool_version, e) &&
              stmt_bind_text(s, "system", run->system, e) && stmt_bind_text(s, "options", run->options, e) &&
              stmt_bind_integer(s, "complete", run->complete, e) &&
              stmt_bind_text(s, "origin", run->origin, e) && stmt_bind_text(s, "host", run->host, e) &&
              stmt_bind_text(s, "boot_id", run->boot_id, e) && stmt_bind_number(s, "quick", run->quick, e) &&
              bind_job(s, run, e) && stmt_step(s, &more, e);
    stmt_free(s);
    ok = ok && last_id(db, &id, e) && add_rows(db, id, run, e) && db_commit(db, e);
    if (!ok) {
        db_rollback(db);
        return err_wrap(e, "keep the run");
    }
    *ret_id = id;
    return true;
}

// ---------------------------------------------------------------- reading

static void read_row(Stmt *s, Arena *a, const RunField *fields, size_t n, void *row) {
    for (size_t i = 0; i < n; i++) {
        void *at = (char *)row + fields[i].offset;
        if (strcmp(fields[i].column, "verified") == 0) {
            continue;
        } else if (fields[i].number) {
            *(double *)at = stmt_number(s, i);
        } else {
            *(const char **)at = text_clean(a, stmt_text(s, i));
        }
    }
}

static bool read_devices(Db *db, Arena *a, BenchRun *run, Err *e) {
    Stmt *s = NULL;
    bool more = false;
    bool ok = stmt_query(db, "bench_devices", &s, e) && stmt_bind_integer(s, "run", run->id, e);
    run->devices = arena_alloc(a, run->n_devices, sizeof *run->devices);
    size_t n = 0;
    while (ok && n < run->n_devices && (ok = stmt_step(s, &more, e)) && more) {
        read_row(s, a, device_fields, COUNT_OF(device_fields), &run->devices[n++]);
    }
    run->n_devices = n;
    stmt_free(s);
    return ok;
}

static bool read_results(Db *db, Arena *a, BenchRun *run, Err *e) {
    Stmt *s = NULL;
    bool more = false;
    bool ok = stmt_query(db, "bench_results", &s, e) && stmt_bind_integer(s, "run", run->id, e);
    run->results = arena_alloc(a, run->n_results, sizeof *run->results);
    size_t n = 0;
    while (ok && n < run->n_results && (ok = stmt_step(s, &more, e)) && more) {
        BenchResult r = {0};
        read_row(s, a, result_fields, COUNT_OF(result_fields), &r);
        r.verified = stmt_integer(s, FIELD_VERIFIED) != 0;
        run->results[n++] = r;
    }
    run->n_results = n;
    stmt_free(s);
    return ok;
}

bool runs_read(Catalog *c, int64_t id, Arena *a, BenchRun **ret_runs, size_t *ret_n, Err *e) {
    enum { RUNS_MAX = 1000 };
    Db *db = catalog_db(c);
    Stmt *s = NULL;
    bool more = false;
    size_t n = 0;
    BenchRun *runs = arena_alloc(a, RUNS_MAX, sizeof *runs);
    bool ok = stmt_query(db, "bench_runs", &s, e) && (id == 0 || stmt_bind_integer(s, "id", id, e));
    while (ok && n < RUNS_MAX && (ok = stmt_step(s, &more, e)) && more) {
        runs[n++] = (BenchRun){.id = stmt_integer(s, 0),
                               .taken_at = text_clean(a, stmt_text(s, 1)),
                               .tool_version = text_clean(a, stmt_text(s, 2)),
                               .system = text_clean(a, stmt_text(s, 3)),
                               .options = text_clean(a, stmt_text(s, 4)),
                               .complete = stmt_integer(s, 5) != 0,
                               .n_devices = (size_t)stmt_integer(s, 6),
                               .n_results = (size_t)stmt_integer(s, 7),
                               .origin = text_clean(a, stmt_text(s, 8)),
                               .device_names = text_clean(a, stmt_text(s, 9)),
                               .host = text_clean(a, stmt_text(s, 10)),
                               .boot_id = text_clean(a, stmt_text(s, 11)),
                               .quick = stmt_number(s, 12),
                               .launcher = text_clean(a, stmt_text(s, 13)),
                               .job = text_clean(a, stmt_text(s, 14)),
                               .node = text_clean(a, stmt_text(s, 15)),
                               .rank = stmt_number(s, 16),
                               .ranks = stmt_number(s, 17),
                               .local_rank = stmt_number(s, 18),
                               .environment = text_clean(a, stmt_text(s, 19)),
                               .record = ""};
    }
    stmt_free(s);
    for (size_t i = 0; ok && id != 0 && i < n; i++)
        ok = read_devices(db, a, &runs[i], e) && read_results(db, a, &runs[i], e);
    if (!ok) return err_wrap(e, "read the runs");
    *ret_runs = runs;
    *ret_n = n;
    return true;
}
