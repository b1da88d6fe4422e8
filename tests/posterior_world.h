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

static inline void open_world(World *w) {
    Err e = {0};
    const char *warning = "";
    *w = (World){0};
    if (!catalog_open(&(CatalogOptions){NULL, "data"}, &w->arena, &w->catalog, &warning, &e) ||
        !catalog_facts(w->catalog, &w->arena, &w->facts, &e))
        FAIL_("%s", e.text);
}

static inline void close_world(World *w) {
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

// All public rows, each predicted with a part left out of the fit: the rows of its publisher, GPU and model, or all
// of its publisher's.
static inline void fit_world(World *w, LeaveOut part) {
    Err e = {0};
    void *rows = NULL;
    size_t n = 0;
    if (!catalog_rows(w->catalog, TABLE_MEASUREMENTS, &w->arena, &rows, &n, &e)) FAIL_("%s", e.text);
    Measurement *m = rows;
    for (size_t i = 0; i < n && part == LEAVE_OUT_SOURCE; i++)
        m[i].source = arena_printf(&w->arena, "%s|%s|%s", m[i].submitter, m[i].gpu_sku, m[i].model);
    FitRow *fit = NULL;
    Efficiency *table = NULL;
    size_t n_fit = fit_rows(&w->facts, m, n, part, &w->arena, &fit);
    calibrate(&(CalibrateWant){fit, n_fit, &w->facts, NULL, ""}, &w->arena, &table, &w->left);
    w->rows = fit, w->n = n_fit;
}

static inline bool counts(const World *w, size_t i) {
    const FitRow *r = &w->rows[i];
    Check check;
    check_row(r->row, &r->prediction, &check);
    bool graded = strcmp(r->row->grade, "A") == 0 || strcmp(r->row->grade, "B") == 0;
    return graded && !check.special && strcmp(r->prediction.unit, "output") == 0 &&
           is_known(w->left.errors[i]);
}

// A row as one of the user's, as far off as it was with its group left out.
static inline PosteriorRow own_row(const World *w, size_t i, const OwnRun *run) {
    const FitRow *r = &w->rows[i];
    bool decodes = r->prediction.serving.osl > 64;
    return (PosteriorRow){
        .run = run,
        .place = serving_place(&r->prediction.serving, r->prediction.point.running),
        .off = {[RESPONSE_RATE] = w->left.errors[i],
                [RESPONSE_TPOT] = decodes ? r->measured_tpot - w->left.tpots[i] : (double)NAN,
                [RESPONSE_TTFT] = r->measured_ttft - w->left.ttfts[i]}};
}

typedef struct Asked {
    Serving serving;
    Point point;
} Asked;

static inline Asked ask(const World *w, const char *gpu, const char *model, const char *engine, int tp,
                        Dtype weights, double load, bool own) {
    Facts facts = w->facts;
    if (!own) facts.own = NULL;
    ServingWant want = {.engine = engine,
                        .layout = {tp, 1, 1, 1},
                        .weights = weights,
                        .kv = DTYPE_BF16,
                        .isl = 1024,
                        .osl = 512};
    for (size_t i = 0; i < facts.n_gpus; i++) {
        if (strcmp(facts.gpus[i].sku_id, gpu) == 0) want.gpu = &facts.gpus[i];
    }
    for (size_t i = 0; i < facts.n_models; i++) {
        if (strcmp(facts.models[i].model_id, model) == 0) want.model = &facts.models[i];
    }
    Asked a;
    CHECK_INT(serving_resolve(&facts, &want, &a.serving), SERVE_OK);
    a.point = serving_at(&a.serving, load);
    posterior_at(&facts, load, &a.serving);
    return a;
}

#endif
