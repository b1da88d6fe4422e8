// Browsing a fact table: a listing of chosen columns as text, of every column as JSON and CSV, and one row in
// full.
#include <math.h>
#include <string.h>

#include "cli/cli.h"

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
static Listing chosen_listing(App *app, const Browse *b, const void *const *rows, size_t n) {
    static const BrowseColumn origin[] = {{"source", "SOURCE", 0, 0, SIZE_MAX},
                                          {"as_of", "AS OF", 0, 0, SIZE_MAX}};
    const Table *table = &fact_tables[b->table];
    size_t total = b->n_columns + COUNT_OF(origin);
    Column *columns = arena_alloc(&app->arena, total, sizeof *columns);
    const Field **fields = arena_alloc(&app->arena, total, sizeof *fields);
    double *scales = arena_alloc(&app->arena, total, sizeof *scales);
    for (size_t c = 0; c < total; c++) {
        const BrowseColumn *from = c < b->n_columns ? &b->columns[c] : &origin[c - b->n_columns];
        fields[c] = field_find(table, from->field);
        scales[c] = from->scale > 0 ? from->scale : 1;
        bool roomy = app->format != FORMAT_TABLE && from->from_width != SIZE_MAX;
        columns[c] = (Column){.key = from->field,
                              .title = from->title,
                              .number = is_number(fields[c]),
                              .digits = from->digits,
                              .detail = from->from_width > app_columns(app) && !roomy};
    }
    Listing l;
    listing_init(&l, &app->arena, b->name, columns, total, n);
    fill(&l, fields, scales, rows, n);
    l.note = b->note;
    return l;
}

static Listing full_listing(App *app, const Browse *b, const void *const *rows, size_t n) {
    const Table *table = &fact_tables[b->table];
    Column *columns = arena_alloc(&app->arena, table->n_fields, sizeof *columns);
    const Field **fields = arena_alloc(&app->arena, table->n_fields, sizeof *fields);
    double *scales = arena_alloc(&app->arena, table->n_fields, sizeof *scales);
    for (size_t c = 0; c < table->n_fields; c++) {
        fields[c] = &table->fields[c];
        scales[c] = 1;
        columns[c] = (Column){
            .key = fields[c]->name, .title = fields[c]->name, .number = is_number(fields[c]), .digits = 6};
    }
    Listing l;
    listing_init(&l, &app->arena, b->name, columns, table->n_fields, n);
    fill(&l, fields, scales, rows, n);
    return l;
}

typedef void RowExtra(App *app, const void *row, Json *object);

static void list_json(App *app, const Browse *b, const void *const *rows, size_t n, RowExtra *extra) {
    Json *root = app_json(app);
    Json *list = json_add_array(root, b->name);
    for (size_t r = 0; r < n; r++) {
        Json *object = json_add_object(list, NULL);
        row_json(object, &fact_tables[b->table], rows[r]);
        if (extra != NULL) extra(app, rows[r], object);
    }
}

int browse_list(App *app, const Browse *b, const void *const *all, size_t n_all) {
    Err e = {0};
    Listing whole = chosen_listing(app, b, all, n_all);
    size_t *chosen = NULL;
    size_t n = 0;
    if (!app_choose(app, &whole, app_sort(app), &chosen, &n, &e)) return app_fail(app, &e);
    const void **rows = arena_alloc(&app->arena, n + 1, sizeof *rows);
    for (size_t i = 0; i < n; i++) rows[i] = all[chosen[i]];
    if (app->format == FORMAT_JSON) {
        list_json(app, b, rows, n, NULL);
    } else {
        Listing l =
            app->format == FORMAT_CSV ? full_listing(app, b, rows, n) : chosen_listing(app, b, rows, n);
        app_listing(app, &l);
    }
    return EXIT_DONE;
}

int browse_show(App *app, const Browse *b, const void *row, RowExtra *extra) {
    if (app->format == FORMAT_JSON) {
        list_json(app, b, &row, 1, extra);
        return EXIT_DONE;
    }
    Listing l = full_listing(app, b, &row, 1);
    listing_show(&l, 0, app->format, app_width(app), &app->out);
    return EXIT_DONE;
}
