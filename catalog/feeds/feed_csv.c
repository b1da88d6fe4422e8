// CSV as a stream, on libcsv.
#include "catalog/feeds/feed_csv.h"

#include <csv.h>
#include <string.h>

struct CsvStream {
    Arena arena;
    struct csv_parser parser;
    CsvRow row;
    void *user;
    Buf text;  // of the row so far, cells one after another, each with a NUL
    size_t starts[CSV_CELLS_MAX + 1];
    Str cells[CSV_CELLS_MAX];
    size_t n;
    size_t line;  // of the row, counted in rows: line ends inside quotes are not seen
    Err err;
};

static bool plain(Str s) {
    unsigned char bits = 0;
    for (size_t i = 0; i < s.length; i++) bits |= (unsigned char)s.data[i];
    return bits < 0x80 && (s.length == 0 || memchr(s.data, '\0', s.length) == NULL);
}

static void on_cell(void *bytes, size_t length, void *user) {
    CsvStream *s = user;
    if (s->err.kind != ERR_NONE) return;
    Str cell = {bytes, length};
    if (s->n == CSV_CELLS_MAX) {
        err_set(&s->err, ERR_FAILED, "row %zu: more than %d columns", s->line, CSV_CELLS_MAX);
    } else if (!plain(cell) && !str_is_utf8(cell)) {
        err_set(&s->err, ERR_FAILED, "row %zu: not valid UTF-8", s->line);
    } else if (length >= CSV_ROW_BYTES_MAX - s->text.length) {
        err_set(&s->err, ERR_FAILED, "row %zu: over %d bytes", s->line, CSV_ROW_BYTES_MAX);
    } else {
        s->starts[s->n++] = s->text.length;
        buf_add(&s->text, cell.data, length);
        buf_add(&s->text, "", 1);
    }
}

static void on_row(int end, void *user) {
    (void)end;
    CsvStream *s = user;
    if (s->err.kind != ERR_NONE) return;
    for (size_t i = 0; i < s->n; i++) {
        size_t after = i + 1 < s->n ? s->starts[i + 1] : s->text.length;
        s->cells[i] = (Str){s->text.data + s->starts[i], after - s->starts[i] - 1};
    }
    if (!s->row(s->user, s->cells, s->n, &s->err)) err_wrap(&s->err, "row %zu", s->line);
    s->line++;
    s->n = 0;
    s->text.length = 0;
}

bool csv_open(CsvRow row, void *user, CsvStream **ret_stream, Err *e) {
    Arena a = {0};
    CsvStream *s = arena_alloc(&a, 1, sizeof *s);
    s->arena = a;
    s->row = row;
    s->user = user;
    s->line = 1;
    buf_init(&s->text, CSV_ROW_BYTES_MAX);
    if (csv_init(&s->parser, CSV_STRICT | CSV_STRICT_FINI) != 0) {
        arena_free(&a);
        return err_set(e, ERR_FAILED, "libcsv does not start");
    }
    *ret_stream = s;
    return true;
}

static bool ended(CsvStream *s, bool parsed, Err *e) {
    if (s->err.kind == ERR_NONE && !parsed) {
        err_set(&s->err, ERR_FAILED, "row %zu: bad CSV: %s", s->line, csv_strerror(csv_error(&s->parser)));
    }
    if (s->err.kind == ERR_NONE && csv_get_buffer_size(&s->parser) > 2 * CSV_ROW_BYTES_MAX) {
        err_set(&s->err, ERR_FAILED, "row %zu: a cell does not end", s->line);
    }
    if (s->err.kind == ERR_NONE) return true;
    if (e != NULL) *e = s->err;
    return false;
}

bool csv_bytes(CsvStream *s, Str bytes, Err *e) {
    enum { PIECE = 64 * 1024 };
    while (bytes.length > 0) {
        size_t n = bytes.length < PIECE ? bytes.length : PIECE;
        bool parsed = csv_parse(&s->parser, bytes.data, n, on_cell, on_row, s) == n;
        if (!ended(s, parsed, e)) return false;
        bytes = (Str){bytes.data + n, bytes.length - n};
    }
    return true;
}

bool csv_end(CsvStream *s, Err *e) { return ended(s, csv_fini(&s->parser, on_cell, on_row, s) == 0, e); }

void csv_close(CsvStream *s) {
    if (s == NULL) return;
    csv_free(&s->parser);
    buf_free(&s->text);
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
