// C, C++ and CUDA: text in, findings out. A lexer (lex_c.c), rules over its tokens (cuda_scan.c), the
// words that both know (cuda_words.c).
//
// Level 1, part of src/migrate. All texts may be hostile: any bytes, unterminated anything, any nesting.
#ifndef GPUADVISE_MIGRATE_CUDA_H
#define GPUADVISE_MIGRATE_CUDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/base.h"
#include "src/facts/porting.h"
#include "src/migrate/symbols.h"

// ---------------------------------------------------------------- tokens

typedef enum CTokenKind {
    C_END,
    C_WORD,
    C_NUMBER,
    C_STRING,
    C_CHAR,
    C_PUNCT,
    C_SCOPE,
    C_LAUNCH,
    C_HEADER,
    C_DIRECTIVE
} CTokenKind;

enum {
    C_IN_DIRECTIVE = 1,  // on a preprocessor line
    C_RAW = 2,           // raw string
    C_GUARDED = 4,       // in code that an #if keeps for AMD alone, away from AMD, or away altogether
    C_QUOTED = 8         // C_HEADER: between quotes
};

// Strings: at and length are of what stands between the quotes. C_SCOPE is "::", C_LAUNCH "<<<", C_HEADER
// what an #include names, C_DIRECTIVE the word after '#' with `word` as for words.
typedef struct CToken {
    uint32_t at, length, line;
    uint8_t kind, flags;
    uint16_t word;  // 1 + index in CWords.words, 0: none of them
} CToken;

// ---------------------------------------------------------------- words

enum {
    WORD_MARK = 1,       // a file that holds it is CUDA
    WORD_QUALIFIER = 2,  // may start a qualified name that rules know
    WORD_DEVICE = 4,     // makes the function that follows device code
    WORD_TRIGGER = 8     // cuda_scan.c looks closer
};

// A word that means something: a CUDA name, one of the rules' words, or both.
typedef struct CWord {
    const char *text;
    const CudaName *name;  // NULL: none
    // 1 + index in PortingFacts.rules of the heaviest rule that fires on the word alone; 0: none
    uint16_t rule;
    uint8_t flags, needs;  // WORD_*, NEED_*
    uint8_t action;        // CAction
} CWord;

// MEMBER_TOO: counts as a member as well
enum { NEED_CUDA = 1, NEED_DEVICE = 2, NEED_CALL = 4, NEED_MEMBER = 8, MEMBER_TOO = 16 };

typedef enum CAction {
    ACT_NONE,
    ACT_ASM,
    ACT_MASKED,
    ACT_FOR,
    ACT_SHARED,
    ACT_BOUNDS,
    ACT_LOOKUP,
    ACT_POPC,
    ACT_WARPSIZE,
    ACT_VOLATILE,
    ACT_ATOMIC,
    ACT_VOTE,
    ACT_TEXTURE,
    ACT_CAPABILITY,
    ACT_DECLARES
} CAction;

// A pattern of data/cuda_patterns.tsv; of words those with '*', '#' or '@' alone, the others are words of the table.
typedef struct CPattern {
    const char *text;
    uint16_t rule;          // 1 + index in PortingFacts.rules
    uint8_t length, needs;  // bytes before the first sign; NEED_*
} CPattern;

enum { C_SLOTS = 65536 };

// What texts are held against; built once, then only read.
typedef struct CWords {
    const PortingFacts *facts;
    CWord *words;
    size_t n_words;
    uint16_t slots[C_SLOTS];          // 1 + index by hash, linear probing
    CPattern *patterns[PLACE_COUNT];  // in the order of their file
    size_t n_patterns[PLACE_COUNT];
    uint8_t starts[65536 / 8];  // first two characters that some pattern of words has
    const CudaName **headers;
    size_t n_headers;
    bool lanes64;              // of the target
    double rocm;               // version of the target: major * 1000 + minor
    const TreeMacros *macros;  // of the tree's builds; NULL: none known
} CWords;

// `rocm`: "7.2". Lives in the arena. The error names the line of
// data/cuda_patterns.tsv.
bool cuda_words(const PortingFacts *facts, const char *rocm, bool lanes64, Arena *a, CWords **ret_words,
                Err *e);
// 1 + index, 0: not there.
uint32_t cuda_word(const CWords *w, Str text, uint32_t hash);
uint32_t cuda_hash(Str text);
uint16_t cuda_rule(const CWords *w, const char *id);  // 1 + index; 0: none
// What the scan says of a name, header or qualified name by itself: 1 + index of the rule; 0: nothing to do, or no rule.
uint16_t cuda_judge(const CWords *w, Str name);

// ---------------------------------------------------------------- lexer

enum { C_TOKENS_MAX = 4 * 1000 * 1000 };

// Tokens of one text in `ret_tokens` (its bytes are reused; CToken each, C_END last).
typedef struct CLexed {
    size_t lines, guarded_lines;
    // conditions about AMD, and lines that they keep for it or away from it
    size_t amd_guards, amd_lines;
    // line of the first such condition, of the first header of HIP; 0: none
    uint32_t amd_guard_at, hip_at;
    bool cut;                     // more than C_TOKENS_MAX tokens: the rest was not looked at
    bool open_comment;            // or string: ended by the end of the text
    bool mark;                    // some word or header says CUDA
    size_t masks, masks_unknown;  // of votes and shuffles; those of a type that was not seen
} CLexed;

void c_lex(const CWords *w, Str text, bool escaped, Buf *ret_tokens, CLexed *ret);

// ---------------------------------------------------------------- findings

typedef struct CFinding {
    uint16_t rule;  // index in PortingFacts.rules
    bool in_string;
    bool device;                          // in device code
    size_t line, column, offset, length;  // column in code points, from 1; offset and length in bytes
    const CudaName *name;                 // NULL: none
    Str word;                             // what was found; borrowed
    uint32_t declared_line;               // of the file's own declaration that decided; 0: none
} CFinding;

// What a header declares.
typedef struct CSymbol {
    Str name;  // borrowed
    Width width;
    uint32_t line;
    uint8_t kind;  // SymbolKind
    bool for_amd;
} CSymbol;

// A finding that is one only when `width` turns out to be under 64 bits: names that this file does not declare.
typedef struct CQuestion {
    CFinding finding;
    Width width;
} CQuestion;

typedef struct CSink {
    void *context;
    void (*finding)(void *context, const CFinding *f);
    void (*defined)(void *context, Str word);  // a name that looks like CUDA's and that this text defines
    // The rest may be NULL. Without `question` a name that nothing declares is judged by how it is written.
    void (*symbol)(void *context, const CSymbol *s);  // wanted of headers only
    void (*question)(void *context, const CQuestion *q);
    // What an #include names. True: a header of the tree's own, found from the file that names it.
    bool (*include)(void *context, Str path, bool quoted);
} CSink;

// `cuda_file`: .cu and .cuh, and strings that hold kernels. `tokens` is scratch, kept between calls for its
// memory.
void cuda_scan(const CWords *w, Str text, bool cuda_file, bool escaped, Buf *tokens, const CSink *sink,
               CLexed *ret);

// ---------------------------------------------------------------- patterns

// The first pattern of a place that `text` fits: 1 + index of its rule; 0: none. Not for words, whose `needs` count.
uint16_t cuda_pattern(const CWords *w, CudaPlace place, Str text);
// Does `pattern` fit? '*' at its end stands for anything, '#' for a number of two or three digits, '@' for a
// capital.
bool pattern_fits(const char *pattern, Str text);
// Where nothing declares the names: do all of them say by their spelling that they hold 32 lanes?
bool narrow_by_spelling(const Width *w);

#endif
