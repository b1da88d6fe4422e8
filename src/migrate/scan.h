// A tree of sources -> findings, dependencies, and what was not looked at.
//
// Level 1, part of src/migrate. Reads the tree it is given, on all cores; the answer does not depend on their
// number.
#ifndef GPUADVISE_MIGRATE_SCAN_H
#define GPUADVISE_MIGRATE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/base.h"
#include "src/facts/porting.h"
#include "src/migrate/effort.h"
#include "src/migrate/symbols.h"

typedef enum ScanPhase {
    SCAN_LOOKING,  // for files
    SCAN_LISTS,    // what lists and commands name
    SCAN_READING,  // files
    SCAN_SETTLING  // findings: sorted, and what the tree defines itself dropped
} ScanPhase;

typedef struct ScanOptions {
    const char *root;             // a folder, or one file
    const char *rocm;             // target version, "7.2"
    bool lanes64;                 // the target has 64 lanes
    const char *const *excludes;  // patterns as in .gitignore
    size_t n_excludes;
    size_t threads;  // 0: one a core
    // Called now and then from the caller's thread; NULL: never. `total` 0: not known yet.
    void (*progress)(void *context, ScanPhase phase, size_t done, size_t total);
    void *context;
} ScanOptions;

typedef enum Origin { ORIGIN_OWN, ORIGIN_VENDORED, ORIGIN_GENERATED, ORIGIN_COUNT } Origin;
extern const char *const origin_names[];  // own, vendored, generated

typedef struct ScanFile {
    const char *path;  // from the root
    uint8_t origin;    // Origin
    uint8_t cuda;      // bool: holds CUDA
    uint8_t c;         // bool: C, C++ or CUDA
    uint8_t tests;     // bool: of tests or benchmarks, by its path
    uint8_t code;      // bool: Fortran, Julia: code that is not C and that builds may compile for a GPU
    // guarded: kept by an #if for AMD, away from it, or away from all; not counted
    size_t bytes, lines, guarded_lines;
    size_t amd_guards, amd_lines;  // conditions about AMD; lines that they keep for it or away from it
} ScanFile;

typedef struct ScanFinding {
    uint32_t file, line, column;  // line and column from 1; column in code points
    uint16_t rule;                // index in PortingFacts.rules
    bool in_string, device;
    const CudaName *name;  // NULL: none
    const char *word;      // what was found
    // where the name is declared that makes this a finding (of a mask: the narrow variable or constant); line 0: none
    uint32_t declared_file, declared_line;
} ScanFinding;

typedef struct ScanDependency {
    uint32_t file, line, column;
    const char *name, *spec;
    const PortRule *rule;    // NULL: nothing to do, or unknown
    const Package *package;  // NULL: no table knows it
    // of CUDA, seen by its use; its work is that of the findings, or (with a rule) its own. NULL: a package
    const Library *library;
    int port_class;  // -1: unknown
    bool pinned, pin_blocks, index_trap;
} ScanDependency;

// A sign that the tree builds for ROCm already.
typedef struct ScanEvidence {
    uint32_t file, line;
    bool build;        // in a build script; else in C or in Python that runs
    const char *what;  // what stands there
} ScanEvidence;

// What signs of a build for ROCm say: present with both a build script's and the sources'.
typedef enum PortState { PORTED_NOT, PORTED_TRACES, PORTED_PRESENT } PortState;
extern const char *const port_state_names[];  // none, traces, present

// Something that was not analysed. Path from the root, "" for the whole tree.
typedef struct ScanNote {
    const char *path, *why;
} ScanNote;

// Everything in order of path, then line and column. Lives until scan_free.
typedef struct ScanResult {
    const ScanFile *files;
    size_t n_files;
    const ScanFinding *findings;
    size_t n_findings;
    const ScanDependency *dependencies;
    size_t n_dependencies;
    const ScanNote *notes;
    size_t n_notes;
    const ScanEvidence *evidence;  // of own files; one a file for each kind
    size_t n_evidence;
    PortState ported;
    size_t amd_guards, amd_lines;     // of own files
    size_t lines, cuda_lines, bytes;  // cuda_lines: of own .cu and .cuh
    size_t cuda_lines_of_tests;       // of those
    size_t unread_bytes;          // of files that were not read, or that say CUDA and that nothing here reads
    size_t unread_files;          // that say CUDA and that nothing here reads
    size_t prose_files;           // documents that say CUDA: nobody ports them
    size_t unreadable;            // files and folders that could not be read: what they hold is not known
    size_t masks, masks_unknown;  // lane masks of votes and shuffles; those whose width nothing told
    Symbols symbols;
    Arena arena;
    Buf buffers[6];
    struct Worker *workers;
    size_t n_workers;
} ScanResult;

// Fails when the root cannot be read at all, or the facts lack a rule. `ret` needs scan_free either way.
bool scan_tree(const PortingFacts *facts, const ScanOptions *options, ScanResult *ret, Err *e);
void scan_free(ScanResult *r);

// What the effort model needs: own findings and dependencies, counted by file and rule.
size_t scan_effort_items(const PortingFacts *facts, const ScanResult *r, Arena *a, EffortItem **ret_items);

// ---------------------------------------------------------------- between the files of this part

// Adds a ScanDependency for each CUDA library that own findings (in order of place) show.
void scan_libraries(const PortingFacts *facts, const ScanFile *files, const ScanFinding *findings, size_t n,
                    Buf *dependencies);

typedef struct WalkFile {
    const char *path;                  // from the root
    uint8_t vendored, c, tests, kind;  // kind: TextKind
    uint8_t rocm_index;                // bool: a list that is taken together with one that names a ROCm index
} WalkFile;

typedef struct Walk {
    const ScanOptions *options;
    Arena *arena;
    Buf files;    // WalkFile
    Buf notes;    // ScanNote
    Buf ignores;  // IgnoreRule
    Buf own;      // const char *: Python packages of the tree
    Buf tracked;  // const char *: what git follows, in order
    bool hidden;  // in a folder that is left out but for what git follows
    size_t unreadable;
    Buf projects;  // const char *: those that stand in no other: what the tree installs
    bool single;   // the root is one file
} Walk;

bool walk_tree(Walk *w, Err *e);
void walk_note(Walk *w, const char *path, const char *why);
void scan_progress(const ScanOptions *o, ScanPhase phase, size_t done, size_t total);
// A plain file of the tree (or the root itself) as text. False: it is none, cannot be read, or is larger than
// `limit` bytes.
bool walk_read(Walk *w, const char *path, size_t limit, Arena *a, Str *ret_text);
// Why the walk would not have read this file, asked from the root down; NULL: it may be read.
const char *walk_why_not(Walk *w, const char *path, bool *ret_vendored);
// Adds the lists that lists of requirements and install commands name, inside the tree, each once; what is
// not followed gets a note. False: too many.
bool follow_lists(Walk *w);

typedef struct IgnoreRule {
    const char *base;  // folder of the .gitignore, "" or "a/b/"
    const char *pattern;
    bool negated, folders_only, anchored;
    bool user;  // of --exclude: counts for what git follows too
} IgnoreRule;

// Lines of a .gitignore, or what the user leaves out.
void ignore_add(Walk *w, const char *base, Str text, bool user);
bool is_tracked(const Walk *w, const char *path, bool folder);
// Paths in an index of git (versions 2 to 4), in order. Any bytes; false: not understood. Pointers live in the arena.
bool git_index(Str bytes, Arena *a, Buf *ret_paths);
// Does the last pattern that fits leave this out, followed by git or not? `ret_user`: one of --exclude.
bool ignore_fits(const Walk *w, const char *path, bool folder, bool *ret_user);
bool is_ignored(const Walk *w, const char *path, bool folder);
bool ignore_glob(const char *pattern, const char *text);

#endif
