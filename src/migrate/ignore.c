// Patterns of .gitignore and of --exclude.
#include <string.h>

#include "src/migrate/scan.h"

enum { RULES_MAX = 20000, PATTERN_MAX = 1000 };

// "[a-z]" at `p`: does it hold c? Sets the place after it; a bracket that does not close stands for itself.
static bool class_fits(const char *p, char c, const char **ret_after) {
    const char *at = p + 1;
    bool negated = *at == '!' || *at == '^';
    if (negated) at++;
    bool found = false;
    const char *first = at;
    while (*at != '\0' && (*at != ']' || at == first)) {
        if (at[1] == '-' && at[2] != '\0' && at[2] != ']') {
            found = found || (c >= at[0] && c <= at[2]);
            at += 3;
        } else {
            found = found || c == *at;
            at++;
        }
    }
    if (*at == '\0') {
        *ret_after = p + 1;
        return c == '[';
    }
    *ret_after = at + 1;
    return found != negated && c != '/';
}

static bool step(const char **p, char c) {
    const char *after = *p + 1;
    bool fits = false;
    if (**p == '?') {
        fits = c != '/';
    } else if (**p == '[') {
        fits = class_fits(*p, c, &after);
    } else {
        if (**p == '\\' && (*p)[1] != '\0') after = ++*p + 1;
        fits = **p == c;
    }
    if (fits) *p = after;
    return fits;
}

// Is what stands at `p` a "**" (or more stars) that is a whole part of the path? Beside other letters it means no
// more than '*'.
static bool is_deep(const char *pattern, const char *p) {
    size_t stars = strspn(p, "*");
    return stars >= 2 && (p == pattern || p[-1] == '/') && (p[stars] == '\0' || p[stars] == '/');
}

// '*' stays within a folder, '**' does not. Two places to come back to are enough: time grows with pattern
// times text.
bool ignore_glob(const char *pattern, const char *text) {
    const char *star = NULL, *star_text = NULL, *deep = NULL, *deep_text = NULL;
    const char *p = pattern;
    const char *t = text;
    for (;;) {
        if (is_deep(pattern, p)) {
            deep = p;
            deep_text = t;
            star = NULL;
            while (*p == '*') p++;
            if (*p == '/') p++;  // "**/" fits nothing too
            continue;
        }
        if (*p == '*') {
            while (*p == '*' && !is_deep(pattern, p)) p++;
            star = p;
            star_text = t;
            continue;
        }
        if (*t == '\0' && *p == '\0') return true;
        if (*t != '\0' && *p != '\0' && step(&p, *t)) {
            t++;
            continue;
        }
        if (star != NULL && *star_text != '\0' && *star_text != '/') {
            t = ++star_text;
            p = star;
        } else if (deep != NULL && *deep_text != '\0') {
            // "**/x" comes back only after a slash.
            const char *after = deep;
            while (*after == '*') after++;
            bool slash = *after == '/';
            deep_text++;
            while (slash && *deep_text != '\0' && deep_text[-1] != '/') deep_text++;
            if (slash && deep_text[-1] != '/') return false;
            t = deep_text;
            p = slash ? after + 1 : after;
            star = NULL;
        } else {
            return false;
        }
    }
}

static void rule_add(Walk *w, const char *base, Str line, bool user) {
    if (line.length > 0 && line.data[line.length - 1] == '\r') line.length--;
    while (line.length > 0 && line.data[line.length - 1] == ' ' &&
           (line.length == 1 || line.data[line.length - 2] != '\\'))
        line.length--;
    if (line.length == 0 || line.data[0] == '#' || line.length > PATTERN_MAX ||
        w->ignores.length / sizeof(IgnoreRule) >= RULES_MAX)
        return;
    IgnoreRule r = {.base = base, .user = user};
    if (line.data[0] == '!') {
        r.negated = true;
        line = (Str){line.data + 1, line.length - 1};
    }
    if (line.length > 0 && line.data[line.length - 1] == '/') {
        r.folders_only = true;
        line.length--;
    }
    if (line.length == 0) return;
    if (line.data[0] == '/') {
        r.anchored = true;
        line = (Str){line.data + 1, line.length - 1};
    }
    r.anchored = r.anchored || memchr(line.data, '/', line.length) != NULL;
    r.pattern = arena_copy(w->arena, line.data, line.length);
    buf_add(&w->ignores, (const char *)&r, sizeof r);
}

void ignore_add(Walk *w, const char *base, Str text, bool user) {
    Str line;
    while (str_next(&text, '\n', &line)) rule_add(w, base, line, user);
}

// Does git follow this file, or one in this folder? What it follows no .gitignore leaves out.
bool is_tracked(const Walk *w, const char *path, bool folder) {
    const char *const *rows = (const char *const *)(const void *)w->tracked.data;
    size_t n = w->tracked.length / sizeof *rows;
    const char *key = folder ? arena_printf(w->arena, "%s/", path) : path;
    size_t at = rows_from(key, rows, n, sizeof *rows, order_name);
    return at < n && strncmp(rows[at], key, strlen(key) + (folder ? 0 : 1)) == 0;
}

bool ignore_fits(const Walk *w, const char *path, bool folder, bool *ret_user) {
    const IgnoreRule *rules = (const IgnoreRule *)(const void *)w->ignores.data;
    const char *name = path_name(path);
    for (size_t i = w->ignores.length / sizeof *rules; i-- > 0;) {
        const IgnoreRule *r = &rules[i];
        size_t n = strlen(r->base);
        if ((r->folders_only && !folder) || strncmp(path, r->base, n) != 0) continue;
        if (!ignore_glob(r->pattern, r->anchored ? path + n : name)) continue;
        *ret_user = r->user;
        return !r->negated;
    }
    return false;
}

bool is_ignored(const Walk *w, const char *path, bool folder) {
    bool user = false;
    return ignore_fits(w, path, folder, &user) && (user || !is_tracked(w, path, folder));
}
