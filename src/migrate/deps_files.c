// Files that list dependencies: requirements, pyproject and lock files, setup scripts, conda environments,
// install commands.
#include <string.h>

#include "src/migrate/deps.h"

enum { LOCK_VALUES_MAX = 1000000 };

// ---------------------------------------------------------------- lines

typedef struct Line {
    size_t from, to;  // without the newline
} Line;

static bool next_line(Str text, size_t *at, Line *ret) {
    if (*at >= text.length) return false;
    const char *newline = memchr(text.data + *at, '\n', text.length - *at);
    size_t to = newline == NULL ? text.length : (size_t)(newline - text.data);
    *ret = (Line){*at, to};
    *at = to + 1;
    return true;
}

// With the lines that a backslash joins to it.
static bool next_logical(Str text, size_t *at, Line *ret) {
    Line more;
    if (!next_line(text, at, ret)) return false;
    while (ret->to > ret->from) {
        size_t end = ret->to - (text.data[ret->to - 1] == '\r');
        if (end == ret->from || text.data[end - 1] != '\\' || !next_line(text, at, &more)) break;
        ret->to = more.to;
    }
    return true;
}

static Str line_text(const TextScan *s, Line l) {
    return str_trim((Str){s->text.data + l.from, l.to - l.from});
}

// End of the line without its comment.
static size_t before_comment(const TextScan *s, Line l) {
    for (size_t i = l.from; i < l.to; i++) {
        if (s->text.data[i] == '#' &&
            (i == l.from || s->text.data[i - 1] == ' ' || s->text.data[i - 1] == '\t'))
            return i;
    }
    return l.to;
}

bool requirements_have_rocm_index(Str text) {
    size_t at = 0;
    Line l;
    while (next_logical(text, &at, &l)) {
        Str line = str_trim((Str){text.data + l.from, l.to - l.from});
        if (str_starts(line, "--extra-index-url") && str_has(line, "rocm")) return true;
    }
    return false;
}

static void requirements_lines(TextScan *s) {
    DependencyPlace place = {.extra_rocm_index =
                                 s->facts->rocm_index || requirements_have_rocm_index(s->text)};
    size_t at = 0;
    Line l;
    while (next_line(s->text, &at, &l)) {
        Str line = line_text(s, l);
        // a comment ends with its line, whatever it ends in
        if (line.length == 0 || line.data[0] == '#') continue;
        at = l.from;
        next_logical(s->text, &at, &l);
        if (line.data[0] != '-') requirement_report(s, l.from, before_comment(s, l), place);
    }
}

// ---------------------------------------------------------------- quoted strings

// The strings in text[from..to) as requirements.
static void quoted_requirements(TextScan *s, size_t from, size_t to, DependencyPlace place) {
    for (size_t i = from; i < to; i++) {
        char quote = s->text.data[i];
        if (quote == '#') {
            while (i < to && s->text.data[i] != '\n') i++;
            continue;
        }
        if (quote != '"' && quote != '\'') continue;
        size_t end = i + 1;
        while (end < to && s->text.data[end] != quote && s->text.data[end] != '\n') end++;
        requirement_report(s, i + 1, end, place);
        i = end;
    }
}

// The end of a list that opens at or after `at`: its bracket, or the end of the text.
static size_t list_end(Str text, size_t at) {
    size_t depth = 0;
    char quote = '\0';
    for (size_t i = at; i < text.length; i++) {
        char c = text.data[i];
        if (quote != '\0') {
            if (c == quote || c == '\n') quote = '\0';
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '[' || c == '(' || c == '{') {
            depth++;
        } else if ((c == ']' || c == ')' || c == '}') && (depth == 0 || --depth == 0)) {
            return i;
        }
    }
    return text.length;
}

// ---------------------------------------------------------------- TOML

typedef enum TomlPart { TOML_OTHER, TOML_PROJECT, TOML_GROUPS, TOML_TABLE, TOML_LOCK, TOML_BUILD } TomlPart;

static TomlPart toml_part(Str header) {
    if (str_is(header, "[project]")) return TOML_PROJECT;
    if (str_is(header, "[build-system]")) return TOML_BUILD;
    if (str_is(header, "[project.optional-dependencies]") || str_is(header, "[dependency-groups]"))
        return TOML_GROUPS;
    if (str_is(header, "[packages]") || str_is(header, "[dev-packages]")) return TOML_TABLE;
    if (str_starts(header, "[tool.poetry") && str_has(header, "dependencies]")) return TOML_TABLE;
    return str_is(header, "[[package]]") ? TOML_LOCK : TOML_OTHER;
}

// 'name = "x"' -> x and where it starts.
static bool quoted_value(Str text, Line l, size_t *ret_from, size_t *ret_to) {
    size_t i = l.from;
    while (i < l.to && text.data[i] != '"' && text.data[i] != '\'') i++;
    size_t end = i + 1;
    while (end < l.to && text.data[end] != text.data[i]) end++;
    if (end >= l.to) return false;
    *ret_from = i + 1;
    *ret_to = end;
    return true;
}

static bool key_is(Str line, const char *key) {
    size_t n = strlen(key);
    if (!str_starts(line, key)) return false;
    while (n < line.length && (line.data[n] == ' ' || line.data[n] == '\t')) n++;
    return n < line.length && line.data[n] == '=';
}

// 'torch = "^2.1"' or 'torch = {version = "2.1"}': the name before '=', the first string as version.
static void table_entry(TextScan *s, Line l) {
    Requirement r;
    size_t equals = l.from;
    while (equals < l.to && s->text.data[equals] != '=') equals++;
    if (equals == l.to) return;
    Str key = str_trim((Str){s->text.data + l.from, equals - l.from});
    if (key.length > 2 && key.data[0] == '"') key = (Str){key.data + 1, key.length - 2};
    if (!requirement_parse(key, &r) || r.spec.length > 0 || str_is(r.name, "python")) return;
    size_t from = 0;
    size_t to = 0;
    if (quoted_value(s->text, (Line){equals, l.to}, &from, &to))
        r.spec = (Str){s->text.data + from, to - from};
    dependency_report(s, &r, (size_t)(key.data - s->text.data), (DependencyPlace){0});
}

// "name" and the "version" that follows it.
static void lock_entry(TextScan *s, Line l, size_t next) {
    Requirement r = {0};
    size_t from = 0;
    size_t to = 0;
    Line after;
    if (!quoted_value(s->text, l, &from, &to)) return;
    r.name = (Str){s->text.data + from, to - from};
    size_t name_at = from;
    if (next_line(s->text, &next, &after) && key_is(line_text(s, after), "version") &&
        quoted_value(s->text, after, &from, &to))
        r.spec = (Str){s->text.data + from, to - from};
    if (r.name.length > 0) dependency_report(s, &r, name_at, (DependencyPlace){0});
}

static void toml_lines(TextScan *s) {
    TomlPart part = TOML_OTHER;
    size_t at = 0;
    Line l;
    while (next_line(s->text, &at, &l)) {
        Str line = line_text(s, l);
        if (line.length == 0 || line.data[0] == '#') continue;
        if (line.data[0] == '[') {
            part = toml_part(line);
            continue;
        }
        bool list = (part == TOML_PROJECT && key_is(line, "dependencies")) ||
                    (part == TOML_BUILD && key_is(line, "requires")) || part == TOML_GROUPS;
        if (list) {
            size_t open = l.from;
            while (open < s->text.length && s->text.data[open] != '=' && s->text.data[open] != '\n') open++;
            size_t end = list_end(s->text, open);
            quoted_requirements(s, open, end, (DependencyPlace){0});
            at = end + 1 > at ? end + 1 : at;
        } else if (part == TOML_TABLE) {
            table_entry(s, l);
        } else if (part == TOML_LOCK && key_is(line, "name")) {
            lock_entry(s, l, at);
        }
    }
}

// ---------------------------------------------------------------- setup scripts and setup.cfg

// Does a name speak of requirements: install_requires, extras_require, requirements, dependencies, ...?
static bool is_list_name(Str word) {
    static const char *const parts[] = {"require", "dependenc", "REQUIRE", "DEPENDENC"};
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        if (str_has(word, parts[i])) return true;
    }
    return false;
}

// A string with a requirement a line, newlines as they are or as "\\n": its end. `at`: the opening quote.
static size_t setup_string(TextScan *s, size_t at) {
    Str text = s->text;
    char quote = text.data[at];
    bool triple = at + 2 < text.length && text.data[at + 1] == quote && text.data[at + 2] == quote;
    size_t from = at + (triple ? 3 : 1);
    size_t to = from;
    while (to < text.length && (triple || text.data[to] != '\n')) {
        bool ends =
            text.data[to] == quote &&
            (!triple || (to + 2 < text.length && text.data[to + 1] == quote && text.data[to + 2] == quote));
        if (ends) break;
        to++;
    }
    while (from < to) {
        size_t end = from;
        while (end < to && text.data[end] != '\n' &&
               !(text.data[end] == '\\' && end + 1 < to && text.data[end + 1] == 'n'))
            end++;
        size_t comment = from;
        while (comment < end && text.data[comment] != '#') comment++;
        requirement_report(s, from, comment, (DependencyPlace){0});
        from = end + (end < to && text.data[end] == '\\' ? 2 : 1);
    }
    return to;
}

// Lists that are given to, or assigned to, such a name.
static void setup_lists(TextScan *s) {
    Str text = s->text;
    for (size_t i = 0; i < text.length;) {
        if (text.data[i] == '#') {
            while (i < text.length && text.data[i] != '\n') i++;
            continue;
        }
        size_t word = i;
        while (i < text.length && char_is_word(text.data[i])) i++;
        if (i == word) {
            i++;
            continue;
        }
        Str name = {text.data + word, i - word};
        if (!is_list_name(name)) continue;
        size_t at = i;
        while (at < text.length && strchr(" +=", text.data[at]) != NULL && text.data[at] != '\0') at++;
        if (at == i || at >= text.length) continue;
        // A version of Python and the path of a list are strings too.
        bool requires = str_is(name, "install_requires") || str_is(name, "setup_requires") ||
                        str_is(name, "tests_require");
        if (requires && (text.data[at] == '"' || text.data[at] == '\'')) i = setup_string(s, at);
        if (text.data[at] != '[' && text.data[at] != '{') continue;
        i = list_end(text, at);
        // Keys of extras are strings too: there only names that a table knows count.
        quoted_requirements(s, at, i, (DependencyPlace){.known_only = text.data[at] == '{'});
    }
}

static void ini_lines(TextScan *s) {
    bool inside = false;
    size_t at = 0;
    Line l;
    while (next_line(s->text, &at, &l)) {
        Str line = line_text(s, l);
        bool indented = l.from < l.to && (s->text.data[l.from] == ' ' || s->text.data[l.from] == '\t');
        if (line.length == 0 || line.data[0] == '#' || line.data[0] == ';') continue;
        if (!indented)
            inside =
                key_is(line, "install_requires") || key_is(line, "deps") || key_is(line, "setup_requires");
        if (indented && inside) requirement_report(s, l.from, before_comment(s, l), (DependencyPlace){0});
    }
}

// ---------------------------------------------------------------- conda environments

static size_t indent_of(const TextScan *s, Line l) {
    size_t i = l.from;
    while (i < l.to && s->text.data[i] == ' ') i++;
    return i - l.from;
}

// "dependencies:" with "- name=version" and, below "- pip:", pip's requirements.
static void conda_lines(TextScan *s) {
    bool inside = false;
    size_t pip_indent = SIZE_MAX;
    size_t at = 0;
    Line l;
    while (next_line(s->text, &at, &l)) {
        Str line = line_text(s, l);
        size_t indent = indent_of(s, l);
        if (line.length == 0 || line.data[0] == '#') continue;
        if (line.data[0] != '-') {
            inside = str_is(line, "dependencies:");
            pip_indent = SIZE_MAX;
            continue;
        }
        if (!inside) continue;
        if (str_is(line, "- pip:")) {
            pip_indent = indent;
            continue;
        }
        if (pip_indent != SIZE_MAX && indent <= pip_indent) pip_indent = SIZE_MAX;
        size_t name = l.from + indent + 1;
        if (name < l.to && s->text.data[name] == ' ' && name + 1 < l.to && s->text.data[name + 1] != '-')
            requirement_report(s, name, before_comment(s, l),
                               (DependencyPlace){.conda = pip_indent == SIZE_MAX});
    }
}

static bool is_conda(Str text) { return str_has(text, "dependencies:") && str_has(text, "channels:"); }

// ---------------------------------------------------------------- Pipfile.lock

static void lock_members(TextScan *s, const Json *part) {
    size_t at = 0;
    for (const Json *m = json_is_object(part) ? json_first(part) : NULL; m != NULL; m = json_next(m)) {
        const char *key = json_key(m);
        const char *version = json_text(json_get(m, "version"));
        size_t n = strlen(key);
        // Names hold nothing that JSON escapes, so each stands in the text as it is.
        for (size_t i = at; n > 0 && i + n + 2 <= s->text.length; i++) {
            if (s->text.data[i] != '"' || memcmp(s->text.data + i + 1, key, n) != 0 ||
                s->text.data[i + 1 + n] != '"')
                continue;
            Requirement r = {.name = {s->text.data + i + 1, n},
                             .spec = str_of(version == NULL ? "" : version)};
            dependency_report(s, &r, i + 1, (DependencyPlace){0});
            at = i + n + 2;
            break;
        }
    }
}

static bool json_lock(TextScan *s, Err *e) {
    Json *root = NULL;
    if (!json_parse(s->text, LOCK_VALUES_MAX, &root, e)) return false;
    lock_members(s, json_get(root, "default"));
    lock_members(s, json_get(root, "develop"));
    json_free(root);
    return true;
}

// ---------------------------------------------------------------- commands

// Comments are passed over.
void dependencies_commands(TextScan *s) {
    size_t at = 0;
    Line l;
    while (next_line(s->text, &at, &l)) {
        Str line = line_text(s, l);
        bool title = s->kind == TEXT_YAML && (str_starts(line, "name:") || str_starts(line, "- name:"));
        if (line.length == 0 || line.data[0] == '#' || title) continue;
        at = l.from;
        next_logical(s->text, &at, &l);
        Str whole = {s->text.data + l.from, l.to - l.from};
        if (str_has(whole, "install") || str_has(whole, " add ")) dependencies_command(s, l.from, l.to);
    }
}

bool has_commands(TextKind kind) {
    return kind == TEXT_YAML || kind == TEXT_SHELL || kind == TEXT_DOCKER || kind == TEXT_MAKE ||
           kind == TEXT_NOTEBOOK;
}

void command_lists(TextKind kind, Str text, const TextSink *sink, Arena *scratch) {
    TextSink lists = {.context = sink->context, .list = sink->list};
    TextFacts none = {0};
    Err e = {0};
    TextScan s = {.kind = kind, .text = text, .sink = &lists, .facts = &none, .seen_line = 1};
    if (kind == TEXT_NOTEBOOK) {
        // one that is not understood gets its note where it is scanned
        (void)notebook_scan("", text, &none, &lists, scratch, &e);
    } else if (has_commands(kind)) {
        dependencies_commands(&s);
    }
}

bool dependencies_scan(TextScan *s, Err *e) {
    switch (s->kind) {
    case TEXT_REQUIREMENTS: requirements_lines(s); break;
    case TEXT_TOML: toml_lines(s); break;
    case TEXT_INI: ini_lines(s); break;
    case TEXT_PYTHON:
        if (s->setup) setup_lists(s);
        break;
    case TEXT_YAML:
        if (is_conda(s->text)) conda_lines(s);
        dependencies_commands(s);
        break;
    case TEXT_SHELL:
    case TEXT_DOCKER:
    case TEXT_MAKE: dependencies_commands(s); break;
    case TEXT_JSON_LOCK: return json_lock(s, e);
    default: break;
    }
    return true;
}
