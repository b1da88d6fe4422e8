// The line after ":".
#include "tui/command.h"

#include <stdlib.h>
#include <string.h>

static void go_quit(Tui *t, const char *rest) {
    (void)rest;
    t->quit = true;
}

static void go_view(Tui *t, const char *rest) {
    int i = name_index(tui_view_names, rest);
    if (i >= 0) {
        tui_open(t, (ViewId)i);
    } else {
        tui_say(t, true, "no view is called '%s'", rest);
    }
}

static void go_write(Tui *t, const char *rest) { tui_wish(t, ACT_WRITE, 0, rest); }

static void go_set(Tui *t, const char *rest) {
    Str value = str_of(rest);
    Str name;
    Arena a = {0};
    str_next(&value, ' ', &name);
    const char *option = arena_copy(&a, name.data, name.length);
    const char *text = value.data != NULL ? arena_copy(&a, str_trim(value).data, str_trim(value).length) : "";
    if (field_set(t, option, text)) {
        fields_changed_now(t);
        if (t->view != VIEW_ADVICE) tui_open(t, VIEW_WHATIF);
    } else {
        tui_say(t, true, "no assumption is called '%s'", option);
    }
    arena_free(&a);
}

static void go_theme(Tui *t, const char *rest) {
    int i = name_index(tui_theme_names, rest);
    if (i < 0) {
        tui_say(t, true, "no theme is called '%s'; one of: dark, light, mono", rest);
        return;
    }
    t->theme = i;
    t->theme_chosen = true;
    t->redraw = true;
}

static void go_save(Tui *t, const char *rest) {
    (void)rest;
    tui_wish(t, ACT_SAVE, 0, NULL);
}

static const struct {
    const char *name;
    void (*run)(Tui *t, const char *rest);
} commands[] = {{"q", go_quit},      {"quit", go_quit}, {"view", go_view},   {"w", go_write},
                {"write", go_write}, {"set", go_set},   {"theme", go_theme}, {"save", go_save}};

// Splits as a shell would: blanks, '...' and "...", "~/" at the beginning of a word. ERR_USAGE: an open quote, too many words.
static bool split(const char *line, Arena *a, const char **words, size_t max, size_t *ret_n, Err *e) {
    size_t n = 0;
    const char *c = line;
    while (*(c += strspn(c, " ")) != '\0') {
        char *word = arena_alloc(a, strlen(line) + 1, 1);
        size_t length = 0;
        bool home = *c == '~';
        for (; *c != '\0' && *c != ' '; c++) {
            if (*c != '\'' && *c != '"') {
                word[length++] = *c;
                continue;
            }
            const char *end = strchr(c + 1, *c);
            if (end == NULL) return err_set(e, ERR_USAGE, "a quote is not closed");
            memcpy(word + length, c + 1, (size_t)(end - c - 1));
            length += (size_t)(end - c - 1);
            c = end;
        }
        if (n == max) return err_set(e, ERR_USAGE, "more than %zu words", max);
        words[n++] = home ? path_typed(word, a) : word;
    }
    *ret_n = n;
    return true;
}

// Any command of the program, as a process of its own, so that it may take its time.
static void start(Tui *t, const char *line) {
    const char *words[JOB_WORDS_MAX];
    Arena a = {0};
    Err e = {0};
    size_t n = 0;
    bool ok = split(line, &a, words, JOB_WORDS_MAX, &n, &e);
    if (ok && n > 0 && (strcmp(words[0], "tui") == 0 || strcmp(words[0], "gpuadvise") == 0)) {
        ok = err_set(&e, ERR_USAGE,
                     strcmp(words[0], "tui") == 0 ? "this is it" : "without the program's name");
    }
    if (ok) {
        tui_start(t, JOB_TEXT, words, n);
    } else {
        tui_say(t, true, "%s", e.text);
    }
    arena_free(&a);
}

void command_run(Tui *t, const char *line) {
    line += strspn(line, " ");
    size_t n = strcspn(line, " ");
    if (n == 0) return;
    for (size_t i = 0; i < COUNT_OF(commands); i++) {
        if (!str_is((Str){line, n}, commands[i].name)) continue;
        Arena a = {0};
        Str rest = str_trim(str_of(line + n));
        commands[i].run(t, arena_copy(&a, rest.data, rest.length));
        arena_free(&a);
        return;
    }
    start(t, line);
}

const char *command_name(size_t i) { return i < COUNT_OF(commands) ? commands[i].name : NULL; }

bool command_known(const Tui *t, const char *line) {
    line += strspn(line, " ");
    Str word = {line, strcspn(line, " ")};
    bool known = false;
    for (size_t i = 0; i < COUNT_OF(commands); i++) known = known || str_is(word, commands[i].name);
    for (size_t i = 0; i < t->host->n_commands; i++) {
        Str rest = str_of(t->host->commands[i].name);
        Str first;
        str_next(&rest, ' ', &first);
        known = known || (word.length == first.length && memcmp(word.data, first.data, first.length) == 0);
    }
    return known;
}
