// Python: comments and docstrings are passed over, strings are told from code, f-strings are entered.
#include <string.h>

#include "src/migrate/text.h"

typedef struct PythonLexer {
    TextScan *scan;
    const char *text;
    size_t n, at;
    size_t code_from;  // start of the code not yet given to the patterns
    size_t brackets;   // open at this place
    bool line_start;   // only blanks since the logical line began
} PythonLexer;

static void end_code(PythonLexer *p, size_t to) {
    if (p->code_from < to) scan_stretch(p->scan, STRETCH_CODE, p->code_from, to);
}

static bool has(const PythonLexer *p, size_t at, const char *what) {
    size_t n = strlen(what);
    return at + n <= p->n && memcmp(p->text + at, what, n) == 0;
}

// A string that is a statement by itself: documentation.
static bool is_docstring(const PythonLexer *p, size_t end) {
    while (end < p->n && (p->text[end] == ' ' || p->text[end] == '\t')) end++;
    return end >= p->n || p->text[end] == '\n' || p->text[end] == '\r' || p->text[end] == '#' ||
           p->text[end] == ';';
}

static void string_done(PythonLexer *p, size_t from, size_t to) {
    if (from >= to) return;
    Str inside = {p->text + from, to - from};
    static const char sign[] = "__global__";
    size_t at = 0;
    while (at < inside.length && !has(p, from + at, sign)) at++;
    if (at + sizeof sign - 1 > inside.length) {
        scan_stretch(p->scan, STRETCH_STRING, from, to);
        return;
    }
    scan_hit(p->scan, "py-kernel-string", from + at, sizeof sign - 1, true);
    if (p->scan->sink->cuda_source == NULL) return;
    size_t line = 0;
    size_t column = 0;
    scan_place(p->scan, from, &line, &column);
    p->scan->sink->cuda_source(p->scan->sink->context, inside, from, line, column);
}

// Expression of an f-string: text[at..] up to the brace that closes it. Quotes inside belong to nested
// strings; what they hold is looked at as a string. Returns the place after the brace, or of the end.
static size_t skip_field(PythonLexer *p, size_t at, size_t end_max) {
    size_t depth = 1;
    size_t from = at;
    while (at < end_max && depth > 0) {
        char c = p->text[at];
        if (c == '\n' && depth == 1 && from == at) break;
        if (c == '{' || c == '(' || c == '[') depth++;
        if (c == '}' || c == ')' || c == ']') depth--;
        at++;
    }
    scan_stretch(p->scan, STRETCH_CODE, from, depth == 0 ? at - 1 : at);
    return at;
}

static size_t string_end(const PythonLexer *p, size_t at, char quote, bool triple) {
    while (at < p->n) {
        char c = p->text[at];
        if (c == '\\' && at + 1 < p->n) {
            at += 2;
            continue;
        }
        if (!triple && c == '\n') return at;  // unterminated: ends with its line
        if (c == quote &&
            (!triple || (at + 2 < p->n && p->text[at + 1] == quote && p->text[at + 2] == quote)))
            return at;
        at++;
    }
    return p->n;
}

// text[at] is the opening quote; `name` is where its prefix starts.
static void take_string(PythonLexer *p, size_t name) {
    bool formatted = false;
    for (size_t i = name; i < p->at; i++) formatted = formatted || p->text[i] == 'f' || p->text[i] == 'F';
    char quote = p->text[p->at];
    bool triple = p->at + 2 < p->n && p->text[p->at + 1] == quote && p->text[p->at + 2] == quote;
    size_t from = p->at + (triple ? 3 : 1);
    size_t to = string_end(p, from, quote, triple);
    bool closed = to < p->n && p->text[to] == quote;
    size_t after = closed ? to + (triple ? 3 : 1) : to;
    if (!(p->line_start && p->brackets == 0 && is_docstring(p, after))) {
        if (formatted) {
            size_t start = from;
            for (size_t i = from; i < to; i++) {
                if (p->text[i] != '{') continue;
                if (i + 1 < to && p->text[i + 1] == '{') {
                    i++;
                    continue;
                }
                string_done(p, start, i);
                i = skip_field(p, i + 1, to);
                start = i;
                if (i > from) i--;
            }
            string_done(p, start, to);
        } else {
            string_done(p, from, to);
        }
    }
    p->at = after;
    p->code_from = after;
    p->line_start = false;
}

static void take_comment(PythonLexer *p) {
    end_code(p, p->at);
    while (p->at < p->n && p->text[p->at] != '\n') p->at++;
    p->code_from = p->at;
}

static bool is_prefix(const PythonLexer *p, size_t from, size_t to) {
    if (to - from > 2) return false;
    for (size_t i = from; i < to; i++) {
        if (strchr("rRbBfFuU", p->text[i]) == NULL || p->text[i] == '\0') return false;
    }
    return true;
}

static void take_name(PythonLexer *p) {
    size_t start = p->at;
    while (p->at < p->n && char_is_word(p->text[p->at])) p->at++;
    if (p->at < p->n && (p->text[p->at] == '"' || p->text[p->at] == '\'') && is_prefix(p, start, p->at)) {
        end_code(p, start);
        take_string(p, start);
    }
    p->line_start = false;
}

// "pip install x" at the start of a line: a notebook runs it as it runs "%pip install x".
static bool is_installer(const PythonLexer *p) {
    static const char *const commands[] = {"pip install ", "pip3 install ", "conda install ",
                                           "mamba install "};
    for (size_t i = 0; i < COUNT_OF(commands); i++) {
        if (has(p, p->at, commands[i])) return true;
    }
    return false;
}

// A line of a notebook that a shell runs ("!pip install x"), with those that a backslash joins to it.
static bool take_shell_line(PythonLexer *p) {
    if (p->scan->kind != TEXT_NOTEBOOK || !p->line_start || p->brackets > 0) return false;
    if (p->text[p->at] != '!' && p->text[p->at] != '%' && !is_installer(p)) return false;
    end_code(p, p->at);
    size_t from = p->at;
    while (p->at < p->n && (p->text[p->at] != '\n' || p->text[p->at - 1] == '\\')) p->at++;
    scan_stretch(p->scan, STRETCH_STRING, from, p->at);
    dependencies_command(p->scan, from, p->at);
    p->code_from = p->at;
    return true;
}

static void take_other(PythonLexer *p, char c) {
    if (c == '(' || c == '[' || c == '{') p->brackets++;
    if ((c == ')' || c == ']' || c == '}') && p->brackets > 0) p->brackets--;
    if (c == '\n') {
        p->line_start = p->line_start || p->brackets == 0;
    } else if (c == ';') {
        p->line_start = true;
    } else if (c == '\\' && has(p, p->at, "\\\n")) {
        p->at++;
    } else if (c != ' ' && c != '\t' && c != '\r') {
        p->line_start = false;
    }
    p->at++;
}

// A notebook's cell that a shell runs as a whole.
static bool is_shell_cell(const PythonLexer *p) {
    static const char *const shells[] = {"%%bash", "%%sh", "%%shell", "%%script bash", "%%script sh"};
    bool any = false;
    for (size_t i = 0; i < COUNT_OF(shells) && p->scan->kind == TEXT_NOTEBOOK; i++)
        any = any || has(p, 0, shells[i]);
    return any;
}

void python_scan(TextScan *s) {
    PythonLexer p = {.scan = s, .text = s->text.data, .n = s->text.length, .line_start = true};
    if (is_shell_cell(&p)) {
        scan_stretch(s, STRETCH_STRING, 0, p.n);
        dependencies_commands(s);
        return;
    }
    while (p.at < p.n) {
        char c = p.text[p.at];
        if (p.line_start && is_installer(&p) && take_shell_line(&p)) {
            continue;
        } else if (c == '#') {
            take_comment(&p);
        } else if (char_is_word(c)) {
            take_name(&p);
        } else if (c == '"' || c == '\'') {
            end_code(&p, p.at);
            take_string(&p, p.at);
        } else if (!take_shell_line(&p)) {
            take_other(&p, c);
        }
    }
    end_code(&p, p.n);
}
