// `gpuadvise estimate` of a model that gives embeddings: encoders, and decoders without a head.
#include "cli/estimate_embedding.h"

#include <math.h>

#include "src/perf/task.h"

enum { TOKENS_DEFAULT = 512 };

static bool only_for_serving(const App *app, const Model *m, Err *e) {
    static const OptionId serving[] = {OPT_TP,
                                       OPT_PP,
                                       OPT_EP,
                                       OPT_DP,
                                       OPT_KV,
                                       OPT_OSL,
                                       OPT_CONCURRENCY,
                                       OPT_RATE,
                                       OPT_ENGINE,
                                       OPT_PREFILL_GPUS,
                                       OPT_DRAFT_TOKENS,
                                       OPT_ACCEPTED_TOKENS,
                                       OPT_CACHED_PROMPT,
                                       OPT_POWER_CAP,
                                       OPT_SPLIT,
                                       OPT_GPU_LAYERS,
                                       OPT_CPU_OFFLOAD,
                                       OPT_CPU_EXPERTS};
    for (size_t i = 0; i < COUNT_OF(serving); i++) {
        if (app->values[serving[i]].level == LEVEL_FLAG)
            return err_set(e, ERR_USAGE,
                           "option '--%s' is for token serving; model '%s' (%s) gives embeddings",
                           option_table[serving[i]].name, m->model_id, m->family);
    }
    return true;
}

bool estimate_embedding(App *app, const Facts *f, const Gpu *gpu, const Model *m, EmbeddingAnswer *ret,
                        Err *e) {
    Workload w = {.kind = KIND_EMBED, .weights = "", .concurrency = opt_number(app, OPT_BATCH, (double)NAN)};
    w.isl_tokens = opt_number(app, OPT_ISL, fmin(TOKENS_DEFAULT, m->max_context));
    if (!only_for_serving(app, m, e) || !model_reads_text(m, w.isl_tokens, e)) return false;
    if (opt_dtype(app, OPT_WEIGHTS) != DTYPE_UNKNOWN) w.weights = dtype_names[opt_dtype(app, OPT_WEIGHTS)];
    *ret = (EmbeddingAnswer){.gpu = gpu,
                             .model = m,
                             .gpus = (int)opt_integer(app, OPT_GPUS, 1),
                             .tokens = w.isl_tokens,
                             .texts = texts_a_batch(f, &w)};
    ret->status = task_at(f, gpu, m, &w, ret->gpus, &app->arena, &ret->point);
    return true;
}
