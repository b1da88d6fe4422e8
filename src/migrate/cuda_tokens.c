// What the tokens of a scan say: their text, and where a parenthesis closes.
#include "src/migrate/cuda_scan.h"

Str token_text(const Scan *s, size_t i) {
    return i < s->n ? (Str){s->text.data + s->tokens[i].at, s->tokens[i].length} : (Str){"", 0};
}

bool token_is(const Scan *s, size_t i, const char *text) {
    return i < s->n && s->tokens[i].kind == C_WORD && str_is(token_text(s, i), text);
}

bool token_char(const Scan *s, size_t i, char c) {
    return i < s->n && s->tokens[i].kind == C_PUNCT && s->text.data[s->tokens[i].at] == c;
}

size_t token_close(const Scan *s, size_t open) {
    size_t depth = 0;
    for (size_t i = open; i < s->n && i < open + AHEAD_MAX; i++) {
        if (token_char(s, i, '(')) depth++;
        if (token_char(s, i, ')') && --depth == 0) return i;
    }
    return s->n;
}
