// The man page, from the same tables as help.
#include <string.h>

#include "cli/help.h"

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
    help_option(&left, &option_table[id]);
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
        help_verb_usage(&line, c, i);
        buf_puts(out, i == 0 ? ".B " : ".br\n.B ");
        roff(out, line.data);
        buf_puts(out, "\n");
        buf_free(&line);
    }
    buf_puts(out, ".PP\n");
    roff(out, c->summary);
    buf_puts(out, ".\n");
    if (c->description != NULL) {
        buf_puts(out, ".PP\n");
        roff(out, c->description);
        buf_puts(out, "\n");
    }
    for (size_t i = 0; i < c->n_verbs; i++) {
        if (c->verbs[i].summary != NULL) roff_entry(out, c->verbs[i].name, c->verbs[i].summary);
    }
    for (size_t g = 0; g < n_option_groups; g++) {
        bool any = false;
        for (const OptionId *id = option_groups[g].options; *id != OPT_COUNT; id++) {
            if (!command_takes(c, *id)) continue;
            if (!any) buf_printf(out, ".PP\n%s:\n", option_groups[g].title);
            any = true;
            roff_option(out, *id);
        }
    }
    for (OptionId id = 0; id < OPT_COUNT; id++) {
        if (!option_table[id].global && !option_has_group(id) && command_takes(c, id)) roff_option(out, id);
    }
}

static void roff_entries(Buf *out, const HelpEntry *rows, size_t n) {
    for (size_t i = 0; i < n; i++) roff_entry(out, rows[i].name, rows[i].text);
}

static void roff_examples(Buf *out) {
    Arena scratch = {0};
    Str rows = example_rows();
    buf_puts(out, ".SH EXAMPLES\n");
    for (Example x; example_next(&rows, &x);) {
        if (x.says.length == 0) continue;
        roff_entry(out, arena_copy(&scratch, x.line.data, x.line.length),
                   arena_copy(&scratch, x.says.data, x.says.length));
    }
    arena_free(&scratch);
}

void help_man(const CommandTable *t, Buf *out) {
    buf_puts(out, ".TH GPUADVISE 1 \"\" \"gpuadvise ");
    roff(out, tool_version());
    buf_puts(out, "\" \"User Commands\"\n.SH NAME\ngpuadvise \\- ");
    roff(out, help_about);
    buf_puts(out, "\n.SH SYNOPSIS\n.B ");
    roff(out, help_usage);
    buf_puts(out, "\n.SH COMMANDS\n");
    for (size_t i = 0; i < t->n; i++) roff_command(out, t->rows[i]);
    buf_puts(out, ".SH OPTIONS\nEvery command takes these, before or after its name.\n");
    for (size_t i = 0; i < OPT_COUNT; i++) {
        if (option_table[i].global) roff_option(out, (OptionId)i);
    }
    roff_examples(out);
    buf_puts(out, ".SH EXIT STATUS\n");
    roff_entries(out, help_exit_codes, n_help_exit_codes);
    buf_puts(out, ".SH FILES\n");
    roff_entries(out, help_files, n_help_files);
    buf_puts(out, ".SH ENVIRONMENT\nOptions go before the environment, and the environment before the "
                  "settings file.\n");
    roff_entries(out, help_surroundings, n_help_surroundings);
    buf_puts(out,
             ".SH SEE ALSO\n.BR nvidia\\-smi (1),\n.BR amd\\-smi (1),\n.BR less (1),\n.BR minisign (1)\n");
}
