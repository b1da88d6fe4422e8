// From what a file says of a model to its parameters, cache and bytes. Formulas: src/perf/model.c for the matrices; here
// what differs by family (windows with heads of their own, Gated DeltaNet layers, norms, biases), as counted for data/models.tsv.
#include <math.h>
#include <string.h>

#include "catalog/model_file.h"
#include "src/perf/perf.h"

static double or_zero(double x) { return is_known(x) ? x : 0; }

static void fill(double *x, double value) {
    if (!is_known(*x)) *x = value;
}

static bool has(const ModelDraft *d, unsigned trait) { return (d->family->traits & trait) != 0; }

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
    m->ffn_matrices = has(d, TRAIT_PLAIN) ? 2 : 3;
    m->tied_embeddings = d->tied >= 0 ? d->tied : d->tensors != NULL ? !d->tensors->head : has(d, TRAIT_TIED);
    if (is_known(d->ffn_ratio)) fill(&m->intermediate, round(d->ffn_ratio * m->hidden));
    if (has(d, TRAIT_FFN_4H)) fill(&m->intermediate, 4 * m->hidden);
}

static void settle_heads(ModelDraft *d) {
    Model *m = &d->m;
    bool latent = has(d, TRAIT_MLA) || (d->family == family_assumed() && is_known(m->kv_lora_rank) && is_known(m->qk_nope_head_dim));
    if (latent) {
        m->attention = "mla";
        m->kv_heads = m->heads;
        m->head_dim = (double)NAN;
        return;
    }
    m->kv_lora_rank = m->q_lora_rank = m->qk_nope_head_dim = m->qk_rope_head_dim = (double)NAN;
    fill(&m->kv_heads, has(d, TRAIT_MULTI_QUERY) ? 1 : m->heads);
    if (is_known(m->heads) && fmod(m->hidden, m->heads) == 0) fill(&m->head_dim, m->hidden / m->heads);
    if (!is_known(m->v_head_dim)) m->v_head_dim = m->head_dim;
    m->attention = m->kv_heads < m->heads ? "gqa" : "mha";
}

// Layers with experts, from the rules of the configurations: behind the first dense ones, each `moe_every`-th.
static double moe_layers(const ModelDraft *d) {
    const Model *m = &d->m;
    if (!is_moe(d)) return 0;
    if (has_blocks(d)) return d->blocks.moe;
    if (is_known(d->listed_moe)) return d->listed_moe;
    if (d->tensors != NULL && tensors_moe_layers(d->tensors) > 0) return tensors_moe_layers(d->tensors);
    int every = is_known(m->moe_every) ? (int)m->moe_every : 1;
    int layers = (int)or_zero(m->layers);
    int n = 0;
    for (int i = (int)or_zero(m->dense_layers_first); i < layers; i++) n += (i + 1) % every == 0;
    return n;
}

static void settle_experts(ModelDraft *d) {
    Model *m = &d->m;
    double n = moe_layers(d);
    if (n == 0) {
        m->experts = m->experts_per_token = m->shared_experts = m->moe_intermediate = m->shared_intermediate = (double)NAN;
        m->dense_layers_first = m->moe_every = (double)NAN;
        return;
    }
    m->family = "moe";
    if (!is_known(m->moe_intermediate) && (has(d, TRAIT_EXPERT_FFN) || d->family == family_assumed())) {
        m->moe_intermediate = m->intermediate;
        m->intermediate = d->dense_width;
    }
    bool beside = has(d, TRAIT_DENSE_BESIDE);
    if (beside) m->shared_experts = 1, m->shared_intermediate = m->intermediate;
    if (!is_known(m->shared_experts)) m->shared_experts = is_known(m->shared_intermediate) ? 1 : 0;
    if (m->shared_experts == 0) m->shared_intermediate = (double)NAN;
    if (m->shared_experts > 0) fill(&m->shared_intermediate, m->shared_experts * m->moe_intermediate);
    // The pair that the formulas of src/perf take must give the same number of layers.
    double first = or_zero(m->dense_layers_first);
    double every = is_known(m->moe_every) ? m->moe_every : 1;
    if (has_blocks(d)) {
        m->dense_layers_first = 0;
        if (d->blocks.ffn == 0) m->intermediate = (double)NAN;
        return;
    }
    if (floor((m->layers - first) / every) != n) first = m->layers - n, every = 1;
    m->dense_layers_first = first;
    m->moe_every = every;
    if (n == m->layers) m->intermediate = (double)NAN;
}

// The same from the pair.
static double settled_moe_layers(const ModelDraft *d) {
    if (!is_moe(d)) return 0;
    return has_blocks(d) ? d->blocks.moe : floor((d->m.layers - d->m.dense_layers_first) / d->m.moe_every);
}

// ---------------------------------------------------------------- kinds of layers

typedef struct HeadShape {
    double kv_heads, k_dim, v_dim;
    bool k_is_v;  // one projection for both
} HeadShape;

typedef struct Kinds {
    double full, window, linear;  // layers
    HeadShape full_heads, window_heads;
} Kinds;

static double windowed_layers(const ModelDraft *d) {
    const Model *m = &d->m;
    bool reaches = is_known(m->sliding_window) && !(m->sliding_window >= m->max_context);
    if (is_known(d->listed_window)) return reaches || !is_known(m->sliding_window) ? d->listed_window : 0;
    if (!reaches) return 0;
    double every = is_known(d->window_every) ? d->window_every : d->family->window_every;
    switch (d->family->window) {
    case WINDOW_ALL: return m->layers;
    case WINDOW_EVERY: return m->layers - floor(m->layers / every);
    case WINDOW_SWITCHED: return d->use_window == 1 && is_known(d->window_from) ? fmax(0, m->layers - d->window_from) : 0;
    case WINDOW_NONE: break;
    }
    return 0;
}

static Kinds kinds_of(const ModelDraft *d) {
    const Model *m = &d->m;
    if (has_blocks(d)) return (Kinds){.full = d->blocks.attention, .linear = d->blocks.mamba, .full_heads = {m->kv_heads, m->head_dim, m->v_head_dim, false}};
    Kinds k = {.linear = is_known(d->listed_linear) ? d->listed_linear : is_known(d->full_every) ? m->layers - floor(m->layers / d->full_every) : 0};
    k.window = windowed_layers(d);
    k.full = m->layers - k.window - k.linear;
    double full_dim = is_known(d->full_head_dim) ? d->full_head_dim : m->head_dim;
    double window_dim = is_known(d->window_head_dim) ? d->window_head_dim : m->head_dim;
    k.full_heads = (HeadShape){.kv_heads = is_known(d->full_kv_heads) ? d->full_kv_heads : m->kv_heads, .k_dim = full_dim,
                               .v_dim = is_known(d->full_head_dim) ? full_dim : m->v_head_dim, .k_is_v = d->k_is_v == 1};
    k.window_heads = (HeadShape){.kv_heads = is_known(d->window_kv_heads) ? d->window_kv_heads : m->kv_heads, .k_dim = window_dim,
                                 .v_dim = is_known(d->window_v_dim) ? d->window_v_dim : m->v_head_dim};
    return k;
}

static const char *pattern_of(const ModelDraft *d, const Kinds *k) {
    if (k->full == 0) return "all layers";
    double ratio = k->window / k->full;
    if (floor(ratio) >= 1 && floor(d->m.layers / (floor(ratio) + 1)) == k->full) return arena_printf(d->arena, "%.0f:1", floor(ratio));
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
    if (str_next(&rest, ' ', &name)) buf_printf(b, "%s%s%.*s", b->length > 0 ? ", " : "", d->key_prefix, (int)name.length, name.data);
}

static bool check_missing(const ModelDraft *d, const Kinds *k, Err *e) {
    static const size_t always[] = {offsetof(ModelDraft, m.layers), offsetof(ModelDraft, m.hidden), offsetof(ModelDraft, m.heads), offsetof(ModelDraft, m.vocab)};
    static const size_t latent[] = {offsetof(ModelDraft, m.kv_lora_rank), offsetof(ModelDraft, m.qk_nope_head_dim), offsetof(ModelDraft, m.qk_rope_head_dim), offsetof(ModelDraft, m.v_head_dim)};
    static const size_t linear[] = {offsetof(ModelDraft, linear_key_heads), offsetof(ModelDraft, linear_value_heads), offsetof(ModelDraft, linear_key_dim), offsetof(ModelDraft, linear_value_dim), offsetof(ModelDraft, linear_conv)};
    static const size_t mamba[] = {offsetof(ModelDraft, mamba_heads), offsetof(ModelDraft, mamba_head_dim), offsetof(ModelDraft, mamba_state), offsetof(ModelDraft, mamba_groups), offsetof(ModelDraft, mamba_conv)};
    static const size_t experts[] = {offsetof(ModelDraft, m.experts_per_token), offsetof(ModelDraft, m.moe_intermediate)};
    Buf b;
    buf_init(&b, 600);
    for (size_t i = 0; i < COUNT_OF(always); i++) add_missing(d, &b, always[i]);
    for (size_t i = 0; is_mla(d) && i < COUNT_OF(latent); i++) add_missing(d, &b, latent[i]);
    if (!is_mla(d) && is_known(d->m.heads) && is_known(d->m.hidden)) add_missing(d, &b, offsetof(ModelDraft, m.head_dim));
    for (size_t i = 0; k->linear > 0 && !has_blocks(d) && i < COUNT_OF(linear); i++) add_missing(d, &b, linear[i]);
    for (size_t i = 0; has_blocks(d) && i < COUNT_OF(mamba); i++) add_missing(d, &b, mamba[i]);
    if (k->window > 0) add_missing(d, &b, offsetof(ModelDraft, m.sliding_window));
    if (has_blocks(d) && d->blocks.moe > 0) add_missing(d, &b, offsetof(ModelDraft, m.experts));
    for (size_t i = 0; is_moe(d) && i < COUNT_OF(experts); i++) add_missing(d, &b, experts[i]);
    bool dense = has_blocks(d) ? d->blocks.ffn > 0 : !is_moe(d) || d->m.dense_layers_first > 0 || d->m.moe_every > 1;
    if (dense) add_missing(d, &b, offsetof(ModelDraft, m.intermediate));
    bool complete = b.length == 0;
    if (!complete) err_set(e, ERR_USAGE, "missing: %s", b.data);
    buf_free(&b);
    return complete;
}

static bool check_sense(const ModelDraft *d, const Kinds *k, Err *e) {
    const Model *m = &d->m;
    if (has_blocks(d) && d->blocks.mamba + d->blocks.attention + d->blocks.ffn + d->blocks.moe != m->layers) return err_set(e, ERR_USAGE, "'hybrid_override_pattern' is not as long as the %.0f layers", m->layers);
    if (m->kv_heads > m->heads) return err_set(e, ERR_USAGE, "%.0f KV heads for %.0f heads", m->kv_heads, m->heads);
    if (k->full < 0) return err_set(e, ERR_USAGE, "more windowed or linear layers than the %.0f layers", m->layers);
    if (!is_moe(d)) return true;
    if (m->experts_per_token > m->experts) return err_set(e, ERR_USAGE, "%.0f experts per token of %.0f", m->experts_per_token, m->experts);
    if (m->dense_layers_first < 0) return err_set(e, ERR_USAGE, "more layers with experts than the %.0f layers", m->layers);
    return true;
}

// ---------------------------------------------------------------- counts

static double attention_params(const ModelDraft *d, HeadShape s) {
    double q = d->m.heads * s.k_dim * (has(d, TRAIT_GATED_QUERY) ? 2 : 1);
    return d->m.hidden * (q + s.kv_heads * (s.k_dim + (s.k_is_v ? 0 : s.v_dim)) + d->m.heads * s.v_dim);
}

// A Gated DeltaNet layer.
static double linear_params(const ModelDraft *d) {
    double keys = d->linear_key_heads * d->linear_key_dim;
    double values = d->linear_value_heads * d->linear_value_dim;
    return d->m.hidden * (2 * keys + 2 * values) + 2 * d->m.hidden * d->linear_value_heads + d->linear_conv * (2 * keys + values) + values * d->m.hidden +
           2 * d->linear_value_heads + d->linear_value_dim;
}

static double indexer_params(const ModelDraft *d) {
    if (!is_known(d->index_heads) || !is_known(d->index_dim)) return 0;
    double from = is_known(d->m.q_lora_rank) ? d->m.q_lora_rank : d->m.hidden;
    return from * d->index_heads * d->index_dim + d->m.hidden * d->index_dim + d->m.hidden * d->index_heads;
}

static double indexed_layers(const ModelDraft *d) { return is_known(d->listed_index) ? d->listed_index : d->m.layers; }

// Norms, biases, gates and tables of positions: everything that is no matrix of src/perf.
static double small_params(const ModelDraft *d) {
    const Model *m = &d->m;
    double norm = m->hidden * (has(d, TRAIT_NORM_BIAS) ? 2 : 1);
    double layer = norm * (has(d, TRAIT_NORM_ONE) ? 1 : has(d, TRAIT_NORM_FOUR) ? 4 : 2);
    double moe = settled_moe_layers(d);
    bool all_biased = d->attention_bias == 1;
    if (is_mla(d)) {
        layer += or_zero(m->q_lora_rank) + m->kv_lora_rank;
    } else {
        if (has(d, TRAIT_QK_NORM)) layer += 2 * m->head_dim;
        if (has(d, TRAIT_BIAS_QKV) || all_biased) layer += m->head_dim * (m->heads + 2 * m->kv_heads);
        if (has(d, TRAIT_BIAS_OUT)) layer += m->hidden;
        if (has(d, TRAIT_SINKS)) layer += m->heads;
    }
    double total = m->layers * layer + norm + indexed_layers(d) * indexer_params(d);
    if (has(d, TRAIT_BIAS_FFN)) total += (m->layers - moe) * ((m->ffn_matrices - 1) * or_zero(m->intermediate) + m->hidden);
    if (has(d, TRAIT_BIAS_EXPERT)) total += moe * m->experts;
    if (has(d, TRAIT_SHARED_GATE) && moe > 0) total += moe * m->hidden;
    if (has(d, TRAIT_POSITIONS)) total += or_zero(m->max_context) * m->hidden;
    return total;
}

static double expert_bias_params(const ModelDraft *d, double moe) {
    return has(d, TRAIT_BIAS_EXPERT) ? moe * d->m.experts * ((d->m.ffn_matrices - 1) * d->m.moe_intermediate + d->m.hidden) : 0;
}

static double vision_params(ModelDraft *d) {
    if (d->tensors != NULL && d->tensors->vision_elements > 0 && !d->tensors->packed) return d->tensors->vision_elements;
    if (!d->vision) return 0;
    if (!is_known(d->vision_layers) || !is_known(d->vision_width)) {
        draft_warn(d, "the size of the vision tower is not stated and is left out");
        return 0;
    }
    double width = d->vision_width;
    double wide = is_known(d->vision_ffn) ? d->vision_ffn : 4 * width;
    double patches = 4096 * width + 3 * 14 * 14 * width;  // positions and patches of a common size
    return d->vision_layers * (4 * width * width + 2 * width * wide) + patches + (4 * width) * (4 * width) + 4 * width * d->m.hidden;
}

// Embeddings that every layer looks up for itself.
static double per_layer_params(const ModelDraft *d) {
    return is_known(d->per_layer_width) ? d->per_layer_width * d->m.layers * (is_known(d->per_layer_vocab) ? d->per_layer_vocab : d->m.vocab) : 0;
}

// Every matrix, from the formulas of src/perf and what they do not know.
static double matrix_params(const ModelDraft *d, const Kinds *k) {
    Model plain = d->m;
    if (has_blocks(d)) return blocks_params(d);
    if (!is_mla(d)) plain.attention = "gqa";
    double total = model_params_from_shape(&plain);
    if (is_mla(d)) return total;
    double base = plain.hidden * plain.head_dim * (2 * plain.heads + 2 * plain.kv_heads);
    total += k->full * (attention_params(d, k->full_heads) - base);
    if (k->window > 0) total += k->window * (attention_params(d, k->window_heads) - base);
    if (k->linear > 0) total += k->linear * (linear_params(d) - base);
    return total;
}

static void count_params(ModelDraft *d, const Kinds *k) {
    Model *m = &d->m;
    const TensorTotals *t = d->tensors;
    double moe = settled_moe_layers(d);
    double vision = vision_params(d);
    double biases = moe > 0 ? expert_bias_params(d, moe) : 0;
    double total = matrix_params(d, k) + small_params(d) + biases + per_layer_params(d) + vision;
    if (moe > 0) m->params_expert_routed = has_blocks(d) ? blocks_routed_params(d) : moe * m->experts * m->ffn_matrices * m->hidden * m->moe_intermediate + biases;
    if (t != NULL && !t->packed) {
        double held = t->elements - t->mtp_elements;
        if (fabs(held / total - 1) > 0.02) draft_warn(d, "the weight files hold %.3g billion parameters, the shape gives %.3g: the files are taken", held / 1e9, total / 1e9);
        total = held;
        if (moe > 0 && t->expert_elements > 0) m->params_expert_routed = t->expert_elements;
    }
    m->params_total = total;
    if (vision > 0) {
        m->params_vision = vision;
        m->family = "vision-language";
    }
    m->params_active = total - vision - or_zero(m->params_expert_routed) * (moe > 0 ? 1 - m->experts_per_token / m->experts : 0);
    m->params_input_embedding = (m->tied_embeddings ? 0 : m->vocab * m->hidden) + per_layer_params(d);
    if (t != NULL && t->mtp_elements > 0 && !t->packed) {
        m->params_mtp = t->mtp_elements;
    } else if (or_zero(d->nextn) > 0 && !has_blocks(d)) {  // a layer like the last and the projection of embedding and hidden state into it
        Model one = *m;
        one.layers = 1, one.dense_layers_first = 0, one.moe_every = 1, one.vocab = 0;
        if (!is_mla(d)) one.attention = "gqa";
        m->params_mtp = d->nextn * (model_params_from_shape(&one) + 2 * m->hidden * m->hidden);
    }
}

static void count_cache(ModelDraft *d, const Kinds *k) {
    Model *m = &d->m;
    m->kv_full_layers = k->full;
    m->kv_window_layers = k->window;
    m->linear_layers = k->linear;
    if (k->window > 0) {
        m->sliding_pattern = pattern_of(d, k);
    } else {
        m->sliding_window = (double)NAN;
    }
    if (is_known(d->index_dim) && is_known(d->index_heads)) m->kv_extra_bytes_per_token = indexed_layers(d) * (d->index_dim + 4 * d->index_dim / 128);
    if (is_mla(d)) return;  // src/perf counts it
    m->kv_bytes_per_token_bf16 = k->full * k->full_heads.kv_heads * (k->full_heads.k_dim + k->full_heads.v_dim) * 2;
    m->kv_window_bytes_per_token_bf16 = k->window > 0 ? k->window * k->window_heads.kv_heads * (k->window_heads.k_dim + k->window_heads.v_dim) * 2 : 0;
    m->attn_flops_per_pair_full = k->full * 2 * m->heads * (k->full_heads.k_dim + k->full_heads.v_dim);
    m->attn_flops_per_pair_window = k->window > 0 ? k->window * 2 * m->heads * (k->window_heads.k_dim + k->window_heads.v_dim) : 0;
    if (m->v_head_dim == m->head_dim) m->v_head_dim = (double)NAN;
    if (k->linear == 0) return;
    m->attention = "hybrid";
    if (has_blocks(d)) {
        m->state_elements_per_seq = blocks_state(d);
        return;
    }
    double keys = d->linear_key_heads * d->linear_key_dim;
    double values = d->linear_value_heads * d->linear_value_dim;
    m->state_elements_per_seq = k->linear * (values * d->linear_key_dim + (d->linear_conv - 1) * (2 * keys + values));
}

// ---------------------------------------------------------------- bytes

static bool is_float32(Dtype dtype) { return dtype == DTYPE_FP32 || dtype == DTYPE_FP64 || dtype == DTYPE_TF32; }

static void weigh(ModelDraft *d) {
    Model *m = &d->m;
    const TensorTotals *t = d->tensors;
    Dtype main = t != NULL ? tensors_main_dtype(t) : DTYPE_UNKNOWN;
    Dtype dtype = d->quant.dtype != DTYPE_UNKNOWN ? d->quant.dtype : main != DTYPE_UNKNOWN ? main : d->dtype != DTYPE_UNKNOWN ? d->dtype : DTYPE_BF16;
    m->native_quantization = d->quant.text;
    if (is_float32(dtype)) {
        draft_warn(d, "the weights are stored in 32 bits: taken in 16, as serving engines load them");
        m->weights_native = DTYPE_BF16;
        m->weight_bytes_native = 2 * m->params_total;
        return;
    }
    m->weights_native = (int)dtype;
    if (t != NULL) {
        m->weight_bytes_native = t->bytes - t->mtp_bytes;
        m->expert_bytes_native = is_moe(d) ? t->expert_bytes : 0;
        m->embedding_bytes_native = m->tied_embeddings ? 0 : t->embedding_bytes;
        return;
    }
    if (d->quant.dtype == DTYPE_UNKNOWN) return;  // src/perf: parameters times bits
    double kept = fmin(m->params_total, m->vocab * m->hidden * (m->tied_embeddings ? 1 : 2) + or_zero(m->params_vision) + per_layer_params(d));
    bool routed_only = d->quant.experts_only && is_moe(d);
    double quantised = routed_only ? m->params_expert_routed : m->params_total - kept;
    m->weight_bytes_native = quantised * d->quant.bits / 8 + (m->params_total - quantised) * 2;
    if (is_moe(d)) m->expert_bytes_native = m->params_expert_routed * d->quant.bits / 8;
}

bool draft_finish(ModelDraft *d, Err *e) {
    d->m.family = "dense";
    settle_defaults(d);
    settle_heads(d);
    settle_experts(d);
    Kinds kinds = kinds_of(d);
    if (!check_missing(d, &kinds, e) || !check_sense(d, &kinds, e)) return false;
    count_params(d, &kinds);
    count_cache(d, &kinds);
    weigh(d);
    model_complete(&d->m);
    return draft_check(d, e);
}
