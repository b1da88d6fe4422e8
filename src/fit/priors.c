// What the fit of the efficiency factors starts from.
#include "src/fit/priors.h"

#include <math.h>

#include "src/base/base.h"

// What each property may shift, as a standard deviation on the fitted scale; 0: it has no say. Columns as in
// Factor.
static const double prior_sd[EFFECT_SPREAD][FACTOR_COUNT] = {
    //                       bw    kv    fl   prefill tau  tau_tp link expert seq  link_size start
    [EFFECT_ALL] = {0.60, 0.60, 0.60, 0.60, 0.60, 0.80, 0.50, 0.60, 1.00, 0.15, 0.20},
    [EFFECT_VENDOR] = {0.35, 0.21, 0.35, 0.21, 0.35, 0.21, 0.25, 0.21, 0.25, 0, 0.30},
    [EFFECT_LAYOUT] = {0.35, 0.21, 0.35, 0.21, 0.35, 0.21, 0.25, 0.21, 0.25, 0, 0},
    [EFFECT_ARCHITECTURE] = {0.30, 0.18, 0.30, 0.18, 0.30, 0, 0.22, 0.18, 0, 0, 0.15},
    [EFFECT_ENGINE] = {0.30, 0.18, 0.30, 0.18, 0.30, 0, 0.22, 0.18, 0.24, 0, 0.20},
    [EFFECT_CLASS] = {0.30, 0.18, 0.30, 0.18, 0.30, 0, 0.22, 0.18, 0, 0, 0},
    [EFFECT_NATIVE] = {0.25, 0, 0.25, 0.25, 0.25, 0, 0.18, 0, 0, 0, 0},
    [EFFECT_STACK] = {0.25, 0, 0.75, 0, 0.25, 0, 0.18, 0, 0, 0, 0},
    [EFFECT_MODEL] = {0, 0, 0.15, 0, 0.20, 0, 0, 0, 0, 0, 0},
    [EFFECT_RUN] = {0, 0, 0.35, 0.20, 0.25, 0, 0, 0, 0, 0, 0},
    [EFFECT_TREND] = {0, 0, 0.50, 0, 0.50, 0, 0.30, 0, 0, 0, 0},
    [EFFECT_NEW_MODEL] = {0, 0, 0.60, 0, 0.60, 0, 0.36, 0, 0, 0, 0},
};

// The same of what stands on sums of kernels: few and tight, since kernels carry the scale. A row of the same
// publisher says little of an engine, so that the publisher takes what all his rows share, and what his rows of
// a stack do; neither is in a prediction. Chosen on publishers left out; effects of vendor, class, model and
// half-year made those worse.
static const struct {
    int effect;
    double sd[FACTOR_COUNT - FACTOR_SCALE];
} kernel_sd[] = {
    //                          scale prompt step  seq   start
    {EFFECT_ALL, {0.03, 0.03, 0.10, 0.10, 0.20}}, {EFFECT_VENDOR, {0, 0, 0, 0, 0.30}},
    {EFFECT_ARCHITECTURE, {0, 0, 0, 0, 0.15}},    {EFFECT_ENGINE, {0.05, 0.05, 0.20, 0, 0.20}},
    {EFFECT_DISPATCH, {0.30, 0.30, 0, 0, 0}},     {EFFECT_AGE, {0.30, 0.30, 0, 0, 0}},
    {EFFECT_PUBLISHER, {0.30, 0.30, 0, 0, 0}},    {EFFECT_PUBLISHED_STACK, {0.20, 0.20, 0, 0, 0}},
};

bool is_of_kernels(int factor) { return factor >= FACTOR_SCALE; }

double prior_sd_of(int effect, int factor) {
    if (!is_of_kernels(factor)) return prior_sd[effect][factor];
    for (size_t i = 0; i < COUNT_OF(kernel_sd); i++) {
        if (kernel_sd[i].effect == effect) return kernel_sd[i].sd[factor - FACTOR_SCALE];
    }
    return 0;
}

// Where the common values start: what well-tuned decoders of any vendor reach (estimator notes of 2026).
static const struct {
    double value;
    enum { SHARE, TIME, PLAIN } kind;
} prior_mean[FACTOR_COUNT] = {
    [FACTOR_BW] = {0.72, SHARE},        [FACTOR_KV] = {0.60, SHARE},
    [FACTOR_FL] = {0.42, SHARE},        [FACTOR_PREFILL] = {0.45, SHARE},
    [FACTOR_TAU] = {60e-6, TIME},       [FACTOR_TAU_TP] = {20e-6, TIME},
    [FACTOR_LINK] = {0.25, SHARE},      [FACTOR_EXPERT] = {0.60, SHARE},
    [FACTOR_SEQ] = {10e-6, TIME},       [FACTOR_LINK_SIZE] = {0.25, PLAIN},
    [FACTOR_START] = {100e-3, TIME},    [FACTOR_SCALE] = {1, TIME},
    [FACTOR_PROMPT] = {1, TIME},        [FACTOR_STEP] = {0.8e-3, TIME},
    [FACTOR_KERNEL_SEQ] = {3e-6, TIME}, [FACTOR_KERNEL_START] = {100e-3, TIME},
};

double prior_mean_of(int factor) {
    double v = prior_mean[factor].value;
    return prior_mean[factor].kind == SHARE ? log(v / (1 - v)) : prior_mean[factor].kind == TIME ? log(v) : v;
}
