// Look-ups in the facts about engines, and the reasons that follow from them.
#include "src/perf/engines.h"

#include <math.h>
#include <string.h>

#include "src/perf/replica.h"
#include "src/perf/version.h"

// ---------------------------------------------------------------- precisions

static const EnginePrecision *find_exception(const Facts *f, const ServingWant *want) {
    const Gpu *g = want->gpu;
    const char *layers = model_is_moe(want->model) ? "moe" : "dense";
    for (size_t i = 0; i < f->n_engine_precisions; i++) {
        const EnginePrecision *p = &f->engine_precisions[i];
        if (p->vendor != g->vendor || p->weights != want->weights ||
            strcmp(p->architecture, g->architecture) != 0 || strcmp(p->engine, want->engine) != 0)
            continue;
        if (p->layers[0] == '\0' || strcmp(p->layers, layers) == 0) return p;
    }
    return NULL;
}

bool engine_precision(const Facts *f, const ServingWant *want, const EngineLimits *limits, Dtype *ret_compute,
                      const char **ret_status) {
    const EnginePrecision *exception = find_exception(f, want);
    const Precision *usual = gpu_precision(f, want->gpu, want->weights);
    if (!word_in(limits->weights, dtype_names[want->weights]) || !word_in(limits->kv, dtype_names[want->kv]))
        return false;
    if (exception == NULL && usual == NULL) return false;
    Dtype compute = exception != NULL ? exception->compute : usual->compute;
    if (compute == DTYPE_UNKNOWN) return false;
    *ret_compute = compute;
    *ret_status = exception != NULL ? exception->status : usual->status;
    return true;
}

// ---------------------------------------------------------------- blocks

// "fp8 block 128x128" of data/models.tsv and of model files.
static double block_in(const char *quantization) {
    static const char word[] = " block ";
    const char *at = strstr(quantization, word);
    double side = 0;
    Str rest = str_of(at != NULL ? at + strlen(word) : ""), part;
    return str_next(&rest, 'x', &part) && parse_number(part, 1, 65536, &side, NULL) ? side : 0;
}

double weight_block(const Facts *f, const Model *m, Dtype weights) {
    if (m->weights_native == weights) return weights == DTYPE_FP8 ? block_in(m->native_quantization) : 0;
    for (size_t i = 0; i < f->n_block_checkpoints; i++) {
        const BlockCheckpoint *c = &f->block_checkpoints[i];
        if (c->weights == weights && strcmp(c->model_id, m->model_id) == 0) return c->block;
    }
    return 0;
}

// A part of the model whose inner width is cut by tensor parallelism.
typedef struct Part {
    const char *name;
    double columns;  // 0: the model has no such part, or it is not cut
} Part;

// The first part whose ranks get no whole blocks; columns 0: none.
static Part odd_part(double block, const Gpu *g, const Model *m, const Layout *l) {
    bool moe = model_is_moe(m), dense = !moe || m->dense_layers_first > 0 || m->moe_every > 1;
    const Part parts[] = {{"an expert", moe && l->ep <= 1 ? m->moe_intermediate : 0},
                          {"the shared expert", moe && m->shared_experts > 0 ? m->shared_intermediate : 0},
                          {"a feed-forward layer", dense ? m->intermediate : 0}};
    double cut = l->tp * g->devices_per_package;
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        if (block > 0 && cut > 1 && parts[i].columns > 0 && fmod(parts[i].columns / cut, block) != 0)
            return parts[i];
    }
    return (Part){"", 0};
}

bool blocks_fit(const Facts *f, const Gpu *g, const Model *m, Dtype weights, const Layout *l) {
    return odd_part(weight_block(f, m, weights), g, m, l).columns == 0;
}

Layout layout_of_blocks(const Facts *f, const Gpu *g, const Model *m, Dtype weights, Layout l) {
    Layout spread = l;
    spread.ep = l.tp;
    return l.ep > 1 || blocks_fit(f, g, m, weights, &l) || !blocks_fit(f, g, m, weights, &spread) ? l
                                                                                                  : spread;
}

static const char *why_no_blocks(const Facts *f, const ServingWant *want, Arena *a) {
    double block = weight_block(f, want->model, want->weights);
    const Layout *l = &want->layout;
    Part part = odd_part(block, want->gpu, want->model, l);
    double cut = l->tp * want->gpu->devices_per_package;
    Layout spread = *l, fewer = *l;
    spread.ep = l->tp;
    while (fewer.tp > 1 && (fewer.tp % 2 != 0 || odd_part(block, want->gpu, want->model, &fewer).columns > 0))
        fewer.tp = fewer.tp % 2 == 0 ? fewer.tp / 2 : 1;
    const char *ep = l->ep <= 1 && model_is_moe(want->model) &&
                             odd_part(block, want->gpu, want->model, &spread).columns == 0
                         ? arena_printf(a, "spread the experts over the GPUs (EP%d) or ", l->tp)
                         : "";
    return arena_printf(a,
                        "%.0f columns of %s cut by %g leave %g, no multiple of the %g-block of the %s "
                        "checkpoint: pure TP%d is not supported; %suse TP%d",
                        part.columns, part.name, cut, part.columns / cut, block, dtype_names[want->weights],
                        l->tp, ep, fewer.tp);
}

// ---------------------------------------------------------------- releases

// Engines tell large GPUs from others by this, and leave the A100 out (vLLM).
static bool is_large(const Gpu *g) {
    static const double LARGE_BYTES = 70 * 1073741824.0;
    return gpu_usable_bytes(g) >= LARGE_BYTES && !text_contains(g->sku_id, "a100");
}

const EngineDefaults *engine_defaults(const Facts *f, const Gpu *gpu, const char *engine, double release,
                                      double date) {
    const EngineDefaults *best = NULL;
    for (size_t i = 0; i < f->n_engine_defaults; i++) {
        const EngineDefaults *d = &f->engine_defaults[i];
        if (strcmp(d->engine, engine) != 0 || (d->large && !is_large(gpu))) continue;
        bool since = is_known(release) ? release >= d->from_release
                     : is_known(date)  ? date >= years_of_date(d->from_date)
                                       : true;
        if (since) best = d;
    }
    return best;
}

bool reads_ahead(const EngineDefaults *d) { return d != NULL && !is_known(d->chunk_tokens); }

// ---------------------------------------------------------------- why not

static const EngineLimits *limits_of(const Facts *f, const char *engine) {
    size_t i = 0;
    while (i < f->n_engine_limits && strcmp(f->engine_limits[i].engine, engine) != 0) i++;
    return i < f->n_engine_limits ? &f->engine_limits[i] : NULL;
}

static const char *why_no_precision(const Facts *f, const ServingWant *want, Arena *a) {
    const EngineLimits *limits = limits_of(f, want->engine);
    const EnginePrecision *exception = find_exception(f, want);
    if (limits != NULL && !word_in(limits->weights, dtype_names[want->weights]))
        return arena_printf(a, "%s runs no %s weights; it takes %s", want->engine, dtype_names[want->weights],
                            limits->weights);
    if (limits != NULL && !word_in(limits->kv, dtype_names[want->kv]))
        return arena_printf(a, "%s keeps no KV cache in %s; it takes %s", want->engine, dtype_names[want->kv],
                            limits->kv);
    if (exception != NULL && exception->compute == DTYPE_UNKNOWN)
        return arena_printf(a, "%s (%s)", exception->note, exception->as_of);
    return arena_printf(a, "no way to run %s weights on %s is known", dtype_names[want->weights],
                        want->gpu->architecture);
}

static const char *why_no_engine(const Facts *f, const ServingWant *want, Arena *a) {
    const EngineSupport *s = engine_support(f, want->gpu, want->engine);
    if (s == NULL)
        return arena_printf(a, "%s is not known to run on %s", want->engine, want->gpu->architecture);
    return s->note[0] != '\0'
               ? arena_printf(a, "%s on %s: %s", want->engine, want->gpu->architecture, s->note)
               : "";
}

const char *serving_why(const Facts *f, const ServingWant *want, ServeStatus status, Arena *a) {
    const char *more = status == SERVE_NO_ENGINE      ? why_no_engine(f, want, a)
                       : status == SERVE_NO_PRECISION ? why_no_precision(f, want, a)
                       : status == SERVE_NO_BLOCKS    ? why_no_blocks(f, want, a)
                                                      : "";
    return more[0] != '\0' ? arena_printf(a, "%s: %s", serve_status_names[status], more)
                           : serve_status_names[status];
}

// ---------------------------------------------------------------- loads

static double top_of_class(double sequences) {
    return sequences <= LOAD_FEW ? LOAD_FEW : sequences <= LOAD_BATCH ? LOAD_BATCH : (double)INFINITY;
}

EngineReach engine_reach(const Facts *f, const Gpu *g, const char *engine) {
    EngineReach r = {NULL, 0};
    for (size_t i = 0; i < f->n_engine_loads; i++) {
        const EngineLoad *l = &f->engine_loads[i];
        if (l->vendor != g->vendor || strcmp(l->architecture, g->architecture) != 0 ||
            strcmp(l->engine, engine) != 0)
            continue;
        if (r.row == NULL || l->sequences > r.row->sequences)
            r = (EngineReach){l, top_of_class(l->sequences)};
    }
    return r;
}

bool in_reach(const EngineReach *r, double running, double in_flight) {
    return running <= r->most && (r->most > LOAD_FEW || in_flight <= LOAD_FEW);
}

const char *reach_words(const EngineReach *r, const Gpu *g, const char *engine, Arena *a) {
    if (r->row == NULL) return arena_printf(a, "%s was not measured on %s", engine, g->architecture);
    const char *verb = r->row->kind == LOAD_MEASURED ? "was measured" : "is said to hold";
    return arena_printf(a, "%s %s on %s with %s in flight on a replica at most", engine, verb,
                        g->architecture, counted_number(a, r->row->sequences, 7, "request"));
}

void go_beyond_reach(const Facts *f, Serving *s) {
    if (s->basis == BASIS_MEASURED || s->basis == BASIS_PUBLISHED) return;
    s->sigma_log = sqrt(square(s->sigma_log) + square(constant_of(f, CONSTANT_SIGMA_UNSEEN_ENGINE)));
    s->basis = BASIS_EXTRAPOLATED;
}
