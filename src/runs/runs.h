// Result files of benchmark tools -> runs: one small reader for each tool behind a table of what tells it.
//
// Level 1: bytes in, rows out; no terminal, no database, no file. A file is told by its content, never by its name. Units come
// from the tool and the key, never from the size of a number. Texts of prompts and answers are skipped before
// anything is parsed and reach no row.
#ifndef GPUADVISE_RUNS_H
#define GPUADVISE_RUNS_H

#include "src/base/base.h"
#include "src/facts/own_run.h"

enum {
    RUNS_FILE_BYTES_MAX = 256 * 1024 * 1024,  // unpacked
    RUNS_VALUES_MAX = 1000000,                // of one JSON value, prompts and lists of details aside
    RUNS_OF_FILE_MAX = 100000
};

// What a record of a file is.
typedef enum RunKind {
    RUN_IS_RUN,
    RUN_IS_NONE,     // no run: `refused` says why
    RUN_IS_TRAFFIC,  // requests as they came (a trace, counters of a server): no run, `refused` says so
    RUN_IS_SIDE      // says what machine it was, and nothing of a run
} RunKind;

// One run as a file tells it, or why there is none. `said` holds names as the file has them, "" where it has none: the
// catalog gives them their ids. What `run.m` has of them is unset until then.
typedef struct RunRead {
    OwnRun run;
    RunKind kind;
    const char *refused;
    struct {
        const char *model, *gpu, *engine, *version, *weights, *kv;
    } said;
    double gpus_least;  // the file names so many GPUs at least (tp * pp); NaN: it tells nothing
    // Training: figures that need what only the user knows. Per GPU: times gpu_count; sequences: times their length
    // (input_tokens). NaN: none.
    double tokens_per_s_gpu, sequences_per_s;
} RunRead;

// One file: the caller fills the first part, run_file_read the second.
typedef struct RunsFile {
    const char *path;  // as shown; forms that keep GPU and model in their path (MLPerf) read it
    Str text;          // unpacked
    Arena *arena;      // of the texts in the rows
    Arena *scratch;    // of the rows themselves and of what reading needs; may go with the text
    // "KEY=COLUMN" for a JSON or CSV file of no known tool: what its keys are (docs/runs.md)
    const char *const *columns;
    size_t n_columns;

    const char *tool;  // what the file was told as; "" no form of the table
    RunRead *rows;
    size_t n, capacity;
} RunsFile;

// Fills f->rows: every record of the file, taken or refused, in its order. A file of no known form is one
// refused row. Never fails.
void run_file_read(RunsFile *f);

// Is "KEY=COLUMN" one of the columns of docs/runs.md?
bool runs_column_known(const char *pair);

// What the user says of runs beyond their files: options, answers, a file gpuadvise.runs beside them. Unknown: "" and NaN.
typedef struct RunGiven {
    const char *model, *gpu, *engine, *version, *weights, *kv, *host, *date, *draft_tokens;
    double gpus, tp, pp, ep, dp, isl, osl, concurrency, cached_prompt, prefill_gpus;
} RunGiven;

RunGiven runs_given_none(void);

// Sets what is named as its option is ("gpus", "tp", "engine"): "vllm:0.11.0" is engine and version. False: no such name, or a
// value that is none; the error says which.
bool runs_given_set(RunGiven *g, const char *name, const char *value, Arena *a, Err *e);

// A text of lines `name = value`, '#' starts a comment. Errors name the line.
bool runs_given_read(Str text, Arena *a, RunGiven *ret_given, Err *e);

// What `first` leaves open is taken from `then`.
RunGiven runs_given_merge(const RunGiven *first, const RunGiven *then);

// The checks that need no prediction: sets flags and `quarantine`. After everything that is known was filled in.
void runs_check(OwnRun *r, Arena *a);

// Are these one run as two forms of its tool say it (a report and what was printed, JSON and CSV)? Never two
// of the same form.
bool runs_are_one(const OwnRun *a, const OwnRun *b);
// Is it the form of fewer digits: printed, or a table?
bool runs_is_copy(const OwnRun *r);

// Flags as words with ", " between them; "" none.
const char *runs_flags_text(const OwnRun *r, Arena *a);

#endif
