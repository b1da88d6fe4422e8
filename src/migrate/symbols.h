// What a tree declares: integer constants, types, functions and variables by name, the files that see them,
// and the macros that its builds define.
//
// Level 1, part of src/migrate. Filled in the one pass over the tree: each file's own scopes are known while it
// is scanned (cuda_types.c), what its headers declare is kept (Symbol), and a question that a file cannot answer
// by itself is settled when all files were read (symbols.c). `file` is the index in ScanResult.files of the file
// that uses a name: a declaration in a header that it includes, however deep, counts before those of the rest of
// the tree.
#ifndef GPUADVISE_MIGRATE_SYMBOLS_H
#define GPUADVISE_MIGRATE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/base.h"

enum { WIDTH_NAMES_MAX = 3, WIDTH_ANY = 64 };

// How wide an integer expression is, as a HIP compiler counts it (long is 64 bits, votes give 64). Wholly known:
// not `unknown` and no names. Else it is the widest of `bits` and of what the names stand for.
typedef struct Width {
    uint8_t bits;   // 1 to 64; 0: nothing known yet
    bool unknown;   // a part is no integer, or was not understood
    bool negative;  // signed
    uint8_t n;
    Str names[WIDTH_NAMES_MAX];  // borrowed
} Width;

static inline Width width_bits(uint8_t bits) { return (Width){.bits = bits}; }
static inline Width width_unknown(void) { return (Width){.unknown = true}; }
static inline Width width_named(Str name) { return (Width){.n = 1, .names = {name}}; }

typedef enum SymbolKind { SYMBOL_MACRO, SYMBOL_TYPE, SYMBOL_FUNCTION, SYMBOL_VARIABLE } SymbolKind;

// A name of integer type that a header declares. Pointers live as long as the scan's result.
typedef struct Symbol {
    const char *name;
    Width width;
    uint32_t file, line;  // index in ScanResult.files
    uint8_t kind;         // SymbolKind; a function's width is that of its result
    bool for_amd;         // a condition about AMD decides what it is: taken as right
} Symbol;

// Who includes whom. Edges are in order of `from`.
typedef struct Include {
    uint32_t from, to;
} Include;

typedef struct Symbols {
    const Symbol *rows;  // in order of name, then file
    size_t n;
    const Include *includes;
    const Include *included_by;  // the same edges in order of `to`
    size_t n_includes;
    size_t n_files;
    // Files that the one asked last includes, one bit each, and that one: asking in order of files is cheap.
    uint8_t *seen;
    uint32_t *todo;
    uint32_t seen_from;
    bool any_seen;
    size_t steps;  // of the question being answered: hostile declarations must not take for ever
} Symbols;

// Does `file` include `other`, directly or not, or all files that include `file` directly (some of them, where they
// are many)? A file includes itself; a header may leave to the files that include it what it needs.
bool symbols_see_with_others(Symbols *s, uint32_t file, uint32_t other);
// The width with its names looked up. False: a part stays unknown. `ret_declared` (may be NULL): the narrowest
// declaration among the names.
bool symbols_width(Symbols *s, uint32_t file, const Width *w, uint8_t *ret_bits, Symbol *ret_declared);

// ---------------------------------------------------------------- macros of the build

typedef enum MacroSide { MACRO_AMD, MACRO_OTHER } MacroSide;

// What a build script says. Texts are borrowed.
typedef struct BuildSink {
    void *context;
    void (*macro)(void *context, Str name, MacroSide side);
    // A source that the script compiles as CUDA or as HIP, whatever its name ends in.
    void (*source)(void *context, Str name, MacroSide side);
    // Bytes of the script in branches that a build for AMD does not take; CMake, Make and Meson. NULL: not wanted.
    void (*away)(void *context, size_t from, size_t to);
} BuildSink;

// Reads a build script of any language for macros it defines, each with the branch (for AMD, or not) where that
// happens. `kind`: TextKind. Any bytes.
void build_macros(int kind, const char *path, Str text, const BuildSink *sink);
// compile_commands.json. False: it is no JSON of that form, with the reason.
bool build_commands(Str text, const BuildSink *sink, Err *e);
// Do the parts of a name between underscores and blanks say AMD ("GMX_GPU_HIP", "USE_AMD_ROCM")? Not where they
// also say CUDA, or deny it ("NO_HIP").
bool says_amd(Str name);

// Macros that only the build for AMD defines, in order.
typedef struct TreeMacros {
    const char *const *amd;
    size_t n_amd;
} TreeMacros;

bool macro_is_amd(const TreeMacros *m, Str name);

#endif
