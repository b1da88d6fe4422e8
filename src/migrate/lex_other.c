// Fortran, and languages whose comments start with "//": Rust, Terraform. And the words that say CUDA in any text.
#include <string.h>

#include "src/migrate/symbols.h"
#include "src/migrate/text.h"

enum { GUARDS_MAX = 64 };

// ---------------------------------------------------------------- "//"

static size_t line_end(Str text, size_t at) {
    const char *newline = memchr(text.data + at, '\n', text.length - at);
    return newline == NULL ? text.length : (size_t)(newline - text.data);
}

static size_t block_end(Str text, size_t at) {
    for (size_t i = at + 2; i + 1 < text.length; i++) {
        if (text.data[i] == '*' && text.data[i + 1] == '/') return i + 2;
    }
    return text.length;
}

void slashed_scan(TextScan *s) {
    Str text = s->text;
    size_t from = 0;
    char quote = '\0';
    for (size_t i = 0; i < text.length; i++) {
        char c = text.data[i];
        char next = i + 1 < text.length ? text.data[i + 1] : '\0';
        bool comment = quote == '\0' && ((c == '/' && (next == '/' || next == '*')) ||
                                         (c == '#' && s->kind == TEXT_TERRAFORM));
        if (c == '\n') {
            quote = '\0';
        } else if (quote != '\0') {
            i += c == '\\' && next != '\n' && next != '\0';
            if (c == quote) quote = '\0';
        } else if (c == '"') {
            quote = c;
        } else if (comment) {
            scan_stretch(s, STRETCH_CODE, from, i);
            from = c == '/' && next == '*' ? block_end(text, i) : line_end(text, i);
            i = from - 1;
        }
    }
    scan_stretch(s, STRETCH_CODE, from, text.length);
}

// ---------------------------------------------------------------- Fortran

// "!$acc", "!$cuf", "!@cuf" at `at`: directives that stand in comments.
static bool is_sentinel(Str text, size_t at) {
    return at + 1 < text.length && (text.data[at + 1] == '$' || text.data[at + 1] == '@');
}

// Conditions of the preprocessor about AMD: both branches are decided.
typedef struct Guards {
    bool amd[GUARDS_MAX];
    size_t n;
} Guards;

static bool mentions_amd(Str line) {
    for (size_t i = 0; i < line.length;) {
        size_t end = i;
        while (end < line.length && strchr(" \t()!&|", line.data[end]) == NULL) end++;
        if (end > i && says_amd((Str){line.data + i, end - i})) return true;
        i = end + 1;
    }
    return false;
}

static void take_directive(Guards *g, Str line) {
    Str rest = str_trim((Str){line.data + 1, line.length - 1});
    if (str_starts(rest, "if")) {
        if (g->n < GUARDS_MAX) g->amd[g->n] = mentions_amd(rest);
        g->n++;
    } else if (str_starts(rest, "elif") && g->n > 0 && g->n <= GUARDS_MAX) {
        g->amd[g->n - 1] = g->amd[g->n - 1] || mentions_amd(rest);
    } else if (str_starts(rest, "endif")) {
        g->n -= g->n > 0;
    }
}

static bool is_guarded(const Guards *g) {
    bool amd = false;
    for (size_t i = 0; i < g->n && i < GUARDS_MAX; i++) amd = amd || g->amd[i];
    return amd;
}

// Code of one line, up to its comment; strings are code too, as nothing else is told from them.
static void take_line(TextScan *s, size_t from, size_t to, bool fixed) {
    char quote = '\0';
    bool old = fixed && from < to && strchr("cC*", s->text.data[from]) != NULL;
    if (old && !is_sentinel(s->text, from)) return;
    for (size_t i = from; i < to; i++) {
        char c = s->text.data[i];
        if (quote != '\0') {
            if (c == quote) quote = '\0';
        } else if (c == '\'' || c == '"') {
            quote = c;
        } else if (c == '!' && !is_sentinel(s->text, i)) {
            to = i;
        }
    }
    if (from < to) scan_stretch(s, STRETCH_CODE, from, to);
}

void fortran_scan(TextScan *s) {
    Guards guards = {0};
    bool fixed = s->fixed_form;
    for (size_t from = 0; from < s->text.length;) {
        size_t to = line_end(s->text, from);
        if (s->text.data[from] == '#') {
            take_directive(&guards, (Str){s->text.data + from, to - from});
        } else if (!is_guarded(&guards)) {
            take_line(s, from, to, fixed);
        }
        from = to + 1;
    }
}

// ---------------------------------------------------------------- any text

size_t cuda_word_in(Str text) {
    static const char *const words[] = {"cuda",    "openacc", "nvcc",    "nvidia/cuda", "nvidia.com/",
                                        "nvidia-", "nvcr.io", "nvidia_", "!$acc",       "\"nvidia\""};
    // The second character of all words that begin with the first.
    static const char second[128] = {['c'] = 'u', ['o'] = 'p', ['n'] = 'v', ['!'] = '$', ['"'] = 'n'};
    for (size_t i = 0; i + 1 < text.length; i++) {
        unsigned char c = (unsigned char)char_lower(text.data[i]);
        if (c >= sizeof second || second[c] == '\0' || char_lower(text.data[i + 1]) != second[c]) continue;
        for (size_t k = 0; k < COUNT_OF(words); k++) {
            size_t n = 0;
            while (words[k][n] != '\0' && i + n < text.length && char_lower(text.data[i + n]) == words[k][n])
                n++;
            if (words[k][n] == '\0') return i;
        }
    }
    return SIZE_MAX;
}
