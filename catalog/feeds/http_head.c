// Lines of an answer's head.
#include <string.h>

#include "catalog/feeds/http.h"

static bool header_is(Str line, const char *name, Str *ret_value) {
    size_t n = strlen(name);
    if (line.length <= n || line.data[n] != ':') return false;
    for (size_t i = 0; i < n; i++) {
        if (char_lower(line.data[i]) != name[i]) return false;
    }
    *ret_value = str_trim((Str){line.data + n + 1, line.length - n - 1});
    return true;
}

// Values that do not fit or hold anything odd are as good as absent.
static void keep_header(char *out, size_t size, Str value) {
    out[0] = '\0';
    if (value.length >= size) return;
    for (size_t i = 0; i < value.length; i++) {
        if ((unsigned char)value.data[i] < ' ' || (unsigned char)value.data[i] >= 0x7f) return;
    }
    memcpy(out, value.data, value.length);
    out[value.length] = '\0';
}

void http_head_line(Str line, HttpReply *reply, char type[HTTP_TYPE_MAX]) {
    Str value;
    if (line.length >= 5 && memcmp(line.data, "HTTP/", 5) == 0) {
        reply->etag[0] = reply->last_modified[0] = type[0] = '\0';
    } else if (header_is(line, "etag", &value)) {
        keep_header(reply->etag, sizeof reply->etag, value);
    } else if (header_is(line, "last-modified", &value)) {
        keep_header(reply->last_modified, sizeof reply->last_modified, value);
    } else if (header_is(line, "content-type", &value)) {
        keep_header(type, HTTP_TYPE_MAX, value);
    }
}

bool http_type_wanted(const char *type, const char *types) {
    char bare[HTTP_TYPE_MAX];
    size_t n = 0;
    for (; n < sizeof bare - 1 && type[n] != '\0' && type[n] != ';' && type[n] != ' '; n++)
        bare[n] = char_lower(type[n]);
    bare[n] = '\0';
    return n == 0 || types == NULL || word_in(types, bare);
}
