// Indexers, linear attention, unpacking.
#include "src/perf/extras.h"

#include <math.h>
#include <string.h>

#include "src/perf/kernel_find.h"
#include "src/perf/kv.h"
#include "src/perf/replica.h"

const char *const extra_names[] = {"indexer", "linear-attention", "unpacking", "host-memory", NULL};
const char *const extra_titles[] = {
    "choosing what sparse attention reads",
    "state of linear attention, read and written",
    "widening weights of fewer bits for the arithmetic",
    "layers and experts that the CPU works on in host memory",
    NULL,
};

// ---------------------------------------------------------------- one rank

// The 8-bit peak where the GPU has one, else that of 16 bits.
static double rank_flops(const Serving *s, Dtype dtype) {
    double peak = gpu_peak_flops(s->gpu, dtype);
    if (!is_known(peak)) peak = gpu_peak_flops(s->gpu, DTYPE_BF16);
    if (!is_known(peak)) peak = gpu_peak_flops(s->gpu, s->compute);
    return peak * s->local_scale_flops * s->clock / s->gpu->devices_per_package;
}

// ---------------------------------------------------------------- tables

// Of other vendors' GPUs the one whose balance of arithmetic and bandwidth is nearest; steps of KernelReach.
static double far_of(const Serving *s, const KernelFit *k, bool any_library) {
    KernelReach reach = kernel_reach(s->gpu, k->board);
    double step = any_library || strcmp(k->library, s->engine) == 0 ? 0 : KERNEL_LIBRARY_STEP;
    if (reach < KERNEL_NONE) return (double)reach + step;
    double balance = gpu_peak_flops(s->gpu, DTYPE_BF16) / s->gpu->memory_bw_gb_s;
    double other =
        k->board != NULL ? gpu_peak_flops(k->board, DTYPE_BF16) / k->board->memory_bw_gb_s : (double)NAN;
    return KERNEL_NONE + step + (is_known(balance / other) ? fabs(log(balance / other)) : 1);
}

// Recurrences of prompts are the fastest library's: engines take them from each other within months.
static const KernelFit *nearest(const Facts *f, const Serving *s, KernelOp op) {
    const KernelFit *best = NULL;
    double least = (double)INFINITY;
    bool fastest = op == KERNEL_LINEAR_PREFILL;
    for (size_t i = 0; i < f->n_kernels; i++) {
        const KernelFit *k = &f->kernels[i];
        if (k->op != op) continue;
        double far = far_of(s, k, fastest);
        bool faster = fastest && far == least && k->eta_compute > best->eta_compute;
        if (far < least || faster) least = far, best = k;
    }
    return best;
}

static void look_up(const Facts *f, const Serving *s, ExtraKind kind, KernelOp decode, KernelOp prompt,
                    ExtraPlan *p) {
    p->known[kind] = true;
    p->decode[kind] = nearest(f, s, decode), p->prompt[kind] = nearest(f, s, prompt);
    if (p->decode[kind] != NULL) p->decode_reach[kind] = kernel_reach(s->gpu, p->decode[kind]->board);
    if (p->prompt[kind] != NULL) p->prompt_reach[kind] = kernel_reach(s->gpu, p->prompt[kind]->board);
}

// ---------------------------------------------------------------- the terms

static void plan_indexer(const Facts *f, Serving *s) {
    const Model *m = s->model;
    ExtraPlan *p = &s->extras;
    if (!(m->index_flops_per_pair > 0)) return;
    look_up(f, s, EXTRA_INDEXER, KERNEL_INDEX_DECODE, KERNEL_INDEX_PREFILL, p);
    const KernelFit *decode = p->decode[EXTRA_INDEXER], *prompt = p->prompt[EXTRA_INDEXER];
    double share = s->cache_copies / ranks(s), flops = rank_flops(s, DTYPE_FP8);
    double context = mean_context(s),
           keys = is_known(m->kv_extra_bytes_per_token) ? m->kv_extra_bytes_per_token : 0;
    double eta_bw = decode != NULL ? decode->eta_bw : s->factors.eta_kv;
    double eta_compute = decode != NULL ? known_or(decode->eta_compute, 1) : s->factors.eta_compute;
    double eta_prompt = prompt != NULL ? known_or(prompt->eta_compute, 1) : s->factors.eta_prefill;
    p->sequence_s[EXTRA_INDEXER] = context * share *
                                   (keys / (eta_bw * rank_bandwidth(s)) +
                                    (1 + s->drafts) * m->index_flops_per_pair / (eta_compute * flops));
    p->pair_s[EXTRA_INDEXER] = m->index_flops_per_pair * share / (eta_prompt * flops);
}

static const double FLOPS_OF_STATE = 6;

static void plan_linear(const Facts *f, Serving *s) {
    const Model *m = s->model;
    ExtraPlan *p = &s->extras;
    if (!(m->linear_layers > 0) || !(m->state_elements_per_seq > 0)) return;
    look_up(f, s, EXTRA_LINEAR, KERNEL_LINEAR_DECODE, KERNEL_LINEAR_PREFILL, p);
    const KernelFit *decode = p->decode[EXTRA_LINEAR], *prompt = p->prompt[EXTRA_LINEAR];
    double eta_bw = decode != NULL ? decode->eta_bw : s->factors.eta_kv;
    double eta_compute = prompt != NULL ? known_or(prompt->eta_compute, 1) : s->factors.eta_prefill;
    p->sequence_s[EXTRA_LINEAR] = 2 * kv_state_bytes(m) / ranks(s) / (eta_bw * rank_bandwidth(s));
    p->token_s[EXTRA_LINEAR] =
        FLOPS_OF_STATE * m->state_elements_per_seq / ranks(s) / (eta_compute * rank_flops(s, DTYPE_BF16));
}

static const double TILE_TOKENS = 128;

// Weights that matrix units cannot take as they are stored. A fused multiply-add counts as two flops.
static void plan_unpacking(const Facts *f, Serving *s) {
    ExtraPlan *p = &s->extras;
    bool packed = strncmp(s->precision_status, "weight-only", 11) == 0 ||
                  strncmp(s->precision_status, "emulated", 8) == 0;
    double vector = s->gpu->fp32_vector_tflops * 1e12 / 2 * s->clock / s->gpu->devices_per_package;
    if (!packed || !is_known(vector)) return;
    p->known[EXTRA_UNPACKING] = true;
    double weights = model_token_flops(s->model) / 2 / ranks(s);
    p->unpack_s = weights * constant_of(f, CONSTANT_DEQUANT_INSTRUCTIONS) / vector;
    p->tile_tokens = TILE_TOKENS;
    p->token_s[EXTRA_UNPACKING] = p->unpack_s / TILE_TOKENS;
}

double serving_host_bytes(const Serving *s) { return s->host_fixed_bytes + s->host_expert_bytes; }

// A step waits for the CPU, which reads what it needs at the rate of its memory. A prompt has the weights brought over the
// link instead, all of them for each of the engine's chunks: hundreds of tokens touch nearly every expert.
static void plan_host(const Facts *f, Serving *s) {
    ExtraPlan *p = &s->extras;
    double bytes = serving_host_bytes(s), link = constant_of(f, CONSTANT_HOST_LINK_GB_S) * 1e9;
    if (!(bytes > 0)) return;
    p->known[EXTRA_HOST] = true;
    p->token_s[EXTRA_HOST] = bytes / link / s->limits->chunk_tokens;
    p->sequence_s[EXTRA_HOST] =
        model_read_bytes(s->model, mean_context(s), s->kv) * s->host_share / s->host_bytes_s;
}

static double host_step_s(const Serving *s, double batch, double tokens) {
    const Model *m = s->model;
    double touched = model_is_moe(m) ? 1 - pow(1 - m->experts_per_token / m->experts, tokens) : 0;
    return (s->host_fixed_bytes + s->host_expert_bytes * touched) / s->host_bytes_s +
           batch * s->extras.sequence_s[EXTRA_HOST];
}

void extras_plan(const Facts *facts, Serving *s) {
    s->extras = (ExtraPlan){0};
    plan_indexer(facts, s);
    plan_linear(facts, s);
    plan_unpacking(facts, s);
    plan_host(facts, s);
}

double extras_step_s(const Serving *s, ExtraKind kind, double batch, double tokens) {
    const ExtraPlan *p = &s->extras;
    if (kind == EXTRA_UNPACKING) return p->known[kind] ? p->unpack_s * fmax(tokens / p->tile_tokens, 1) : 0;
    if (kind == EXTRA_HOST) return p->known[kind] ? host_step_s(s, batch, tokens) : 0;
    return batch * p->sequence_s[kind];
}

double extras_prompt_s(const Serving *s, ExtraKind kind, double held, double tokens) {
    const ExtraPlan *p = &s->extras;
    if (kind == EXTRA_HOST)
        return (p->known[kind] && tokens > 0 ? fmax(tokens, s->limits->chunk_tokens) : 0) * p->token_s[kind];
    return tokens * p->token_s[kind] + tokens * (held + tokens / 2) * p->pair_s[kind];
}

// ---------------------------------------------------------------- words

static const char *table_words(const KernelFit *fit, KernelReach reach, Arena *a) {
    return arena_printf(a, "%s of %s on %s (%s)", kernel_op_names[fit->op], fit->library, fit->gpu,
                        reach == KERNEL_NONE ? "another vendor's: none of this one"
                                             : kernel_reach_names[reach]);
}

const char *extras_basis(const Serving *s, ExtraKind kind, Arena *a) {
    const ExtraPlan *p = &s->extras;
    if (kind == EXTRA_UNPACKING) return "dequant_instructions of data/constants.tsv";
    if (kind == EXTRA_HOST)
        return arena_printf(
            a,
            "a step: the CPU, %.4g GB at %.4g GB/s (%s); prompts: streamed to the GPUs for every %g "
            "tokens (host_link_gb_s)",
            serving_host_bytes(s) / 1e9, s->host_bytes_s / 1e9, s->host_source, s->limits->chunk_tokens);
    const KernelFit *decode = p->decode[kind], *prompt = p->prompt[kind];
    const char *one = decode != NULL ? table_words(decode, p->decode_reach[kind], a) : "the factors alone";
    const char *other = prompt != NULL ? table_words(prompt, p->prompt_reach[kind], a) : "the factors alone";
    return arena_printf(a, "%s; prompts: %s", one, other);
}

const char *extras_source(const Serving *s, ExtraKind kind, Arena *a) {
    const ExtraPlan *p = &s->extras;
    if (kind == EXTRA_UNPACKING || kind == EXTRA_HOST) return "data/constants.tsv";
    const char *one = p->decode[kind] != NULL ? p->decode[kind]->source : "";
    const char *other = p->prompt[kind] != NULL ? p->prompt[kind]->source : "";
    return strcmp(one, other) == 0 || other[0] == '\0' ? one
           : one[0] == '\0'                            ? other
                                                       : arena_printf(a, "%s; %s", one, other);
}
