// The public measurement that lies nearest to a configuration under a load: to show beside an estimate, never
// to predict. Pure.
//
// Distance, the sum over what differs (a factor of x between two numbers counts as |log2 x|):
//   GPU          0 the same; 1 another of its architecture; 2.5 another of its vendor; those of the other vendor are not looked at
//   model        0 the same; else 1 + |log2| of the active parameters + half the |log2| of all, and 1.5 between dense and MoE
//   engine       1        weights  1/2 and |log2| of their bits        KV cache  1/4 where stated
//   lengths      half the |log2| of input and of output; 1 for each that is not stated
//   load         half the |log2| of requests in flight on a replica (on all replicas that share experts); 1.5 where it is not stated
//   GPUs         half the |log2| of those of a replica, or of such a group
//   speculation, cached prompts   2 where one has it and the other has not
// Of two alike the newer, then the smaller id. Rows of grade D, and of models or GPUs outside the catalog, do
// not count.
#ifndef GPUADVISE_PERF_NEAREST_H
#define GPUADVISE_PERF_NEAREST_H

#include "src/perf/perf.h"

enum { NEAREST_DIFFERS_MAX = 12 };

typedef struct Nearest {
    const Measurement *row;  // NULL: nothing of the vendor was measured
    double distance;
    double gpus;             // of the row
    double output_tokens_s;  // of the row, all its GPUs
    double output_tokens_s_gpu;
    size_t n_differs;
    // what the row has instead: "64 instead of 256 in flight", "2048 input tokens", "sglang"
    const char *differs[NEAREST_DIFFERS_MAX];
} Nearest;

// `concurrency`: requests in flight on all `replicas` together.
Nearest nearest_measured(const Facts *facts, const Serving *s, double replicas, double concurrency, Arena *a);

#endif
