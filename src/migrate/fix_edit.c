// What the rules of all languages call while they work on a file: paths of the tree, edits, what an edit settles.
#include <string.h>

#include "src/migrate/fix.h"

static int by_base(const void *key, const void *row) {
    const char *base = path_name(*(const char *const *)row);
    return order_name_str(key, &base);
}

bool fix_has_file(const Fix *f, Str name) {
    return row_find(&name, f->files, f->n_files, sizeof *f->files, by_base) != NULL;
}

const char *fix_relative(Arena *a, const char *from, const char *to) {
    size_t common = 0;
    for (size_t i = 0; from[i] != '\0' && from[i] == to[i]; i++) {
        if (from[i] == '/') common = i + 1;
    }
    Buf b;
    buf_init(&b, BUF_LIMIT);
    for (const char *p = from + common; *p != '\0'; p++) {
        if (*p == '/') buf_puts(&b, "../");
    }
    buf_puts(&b, to + common);
    const char *ret = arena_copy(a, b.data, b.length);
    buf_free(&b);
    return ret;
}

void fix_edit(FixWork *w, FixWhat what, size_t at, size_t length, const char *text) {
    FixEdit x = {at, length, text, what};
    buf_add(&w->edits, (const char *)&x, sizeof x);
}

static void add_once(Buf *list, const char *text) {
    const char *const *rows = (const char *const *)(const void *)list->data;
    if (row_named(text, rows, list->length / sizeof *rows, sizeof *rows) == NULL)
        buf_add(list, (const char *)&text, sizeof text);
}

void fix_use_header(Fix *f, const char *hip_header) { add_once(&f->hip_headers, hip_header); }
void fix_use_package(Fix *f, const char *target) { add_once(&f->packages, target); }

static const char *fix_rule_of(const FixWork *w, const ScanFinding *f) {
    return w->fix->facts->rules[f->rule].rule;
}

void fix_settle(FixWork *w, const char *rule, size_t line) {
    for (size_t i = 0; i < w->file->n_findings; i++) {
        const ScanFinding *f = &w->file->findings[i];
        if (f->line == line && (rule == NULL || strncmp(fix_rule_of(w, f), rule, strlen(rule)) == 0))
            w->settled[i] = 1;
    }
}
