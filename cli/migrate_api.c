// migrate api: one CUDA name, and what stands for it in HIP since which version.
#include <string.h>

#include "cli/migrate.h"

// What becomes of the name, in a word for JSON.
static const char *status_of(const CudaName *x) {
    if (x->hip_name[0] == '\0') return x->cuda_removed[0] != '\0' ? "removed-from-cuda" : "unmapped";
    if (x->hip_removed[0] != '\0') return "removed-from-hip";
    return strcmp(x->cuda_name, x->hip_name) == 0 ? "same-name" : "renamed";
}

static const char *class_of(const CudaName *x) {
    bool mapped = x->hip_name[0] != '\0' && x->hip_removed[0] == '\0';
    return mapped ? "automatic" : x->cuda_removed[0] != '\0' ? "review" : "manual";
}

static void versions(App *app, const char *what, const char *added, const char *deprecated, const char *removed) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    if (added[0] != '\0') buf_printf(&b, "since %s", added);
    if (deprecated[0] != '\0') buf_printf(&b, "%sdeprecated in %s", b.length > 0 ? ", " : "", deprecated);
    if (removed[0] != '\0') buf_printf(&b, "%sremoved in %s", b.length > 0 ? ", " : "", removed);
    if (b.length > 0) migrate_line(app, what, b.data);
    buf_free(&b);
}

static void name_text(App *app, const CudaName *x) {
    buf_printf(&app->out, "%s (%s, %s) -> %s\n", x->cuda_name, x->kind, x->library, x->hip_name[0] != '\0' ? x->hip_name : "nothing in HIP");
    migrate_line(app, "porting", class_of(x));
    if (x->hip_name[0] != '\0') {
        migrate_line(app, "belongs to", x->target);
        versions(app, "in HIP", x->hip_since, x->hip_deprecated, x->hip_removed);
    }
    if (x->hip_experimental[0] != '\0') migrate_line(app, "note", arena_printf(&app->arena, "marked experimental for HIP %s", x->hip_experimental));
    versions(app, "in CUDA", x->cuda_added, x->cuda_deprecated, x->cuda_removed);
    if (x->shared_name != 0) migrate_line(app, "note", "a word that other languages and libraries have too: no sign of CUDA by itself");
    migrate_line(app, "source", arena_printf(&app->arena, "%s (%s)", x->source, x->as_of));
}

static void names_json(App *app, const CudaName *rows, size_t n) {
    Json *inputs = NULL;
    Json *root = app_json(app, &inputs);
    json_add_text(inputs, "name", app->args[0]);
    app_inputs_json(app, inputs);
    Json *list = json_add_array(root, "names");
    for (size_t i = 0; i < n; i++) {
        Json *object = json_add_object(list, NULL);
        row_json(object, &cuda_names_table, &rows[i]);
        json_add_text(object, "status", status_of(&rows[i]));
        json_add_text(object, "class", class_of(&rows[i]));
    }
    app_json_done(app, root);
}

static void names_listing(App *app, const CudaName *rows, size_t n) {
    static const Column columns[] = {
        {"cuda_name", "CUDA", false, 0, false}, {"library", "LIBRARY", false, 0, false}, {"kind", "KIND", false, 0, false},
        {"hip_name", "HIP", false, 0, false},   {"hip_since", "SINCE", false, 0, false}, {"status", "STATUS", false, 0, false},
        {"class", "CLASS", false, 0, false},    {"source", "SOURCE", false, 0, true},    {"as_of", "AS OF", false, 0, true},
    };
    Listing l;
    listing_init(&l, &app->arena, "names", columns, COUNT_OF(columns), n);
    for (size_t i = 0; i < n; i++) {
        const CudaName *x = &rows[i];
        const char *const cells[] = {x->cuda_name, x->library, x->kind, x->hip_name, x->hip_since, status_of(x), class_of(x), x->source, x->as_of};
        for (size_t c = 0; c < COUNT_OF(cells); c++) listing_text(&l, c, cells[c]);
        listing_row_done(&l);
    }
    app_listing(app, &l);
}

// Rows of one name stand together: a name of two libraries has two.
static size_t matching(const PortingFacts *f, const char *name, const CudaName **ret_first) {
    size_t n = 0;
    for (size_t i = 0; i < f->n_names; i++) {
        if (strcmp(f->names[i].cuda_name, name) != 0) continue;
        if (n++ == 0) *ret_first = &f->names[i];
    }
    return n;
}

int migrate_api(App *app) {
    Err e = {0};
    PortingFacts f;
    const CudaName *first = NULL;
    if (!migrate_facts(app, &f, &e)) return app_fail(app, &e);
    size_t n = matching(&f, app->args[0], &first);
    if (n == 0) {
        const char **names = arena_alloc(&app->arena, f.n_names + 1, sizeof *names);
        for (size_t i = 0; i < f.n_names; i++) names[i] = f.names[i].cuda_name;
        name_unknown(&e, "CUDA name", app->args[0], names, f.n_names);
        return app_fail(app, &e);
    }
    if (app->format == FORMAT_JSON) {
        names_json(app, first, n);
    } else if (app->format == FORMAT_TABLE) {
        for (size_t i = 0; i < n; i++) name_text(app, &first[i]);
    } else {
        names_listing(app, first, n);
    }
    return EXIT_DONE;
}
