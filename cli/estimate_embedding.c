// `gpuadvise estimate` of a model that gives embeddings: encoders, and decoders without a head.
#include "cli/estimate_embedding.h"

#include <math.h>

#include "src/perf/task.h"

enum { TOKENS_DEFAULT = 512 };

// Whatever else `estimate` takes is of token serving.
static bool only_for_serving(const App *app, const Model *m, Err *e) {
    static const OptionId here[] = {OPT_MODEL,   OPT_ASSUME_DENSE, OPT_GPU,  OPT_GPUS,
                                    OPT_WEIGHTS, OPT_ISL,          OPT_BATCH};
    for (const OptionId *id = app->verb->options; *id != OPT_COUNT; id++) {
        bool applies = false;
        for (size_t k = 0; k < COUNT_OF(here); k++) applies = applies || here[k] == *id;
        if (!applies && opt_typed(app, *id))
            return err_set(e, ERR_USAGE,
                           "option '--%s' is for token serving; model '%s' (%s) gives embeddings",
                           option_table[*id].name, m->model_id, m->family);
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
