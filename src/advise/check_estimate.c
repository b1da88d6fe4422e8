// A claim of serving beside the range that the estimator gives for it.
#include <math.h>
#include <string.h>

#include "src/advise/check_parts.h"

enum {
    OUTPUT_TOKENS = 512,
    PROMPT_TOKENS = 1
};  // where the claim is silent: prompts that cost nothing, as its bound takes them

typedef struct Subject {
    int gpus;
    double isl, osl, batch;  // batch NaN: as many as fit
} Subject;

// Engines that only try a GPU are asked nothing.
static bool engine_serves(const Judge *j, const char *engine) {
    const EngineSupport *s = engine_support(j->facts, j->ask->gpu, engine);
    return s != NULL && s->status != SUPPORT_NONE && s->status != SUPPORT_EXPERIMENTAL;
}

// What was fitted to runs of that engine and GPU goes before what was not, then the fastest.
static bool is_better(const Estimate *x, const ClaimEstimate *best) {
    return !best->known || x->basis < best->rate.basis ||
           (x->basis == best->rate.basis && x->value > best->rate.value);
}

static void try_one(const Judge *j, const Subject *at, const char *engine, Layout layout, Dtype weights,
                    Dtype kv, ClaimEstimate *best) {
    ServingWant want = {.gpu = j->ask->gpu,
                        .model = j->ask->model,
                        .engine = engine,
                        .layout = layout,
                        .weights = weights,
                        .kv = kv,
                        .isl = at->isl,
                        .osl = at->osl};
    Serving s;
    double batch = at->batch / layout.dp;
    if (batch < 1 || serving_resolve(j->facts, &want, &s) != SERVE_OK) return;
    double concurrency = is_known(batch) ? batch : serving_capacity(&s, (double)NAN, (double)NAN);
    if (!(concurrency >= 1)) return;
    Point p = serving_at(&s, concurrency);
    Estimate rate =
        estimate_of(p.output_tokens_s * layout.dp, s.sigma_log, s.basis, serving_sources(&s, j->arena));
    rate.high = fmax(rate.value, fmin(rate.high, serving_bound(&s, p.running) * layout.dp));
    if (!is_better(&rate, best)) return;
    *best = (ClaimEstimate){.known = true,
                            .rate = rate,
                            .engine = engine,
                            .layout = layout,
                            .weights = weights,
                            .concurrency = concurrency * layout.dp,
                            .isl = at->isl,
                            .osl = at->osl};
}

static void try_layouts(const Judge *j, const Subject *at, const EngineLimits *engine, Dtype weights,
                        ClaimEstimate *best) {
    static const Dtype caches[] = {DTYPE_BF16, DTYPE_FP8};
    for (int tp = 1; tp <= at->gpus && tp <= 2 * NODE_GPUS; tp *= 2) {
        int dp = at->gpus / tp;
        if (at->gpus % tp != 0) continue;
        bool spreads = dp > 1 && model_is_moe(j->ask->model) && is_known(engine->spread_step_ratio);
        for (size_t k = 0; k < COUNT_OF(caches); k++) {
            try_one(j, at, engine->engine, (Layout){tp, 1, 1, dp}, weights, caches[k], best);
            if (spreads)
                try_one(j, at, engine->engine, (Layout){tp, 1, at->gpus, dp}, weights, caches[k], best);
        }
    }
}

// Formats that people call by one name, and what engines call them.
static bool is_stored_as(Dtype claimed, Dtype stored) {
    static const Dtype names[][2] = {
        {DTYPE_FP16, DTYPE_BF16}, {DTYPE_FP4, DTYPE_MXFP4}, {DTYPE_FP4, DTYPE_NVFP4}};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (names[i][0] == claimed && names[i][1] == stored) return true;
    }
    return claimed == stored;
}

ClaimEstimate judge_estimate_of(const Judge *j, Dtype weights, int gpus, const char *only) {
    const PublicClaim *row = j->row;
    Subject at = {gpus, is_known(row->isl_tokens) ? row->isl_tokens : PROMPT_TOKENS,
                  is_known(row->osl_tokens) ? row->osl_tokens : OUTPUT_TOKENS, row->batch};
    ClaimEstimate best = {.known = false};
    for (size_t e = 0; e < j->facts->n_engine_limits; e++) {
        const EngineLimits *engine = &j->facts->engine_limits[e];
        if (only[0] != '\0' && strcmp(engine->engine, only) != 0) continue;
        for (int d = DTYPE_UNKNOWN + 1; d < DTYPE_COUNT && engine_serves(j, engine->engine); d++) {
            if (is_stored_as(weights, (Dtype)d)) try_layouts(j, &at, engine, (Dtype)d, &best);
        }
    }
    return best;
}

static const char *estimate_words(Judge *j, const ClaimEstimate *best) {
    double times = j->answer.times_estimate_high;
    const char *layout =
        arena_printf(j->arena, "%s%s", layout_text(&best->layout, j->arena),
                     best->layout.dp > 1 ? arena_printf(j->arena, " DP%d", best->layout.dp) : "");
    const char *given =
        arena_printf(j->arena,
                     "`estimate` gives %s tokens/s, 80 %% between %s and %s, without speculation (%s, %s, "
                     "%s, %s in flight, %s in, %.0f out)",
                     judge_number(j, best->rate.value, 4), judge_number(j, best->rate.low, 4),
                     judge_number(j, best->rate.high, 4), best->engine, dtype_names[best->weights], layout,
                     judge_number(j, floor(best->concurrency), 6),
                     counted_number(j->arena, best->isl, 7, "token"), best->osl);
    if (times <= 1)
        return arena_printf(j->arena, "%s: the claim is %s", given,
                            j->answer.claimed >= best->rate.low ? "within that range" : "below that range");
    const BestMeasured *m = &j->answer.best;
    bool measured = m->row != NULL && !m->harder && !claim_speculates(m->row) &&
                    m->rate_per_gpu * best->layout.tp * best->layout.dp > best->rate.high;
    const char *low =
        measured ? arena_printf(j->arena, ", but so is what was measured (%s): the estimate is low here",
                                m->row->id)
                 : "";
    return arena_printf(j->arena, "%s: the claim is %s times the top of that range%s", given,
                        judge_number(j, times, 3), low);
}

void judge_estimate(Judge *j, Dtype weights, int gpus, bool measured) {
    ClaimAnswer *x = &j->answer;
    ClaimEstimate best = judge_estimate_of(j, weights, gpus, "");
    // What was measured at that load, or a lighter one, speaks before an estimate does.
    bool counts = x->verdict != CLAIM_IMPOSSIBLE && !measured;
    Dtype narrower[DTYPE_COUNT];
    size_t n = counts && j->row->weights == DTYPE_UNKNOWN ? judge_narrower(j, weights, narrower) : 0;
    for (size_t i = 0; i < n && best.known && x->claimed > best.rate.high; i++) {
        ClaimEstimate next = judge_estimate_of(j, narrower[i], gpus, "");
        if (next.known && (x->claimed <= next.rate.high || is_better(&next.rate, &best))) best = next;
    }
    if (!best.known) return;
    x->estimate = best;
    x->times_estimate_high = x->claimed / best.rate.high;
    x->expected = estimate_words(j, &best);
    if (!counts) return;
    bool narrowed = !is_stored_as(weights, best.weights);
    const char *with = narrowed ? arena_printf(j->arena, " with %s weights", dtype_names[best.weights]) : "";
    if (x->times_estimate_high > 1) {
        judge_faster(j, x->times_estimate_high,
                     arena_printf(j->arena, "the top of the range that `estimate` gives%s", with),
                     "no load as heavy was measured on this GPU with this model");
    } else if (narrowed) {
        condition_printf(j, "only%s: with %s ones it is over the range that `estimate` gives", with,
                         dtype_names[weights]);
    }
}
