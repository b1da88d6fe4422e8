// Words of PTX text.
#include "tests/ptx/lexer.h"

#include <string.h>

bool str_same(Str a, Str b) { return a.length == b.length && memcmp(a.data, b.data, a.length) == 0; }

bool lex_is(const Lexer *x, const char *word) { return x->kind == LEX_WORD && str_is(x->word, word); }

static bool in_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '%' || c == '.';
}

static void skip_blanks(Lexer *x) {
    while (x->at < x->end) {
        char c = *x->at;
        bool comment = c == '/' && x->end - x->at > 1 && x->at[1] == '/';
        if (comment) {
            while (x->at < x->end && *x->at != '\n') x->at++;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            x->line += c == '\n';
            x->at++;
        } else {
            return;
        }
    }
}

void lex_next(Lexer *x) {
    skip_blanks(x);
    const char *from = x->at;
    x->word = (Str){from, 0};
    x->kind = LEX_END;
    if (from == x->end) return;
    if (*from == '"') {
        const char *close = memchr(from + 1, '"', (size_t)(x->end - from - 1));
        x->kind = close != NULL ? LEX_TEXT : LEX_END;
        x->at = close != NULL ? close + 1 : x->end;
        x->word = (Str){from + 1, close != NULL ? (size_t)(close - from - 1) : 0};
        return;
    }
    while (x->at < x->end) {
        bool colons = *x->at == ':' && x->end - x->at > 1 && x->at[1] == ':';
        if (!colons && !in_word(*x->at)) break;
        x->at += colons ? 2 : 1;
    }
    x->word.length = (size_t)(x->at - from);
    x->kind = x->at > from ? LEX_WORD : *x->at++;
}
