// Lists of requirements that name other lists ("-r base.txt", "-c pins.txt"): those become files of the scan too.
#include <stdlib.h>
#include <string.h>

#include "src/migrate/deps.h"
#include "src/migrate/scan.h"

enum { LINKS_MAX = 1000, LISTS_DEEP_MAX = 16, LIST_BYTES_MAX = 1 << 20, TARGET_BYTES_MAX = 1000, SHOWN_BYTES_MAX = 120 };

// ---------------------------------------------------------------- one line

// What stands after the option; empty where there is none.
static Str option_value(Str line) {
    static const char *const options[] = {"--requirement", "--constraint", "-r", "-c"};
    for (size_t i = 0; i < COUNT_OF(options); i++) {
        size_t n = strlen(options[i]);
        if (!str_starts(line, options[i]) || line.length == n) continue;
        bool apart = line.data[n] == ' ' || line.data[n] == '\t' || line.data[n] == '=';
        if (!apart && options[i][1] == '-') continue;  // only a short option's value may touch it
        Str value = str_trim((Str){line.data + n + apart, line.length - n - apart});
        char quote = value.length > 1 ? value.data[0] : '\0';
        bool quoted = (quote == '"' || quote == '\'') && value.data[value.length - 1] == quote;
        return quoted ? (Str){value.data + 1, value.length - 2} : value;
    }
    return (Str){"", 0};
}

static Str without_comment(Str line) {
    for (size_t i = 1; i < line.length; i++) {
        if (line.data[i] == '#' && (line.data[i - 1] == ' ' || line.data[i - 1] == '\t')) return str_trim((Str){line.data, i});
    }
    return line;
}

bool requirements_link(Str *rest, size_t *line, Str *ret_target) {
    Str text;
    while (str_next(rest, '\n', &text)) {
        ++*line;
        text = str_trim(text);
        if (text.length == 0 || text.data[0] != '-') continue;
        *ret_target = option_value(without_comment(text));
        if (ret_target->length > 0) return true;
    }
    return false;
}

const char *link_path(Arena *a, const char *from, Str target) {
    const char *slash = strrchr(from, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash - from);
    char *path = arena_alloc(a, length + target.length + 2, 1);
    if (target.length == 0 || target.data[0] == '/' || memchr(target.data, '\0', target.length) != NULL) return NULL;
    memcpy(path, from, length);
    Str part;
    while (str_next(&target, '/', &part)) {
        if (part.length == 0 || str_is(part, ".")) continue;
        if (str_is(part, "..")) {
            if (length == 0) return NULL;
            while (length > 0 && path[length - 1] != '/') length--;
            if (length > 0) length--;
            continue;
        }
        if (length > 0) path[length++] = '/';
        memcpy(path + length, part.data, part.length);
        length += part.length;
    }
    path[length] = '\0';
    return length > 0 ? path : NULL;
}

// ---------------------------------------------------------------- all lists

typedef struct List {
    const char *path;
    size_t depth;      // 0: found by the walk
    bool vendored, added;  // added: not among the walk's files
} List;

typedef struct Follow {
    Walk *walk;
    Buf lists;       // List; grows while it is gone through
    size_t first;    // of those that the walk did not find
    size_t asked;    // names looked up that were not known yet
} Follow;

// The order in which the walk comes to paths: what is in a folder stands before names that start with the folder's.
static int by_path(const void *a, const void *b) {
    const WalkFile *p = a;
    const WalkFile *q = b;
    const char *x = p->path;
    const char *y = q->path;
    while (*x != '\0' && *x == *y) {
        x++;
        y++;
    }
    int c = *x == '/' ? 0 : (unsigned char)*x;
    int d = *y == '/' ? 0 : (unsigned char)*y;
    return c - d;
}

static bool is_added(const Follow *f, const char *path) {
    const List *lists = (const List *)(const void *)f->lists.data;
    for (size_t i = f->first; i < f->lists.length / sizeof *lists; i++) {
        if (strcmp(lists[i].path, path) == 0) return true;
    }
    return false;
}

static const char *why_no_path(Str target) {
    if (str_contains(target, "://") || str_starts(target, "file:")) return "an address, not fetched";
    if (str_contains(target, "${")) return "its name depends on the environment, not followed";
    return target.length > TARGET_BYTES_MAX ? "its name is too long, not followed" : NULL;
}

// NULL: followed, or known already. Else why not.
static const char *follow(Follow *f, const List *from, Str target) {
    Walk *w = f->walk;
    const char *why = why_no_path(target);
    const char *path = why == NULL && !w->single ? link_path(w->arena, from->path, target) : NULL;
    if (path == NULL) return why != NULL ? why : "outside the scanned tree, not followed";
    WalkFile key = {.path = path};
    size_t n = w->files.length / sizeof key;
    WalkFile *known = n > 0 ? bsearch(&key, w->files.data, n, sizeof key, by_path) : NULL;
    if (known != NULL && known->kind == TEXT_REQUIREMENTS) return NULL;
    if (known != NULL && (known->c || known->kind != TEXT_NONE)) return "read as another kind of file, not as a list";
    if (is_added(f, path)) return NULL;
    if (from->depth >= LISTS_DEEP_MAX) return "more than 16 lists deep, not followed";
    List list = {.path = path, .depth = from->depth + 1, .added = known == NULL};
    why = walk_why_not(w, path, &list.vendored);
    if (why != NULL) return why;
    if (known != NULL) known->kind = TEXT_REQUIREMENTS;
    buf_add(&f->lists, (const char *)&list, sizeof list);
    return NULL;
}

static void links_of(Follow *f, const List *list) {
    Walk *w = f->walk;
    Arena scratch = {0};
    Str text, target;
    size_t line = 0;
    if (!walk_read(w, list->path, LIST_BYTES_MAX, &scratch, &text)) {
        walk_note(w, list->path, "lists that it may name were not looked for: it is over 1 MiB or cannot be read");
        text = (Str){"", 0};
    }
    if (memchr(text.data, '\0', text.length) != NULL) text.length = 0;
    for (Str rest = text; f->asked <= LINKS_MAX && requirements_link(&rest, &line, &target);) {
        size_t before = f->lists.length;
        const char *why = follow(f, list, target);
        f->asked += why != NULL || f->lists.length > before;
        if (f->asked > LINKS_MAX) {
            walk_note(w, list->path, arena_printf(w->arena, "line %zu: more than %d lists named in the tree: the rest was not followed", line, LINKS_MAX));
        } else if (why != NULL) {
            int shown = target.length < SHOWN_BYTES_MAX ? (int)target.length : SHOWN_BYTES_MAX;
            walk_note(w, list->path, arena_printf(w->arena, "line %zu names the list '%.*s': %s", line, shown, target.data, why));
        }
    }
    arena_free(&scratch);
}

static void add_files(Follow *f) {
    Walk *w = f->walk;
    const List *lists = (const List *)(const void *)f->lists.data;
    size_t n = w->files.length;
    for (size_t i = f->first; i < f->lists.length / sizeof *lists; i++) {
        WalkFile file = {.path = lists[i].path, .vendored = lists[i].vendored, .kind = TEXT_REQUIREMENTS};
        if (lists[i].added) buf_add(&w->files, (const char *)&file, sizeof file);
    }
    if (w->files.length > n) qsort(w->files.data, w->files.length / sizeof(WalkFile), sizeof(WalkFile), by_path);
}

bool follow_lists(Walk *w) {
    Follow f = {.walk = w};
    buf_init(&f.lists, BUF_LIMIT);
    const WalkFile *files = (const WalkFile *)(const void *)w->files.data;
    for (size_t i = 0; i < w->files.length / sizeof *files; i++) {
        List list = {.path = files[i].path, .vendored = files[i].vendored};
        if (!files[i].c && files[i].kind == TEXT_REQUIREMENTS) buf_add(&f.lists, (const char *)&list, sizeof list);
    }
    f.first = f.lists.length / sizeof(List);
    for (size_t i = 0; i < f.lists.length / sizeof(List) && f.asked <= LINKS_MAX; i++) {
        List list = ((const List *)(const void *)f.lists.data)[i];
        links_of(&f, &list);
    }
    bool whole = !f.lists.overflow;
    add_files(&f);
    buf_free(&f.lists);
    return whole;
}
