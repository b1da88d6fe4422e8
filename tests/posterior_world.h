// Public rows as runs of the user's own.
#ifndef GPUADVISE_TESTS_POSTERIOR_WORLD_H
#define GPUADVISE_TESTS_POSTERIOR_WORLD_H

#include "src/perf/posterior.h"

#include <stdlib.h>
#include <string.h>

#include "catalog/facts/catalog.h"
#include "src/fit/calibrate.h"
#include "tests/check.h"
#include "tests/fixture.h"

typedef struct World {
    Arena arena;
    Catalog *catalog;
    Facts facts;
    FitRow *rows;
    size_t n;
    LeftOut left;
} World;

static void open_world(World *w) {
    Err e = {0};
    const char *warning = "";
    *w = (World){0};
    if (!catalog_open(&(CatalogOptions){NULL, "data"}, &w->arena, &w->catalog, &warning, &e) ||
        !catalog_facts(w->catalog, &w->arena, &w->facts, &e))
        FAIL_("%s", e.text);
}

static void close_world(World *w) {
    catalog_close(w->catalog);
    arena_free(&w->arena);
}

// A run of `gpus` x `gpu` that goes as predicted, 7 % slower.
static inline OwnRun honest_run(World *w, const char *gpu, double gpus, const char *model,
                                const char *weights, double isl, double osl, double load) {
    OwnRun r = own_run_blank();
    Measurement *m = &r.m;
    m->id = "own:test", m->gpu_sku = gpu, m->gpu_count = m->tp = gpus, m->model = model;
    m->precision_weights = weights, m->engine = "vllm", m->scenario = "fixed-concurrency",
    m->task = "serving";
    m->grade = "A", m->run_class = "independent", m->date = "2026-09-01";
    m->input_tokens = isl, m->output_tokens = osl, m->batch_or_concurrency = load;
    r.identity = "test", r.ran_at = "2026-11-20", r.seconds = 300;
    Prediction p;
    predict(&w->facts, m, &p);
    if (p.not_predicted != NULL) FAIL_("%s", p.not_predicted);
    m->output_tokens_per_s = p.rate / 1.07;
    m->ttft_ms = p.ttft_s * 1070, m->tpot_ms = p.tpot_s * 1070, m->e2e_ms = p.point.e2e_s * 1070;
    r.requests_per_s = m->output_tokens_per_s / osl;
    return r;
}

#endif
