// What resolving a configuration and timing it both ask of one replica.
#ifndef GPUADVISE_PERF_REPLICA_H
#define GPUADVISE_PERF_REPLICA_H

#include <math.h>

#include "src/perf/perf.h"

static inline double square(double x) { return x * x; }

// What of a configuration has fitted rows: its layout and software on the architecture, the class of its weights there,
// the engine there, the GPU itself in the narrowest of these groups.
typedef struct Seen {
    bool group, class, engine, gpu;
} Seen;

// The variance of ln(rate) that what is not seen adds.
double unseen_variance(const Facts *facts, const Seen *seen);

// Sequences in steady state hold all of their input and half of their output.
static inline double mean_context(const Serving *s) { return s->isl + s->osl / 2; }

// Devices that split a layer: a board may be several.
static inline int ranks(const Serving *s) { return s->layout.tp * (int)s->gpu->devices_per_package; }

// Bytes per second of one of them.
static inline double rank_bandwidth(const Serving *s) {
    return s->gpu->memory_bw_gb_s * 1e9 * s->local_scale_bandwidth / s->gpu->devices_per_package;
}

// Parts of the batch that the stages of a pipeline work on at the same time.
static inline double stages_at_once(const Serving *s) { return s->in_turn ? 1 : s->layout.pp; }

// Devices among which experts are dealt out whole, 1: each is cut like any other product.
static inline double expert_parts(const Serving *s) {
    return s->layout.ep <= 1
               ? 1
               : fmin(s->layout.ep * s->gpu->devices_per_package, (double)ranks(s) * s->expert_ranks);
}

// What the fullest of `parts` gets over the mean, where each of its `trials` comes with probability `p`: the
// expected maximum of as many normal variables of the binomial's variance.
static inline double fullest_over_mean(double parts, double trials, double p) {
    if (parts <= 1 || !(p > 0) || !(trials > 0)) return 1;
    return fmin(1 + sqrt(2 * log(parts) * (1 - p) / (trials * p)), parts);
}

// Links of a replica's all-reduces at full rate: seconds a byte inside a node, and over the network, where each
// GPU first holds a share of its node's sum and exchanges that with its likes.
static inline double reduce_link_s(const Serving *s) {
    double n = fmin(ranks(s), NODE_GPUS * s->gpu->devices_per_package);
    return n <= 1 ? 0 : 2 * (n - 1) / n / gpu_link_bytes_s(s->gpu, (int)n);
}
static inline double reduce_network_s(const Serving *s) {
    double nodes = fmax(s->layout.tp / (double)NODE_GPUS, 1);
    return 2 * (nodes - 1) / nodes / NODE_GPUS / s->network_bytes_s;
}

// Boards that split a layer's work: of one replica, or of all that share experts.
static inline double gpus_together(const Serving *s) { return s->layout.tp * s->expert_ranks; }

// Where replicas share experts every token goes to its experts and comes back, each GPU sending its share of the
// tokens: bytes of a token and layer, and seconds a byte at full rate, what leaves a node taking the network.
static inline double all_to_all_bytes(const Serving *s) {
    double n = (double)ranks(s) * s->expert_ranks;
    return 2 * s->model->experts_per_token * s->model->hidden * 2 * (1 - 1 / n) / ranks(s);
}
static inline double all_to_all_byte_s(const Serving *s) {
    double n = (double)ranks(s) * s->expert_ranks, outside = 1 - fmin(NODE_GPUS / gpus_together(s), 1);
    return (1 - outside) / gpu_link_bytes_s(s->gpu, (int)fmin(n, NODE_GPUS)) + outside / s->network_bytes_s;
}

#endif
