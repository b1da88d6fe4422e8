// Listings: one table of cells as fitted text, CSV, Markdown or JSON, or one row of it in full.
#include <math.h>
#include <string.h>

#include "src/report/html_page.h"

enum { GAP = 2, NARROWEST = 8 };  // blanks between columns; no text column is cut below this

// ---------------------------------------------------------------- filling

Listing listing_new(Arena *a, const char *name, const Column *columns, size_t n_columns, size_t rows_max) {
    size_t n = n_columns * rows_max;
    Column *own = arena_alloc(a, n_columns, sizeof *own);
    Cell *cells = arena_alloc(a, n, sizeof *cells);
    memcpy(own, columns, n_columns * sizeof *own);
    for (size_t i = 0; i < n; i++) cells[i] = (Cell){.text = "", .number = (double)NAN};
    return (Listing){.name = name, .columns = own, .n_columns = n_columns, .cells = cells, .note = ""};
}

void listing_text(Listing *l, size_t column, const char *text) {
    l->cells[l->n_rows * l->n_columns + column].text = text != NULL ? text : "";
}

void listing_number(Listing *l, size_t column, double x) {
    l->cells[l->n_rows * l->n_columns + column].number = x;
}

void listing_cells(Listing *l, const ListingCell *cells, size_t n) {
    for (size_t i = 0; i < n; i++) {
        Cell *cell = &l->cells[l->n_rows * l->n_columns + cells[i].column];
        *cell = cells[i].cell;
        if (cell->text == NULL) cell->text = "";
    }
}

void listing_row_done(Listing *l) { l->n_rows++; }

void listing_cells_from(Listing *l, size_t first, const Cell *cells, size_t n) {
    for (size_t c = 0; c < n && first + c < l->n_columns; c++) {
        listing_text(l, first + c, cells[c].text);
        listing_number(l, first + c, cells[c].number);
    }
}

void listing_hide(Listing *l, const char *keys, bool hidden) {
    for (size_t c = 0; c < l->n_columns; c++) {
        if (word_in(keys, l->columns[c].key)) l->columns[c].detail = hidden;
    }
}

// ---------------------------------------------------------------- text

size_t room_columns(Room room) { return room.tables == TABLES_WHOLE ? 0 : room.width; }

static const char *cell_text(Arena *a, const Column *column, const Cell *cell, int digits) {
    if (!column->number) return cell->text[0] != '\0' ? text_clean(a, cell->text) : "-";
    return number_text(a, cell->number, digits);
}

static size_t char_bytes(const char *text) {
    size_t n = 1;
    while (((unsigned char)text[n] & 0xc0) == 0x80) n++;
    return n;
}

// Clean `text` in exactly `width` columns, or fewer when it is shorter; '~' ends what was cut.
static size_t add_cut(Buf *out, const char *text, size_t width) {
    size_t whole = text_width(text);
    if (whole <= width) {
        buf_puts(out, text);
        return whole;
    }
    size_t used = 0;
    while (*text != '\0') {
        size_t n = char_bytes(text);
        char one[8] = "";
        memcpy(one, text, n < sizeof one ? n : sizeof one - 1);
        size_t w = text_width(one);
        if (used + w + 1 > width) break;
        buf_add(out, text, n);
        used += w;
        text += n;
    }
    buf_puts(out, "~");
    return used + 1;
}

static void add_blanks(Buf *out, size_t n) {
    for (size_t i = 0; i < n; i++) buf_puts(out, " ");
}

// Bytes of the characters of `text` that fit into `width` columns; at least one character.
static size_t bytes_of_width(const char *text, size_t width) {
    size_t bytes = 0;
    size_t used = 0;
    while (text[bytes] != '\0') {
        size_t n = char_bytes(text + bytes);
        char one[8] = "";
        memcpy(one, text + bytes, n < sizeof one ? n : sizeof one - 1);
        used += text_width(one);
        if (used > width && bytes > 0) break;
        bytes += n;
    }
    return bytes;
}

void text_wrapped(Buf *out, const char *text, size_t indent, size_t width) {
    size_t room = width > indent + NARROWEST * 2 ? width - indent : SIZE_MAX;
    size_t used = 0;
    Arena a = {0};
    Str rest = str_of(text_clean(&a, text));
    Str word;
    while (str_next(&rest, ' ', &word)) {
        const char *one = arena_copy(&a, word.data, word.length);
        size_t w = text_width(one);
        while (w > room) {  // a path or the like: broken where the line ends
            if (used > 0) {
                buf_puts(out, "\n");
                add_blanks(out, indent);
            }
            size_t bytes = bytes_of_width(word.data, room);
            buf_add(out, word.data, bytes);
            word = (Str){word.data + bytes, word.length - bytes};
            one = arena_copy(&a, word.data, word.length);
            w = text_width(one);
            used = room;
        }
        if (used > 0 && used + 1 + w > room) {
            buf_puts(out, "\n");
            add_blanks(out, indent);
            used = 0;
        } else if (used > 0) {
            buf_puts(out, " ");
            used++;
        }
        buf_add(out, word.data, word.length);
        used += w;
    }
    buf_puts(out, "\n");
    arena_free(&a);
}

void wrapped_printf(Buf *out, size_t indent, size_t width, const char *format, ...) {
    Buf text;
    va_list args;
    buf_init(&text, BUF_LIMIT);
    va_start(args, format);
    buf_vprintf(&text, format, args);
    va_end(args);
    text_wrapped(out, text.length > 0 ? text.data : "", indent, width);
    buf_free(&text);
}

void text_labelled(Buf *out, const char *what, const char *text, size_t width) {
    if (text[0] == '\0') return;
    Buf b;
    buf_init(&b, BUF_LIMIT);
    buf_printf(&b, "%s: %s", what, text);
    buf_puts(out, "    ");
    text_wrapped(out, b.data, 6, width);
    buf_free(&b);
}

static size_t largest(size_t a, size_t b) { return a > b ? a : b; }

// The first text column, which names the row.
static size_t first_text(const Listing *l) {
    size_t first = 0;
    while (first < l->n_columns && (l->columns[first].detail || l->columns[first].number)) first++;
    return first;
}

// Takes columns of terminal from the widest text column until the sum fits; gives up when none can give more.
// The first text column names the row and is cut only when the others have nothing left to give.
static void fit_widths(const Listing *l, size_t *widths, size_t width) {
    const size_t first = first_text(l);
    for (;;) {
        size_t total = 0;
        size_t widest = l->n_columns;
        for (size_t c = 0; c < l->n_columns; c++) {
            if (l->columns[c].detail) continue;
            total += widths[c] + (total > 0 ? GAP : 0);
            bool can_give =
                !l->columns[c].number && widths[c] > largest(NARROWEST, text_width(l->columns[c].title));
            if (can_give && (widest == l->n_columns || widest == first || widths[c] > widths[widest]))
                widest = c;
        }
        if (total <= width || widest == l->n_columns) return;
        widths[widest]--;
    }
}

static void text_line(const Listing *l, const char *const *texts, const size_t *widths, Buf *out) {
    size_t last = 0;
    for (size_t c = 0; c < l->n_columns; c++) {
        if (!l->columns[c].detail) last = c;
    }
    bool first = true;
    for (size_t c = 0; c < l->n_columns; c++) {
        if (l->columns[c].detail) continue;
        if (!first) add_blanks(out, GAP);
        first = false;
        size_t own = text_width(texts[c]);
        if (l->columns[c].number && own < widths[c]) add_blanks(out, widths[c] - own);
        size_t used = add_cut(out, texts[c], l->columns[c].number ? largest(own, widths[c]) : widths[c]);
        if (!l->columns[c].number && c != last) add_blanks(out, widths[c] - used);
    }
    buf_puts(out, "\n");
}

// Of the head (0) or the row after it.
static void row_texts(const Listing *l, size_t row, Arena *a, const char **texts) {
    for (size_t c = 0; c < l->n_columns; c++) {
        const Column *column = &l->columns[c];
        texts[c] =
            row == 0 ? column->title : cell_text(a, column, listing_cell(l, row - 1, c), column->digits);
    }
}

// Of each column, head and cells whole. A listing may be long: no more than one row of texts is held.
static void whole_widths(const Listing *l, Arena *a, size_t *widths) {
    Arena row = {0};
    const char **texts = arena_alloc(a, l->n_columns, sizeof *texts);
    for (size_t r = 0; r <= l->n_rows; r++) {
        row_texts(l, r, &row, texts);
        for (size_t c = 0; c < l->n_columns; c++) widths[c] = largest(widths[c], text_width(texts[c]));
        arena_free(&row);
    }
}

static bool fits(const Listing *l, size_t width) {
    Arena a = {0};
    size_t *widths = arena_alloc(&a, l->n_columns, sizeof *widths);
    size_t total = 0;
    whole_widths(l, &a, widths);
    for (size_t c = 0; c < l->n_columns; c++) {
        if (!l->columns[c].detail) total += widths[c] + (total > 0 ? GAP : 0);
    }
    arena_free(&a);
    return width == 0 || total <= width;
}

static void print_text(const Listing *l, size_t width, Buf *out) {
    Arena a = {0};
    Arena row = {0};
    size_t n = l->n_columns;
    const char **texts = arena_alloc(&a, n, sizeof *texts);
    size_t *widths = arena_alloc(&a, n, sizeof *widths);
    whole_widths(l, &a, widths);
    if (width > 0) fit_widths(l, widths, width);
    for (size_t r = 0; r <= l->n_rows; r++) {
        row_texts(l, r, &row, texts);
        text_line(l, texts, widths, out);
        arena_free(&row);
    }
    arena_free(&a);
}

// ---------------------------------------------------------------- CSV and Markdown

static void csv_value(const Column *column, const Cell *cell, Buf *out) {
    if (!column->number) {
        csv_cell(out, cell->text);
    } else if (isfinite(cell->number)) {
        buf_printf(out, "%.10g", cell->number);
    }
}

static void csv_row(const Listing *l, size_t row, Buf *out) {
    for (size_t c = 0; c < l->n_columns; c++) {
        if (c > 0) buf_puts(out, ",");
        csv_value(&l->columns[c], listing_cell(l, row, c), out);
    }
    buf_puts(out, "\n");
}

static void csv_header(const Listing *l, Buf *out) {
    for (size_t c = 0; c < l->n_columns; c++) {
        if (c > 0) buf_puts(out, ",");
        csv_cell(out, l->columns[c].key);
    }
    buf_puts(out, "\n");
}

static void print_csv(const Listing *l, Buf *out) {
    if (!l->continued) csv_header(l, out);
    for (size_t r = 0; r < l->n_rows; r++) csv_row(l, r, out);
}

static void md_header(const Listing *l, Buf *out) {
    buf_puts(out, "|");
    for (size_t c = 0; c < l->n_columns; c++) {
        if (l->columns[c].detail) continue;
        buf_puts(out, " ");
        md_cell(out, l->columns[c].title);
        buf_puts(out, " |");
    }
    buf_puts(out, "\n|");
    for (size_t c = 0; c < l->n_columns; c++) {
        if (!l->columns[c].detail) buf_puts(out, l->columns[c].number ? "---:|" : "---|");
    }
    buf_puts(out, "\n");
}

static void print_md(const Listing *l, Buf *out) {
    Arena a = {0};
    if (!l->continued) md_header(l, out);
    for (size_t r = 0; r < l->n_rows; r++) {
        buf_puts(out, "|");
        for (size_t c = 0; c < l->n_columns; c++) {
            if (l->columns[c].detail) continue;
            buf_puts(out, " ");
            md_cell(out, cell_text(&a, &l->columns[c], listing_cell(l, r, c), l->columns[c].digits));
            buf_puts(out, " |");
        }
        buf_puts(out, "\n");
    }
    arena_free(&a);
}

static void print_records(const Listing *l, size_t width, Buf *out);

// Where even cells cut to the least do not fit, rows stand alone on a terminal too: names are not cut.
static bool has_room(const Listing *l, size_t width) {
    enum { LEAST = 20 };  // of a terminal that shows records
    Arena a = {0};
    size_t *widths = arena_alloc(&a, l->n_columns, sizeof *widths);
    size_t total = 0, first = first_text(l);
    whole_widths(l, &a, widths);
    for (size_t c = 0; c < l->n_columns; c++) {
        const Column *column = &l->columns[c];
        if (column->detail) continue;
        size_t least = largest(NARROWEST, text_width(column->title));
        bool gives = !column->number && c != first && widths[c] > least;
        total += (gives ? least : widths[c]) + (total > 0 ? GAP : 0);
    }
    arena_free(&a);
    return width < LEAST || total <= width;
}

// On a terminal cells are cut; elsewhere nothing is lost.
static void print_fitted(const Listing *l, Room room, Buf *out) {
    if (room.tables == TABLES_CUT && has_room(l, room.width)) {
        print_text(l, room.width, out);
    } else if (room.tables != TABLES_CUT && (room.tables == TABLES_WHOLE || fits(l, room.width))) {
        print_text(l, 0, out);
    } else {
        print_records(l, room.width, out);
    }
}

void listing_print(const Listing *l, Format format, Room room, Buf *out) {
    bool noted = l->note != NULL && l->note[0] != '\0';
    if (format == FORMAT_CSV) {
        print_csv(l, out);
    } else if (format == FORMAT_MD) {
        print_md(l, out);
        if (noted) {
            buf_puts(out, "\n");
            md_cell(out, l->note);
            buf_puts(out, "\n");
        }
    } else if (format == FORMAT_HTML) {
        html_table(out, l->name, l);
        if (noted) html_element(out, "p", "note", l->note);
    } else {
        print_fitted(l, room, out);
        if (noted) {
            buf_puts(out, "\n");
            text_wrapped(out, l->note, 0, room.width);
        }
    }
}

// ---------------------------------------------------------------- JSON

void listing_row_json(const Listing *l, size_t r, Json *row) {
    for (size_t c = 0; c < l->n_columns; c++) {
        const Cell *cell = listing_cell(l, r, c);
        if (l->columns[c].number) {
            json_add_number(row, l->columns[c].key, cell->number);
        } else {
            json_add_text_or_null(row, l->columns[c].key, cell->text);
        }
    }
}

void listing_json(const Listing *l, Json *parent) {
    Json *list = json_add_array(parent, l->name);
    for (size_t r = 0; r < l->n_rows; r++) listing_row_json(l, r, json_add_object(list, NULL));
}

// ---------------------------------------------------------------- one row in full

enum { SHOW_DIGITS = 10 };

static void show_text(const Listing *l, size_t row, size_t width, Buf *out) {
    Arena a = {0};
    size_t keys = 0;
    for (size_t c = 0; c < l->n_columns; c++) keys = largest(keys, text_width(l->columns[c].key));
    for (size_t c = 0; c < l->n_columns; c++) {
        const char *key = l->columns[c].key;
        buf_puts(out, key);
        buf_puts(out, ":");
        add_blanks(out, keys - text_width(key) + 1);
        text_wrapped(out, cell_text(&a, &l->columns[c], listing_cell(l, row, c), SHOW_DIGITS), keys + GAP,
                     width);
    }
    arena_free(&a);
}

static void show_md(const Listing *l, size_t row, Buf *out) {
    Arena a = {0};
    buf_puts(out, "| field | value |\n|---|---|\n");
    for (size_t c = 0; c < l->n_columns; c++) {
        buf_puts(out, "| ");
        md_cell(out, l->columns[c].key);
        buf_puts(out, " | ");
        md_cell(out, cell_text(&a, &l->columns[c], listing_cell(l, row, c), SHOW_DIGITS));
        buf_puts(out, " |\n");
    }
    arena_free(&a);
}

static void print_records(const Listing *l, size_t width, Buf *out) {
    Arena a = {0};
    size_t titles = 0;
    for (size_t c = 0; c < l->n_columns; c++) {
        if (!l->columns[c].detail) titles = largest(titles, text_width(l->columns[c].title));
    }
    for (size_t r = 0; r < l->n_rows; r++) {
        if (r > 0) buf_puts(out, "\n");
        for (size_t c = 0; c < l->n_columns; c++) {
            const Column *column = &l->columns[c];
            if (column->detail) continue;
            const char *text = cell_text(&a, column, listing_cell(l, r, c), column->digits);
            bool named = column->title[0] != '\0';  // what has no title is one for the rest
            if (named) buf_printf(out, "%s:", column->title);
            if (named) add_blanks(out, titles - text_width(column->title) + 1);
            text_wrapped(out, text, named ? titles + GAP : 0, width);
        }
        arena_free(&a);
    }
}

void listing_show(const Listing *l, size_t row, Format format, size_t width, Buf *out) {
    if (format == FORMAT_CSV) {
        csv_header(l, out);
        csv_row(l, row, out);
    } else if (format == FORMAT_MD) {
        show_md(l, row, out);
    } else {
        show_text(l, row, width, out);
    }
}
