// CSV that comes in pieces: wherever they end, the rows are those of the whole text.
#include <string.h>

#include "catalog/feeds/feed_csv.h"
#include "tests/check.h"

static bool on_row(void *user, const Str *cells, size_t n, Err *e) {
    Buf *out = user;
    if (n > 0 && str_is(cells[0], "refuse")) return err_set(e, ERR_FAILED, "refused");
    for (size_t i = 0; i < n; i++)
        buf_printf(out, "%s%.*s", i > 0 ? "|" : "", (int)cells[i].length, cells[i].data);
    buf_puts(out, ";");
    return true;
}

// The rows of `text` in pieces of `size` bytes, or what was said instead after "!".
static void read_in(const char *text, size_t length, size_t size, Buf *out) {
    Err e = {0};
    out->length = 0;
    CsvStream *s = csv_open(on_row, out);
    bool ok = true;
    for (size_t at = 0; ok && at < length; at += size)
        ok = csv_bytes(s, (Str){text + at, length - at < size ? length - at : size}, &e);
    if (!ok || !csv_end(s, &e)) buf_printf(out, "!%s", e.text);
    csv_close(s);
}

static void check_pieces(const char *text, const char *rows) {
    Buf out;
    buf_init(&out, BUF_LIMIT);
    for (size_t size = 1; size <= strlen(text) + 1; size++) {
        read_in(text, strlen(text), size, &out);
        CHECK_STR(out.data, rows);
    }
    buf_free(&out);
}

static void test_pieces_end_anywhere(void) {
    check_pieces("\xef\xbb\xbf"
                 "a, b\r\n\r\n1,\"x, y\"\n\"two\nlines\",\"say \"\"so\"\"\"\n3,4",
                 "a|b;1|x, y;two\nlines|say \"so\";3|4;");
}

static void test_faults_are_told_by_line(void) {
    check_pieces("a\n\"x\ny\"\n\"never closed\n", "a;x\ny;!line 4: a quote is never closed");
    check_pieces("a\n\n\"b\"c\n", "a;!line 3: text after a closing quote");
    check_pieces("a\nrefuse,1\nb\n", "a;!line 2: refused");
    check_pieces("a\n\xff\n", "a;!line 2: not valid UTF-8");
}

static void test_a_row_without_end_is_refused(void) {
    enum { LENGTH = 2 * CSV_ROW_BYTES_MAX };
    static char text[LENGTH];
    Buf out;
    buf_init(&out, BUF_LIMIT);
    memset(text, '\n', sizeof text);
    memcpy(text, "a\n\"", 3);  // every line end that follows is inside quotes
    read_in(text, sizeof text, 10000, &out);
    CHECK_STR(out.data, "a;!line 2: a row is over 262144 bytes");
    buf_free(&out);
}

static const TestCase tests[] = {
    TEST(pieces_end_anywhere),
    TEST(faults_are_told_by_line),
    TEST(a_row_without_end_is_refused),
};

TEST_MAIN(tests)
