// Distances between measurements and a configuration, and what differs in words.
#include "src/perf/nearest.h"

#include <math.h>
#include <string.h>

// What is asked for, and the row that is looked at.
typedef struct Pair {
    const Serving *s;
    double replicas, concurrency;
    const Measurement *m;
    const Gpu *gpu;
    const Model *model;
} Pair;

// Of a part that is the same in both: 0. Words: NULL where none are wanted.
typedef struct Part {
    double distance;
    const char *words;
} Part;

static double folds(double x, double y) { return fabs(log2(x / y)); }

// Lengths and loads are often means of draws: half a per cent apart is the same.
static bool alike(double x, double y) { return fabs(x - y) <= 0.005 * y; }

// ---------------------------------------------------------------- the parts

static Part gpu_part(const Pair *p, Arena *a) {
    if (p->gpu == p->s->gpu) return (Part){0, NULL};
    bool family = strcmp(p->gpu->architecture, p->s->gpu->architecture) == 0;
    return (Part){family ? 1 : 2.5, a != NULL ? p->gpu->sku_id : NULL};
}

static Part model_part(const Pair *p, Arena *a) {
    const Model *x = p->model, *y = p->s->model;
    if (strcmp(x->model_id, y->model_id) == 0 || (y->like != NULL && strcmp(x->model_id, y->like) == 0))
        return (Part){0, NULL};
    double active = folds(x->params_active, y->params_active), all = folds(x->params_total, y->params_total);
    return (Part){1 + active + all / 2 + (model_is_moe(x) != model_is_moe(y) ? 1.5 : 0),
                  a != NULL ? x->model_id : NULL};
}

static Part engine_part(const Pair *p, Arena *a) {
    if (strcmp(p->m->engine, p->s->engine) == 0) return (Part){0, NULL};
    return (Part){1, a == NULL ? NULL : p->m->engine[0] != '\0' ? p->m->engine : "engine not stated"};
}

static Part weights_part(const Pair *p, Arena *a) {
    Dtype x = dtype_named(p->m->precision_weights, DTYPE_UNKNOWN), y = p->s->weights;
    if (x == y) return (Part){0, NULL};
    if (x == DTYPE_UNKNOWN) return (Part){1, a != NULL ? "dtype of the weights not stated" : NULL};
    return (Part){0.5 + folds(dtype_bits(x), dtype_bits(y)),
                  a != NULL ? arena_printf(a, "%s weights", dtype_names[x]) : NULL};
}

static Part kv_part(const Pair *p, Arena *a) {
    Dtype x = dtype_named(p->m->precision_kv, DTYPE_UNKNOWN), y = p->s->kv;
    bool same = x == DTYPE_UNKNOWN || x == y || (dtype_bits(x) == 16 && dtype_bits(y) == 16);
    return same ? (Part){0, NULL}
                : (Part){0.25, a != NULL ? arena_printf(a, "%s KV cache", dtype_names[x]) : NULL};
}

static Part length_part(double stated, double asked, const char *what, Arena *a) {
    if (!(stated > 0)) return (Part){1, a != NULL ? arena_printf(a, "%s length not stated", what) : NULL};
    if (alike(stated, asked)) return (Part){0, NULL};
    return (Part){
        folds(stated, asked) / 2,
        a != NULL ? arena_printf(a, "%s %s token%s", number_text(a, stated, 3), what, plural(stated)) : NULL};
}

static Part input_part(const Pair *p, Arena *a) {
    return length_part(p->m->input_tokens, p->s->isl, "input", a);
}

static Part output_part(const Pair *p, Arena *a) {
    return length_part(p->m->output_tokens, p->s->osl, "output", a);
}

// Replicas that share experts go in step: together they are one.
static double shared(double tp, double ep, double replicas) { return ep > tp ? fmin(ep / tp, replicas) : 1; }

static double row_dp(const Measurement *m) { return is_known(m->dp) ? m->dp : 1; }

static double row_shared(const Measurement *m) {
    return shared(is_known(m->tp) ? m->tp : 1, m->ep, row_dp(m));
}

static Part load_part(const Pair *p, Arena *a) {
    double replicas = row_dp(p->m) / row_shared(p->m), own = p->replicas / p->s->expert_ranks;
    double x = p->m->batch_or_concurrency / replicas, y = p->concurrency / own;
    if (is_known(p->m->rate_rps))
        return (Part){1.5, a != NULL
                               ? arena_printf(a, "%s requests/s arriving", number_text(a, p->m->rate_rps, 3))
                               : NULL};
    if (!is_known(x)) return (Part){1.5, a != NULL ? "requests in flight not stated" : NULL};
    if (alike(x, y)) return (Part){0, NULL};
    const char *each = replicas > 1 || own > 1 ? " on a replica" : "";
    return (Part){folds(x, y) / 2, a != NULL ? arena_printf(a, "%s instead of %s in flight%s",
                                                            number_text(a, x, 3), number_text(a, y, 3), each)
                                             : NULL};
}

static Part gpus_part(const Pair *p, Arena *a) {
    const Measurement *m = p->m;
    double x = is_known(m->tp) ? m->tp * (is_known(m->pp) ? m->pp : 1) * row_shared(m)
                               : m->gpu_count / row_dp(m),
           y = p->s->layout.tp * p->s->layout.pp * p->s->expert_ranks;
    if (!is_known(x)) return (Part){1, a != NULL ? "number of GPUs not stated" : NULL};
    if (x == y) return (Part){0, NULL};
    return (Part){folds(x, y) / 2, a != NULL
                                       ? arena_printf(a, "%s instead of %s on a replica",
                                                      counted_number(a, x, 4, "GPU"), number_text(a, y, 3))
                                       : NULL};
}

static Part drafts_part(const Pair *p, Arena *a) {
    const char *drafts = p->m->draft_tokens;
    bool x = drafts[0] != '\0' && strcmp(drafts, "0") != 0, y = p->s->drafts > 0;
    return x == y ? (Part){0, NULL}
                  : (Part){2, a == NULL ? NULL
                              : x       ? "tokens speculated"
                                        : "no tokens speculated"};
}

static Part cached_part(const Pair *p, Arena *a) {
    bool x = p->m->prompt_cached, y = p->s->cached_share > 0;
    return x == y ? (Part){0, NULL}
                  : (Part){2, a == NULL ? NULL
                              : x       ? "prompts cached"
                                        : "no prompts cached"};
}

static Part (*const parts[])(const Pair *, Arena *) = {gpu_part,  model_part,  engine_part, weights_part,
                                                       kv_part,   input_part,  output_part, load_part,
                                                       gpus_part, drafts_part, cached_part};

// ---------------------------------------------------------------- all rows

static const Gpu *find_gpu_of(const Facts *f, const char *sku_id, const Gpu *last) {
    if (last != NULL && strcmp(last->sku_id, sku_id) == 0) return last;
    return facts_gpu(f, sku_id);
}

static const Model *find_model_of(const Facts *f, const char *model_id, const Model *last) {
    if (last != NULL && strcmp(last->model_id, model_id) == 0) return last;
    return facts_model(f, model_id);
}

// Stops where `most` is passed: most rows lie further off than the nearest so far.
static double distance_of(const Pair *p, double most) {
    double sum = 0;
    for (size_t i = 0; i < COUNT_OF(parts) && sum <= most; i++) sum += parts[i](p, NULL).distance;
    return sum;
}

static bool nearer(double distance, const Measurement *m, const Nearest *than) {
    if (than->row == NULL || distance != than->distance)
        return than->row == NULL || distance < than->distance;
    int newer = strcmp(m->date, than->row->date);
    return newer != 0 ? newer > 0 : strcmp(m->id, than->row->id) < 0;
}

static void describe(Pair *p, Arena *a, Nearest *n) {
    p->m = n->row;
    n->output_tokens_s = n->row->output_tokens_per_s;
    n->gpus = is_known(n->row->gpu_count) ? n->row->gpu_count : (double)NAN;
    n->output_tokens_s_gpu = n->output_tokens_s / n->gpus;
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        const char *words = parts[i](p, a).words;
        if (words != NULL && n->n_differs < NEAREST_DIFFERS_MAX) n->differs[n->n_differs++] = words;
    }
}

Nearest nearest_measured(const Facts *f, const Serving *s, double replicas, double concurrency, Arena *a) {
    Nearest n = {.distance = (double)INFINITY};
    Pair p = {.s = s, .replicas = replicas, .concurrency = concurrency}, best = p;
    for (size_t i = 0; i < f->n_measured; i++) {
        const Measurement *m = &f->measured[i];
        p.m = m;
        p.gpu = find_gpu_of(f, m->gpu_sku, p.gpu);
        if (p.gpu == NULL || p.gpu->vendor != s->gpu->vendor || !(m->output_tokens_per_s > 0) ||
            strcmp(m->grade, "D") == 0)
            continue;
        p.model = find_model_of(f, m->model, p.model);
        if (p.model == NULL || !is_known(p.model->params_active) || !is_known(p.model->params_total))
            continue;
        double distance = distance_of(&p, n.distance);
        if (!is_known(distance) || !nearer(distance, m, &n)) continue;
        n.row = m;
        n.distance = distance;
        best = p;
    }
    if (n.row != NULL) describe(&best, a, &n);
    return n;
}
