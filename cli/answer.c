// Answers of commands: the JSON envelope, listings and the rows of them that were asked for, and the room there is.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "src/report/filter.h"

Json *app_json(App *app) {
    Envelope envelope = {
        .tool_version = tool_version(), .command = app->command->name, .generated_at = app->now};
    if (app->root != NULL) return app->root;
    app->root = envelope_json(&envelope, &app->inputs);
    if (app->verb->in_json) json_add_text(app->inputs, "subcommand", app->verb->name);
    options_json(app, app->inputs);
    return app->root;
}

void app_json_print(App *app, Buf *out) {
    warnings_json(app->root, app->warnings, app->n_warnings);
    json_print(app->root, out);
    app_json_drop(app);
}

void app_json_drop(App *app) {
    json_free(app->root);
    app->root = app->inputs = NULL;
}

void app_input(App *app, const char *name, const char *text) {
    if (app->format == FORMAT_JSON && app_json(app) != NULL) json_add_text(app->inputs, name, text);
}

void app_answer(App *app, const Listing *l) {
    if (app->format == FORMAT_JSON) {
        listing_json(l, app_json(app));
    } else {
        app_listing(app, l);
    }
}

void app_drain(void *program) {
    enum { DRAIN_BYTES = 1 << 18 };
    App *app = program;
    if (app->drain != NULL && app->out.length >= DRAIN_BYTES) app->drain(app);
}

size_t app_width(const App *app) { return app->format == FORMAT_TABLE ? app->width : 0; }

// Where the answer goes: to somebody who reads it now, in a window (also that of `tui`).
static bool app_on_terminal(const App *app) {
    return app->capture != NULL || getenv("GPUADVISE_SCREEN") != NULL ||
           (isatty(STDOUT_FILENO) && !opt_set(app, OPT_OUTPUT));
}

Room app_room(const App *app) {
    Room room = {.width = app_width(app)};
    if (app->format != FORMAT_TABLE || app_on_terminal(app)) return room;
    room.tables = getenv("COLUMNS") != NULL ? TABLES_RECORDS : TABLES_WHOLE;
    return room;
}

Writer app_writer(App *app) {
    return (Writer){.arena = &app->arena,
                    .out = &app->out,
                    .format = app->format,
                    .room = app_room(app),
                    .drain = app_drain,
                    .program = app};
}

size_t app_columns(const App *app) {
    Writer w = {.room = app_room(app)};
    return writer_columns(&w);
}

bool app_choose(App *app, const Listing *l, const char *sort, size_t **ret_rows, size_t *ret_n, Err *e) {
    const char *where = opt_text(app, OPT_WHERE, "");
    if (!listing_choose(l, where, sort, &app->arena, ret_rows, ret_n, e)) return false;
    if (*ret_n == 0 && l->n_rows > 0)
        app_warn(app, "none of %zu rows fits '--where %s'", l->n_rows, text_clean(&app->arena, where));
    return true;
}

const char *app_sort(const App *app) { return opt_typed(app, OPT_SORT) ? opt_text(app, OPT_SORT, "") : ""; }

bool app_rows(App *app, Listing *l, Err *e) {
    size_t *rows = NULL;
    size_t n = 0;
    if (!app_choose(app, l, app_sort(app), &rows, &n, e)) return false;
    listing_take(l, rows, n, &app->arena);
    return true;
}

void app_capture(App *app, const Listing *l) {
    AppCapture *c = app->capture;
    if (c == NULL) return;
    c->listings =
        arena_grow(&app->arena, c->listings, c->n_listings, &c->listings_capacity, sizeof *c->listings);
    c->listings[c->n_listings++] = *l;
}

void app_listing(App *app, const Listing *l) {
    Listing shown = *l;
    if (opt_flag(app, OPT_EXPLAIN)) {  // here alone: what is captured keeps its columns
        shown.columns = arena_alloc(&app->arena, l->n_columns, sizeof *l->columns);
        memcpy(shown.columns, l->columns, l->n_columns * sizeof *l->columns);
        listing_hide(&shown, "source as_of", false);
    }
    app_capture(app, l);
    Buf text;
    buf_init(&text, BUF_LIMIT);
    if (!app->color || app->format != FORMAT_TABLE) {
        listing_print(&shown, app->format, app_room(app), &app->out);
        return;
    }
    listing_print(&shown, app->format, app_room(app), &text);
    size_t head = text.length > 0 ? strcspn(text.data, "\n") : 0;
    if (head > 0) {
        buf_puts(&app->out, "\033[1m");
        buf_add(&app->out, text.data, head);
        buf_puts(&app->out, "\033[0m");
        buf_puts(&app->out, text.data + head);
    }
    app->out.overflow = app->out.overflow || text.overflow;
    buf_free(&text);
}
