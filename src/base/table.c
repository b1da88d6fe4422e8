// Delimited text: TSV and CSV, cell by cell.
#include <string.h>

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
