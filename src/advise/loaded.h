// Inside of src/advise: a configuration under its load, before and while it becomes an option.
#ifndef GPUADVISE_ADVISE_LOADED_H
#define GPUADVISE_ADVISE_LOADED_H

#include "src/advise/search.h"

// A configuration of one replica that works, with the largest concurrency that keeps the limits.
typedef struct Config {
    Serving serving;
    double capacity;
    double most_rps;    // requests a second that it is planned for at most; NaN: no rate is asked for
    EngineReach reach;  // where the engine was measured
} Config;

// A configuration on `instances` instances of `gpus` GPUs each, under the whole load.
typedef struct Loaded {
    const Config *config;
    const Serving *serving;  // of `config`, or with what was published for the very same
    Published published;     // n 0: nothing was
    int instances, replicas;
    Point point;
    double concurrency, output_tokens_s, total_tokens_s;
    double sessions;       // where they are the load; else 0
    SessionPoint session;  // of one replica
} Loaded;

// An engine that the user names may go beyond the loads that it was measured at.
bool bound_by_reach(const Ask *ask);

// `l` at the price of an offer of the GPU.
void fill_option(const Facts *f, const Ask *ask, const Gpu *g, const Offer *offer, const Loaded *l,
                 const char *sources, Option *o);

#endif
