// Two benchmark runs side by side: which device is which, and which tests are faster.
#ifndef GPUADVISE_BENCH_COMPARE_H
#define GPUADVISE_BENCH_COMPARE_H

#include "src/facts/bench.h"
#include "src/report/report.h"

// Results of a run kept here (`name` its id) or of a file written by `bench --json`.
typedef struct BenchSide {
    const char *name;
    BenchResult *results;
    size_t n;
    BenchDevice *devices;  // of an answer of old: none
    size_t n_devices;
} BenchSide;

// By what the devices of `b` were found in `a`: "uuid", "model", "position", "name".
typedef struct BenchMatch {
    const char *id, *other;  // of b and of a; other "" = none
    const char *by;
} BenchMatch;
// One a device of `b`; of a test of several, each of its devices is looked up.
BenchMatch *bench_match(Arena *a, const BenchSide *before, const BenchSide *now, size_t *ret_n);
// The id in `before` of the device, or pair of devices, that a result of `now` names.
const char *bench_matched(Arena *a, const BenchMatch *list, size_t n, const char *device,
                          const char **ret_by);

// A row a test that both have.
Listing bench_compared(const BenchSide *a, const BenchSide *b, Arena *arena);
// A sentence on each test that is slower than before, ranges apart, into ret_lines, an array of now->n. Gives how
// many; ret_both: how many tests can be compared.
size_t bench_slower(const BenchSide *before, const BenchSide *now, Arena *arena, const char **ret_lines,
                    size_t *ret_both);

#endif
