// Cleaning, width and distance of foreign text: what comes out is harmless, and cleaning it again changes
// nothing.
#include <string.h>

#include "src/base/base.h"
#include "tests/fuzz/fuzz.h"

static void try_clean(Arena *a, const char *text) {
    const char *clean = text_clean(a, text);
    MUST_HOLD(strlen(clean) <= strlen(text));
    for (const char *c = clean; *c != '\0'; c++) {
        unsigned char u = (unsigned char)*c;
        MUST_HOLD(u >= 0x20 && u != 0x7f && u != 0xff);
        MUST_HOLD(!(u == 0xc2 && (unsigned char)c[1] < 0xa0));  // C1
    }
    MUST_HOLD(strcmp(text_clean(a, clean), clean) == 0);
    MUST_HOLD(text_width(clean) <= 2 * strlen(clean));
    text_width(text);
}

static void try_distance(const char *a, const char *b) {
    size_t there = edit_distance(a, b, 10);
    MUST_HOLD(there <= 11 && there == edit_distance(b, a, 10));
    MUST_HOLD(edit_distance(a, a, 10) == (strlen(a) > 64 ? 11 : 0));
    size_t m = strlen(a);
    size_t n = strlen(b);
    size_t apart = m > n ? m - n : n - m;
    MUST_HOLD(there >= (apart > 11 ? 11 : apart));
}

static void try_json(const char *text) {
    Json *j = json_object();
    json_add_text(j, "text", text);
    json_add_text_or_null(j, "maybe", text);
    Buf b;
    buf_init(&b, BUF_LIMIT);
    json_print(j, &b);
    MUST_HOLD(b.length > 2 && b.data[b.length - 1] == '\n');
    buf_free(&b);
    json_free(j);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena a = {0};
    char *text = arena_copy(&a, (const char *)data, size);
    try_clean(&a, text);
    char *half = arena_copy(&a, (const char *)data, size / 2);
    try_distance(half, text + strlen(half));
    try_json(text);
    Str rest = str_of(text);
    Str part;
    size_t total = 0;
    while (str_next(&rest, ' ', &part)) total += part.length + 1;
    MUST_HOLD(total == strlen(text) + 1);
    MUST_HOLD(str_trim(str_of(text)).length <= strlen(text));
    MUST_HOLD(text_contains(text, half));
    Err e = {0};
    err_set(&e, ERR_FAILED, "read '%s'", text);
    err_wrap(&e, "load '%s'", half);
    MUST_HOLD(strlen(e.text) < sizeof e.text && strchr(e.text, '\n') == NULL && strchr(e.text, 0x1b) == NULL);
    arena_free(&a);
    return 0;
}
