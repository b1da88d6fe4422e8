// Help for the program, a command and a subcommand: all of it from the tables.
#include <string.h>

#include "cli/help.h"

const HelpEntry help_exit_codes[] = {
    {"0", "done"},
    {"1", "failed while running: unwritable output, nothing could be kept, corrupt or newer database"},
    {"2", "bad usage"},
    {"3", "answered \"no\": nothing fits, no offer (the answer is still printed)"},
    {"4", "a gate failed, such as --fail-over-usd-per-mtok"},
    {"5", "hardware or driver unfit, faulty or missing"},
    {"6", "data stale or missing, and refused"},
    {"130", "interrupted"},
};
const size_t n_help_exit_codes = COUNT_OF(help_exit_codes);

const HelpEntry help_surroundings[] = {
    {"GPUADVISE_<OPTION>", "any option that may be a setting, e.g. GPUADVISE_MAX_AGE=30"},
    {"GPUADVISE_NOW", "the time to reckon ages from (RFC 3339), for repeatable answers"},
    {"GPUADVISE_PAGER, PAGER", "what shows an answer that is longer than the terminal (default: less, with "
                               "LESS=FRX unless it is set); empty or cat: nothing, as --no-pager"},
    {"NO_COLOR, TERM=dumb", "no colour; TERM=dumb: no pager either"},
    {"COLUMNS", "width of tables; off a terminal they are never cut, and without it as wide as they need"},
    {"HTTPS_PROXY, NO_PROXY, SSL_CERT_FILE", "as elsewhere, for `prices refresh` and snapshots"},
};
const size_t n_help_surroundings = COUNT_OF(help_surroundings);

const HelpEntry help_files[] = {
    {"$XDG_CONFIG_HOME/gpuadvise/config",
     "settings: `key = value` lines, keys named as the options, # comments"},
    {"$XDG_DATA_HOME/gpuadvise/catalog.db",
     "the database: facts, refreshed prices, and all that is your own"},
    {"$XDG_STATE_HOME/gpuadvise/tui", "what the screen keeps when it is told to"},
};
const size_t n_help_files = COUNT_OF(help_files);

const char help_about[] = "compares NVIDIA and AMD GPUs for machine learning workloads";
const char help_usage[] = "gpuadvise [OPTION...] COMMAND [OPTION...] [ARGUMENT...]";

enum { LEFT = 26 };

static void pad(Buf *out, size_t n) {
    for (size_t i = 0; i < n; i++) buf_puts(out, " ");
}

// "  left      right, broken at blanks to `width`". A long left part stands on its own line.
static void entry(Buf *out, const char *left, const char *right, size_t width) {
    size_t column = LEFT + 2;
    buf_printf(out, "  %s", left);
    size_t used = text_width(left) + 2;
    if (used + 2 > column) {
        buf_puts(out, "\n");
        used = 0;
    }
    pad(out, column - used);
    text_wrapped(out, right, column, width);
}

// "-o, --output FILE"
void help_option(Buf *b, const OptionSpec *o) {
    if (o->letter != 0) {
        buf_printf(b, "-%c, ", o->letter);
    } else {
        buf_puts(b, "    ");
    }
    buf_printf(b, "--%s", o->name);
    if (o->kind != OPTION_FLAG) buf_printf(b, " %s", o->metavar);
}

static void option_entry(Buf *out, OptionId id, size_t width) {
    Buf left;
    buf_init(&left, 200);
    help_option(&left, &option_table[id]);
    entry(out, left.data, option_table[id].help, width);
    buf_free(&left);
}

static void global_options(Buf *out, size_t width) {
    for (size_t i = 0; i < OPT_COUNT; i++) {
        if (option_table[i].global) option_entry(out, (OptionId)i, width);
    }
}

static void list_commands(const CommandTable *t, Buf *out, size_t width) {
    for (size_t i = 0; i < t->n; i++) entry(out, t->rows[i]->name, t->rows[i]->summary, width);
}

void help_short(const CommandTable *t, Buf *out) {
    buf_printf(out, "gpuadvise: no command given\nUsage: %s\n\nCommands:\n", help_usage);
    list_commands(t, out, 80);
    buf_puts(
        out,
        "\n`gpuadvise --help` says more; `gpuadvise workloads` lists what `report` can be asked about.\n");
}

static void entries(Buf *out, const char *title, const HelpEntry *rows, size_t n, size_t width) {
    buf_printf(out, "\n%s:\n", title);
    for (size_t i = 0; i < n; i++) entry(out, rows[i].name, rows[i].text, width);
}

void help_program(const CommandTable *t, Buf *out, size_t width) {
    buf_printf(out, "gpuadvise %s: %s\n\nUsage: %s\n\nCommands:\n", tool_version(), help_about, help_usage);
    list_commands(t, out, width);
    buf_puts(out, "\nOptions of every command (before or after it):\n");
    global_options(out, width);
    entries(out, "Exit codes", help_exit_codes, n_help_exit_codes, width);
    entries(out, "Files", help_files, n_help_files, width);
    entries(out, "Environment (options go before it, it goes before the settings file)", help_surroundings,
            n_help_surroundings, width);
    buf_puts(out, "\n`gpuadvise help COMMAND` and `gpuadvise help COMMAND SUBCOMMAND` describe one.\n");
}
static bool takes_any(const Command *c) {
    for (size_t i = 0; i < c->n_verbs; i++) {
        if (c->verbs[i].options[0] != OPT_COUNT) return true;
    }
    return false;
}

void help_verb_usage(Buf *out, const Command *c, size_t i) {
    const Verb *v = &c->verbs[i];
    buf_printf(out, "gpuadvise %s", c->name);
    if (v->name[0] != '\0') buf_printf(out, i == 0 && v->args_min == 0 ? " [%s]" : " %s", v->name);
    if (takes_any(c)) buf_puts(out, " [OPTION...]");
    if (v->args[0] != '\0') buf_printf(out, " %s", v->args);
}

static void usages(Buf *out, const Command *c, const Verb *only) {
    const char *before = "Usage: ";
    for (size_t i = 0; i < c->n_verbs; i++) {
        if (only != NULL && only != &c->verbs[i]) continue;
        buf_puts(out, before);
        help_verb_usage(out, c, i);
        buf_puts(out, "\n");
        before = "       ";
    }
}

static void subcommands(Buf *out, const Command *c, size_t width) {
    bool any = false;
    for (size_t i = 0; i < c->n_verbs; i++) {
        if (c->verbs[i].summary == NULL) continue;
        if (!any)
            buf_printf(out, "\nSubcommands (`gpuadvise help %s NAME` has the options of one):\n", c->name);
        any = true;
        entry(out, c->verbs[i].name, c->verbs[i].summary, width);
    }
}

// Those of a subcommand, or the first few of a command.
static void examples(Buf *out, const Command *c, const Verb *only) {
    enum { OF_A_COMMAND = 4 };
    size_t shown = 0;
    Str rows = example_rows();
    for (Example x; example_next(&rows, &x);) {
        if (!str_is(x.command, c->name) || (only != NULL && !str_is(x.verb, only->name))) continue;
        if (only == NULL && shown == OF_A_COMMAND) break;
        if (shown++ == 0) buf_puts(out, "\nExamples:\n");
        if (x.says.length > 0) buf_printf(out, "  # %.*s\n", (int)x.says.length, x.says.data);
        buf_printf(out, "  %.*s\n", (int)x.line.length, x.line.data);
    }
}

static void grouped_options(Buf *out, const Command *c, const Verb *v, size_t width) {
    for (size_t g = 0; g < n_option_groups; g++) {
        bool any = false;
        for (const OptionId *id = option_groups[g].options; *id != OPT_COUNT; id++) {
            if (!verb_takes(c, v, *id)) continue;
            if (!any) buf_printf(out, "\n%s:\n", option_groups[g].title);
            any = true;
            option_entry(out, *id, width);
        }
    }
    bool any = false;
    for (OptionId id = 0; id < OPT_COUNT; id++) {
        if (option_table[id].global || option_has_group(id) || !verb_takes(c, v, id)) continue;
        if (!any) buf_puts(out, "\nOthers:\n");
        any = true;
        option_entry(out, id, width);
    }
}

void help_command(const Command *c, const Verb *v, Buf *out, size_t width) {
    const Verb *only = v != NULL && v->summary != NULL ? v : NULL;
    buf_printf(out, "gpuadvise %s%s%s: %s\n\n", c->name, only != NULL ? " " : "", only != NULL ? v->name : "",
               only != NULL ? v->summary : c->summary);
    usages(out, c, only);
    if (c->description != NULL && only == NULL) {
        buf_puts(out, "\n");
        text_wrapped(out, c->description, 0, width);
    }
    examples(out, c, only);
    if (only == NULL) subcommands(out, c, width);
    grouped_options(out, c, only, width);
    if (only != NULL) {
        buf_printf(out, "\n`gpuadvise help %s` says more; options of every command: `gpuadvise --help`.\n",
                   c->name);
        return;
    }
    buf_puts(out, "\nOptions of every command:\n");
    global_options(out, width);
}
