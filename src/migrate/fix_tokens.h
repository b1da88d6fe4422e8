// Between fix_c.c and fix_lanes.c: the tokens of one text, asked by place.
#ifndef GPUADVISE_MIGRATE_FIX_TOKENS_H
#define GPUADVISE_MIGRATE_FIX_TOKENS_H

#include "src/migrate/fix.h"

typedef struct Tokens {
    Str text;
    const CToken *list;  // C_END last
    size_t n;            // without it
} Tokens;

// Borrowed from f->tokens: until the next text.
Tokens tokens_of(Fix *f, Str text);
Str tokens_word(const Tokens *t, size_t i);
bool tokens_is(const Tokens *t, size_t i, const char *what);  // a word
bool tokens_punct(const Tokens *t, size_t i, char c);
bool tokens_in(const Tokens *t, size_t i, const char *const *list, size_t n);
bool tokens_on_directive(const Tokens *t, size_t i);  // of a preprocessor line, its first word aside
bool tokens_directive(const Tokens *t, size_t i, const char *what);
bool tokens_guarded(const Tokens *t, size_t i);
size_t tokens_end(const Tokens *t, size_t i);  // offset behind it

void fix_masks(FixWork *w, const Tokens *t);
void fix_votes(FixWork *w, const Tokens *t);
void fix_warp_sizes(FixWork *w, const Tokens *t);

#endif
