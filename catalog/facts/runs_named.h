// Names in result files -> ids of the catalog, and what the user adds to what a file says.
#ifndef GPUADVISE_CATALOG_FACTS_RUNS_NAMED_H
#define GPUADVISE_CATALOG_FACTS_RUNS_NAMED_H

#include "catalog/facts/catalog.h"
#include "catalog/facts/names.h"
#include "src/runs/runs.h"

// The tables that names are looked up in, and what was found for each name so far. Owned by the arena.
typedef struct RunNames {
    Arena *arena;
    UserNames words;
    const Gpu *gpus;
    const Model *models;
    const Checkpoint *checkpoints;
    const DeviceId *devices;
    const EngineLimits *engines;
    size_t n_gpus, n_models, n_checkpoints, n_devices, n_engines;
    struct RunFound *found;
    size_t n_found, room;
} RunNames;

bool run_names_open(Catalog *c, Arena *a, RunNames *ret_names, Err *e);

// What is still unknown of what a run needs: bits.
typedef enum RunMissing {
    MISSING_MODEL = 1,
    MISSING_GPU = 2,
    MISSING_GPUS = 4,
    MISSING_ENGINE = 8,
    MISSING_WEIGHTS = 16,
    MISSING_ISL = 32  // sequences of a training run, whose length no log tells
} RunMissing;
enum { RUN_MISSING_COUNT = 6 };
extern const char *const run_missing_names[];  // "model", "gpu", "gpus", ...: as options are called

// Fills r->run.m from the file's words and, where it has none, from `given`. What the file says wins; where the user
// says otherwise, *ret_contradiction (arena text, else "") says both. *ret_missing: bits of RunMissing. ret_why: of a name that
// the catalog does not know, else "". Then checks it (runs_check).
void run_fill(RunNames *names, RunRead *r, const RunGiven *given, const char *today, unsigned *ret_missing,
              const char **ret_contradiction, const char **ret_why);

// Is each name in `given` one of the catalog? ERR_USAGE with candidates.
bool run_given_check(RunNames *names, const RunGiven *given, Err *e);

#endif
