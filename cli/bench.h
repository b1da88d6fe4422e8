// What the files of `gpuadvise bench` share.
#ifndef GPUADVISE_CLI_BENCH_H
#define GPUADVISE_CLI_BENCH_H

#include "cli/cli.h"
#include "src/facts/bench.h"

// ---- bench_out.c: answers

// A run with everything measured. `run->id` 0: it was not kept.
void bench_answer(App *app, const BenchRun *run, const char *note);
void bench_device_lines(App *app, const BenchDevice *devices, size_t n);
void bench_devices_json(const BenchDevice *devices, size_t n, Json *root);
// `bench list`, `bench runs`.
int bench_list(App *app);
int bench_runs(App *app);

// ---- bench_compare.c

int bench_compare(App *app);
// A gate: EXIT_GATE when a test of `run` is slower than in the answer kept in `file` (see compare_row), and says which.
bool bench_baseline(App *app, const BenchRun *run, const char *file, bool *ret_slower, Err *e);

#endif
