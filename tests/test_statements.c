// Statements of the database that fail in the middle of a command: one that is refused, or one that is interrupted. The command
// then fails with a message, or says on standard error what it lacks, or answers as ever; the user's own rows are as they were,
// or as the whole command leaves them.
#include <sqlite3.h>

#include "tests/line_world.h"

enum { PLACES = 8, VM_STEPS = 40 };

typedef struct Line {
    const char *words;  // apart by blanks; % stands for the scratch folder
    bool writes;
} Line;

static const Line own_rows[] = {
    {"workloads add mine kind=serve model_id=llama-3.1-70b isl_tokens=1000 osl_tokens=200", true},
    {"prices import %/quote.csv --name kept", true},
    {"bench import tests/fuzz/corpus/runs/exported", true},
    {"runs import tests/payloads/runs/own_csv", true},
    {"traffic import day tests/payloads/traffic/day.csv", true},
    {"prices export --new-key %/k.key", true},
};

static const Line lines[] = {
    {"report --workload llama70b --json", false},
    {"report --workload llama70b --stack docs/stacks/moves.stack --format md", false},
    {"report --workload mine --current 8xh100-sxm5-80gb@3 --source %/tree", false},
    {"estimate --model llama-3.1-70b --gpu mi300x --json", false},
    {"check --model llama-3.1-70b --gpu mi300x --tokens-per-s 2000", false},
    {"validate --runs", false},
    {"gpus", false},
    {"gpus show mi300x", false},
    {"models show llama-3.1-70b", false},
    {"workloads show mine --json", false},
    {"compat vllm", false},
    {"compat --where rocm", false},
    {"sources", false},
    {"doctor --json", false},
    {"stack show docs/stacks/moves.stack", false},
    {"prices list mi300x", false},
    {"prices list --where held --unmapped", false},
    {"prices history mi300x", false},
    {"prices diff --since 2026-11-20", false},
    {"prices export --snapshot %/out.gz --secret-key %/k.key --with-imports", false},
    {"migrate scan %/tree --json", false},
    {"migrate fix %/tree -o %/patch", false},
    {"migrate api cudaMemcpyAsync", false},
    {"migrate explain warp-mask-literal32", false},
    {"migrate ports", false},
    {"runs list", false},
    {"runs show 1", false},
    {"runs export --format json", false},
    {"bench runs", false},
    {"bench runs 1", false},
    {"bench compare 1 1", false},
    {"bench export", false},
    {"traffic show day", false},
    {"tui --once prices --size 100x30", false},
    {"tui --once compat --size 100x30", false},
    {"tui --once bench --size 100x30", false},
    {"prices import %/quote.csv --name second", true},
    {"prices prune --older-than 1", false},
    {"workloads add second kind=serve model_id=llama-3.1-70b", true},
    {"workloads remove mine", true},
    {"compat add vllm platform=rocm status=full note=here", true},
    {"runs import %/runs.csv", true},
    {"runs remove 1", true},
    {"bench import tests/fuzz/corpus/runs/answer", true},
    {"traffic import second tests/payloads/traffic/day.csv", true},
};

// What goes wrong next, and what was counted so far. 0 of `refuse` and `interrupt`: nothing.
static struct { long statements, pauses, refuse, interrupt; } fault;

static int authorize(void *unused, int action, const char *a, const char *b, const char *c, const char *d) {
    (void)unused, (void)a, (void)b, (void)c, (void)d;
    if (action == SQLITE_READ || action == SQLITE_FUNCTION) return SQLITE_OK;  // parts of a statement
    return ++fault.statements == fault.refuse ? SQLITE_DENY : SQLITE_OK;
}

static int pause_of(void *unused) {
    (void)unused;
    return ++fault.pauses == fault.interrupt;
}

// SQLite calls it for each database that is opened.
static int on_open(sqlite3 *db, const char **ret_error, const void *api) {
    (void)ret_error, (void)api;
    sqlite3_set_authorizer(db, authorize, NULL);
    sqlite3_progress_handler(db, VM_STEPS, pause_of, NULL);
    return SQLITE_OK;
}
static const char *database(void) { return scratch_path(&scratch, ".local/share/gpuadvise/catalog.db"); }

// The user's own rows as text; SQLite is asked by itself, with nothing in its way.
static const char *own(void) {
    static const char *const tables[] = {
        "SELECT count(*) || ' ' || coalesce(group_concat(taken_at || system), '') FROM bench_run",
        "SELECT count(*) || ' ' || coalesce(group_concat(table_name || name || content), '') FROM own_fact",
        "SELECT count(*) || ' ' || coalesce(group_concat(identity), '') FROM own_run",
        "SELECT count(*) || ' ' || coalesce(sum(price_micro_usd_per_hour), 0) FROM offer_seen",
        "PRAGMA integrity_check",
    };
    Buf b;
    buf_init(&b, BUF_LIMIT);
    sqlite3 *db = NULL;
    CHECK_INT(sqlite3_open(database(), &db), SQLITE_OK);
    sqlite3_set_authorizer(db, NULL, NULL);
    for (size_t i = 0; i < COUNT_OF(tables); i++) {
        sqlite3_stmt *s = NULL;
        CHECK_INT(sqlite3_prepare_v2(db, tables[i], -1, &s, NULL), SQLITE_OK);
        CHECK_INT(sqlite3_step(s), SQLITE_ROW);
        buf_printf(&b, "%s\n", (const char *)sqlite3_column_text(s, 0));
        sqlite3_finalize(s);
    }
    sqlite3_close(db);
    const char *text = arena_copy(&scratch.arena, b.data, b.length);
    buf_free(&b);
    return text;
}

// A database with rows of the user's own, kept beside it for writers to begin from.
static void begin(void) {
    line_home();
    const char quote[] =
        "instance,region,gpu,gpu_count,price_per_hour\nm0,eu-1,MI300X,8,16\nm1,eu-2,H100,8,18\n";
    const char kernel[] = "#include <cuda_runtime.h>\nint main() { cudaMalloc(&p, 4); k<<<1, 32>>>(p); }\n";
    line_measured();
    scratch_write(scratch_path(&scratch, "quote.csv"), quote, sizeof quote - 1);
    CHECK(mkdir(scratch_path(&scratch, "tree"), 0700) == 0);
    scratch_write(scratch_path(&scratch, "tree/k.cu"), kernel, sizeof kernel - 1);
    for (size_t i = 0; i < COUNT_OF(own_rows); i++) {
        Ran ran = line_run(own_rows[i].words);
        if (ran.failed) FAIL_("%s: %s", own_rows[i].words, ran.said);
    }
    Str whole = scratch_read(&scratch, database());
    scratch_write(scratch_path(&scratch, "kept.db"), whole.data, whole.length);
    CHECK_INT(sqlite3_auto_extension((void (*)(void))on_open), SQLITE_OK);
}

static void restore(void) {
    Str whole = scratch_read(&scratch, scratch_path(&scratch, "kept.db"));
    scratch_write(database(), whole.data, whole.length);
}

static const char *first_difference(const char *got, const char *want) {
    while (*got != '\0' && *got == *want) got++, want++;
    return arena_printf(&scratch.arena, "%.200s\n   instead of\n%.200s", got, want);
}

// One fault in one line, whose answer without it is `clean`, and the own rows `before` and `after` it.
static void check_fault(const Line *line, const Ran *clean, const char *before, const char *after) {
    if (line->writes) restore();
    Ran ran = line_run(line->words);
    long refused = fault.refuse, paused = fault.interrupt;
    fault.refuse = fault.interrupt = 0;
    bool same = strcmp(ran.out, clean->out) == 0 && ran.code == clean->code;
    bool told = ran.said[0] != '\0' || strstr(ran.out, "not authorized") != NULL ||
                strstr(ran.out, "interrupted") != NULL;
    if (ran.failed ? ran.said[0] == '\0' || ran.code == EXIT_DONE : !same && !told)
        FAIL_("%s: statement %ld, interruption %ld: exit %d without a word:\n%s", line->words, refused,
              paused, ran.code, first_difference(ran.out, clean->out));
    struct stat st;
    if (stat(arena_printf(&scratch.arena, "%s-shm", database()), &st) == 0)
        FAIL_("%s: statement %ld, interruption %ld: the database was left open", line->words, refused,
              paused);
    const char *rows = own();
    if (strcmp(rows, before) != 0 && (!line->writes || strcmp(rows, after) != 0))
        FAIL_("%s: statement %ld, interruption %ld: rows\n%s\nbefore\n%s\nafter\n%s", line->words, refused,
              paused, rows, before, after);
    if (line->writes && !ran.failed && strcmp(rows, after) != 0)
        FAIL_("%s: statement %ld, interruption %ld: said to be kept and is not: %s", line->words, refused,
              paused, ran.said);
}

static void check_line(const Line *line, int places) {
    restore();
    const char *before = own();
    fault.statements = fault.pauses = 0;
    Ran clean = line_run(line->words);
    long statements = fault.statements, pauses = fault.pauses;
    if (clean.failed) FAIL_("%s: %s", line->words, clean.said);
    const char *after = own();
    if ((strcmp(before, after) != 0) != line->writes)
        FAIL_("%s: its rows are not those that the table says", line->words);
    if (!line->writes) restore();
    CHECK(statements > 0 && pauses > 0);
    for (int i = 0; i < places; i++) {
        fault.statements = fault.pauses = 0;
        fault.refuse = 1 + statements * i / places;
        check_fault(line, &clean, before, after);
        fault.statements = fault.pauses = 0;
        fault.interrupt = 1 + pauses * i / places;
        check_fault(line, &clean, before, after);
    }
}

static int places_here(void) { return check_sanitized() ? PLACES / 4 : PLACES; }

static void test_a_statement_fails(void) {
    begin();
    for (size_t i = 0; i < COUNT_OF(lines); i++) check_line(&lines[i], places_here());
    scratch_free(&scratch);
}

// The first command of all makes the database: what a fault leaves of that is made whole by the next one.
static void test_the_first_use_fails(void) {
    line_home();
    CHECK_INT(sqlite3_auto_extension((void (*)(void))on_open), SQLITE_OK);
    Ran clean = line_run("gpus");
    long statements = fault.statements, pauses = fault.pauses;
    CHECK(!clean.failed);
    for (int i = 0; i < 4 * places_here(); i++) {
        static const char *const ends[] = {"", "-wal", "-shm"};
        for (size_t k = 0; k < COUNT_OF(ends); k++)
            unlink(arena_printf(&scratch.arena, "%s%s", database(), ends[k]));
        fault.statements = fault.pauses = 0;
        fault.refuse = i % 2 == 0 ? 1 + statements * i / (4 * places_here()) : 0;
        fault.interrupt = i % 2 == 1 ? 1 + pauses * i / (4 * places_here()) : 0;
        Ran ran = line_run("gpus");
        fault.refuse = fault.interrupt = 0;
        CHECK(ran.failed ? ran.code == EXIT_FAILED && ran.said[0] != '\0' : strcmp(ran.out, clean.out) == 0);
        CHECK_STR(line_run("gpus").out, clean.out);
    }
    scratch_free(&scratch);
}

static void damage(const char *sql) {
    sqlite3 *db = NULL;
    CHECK_INT(sqlite3_open(database(), &db), SQLITE_OK);
    CHECK_INT(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void test_self_check_sees_damage(void) {
    line_home();
    CHECK_INT(line_run("bench import tests/fuzz/corpus/runs/exported").code, EXIT_DONE);
    Str whole = scratch_read(&scratch, database());
    damage("PRAGMA foreign_keys = 0; DELETE FROM bench_run");
    Ran ran = line_run("self-check");
    CHECK_INT(ran.code, EXIT_FAILED);
    if (strstr(ran.said, "database: ") == NULL || strstr(ran.said, "bench_") == NULL) FAIL_("%s", ran.said);
    scratch_write(database(), whole.data, whole.length);
    damage("CREATE TABLE t (x INTEGER); CREATE INDEX t_x ON t (x); INSERT INTO t VALUES (1), (2); PRAGMA "
           "writable_schema = 1;"
           "UPDATE sqlite_schema SET sql = 'CREATE INDEX t_x ON t (-x)' WHERE name = 't_x'");
    ran = line_run("self-check");
    CHECK_INT(ran.code, EXIT_FAILED);
    if (strstr(ran.said, "database: ") == NULL || strstr(ran.said, "t_x") == NULL) FAIL_("%s", ran.said);
    scratch_free(&scratch);
}

static const TestCase tests[] = {TEST(a_statement_fails), TEST(the_first_use_fails),
                                 TEST(self_check_sees_damage)};
TEST_MAIN(tests)
