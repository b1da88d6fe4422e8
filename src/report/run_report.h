// Runs of the user's own: what became of their files, lists, two side by side, the few that would settle a verdict.
#ifndef GPUADVISE_RUN_REPORT_H
#define GPUADVISE_RUN_REPORT_H

#include "src/advise/plan.h"
#include "src/fit/suspect.h"
#include "src/report/writer.h"
#include "src/runs/records.h"

// "counts", or why it counts less or not.
const char *own_run_state(const JudgedRun *run, Arena *a);
// What its flags say, in sentences separated by "; "; "" without flags.
const char *own_run_flag_words(const OwnRun *run, Arena *a);

// A row a run; every column of theirs; the same as JSON (adds "runs").
Listing run_rows(const JudgedRun *runs, size_t n, Arena *a);
Listing run_full_rows(const JudgedRun *runs, size_t n, Arena *a);
void runs_json(const JudgedRun *runs, size_t n, Arena *a, Json *root);

// Borrows all.
typedef struct RunRecords {
    const Record *records;
    size_t n, files;
    const char *root;  // of the import
    bool folder, dry;  // root is a folder; nothing was kept
} RunRecords;

// A row a record (`all` false: without those that are none of a run); what is said under a table: each reason once,
// and which runs count less.
Listing run_records(const RunRecords *records, bool all, Arena *a);
void run_records_remarks(const RunRecords *records, Arena *a, Buf *out);
// Adds "dry_run", "files", "counts" and "records".
void run_records_json(const RunRecords *records, Arena *a, Json *root);

Listing runs_compared(const Facts *f, const JudgedRun *a, const JudgedRun *b, Arena *arena);

// The note says what the runs of the plan would settle.
Listing run_plan(const Facts *f, const Plan *plan, Arena *a);
void run_plan_json(const Plan *plan, const char *outcome, Json *root);
void run_plan_commands(const Facts *f, const Plan *plan, Arena *a, Buf *out);

// Errors of the estimates that knew of no own run, by group; each run with its estimate.
Listing run_errors(const Facts *f, const JudgedRun *runs, size_t n, Arena *a);
Listing run_predictions(const JudgedRun *runs, size_t n, Arena *a);

#endif
