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

// Those of one GPU.
typedef struct Configs {
    Config *items;
    size_t n;
    FactorMemo memo[DTYPE_COUNT];  // by weights
} Configs;

// The dtypes that the workload accepts, and how many configurations of one GPU they can make at most.
typedef struct Choices {
    Dtype weights[DTYPE_COUNT], kv[DTYPE_COUNT];
    size_t n_weights, n_kv, configs_max;
} Choices;

Choices choices_of(const Facts *f, const Workload *w);

// Fills `out`, which has room for configs_max, and counts what does not work. Then, why no engine carries the
// load.
void all_configs(const Facts *f, const Ask *ask, const Gpu *g, double gpus_max, const Choices *c, Arena *a,
                 Advice *advice, Configs *out);
bool carries_load(const Ask *ask, const EngineReach *reach);  // an engine, the load that is asked for
void count_overloaded(const Facts *f, const Ask *ask, const Gpu *g, Arena *a, Advice *advice);

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
