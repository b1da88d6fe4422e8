// Times of the routed experts of a layer, from measured points of the nearest shape.
#include <math.h>
#include <string.h>

#include "src/perf/kernel_find.h"
#include "src/perf/replica.h"

// What a layer's experts cost at full rates, and a launch: what measured times are held against.
typedef struct Experts {
    const Gpu *gpu;
    KernelType type;
    double hidden, inter, experts, topk, tp, ep;
    bool even;    // tokens go to all experts alike, as benchmarks route them; else at random
    bool waited;  // the GPU with most tokens and experts to read is waited for
} Experts;

static const double MOE_LAUNCH_S = 10e-6;

static double experts_roof_s(const Experts *e, double tokens) {
    double local = e->experts / e->ep, pairs = tokens * e->topk / e->ep;
    double weights = 3 * e->hidden * e->inter / e->tp;
    double touched = 1 - pow(1 - e->topk / e->experts, tokens);
    double hit = e->even ? fmin(local, fmax(pairs, 1)) : local * touched;
    if (e->waited) {
        hit = fmin(hit * fullest_over_mean(e->ep, local, touched), local);
        pairs *= fullest_over_mean(e->ep, tokens * e->topk, 1 / e->ep);
    }
    double bytes = hit * weights * kernel_weight_bytes(e->type) + pairs * 4 * e->hidden;
    return bytes / (e->gpu->memory_bw_gb_s * 1e9 / e->gpu->devices_per_package) +
           2 * pairs * weights /
               (gpu_peak_flops(e->gpu, kernel_arithmetic(e->type)) / e->gpu->devices_per_package) +
           MOE_LAUNCH_S;
}

// Between points along the logarithms; outside as the nearest point.
static double between(const double *x, const double *y, size_t n, double at) {
    if (at <= x[0]) return y[0];
    for (size_t i = 1; i < n; i++) {
        if (at <= x[i]) return y[i - 1] + (y[i] - y[i - 1]) * (at - x[i - 1]) / (x[i] - x[i - 1]);
    }
    return y[n - 1];
}

// Points of the replica from those of a table: shares of the roofline at the same tokens an expert.
static bool put_points(const MoeTimes *t, const Experts *e, double replicas, double ret_s[MOE_POINTS]) {
    Experts own = {t->board, t->dtype,   t->hidden,
                   t->inter, t->experts, t->topk,
                   t->tp,    t->ep,      strcmp(t->library, "aiter") != 0,
                   false};
    double x[MOE_POINTS], y[MOE_POINTS];
    size_t n = 0;
    for (int i = 0; i < MOE_POINTS; i++) {
        if (!is_known(t->us[i])) continue;
        x[n] = log(moe_tokens[i] * t->topk / t->experts);
        y[n++] = log(t->us[i] * 1e-6 / experts_roof_s(&own, moe_tokens[i]));
    }
    double least = 0;
    for (int i = 0; i < MOE_POINTS && n > 0; i++) {
        double tokens = moe_tokens[i] * replicas;
        double share = exp(between(x, y, n, log(tokens * e->topk / e->experts)));
        least = fmax(least, share * experts_roof_s(e, tokens));  // more tokens never take less
        ret_s[i] = least;
    }
    return n > 0;
}

// Tables of one GPU, library and type stand together, so that all but the near ones are passed over at once.
static const MoeTimes *nearest_times(const Facts *f, const Serving *s, const Experts *e) {
    double hidden = log(e->hidden), width = log(e->inter / e->tp), local = log(e->experts / e->ep),
           topk = log(e->topk), least = (double)INFINITY;
    const MoeTimes *best = NULL;
    for (size_t i = 0; i < f->n_moe_times;) {
        const MoeTimes *t = &f->moe_times[i];
        i += t->alike;
        bool same = t->dtype == e->type;
        if (!same && !kernel_types_alike(t->dtype, e->type)) continue;
        KernelReach reach = kernel_reach(s->gpu, t->board);
        if (reach >= KERNEL_NONE) continue;
        double far = (double)reach + (same ? 0 : KERNEL_TYPE_STEP / 2) +
                     (strcmp(t->library, kernel_library(s)) == 0 ? 0 : KERNEL_LIBRARY_STEP);
        for (size_t left = t->alike; far < least && left > 0; left--, t++) {
            double d = far + 0.3 * fabs(t->ln_hidden - hidden) + 0.5 * fabs(t->ln_width - width) +
                       0.3 * fabs(t->ln_local - local) + 0.3 * fabs(t->ln_topk - topk);
            if (d < least) least = d, best = t;
        }
    }
    return best;
}

bool kernel_experts(const Facts *f, const Serving *s, KernelType type, KernelPlan *p,
                    double ret_s[MOE_POINTS]) {
    const Model *m = s->model;
    double together = ranks(s) * s->expert_ranks, ep = expert_parts(s);
    Experts e = {
        s->gpu,        type, m->hidden, m->moe_intermediate,           m->experts, m->experts_per_token,
        together / ep, ep,   false,     ep > 1 && s->expert_ranks <= 1};
    const MoeTimes *best = nearest_times(f, s, &e);
    if (best == NULL || !is_known(gpu_peak_flops(s->gpu, kernel_arithmetic(type)))) return false;
    p->moe = best;
    p->moe_reach = kernel_reach(s->gpu, best->board);
    p->exact = best->hidden == e.hidden && best->inter / best->tp == e.inter / e.tp &&
               best->experts / best->ep == e.experts / e.ep && best->topk == e.topk;
    return put_points(best, &e, s->expert_ranks, ret_s);
}
