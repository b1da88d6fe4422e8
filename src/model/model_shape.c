// From what a file says of a model to its parameters, cache and bytes. Formulas: src/perf/model.c for the
// matrices; here what differs by family (windows with heads of their own, Gated DeltaNet layers, norms,
// biases), as counted for data/models.tsv.
#include <math.h>
#include <string.h>

#include "src/model/model.h"
#include "src/perf/perf.h"

static bool is_moe(const ModelDraft *d) { return is_known(d->m.experts) && d->m.experts > 1; }

static bool is_mla(const ModelDraft *d) { return strcmp(d->m.attention, "mla") == 0; }

// ---------------------------------------------------------------- what the file leaves open

static void settle_defaults(ModelDraft *d) {
    for (size_t i = 0; i < d->family->n_defaults; i++) {
        const ModelDefault *x = &d->family->defaults[i];
        double value = 0;
        memcpy(&value, (char *)d + x->field, sizeof value);
        if (!is_known(value)) memcpy((char *)d + x->field, &x->value, sizeof x->value);
    }
    Model *m = &d->m;
    m->ffn_matrices = draft_has(d, TRAIT_PLAIN) ? 2 : 3;
    m->tied_embeddings = d->tied >= 0         ? d->tied
                         : d->tensors != NULL ? !d->tensors->head
                                              : draft_has(d, TRAIT_TIED);
    if (is_known(d->ffn_ratio)) fill_unknown(&m->intermediate, round(d->ffn_ratio * m->hidden));
    if (draft_has(d, TRAIT_FFN_4H)) fill_unknown(&m->intermediate, 4 * m->hidden);
}

static void settle_heads(ModelDraft *d) {
    Model *m = &d->m;
    if (draft_has(d, TRAIT_KIMI_DELTA)) {  // shaped as the attention where the file does not say
        fill_unknown(&d->linear_key_heads, m->heads), fill_unknown(&d->linear_value_heads, m->heads);
        fill_unknown(&d->linear_key_dim, m->head_dim), fill_unknown(&d->linear_value_dim, m->head_dim);
        fill_unknown(&d->linear_conv, 4);
    }
    bool latent = draft_has(d, TRAIT_MLA) || (d->family == family_assumed() && is_known(m->kv_lora_rank) &&
                                              is_known(m->qk_nope_head_dim));
    if (latent) {
        m->attention = "mla";
        m->kv_heads = m->heads;
        m->head_dim = (double)NAN;
        if (draft_has(d, TRAIT_NO_ROTARY)) fill_unknown(&m->qk_rope_head_dim, 0);
        return;
    }
    if (draft_has(d, TRAIT_COMPRESSED)) {
        m->kv_heads = 1;
        m->attention = "hybrid";
        return;
    }
    m->kv_lora_rank = m->q_lora_rank = m->qk_nope_head_dim = m->qk_rope_head_dim = (double)NAN;
    fill_unknown(&m->kv_heads, draft_has(d, TRAIT_MULTI_QUERY) ? 1 : m->heads);
    if (is_known(m->heads) && fmod(m->hidden, m->heads) == 0)
        fill_unknown(&m->head_dim, m->hidden / m->heads);
    if (!is_known(m->v_head_dim)) m->v_head_dim = m->head_dim;
    m->attention = m->kv_heads < m->heads ? "gqa" : "mha";
}

static void settle_experts(ModelDraft *d) {
    Model *m = &d->m;
    double n = layers_of_feed(d, FEED_EXPERTS);
    if (n == 0) {
        m->experts = m->experts_per_token = m->shared_experts = m->moe_intermediate = m->shared_intermediate =
            (double)NAN;
        m->dense_layers_first = m->moe_every = (double)NAN;
        return;
    }
    m->family = "moe";
    if (!is_known(m->moe_intermediate) && (draft_has(d, TRAIT_EXPERT_FFN) || d->family == family_assumed())) {
        m->moe_intermediate = m->intermediate;
        m->intermediate = d->dense_width;
    }
    if (is_known(d->dense_width)) m->intermediate = d->dense_width;
    bool beside = draft_has(d, TRAIT_DENSE_BESIDE);
    if (beside) m->shared_experts = 1, m->shared_intermediate = m->intermediate;
    if (!is_known(m->shared_experts)) m->shared_experts = is_known(m->shared_intermediate) ? 1 : 0;
    if (m->shared_experts == 0) m->shared_intermediate = (double)NAN;
    if (m->shared_experts > 0) fill_unknown(&m->shared_intermediate, m->shared_experts * m->moe_intermediate);
    // The pair that the formulas of src/perf take must give the same number of layers.
    double first = or_zero(m->dense_layers_first);
    double every = is_known(m->moe_every) ? m->moe_every : 1;
    if (has_blocks(d)) {
        m->dense_layers_first = 0;
        if (layers_of_feed(d, FEED_DENSE) == 0) m->intermediate = (double)NAN;
        return;
    }
    if (floor((m->layers - first) / every) != n) first = m->layers - n, every = 1;
    m->dense_layers_first = first;
    m->moe_every = every;
    if (n == m->layers) m->intermediate = (double)NAN;
}

// ---------------------------------------------------------------- kinds of layers

double mix_ratio(Mix mix) { return mix == MIX_SPARSE ? 4 : mix == MIX_POOLED ? 128 : 1; }

typedef struct Kinds {
    double full, window, linear;  // layers that keep all tokens, some, a state
} Kinds;

static Kinds kinds_of(const ModelDraft *d) {
    double compressing = layers_of_mix(d, MIX_SPARSE) + layers_of_mix(d, MIX_POOLED);
    return (Kinds){layers_of_mix(d, MIX_FULL) + compressing, layers_of_mix(d, MIX_WINDOW),
                   layers_of_mix(d, MIX_LINEAR) + layers_of_mix(d, MIX_MAMBA)};
}

static const char *pattern_of(const ModelDraft *d, const Kinds *k) {
    if (draft_has(d, TRAIT_COMPRESSED))
        return arena_printf(d->arena, "all layers keep a window of %.0f", d->m.sliding_window);
    if (k->full == 0) return "all layers";
    double ratio = k->window / k->full;
    if (floor(ratio) >= 1 && floor(d->m.layers / (floor(ratio) + 1)) == k->full)
        return arena_printf(d->arena, "%.0f:1", floor(ratio));
    return arena_printf(d->arena, "%.0f of %.0f layers", k->window, d->m.layers);
}

// ---------------------------------------------------------------- missing

static const ModelKey *key_of(size_t field) {
    for (size_t i = 0; i < n_model_keys; i++) {
        if (model_keys[i].field == field) return &model_keys[i];
    }
    return NULL;
}

static void add_missing(const ModelDraft *d, Buf *b, size_t field) {
    double value = 0;
    memcpy(&value, (const char *)d + field, sizeof value);
    if (is_known(value)) return;
    const ModelKey *key = key_of(field);
    Str rest = str_of(d->gguf && key->gguf[0] != '\0' ? key->gguf : key->config);
    Str name;
    if (str_next(&rest, ' ', &name))
        buf_printf(b, "%s%s%.*s", b->length > 0 ? ", " : "", d->key_prefix, (int)name.length, name.data);
}

typedef struct Fields {
    const size_t *fields;
    size_t n;
    bool wanted;
} Fields;

#define OF(f) offsetof(ModelDraft, f)

static bool check_missing(const ModelDraft *d, Err *e) {
    static const size_t always[] = {OF(m.layers), OF(m.hidden), OF(m.heads), OF(m.vocab)};
    static const size_t latent[] = {OF(m.kv_lora_rank), OF(m.qk_nope_head_dim), OF(m.qk_rope_head_dim),
                                    OF(m.v_head_dim)};
    static const size_t plain[] = {OF(m.head_dim)};
    static const size_t compressed[] = {OF(m.q_lora_rank),   OF(m.head_dim),  OF(output_groups),
                                        OF(output_rank),     OF(index_heads), OF(index_dim),
                                        OF(m.sliding_window)};
    static const size_t linear[] = {OF(linear_key_heads), OF(linear_value_heads), OF(linear_key_dim),
                                    OF(linear_value_dim), OF(linear_conv)};
    static const size_t mamba[] = {OF(mamba_heads), OF(mamba_head_dim), OF(mamba_state), OF(mamba_groups),
                                   OF(mamba_conv)};
    static const size_t window[] = {OF(m.sliding_window)}, blocks[] = {OF(m.experts)},
                        dense[] = {OF(m.intermediate)}, conv[] = {OF(conv_cache)};
    static const size_t experts[] = {OF(m.experts_per_token), OF(m.moe_intermediate)};
    bool shaped = is_known(d->m.heads) && is_known(d->m.hidden);
    bool moe = is_moe(d);
    bool any_dense = d->n_plan == 0 || layers_of_feed(d, FEED_DENSE) > 0;
    const Fields lists[] = {
        {always, COUNT_OF(always), true},
        {latent, COUNT_OF(latent), is_mla(d)},
        {plain, COUNT_OF(plain), !is_mla(d) && shaped && !draft_has(d, TRAIT_COMPRESSED)},
        {compressed, COUNT_OF(compressed), draft_has(d, TRAIT_COMPRESSED)},
        {linear, COUNT_OF(linear), layers_of_mix(d, MIX_LINEAR) > 0},
        {mamba, COUNT_OF(mamba), has_blocks(d)},
        {window, COUNT_OF(window), layers_of_mix(d, MIX_WINDOW) > 0},
        {conv, COUNT_OF(conv), layers_of_mix(d, MIX_CONV) > 0},
        {blocks, COUNT_OF(blocks), has_blocks(d) && layers_of_feed(d, FEED_EXPERTS) > 0},
        {experts, COUNT_OF(experts), moe},
        {dense, COUNT_OF(dense), any_dense && (d->n_plan > 0 || !moe)},
    };
    Buf b;
    buf_init(&b, 600);
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        for (size_t k = 0; lists[i].wanted && k < lists[i].n; k++) add_missing(d, &b, lists[i].fields[k]);
    }
    bool complete = b.length == 0;
    if (!complete) err_set(e, ERR_USAGE, "missing: %s", b.data);
    buf_free(&b);
    return complete;
}

static bool check_sense(const ModelDraft *d, Err *e) {
    const Model *m = &d->m;
    if (has_blocks(d) && (double)strlen(d->listed_mix) != m->layers)
        return err_set(e, ERR_USAGE, "'hybrid_override_pattern' is not as long as the %.0f layers",
                       m->layers);
    if (m->kv_heads > m->heads)
        return err_set(e, ERR_USAGE, "%.0f KV heads for %.0f heads", m->kv_heads, m->heads);
    if (d->borrowing >= m->layers)
        return err_set(e, ERR_USAGE, "%.0f of %.0f layers use the keys and values of earlier ones",
                       d->borrowing, m->layers);
    if (!is_moe(d)) return true;
    if (m->experts_per_token > m->experts)
        return err_set(e, ERR_USAGE, "%.0f experts per token of %.0f", m->experts_per_token, m->experts);
    return true;
}

// ---------------------------------------------------------------- counts

static double vision_params(ModelDraft *d) {
    if (d->tensors != NULL && d->tensors->vision_elements > 0 && !d->tensors->packed)
        return d->tensors->vision_elements;
    if (!d->vision) return 0;
    if (!is_known(d->vision_layers) || !is_known(d->vision_width)) {
        draft_warn(d, "the size of the vision tower is not stated and is left out");
        return 0;
    }
    double width = d->vision_width;
    double wide = is_known(d->vision_ffn) ? d->vision_ffn : 4 * width;
    double patches = 4096 * width + 3 * 14 * 14 * width;  // positions and patches of a common size
    double merger = (4 * width) * (4 * width) + 4 * width * d->m.hidden;
    return d->vision_layers * (4 * width * width + 2 * width * wide) + patches +
           (1 + d->vision_mergers) * merger;
}

// What all parts come to. Bytes are those of the file's quantisation.
typedef struct Sums {
    double total, routed, table, lookup, vision;
    double bytes, routed_bytes, table_bytes, lookup_bytes;
    double by_scheme[SCHEMES_MAX], quantised;  // weights
} Sums;

static void sum_parts(ModelDraft *d, int layer, const Parts *p, Sums *s) {
    for (size_t i = 0; i < p->n; i++) {
        const Part *part = &p->list[i];
        int scheme = quant_scheme(&d->quant, layer, part);
        double bytes = part->weights * (scheme >= 0 ? d->quant.schemes[scheme].bits : 16) / 8;
        s->total += part->weights;
        s->bytes += bytes;
        if (scheme >= 0) s->by_scheme[scheme] += part->weights, s->quantised += part->weights;
        if (part->kind == PART_ROUTED || part->kind == PART_ROUTED_SMALL)
            s->routed += part->weights, s->routed_bytes += bytes;
        if (part->kind == PART_TABLE) s->table += part->weights, s->table_bytes += bytes;
        if (part->kind == PART_LOOKUP) s->lookup += part->weights, s->lookup_bytes += bytes;
        if (part->kind == PART_VISION) s->vision += part->weights;
    }
}

static Sums sum_model(ModelDraft *d) {
    Sums s = {0};
    Parts p;
    for (size_t i = 0; i < d->n_plan; i++) {
        layer_parts(d, &d->plan[i], &p);
        sum_parts(d, (int)i, &p, &s);
    }
    outer_parts(d, &p);
    sum_parts(d, -1, &p, &s);
    return s;
}

// Layers that predict further tokens: each like the last, and the projection of embedding and hidden state
// into it.
static double draft_params(ModelDraft *d) {
    const TensorTotals *t = d->tensors;
    if (t != NULL && t->mtp_elements > 0 && !t->packed) return t->mtp_elements;
    if (or_zero(d->nextn) == 0 || has_blocks(d) || d->n_plan == 0) return (double)NAN;
    Parts p;
    double one = 2 * d->m.hidden * d->m.hidden;
    layer_parts(d, &d->plan[d->n_plan - 1], &p);
    for (size_t i = 0; i < p.n; i++) one += p.list[i].weights;
    return d->nextn * one;
}

static void count_params(ModelDraft *d, const Sums *s) {
    Model *m = &d->m;
    const TensorTotals *t = d->tensors;
    bool moe = layers_of_feed(d, FEED_EXPERTS) > 0;
    m->params_total = s->total;
    if (moe) m->params_expert_routed = s->routed;
    if (t != NULL && !t->packed) {
        double held = t->elements - t->mtp_elements;
        if (fabs(held / s->total - 1) > 0.02)
            draft_warn(
                d, "the weight files hold %.3g billion parameters, the shape gives %.3g: the files are taken",
                held / 1e9, s->total / 1e9);
        m->params_total = held;
        if (moe && t->expert_elements > 0) m->params_expert_routed = t->expert_elements;
    }
    if (s->vision > 0) {
        m->params_vision = s->vision;
        m->family = "vision-language";
    }
    m->params_active = m->params_total - s->vision - s->lookup -
                       or_zero(m->params_expert_routed) * (moe ? 1 - m->experts_per_token / m->experts : 0);
    m->params_input_embedding = s->table;
    m->params_lookup = s->lookup > 0 ? s->lookup : (double)NAN;
    m->params_mtp = draft_params(d);
}

// ---------------------------------------------------------------- cache

// Elements that a layer keeps of a token that it keeps whole.
static double kept_full(const ModelDraft *d) {
    const Model *m = &d->m;
    if (is_known(m->kv_lora_rank)) return m->kv_lora_rank + m->qk_rope_head_dim;
    HeadShape s = heads_full(d);
    return s.kv_heads * (s.k_dim + s.v_dim);
}

static double pair_flops(const ModelDraft *d, HeadShape s) {
    const Model *m = &d->m;
    if (is_known(m->kv_lora_rank))
        return 2 * m->heads * (m->qk_nope_head_dim + m->qk_rope_head_dim + m->v_head_dim);
    return 2 * s.heads * (s.k_dim + s.v_dim);
}

static double state_elements(const ModelDraft *d) {
    double linear = d->linear_value_heads * d->linear_value_dim * d->linear_key_dim +
                    (d->linear_conv - 1) * linear_mixed(d);
    double mamba = d->mamba_heads * d->mamba_head_dim * d->mamba_state + (d->mamba_conv - 1) * mamba_mixed(d);
    double n = 0;
    if (layers_of_mix(d, MIX_LINEAR) > 0) n += layers_of_mix(d, MIX_LINEAR) * linear;
    if (layers_of_mix(d, MIX_MAMBA) > 0) n += layers_of_mix(d, MIX_MAMBA) * mamba;
    if (layers_of_mix(d, MIX_CONV) > 0) n += layers_of_mix(d, MIX_CONV) * d->conv_cache * d->m.hidden;
    return n;
}

// The cache of DeepSeek-V4: keys are values; a window in each layer, and an entry for every few tokens.
static void count_compressed(ModelDraft *d) {
    Model *m = &d->m;
    double sparse = layers_of_mix(d, MIX_SPARSE);
    double pooled = layers_of_mix(d, MIX_POOLED);
    m->attention = "hybrid";
    m->kv_full_layers = sparse + pooled;
    m->kv_window_layers = m->layers;
    m->kv_bytes_per_token_bf16 =
        2 * m->head_dim * (sparse / mix_ratio(MIX_SPARSE) + pooled / mix_ratio(MIX_POOLED));
    m->kv_window_bytes_per_token_bf16 = 2 * m->head_dim * m->layers;
    // the indexer's keys, in four bits
    m->kv_extra_bytes_per_token = sparse * d->index_dim / 2 / mix_ratio(MIX_SPARSE);
    m->attn_flops_per_pair_window = m->layers * 4 * m->heads * m->head_dim;
    m->attn_flops_per_pair_full =
        4 * m->heads * m->head_dim * (sparse / mix_ratio(MIX_SPARSE) + pooled / mix_ratio(MIX_POOLED));
    m->index_flops_per_pair = sparse * 2 * d->index_heads * d->index_dim / mix_ratio(MIX_SPARSE);
    m->kv_sparse_bytes_per_token_bf16 = 2 * m->head_dim * sparse / mix_ratio(MIX_SPARSE);
    m->sparse_tokens = d->index_topk * mix_ratio(MIX_SPARSE);
    m->state_elements_per_seq = sparse * 2 * mix_ratio(MIX_SPARSE) * 2 * (m->head_dim + d->index_dim) +
                                pooled * 2 * mix_ratio(MIX_POOLED) * m->head_dim;
}

static double count_indexed(const ModelDraft *d) {
    double n = 0;
    for (size_t i = 0; i < d->n_plan; i++) n += d->plan[i].indexed && d->plan[i].mix == MIX_FULL;
    return n;
}

// Keys of the indexer: 8 bits and a scale for 128, or 16 bits, kept for several tokens at once where they are pooled;
// what layers of sparse attention read of their cache, and what choosing it computes.
static void count_sparse(ModelDraft *d) {
    Model *m = &d->m;
    double pool = is_known(d->index_pool) ? d->index_pool : is_known(d->index_ratio) ? d->index_ratio : 1;
    double indexed = count_indexed(d) / pool, layers = 0;
    for (size_t i = 0; i < d->n_plan; i++)
        layers +=
            d->plan[i].mix == MIX_FULL && !d->plan[i].borrows && (d->plan[i].indexed || d->index_shared);
    m->kv_extra_bytes_per_token = indexed * d->index_dim * (draft_has(d, TRAIT_INDEX_16) ? 2 : 1 + 4 / 128.0);
    m->index_flops_per_pair = indexed * 2 * d->index_heads * d->index_dim;
    m->kv_sparse_bytes_per_token_bf16 = layers * kept_full(d) * 2;
    m->sparse_tokens = d->index_topk * (is_known(d->index_block) ? d->index_block : 1);
}

static void count_cache(ModelDraft *d, const Kinds *k) {
    Model *m = &d->m;
    double keeping_full = 0, keeping_window = 0;
    for (size_t i = 0; i < d->n_plan; i++) {
        keeping_full += d->plan[i].mix == MIX_FULL && !d->plan[i].borrows;
        keeping_window += d->plan[i].mix == MIX_WINDOW && !d->plan[i].borrows;
    }
    m->kv_full_layers = k->full;
    m->kv_window_layers = k->window;
    m->linear_layers = k->linear;
    if (k->window > 0)
        m->sliding_pattern = pattern_of(d, k);
    else
        m->sliding_window = (double)NAN;
    if (draft_has(d, TRAIT_COMPRESSED)) {
        count_compressed(d);
        return;
    }
    bool latent = is_known(m->kv_lora_rank);
    HeadShape window = heads_window(d);
    if (is_known(d->index_dim) && is_known(d->index_heads)) count_sparse(d);
    m->kv_bytes_per_token_bf16 = keeping_full * kept_full(d) * 2;
    m->kv_window_bytes_per_token_bf16 =
        keeping_window > 0 ? keeping_window * window.kv_heads * (window.k_dim + window.v_dim) * 2 : 0;
    m->attn_flops_per_pair_full = k->full * pair_flops(d, heads_full(d));
    m->attn_flops_per_pair_window = k->window > 0 ? k->window * pair_flops(d, window) : 0;
    if (!latent && m->v_head_dim == m->head_dim) m->v_head_dim = (double)NAN;
    double state = state_elements(d);
    if (state == 0) return;
    m->attention = "hybrid";
    m->state_elements_per_seq = state;
}

// ---------------------------------------------------------------- bytes

static bool is_float32(Dtype dtype) {
    return dtype == DTYPE_FP32 || dtype == DTYPE_FP64 || dtype == DTYPE_TF32;
}

// The scheme of most weights.
static int main_scheme(const ModelDraft *d, const Sums *s) {
    int best = SCHEME_NONE;
    for (int i = 0; i < d->quant.n_schemes; i++) {
        if (s->by_scheme[i] > (best < 0 ? 0 : s->by_scheme[best])) best = i;
    }
    return best;
}

// "nvfp4 g16 (modelopt), 12 % of the weights fp8 (modelopt), 9 % in 16 bits".
static void describe(ModelDraft *d, const Sums *s, int main) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    buf_puts(&b, d->quant.schemes[main].text);
    for (int i = 0; i < d->quant.n_schemes; i++) {
        double share = s->by_scheme[i] / s->total;
        if (i != main && share >= 0.001)
            buf_printf(&b, ", %.2g %% of the weights %s", 100 * share, d->quant.schemes[i].text);
    }
    double plain = 1 - s->quantised / s->total;
    if (plain >= 0.001) buf_printf(&b, ", %.2g %% in 16 bits", 100 * plain);
    d->m.native_quantization = buf_take(&b, d->arena);
}

static void weigh_files(ModelDraft *d, const Sums *s) {
    Model *m = &d->m;
    const TensorTotals *t = d->tensors;
    m->weight_bytes_native = t->bytes - t->mtp_bytes;
    m->expert_bytes_native = is_moe(d) ? t->expert_bytes : 0;
    m->embedding_bytes_native = m->tied_embeddings ? 0 : t->embedding_bytes;
    // The configuration of GGUF says nothing of types.
    double apart = m->weight_bytes_native / s->bytes - 1;
    if (!d->gguf && d->quant.n_schemes > 0 && fabs(apart) > 0.01) {
        draft_warn(d, "the weight files hold %.4g GB, its configuration gives %.4g: the files are taken",
                   m->weight_bytes_native / 1e9, s->bytes / 1e9);
    }
}

static void weigh(ModelDraft *d, const Sums *s) {
    Model *m = &d->m;
    const TensorTotals *t = d->tensors;
    int scheme = main_scheme(d, s);
    Dtype held = t != NULL ? tensors_main_dtype(t) : DTYPE_UNKNOWN;
    Dtype dtype = scheme >= 0                 ? d->quant.schemes[scheme].dtype
                  : held != DTYPE_UNKNOWN     ? held
                  : d->dtype != DTYPE_UNKNOWN ? d->dtype
                                              : DTYPE_BF16;
    m->native_quantization = d->quant.text;
    if (scheme >= 0) describe(d, s, scheme);
    if (is_float32(dtype)) {
        draft_warn(d, "the weights are stored in 32 bits: taken in 16, as serving engines load them");
        m->weights_native = DTYPE_BF16;
        m->weight_bytes_native = 2 * m->params_total;
        return;
    }
    m->weights_native = dtype;
    if (t != NULL) {
        weigh_files(d, s);
        return;
    }
    m->weight_bytes_native = s->bytes;
    if (is_moe(d)) m->expert_bytes_native = s->routed_bytes;
    m->lookup_bytes_native = s->lookup_bytes;
}

bool draft_finish(ModelDraft *d, Err *e) {
    d->m.family = "dense";
    settle_defaults(d);
    settle_heads(d);
    layers_plan(d);
    settle_experts(d);
    Kinds kinds = kinds_of(d);
    if (!check_missing(d, e) || !check_sense(d, e)) return false;
    double vision = vision_params(d);
    if (vision > 0) d->m.params_vision = vision;
    Sums sums = sum_model(d);
    if (d->quant.n_schemes > 0 && d->quant.budget < 0)
        return err_set(e, ERR_USAGE, "the quantisation names too many patterns of modules");
    if (d->quant.strange)
        draft_warn(d, "a pattern of the quantisation is written in a way that is not read: bytes may be off");
    count_params(d, &sums);
    count_cache(d, &kinds);
    weigh(d, &sums);
    model_complete(&d->m);
    return draft_check(d, e);
}
