// Reading and guessing the user's stack: shared by `stack` and `report`.
#ifndef GPUADVISE_CLI_STACK_H
#define GPUADVISE_CLI_STACK_H

#include "cli/cli.h"
#include "cli/migrate_scan.h"
#include "src/advise/stack.h"

// The stack file at `path`, of at most a megabyte.
bool stack_read(App *app, const char *path, Stack *ret_stack, Err *e);
// What a scan saw, as a stack: requirements that a table knows, CUDA libraries, needs that constructs show.
// All of it may be replaced, since nobody has said that it must stay.
void stack_guess(App *app, const StackFacts *facts, const ScanAnswer *scan, Stack *ret_stack);

#endif
