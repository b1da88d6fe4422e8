// Between cuda_locals.c (what a file declares) and cuda_types.c (how wide an expression is).
#ifndef GPUADVISE_MIGRATE_CUDA_TYPES_H
#define GPUADVISE_MIGRATE_CUDA_TYPES_H

#include "src/migrate/cuda_scan.h"

typedef enum LocalKind { LOCAL_VARIABLE, LOCAL_FUNCTION, LOCAL_TYPE, LOCAL_MACRO, LOCAL_TEMPLATE } LocalKind;

typedef struct Local {
    uint32_t name;         // token
    uint32_t type, value;  // tokens where the type's specifiers and the value start; 0: none
    uint32_t scope_end;    // token where its scope ends
    uint32_t next;         // 1 + index of the one before it in the same bucket; 0: none
    uint8_t kind;
} Local;

typedef enum Wanted { WANT_VALUE, WANT_TYPE, WANT_MEMBER } Wanted;

// The type whose specifiers start at `i`. False: none does. `ret_auto`: it is what the initialiser is.
bool read_type(const Scan *s, size_t i, size_t end, Width *ret, bool *ret_auto, size_t *ret_after);
// The token after "<...>" that opens at `i`; s->n when it does not close nearby.
size_t template_close(const Scan *s, size_t i);
bool is_qualifier(Str t);
// A declaration whose specifiers start at `i`: `type name` and what may follow a declared name.
bool read_declaration(const Scan *s, size_t i, Local *ret);
// `using X = T;`, `typedef T X;`, `template <typename X`, `#define X value`.
bool read_other(const Scan *s, size_t i, Local *ret);
bool starts_declaration(const Scan *s, size_t i);
// Counts a step of the question being answered; false: too many.
bool spend(Scan *s);
// The declaration of a name that is seen at token `at`: the nearest one before it. Members and functions are seen
// from anywhere. NULL: none.
const Local *local_find(Scan *s, Str name, size_t at, Wanted wanted);

#endif
