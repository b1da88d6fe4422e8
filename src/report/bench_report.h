// A benchmark run as text and JSON.
#ifndef GPUADVISE_BENCH_REPORT_H
#define GPUADVISE_BENCH_REPORT_H

#include "src/facts/roofline.h"
#include "src/report/writer.h"

// A line a device, with why it was not tested.
void bench_device_lines(const Writer *w, const BenchDevice *devices, size_t n);
// A row a result; those that are shown `elsewhere` (NULL: none) are left out. Columns are chosen for the room.
Listing bench_results(const Writer *w, const BenchRun *run, bool (*elsewhere)(const BenchResult *r));
// Why a result has no figure, and what a low one is held against.
void bench_remarks(const Writer *w, const BenchRun *run);
// How many were verified, what the columns mean, and what the sensors of each device said.
void bench_legend(const Writer *w, const BenchRun *run);

// A row a run that is kept.
Listing bench_run_rows(const BenchRun *runs, size_t n, Arena *a);

// The tests under a roofline; the picture with them; the same as JSON.
Listing roofline_points(const Roofline *roof, Arena *a);
void roofline_text(const Writer *w, const Roofline *roof, const Listing *points);
void roofline_json(const Roofline *roof, Arena *a, Json *object);

// All GPUs under load together: adds "soak", null for NULL; nothing for NULL.
void bench_soak_json(const BenchSoak *s, Json *root);
void bench_soak_text(const Writer *w, const BenchSoak *s);

#endif
