// Browsing a fact table: a listing as text, JSON and CSV, and one row in full.
#include "cli/cli.h"

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

// A pointer to each row.
const void **table_pointers(TableId id, const void *rows, size_t n, Arena *a) {
    const void **pointers = arena_alloc(a, n + 1, sizeof *pointers);
    for (size_t i = 0; i < n; i++) pointers[i] = (const char *)rows + i * fact_tables[id].row_size;
    return pointers;
}

int browse_list(App *app, const Browse *b, const void *const *all, size_t n_all) {
    Err e = {0};
    Writer w = app_writer(app);
    Listing whole = browse_chosen(&w, b, all, n_all);
    size_t *chosen = NULL;
    size_t n = 0;
    if (!app_choose(app, &whole, app_sort(app), &chosen, &n, &e)) return app_fail(app, &e);
    const void **rows = arena_alloc(&app->arena, n + 1, sizeof *rows);
    for (size_t i = 0; i < n; i++) rows[i] = all[chosen[i]];
    if (app->format == FORMAT_JSON) {
        list_json(app, b, rows, n, NULL);
    } else {
        Listing l = app->format == FORMAT_CSV ? browse_full(&w, b, rows, n) : browse_chosen(&w, b, rows, n);
        app_listing(app, &l);
    }
    return EXIT_DONE;
}

bool app_table(App *app, TableId id, void **ret_rows, size_t *ret_n, Err *e) {
    Catalog *c = NULL;
    return app_catalog(app, &c, e) && catalog_rows(c, id, &app->arena, ret_rows, ret_n, e);
}

int browse_every(App *app) {
    Err e = {0};
    const Browse *b = app->command->browse;
    void *all = NULL;
    size_t n = 0;
    if (!app_table(app, b->table, &all, &n, &e)) return app_fail(app, &e);
    return browse_list(app, b, table_pointers(b->table, all, n, &app->arena), n);
}

int browse_named(App *app) {
    Err e = {0};
    const Browse *b = app->command->browse;
    void *all = NULL;
    const void *row = NULL;
    size_t n = 0;
    return app_table(app, b->table, &all, &n, &e) && find_named(app, b->table, all, n, app->args[0], &row, &e)
               ? browse_show(app, b, row, NULL)
               : app_fail(app, &e);
}

int browse_show(App *app, const Browse *b, const void *row, RowExtra *extra) {
    if (app->format == FORMAT_JSON) {
        list_json(app, b, &row, 1, extra);
        return EXIT_DONE;
    }
    Writer w = app_writer(app);
    Listing l = browse_full(&w, b, &row, 1);
    listing_show(&l, 0, app->format, app_width(app), &app->out);
    return EXIT_DONE;
}
