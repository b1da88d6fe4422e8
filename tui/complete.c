// The rest of a word that was begun in a prompt: files, columns, choices, names of the catalog.
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "tui/command.h"
#include "tui/prompt.h"

typedef struct Choices {
    const char **list;
    size_t n, capacity;
    Arena *arena;
    const char *begun;  // what they begin with, capitals aside
} Choices;

static bool begins(const char *text, const char *begun) {
    while (*begun != '\0' && char_lower(*text) == char_lower(*begun)) text++, begun++;
    return *begun == '\0';
}

static void offer(Choices *c, const char *text) {
    if (!begins(text, c->begun)) return;
    for (size_t i = 0; i < c->n; i++) {
        if (strcmp(c->list[i], text) == 0) return;
    }
    c->list = arena_grow(c->arena, (void *)c->list, c->n, &c->capacity, sizeof *c->list);
    c->list[c->n++] = text;
}

static void offer_columns(Choices *c, const Listing *l) {
    for (size_t i = 0; l != NULL && i < l->n_columns; i++) offer(c, l->columns[i].key);
}

// The texts of the first column of what a command lists.
static void offer_names(Choices *c, Tui *t, const char *const *words, size_t n) {
    TuiAnswer answer = {0};
    Err e = {0};
    if (!tui_ask(t, words, n, c->arena, &answer, &e) || answer.n_listings == 0) return;
    const Listing *l = &answer.listings[0];
    for (size_t r = 0; r < l->n_rows && !l->columns[0].number; r++) offer(c, l->cells[r * l->n_columns].text);
}

// Files of a folder; hidden ones only when asked for, and none whose name cannot be typed.
static void offer_files(Choices *c, const char *begun) {
    const char *slash = strrchr(begun, '/');
    const char *folder = slash == NULL ? "." : arena_copy(c->arena, begun, (size_t)(slash - begun) + 1);
    const char *kept = slash == NULL ? "" : folder;
    const char *opened = path_typed(folder, c->arena);
    const char *name = slash == NULL ? begun : slash + 1;
    DIR *dir = opendir(opened);
    for (struct dirent *d = dir != NULL ? readdir(dir) : NULL; d != NULL; d = readdir(dir)) {
        struct stat is;
        if (d->d_name[0] == '.' && name[0] != '.') continue;
        if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0) continue;
        if (strcmp(text_clean(c->arena, d->d_name), d->d_name) != 0) continue;
        bool is_folder =
            stat(arena_printf(c->arena, "%s/%s", opened, d->d_name), &is) == 0 && S_ISDIR(is.st_mode);
        offer(c, arena_printf(c->arena, "%s%s%s", kept, d->d_name, is_folder ? "/" : ""));
    }
    if (dir != NULL) closedir(dir);
}

static void offer_field_values(Choices *c, Tui *t, size_t field) {
    static const struct {
        const char *option;
        const char *words[WORDS_MAX];
    } lists[] = {{"workload", {"workloads"}},
                 {"model", {"models"}},
                 {"gpu", {"gpus"}},
                 {"exclude-gpu", {"gpus"}},
                 {"traffic", {"traffic", "list"}},
                 {"provider", {"prices", "list", "--group-by", "provider"}},
                 {"exclude-provider", {"prices", "list", "--group-by", "provider"}}};
    const TuiOption *o = field_option(t, field);
    if (o == NULL) return;
    for (size_t i = 0; o->choices != NULL && o->choices[i] != NULL; i++) offer(c, o->choices[i]);
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        if (strcmp(lists[i].option, o->name) == 0)
            offer_names(c, t, lists[i].words, words_of(lists[i].words));
    }
    if (o->file) offer_files(c, c->begun);
}

// What may follow the first word of the screen's own commands.
static void offer_arguments(Choices *c, Str command) {
    if (str_is(command, "w") || str_is(command, "write")) offer_files(c, c->begun);
    for (size_t i = 0; str_is(command, "view") && tui_view_names[i] != NULL; i++) offer(c, tui_view_names[i]);
    for (size_t i = 0; str_is(command, "theme") && tui_theme_names[i] != NULL; i++)
        offer(c, tui_theme_names[i]);
    for (size_t i = 0; str_is(command, "set") && i < n_fields; i++) offer(c, field_table[i].option);
}

// Of ":" from its second word on, and commands by their first words.
static void offer_commands(Choices *c, Tui *t, const char *line, size_t from) {
    Str first = {line, strcspn(line, " ")};
    if (from > 0) offer_arguments(c, first);
    for (size_t i = 0; from == 0 && command_name(i) != NULL; i++) offer(c, command_name(i));
    for (size_t i = 0; i < t->host->n_commands; i++) {
        const char *name = t->host->commands[i].name;
        if (from == 0 || strncmp(name, line, from) == 0)
            offer(c, arena_copy(c->arena, name + from, strcspn(name + from, " ")));
    }
}

// Where the word before the cursor begins, in a line of this kind.
static size_t word_start(PromptKind kind, const char *text, size_t at) {
    const char *between = kind == PROMPT_SORT                            ? ",- "
                          : kind == PROMPT_FILTER || kind == PROMPT_FIND ? " |!\""
                          : kind == PROMPT_FIELD                         ? ","
                          : kind == PROMPT_COMMAND                       ? " "
                                                                         : "";
    while (at > 0 && (between[0] == '\0' || strchr(between, text[at - 1]) == NULL)) at--;
    return at;
}

static void gather(Choices *c, Tui *t, const char *line, size_t from) {
    const Listing *l = view_now(t)->list.of;
    switch (t->prompt.kind) {
    case PROMPT_EXPORT:
    case PROMPT_FLEET:
    case PROMPT_PATH: offer_files(c, c->begun); break;
    case PROMPT_SORT: offer_columns(c, l); break;
    case PROMPT_FILTER:
    case PROMPT_FIND:
        if (c->begun[0] != '\0') offer_columns(c, l);
        break;
    case PROMPT_FIELD: offer_field_values(c, t, t->fields.cursor); break;
    case PROMPT_COMMAND: offer_commands(c, t, line, from); break;
    default: break;
    }
}

// As far as all of them are the same.
static size_t common(const Choices *c) {
    size_t n = c->n > 0 ? strlen(c->list[0]) : 0;
    for (size_t i = 1; i < c->n; i++) {
        size_t same = 0;
        while (same < n && c->list[i][same] == c->list[0][same]) same++;
        n = same;
    }
    return n;
}

static void say_choices(Tui *t, const Choices *c) {
    enum { NAMED_MAX = 12 };
    const char *text = "";
    for (size_t i = 0; i < c->n && i < NAMED_MAX; i++)
        text = arena_printf(c->arena, "%s  %s", text, c->list[i]);
    if (c->n > NAMED_MAX) text = arena_printf(c->arena, "%s  and %zu more", text, c->n - NAMED_MAX);
    tui_say(t, false, "%s", text + strspn(text, " "));
}

bool prompt_complete(Tui *t) {
    LineEdit *line = &t->prompt.line;
    Arena a = {0};
    size_t from = word_start(t->prompt.kind, line->text, line->at);
    size_t length = line->at - from;
    Choices c = {.arena = &a, .begun = arena_copy(&a, line->text + from, length)};
    gather(&c, t, line->text, from);
    size_t whole = common(&c);
    bool more = whole > length;
    if (more) {
        LineEdit with = *line;
        memmove(with.text + from, with.text + line->at, with.length - with.at + 1);
        with.length -= length;
        with.at = from;
        bool ends = c.n == 1 && t->prompt.kind == PROMPT_COMMAND && c.list[0][whole - 1] != '/';
        if (line_insert(&with, arena_printf(&a, "%.*s%s", (int)whole, c.list[0], ends ? " " : "")))
            *line = with;
    } else if (c.n > 1) {
        say_choices(t, &c);
    }
    more = more || c.n > 1;
    arena_free(&a);
    return more;
}
