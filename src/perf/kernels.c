// Sums of measured kernels.
#include "src/perf/kernels.h"

#include <math.h>
#include <string.h>

#include "src/perf/engines.h"
#include "src/perf/kernel_find.h"
#include "src/perf/replica.h"

// ---------------------------------------------------------------- one rank

static double input_bytes_of(KernelType type) {
    return type == KERNEL_INT4 ? 2 : type == KERNEL_FP4 ? 0.5625 : dtype_bits(kernel_arithmetic(type)) / 8;
}

static double rank_flops(const Serving *s, KernelType type) {
    return gpu_peak_flops(s->gpu, kernel_arithmetic(type)) * s->local_scale_flops * s->clock /
           s->gpu->devices_per_package;
}

// The longer of two times, and what of the shorter one it does not hide: exponents 1, 2 and 4 are all that the
// tables hold.
static double joined(double a, double b, double p) {
    if (p < 1.5) return a + b;
    return p < 3 ? sqrt(square(a) + square(b)) : sqrt(sqrt(square(square(a)) + square(square(b))));
}

static const double TILE = 128, UNITS_USUAL = 128;

// `calls` products of M tokens by `k` inputs and `n` outputs in all layers together.
typedef struct KernelGemm {
    const KernelFit *fit;
    double n, k, calls;
    double weight_bytes, input_bytes;  // of an element
} KernelGemm;

// All products of a step.
enum { GEMMS_MAX = 14 };
typedef struct Products {
    size_t n;
    KernelGemm gemms[GEMMS_MAX];
} Products;

static double gemm_s(const Serving *s, const KernelGemm *g, double tokens, double *ret_compute) {
    const KernelFit *f = g->fit;
    double bw = rank_bandwidth(s);
    double units = is_known(s->gpu->compute_units) ? s->gpu->compute_units : UNITS_USUAL;
    double bytes = g->n * g->k * g->weight_bytes + tokens * (g->k * g->input_bytes + 2 * g->n);
    double flops = 2 * g->n * g->k * (tokens + f->wave * units * TILE * TILE / g->n);
    double memory = bytes / (f->eta_bw * bw), compute = flops / (f->eta_compute * rank_flops(s, f->dtype));
    *ret_compute = compute / (memory + compute);
    return joined(memory, compute, f->overlap) + f->tail * tokens * g->k / bw;
}

// ---------------------------------------------------------------- attention

static double attention_s(const Serving *s, const KernelFit *f, double bytes, double flops, double rows) {
    return f->t0_us * US + f->tail * rows / 1000 * US +
           joined(bytes / (f->eta_bw * rank_bandwidth(s)),
                  flops / (f->eta_compute * rank_flops(s, KERNEL_BF16)), f->overlap);
}

// One layer of `sequences` that read `context` tokens each and write `q` new ones.
static double decode_layer_s(const Serving *s, const KernelFit *fit, double sequences, double q,
                             double context) {
    const Model *m = s->model;
    double heads = m->heads / ranks(s), size = dtype_bits(s->kv) / 8;
    if (model_is_mla(m)) {
        double width = m->kv_lora_rank + m->qk_rope_head_dim;
        return attention_s(s, fit, sequences * context * width * size,
                           2 * sequences * q * heads * context * (width + m->kv_lora_rank),
                           sequences * heads);
    }
    double kv_heads = fmax(m->kv_heads / ranks(s), 1);
    return attention_s(s, fit,
                       sequences * (kv_heads * m->head_dim * 2 * context * size + heads * m->head_dim * 4),
                       4 * sequences * q * heads * m->head_dim * context, sequences * heads);
}

static double window_of(const Model *m, double context) {
    return is_known(m->sliding_window) ? fmin(context, m->sliding_window) : context;
}

static double decode_attention_s(const Serving *s, const KernelFit *fit, double sequences) {
    const Model *m = s->model;
    double context = mean_context(s), q = 1 + s->drafts;
    return m->kv_full_layers * decode_layer_s(s, fit, sequences, q, model_tokens_read(m, context)) +
           (m->kv_window_layers > 0
                ? m->kv_window_layers * decode_layer_s(s, fit, sequences, q, window_of(m, context))
                : 0);
}

// One layer of a prompt of which `tokens` are new.
static double prompt_layer_s(const Serving *s, double tokens, double window) {
    const Model *m = s->model;
    double heads = m->heads / ranks(s), held = s->isl - tokens, kv_heads = fmax(m->kv_heads / ranks(s), 1);
    double pairs = model_prompt_pairs(m, s->isl) - model_prompt_pairs(m, held);
    if (window < s->isl) pairs = fmin(tokens * (held + tokens / 2), tokens * window);
    double width =
        model_is_mla(m) ? m->qk_nope_head_dim + m->qk_rope_head_dim + m->v_head_dim : 2 * m->head_dim;
    double bytes = model_is_mla(m) ? heads * s->isl * width * 4
                                   : kv_heads * s->isl * width * 2 + tokens * heads * m->head_dim * 4;
    return attention_s(s, s->kernels.parts[PLAN_PROMPT], bytes, 2 * heads * pairs * width, heads);
}

static double prompt_attention_s(const Serving *s, double tokens) {
    const Model *m = s->model;
    return m->kv_full_layers * prompt_layer_s(s, tokens, (double)INFINITY) +
           (m->kv_window_layers > 0 ? m->kv_window_layers * prompt_layer_s(s, tokens, window_of(m, s->isl))
                                    : 0);
}

// ---------------------------------------------------------------- messages and small kernels

// Small kernels of a layer - norms, rotary embedding, activation, router, copies into the cache - and their launch.
static const double SMALL_S = 2e-6;
static double small_kernels(const Model *m) { return model_is_moe(m) || model_is_mla(m) ? 6 : 4; }

// All-reduces of every layer but where replicas share experts: there of the attention alone, and tokens go to
// their experts and come back. Nothing is known of what else an exchange takes but a launch and its bytes.
static bool put_messages(const Facts *facts, KernelMemo *memo, const Serving *s, KernelPlan *p) {
    const Model *m = s->model;
    double together = ranks(s) * s->expert_ranks, moe = s->expert_ranks > 1 ? model_expert_layers(m) : 0;
    p->small_s = m->layers * small_kernels(m) * SMALL_S;
    p->small_token_s = m->layers * small_kernels(m) * m->hidden * 4 / rank_bandwidth(s);
    p->link_s = p->link_token_s = 0;
    if (together <= 1) return true;
    const KernelFit *f =
        kernel_nearest(facts, memo, s, KERNEL_ALLREDUCE, KERNEL_UNKNOWN, KERNEL_UNKNOWN, together);
    if (f == NULL) return false;
    p->parts[PLAN_REDUCE] = f;
    double reduces = ranks(s) > 1 ? 2 * m->layers - moe : 0;
    p->link_s = (reduces + 2 * moe) * f->t0_us * US;
    if (reduces > 0)
        p->link_token_s = reduces * m->hidden * 2 * (reduce_link_s(s) / f->eta_bw + reduce_network_s(s));
    if (moe > 0) p->link_token_s += moe * all_to_all_bytes(s) * all_to_all_byte_s(s) / f->eta_bw;
    return true;
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
    if (s->weights == DTYPE_INT4) {
        *ret_body = *ret_experts = KERNEL_INT4;
        return true;
    }
    if (bits > 4.5) return false;
    *ret_experts = dtype_bits(s->compute) <= 4   ? KERNEL_FP4
                   : dtype_bits(s->compute) <= 8 ? KERNEL_FP4_FP8
                                                 : KERNEL_FP4_BF16;
    *ret_body = !moe ? KERNEL_FP4 : native8 ? KERNEL_FP8_BLOCK : KERNEL_BF16;
    return moe || *ret_experts == KERNEL_FP4;
}

static void add_gemm(Products *p, const KernelFit *fit, KernelType type, double n, double k, double calls) {
    if (calls > 0 && n > 0 && k > 0 && p->n < GEMMS_MAX)
        p->gemms[p->n++] = (KernelGemm){fit, n, k, calls, kernel_weight_bytes(type), input_bytes_of(type)};
}

static void add_attention_gemms(const Serving *s, const KernelFit *fit, KernelType type,
                                const KernelFit *plain, Products *p) {
    const Model *m = s->model;
    double L = m->layers, n = ranks(s);
    if (!model_is_mla(m)) {
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

static void add_gemms(const Serving *s, const KernelFit *fit, KernelType type, const KernelFit *plain,
                      Products *p) {
    const Model *m = s->model;
    double n = ranks(s), moe = model_expert_layers(m), dense = m->layers - moe, in = m->ffn_matrices - 1;
    add_attention_gemms(s, fit, type, plain, p);
    add_gemm(p, fit, type, in * or_zero(m->intermediate) / n, m->hidden, dense);
    add_gemm(p, fit, type, m->hidden, or_zero(m->intermediate) / n, dense);
    double shared = or_zero(m->shared_experts) > 0 ? or_zero(m->shared_intermediate) : 0;
    add_gemm(p, fit, type, in * shared / n, m->hidden, moe);
    add_gemm(p, fit, type, m->hidden, shared / n, moe);
    add_gemm(p, plain, KERNEL_BF16, or_zero(m->experts), m->hidden, moe);
    add_gemm(p, plain, KERNEL_BF16, m->vocab / n, m->hidden, 1);
}

static bool has_shape(const Model *m) {
    bool kind = strcmp(m->attention, "mha") == 0 || strcmp(m->attention, "gqa") == 0 ||
                strcmp(m->attention, "mla") == 0;
    bool indexed = m->kv_extra_bytes_per_token > 0, linear = m->linear_layers > 0;
    bool chosen = m->index_flops_per_pair > 0 && m->sparse_tokens > 0;
    return kind && !linear && (!indexed || chosen) && is_known(m->vocab) && is_known(m->hidden) &&
           is_known(m->kv_full_layers) && (is_known(m->head_dim) || model_is_mla(m)) &&
           (model_is_moe(m) || is_known(m->intermediate)) && is_known(m->ffn_matrices);
}

static bool has_library(const Serving *s) {
    static const char *const engines[] = {"vllm", "sglang", "tensorrt-llm", "atom"};
    return TABLE_ROW(s->engine, engines) != NULL;
}

// Products and experts at the tokens of the nodes. `experts_s`: of one layer, NULL where there are none.
static void put_products(const Serving *s, const Products *all, const double *experts_s, KernelPlan *p) {
    p->products_launch_s = 0;
    for (size_t i = 0; i < all->n; i++)
        p->products_launch_s += all->gemms[i].calls * all->gemms[i].fit->t0_us * US;
    for (int t = 0; t < MOE_POINTS; t++) {
        double share, sum = 0, computing = 0;
        for (size_t i = 0; i < all->n; i++) {
            double one = all->gemms[i].calls * gemm_s(s, &all->gemms[i], moe_tokens[t], &share);
            sum += one;
            computing += one * share;
        }
        p->computes[t] = computing > sum / 2;
        if (experts_s != NULL) sum += model_expert_layers(s->model) * experts_s[t];
        p->products_ln[t] = log(sum);
    }
}

// Products, experts and messages: what caches and pipelines have no say in.
static bool plan_products(const Facts *facts, KernelMemo *memo, const Serving *s, KernelPlan *p) {
    KernelType body = KERNEL_UNKNOWN, experts = KERNEL_UNKNOWN;
    if (!types_of(facts, s, &body, &experts)) return false;
    const KernelFit *plain = kernel_nearest(facts, memo, s, KERNEL_GEMM, KERNEL_BF16, KERNEL_UNKNOWN, 1);
    const KernelFit *fit =
        body == KERNEL_BF16 ? plain : kernel_nearest(facts, memo, s, KERNEL_GEMM, body, KERNEL_UNKNOWN, 1);
    if (plain == NULL || fit == NULL || !is_known(gpu_peak_flops(s->gpu, kernel_arithmetic(fit->dtype))))
        return false;
    double experts_s[MOE_POINTS];
    bool moe = model_is_moe(s->model);
    if (moe && !kernel_experts(facts, s, experts, p, experts_s)) return false;
    Products all = {0};
    add_gemms(s, fit, body, plain, &all);
    put_products(s, &all, moe ? experts_s : NULL, p);
    p->parts[PLAN_PRODUCTS] = fit;
    return put_messages(facts, memo, s, p);
}

// The same, kept for the layouts that share it.
static bool find_products(const Facts *facts, KernelMemo *memo, const Serving *s, KernelPlan *p) {
    if (memo == NULL) return plan_products(facts, memo, s, p);
    bool same = memo->planned && memo->tp == s->layout.tp && memo->ep == s->layout.ep &&
                memo->expert_ranks == s->expert_ranks;
    if (!same) {
        memo->last = (KernelPlan){0};
        memo->last.known = plan_products(facts, memo, s, &memo->last);
        memo->planned = true;
        memo->tp = s->layout.tp, memo->ep = s->layout.ep, memo->expert_ranks = s->expert_ranks;
    }
    *p = memo->last;
    return memo->last.known;
}

void kernels_plan(const Facts *facts, KernelMemo *memo, Serving *s) {
    KernelPlan p = {0};
    s->kernels = p;
    if (facts->n_kernels == 0 || !has_library(s) || !has_shape(s->model)) return;
    if (memo != NULL && (memo->gpu != s->gpu || memo->engine != s->engine))
        *memo = (KernelMemo){.gpu = s->gpu, .engine = s->engine};
    if (!find_products(facts, memo, s, &p)) return;
    KernelType kv = dtype_bits(s->kv) <= 8 ? KERNEL_FP8 : KERNEL_BF16;
    bool mla = model_is_mla(s->model);
    const KernelFit *decode =
        kernel_nearest(facts, memo, s, mla ? KERNEL_MLA_DECODE : KERNEL_ATTN_DECODE, KERNEL_UNKNOWN, kv, 1);
    const KernelFit *prompt =
        kernel_nearest(facts, memo, s, mla ? KERNEL_MLA_PREFILL : KERNEL_ATTN_PREFILL, KERNEL_UNKNOWN, kv, 1);
    // heads of a prompt are heads, whatever the cache holds
    if (prompt == NULL && mla)
        prompt = kernel_nearest(facts, NULL, s, KERNEL_ATTN_PREFILL, KERNEL_UNKNOWN, kv, 1);
    if (decode == NULL || prompt == NULL) return;
    p.parts[PLAN_DECODE] = decode, p.parts[PLAN_PROMPT] = prompt;
    for (int i = 0; i < PLAN_PARTS; i++)
        p.reaches[i] = p.parts[i] != NULL ? kernel_reach(s->gpu, p.parts[i]->board) : KERNEL_NONE;
    p.kv_step_s = decode_attention_s(s, decode, 0);
    p.kv_sequence_s = decode_attention_s(s, decode, 1) - p.kv_step_s;
    p.known = true;
    s->kernels = p;
}

const char *kernels_words(const Serving *s, Arena *a) {
    static const char *const names[PLAN_PARTS] = {"products", "decode attention", "prompt attention",
                                                  "all-reduces"};
    const KernelPlan *p = &s->kernels;
    const char *all = "";
    for (int i = 0; i < PLAN_PARTS && p->known; i++) {
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

// Between the nodes along logarithms; beyond the last one time follows the tokens. `ret_node`: the one below.
static double between_nodes(const double ln_s[MOE_POINTS], double tokens, int *ret_node) {
    static const double LN4 = 1.3862943611198906;
    double at = fmax(log(tokens) / LN4, 0), last = MOE_POINTS - 1;
    int i = (int)fmin(at, last - 1);
    double part = fmin(at, last) - i, beyond = fmax(at - last, 0) * LN4;
    *ret_node = i;
    return exp(ln_s[i] + part * (ln_s[i + 1] - ln_s[i]) + beyond);
}

static double products_s(const KernelPlan *p, double tokens, bool *ret_computes) {
    int node = 0;
    double all = between_nodes(p->products_ln, tokens, &node);
    *ret_computes = p->computes[node];
    return all;
}

static double launches_s(const KernelPlan *p, double tokens) {
    return p->products_launch_s + p->small_s + tokens * p->small_token_s;
}

static double messages_s(const KernelPlan *p, double tokens) { return p->link_s + tokens * p->link_token_s; }

void kernels_step(const Serving *s, double batch, double tokens, double *items) {
    const KernelPlan *p = &s->kernels;
    bool computes = false;
    double products = products_s(p, tokens, &computes);
    items[TIME_WEIGHTS] = computes ? 0 : products;
    items[TIME_COMPUTE] = computes ? products : 0;
    items[TIME_KV] = p->kv_step_s + batch * p->kv_sequence_s + extras_step_s(s, EXTRA_INDEXER, batch, tokens);
    items[TIME_LINK] = messages_s(p, tokens);
    items[TIME_LAUNCH] = launches_s(p, tokens);
    items[TIME_PREFILL] = 0;
}

// ---------------------------------------------------------------- the parts of a step

const char *const kernel_part_names[] = {"GEMMs",         "MoE", "attention", "all-reduce, all-to-all",
                                         "small kernels", NULL};

// Of all layers at `tokens` of a rank; 0: there are none.
static double all_experts_s(const Facts *facts, const Serving *s, double tokens) {
    KernelType body = KERNEL_UNKNOWN, type = KERNEL_UNKNOWN;
    KernelPlan looked = {0};  // what of it the tables say is in s->kernels already
    double one_s[MOE_POINTS];
    int node = 0;
    if (!model_is_moe(s->model) || !types_of(facts, s, &body, &type) ||
        !kernel_experts(facts, s, type, &looked, one_s))
        return 0;
    for (int i = 0; i < MOE_POINTS; i++) one_s[i] = log(one_s[i]);
    return model_expert_layers(s->model) * between_nodes(one_s, tokens, &node);
}

// Products and experts are one sum in the plan: what is not experts' is the products', and never below 0, as sums
// along logarithms are at least the sums of what they hold.
void kernels_parts(const Facts *facts, const Serving *s, double batch, KernelParts *ret) {
    const KernelPlan *p = &s->kernels;
    double items[TIME_COUNT], experts = all_experts_s(facts, s, batch);
    kernels_step(s, batch, batch, items);
    *ret = (KernelParts){.bases = {kernel_reach_names[p->reaches[PLAN_PRODUCTS]], "",
                                   kernel_reach_names[p->reaches[PLAN_DECODE]], "", "assumed"}};
    ret->s[KERNEL_PART_GEMMS] = items[TIME_WEIGHTS] + items[TIME_COMPUTE] + p->products_launch_s - experts;
    ret->s[KERNEL_PART_EXPERTS] = experts;
    ret->s[KERNEL_PART_ATTENTION] = items[TIME_KV];
    ret->s[KERNEL_PART_MESSAGES] = items[TIME_LINK];
    ret->s[KERNEL_PART_SMALL] = items[TIME_LAUNCH] - p->products_launch_s;
    if (p->moe != NULL) ret->bases[KERNEL_PART_EXPERTS] = kernel_reach_names[p->moe_reach];
    if (p->parts[PLAN_REDUCE] != NULL)
        ret->bases[KERNEL_PART_MESSAGES] = kernel_reach_names[p->reaches[PLAN_REDUCE]];
    for (int i = 0; i < KERNEL_PART_COUNT; i++) ret->sum_s += ret->s[i];
}

double kernels_prompt_s(const Serving *s, double tokens, double chunk) {
    const KernelPlan *p = &s->kernels;
    bool computes = false;
    double chunk_s = products_s(p, chunk, &computes) + launches_s(p, chunk) + messages_s(p, chunk);
    return chunk_s * tokens / chunk + prompt_attention_s(s, tokens) +
           extras_prompt_s(s, EXTRA_INDEXER, s->isl - tokens, tokens);
}
