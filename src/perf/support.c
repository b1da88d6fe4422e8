// What runs on what, by the rows of the facts: engines on GPUs, dtypes on GPUs, and the words for what does not.
#include <string.h>

#include "src/perf/perf.h"

const char *const serve_status_names[] = {
    [SERVE_OK] = "ok",
    [SERVE_NO_ENGINE] = "engine does not support the GPU",
    [SERVE_NO_PRECISION] = "dtype not supported by the engine on the GPU",
    [SERVE_NO_DATA] = "peak, bandwidth, memory or efficiency of the GPU unknown",
    [SERVE_NO_LAYOUT] = "the model cannot be split that way",
    [SERVE_NO_BLOCKS] = "the blocks of the quantised weights cannot be cut that way",
    [SERVE_NO_EXPERT_PARALLEL] = "the engine spreads no experts over replicas",
    [SERVE_NO_MEMORY] = "does not fit in memory",
    [SERVE_NO_SLO] = "misses the latency limits",
    [SERVE_STATUS_COUNT] = NULL,
};

const EngineSupport *engine_support(const Facts *f, const Gpu *g, const char *engine) {
    for (size_t i = 0; i < f->n_engines; i++) {
        const EngineSupport *s = &f->engines[i];
        if (s->vendor == g->vendor && strcmp(s->architecture, g->architecture) == 0 &&
            strcmp(s->engine, engine) == 0)
            return s;
    }
    return NULL;
}

const Precision *gpu_precision(const Facts *f, const Gpu *g, Dtype weights) {
    for (size_t i = 0; i < f->n_precisions; i++) {
        const Precision *p = &f->precisions[i];
        if (p->vendor == g->vendor && p->weights == weights && strcmp(p->architecture, g->architecture) == 0)
            return p;
    }
    return NULL;
}

Dtype factor_class(Dtype weights, Dtype compute) {
    double bits = dtype_bits(weights);
    bool native = dtype_bits(compute) <= 8 && dtype_bits(compute) - bits < 1;
    if (bits >= 16) return DTYPE_BF16;
    if (bits >= 8) return native ? DTYPE_FP8 : DTYPE_INT8;
    return native ? DTYPE_FP4 : DTYPE_INT4;
}
