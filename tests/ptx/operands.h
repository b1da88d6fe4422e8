// Reading the operands of an instruction.
#ifndef GPUADVISE_TESTS_PTX_OPERANDS_H
#define GPUADVISE_TESTS_PTX_OPERANDS_H

#include "tests/ptx/lexer.h"
#include "tests/ptx/machine.h"

// Registers of one name: "%r<172>" are 172 from `at` on; `count` 0: a single one.
typedef struct Registers {
    Str name;
    unsigned bits;
    size_t count;
    uint32_t at;
} Registers;

typedef struct Label {
    Str name;
    uint32_t pc;
    int line;
} Label;

enum { LIST_MAX = 160, TOUCHED_MAX = LIST_MAX + OPERANDS_MAX };

// An entry while it is read.
typedef struct Reader {
    PtxEntry *entry;
    Arena *arena;
    Lexer x;
    Registers *registers;
    size_t n_registers, registers_capacity;
    Label *labels, *jumps;  // jumps: to be resolved; pc is the branch's
    size_t n_labels, labels_capacity, n_jumps, jumps_capacity;
    uint32_t list[LIST_MAX], touched[TOUCHED_MAX];  // of one instruction
    size_t code_capacity, constants_capacity, shared_capacity;
} Reader;

// A place for a register of the file.
uint32_t take_slot(Reader *r);
// The register of that name.
bool find_register(const Reader *r, Str name, unsigned *ret_bits, uint32_t *ret_at);
// Reads what `op` takes, up to the semicolon. False: it is something else; the lexer then stands somewhere.
bool read_operands(Reader *r, const Op *op, Ins *in);
// A whole number, of "12", "-12", "0x1f", "0f3F800000".
bool read_literal(Lexer *x, uint64_t *ret_value);

#endif
