// What the screen is told by the commands of this program: answers to its questions, the options of `report`, the
// commands that it may run.
#ifndef GPUADVISE_CLI_SCREEN_H
#define GPUADVISE_CLI_SCREEN_H

#include "cli/cli.h"
#include "tui/tui.h"

typedef struct Host {
    const CommandTable *commands;
    AppCapture capture;
    const char *const *globals;
    size_t n_globals;
    Err failed;  // the first question that could not be answered for no fault of the user's
} Host;

// As TuiHost.ask, of a Host.
bool screen_ask(void *host, const char *const *words, size_t n, size_t width, Arena *a, TuiAnswer *ret_answer,
                Err *e);
// The options of `report`.
size_t screen_options(const CommandTable *t, Arena *a, const TuiOption **ret_options);
// What can be run from the screen, verb by verb; but not the screen itself.
size_t screen_commands(const CommandTable *t, Arena *a, const TuiCommand **ret_commands);

#endif
