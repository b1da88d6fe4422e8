// One file: its edits from the rules of its language, then a comment at every finding that none of them
// settles.
#include "src/migrate/fix.h"

#include <stdlib.h>
#include <string.h>

#include "src/migrate/effort_sum.h"

const char *const fix_what_names[] = {"include", "mask",   "guard", "warp-size",
                                      "build",   "deploy", "todo",  NULL};

void fix_open(Fix *f, const PortingFacts *facts, const CWords *words, Arena *a) {
    *f = (Fix){.facts = facts, .words = words, .arena = a};
    f->renamed = arena_alloc(a, facts->n_names + 1, 1);
    Buf *const buffers[] = {&f->constants, &f->hip_headers, &f->packages, &f->cmake, &f->tokens};
    for (size_t i = 0; i < COUNT_OF(buffers); i++) buf_init(buffers[i], BUF_LIMIT);
}

void fix_close(Fix *f) {
    Buf *const buffers[] = {&f->constants, &f->hip_headers, &f->packages, &f->cmake, &f->tokens};
    for (size_t i = 0; i < COUNT_OF(buffers); i++) buf_free(buffers[i]);
}

// ---------------------------------------------------------------- comments

// A rule, and the line (from 0) before which its comment stands.
typedef struct Todo {
    size_t line;
    const PortRule *rule;
} Todo;

static int by_line(const void *a, const void *b) {
    const Todo *x = a;
    const Todo *y = b;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    return strcmp(x->rule->rule, y->rule->rule);
}

// A comment can be written in this file, and people read it.
static bool takes_comments(const FixFile *f) {
    return f->c || (f->kind != TEXT_NOTEBOOK && f->kind != TEXT_JSON_LOCK && f->kind != TEXT_NONE &&
                    f->kind < TEXT_FORTRAN);
}

// Up to the nearest line that a comment may stand before; 0 always may. A preprocessor line that continues
// begins further up, and so does a string.
static size_t room_above(const FixLines *l, size_t line) {
    if (line >= l->n) line = l->n > 0 ? l->n - 1 : 0;
    while (line > 0 && !l->free[line]) line--;
    return line;
}

static void add_todo(const FixWork *w, Buf *todos, const PortRule *r, size_t line) {
    const Todo *seen = (const Todo *)(const void *)todos->data;
    for (size_t i = todos->length / sizeof *seen; i > 0 && r->per == UNIT_FILE; i--) {
        if (seen[i - 1].rule == r) return;  // of the whole file: said once
    }
    if (r->port_class == PORT_AUTOMATIC) return;
    Todo t = {room_above(&w->lines, line > 0 ? line - 1 : 0), r};
    buf_add(todos, (const char *)&t, sizeof t);
}

// Does one of the comments directly above `line` say this already?
static bool is_said(const FixWork *w, size_t line, const char *rule) {
    for (size_t k = line; k > 0; k--) {
        Str s = str_trim(fix_line(&w->lines, w->file->text, k - 1));
        const char *const marks[] = {"// TODO(rocm): ", "/* TODO(rocm): ", "# TODO(rocm): "};
        size_t n = 0;
        for (size_t m = 0; m < COUNT_OF(marks) && n == 0; m++) {
            size_t length = strlen(marks[m]);
            if (s.length > length && memcmp(s.data, marks[m], length) == 0) n = length;
        }
        if (n == 0) return false;
        size_t length = strlen(rule);
        if (s.length > n + length && memcmp(s.data + n, rule, length) == 0 && s.data[n + length] == ':')
            return true;
    }
    return false;
}

static void write_todo(FixWork *w, const Todo *t) {
    Str line = fix_line(&w->lines, w->file->text, t->line);
    size_t indent = 0;
    while (indent < line.length && (line.data[indent] == ' ' || line.data[indent] == '\t')) indent++;
    // A recipe of Make begins with a tab; a comment with one would go to the shell.
    if (!w->file->c && w->file->kind == TEXT_MAKE) indent = 0;
    const char *dot = strrchr(path_name(w->file->path), '.');
    bool plain_c = w->file->c && dot != NULL && (strcmp(dot, ".c") == 0 || strcmp(dot, ".h") == 0);
    const char *open = !w->file->c ? "#" : plain_c ? "/*" : "//";
    fix_edit(w, FIX_TODO, w->lines.starts[t->line], 0,
             arena_printf(w->arena, "%.*s%s TODO(rocm): %s: %s%s%s", (int)indent, line.data, open,
                          t->rule->rule, t->rule->what, plain_c ? " */" : "", fix_newline(w->file->text)));
}

// Was the line written by a run of this program?
static bool is_generated(Str line) {
    static const char *const marks[] = {"TODO(rocm): ",   "GPU_HIP",  "GPU_COMPAT_HIP", "gpu_target(",
                                        "gpu_packages()", FIX_HEADER, FIX_CMAKE,        "# AMD: "};
    for (size_t i = 0; i < COUNT_OF(marks); i++) {
        if (str_has(line, marks[i])) return true;
    }
    return false;
}

// Does the line follow the other one, but for what runs of this program put between them? One comment then
// stands for both.
static bool follows(const FixWork *w, size_t line, size_t other) {
    while (line > other && line > 0) {
        line--;
        if (line == other) return true;
        if (!is_generated(fix_line(&w->lines, w->file->text, line))) return false;
    }
    return false;
}

static void write_todos(FixWork *w) {
    Buf todos;
    buf_init(&todos, BUF_LIMIT);
    for (size_t i = 0; i < w->file->n_findings; i++) {
        const ScanFinding *f = &w->file->findings[i];
        if (!w->settled[i]) add_todo(w, &todos, &w->fix->facts->rules[f->rule], f->line);
    }
    for (size_t i = 0; i < w->file->n_dependencies; i++) {
        const ScanDependency *d = &w->file->dependencies[i];
        if (d->rule != NULL && d->library == NULL) add_todo(w, &todos, d->rule, d->line);
    }
    Todo *list = (Todo *)(void *)todos.data;
    size_t n = todos.length / sizeof *list;
    if (n > 0) qsort(list, n, sizeof *list, by_line);
    for (size_t i = 0; i < n; i++) {
        bool again = false;
        for (size_t k = i; k > 0 && !again; k--) {
            if (list[k - 1].rule != list[i].rule) continue;
            again = list[k - 1].line == list[i].line || follows(w, list[i].line, list[k - 1].line);
            break;
        }
        if (!again && !is_said(w, list[i].line, list[i].rule->rule)) write_todo(w, &list[i]);
    }
    buf_free(&todos);
}

// ---------------------------------------------------------------- one file

typedef struct Placed {
    FixEdit edit;
    size_t order;
} Placed;

static int by_place(const void *a, const void *b) {
    const Placed *x = a;
    const Placed *y = b;
    if (x->edit.at != y->edit.at) return x->edit.at < y->edit.at ? -1 : 1;
    // What is put in comes before what is replaced at the same place.
    if ((x->edit.length == 0) != (y->edit.length == 0)) return x->edit.length == 0 ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

// Sorted; of two that overlap the first one holds.
static size_t settle_edits(const Buf *edits, Arena *a, FixEdit **ret) {
    const FixEdit *rows = (const FixEdit *)(const void *)edits->data;
    size_t n = edits->length / sizeof *rows;
    Placed *placed = arena_alloc(a, n + 1, sizeof *placed);
    FixEdit *list = arena_alloc(a, n + 1, sizeof *list);
    for (size_t i = 0; i < n; i++) placed[i] = (Placed){rows[i], i};
    if (n > 0) qsort(placed, n, sizeof *placed, by_place);
    size_t kept = 0;
    size_t end = 0;
    for (size_t i = 0; i < n; i++) {
        if (placed[i].edit.at < end) continue;
        end = placed[i].edit.at + placed[i].edit.length;
        list[kept++] = placed[i].edit;
    }
    *ret = list;
    return kept;
}

static FixWork work_on(Fix *f, const FixFile *file, Arena *a) {
    FixWork w = {.fix = f, .file = file, .arena = a};
    w.settled = arena_alloc(a, file->n_findings + 1, 1);
    w.lines = fix_lines(file, a);
    buf_init(&w.edits, BUF_LIMIT);
    if (file->c) {
        fix_c(&w);
    } else {
        fix_build(&w);
        fix_deploy(&w);
    }
    return w;
}

size_t fix_file(Fix *f, const FixFile *file, Arena *a, FixEdit **ret_edits, bool *ret_compat) {
    FixWork w = work_on(f, file, a);
    // Comments come first in the list of their place, so that they stand above what is put in there.
    if (takes_comments(file)) write_todos(&w);
    size_t n = settle_edits(&w.edits, a, ret_edits);
    for (size_t i = 0; i < n; i++) f->counts[(*ret_edits)[i].what]++;
    *ret_compat = w.compat;
    buf_free(&w.edits);
    return n;
}

// The line from `from` to `to` with the edits that lie in it made; NULL: none does.
static const char *edited_line(Str text, size_t from, size_t to, const FixEdit *edits, size_t n, Arena *a) {
    enum { SHOWN_BYTES_MAX = 400 };  // longer ones nobody reads as a line
    size_t first = 0;
    size_t high = n;
    if (to - from > SHOWN_BYTES_MAX) return NULL;
    while (first < high) {
        size_t middle = first + (high - first) / 2;
        if (edits[middle].at < from) {
            first = middle + 1;
        } else {
            high = middle;
        }
    }
    size_t last = first;
    while (last < n && edits[last].length > 0 && edits[last].at + edits[last].length <= to) last++;
    if (last == first) return NULL;
    FixEdit *here = arena_alloc(a, last - first, sizeof *here);
    for (size_t i = first; i < last; i++) {
        here[i - first] = edits[i];
        here[i - first].at -= from;
    }
    Str line = str_trim(fix_apply((Str){text.data + from, to - from}, here, last - first, a));
    return arena_copy(a, line.data, line.length);
}

const char **fix_line_texts(Fix *f, const FixFile *file, Arena *a) {
    FixWork w = work_on(f, file, a);
    FixEdit *edits = NULL;
    size_t n = settle_edits(&w.edits, a, &edits);
    const char **texts = arena_alloc(a, file->n_findings + 1, sizeof *texts);
    for (size_t i = 0; i < file->n_findings; i++) {
        size_t line = file->findings[i].line;
        if (w.settled[i] == 0 || line == 0 || line > w.lines.n) continue;
        texts[i] = edited_line(file->text, w.lines.starts[line - 1], w.lines.starts[line], edits, n, a);
    }
    buf_free(&w.edits);
    return texts;
}
