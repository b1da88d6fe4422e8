// What became of every record of every result file that was read.
#ifndef GPUADVISE_RUNS_RECORDS_H
#define GPUADVISE_RUNS_RECORDS_H

#include "src/facts/own_run.h"

// Those up to RECORD_QUARANTINED are kept.
typedef enum RecordStatus {
    RECORD_TAKEN,
    RECORD_FLAGGED,
    RECORD_QUARANTINED,
    RECORD_INCOMPLETE,
    RECORD_CONTRADICTS,
    RECORD_REFUSED,
    RECORD_PASSED,
    RECORD_COUNT
} RecordStatus;

// A record of a file.
typedef struct Record {
    const char *file, *tool, *reason, *fate;
    const char *counts, *doubt;  // yes, less or no; why not in full. Of those that are kept
    double place;
    bool unread;  // the file could not be read: `reason` says why
    RecordStatus status;
    OwnRun run;  // of those that are kept
} Record;

static inline bool record_is_kept(const Record *r) { return r->status <= RECORD_QUARANTINED; }

#endif
