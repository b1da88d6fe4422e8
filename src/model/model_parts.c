// The modules with weights that a layer of each kind has, by the names of Hugging Face's files: the one list
// from which parameters and bytes are counted. Shapes from the model classes of huggingface/transformers
// 5.23.0 and from the models' own code.
#include <math.h>
#include <string.h>

#include "src/model/model.h"

static void add(Parts *p, const char *group, const char *name, PartKind kind, double weights) {
    if (!(weights > 0) || p->n == PARTS_MAX) return;
    p->list[p->n++] = (Part){group, name, kind, weights};
}

static const char *attention_of(const ModelDraft *d) {
    return d->family->attention_group != NULL ? d->family->attention_group : "self_attn";
}

static const char *ffn_of(const ModelDraft *d) {
    return d->family->ffn_group != NULL ? d->family->ffn_group : "mlp";
}

// ---------------------------------------------------------------- attention

HeadShape heads_full(const ModelDraft *d) {
    const Model *m = &d->m;
    double width = known_or(d->full_head_dim, m->head_dim);
    return (HeadShape){m->heads, known_or(d->full_kv_heads, m->kv_heads), width,
                       is_known(d->full_head_dim) ? width : m->v_head_dim, d->k_is_v == 1};
}

HeadShape heads_window(const ModelDraft *d) {
    const Model *m = &d->m;
    double width = known_or(d->window_head_dim, m->head_dim);
    double v = is_known(d->window_v_dim)                                      ? d->window_v_dim
               : is_known(d->window_head_dim) && m->v_head_dim == m->head_dim ? width
                                                                              : m->v_head_dim;
    return (HeadShape){known_or(d->window_heads, m->heads), known_or(d->window_kv_heads, m->kv_heads), width,
                       v, false};
}

static void add_indexer(const ModelDraft *d, Parts *p, const char *group) {
    if (!is_known(d->index_heads) || !is_known(d->index_dim)) return;
    double from = is_known(d->m.q_lora_rank) ? d->m.q_lora_rank : d->m.hidden;
    add(p, group, "indexer.wq_b", PART_MATRIX, from * d->index_heads * d->index_dim);
    add(p, group, "indexer.wk", PART_MATRIX, d->m.hidden * d->index_dim);
    add(p, group, "indexer.weights_proj", PART_SMALL, d->m.hidden * d->index_heads);
    if (is_known(d->index_pool))
        add(p, group, "indexer.pool", PART_SMALL, d->index_dim * (d->m.hidden + d->index_pool));
}

// The gate on what an attention gives: one number a head, or as wide as the heads.
static void add_gate(const ModelDraft *d, Parts *p, const char *group, double heads, double v_dim) {
    if (draft_has(d, TRAIT_HEAD_GATE)) add(p, group, "g_proj", PART_SMALL, d->m.hidden * heads);
    if (draft_has(d, TRAIT_WIDE_GATE) || d->gated == 1)
        add(p, group, "gate_proj", PART_MATRIX, d->m.hidden * heads * v_dim);
}

static void add_plain(const ModelDraft *d, Parts *p, const Layer *l) {
    const Model *m = &d->m;
    const char *group = attention_of(d);
    HeadShape s = l->mix == MIX_WINDOW ? heads_window(d) : heads_full(d);
    bool biased = draft_has(d, TRAIT_BIAS_QKV) || d->attention_bias == 1;
    add(p, group, "q_proj", PART_MATRIX,
        m->hidden * s.heads * s.k_dim * (draft_has(d, TRAIT_GATED_QUERY) ? 2 : 1));
    if (!l->borrows) {
        add(p, group, "k_proj", PART_MATRIX, m->hidden * s.kv_heads * s.k_dim);
        if (!s.k_is_v) add(p, group, "v_proj", PART_MATRIX, m->hidden * s.kv_heads * s.v_dim);
    }
    add(p, group, "o_proj", PART_MATRIX, m->hidden * s.heads * s.v_dim);
    add_gate(d, p, group, s.heads, s.v_dim);
    if (biased) add(p, group, "bias", PART_SMALL, m->head_dim * (m->heads + 2 * m->kv_heads));
    if (draft_has(d, TRAIT_BIAS_OUT)) add(p, group, "bias", PART_SMALL, m->hidden);
    if (draft_has(d, TRAIT_SINKS)) add(p, group, "sinks", PART_SMALL, m->heads);
    if (draft_has(d, TRAIT_QK_NORM)) add(p, group, "norm", PART_SMALL, 2 * s.k_dim);
    if (is_known(d->relative_dim))
        add(p, group, "r_proj", PART_MATRIX, m->hidden * s.heads * d->relative_dim);
    if (l->indexed && l->mix != MIX_WINDOW) add_indexer(d, p, group);
}

static void add_latent(const ModelDraft *d, Parts *p, const Layer *l) {
    const Model *m = &d->m;
    const char *group = attention_of(d);
    double qk = m->qk_nope_head_dim + m->qk_rope_head_dim;
    if (is_known(m->q_lora_rank)) {
        add(p, group, "q_a_proj", PART_MATRIX, m->hidden * m->q_lora_rank);
        add(p, group, "q_b_proj", PART_MATRIX, m->q_lora_rank * m->heads * qk);
    } else {
        add(p, group, "q_proj", PART_MATRIX, m->hidden * m->heads * qk);
    }
    add(p, group, "kv_a_proj_with_mqa", PART_MATRIX, m->hidden * (m->kv_lora_rank + m->qk_rope_head_dim));
    add(p, group, "kv_b_proj", PART_MATRIX,
        m->kv_lora_rank * m->heads * (m->qk_nope_head_dim + m->v_head_dim));
    add(p, group, "o_proj", PART_MATRIX, m->heads * m->v_head_dim * m->hidden);
    add(p, group, "norm", PART_SMALL, or_zero(m->q_lora_rank) + m->kv_lora_rank);
    add_gate(d, p, group, m->heads, m->v_head_dim);
    if (draft_has(d, TRAIT_SINKS)) add(p, group, "sinks", PART_SMALL, m->heads);
    if (l->indexed) add_indexer(d, p, group);
}

// One key and value for all heads, kept in a window and, compressed, for every `ratio` tokens (DeepSeek-V4).
static void add_compressed(const ModelDraft *d, Parts *p, const Layer *l) {
    const Model *m = &d->m;
    const char *group = attention_of(d);
    double grouped = d->output_groups * d->output_rank;
    double twice = l->mix == MIX_SPARSE ? 2 : 1;  // overlapping blocks
    add(p, group, "q_a_proj wq_a", PART_MATRIX, m->hidden * m->q_lora_rank);
    add(p, group, "q_b_proj wq_b", PART_MATRIX, m->q_lora_rank * m->heads * m->head_dim);
    add(p, group, "kv_proj wkv", PART_MATRIX, m->hidden * m->head_dim);
    add(p, group, "o_a_proj wo_a", PART_MATRIX, m->heads * m->head_dim * d->output_rank);
    add(p, group, "o_b_proj wo_b", PART_MATRIX, grouped * m->hidden);
    add(p, group, "norm", PART_SMALL, m->q_lora_rank + m->head_dim + m->heads);
    if (l->mix == MIX_WINDOW) return;
    double ratio = mix_ratio(l->mix);
    add(p, group, "compressor", PART_SMALL, twice * m->head_dim * (2 * m->hidden + ratio) + m->head_dim);
    if (l->mix != MIX_SPARSE) return;
    add(p, group, "indexer.q_b_proj", PART_MATRIX, m->q_lora_rank * d->index_heads * d->index_dim);
    add(p, group, "indexer.compressor", PART_SMALL,
        2 * d->index_dim * (2 * m->hidden + ratio) + d->index_dim + m->hidden * d->index_heads);
}

// ---------------------------------------------------------------- recurrent layers

double linear_mixed(const ModelDraft *d) {
    return 2 * d->linear_key_heads * d->linear_key_dim + d->linear_value_heads * d->linear_value_dim;
}

double mamba_mixed(const ModelDraft *d) {
    return d->mamba_heads * d->mamba_head_dim + 2 * d->mamba_groups * d->mamba_state;
}

// Gated DeltaNet.
static void add_delta(const ModelDraft *d, Parts *p) {
    static const char *const group = "linear_attn";
    double hidden = d->m.hidden;
    double values = d->linear_value_heads * d->linear_value_dim;
    add(p, group, "in_proj_qkv", PART_MATRIX, hidden * linear_mixed(d));
    add(p, group, "in_proj_z", PART_MATRIX, hidden * values);
    add(p, group, "in_proj_b", PART_SMALL, hidden * d->linear_value_heads);
    add(p, group, "in_proj_a", PART_SMALL, hidden * d->linear_value_heads);
    add(p, group, "conv1d", PART_SMALL, d->linear_conv * linear_mixed(d));
    add(p, group, "out_proj", PART_MATRIX, values * hidden);
    add(p, group, "norm", PART_SMALL, 2 * d->linear_value_heads + d->linear_value_dim);
}

// Kimi Delta Attention: the decay has a gate a channel, through a narrow space or in full.
static void add_kimi_delta(const ModelDraft *d, Parts *p) {
    static const char *const group = "self_attn linear_attn";
    double hidden = d->m.hidden;
    double width = d->linear_value_heads * d->linear_value_dim;
    double narrow = (hidden + width) * d->linear_value_dim;
    bool full = draft_has(d, TRAIT_FULL_DECAY);
    add(p, group, "q_proj", PART_MATRIX, hidden * width);
    add(p, group, "k_proj", PART_MATRIX, hidden * width);
    add(p, group, "v_proj", PART_MATRIX, hidden * width);
    add(p, group, "f_proj", full ? PART_MATRIX : PART_SMALL, full ? hidden * width : narrow);
    add(p, group, "g_proj", full || d->full_gate == 1 ? PART_MATRIX : PART_SMALL,
        full || d->full_gate == 1 ? hidden * width : narrow);
    add(p, group, "b_proj", PART_SMALL, hidden * d->linear_value_heads);
    add(p, group, "conv1d", PART_SMALL, d->linear_conv * 3 * width);
    add(p, group, "norm", PART_SMALL, width + d->linear_value_heads + d->linear_value_dim);
    add(p, group, "o_proj", PART_MATRIX, width * hidden);
}

static void add_mamba(const ModelDraft *d, Parts *p) {
    double hidden = d->m.hidden;
    double inner = d->mamba_heads * d->mamba_head_dim;
    add(p, "mixer", "in_proj", PART_MATRIX, hidden * (inner + mamba_mixed(d) + d->mamba_heads));
    add(p, "mixer", "conv1d", PART_SMALL, (d->mamba_conv + 1) * mamba_mixed(d));
    add(p, "mixer", "out_proj", PART_MATRIX, inner * hidden);
    add(p, "mixer", "norm", PART_SMALL, 3 * d->mamba_heads + inner);
}

// A gated convolution over a few tokens (LFM2).
static void add_convolution(const ModelDraft *d, Parts *p) {
    add(p, "conv", "in_proj", PART_MATRIX, 3 * d->m.hidden * d->m.hidden);
    add(p, "conv", "conv", PART_SMALL, d->conv_cache * d->m.hidden);
    add(p, "conv", "out_proj", PART_MATRIX, d->m.hidden * d->m.hidden);
}

// ---------------------------------------------------------------- feed-forward

static void add_ffn(const ModelDraft *d, Parts *p, const char *const names[3], double width) {
    if (d->m.ffn_matrices > 2) add(p, ffn_of(d), names[0], PART_MATRIX, d->m.hidden * width);
    add(p, ffn_of(d), names[1], PART_MATRIX, d->m.hidden * width);
    add(p, ffn_of(d), names[2], PART_MATRIX, d->m.hidden * width);
}

static void add_dense(const ModelDraft *d, Parts *p, const Layer *l) {
    static const char *const names[] = {"gate_proj", "up_proj", "down_proj"};
    const Model *m = &d->m;
    add_ffn(d, p, names, or_zero(m->intermediate) * (l->borrows && d->wide_borrowers == 1 ? 2 : 1));
    if (draft_has(d, TRAIT_BIAS_FFN))
        add(p, ffn_of(d), "bias", PART_SMALL, (m->ffn_matrices - 1) * or_zero(m->intermediate) + m->hidden);
}

static void add_experts(const ModelDraft *d, Parts *p) {
    static const char *const shared[] = {"shared_experts.gate_proj", "shared_experts.up_proj",
                                         "shared_experts.down_proj"};
    static const char *const shared_one[] = {"shared_expert.gate_proj", "shared_expert.up_proj",
                                             "shared_expert.down_proj"};
    static const char *const beside[] = {"gate_proj", "up_proj", "down_proj"};
    const Model *m = &d->m;
    const char *group = draft_has(d, TRAIT_DENSE_BESIDE) ? "-" : ffn_of(d);
    double width = known_or(d->expert_latent, m->hidden);
    double one = m->experts * width * m->moe_intermediate;
    if (m->ffn_matrices > 2) add(p, group, "experts.0.gate_proj experts.0.w1", PART_ROUTED, one);
    add(p, group, "experts.0.up_proj experts.0.w3", PART_ROUTED, one);
    add(p, group, "experts.0.down_proj experts.0.w2", PART_ROUTED, one);
    add(p, group, "gate", PART_SMALL, m->hidden * m->experts);
    if (has_blocks(d) || is_known(d->expert_latent)) add(p, group, "gate", PART_SMALL, m->experts);
    if (is_known(d->expert_latent)) {
        add(p, group, "fc1_latent_proj", PART_MATRIX, m->hidden * d->expert_latent);
        add(p, group, "fc2_latent_proj", PART_MATRIX, m->hidden * d->expert_latent);
    }
    bool named_one = draft_has(d, TRAIT_SHARED_GATE) || draft_has(d, TRAIT_LLAMA4_NAMES);
    if (or_zero(m->shared_experts) > 0)
        add_ffn(d, p,
                draft_has(d, TRAIT_DENSE_BESIDE) ? beside
                : named_one                      ? shared_one
                                                 : shared,
                or_zero(m->shared_intermediate));
    if (draft_has(d, TRAIT_SHARED_GATE)) add(p, group, "shared_expert_gate", PART_SMALL, m->hidden);
    if (!draft_has(d, TRAIT_BIAS_EXPERT)) return;
    add(p, group, "gate", PART_SMALL, m->experts);
    add(p, group, "experts.0.bias", PART_ROUTED_SMALL,
        m->experts * ((m->ffn_matrices - 1) * m->moe_intermediate + m->hidden));
}

// ---------------------------------------------------------------- a layer, and what is around the layers

// Residual streams that mix into each other (hyper-connections), at the mixer and at the feed-forward part.
static double stream_params(const ModelDraft *d) {
    if (!is_known(d->streams)) return 0;
    double wide = d->streams * d->m.hidden;
    if (is_known(d->stream_rank)) return 2 * (2 * wide * d->stream_rank + wide * (d->streams + 1));
    return 2 * d->streams * (d->streams + 2) * (wide + 1);
}

void layer_parts(const ModelDraft *d, const Layer *l, Parts *p) {
    const Model *m = &d->m;
    p->n = 0;
    bool compressed = draft_has(d, TRAIT_COMPRESSED);
    if (l->mix == MIX_LINEAR) draft_has(d, TRAIT_KIMI_DELTA) ? add_kimi_delta(d, p) : add_delta(d, p);
    if (l->mix == MIX_MAMBA) add_mamba(d, p);
    if (l->mix == MIX_CONV) add_convolution(d, p);
    if (compressed && (l->mix == MIX_SPARSE || l->mix == MIX_POOLED || l->mix == MIX_WINDOW))
        add_compressed(d, p, l);
    if (!compressed && (l->mix == MIX_FULL || l->mix == MIX_WINDOW))
        is_known(m->kv_lora_rank) ? add_latent(d, p, l) : add_plain(d, p, l);
    if (l->feed == FEED_DENSE) add_dense(d, p, l);
    if (l->feed == FEED_EXPERTS) add_experts(d, p);
    double norm = m->hidden * (draft_has(d, TRAIT_NORM_BIAS) ? 2 : 1);
    add(p, "-", "norm", PART_SMALL,
        norm * (draft_has(d, TRAIT_NORM_ONE)    ? 1
                : draft_has(d, TRAIT_NORM_FOUR) ? 4
                                                : 2));
    if (is_known(d->per_layer_width))
        add(p, "-", "per_layer_input_gate", PART_MATRIX, 2 * m->hidden * d->per_layer_width + m->hidden);
    add(p, "-", "hyper_connection", PART_SMALL, stream_params(d));
    if (is_known(d->short_conv))
        add(p, "-", "sconv", PART_SMALL, d->short_conv * (2 * m->hidden + 2 * m->kv_heads * m->head_dim));
}

void outer_parts(const ModelDraft *d, Parts *p) {
    const Model *m = &d->m;
    p->n = 0;
    double norm = m->hidden * (draft_has(d, TRAIT_NORM_BIAS) ? 2 : 1);
    add(p, "-", m->tied_embeddings ? "lm_head" : "model.embed_tokens",
        m->tied_embeddings ? PART_HEAD : PART_TABLE, m->vocab * m->hidden);
    if (!m->tied_embeddings) add(p, "-", "lm_head", PART_HEAD, m->vocab * m->hidden);
    add(p, "-", "model.norm", PART_SMALL, norm);
    if (is_known(d->per_layer_width)) {
        double wide = d->per_layer_width * m->layers;
        add(p, "-", "model.embed_tokens_per_layer", PART_TABLE,
            wide * known_or(d->per_layer_vocab, m->vocab));
        add(p, "-", "model.per_layer_model_projection", PART_SMALL, m->hidden * wide);
    }
    if (draft_has(d, TRAIT_POSITIONS))
        add(p, "-", "model.positions", PART_SMALL, or_zero(m->max_context) * m->hidden);
    add(p, "-", "model.lookup", PART_LOOKUP, or_zero(d->lookup_params));
    add(p, "-", "model.lookup_projections", PART_SMALL, or_zero(d->lookup_small));
    add(p, "-", "vision_tower", PART_VISION, or_zero(m->params_vision));
}
