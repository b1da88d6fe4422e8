// The tokens of one text, asked by place.
#include "src/migrate/fix_tokens.h"

Tokens tokens_of(Fix *f, Str text) {
    CLexed lexed;
    c_lex(f->words, text, false, &f->tokens, &lexed);
    return (Tokens){text, (const CToken *)(const void *)f->tokens.data,
                    f->tokens.length / sizeof(CToken) - 1};
}

Str tokens_word(const Tokens *t, size_t i) {
    return i < t->n ? (Str){t->text.data + t->list[i].at, t->list[i].length} : (Str){"", 0};
}

bool tokens_is(const Tokens *t, size_t i, const char *what) {
    return i < t->n && t->list[i].kind == C_WORD && str_is(tokens_word(t, i), what);
}

bool tokens_punct(const Tokens *t, size_t i, char c) {
    return i < t->n && t->list[i].kind == C_PUNCT && t->text.data[t->list[i].at] == c;
}

bool tokens_in(const Tokens *t, size_t i, const char *const *list, size_t n) {
    for (size_t k = 0; k < n; k++) {
        if (tokens_is(t, i, list[k])) return true;
    }
    return false;
}

bool tokens_on_directive(const Tokens *t, size_t i) {
    return i < t->n && (t->list[i].flags & C_IN_DIRECTIVE) != 0 && t->list[i].kind != C_DIRECTIVE;
}

bool tokens_directive(const Tokens *t, size_t i, const char *what) {
    return i < t->n && t->list[i].kind == C_DIRECTIVE && str_is(tokens_word(t, i), what);
}

bool tokens_guarded(const Tokens *t, size_t i) { return (t->list[i].flags & C_GUARDED) != 0; }

size_t tokens_end(const Tokens *t, size_t i) { return t->list[i].at + t->list[i].length; }
