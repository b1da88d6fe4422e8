// The index of git: which files it follows.
#include <string.h>

#include "src/migrate/scan.h"

enum { HEADER_BYTES = 12, ENTRY_BYTES = 62, EXTENDED = 0x4000, PATH_BYTES_MAX = 4096 };

static uint32_t number(const char *p) {
    const unsigned char *b = (const unsigned char *)p;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

// How many bytes of the last path the next one drops: version 4 keeps only what differs.
static bool dropped(Str s, size_t *at, size_t *ret) {
    size_t n = 0;
    for (size_t i = 0; i < 5 && *at < s.length; i++) {
        unsigned char c = (unsigned char)s.data[(*at)++];
        n = i == 0 ? c & 127u : ((n + 1) << 7) | (c & 127u);
        if ((c & 128u) == 0) {
            *ret = n;
            return true;
        }
    }
    return false;
}

bool git_index(Str s, Arena *a, Buf *ret_paths) {
    if (s.length < HEADER_BYTES || memcmp(s.data, "DIRC", 4) != 0) return false;
    uint32_t version = number(s.data + 4);
    uint32_t n = number(s.data + 8);
    size_t at = HEADER_BYTES;
    const char *last = "";
    if (version < 2 || version > 4) return false;
    for (uint32_t i = 0; i < n; i++) {
        size_t start = at;
        if (s.length - at < ENTRY_BYTES) return false;
        unsigned flags = number(s.data + at + 58) & 0xffff;
        at += (flags & EXTENDED) != 0 ? ENTRY_BYTES + 2u : ENTRY_BYTES;
        size_t drop = strlen(last);
        if (at >= s.length || (version == 4 && !dropped(s, &at, &drop)) || drop > strlen(last)) return false;
        const char *end = at < s.length ? memchr(s.data + at, '\0', s.length - at) : NULL;
        if (end == NULL) return false;
        size_t kept = version == 4 ? strlen(last) - drop : 0;
        size_t more = (size_t)(end - s.data) - at;
        if (kept + more > PATH_BYTES_MAX || kept + more == 0) return false;
        const char *path = arena_printf(a, "%.*s%.*s", (int)kept, last, (int)more, s.data + at);
        buf_add(ret_paths, (const char *)&path, sizeof path);
        last = path;
        at += more + 1;
        // entries are padded to eight bytes before version 4
        while (version < 4 && (at - start) % 8 != 0) at++;
        if (at > s.length) return false;
    }
    return true;
}
