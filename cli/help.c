// Help for the program and for a command, and the man page: all of it from the command and option tables.
#include <string.h>

#include "cli/cli.h"

static const struct {
    int code;
    const char *text;
} exit_codes[] = {
    {EXIT_DONE, "done"},
    {EXIT_FAILED,
     "failed while running: unwritable output, nothing could be kept, corrupt or newer database"},
    {EXIT_USAGE, "bad usage"},
    {EXIT_NO, "answered \"no\": nothing fits, no offer (the answer is still printed)"},
    {EXIT_GATE, "a gate failed, such as --fail-over-usd-per-mtok"},
    {EXIT_HARDWARE, "hardware or driver unfit, faulty or missing"},
    {EXIT_STALE, "data stale or missing, and refused"},
    {EXIT_INTERRUPTED, "interrupted"},
};

static const struct {
    const char *name, *text;
} surroundings[] = {
    {"GPUADVISE_<OPTION>", "any option that may be a setting, e.g. GPUADVISE_MAX_AGE=30"},
    {"GPUADVISE_NOW", "the time to reckon ages from (RFC 3339), for repeatable answers"},
    {"XDG_CONFIG_HOME", "gpuadvise/config in it: `key = value` lines, keys named as the options"},
    {"XDG_DATA_HOME", "gpuadvise/catalog.db in it: the database"},
    {"NO_COLOR, TERM=dumb", "no colour"},
    {"COLUMNS", "width of tables; off a terminal they are never cut, and without it as wide as they need"},
};

static const char about[] = "compares NVIDIA and AMD GPUs for machine learning workloads";
static const char usage[] = "gpuadvise [OPTION...] COMMAND [OPTION...] [ARGUMENT...]";

enum { LEFT = 26 };

static void pad(Buf *out, size_t n) {
    for (size_t i = 0; i < n; i++) buf_puts(out, " ");
}

// "  left      right, broken at blanks to `width`". A long left part stands on its own line.
static void entry(Buf *out, const char *left, const char *right, size_t width) {
    size_t column = LEFT + 2;
    buf_printf(out, "  %s", left);
    size_t used = strlen(left) + 2;
    if (used + 2 > column) {
        buf_puts(out, "\n");
        used = 0;
    }
    pad(out, column - used);
    text_wrapped(out, right, column, width);
}

// "-o, --output FILE"
static void option_left(Buf *b, const OptionSpec *o) {
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
    option_left(&left, &option_table[id]);
    entry(out, left.data, option_table[id].help, width);
    buf_free(&left);
}

static void global_options(Buf *out, size_t width) {
    for (size_t i = 0; i < OPT_COUNT; i++) {
        if (option_table[i].global) option_entry(out, (OptionId)i, width);
    }
}

static void list_commands(Buf *out, size_t width) {
    for (size_t i = 0; i < n_commands; i++)
        entry(out, command_table[i]->name, command_table[i]->summary, width);
}

void help_short(Buf *out) {
    buf_printf(out, "gpuadvise: no command given\nUsage: %s\n\nCommands:\n", usage);
    list_commands(out, 80);
    buf_puts(
        out,
        "\n`gpuadvise --help` says more; `gpuadvise workloads` lists what `report` can be asked about.\n");
}

void help_program(Buf *out, size_t width) {
    buf_printf(out, "gpuadvise %s: %s\n\nUsage: %s\n\nCommands:\n", tool_version(), about, usage);
    list_commands(out, width);
    buf_puts(out, "\nOptions of every command (before or after it):\n");
    global_options(out, width);
    buf_puts(out, "\nExit codes:\n");
    for (size_t i = 0; i < COUNT_OF(exit_codes); i++) {
        char code[16];
        format_fixed(code, sizeof code, exit_codes[i].code, 0);
        entry(out, code, exit_codes[i].text, width);
    }
    buf_puts(out, "\nEnvironment (options go before it, it goes before the settings file):\n");
    for (size_t i = 0; i < COUNT_OF(surroundings); i++)
        entry(out, surroundings[i].name, surroundings[i].text, width);
    buf_puts(out, "\n`gpuadvise help COMMAND` describes a command.\n");
}

// "gpus [list]", "gpus show NAME"
static void verb_usage(Buf *out, const Command *c, size_t i) {
    const Verb *v = &c->verbs[i];
    buf_printf(out, "gpuadvise %s", c->name);
    if (v->name[0] != '\0') buf_printf(out, i == 0 && v->args_min == 0 ? " [%s]" : " %s", v->name);
    if (c->n_options > 0) buf_puts(out, " [OPTION...]");
    if (v->args[0] != '\0') buf_printf(out, " %s", v->args);
}

void help_command(const Command *c, Buf *out, size_t width) {
    buf_printf(out, "gpuadvise %s: %s\n\n", c->name, c->summary);
    for (size_t i = 0; i < c->n_verbs; i++) {
        buf_puts(out, i == 0 ? "Usage: " : "       ");
        verb_usage(out, c, i);
        buf_puts(out, "\n");
    }
    if (c->description[0] != '\0') {
        buf_puts(out, "\n");
        text_wrapped(out, c->description, 0, width);
    }
    if (c->n_options > 0) {
        buf_puts(out, "\nOptions:\n");
        for (size_t i = 0; i < c->n_options; i++) option_entry(out, c->options[i], width);
    }
    buf_puts(out, "\nOptions of every command:\n");
    global_options(out, width);
}

// ---------------------------------------------------------------- man page

// Text with roff's own characters made plain: hyphens, backslashes, a dot or quote at the start of a line.
static void roff(Buf *out, const char *text) {
    bool start = true;
    for (const char *c = text; *c != '\0'; c++) {
        if (start && (*c == '.' || *c == '\'')) buf_puts(out, "\\&");
        start = *c == '\n';
        if (*c == '-') {
            buf_puts(out, "\\-");
        } else if (*c == '\\') {
            buf_puts(out, "\\e");
        } else {
            buf_add(out, c, 1);
        }
    }
}

static void roff_entry(Buf *out, const char *left, const char *right) {
    buf_puts(out, ".TP\n.B ");
    roff(out, left);
    buf_puts(out, "\n");
    roff(out, right);
    buf_puts(out, "\n");
}

static void roff_option(Buf *out, OptionId id) {
    Buf left;
    buf_init(&left, 200);
    option_left(&left, &option_table[id]);
    const char *text = left.data;
    while (*text == ' ') text++;
    roff_entry(out, text, option_table[id].help);
    buf_free(&left);
}

static void roff_command(Buf *out, const Command *c) {
    buf_puts(out, ".SS ");
    roff(out, c->name);
    buf_puts(out, "\n");
    for (size_t i = 0; i < c->n_verbs; i++) {
        Buf line;
        buf_init(&line, 400);
        verb_usage(&line, c, i);
        buf_puts(out, i == 0 ? ".B " : ".br\n.B ");
        roff(out, line.data);
        buf_puts(out, "\n");
        buf_free(&line);
    }
    buf_puts(out, ".PP\n");
    roff(out, c->summary);
    buf_puts(out, ".\n");
    if (c->description[0] != '\0') {
        buf_puts(out, ".PP\n");
        roff(out, c->description);
        buf_puts(out, "\n");
    }
    for (size_t i = 0; i < c->n_options; i++) roff_option(out, c->options[i]);
}

void help_man(Buf *out) {
    buf_puts(out, ".TH GPUADVISE 1 \"\" \"gpuadvise ");
    roff(out, tool_version());
    buf_puts(out, "\" \"User Commands\"\n.SH NAME\ngpuadvise \\- ");
    roff(out, about);
    buf_puts(out, "\n.SH SYNOPSIS\n.B ");
    roff(out, usage);
    buf_puts(out, "\n.SH COMMANDS\n");
    for (size_t i = 0; i < n_commands; i++) roff_command(out, command_table[i]);
    buf_puts(out, ".SH OPTIONS\nEvery command takes these, before or after its name.\n");
    for (size_t i = 0; i < OPT_COUNT; i++) {
        if (option_table[i].global) roff_option(out, (OptionId)i);
    }
    buf_puts(out, ".SH EXIT STATUS\n");
    for (size_t i = 0; i < COUNT_OF(exit_codes); i++) {
        char code[16];
        format_fixed(code, sizeof code, exit_codes[i].code, 0);
        roff_entry(out, code, exit_codes[i].text);
    }
    buf_puts(out, ".SH ENVIRONMENT\nOptions go before the environment, and the environment before the "
                  "settings file.\n");
    for (size_t i = 0; i < COUNT_OF(surroundings); i++)
        roff_entry(out, surroundings[i].name, surroundings[i].text);
}
