// Architectures of language models: what their files call a shape, and what sets each family apart.
//
// Sources: the configuration classes of huggingface/transformers and of the models' own repositories, llama.cpp's
// gguf-py/gguf/constants.py (2026-08), counts checked against data/models.tsv.
#include <math.h>
#include <string.h>

#include "catalog/model_file.h"

// ---------------------------------------------------------------- keys

#define KEY(f, config, gguf, max, zero) {offsetof(ModelDraft, f), config, gguf, max, zero}

// clang-format off
const ModelKey model_keys[] = {
    KEY(m.layers, "num_hidden_layers n_layer n_layers num_layers", "block_count", 1e4, ZERO_WRONG),
    KEY(m.hidden, "hidden_size n_embd d_model n_embed model_dim", "embedding_length", 1e6, ZERO_WRONG),
    KEY(m.heads, "num_attention_heads n_head n_heads num_heads", "attention.head_count", 1e5, ZERO_WRONG),
    KEY(m.kv_heads, "num_key_value_heads num_kv_heads n_head_kv attn_config.kv_n_heads multi_query_group_num", "attention.head_count_kv", 1e5, ZERO_WRONG),
    KEY(m.head_dim, "head_dim attention_head_dim kv_channels", "attention.key_length", 1e5, ZERO_NONE),
    KEY(m.intermediate, "intermediate_size ffn_hidden_size n_inner ffn_dim", "feed_forward_length", 1e7, ZERO_NONE),
    KEY(dense_width, "intermediate_size_mlp", "", 1e7, ZERO_NONE),
    KEY(m.vocab, "vocab_size padded_vocab_size", "vocab_size", 1e8, ZERO_WRONG),
    KEY(m.max_context, "max_position_embeddings max_seq_len n_positions seq_length max_sequence_length model_max_length n_ctx", "context_length", 1e12, ZERO_NONE),
    KEY(m.experts, "num_local_experts n_routed_experts num_experts moe_num_experts ffn_config.moe_num_experts", "expert_count", 1e6, ZERO_NONE),
    KEY(m.experts_per_token, "num_experts_per_tok num_experts_per_token experts_per_token top_k_experts moe_topk moe_k num_selected_experts ffn_config.moe_top_k", "expert_used_count", 1e6, ZERO_NONE),
    KEY(m.shared_experts, "n_shared_experts num_shared_experts num_shared_expert moe_num_shared_experts", "expert_shared_count", 1e4, ZERO_VALUE),
    KEY(m.moe_intermediate, "moe_intermediate_size expert_ffn_hidden_size ffn_config.ffn_hidden_size", "expert_feed_forward_length", 1e7, ZERO_NONE),
    KEY(m.shared_intermediate, "shared_expert_intermediate_size moe_shared_expert_intermediate_size shared_intermediate_size", "expert_shared_feed_forward_length", 1e7, ZERO_NONE),
    KEY(m.dense_layers_first, "first_k_dense_replace moe_layer_start_index", "leading_dense_block_count", 1e4, ZERO_VALUE),
    KEY(m.moe_every, "moe_layer_freq interleave_moe_layer_step decoder_sparse_step moe_layer_interval", "interleave_moe_layer_step", 1e4, ZERO_NONE),
    KEY(m.q_lora_rank, "q_lora_rank", "attention.q_lora_rank", 1e6, ZERO_NONE),
    KEY(m.kv_lora_rank, "kv_lora_rank", "attention.kv_lora_rank", 1e6, ZERO_NONE),
    KEY(m.qk_nope_head_dim, "qk_nope_head_dim", "", 1e5, ZERO_NONE),
    KEY(m.qk_rope_head_dim, "qk_rope_head_dim", "rope.dimension_count", 1e5, ZERO_NONE),
    KEY(m.v_head_dim, "v_head_dim", "attention.value_length", 1e5, ZERO_NONE),
    KEY(m.sliding_window, "sliding_window sliding_window_size attention_chunk_size", "attention.sliding_window attention.chunk_size", 1e12, ZERO_NONE),
    KEY(window_every, "sliding_window_pattern _sliding_window_pattern", "", 1e4, ZERO_NONE),
    KEY(window_from, "max_window_layers", "", 1e4, ZERO_VALUE),
    KEY(nextn, "num_nextn_predict_layers mtp_num_hidden_layers", "nextn_predict_layers", 100, ZERO_VALUE),
    KEY(index_heads, "index_n_heads", "attention.indexer.head_count", 1e5, ZERO_NONE),
    KEY(index_dim, "index_head_dim", "attention.indexer.key_length", 1e5, ZERO_NONE),
    KEY(full_kv_heads, "num_global_key_value_heads", "", 1e5, ZERO_NONE),
    KEY(full_head_dim, "global_head_dim", "", 1e5, ZERO_NONE),
    KEY(window_kv_heads, "swa_num_key_value_heads", "", 1e5, ZERO_NONE),
    KEY(window_head_dim, "swa_head_dim", "", 1e5, ZERO_NONE),
    KEY(window_v_dim, "swa_v_head_dim", "", 1e5, ZERO_NONE),
    KEY(linear_key_heads, "linear_num_key_heads", "ssm.group_count", 1e5, ZERO_NONE),
    KEY(linear_value_heads, "linear_num_value_heads", "ssm.time_step_rank", 1e5, ZERO_NONE),
    KEY(linear_key_dim, "linear_key_head_dim", "ssm.state_size", 1e5, ZERO_NONE),
    KEY(linear_value_dim, "linear_value_head_dim", "", 1e5, ZERO_NONE),
    KEY(linear_conv, "linear_conv_kernel_dim", "ssm.conv_kernel", 1e3, ZERO_NONE),
    KEY(full_every, "full_attention_interval", "full_attention_interval", 1e4, ZERO_NONE),
    KEY(mamba_heads, "mamba_num_heads", "", 1e5, ZERO_NONE),
    KEY(mamba_head_dim, "mamba_head_dim", "", 1e5, ZERO_NONE),
    KEY(mamba_state, "ssm_state_size", "", 1e5, ZERO_NONE),
    KEY(mamba_groups, "n_groups", "", 1e5, ZERO_NONE),
    KEY(mamba_conv, "conv_kernel", "", 1e3, ZERO_NONE),
    KEY(expert_latent, "moe_latent_size", "", 1e6, ZERO_NONE),
    KEY(per_layer_width, "hidden_size_per_layer_input", "embedding_length_per_layer_input", 1e6, ZERO_NONE),
    KEY(per_layer_vocab, "vocab_size_per_layer_input", "", 1e8, ZERO_NONE),
};
// clang-format on
const size_t n_model_keys = COUNT_OF(model_keys);

// ---------------------------------------------------------------- families

#define OF(f) offsetof(ModelDraft, f)
#define DEFAULTS(list) .defaults = list, .n_defaults = COUNT_OF(list)

static const ModelDefault of_8_kv[] = {{OF(m.kv_heads), 8}};
static const ModelDefault of_gemma2[] = {{OF(m.heads), 8}, {OF(m.kv_heads), 4}, {OF(m.head_dim), 256}, {OF(m.vocab), 256000}, {OF(m.sliding_window), 4096}};
static const ModelDefault of_gemma3[] = {{OF(m.heads), 8},        {OF(m.kv_heads), 4},          {OF(m.head_dim), 256},
                                         {OF(m.vocab), 262208}, {OF(m.sliding_window), 4096}, {OF(m.max_context), 131072}};
static const ModelDefault of_gemma4[] = {{OF(m.sliding_window), 512}, {OF(m.vocab), 262144}};
static const ModelDefault of_qwen3[] = {{OF(m.head_dim), 128}};
static const ModelDefault of_qwen3_moe[] = {{OF(m.kv_heads), 4}};
static const ModelDefault of_qwen3_next[] = {{OF(m.kv_heads), 2},       {OF(m.head_dim), 256},        {OF(full_every), 4},      {OF(linear_conv), 4},
                                             {OF(linear_key_dim), 128}, {OF(linear_value_dim), 128}};
static const ModelDefault of_glm4[] = {{OF(m.kv_heads), 2}, {OF(m.head_dim), 128}};
static const ModelDefault of_glm4_moe[] = {{OF(m.kv_heads), 8}, {OF(m.head_dim), 128}};
static const ModelDefault of_gpt_oss[] = {{OF(m.kv_heads), 8}, {OF(m.head_dim), 64}, {OF(m.sliding_window), 128}};
static const ModelDefault of_llama4[] = {{OF(m.kv_heads), 8}, {OF(m.head_dim), 128}, {OF(m.sliding_window), 8192}, {OF(m.shared_experts), 1}};
static const ModelDefault of_128_wide[] = {{OF(m.head_dim), 128}};
static const ModelDefault of_cohere2[] = {{OF(m.sliding_window), 4096}};

// The first is what --assume-dense takes an unknown one for.
static const ModelFamily families[] = {
    {.types = "llama Yi internlm internlm2 internlm3 baichuan xverse orion exaone smollm3 minicpm seed_oss solar aquila mimo ernie4_5 hunyuan_v1_dense granite "
              "",
     .gguf = "llama baichuan xverse orion internlm2 minicpm exaone smollm3 granite seed_oss ernie4_5 hunyuan-dense deci",
     .window = WINDOW_NONE},
    {.types = "mistral ministral ministral3 mistral3", .gguf = "mistral3 mistral", .window = WINDOW_ALL, DEFAULTS(of_8_kv)},
    {.types = "mixtral", .traits = TRAIT_EXPERT_FFN, .window = WINDOW_ALL, DEFAULTS(of_8_kv)},
    {.types = "qwen2 qwen2_vl qwen2_vl_text qwen2_5_vl qwen2_5_vl_text", .gguf = "qwen2 qwen2vl", .traits = TRAIT_BIAS_QKV, .window = WINDOW_SWITCHED},
    {.types = "qwen2_moe", .gguf = "qwen2moe", .traits = TRAIT_BIAS_QKV | TRAIT_SHARED_GATE, .window = WINDOW_SWITCHED},
    {.types = "qwen3 qwen3_vl_text", .gguf = "qwen3 qwen3vl", .traits = TRAIT_QK_NORM, .window = WINDOW_SWITCHED, DEFAULTS(of_qwen3)},
    {.types = "qwen3_moe qwen3_vl_moe_text", .gguf = "qwen3moe qwen3vlmoe", .traits = TRAIT_QK_NORM, .window = WINDOW_SWITCHED, DEFAULTS(of_qwen3_moe)},
    {.types = "qwen3_next qwen3_5 qwen3_5_text qwen3_5_moe qwen3_5_moe_text", .gguf = "qwen3next qwen35 qwen35moe",
     .traits = TRAIT_QK_NORM | TRAIT_SHARED_GATE | TRAIT_GATED_QUERY, DEFAULTS(of_qwen3_next)},
    {.types = "deepseek dots1 bailing_moe", .gguf = "deepseek dots1 bailingmoe"},
    {.types = "deepseek_v2 deepseek_v3 deepseek_v32 kimi_k2 kimi_k25 glm_moe_dsa glm4_moe_lite deepseek_vl_v2", .gguf = "deepseek2 glm-dsa", .traits = TRAIT_MLA},
    {.types = "gpt_oss", .gguf = "gpt-oss", .traits = TRAIT_EXPERT_FFN | TRAIT_BIAS_QKV | TRAIT_BIAS_OUT | TRAIT_BIAS_EXPERT | TRAIT_SINKS,
     .window = WINDOW_EVERY, .window_every = 2, DEFAULTS(of_gpt_oss)},
    {.types = "gemma", .gguf = "gemma", .traits = TRAIT_TIED},
    {.types = "gemma2", .gguf = "gemma2", .traits = TRAIT_TIED | TRAIT_NORM_FOUR, .window = WINDOW_EVERY, .window_every = 2, DEFAULTS(of_gemma2)},
    {.types = "gemma3 gemma3_text", .gguf = "gemma3", .traits = TRAIT_TIED | TRAIT_NORM_FOUR | TRAIT_QK_NORM, .window = WINDOW_EVERY, .window_every = 6, DEFAULTS(of_gemma3)},
    {.types = "gemma4 gemma4_text", .traits = TRAIT_TIED | TRAIT_NORM_FOUR | TRAIT_QK_NORM | TRAIT_DENSE_BESIDE, .window = WINDOW_EVERY, .window_every = 6, DEFAULTS(of_gemma4)},
    {.types = "phi phi-msft", .gguf = "phi2", .traits = TRAIT_PLAIN | TRAIT_FFN_4H | TRAIT_BIAS | TRAIT_NORM_ONE},
    {.types = "phi3 phi4mm phi4_multimodal", .gguf = "phi3", .window = WINDOW_ALL},
    {.types = "phimoe", .gguf = "phimoe", .traits = TRAIT_EXPERT_FFN | TRAIT_BIAS_QKV | TRAIT_BIAS_OUT | TRAIT_NORM_BIAS, .window = WINDOW_ALL},
    {.types = "glm glm4 glm4v_text", .gguf = "glm4", .traits = TRAIT_NORM_FOUR, DEFAULTS(of_glm4)},
    {.types = "chatglm", .gguf = "chatglm", .traits = TRAIT_BIAS_QKV},
    {.types = "glm4_moe glm4v_moe_text", .gguf = "glm4moe", DEFAULTS(of_glm4_moe)},
    {.types = "llama4 llama4_text", .gguf = "llama4", .traits = TRAIT_EXPERT_FFN, .window = WINDOW_EVERY, .window_every = 4, DEFAULTS(of_llama4)},
    {.types = "minimax_m2", .gguf = "minimax-m2", .traits = TRAIT_EXPERT_FFN | TRAIT_QK_NORM, DEFAULTS(of_128_wide)},
    {.types = "mimo_v2_flash mimo_v2", .gguf = "mimo2"},
    {.types = "ernie4_5_moe hunyuan_v1_moe", .gguf = "ernie4_5-moe hunyuan-moe"},
    {.types = "olmoe granitemoe granitemoeshared grok-1 grok", .gguf = "olmoe granitemoe grok", .traits = TRAIT_EXPERT_FFN},
    {.types = "dbrx", .gguf = "dbrx", .traits = TRAIT_EXPERT_FFN},
    {.types = "olmo olmo2 olmo3 exaone4", .gguf = "olmo olmo2 exaone4", .window = WINDOW_EVERY, .window_every = 4},
    {.types = "stablelm", .gguf = "stablelm", .traits = TRAIT_NORM_BIAS},
    {.types = "cohere", .gguf = "command-r", .traits = TRAIT_TIED | TRAIT_NORM_ONE},
    {.types = "cohere2", .gguf = "cohere2", .traits = TRAIT_TIED | TRAIT_NORM_ONE, .window = WINDOW_EVERY, .window_every = 4, DEFAULTS(of_cohere2)},
    {.types = "falcon RefinedWeb RefinedWebModel", .gguf = "falcon", .traits = TRAIT_TIED | TRAIT_PLAIN | TRAIT_FFN_4H | TRAIT_NORM_BIAS | TRAIT_MULTI_QUERY},
    {.types = "mpt", .gguf = "mpt", .traits = TRAIT_TIED | TRAIT_PLAIN | TRAIT_FFN_4H},
    {.types = "gpt2 opt", .gguf = "gpt2", .traits = TRAIT_TIED | TRAIT_PLAIN | TRAIT_FFN_4H | TRAIT_BIAS | TRAIT_POSITIONS},
    {.types = "gpt_bigcode", .gguf = "starcoder", .traits = TRAIT_TIED | TRAIT_PLAIN | TRAIT_FFN_4H | TRAIT_BIAS | TRAIT_POSITIONS | TRAIT_MULTI_QUERY},
    {.types = "starcoder2", .gguf = "starcoder2", .traits = TRAIT_TIED | TRAIT_PLAIN | TRAIT_BIAS, .window = WINDOW_ALL},
    {.types = "gptj codegen", .gguf = "gptj", .traits = TRAIT_PLAIN | TRAIT_FFN_4H | TRAIT_BIAS_FFN | TRAIT_NORM_BIAS | TRAIT_NORM_ONE},
    {.types = "bloom", .gguf = "bloom", .traits = TRAIT_TIED | TRAIT_PLAIN | TRAIT_FFN_4H | TRAIT_BIAS},
    {.types = "gpt_neox", .gguf = "gptneox", .traits = TRAIT_PLAIN | TRAIT_FFN_4H | TRAIT_BIAS},
    {.types = "nemotron_h", .traits = TRAIT_PLAIN | TRAIT_NORM_ONE | TRAIT_BLOCKS},
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
        if (str_next(&rest, ' ', &word)) buf_printf(&b, "%s%.*s", i == 0 ? "" : ", ", (int)word.length, word.data);
    }
    const char *text = arena_copy(a, b.data, b.length);
    buf_free(&b);
    return text;
}
