// A fleet of replicas under requests as they come, event by event.
//
// A replica works in steps, as engines with continuous batching do: a step gives each running sequence its
// next token, and reads up to `chunk_tokens` of the prompts that were let in, first come first served. With
// no prompt to read, steps run through to the next event at once. A request is let in when a place and memory
// for it are free, at the beginning of a step; its first token comes at the end of the step that reads the
// last of its prompt. Nothing is drawn: the same arrivals give the same figures.
#ifndef GPUADVISE_TRAFFIC_SIMULATE_H
#define GPUADVISE_TRAFFIC_SIMULATE_H

#include "src/perf/perf.h"
#include "src/traffic/traffic.h"

typedef struct ReplicaModel {
    const double *step_s;  // seconds of a step of 1 to `places` sequences
    size_t places;         // sequences at once
    // seconds of reading a prompt of n tokens, of which h are cached: token_s (n - h) + pair_s (n^2 - h^2) / 2
    double prompt_token_s, prompt_pair_s;
    double chunk_tokens;  // read in one step; infinity: whole prompts
    double pass_s;        // that a step takes longer which reads any
    double tokens_max;    // of cache for running sequences: each takes its prompt and half of its answer
    double kept;          // tokens that a step gives a sequence
    double start_s;       // before anything of a request runs: the engine's own overhead
    double cached_share;  // of each prompt, where an Arrival does not tell
} ReplicaModel;

// A replica as the estimate sees it. The steps live in the arena.
ReplicaModel replica_model(const Serving *s, Arena *a);

typedef enum Route {
    ROUTE_LEAST,  // to the replica with the fewest requests, at once
    ROUTE_HOLD    // wait at the router until a replica has a place
} Route;

typedef struct Percentiles {
    double mean, p50, p90, p99;
} Percentiles;

typedef struct FleetRun {
    double requests, span_s;                    // from the first arrival to the last answer
    Percentiles ttft_s, tpot_s, e2e_s, wait_s;  // wait: until it is let in
    double busy_share;                          // of the replicas' time until the last arrival
    double in_flight_mean;                      // requests, waiting ones included
    double output_tokens_s;
    bool unserved;  // a request that no replica has memory for: it was left out
} FleetRun;

// `arrivals` in order of time. False: no requests.
bool fleet_simulate(const ReplicaModel *m, size_t replicas, Route route, const Arrival *arrivals, size_t n,
                    Arena *a, FleetRun *ret_run);

// ---------------------------------------------------------------- arrivals that are drawn

// Requests of a traffic for `seconds` at `rate` a second: arrivals as bursty as its dispersion at 1 s and
// 60 s (1 where unknown: Poisson), lengths log-normal through its mean and p50 (constant where unknown), no
// longer than its longest. The same seed gives the same requests.
const Arrival *traffic_draw(const Traffic *t, double rate, double seconds, uint64_t seed, Arena *a,
                            size_t *ret_n);

#endif
