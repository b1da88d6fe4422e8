// Between migrate_fix.c (files, git, the answer) and migrate_check.c (compilers).
#ifndef GPUADVISE_CLI_MIGRATE_FIX_H
#define GPUADVISE_CLI_MIGRATE_FIX_H

#include "cli/migrate.h"
#include "src/migrate/fix.h"

// A file that the patch changes or adds. `before.data` NULL: it is new.
typedef struct FixChange {
    const char *path;  // from the root
    Str before, after;
    size_t counts[FIX_WHAT_COUNT];
    bool c;
} FixChange;

// Errors of one compiler on one file; -1: it was not run.
typedef struct CheckRow {
    const char *path;
    int before, after;
    const char *first;  // error after; "": none
} CheckRow;

typedef struct Check {
    const char *compiler;  // path; NULL: none found
    const char *note;      // what it could not see; "": nothing
    CheckRow *rows;
    size_t n;
} Check;

bool fix_is_header(const char *path);  // by its name

// Compiles what changed, before and after, in a copy of the tree made of links: `cuda` as CUDA, `hip` as HIP.
// `files`: all paths of the tree.
bool fix_check(App *app, const char *root, const char *const *files, size_t n_files, const FixChange *changes,
               size_t n, Check *ret_cuda, Check *ret_hip, Err *e);

#endif
