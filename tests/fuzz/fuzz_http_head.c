// Heads of HTTP answers, line by line: what is kept is printable, fits, and goes when another answer begins.
#include <string.h>

#include "catalog/feeds/http.h"
#include "tests/fuzz/fuzz.h"

static void harmless(const char *text, size_t size) {
    MUST_HOLD(memchr(text, '\0', size) != NULL);
    for (const char *c = text; *c != '\0'; c++)
        MUST_HOLD((unsigned char)*c >= ' ' && (unsigned char)*c < 0x7f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    HttpReply reply = {0};
    char type[HTTP_TYPE_MAX] = "";
    Str rest = {(const char *)data, size};
    Str line;
    while (str_next(&rest, '\n', &line)) {
        http_head_line(line, &reply, type);
        harmless(reply.etag, sizeof reply.etag);
        harmless(reply.last_modified, sizeof reply.last_modified);
        harmless(type, sizeof type);
        if (line.length >= 5 && memcmp(line.data, "HTTP/", 5) == 0)
            MUST_HOLD(reply.etag[0] == '\0' && reply.last_modified[0] == '\0' && type[0] == '\0');
    }
    MUST_HOLD(http_type_wanted(type, NULL));
    if (http_type_wanted(type, "application/json text/csv"))
        MUST_HOLD(type[0] == '\0' || type[0] == ';' || type[0] == ' ' || (type[0] | 32) == 'a' ||
                  (type[0] | 32) == 't');
    return 0;
}
