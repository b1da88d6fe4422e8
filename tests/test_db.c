// The database file: made private, migrated once, refused where it is not ours; transactions and statements.
#define _GNU_SOURCE  // setresuid
#include <math.h>

#include "catalog/facts/rows.h"
#include "src/facts/tables.h"
#include "db/db.h"
#include "tests/check.h"
#include "tests/scratch.h"

static Db *open_or_fail(const char *path) {
    Db *db = NULL;
    Err e = {0};
    if (!db_open(path, &db, &e)) FAIL_("%s", e.text);
    return db;
}

static void put(Db *db, const char *key, const char *value) {
    Err e = {0};
    if (!db_meta_set(db, key, value, &e)) FAIL_("%s", e.text);
}

static const char *kept(Arena *a, Db *db, const char *key) {
    const char *value = NULL;
    Err e = {0};
    if (!db_meta_get(db, a, key, &value, &e)) FAIL_("%s", e.text);
    return value;
}

// `reason` may stop early, where SQLite's own words follow.
static void expect_error(const Err *e, const char *path, const char *reason) {
    Arena a = {0};
    CHECK_INT(e->kind, ERR_DATABASE);
    const char *want = arena_printf(&a, "open database '%s': %s", path, reason);
    if (strncmp(e->text, want, strlen(want)) != 0) FAIL_("\n   got %s\n  want %s", e->text, want);
    arena_free(&a);
}

// Opening (and copying) must fail so, leaving bytes and folder as they are.
static void refuse(Scratch *s, const char *path, const char *reason) {
    Str before = scratch_read(s, path);
    size_t files = scratch_count(s->path);
    Db *db = NULL;
    Err e = {0};
    CHECK(!db_open(path, &db, &e));
    CHECK(db == NULL);
    expect_error(&e, path, reason);
    CHECK(!db_open_copy(path, &db, &e));
    CHECK(db == NULL);
    expect_error(&e, path, reason);
    Str after = scratch_read(s, path);
    CHECK_INT(after.length, before.length);
    CHECK(memcmp(after.data, before.data, before.length) == 0);
    CHECK_INT(scratch_count(s->path), files);
}

// A database of ours, closed; big-endian 32-bit numbers of its header.
enum {
    HEADER_PAGES = 28,
    HEADER_FREE_LIST = 32,
    HEADER_FREE_PAGES = 36,
    HEADER_VERSION = 60,
    HEADER_APPLICATION = 68
};

static const char *closed_database(Scratch *s) {
    const char *path = scratch_path(s, "x.db");
    db_close(open_or_fail(path));
    return path;
}

static void patch(Scratch *s, const char *path, size_t offset, unsigned long value) {
    Str text = scratch_read(s, path);
    char *bytes = arena_copy(&s->arena, text.data, text.length);
    for (size_t i = 0; i < 4; i++) bytes[offset + i] = (char)(value >> (24 - 8 * i) & 0xff);
    scratch_write(path, bytes, text.length);
}

// ---------------------------------------------------------------- opening

static void test_new_database_is_private(void) {
    Scratch s = scratch_make();
    const char *path = scratch_path(&s, "a/b/catalog.db");
    mode_t old = umask(0);
    Db *db = open_or_fail(path);
    CHECK_INT(scratch_mode(path), 0600);
    CHECK_INT(scratch_mode(scratch_path(&s, "a")), 0700);
    CHECK_INT(scratch_mode(scratch_path(&s, "a/b")), 0700);
    put(db, "k", "v");
    if (access(scratch_path(&s, "a/b/catalog.db-wal"), F_OK) == 0)
        CHECK_INT(scratch_mode(scratch_path(&s, "a/b/catalog.db-wal")), 0600);
    umask(old);
    db_close(db);
    Str bytes = scratch_read(&s, path);
    CHECK(memcmp(bytes.data + HEADER_APPLICATION, "GPUA", 4) == 0);
    CHECK_INT(scratch_count(scratch_path(&s, "a/b")), 1);
    scratch_free(&s);
}

static void test_migrations_run_once(void) {
    Scratch s = scratch_make();
    const char *path = closed_database(&s);
    Db *db = open_or_fail(path);
    put(db, "k", "v");
    db_close(db);
    db = open_or_fail(path);
    int64_t version = 0;
    Err e = {0};
    CHECK(db_version(db, &version, &e));
    CHECK_INT(version, db_version_known());
    CHECK(version >= 1);
    CHECK_STR(kept(&s.arena, db, "k"), "v");
    db_close(db);
    scratch_free(&s);
}

static void test_memory_database_works(void) {
    Arena a = {0};
    Db *db = open_or_fail(NULL);
    put(db, "k", "one");
    put(db, "k", "two");
    CHECK_STR(kept(&a, db, "k"), "two");
    CHECK_STR(kept(&a, db, "absent"), "");
    db_close(db);
    db_close(NULL);
    arena_free(&a);
}

static void test_empty_file_becomes_a_database(void) {
    Scratch s = scratch_make();
    const char *path = scratch_path(&s, "x.db");
    scratch_write(path, "", 0);
    Db *db = open_or_fail(path);
    put(db, "k", "v");
    db_close(db);
    CHECK(scratch_read(&s, path).length > 0);
    scratch_free(&s);
}

static void test_path_is_never_a_uri(void) {
    Scratch s = scratch_make();
    char cwd[1000];
    CHECK(getcwd(cwd, sizeof cwd) != NULL);
    CHECK(chdir(s.path) == 0);
    static const char *const names[] = {":memory:", "file:x?mode=memory", "a%20b#c?d", "-wal"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        db_close(open_or_fail(names[i]));
        db_close(open_or_fail(names[i]));
        CHECK(access(names[i], F_OK) == 0);
    }
    CHECK_INT(scratch_count("."), COUNT_OF(names));
    CHECK(chdir(cwd) == 0);
    scratch_free(&s);
}

static void test_log_of_a_killed_process_is_read(void) {
    Scratch s = scratch_make();
    const char *path = closed_database(&s);
    pid_t child = fork();
    if (child == 0) {
        put(open_or_fail(path), "k", "v");
        _exit(0);  // without closing: the row is in the log only
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(access(scratch_path(&s, "x.db-wal"), F_OK) == 0);
    Db *db = NULL;
    Err e = {0};
    if (!db_open_copy(path, &db, &e)) FAIL_("%s", e.text);
    CHECK_STR(kept(&s.arena, db, "k"), "v");
    db_close(db);
    db = open_or_fail(path);
    CHECK_STR(kept(&s.arena, db, "k"), "v");
    db_close(db);
    scratch_free(&s);
}

static void first_open(int number, void *context) {
    char key[20];
    snprintf(key, sizeof key, "k%d", number);
    Db *db = open_or_fail(context);
    put(db, key, "v");
    db_close(db);
}

static void test_processes_open_an_empty_home_at_once(void) {
    for (int round = 0; round < 5; round++) {
        Scratch s = scratch_make();
        char path[200];
        snprintf(path, sizeof path, "%s/home/catalog.db", s.path);
        scratch_fork(4, first_open, path);
        Db *db = open_or_fail(path);
        CHECK_STR(kept(&s.arena, db, "k0"), "v");
        CHECK_STR(kept(&s.arena, db, "k3"), "v");
        db_close(db);
        scratch_free(&s);
    }
}

// ---------------------------------------------------------------- refusals

static void test_newer_database_is_refused(void) {
    Scratch s = scratch_make();
    const char *path = closed_database(&s);
    patch(&s, path, HEADER_VERSION, (unsigned long)db_version_known() + 1);
    refuse(&s, path,
           arena_printf(&s.arena, "made by a newer version of this program (schema %d, this one knows %d)",
                        (int)db_version_known() + 1, (int)db_version_known()));
    scratch_free(&s);
}

static void test_database_of_another_program_is_refused(void) {
    Scratch s = scratch_make();
    const char *path = closed_database(&s);
    patch(&s, path, HEADER_APPLICATION, 0x12345678);
    refuse(&s, path, "this is another program's database");
    patch(&s, path, HEADER_APPLICATION, 0);  // most programs leave no mark
    refuse(&s, path, "this is another program's database");
    scratch_free(&s);
}

static void test_garbage_is_refused(void) {
    Scratch s = scratch_make();
    const char *path = scratch_path(&s, "x.db");
    char noise[10000];
    for (size_t i = 0; i < sizeof noise; i++) noise[i] = (char)(i * 2654435761u >> 13 & 0xff);
    static const size_t lengths[] = {1, 15, 99, 100, 512, 4096, sizeof noise};
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        scratch_write(path, noise, lengths[i]);
        refuse(&s, path, "not a database");
    }
    scratch_write(path, "sku_id\tvendor\n", 14);
    refuse(&s, path, "not a database");
    scratch_free(&s);
}

static void test_truncated_database_is_refused(void) {
    Scratch s = scratch_make();
    const char *path = closed_database(&s);
    Str whole = scratch_read(&s, path);
    CHECK(whole.length > 2 * 4096);
    size_t lengths[] = {whole.length - 1,
                        whole.length - 4095,
                        whole.length - 4096,
                        whole.length - 4097,
                        whole.length / 2,
                        4096,
                        512};
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        scratch_write(path, whole.data, lengths[i]);
        refuse(&s, path, "the file is damaged (");
    }
    scratch_write(path, whole.data, 50);
    refuse(&s, path, "not a database");
    scratch_free(&s);
}

// The last page is free: nothing that a query would stumble over.
static void test_database_cut_in_a_free_page_is_refused(void) {
    Scratch s = scratch_make();
    const char *path = closed_database(&s);
    Str full = scratch_read(&s, path);
    char *longer = arena_alloc(&s.arena, full.length + 4096, 1);
    memcpy(longer, full.data, full.length);
    size_t pages = full.length / 4096 + 1;
    unsigned char size[4] = {(unsigned char)(pages >> 24), (unsigned char)(pages >> 16),
                             (unsigned char)(pages >> 8), (unsigned char)pages};
    memcpy(longer + HEADER_PAGES, size, sizeof size);
    memcpy(longer + HEADER_FREE_LIST, size, sizeof size);
    longer[HEADER_FREE_PAGES + 3] = 1;
    Db *db = NULL;
    Err e = {0};
    scratch_write(path, longer, full.length + 4096);
    if (!db_open(path, &db, &e)) FAIL_("%s", e.text);
    db_close(db);
    scratch_write(path, longer, full.length + 4095);
    refuse(&s, path, "the file is damaged (cut short");
    scratch_free(&s);
}

static void test_what_is_no_file_is_refused(void) {
    Scratch s = scratch_make();
    const char *fifo = scratch_path(&s, "fifo");
    CHECK(mkfifo(fifo, 0600) == 0);
    Db *db = NULL;
    Err e = {0};
    CHECK(!db_open(fifo, &db, &e));
    expect_error(&e, fifo, "not a regular file");
    CHECK(!db_open(s.path, &db, &e));
    expect_error(&e, s.path, "not a regular file");
    const char *file = scratch_path(&s, "file");
    scratch_write(file, "x", 1);
    const char *below = scratch_path(&s, "file/x.db");
    CHECK(!db_open(below, &db, &e));
    CHECK(!db_writable(below, &e));
    CHECK_STR(e.text, arena_printf(&s.arena, "make folder '%s': Not a directory", file));
    scratch_free(&s);
}

// Root may write anywhere: the child gives that up, until it writes what it counted for coverage.
static void unwritable(int number, void *context) {
    (void)number;
    Scratch *s = context;
    const char *path = scratch_path(s, "home/x.db");
    const char *absent = scratch_path(s, "home/deep/absent.db");
    if (geteuid() == 0) CHECK(setresuid(65534, 65534, 0) == 0);
    Db *db = NULL;
    Err e = {0};
    CHECK(!db_writable(path, &e));
    CHECK_STR(e.text, arena_printf(&s->arena, "write in '%s/home': Permission denied", s->path));
    CHECK(!db_writable(absent, &e));
    CHECK_STR(e.text, arena_printf(&s->arena, "make folder '%s/home/deep': Permission denied", s->path));
    CHECK(!db_open(path, &db, &e));
    expect_error(&e, path, "Permission denied");
    if (!db_open_copy(path, &db, &e)) FAIL_("%s", e.text);
    CHECK_STR(kept(&s->arena, db, "k"), "v");
    put(db, "k", "changed in memory");
    db_close(db);
    if (!db_open_copy(absent, &db, &e)) FAIL_("%s", e.text);
    CHECK_STR(kept(&s->arena, db, "k"), "");
    db_close(db);
    if (setresuid(0, 0, 0) != 0) return;  // it was not root
}

static void test_database_that_cannot_be_written_is_copied(void) {
    Scratch s = scratch_make();
    const char *path = scratch_path(&s, "home/x.db");
    Db *db = open_or_fail(path);
    put(db, "k", "v");
    db_close(db);
    Err e = {0};
    CHECK(db_writable(path, &e));
    CHECK(chmod(path, 0444) == 0);
    CHECK(chmod(scratch_path(&s, "home"), 0555) == 0);
    CHECK(chmod(s.path, 0755) == 0);
    Str before = scratch_read(&s, path);
    scratch_fork(1, unwritable, &s);
    Str after = scratch_read(&s, path);
    CHECK(after.length == before.length && memcmp(after.data, before.data, before.length) == 0);
    CHECK(chmod(scratch_path(&s, "home"), 0700) == 0);
    scratch_free(&s);
}

static void test_rollback_undoes(void) {
    Arena a = {0};
    Db *db = open_or_fail(NULL);
    Err e = {0};
    CHECK(db_begin(db, &e));
    put(db, "k", "v");
    db_rollback(db);
    CHECK_STR(kept(&a, db, "k"), "");
    db_rollback(db);  // there is none
    CHECK(db_begin(db, &e));
    put(db, "k", "v");
    CHECK(db_commit(db, &e));
    CHECK_STR(kept(&a, db, "k"), "v");
    CHECK(!db_commit(db, &e));
    db_close(db);
    arena_free(&a);
}

static void test_reader_sees_one_state(void) {
    Scratch s = scratch_make();
    const char *path = closed_database(&s);
    Db *reader = open_or_fail(path);
    Db *writer = open_or_fail(path);
    Err e = {0};
    put(writer, "k", "old");
    CHECK(db_begin_read(reader, &e));
    CHECK_STR(kept(&s.arena, reader, "k"), "old");
    put(writer, "k", "new");
    CHECK_STR(kept(&s.arena, reader, "k"), "old");
    db_rollback(reader);
    CHECK_STR(kept(&s.arena, reader, "k"), "new");
    db_close(reader);
    db_close(writer);
    scratch_free(&s);
}

// A database in memory with the tables of facts in it.
static Db *with_facts(void) {
    Db *db = open_or_fail(NULL);
    Err e = {0};
    if (!db_begin(db, &e) || !rows_make_tables(db, &e) || !db_commit(db, &e)) FAIL_("%s", e.text);
    return db;
}

static void test_every_query_prepares(void) {
    Db *db = with_facts();
    Err e = {0};
    size_t n = 0;
    Stmt *s = NULL;
    for (; db_query_names()[n] != NULL; n++) {
        if (!stmt_query(db, db_query_names()[n], &s, &e)) FAIL_("%s", e.text);
        stmt_free(s);
    }
    CHECK(n > 40);
    CHECK(!stmt_query(db, "no_such", &s, &e));
    CHECK_STR(e.text, "query 'no_such': no such query");
    if (!stmt_ages(db, &fact_tables[TABLE_GPUS].name, 1, &s, &e)) FAIL_("%s", e.text);
    stmt_free(s);
    db_close(db);
}

static const char *tables_of(Arena *a, Db *db) {
    static const char *const name = "name";
    const char *names = "";
    Stmt *s = NULL;
    Err e = {0};
    bool row = false;
    CHECK(stmt_select(db, "sqlite_schema WHERE type = 'table' ORDER BY name", &name, 1, &s, &e));
    while (stmt_step(s, &row, &e) && row) names = arena_printf(a, "%s %s", names, stmt_text(s, 0));
    stmt_free(s);
    return names;
}

// Made again with other tables and columns, facts leave nothing behind, and observations are none of theirs.
static void test_facts_are_made_anew(void) {
    static const DbColumn others[] = {{.name = "id", .type = DB_TEXT, .key = true, .required = true}};
    static const char *const words[] = {"sku_id", "listed_name", "provider", "pricing_model",
                                        "region", "gpu_count",   "as_of",    "standing"};
    DbColumn offers[COUNT_OF(words)] = {{.references = "other (id)"}};
    for (size_t i = 0; i < COUNT_OF(words); i++) offers[i].name = words[i];
    const DbTable two[] = {{"other", others, COUNT_OF(others)}, {"offers", offers, COUNT_OF(offers)}};
    static const DbTable seen[] = {{"offer_seen", others, COUNT_OF(others)}};
    Arena a = {0};
    Db *db = open_or_fail(NULL);
    Err e = {0};
    CHECK(strstr(tables_of(&a, db), " gpus") == NULL);
    if (!rows_make_tables(db, &e)) FAIL_("%s", e.text);
    const char *with = tables_of(&a, db);
    CHECK(strstr(with, " gpus") != NULL && db_make_facts(db, two, COUNT_OF(two), &e));
    CHECK(strstr(tables_of(&a, db), " gpus") == NULL);
    if (!rows_make_tables(db, &e)) FAIL_("%s", e.text);
    CHECK_STR(tables_of(&a, db), with);
    CHECK(db_begin(db, &e) && !db_make_facts(db, seen, 1, &e));
    CHECK_STR(e.text, "make table 'offer_seen': table offer_seen already exists");
    db_rollback(db);
    CHECK_STR(tables_of(&a, db), with);
    db_close(db);
    arena_free(&a);
}

static void test_unknown_is_stored_as_null(void) {
    static const char *const columns[] = {"cuda_name",    "rocm_name", "kind",   "coverage",
                                          "effort_class", "note",      "source", "as_of"};
    static const char *const texts[] = {"cuFFT", "",    "library", "most", "", "it's; \"quoted\"",
                                        "here",  "2026"};
    Db *db = with_facts();
    Err e = {0};
    Stmt *s = NULL;
    bool row = false;
    CHECK(stmt_insert(db, "libraries", columns, COUNT_OF(columns), &s, &e));
    for (size_t i = 0; i < COUNT_OF(columns); i++) CHECK(stmt_bind_text(s, columns[i], texts[i], &e));
    CHECK(stmt_bind_number(s, "effort_class", (double)NAN, &e));
    CHECK(stmt_step(s, &row, &e) && !row);
    CHECK(!stmt_step(s, &row, &e));  // the bindings are gone: a key is missing
    CHECK_STR(e.text, "insert 'libraries': NOT NULL constraint failed: libraries.cuda_name");
    CHECK(!stmt_bind_text(s, "no_such", "x", &e));
    CHECK_STR(e.text, "insert 'libraries': no parameter 'no_such'");
    stmt_free(s);
    CHECK(stmt_select(db, "libraries", columns, COUNT_OF(columns), &s, &e));
    CHECK(stmt_step(s, &row, &e) && row);
    CHECK_INT(stmt_columns(s), COUNT_OF(columns));
    for (size_t i = 0; i < COUNT_OF(columns); i++) {
        CHECK_STR(stmt_column_name(s, i), columns[i]);
        CHECK_STR(stmt_text(s, i), texts[i]);
        CHECK_INT(stmt_is_null(s, i), texts[i][0] == '\0');
    }
    CHECK(isnan(stmt_number(s, 4)));
    CHECK_INT(stmt_integer(s, 4), 0);
    CHECK(stmt_step(s, &row, &e) && !row);
    stmt_free(s);
    stmt_free(NULL);
    db_close(db);
}

static const TestCase tests[] = {
    TEST(new_database_is_private),
    TEST(migrations_run_once),
    TEST(memory_database_works),
    TEST(empty_file_becomes_a_database),
    TEST(path_is_never_a_uri),
    TEST(log_of_a_killed_process_is_read),
    TEST(processes_open_an_empty_home_at_once),
    TEST(newer_database_is_refused),
    TEST(database_of_another_program_is_refused),
    TEST(garbage_is_refused),
    TEST(truncated_database_is_refused),
    TEST(database_cut_in_a_free_page_is_refused),
    TEST(what_is_no_file_is_refused),
    TEST(database_that_cannot_be_written_is_copied),
    TEST(rollback_undoes),
    TEST(reader_sees_one_state),
    TEST(every_query_prepares),
    TEST(facts_are_made_anew),
    TEST(unknown_is_stored_as_null),
};
TEST_MAIN(tests)
