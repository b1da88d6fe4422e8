// KV capacity: how many tokens of cache a replica holds, on its GPUs and behind them in host memory.
//
// Level 1; part of src/perf. It is memory left over: what the engine may take of the GPUs, less weights, draft
// layers, workspace (activations of a chunk, captured graphs, the allocator's rest) and the pool that some
// engines set aside for the state of linear layers; over the bytes that a token takes on all ranks together,
// copies counted. Both are worked out when a configuration is resolved; this header turns them into tokens.
#ifndef GPUADVISE_PERF_KV_H
#define GPUADVISE_PERF_KV_H

#include "src/perf/perf.h"

typedef struct KvCapacity {
    // Of one replica, in sequences of the configuration's mean context (input and half of the output): windows
    // and states make short sequences dearer a token than long ones. low, high: 80 % range.
    double tokens, low, high;
    double bytes_per_token;  // of one token at that context, on all ranks together
    double state_bytes;      // of the room for caches, set aside for the state of linear layers; else 0
    // of the same replica in host memory, where each token is kept once; 0: none was given
    double host_tokens;
} KvCapacity;

// All NaN where the memory of the configuration is not known; 0 tokens where nothing is left.
KvCapacity kv_capacity(const Facts *facts, const Serving *s);

// Bytes that a replica's engine takes beside weights and caches.
double kv_workspace_bytes(const Facts *facts, const Serving *s);

// Share of the room for caches that an engine sets aside for states; 0: it sets none aside, or the model has
// none.
double kv_state_share(const Serving *s);

// Bytes of one sequence's state, on all ranks together: ranks split its heads.
double kv_state_bytes(const Model *m);

// Bytes of a sequence with `context` tokens on all ranks of a replica together, copies counted.
double kv_sequence_bytes(const Serving *s, double context);

// Seconds that `tokens` of a prompt take to come back from host memory to the GPUs of a replica.
double kv_load_s(const Facts *facts, const Serving *s, double tokens);

#endif
