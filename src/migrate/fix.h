// Findings -> edits -> a unified diff: the part of a port that can be proven from the text.
//
// Level 1, part of src/migrate. Pure: bytes and findings in, edits out; nothing is opened or written. What an
// edit may be is argued in docs/migrate-fix.md: on the CUDA side each of them leaves the tokens that the
// compiler sees as they were, or replaces a constant by a macro of the same value and type. Texts may be
// hostile: any bytes, unterminated anything.
#ifndef GPUADVISE_MIGRATE_FIX_H
#define GPUADVISE_MIGRATE_FIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/base.h"
#include "src/facts/porting.h"
#include "src/migrate/cuda.h"
#include "src/migrate/scan.h"
#include "src/migrate/text.h"

// The generated files, and the macro that is defined on the HIP side alone.
#define FIX_HEADER "gpu_compat.h"
#define FIX_CMAKE "gpu_compat.cmake"
#define FIX_MARK "written by gpuadvise migrate fix"

typedef enum FixWhat {
    FIX_INCLUDE,    // the compatibility header comes in; CUDA's headers are kept for CUDA
    FIX_MASK,       // a full 32-bit mask of lanes becomes one of the target's width
    FIX_GUARD,      // a condition about nvcc or device code names HIP as well
    FIX_WARP_SIZE,  // a constant of 32 lanes becomes the target's
    FIX_BUILD,      // a branch for HIP in CMake, Make or setup.py
    FIX_DEPLOY,     // images, containers, batch jobs, modules
    FIX_TODO,       // a comment: what a person has to decide
    FIX_WHAT_COUNT
} FixWhat;

extern const char *const fix_what_names[];  // include, mask, guard, warp-size, build, deploy, todo

// `length` bytes at `at` become `text`. Edits of one file do not overlap; those at one place keep their order.
typedef struct FixEdit {
    size_t at, length;
    const char *text;
    FixWhat what;
} FixEdit;

// A file of the tree, with what the scan found in it, in order of place.
typedef struct FixFile {
    const char *path;  // from the root
    Str text;
    bool c;         // C, C++ or CUDA
    TextKind kind;  // of files that are not C
    const ScanFinding *findings;
    size_t n_findings;
    const ScanDependency *dependencies;
    size_t n_dependencies;
} FixFile;

// A name that stands for a constant in the whole tree: how often it is defined, and how it is used.
typedef struct FixConstant {
    const char *name;
    size_t defined;    // as a full mask or as 32
    size_t otherwise;  // defined or declared as anything else
    bool mask;         // a full mask of 32 bits; else the number 32
    size_t unsafe;     // uses of a 32 that need a constant, or stand outside device code
} FixConstant;

// What is known of the tree, and what its files together need. Zeroed but for the first four at the start.
typedef struct Fix {
    const PortingFacts *facts;
    const CWords *words;
    Arena *arena;              // of the whole run
    const char *const *files;  // paths of the tree, sorted by their last part
    size_t n_files;
    const char *header;  // path of the compatibility header from the root; NULL: not chosen yet
    Buf constants;       // FixConstant, sorted by name after fix_learned
    bool learned;
    unsigned char *renamed;  // by index in facts->names: a macro of the header
    Buf hip_headers;         // const char *: what the header includes on the HIP side
    bool cub;                // hipCUB's namespace is wanted under CUB's name
    bool lanes;              // masks or sizes of warps are
    Buf packages;            // const char *: targets of CUDA's toolkit that CMake files link
    Buf cmake;               // const char *: folders ("" or "a/b/") whose CMakeLists.txt includes the module
    size_t counts[FIX_WHAT_COUNT];
    Buf tokens;  // scratch
} Fix;

void fix_open(Fix *f, const PortingFacts *facts, const CWords *words, Arena *a);
void fix_close(Fix *f);

// First pass, every C file: the constants of the tree. Then fix_learned once.
void fix_learn(Fix *f, const FixFile *file);
void fix_learned(Fix *f);

// Second pass: the edits of one file, sorted, in `a`. `ret_compat`: it needs the compatibility header.
size_t fix_file(Fix *f, const FixFile *file, Arena *a, FixEdit **ret_edits, bool *ret_compat);

// For each finding of the file: its line as the edits of fix_file leave it, where they do what it asks within that
// line; NULL: nothing there is proven. In `a`.
const char **fix_line_texts(Fix *f, const FixFile *file, Arena *a);

// The text with the edits made.
Str fix_apply(Str text, const FixEdit *edits, size_t n, Arena *a);

// Appends the change of one file as git writes it. `from` with data NULL: the file is new. Nothing is added
// when both are equal.
void fix_diff(const char *path, Str from, Str to, Buf *out);

// The generated files as they should be, merged with what an earlier run wrote (`old`, or an empty text). The
// header: what the tree's names need. Idempotent.
Str fix_header_text(Fix *f, Str old, Arena *a);
Str fix_cmake_text(Fix *f, Str old, Arena *a);
// What an earlier run put into `text`, else empty: a file of that name by somebody else is not touched.
bool fix_is_ours(Str text);

// ---------------------------------------------------------------- between the files of this part

// Where lines begin, and before which of them a comment may stand.
typedef struct FixLines {
    const size_t *starts;       // n + 1: the last is the end of the text
    const unsigned char *free;  // bool: a comment line may stand before it
    size_t n;
} FixLines;

FixLines fix_lines(const FixFile *file, Arena *a);
// The whole line without its end.
Str fix_line(const FixLines *l, Str text, size_t line);
const char *fix_newline(Str text);  // "\n" or "\r\n", as the text's first line ends

// A file at work.
typedef struct FixWork {
    Fix *fix;
    const FixFile *file;
    Arena *arena;
    FixLines lines;
    Buf edits;               // FixEdit
    unsigned char *settled;  // by finding: an edit does what it asks
    bool compat;
} FixWork;

void fix_edit(FixWork *w, FixWhat what, size_t at, size_t length, const char *text);
// Marks findings of `rule` on `line` (from 1) as done; rule NULL: of any rule.
void fix_settle(FixWork *w, const char *rule, size_t line);
// `to` from the folder of the file `from`, both from the root: "../../gpu_compat.h".
const char *fix_relative(Arena *a, const char *from, const char *to);

void fix_c(FixWork *w);
void fix_build(FixWork *w);
void fix_deploy(FixWork *w);
bool fix_has_file(const Fix *f, Str name);  // by the last part of its path
void fix_use_header(Fix *f, const char *hip_header);
void fix_use_package(Fix *f, const char *target);  // a target of CUDA's toolkit: "cublas"
bool fix_has_target(Str cuda_target);              // does ROCm have a counterpart of CUDA::<it>?

#endif
