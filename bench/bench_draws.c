// Processor time of the samples behind a decision (one thread): shipped facts, a stack, what runs today;
// medians.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/ask.h"
#include "catalog/facts/catalog.h"
#include "src/advise/samples.h"

enum { RUNS = 31 };

static double milliseconds(void) {
    struct timespec t = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int ascending(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static void print(const char *what, double *ms) {
    qsort(ms, RUNS, sizeof *ms, ascending);
    printf("%-40s median %7.2f ms (%.2f to %.2f of %d runs)\n", what, ms[RUNS / 2], ms[0], ms[RUNS - 1],
           RUNS);
}

static bool prepare(Arena *a, Facts *f, StackFacts *s, Stack *stack, Ask *ask, Err *e) {
    Catalog *c = NULL;
    const char *warning = "";
    if (!catalog_open(&(CatalogOptions){0}, a, &c, &warning, e) || !catalog_facts(c, a, f, e) ||
        !catalog_stack(c, a, s, e))
        return false;
    if (!stack_parse(str_of("frameworks = vllm, torch\nneeds = fp8, custom-ptx 10\n"), "", a, stack, e))
        return false;
    size_t w = 0, m = 0;
    while (strcmp(f->workloads[w].workload_id, "llama70b") != 0) w++;
    while (strcmp(f->models[m].model_id, f->workloads[w].model_id) != 0) m++;
    *ask = ask_of(f->workloads[w], &f->models[m]);
    ask->top = 12;
    ask->stack = stack;
    ask->stack_facts = s;
    ask->current_usd_gpu_h = 3;
    for (size_t i = 0; i < f->n_gpus; i++) {
        if (strcmp(f->gpus[i].sku_id, "h100-sxm5-80gb") == 0) ask->current = &f->gpus[i];
    }
    return true;
}

int main(void) {
    Arena facts = {0};
    Facts f;
    StackFacts s;
    Stack stack;
    Ask ask;
    Err e = {0};
    double draw[RUNS], transitions[RUNS], search[RUNS], decide[RUNS];
    if (!prepare(&facts, &f, &s, &stack, &ask, &e)) return fprintf(stderr, "%s\n", e.text), 1;
    for (int i = 0; i < RUNS; i++) {
        Arena a = {0};
        Advice advice;
        Weighing w;
        Samples d;
        double at = milliseconds();
        samples_make(0, &a, &d);
        draw[i] = milliseconds() - at;
        at = milliseconds();
        if (!advise_search(&f, &ask, &a, &advice, &e)) return fprintf(stderr, "%s\n", e.text), 1;
        search[i] = milliseconds() - at;
        at = milliseconds();
        if (!advise_decide(&f, &a, &advice, &e)) return fprintf(stderr, "%s\n", e.text), 1;
        decide[i] = milliseconds() - at;
        Advice again = advice;
        at = milliseconds();
        weigh(&f, &a, &again, false, &w);
        transitions[i] = milliseconds() - at;
        arena_free(&a);
    }
    print("20,000 draws made", draw);
    print("drawn, both lanes weighed, quantiles", transitions);
    print("search of options", search);
    print("whole decision, what flips it included", decide);
    arena_free(&facts);
    return 0;
}
