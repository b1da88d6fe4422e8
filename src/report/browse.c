// Rows of a fact table: a listing of chosen columns, one of every column, JSON.
#include "src/report/browse.h"

#include <string.h>

void row_json(Json *object, const Table *table, const void *row) {
    for (size_t i = 0; i < table->n_fields; i++) {
        const Field *f = &table->fields[i];
        if (field_is_number(f)) {
            json_add_number(object, f->name, row_number(row, f));
        } else if (f->kind == FIELD_BOOL) {
            json_add_bool(object, f->name, strcmp(row_word(row, f), "yes") == 0);
        } else {
            json_add_text_or_null(object, f->name, row_word(row, f));
        }
    }
}

// ---------------------------------------------------------------- listings

void listing_field(Listing *l, size_t column, const Field *f, const void *row, double scale) {
    if (field_is_number(f)) {
        listing_number(l, column, row_number(row, f) * scale);
    } else {
        listing_text(l, column, row_word(row, f));
    }
}

static void fill(Listing *l, const Field *const *fields, const double *scales, const void *const *rows,
                 size_t n) {
    for (size_t r = 0; r < n; r++) {
        for (size_t c = 0; c < l->n_columns; c++) listing_field(l, c, fields[c], rows[r], scales[c]);
        listing_row_done(l);
    }
}

// The chosen columns; those for wide terminals and the origin are details where there is no room.
Listing browse_chosen(const Writer *w, const Browse *b, const void *const *rows, size_t n) {
    static const BrowseColumn origin[] = {{"source", "SOURCE", 0, 0, SIZE_MAX},
                                          {"as_of", "AS OF", 0, 0, SIZE_MAX}};
    const Table *table = &fact_tables[b->table];
    size_t total = b->n_columns + COUNT_OF(origin);
    Column *columns = arena_alloc(w->arena, total, sizeof *columns);
    const Field **fields = arena_alloc(w->arena, total, sizeof *fields);
    double *scales = arena_alloc(w->arena, total, sizeof *scales);
    for (size_t c = 0; c < total; c++) {
        const BrowseColumn *from = c < b->n_columns ? &b->columns[c] : &origin[c - b->n_columns];
        fields[c] = field_find(table, from->field);
        scales[c] = from->scale > 0 ? from->scale : 1;
        bool roomy = w->format != FORMAT_TABLE && from->from_width != SIZE_MAX;
        columns[c] = (Column){.key = from->field,
                              .title = from->title,
                              .number = field_is_number(fields[c]),
                              .digits = from->digits,
                              .detail = from->from_width > writer_columns(w) && !roomy};
    }
    Listing l = listing_new(w->arena, b->name, columns, total, n);
    fill(&l, fields, scales, rows, n);
    l.note = b->note;
    return l;
}

Listing browse_full(const Writer *w, const Browse *b, const void *const *rows, size_t n) {
    const Table *table = &fact_tables[b->table];
    Column *columns = arena_alloc(w->arena, table->n_fields, sizeof *columns);
    const Field **fields = arena_alloc(w->arena, table->n_fields, sizeof *fields);
    double *scales = arena_alloc(w->arena, table->n_fields, sizeof *scales);
    for (size_t c = 0; c < table->n_fields; c++) {
        fields[c] = &table->fields[c];
        scales[c] = 1;
        columns[c] = (Column){.key = fields[c]->name,
                              .title = fields[c]->name,
                              .number = field_is_number(fields[c]),
                              .digits = 6};
    }
    Listing l = listing_new(w->arena, b->name, columns, table->n_fields, n);
    fill(&l, fields, scales, rows, n);
    return l;
}
