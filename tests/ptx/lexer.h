// Words of PTX text.
#ifndef GPUADVISE_TESTS_PTX_LEXER_H
#define GPUADVISE_TESTS_PTX_LEXER_H

#include "src/base/base.h"

enum { LEX_END = 0, LEX_WORD = 'w', LEX_TEXT = '"' };  // others: the character itself

typedef struct Lexer {
    const char *at, *end;
    int line;
    int kind;  // of what was read last
    Str word;  // of LEX_WORD and LEX_TEXT
} Lexer;

// The next one: names, opcodes with their modifiers, numbers; punctuation one by one. Comments and blanks go by.
void lex_next(Lexer *x);
bool lex_is(const Lexer *x, const char *word);
bool str_same(Str a, Str b);

#endif
