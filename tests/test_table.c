// src/base/table.c: delimited text, files in and out.
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/base.h"
#include "tests/check.h"
#include "tests/scratch.h"

// ---------------------------------------------------------------- tables

// All rows as "a|b;c|d" or the error's text.
static const char *rows(Arena *a, Str text, char separator) {
    TableReader r;
    table_open(&r, a, text, separator);
    Buf b;
    buf_init(&b, BUF_LIMIT);
    Err e = {0};
    bool more = true;
    for (size_t row = 0;; row++) {
        if (!table_next(&r, &more, &e)) {
            buf_puts(&b, "!");
            buf_puts(&b, e.text);
            break;
        }
        if (!more) break;
        if (row > 0) buf_puts(&b, ";");
        for (size_t i = 0; i < r.n_cells; i++) {
            if (i > 0) buf_puts(&b, "|");
            buf_add(&b, r.cells[i].data, r.cells[i].length);
        }
    }
    const char *copy = arena_copy(a, b.length > 0 ? b.data : "", b.length);
    buf_free(&b);
    return copy;
}

static void check_rows(const char *text, char separator, const char *want) {
    Arena a = {0};
    CHECK_STR(rows(&a, str_of(text), separator), want);
    arena_free(&a);
}

static void test_tsv_keeps_cells_as_they_stand(void) {
    check_rows("a\tb\nc\td\n", '\t', "a|b;c|d");
    check_rows("\"a\"\tb, c\t d \n", '\t', "\"a\"|b, c| d ");
    check_rows("a\t\tb", '\t', "a||b");
    check_rows("\t\n", '\t', "|");
}

static void test_csv_unquotes(void) {
    check_rows("\"a\",b\n", ',', "a|b");
    check_rows("\"a,b\",\"c \"\"d\"\" e\"\n", ',', "a,b|c \"d\" e");
    check_rows("\"\",\"\"\n", ',', "|");
    check_rows("\"two\nlines\",x\n", ',', "two\nlines|x");
    check_rows("a \"b\",c\n", ',', "a \"b\"|c");
    check_rows("\"\"\"\"\n", ',', "\"");
}

static void test_tables_take_any_line_end(void) {
    check_rows("a,b\r\nc,d\r\n", ',', "a|b;c|d");
    check_rows("\"a\"\r\n\"b\"\r\n", ',', "a;b");
    check_rows("a\tb\r\n", '\t', "a|b");
    check_rows("a,b", ',', "a|b");
    check_rows("a,", ',', "a|");
}

static void test_tables_skip_blank_lines_and_the_mark(void) {
    check_rows("\n\na,b\n\n\r\nc,d\n\n", ',', "a|b;c|d");
    check_rows("\xef\xbb\xbf"
               "a,b\n",
               ',', "a|b");
    check_rows("", ',', "");
    check_rows("\n", ',', "");
    check_rows("\xef\xbb\xbf", ',', "");
}

static void test_csv_refuses_bad_quotes(void) {
    check_rows("a,b\n\"never closed\nx,y\n", ',', "a|b!line 2: a quote is never closed");
    check_rows("\"a\"b,c\n", ',', "!line 1: text after a closing quote");
    check_rows("\"", ',', "!line 1: a quote is never closed");
}

static void test_tables_refuse_bytes_that_are_not_text(void) {
    Arena a = {0};
    CHECK_STR(rows(&a, (Str){"a\0b\n", 4}, ','), "!line 1: not valid UTF-8");
    arena_free(&a);
    check_rows("caf\xe9\n", ',', "!line 1: not valid UTF-8");
    check_rows("x\n\xe2\x82\n", ',', "x!line 2: not valid UTF-8");
    check_rows("\x80\n", ',', "!line 1: not valid UTF-8");
    check_rows("\xff\n", ',', "!line 1: not valid UTF-8");
    check_rows("\xe2\x82\xac\n", ',', "\xe2\x82\xac");
}

static void test_tables_refuse_overlong_utf8(void) {
    check_rows("\xc0\x80\n", ',', "!line 1: not valid UTF-8");
    check_rows("\xe0\x80\xaf\n", ',', "!line 1: not valid UTF-8");
    check_rows("\xed\xa0\x80\n", ',', "!line 1: not valid UTF-8");
    check_rows("\xf4\x90\x80\x80\n", ',', "!line 1: not valid UTF-8");
}

static void test_tables_bound_cells_and_columns(void) {
    Arena a = {0};
    static char text[TABLE_CELL_BYTES_MAX + 10];
    memset(text, ',', TABLE_CELLS_MAX);
    CHECK_STR(rows(&a, (Str){text, TABLE_CELLS_MAX}, ','), "!line 1: more than 400 columns");
    TableReader r;
    bool more = false;
    Err e = {0};
    table_open(&r, &a, (Str){text, TABLE_CELLS_MAX - 1}, ',');
    CHECK(table_next(&r, &more, &e) && more);
    CHECK_INT(r.n_cells, TABLE_CELLS_MAX);
    memset(text, 'x', sizeof text);
    CHECK_STR(rows(&a, (Str){text, TABLE_CELL_BYTES_MAX + 1}, ','), "!line 1: a cell is over 65536 bytes");
    table_open(&r, &a, (Str){text, TABLE_CELL_BYTES_MAX}, ',');
    CHECK(table_next(&r, &more, &e) && more);
    CHECK_INT(r.cells[0].length, TABLE_CELL_BYTES_MAX);
    arena_free(&a);
}

// The line reported is where an editor finds the row: blank lines and line breaks inside quotes count.
static void test_tables_count_lines(void) {
    Arena a = {0};
    TableReader r;
    bool more = false;
    Err e = {0};
    table_open(&r, &a, str_of("head\n\n\"one\ntwo\",x\n\"say \"\"a\nb\"\"\"\nlast\n"), ',');
    static const char *const want[] = {"head", "one\ntwo", "say \"a\nb\"", "last"};
    static const size_t lines[] = {1, 3, 5, 7};
    for (size_t i = 0; i < COUNT_OF(want); i++) {
        CHECK(table_next(&r, &more, &e) && more);
        CHECK(str_is(r.cells[0], want[i]));
        CHECK_INT(r.line, lines[i]);
    }
    arena_free(&a);
}

// ---------------------------------------------------------------- files

static void write_text(const char *path, const char *text) { scratch_write(path, text, strlen(text)); }

static void check_content(const char *path, const char *want) {
    Arena a = {0};
    Str text = {0};
    Err e = {0};
    if (!file_read(&a, path, 1000, &text, &e)) FAIL_("%s", e.text);
    CHECK_STR(text.data, want);
    CHECK_INT(text.length, strlen(want));
    arena_free(&a);
}

static void refuse_read(const char *path, size_t limit, const char *reason) {
    Arena a = {0};
    Str text = {"untouched", 9};
    Err e = {0};
    CHECK(!file_read(&a, path, limit, &text, &e));
    CHECK_STR(text.data, "untouched");
    CHECK_INT(e.kind, ERR_FAILED);
    if (strstr(e.text, reason) == NULL || strstr(e.text, path) == NULL)
        FAIL_("'%s' does not say '%s'", e.text, reason);
    arena_free(&a);
}

static void test_file_read_gives_every_byte(void) {
    Scratch dir = scratch_make();
    const char *path = scratch_path(&dir, "f");
    write_text(path, "");
    check_content(path, "");
    write_text(path, "one\ntwo\n");
    check_content(path, "one\ntwo\n");
    scratch_free(&dir);
}

static void test_file_read_refuses_what_is_no_file(void) {
    Scratch dir = scratch_make();
    const char *fifo = scratch_path(&dir, "fifo");
    CHECK(mkfifo(fifo, 0600) == 0);
    refuse_read(fifo, 100, "not a regular file");
    refuse_read(dir.path, 100, "not a regular file");
    refuse_read("/dev/zero", 100, "not a regular file");
    refuse_read(scratch_path(&dir, "missing"), 100, "No such file or directory");
    scratch_free(&dir);
}

static void test_file_read_refuses_too_much(void) {
    Scratch dir = scratch_make();
    const char *path = scratch_path(&dir, "f");
    write_text(path, "12345");
    refuse_read(path, 4, "over 4 bytes");
    Str text = {0};
    CHECK(file_read(&dir.arena, path, 5, &text, NULL));
    scratch_free(&dir);
}

static void test_file_write_replaces_whole(void) {
    Scratch dir = scratch_make();
    const char *path = scratch_path(&dir, "out");
    Err e = {0};
    CHECK(file_write(path, "first", 5, &e));
    check_content(path, "first");
    CHECK(chmod(path, 0640) == 0);
    CHECK(file_write(path, "2nd", 3, &e));
    check_content(path, "2nd");
    struct stat st;
    CHECK(stat(path, &st) == 0);
    CHECK_INT(st.st_mode & 0777, 0640);
    CHECK(unlink(path) == 0);
    CHECK_INT(scratch_count(dir.path), 0);  // no temporary file was left
    scratch_free(&dir);
}

static void refuse_write(const char *path) {
    Err e = {0};
    CHECK(!file_write(path, "x", 1, &e));
    CHECK_INT(e.kind, ERR_FAILED);
    if (strstr(e.text, path) == NULL) FAIL_("'%s' does not name '%s'", e.text, path);
}

static void test_file_write_fails_cleanly(void) {
    Scratch dir = scratch_make();
    refuse_write(scratch_path(&dir, "missing/out"));
    refuse_write(dir.path);
    refuse_write("");
    char *name = arena_alloc(&dir.arena, 5000, 1);
    memset(name, 'n', 4999);
    Err e = {0};
    CHECK(!file_write(name, "x", 1, &e));
    refuse_write("/dev/full");
    CHECK_INT(scratch_count(dir.path), 0);
    scratch_free(&dir);
}

static void test_file_write_keeps_the_old_file_when_it_cannot(void) {
    enum { NOBODY = 65534 };
    Scratch dir = scratch_make();
    const char *path = scratch_path(&dir, "out");
    write_text(path, "old");
    bool root = geteuid() == 0;  // may write anywhere: try as somebody else
    CHECK(chmod(dir.path, root ? 0555 : 0500) == 0);
    if (root && seteuid(NOBODY) != 0) SKIP("root without a second user");
    refuse_write(path);
    check_content(path, "old");
    if (root) CHECK(seteuid(0) == 0);
    CHECK(chmod(dir.path, 0700) == 0);
    CHECK(unlink(path) == 0);
    CHECK_INT(scratch_count(dir.path), 0);
    scratch_free(&dir);
}

// The write itself fails half-way (file size limit): the old file stays, nothing is left behind.
static void test_file_write_keeps_the_old_file_when_the_disk_is_full(void) {
    Scratch dir = scratch_make();
    const char *path = scratch_path(&dir, "out");
    write_text(path, "old");
    struct rlimit before, limit = {4096, 4096};
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
    limit.rlim_max = before.rlim_max;
    CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR && setrlimit(RLIMIT_FSIZE, &limit) == 0);
    char *large = arena_alloc(&dir.arena, 100000, 1);
    Err e = {0};
    CHECK(!file_write(path, large, 100000, &e));
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    CHECK(strstr(e.text, "File too large") != NULL);
    check_content(path, "old");
    CHECK(unlink(path) == 0);
    CHECK_INT(scratch_count(dir.path), 0);
    scratch_free(&dir);
}

static void test_file_write_follows_links(void) {
    Scratch dir = scratch_make();
    const char *path = scratch_path(&dir, "out");
    const char *link = scratch_path(&dir, "link");
    write_text(path, "old");
    CHECK(symlink(path, link) == 0);
    Err e = {0};
    CHECK(file_write(link, "new", 3, &e));
    check_content(path, "new");
    struct stat st;
    CHECK(lstat(link, &st) == 0 && S_ISLNK(st.st_mode));
    CHECK(unlink(link) == 0);
    CHECK(unlink(path) == 0);
    CHECK_INT(scratch_count(dir.path), 0);
    scratch_free(&dir);
}

// -o /dev/stdout with stdout in a file: the name in /dev must stay what it is.
static void test_file_write_leaves_dev_stdout_alone(void) {
    struct stat before, after;
    CHECK(lstat("/dev/stdout", &before) == 0);
    Err e = {0};
    CHECK(file_write("/dev/stdout", "x\n", 2, &e));
    CHECK(lstat("/dev/stdout", &after) == 0);
    CHECK_INT(after.st_ino, before.st_ino);
}

static void test_file_write_writes_devices(void) {
    Err e = {0};
    CHECK(file_write("/dev/null", "x", 1, &e));
    struct stat st;
    CHECK(stat("/dev/null", &st) == 0 && S_ISCHR(st.st_mode));
}

static const TestCase tests[] = {
    TEST(tsv_keeps_cells_as_they_stand),
    TEST(csv_unquotes),
    TEST(tables_take_any_line_end),
    TEST(tables_skip_blank_lines_and_the_mark),
    TEST(csv_refuses_bad_quotes),
    TEST(tables_refuse_bytes_that_are_not_text),
    TEST(tables_refuse_overlong_utf8),
    TEST(tables_bound_cells_and_columns),
    TEST(tables_count_lines),
    TEST(file_read_gives_every_byte),
    TEST(file_read_refuses_what_is_no_file),
    TEST(file_read_refuses_too_much),
    TEST(file_write_replaces_whole),
    TEST(file_write_fails_cleanly),
    TEST(file_write_keeps_the_old_file_when_it_cannot),
    TEST(file_write_keeps_the_old_file_when_the_disk_is_full),
    TEST(file_write_follows_links),
    TEST(file_write_leaves_dev_stdout_alone),
    TEST(file_write_writes_devices),
};
TEST_MAIN(tests)
