// What resolving a configuration and timing it both ask of one replica.
#ifndef GPUADVISE_PERF_REPLICA_H
#define GPUADVISE_PERF_REPLICA_H

#include "src/perf/perf.h"

static inline double square(double x) { return x * x; }

// Sequences in steady state hold all of their input and half of their output.
static inline double mean_context(const Serving *s) { return s->isl + s->osl / 2; }

// Devices that split a layer: a board may be several.
static inline int ranks(const Serving *s) { return s->layout.tp * (int)s->gpu->devices_per_package; }

// Boards that split a layer's work: of one replica, or of all that share experts.
static inline double gpus_together(const Serving *s) { return s->layout.tp * s->expert_ranks; }

#endif
