// Patterns of .gitignore against git's rules, written down again as they read (gitignore(5)), and whole files.
//
// Bytes up to the first NUL are a .gitignore, those behind it a path.
#include <string.h>

#include "src/migrate/scan.h"
#include "tests/fuzz/fuzz.h"

enum { COMPARED_MAX = 20 };  // the rules as they read take time that grows by powers

// Does `p`, a part of `pattern`, fit `t`? Brackets and backslashes are not in it.
static bool by_the_book(const char *pattern, const char *p, const char *t) {
    if (*p == '\0') return *t == '\0';
    if (*p == '*') {
        const char *after = p + strspn(p, "*");
        bool whole = after - p >= 2 && (p == pattern || p[-1] == '/') && (*after == '\0' || *after == '/');
        if (whole && *after == '/' && by_the_book(pattern, after + 1, t)) return true;  // no folder at all
        for (;; t++) {
            if (by_the_book(pattern, after, t)) return true;
            if (*t == '\0' || (*t == '/' && !whole)) return false;
        }
    }
    if (*t == '\0' || (*p == '?' ? *t == '/' : *p != *t)) return false;
    return by_the_book(pattern, p + 1, t + 1);
}

static void compare(const char *pattern, const char *path) {
    size_t n = strlen(path);
    if (strlen(pattern) > COMPARED_MAX || n > COMPARED_MAX || strpbrk(pattern, "[\\") != NULL) return;
    if (n == 0 || path[0] == '/' || path[n - 1] == '/' || strstr(path, "//") != NULL) return;  // no path
    MUST_HOLD(ignore_glob(pattern, path) == by_the_book(pattern, pattern, path));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena a = {0};
    const uint8_t *end = memchr(data, '\0', size);
    size_t n = end != NULL ? (size_t)(end - data) : size;
    const char *path = end != NULL ? arena_copy(&a, (const char *)end + 1, size - n - 1) : "src/a.cu";
    ScanOptions options = {.root = "."};
    Walk w = {.options = &options, .arena = &a};
    buf_init(&w.files, BUF_LIMIT);
    buf_init(&w.notes, BUF_LIMIT);
    buf_init(&w.ignores, BUF_LIMIT);
    buf_init(&w.tracked, BUF_LIMIT);
    ignore_add(&w, "", (Str){(const char *)data, n}, false);
    const IgnoreRule *rules = (const IgnoreRule *)(const void *)w.ignores.data;
    for (size_t i = 0; i < w.ignores.length / sizeof *rules; i++) {
        MUST_HOLD(rules[i].pattern[0] != '\0' || rules[i].anchored || rules[i].folders_only);
        compare(rules[i].pattern, path);
    }
    is_ignored(&w, path, false);
    is_ignored(&w, path, true);
    buf_free(&w.files);
    buf_free(&w.notes);
    buf_free(&w.ignores);
    buf_free(&w.tracked);
    arena_free(&a);
    return 0;
}
