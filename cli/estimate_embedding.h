// `gpuadvise estimate` of a model that gives embeddings.
#ifndef GPUADVISE_CLI_ESTIMATE_EMBEDDING_H
#define GPUADVISE_CLI_ESTIMATE_EMBEDDING_H

#include "cli/cli.h"
#include "src/report/report.h"

// What the options ask for; refuses those of token serving (ERR_USAGE).
bool estimate_embedding(App *app, const Facts *facts, const Gpu *gpu, const Model *model,
                        EmbeddingAnswer *ret, Err *e);

#endif
