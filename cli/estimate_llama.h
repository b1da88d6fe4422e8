// `gpuadvise estimate --engine llama.cpp`: several GPUs by layers or rows, a part of the model in host memory.
#ifndef GPUADVISE_CLI_ESTIMATE_LLAMA_H
#define GPUADVISE_CLI_ESTIMATE_LLAMA_H

#include "cli/cli.h"
#include "src/perf/perf.h"

// Reads --split, --gpu-layers, --cpu-offload, --cpu-experts and --host-gb-s into `want`, whose engine, model and layout
// are set. Without --host-gb-s the bandwidth of host memory is that of the newest kept `bench` run of a CPU of this
// name. ERR_USAGE: with another engine, what does not agree, or a bandwidth that nobody gave. Texts live in app->arena.
bool estimate_llama(App *app, Catalog *catalog, ServingWant *want, Err *e);

#endif
