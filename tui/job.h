// A command that takes its time, as a process of its own: its progress, its answer, and its end whatever that
// is.
#ifndef GPUADVISE_TUI_JOB_H
#define GPUADVISE_TUI_JOB_H

#include <stdbool.h>
#include <sys/types.h>

#include "src/base/base.h"

typedef enum JobKind { JOB_NONE, JOB_TEXT, JOB_REFRESH, JOB_BENCH, JOB_SCAN, JOB_SENSORS } JobKind;

enum { JOB_WORDS_MAX = 48, JOB_LINE = 400 };

typedef struct Job {
    JobKind kind;  // of the last one started
    pid_t pid;     // 0: none runs
    int out, err;  // its standard output and error; -1: closed
    Buf answer, errors;
    char what[160];             // the command without its options, for people
    char step[160];             // what it is at
    double done, total;         // NaN: it does not say
    double started_s, ended_s;  // monotonic
    bool cancelled;
    int signal_sent;
    int code;  // exit code; -1: ended by a signal
    int signal;
} Job;

void job_init(Job *j);
// Starts this program again with `words`, its tables `columns` wide (0: as wide as it likes). Fails when one
// runs already.
bool job_start(Job *j, JobKind kind, const char *const *words, size_t n, int columns, Err *e);
// The same of another program, found as a shell finds it; `words` begin with its name. No more than `most` bytes
// of its answer are kept at a time: what it says beyond them before they are taken is lost.
bool job_start_program(Job *j, JobKind kind, const char *const *words, size_t n, size_t most, Err *e);
// The next whole line of the answer so far; it is taken out. False: none yet.
bool job_line(Job *j, char *ret_line, size_t room);
// Takes what there is to read, without waiting. True: the process has ended and everything was read.
bool job_read(Job *j);
void job_cancel(Job *j);  // asks it to end; the second time it is killed
void job_free(Job *j);    // kills what still runs
// "3:07"
const char *job_time(double seconds, char text[16]);
// Seconds until it is done, as far as its progress tells; NaN.
double job_left_s(const Job *j);

#endif
