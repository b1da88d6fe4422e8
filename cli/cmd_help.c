// help, version, completion: what the program can say about itself without its data.
#include <string.h>

#include "cli/cmd.h"
#include "cli/complete.h"

static int run_help(App *app) {
    if (opt_flag(app, OPT_MAN)) {
        help_man(app->commands, &app->out);
    } else if (app->n_args == 0) {
        help_program(app->commands, &app->out, app->width);
    } else {
        Err e = {0};
        const Command *c = command_resolve(app, app->args[0], &e);
        if (c == NULL) return app_fail(app, &e);
        const Verb *v = app->n_args > 1 ? command_verb(c, app->args[1]) : NULL;
        if (app->n_args > 1 && v == NULL) {
            verb_unknown(app, c, app->args[1], &e);
            return app_fail(app, &e);
        }
        help_command(c, v, &app->out, app->width);
    }
    return EXIT_DONE;
}

static const Verb help_verbs[] = {
    {"", "[COMMAND [SUBCOMMAND]]", 0, 2, false, NULL, TAKES(OPT_MAN), run_help}};

const Command cmd_help = {
    .name = "help",
    .summary = "help for the program or a command",
    .verbs = help_verbs,
    .n_verbs = COUNT_OF(help_verbs),
    .formats = FORMATS_NONE,
    .no_settings = true,
};

static int run_version(App *app) {
    if (app->format == FORMAT_JSON) {
        Json *root = app_json(app);
        json_add_text(root, "version", tool_version());
        device_code_json(&app->arena, root);
    } else {
        buf_printf(&app->out, "gpuadvise %s\n", tool_version());
        app_line(app, 0, "Device code %s.", device_code_text(&app->arena));
    }
    return EXIT_DONE;
}

static const Verb version_verbs[] = {{"", "", 0, 0, false, NULL, NO_OPTIONS, run_version}};

const Command cmd_version = {
    .name = "version",
    .summary = "version of the program",
    .verbs = version_verbs,
    .n_verbs = COUNT_OF(version_verbs),
    .formats = FORMATS_TEXT_JSON,
    .no_settings = true,
};

static int run_completion(App *app) {
    Err e = {0};
    if (!completion_print(app->args[0], &app->out, &e)) return app_fail(app, &e);
    return EXIT_DONE;
}

static int run_words(App *app) {
    completion_words(app);
    return EXIT_DONE;
}

static const Verb completion_verbs[] = {
    {"", "bash|zsh|fish", 1, 1, false, NULL, NO_OPTIONS, run_completion},
    {"words", "-- WORD...", 0, 10000, false,
     "what may stand for the last of these words: for the scripts of the shells", NO_OPTIONS, run_words}};

const Command cmd_completion = {
    .name = "completion",
    .summary = "completion script for a shell",
    .description = "In ~/.bashrc: source <(gpuadvise completion bash)",
    .verbs = completion_verbs,
    .n_verbs = COUNT_OF(completion_verbs),
    .formats = FORMATS_NONE,
    .no_settings = true,
};
