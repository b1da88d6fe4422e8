// As much of YAML as result files are written in: maps, lists and scalars by indentation. Flow forms and blocks of text
// are kept as texts; anchors and tags are none of it.
#include <stdio.h>

#include "src/runs/parts.h"

enum { LINES_MAX = 200000, DEPTH_MAX = 40, KEY_MAX = 120, SCALAR_MAX = 400 };

typedef struct Line {
    Str text;
    size_t indent;
} Line;

typedef struct Yaml {
    Line *lines;
    size_t n, at;
    bool bad;
} Yaml;

// Without a comment: '#' at the start or behind a blank, outside quotes.
static Str without_comment(Str line) {
    char quote = '\0';
    for (size_t i = 0; i < line.length; i++) {
        char c = line.data[i];
        if (quote != '\0') {
            if (c == quote) quote = '\0';
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '#' && (i == 0 || line.data[i - 1] == ' ')) {
            return (Str){line.data, i};
        }
    }
    return line;
}

static void split_lines(Yaml *y, Str text, Arena *a) {
    size_t capacity = 0;
    Str line;
    while (line_next(&text, &line) && y->n < LINES_MAX) {
        line = without_comment(line);
        size_t indent = 0;
        while (indent < line.length && line.data[indent] == ' ') indent++;
        Str trimmed = str_trim(line);
        if (trimmed.length == 0 || str_is(trimmed, "---")) continue;
        y->lines = arena_grow(a, y->lines, y->n, &capacity, sizeof *y->lines);
        y->lines[y->n++] = (Line){trimmed, indent};
    }
}

// Where the colon that ends a key stands; SIZE_MAX: the line has none.
static size_t colon_of(Str line) {
    char quote = '\0';
    for (size_t i = 0; i < line.length; i++) {
        char c = line.data[i];
        if (quote != '\0') {
            if (c == quote) quote = '\0';
        } else if ((c == '"' || c == '\'') && i == 0) {
            quote = c;
        } else if (c == ':' && (i + 1 == line.length || line.data[i + 1] == ' ')) {
            return i;
        }
    }
    return SIZE_MAX;
}

static Str unquoted(Str s, bool *ret_quoted) {
    *ret_quoted =
        s.length >= 2 && (s.data[0] == '"' || s.data[0] == '\'') && s.data[s.length - 1] == s.data[0];
    return *ret_quoted ? (Str){s.data + 1, s.length - 2} : s;
}

static void copy_text(char *out, size_t size, Str s) {
    snprintf(out, size, "%.*s", (int)(s.length < size ? s.length : size - 1), s.data);
}

static void add_scalar(Json *parent, const char *key, Str value) {
    char text[SCALAR_MAX];
    bool quoted = false;
    double x = 0;
    value = unquoted(value, &quoted);
    copy_text(text, sizeof text, value);
    if (quoted)
        json_add_text(parent, key, text);
    else if (parse_number(value, -1e300, 1e300, &x, NULL))
        json_add_number(parent, key, x);
    else if (str_is(value, "true") || str_is(value, "false"))
        json_add_bool(parent, key, str_is(value, "true"));
    else if (value.length == 0 || str_is(value, "null") || str_is(value, "~"))
        json_add_null(parent, key);
    else
        json_add_text(parent, key, text);
}

static void parse_map(Yaml *y, size_t indent, Json *map, int depth);
static void parse_list(Yaml *y, size_t indent, Json *list, int depth);

static bool is_item(Str line) {
    return line.length > 0 && line.data[0] == '-' && (line.length == 1 || line.data[1] == ' ');
}

// What stands below a key (or a bare '-') at `indent`.
static void parse_below(Yaml *y, size_t indent, Json *parent, const char *key, int depth) {
    if (y->at >= y->n || depth > DEPTH_MAX) {
        y->bad = y->bad || depth > DEPTH_MAX;
        json_add_null(parent, key);
        return;
    }
    Line next = y->lines[y->at];
    if (is_item(next.text) && (next.indent > indent || (next.indent == indent && key != NULL)))
        parse_list(y, next.indent, json_add_array(parent, key), depth + 1);
    else if (next.indent > indent && colon_of(next.text) != SIZE_MAX)
        parse_map(y, next.indent, json_add_object(parent, key), depth + 1);
    else
        json_add_null(parent, key);
}

static void skip_deeper(Yaml *y, size_t indent) {
    while (y->at < y->n && y->lines[y->at].indent > indent) y->at++;
}

static void parse_map(Yaml *y, size_t indent, Json *map, int depth) {
    while (!y->bad && y->at < y->n && y->lines[y->at].indent == indent) {
        Str line = y->lines[y->at].text;
        size_t colon = colon_of(line);
        if (is_item(line)) return;
        if (colon == SIZE_MAX) {  // a text that goes on
            y->at++;
            continue;
        }
        char key[KEY_MAX];
        bool quoted = false;
        copy_text(key, sizeof key, unquoted(str_trim((Str){line.data, colon}), &quoted));
        Str value = str_trim((Str){line.data + colon + 1, line.length - colon - 1});
        y->at++;
        if (value.length == 0)
            parse_below(y, indent, map, key, depth);
        else if (value.data[0] != '|' && value.data[0] != '>')
            add_scalar(map, key, value);
        skip_deeper(y, indent);
    }
}

static void parse_list(Yaml *y, size_t indent, Json *list, int depth) {
    while (!y->bad && y->at < y->n && y->lines[y->at].indent == indent && is_item(y->lines[y->at].text)) {
        Line *line = &y->lines[y->at];
        Str rest = str_trim((Str){line->text.data + 1, line->text.length - 1});
        if (depth > DEPTH_MAX) {
            y->bad = true;
        } else if (rest.length == 0) {
            y->at++;
            parse_below(y, indent, list, NULL, depth);
        } else if (colon_of(rest) != SIZE_MAX && rest.data[0] != '{' && rest.data[0] != '[') {
            // the item's first key stands where its map begins
            line->indent = indent + (size_t)(rest.data - line->text.data);
            line->text = rest;
            parse_map(y, line->indent, json_add_object(list, NULL), depth + 1);
        } else {
            add_scalar(list, NULL, rest);
            y->at++;
        }
        skip_deeper(y, indent);
    }
}

// The tree as the text that it would be in JSON, read again: numbers that were added are texts until then.
static Json *read_again(Json *root) {
    Buf b;
    Json *again = NULL;
    buf_init(&b, BUF_LIMIT);
    json_print(root, &b);
    json_free(root);
    if (!b.overflow) json_parse((Str){b.data, b.length}, RUNS_VALUES_MAX, &again, NULL);
    buf_free(&b);
    return again;
}

Json *yaml_parse(Str text) {
    Arena a = {0};
    Yaml y = {0};
    Json *root = NULL;
    if (str_is_utf8(text)) split_lines(&y, text, &a);
    if (y.n > 0 && !is_item(y.lines[0].text)) {
        root = json_object();
        parse_map(&y, y.lines[0].indent, root, 0);
    }
    arena_free(&a);
    if (!y.bad && root != NULL) return read_again(root);
    json_free(root);
    return NULL;
}
