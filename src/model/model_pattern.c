// Names of modules against the patterns of quantisation words: plain names, globs, and the regular
// expressions that compressed-tensors writes behind "re:". What is matched comes from outside, so every try
// is counted.
#include <string.h>

#include "src/model/model.h"

// ---------------------------------------------------------------- plain names and globs

static bool at_end(const char *text) { return *text == '\0' || *text == '.'; }

// "self_attn" in "model.layers.3.self_attn.q_proj": whole words between dots.
static bool plain_match(const char *pattern, const char *name) {
    size_t n = strlen(pattern);
    for (const char *at = strstr(name, pattern); n > 0 && at != NULL; at = strstr(at + 1, pattern)) {
        if ((at == name || at[-1] == '.') && at_end(at + n)) return true;
    }
    return false;
}

// A glob names a module, and with it what lies in it.
static bool glob_match(const char *p, const char *s, int64_t *budget) {
    for (; *p != '\0'; p++, s++) {
        if (--*budget < 0) return false;
        if (*p == '*') {
            while (p[1] == '*') p++;
            for (;; s++) {
                if (glob_match(p + 1, s, budget)) return true;
                if (*s == '\0') return false;
            }
        }
        if (*s == '\0' || (*p != '?' && *p != *s)) return false;
    }
    return at_end(s);
}

// ---------------------------------------------------------------- regular expressions

// What of an expression is still to come: the rest of the group, and of those around it.
typedef struct Rest {
    const char *p, *end;
    const struct Rest *outer;
} Rest;

typedef struct Matcher {
    const char *name;
    int64_t *budget;
    bool strange;  // a construct that is not read
} Matcher;

static const char *class_end(const char *p, const char *end) {
    for (p += p + 1 < end && p[1] == '^' ? 3 : 2; p < end; p++) {
        if (*p == ']') return p + 1;
    }
    return NULL;
}

static const char *group_end(const char *p, const char *end) {
    int depth = 0;
    for (; p < end; p++) {
        if (*p == '\\')
            p++;
        else if (*p == '(')
            depth++;
        else if (*p == ')' && --depth == 0)
            return p + 1;
    }
    return NULL;
}

// Behind one character's worth of expression; NULL: broken.
static const char *atom_end(const char *p, const char *end) {
    if (*p == '(') return group_end(p, end);
    if (*p == '[') return class_end(p, end);
    if (*p == '\\') return p + 1 < end ? p + 2 : NULL;
    return p + 1;
}

static bool in_class(const char *p, const char *end, char c) {
    bool negated = p[1] == '^';
    bool found = false;
    for (p += negated ? 2 : 1; p < end - 1; p++) {
        bool range = p + 2 < end - 1 && p[1] == '-';
        if (*p == '\\' && p + 1 < end - 1 && p[1] == 'd')
            found = found || (c >= '0' && c <= '9');
        else if (range)
            found = found || (c >= *p && c <= p[2]), p += 2;
        else
            found = found || c == *p;
    }
    return found != negated;
}

static bool one_matches(Matcher *m, const char *p, const char *end, char c) {
    if (c == '\0') return false;
    if (*p == '.') return true;
    if (*p == '[') return in_class(p, end, c);
    if (*p != '\\') return *p == c;
    if (p[1] == 'd') return c >= '0' && c <= '9';
    if (p[1] == 'w') return char_is_word(c);
    if (char_is_word(p[1])) m->strange = true;
    return p[1] == c;
}

static bool expression(Matcher *m, const char *p, const char *end, const Rest *outer, const char *s);

static bool group(Matcher *m, const char *p, const char *end, const Rest *behind, const char *s) {
    const char *inner = p + 1;
    if (*inner == '?') {
        if (inner[1] != ':') m->strange = true;
        inner += 2;
    }
    const char *start = inner;
    for (const char *at = inner; at < end; at++) {
        bool last = at == end - 1;
        if (last || *at == '|') {
            if (expression(m, start, at, behind, s)) return true;
            start = at + 1;
        } else if (*at == '\\') {
            at++;
        } else if (*at == '(' || *at == '[') {
            const char *past = atom_end(at, end - 1);
            if (past == NULL) return false;
            at = past - 1;
        }
    }
    return false;
}

static bool repeated(Matcher *m, const char *p, const char *past, size_t least, size_t most, const Rest *rest,
                     const char *s) {
    size_t n = 0;
    while (n < most && one_matches(m, p, past, s[n])) n++;
    for (size_t k = n + 1; k-- > least;) {
        if (expression(m, rest->p, rest->end, rest->outer, s + k)) return true;
    }
    return false;
}

static bool expression(Matcher *m, const char *p, const char *end, const Rest *outer, const char *s) {
    if (--*m->budget < 0 || m->strange) return false;
    if (p >= end) return outer == NULL || expression(m, outer->p, outer->end, outer->outer, s);
    if (*p == '^') return s == m->name && expression(m, p + 1, end, outer, s);
    if (*p == '$') return *s == '\0' && expression(m, p + 1, end, outer, s);
    const char *past = atom_end(p, end);
    if (past == NULL) return m->strange = true, false;
    char sign = past < end ? *past : '\0';
    bool counted = sign == '*' || sign == '+' || sign == '?';
    if (sign == '{') m->strange = true;
    const char *after = past + counted;
    if (counted && sign != '?' && after < end && *after == '?') after++;
    Rest rest = {after, end, outer};
    if (*p != '(')
        return repeated(m, p, past, sign == '*' || sign == '?' ? 0 : 1,
                        sign == '*' || sign == '+' ? strlen(s) : 1, &rest, s);
    if (sign == '*' || sign == '+') m->strange = true;
    return group(m, p, past, &rest, s) || (sign == '?' && expression(m, after, end, outer, s));
}

bool pattern_match(PatternKind kind, const char *pattern, const char *name, int64_t *budget,
                   bool *ret_strange) {
    if (--*budget < 0) return false;
    if (kind == PATTERN_PLAIN) return plain_match(pattern, name);
    if (kind == PATTERN_GLOB) return glob_match(pattern, name, budget);
    Matcher m = {.name = name, .budget = budget};
    // Of several alternatives without brackets each is an expression.
    const char *end = pattern + strlen(pattern);
    const char *start = pattern;
    bool found = false;
    for (const char *at = pattern; at <= end && !found; at++) {
        if (at < end && *at == '\\' && at + 1 < end) {
            at++;
        } else if (at < end && *at == '(') {
            const char *past = group_end(at, end);
            if (past == NULL) {
                m.strange = true;
                break;
            }
            at = past - 1;
        } else if (at == end || *at == '|') {
            found = expression(&m, start, at, NULL, name);
            start = at + 1;
        }
    }
    if (m.strange) *ret_strange = true;
    return found;
}
