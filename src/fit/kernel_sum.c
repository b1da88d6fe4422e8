// Sums of kernels held against measurements, and side by side.
#include "src/fit/kernel_sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Models that both vendors' libraries are tuned for, with those of the same layers whose rows count as theirs, and
// the step that is shown of each: FP8 over one node of eight, which holds both models on every GPU shown and lets
// messages be compared. Caches are as src/perf/predict.c takes them where a row does not say.
static const struct {
    const char *name;
    const char *models[SUM_MODELS_MAX + 1];
    const char *step_of, *engine;
    Dtype weights, kv;
    Layout layout;
} shown[STEP_MODELS] = {
    {"deepseek-r1", {"deepseek-r1"}, "deepseek-r1", "sglang", DTYPE_FP8, DTYPE_BF16, {8, 1, 1, 1}},
    {"llama-70b",
     {"llama-2-70b", "llama-3-70b", "llama-3.1-70b", "llama-3.3-70b"},
     "llama-3.1-70b",
     "vllm",
     DTYPE_FP8,
     DTYPE_FP8,
     {8, 1, 1, 1}},
};
static const char *const shown_gpus[STEP_GPUS] = {"mi355x-288gb", "b200-sxm6-180gb", "h200-sxm5-141gb",
                                                  "mi300x-192gb"};
static const double SHOWN_BATCH = 64, SHOWN_INPUT = 1536, SHOWN_OUTPUT = 1024;  // in the middle 2,048 tokens

// ---------------------------------------------------------------- error

double kernel_sum_rate(const Prediction *p) {
    if (p->not_predicted != NULL || !p->serving.kernels.known) return (double)NAN;
    Serving s = p->serving;
    s.kernel_share = 1;
    s.own = NULL;
    s.factors.scale = s.factors.prompt = 1;
    s.factors.step_s = s.factors.kernel_sequence_s = s.factors.start_s = 0;
    return predicted_point(p, &s).output_tokens_s * p->replicas;
}

// A scored row with a sum.
typedef struct SumRow {
    const Check *check;
    double log;  // ln(measured / sum)
} SumRow;

static size_t sum_rows(const Check *checks, size_t n, SumRow *ret) {
    size_t made = 0;
    for (size_t i = 0; i < n; i++) {
        const Check *c = &checks[i];
        if (!is_scored_check(c) || strcmp(c->prediction.unit, "output") != 0) continue;
        double log_ratio = log(measured_rate(c->row, &c->prediction) / kernel_sum_rate(&c->prediction));
        if (isfinite(log_ratio)) ret[made++] = (SumRow){c, log_ratio};
    }
    return made;
}

// The factor of a row's engine by what others measured; NaN: nobody did.
static double others_log(const SumRow *rows, size_t n, const Check *own, double *scratch) {
    size_t others = 0;
    for (size_t i = 0; i < n; i++) {
        const Check *c = rows[i].check;
        if (strcmp(c->row->engine, own->row->engine) == 0 && strcmp(c->publisher, own->publisher) != 0)
            scratch[others++] = rows[i].log;
    }
    qsort(scratch, others, sizeof *scratch, compare_numbers);
    return sorted_quantile(scratch, others, 0.5);
}

static bool is_one_of(const char *model, const char *const *models) {
    while (*models != NULL && strcmp(*models, model) != 0) models++;
    return *models != NULL;
}

static bool is_of(const Check *c, const KernelSumStats *s) {
    return is_one_of(c->row->model, s->models) &&
           (strcmp(s->vendor, "all") == 0 || strcmp(vendor_names[c->prediction.gpu->vendor], s->vendor) == 0);
}

// `corrected[i]`: ln(measured / predicted) of a row with the factor, NaN where it has none.
static void put_stats(const SumRow *rows, const double *corrected, size_t n, double *scratch,
                      KernelSumStats *s) {
    for (size_t i = 0; i < n; i++) {
        const Check *c = rows[i].check;
        if (!is_of(c, s)) continue;
        if (!is_known(corrected[i])) {
            s->n_unjudged++;
            continue;
        }
        bool seen = false;
        for (size_t k = 0; k < i && !seen; k++)
            seen = is_known(corrected[k]) && is_of(rows[k].check, s) &&
                   strcmp(rows[k].check->publisher, c->publisher) == 0;
        s->publishers += !seen;
        scratch[s->n++] = fabs(exp(-corrected[i]) - 1) * 100;
    }
    qsort(scratch, s->n, sizeof *scratch, compare_numbers);
    s->median_abs_error_pct = sorted_quantile(scratch, s->n, 0.5);
    s->p90_abs_error_pct = sorted_quantile(scratch, s->n, 0.9);
}

size_t kernel_sums(const Check *checks, size_t n, Arena *a, KernelSumStats ret[KERNEL_SUMS_MAX]) {
    static const char *const vendors[] = {"all", "nvidia", "amd"};
    SumRow *rows = arena_alloc(a, n + 1, sizeof *rows);
    size_t n_rows = sum_rows(checks, n, rows), made = 0;
    double *scratch = arena_alloc(a, n_rows + 1, sizeof *scratch);
    double *corrected = arena_alloc(a, n_rows + 1, sizeof *corrected);
    for (size_t i = 0; i < n_rows; i++) {
        bool wanted = false;
        for (size_t m = 0; m < STEP_MODELS; m++)
            wanted = wanted || is_one_of(rows[i].check->row->model, shown[m].models);
        corrected[i] = wanted ? rows[i].log - others_log(rows, n_rows, rows[i].check, scratch) : (double)NAN;
    }
    for (size_t m = 0; m < STEP_MODELS; m++) {
        for (size_t v = 0; v < COUNT_OF(vendors); v++) {
            ret[made] =
                (KernelSumStats){.name = shown[m].name, .models = shown[m].models, .vendor = vendors[v]};
            put_stats(rows, corrected, n_rows, scratch, &ret[made++]);
        }
    }
    return made;
}

// ---------------------------------------------------------------- one step

static void put_step(const Facts *f, const Model *model, KernelStep *k) {
    for (size_t i = 0; i < STEP_GPUS; i++) {
        KernelParts *p = &k->parts[i];
        k->gpus[i] = shown_gpus[i];
        *p = (KernelParts){.sum_s = (double)NAN};
        for (int j = 0; j < KERNEL_PART_COUNT; j++) p->s[j] = (double)NAN, p->bases[j] = "";
        Serving s;
        ServingWant want = {.gpu = facts_gpu(f, shown_gpus[i]),
                            .model = model,
                            .engine = k->engine,
                            .layout = k->layout,
                            .weights = k->weights,
                            .kv = k->kv,
                            .isl = SHOWN_INPUT,
                            .osl = SHOWN_OUTPUT};
        if (want.gpu != NULL && serving_resolve(f, &want, &s) == SERVE_OK && s.kernels.known)
            kernels_parts(f, &s, k->batch, p);
    }
}

size_t kernel_steps(const Facts *f, KernelStep ret[STEP_MODELS]) {
    size_t made = 0;
    for (size_t i = 0; i < STEP_MODELS; i++) {
        const Model *model = facts_model(f, shown[i].step_of);
        if (model == NULL) continue;
        KernelStep *k = &ret[made++];
        *k = (KernelStep){.model = shown[i].step_of,
                          .engine = shown[i].engine,
                          .weights = shown[i].weights,
                          .kv = shown[i].kv,
                          .layout = shown[i].layout,
                          .batch = SHOWN_BATCH,
                          .context_tokens = SHOWN_INPUT + SHOWN_OUTPUT / 2};
        put_step(f, model, k);
    }
    return made;
}
