// CSV as a stream: the whole rows of what came so far go to the reader of tables.
#include "catalog/feeds/feed_csv.h"

#include <string.h>

struct CsvStream {
    Arena arena, scratch;
    CsvRow row;
    void *user;
    Buf text;     // from the first row that is not read yet
    bool quoted;  // a quote is open at its end
    size_t line;  // where it begins
};

CsvStream *csv_open(CsvRow row, void *user) {
    Arena a = {0};
    CsvStream *s = arena_alloc(&a, 1, sizeof *s);
    *s = (CsvStream){.arena = a, .row = row, .user = user, .line = 1};
    buf_init(&s->text, BUF_LIMIT);
    return s;
}

static bool read_row(CsvStream *s, const TableReader *r, Err *e) {
    for (size_t i = 0; i < r->n_cells; i++) r->cells[i] = str_trim(r->cells[i]);
    return s->row(s->user, r->cells, r->n_cells, e) || err_wrap(e, "line %zu", r->line);
}

// The first `length` bytes of the text, which end with a row; they are gone afterwards.
static bool read_rows(CsvStream *s, size_t length, Err *e) {
    TableReader r;
    bool more = false;
    table_open(&r, &s->scratch, (Str){s->text.data, length}, ',');
    r.next_line = s->line;
    bool ok = table_next(&r, &more, e);
    while (ok && more) ok = read_row(s, &r, e) && table_next(&r, &more, e);
    s->line = r.next_line;
    s->text.length -= length;
    memmove(s->text.data, s->text.data + length, s->text.length);
    arena_free(&s->scratch);
    return ok;
}

bool csv_bytes(CsvStream *s, Str bytes, Err *e) {
    enum { PIECE = 64 * 1024 };
    while (bytes.length > 0) {
        size_t n = bytes.length < PIECE ? bytes.length : PIECE, whole = 0;
        for (size_t i = 0; i < n; i++) {
            if (bytes.data[i] == '"') s->quoted = !s->quoted;
            if (bytes.data[i] == '\n' && !s->quoted) whole = s->text.length + i + 1;
        }
        buf_add(&s->text, bytes.data, n);
        if (whole > 0 && !read_rows(s, whole, e)) return false;
        if (s->text.length > CSV_ROW_BYTES_MAX)
            return err_set(e, ERR_FAILED, "line %zu: a row is over %d bytes", s->line, CSV_ROW_BYTES_MAX);
        bytes = (Str){bytes.data + n, bytes.length - n};
    }
    return true;
}

bool csv_end(CsvStream *s, Err *e) { return s->text.length == 0 || read_rows(s, s->text.length, e); }

void csv_close(CsvStream *s) {
    if (s == NULL) return;
    buf_free(&s->text);
    arena_free(&s->scratch);
    Arena a = s->arena;
    arena_free(&a);
}

int csv_column(const Str *header, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++) {
        Str cell = str_trim(header[i]);
        if (i == 0 && cell.length >= 3 && memcmp(cell.data, "\xef\xbb\xbf", 3) == 0)
            cell = (Str){cell.data + 3, cell.length - 3};
        if (str_is(cell, name)) return (int)i;
    }
    return -1;
}
