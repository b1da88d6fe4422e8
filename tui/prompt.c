// The line at the bottom: filter, command, file names. And what the command line knows.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/app.h"

static const char *const titles[] = {[PROMPT_NONE] = "",
                                     [PROMPT_FILTER] = "filter: ",
                                     [PROMPT_COMMAND] = ":",
                                     [PROMPT_EXPORT] = "write to: ",
                                     [PROMPT_PATH] = "scan folder: ",
                                     [PROMPT_FIELD] = "",
                                     [PROMPT_OVERWRITE] =
                                         "it exists; y writes over it, any other key leaves it: "};

void prompt_open(Tui *t, PromptKind kind, const char *text) {
    t->prompt.kind = kind;
    line_set(&t->prompt.line, text);
    snprintf(t->prompt.before, sizeof t->prompt.before, "%s", text);
    const char *figure = kind == PROMPT_FIELD ? strrchr(text, '=') : NULL;
    t->prompt.kept = figure != NULL ? (size_t)(figure + 1 - text) : 0;
    t->prompt.offered =
        (kind == PROMPT_EXPORT || kind == PROMPT_PATH || kind == PROMPT_FIELD) && text[0] != '\0';
    tui_hush(t);
}

void prompt_draw(Tui *t, Grid *g, Rect at) {
    const LineEdit *l = &t->prompt.line;
    int x = at.x + 1 + grid_text(g, at.x + 1, at.y, at.width - 1, STYLE_KEY, titles[t->prompt.kind]);
    int room = at.x + at.width - x - 1;
    const char *shown = l->text;
    const char *head = arena_copy(g->arena, l->text, l->at);
    while (*head != '\0' && (int)text_width(head) > room) {  // the end of a long line is what is being typed
        uint32_t point = 0;
        size_t columns = 0;
        size_t bytes = text_point(head, &point, &columns);
        head += bytes;
        shown += bytes;
    }
    size_t kept = t->prompt.offered && shown == l->text ? t->prompt.kept : 0;
    int used = grid_text(g, x, at.y, room + 1, STYLE_FIELD, arena_copy(g->arena, shown, kept));
    grid_text(g, x + used, at.y, room + 1 - used, t->prompt.offered ? STYLE_BAR_ON : STYLE_FIELD,
              shown + kept);
    g->cursor_x = x + (int)text_width(head);
    g->cursor_y = at.y;
}

// "~/x" is in the home folder, as a shell would have it.
static const char *path_typed(const char *text, Arena *a) {
    const char *home = getenv("HOME");
    bool at_home = text[0] == '~' && (text[1] == '/' || text[1] == '\0') && home != NULL;
    return at_home ? arena_printf(a, "%s%s", home, text + 1) : text;
}

// ---------------------------------------------------------------- commands

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

static void go_write(Tui *t, const char *rest) {
    Arena a = {0};
    export_ask(t, path_typed(rest, &a));
    arena_free(&a);
}

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
    tui_act(t, ACT_SAVE, 0);
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
        commands[i].run(t, line + n + strspn(line + n, " "));
        return;
    }
    start(t, line);
}

// ---------------------------------------------------------------- keys

static bool takes_file(const Tui *t) {
    return t->prompt.kind == PROMPT_FIELD && field_option(t, t->fields.cursor)->file;
}

static void take_field(Tui *t) {
    Arena a = {0};
    const char *text = takes_file(t) ? path_typed(t->prompt.line.text, &a) : t->prompt.line.text;
    if (field_set(t, field_table[t->fields.cursor].option, text)) {
        fields_changed_now(t);
    } else {
        tui_say(t, true, "the name is longer than %d bytes", FIELD_BYTES - 1);
    }
    arena_free(&a);
}

// What is typed takes effect while it is typed: filters, fields. The name of a file does when it is whole.
static void typed(Tui *t) {
    if (t->prompt.kind == PROMPT_FILTER) list_filter(&view_now(t)->list, t->prompt.line.text);
    if (t->prompt.kind == PROMPT_FIELD && !takes_file(t)) take_field(t);
}

static void take_path(Tui *t, const char *text) {
    Arena a = {0};
    const char *path = path_typed(text, &a);
    t->scan_asked = path[0] != '\0' && strlen(path) < sizeof t->scan_path;
    if (t->scan_asked) {
        snprintf(t->scan_path, sizeof t->scan_path, "%s", path);
        tui_act(t, ACT_RUN, 0);
    } else {
        tui_say(t, true, path[0] == '\0' ? "scan: which folder?" : "the name is too long");
    }
    arena_free(&a);
}

static void accept(Tui *t) {
    PromptKind kind = t->prompt.kind;
    char text[LINE_MAX_BYTES];
    if (takes_file(t)) take_field(t);
    snprintf(text, sizeof text, "%s", t->prompt.line.text);
    t->prompt.kind = PROMPT_NONE;
    if (kind == PROMPT_COMMAND && text[0] != '\0')
        snprintf(t->prompt.last, sizeof t->prompt.last, "%s", text);
    if (kind == PROMPT_COMMAND) command_run(t, text);
    if (kind == PROMPT_EXPORT) go_write(t, text);
    if (kind == PROMPT_PATH) {
        take_path(t, text);
    }
}

// Keys that move on, from a filter or a field that has taken effect already. A command or a file's name wants
// Enter.
static void move_on(Tui *t, int key) {
    if (t->prompt.kind == PROMPT_COMMAND && key == K_UP) line_set(&t->prompt.line, t->prompt.last);
    if (t->prompt.kind != PROMPT_FILTER && t->prompt.kind != PROMPT_FIELD) return;
    accept(t);
    if (key != K_TAB || t->view == VIEW_WHATIF)
        tui_act(t, key == K_TAB ? ACT_DOWN : keys_find(&t->keys, key), 0);
}

// What was offered gives way to what comes; a figure, to the figure in it.
static void replace_offered(Tui *t, int first) {
    bool figure = (first >= '0' && first <= '9') || first == '.';
    char kept[LINE_MAX_BYTES];
    snprintf(kept, sizeof kept, "%.*s", figure ? (int)t->prompt.kept : 0, t->prompt.line.text);
    line_set(&t->prompt.line, kept);
}

static bool erases(int key) { return key == K_BACKSPACE || key == K_DELETE || key == '\b' || key == 0x7f; }

static bool writes(int key) { return key >= ' ' && key < KEYS_SPECIAL && (key < 0x7f || key >= 0xa0); }

// One key answers, whatever is bound to it.
static void take_overwrite(Tui *t, int key) {
    t->prompt.kind = PROMPT_NONE;
    if (key == 'y' || key == 'Y') {
        export_write(t, t->prompt.line.text);
    } else {
        tui_say(t, false, "nothing was written");
    }
}

void prompt_key(Tui *t, int key) {
    if (t->prompt.kind == PROMPT_OVERWRITE) {
        take_overwrite(t, key);
        return;
    }
    bool offered = t->prompt.offered;
    t->prompt.offered = false;
    tui_hush(t);
    if (key == K_ESC || key == K_CTRL_C) {
        line_set(&t->prompt.line, t->prompt.before);
        if (takes_file(t)) take_field(t);
        typed(t);
        t->prompt.kind = PROMPT_NONE;
    } else if (key == K_ENTER) {
        accept(t);
    } else if (key == K_UP || key == K_DOWN || key == K_PAGE_UP || key == K_PAGE_DOWN || key == K_TAB) {
        move_on(t, key);
    } else {
        if (offered && (writes(key) || erases(key))) replace_offered(t, writes(key) ? key : '0');
        if (line_key(&t->prompt.line, key)) typed(t);
    }
}

// ---------------------------------------------------------------- pasted text

static void paste_done(Tui *t) {
    LineEdit *line = &t->prompt.line;
    const LineEdit before = *line;
    if (t->prompt.kind == PROMPT_OVERWRITE) return;
    if (t->prompt.kind == PROMPT_NONE) {
        Arena a = {0};
        tui_say(t, false,
                "pasted text is no keys, and nothing is being typed here: %s opens a filter, %s a command, "
                "%s a field",
                keys_first(&t->keys, ACT_FILTER, &a), keys_first(&t->keys, ACT_COMMAND, &a),
                keys_first(&t->keys, ACT_OPEN, &a));
        arena_free(&a);
        return;
    }
    if (t->prompt.offered && !t->pasted_lost) replace_offered(t, t->pasted.text[0]);
    if (t->pasted_lost || !line_insert(line, t->pasted.text)) {
        *line = before;
        tui_say(t, true,
                "there is no room for all of the pasted text: the line takes %d bytes; nothing was pasted",
                LINE_MAX_BYTES - 1);
        return;
    }
    t->prompt.offered = false;
    tui_hush(t);
    typed(t);
}

// Ends of lines and tabs become blanks, but none at the end; what else is no character is left out.
void paste_key(Tui *t, int key) {
    if (key == K_PASTE) {
        t->pasting = true;
        t->pasted_lost = false;
        line_set(&t->pasted, "");
    } else if (key == K_PASTED) {
        t->pasting = false;
        while (t->pasted.length > 0 && t->pasted.text[t->pasted.length - 1] == ' ')
            line_key(&t->pasted, K_BACKSPACE);
        paste_done(t);
    } else {
        int character = key == K_ENTER || key == '\n' || key == K_TAB ? ' ' : key;
        size_t length = t->pasted.length;
        if (!writes(character)) return;
        line_key(&t->pasted, character);
        t->pasted_lost = t->pasted_lost || t->pasted.length == length;
    }
}
