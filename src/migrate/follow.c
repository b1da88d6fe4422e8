// Lists of requirements that other lists ("-r base.txt", "-c pins.txt") or install commands name: those
// become files of the scan too, and a ROCm index that one of them names counts for all that pip takes
// together.
#include <stdlib.h>
#include <string.h>

#include "src/migrate/deps.h"
#include "src/migrate/scan.h"

enum {
    LINKS_MAX = 1000,         // names looked up
    KNOWN_LINKS_MAX = 50000,  // and names met again
    COMMAND_FILES_MAX = 5000,
    LISTS_DEEP_MAX = 16,
    LIST_BYTES_MAX = 1 << 20,
    NOTEBOOK_BYTES_MAX = 16 << 20,  // with its pictures
    TARGET_BYTES_MAX = 1000,
    SHOWN_BYTES_MAX = 120
};

// ---------------------------------------------------------------- one line

// A physical line without its comment and without the backslash that joins the next one.
static Str line_part(Str line, bool *ret_joined) {
    line = str_trim(line);
    *ret_joined = line.length > 0 && line.data[line.length - 1] == '\\';
    if (*ret_joined) line = str_trim((Str){line.data, line.length - 1});
    for (size_t i = 1; i < line.length; i++) {
        if (line.data[i] == '#' && (line.data[i - 1] == ' ' || line.data[i - 1] == '\t'))
            return str_trim((Str){line.data, i});
    }
    return line;
}

static Str without_quotes(Str value) {
    char quote = value.length > 1 ? value.data[0] : '\0';
    bool quoted = (quote == '"' || quote == '\'') && value.data[value.length - 1] == quote;
    return quoted ? (Str){value.data + 1, value.length - 2} : value;
}

// Is this an option that names a list? What stands after it; empty where the line ends there.
static bool list_option(Str line, Str *ret_value) {
    static const char *const options[] = {"--requirement", "--constraint", "-r", "-c"};
    for (size_t i = 0; i < COUNT_OF(options); i++) {
        size_t n = strlen(options[i]);
        if (!str_starts(line, options[i])) continue;
        bool apart = line.length == n || line.data[n] == ' ' || line.data[n] == '\t' || line.data[n] == '=';
        if (!apart && options[i][1] == '-') continue;  // only a short option's value may touch it
        size_t from = n + (apart && line.length > n);
        *ret_value = without_quotes(str_trim((Str){line.data + from, line.length - from}));
        return true;
    }
    return false;
}

bool requirements_link(Str *rest, size_t *line, Str *ret_target) {
    Str text;
    bool joined = false;
    bool inside = false;  // this line goes on one that began before
    bool wanted = false;  // by the option at the end of that one
    while (str_next(rest, '\n', &text)) {
        ++*line;
        Str part = line_part(text, &joined);
        bool comment = !inside && part.length > 0 && part.data[0] == '#';
        *ret_target = (Str){"", 0};
        if (wanted) {
            *ret_target = without_quotes(part);
        } else if (!inside) {
            wanted = list_option(part, ret_target);
        }
        if (ret_target->length > 0) return true;
        inside = joined && !comment;
        wanted = wanted && inside;
    }
    return false;
}

const char *link_path(Arena *a, const char *from, Str target) {
    const char *slash = strrchr(from, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash - from);
    char *path = arena_alloc(a, length + target.length + 2, 1);
    if (target.length == 0 || target.data[0] == '/' || memchr(target.data, '\0', target.length) != NULL)
        return NULL;
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
    size_t depth;  // 0: found by the walk
    size_t file;   // among the walk's files; SIZE_MAX: added
    bool vendored;
    bool rocm_index;  // names one, or shares one with what it is taken together with
} List;

typedef struct Link {
    size_t from, to;
} Link;

typedef struct Follow {
    Walk *walk;
    Buf lists;     // List; grows while it is gone through
    Buf links;     // Link
    size_t first;  // of those that the walk did not find
    size_t asked;  // names looked up that were not known yet
    size_t met;    // and names met again
} Follow;

// The order in which the walk comes to paths: what is in a folder stands before names that start with the
// folder's.
static int path_order(const char *x, const char *y) {
    while (*x != '\0' && *x == *y) {
        x++;
        y++;
    }
    int c = *x == '/' ? 0 : (unsigned char)*x;
    int d = *y == '/' ? 0 : (unsigned char)*y;
    return c - d;
}

static int by_path(const void *a, const void *b) {
    return path_order(((const WalkFile *)a)->path, ((const WalkFile *)b)->path);
}

static int list_at_path(const void *path, const void *row) {
    return path_order(path, ((const List *)row)->path);
}

static List *list_at(const Follow *f, size_t i) { return (List *)(void *)f->lists.data + i; }

static size_t list_of(const Follow *f, const char *path) {
    size_t n = f->lists.length / sizeof(List);
    const List *lists = (const List *)(const void *)f->lists.data;
    const List *x = row_find(path, lists, f->first, sizeof *x, list_at_path);
    if (x == NULL && n > f->first) x = row_named(path, lists + f->first, n - f->first, sizeof *x);
    return x != NULL ? (size_t)(x - lists) : SIZE_MAX;
}

// A name that leads nowhere, by itself. In a command the shell has a say too.
static const char *why_no_path(Str target, bool command) {
    if (str_has(target, "://") || str_starts(target, "file:")) return "an address, not fetched";
    if (str_has(target, command ? "$" : "${")) return "its name depends on the environment, not followed";
    return target.length > TARGET_BYTES_MAX ? "its name is too long, not followed" : NULL;
}

// NULL: `ret_list` is the list, new or known already; SIZE_MAX: the file is read as it is. Else why it is not
// followed.
static const char *take_path(Follow *f, const char *path, size_t depth, size_t *ret_list) {
    Walk *w = f->walk;
    WalkFile key = {.path = path};
    size_t n = w->files.length / sizeof key;
    WalkFile *known = n > 0 ? bsearch(&key, w->files.data, n, sizeof key, by_path) : NULL;
    *ret_list = list_of(f, path);
    if (*ret_list != SIZE_MAX) return NULL;
    if (known != NULL && (known->c || known->kind != TEXT_NONE))
        return "read as another kind of file, not as a list";
    if (depth > LISTS_DEEP_MAX) return "more than 16 lists deep, not followed";
    List list = {.path = path,
                 .depth = depth,
                 .file = known == NULL ? SIZE_MAX : (size_t)(known - (WalkFile *)(void *)w->files.data)};
    const char *why = walk_why_not(w, path, &list.vendored);
    if (why != NULL) return why;
    if (known != NULL) known->kind = TEXT_REQUIREMENTS;
    *ret_list = f->lists.length / sizeof list;
    buf_add(&f->lists, (const char *)&list, sizeof list);
    return NULL;
}

// Counts a name against the limits; false with a note, once, when they are reached.
static bool may_go_on(Follow *f, const char *path, size_t line, bool new) {
    size_t *count = new ? &f->asked : &f->met;
    size_t limit = new ? LINKS_MAX : KNOWN_LINKS_MAX;
    if (++*count == limit + 1)
        walk_note(f->walk, path,
                  arena_printf(f->walk->arena,
                               "line %zu: more than %zu lists named in the tree: the rest was not followed",
                               line, limit));
    return *count <= limit;
}

static bool is_over(const Follow *f) { return f->asked > LINKS_MAX || f->met > KNOWN_LINKS_MAX; }

static void note_target(Follow *f, const char *path, size_t line, Str target, const char *why) {
    int shown = target.length < SHOWN_BYTES_MAX ? (int)target.length : SHOWN_BYTES_MAX;
    walk_note(
        f->walk, path,
        arena_printf(f->walk->arena, "line %zu names the list '%.*s': %s", line, shown, target.data, why));
}

// The lists that the list `from` names.
static void links_of(Follow *f, size_t from) {
    Walk *w = f->walk;
    List list = *list_at(f, from);
    Arena scratch = {0};
    Str text, target;
    size_t line = 0;
    if (!walk_read(w, list.path, LIST_BYTES_MAX, &scratch, &text)) {
        walk_note(w, list.path,
                  "lists that it may name were not looked for: it is over 1 MiB or cannot be read");
        w->unreadable++;  // what those would add to the days is not known
        text = (Str){"", 0};
    }
    if (memchr(text.data, '\0', text.length) != NULL) text.length = 0;
    list_at(f, from)->rocm_index = list.rocm_index || requirements_have_rocm_index(text);
    for (Str rest = text; !is_over(f) && requirements_link(&rest, &line, &target);) {
        Link link = {from, SIZE_MAX};
        size_t before = f->lists.length;
        const char *why = why_no_path(target, false);
        const char *path = why == NULL && !w->single ? link_path(w->arena, list.path, target) : NULL;
        if (path != NULL) {
            why = take_path(f, path, list.depth + 1, &link.to);
        } else if (why == NULL) {
            why = "outside the scanned tree, not followed";
        }
        if (!may_go_on(f, list.path, line, why != NULL || f->lists.length > before)) break;
        if (why != NULL) note_target(f, list.path, line, target, why);
        if (link.to != SIZE_MAX && link.to != from) buf_add(&f->links, (const char *)&link, sizeof link);
    }
    arena_free(&scratch);
}

// ---------------------------------------------------------------- lists that commands name

typedef struct CommandFile {
    Follow *follow;
    const char *path;
} CommandFile;

// Commands run from the top of the tree or from the file's own folder: the first of the two that has the
// list.
static void on_list(void *context, const ListHit *h) {
    const CommandFile *in = context;
    Follow *f = in->follow;
    Walk *w = f->walk;
    size_t list = SIZE_MAX;
    size_t before = f->lists.length;
    if (is_over(f)) return;
    const char *why = why_no_path(h->target, true);
    const char *const from[] = {"", in->path};
    const char *found = NULL;
    for (size_t i = 0; why == NULL && found == NULL && i < COUNT_OF(from); i++) {
        const char *path = link_path(w->arena, from[i], h->target);
        const char *why_here =
            path == NULL ? "outside the scanned tree, not followed" : take_path(f, path, 1, &list);
        if (why_here == NULL) found = path;
        if (found == NULL && i + 1 == COUNT_OF(from)) why = why_here;
    }
    if (!may_go_on(f, in->path, h->line, why != NULL || f->lists.length > before)) return;
    if (why != NULL) note_target(f, in->path, h->line, h->target, why);
    if (list != SIZE_MAX && h->rocm_index) list_at(f, list)->rocm_index = true;
}

static void commands_of(Follow *f, const char *path, TextKind kind) {
    Arena scratch = {0};
    Str text;
    CommandFile in = {f, path};
    TextSink sink = {.context = &in, .list = on_list};
    bool read = walk_read(f->walk, path, kind == TEXT_NOTEBOOK ? NOTEBOOK_BYTES_MAX : LIST_BYTES_MAX,
                          &scratch, &text) &&
                memchr(text.data, '\0', text.length) == NULL;
    if (read && str_has(text, "install")) command_lists(kind, text, &sink, &scratch);
    arena_free(&scratch);
}

static void all_commands(Follow *f) {
    Walk *w = f->walk;
    size_t seen = 0;
    size_t n = w->single ? 0 : w->files.length / sizeof(WalkFile);
    for (size_t i = 0; i < n; i++) {
        WalkFile file = ((const WalkFile *)(const void *)w->files.data)[i];
        if (file.c || !has_commands((TextKind)file.kind)) continue;
        scan_progress(w->options, SCAN_LISTS, i + 1, n);
        if (++seen <= COMMAND_FILES_MAX) commands_of(f, file.path, (TextKind)file.kind);
    }
    if (seen > COMMAND_FILES_MAX)
        walk_note(
            w, "",
            arena_printf(
                w->arena,
                "lists that commands install were looked for in the first %d of %zu files with commands",
                COMMAND_FILES_MAX, seen));
}

// ---------------------------------------------------------------- together

// pip takes a list and all that it names together, with the indexes of all of them: what a list below brings
// counts above, and then for everything below that.
static void share_indexes(Follow *f) {
    const Link *links = (const Link *)(const void *)f->links.data;
    size_t n = f->links.length / sizeof *links;
    for (int down = 0; down < 2; down++) {
        for (bool changed = true; changed;) {
            changed = false;
            for (size_t i = 0; i < n; i++) {
                const Link *link = &links[down != 0 ? i : n - 1 - i];
                List *to = list_at(f, down != 0 ? link->to : link->from);
                bool has = list_at(f, down != 0 ? link->from : link->to)->rocm_index;
                changed = changed || (has && !to->rocm_index);
                to->rocm_index = to->rocm_index || has;
            }
        }
    }
}

static void add_files(Follow *f) {
    Walk *w = f->walk;
    size_t n = w->files.length;
    for (size_t i = 0; i < f->lists.length / sizeof(List); i++) {
        const List *list = list_at(f, i);
        WalkFile file = {.path = list->path,
                         .vendored = list->vendored,
                         .kind = TEXT_REQUIREMENTS,
                         .rocm_index = list->rocm_index};
        if (list->file == SIZE_MAX) buf_add(&w->files, (const char *)&file, sizeof file);
        if (list->file != SIZE_MAX)
            ((WalkFile *)(void *)w->files.data)[list->file].rocm_index = list->rocm_index;
    }
    if (w->files.length > n)
        qsort(w->files.data, w->files.length / sizeof(WalkFile), sizeof(WalkFile), by_path);
}

bool follow_lists(Walk *w) {
    Follow f = {.walk = w};
    buf_init(&f.lists, BUF_LIMIT);
    buf_init(&f.links, BUF_LIMIT);
    const WalkFile *files = (const WalkFile *)(const void *)w->files.data;
    for (size_t i = 0; i < w->files.length / sizeof *files; i++) {
        List list = {.path = files[i].path, .file = i, .vendored = files[i].vendored};
        if (!files[i].c && files[i].kind == TEXT_REQUIREMENTS)
            buf_add(&f.lists, (const char *)&list, sizeof list);
    }
    f.first = f.lists.length / sizeof(List);
    all_commands(&f);
    for (size_t i = 0; i < f.lists.length / sizeof(List) && !is_over(&f); i++) links_of(&f, i);
    bool whole = !f.lists.overflow && !f.links.overflow;
    if (whole) {
        share_indexes(&f);
        add_files(&f);
    }
    buf_free(&f.lists);
    buf_free(&f.links);
    return whole;
}
