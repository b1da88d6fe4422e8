// The shell command that starts one server of an option, as its layout, precision and load need it.
//
// The names of the options are those of the engines' own documentation (the tables of launch.c, each with
// source and date). What an engine cannot be told, or what the option assumes beside it, is a note.
#ifndef GPUADVISE_ADVISE_LAUNCH_H
#define GPUADVISE_ADVISE_LAUNCH_H

#include "src/advise/advise.h"

enum { LAUNCH_NOTES_MAX = 12, LAUNCH_WORDS_MAX = 48 };

// Texts live in the arena.
typedef struct Launch {
    const char *command;  // NULL: no command of this engine is known
    // the command in the groups that may stand on a line: an option with its value
    const char *words[LAUNCH_WORDS_MAX];
    size_t n_words;
    // that are started; of them on one instance, the last one may have fewer
    int servers, servers_per_instance;
    int gpus;  // of one server
    const char *notes[LAUNCH_NOTES_MAX];
    size_t n_notes;
    const char *source, *as_of;  // of the engine's options; "" without a command
} Launch;

// False: the option serves no tokens, or is of another kind of workload.
bool launch_of(const Advice *advice, const Option *o, Arena *a, Launch *ret_launch);

#endif
