// Times the estimator on the embedded facts: one configuration, and of each serving workload the whole
// search, then the decision on what was found (draws, what would flip it). One line each: median, lowest and
// highest of the rounds in time of the processor, which other programs disturb little, and the limit that the
// project sets itself, if it does.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/ask.h"
#include "catalog/facts/catalog.h"
#include "src/advise/advise.h"

enum { ROUNDS = 15, INNER = 200 };
static const double ESTIMATE_MS = 1, SEARCH_MS = 30;

static double now_ms(void) {
    struct timespec t = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_value(const void *left, const void *right) {
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

static void print_times(const char *what, double times[ROUNDS], double limit) {
    qsort(times, ROUNDS, sizeof *times, by_value);
    printf("%-34s %9.4f ms %9.4f %9.4f", what, times[ROUNDS / 2], times[0], times[ROUNDS - 1]);
    if (is_known(limit)) printf("   limit %g ms%s", limit, times[ROUNDS / 2] > limit ? "  MISSED" : "");
    printf("\n");
}

static void time_estimate(const Facts *f) {
    const Gpu *gpu = f->gpus;
    const Model *model = f->models;
    while (strcmp(gpu->sku_id, "mi300x-192gb") != 0) gpu++;
    while (strcmp(model->model_id, "deepseek-r1") != 0) model++;
    ServingWant want = {.gpu = gpu,
                        .model = model,
                        .engine = "vllm",
                        .layout = {8, 1, 1, 1},
                        .weights = DTYPE_FP8,
                        .kv = DTYPE_BF16,
                        .isl = 1024,
                        .osl = 512};
    double times[ROUNDS], sum = 0;
    for (int r = 0; r < ROUNDS; r++) {
        double start = now_ms();
        for (int i = 0; i < INNER; i++) {
            Serving s;
            want.isl = 1024 + i;
            if (serving_resolve(f, &want, &s) != SERVE_OK) exit(1);
            sum += serving_at(&s, serving_capacity(&s, (double)NAN, (double)NAN)).output_tokens_s;
        }
        times[r] = (now_ms() - start) / INNER;
    }
    if (!(sum > 0)) exit(1);  // and keeps the work from being left out
    print_times("one configuration", times, ESTIMATE_MS);
}

static void time_search(const Facts *f, const Workload *w, Arena *names) {
    const Model *model = f->models;
    while (strcmp(model->model_id, w->model_id) != 0) model++;
    Ask ask = ask_of(*w, model);
    double searches[ROUNDS], decisions[ROUNDS];
    for (int r = 0; r < ROUNDS; r++) {
        Arena a = {0};
        Err e = {0};
        Advice advice;
        double start = now_ms();
        bool ok = advise_search(f, &ask, &a, &advice, &e);
        double found = now_ms();
        ok = ok && advise_decide(f, &a, &advice, &e);
        searches[r] = found - start;
        decisions[r] = now_ms() - found;
        arena_free(&a);
        if (ok) continue;
        fprintf(stderr, "%s\n", e.text);
        exit(1);
    }
    print_times(arena_printf(names, "search, %s", w->workload_id), searches, SEARCH_MS);
    print_times(arena_printf(names, "decision, %s", w->workload_id), decisions, (double)NAN);
}

int main(void) {
    Arena a = {0};
    Err e = {0};
    Catalog *c = NULL;
    Facts f;
    const char *warning = "";
    if (!catalog_open(&(CatalogOptions){0}, &a, &c, &warning, &e) || !catalog_facts(c, &a, &f, &e)) {
        fprintf(stderr, "%s\n", e.text);
        return 1;
    }
    time_estimate(&f);
    for (size_t i = 0; i < f.n_workloads; i++) {
        if (f.workloads[i].kind == KIND_SERVE) time_search(&f, &f.workloads[i], &a);
    }
    catalog_close(c);
    arena_free(&a);
    return 0;
}
