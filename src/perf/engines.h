// What engines can and cannot run: precisions by engine and architecture, blocks of quantised weights, loads
// that they were measured at. Pure.
#ifndef GPUADVISE_PERF_ENGINES_H
#define GPUADVISE_PERF_ENGINES_H

#include "src/perf/perf.h"

// How the engine runs these weights on the GPU: data/engine_precisions.tsv where it speaks of them, otherwise
// data/precisions.tsv and the dtypes of the engine. False: it does not.
bool engine_precision(const Facts *facts, const ServingWant *want, const EngineLimits *limits,
                      Dtype *ret_compute, const char **ret_status);

// ---------------------------------------------------------------- blocks

// Rows and columns of a weight matrix that share one scale in the checkpoint of these weights; 0: none, or
// not known.
double weight_block(const Facts *facts, const Model *m, Dtype weights);

// Do the tensor-parallel ranks get whole blocks of every expert and feed-forward layer? Experts that are
// spread are not cut.
bool blocks_fit(const Facts *facts, const Gpu *gpu, const Model *m, Dtype weights, const Layout *l);

// `l`, with the experts spread over the ranks of a replica where their blocks can be cut in no other way.
Layout layout_of_blocks(const Facts *facts, const Gpu *gpu, const Model *m, Dtype weights, Layout l);

// ---------------------------------------------------------------- releases

// How a release of an engine runs on a GPU by default; `date` (years) stands in where the release is NaN, and the
// newest row where both are. NULL: data/engine_defaults.tsv has none.
const EngineDefaults *engine_defaults(const Facts *facts, const Gpu *gpu, const char *engine, double release,
                                      double date);

// Does it read prompts in passes of their own, ahead of decoding, so that what runs waits for them?
bool reads_ahead(const EngineDefaults *d);

// ---------------------------------------------------------------- why not

// What `status` of the wanted means here, in words: serve_status_names and what is known beyond it.
const char *serving_why(const Facts *facts, const ServingWant *want, ServeStatus status, Arena *a);

// ---------------------------------------------------------------- loads

// Loads of a kind: a few users; batches that one replica holds; large batches. An engine that was measured at
// one of a class is taken to carry all of that class and those below, and no other.
enum { LOAD_FEW = 8, LOAD_BATCH = 64 };

typedef struct EngineReach {
    const EngineLoad *row;  // the largest load known; NULL: none
    // requests in flight on a replica: the top of its class (LOAD_FEW, LOAD_BATCH, infinity); 0: none
    double most;
} EngineReach;
EngineReach engine_reach(const Facts *facts, const Gpu *gpu, const char *engine);

// Who serves more than a few users needs batches, over however many replicas they are spread: then
// `in_flight` counts as well as what runs on each.
bool in_reach(const EngineReach *r, double running, double in_flight);

// "llama.cpp was measured on ada with 1 request in flight on a replica at most".
const char *reach_words(const EngineReach *r, const Gpu *gpu, const char *engine, Arena *a);

// What lies beyond is extrapolated: widens the range, unless the GPU or the very configuration was measured.
void go_beyond_reach(const Facts *facts, Serving *s);

#endif
