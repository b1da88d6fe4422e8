// Rows of the user's own, added, imported and removed.
#include "cli/own.h"

#include <math.h>
#include <string.h>

#include "catalog/facts/own.h"
#include "catalog/facts/rows.h"

enum { OWN_FILE_BYTES_MAX = 32 * 1024 * 1024 };

// ---------------------------------------------------------------- what was typed

static bool column_known(const App *app, const Table *t, const char *name, Err *e) {
    const char *names[TABLE_CELLS_MAX];
    for (size_t i = 0; i < t->n_fields; i++) {
        names[i] = t->fields[i].name;
        if (i > 0 && strcmp(names[i], name) == 0) return true;
    }
    if (strcmp(names[0], name) == 0) return err_set(e, ERR_USAGE, "column '%s' is the first argument", name);
    Err one = {0};
    name_unknown(&one, "column", name, names, t->n_fields);
    return err_set(e, ERR_USAGE, "%s; `gpuadvise %s show NAME --json` has them as keys", one.text,
                   app->command->name);
}

static bool given_before(const App *app, size_t at, size_t length) {
    for (size_t i = 1; i < at; i++) {
        if (strncmp(app->args[i], app->args[at], length) == 0) return true;
    }
    return false;
}

// The first character that text_clean takes out: "a control character (U+001B)", "U+200D, which is not shown".
static const char *unshown(App *app, const char *text) {
    uint32_t point = 0;
    size_t width = 0;
    for (size_t n = 0; *text != '\0'; text += n) {
        n = text_point(text, &point, &width);
        const char *one = arena_copy(&app->arena, text, n);
        if (strcmp(text_clean(&app->arena, one), one) != 0) break;
    }
    bool control = point < 0x20 || (point >= 0x7f && point < 0xa0);
    return arena_printf(&app->arena,
                        control ? "a control character (U+%04X)" : "U+%04X, a character that is not shown",
                        (unsigned)point);
}

// "ID COLUMN=VALUE ..." as a table of one row.
static bool typed_row(App *app, const Table *t, Str *ret_text, Err *e) {
    Buf head, cells;
    bool ok = true;
    buf_init(&head, BUF_LIMIT);
    buf_init(&cells, BUF_LIMIT);
    buf_puts(&head, t->fields[0].name);
    buf_puts(&cells, app->args[0]);
    for (size_t i = 0; ok && i < app->n_args; i++) {
        const char *arg = app->args[i];
        const char *equals = strchr(arg, '=');
        ok = strcmp(text_clean(&app->arena, arg), arg) == 0 ||
             err_set(e, ERR_USAGE, "'%.60s' holds %s", text_clean(&app->arena, arg), unshown(app, arg));
        if (i == 0 || !ok) continue;
        ok = equals != NULL || err_set(e, ERR_USAGE, "'%.60s' is not COLUMN=VALUE", arg);
        ok = ok && column_known(app, t, arena_copy(&app->arena, arg, (size_t)(equals - arg)), e);
        if (ok && given_before(app, i, (size_t)(equals - arg) + 1))
            ok = err_set(e, ERR_USAGE, "column '%.*s' is given twice", (int)(equals - arg), arg);
        if (!ok) break;
        buf_printf(&head, "\t%.*s", (int)(equals - arg), arg);
        buf_printf(&cells, "\t%s", equals + 1);
    }
    if (ok) *ret_text = str_of(arena_printf(&app->arena, "%s\n%s\n", head.data, cells.data));
    buf_free(&head);
    buf_free(&cells);
    return ok;
}

// ---------------------------------------------------------------- answers

static void list_text(App *app, const OwnNames *names, const char *noun, const char *deed) {
    enum { SHOWN = 10 };
    if (names->n == 0) return;
    buf_printf(&app->out, "%s %s:", counted(&app->arena, names->n, noun), deed);
    for (size_t i = 0; i < names->n && i < SHOWN; i++)
        buf_printf(&app->out, "%s %s", i > 0 ? "," : "", names->names[i]);
    buf_puts(&app->out, names->n > SHOWN ? ", ...\n" : "\n");
}

static void answer(App *app, const OwnChange *x) {
    if (app->format == FORMAT_JSON) {
        Json *root = app_json(app);
        if (x->file != NULL) json_add_text(app->inputs, "file", x->file);
        json_add_texts(root, "added", x->added.names, x->added.n);
        json_add_texts(root, "replaced", x->replaced.names, x->replaced.n);
        json_add_texts(root, "removed", x->removed.names, x->removed.n);
        return;
    }
    const char *noun = own_noun(x->table);
    list_text(app, &x->added, noun, "added");
    list_text(app, &x->replaced, noun, "replaced");
    list_text(app, &x->removed, noun, "removed");
}

// Warns, answers. The exit code.
static int done(App *app, OwnChange *x) {
    Err e = {0};
    for (size_t i = 0; i < x->ignored.n; i++)
        app_warn(app, "column '%.60s' is ignored: %s have none of that name", x->ignored.names[i],
                 fact_tables[x->table].name);
    if (!app_warn_left_out(app, &e)) return app_fail(app, &e);
    answer(app, x);
    return EXIT_DONE;
}

// A row of texts and numbers as a table of one row.
static const char *row_as_table(App *app, const Table *t, const void *row) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    for (size_t i = 0; i < t->n_fields; i++) buf_printf(&b, "%s%s", i > 0 ? "\t" : "", t->fields[i].name);
    for (size_t i = 0; i < t->n_fields; i++) {
        const Field *f = &t->fields[i];
        buf_puts(&b, i > 0 ? "\t" : "\n");
        if (!field_is_number(f)) buf_puts(&b, row_word(row, f));
        if (field_is_number(f) && is_known(row_number(row, f))) buf_printf(&b, "%.10g", row_number(row, f));
    }
    buf_puts(&b, "\n");
    return buf_take(&b, &app->arena);
}

int own_keep(App *app, TableId table, const void *row, const char *file) {
    Err e = {0};
    Catalog *c = NULL;
    OwnChange x = {.table = table,
                   .arena = &app->arena,
                   .today = app_today(app),
                   .file = file,
                   .text = str_of(row_as_table(app, &fact_tables[table], row))};
    return app_kept(app, &c, &e) && catalog_own_add(c, &x, &e) ? done(app, &x) : app_fail(app, &e);
}

int own_run(App *app) {
    TableId table = app->command->browse->table;
    Err e = {0};
    Catalog *c = NULL;
    OwnChange x = {.table = table,
                   .arena = &app->arena,
                   .today = app_today(app),
                   .wanted = app->args,
                   .n_wanted = app->n_args};
    bool adds = strcmp(app->verb->name, "add") == 0;
    bool removes = strcmp(app->verb->name, "remove") == 0;
    bool ok = true;
    if (!removes && !adds && !app_kept(app, &c, &e)) return app_fail(app, &e);
    if (adds) {
        ok = typed_row(app, &fact_tables[table], &x.text, &e);
    } else if (!removes) {
        x.file = app->args[0];
        ok = file_read(&app->arena, x.file, OWN_FILE_BYTES_MAX, &x.text, &e);
    }
    ok =
        ok && app_kept(app, &c, &e) && (removes ? catalog_own_remove(c, &x, &e) : catalog_own_add(c, &x, &e));
    return ok ? done(app, &x) : app_fail(app, &e);
}
