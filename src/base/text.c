// String views, UTF-8 safety and word distance.
#include <stdint.h>
#include <string.h>
#include <utf8proc.h>

#include "src/base/base.h"

Str str_of(const char *text) { return (Str){text, strlen(text)}; }

bool str_is(Str s, const char *text) {
    return s.length == strlen(text) && memcmp(s.data, text, s.length) == 0;
}

Str str_trim(Str s) {
    while (s.length > 0 && char_is_blank(s.data[0])) s = (Str){s.data + 1, s.length - 1};
    while (s.length > 0 && char_is_blank(s.data[s.length - 1])) s.length--;
    return s;
}

bool str_next(Str *rest, char separator, Str *ret_part) {
    if (rest->data == NULL) return false;
    const char *at = rest->length > 0 ? memchr(rest->data, separator, rest->length) : NULL;
    if (at == NULL) {
        *ret_part = *rest;
        *rest = (Str){NULL, 0};
        return true;
    }
    size_t length = (size_t)(at - rest->data);
    *ret_part = (Str){rest->data, length};
    *rest = (Str){at + 1, rest->length - length - 1};
    return true;
}

bool str_starts(Str s, const char *start) {
    size_t n = strlen(start);
    return s.length >= n && memcmp(s.data, start, n) == 0;
}

size_t str_find(Str s, const char *part, size_t from) {
    size_t n = strlen(part);
    if (n == 0) return from;
    for (; from + n <= s.length; from++) {
        const char *first = memchr(s.data + from, part[0], s.length - from - n + 1);
        if (first == NULL) break;
        from = (size_t)(first - s.data);
        if (memcmp(first, part, n) == 0) return from;
    }
    return SIZE_MAX;
}

bool str_has(Str s, const char *part) { return str_find(s, part, 0) != SIZE_MAX; }

bool str_in(Str s, const char *const *words, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (str_is(s, words[i])) return true;
    }
    return false;
}

bool text_ends(const char *text, const char *end) {
    size_t n = strlen(text);
    size_t m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

bool text_ends_same(const char *text, const char *end) {
    size_t n = strlen(text);
    size_t m = strlen(end);
    return n >= m && text_same(text + n - m, end);
}

bool word_in(const char *list, const char *word) {
    size_t n = strlen(word);
    if (n == 0 || strchr(word, ' ') != NULL) return false;
    for (const char *at = strstr(list, word); at != NULL; at = strstr(at + 1, word)) {
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0')) return true;
    }
    return false;
}

char char_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

bool word_same_in(const char *list, const char *word) {
    Str rest = str_of(list);
    Str part;
    while (str_next(&rest, ' ', &part)) {
        size_t k = 0;
        while (k < part.length && char_lower(part.data[k]) == char_lower(word[k])) k++;
        if (k > 0 && k == part.length && word[k] == '\0') return true;
    }
    return false;
}

bool text_same(const char *a, const char *b) {
    while (*a != '\0' && char_lower(*a) == char_lower(*b)) a++, b++;
    return char_lower(*a) == char_lower(*b);
}

bool text_contains(const char *haystack, const char *needle) {
    size_t n = strlen(needle);
    size_t h = strlen(haystack);
    for (size_t i = 0; i + n <= h; i++) {
        size_t k = 0;
        while (k < n && char_lower(haystack[i + k]) == char_lower(needle[k])) k++;
        if (k == n) return true;
    }
    return false;
}

// ---------------------------------------------------------------- UTF-8

// Decodes one code point at `s`; returns its length in bytes, 0 when the bytes are no valid UTF-8 (RFC 3629).
static size_t utf8_decode(const unsigned char *s, size_t left, uint32_t *ret_point) {
    utf8proc_int32_t point = -1;
    utf8proc_ssize_t length = utf8proc_iterate(s, (utf8proc_ssize_t)left, &point);
    if (length <= 0) return 0;
    *ret_point = (uint32_t)point;
    return (size_t)length;
}

// What carries no picture of its own, and so may hide or change what stands beside it: controls, formats, line
// separators, whatever is ignored by default, and what this version of Unicode does not know.
static bool is_control(uint32_t p) {
    if (p >= 0x20 && p < 0x7f) return false;
    const utf8proc_property_t *x = utf8proc_get_property((utf8proc_int32_t)p);
    return x->ignorable || x->category == UTF8PROC_CATEGORY_CN || x->category == UTF8PROC_CATEGORY_CC ||
           x->category == UTF8PROC_CATEGORY_CF || x->category == UTF8PROC_CATEGORY_ZL ||
           x->category == UTF8PROC_CATEGORY_ZP;
}

void text_scrub(char *text) {
    const unsigned char *s = (const unsigned char *)text;
    while (*s >= 0x20 && *s < 0x7f) s++;  // most text is no more than this
    size_t left = strlen((const char *)s);
    char *out = text + ((const char *)s - text);
    while (left > 0) {
        uint32_t point = 0;
        size_t length = utf8_decode(s, left, &point);
        if (length == 0 || is_control(point)) {
            *out++ = '?';
            length = length == 0 ? 1 : length;
        } else {
            memmove(out, s, length);
            out += length;
        }
        s += length;
        left -= length;
    }
    *out = '\0';
}

void buf_add_clean(Buf *b, const char *text) {
    size_t start = b->length;
    buf_puts(b, text);
    if (b->length == start) return;  // nothing to add, or refused
    text_scrub(b->data + start);
    b->length = start + strlen(b->data + start);
}

const char *text_clean(Arena *a, const char *text) {
    char *copy = arena_copy(a, text, strlen(text));
    text_scrub(copy);
    return copy;
}

const char *path_shown(Arena *a, const char *path) {
    size_t left = strlen(path);
    Buf b;
    buf_init(&b, BUF_LIMIT);
    for (const unsigned char *s = (const unsigned char *)path; left > 0;) {
        uint32_t point = 0;
        size_t length = utf8_decode(s, left, &point);
        bool plain = length > 0 && !is_control(point) && !(point == '\\' && s[1] == 'x');
        if (length == 0) length = 1;
        if (plain) buf_add(&b, (const char *)s, length);
        for (size_t i = 0; !plain && i < length; i++) buf_printf(&b, "\\x%02x", s[i]);
        s += length;
        left -= length;
    }
    const char *shown = b.length == strlen(path) ? path : arena_copy(a, b.data, b.length);
    buf_free(&b);
    return shown;
}

const char *path_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

const char *path_folder(Arena *a, const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? "." : slash == path ? "/" : arena_copy(a, path, (size_t)(slash - path));
}

const char *text_shell_word(Arena *a, const char *text) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    size_t length = strlen(text);
    if (length > 0 && strspn(text, plain) == length) return text;
    char *word = arena_alloc(a, 4 * length + 3, 1);
    size_t n = 0;
    word[n++] = '\'';
    for (size_t i = 0; i < length; i++) {
        const char *quoted = text[i] == '\'' ? "'\\''" : (const char[]){text[i], '\0'};
        memcpy(word + n, quoted, strlen(quoted));
        n += strlen(quoted);
    }
    word[n] = '\'';
    return word;
}

bool str_is_utf8(Str s) {
    const unsigned char *bytes = (const unsigned char *)s.data;
    for (size_t i = 0; i < s.length;) {
        uint32_t point = bytes[i];
        size_t length = point < 0x80 ? 1 : utf8_decode(bytes + i, s.length - i, &point);
        if (length == 0 || point == 0) return false;
        i += length;
    }
    return true;
}

// At most what one character takes.
static size_t bytes_ahead(const char *text) {
    size_t n = 0;
    while (n < 4 && text[n] != '\0') n++;
    return n;
}

size_t text_point(const char *text, uint32_t *ret_point, size_t *ret_width) {
    uint32_t point = 0xfffd;
    size_t length = utf8_decode((const unsigned char *)text, bytes_ahead(text), &point);
    *ret_point = point;
    // A spacing mark has a column of its own, whatever the library says.
    bool one = is_control(point) || utf8proc_category((utf8proc_int32_t)point) == UTF8PROC_CATEGORY_MC;
    *ret_width = one ? 1 : (size_t)utf8proc_charwidth((utf8proc_int32_t)point);
    return length == 0 ? 1 : length;
}

size_t text_width(const char *text) {
    size_t width = 0;
    while (*text != '\0') {
        uint32_t point = 0;
        size_t columns = 0;
        text += text_point(text, &point, &columns);
        width += columns;
    }
    return width;
}

// ---------------------------------------------------------------- distance

size_t edit_distance(const char *a, const char *b, size_t limit) {
    enum { LONGEST = 64 };
    size_t n = strlen(a);
    size_t m = strlen(b);
    if (n > LONGEST || m > LONGEST) return limit + 1;
    size_t rows[3][LONGEST + 1];  // two rows back, one row back, current: swaps need two back
    for (size_t j = 0; j <= m; j++) rows[1][j] = j;
    for (size_t i = 1; i <= n; i++) {
        rows[2][0] = i;
        for (size_t j = 1; j <= m; j++) {
            bool same = char_lower(a[i - 1]) == char_lower(b[j - 1]);
            size_t best = rows[1][j - 1] + (same ? 0 : 1);
            if (rows[1][j] + 1 < best) best = rows[1][j] + 1;
            if (rows[2][j - 1] + 1 < best) best = rows[2][j - 1] + 1;
            if (i > 1 && j > 1 && char_lower(a[i - 1]) == char_lower(b[j - 2]) &&
                char_lower(a[i - 2]) == char_lower(b[j - 1]) && rows[0][j - 2] + 1 < best) {
                best = rows[0][j - 2] + 1;
            }
            rows[2][j] = best;
        }
        memcpy(rows[0], rows[1], sizeof rows[0]);
        memcpy(rows[1], rows[2], sizeof rows[1]);
    }
    return rows[1][m] > limit ? limit + 1 : rows[1][m];
}

size_t str_points(Str s) {
    size_t n = 0;
    for (size_t i = 0; i < s.length; i++) n += ((unsigned char)s.data[i] & 0xc0) != 0x80;
    bool marked = s.length >= 3 && memcmp(s.data, "\xef\xbb\xbf", 3) == 0;
    return marked ? n - 1 : n;
}
