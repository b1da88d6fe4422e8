// `validate --runs`.
#ifndef GPUADVISE_CLI_VALIDATE_RUNS_H
#define GPUADVISE_CLI_VALIDATE_RUNS_H

#include "cli/cli.h"

int validate_runs(App *app);

#endif
