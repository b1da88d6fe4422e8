// Runs of the user's own in answers.
#ifndef GPUADVISE_CLI_OWN_RUNS_H
#define GPUADVISE_CLI_OWN_RUNS_H

#include "cli/cli.h"
#include "src/perf/suspect.h"

// All that are kept, each with what was predicted of it and whether it counts.
bool app_own_runs(App *app, Catalog *catalog, const Facts *facts, const JudgedRun **ret_runs, size_t *ret_n,
                  Err *e);

// Sets `facts->own`. `model`: the one in question, NULL: none.
bool app_know_own(App *app, Catalog *catalog, const Model *model, Facts *facts, Err *e);

#endif
