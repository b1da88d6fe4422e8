// Claims of training, image generation, datasheet peaks, sums of money, and of what is supported.
#include <math.h>
#include <string.h>

#include "src/advise/check_parts.h"

static double gpus_of(const Judge *j) { return is_known(j->row->gpus) ? j->row->gpus : 1; }

static void set_figures(Judge *j, double claimed, double bound, const char *unit, const char *bound_by) {
    j->answer.claimed = claimed;
    j->answer.bound = bound;
    j->answer.unit = unit;
    j->answer.bound_by = bound_by;
    j->answer.verdict = claimed > bound ? CLAIM_IMPOSSIBLE : CLAIM_PLAUSIBLE;
}

// Dense peak of the fastest path for what the claim stores its numbers in; 8-bit floats where it does not say
// and the GPU has them.
static bool find_peak(const Judge *j, Dtype *ret_path, double *ret_flops, Err *e) {
    Dtype stored = j->row->weights != DTYPE_UNKNOWN    ? j->row->weights
                   : is_known(j->ask->gpu->fp8_tflops) ? DTYPE_FP8
                                                       : DTYPE_BF16;
    Dtype path = judge_fastest(j->ask->gpu, stored);
    if (path == DTYPE_UNKNOWN)
        return err_set(e, ERR_USAGE, "no dense peak for %s on '%s' is known", dtype_names[stored],
                       j->ask->gpu->sku_id);
    *ret_path = path;
    *ret_flops = gpu_peak_flops(j->ask->gpu, path);
    return true;
}

// ---------------------------------------------------------------- training and images

bool judge_training(Judge *j, Err *e) {
    const Model *m = j->ask->model;
    Dtype path = DTYPE_UNKNOWN;
    double peak = 0;
    if (m == NULL || j->ask->gpu == NULL || !is_known(j->row->tokens_per_s))
        return err_set(e, ERR_USAGE, "a claim of training names a model, a GPU and tokens per second");
    if (!model_is_decoder(m) || !is_known(m->params_active))
        return err_set(e, ERR_USAGE, "model '%s' (%s) is no decoder", m->model_id, m->family);
    if (!find_peak(j, &path, &peak, e)) return false;
    double flops = 3 * model_token_flops(m);  // forward, and backward at twice its work
    set_figures(j, j->row->tokens_per_s, gpus_of(j) * peak / flops, "trained tokens/s", "compute");
    j->answer.arithmetic = arena_printf(
        j->arena, "%.0f x %s dense %s TFLOPS / (6 x %s billion parameters) = %s tokens/s; %s", gpus_of(j),
        judge_number(j, peak / 1e12, 5), dtype_names[path], judge_number(j, flops / 6e9, 4),
        judge_number(j, j->answer.bound, 4), judge_ratio(j, j->answer.claimed, j->answer.bound));
    j->answer.sources = arena_printf(j->arena, "%s; %s", j->ask->gpu->source, m->source);
    if (j->answer.verdict == CLAIM_IMPOSSIBLE && judge_is_sparse(j->ask->gpu) &&
        j->answer.claimed <= SPARSE_GAIN * j->answer.bound) {
        judge_condition(j, judge_sparse_words);
        j->answer.verdict = CLAIM_CONDITIONAL;
        j->answer.bound *= SPARSE_GAIN;
        j->answer.arithmetic = arena_printf(j->arena, "%s; with structured sparsity %s tokens/s",
                                            j->answer.arithmetic, judge_number(j, j->answer.bound, 4));
    }
    judge_share(j, dtype_bits(path) > 8 ? REGIME_TRAINING_16 : REGIME_TRAINING_8);
    judge_measured(j, gpus_of(j));
    judge_settle(j);
    return true;
}

bool judge_images(Judge *j, Err *e) {
    const Model *m = j->ask->model;
    const PublicClaim *row = j->row;
    Dtype path = DTYPE_UNKNOWN;
    double peak = 0;
    if (m == NULL || j->ask->gpu == NULL || !is_known(row->images_per_s))
        return err_set(e, ERR_USAGE, "a claim of images names a model, a GPU and images per second");
    if (!is_known(m->tflop_per_image) || !is_known(m->steps_default))
        return err_set(e, ERR_USAGE, "model '%s' (%s) makes no images", m->model_id, m->family);
    if (!find_peak(j, &path, &peak, e)) return false;
    double steps = is_known(row->steps) ? row->steps : m->steps_default;
    double tflop = m->tflop_per_image / m->steps_default;
    set_figures(j, row->images_per_s, gpus_of(j) * peak / 1e12 / (tflop * steps), "images/s", "compute");
    j->answer.arithmetic = arena_printf(
        j->arena, "%.0f x %s dense %s TFLOPS / (%.0f steps x %s TFLOP) = %s images/s; %s", gpus_of(j),
        judge_number(j, peak / 1e12, 5), dtype_names[path], steps, judge_number(j, tflop, 4),
        judge_number(j, j->answer.bound, 3), judge_ratio(j, j->answer.claimed, j->answer.bound));
    j->answer.sources = arena_printf(j->arena, "%s; %s", j->ask->gpu->source, m->source);
    double fewer = floor(steps * j->answer.bound / row->images_per_s);
    if (j->answer.verdict == CLAIM_IMPOSSIBLE && !is_known(row->steps) && fewer >= 1) {
        condition_printf(j, "only with %s%s instead of the usual %.0f, or smaller images",
                         fewer > 1 ? "at most " : "", counted(j->arena, (size_t)fewer, "step"), steps);
        j->answer.verdict = CLAIM_CONDITIONAL;
    }
    judge_share(j, REGIME_IMAGES);
    judge_measured(j, gpus_of(j));
    judge_settle(j);
    return true;
}

// ---------------------------------------------------------------- datasheets and bills

static const double PEAK_ROUNDING = 0.03;

static bool is_about(double tflops, double peak) { return fabs(tflops / peak - 1) < PEAK_ROUNDING; }

static size_t common_start(const char *a, const char *b) {
    size_t n = 0;
    while (a[n] != '\0' && a[n] == b[n]) n++;
    return n;
}

// Another form of the same chip whose peak it is: of several the one named most alike.
static const Gpu *sibling_with(const Judge *j, Dtype d, bool *ret_sparse) {
    const Gpu *g = j->ask->gpu, *best = NULL;
    for (size_t i = 0; i < j->facts->n_gpus; i++) {
        const Gpu *other = &j->facts->gpus[i];
        double peak = gpu_peak_flops(other, d) / 1e12;
        bool dense = is_about(j->row->tflops, peak),
             sparse = judge_is_sparse(other) && is_about(j->row->tflops, SPARSE_GAIN * peak);
        bool family = other->vendor == g->vendor && strcmp(other->architecture, g->architecture) == 0 &&
                      strcmp(other->chip, g->chip) == 0;
        if (!family || strcmp(other->sku_id, g->sku_id) == 0 || !(dense || sparse)) continue;
        if (best != NULL && common_start(other->sku_id, g->sku_id) <= common_start(best->sku_id, g->sku_id))
            continue;
        best = other;
        *ret_sparse = !dense;
    }
    return best;
}

// What else a figure over the dense peak may be: the GPU's own with sparsity, that of another form of the
// chip, or that of several GPUs.
static void explain_peak(Judge *j, Dtype d, double dense) {
    ClaimAnswer *x = &j->answer;
    bool sparse = false;
    if (judge_is_sparse(j->ask->gpu) && is_about(x->claimed, SPARSE_GAIN * dense)) {
        judge_condition(j, judge_sparse_words);
        x->verdict = CLAIM_CONDITIONAL;
        return;
    }
    const Gpu *other = sibling_with(j, d, &sparse);
    if (other != NULL) {
        bool part = strncmp(other->form_factor, "Superchip", strlen("Superchip")) == 0;
        condition_printf(j, "only of another form of the chip: it is the %s %s peak of %s%s",
                         sparse ? "sparse" : "dense", dtype_names[d], other->name,
                         part ? ", part of a superchip" : "");
        if (sparse) judge_condition(j, judge_sparse_words);
        x->sources = arena_printf(j->arena, "%s; %s", x->sources, other->source);
        x->verdict = CLAIM_CONDITIONAL;
        return;
    }
    double n = round(x->claimed / dense), thinned = n / SPARSE_GAIN;
    if (n < 2 || !is_about(x->claimed, n * dense)) return;
    bool sparse_too = judge_is_sparse(j->ask->gpu) && thinned == round(thinned);
    x->arithmetic =
        arena_printf(j->arena, "%s; that is what %.0f GPUs have together%s", x->arithmetic, n,
                     sparse_too ? arena_printf(j->arena, ", or %.0f with sparsity", thinned) : "");
    // Two such GPUs are one product, whose sheet gives the sparse figure of both.
    if (!sparse_too || thinned != 2 || strstr(j->ask->gpu->form_factor, "Superchip NVL") == NULL) return;
    judge_condition(j, "only of the whole superchip, which has two of these GPUs");
    judge_condition(j, judge_sparse_words);
    x->verdict = CLAIM_CONDITIONAL;
}

bool judge_peak(Judge *j, Err *e) {
    const Gpu *g = j->ask->gpu;
    if (g == NULL || j->row->weights == DTYPE_UNKNOWN || !is_known(j->row->tflops))
        return err_set(e, ERR_USAGE, "a claim of a peak names a GPU, a dtype (column weights) and TFLOPS");
    Dtype d = j->row->weights;
    double dense = gpu_peak_flops(g, d) / 1e12;
    if (!is_known(dense))
        return err_set(e, ERR_USAGE, "no dense %s peak of '%s' is known", dtype_names[d], g->sku_id);
    set_figures(j, j->row->tflops, dense, "TFLOPS", "datasheet");
    j->answer.arithmetic =
        arena_printf(j->arena, "dense %s peak of one %s is %s TFLOPS; %s", dtype_names[d], g->name,
                     judge_number(j, dense, 5), judge_ratio(j, j->row->tflops, dense));
    j->answer.sources = g->source;
    if (j->row->tflops <= dense * (1 + PEAK_ROUNDING)) {
        j->answer.verdict = CLAIM_PLAUSIBLE;
    } else {
        explain_peak(j, d, dense);
    }
    return true;
}

bool judge_bill(Judge *j, Err *e) {
    static const double ROUNDING = 0.01;
    const PublicClaim *row = j->row;
    double usd_h = is_known(row->usd_per_hour) ? row->usd_per_hour : gpus_of(j) * row->usd_per_gpu_hour;
    double total = row->hours * usd_h;
    if (!is_known(total) || !is_known(row->usd_total))
        return err_set(
            e, ERR_USAGE,
            "a claim of a bill states hours, dollars per hour (of all GPUs or of one) and dollars in all");
    set_figures(j, row->usd_total, total, "USD", "addition");
    const char *price = is_known(row->usd_per_hour)
                            ? judge_money(j, usd_h)
                            : arena_printf(j->arena, "%s x %s", counted(j->arena, (size_t)gpus_of(j), "GPU"),
                                           judge_money(j, row->usd_per_gpu_hour));
    j->answer.arithmetic =
        arena_printf(j->arena, "%s x %s h = %s, against %s claimed", price, judge_number(j, row->hours, 6),
                     judge_money(j, total), judge_money(j, row->usd_total));
    bool agrees = fabs(row->usd_total / total - 1) <= ROUNDING;
    j->answer.verdict = agrees ? CLAIM_PLAUSIBLE : CLAIM_IMPOSSIBLE;
    double meant = row->usd_total / (row->hours * row->usd_per_gpu_hour);
    if (!agrees && is_known(meant) && meant > 0.5 && fabs(meant / round(meant) - 1) <= ROUNDING) {
        j->answer.arithmetic =
            arena_printf(j->arena, "%s; that is what %s cost%s", j->answer.arithmetic,
                         counted(j->arena, (size_t)round(meant), "GPU"), meant > 1.5 ? "" : "s");
    }
    return true;
}

// ---------------------------------------------------------------- support

// Articles claim, too: the word of those who ship or test the thing counts.
static bool is_evidence(const Claim *c, const PublicClaim *row) {
    return strcmp(c->subject, row->subject) == 0 && strcmp(c->platform, row->platform) == 0 &&
           strcmp(c->standing, "current") == 0 && strcmp(c->source_type, "article") != 0;
}

bool judge_support(Judge *j, Err *e) {
    const PublicClaim *row = j->row;
    int said = name_index(support_names, row->status);
    if (row->subject[0] == '\0' || row->platform[0] == '\0' || said < 0)
        return err_set(
            e, ERR_USAGE,
            "a claim of support states subject, platform and status (full, partial, experimental or none)");
    size_t counts[SUPPORT_COUNT] = {0};
    const Claim *best = NULL;
    int best_status = SUPPORT_COUNT;
    for (size_t i = 0; i < j->ask->n_support; i++) {
        const Claim *c = &j->ask->support[i];
        int status = name_index(support_names, c->status);
        if (!is_evidence(c, row) || status < 0) continue;
        counts[status]++;
        if (status > best_status || (status == best_status && strcmp(c->as_of, best->as_of) <= 0)) continue;
        best = c;
        best_status = status;
    }
    j->answer.bound_by = "evidence";
    if (best == NULL) {
        j->answer.arithmetic = arena_printf(j->arena, "no current source of the catalog speaks of %s on %s",
                                            row->subject, row->platform);
        judge_condition(j, "only on the word of whoever says so: the catalog has no evidence either way");
        j->answer.verdict = CLAIM_CONDITIONAL;
        return true;
    }
    j->answer.arithmetic =
        arena_printf(j->arena,
                     "%s on %s, current sources other than articles: %zu say full, %zu partial, %zu "
                     "experimental, %zu none; the best and newest (%s, %s): %s%s%s",
                     row->subject, row->platform, counts[SUPPORT_FULL], counts[SUPPORT_PARTIAL],
                     counts[SUPPORT_EXPERIMENTAL], counts[SUPPORT_NONE], best->as_of, best->source,
                     support_names[best_status], best->note[0] != '\0' ? ", " : "", best->note);
    j->answer.sources = best->source;
    j->answer.verdict = best_status == said ? CLAIM_PLAUSIBLE : CLAIM_IMPOSSIBLE;
    size_t all =
        counts[SUPPORT_FULL] + counts[SUPPORT_PARTIAL] + counts[SUPPORT_EXPERIMENTAL] + counts[SUPPORT_NONE];
    bool between = best_status == SUPPORT_PARTIAL || best_status == SUPPORT_EXPERIMENTAL;
    if (best_status == said) {
        if (best->gpu_scope[0] != '\0') condition_printf(j, "only on %s", best->gpu_scope);
    } else if (counts[said] > 0) {
        condition_printf(j, "only by %zu of %zu current sources", counts[said], all);
    } else if (between && (said == SUPPORT_FULL || said == SUPPORT_NONE)) {
        condition_printf(j, "only in part: the best current source says %s%s%s", support_names[best_status],
                         best->gpu_scope[0] != '\0' ? ", on " : "", best->gpu_scope);
    }
    if (j->answer.n_conditions > 0) j->answer.verdict = CLAIM_CONDITIONAL;
    return true;
}
