// Delimited text and files, in. Out: file_out.c.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/base.h"

void table_open(TableReader *r, Arena *a, Str text, char separator) {
    *r = (TableReader){.text = text, .separator = separator, .arena = a, .next_line = 1};
    r->cells = arena_alloc(a, TABLE_CELLS_MAX, sizeof(Str));
    if (text.length >= 3 && memcmp(text.data, "\xef\xbb\xbf", 3) == 0) r->position = 3;
}

static bool add_cell(TableReader *r, Str cell, Err *e) {
    if (r->n_cells == TABLE_CELLS_MAX)
        return err_set(e, ERR_FAILED, "line %zu: more than %d columns", r->line, TABLE_CELLS_MAX);
    if (cell.length > TABLE_CELL_BYTES_MAX)
        return err_set(e, ERR_FAILED, "line %zu: a cell is over %d bytes", r->line, TABLE_CELL_BYTES_MAX);
    if (!str_is_utf8(cell)) return err_set(e, ERR_FAILED, "line %zu: not valid UTF-8", r->line);
    r->cells[r->n_cells++] = cell;
    return true;
}

// A quoted cell from the byte after its opening quote; leaves the position after the closing quote.
static bool quoted_cell(TableReader *r, Str *ret_cell, Err *e) {
    const char *text = r->text.data;
    size_t start = r->position;
    size_t doubled = 0;
    size_t at = start;
    size_t lines = 0;
    for (;; at++) {
        if (at >= r->text.length) return err_set(e, ERR_FAILED, "line %zu: a quote is never closed", r->line);
        if (text[at] == '\n') lines++;
        if (text[at] != '"') continue;
        if (at + 1 < r->text.length && text[at + 1] == '"') {
            doubled++;
            at++;
            continue;
        }
        break;
    }
    r->position = at + 1;
    r->next_line += lines;
    if (doubled == 0) {
        *ret_cell = (Str){text + start, at - start};
        return true;
    }
    char *copy = arena_alloc(r->arena, at - start - doubled + 1, 1);
    size_t used = 0;
    for (size_t i = start; i < at; i++) {
        copy[used++] = text[i];
        if (text[i] == '"') i++;
    }
    *ret_cell = (Str){copy, used};
    return true;
}

static bool is_end(const TableReader *r) {
    return r->position >= r->text.length || r->text.data[r->position] == '\n';
}

static bool read_row(TableReader *r, Err *e) {
    r->n_cells = 0;
    for (;;) {
        Str cell = {r->text.data + r->position, 0};
        if (r->separator == ',' && r->position < r->text.length && r->text.data[r->position] == '"') {
            r->position++;
            if (!quoted_cell(r, &cell, e)) return false;
            if (r->position < r->text.length && r->text.data[r->position] == '\r') r->position++;
            if (!is_end(r) && r->text.data[r->position] != r->separator) {
                return err_set(e, ERR_FAILED, "line %zu: text after a closing quote", r->line);
            }
        } else {
            while (!is_end(r) && r->text.data[r->position] != r->separator) r->position++;
            cell.length = (size_t)(r->text.data + r->position - cell.data);
            if (is_end(r) && cell.length > 0 && cell.data[cell.length - 1] == '\r') cell.length--;
        }
        if (!add_cell(r, cell, e)) return false;
        bool end = is_end(r);
        r->position++;
        if (end) return true;
    }
}

bool table_next(TableReader *r, bool *ret_more, Err *e) {
    while (r->position < r->text.length) {
        r->line = r->next_line++;
        if (!read_row(r, e)) return false;
        if (r->n_cells == 1 && r->cells[0].length == 0) continue;
        *ret_more = true;
        return true;
    }
    *ret_more = false;
    return true;
}

// ---------------------------------------------------------------- files

// Not blocking: a FIFO that nobody writes must not hang the program.
static bool open_regular(const char *path, int *ret_fd, struct stat *ret_st, Err *e) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, ret_st) != 0) {
        err_set(e, ERR_FAILED, "open '%s': %s", path, strerror(errno));
    } else if (!S_ISREG(ret_st->st_mode)) {
        err_set(e, ERR_FAILED, "open '%s': not a regular file", path);
    } else {
        *ret_fd = fd;
        return true;
    }
    if (fd >= 0) close(fd);
    return false;
}

static ssize_t read_some(int fd, char *bytes, size_t size) {
    ssize_t n = 0;
    do n = read(fd, bytes, size);
    while (n < 0 && errno == EINTR);
    return n;
}

bool file_read(Arena *a, const char *path, size_t limit, Str *ret_text, Err *e) {
    bool ok = true;
    Buf b;
    int fd = -1;
    struct stat st;
    if (!open_regular(path, &fd, &st, e)) return false;
    buf_init(&b, limit);
    char chunk[65536];
    ssize_t n = 0;
    while (!b.overflow && (n = read_some(fd, chunk, sizeof chunk)) > 0) buf_add(&b, chunk, (size_t)n);
    if (n < 0) ok = err_set(e, ERR_FAILED, "read '%s': %s", path, strerror(errno));
    if (b.overflow) ok = err_set(e, ERR_FAILED, "read '%s': over %zu bytes", path, limit);
    close(fd);
    if (ok) *ret_text = (Str){arena_copy(a, b.length > 0 ? b.data : "", b.length), b.length};
    buf_free(&b);
    return ok;
}

bool file_pieces(const char *path, bool (*piece)(void *user, Str bytes, Err *e), void *user, Err *e) {
    enum { PIECE_BYTES = 256 * 1024 };
    Arena a = {0};
    struct stat st;
    int fd = -1;
    bool given = strcmp(path, "-") == 0;
    if (!given && !open_regular(path, &fd, &st, e)) return false;
    if (given) fd = STDIN_FILENO;
    char *bytes = arena_alloc(&a, PIECE_BYTES, 1);
    bool ok = true;
    for (ssize_t n = 1; ok && n > 0;) {
        n = read_some(fd, bytes, PIECE_BYTES);
        if (n < 0)
            ok = err_set(e, ERR_FAILED, "read '%s': %s", path, strerror(errno));
        else if (n > 0)
            ok = piece(user, (Str){bytes, (size_t)n}, e);
    }
    if (!given) close(fd);
    arena_free(&a);
    return ok;
}

bool file_head(Arena *a, const char *path, size_t limit, Str *ret_head, FileFacts *ret_facts, Err *e) {
    enum { DAYS_MAX = 376199 };  // 2999-12-31
    int fd = -1;
    struct stat st;
    if (!open_regular(path, &fd, &st, e)) return false;
    size_t wanted = st.st_size > 0 && (uintmax_t)st.st_size < limit ? (size_t)st.st_size
                    : st.st_size > 0                                ? limit
                                                                    : 0;
    char *bytes = arena_alloc(a, wanted + 1, 1);
    size_t used = 0;
    ssize_t n = 1;
    while (used < wanted && n != 0) {
        n = read_some(fd, bytes + used, wanted - used);
        if (n < 0) break;
        used += (size_t)n;
    }
    if (n < 0) err_set(e, ERR_FAILED, "read '%s': %s", path, strerror(errno));
    close(fd);
    if (n < 0) return false;
    int64_t days = (int64_t)(st.st_mtime / 86400);
    *ret_head = (Str){bytes, used};
    *ret_facts = (FileFacts){(int64_t)st.st_size, days < 0 ? 0 : days > DAYS_MAX ? DAYS_MAX : days};
    return true;
}
