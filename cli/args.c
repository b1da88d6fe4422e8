// argv -> command, verb, arguments and option values, with an error that says what would have been right.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/words.h"

// ---------------------------------------------------------------- commands

static bool unknown_command(App *app, const char *word, Err *e) {
    const char **names = arena_alloc(&app->arena, app->commands->n, sizeof *names);
    for (size_t i = 0; i < app->commands->n; i++) names[i] = app->commands->rows[i]->name;
    const char *instead = word_command(word);
    if (instead != NULL) return err_set(e, ERR_USAGE, "unknown command '%s': %s", word, instead);
    const char *near = name_nearest(word, names, app->commands->n);
    if (near != NULL) return err_set(e, ERR_USAGE, "unknown command '%s'; did you mean '%s'?", word, near);
    return err_set(e, ERR_USAGE, "unknown command '%s'; `gpuadvise --help` lists them", word);
}

const Command *command_resolve(App *app, const char *name, Err *e) {
    const Command *c = command_find(app->commands, name);
    if (c == NULL) unknown_command(app, name, e);
    return c;
}

// ---------------------------------------------------------------- options

// "--foo" of no command, with what another tool's word means here, else the nearest that there is.
static bool unknown_option(App *app, const char *name, Err *e) {
    const char **names = arena_alloc(&app->arena, OPT_COUNT, sizeof *names);
    size_t n = 0;
    for (size_t i = 0; i < OPT_COUNT; i++) {
        bool fits = app->command == NULL || command_takes(app->command, (OptionId)i);
        if (fits) names[n++] = option_table[i].name;
    }
    const OptionSpec *meant = word_option(app->command, name);
    const char *near = meant != NULL ? meant->name : name_nearest(name, names, n);
    if (near == NULL && (meant = word_inside(app->command, name)) != NULL) near = meant->name;
    if (near != NULL) return err_set(e, ERR_USAGE, "unknown option '--%s'; did you mean '--%s'?", name, near);
    return err_set(e, ERR_USAGE, "unknown option '--%s'; `gpuadvise %s--help` lists them", name,
                   app->command != NULL ? arena_printf(&app->arena, "%s ", app->command->name) : "");
}

// "-1", "-.5" and "-" are no options.
static bool looks_like_option(const char *word) {
    return word[0] == '-' && word[1] != '\0' && strchr("0123456789.", word[1]) == NULL;
}

// Can this word be the value of an option before it? "-inf" can, so that it is refused as a number and not as
// missing.
static bool can_be_value(const char *word) {
    if (!looks_like_option(word)) return true;
    bool known = word[1] == '-';
    for (size_t i = 0; i < OPT_COUNT; i++) known = known || option_table[i].letter == word[1];
    return !known;
}

typedef struct Words {
    char **argv;
    int argc, at;  // at: next word
} Words;

static bool store_option(App *app, OptionId id, const char *where, const char *value, Words *w, Err *e) {
    const OptionSpec *o = &option_table[id];
    const char *prefix = arena_printf(&app->arena, "option '%s'", where);
    if (id == OPT_JSON && value == NULL) return option_store(app, OPT_FORMAT, LEVEL_FLAG, prefix, "json", e);
    if (id == OPT_JSON) return err_set(e, ERR_USAGE, "%s takes no value", prefix);
    if (o->kind == OPTION_FLAG)
        return option_store(app, id, LEVEL_FLAG, prefix, value != NULL ? value : "yes", e);
    if (value == NULL) {
        bool there = w->at < w->argc && can_be_value(w->argv[w->at]);
        if (!there) return err_set(e, ERR_USAGE, "%s needs a value: %s", prefix, o->metavar);
        value = w->argv[w->at++];
    }
    return option_store(app, id, LEVEL_FLAG, prefix, value, e);
}

static bool long_option(App *app, const char *word, Words *w, Err *e) {
    Str rest = str_of(word + 2);
    Str name;
    str_next(&rest, '=', &name);
    const char *text = arena_copy(&app->arena, name.data, name.length);
    OptionId id;
    if (!option_by_name(text, name.length, &id)) return unknown_option(app, text, e);
    return store_option(app, id, arena_printf(&app->arena, "--%s", text), rest.data, w, e);
}

static bool short_option(App *app, const char *word, Words *w, Err *e) {
    for (size_t i = 0; i < OPT_COUNT; i++) {
        if (option_table[i].letter != word[1]) continue;
        bool flag = option_table[i].kind == OPTION_FLAG;
        if (flag && word[2] != '\0') break;  // no clusters
        const char *value = word[2] != '\0' ? word + 2 : NULL;
        return store_option(app, (OptionId)i, arena_printf(&app->arena, "-%c", word[1]), value, w, e);
    }
    return err_set(e, ERR_USAGE, "unknown option '%s'; `gpuadvise %s--help` lists them", word,
                   app->command != NULL ? arena_printf(&app->arena, "%s ", app->command->name) : "");
}

// Every option given must be one that the command takes.
static bool check_belongs(const App *app, Err *e) {
    for (size_t i = 0; i < OPT_COUNT; i++) {
        OptionId id = (OptionId)i;
        if (app->values[i].level != LEVEL_FLAG || command_takes(app->command, id)) continue;
        const OptionSpec *meant = word_option(app->command, option_table[i].name);
        if (meant != NULL)
            return err_set(e, ERR_USAGE, "option '--%s' does not belong to '%s'; did you mean '--%s'?",
                           option_table[i].name, app->command->name, meant->name);
        Buf list;
        buf_init(&list, sizeof e->text);
        for (size_t c = 0; c < app->commands->n; c++) {
            if (command_takes(app->commands->rows[c], id))
                buf_printf(&list, "%s'%s'", list.length > 0 ? ", " : "", app->commands->rows[c]->name);
        }
        err_set(e, ERR_USAGE, "option '--%s' does not belong to '%s'; it is taken by %s",
                option_table[i].name, app->command->name, list.length > 0 ? list.data : "no command");
        buf_free(&list);
        return false;
    }
    return true;
}

// ---------------------------------------------------------------- arguments

// Is it one of the subcommands, misspelt by a letter?
static bool slip_of_verb(const Command *c, const char *word) {
    for (size_t i = 0; i < c->n_verbs; i++) {
        if (c->verbs[i].name[0] != '\0' && edit_distance(word, c->verbs[i].name, 1) <= 1) return true;
    }
    return false;
}

bool verb_unknown(App *app, const Command *c, const char *word, Err *e) {
    const char **names = arena_alloc(&app->arena, c->n_verbs, sizeof *names);
    size_t n = 0;
    for (size_t i = 0; i < c->n_verbs; i++) {
        if (c->verbs[i].name[0] != '\0') names[n++] = c->verbs[i].name;
    }
    if (n == 0) return err_set(e, ERR_USAGE, "'%s' has no subcommands", c->name);
    name_unknown(e, "subcommand", word, names, n);
    return err_wrap(e, "'%s'", c->name);
}

// Takes the verb off the arguments; the first verb is meant when none is named and it takes arguments, or
// none are given. A name that cannot be one is of what `show` shows: `gpus mi300x`.
static bool find_verb(App *app, Err *e) {
    const Command *c = app->command;
    app->verb = &c->verbs[0];
    if (app->n_args == 0) return true;
    const Verb *named = command_verb(c, app->args[0]);
    if (named != NULL) {
        app->verb = named;
        app->args++;
        app->n_args--;
        return true;
    }
    if (slip_of_verb(c, app->args[0])) return verb_unknown(app, c, app->args[0], e);
    bool verbs_only = c->verbs[0].name[0] != '\0' && c->verbs[0].args_max == 0;
    if (!verbs_only) return true;
    const Verb *show = command_verb(c, "show");
    if (show == NULL) return verb_unknown(app, c, app->args[0], e);
    app->verb = show;
    return true;
}

static bool check_arguments(const App *app, Err *e) {
    const Verb *v = app->verb;
    const char *space = v->name[0] != '\0' ? " " : "";
    if (app->n_args < v->args_min) {
        return err_set(e, ERR_USAGE, "'%s%s%s' needs an argument: %s", app->command->name, space, v->name,
                       v->args);
    }
    if (app->n_args > v->args_max)
        return err_set(e, ERR_USAGE, "unexpected argument '%s'; `gpuadvise %s --help` says what there is",
                       app->args[v->args_max], app->command->name);
    return true;
}

// `estimate MODEL GPU`: arguments that are short for options.
static bool take_positional(App *app, Err *e) {
    static const struct {
        const char *command;
        OptionId options[2];
    } positional[] = {{"estimate", {OPT_MODEL, OPT_GPU}}, {"check", {OPT_MODEL, OPT_GPU}}};
    size_t i = 0;
    while (i < COUNT_OF(positional) && strcmp(positional[i].command, app->command->name) != 0) i++;
    if (i == COUNT_OF(positional)) return true;
    for (size_t k = 0; k < app->n_args; k++) {
        OptionId id = positional[i].options[k];
        const char *name = option_table[id].name;
        bool both = app->values[id].level == LEVEL_FLAG;
        if (both && !text_same(opt_text(app, id, ""), app->args[k]))
            return err_set(e, ERR_USAGE, "'%s' and '--%s %s' are two: give one", app->args[k], name,
                           opt_text(app, id, ""));
        if (!both && !option_store(app, id, LEVEL_FLAG, arena_printf(&app->arena, "argument '%s'", name),
                                   app->args[k], e))
            return false;
    }
    app->n_args = 0;
    return true;
}

// The command line again, quoted for a shell.
static const char *quoted_line(App *app, int argc, char **argv) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+.,:/@%";
    Buf b;
    buf_init(&b, BUF_LIMIT);
    buf_puts(&b, "gpuadvise");
    for (int i = 1; i < argc; i++) {
        buf_puts(&b, " ");
        if (argv[i][0] != '\0' && strspn(argv[i], plain) == strlen(argv[i])) {
            buf_puts(&b, argv[i]);
            continue;
        }
        buf_puts(&b, "'");
        for (const char *c = argv[i]; *c != '\0'; c++)
            buf_add(&b, *c == '\'' ? "'\\''" : c, *c == '\'' ? 4 : 1);
        buf_puts(&b, "'");
    }
    return buf_take(&b, &app->arena);
}

// One word that is not an option, nor an option's value.
static bool take_word(App *app, const char *word, Err *e) {
    if (app->command != NULL) {
        app->args[app->n_args++] = word;
        return true;
    }
    app->command = command_resolve(app, word, e);
    return app->command != NULL;
}

// Can what stands at both ends of this process show `tui`?
static bool tui_fits_terminal(void) {
    const char *term = getenv("TERM");
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && term != NULL && term[0] != '\0' &&
           strcmp(term, "dumb") != 0;
}

bool args_parse(App *app, int argc, char **argv, Err *e) {
    Words w = {.argv = argv, .argc = argc, .at = 1};
    app->args = arena_alloc(&app->arena, (size_t)argc + 1, sizeof *app->args);
    app->command_line = quoted_line(app, argc, argv);
    bool words_only = false;
    while (w.at < argc) {
        const char *word = argv[w.at++];
        bool ok = true;
        if (words_only || !looks_like_option(word)) {
            ok = take_word(app, word, e);
        } else if (strcmp(word, "--") == 0) {
            words_only = true;
        } else if (word[1] == '-') {
            ok = long_option(app, word, &w, e);
        } else {
            ok = short_option(app, word, &w, e);
        }
        if (!ok) return false;
    }
    bool asked = opt_flag(app, OPT_HELP) || opt_flag(app, OPT_VERSION);
    if (app->command == NULL && !asked && tui_fits_terminal())
        app->command = command_find(app->commands, "tui");
    if (app->command == NULL) return true;
    if (!check_belongs(app, e)) return false;
    if (opt_flag(app, OPT_HELP)) return true;
    return find_verb(app, e) && check_arguments(app, e) && take_positional(app, e);
}
