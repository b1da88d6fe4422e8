// What sums of measured kernels (src/perf/kernels.h) are worth alone: their error with one factor per engine, and
// one decode step part by part on GPUs of both vendors. Pure; used by `validate`.
#ifndef GPUADVISE_FIT_KERNEL_SUM_H
#define GPUADVISE_FIT_KERNEL_SUM_H

#include "src/fit/validate.h"

// Output tokens/s of the whole run were steps and prompts their kernels and nothing else: no factor, no time beside
// them, none of the formula. NaN where the prediction has no sum of kernels.
double kernel_sum_rate(const Prediction *p);

// Error of the sum over the scored rows of a model, or of models with the same layers. Each is corrected by the median of ln(measured / sum) over the
// scored rows, of any model, that other publishers measured under its engine.
enum { SUM_MODELS_MAX = 4 };
typedef struct KernelSumStats {
    const char *name;
    const char *const *models;  // ids of the catalog, NULL behind the last
    const char *vendor;         // its name, or "all"
    size_t n, publishers;
    size_t n_unjudged;  // rows with a sum besides these, whose engine no other publisher measured
    // of the corrected rate, as of any prediction; NaN when n is 0
    double median_abs_error_pct, p90_abs_error_pct;
} KernelSumStats;

enum { KERNEL_SUMS_MAX = 8 };
// The models of the table in kernel_sum.c, each for all and by vendor. Returns how many were written.
size_t kernel_sums(const Check *checks, size_t n, Arena *a, KernelSumStats ret[KERNEL_SUMS_MAX]);

// One decode step of a model on several GPUs, the same layout on each.
enum { STEP_GPUS = 4, STEP_MODELS = 2 };
typedef struct KernelStep {
    const char *model, *engine;
    Dtype weights, kv;
    Layout layout;
    double batch, context_tokens;  // sequences, and what each holds
    const char *gpus[STEP_GPUS];   // ids of the catalog
    KernelParts parts[STEP_GPUS];  // times NaN and bases "" where no tables stand behind the step
} KernelStep;

// AMD's and NVIDIA's GPUs of one generation stand beside each other. Returns how many were written: models that are
// not in the catalog are left out.
size_t kernel_steps(const Facts *facts, KernelStep ret[STEP_MODELS]);

#endif
