// `runs`: runs of the user's own, from the result files of benchmark tools.
#ifndef GPUADVISE_CLI_RUNS_H
#define GPUADVISE_CLI_RUNS_H

#include "catalog/facts/own_runs.h"
#include "catalog/facts/runs_named.h"
#include "cli/cli.h"

// A file to be read: `path` opens it, `shown` is what answers say. `why` not NULL: it is not read, for that; `failed`:
// because the machine would not (a folder that may not be opened, a failing disk), not for what the file is.
typedef struct RunsPath {
    const char *path, *shown, *why;
    bool failed;
} RunsPath;

// The files of a path in order: itself, or all below a folder. ERR_USAGE where it is not there, ERR_FAILED where nobody
// can tell.
bool runs_paths(App *app, const char *path, RunsPath **ret_paths, size_t *ret_n, bool *ret_folder, Err *e);

// A file's bytes, unpacked where it is a .gz; "-": standard input. The error is about the file alone: ERR_FAILED where
// it could not be read, ERR_USAGE where it is not of a kind that is read.
bool runs_bytes(const RunsPath *p, Arena *a, Str *ret_text, Err *e);

// Name of the file that says of the runs in its folder and below what their files do not.
#define RUNS_SIDE_FILE "gpuadvise.runs"

// What the side files from the folder of `path` up to `root` say, the nearest first.
bool runs_side(App *app, const char *path, const char *root, RunGiven *ret_given, Err *e);

int runs_import(App *app);
int runs_plan(App *app);

// Asks on the terminal for what `missing` names (bits of RunMissing) and adds it to `given`. False: nobody answers.
bool runs_ask(App *app, RunNames *names, const char *file, unsigned missing, RunGiven *given);
// Offers to write what was answered beside the files.
void runs_ask_keep(App *app, const char *folder, const RunGiven *given);

#endif
