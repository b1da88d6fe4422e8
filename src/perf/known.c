// The user's benchmark runs and public measurements of one configuration.
#include "src/perf/known.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------- runs

static const LocalRate *find_rate(const Facts *f, const Gpu *g, Dtype dtype, bool refused) {
    for (size_t i = 0; i < f->n_local; i++) {
        if (f->local[i].dtype == (int)dtype && (f->local[i].refused[0] != '\0') == refused &&
            strcmp(f->local[i].sku_id, g->sku_id) == 0)
            return &f->local[i];
    }
    return NULL;
}

// No more than the datasheet: what lies a little above is how it was measured.
static double scale_of(const LocalRate *r, double datasheet, double healthy) {
    return r != NULL ? fmin(r->rate / datasheet, 1) / healthy : 1;
}

LocalScale local_scale(const Facts *f, const Gpu *g, Dtype compute) {
    if (f->n_local == 0) return (LocalScale){.bandwidth = 1, .flops = 1};
    bool amd = g->vendor == VENDOR_AMD;
    LocalScale s = {1,
                    1,
                    find_rate(f, g, DTYPE_UNKNOWN, false),
                    find_rate(f, g, compute, false),
                    find_rate(f, g, DTYPE_UNKNOWN, true),
                    find_rate(f, g, compute, true)};
    s.bandwidth =
        scale_of(s.bandwidth_rate, g->memory_bw_gb_s * 1e9,
                 constant_of(f, amd ? CONSTANT_HEALTHY_BANDWIDTH_AMD : CONSTANT_HEALTHY_BANDWIDTH_NVIDIA));
    s.flops = scale_of(s.flops_rate, gpu_peak_flops(g, compute),
                       constant_of(f, amd ? CONSTANT_HEALTHY_GEMM_AMD : CONSTANT_HEALTHY_GEMM_NVIDIA));
    return s;
}

const char *local_source(const LocalScale *s, Arena *a) {
    const LocalRate *b = s->bandwidth_rate, *f = s->flops_rate;
    const char *memory = b != NULL ? arena_printf(a, "bench run %lld of %.10s: %.3g TB/s", (long long)b->run,
                                                  b->taken_at, b->rate / 1e12)
                                   : "";
    const char *matrix =
        f != NULL ? arena_printf(a, "bench run %lld of %.10s: %.4g TFLOP/s in %s", (long long)f->run,
                                 f->taken_at, f->rate / 1e12, dtype_names[f->dtype])
                  : "";
    return arena_printf(a, "%s%s%s", memory, b != NULL && f != NULL ? "; " : "", matrix);
}

const char *local_refused(const LocalScale *s, Arena *a) {
    const LocalRate *b = s->bandwidth_refused, *f = s->flops_refused;
    const char *memory = b != NULL ? arena_printf(a, "bench run %lld of %.10s not taken for the memory: %s",
                                                  (long long)b->run, b->taken_at, b->refused)
                                   : "";
    const char *matrix = f != NULL
                             ? arena_printf(a, "bench run %lld of %.10s not taken for products in %s: %s",
                                            (long long)f->run, f->taken_at, dtype_names[f->dtype], f->refused)
                             : "";
    return arena_printf(a, "%s%s%s", memory, b != NULL && f != NULL ? "; " : "", matrix);
}

double local_variance(const Facts *f, double variance) {
    return variance * (1 - constant_of(f, CONSTANT_SHARE_GPU));
}

// ---------------------------------------------------------------- public measurements

static bool same_or_unstated(double stated, double asked) { return !is_known(stated) || stated == asked; }

// Lengths are often means of draws: half a per cent apart is the same.
static bool same_length(double stated, double asked) { return fabs(stated - asked) <= 0.005 * asked; }

static bool same_dtype(const char *stated, Dtype asked, bool unstated_is_good) {
    if (stated[0] == '\0') return unstated_is_good;
    return strcmp(stated, dtype_names[asked]) == 0 || (asked == DTYPE_BF16 && strcmp(stated, "fp16") == 0);
}

static bool is_very_same(const Measurement *m, const Serving *s, double replicas, double concurrency) {
    bool speculates = m->draft_tokens[0] != '\0' && strcmp(m->draft_tokens, "0") != 0;
    if (speculates || is_known(m->rate_rps) || s->cached_share != (m->prompt_cached ? 1 : 0) ||
        s->drafts > 0 || s->clock < 1 || !(m->output_tokens_per_s > 0))
        return false;
    if (strcmp(m->gpu_sku, s->gpu->sku_id) != 0 || strcmp(m->model, s->model->model_id) != 0 ||
        strcmp(m->engine, s->engine) != 0)
        return false;
    if (!same_dtype(m->precision_weights, s->weights, false) || !same_dtype(m->precision_kv, s->kv, true))
        return false;
    const Layout *l = &s->layout;
    bool layout = m->gpu_count == replicas * l->tp * l->pp && same_or_unstated(m->tp, l->tp) &&
                  same_or_unstated(m->pp, l->pp) && same_or_unstated(m->dp, replicas) &&
                  (m->ep > m->tp) == (l->ep > l->tp);
    return layout && same_length(m->input_tokens, s->isl) && same_length(m->output_tokens, s->osl) &&
           m->batch_or_concurrency == concurrency;
}

Published published_of(const Facts *f, const Serving *s, double replicas, double concurrency, Arena *a) {
    Published p = {.low = (double)INFINITY, .sources = ""};
    double sum = 0;
    for (size_t i = 0; i < f->n_published; i++) {
        const Measurement *m = &f->published[i];
        if (!is_very_same(m, s, replicas, concurrency)) continue;
        sum += log(m->output_tokens_per_s);
        p.low = fmin(p.low, m->output_tokens_per_s);
        p.high = fmax(p.high, m->output_tokens_per_s);
        p.sources = arena_printf(a, "%s%s%s (%s)", p.sources, p.n > 0 ? "; " : "", m->source, m->date);
        p.n++;
    }
    p.output_tokens_s = p.n > 0 ? exp(sum / (double)p.n) : (double)NAN;
    return p;
}

void use_published(const Facts *f, const Published *p, double replicas, Serving *s, Point *point) {
    double ratio = p->output_tokens_s / replicas / point->output_tokens_s;
    double spread = p->n > 1 ? log(p->high / p->low) / 2 : 0;
    point->output_tokens_s *= ratio;
    point->total_tokens_s *= ratio;
    double *times[] = {&point->ttft_s, &point->ttft_p99_s, &point->tpot_s, &point->tpot_p99_s, &point->e2e_s};
    for (size_t i = 0; i < COUNT_OF(times); i++) *times[i] /= ratio;
    for (int i = 0; i < TIME_COUNT; i++) point->item_s[i] /= ratio;
    s->sigma_log = fmin(s->sigma_log, fmax(spread, constant_of(f, CONSTANT_SIGMA_PUBLISHED)));
    s->basis = BASIS_PUBLISHED;
}
