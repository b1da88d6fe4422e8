// config.json of public models, in our own words, against the rows of data/models.tsv; and what is wrong in
// one.
#include <math.h>

#include "tests/check.h"
#include "tests/model_files.h"

// ---------------------------------------------------------------- public shapes

// JSON lists of one word a layer: `every`-th is `special`.
static const char *kinds(Arena *a, int layers, int every, const char *usual, const char *special) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    for (int i = 1; i <= layers; i++)
        buf_printf(&b, "%s\"%s\"", i > 1 ? "," : "", i % every == 0 ? special : usual);
    const char *text = arena_copy(a, b.data, b.length);
    buf_free(&b);
    return text;
}

typedef struct Public {
    const char *model_id, *config;  // %s: a list that the test fills in
    int layers, every;
    const char *usual, *special;

} Public;

#define BF16 "\"torch_dtype\":\"bfloat16\","
#define FP8                                                                                                  \
    "\"quantization_config\":{\"quant_method\":\"fp8\",\"fmt\":\"e4m3\",\"weight_block_size\":[128,128]},"
#define MLA "\"kv_lora_rank\":512,\"qk_nope_head_dim\":128,\"qk_rope_head_dim\":64,\"v_head_dim\":128,"
#define SIGLIP                                                                                               \
    "\"vision_config\":{\"hidden_size\":1152,\"intermediate_size\":4304,\"num_hidden_layers\":27,\"num_"     \
    "attention_heads\":16,\"patch_size\":14}"

// clang-format off
static const Public publics[] = {
    {.model_id = "llama-3.1-70b", .config = "{\"model_type\":\"llama\"," BF16 "\"hidden_size\":8192,\"intermediate_size\":28672,\"num_hidden_layers\":80,\"num_attention_heads\":64,\"num_key_value_heads\":8,\"vocab_size\":128256,\"max_position_embeddings\":131072,\"tie_word_embeddings\":false,\"rope_scaling\":{\"factor\":8.0}}"},
    {.model_id = "llama-3.1-8b", .config = "{\"model_type\":\"llama\"," BF16 "\"hidden_size\":4096,\"intermediate_size\":14336,\"num_hidden_layers\":32,\"num_attention_heads\":32,\"num_key_value_heads\":8,\"vocab_size\":128256,\"max_position_embeddings\":131072}"},
    {.model_id = "llama-3.2-1b", .config = "{\"model_type\":\"llama\"," BF16 "\"hidden_size\":2048,\"intermediate_size\":8192,\"num_hidden_layers\":16,\"num_attention_heads\":32,\"num_key_value_heads\":8,\"head_dim\":64,\"vocab_size\":128256,\"max_position_embeddings\":131072,\"tie_word_embeddings\":true}"},
    {.model_id = "llama-2-7b", .config = "{\"architectures\":[\"LlamaForCausalLM\"],\"model_type\":\"llama\",\"torch_dtype\":\"float16\",\"hidden_size\":4096,\"intermediate_size\":11008,\"num_hidden_layers\":32,\"num_attention_heads\":32,\"vocab_size\":32000,\"max_position_embeddings\":4096}"},
    {.model_id = "mistral-7b-v0.3", .config = "{\"model_type\":\"mistral\"," BF16 "\"hidden_size\":4096,\"intermediate_size\":14336,\"num_hidden_layers\":32,\"num_attention_heads\":32,\"num_key_value_heads\":8,\"sliding_window\":null,\"vocab_size\":32768,\"max_position_embeddings\":32768}"},
    {.model_id = "mistral-nemo-12b", .config = "{\"model_type\":\"mistral\"," BF16 "\"hidden_size\":5120,\"intermediate_size\":14336,\"num_hidden_layers\":40,\"num_attention_heads\":32,\"head_dim\":128,\"sliding_window\":null,\"vocab_size\":131072,\"max_position_embeddings\":131072}"},
    {.model_id = "mixtral-8x7b", .config = "{\"model_type\":\"mixtral\"," BF16 "\"hidden_size\":4096,\"intermediate_size\":14336,\"num_hidden_layers\":32,\"num_attention_heads\":32,\"num_key_value_heads\":8,\"num_local_experts\":8,\"num_experts_per_tok\":2,\"sliding_window\":null,\"vocab_size\":32000,\"max_position_embeddings\":32768}"},
    {.model_id = "qwen2-7b", .config = "{\"model_type\":\"qwen2\"," BF16 "\"hidden_size\":3584,\"intermediate_size\":18944,\"num_hidden_layers\":28,\"num_attention_heads\":28,\"num_key_value_heads\":4,\"use_sliding_window\":false,\"sliding_window\":131072,\"max_window_layers\":28,\"vocab_size\":152064,\"max_position_embeddings\":131072}"},
    {.model_id = "qwen2.5-72b", .config = "{\"model_type\":\"qwen2\"," BF16 "\"hidden_size\":8192,\"intermediate_size\":29568,\"num_hidden_layers\":80,\"num_attention_heads\":64,\"num_key_value_heads\":8,\"sliding_window\":4096,\"use_sliding_window\":false,\"max_window_layers\":70,\"vocab_size\":152064,\"max_position_embeddings\":131072}"},
    {.model_id = "qwen3-4b", .config = "{\"model_type\":\"qwen3\"," BF16 "\"hidden_size\":2560,\"intermediate_size\":9728,\"num_hidden_layers\":36,\"num_attention_heads\":32,\"num_key_value_heads\":8,\"vocab_size\":151936,\"max_position_embeddings\":40960,\"tie_word_embeddings\":true}"},
    {.model_id = "qwen3-235b-a22b", .config = "{\"model_type\":\"qwen3_moe\"," BF16 "\"hidden_size\":4096,\"intermediate_size\":12288,\"moe_intermediate_size\":1536,\"num_hidden_layers\":94,\"num_attention_heads\":64,\"num_key_value_heads\":4,\"head_dim\":128,\"num_experts\":128,\"num_experts_per_tok\":8,\"decoder_sparse_step\":1,\"mlp_only_layers\":[],\"sliding_window\":null,\"vocab_size\":151936,\"max_position_embeddings\":40960}"},
    {.model_id = "qwen3-next-80b-a3b", .config = "{\"model_type\":\"qwen3_next\"," BF16 "\"hidden_size\":2048,\"intermediate_size\":5120,\"moe_intermediate_size\":512,\"shared_expert_intermediate_size\":512,\"num_hidden_layers\":48,\"num_attention_heads\":16,\"num_key_value_heads\":2,\"head_dim\":256,\"num_experts\":512,\"num_experts_per_tok\":10,\"full_attention_interval\":4,\"linear_num_key_heads\":16,\"linear_num_value_heads\":32,\"linear_key_head_dim\":128,\"linear_value_head_dim\":128,\"linear_conv_kernel_dim\":4,\"vocab_size\":151936,\"max_position_embeddings\":262144}"},
    {.model_id = "qwen3.5-27b", .config = "{\"model_type\":\"qwen3_5\",\"text_config\":{\"model_type\":\"qwen3_5_text\",\"dtype\":\"bfloat16\",\"hidden_size\":5120,\"intermediate_size\":17408,\"num_hidden_layers\":64,\"num_attention_heads\":24,\"num_key_value_heads\":4,\"head_dim\":256,\"layer_types\":[%s],\"linear_num_key_heads\":16,\"linear_num_value_heads\":48,\"linear_key_head_dim\":128,\"linear_value_head_dim\":128,\"linear_conv_kernel_dim\":4,\"vocab_size\":248320,\"max_position_embeddings\":262144},\"tie_word_embeddings\":false,\"vision_config\":{\"depth\":27,\"hidden_size\":1152,\"intermediate_size\":4304}}", .layers = 64, .every = 4, .usual = "linear_attention", .special = "full_attention"},
    {.model_id = "deepseek-v2-lite", .config = "{\"model_type\":\"deepseek_v2\"," BF16 MLA "\"hidden_size\":2048,\"intermediate_size\":10944,\"moe_intermediate_size\":1408,\"num_hidden_layers\":27,\"num_attention_heads\":16,\"num_key_value_heads\":16,\"q_lora_rank\":null,\"n_routed_experts\":64,\"num_experts_per_tok\":6,\"n_shared_experts\":2,\"first_k_dense_replace\":1,\"moe_layer_freq\":1,\"vocab_size\":102400,\"max_position_embeddings\":163840}"},
    {.model_id = "deepseek-v3", .config = "{\"model_type\":\"deepseek_v3\"," BF16 FP8 MLA "\"hidden_size\":7168,\"intermediate_size\":18432,\"moe_intermediate_size\":2048,\"num_hidden_layers\":61,\"num_attention_heads\":128,\"num_key_value_heads\":128,\"q_lora_rank\":1536,\"n_routed_experts\":256,\"num_experts_per_tok\":8,\"n_shared_experts\":1,\"first_k_dense_replace\":3,\"moe_layer_freq\":1,\"num_nextn_predict_layers\":1,\"vocab_size\":129280,\"max_position_embeddings\":163840}"},
    {.model_id = "deepseek-v3.2", .config = "{\"model_type\":\"deepseek_v32\"," BF16 FP8 MLA "\"index_head_dim\":128,\"index_n_heads\":64,\"index_topk\":2048,\"hidden_size\":7168,\"intermediate_size\":18432,\"moe_intermediate_size\":2048,\"num_hidden_layers\":61,\"num_attention_heads\":128,\"num_key_value_heads\":128,\"q_lora_rank\":1536,\"n_routed_experts\":256,\"num_experts_per_tok\":8,\"n_shared_experts\":1,\"first_k_dense_replace\":3,\"moe_layer_freq\":1,\"num_nextn_predict_layers\":1,\"vocab_size\":129280,\"max_position_embeddings\":163840}"},
    {.model_id = "kimi-k2", .config = "{\"model_type\":\"kimi_k2\"," BF16 FP8 MLA "\"hidden_size\":7168,\"intermediate_size\":18432,\"moe_intermediate_size\":2048,\"num_hidden_layers\":61,\"num_attention_heads\":64,\"num_key_value_heads\":64,\"q_lora_rank\":1536,\"n_routed_experts\":384,\"num_experts_per_tok\":8,\"n_shared_experts\":1,\"first_k_dense_replace\":1,\"moe_layer_freq\":1,\"num_nextn_predict_layers\":0,\"vocab_size\":163840,\"max_position_embeddings\":131072}"},
    {.model_id = "kimi-k2.5", .config = "{\"model_type\":\"kimi_k25\",\"dtype\":\"bfloat16\",\"text_config\":{\"model_type\":\"kimi_k2\"," MLA "\"hidden_size\":7168,\"intermediate_size\":18432,\"moe_intermediate_size\":2048,\"num_hidden_layers\":61,\"num_attention_heads\":64,\"num_key_value_heads\":64,\"q_lora_rank\":1536,\"n_routed_experts\":384,\"num_experts_per_tok\":8,\"n_shared_experts\":1,\"first_k_dense_replace\":1,\"moe_layer_freq\":1,\"vocab_size\":163840,\"max_position_embeddings\":262144,\"quantization_config\":{\"quant_method\":\"compressed-tensors\",\"format\":\"pack-quantized\",\"config_groups\":{\"group_0\":{\"targets\":[\"Linear\"],\"weights\":{\"num_bits\":4,\"type\":\"int\",\"group_size\":32}}},\"ignore\":[\"lm_head\",\"re:.*self_attn.*\"]}},\"vision_config\":{\"vt_hidden_size\":1152,\"vt_intermediate_size\":4304,\"vt_num_hidden_layers\":27}}"},
    {.model_id = "glm-4.5-air", .config = "{\"model_type\":\"glm4_moe\"," BF16 "\"attention_bias\":true,\"hidden_size\":4096,\"intermediate_size\":10944,\"moe_intermediate_size\":1408,\"num_hidden_layers\":46,\"num_attention_heads\":96,\"num_key_value_heads\":8,\"head_dim\":128,\"n_routed_experts\":128,\"num_experts_per_tok\":8,\"n_shared_experts\":1,\"first_k_dense_replace\":1,\"num_nextn_predict_layers\":1,\"use_qk_norm\":false,\"vocab_size\":151552,\"max_position_embeddings\":131072}"},
    {.model_id = "glm-5", .config = "{\"model_type\":\"glm_moe_dsa\",\"index_topk\":2048,\"dtype\":\"bfloat16\",\"kv_lora_rank\":512,\"q_lora_rank\":2048,\"qk_nope_head_dim\":192,\"qk_rope_head_dim\":64,\"v_head_dim\":256,\"head_dim\":64,\"index_head_dim\":128,\"index_n_heads\":32,\"hidden_size\":6144,\"intermediate_size\":12288,\"moe_intermediate_size\":2048,\"num_hidden_layers\":78,\"num_attention_heads\":64,\"num_key_value_heads\":64,\"n_routed_experts\":256,\"num_experts_per_tok\":8,\"n_shared_experts\":1,\"first_k_dense_replace\":3,\"moe_layer_freq\":1,\"num_nextn_predict_layers\":1,\"vocab_size\":154880,\"max_position_embeddings\":202752}"},
    {.model_id = "gpt-oss-120b", .config = "{\"model_type\":\"gpt_oss\",\"attention_bias\":true,\"hidden_size\":2880,\"intermediate_size\":2880,\"num_hidden_layers\":36,\"num_attention_heads\":64,\"num_key_value_heads\":8,\"head_dim\":64,\"num_local_experts\":128,\"num_experts_per_tok\":4,\"experts_per_token\":4,\"layer_types\":[%s],\"sliding_window\":128,\"tie_word_embeddings\":false,\"vocab_size\":201088,\"max_position_embeddings\":131072,\"quantization_config\":{\"quant_method\":\"mxfp4\",\"modules_to_not_convert\":[\"model.layers.*.self_attn\",\"lm_head\"]}}", .layers = 36, .every = 2, .usual = "sliding_attention", .special = "full_attention"},
    {.model_id = "gpt-oss-20b", .config = "{\"model_type\":\"gpt_oss\",\"hidden_size\":2880,\"intermediate_size\":2880,\"num_hidden_layers\":24,\"num_attention_heads\":64,\"num_local_experts\":32,\"experts_per_token\":4,\"vocab_size\":201088,\"max_position_embeddings\":131072,\"quantization_config\":{\"quant_method\":\"mxfp4\",\"modules_to_not_convert\":[\"model.layers.*.self_attn\"]}}"},
    {.model_id = "gemma-2-27b", .config = "{\"model_type\":\"gemma2\"," BF16 "\"hidden_size\":4608,\"intermediate_size\":36864,\"num_hidden_layers\":46,\"num_attention_heads\":32,\"num_key_value_heads\":16,\"head_dim\":128,\"sliding_window\":4096,\"vocab_size\":256000,\"max_position_embeddings\":8192}"},
    {.model_id = "gemma-3-27b", .config = "{\"model_type\":\"gemma3\"," BF16 "\"text_config\":{\"model_type\":\"gemma3_text\",\"hidden_size\":5376,\"intermediate_size\":21504,\"num_hidden_layers\":62,\"num_attention_heads\":32,\"num_key_value_heads\":16,\"head_dim\":128,\"sliding_window\":1024},\"mm_tokens_per_image\":256," SIGLIP "}"},
    {.model_id = "gemma-3-4b", .config = "{\"model_type\":\"gemma3\"," BF16 "\"text_config\":{\"model_type\":\"gemma3_text\",\"hidden_size\":2560,\"intermediate_size\":10240,\"num_hidden_layers\":34,\"sliding_window\":1024,\"_sliding_window_pattern\":6}," SIGLIP "}"},
    {.model_id = "gemma-4-31b", .config = "{\"model_type\":\"gemma4\",\"dtype\":\"bfloat16\",\"tie_word_embeddings\":true,\"text_config\":{\"model_type\":\"gemma4_text\",\"attention_k_eq_v\":true,\"enable_moe_block\":false,\"num_experts\":null,\"global_head_dim\":512,\"num_global_key_value_heads\":4,\"head_dim\":256,\"hidden_size\":5376,\"intermediate_size\":21504,\"num_hidden_layers\":60,\"num_attention_heads\":32,\"num_key_value_heads\":16,\"hidden_size_per_layer_input\":0,\"layer_types\":[%s],\"sliding_window\":1024,\"vocab_size\":262144,\"max_position_embeddings\":262144}," SIGLIP "}", .layers = 60, .every = 6, .usual = "sliding_attention", .special = "full_attention"},
    {.model_id = "phi-3-mini", .config = "{\"model_type\":\"phi3\"," BF16 "\"hidden_size\":3072,\"intermediate_size\":8192,\"num_hidden_layers\":32,\"num_attention_heads\":32,\"num_key_value_heads\":32,\"sliding_window\":262144,\"vocab_size\":32064,\"max_position_embeddings\":131072}"},
    {.model_id = "llama-4-scout", .config = "{\"model_type\":\"llama4\"," BF16 "\"text_config\":{\"model_type\":\"llama4_text\",\"attention_chunk_size\":8192,\"hidden_size\":5120,\"intermediate_size\":8192,\"intermediate_size_mlp\":16384,\"interleave_moe_layer_step\":1,\"num_hidden_layers\":48,\"num_attention_heads\":40,\"num_key_value_heads\":8,\"head_dim\":128,\"num_local_experts\":16,\"num_experts_per_tok\":1,\"no_rope_layers\":[],\"vocab_size\":202048,\"max_position_embeddings\":10485760},\"vision_config\":{\"hidden_size\":1408,\"intermediate_size\":5632,\"num_hidden_layers\":34,\"projector_input_dim\":4096}}"},
    {.model_id = "llama-4-maverick", .config = "{\"model_type\":\"llama4\"," BF16 "\"text_config\":{\"model_type\":\"llama4_text\",\"attention_chunk_size\":8192,\"hidden_size\":5120,\"intermediate_size\":8192,\"intermediate_size_mlp\":16384,\"interleave_moe_layer_step\":2,\"num_hidden_layers\":48,\"num_attention_heads\":40,\"num_key_value_heads\":8,\"head_dim\":128,\"num_local_experts\":128,\"num_experts_per_tok\":1,\"vocab_size\":202048,\"max_position_embeddings\":1048576},\"vision_config\":{\"hidden_size\":1408,\"intermediate_size\":5632,\"num_hidden_layers\":34}}"},
    {.model_id = "falcon-40b", .config = "{\"model_type\":\"falcon\"," BF16 "\"hidden_size\":8192,\"num_hidden_layers\":60,\"num_attention_heads\":128,\"num_kv_heads\":8,\"new_decoder_architecture\":true,\"multi_query\":true,\"parallel_attn\":true,\"bias\":false,\"vocab_size\":65024}"},
    {.model_id = "mpt-7b", .config = "{\"model_type\":\"mpt\"," BF16 "\"d_model\":4096,\"n_heads\":32,\"n_layers\":32,\"expansion_ratio\":4,\"max_seq_len\":2048,\"attn_config\":{\"attn_type\":\"multihead_attention\"},\"vocab_size\":50432}"},
    {.model_id = "bloom-176b", .config = "{\"model_type\":\"bloom\"," BF16 "\"n_embed\":14336,\"n_layer\":70,\"num_attention_heads\":112,\"vocab_size\":250880,\"seq_length\":2048}"},
    {.model_id = "command-r-plus", .config = "{\"model_type\":\"cohere\",\"torch_dtype\":\"float16\",\"hidden_size\":12288,\"intermediate_size\":33792,\"num_hidden_layers\":64,\"num_attention_heads\":96,\"num_key_value_heads\":8,\"vocab_size\":256000,\"max_position_embeddings\":8192,\"use_qk_norm\":true}"},
    {.model_id = "dbrx", .config = "{\"model_type\":\"dbrx\"," BF16 "\"d_model\":6144,\"n_heads\":48,\"n_layers\":40,\"max_seq_len\":32768,\"attn_config\":{\"kv_n_heads\":8},\"ffn_config\":{\"ffn_hidden_size\":10752,\"moe_num_experts\":16,\"moe_top_k\":4},\"vocab_size\":100352,\"tie_word_embeddings\":false}"},
    {.model_id = "minimax-m2", .config = "{\"model_type\":\"minimax_m2\"," FP8 "\"hidden_size\":3072,\"intermediate_size\":1536,\"num_hidden_layers\":62,\"num_attention_heads\":48,\"num_key_value_heads\":8,\"head_dim\":128,\"num_local_experts\":256,\"num_experts_per_tok\":8,\"vocab_size\":200064,\"max_position_embeddings\":196608,\"tie_word_embeddings\":false}"},
    {.model_id = "nemotron-3-nano-30b-a3b", .config = "{\"model_type\":\"nemotron_h\"," BF16 "\"hybrid_override_pattern\":\"MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME\",\"hidden_size\":2688,\"intermediate_size\":1856,\"moe_intermediate_size\":1856,\"moe_shared_expert_intermediate_size\":3712,\"n_shared_experts\":1,\"n_routed_experts\":128,\"num_experts_per_tok\":6,\"num_hidden_layers\":52,\"num_attention_heads\":32,\"num_key_value_heads\":2,\"head_dim\":128,\"mamba_num_heads\":64,\"mamba_head_dim\":64,\"ssm_state_size\":128,\"n_groups\":8,\"conv_kernel\":4,\"time_step_limit\":[0.0,Infinity],\"vocab_size\":131072,\"max_position_embeddings\":262144,\"tie_word_embeddings\":false}"},
};
// clang-format on

static const Model *row_of(const Facts *f, const char *id) {
    for (size_t i = 0; i < f->n_models; i++) {
        if (strcmp(f->models[i].model_id, id) == 0) return &f->models[i];
    }
    FAIL_("no row '%s'", id);
    return NULL;
}

static Facts facts_read(Arena *a, Catalog **ret_catalog) {
    Facts facts;
    Err e = {0};
    const char *warning = NULL;
    if (!catalog_open(&(CatalogOptions){NULL, NULL}, a, ret_catalog, &warning, &e) ||
        !catalog_facts(*ret_catalog, a, &facts, &e))
        FAIL_("%s", e.text);
    return facts;
}

static double zero(double x) { return is_known(x) ? x : 0; }

static void check_like(const Public *p, const Model *m, const Model *row) {
    const struct {
        const char *name;
        double got, want, within;
    } numbers[] = {
        {"layers", m->layers, row->layers, 0},
        {"params_total", m->params_total, row->params_total, 0.01},
        {"params_active", m->params_active, row->params_active, 0.01},
        {"params_input_embedding", zero(m->params_input_embedding), zero(row->params_input_embedding), 0.01},
        {"params_expert_routed", zero(m->params_expert_routed), zero(row->params_expert_routed), 0.01},
        {"kv_full_layers", m->kv_full_layers, row->kv_full_layers, 0},
        {"kv_window_layers", zero(m->kv_window_layers), zero(row->kv_window_layers), 0},
        {"linear_layers", zero(m->linear_layers), zero(row->linear_layers), 0},
        {"sliding_window", zero(m->sliding_window), zero(row->sliding_window), 0},
        {"kv_bytes_per_token_bf16", m->kv_bytes_per_token_bf16, row->kv_bytes_per_token_bf16, 0.01},
        {"kv_window_bytes_per_token_bf16", zero(m->kv_window_bytes_per_token_bf16),
         zero(row->kv_window_bytes_per_token_bf16), 0.01},
        {"kv_extra_bytes_per_token", zero(m->kv_extra_bytes_per_token), zero(row->kv_extra_bytes_per_token),
         0.01},
        {"state_elements_per_seq", zero(m->state_elements_per_seq), zero(row->state_elements_per_seq), 0.01},
        {"weight_bytes_native", m->weight_bytes_native, row->weight_bytes_native, 0.01},
        {"attn_flops_per_pair_full", m->attn_flops_per_pair_full, row->attn_flops_per_pair_full, 0.01},
        {"attn_flops_per_pair_window", zero(m->attn_flops_per_pair_window),
         zero(row->attn_flops_per_pair_window), 0.01},
        {"kv_sparse_bytes_per_token_bf16", zero(m->kv_sparse_bytes_per_token_bf16),
         zero(row->kv_sparse_bytes_per_token_bf16), 0},
        {"sparse_tokens", zero(m->sparse_tokens), zero(row->sparse_tokens), 0},
        {"index_flops_per_pair", zero(m->index_flops_per_pair), zero(row->index_flops_per_pair), 0},
        {"params_mtp", is_known(row->params_mtp) ? m->params_mtp : 0, zero(row->params_mtp), 0.01},
    };
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        if (fabs(numbers[i].got - numbers[i].want) <= numbers[i].within * numbers[i].want) continue;
        FAIL_("%s: %s is %.15g, the row says %.15g", p->model_id, numbers[i].name, numbers[i].got,
              numbers[i].want);
    }
    CHECK_INT(m->weights_native, row->weights_native);
    CHECK_INT(m->tied_embeddings, row->tied_embeddings);
    CHECK_STR(m->family, row->family);
    CHECK_STR(m->attention, row->attention);
}

static void test_public_shapes_give_their_rows(void) {
    Scratch s = scratch_make();
    Catalog *catalog = NULL;
    Facts facts = facts_read(&s.arena, &catalog);
    for (size_t i = 0; i < COUNT_OF(publics); i++) {
        const Public *p = &publics[i];
        const char *text = p->layers > 0 ? kinds(&s.arena, p->layers, p->every, p->usual, p->special) : "";
        Buf b;
        buf_init(&b, BUF_LIMIT);
        const char *hole = strstr(p->config, "%s");
        buf_add(&b, p->config, hole != NULL ? (size_t)(hole - p->config) : strlen(p->config));
        if (hole != NULL) buf_puts(&b, text), buf_puts(&b, hole + 2);
        const char *warning = NULL;
        Model m = model_read(&s, made_model(&s, "config.json", b.data), false, &warning);
        CHECK_STR(warning, "");
        check_like(p, &m, row_of(&facts, p->model_id));
        buf_free(&b);
    }
    catalog_close(catalog);
    scratch_free(&s);
}

#define LLAMA_70B                                                                                            \
    "\"hidden_size\":8192,\"intermediate_size\":28672,\"num_hidden_layers\":80,\"num_attention_heads\":64,"  \
    "\"num_key_value_heads\":8,\"vocab_size\":128256"

static void test_llama_70b_is_exact(void) {
    Scratch s = scratch_make();
    made_dir(&s, "Llama-3.1-70B");
    const char *path = made_model(&s, "Llama-3.1-70B/config.json",
                                  "{\"model_type\":\"llama\"," BF16 LLAMA_70B
                                  ",\"_name_or_path\":\"meta-llama/Llama-3.1-70B\"}");
    Model m = model_read(&s, path, false, NULL);
    CHECK(m.params_total == 70553706496.0 && m.params_active == 70553706496.0);
    CHECK(m.weight_bytes_native == 141107412992.0);
    CHECK(m.kv_bytes_per_token_bf16 == 327680);
    CHECK_STR(m.model_id, "Llama-3.1-70B");
    CHECK_STR(m.hf_name, "meta-llama/Llama-3.1-70B");
    CHECK_STR(m.source, path);
    CHECK_STR(m.confidence, "user");
    CHECK_INT(strlen(m.as_of), 10);
    Model folder = model_read(&s, scratch_path(&s, "Llama-3.1-70B"), false, NULL);
    CHECK(folder.params_total == m.params_total);
    CHECK_STR(folder.model_id, "Llama-3.1-70B");
    scratch_free(&s);
}

static void test_names_of_models(void) {
    Scratch s = scratch_make();
    const char *text = "{\"model_type\":\"llama\"," LLAMA_70B "}";
    CHECK_STR(model_read(&s, made_model(&s, "my-model.json", text), false, NULL).model_id, "my-model");
    made_dir(&s, "models--acme--Rocket-70B");
    made_dir(&s, "models--acme--Rocket-70B/snapshots");
    const char *snapshot = made_dir(&s, "models--acme--Rocket-70B/snapshots/0123abc");
    made_model(&s, "models--acme--Rocket-70B/snapshots/0123abc/config.json", text);
    CHECK_STR(model_read(&s, snapshot, false, NULL).model_id, "Rocket-70B");
    CHECK_STR(model_read(&s, made_model(&s, "a\033[31mb.json", text), false, NULL).model_id, "a?[31mb");
    scratch_free(&s);
}

// ---------------------------------------------------------------- quantisation

typedef struct QuantCase {
    const char *config;
    Dtype dtype;
    double bits;  // of a matrix weight, scales included
} QuantCase;

static void test_quantisation(void) {
    static const QuantCase cases[] = {
        {"{\"quant_method\":\"awq\",\"bits\":4,\"group_size\":128}", DTYPE_INT4, 4 + 20.0 / 128},
        {"{\"quant_method\":\"gptq\",\"bits\":4,\"group_size\":32}", DTYPE_INT4, 4 + 20.0 / 32},
        {"{\"quant_method\":\"gptq\",\"bits\":8,\"group_size\":-1}", DTYPE_INT8, 8},
        {"{\"quant_method\":\"bitsandbytes\",\"load_in_4bit\":true,\"bnb_4bit_quant_type\":\"nf4\"}",
         DTYPE_INT4, 4.5},
        {"{\"quant_method\":\"bitsandbytes\",\"load_in_8bit\":true}", DTYPE_INT8, 8},
        {"{\"quant_method\":\"fp8\",\"weight_block_size\":[128,128]}", DTYPE_FP8, 8 + 32.0 / 16384},
        {"{\"quant_method\":\"compressed-tensors\",\"format\":\"float-quantized\",\"config_groups\":{\"g\":{"
         "\"weights\":{\"num_bits\":8,\"type\":\"float\"}}}}",
         DTYPE_FP8, 8},
        {"{\"quant_method\":\"compressed-tensors\",\"format\":\"nvfp4-pack-quantized\",\"config_groups\":{"
         "\"g\":{\"weights\":{\"num_bits\":4,\"type\":\"float\",\"group_size\":16}}}}",
         DTYPE_NVFP4, 4.5},
        {"{\"quant_method\":\"compressed-tensors\",\"format\":\"int-quantized\",\"config_groups\":{\"g\":{"
         "\"weights\":{\"num_bits\":8,\"type\":\"int\"}}}}",
         DTYPE_INT8, 8},
        {"{\"quant_method\":\"modelopt\",\"quant_algo\":\"NVFP4\"}", DTYPE_NVFP4, 4.5},
        {"{\"quant_method\":\"quark\",\"global_quant_config\":{\"weight\":{\"dtype\":\"fp4\"}}}", DTYPE_MXFP4,
         4.25},
    };
    Scratch s = scratch_make();
    const double kept = 2.0 * 128256 * 8192 + 161 * 8192;  // embeddings, head and norms
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *text = arena_printf(
            &s.arena, "{\"model_type\":\"llama\",%s,\"torch_dtype\":\"float16\",\"quantization_config\":%s}",
            LLAMA_70B, cases[i].config);
        const char *warning = NULL;
        Model m = model_read(&s, made_model(&s, "config.json", text), false, &warning);
        CHECK_STR(warning, "");
        CHECK_INT(m.weights_native, cases[i].dtype);
        CHECK_NEAR(m.weight_bytes_native, (m.params_total - kept) * cases[i].bits / 8 + kept * 2, 1e-9);
        CHECK(m.native_quantization[0] != '\0');
    }
    const char *warning = NULL;
    Model m = model_read(&s,
                         made_model(&s, "config.json",
                                    "{\"model_type\":\"llama\"," LLAMA_70B
                                    ",\"quantization_config\":{\"quant_method\":\"alchemy\"}}"),
                         false, &warning);
    CHECK(strstr(warning, "alchemy") != NULL);
    CHECK_INT(m.weights_native, DTYPE_BF16);
    scratch_free(&s);
}

static void test_quantisation_beside(void) {
    Scratch s = scratch_make();
    const char *folder = made_dir(&s, "m");
    made_model(&s, "m/config.json", "{\"model_type\":\"llama\"," LLAMA_70B "}");
    made_model(&s, "m/hf_quant_config.json",
               "{\"producer\":{\"name\":\"modelopt\"},\"quantization\":{\"quant_algo\":\"FP8\",\"exclude_"
               "modules\":[\"lm_head\"]}}");
    CHECK_INT(model_read(&s, folder, false, NULL).weights_native, DTYPE_FP8);
    made_model(&s, "m/hf_quant_config.json", "{");
    model_fails(&s, folder, false, "hf_quant_config.json: byte 1");
    scratch_free(&s);
}

// ---------------------------------------------------------------- windows, heads, odd keys

static double windowed(Scratch *s, const char *type, const char *rest) {
    const char *text = arena_printf(
        &s->arena, "{\"model_type\":\"%s\",%s,\"max_position_embeddings\":32768,%s}", type, LLAMA_70B, rest);
    return model_read(s, made_model(s, "config.json", text), false, NULL).kv_window_layers;
}

static void test_windows(void) {
    Scratch s = scratch_make();
    CHECK(windowed(&s, "mistral", "\"sliding_window\":4096") == 80);
    CHECK(windowed(&s, "mistral", "\"sliding_window\":32768") == 0);  // reaches over all of the context
    CHECK(windowed(&s, "mistral", "\"sliding_window\":null") == 0);
    CHECK(windowed(&s, "llama", "\"sliding_window\":4096") == 0);
    CHECK(windowed(&s, "qwen2",
                   "\"sliding_window\":4096,\"use_sliding_window\":true,\"max_window_layers\":70") == 10);
    CHECK(windowed(&s, "qwen2",
                   "\"sliding_window\":4096,\"use_sliding_window\":false,\"max_window_layers\":70") == 0);
    CHECK(windowed(&s, "gemma2", "\"sliding_window\":4096") == 40);
    CHECK(windowed(&s, "gemma3_text", "\"sliding_window\":1024") == 67);
    CHECK(windowed(&s, "gemma3_text", "\"sliding_window\":1024,\"sliding_window_pattern\":4") == 60);
    CHECK(windowed(&s, "exaone4", "\"sliding_window\":4096,\"sliding_window_pattern\":\"LLLG\"") == 60);
    CHECK(windowed(&s, "cohere2", "\"sliding_window\":4096") == 60);
    scratch_free(&s);
}

static double kv_heads(Scratch *s, const char *rest) {
    const char *text = arena_printf(
        &s->arena, "{\"hidden_size\":4544,\"num_hidden_layers\":32,\"vocab_size\":65024,%s}", rest);
    return model_read(s, made_model(s, "config.json", text), false, NULL).kv_heads;
}

static void test_shared_heads(void) {
    Scratch s = scratch_make();
    CHECK(kv_heads(&s, "\"model_type\":\"falcon\",\"num_attention_heads\":71,\"num_kv_heads\":71,\"multi_"
                       "query\":true,\"new_decoder_architecture\":false") == 1);
    CHECK(kv_heads(&s, "\"model_type\":\"falcon\",\"num_attention_heads\":71,\"multi_query\":false") == 71);
    CHECK(kv_heads(&s, "\"model_type\":\"RefinedWeb\",\"n_head\":71,\"n_head_kv\":1") == 1);
    CHECK(kv_heads(
              &s, "\"model_type\":\"gpt_bigcode\",\"n_head\":71,\"multi_query\":true,\"n_positions\":8192") ==
          1);
    CHECK(kv_heads(&s, "\"model_type\":\"chatglm\",\"num_attention_heads\":71,\"multi_query_attention\":true,"
                       "\"multi_query_group_num\":2,\"ffn_hidden_size\":13696") == 2);
    CHECK(kv_heads(&s, "\"model_type\":\"gptj\",\"n_head\":71,\"n_inner\":null") == 71);
    scratch_free(&s);
}

static void test_numbers_that_python_writes(void) {
    Scratch s = scratch_make();
    const char *text = "\xef\xbb\xbf{\"model_type\":\"llama\"," LLAMA_70B
                       ",\"time_step_limit\":[0.0,Infinity,-Infinity],\"x\":NaN,\"head_dim\":NaN,\"num_"
                       "experts\":0,\"num_hidden_layers\":80.0}";
    CHECK(model_read(&s, made_model(&s, "config.json", text), false, NULL).params_total == 70553706496.0);
    // A key that stands twice: the last one counts, as for the readers of these files.
    text = "{\"model_type\":\"llama\",\"hidden_size\":4096," LLAMA_70B "}";
    CHECK(model_read(&s, made_model(&s, "config.json", text), false, NULL).hidden == 8192);
    scratch_free(&s);
}

static void test_lists_of_a_number_a_layer(void) {
    Scratch s = scratch_make();
    const char *same = "{\"model_type\":\"llama\"," LLAMA_70B ",\"num_key_value_heads\":[8,8,8,8]}";
    CHECK(model_read(&s, made_model(&s, "config.json", same), false, NULL).kv_heads == 8);
    const char *other = made_model(&s, "config.json",
                                   "{\"model_type\":\"llama\"," LLAMA_70B ",\"num_key_value_heads\":[4,8]}");
    model_fails(&s, other, false, "'num_key_value_heads' differs from layer to layer");
    const char *warning = NULL;
    CHECK(model_read(&s, other, true, &warning).kv_heads == 6);
    CHECK(strstr(warning, "the mean is taken") != NULL);
    scratch_free(&s);
}

static void test_stored_in_32_bits(void) {
    Scratch s = scratch_make();
    const char *warning = NULL;
    Model m = model_read(
        &s,
        made_model(&s, "config.json", "{\"model_type\":\"llama\",\"torch_dtype\":\"float32\"," LLAMA_70B "}"),
        false, &warning);
    CHECK_INT(m.weights_native, DTYPE_BF16);
    CHECK(m.weight_bytes_native == 141107412992.0);
    CHECK(strstr(warning, "32 bits") != NULL);
    scratch_free(&s);
}

// ---------------------------------------------------------------- what is wrong

static void test_unknown_architecture(void) {
    Scratch s = scratch_make();
    const char *path = made_model(&s, "config.json", "{\"model_type\":\"warp_drive\"," LLAMA_70B "}");
    const char *text = model_fails(&s, path, false, "unknown architecture 'warp_drive'");
    CHECK(strstr(text, "--assume-dense") != NULL && strstr(text, "deepseek_v2") != NULL);
    const char *warning = NULL;
    CHECK(model_read(&s, path, true, &warning).params_total == 70553706496.0);
    CHECK(strstr(warning, "'warp_drive' is not known") != NULL);
    model_fails(&s, made_model(&s, "config.json", "{" LLAMA_70B "}"), false, "'model_type' is missing");
    model_fails(&s, made_model(&s, "config.json", "{\"model_type\":7," LLAMA_70B "}"), false,
                "'model_type' is missing");
    scratch_free(&s);
}

typedef struct Bad {
    const char *config, *want;
} Bad;

static const Bad bad_configurations[] = {
    {"", "empty"},
    {"{", "ends too early"},
    {"[]", "not an object"},
    {"{}", "'model_type' is missing"},
    {"{\"model_type\":\"llama\"}",
     "missing: num_hidden_layers, hidden_size, num_attention_heads, vocab_size"},
    {"{\"model_type\":\"llama\",\"hidden_size\":4096,\"num_hidden_layers\":32,\"num_attention_heads\":32,"
     "\"vocab_size\":32000}",
     "missing: intermediate_size"},
    {"{\"model_type\":\"llama\",\"hidden_size\":4097,\"num_hidden_layers\":32,\"num_attention_heads\":32,"
     "\"vocab_size\":32000}",
     "missing: head_dim, intermediate_size"},
    {"{\"model_type\":\"deepseek_v3\"," LLAMA_70B "}",
     "missing: kv_lora_rank, qk_nope_head_dim, qk_rope_head_dim, v_head_dim"},
    {"{\"model_type\":\"mixtral\"," LLAMA_70B ",\"num_local_experts\":8}", "missing: num_experts_per_tok"},
    {"{\"model_type\":\"nemotron_h\"," LLAMA_70B "}", "missing: hybrid_override_pattern"},
    {"{\"model_type\":\"nemotron_h\"," LLAMA_70B ",\"hybrid_override_pattern\":\"MX\"}", "a layer 'X'"},
    {"{\"model_type\":\"llama\"," LLAMA_70B ",\"num_hidden_layers\":-80}", "'num_hidden_layers' is -80"},
    {"{\"model_type\":\"llama\"," LLAMA_70B ",\"num_hidden_layers\":0}", "'num_hidden_layers' is 0"},
    {"{\"model_type\":\"llama\"," LLAMA_70B ",\"num_hidden_layers\":80.5}", "'num_hidden_layers' is 80.5"},
    {"{\"model_type\":\"llama\"," LLAMA_70B ",\"num_hidden_layers\":1e308}", "'num_hidden_layers' is 1e+308"},
    {"{\"model_type\":\"llama\"," LLAMA_70B ",\"num_hidden_layers\":1e309}", "a number too large"},
    {"{\"model_type\":\"llama\"," LLAMA_70B ",\"num_hidden_layers\":\"80\"}",
     "'num_hidden_layers' is not a number"},
    {"{\"model_type\":\"llama\"," LLAMA_70B ",\"num_hidden_layers\":{}}",
     "'num_hidden_layers' is not a number"},
    {"{\"model_type\":\"llama\"," LLAMA_70B ",\"num_hidden_layers\":true}",
     "'num_hidden_layers' is not a number"},
    {"{\"model_type\":\"llama\"," LLAMA_70B ",\"num_hidden_layers\":9999}", "'layers' comes to 9999"},
    {"{\"model_type\":\"llama\"," LLAMA_70B ",\"num_key_value_heads\":128}", "128 KV heads for 64 heads"},
    {"{\"model_type\":\"llama\"," LLAMA_70B ",\"hidden_size\":8}", "missing: head_dim"},
    {"{\"model_type\":\"mixtral\"," LLAMA_70B ",\"num_local_experts\":8,\"num_experts_per_tok\":9}",
     "9 experts per token of 8"},
    {"{\"model_type\":\"llama\"," LLAMA_70B ",\"layer_types\":[\"full_attention\"]}",
     "1 entries for 80 layers"},
    {"{\"model_type\":\"llama\"," LLAMA_70B ",\"layer_types\":[\"mamba\"]}", "kind 'mamba'"},
    {"{\"model_type\":\"llama\"," LLAMA_70B ",\"layer_types\":[1,{}]}", "an entry that is none"},
    {"{\"model_type\":\"llama\"," LLAMA_70B ",\"quantization_config\":[]}", "not an object"},
    {"{\"model_type\":\"llama\"," LLAMA_70B
     ",\"quantization_config\":{\"quant_method\":\"gptq\",\"bits\":1e9}}",
     "1e+09 bits"},
    {"{\"model_type\":\"a\\u0000b\"}", "a NUL in a string"},
    {"{\"model_type\":\"\xff\"}", "not valid UTF-8"},
    {"{\"model_type\":\"a\nb\"}", "a control character in a string"},
    {"{\"model_type\":\"\\u001b[31mred\\u202e\"}", "unknown architecture '?[31mred?'"},
    {"{\"model_type\":\"llama\",}", "not JSON"},
    {"{\"model_type\":\"llama\"} x", "neither a value nor a name"},
    {"{\"model_type\":\"llama\"} {}", "not JSON"},
    {"{\"a\":01}", "not a number"},
    {"{\"a\":+1}", "neither a value nor a name"},
    {"{\"a\":'b'}", "neither a value nor a name"},
    {"{\"a\":\"\\x\"}", "an escape that is none"},
};

static void test_bad_configurations(void) {
    Scratch s = scratch_make();
    for (size_t i = 0; i < COUNT_OF(bad_configurations); i++)
        model_fails(&s, made_model(&s, "config.json", bad_configurations[i].config), false,
                    bad_configurations[i].want);
    scratch_free(&s);
}

static void test_deep_nesting(void) {
    enum { DEEP = 100000 };
    static const char *const openers[] = {"[", "{\"a\":"};
    Scratch s = scratch_make();
    for (size_t i = 0; i < COUNT_OF(openers); i++) {
        Buf b;
        buf_init(&b, BUF_LIMIT);
        for (int k = 0; k < DEEP; k++) buf_puts(&b, openers[i]);
        scratch_write(scratch_path(&s, "config.json"), b.data, b.length);
        model_fails(&s, scratch_path(&s, "config.json"), false, "nested too deep");
        buf_free(&b);
    }
    scratch_free(&s);
}

static void test_cut_anywhere(void) {
    Scratch s = scratch_make();
    static const char text[] =
        "{\"model_type\":\"llama\"," LLAMA_70B ",\"x\":\"\\u00e9\xc3\xa9\",\"y\":[1.5e3,-2,true,null]}";
    const char *path = scratch_path(&s, "config.json");
    scratch_write(path, text, sizeof text - 1);
    for (size_t n = sizeof text - 1; n-- > 0;) {
        CHECK(truncate(path, (off_t)n) == 0);
        model_fails(&s, path, false, "config.json");
        model_fails(&s, path, true, "config.json");
    }
    scratch_free(&s);
}

static const TestCase tests[] = {
    TEST(public_shapes_give_their_rows),
    TEST(llama_70b_is_exact),
    TEST(names_of_models),
    TEST(quantisation),
    TEST(quantisation_beside),
    TEST(windows),
    TEST(shared_heads),
    TEST(numbers_that_python_writes),
    TEST(lists_of_a_number_a_layer),
    TEST(stored_in_32_bits),
    TEST(unknown_architecture),
    TEST(bad_configurations),
    TEST(deep_nesting),
    TEST(cut_anywhere),
};

TEST_MAIN(tests)
