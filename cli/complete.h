// Inside of cli: completion for shells.
#ifndef GPUADVISE_CLI_COMPLETE_H
#define GPUADVISE_CLI_COMPLETE_H

#include "cli/cli.h"

// The script of a shell: bash, zsh or fish.
bool completion_print(const char *shell, Buf *out, Err *e);
// What may stand for the last argument, the others being the words before it: a line each into app->out.
void completion_words(App *app);

#endif
