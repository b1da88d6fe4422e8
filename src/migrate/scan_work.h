// Between scan.c (workers), scan_file.c (the file that one reads) and scan_settle.c (what they found, put together).
#ifndef GPUADVISE_MIGRATE_SCAN_WORK_H
#define GPUADVISE_MIGRATE_SCAN_WORK_H

#include <stdatomic.h>

#include "src/migrate/cuda.h"
#include "src/migrate/scan.h"
#include "src/migrate/text.h"

// The files of a tree by path and by name.
typedef struct TreePaths {
    const WalkFile *files;
    size_t n;
    uint32_t *slots;  // 1 + index, by hash of the name without folders, linear probing; 0 ends
    size_t n_slots;
} TreePaths;

TreePaths tree_paths(const WalkFile *files, size_t n, Arena *a);
enum { RESOLVED_MAX = 16 };
// Files that `path` can mean where the file `from` names it: the one beside it, else those whose path ends so, else
// the only one of that name. `ret_near`: found beside it. Returns their number.
size_t tree_resolve(const TreePaths *t, uint32_t from, Str path, bool quoted,
                    uint32_t ret_files[RESOLVED_MAX], bool *ret_near);

typedef struct Shared {
    const PortingFacts *facts;
    const CWords *words;
    const ScanOptions *options;
    const WalkFile *files;
    size_t n_files;
    bool single;
    TextFacts text_facts;
    TreePaths paths;
    ScanFile *scanned;       // of the same index
    uint8_t *cuda_language;  // bool: a build script compiles this file as CUDA
    const uint32_t *todo;    // files of this round: build scripts and the like first, C after them
    size_t n_todo, done;
    atomic_size_t next;
} Shared;

typedef struct Worker {
    Shared *shared;
    Arena arena, scratch;
    Buf text, tokens;
    Buf findings, dependencies, notes, defined, evidence;
    Buf symbols, questions, includes, macros, sources;
    Buf away;  // AwayBytes of the script in hand
    uint32_t file;
    size_t unread, unread_files, prose_files, unreadable, masks, masks_unknown;
    bool tells;  // of progress
} Worker;

// Bytes in branches that a build for AMD does not take.
typedef struct AwayBytes {
    size_t from, to;
} AwayBytes;

// A name that looks like CUDA's and that this file defines.
typedef struct Defined {
    const char *word;
    uint32_t file;
} Defined;

// A finding when the tree says that `width` is under 64 bits.
typedef struct Question {
    ScanFinding finding;
    Width width;
} Question;

// A macro, or a source with a language of its own, that a build script names.
typedef struct BuildWord {
    const char *word;
    uint32_t file;  // the script
    bool amd;
} BuildWord;

typedef struct WorkerNote {
    uint32_t file;
    const char *why;
} WorkerNote;

// Reads the file of that index and adds what it says to the worker's lists.
void scan_take_file(Worker *w, size_t index);

// Macros that only builds for AMD define, from all workers. Lives in the arena.
TreeMacros tree_macros(Worker *workers, size_t n, Arena *a);
// Sets Shared.cuda_language.
void tree_languages(Shared *s, Worker *workers, size_t n);
// Everything found, sorted, settled and counted. False: more was found than is kept, so that no sum would be true.
bool scan_gather(Shared *s, Worker *workers, size_t n, Walk *walk, ScanResult *ret);

#endif
