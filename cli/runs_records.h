// runs import: what became of every record of every file, with the reason, and the answer that says so.
#ifndef GPUADVISE_CLI_RUNS_RECORDS_H
#define GPUADVISE_CLI_RUNS_RECORDS_H

#include "cli/runs.h"

// Those up to STATUS_QUARANTINED are kept.
typedef enum Status {
    STATUS_TAKEN,
    STATUS_FLAGGED,
    STATUS_QUARANTINED,
    STATUS_INCOMPLETE,
    STATUS_CONTRADICTS,
    STATUS_REFUSED,
    STATUS_PASSED,
    STATUS_COUNT
} Status;

// A record of a file.
typedef struct Record {
    const char *file, *tool, *reason, *fate;
    const char *counts, *doubt;  // yes, less or no; why not in full. Of those that are kept
    double place;
    bool unread;  // the file could not be read: `reason` says why
    Status status;
    OwnRun run;  // of those that are kept
} Record;

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

bool record_is_kept(const Record *r);

void runs_import_print(Import *m, bool dry);

#endif
