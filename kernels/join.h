// How the processes of a job find each other without a launcher's help: notes in files beside each other.
//
// Each rank leaves a note with a word of its own (`token`); rank 0 answers all in one file, which holds every
// token, so that files of an earlier attempt are known for what they are; when all have said that they read
// it, it says "go".
#ifndef GPUADVISE_KERNELS_JOIN_H
#define GPUADVISE_KERNELS_JOIN_H

#include "kernels/bench.h"

enum { JOIN_TOKEN_MAX = 64, JOIN_PAIRS_MAX = 64 };

// What two ranks exchanged.
typedef struct JoinPair {
    size_t a, b;
    double gb_s;  // NaN: not verified
} JoinPair;

// A rank's.
typedef struct JoinNote {
    const char *token, *host;
    const char *answer;  // of rank 0, that this one has read; "" = none
    const char *state;   // here, joined, done, failed
    const char *why;     // of failed
    JoinPair *pairs;     // n_pairs, `a` is its own rank
    size_t n_pairs;
} JoinNote;

// Rank 0's: to each token by rank.
typedef struct JoinAnswer {
    const char *name;  // of this answer
    const char *id;    // to join by
    bool go;
    const char **tokens;
    size_t ranks;
} JoinAnswer;

void join_note_json(const JoinNote *n, Json *object);
// False: it is none, or not whole. Text lives in the arena.
bool join_note_read(const Json *object, Arena *a, JoinNote *ret_note);
void join_answer_json(const JoinAnswer *x, Json *object);
bool join_answer_read(const Json *object, Arena *a, JoinAnswer *ret_answer);

#endif
