// Shell completion for bash, zsh and fish, from the command and option tables.
#include <string.h>

#include "cli/cli.h"

// Options whose values are names in a listing: first column of `gpuadvise LISTING --format csv`.
static const struct {
    OptionId option;
    const char *listing;
} named[] = {
    {OPT_GPU, "gpus"}, {OPT_EXCLUDE_GPU, "gpus"}, {OPT_MODEL, "models"}, {OPT_WORKLOAD, "workloads"}};

static const char names_of[] = "gpuadvise -q %s --format csv 2>/dev/null | tail -n +2 | cut -d, -f1";

static const char *listing_of(OptionId id) {
    for (size_t i = 0; i < COUNT_OF(named); i++) {
        if (named[i].option == id) return named[i].listing;
    }
    return NULL;
}

// Also those that take a name or a path.
static bool takes_path(const OptionSpec *o) {
    static const char *const paths[] = {"FILE", "DIR", "NAME|PATH"};
    bool path = false;
    for (size_t i = 0; i < COUNT_OF(paths); i++) path = path || strcmp(o->metavar, paths[i]) == 0;
    return o->kind == OPTION_TEXT && path;
}

static void choices(Buf *out, const OptionSpec *o) {
    for (size_t i = 0; o->choices[i] != NULL; i++) buf_printf(out, "%s%s", i > 0 ? " " : "", o->choices[i]);
}

// What may stand after the command: its subcommands, and its argument's fixed choices ("bash|zsh|fish").
static void command_words(Buf *out, const Command *c) {
    const char *space = "";
    for (size_t i = 0; i < c->n_verbs; i++) {
        if (c->verbs[i].name[0] != '\0') {
            buf_printf(out, "%s%s", space, c->verbs[i].name);
            space = " ";
        }
        if (strchr(c->verbs[i].args, '|') == NULL) continue;
        Str rest = str_of(c->verbs[i].args);
        Str word;
        while (str_next(&rest, '|', &word)) {
            buf_puts(out, space);
            buf_add(out, word.data, word.length);
            space = " ";
        }
    }
    if (strcmp(c->name, "help") != 0) return;
    for (size_t i = 0; i < n_commands; i++)
        buf_printf(out, "%s%s", i > 0 ? " " : space, command_table[i]->name);
}

static void command_names(Buf *out, const char *separator) {
    for (size_t i = 0; i < n_commands; i++)
        buf_printf(out, "%s%s", i > 0 ? separator : "", command_table[i]->name);
}

// "--output|-o"
static void option_pattern(Buf *out, const OptionSpec *o) {
    buf_printf(out, "--%s", o->name);
    if (o->letter != 0) buf_printf(out, "|-%c", o->letter);
}

// Single quotes around `text`, for all three shells; `colon` escapes ':' for zsh's _describe.
static void quoted(Buf *out, const char *text, bool colon) {
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '\'') {
            buf_puts(out, "'\\''");
        } else if (*c == ':' && colon) {
            buf_puts(out, "\\:");
        } else {
            buf_add(out, c, 1);
        }
    }
}

// ---------------------------------------------------------------- bash

static void bash_values(Buf *out) {
    buf_puts(out, "    case $prev in\n");
    for (size_t i = 0; i < OPT_COUNT; i++) {
        const OptionSpec *o = &option_table[i];
        const char *listing = listing_of((OptionId)i);
        if (o->kind == OPTION_FLAG) continue;
        buf_puts(out, "        ");
        option_pattern(out, o);
        if (o->kind == OPTION_CHOICE) {
            buf_puts(out, ") COMPREPLY=($(compgen -W \"");
            choices(out, o);
            buf_puts(out, "\" -- \"$cur\")); return ;;\n");
        } else if (listing != NULL) {
            buf_puts(out, ") COMPREPLY=($(compgen -W \"$(");
            buf_printf(out, names_of, listing);
            buf_puts(out, ")\" -- \"$cur\")");
            buf_puts(out, takes_path(o) ? " $(compgen -f -- \"$cur\")); return ;;\n" : "); return ;;\n");
        } else if (takes_path(o)) {
            buf_puts(out, ") COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n");
        } else {
            buf_puts(out, ") return ;;\n");
        }
    }
    buf_puts(out, "    esac\n");
}

static void bash_options(Buf *out, const Command *c) {
    for (size_t i = 0; i < OPT_COUNT; i++) {
        bool fits =
            c == NULL ? option_table[i].global : command_takes(c, (OptionId)i) && !option_table[i].global;
        if (fits) buf_printf(out, " --%s", option_table[i].name);
    }
}

static void bash_script(Buf *out) {
    buf_puts(out,
             "# bash completion of gpuadvise\n_gpuadvise() {\n"
             "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} cmd= words= opts= i\n"
             "    for ((i = 1; i < COMP_CWORD; i++)); do\n        case ${COMP_WORDS[i]} in\n            ");
    command_names(out, "|");
    buf_puts(out, ") cmd=${COMP_WORDS[i]}; break ;;\n        esac\n    done\n");
    bash_values(out);
    buf_puts(out, "    case $cmd in\n        '') words='");
    command_names(out, " ");
    buf_puts(out, "' ;;\n");
    for (size_t i = 0; i < n_commands; i++) {
        buf_printf(out, "        %s) words='", command_table[i]->name);
        command_words(out, command_table[i]);
        buf_puts(out, "' opts='");
        bash_options(out, command_table[i]);
        buf_puts(out, "' ;;\n");
    }
    buf_puts(out, "    esac\n    [[ $cur == -* ]] && words=\"$opts");
    bash_options(out, NULL);
    buf_puts(
        out,
        "\"\n    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\ncomplete -F _gpuadvise gpuadvise\n");
}

// ---------------------------------------------------------------- zsh

static void zsh_values(Buf *out) {
    buf_puts(out, "  case $words[CURRENT-1] in\n");
    for (size_t i = 0; i < OPT_COUNT; i++) {
        const OptionSpec *o = &option_table[i];
        const char *listing = listing_of((OptionId)i);
        if (o->kind == OPTION_FLAG) continue;
        buf_puts(out, "    (");
        option_pattern(out, o);
        if (o->kind == OPTION_CHOICE) {
            buf_puts(out, ") compadd -- ");
            choices(out, o);
            buf_puts(out, "; return ;;\n");
        } else if (listing != NULL) {
            buf_puts(out, ") compadd -- ${(f)\"$(");
            buf_printf(out, names_of, listing);
            buf_puts(out, takes_path(o) ? ")\"}; _files; return ;;\n" : ")\"}; return ;;\n");
        } else if (takes_path(o)) {
            buf_puts(out, ") _files; return ;;\n");
        } else {
            buf_printf(out, ") _message '%s'; return ;;\n", o->metavar);
        }
    }
    buf_puts(out, "  esac\n");
}

static void zsh_options(Buf *out, const Command *c) {
    for (size_t i = 0; i < OPT_COUNT; i++) {
        bool fits =
            c == NULL ? option_table[i].global : command_takes(c, (OptionId)i) && !option_table[i].global;
        if (!fits) continue;
        buf_printf(out, " '--%s:", option_table[i].name);
        quoted(out, option_table[i].help, true);
        buf_puts(out, "'");
    }
}

static void zsh_script(Buf *out) {
    buf_puts(out, "#compdef gpuadvise\n_gpuadvise() {\n  local cmd i\n  local -a names opts\n  for ((i = 2; "
                  "i < CURRENT; i++)); do\n"
                  "    case $words[i] in\n      (");
    command_names(out, "|");
    buf_puts(out, ") cmd=$words[i]; break ;;\n    esac\n  done\n");
    zsh_values(out);
    buf_puts(out, "  opts=(");
    zsh_options(out, NULL);
    buf_puts(out, " )\n  case $cmd in\n    ('') names=(");
    for (size_t i = 0; i < n_commands; i++) {
        buf_printf(out, " '%s:", command_table[i]->name);
        quoted(out, command_table[i]->summary, true);
        buf_puts(out, "'");
    }
    buf_puts(out, " ) ;;\n");
    for (size_t i = 0; i < n_commands; i++) {
        buf_printf(out, "    (%s) names=( ", command_table[i]->name);
        command_words(out, command_table[i]);
        buf_puts(out, " ); opts+=(");
        zsh_options(out, command_table[i]);
        buf_puts(out, " ) ;;\n");
    }
    buf_puts(out, "  esac\n  if [[ $words[CURRENT] == -* ]]; then _describe -o option opts\n"
                  "  elif (( $#names )); then _describe argument names\n  else _files\n  fi\n}\n"
                  "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _gpuadvise \"$@\"; else compdef "
                  "_gpuadvise gpuadvise; fi\n");
}

// ---------------------------------------------------------------- fish

static void fish_quoted(Buf *out, const char *text) {
    buf_puts(out, "'");
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '\'' || *c == '\\') buf_puts(out, "\\");
        buf_add(out, c, 1);
    }
    buf_puts(out, "'");
}

static void fish_option(Buf *out, OptionId id) {
    const OptionSpec *o = &option_table[id];
    const char *listing = listing_of(id);
    buf_puts(out, "complete -c gpuadvise");
    if (!o->global) {
        buf_puts(out, " -n '__fish_seen_subcommand_from");
        for (size_t i = 0; i < n_commands; i++) {
            if (command_takes(command_table[i], id)) buf_printf(out, " %s", command_table[i]->name);
        }
        buf_puts(out, "'");
    }
    buf_printf(out, " -l %s", o->name);
    if (o->letter != 0) buf_printf(out, " -s %c", o->letter);
    if (o->kind != OPTION_FLAG) buf_puts(out, takes_path(o) ? " -r -F" : " -x");
    if (o->kind == OPTION_CHOICE) {
        buf_puts(out, " -a '");
        choices(out, o);
        buf_puts(out, "'");
    } else if (listing != NULL) {
        buf_puts(out, " -a '(");
        buf_printf(out, names_of, listing);
        buf_puts(out, ")'");
    }
    buf_puts(out, " -d ");
    fish_quoted(out, o->help);
    buf_puts(out, "\n");
}

static void fish_script(Buf *out) {
    buf_puts(out, "# fish completion of gpuadvise\ncomplete -c gpuadvise -f\n");
    for (size_t i = 0; i < n_commands; i++) {
        const Command *c = command_table[i];
        buf_printf(out, "complete -c gpuadvise -n __fish_use_subcommand -a %s -d ", c->name);
        fish_quoted(out, c->summary);
        buf_puts(out, "\n");
        Buf words;
        buf_init(&words, 4000);
        command_words(&words, c);
        if (words.length > 0)
            buf_printf(out, "complete -c gpuadvise -n '__fish_seen_subcommand_from %s' -a '%s'\n", c->name,
                       words.data);
        buf_free(&words);
    }
    for (size_t i = 0; i < OPT_COUNT; i++) {
        fish_option(out, (OptionId)i);
    }
}

// ----------------------------------------------------------------

bool completion_print(const char *shell, Buf *out, Err *e) {
    static const struct {
        const char *name;
        void (*print)(Buf *out);
    } shells[] = {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};
    const char *names[COUNT_OF(shells)];
    for (size_t i = 0; i < COUNT_OF(shells); i++) {
        names[i] = shells[i].name;
        if (strcmp(shell, shells[i].name) != 0) continue;
        shells[i].print(out);
        return true;
    }
    return name_unknown(e, "shell", shell, names, COUNT_OF(names));
}
