// From argv to an exit code: what the environment, the settings and the options say, then the command.
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/cli.h"

static size_t terminal_width(void) {
    enum { LEAST = 20, DEFAULT = 80 };
    const char *columns = getenv("COLUMNS");
    int64_t n = 0;
    if (columns != NULL && parse_integer(str_of(columns), LEAST, COLUMNS_MAX, &n, NULL)) return (size_t)n;
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
    if (app->command->allows != NULL && !app->command->allows(app, &e)) return app_fail(app, &e);
    app->color = use_color(app);
    int code = app->verb->run(app);
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
                 .commands = app->commands,
                 .capture = c};
    buf_init(&app->out, BUF_LIMIT);
    if (!clock_now(&app->now, &e) || !args_parse(app, argc, argv, &e)) return app_fail(app, &e);
    if (opt_flag(app, OPT_HELP)) {
        if (app->command != NULL) {
            const Verb *v = app->n_args > 0 ? command_verb(app->command, app->args[0]) : NULL;
            help_command(app->command, v, &app->out, app->width);
        } else {
            help_program(app->commands, &app->out, app->width);
        }
        return EXIT_DONE;
    }
    if (opt_flag(app, OPT_VERSION)) {
        app->command = command_find(app->commands, "version");
        app->verb = &app->command->verbs[0];
    }
    if (app->command != NULL) return run_command(app);
    Buf text;
    buf_init(&text, BUF_LIMIT);
    help_short(app->commands, &text);
    ssize_t ignored = write(STDERR_FILENO, text.data, text.length);
    (void)ignored;
    buf_free(&text);
    app->failed = true;
    return EXIT_USAGE;
}
