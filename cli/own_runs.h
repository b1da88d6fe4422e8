// Runs of the user's own in answers.
#ifndef GPUADVISE_CLI_OWN_RUNS_H
#define GPUADVISE_CLI_OWN_RUNS_H

#include "cli/cli.h"
#include "src/report/run_report.h"
#include "src/fit/suspect.h"

// All that are kept, each with what was predicted of it and whether it counts.
bool app_own_runs(App *app, Catalog *catalog, const Facts *facts, const JudgedRun **ret_runs, size_t *ret_n,
                  Err *e);

// The same of some runs, n of them.
const JudgedRun *app_judge_runs(App *app, const Facts *facts, const OwnRun *runs, size_t n);

// Sets `facts->own`. `model`: the one in question, NULL: none.
bool app_know_own(App *app, Catalog *catalog, const Model *model, Facts *facts, Err *e);

#endif
