// runs import: the files, what is given for them, and what became of every record.
#ifndef GPUADVISE_CLI_RUNS_RECORDS_H
#define GPUADVISE_CLI_RUNS_RECORDS_H

#include "cli/runs.h"
#include "src/runs/records.h"

// What is given for the files of one folder.
typedef struct Folder {
    const char *path;
    RunGiven given;
    bool asked, answered;
} Folder;

typedef struct Import {
    App *app;
    Catalog *catalog;
    RunNames names;
    RunGiven options;
    const char *root, *today;
    const char *const *columns;
    size_t n_columns;
    Record *records;
    size_t n, capacity;
    Folder *folders;
    size_t n_folders, folders_room;
    size_t files;
    bool ask;     // somebody sits at a terminal
    bool folder;  // the import is of one
    unsigned missing;
} Import;

#endif
