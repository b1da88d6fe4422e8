// Lines of "key = value".
#include "src/base/keyvalue.h"

#include <string.h>

static Str without_comment(Str line) {
    for (size_t i = 0; i < line.length; i++) {
        bool starts = i == 0 || line.data[i - 1] == ' ' || line.data[i - 1] == '\t';
        if (line.data[i] == '#' && starts) return (Str){line.data, i};
    }
    return line;
}

bool keyvalue_next(KeyValues *r, Str *ret_key, Str *ret_value) {
    if (r->line == 0 && r->rest.length >= 3 && memcmp(r->rest.data, "\xef\xbb\xbf", 3) == 0)
        r->rest = (Str){r->rest.data + 3, r->rest.length - 3};
    for (Str line; str_next(&r->rest, '\n', &line);) {
        r->line++;
        line = str_trim(r->comments ? without_comment(line) : line);
        if (line.length == 0) continue;
        str_next(&line, '=', ret_key);
        *ret_key = str_trim(*ret_key);
        *ret_value = line.data != NULL ? str_trim(line) : line;
        return true;
    }
    return false;
}
