// Between cuda_scan.c (words, launches, names) and cuda_lanes.c (what stands around a word: lanes, masks,
// assembly, strings).
#ifndef GPUADVISE_MIGRATE_CUDA_SCAN_H
#define GPUADVISE_MIGRATE_CUDA_SCAN_H

#include "src/migrate/cuda.h"

// Where braces stood at an #if: its other branches begin there too.
typedef struct Braces {
    size_t depth, device_depth;
    bool device, device_head;
} Braces;

enum {
    BRANCHES_MAX = 128,
    LOCAL_BUCKETS = 1024,
    AHEAD_MAX = 2000
};  // AHEAD_MAX: tokens looked at for what closes

// What a file declares, by name (cuda_types.c). Built when the first question is asked.
typedef struct Locals {
    Buf rows;
    uint32_t buckets[LOCAL_BUCKETS];
    bool built;
} Locals;

typedef struct Scan {
    const CWords *words;
    Str text;
    const CToken *tokens;  // C_END last
    size_t n;              // without it
    const CSink *sink;
    bool cuda, in_string;
    bool device;                 // in the body of a device function
    size_t depth, device_depth;  // braces
    bool device_head;            // a declaration of a device function has begun
    Braces branches[BRANCHES_MAX];
    size_t n_branches;     // may be over BRANCHES_MAX: deeper ones are not kept
    size_t span;           // tokens of the name that is reported next beyond its first
    size_t consumed;       // strings of tokens before this one were looked at
    size_t place, points;  // of the last position asked for: offset, and code points on its line before it
    // of the widths of expressions
    Locals *locals;
    uint32_t declared;  // line of the declaration that the answer rests on; 0: none
    bool names_only;    // what the file declares is not asked
    size_t steps, steps_of_file;
    CLexed *lexed;
} Scan;

Str token_text(const Scan *s, size_t i);
bool token_is(const Scan *s, size_t i, const char *text);  // a word
bool token_char(const Scan *s, size_t i, char c);          // punctuation
// of the parenthesis at `open`; s->n when it does not close nearby
size_t token_close(const Scan *s, size_t open);
void scan_report(Scan *s, const char *rule, size_t i);
void scan_report_rule(Scan *s, uint16_t rule, size_t i, const CudaName *name);

void scan_action(Scan *s, size_t i, CAction action);
void scan_number(Scan *s, size_t i);
void scan_string(Scan *s, size_t i);
void scan_define(Scan *s, size_t i);  // the name that follows #define
// A word that no table knows and that may name a lane or a size of warps.
void scan_plain(Scan *s, size_t i);

// Could a rule take the word at `i` for a name of CUDA (cuda_defs.c)?
bool may_be_named(const Scan *s, size_t i);
void define(Scan *s, size_t i);       // passes on the word at `i` as the text's own
void definitions(Scan *s, size_t i);  // the same where the word is being defined
bool looks_cuda(Str t);               // cuda and a capital
// Steps back over "<...>" that ends at `i`; the token before it, or SIZE_MAX.
size_t before_template(const Scan *s, size_t i);
// Of the expression in tokens [from, end), and of the variable that the word at `i` names (cuda_types.c).
Width width_of_expression(Scan *s, size_t from, size_t end);
Width width_of_variable(Scan *s, size_t i);
void scan_symbol(Scan *s, size_t i);  // passes on what is declared around the word at `i`
// A finding when `w` is under 64 bits; a question where the tree has to tell.
void scan_narrow(Scan *s, const char *rule, size_t i, const Width *w);

#endif
