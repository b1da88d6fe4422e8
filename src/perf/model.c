// Models as bytes and flops.
#include <math.h>
#include <string.h>

#include "src/perf/kv.h"

bool model_is_moe(const Model *m) { return is_known(m->experts) && m->experts > 1; }

static bool has_decoder_shape(const Model *m) {
    static const char *const families[] = {"dense", "moe", "vision-language"};
    bool family = false;
    for (size_t i = 0; i < COUNT_OF(families); i++) family = family || strcmp(m->family, families[i]) == 0;
    return family && is_known(m->layers) && is_known(m->hidden);
}

bool model_is_decoder(const Model *m) { return has_decoder_shape(m) && is_known(m->kv_bytes_per_token_bf16); }

bool model_has_unknown_cache(const Model *m) {
    return has_decoder_shape(m) && !is_known(m->kv_bytes_per_token_bf16);
}

static bool is_encoder(const Model *m) { return strcmp(m->family, "encoder") == 0; }

bool model_embeds(const Model *m) {
    bool shape = is_known(m->layers) && is_known(m->hidden) && is_known(m->params_active) &&
                 is_known(m->attn_flops_per_pair_full);
    return shape && (is_encoder(m) || strcmp(m->family, "embedder") == 0 || model_is_decoder(m));
}

bool model_reads_text(const Model *m, double tokens, Err *e) {
    if (!model_embeds(m))
        return err_set(e, ERR_USAGE, "model '%s' (%s) gives no embeddings", m->model_id, m->family);
    return tokens <= m->max_context || err_set(e, ERR_USAGE, "model '%s' reads at most %g tokens, not %g",
                                               m->model_id, m->max_context, tokens);
}

// ---------------------------------------------------------------- counted from shapes

static double attention_params(const Model *m) {
    if (!model_is_mla(m)) return m->hidden * m->head_dim * (2 * m->heads + 2 * m->kv_heads);
    double qk = m->qk_nope_head_dim + m->qk_rope_head_dim;
    double q = is_known(m->q_lora_rank) ? m->hidden * m->q_lora_rank + m->q_lora_rank * m->heads * qk
                                        : m->hidden * m->heads * qk;
    double kv = m->hidden * (m->kv_lora_rank + m->qk_rope_head_dim) +
                m->kv_lora_rank * m->heads * (m->qk_nope_head_dim + m->v_head_dim);
    return q + kv + m->heads * m->v_head_dim * m->hidden;
}

double model_expert_layers(const Model *m) {
    return model_is_moe(m) ? floor((m->layers - or_zero(m->dense_layers_first)) / known_or(m->moe_every, 1))
                           : 0;
}

static double routed_params(const Model *m, double experts) {
    return model_expert_layers(m) * experts * m->ffn_matrices * m->hidden * m->moe_intermediate;
}

static double total_params(const Model *m, double experts) {
    double moe = model_expert_layers(m);
    double dense = m->layers - moe;
    double total = m->vocab * m->hidden * (m->tied_embeddings ? 1 : 2) + m->layers * attention_params(m);
    if (dense > 0) total += dense * m->ffn_matrices * m->hidden * m->intermediate;
    if (moe > 0) {
        double shared = or_zero(m->shared_experts) > 0 ? or_zero(m->shared_intermediate) : 0;
        total +=
            routed_params(m, experts) + moe * (m->ffn_matrices * m->hidden * shared + m->hidden * m->experts);
    }
    return total;
}

static bool has_closed_form(const Model *m) {
    bool kind = strcmp(m->attention, "mha") == 0 || strcmp(m->attention, "gqa") == 0 ||
                strcmp(m->attention, "mla") == 0;
    bool family = strcmp(m->family, "dense") == 0 || strcmp(m->family, "moe") == 0 ||
                  strcmp(m->family, "vision-language") == 0;
    return kind && family && is_known(m->layers) && is_known(m->hidden) && is_known(m->vocab);
}

double model_params_from_shape(const Model *m) {
    return has_closed_form(m) ? total_params(m, m->experts) : (double)NAN;
}

void model_complete(Model *m) {
    if (has_closed_form(m)) {
        double vision = or_zero(m->params_vision);
        fill_unknown(&m->params_total, total_params(m, m->experts) + vision);
        fill_unknown(&m->params_active, total_params(m, m->experts_per_token));
        fill_unknown(&m->params_input_embedding, m->tied_embeddings ? 0 : m->vocab * m->hidden);
        if (model_is_moe(m)) fill_unknown(&m->params_expert_routed, routed_params(m, m->experts));
        double windowed = or_zero(m->kv_window_layers);
        fill_unknown(&m->kv_full_layers, m->layers - windowed);
        double per_layer =
            model_is_mla(m) ? m->kv_lora_rank + m->qk_rope_head_dim : 2 * m->kv_heads * m->head_dim;
        fill_unknown(&m->kv_bytes_per_token_bf16, m->kv_full_layers * per_layer * 2);
        fill_unknown(&m->kv_window_bytes_per_token_bf16, windowed * per_layer * 2);
        double width = model_is_mla(m)
                           ? 2 * m->heads * (m->qk_nope_head_dim + m->qk_rope_head_dim + m->v_head_dim)
                           : 4 * m->heads * m->head_dim;
        fill_unknown(&m->attn_flops_per_pair_full, m->kv_full_layers * width);
        fill_unknown(&m->attn_flops_per_pair_window, windowed * width);
    }
    fill_unknown(&m->params_active, m->params_total);
    if (m->weights_native != DTYPE_UNKNOWN && is_known(dtype_bits(m->weights_native))) {
        fill_unknown(&m->weight_bytes_native, m->params_total * dtype_bits(m->weights_native) / 8);
    }
}

// ---------------------------------------------------------------- bytes

static bool is_16_bit(Dtype d) { return d == DTYPE_BF16 || d == DTYPE_FP16; }

static bool is_native(const Model *m, Dtype weights) {
    return is_known(m->weight_bytes_native) &&
           (m->weights_native == weights || (is_16_bit(weights) && is_16_bit(m->weights_native)));
}

static double head_params(const Model *m) {
    return model_is_decoder(m) ? or_zero(m->vocab) * or_zero(m->hidden) : 0;
}

// Bytes per element of what a 4-bit MoE format leaves alone.
static double unquantised_bytes(const Model *m) {
    double bits = dtype_bits(m->weights_native);
    return bits == 8 ? 1 : 2;
}

// Embeddings, tables to look up, head and vision tower: kept in 16 bits by every quantised format.
static double stored_params(const Model *m) {
    return or_zero(m->params_input_embedding) + or_zero(m->params_lookup) + head_params(m) +
           or_zero(m->params_vision);
}

double model_weight_bytes(const Model *m, Dtype weights) {
    if (is_native(m, weights)) return m->weight_bytes_native;
    double bits = dtype_bits(weights);
    if (bits >= 16 || !is_known(bits)) return m->params_total * bits / 8;
    double kept = fmin(stored_params(m), m->params_total);
    double body = m->params_total - kept;
    if (bits >= 8 || !model_is_moe(m)) return body * bits / 8 + kept * 2;
    double routed = or_zero(m->params_expert_routed);
    return routed * bits / 8 + (body - routed) * unquantised_bytes(m) + kept * 2;
}

double model_lookup_bytes(const Model *m, Dtype weights) {
    return is_native(m, weights) && m->lookup_bytes_native > 0 ? m->lookup_bytes_native
                                                               : or_zero(m->params_lookup) * 2;
}

double model_expert_bytes(const Model *m, Dtype weights) {
    if (!model_is_moe(m)) return 0;
    if (is_native(m, weights) && m->expert_bytes_native > 0) return m->expert_bytes_native;
    return or_zero(m->params_expert_routed) * dtype_bits(weights) / 8;
}

double model_fixed_bytes(const Model *m, Dtype weights) {
    // The look-up table is not read, and kept in 16 bits by all but GGUF.
    double table = is_native(m, weights) && m->embedding_bytes_native > 0
                       ? m->embedding_bytes_native
                       : or_zero(m->params_input_embedding) * 2;
    double all =
        model_weight_bytes(m, weights) - model_lookup_bytes(m, weights) - model_expert_bytes(m, weights);
    return all - table - or_zero(m->params_vision) * 2;
}

double model_kv_bytes_per_token(const Model *m, Dtype kv) {
    return m->kv_bytes_per_token_bf16 * dtype_bits(kv) / 16 + or_zero(m->kv_extra_bytes_per_token);
}

double model_window_bytes_per_token(const Model *m, Dtype kv) {
    return or_zero(m->kv_window_bytes_per_token_bf16) * dtype_bits(kv) / 16;
}

double model_cache_bytes(const Model *m, double context, Dtype kv) {
    double windowed = is_known(m->sliding_window) ? fmin(context, m->sliding_window) : context;
    double state = kv_state_bytes(m);
    return context * model_kv_bytes_per_token(m, kv) + windowed * model_window_bytes_per_token(m, kv) + state;
}

// Share of the growth, and of the arithmetic of attention, that is in layers of sparse attention.
static double sparse_share(const Model *m) {
    bool sparse = is_known(m->sparse_tokens) && m->kv_sparse_bytes_per_token_bf16 > 0;
    return sparse ? fmin(m->kv_sparse_bytes_per_token_bf16 / m->kv_bytes_per_token_bf16, 1) : 0;
}

double model_tokens_read(const Model *m, double context) {
    double share = sparse_share(m);
    return share > 0 ? context * (1 - share) + fmin(context, m->sparse_tokens) * share : context;
}

double model_read_bytes(const Model *m, double context, Dtype kv) {
    double windowed = is_known(m->sliding_window) ? fmin(context, m->sliding_window) : context;
    return model_tokens_read(m, context) * m->kv_bytes_per_token_bf16 * dtype_bits(kv) / 16 +
           windowed * model_window_bytes_per_token(m, kv);
}

// ---------------------------------------------------------------- flops

double model_token_flops(const Model *m) {
    return 2 * (m->params_active - or_zero(m->params_input_embedding));
}

double model_decode_attention_flops(const Model *m, double context) {
    double windowed = is_known(m->sliding_window) ? fmin(context, m->sliding_window) : context;
    double full = or_zero(m->attn_flops_per_pair_full);
    if (model_is_mla(m)) {  // decoding works in the latent space: 2 H (2 r_kv + r) a pair and layer
        full = or_zero(m->kv_full_layers) * 2 * m->heads * (2 * m->kv_lora_rank + m->qk_rope_head_dim);
    }
    return full * model_tokens_read(m, context) + or_zero(m->attn_flops_per_pair_window) * windowed;
}

// Pairs beyond those that sparse layers attend to whole cost what decoding does: each token reads what is chosen for
// it, of MLA in the latent space.
double model_prompt_pairs(const Model *m, double tokens) {
    double share = sparse_share(m), k = m->sparse_tokens, all = tokens * tokens / 2;
    if (share <= 0 || tokens <= k) return all;
    double each = model_is_mla(m) ? (2 * m->kv_lora_rank + m->qk_rope_head_dim) /
                                        (m->qk_nope_head_dim + m->qk_rope_head_dim + m->v_head_dim)
                                  : 1;
    return (1 - share) * all + share * (k * k / 2 + each * (tokens - k) * k);
}

double model_prompt_attention_flops(const Model *m, double tokens) {
    double window = is_known(m->sliding_window) ? fmin(tokens, m->sliding_window) : tokens;
    double windowed_pairs = window * window / 2 + (tokens - window) * window;
    return or_zero(m->attn_flops_per_pair_full) * model_prompt_pairs(m, tokens) +
           or_zero(m->attn_flops_per_pair_window) * windowed_pairs;
}

double model_text_flops(const Model *m, double tokens) {
    double attention = (is_encoder(m) ? 2 : 1) * model_prompt_attention_flops(m, tokens);
    return 2 * (m->params_active - or_zero(m->params_input_embedding) - head_params(m)) * tokens + attention;
}
