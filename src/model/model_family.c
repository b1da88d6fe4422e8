// Architectures of language models: what their files call a shape, and what sets each family apart.
//
// Sources: the configuration classes of huggingface/transformers and of the models' own repositories,
// llama.cpp's gguf-py/gguf/constants.py (2026-08), counts checked against data/models.tsv.
#include <math.h>
#include <string.h>

#include "src/model/model.h"

// ---------------------------------------------------------------- keys

#define KEY(f, config, gguf, max, zero)                                                                      \
    { offsetof(ModelDraft, f), config, gguf, max, zero }

// clang-format off
const ModelKey model_keys[] = {
    KEY(m.layers, "num_hidden_layers n_layer n_layers num_layers", "block_count", 1e4, ZERO_WRONG),
    KEY(m.hidden, "hidden_size n_embd d_model n_embed model_dim", "embedding_length", 1e6, ZERO_WRONG),
    KEY(m.heads, "num_attention_heads n_head n_heads num_heads", "attention.head_count", 1e5, ZERO_WRONG),
    KEY(m.kv_heads, "num_key_value_heads num_kv_heads n_head_kv num_attention_groups attn_config.kv_n_heads multi_query_group_num", "attention.head_count_kv", 1e5, ZERO_WRONG),
    KEY(m.head_dim, "head_dim attention_head_dim kv_channels", "attention.key_length", 1e5, ZERO_NONE),
    KEY(m.intermediate, "intermediate_size ffn_hidden_size n_inner ffn_dim", "feed_forward_length", 1e7, ZERO_NONE),
    KEY(dense_width, "intermediate_size_mlp dense_intermediate_size", "", 1e7, ZERO_NONE),
    KEY(m.vocab, "vocab_size padded_vocab_size", "vocab_size", 1e8, ZERO_WRONG),
    KEY(m.max_context, "max_position_embeddings max_seq_len n_positions seq_length max_sequence_length model_max_length n_ctx", "context_length", 1e12, ZERO_NONE),
    KEY(m.experts, "num_local_experts n_routed_experts num_experts moe_num_experts ffn_config.moe_num_experts", "expert_count", 1e6, ZERO_NONE),
    KEY(m.experts_per_token, "num_experts_per_tok num_experts_per_token experts_per_token moe_top_k top_k_experts moe_topk moe_k num_selected_experts ffn_config.moe_top_k", "expert_used_count", 1e6, ZERO_NONE),
    KEY(m.shared_experts, "n_shared_experts num_shared_experts num_shared_expert moe_num_shared_experts", "expert_shared_count", 1e4, ZERO_VALUE),
    KEY(m.moe_intermediate, "moe_intermediate_size expert_ffn_hidden_size ffn_config.ffn_hidden_size", "expert_feed_forward_length", 1e7, ZERO_NONE),
    KEY(m.shared_intermediate, "shared_expert_intermediate_size moe_shared_expert_intermediate_size shared_intermediate_size share_expert_dim", "expert_shared_feed_forward_length", 1e7, ZERO_NONE),
    KEY(m.dense_layers_first, "first_k_dense_replace moe_layer_start_index dense_mlp_idx num_dense_layers", "leading_dense_block_count", 1e4, ZERO_VALUE),
    KEY(m.moe_every, "moe_layer_freq interleave_moe_layer_step decoder_sparse_step moe_layer_interval", "interleave_moe_layer_step", 1e4, ZERO_NONE),
    KEY(m.q_lora_rank, "q_lora_rank", "attention.q_lora_rank", 1e6, ZERO_NONE),
    KEY(m.kv_lora_rank, "kv_lora_rank", "attention.kv_lora_rank", 1e6, ZERO_NONE),
    KEY(m.qk_nope_head_dim, "qk_nope_head_dim", "", 1e5, ZERO_NONE),
    KEY(m.qk_rope_head_dim, "qk_rope_head_dim", "rope.dimension_count", 1e5, ZERO_VALUE),
    KEY(m.v_head_dim, "v_head_dim", "attention.value_length", 1e5, ZERO_NONE),
    KEY(m.sliding_window, "sliding_window sliding_window_size attention_chunk_size", "attention.sliding_window attention.chunk_size", 1e12, ZERO_NONE),
    KEY(window_every, "sliding_window_pattern _sliding_window_pattern", "attention.sliding_window_pattern", 1e4, ZERO_NONE),
    KEY(window_from, "max_window_layers", "", 1e4, ZERO_VALUE),
    KEY(nextn, "num_nextn_predict_layers mtp_num_hidden_layers num_mtp_layers mtp_config.num_nextn_predict_layers", "nextn_predict_layers", 100, ZERO_VALUE),
    KEY(index_heads, "index_n_heads indexer_n_heads sparse_attention_config.sparse_num_index_heads", "attention.indexer.head_count", 1e5, ZERO_NONE),
    KEY(index_dim, "index_head_dim indexer_head_dim sparse_attention_config.sparse_index_dim", "attention.indexer.key_length", 1e5, ZERO_NONE),
    KEY(index_topk, "index_topk indexer_budget sparse_attention_config.sparse_topk_blocks", "attention.indexer.top_k", 1e7, ZERO_NONE),
    KEY(index_block, "sparse_attention_config.sparse_block_size", "", 1e6, ZERO_NONE),
    KEY(full_kv_heads, "num_global_key_value_heads", "", 1e5, ZERO_NONE),
    KEY(full_head_dim, "global_head_dim", "", 1e5, ZERO_NONE),
    KEY(window_kv_heads, "swa_num_key_value_heads", "", 1e5, ZERO_NONE),
    KEY(window_head_dim, "swa_head_dim", "attention.key_length_swa", 1e5, ZERO_NONE),
    KEY(window_v_dim, "swa_v_head_dim", "attention.value_length_swa", 1e5, ZERO_NONE),
    KEY(linear_key_heads, "linear_num_key_heads linear_attn_config.num_heads linear_num_heads", "ssm.group_count", 1e5, ZERO_NONE),
    KEY(linear_value_heads, "linear_num_value_heads linear_attn_config.num_heads linear_num_heads", "ssm.time_step_rank", 1e5, ZERO_NONE),
    KEY(linear_key_dim, "linear_key_head_dim linear_attn_config.head_dim linear_head_dim", "ssm.state_size kda.head_dim", 1e5, ZERO_NONE),
    KEY(linear_value_dim, "linear_value_head_dim linear_attn_config.head_dim linear_head_dim", "kda.head_dim", 1e5, ZERO_NONE),
    KEY(linear_conv, "linear_conv_kernel_dim linear_attn_config.short_conv_kernel_size short_conv_kernel_size", "ssm.conv_kernel", 1e3, ZERO_NONE),
    KEY(full_every, "full_attention_interval layer_group_size", "full_attention_interval", 1e4, ZERO_NONE),
    KEY(mamba_heads, "mamba_num_heads", "", 1e5, ZERO_NONE),
    KEY(mamba_head_dim, "mamba_head_dim", "", 1e5, ZERO_NONE),
    KEY(mamba_state, "ssm_state_size", "", 1e5, ZERO_NONE),
    KEY(mamba_groups, "n_groups", "", 1e5, ZERO_NONE),
    KEY(mamba_conv, "conv_kernel", "", 1e3, ZERO_NONE),
    KEY(expert_latent, "moe_latent_size routed_expert_hidden_size", "moe_latent_size", 1e6, ZERO_NONE),
    KEY(window_heads, "swa_num_attention_heads num_sliding_attention_heads", "", 1e5, ZERO_NONE),
    KEY(index_ratio, "indexer_compress_ratio", "", 1e5, ZERO_NONE),
    KEY(index_pool, "index_kpool", "", 1e5, ZERO_NONE),
    KEY(borrowing, "num_kv_shared_layers", "attention.shared_kv_layers", 1e4, ZERO_VALUE),
    KEY(output_groups, "o_groups", "attention.output_group_count", 1e4, ZERO_NONE),
    KEY(output_rank, "o_lora_rank", "attention.output_lora_rank", 1e6, ZERO_NONE),
    KEY(streams, "hc_mult hc_count", "hyper_connection.count", 1e3, ZERO_NONE),
    KEY(stream_rank, "hc_lowrank", "", 1e6, ZERO_NONE),
    KEY(relative_dim, "d_rel", "", 1e5, ZERO_NONE),
    KEY(short_conv, "sconv_kernel_size", "", 1e3, ZERO_NONE),
    KEY(conv_cache, "conv_L_cache", "shortconv.l_cache", 1e3, ZERO_NONE),
    KEY(per_layer_width, "hidden_size_per_layer_input", "embedding_length_per_layer_input", 1e6, ZERO_NONE),
    KEY(per_layer_vocab, "vocab_size_per_layer_input", "", 1e8, ZERO_NONE),
};
// clang-format on
const size_t n_model_keys = COUNT_OF(model_keys);

// ---------------------------------------------------------------- families

#define OF(f) offsetof(ModelDraft, f)
#define DEFAULTS(list) .defaults = list, .n_defaults = COUNT_OF(list)

static const ModelDefault of_8_kv[] = {{OF(m.kv_heads), 8}};
static const ModelDefault of_gemma2[] = {{OF(m.heads), 8},
                                         {OF(m.kv_heads), 4},
                                         {OF(m.head_dim), 256},
                                         {OF(m.vocab), 256000},
                                         {OF(m.sliding_window), 4096}};
static const ModelDefault of_gemma3[] = {
    {OF(m.heads), 8},      {OF(m.kv_heads), 4},          {OF(m.head_dim), 256},
    {OF(m.vocab), 262208}, {OF(m.sliding_window), 4096}, {OF(m.max_context), 131072}};
static const ModelDefault of_gemma4[] = {{OF(m.sliding_window), 512}, {OF(m.vocab), 262144}};
static const ModelDefault of_qwen3[] = {{OF(m.head_dim), 128}};
static const ModelDefault of_qwen3_moe[] = {{OF(m.kv_heads), 4}};
static const ModelDefault of_qwen3_next[] = {{OF(m.kv_heads), 2},       {OF(m.head_dim), 256},
                                             {OF(full_every), 4},       {OF(linear_conv), 4},
                                             {OF(linear_key_dim), 128}, {OF(linear_value_dim), 128}};
static const ModelDefault of_glm4[] = {{OF(m.kv_heads), 2}, {OF(m.head_dim), 128}};
static const ModelDefault of_glm4_moe[] = {{OF(m.kv_heads), 8}, {OF(m.head_dim), 128}};
static const ModelDefault of_gpt_oss[] = {
    {OF(m.kv_heads), 8}, {OF(m.head_dim), 64}, {OF(m.sliding_window), 128}};
static const ModelDefault of_llama4[] = {
    {OF(m.kv_heads), 8}, {OF(m.head_dim), 128}, {OF(m.sliding_window), 8192}, {OF(m.shared_experts), 1}};
static const ModelDefault of_128_wide[] = {{OF(m.head_dim), 128}};
static const ModelDefault of_hy_v3[] = {
    {OF(m.head_dim), 128}, {OF(m.dense_layers_first), 1}, {OF(m.shared_experts), 1}};
static const ModelDefault of_laguna[] = {
    {OF(m.head_dim), 128}, {OF(m.kv_heads), 8}, {OF(m.dense_layers_first), 1}};
static const ModelDefault of_step[] = {
    {OF(m.head_dim), 128}, {OF(m.kv_heads), 8}, {OF(window_heads), 96}, {OF(m.dense_layers_first), 3}};
static const ModelDefault of_cohere2[] = {{OF(m.sliding_window), 4096}};

// The first is what --assume-dense takes an unknown one for.
static const ModelFamily families[] = {
    {.types = "llama Yi internlm internlm2 internlm3 baichuan xverse orion exaone smollm3 minicpm seed_oss "
              "solar aquila mimo ernie4_5 hunyuan_v1_dense granite "
              "",
     .gguf = "llama baichuan xverse orion internlm2 minicpm exaone smollm3 granite seed_oss ernie4_5 "
             "hunyuan-dense deci",
     .window = WINDOW_NONE},
    {.types = "mistral ministral ministral3 mistral3",
     .gguf = "mistral3 mistral",
     .window = WINDOW_ALL,
     DEFAULTS(of_8_kv)},
    {.types = "mixtral",
     .traits = TRAIT_EXPERT_FFN,
     .window = WINDOW_ALL,
     .ffn_group = "block_sparse_moe mlp",
     DEFAULTS(of_8_kv)},
    {.types = "qwen2 qwen2_vl qwen2_vl_text qwen2_5_vl qwen2_5_vl_text",
     .gguf = "qwen2 qwen2vl",
     .traits = TRAIT_BIAS_QKV,
     .window = WINDOW_SWITCHED},
    {.types = "qwen2_moe",
     .gguf = "qwen2moe",
     .traits = TRAIT_BIAS_QKV | TRAIT_SHARED_GATE,
     .window = WINDOW_SWITCHED},
    {.types = "qwen3 qwen3_vl_text",
     .gguf = "qwen3 qwen3vl",
     .traits = TRAIT_QK_NORM,
     .window = WINDOW_SWITCHED,
     DEFAULTS(of_qwen3)},
    {.types = "qwen3_moe qwen3_vl_moe_text",
     .gguf = "qwen3moe qwen3vlmoe",
     .traits = TRAIT_QK_NORM,
     .window = WINDOW_SWITCHED,
     DEFAULTS(of_qwen3_moe)},
    {.types = "qwen3_next qwen3_5 qwen3_5_text qwen3_5_moe qwen3_5_moe_text",
     .gguf = "qwen3next qwen35 qwen35moe",
     .traits = TRAIT_QK_NORM | TRAIT_SHARED_GATE | TRAIT_GATED_QUERY,
     DEFAULTS(of_qwen3_next)},
    {.types = "deepseek dots1 bailing_moe", .gguf = "deepseek dots1 bailingmoe"},
    {.types =
         "deepseek_v2 deepseek_v3 deepseek_v32 kimi_k2 kimi_k25 glm_moe_dsa glm4_moe_lite deepseek_vl_v2",
     .gguf = "deepseek2 glm-dsa",
     .traits = TRAIT_MLA},
    {.types = "gpt_oss",
     .gguf = "gpt-oss",
     .traits = TRAIT_EXPERT_FFN | TRAIT_BIAS_QKV | TRAIT_BIAS_OUT | TRAIT_BIAS_EXPERT | TRAIT_SINKS,
     .window = WINDOW_EVERY,
     .window_every = 2,
     DEFAULTS(of_gpt_oss)},
    {.types = "gemma", .gguf = "gemma", .traits = TRAIT_TIED},
    {.types = "gemma2",
     .gguf = "gemma2",
     .traits = TRAIT_TIED | TRAIT_NORM_FOUR,
     .window = WINDOW_EVERY,
     .window_every = 2,
     DEFAULTS(of_gemma2)},
    {.types = "gemma3 gemma3_text",
     .gguf = "gemma3",
     .traits = TRAIT_TIED | TRAIT_NORM_FOUR | TRAIT_QK_NORM,
     .window = WINDOW_EVERY,
     .window_every = 6,
     DEFAULTS(of_gemma3)},
    {.types = "gemma4 gemma4_text",
     .gguf = "gemma4",
     .traits = TRAIT_TIED | TRAIT_NORM_FOUR | TRAIT_QK_NORM | TRAIT_DENSE_BESIDE,
     .window = WINDOW_EVERY,
     .window_every = 6,
     DEFAULTS(of_gemma4)},
    {.types = "phi phi-msft",
     .gguf = "phi2",
     .traits = TRAIT_PLAIN | TRAIT_FFN_4H | TRAIT_BIAS | TRAIT_NORM_ONE},
    {.types = "phi3 phi4mm phi4_multimodal", .gguf = "phi3", .window = WINDOW_ALL},
    {.types = "phimoe",
     .gguf = "phimoe",
     .traits = TRAIT_EXPERT_FFN | TRAIT_BIAS_QKV | TRAIT_BIAS_OUT | TRAIT_NORM_BIAS,
     .window = WINDOW_ALL},
    {.types = "glm glm4 glm4v_text", .gguf = "glm4", .traits = TRAIT_NORM_FOUR, DEFAULTS(of_glm4)},
    {.types = "chatglm", .gguf = "chatglm", .traits = TRAIT_BIAS_QKV},
    {.types = "glm4_moe glm4v_moe_text", .gguf = "glm4moe", DEFAULTS(of_glm4_moe)},
    {.types = "llama4 llama4_text",
     .gguf = "llama4",
     .traits = TRAIT_EXPERT_FFN | TRAIT_LLAMA4_NAMES,
     .window = WINDOW_EVERY,
     .window_every = 4,
     .ffn_group = "feed_forward",
     DEFAULTS(of_llama4)},
    {.types = "minimax_m2",
     .gguf = "minimax-m2",
     .traits = TRAIT_EXPERT_FFN | TRAIT_QK_NORM,
     .ffn_group = "block_sparse_moe mlp",
     DEFAULTS(of_128_wide)},
    {.types = "mimo_v2_flash mimo_v2", .gguf = "mimo2"},
    {.types = "ernie4_5_moe hunyuan_v1_moe", .gguf = "ernie4_5-moe hunyuan-moe"},
    {.types = "olmoe granitemoe granitemoeshared grok-1 grok",
     .gguf = "olmoe granitemoe grok",
     .traits = TRAIT_EXPERT_FFN},
    {.types = "dbrx", .gguf = "dbrx", .traits = TRAIT_EXPERT_FFN},
    {.types = "olmo olmo2 olmo3 exaone4",
     .gguf = "olmo olmo2 exaone4",
     .window = WINDOW_EVERY,
     .window_every = 4},
    {.types = "stablelm", .gguf = "stablelm", .traits = TRAIT_NORM_BIAS},
    {.types = "cohere", .gguf = "command-r", .traits = TRAIT_TIED | TRAIT_NORM_ONE},
    {.types = "cohere2",
     .gguf = "cohere2",
     .traits = TRAIT_TIED | TRAIT_NORM_ONE,
     .window = WINDOW_EVERY,
     .window_every = 4,
     DEFAULTS(of_cohere2)},
    {.types = "falcon RefinedWeb RefinedWebModel",
     .gguf = "falcon",
     .traits = TRAIT_TIED | TRAIT_PLAIN | TRAIT_FFN_4H | TRAIT_NORM_BIAS | TRAIT_MULTI_QUERY},
    {.types = "mpt", .gguf = "mpt", .traits = TRAIT_TIED | TRAIT_PLAIN | TRAIT_FFN_4H},
    {.types = "gpt2 opt",
     .gguf = "gpt2",
     .traits = TRAIT_TIED | TRAIT_PLAIN | TRAIT_FFN_4H | TRAIT_BIAS | TRAIT_POSITIONS},
    {.types = "gpt_bigcode",
     .gguf = "starcoder",
     .traits = TRAIT_TIED | TRAIT_PLAIN | TRAIT_FFN_4H | TRAIT_BIAS | TRAIT_POSITIONS | TRAIT_MULTI_QUERY},
    {.types = "starcoder2",
     .gguf = "starcoder2",
     .traits = TRAIT_TIED | TRAIT_PLAIN | TRAIT_BIAS,
     .window = WINDOW_ALL},
    {.types = "gptj codegen",
     .gguf = "gptj",
     .traits = TRAIT_PLAIN | TRAIT_FFN_4H | TRAIT_BIAS_FFN | TRAIT_NORM_BIAS | TRAIT_NORM_ONE},
    {.types = "bloom", .gguf = "bloom", .traits = TRAIT_TIED | TRAIT_PLAIN | TRAIT_FFN_4H | TRAIT_BIAS},
    {.types = "gpt_neox", .gguf = "gptneox", .traits = TRAIT_PLAIN | TRAIT_FFN_4H | TRAIT_BIAS},
    {.types = "nemotron_h",
     .gguf = "nemotron_h nemotron_h_moe",
     .traits = TRAIT_PLAIN | TRAIT_NORM_ONE | TRAIT_BLOCKS,
     .attention_group = "mixer",
     .ffn_group = "mixer"},
    {.types = "mistral4", .gguf = "mistral4", .traits = TRAIT_MLA},
    {.types = "hy_v3", .traits = TRAIT_QK_NORM, DEFAULTS(of_hy_v3)},
    {.types = "hy_v4", .traits = TRAIT_MLA | TRAIT_WIDE_GATE | TRAIT_SINKS},
    {.types = "kimi_linear", .gguf = "kimi-linear", .traits = TRAIT_MLA | TRAIT_KIMI_DELTA},
    {.types = "glm5_next glm5_next_text", .traits = TRAIT_MLA | TRAIT_KIMI_DELTA | TRAIT_NO_ROTARY},
    {.types = "bailing_hybrid", .traits = TRAIT_MLA | TRAIT_KIMI_DELTA | TRAIT_FULL_DECAY | TRAIT_HEAD_GATE},
    {.types = "qwen4_exp qwen4_exp_text",
     .traits = TRAIT_QK_NORM | TRAIT_SHARED_GATE | TRAIT_GATED_QUERY | TRAIT_INDEX_16,
     DEFAULTS(of_qwen3_next)},
    {.types = "laguna",
     .gguf = "laguna",
     .traits = TRAIT_QK_NORM | TRAIT_HEAD_GATE,
     .window = WINDOW_EVERY,
     .window_every = 4,
     DEFAULTS(of_laguna)},
    {.types = "step3p5 step3p7 step3p7_text",
     .gguf = "step35",
     .traits = TRAIT_QK_NORM | TRAIT_HEAD_GATE,
     .window = WINDOW_EVERY,
     .window_every = 4,
     DEFAULTS(of_step)},
    {.types = "muse_glimmer muse_glimmer_text",
     .traits = TRAIT_WIDE_GATE | TRAIT_NORM_FOUR,
     .window = WINDOW_EVERY,
     .window_every = 4},
    {.types = "inkling inkling_text inkling_mm_model",
     .traits = TRAIT_QK_NORM,
     .window = WINDOW_EVERY,
     .window_every = 6},
    {.types = "minimax_m3 minimax_m3_vl minimax_m3_vl_text",
     .gguf = "minimax-m3",
     .traits = TRAIT_EXPERT_FFN | TRAIT_QK_NORM | TRAIT_INDEX_16,
     .ffn_group = "block_sparse_moe mlp",
     DEFAULTS(of_128_wide)},
    {.types = "deepseek_v4 deepseek_ref",
     .gguf = "deepseek4",
     .traits = TRAIT_COMPRESSED,
     .attention_group = "self_attn attn",
     .ffn_group = "mlp ffn"},
    {.types = "deepseek_v41 deepseek_v41_text",
     .refusal = "its layers take cached entries from those of others, and no source says yet which entries "
                "each keeps: the KV cache cannot be computed"},
    {.types = "mistral_large4 mistral_large4_text",
     .refusal = "its layers share caches by a list that no released file has shown yet"},
    {.types = "inkling2 inkling2_text muse_spark muse_spark_text",
     .refusal = "no released file has shown yet which layers have a window"},
    {.types = "lfm2 lfm2_moe", .gguf = "lfm2 lfm2moe", .traits = TRAIT_QK_NORM | TRAIT_TIED},
    {.types = "nemotron arcee apertus", .gguf = "nemotron arcee apertus", .traits = TRAIT_PLAIN},
};

const ModelFamily *family_of_type(const char *type) {
    for (size_t i = 0; i < COUNT_OF(families); i++) {
        if (word_in(families[i].types, type)) return &families[i];
    }
    return NULL;
}

const ModelFamily *family_of_gguf(const char *architecture) {
    for (size_t i = 0; i < COUNT_OF(families); i++) {
        if (families[i].gguf != NULL && word_in(families[i].gguf, architecture)) return &families[i];
    }
    return NULL;
}

const ModelFamily *family_assumed(void) { return &families[0]; }

const char *families_known(Arena *a) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    for (size_t i = 0; i < COUNT_OF(families); i++) {
        Str rest = str_of(families[i].types);
        Str word;
        if (str_next(&rest, ' ', &word))
            buf_printf(&b, "%s%.*s", i == 0 ? "" : ", ", (int)word.length, word.data);
    }
    return buf_take(&b, a);
}
