// Before which lines of a file a comment of a line may stand without changing what the file says: not inside
// strings, comments, here-documents and block scalars, and not behind a line that continues.
#include <string.h>

#include "src/migrate/fix.h"

const char *fix_newline(Str text) {
    const char *end = memchr(text.data, '\n', text.length);
    return end != NULL && end > text.data && end[-1] == '\r' ? "\r\n" : "\n";
}

Str fix_line(const FixLines *l, Str text, size_t line) {
    if (line >= l->n) return (Str){"", 0};
    Str s = {text.data + l->starts[line], l->starts[line + 1] - l->starts[line]};
    while (s.length > 0 && (s.data[s.length - 1] == '\n' || s.data[s.length - 1] == '\r')) s.length--;
    return s;
}

static bool continues(Str line) { return line.length > 0 && line.data[line.length - 1] == '\\'; }

static size_t indent_of(Str line) {
    size_t n = 0;
    while (n < line.length && line.data[n] == ' ') n++;
    return n;
}

// ---------------------------------------------------------------- quotes and comments that run over lines

// What is open at the end of a line.
typedef struct Open {
    char quote;    // ' or " or '\0'; '*': a block comment; 'R': a raw string; ']': a bracket of CMake
    bool triple;   // of the quote
    char end[24];  // of a raw string, bracket or here-document
    size_t end_length;
} Open;

typedef struct Language {
    bool slashes;     // comments as in C
    bool hash;        // comments from '#' at the start of a word
    bool triple;      // strings in three quotes
    bool over_lines;  // strings in one quote go on in the next line
    bool brackets;    // [[ ]] of CMake
    bool here;        // here-documents
} Language;

static Language language_of(const FixFile *f) {
    if (f->c) return (Language){.slashes = true};
    switch (f->kind) {
    case TEXT_PYTHON:
    case TEXT_BAZEL:
    case TEXT_MESON:
    case TEXT_TOML: return (Language){.hash = true, .triple = true};
    case TEXT_CMAKE: return (Language){.hash = true, .over_lines = true, .brackets = true};
    case TEXT_SHELL: return (Language){.hash = true, .over_lines = true, .here = true};
    case TEXT_DOCKER: return (Language){.hash = true, .here = true};
    case TEXT_NONE:
    case TEXT_NOTEBOOK:
    case TEXT_MAKE:
    case TEXT_YAML:
    case TEXT_INI:
    case TEXT_REQUIREMENTS:
    case TEXT_JSON_LOCK:
    case TEXT_FORTRAN:
    case TEXT_JULIA:
    case TEXT_RUST:
    case TEXT_APPTAINER:
    case TEXT_TERRAFORM:
    case TEXT_JSON:
    case TEXT_AUTOCONF:
    case TEXT_KIND_COUNT: break;
    }
    return (Language){0};
}

static bool set_end(Open *o, char quote, Str end) {
    if (end.length == 0 || end.length >= sizeof o->end) return false;
    memcpy(o->end, end.data, end.length);
    o->end_length = end.length;
    o->quote = quote;
    return true;
}

// R"name( at `i`: its end is )name".
static bool open_raw(Open *o, Str line, size_t i) {
    char end[sizeof o->end];
    size_t n = 0;
    end[n++] = ')';
    for (size_t k = i + 2; k < line.length && n + 2 < sizeof end; k++) {
        if (line.data[k] != '(') {
            end[n++] = line.data[k];
            continue;
        }
        end[n++] = '"';
        return set_end(o, 'R', (Str){end, n});
    }
    return false;
}

// [==[ at `i`: its end is ]==].
static bool open_bracket(Open *o, Str line, size_t i) {
    size_t k = i + 1;
    char end[sizeof o->end];
    while (k < line.length && line.data[k] == '=') k++;
    if (k >= line.length || line.data[k] != '[' || k - i + 1 >= sizeof end) return false;
    memset(end, '=', k - i + 1);
    end[0] = end[k - i] = ']';
    return set_end(o, ']', (Str){end, k - i + 1});
}

// The word of the first here-document that a line asks for.
static bool here_word(Str line, Open *o) {
    for (size_t i = 0; i + 2 < line.length; i++) {
        if (line.data[i] != '<' || line.data[i + 1] != '<' || line.data[i + 2] == '<' ||
            (i > 0 && line.data[i - 1] == '<'))
            continue;
        size_t k = i + 2;
        while (k < line.length && strchr("-~ '\"\\", line.data[k]) != NULL) k++;
        size_t from = k;
        while (k < line.length && (line.data[k] == '_' || (line.data[k] >= '0' && line.data[k] <= '9') ||
                                   (char_lower(line.data[k]) >= 'a' && char_lower(line.data[k]) <= 'z')))
            k++;
        if (set_end(o, 'H', (Str){line.data + from, k - from})) return true;
    }
    return false;
}

static bool at(Str line, size_t i, const char *what) {
    return i < line.length && str_starts((Str){line.data + i, line.length - i}, what);
}

// One position inside something open; the next one.
static size_t step_inside(const Language *l, Open *o, Str line, size_t i) {
    if (o->quote == '*') {
        if (!at(line, i, "*/")) return i + 1;
        o->quote = '\0';
        return i + 2;
    }
    if (o->quote == 'R' || o->quote == ']') {
        if (!at(line, i, o->end)) return i + 1;
        o->quote = '\0';
        return i + o->end_length;
    }
    bool single = l->over_lines && o->quote == '\'';  // of the shell: no escapes
    if (line.data[i] == '\\' && !single) return i + 2;
    if (line.data[i] != o->quote) return i + 1;
    if (!o->triple) {
        o->quote = '\0';
        return i + 1;
    }
    const char three[] = {o->quote, o->quote, o->quote, '\0'};
    if (!at(line, i, three)) return i + 1;
    o->quote = '\0';
    return i + 3;
}

// One position in plain text; the next one. `line.length`: the rest is a comment.
static size_t step_plain(const Language *l, Open *o, Str line, size_t i) {
    char c = line.data[i];
    bool word = i > 0 && strchr(" \t;(){}[],=", line.data[i - 1]) == NULL;
    if (l->slashes && at(line, i, "//")) return line.length;
    if (l->slashes && at(line, i, "/*")) {
        o->quote = '*';
        return i + 2;
    }
    if (l->brackets && c == '#' && open_bracket(o, line, i + 1)) return i + 1 + o->end_length;
    if (l->hash && c == '#' && !word) return line.length;
    if (l->slashes && at(line, i, "R\"") && open_raw(o, line, i)) return i + o->end_length + 1;
    if (l->brackets && c == '[' && open_bracket(o, line, i)) return i + o->end_length;
    if (c == '\\') return i + 2;
    bool separator = l->slashes && c == '\'' && i > 0 && line.data[i - 1] >= '0' && line.data[i - 1] <= '9';
    if ((c != '"' && c != '\'') || separator || (l->brackets && c == '\'')) return i + 1;
    const char three[] = {c, c, c, '\0'};
    o->quote = c;
    o->triple = l->triple && at(line, i, three);
    return i + (o->triple ? 3 : 1);
}

static void take_line(const Language *l, Open *o, Str line) {
    if (o->quote == 'H') {
        Str bare = str_trim(line);
        if (bare.length == o->end_length && memcmp(bare.data, o->end, bare.length) == 0) o->quote = '\0';
        return;
    }
    for (size_t i = 0; i < line.length;)
        i = o->quote != '\0' ? step_inside(l, o, line, i) : step_plain(l, o, line, i);
    bool string = o->quote == '"' || o->quote == '\'';
    if (string && !o->triple && !l->over_lines) o->quote = '\0';
    if (l->here && o->quote == '\0') here_word(line, o);
}

// ---------------------------------------------------------------- block scalars, definitions of Make

// Where the key of a line of YAML stands, when a block scalar begins behind it. SIZE_MAX: none does.
static size_t block_key(Str line) {
    Str s = line;
    while (s.length > 0 && strchr(" \t+-0123456789", s.data[s.length - 1]) != NULL) s.length--;
    if (s.length < 2 || (s.data[s.length - 1] != '|' && s.data[s.length - 1] != '>')) return SIZE_MAX;
    char before = s.data[s.length - 2];
    if (before != ' ' && before != ':' && before != '-') return SIZE_MAX;
    size_t at = indent_of(line);
    while (at + 1 < line.length && line.data[at] == '-' && line.data[at + 1] == ' ')
        at += 1 + indent_of((Str){line.data + at + 1, line.length - at - 1});
    return at;
}

// A line that begins an item or a key: not one in the middle of a scalar.
static bool is_structural(Str line) {
    Str s = str_trim(line);
    if (str_starts(s, "- ") || str_starts(s, "#") || str_starts(s, "{{")) return true;
    const char *colon = memchr(s.data, ':', s.length);
    return colon != NULL && s.data[0] != '"' && s.data[0] != '\'' &&
           (colon + 1 == s.data + s.length || colon[1] == ' ');
}

static void mark_yaml(const FixLines *l, Str text, unsigned char *free) {
    size_t key = SIZE_MAX;
    for (size_t i = 0; i < l->n; i++) {
        Str line = fix_line(l, text, i);
        bool blank = str_trim(line).length == 0;
        if (key != SIZE_MAX && (blank || indent_of(line) > key)) {
            free[i] = 0;
            continue;
        }
        key = block_key(line);
        free[i] = is_structural(line);
    }
}

static void mark_make(const FixLines *l, Str text, unsigned char *free) {
    bool inside = false;
    for (size_t i = 0; i < l->n; i++) {
        Str line = str_trim(fix_line(l, text, i));
        if (inside) free[i] = 0;
        if (str_starts(line, "define ")) inside = true;
        if (str_starts(line, "endef")) inside = false;
    }
}

FixLines fix_lines(const FixFile *file, Arena *a) {
    Str text = file->text;
    FixLines ret = {.n = text.length > 0 && text.data[text.length - 1] != '\n'};
    for (size_t i = 0; i < text.length; i++) ret.n += text.data[i] == '\n';
    size_t *starts = arena_alloc(a, ret.n + 1, sizeof *starts);
    unsigned char *free = arena_alloc(a, ret.n + 1, 1);
    for (size_t at = 0, k = 0; at < text.length; k++) {
        starts[k] = at;
        const char *end = memchr(text.data + at, '\n', text.length - at);
        at = end == NULL ? text.length : (size_t)(end - text.data) + 1;
    }
    starts[ret.n] = text.length;
    ret.starts = starts;
    ret.free = free;
    Language l = language_of(file);
    Open open = {0};
    bool behind = false;
    for (size_t i = 0; i < ret.n; i++) {
        free[i] = open.quote == '\0' && !behind;
        Str line = fix_line(&ret, text, i);
        take_line(&l, &open, line);
        behind = continues(line) && open.quote != 'H';
    }
    if (!file->c && file->kind == TEXT_YAML) mark_yaml(&ret, text, free);
    if (!file->c && file->kind == TEXT_MAKE) mark_make(&ret, text, free);
    return ret;
}
