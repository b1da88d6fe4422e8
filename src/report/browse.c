// Rows of a fact table: a listing of chosen columns, one of every column, JSON.
#include "src/report/browse.h"

#include <string.h>

// ---------------------------------------------------------------- fields

static const void *at(const Field *f, const void *row) { return (const char *)row + f->offset; }

static bool is_number(const Field *f) { return f->kind == FIELD_NUM || f->kind == FIELD_MICRO; }

static double field_number(const Field *f, const void *row) {
    if (f->kind == FIELD_MICRO) return (double)*(const int64_t *)at(f, row) / 1e6;
    return *(const double *)at(f, row);
}

// "" = unknown
static const char *field_text(const Field *f, const void *row) {
    if (f->kind == FIELD_TEXT || f->kind == FIELD_DATE) return *(const char *const *)at(f, row);
    int value = *(const int *)at(f, row);
    if (f->kind == FIELD_BOOL) return value != 0 ? "yes" : "no";
    const char *name = f->names[value];
    return strcmp(name, "unknown") == 0 ? "" : name;
}

void row_json(Json *object, const Table *table, const void *row) {
    for (size_t i = 0; i < table->n_fields; i++) {
        const Field *f = &table->fields[i];
        if (is_number(f)) {
            json_add_number(object, f->name, field_number(f, row));
        } else if (f->kind == FIELD_BOOL) {
            json_add_bool(object, f->name, *(const int *)at(f, row) != 0);
        } else {
            json_add_text_or_null(object, f->name, field_text(f, row));
        }
    }
}

static const Field *field_find(const Table *table, const char *name) {
    for (size_t i = 0; i < table->n_fields; i++) {
        if (strcmp(table->fields[i].name, name) == 0) return &table->fields[i];
    }
    return NULL;
}

// ---------------------------------------------------------------- listings

static void fill(Listing *l, const Field *const *fields, const double *scales, const void *const *rows,
                 size_t n) {
    for (size_t r = 0; r < n; r++) {
        for (size_t c = 0; c < l->n_columns; c++) {
            if (is_number(fields[c])) {
                listing_number(l, c, field_number(fields[c], rows[r]) * scales[c]);
            } else {
                listing_text(l, c, field_text(fields[c], rows[r]));
            }
        }
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
                              .number = is_number(fields[c]),
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
        columns[c] = (Column){
            .key = fields[c]->name, .title = fields[c]->name, .number = is_number(fields[c]), .digits = 6};
    }
    Listing l = listing_new(w->arena, b->name, columns, table->n_fields, n);
    fill(&l, fields, scales, rows, n);
    return l;
}
