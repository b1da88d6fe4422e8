// The pager between an answer and the terminal that it is longer than, as git has it.
#ifndef GPUADVISE_CLI_PAGER_H
#define GPUADVISE_CLI_PAGER_H

#include "cli/cli.h"

// Puts GPUADVISE_PAGER, else PAGER, else less behind standard output, when that is a terminal and what is in
// app->out does not fit it; `more` comes after it. Without a pager that can be run, nothing: standard output
// stays what it is.
void pager_start(App *app, bool more);
// Waits until the reader has left the pager, if there is one. Nothing can be written to standard output then.
void pager_end(App *app);

#endif
