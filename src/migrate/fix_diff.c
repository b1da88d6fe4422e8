// Edits applied to a text, and two texts as a unified diff that git applies.
#include <string.h>

#include "src/migrate/fix.h"

enum { CONTEXT = 3 };

Str fix_apply(Str text, const FixEdit *edits, size_t n, Arena *a) {
    Buf out;
    buf_init(&out, BUF_LIMIT);
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        buf_add(&out, text.data + at, edits[i].at - at);
        buf_puts(&out, edits[i].text);
        at = edits[i].at + edits[i].length;
    }
    buf_add(&out, text.data + at, text.length - at);
    Str ret = {arena_copy(a, out.length > 0 ? out.data : "", out.length), out.length};
    buf_free(&out);
    return ret;
}

// ---------------------------------------------------------------- lines

typedef struct Lines {
    Str text;
    const size_t *starts;  // n + 1
    size_t n;
} Lines;

static Lines lines_of(Str text, Arena *a) {
    size_t n = text.length > 0 && text.data[text.length - 1] != '\n';
    for (size_t i = 0; i < text.length; i++) n += text.data[i] == '\n';
    size_t *starts = arena_alloc(a, n + 1, sizeof *starts);
    size_t k = 0;
    for (size_t at = 0; at < text.length; k++) {
        starts[k] = at;
        const char *end = memchr(text.data + at, '\n', text.length - at);
        at = end == NULL ? text.length : (size_t)(end - text.data) + 1;
    }
    starts[n] = text.length;
    return (Lines){text, starts, n};
}

static Str line_at(const Lines *l, size_t i) {
    return (Str){l->text.data + l->starts[i], l->starts[i + 1] - l->starts[i]};
}

static bool same(const Lines *a, size_t i, const Lines *b, size_t k) {
    Str x = line_at(a, i);
    Str y = line_at(b, k);
    return x.length == y.length && memcmp(x.data, y.data, x.length) == 0;
}

// A stretch of lines that differs.
typedef struct Change {
    size_t from, n_from, to, n_to;
} Change;

// Both texts are nearly equal and in the same order: after a difference the nearest pair of equal lines (and
// equal next ones) ends it. Any alignment gives a right patch; this one gives short hunks for small edits.
static bool meets(const Lines *a, size_t i, const Lines *b, size_t k) {
    if (i == a->n || k == b->n) return i == a->n && k == b->n;
    if (!same(a, i, b, k)) return false;
    return i + 1 == a->n || k + 1 == b->n || same(a, i + 1, b, k + 1);
}

static Change next_change(const Lines *a, const Lines *b, size_t i, size_t k) {
    enum { REACH = 400 };
    for (size_t d = 1; d <= REACH; d++) {
        for (size_t x = 0; x <= d; x++) {
            size_t y = d - x;
            if (i + x <= a->n && k + y <= b->n && meets(a, i + x, b, k + y)) return (Change){i, x, k, y};
        }
    }
    return (Change){i, a->n - i, k, b->n - k};
}

static size_t changes_of(const Lines *a, const Lines *b, Buf *ret) {
    size_t i = 0;
    size_t k = 0;
    while (i < a->n || k < b->n) {
        if (i < a->n && k < b->n && same(a, i, b, k)) {
            i++;
            k++;
            continue;
        }
        Change c = next_change(a, b, i, k);
        buf_add(ret, (const char *)&c, sizeof c);
        i += c.n_from;
        k += c.n_to;
    }
    return ret->length / sizeof(Change);
}

// ---------------------------------------------------------------- the patch

// A path as git writes it: in quotes with escapes when it holds more than plain characters.
static void add_path(Buf *out, const char *prefix, const char *path) {
    bool plain = true;
    for (const char *p = path; *p != '\0'; p++)
        plain = plain && (unsigned char)*p > ' ' && (unsigned char)*p < 0x7f && *p != '"' && *p != '\\';
    if (plain) {
        buf_printf(out, "%s%s", prefix, path);
        return;
    }
    buf_printf(out, "\"%s", prefix);
    for (const char *p = path; *p != '\0'; p++) {
        unsigned char c = (unsigned char)*p;
        if (c == '"' || c == '\\') {
            buf_printf(out, "\\%c", c);
        } else if (c < ' ' || c >= 0x7f) {
            buf_printf(out, "\\%03o", c);
        } else {
            buf_add(out, p, 1);
        }
    }
    buf_puts(out, "\"");
}

static void add_line(Buf *out, char sign, Str line) {
    buf_add(out, &sign, 1);
    buf_add(out, line.data, line.length);
    if (line.length == 0 || line.data[line.length - 1] != '\n')
        buf_puts(out, "\n\\ No newline at end of file\n");
}

static void add_range(Buf *out, char sign, size_t first, size_t n) {
    buf_printf(out, "%c%zu", sign, n == 0 ? first : first + 1);
    if (n != 1) buf_printf(out, ",%zu", n);
}

// Changes first..last with the lines around them.
static void add_hunk(const Lines *a, const Lines *b, const Change *first, const Change *last, Buf *out) {
    size_t lead = first->from < CONTEXT ? first->from : CONTEXT;
    size_t end = last->from + last->n_from;
    size_t tail = a->n - end < CONTEXT ? a->n - end : CONTEXT;
    size_t from = first->from - lead;
    size_t to = first->to - lead;
    buf_puts(out, "@@ ");
    add_range(out, '-', from, end + tail - from);
    buf_puts(out, " ");
    add_range(out, '+', to, last->to + last->n_to + tail - to);
    buf_puts(out, " @@\n");
    size_t at = from;
    for (const Change *c = first; c <= last; c++) {
        for (; at < c->from; at++) add_line(out, ' ', line_at(a, at));
        for (size_t i = 0; i < c->n_from; i++) add_line(out, '-', line_at(a, at++));
        for (size_t i = 0; i < c->n_to; i++) add_line(out, '+', line_at(b, c->to + i));
    }
    for (size_t i = 0; i < tail; i++) add_line(out, ' ', line_at(a, at++));
}

void fix_diff(const char *path, Str from, Str to, Buf *out) {
    Arena scratch = {0};
    Buf changes;
    bool new = from.data == NULL;
    if (new) from = (Str){"", 0};
    Lines a = lines_of(from, &scratch);
    Lines b = lines_of(to, &scratch);
    buf_init(&changes, BUF_LIMIT);
    size_t n = changes_of(&a, &b, &changes);
    const Change *list = (const Change *)(const void *)changes.data;
    if (n > 0) {
        buf_puts(out, "diff --git ");
        add_path(out, "a/", path);
        buf_puts(out, " ");
        add_path(out, "b/", path);
        buf_puts(out, new ? "\nnew file mode 100644\n--- " : "\n--- ");
        if (new) buf_puts(out, "/dev/null");
        if (!new) add_path(out, "a/", path);
        buf_puts(out, "\n+++ ");
        add_path(out, "b/", path);
        buf_puts(out, "\n");
    }
    for (size_t i = 0; i < n;) {
        size_t last = i;
        while (last + 1 < n &&
               list[last + 1].from <= list[last].from + list[last].n_from + 2 * (size_t)CONTEXT)
            last++;
        add_hunk(&a, &b, &list[i], &list[last], out);
        i = last + 1;
    }
    buf_free(&changes);
    arena_free(&scratch);
}
