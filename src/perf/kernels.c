// Sums of measured kernels.
#include "src/perf/kernels.h"

#include <math.h>
#include <string.h>

#include "src/perf/engines.h"
#include "src/perf/replica.h"

const char *const kernel_reach_names[] = {"this GPU", "another board of the chip", "the architecture",
                                          "the vendor", "none"};

// ---------------------------------------------------------------- one rank

static double rank_bandwidth(const Serving *s) {
    return s->gpu->memory_bw_gb_s * 1e9 * s->local_scale_bandwidth / s->gpu->devices_per_package;
}

static Dtype arithmetic_of(KernelType type) {
    switch (type) {
    case KERNEL_FP8:
    case KERNEL_FP8_BLOCK:
    case KERNEL_FP4_FP8: return DTYPE_FP8;
    case KERNEL_FP4: return DTYPE_FP4;
    case KERNEL_UNKNOWN:
    case KERNEL_BF16:
    case KERNEL_FP4_BF16:
    case KERNEL_INT4:
    case KERNEL_TYPE_COUNT: break;
    }
    return DTYPE_BF16;
}

static double weight_bytes_of(KernelType type) {
    static const double bytes[KERNEL_TYPE_COUNT] = {
        [KERNEL_BF16] = 2,     [KERNEL_FP8] = 1,           [KERNEL_FP8_BLOCK] = 1,
        [KERNEL_FP4] = 0.5625, [KERNEL_FP4_FP8] = 0.53125, [KERNEL_FP4_BF16] = 0.53125,
        [KERNEL_INT4] = 0.5625};
    return bytes[type];
}

static double input_bytes_of(KernelType type) {
    return type == KERNEL_INT4 ? 2 : type == KERNEL_FP4 ? 0.5625 : dtype_bits(arithmetic_of(type)) / 8;
}

static double rank_flops(const Serving *s, KernelType type) {
    return gpu_peak_flops(s->gpu, arithmetic_of(type)) * s->local_scale_flops * s->clock /
           s->gpu->devices_per_package;
}

// The longer of two times, and what of the shorter one it does not hide: exponents 1, 2 and 4 are all that the
// tables hold.
static double joined(double a, double b, double p) {
    if (p < 1.5) return a + b;
    return p < 3 ? sqrt(square(a) + square(b)) : sqrt(sqrt(square(square(a)) + square(square(b))));
}

static const double US = 1e-6, TILE = 128, UNITS_USUAL = 128;

static double gemm_s(const Serving *s, const KernelGemm *g, double tokens, double *ret_compute) {
    const KernelFit *f = g->fit;
    double bw = rank_bandwidth(s);
    double units = is_known(s->gpu->compute_units) ? s->gpu->compute_units : UNITS_USUAL;
    double bytes = g->n * g->k * g->weight_bytes + tokens * (g->k * g->input_bytes + 2 * g->n);
    double flops = 2 * g->n * g->k * (tokens + f->wave * units * TILE * TILE / g->n);
    double memory = bytes / (f->eta_bw * bw),
           compute = flops / (f->eta_fl * rank_flops(s, (KernelType)f->dtype));
    *ret_compute = compute / (memory + compute);
    return joined(memory, compute, f->overlap) + f->tail * tokens * g->k / bw;
}

// ---------------------------------------------------------------- attention

static bool is_mla(const Model *m) { return is_known(m->kv_lora_rank); }

static double attention_s(const Serving *s, const KernelFit *f, double bytes, double flops, double rows) {
    return f->t0_us * US + f->tail * rows / 1000 * US +
           joined(bytes / (f->eta_bw * rank_bandwidth(s)), flops / (f->eta_fl * rank_flops(s, KERNEL_BF16)),
                  f->overlap);
}

// One layer of `sequences` that read `context` tokens each and write `q` new ones.
static double decode_layer_s(const Serving *s, double sequences, double q, double context) {
    const Model *m = s->model;
    double heads = m->heads / ranks(s), size = dtype_bits(s->kv) / 8;
    if (is_mla(m)) {
        double width = m->kv_lora_rank + m->qk_rope_head_dim;
        return attention_s(s, s->kernels.decode, sequences * context * width * size,
                           2 * sequences * q * heads * context * (width + m->kv_lora_rank),
                           sequences * heads);
    }
    double kv_heads = fmax(m->kv_heads / ranks(s), 1);
    return attention_s(s, s->kernels.decode,
                       sequences * (kv_heads * m->head_dim * 2 * context * size + heads * m->head_dim * 4),
                       4 * sequences * q * heads * m->head_dim * context, sequences * heads);
}

static double window_of(const Model *m, double context) {
    return is_known(m->sliding_window) ? fmin(context, m->sliding_window) : context;
}

static double decode_attention_s(const Serving *s, double sequences, double q) {
    const Model *m = s->model;
    double context = mean_context(s);
    return m->kv_full_layers * decode_layer_s(s, sequences, q, context) +
           (m->kv_window_layers > 0
                ? m->kv_window_layers * decode_layer_s(s, sequences, q, window_of(m, context))
                : 0);
}

// One layer of a prompt of which `tokens` are new.
static double prompt_layer_s(const Serving *s, double tokens, double window) {
    const Model *m = s->model;
    double heads = m->heads / ranks(s), held = s->isl - tokens, kv_heads = fmax(m->kv_heads / ranks(s), 1);
    double pairs = tokens * (held + tokens / 2);
    if (window < s->isl) pairs = fmin(pairs, tokens * window);
    double width = is_mla(m) ? m->qk_nope_head_dim + m->qk_rope_head_dim + m->v_head_dim : 2 * m->head_dim;
    double bytes = is_mla(m) ? heads * s->isl * width * 4
                             : kv_heads * s->isl * width * 2 + tokens * heads * m->head_dim * 4;
    return attention_s(s, s->kernels.prompt, bytes, 2 * heads * pairs * width, heads);
}

static double prompt_attention_s(const Serving *s, double tokens) {
    const Model *m = s->model;
    return m->kv_full_layers * prompt_layer_s(s, tokens, INFINITY) +
           (m->kv_window_layers > 0 ? m->kv_window_layers * prompt_layer_s(s, tokens, window_of(m, s->isl))
                                    : 0);
}

// ---------------------------------------------------------------- experts

// What a layer's experts cost at full rates, and a launch: what measured times are held against.
typedef struct Experts {
    const Gpu *gpu;
    KernelType type;
    double hidden, inter, experts, topk, tp, ep;
    bool even;  // tokens go to all experts alike, as benchmarks route them; else at random
} Experts;

static const double MOE_LAUNCH_S = 10e-6;

static double experts_roof_s(const Experts *e, double tokens) {
    double local = e->experts / e->ep, pairs = tokens * e->topk / e->ep;
    double weights = 3 * e->hidden * e->inter / e->tp;
    double hit = e->even ? fmin(local, fmax(pairs, 1)) : local * (1 - pow(1 - e->topk / e->experts, tokens));
    double bytes = hit * weights * weight_bytes_of(e->type) + pairs * 4 * e->hidden;
    return bytes / (e->gpu->memory_bw_gb_s * 1e9 / e->gpu->devices_per_package) +
           2 * pairs * weights /
               (gpu_peak_flops(e->gpu, arithmetic_of(e->type)) / e->gpu->devices_per_package) +
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

static double moe_layer_s(const KernelPlan *p, double tokens) {
    double at = log(fmax(tokens, 1)), last = p->moe_tokens[p->n_moe - 1];
    // beyond the last point time follows the tokens
    return exp(between(p->moe_tokens, p->moe_s, p->n_moe, at) + fmax(at - last, 0));
}

// Points of the replica from those of a table: shares of the roofline at the same tokens an expert.
static void put_points(const MoeTimes *t, const Experts *e, KernelPlan *p) {
    Experts own = {t->board,
                   (KernelType)t->dtype,
                   t->hidden,
                   t->inter,
                   t->experts,
                   t->topk,
                   t->tp,
                   t->ep,
                   strcmp(t->library, "aiter") != 0};
    double x[MOE_POINTS], y[MOE_POINTS];
    size_t n = 0;
    for (int i = 0; i < MOE_POINTS; i++) {
        if (!is_known(t->us[i])) continue;
        x[n] = log(moe_tokens[i] * t->topk / t->experts);
        y[n++] = log(t->us[i] * US / experts_roof_s(&own, moe_tokens[i]));
    }
    double least = 0;
    for (int i = 0; i < MOE_POINTS && n > 0; i++) {
        double share = exp(between(x, y, n, log(moe_tokens[i] * e->topk / e->experts)));
        least = fmax(least, share * experts_roof_s(e, moe_tokens[i]));  // more tokens never take less
        p->moe_tokens[i] = log(moe_tokens[i]);
        p->moe_s[i] = log(least);
    }
    p->n_moe = n > 0 ? MOE_POINTS : 0;
}

// ---------------------------------------------------------------- look-ups

static const char *library_of(const Serving *s) { return s->gpu->vendor == VENDOR_AMD ? "aiter" : s->engine; }

static const Gpu *find_gpu(const Facts *f, const char *sku) {
    for (size_t i = 0; i < f->n_gpus; i++) {
        if (strcmp(f->gpus[i].sku_id, sku) == 0) return &f->gpus[i];
    }
    return NULL;
}

void kernels_complete(const Facts *facts, KernelFit *fits, size_t n_fits, MoeTimes *times, size_t n_times) {
    for (size_t i = 0; i < n_fits; i++) fits[i].board = find_gpu(facts, fits[i].gpu);
    for (size_t i = 0; i < n_times; i++) {
        MoeTimes *t = &times[i];
        t->board = find_gpu(facts, t->gpu);
        t->ln_hidden = log(t->hidden), t->ln_width = log(t->inter / t->tp);
        t->ln_local = log(t->experts / t->ep), t->ln_topk = log(t->topk);
    }
}

// How near a table of one GPU is to another; KERNEL_NONE: another vendor, or not in the catalog.
static KernelReach reach_of(const Gpu *g, const Gpu *other) {
    if (other == g) return KERNEL_OWN;
    if (other == NULL || other->vendor != g->vendor) return KERNEL_NONE;
    if (strcmp(g->architecture, other->architecture) != 0) return KERNEL_VENDOR;
    if (strcmp(g->sku_id, other->sku_id) == 0) return KERNEL_OWN;
    if (g->chip[0] != '\0' && strcmp(other->chip, g->chip) == 0) return KERNEL_CHIP;
    return KERNEL_ARCHITECTURE;
}

// How far a table is from what is asked for, in steps of KernelReach; library and type count besides.
static const double LIBRARY_STEP = 0.5, TYPE_STEP = 1.4, RANKS_STEP = 0.3;

static bool alike(KernelType a, KernelType b) {
    static const bool eight[KERNEL_TYPE_COUNT] = {[KERNEL_FP8] = true, [KERNEL_FP8_BLOCK] = true};
    static const bool four[KERNEL_TYPE_COUNT] = {
        [KERNEL_FP4] = true, [KERNEL_FP4_FP8] = true, [KERNEL_FP4_BF16] = true};
    return (eight[a] && eight[b]) || (four[a] && four[b]);
}

typedef struct Sought {
    KernelOp op;
    KernelType dtype, kv;
    double ranks;
} Sought;

// Distance of one table; INFINITY: of no use.
static double distance_of(const Serving *s, const KernelFit *k, const Sought *w) {
    if (k->op != (int)w->op) return (double)INFINITY;
    if (w->kv != KERNEL_UNKNOWN && k->kv != (int)w->kv) return (double)INFINITY;
    bool same_type = w->dtype == KERNEL_UNKNOWN || k->dtype == (int)w->dtype;
    if (!same_type && !alike((KernelType)k->dtype, w->dtype)) return (double)INFINITY;
    KernelReach reach = reach_of(s->gpu, k->board);
    // products of another architecture say nothing of a GPU's matrix units
    if (reach >= (w->op == KERNEL_GEMM ? KERNEL_VENDOR : KERNEL_NONE)) return (double)INFINITY;
    bool own = strcmp(k->library, library_of(s)) == 0;
    return (double)reach + (own ? 0 : LIBRARY_STEP) + (same_type ? 0 : TYPE_STEP) +
           (is_known(k->ranks) ? RANKS_STEP * fabs(log2(k->ranks / w->ranks)) : 0);
}

static const KernelFit *nearest_kernel(const Facts *f, const Serving *s, const Sought *want) {
    const KernelFit *best = NULL;
    double least = (double)INFINITY;
    for (size_t i = 0; i < f->n_kernels; i++) {
        double d = distance_of(s, &f->kernels[i], want);
        if (d >= least) continue;
        least = d, best = &f->kernels[i];
    }
    return best;
}

// The same where it may be kept. All-reduces are by the number of ranks, attention by the cache; a model has
// products of one type beside those in 16 bits.
static const KernelFit *find_kernel(const Facts *f, KernelMemo *memo, const Serving *s, KernelOp op,
                                    KernelType dtype, KernelType kv) {
    Sought want = {op, dtype, kv, fmin(ranks(s), NODE_GPUS)};
    if (memo == NULL) return nearest_kernel(f, s, &want);
    bool prompt = op == KERNEL_ATTN_PREFILL || op == KERNEL_MLA_PREFILL;
    int slot = op == KERNEL_GEMM        ? dtype == KERNEL_BF16
               : op == KERNEL_ALLREDUCE ? 8 + ranks(s) % 8
                                        : 2 + (prompt ? 2 : 0) + (kv == KERNEL_FP8);
    if (!memo->looked[slot]) memo->fits[slot] = nearest_kernel(f, s, &want);
    memo->looked[slot] = true;
    return memo->fits[slot];
}

static void find_experts(const Facts *f, const Serving *s, KernelType type, KernelPlan *p) {
    const Model *m = s->model;
    double together = ranks(s) * s->expert_ranks, ep = fmax(s->layout.ep * s->gpu->devices_per_package, 1);
    if (s->layout.ep <= 1) ep = 1;
    ep = fmin(ep, together);
    Experts e = {s->gpu,        type, m->hidden, m->moe_intermediate, m->experts, m->experts_per_token,
                 together / ep, ep,   false};
    double hidden = log(e.hidden), width = log(e.inter / e.tp), local = log(e.experts / e.ep),
           topk = log(e.topk);
    const MoeTimes *best = NULL;
    double least = (double)INFINITY;
    for (size_t i = 0; i < f->n_moe_times; i++) {
        const MoeTimes *t = &f->moe_times[i];
        bool same = t->dtype == (int)type;
        if (!same && !alike((KernelType)t->dtype, type)) continue;
        double d = 0.3 * fabs(t->ln_hidden - hidden) + 0.5 * fabs(t->ln_width - width) +
                   0.3 * fabs(t->ln_local - local) + 0.3 * fabs(t->ln_topk - topk) +
                   (same ? 0 : TYPE_STEP / 2);
        if (d >= least) continue;
        KernelReach reach = reach_of(s->gpu, t->board);
        d += (double)reach + (strcmp(t->library, library_of(s)) == 0 ? 0 : LIBRARY_STEP);
        if (reach >= KERNEL_NONE || d >= least) continue;
        least = d;
        best = t;
    }
    if (best == NULL || !is_known(gpu_peak_flops(s->gpu, arithmetic_of(type)))) return;
    p->moe = best;
    p->exact = best->hidden == e.hidden && best->inter / best->tp == e.inter / e.tp &&
               best->experts / best->ep == e.experts / e.ep && best->topk == e.topk;
    put_points(best, &e, p);
}

// ---------------------------------------------------------------- the plan

// Types of the products of a layer and of its routed experts; false: no table can hold them.
static bool types_of(const Facts *f, const Serving *s, KernelType *ret_body, KernelType *ret_experts) {
    const Model *m = s->model;
    bool moe = model_is_moe(m), native8 = m->weights_native == DTYPE_FP8;
    KernelType eight = weight_block(f, m, s->weights) > 0 ? KERNEL_FP8_BLOCK : KERNEL_FP8;
    double bits = dtype_bits(s->weights);
    if (bits >= 16) {
        *ret_body = *ret_experts = KERNEL_BF16;
        return true;
    }
    if (s->weights == DTYPE_FP8 && s->compute == DTYPE_FP8) {
        *ret_body = *ret_experts = eight;
        return true;
    }
    if (s->weights == DTYPE_INT4 && moe) {
        *ret_body = KERNEL_BF16, *ret_experts = KERNEL_INT4;
        return true;
    }
    if (bits > 4.5 || s->weights == DTYPE_INT4) return false;
    *ret_experts = dtype_bits(s->compute) <= 4   ? KERNEL_FP4
                   : dtype_bits(s->compute) <= 8 ? KERNEL_FP4_FP8
                                                 : KERNEL_FP4_BF16;
    *ret_body = !moe ? KERNEL_FP4 : native8 ? KERNEL_FP8_BLOCK : KERNEL_BF16;
    return moe || *ret_experts == KERNEL_FP4;
}

static void add_gemm(KernelPlan *p, const KernelFit *fit, KernelType type, double n, double k, double calls) {
    if (calls > 0 && n > 0 && k > 0 && p->n_gemms < KERNEL_GEMMS_MAX)
        p->gemms[p->n_gemms++] = (KernelGemm){fit, n, k, calls, weight_bytes_of(type), input_bytes_of(type)};
}

static double or_zero(double x) { return is_known(x) ? x : 0; }

static void add_attention_gemms(const Serving *s, const KernelFit *fit, KernelType type,
                                const KernelFit *plain, KernelPlan *p) {
    const Model *m = s->model;
    double L = m->layers, n = ranks(s);
    if (!is_mla(m)) {
        double kv = fmax(m->kv_heads / n, 1);
        add_gemm(p, fit, type, (m->heads / n + 2 * kv) * m->head_dim, m->hidden, L);
        add_gemm(p, fit, type, m->hidden, m->heads / n * m->head_dim, L);
        return;
    }
    double q = m->qk_nope_head_dim + m->qk_rope_head_dim, latent = m->kv_lora_rank + m->qk_rope_head_dim;
    add_gemm(p, fit, type, or_zero(m->q_lora_rank) + latent, m->hidden, L);
    add_gemm(p, fit, type, m->heads / n * q, is_known(m->q_lora_rank) ? m->q_lora_rank : m->hidden, L);
    // into the latent space and back, a product for each head: as one over all heads
    add_gemm(p, plain, KERNEL_BF16, m->heads / n * m->kv_lora_rank, m->qk_nope_head_dim, L);
    add_gemm(p, plain, KERNEL_BF16, m->heads / n * m->v_head_dim, m->kv_lora_rank, L);
    add_gemm(p, fit, type, m->hidden, m->heads / n * m->v_head_dim, L);
}

static void add_layer_gemms(const Serving *s, const KernelFit *fit, KernelType type, const KernelFit *plain,
                            KernelPlan *p) {
    const Model *m = s->model;
    double n = ranks(s), moe = model_expert_layers(m), dense = m->layers - moe, in = m->ffn_matrices - 1;
    add_attention_gemms(s, fit, type, plain, p);
    add_gemm(p, fit, type, in * or_zero(m->intermediate) / n, m->hidden, dense);
    add_gemm(p, fit, type, m->hidden, or_zero(m->intermediate) / n, dense);
    double shared = or_zero(m->shared_experts) > 0 ? or_zero(m->shared_intermediate) : 0;
    add_gemm(p, fit, type, in * shared / n, m->hidden, moe);
    add_gemm(p, fit, type, m->hidden, shared / n, moe);
    add_gemm(p, plain, KERNEL_BF16, or_zero(m->experts), m->hidden, moe);
    p->head = (KernelGemm){plain, m->vocab / n, m->hidden, 1, 2, 2};
}

static bool has_shape(const Model *m) {
    bool kind = strcmp(m->attention, "mha") == 0 || strcmp(m->attention, "gqa") == 0 ||
                strcmp(m->attention, "mla") == 0;
    bool sparse = m->kv_extra_bytes_per_token > 0, linear = m->linear_layers > 0;
    return kind && !sparse && !linear && is_known(m->vocab) && is_known(m->hidden) &&
           is_known(m->kv_full_layers) && (is_known(m->head_dim) || is_mla(m)) &&
           (model_is_moe(m) || is_known(m->intermediate)) && is_known(m->ffn_matrices);
}

static bool has_library(const Serving *s) {
    static const char *const engines[] = {"vllm", "sglang", "tensorrt-llm", "atom"};
    for (size_t i = 0; i < COUNT_OF(engines); i++) {
        if (strcmp(engines[i], s->engine) == 0) return true;
    }
    return false;
}

// Products and experts at the tokens of the nodes.
static void put_products(const Serving *s, KernelPlan *p) {
    for (size_t i = 0; i < p->n_gemms; i++) p->launch_s += p->gemms[i].calls * p->gemms[i].fit->t0_us * US;
    for (int t = 0; t < MOE_POINTS; t++) {
        double share, head = gemm_s(s, &p->head, moe_tokens[t], &share), sum = head, computing = head * share;
        for (size_t i = 0; i < p->n_gemms; i++) {
            double one = p->gemms[i].calls * gemm_s(s, &p->gemms[i], moe_tokens[t], &share);
            sum += one;
            computing += one * share;
        }
        p->computes[t] = computing > sum / 2;
        if (p->n_moe > 0)
            sum += model_expert_layers(s->model) * moe_layer_s(p, moe_tokens[t] * s->expert_ranks);
        p->products_ln[t] = log(sum);
    }
}

static void put_reaches(const Serving *s, const KernelFit *products, KernelPlan *p) {
    const KernelFit *const fits[KERNEL_PARTS] = {products, p->decode, p->prompt, p->reduce};
    for (int i = 0; i < KERNEL_PARTS; i++) {
        p->parts[i] = fits[i];
        p->reaches[i] = fits[i] != NULL ? reach_of(s->gpu, fits[i]->board) : KERNEL_NONE;
    }
    p->moe_reach = p->moe != NULL ? reach_of(s->gpu, p->moe->board) : KERNEL_NONE;
}

void kernels_plan(const Facts *facts, KernelMemo *memo, Serving *s) {
    KernelPlan p = {0};
    KernelType body = KERNEL_UNKNOWN, experts = KERNEL_UNKNOWN;
    s->kernels = p;
    if (facts->n_kernels == 0 || !has_library(s) || !has_shape(s->model) ||
        !types_of(facts, s, &body, &experts))
        return;
    if (memo != NULL && (memo->gpu != s->gpu || memo->engine != s->engine))
        *memo = (KernelMemo){.gpu = s->gpu, .engine = s->engine};
    KernelType kv = dtype_bits(s->kv) <= 8 ? KERNEL_FP8 : KERNEL_BF16;
    bool mla = is_mla(s->model), reduces = ranks(s) > 1;
    const KernelFit *plain = find_kernel(facts, memo, s, KERNEL_GEMM, KERNEL_BF16, KERNEL_UNKNOWN);
    const KernelFit *fit =
        body == KERNEL_BF16 ? plain : find_kernel(facts, memo, s, KERNEL_GEMM, body, KERNEL_UNKNOWN);
    p.decode = find_kernel(facts, memo, s, mla ? KERNEL_MLA_DECODE : KERNEL_ATTN_DECODE, KERNEL_UNKNOWN, kv);
    p.prompt =
        find_kernel(facts, memo, s, mla ? KERNEL_MLA_PREFILL : KERNEL_ATTN_PREFILL, KERNEL_UNKNOWN, kv);
    // heads of a prompt are heads, whatever the cache holds
    if (p.prompt == NULL && mla)
        p.prompt = find_kernel(facts, NULL, s, KERNEL_ATTN_PREFILL, KERNEL_UNKNOWN, kv);
    if (reduces) p.reduce = find_kernel(facts, memo, s, KERNEL_ALLREDUCE, KERNEL_UNKNOWN, KERNEL_UNKNOWN);
    if (model_is_moe(s->model)) find_experts(facts, s, experts, &p);
    if (plain == NULL || fit == NULL || p.decode == NULL || p.prompt == NULL ||
        (reduces && p.reduce == NULL) || (model_is_moe(s->model) && p.n_moe == 0) ||
        !is_known(gpu_peak_flops(s->gpu, arithmetic_of((KernelType)fit->dtype))))
        return;
    add_layer_gemms(s, fit, body, plain, &p);
    put_products(s, &p);
    put_reaches(s, fit, &p);
    p.known = true;
    s->kernels = p;
}

const char *kernels_words(const Serving *s, Arena *a) {
    static const char *const names[KERNEL_PARTS] = {"products", "decode attention", "prompt attention",
                                                    "all-reduces"};
    const KernelPlan *p = &s->kernels;
    const char *all = "";
    for (int i = 0; i < KERNEL_PARTS && p->known; i++) {
        if (p->parts[i] != NULL)
            all = arena_printf(a, "%s%s%s of %s on %s (%s)", all, all[0] != '\0' ? ", " : "", names[i],
                               p->parts[i]->library, p->parts[i]->gpu, kernel_reach_names[p->reaches[i]]);
    }
    if (p->known && p->moe != NULL)
        all = arena_printf(a, "%s, experts of %s on %s (%s, %s)", all, p->moe->library, p->moe->gpu,
                           kernel_reach_names[p->moe_reach], p->exact ? "their shape" : "the nearest shape");
    return all;
}

// ---------------------------------------------------------------- a step, a prompt

// Small kernels of a layer - norms, rotary embedding, activation, router, copies into the cache - and their launch.
static const double SMALL_DENSE = 4, SMALL_MOE = 6, SMALL_S = 2e-6;

// All-reduces, and where replicas share experts an exchange in their place.
static double messages_s(const Serving *s, double tokens) {
    const KernelFit *f = s->kernels.reduce;
    const Model *m = s->model;
    double n = fmin(ranks(s), NODE_GPUS * s->gpu->devices_per_package),
           shared = s->expert_ranks > 1 ? model_expert_layers(m) : 0;
    double nodes = fmax(s->layout.tp / (double)NODE_GPUS, 1), bytes = tokens * m->hidden * 2, sum = 0;
    if (f != NULL)
        sum += (2 * m->layers - shared) *
               (f->t0_us * US + bytes * 2 * (n - 1) / n / (f->eta_bw * gpu_link_bytes_s(s->gpu, (int)n)) +
                bytes * 2 * (nodes - 1) / nodes / NODE_GPUS / s->network_bytes_s);
    return sum;
}

// Between the nodes along logarithms; beyond the last one time follows the tokens.
static double products_s(const KernelPlan *p, double tokens, bool *ret_computes) {
    static const double LN4 = 1.3862943611198906;
    double at = fmax(log(tokens) / LN4, 0), last = MOE_POINTS - 1;
    int i = (int)fmin(at, last - 1);
    double part = fmin(at, last) - i, beyond = fmax(at - last, 0) * LN4;
    *ret_computes = p->computes[i];
    return exp(p->products_ln[i] + part * (p->products_ln[i + 1] - p->products_ln[i]) + beyond);
}

static double small_s(const Serving *s, double tokens) {
    double each = model_is_moe(s->model) || is_mla(s->model) ? SMALL_MOE : SMALL_DENSE;
    return s->model->layers * each * (SMALL_S + tokens * s->model->hidden * 4 / rank_bandwidth(s));
}

void kernels_step(const Serving *s, double batch, double tokens, double *items) {
    bool computes = false;
    double products = products_s(&s->kernels, tokens, &computes);
    items[TIME_WEIGHTS] = computes ? 0 : products;
    items[TIME_COMPUTE] = computes ? products : 0;
    items[TIME_KV] = decode_attention_s(s, batch, tokens / batch);
    items[TIME_LINK] = messages_s(s, tokens);
    items[TIME_LAUNCH] = s->kernels.launch_s + small_s(s, tokens);
    items[TIME_PREFILL] = 0;
}

double kernels_prompt_s(const Serving *s, double tokens, double chunk) {
    bool computes = false;
    double chunk_s = products_s(&s->kernels, chunk, &computes) + s->kernels.launch_s + messages_s(s, chunk) +
                     small_s(s, chunk);
    return chunk_s * tokens / chunk + prompt_attention_s(s, tokens);
}
