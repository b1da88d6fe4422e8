// JSON read value by value.
#include "src/base/json_pull.h"

#include <string.h>

void pull_open(JsonPull *p, Str text) { *p = (JsonPull){.at = text.data, .end = text.data + text.length}; }

static void skip_blanks(JsonPull *p) {
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\n' || *p->at == '\r' || *p->at == '\t')) p->at++;
}

static bool fail(JsonPull *p) {
    p->bad = true;
    p->at = p->end;
    return false;
}

static bool is_plain(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '+' || c == '.';
}

JsonKind pull_kind(JsonPull *p) {
    skip_blanks(p);
    if (p->at == p->end) return JSON_NOTHING;
    char c = *p->at;
    if (c == '{') return JSON_OBJECT;
    if (c == '[') return JSON_ARRAY;
    if (c == '"') return JSON_TEXT;
    if ((c >= '0' && c <= '9') || c == '-') return JSON_NUMBER;
    return is_plain(c) ? JSON_WORD : JSON_NOTHING;
}

bool pull_enter(JsonPull *p) {
    JsonKind kind = pull_kind(p);
    if (kind != JSON_OBJECT && kind != JSON_ARRAY) return fail(p);
    p->at++;
    p->fresh = true;
    return true;
}

// Past the comma to what comes next; false at the closing bracket, which is passed too.
static bool to_next(JsonPull *p, char closing) {
    skip_blanks(p);
    if (p->at == p->end) return fail(p);
    if (*p->at == closing) {
        p->at++;
        p->fresh = false;
        return false;
    }
    if (!p->fresh) {
        if (*p->at != ',') return fail(p);
        p->at++;
    }
    p->fresh = false;
    return pull_kind(p) != JSON_NOTHING || fail(p);
}

static bool read_text(JsonPull *p, Str *ret_raw) {
    const char *start = p->at + 1;
    for (const char *at = start; at < p->end; at++) {
        if (*at == '\\') {
            at++;
        } else if (*at == '"') {
            *ret_raw = (Str){start, (size_t)(at - start)};
            p->at = at + 1;
            return true;
        }
    }
    return fail(p);
}

bool pull_key(JsonPull *p, Str *ret_key) {
    if (!to_next(p, '}')) return false;
    if (*p->at != '"' || !read_text(p, ret_key)) return fail(p);
    skip_blanks(p);
    if (p->at == p->end || *p->at != ':') return fail(p);
    p->at++;
    return true;
}

bool pull_element(JsonPull *p) { return to_next(p, ']'); }

bool pull_scalar(JsonPull *p, Str *ret_raw) {
    JsonKind kind = pull_kind(p);
    if (kind == JSON_TEXT) return read_text(p, ret_raw);
    if (kind != JSON_NUMBER && kind != JSON_WORD) return fail(p);
    const char *start = p->at;
    while (p->at < p->end && is_plain(*p->at)) p->at++;
    *ret_raw = (Str){start, (size_t)(p->at - start)};
    return true;
}

bool pull_skip(JsonPull *p) {
    int depth = 0;
    do {
        Str ignored;
        JsonKind kind = pull_kind(p);
        if (kind == JSON_NOTHING) {
            char c = p->at < p->end ? *p->at : '\0';
            if (depth == 0 || (c != '}' && c != ']' && c != ',' && c != ':')) return fail(p);
            depth -= c == '}' || c == ']';
            p->at++;
        } else if (kind == JSON_OBJECT || kind == JSON_ARRAY) {
            if (++depth > JSON_DEPTH_MAX) return fail(p);
            p->at++;
        } else if (!pull_scalar(p, &ignored)) {
            return false;
        }
    } while (depth > 0);
    p->fresh = false;
    return true;
}
