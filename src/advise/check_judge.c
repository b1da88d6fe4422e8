// Claims: what every kind of them is judged with.
#include <math.h>
#include <string.h>

#include "src/advise/advise.h"
#include "src/advise/check_parts.h"

void judge_condition(Judge *j, const char *text) {
    if (j->answer.n_conditions < CONDITIONS_MAX) j->answer.conditions[j->answer.n_conditions++] = text;
}

bool judge_is_sparse(const Gpu *g) {
    static const char *const architectures[] = {"ampere", "ada",   "hopper", "blackwell", "rubin",
                                                "cdna3",  "cdna4", "cdna5",  "rdna4"};
    size_t i = 0;
    while (i < COUNT_OF(architectures) && strcmp(architectures[i], g->architecture) != 0) i++;
    return i < COUNT_OF(architectures);
}

const char *const judge_sparse_words = "only with structured sparsity (two of four weights zero), which "
                                       "released models do not have; never beside a dense figure";

const char *judge_number(Judge *j, double x, int digits) { return number_text(j->arena, x, digits); }

const char *judge_money(Judge *j, double usd) {
    char text[64];
    if (usd >= 1) {
        format_fixed(text, sizeof text, usd, 2);
    } else {
        format_number(text, sizeof text, usd, 3);
    }
    return arena_printf(j->arena, "$%s", text);
}

const char *judge_ratio(Judge *j, double claimed, double bound) {
    double ratio = claimed / bound;
    return ratio > 1 ? arena_printf(j->arena, "%s claimed is %s times that", judge_number(j, claimed, 6),
                                    judge_number(j, ratio, 3))
                     : arena_printf(j->arena, "%s claimed is %s %% of that", judge_number(j, claimed, 6),
                                    judge_number(j, 100 * ratio, 3));
}

void judge_settle(Judge *j) {
    if (j->answer.verdict == CLAIM_PLAUSIBLE && j->answer.n_conditions > 0)
        j->answer.verdict = CLAIM_CONDITIONAL;
}

Dtype judge_fastest(const Gpu *g, Dtype weights) {
    // Paths and the fewest bits of a weight that feeds them; INT4 has no path of its own on any GPU of the
    // catalog.
    static const struct {
        Dtype path;
        double bits;
    } paths[] = {{DTYPE_FP4, 4},   {DTYPE_FP6, 6},   {DTYPE_FP8, 8},   {DTYPE_INT8, 8},
                 {DTYPE_BF16, 16}, {DTYPE_FP16, 16}, {DTYPE_TF32, 32}, {DTYPE_FP32, 32}};
    Dtype best = DTYPE_UNKNOWN;
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        bool feeds = paths[i].bits + 1 > dtype_bits(weights) && !(weights == DTYPE_INT4 && paths[i].bits < 8);
        double peak = gpu_peak_flops(g, paths[i].path);
        if (feeds && is_known(peak) && !(best != DTYPE_UNKNOWN && gpu_peak_flops(g, best) >= peak))
            best = paths[i].path;
    }
    return best;
}

void judge_share(Judge *j, Regime regime) {
    // How far public measurements come, in words and in data/constants.tsv.
    static const struct {
        const char *name;
        ConstantId share;
    } regimes[REGIME_COUNT] = {
        [REGIME_ONE] = {"one sequence, bound by memory bandwidth", CONSTANT_CLAIM_SHARE_ONE},
        [REGIME_BATCH] = {"a batch bound by memory bandwidth", CONSTANT_CLAIM_SHARE_BATCH},
        [REGIME_DENSE_16] = {"a dense model bound by 16-bit arithmetic", CONSTANT_CLAIM_SHARE_DENSE_16},
        [REGIME_DENSE_8] = {"a dense model bound by 8-bit arithmetic", CONSTANT_CLAIM_SHARE_DENSE_8},
        [REGIME_DENSE_4] = {"a dense model bound by 4-bit arithmetic", CONSTANT_CLAIM_SHARE_DENSE_4},
        [REGIME_MOE_8] = {"a mixture of experts bound by 8- or 16-bit arithmetic",
                          CONSTANT_CLAIM_SHARE_MOE_8},
        [REGIME_MOE_4] = {"a mixture of experts bound by 4-bit arithmetic", CONSTANT_CLAIM_SHARE_MOE_4},
        [REGIME_TRAINING_16] = {"training in 16 bits", CONSTANT_CLAIM_SHARE_TRAINING_16},
        [REGIME_TRAINING_8] = {"training in 8 bits", CONSTANT_CLAIM_SHARE_TRAINING_8},
        [REGIME_IMAGES] = {"image generation", CONSTANT_CLAIM_SHARE_IMAGES},
    };
    ClaimAnswer *x = &j->answer;
    x->regime = regimes[regime].name;
    x->share_name = constant_specs[regimes[regime].share].name;
    x->share_most = constant_of(j->facts, regimes[regime].share);
    double share = x->claimed / x->bound;
    if (x->verdict == CLAIM_IMPOSSIBLE || !(share > x->share_most) || share > 1) return;
    condition_printf(
        j, "only if the software reaches %s %% of the bound; the best public measurements of %s reach %s %%",
        judge_number(j, 100 * share, 3), x->regime, judge_number(j, 100 * x->share_most, 3));
}

static bool runs(const Judge *j, Dtype weights) {
    for (size_t i = 0; i < j->facts->n_precisions; i++) {
        const Precision *p = &j->facts->precisions[i];
        if (p->weights == weights && p->vendor == j->ask->gpu->vendor &&
            strcmp(p->architecture, j->ask->gpu->architecture) == 0)
            return true;
    }
    return false;
}

size_t judge_narrower(const Judge *j, Dtype than, Dtype out[DTYPE_COUNT]) {
    static const Dtype narrower[] = {DTYPE_FP8, DTYPE_INT8, DTYPE_MXFP4, DTYPE_NVFP4, DTYPE_INT4};
    size_t n = 0;
    for (size_t i = 0; i < COUNT_OF(narrower); i++) {
        if (dtype_bits(narrower[i]) < dtype_bits(than) && runs(j, narrower[i])) out[n++] = narrower[i];
    }
    return n;
}
