// The App: from argv to an exit code, warnings and failures, the catalog, JSON and listings.
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "catalog/facts/own.h"
#include "cli/cli.h"
#include "src/report/filter.h"
#include "version.h"

enum { WIDEST = 10000 };  // columns of a terminal

const char *tool_version(void) { return GPUADVISE_VERSION; }

// ---------------------------------------------------------------- standard error

static void say(const char *kind, const char *text) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    buf_puts(&b, kind);
    buf_add_clean(&b, text);
    buf_puts(&b, "\n");
    size_t done = 0;
    while (done < b.length) {
        ssize_t n = write(STDERR_FILENO, b.data + done, b.length - done);
        if (n <= 0) break;  // nowhere left to complain
        done += (size_t)n;
    }
    buf_free(&b);
}

void app_warn_text(App *app, const char *text) {
    if (!app->quiet && app->capture == NULL) say("gpuadvise: warning: ", text);
    if (app->n_warnings == app->warnings_capacity) {
        size_t capacity = app->warnings_capacity == 0 ? 8 : app->warnings_capacity * 2;
        const char **list = arena_alloc(&app->arena, capacity, sizeof *list);
        for (size_t i = 0; i < app->n_warnings; i++) list[i] = app->warnings[i];
        app->warnings = list;
        app->warnings_capacity = capacity;
    }
    app->warnings[app->n_warnings++] = text;
}

void app_note_text(const App *app, const char *text) {
    if (app->verbose && app->capture == NULL) say("gpuadvise: note: ", text);
}

void app_step(App *app, size_t done, const char *what) {
    app->steps_done = done;
    if (opt_flag(app, OPT_PROGRESS))
        say("progress ", arena_printf(&app->arena, "%zu %zu %s", done, app->steps, what));
}

int app_fail(App *app, const Err *e) {
    if (app->capture != NULL) {
        app->capture->error = *e;
    } else {
        say("gpuadvise: ", e->text);
    }
    app->failed = true;
    switch (e->kind) {
    case ERR_USAGE: return EXIT_USAGE;
    case ERR_MISSING: return EXIT_STALE;
    case ERR_FULL:
    case ERR_DATABASE:
    case ERR_NONE:
    case ERR_FAILED: break;
    }
    return EXIT_FAILED;
}

// ---------------------------------------------------------------- data

static bool warned(const App *app, const char *text) {
    for (size_t i = 0; i < app->n_warnings; i++) {
        if (strcmp(app->warnings[i], text) == 0) return true;
    }
    return false;
}

bool app_warn_left_out(App *app, Err *e) {
    enum { SHOWN = 5 };
    OwnNames texts = {0};
    if (!catalog_own_left_out(app->catalog, &app->arena, &texts, e)) return false;
    for (size_t i = 0; i < texts.n && i < SHOWN; i++) {
        if (!warned(app, texts.names[i])) app_warn_text(app, texts.names[i]);
    }
    if (texts.n > SHOWN) app_warn(app, "%zu rows of your own are left out", texts.n);
    return true;
}

bool app_catalog(App *app, Catalog **ret_catalog, Err *e) {
    if (app->capture != NULL) app->catalog = app->capture->catalog;
    if (app->catalog == NULL) {
        const char *path = opt_text(app, OPT_DB, NULL);
        if (path == NULL) path = xdg_path(app, "XDG_DATA_HOME", ".local/share", "catalog.db");
        if (path[0] == '\0')
            app_warn(app, "neither XDG_DATA_HOME nor HOME is set: the database is in memory only");
        CatalogOptions o = {.db_path = path[0] != '\0' ? path : NULL,
                            .data_dir = opt_text(app, OPT_DATA, NULL)};
        bool other = opt_set(app, OPT_DB) && app->capture == NULL && access(path, F_OK) != 0;
        const char *warning = "";
        if (!catalog_open(&o, &app->arena, &app->catalog, &warning, e)) return false;
        if (warning[0] != '\0')
            app_warn_text(app, warning);
        else if (other)
            app_warn(app, "database '%s' is new: it has the shipped facts and nothing of your own", path);
        const char *used = catalog_db_path(app->catalog);
        app_note(app, "database %s; facts: %s", used[0] != '\0' ? used : "in memory",
                 catalog_data_origin(app->catalog));
        if (!app_warn_left_out(app, e)) return false;
    }
    if (app->capture != NULL) app->capture->catalog = app->catalog;
    *ret_catalog = app->catalog;
    return true;
}

bool app_kept(App *app, Catalog **ret_catalog, Err *e) {
    return app_catalog(app, ret_catalog, e) && catalog_keep(*ret_catalog, e);
}

bool app_facts(App *app, Facts *ret_facts, Err *e) {
    Catalog *catalog = NULL;
    if (!app_catalog(app, &catalog, e)) return false;
    AppCapture *c = app->capture;
    if (c == NULL) return catalog_facts(catalog, &app->arena, ret_facts, e);
    if (!c->facts_read && !catalog_facts(catalog, &c->facts_arena, &c->facts, e)) return false;
    c->facts_read = true;
    *ret_facts = c->facts;
    return true;
}

bool app_measurements(App *app, Catalog *catalog, const Measurement **ret_rows, size_t *ret_n, Err *e) {
    enum { FILE_BYTES_MAX = 256 * 1024 * 1024 };
    if (opt_set(app, OPT_MEASUREMENTS))
        return catalog_measurements_file(opt_text(app, OPT_MEASUREMENTS, ""), FILE_BYTES_MAX, &app->arena,
                                         ret_rows, ret_n, e);
    void *rows = NULL;
    if (!catalog_rows(catalog, TABLE_MEASUREMENTS, &app->arena, &rows, ret_n, e)) return false;
    *ret_rows = rows;
    return true;
}

// ---------------------------------------------------------------- answers

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

void app_drain(App *app) {
    enum { DRAIN_BYTES = 1 << 18 };
    if (app->drain != NULL && app->out.length >= DRAIN_BYTES) app->drain(app);
}

size_t app_width(const App *app) { return app->format == FORMAT_TABLE ? app->width : 0; }

bool app_on_terminal(const App *app) {
    return app->capture != NULL || getenv("GPUADVISE_SCREEN") != NULL ||
           (isatty(STDOUT_FILENO) && !opt_set(app, OPT_OUTPUT));
}

Room app_room(const App *app) {
    Room room = {.width = app_width(app)};
    if (app->format != FORMAT_TABLE || app_on_terminal(app)) return room;
    room.tables = getenv("COLUMNS") != NULL ? TABLES_RECORDS : TABLES_WHOLE;
    return room;
}

size_t app_columns(const App *app) {
    size_t columns = room_columns(app_room(app));
    return columns > 0 ? columns : WIDEST;
}

// The listing with `source` and `as_of` shown.
static Listing explained(App *app, const Listing *l) {
    Listing copy = *l;
    Column *columns = arena_alloc(&app->arena, l->n_columns, sizeof *columns);
    for (size_t c = 0; c < l->n_columns; c++) {
        columns[c] = l->columns[c];
        if (word_in("source as_of", columns[c].key)) columns[c].detail = false;
    }
    copy.columns = columns;
    return copy;
}

bool app_choose(App *app, const Listing *l, const char *sort, size_t **ret_rows, size_t *ret_n, Err *e) {
    const char *where = opt_text(app, OPT_WHERE, "");
    if (!listing_choose(l, where, sort, &app->arena, ret_rows, ret_n, e)) return false;
    if (*ret_n == 0 && l->n_rows > 0)
        app_warn(app, "none of %zu rows fits '--where %s'", l->n_rows, text_clean(&app->arena, where));
    return true;
}

const char *app_sort(const App *app) {
    return app->values[OPT_SORT].level == LEVEL_FLAG ? opt_text(app, OPT_SORT, "") : "";
}

bool app_rows(App *app, Listing *l, Err *e) {
    size_t *rows = NULL;
    size_t n = 0;
    if (!app_choose(app, l, app_sort(app), &rows, &n, e)) return false;
    listing_take(l, rows, n, &app->arena);
    return true;
}

void app_listing(App *app, const Listing *l) {
    Listing shown = opt_flag(app, OPT_EXPLAIN) ? explained(app, l) : *l;
    if (app->capture != NULL) {
        AppCapture *c = app->capture;
        c->listings =
            arena_grow(&app->arena, c->listings, c->n_listings, &c->listings_capacity, sizeof *c->listings);
        c->listings[c->n_listings++] = *l;
    }
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

// ---------------------------------------------------------------- from argv to an exit code

static size_t terminal_width(void) {
    enum { LEAST = 20, DEFAULT = 80 };
    const char *columns = getenv("COLUMNS");
    int64_t n = 0;
    if (columns != NULL && parse_integer(str_of(columns), LEAST, WIDEST, &n, NULL)) return (size_t)n;
    struct winsize size = {0};
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= LEAST)
        return size.ws_col;
    return DEFAULT;
}

static bool use_color(const App *app) {
    const char *when = opt_text(app, OPT_COLOR, "auto");
    if (app->capture != NULL) return false;
    if (strcmp(when, "auto") != 0) return strcmp(when, "always") == 0;
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    bool refused = (no_color != NULL && no_color[0] != '\0') || term == NULL || strcmp(term, "dumb") == 0;
    return !refused && !opt_set(app, OPT_OUTPUT) && isatty(STDOUT_FILENO);
}

static bool choose_format(App *app, Err *e) {
    app->format = (Format)opt_choice(app, OPT_FORMAT, FORMAT_TABLE);
    if ((app->command->formats >> app->format & 1u) != 0) return true;
    if (app->values[OPT_FORMAT].level == LEVEL_FLAG) {
        return err_set(e, ERR_USAGE, "format '%s' is not available for '%s' in this version",
                       format_names[app->format], app->command->name);
    }
    app->format = FORMAT_TABLE;  // a setting for all commands does not forbid those that cannot
    return true;
}

static void take_verbosity(App *app) {
    app->quiet = opt_flag(app, OPT_QUIET);
    app->verbose = opt_flag(app, OPT_VERBOSE);
}

// Options whose lists another command takes have one value here: the last one given, as everywhere. A list in
// the settings was not meant for this command.
static bool take_single(App *app, Err *e) {
    for (int id = 0; id < OPT_COUNT; id++) {
        const OptionSpec *o = &option_table[id];
        OptionValue *v = &app->values[id];
        if (v->n < 2 || o->several_in == NULL || strcmp(o->several_in, app->command->name) == 0 ||
            !command_takes(app->command, (OptionId)id))
            continue;
        bool list = v->n - v->latest > 1;
        if (list && v->level == LEVEL_FLAG)
            return err_set(e, ERR_USAGE, "option '--%s': '%s' takes one, not a list", o->name,
                           app->command->name);
        if (list)
            app_note(app, "setting '%s' names several; '%s' takes one and does not use it", o->name,
                     app->command->name);
        v->texts += v->latest, v->numbers += v->latest;
        v->n = v->capacity = list ? 0 : 1;
        v->latest = 0;
    }
    return true;
}

// What chooses rows says nothing of an answer that is no list of them.
static bool lists_rows(App *app, Err *e) {
    static const OptionId choosing[] = {OPT_WHERE, OPT_SORT};
    static const char *const lists = "list runs scan";
    for (size_t i = 0; i < COUNT_OF(choosing); i++) {
        if (app->values[choosing[i]].level != LEVEL_FLAG || word_in(lists, app->verb->name)) continue;
        return err_set(e, ERR_USAGE, "option '--%s' chooses rows of a list, which '%s%s%s' is not",
                       option_table[choosing[i]].name, app->command->name,
                       app->verb->name[0] != '\0' ? " " : "", app->verb->name);
    }
    return true;
}

static int run_command(App *app) {
    Err e = {0};
    take_verbosity(app);
    if (!app->command->no_settings && !settings_load(app, &e)) return app_fail(app, &e);
    take_verbosity(app);
    if (!take_single(app, &e)) return app_fail(app, &e);
    if (!lists_rows(app, &e) || !choose_format(app, &e)) return app_fail(app, &e);
    app->color = use_color(app);
    int code = app->command->run(app);
    if (app->root != NULL && !app->failed) app_json_print(app, &app->out);
    app_json_drop(app);
    return code;
}

int app_main(App *app, int argc, char **argv) {
    Err e = {0};
    AppCapture *c = app->capture;
    *app = (App){.arena = app->arena,
                 .width = c != NULL ? c->width : terminal_width(),
                 .drain = app->drain,
                 .capture = c};
    buf_init(&app->out, BUF_LIMIT);
    if (!clock_now(&app->now, &e) || !args_parse(app, argc, argv, &e)) return app_fail(app, &e);
    if (opt_flag(app, OPT_HELP)) {
        if (app->command != NULL) {
            const Verb *v = app->n_args > 0 ? command_verb(app->command, app->args[0]) : NULL;
            help_command(app->command, v, &app->out, app->width);
        } else {
            help_program(&app->out, app->width);
        }
        return EXIT_DONE;
    }
    if (opt_flag(app, OPT_VERSION)) {
        app->command = command_find("version");
        app->verb = &app->command->verbs[0];
    }
    if (app->command != NULL) return run_command(app);
    Buf text;
    buf_init(&text, BUF_LIMIT);
    help_short(&text);
    ssize_t ignored = write(STDERR_FILENO, text.data, text.length);
    (void)ignored;
    buf_free(&text);
    app->failed = true;
    return EXIT_USAGE;
}

void app_close(App *app) {
    catalog_close(app->catalog);
    buf_free(&app->out);
    arena_free(&app->arena);
}
