// Jupyter notebooks: the code cells of the JSON, each line at the line of the file where its string stands.
#include <string.h>

#include "src/migrate/text.h"

enum { VALUES_MAX = 2000000 };

// The strings of the text in order, in step with the tree that was parsed from it.
typedef struct StringWalk {
    Str text;
    size_t at, line;
    const TextFacts *facts;
    const TextSink *sink;
    const char *name;
    Arena *scratch;
} StringWalk;

// Offset of the next string's opening quote; moves past the string.
static size_t next_string(StringWalk *w) {
    while (w->at < w->text.length && w->text.data[w->at] != '"') {
        if (w->text.data[w->at] == '\n') w->line++;
        w->at++;
    }
    size_t start = w->at;
    for (w->at++; w->at < w->text.length && w->text.data[w->at] != '"'; w->at++) {
        if (w->text.data[w->at] == '\\') w->at++;
    }
    if (w->at < w->text.length) w->at++;
    if (w->at > w->text.length) w->at = w->text.length;
    return start;
}

static bool is_code(const Json *cell) {
    const char *type = json_text(json_get(cell, "cell_type"));
    return type != NULL && strcmp(type, "code") == 0;
}

// Lines in a text; a last one without a newline counts.
static size_t lines_in(const char *text) {
    size_t n = 0;
    const char *at = text;
    while (*at != '\0') {
        const char *newline = strchr(at, '\n');
        n++;
        if (newline == NULL) break;
        at = newline + 1;
    }
    return n;
}

static void scan_cell(StringWalk *w, Str code, const TextLines *lines) {
    TextScan s;
    scan_init(&s, TEXT_NOTEBOOK, w->name, code, w->facts, w->sink);
    s.lines = lines;
    python_scan(&s);
    scan_end(&s);
}

static void take_source(StringWalk *w, const Json *source) {
    size_t bytes = 0;
    size_t n = 0;
    bool list = json_is_array(source);
    for (const Json *j = list ? json_first(source) : source; j != NULL; j = list ? json_next(j) : NULL) {
        const char *text = json_text(j);
        if (text == NULL) continue;
        bytes += strlen(text);
        n += lines_in(text);
    }
    char *code = arena_alloc(w->scratch, bytes + 1, 1);
    size_t *offsets = arena_alloc(w->scratch, n + 1, sizeof *offsets);
    size_t *numbers = arena_alloc(w->scratch, n + 1, sizeof *numbers);
    size_t length = 0;
    size_t k = 0;
    for (const Json *j = list ? json_first(source) : source; j != NULL; j = list ? json_next(j) : NULL) {
        const char *text = json_text(j);
        if (text == NULL) continue;
        size_t at = next_string(w);
        for (size_t i = lines_in(text); i > 0 && k < n; i--, k++) {
            offsets[k] = at;
            numbers[k] = w->line;
        }
        memcpy(code + length, text, strlen(text));
        length += strlen(text);
    }
    TextLines lines = {offsets, numbers, n};
    scan_cell(w, (Str){code, length}, &lines);
}

// Passes over a value's strings. The depth is bounded by the parser's.
static void pass_over(StringWalk *w, const Json *j) {
    if (json_text(j) != NULL) (void)next_string(w);
    bool object = json_is_object(j);
    for (const Json *child = object || json_is_array(j) ? json_first(j) : NULL; child != NULL;
         child = json_next(child)) {
        if (object) (void)next_string(w);
        pass_over(w, child);
    }
}

static void walk_cell(StringWalk *w, const Json *cell) {
    if (!json_is_object(cell)) {
        pass_over(w, cell);
        return;
    }
    for (const Json *m = json_first(cell); m != NULL; m = json_next(m)) {
        (void)next_string(w);
        bool source =
            strcmp(json_key(m), "source") == 0 && is_code(cell) && (json_is_array(m) || json_text(m) != NULL);
        bool plain = source;
        for (const Json *e = source && json_is_array(m) ? json_first(m) : NULL; e != NULL; e = json_next(e))
            plain = plain && json_text(e) != NULL;
        if (plain) {
            take_source(w, m);
        } else {
            pass_over(w, m);
        }
    }
}

bool notebook_scan(const char *name, Str text, const TextFacts *facts, const TextSink *sink, Arena *scratch,
                   Err *e) {
    Json *root = NULL;
    if (!json_parse(text, VALUES_MAX, &root, e)) return false;
    StringWalk w = {.text = text, .line = 1, .facts = facts, .sink = sink, .name = name, .scratch = scratch};
    for (const Json *m = json_is_object(root) ? json_first(root) : NULL; m != NULL; m = json_next(m)) {
        (void)next_string(&w);
        if (strcmp(json_key(m), "cells") != 0 || !json_is_array(m)) {
            pass_over(&w, m);
            continue;
        }
        for (const Json *cell = json_first(m); cell != NULL; cell = json_next(cell)) walk_cell(&w, cell);
    }
    json_free(root);
    return true;
}
