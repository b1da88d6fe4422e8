// Files that are not C: Python, notebooks, build files, containers, cluster files, dependency lists. Text in,
// hits out.
//
// Level 1, part of src/migrate. Nothing here keeps or opens anything: hits go to the caller's functions, and
// every pointer in them is borrowed from the text (or, for notebooks, from the scratch arena) until the call
// returns. All texts may be hostile: any bytes, unterminated anything, any nesting.
#ifndef GPUADVISE_MIGRATE_TEXT_H
#define GPUADVISE_MIGRATE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/base.h"
#include "src/facts/porting.h"

typedef enum TextKind {
    TEXT_NONE,  // not one of these
    TEXT_PYTHON,
    TEXT_NOTEBOOK,  // .ipynb
    TEXT_CMAKE,
    TEXT_MAKE,
    TEXT_BAZEL,
    TEXT_MESON,
    TEXT_SHELL,  // also batch scripts of Slurm
    TEXT_DOCKER,
    TEXT_YAML,          // Kubernetes, Helm, compose, CI, conda environments
    TEXT_TOML,          // pyproject.toml, Pipfile, lock files of poetry, uv and pdm
    TEXT_INI,           // setup.cfg, tox.ini
    TEXT_REQUIREMENTS,  // requirements and constraints
    TEXT_JSON_LOCK,     // Pipfile.lock
    TEXT_FORTRAN,       // also with CUDA Fortran and OpenACC
    TEXT_JULIA,
    TEXT_RUST,
    TEXT_APPTAINER,  // definition files
    TEXT_TERRAFORM,  // and other files of HCL
    TEXT_JSON,       // presets, manifests, compile commands
    TEXT_AUTOCONF,   // configure.ac and what it includes
    TEXT_KIND_COUNT
} TextKind;
extern const char *const text_kind_names[];  // "none", "python", ...

// By the file's name, and for files without a telling name by the first line ("#!/bin/bash"). `head`: its
// first bytes, or empty.
TextKind text_kind(const char *path, Str head);

// One construct. Line and column count from 1, column in code points.
typedef struct TextHit {
    const char *rule;  // id in data/cuda_constructs.tsv; static
    // of the words found, in the text of the file (notebooks: of the JSON string that holds them)
    size_t offset, length;
    size_t line, column;
    bool in_string;  // inside a string literal of Python
} TextHit;

// One dependency.
typedef struct DependencyHit {
    Str name;  // as written, without extras and version
    Str spec;  // version specifier, "" when none
    size_t offset, line, column;
    // py-req-nvidia, b-conda, dep-class-N, dep-pin, dep-index-trap; NULL: known and free, or unknown
    const char *rule;
    const Package *package;  // NULL: no table knows it (b-conda: none needed)
    int port_class;          // PortClass; -1: unknown
    bool pinned;             // to one exact version or build
    bool pin_blocks;         // and that build has no ROCm twin of this name and version
    // an extra index is named beside the default one: pip may take the CUDA build from there
    bool index_trap;
} DependencyHit;

// A list that a command names; `rocm_index`: with a ROCm index beside the default one.
typedef struct ListHit {
    Str target;  // not empty
    size_t line;
    bool rocm_index;
} ListHit;

// Rules of hits that are no findings but signs of a build for ROCm, in build scripts and in code.
#define SIGN_BUILD "=build"
#define SIGN_CODE "=code"

// Where hits go, in the order of the text. NULL functions are not called.
typedef struct TextSink {
    void *context;
    void (*hit)(void *context, const TextHit *hit);
    void (*dependency)(void *context, const DependencyHit *hit);
    // A list of requirements that an install command names ("pip install -r other.txt").
    void (*list)(void *context, const ListHit *hit);
    // CUDA source inside a string of Python (the string's bytes as written): for the CUDA scanner.
    void (*cuda_source)(void *context, Str text, size_t offset, size_t line, size_t column);
} TextSink;

// What dependencies are looked up in; rows in key order.
typedef struct TextFacts {
    const Package *packages;
    size_t n_packages;
    // Python packages that the scanned tree defines itself: importing them is no finding
    const char *const *own;
    size_t n_own;
    // those that stand in no other package: what the tree installs is no dependency of it
    const char *const *projects;
    size_t n_projects;
    // what names this list, or a list that it names, has a ROCm index beside the default one
    bool rocm_index;
    // of text_patterns
    const struct TextPattern *patterns;
    size_t n_patterns;
} TextFacts;

// Fills in the patterns, the heaviest class first, checked; they live in the arena and borrow from the facts. The error
// names the line of data/text_patterns.tsv.
bool text_patterns(const PortingFacts *facts, Arena *a, TextFacts *ret, Err *e);

// Scans one file. `name` is its path (setup.py and environment.yml are told by it). False only for a notebook
// or lock file that is no JSON, with the reason: nothing was reported then. `scratch` may be reset by the
// caller afterwards.
bool text_scan(TextKind kind, const char *name, Str text, const TextFacts *facts, const TextSink *sink,
               Arena *scratch, Err *e);

// ---------------------------------------------------------------- between the files of this part

// A stretch of one text that goes through the patterns.
typedef enum Stretch { STRETCH_CODE, STRETCH_STRING } Stretch;

enum { TEXT_PATTERNS_MAX = 600 };

// Position bookkeeping and the hit in waiting: of several hits on one chain of words the heaviest is kept.
typedef struct TextScan {
    TextKind kind;
    Str text;  // of the file
    const TextSink *sink;
    const TextFacts *facts;
    bool setup;       // a build script of Python
    bool fixed_form;  // Fortran with comments in the first column
    // patterns of this kind by their first character, in table order: 1 + index, 0 ends
    unsigned short first[256], next[TEXT_PATTERNS_MAX];
    // the logical line looked at last, and what is known of each pattern's conditions there: 0 nothing, 1
    // hold, 2 do not
    size_t line_from, line_to;
    unsigned char known[TEXT_PATTERNS_MAX];
    // the hit in waiting
    bool waiting;
    TextHit hit;
    size_t hit_at, rank, chain_end;
    // line of the last position asked for: positions come mostly in order
    size_t seen, seen_line, seen_points;
    // notebooks: where the text that is scanned lies in the file; NULL: it is the file
    const struct TextLines *lines;
} TextScan;

// Line of a cell -> line of the notebook.
typedef struct TextLines {
    const size_t *offsets;  // of each line's string in the file
    const size_t *numbers;  // line in the file of each line
    size_t n;
} TextLines;

void scan_init(TextScan *s, TextKind kind, const char *name, Str text, const TextFacts *facts,
               const TextSink *sink);
void scan_end(TextScan *s);  // gives out the hit in waiting
// Line (from 1) and column (from 1) of an offset.
void scan_place(TextScan *s, size_t offset, size_t *ret_line, size_t *ret_column);
// The same offset in the file, directly after scan_place: another one where lines of a notebook's cell are
// scanned.
size_t scan_file_offset(const TextScan *s, size_t offset);
// Runs the patterns over text[from..to).
void scan_stretch(TextScan *s, Stretch what, size_t from, size_t to);
// A hit found otherwise.
void scan_hit(TextScan *s, const char *rule, size_t offset, size_t length, bool in_string);

void python_scan(TextScan *s);
void hashed_scan(TextScan *s);   // languages whose comments start with '#'
void slashed_scan(TextScan *s);  // with "//" and "/*"
void fortran_scan(TextScan *s);
// Does the text hold a word that says CUDA, OpenACC, nvcc, or a container or cluster word of NVIDIA? Its offset, or
// SIZE_MAX.
size_t cuda_word_in(Str text);
bool notebook_scan(const char *name, Str text, const TextFacts *facts, const TextSink *sink, Arena *scratch,
                   Err *e);

// Dependencies of a file, by its kind.
bool dependencies_scan(TextScan *s, Err *e);
// The next list that a list of requirements names ("-r other.txt", "--constraint=pins.txt"). `rest` starts as
// the whole text and `line` as 0, and becomes the line where the target stands; the target is borrowed, not
// empty, and without its quotes. False at the end.
bool requirements_link(Str *rest, size_t *line, Str *ret_target);
// Path from the root of what the file `from` calls `target`: "a/dev.txt", "../b.txt" -> "b.txt". NULL:
// outside the tree.
const char *link_path(Arena *a, const char *from, Str target);
// Does a list of requirements name a ROCm index beside the default one?
bool requirements_have_rocm_index(Str text);
// Gives out (to sink->list alone) the lists that install commands of this file name. Kinds with commands:
// shell, Docker, YAML, Make, notebooks.
void command_lists(TextKind kind, Str text, const TextSink *sink, Arena *scratch);
bool has_commands(TextKind kind);
// The words of one `pip install` or `conda install` command at text[from..to).
void dependencies_command(TextScan *s, size_t from, size_t to);
// All lines of the text that speak of an installer.
void dependencies_commands(TextScan *s);

// A pattern of data/text_patterns.tsv. `text` is matched from the start of a word; in it '*' stands for any word
// characters (also none), '#' for one digit, '~' for any blanks (also none), '&' for a list in parentheses.
// Where it ends in a word character the word must end there.
typedef struct TextPattern {
    const char *rule, *before, *text;
    unsigned kinds;    // 1 << TextKind
    unsigned where;    // IN_*
    const char *also;  // words separated by blanks; NULL: no condition
    const char *unless;
} TextPattern;

enum {
    IN_CODE = 1,
    IN_STRING = 2,
    IN_WHOLE = 4,      // the string is nothing but this
    IN_ARGUMENTS = 8,  // `also` must stand as a word in the parentheses that follow
    IN_SETUP = 16      // only in build scripts of Python
};

// Bits of the words of a cell.
typedef struct WordBits {
    const char *word;
    unsigned bits;
} WordBits;
// The bits of all words of `cell`, 0 of none. The error names the column and its first word that is not among `known`.
bool cell_bits(const char *column, const char *cell, const WordBits *known, size_t n, unsigned *ret_bits,
               Err *e);

#endif
