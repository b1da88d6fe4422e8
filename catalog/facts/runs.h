// Benchmark runs between structs and the database: observations, never changed.
#ifndef GPUADVISE_CATALOG_FACTS_RUNS_H
#define GPUADVISE_CATALOG_FACTS_RUNS_H

#include "catalog/facts/catalog.h"
#include "src/facts/bench.h"

// Keeps a run with its devices and results, all or nothing. `run->id` is ignored.
bool runs_add(Catalog *c, const BenchRun *run, int64_t *ret_id, Err *e);
// The run `id` with devices and results, or all of them (0), newest first, with the numbers of both only (the
// arrays are NULL). None is no error.
bool runs_read(Catalog *c, int64_t id, Arena *a, BenchRun **ret_runs, size_t *ret_n, Err *e);

// Bandwidth of host memory, 10^9 bytes/s, with the run that measured it; NaN: none did.
typedef struct HostRate {
    double gb_s;
    int64_t run;
    const char *taken_at;
} HostRate;

// Of the newest whole run on a CPU called `cpu`: its triad, verified, over a working set beyond the caches. A run says of
// the CPU's memory what all of its threads reach together. None, or "" for `cpu`, is no error.
bool runs_host_rate(Catalog *c, const char *cpu, Arena *a, HostRate *ret, Err *e);

// `facts->local`: what the newest run that may stand for the datasheet says of the memory and of the matrix
// units, by dtype, of each GPU of `facts->gpus`; and of a newer one that may not, why (rates.c).
bool runs_rates(Catalog *c, Arena *a, Facts *facts, Err *e);

#endif
