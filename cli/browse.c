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
