// One question at a time to the host beside the screen, so that no key waits for its answer.
#ifndef GPUADVISE_TUI_ASKER_H
#define GPUADVISE_TUI_ASKER_H

#include <pthread.h>

#include "tui/tui.h"

// While `running`, nothing else may ask the host or make it forget: asker_wait comes first.
typedef struct Asker {
    bool running;  // a question was asked and its answer not taken
    bool joined;   // the answer is there
    pthread_t thread;
    int ended[2];  // a pipe; its first end can be read when the answer is there. -1: not open
    const TuiHost *host;
    const char *const *words;
    size_t n, width;
    Arena arena;  // of question and answer
    TuiAnswer answer;
    Err error;
    bool ok;
} Asker;

void asker_init(Asker *k);
void asker_free(Asker *k);  // waits
// Asks; the words are copied. Where no thread can be had, the answer is there at once. Not while one is running.
void asker_start(Asker *k, const TuiHost *host, const char *const *words, size_t n, size_t width);
void asker_wait(Asker *k);
bool asker_ended(Asker *k);  // without waiting
// False: *e says why. The arena, with the answer, is then the caller's.
bool asker_take(Asker *k, Arena *ret_arena, TuiAnswer *ret_answer, Err *e);

#endif
