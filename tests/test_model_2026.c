// Configurations as models of 2026 ship them: bytes tensor by tensor, caches by their layers. tests/models
// has what of each public config.json tells shapes and quantisation; the figures are counts of the tensors
// and of the cache's entries.
#include <math.h>

#include "tests/check.h"
#include "tests/model_files.h"

static Model read_config(Scratch *s, const char *name, const char **ret_warning) {
    return model_read(s, arena_printf(&s->arena, "tests/models/%s.json", name), false, ret_warning);
}

typedef struct Shipped {
    const char *name;
    double weights_gb, kv, window;  // bytes a token
    Dtype dtype;
} Shipped;

static void test_shipped_models(void) {
    static const Shipped cases[] = {
        // latent attention inside a wrapper of plain ones
        {"mistral-small-4-119b", 237.73, 23040, 0, DTYPE_BF16},
        // Quark: experts apart from the rest
        {"glm-5.2-quark-fp8-mxfp4-experts", 405, 89856, 0, DTYPE_MXFP4},
        {"gemma-4-e4b", 14.93, 16384, 40960, DTYPE_BF16},     // 18 layers borrow their cache
        {"mimo-v2.5-pro", 1030.9, 51200, 307200, DTYPE_FP8},  // one projection stays in 16 bits
        {"mistral-medium-3.5-128b", 254.0, 360448, 0, DTYPE_BF16},
        {"qwen3.8-2.4t-a95b", 4839.6, 94208, 0, DTYPE_BF16},
        {"hy4-preview", 1539.8, 89856, 0, DTYPE_BF16},
        {"glm-5.3-flash", 315.8, 11264, 0, DTYPE_FP8},  // no rotary part
        // a table of 51.2 billion to look up
        {"qwen3.8-flash-next", 354.8, 24576, 0, DTYPE_BF16},
        {"inkling", 1893, 45056, 450560, DTYPE_BF16},
        // attention of a dense model stays in 16 bits
        {"gemma-4-31b-nvfp4", 32.4, 81920, 819200, DTYPE_NVFP4},
        // some projections of its attention
        {"deepseek-v3.1-nvfp4", 386.4, 70272, 0, DTYPE_NVFP4},
        // eight bits beside four, layer by layer
        {"qwen3.6-27b-nvfp4", 21.07, 65536, 0, DTYPE_NVFP4},
    };
    Scratch s = scratch_make();
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Model m = read_config(&s, cases[i].name, NULL);
        if (fabs(m.weight_bytes_native / 1e9 / cases[i].weights_gb - 1) > 0.01)
            FAIL_("%s: %.2f GB, not %.2f", cases[i].name, m.weight_bytes_native / 1e9, cases[i].weights_gb);
        if (m.kv_bytes_per_token_bf16 != cases[i].kv || m.kv_window_bytes_per_token_bf16 != cases[i].window) {
            FAIL_("%s: %g and %g bytes a token, not %g and %g", cases[i].name, m.kv_bytes_per_token_bf16,
                  m.kv_window_bytes_per_token_bf16, cases[i].kv, cases[i].window);
        }
        CHECK_INT(m.weights_native, cases[i].dtype);
        if (m.doubt != NULL) FAIL_("%s: %s", cases[i].name, m.doubt);
    }
    CHECK_NEAR(read_config(&s, "qwen3.8-flash-next", NULL).params_lookup, 51.2e9, 1e-3);
    CHECK_NEAR(read_config(&s, "glm-5.3-flash", NULL).kv_extra_bytes_per_token, 363, 1e-9);
    CHECK_NEAR(read_config(&s, "qwen3.8-flash-next", NULL).kv_extra_bytes_per_token, 768, 1e-9);
    scratch_free(&s);
}

// Configurations whose model has a row.
static void test_rows_of_2026(void) {
    static const char *const names[] = {"kimi-k3",
                                        "deepseek-v4-flash",
                                        "deepseek-v4-pro",
                                        "minimax-m3",
                                        "hy4-preview",
                                        "glm-5.3-flash",
                                        "qwen3.8-flash-next",
                                        "qwen3.8-2.4t-a95b",
                                        "mistral-small-4-119b",
                                        "mistral-medium-3.5-128b",
                                        "mimo-v2.5-pro",
                                        "step-3.7-flash"};
    Scratch s = scratch_make();
    Facts f;
    Err e = {0};
    Catalog *catalog = NULL;
    const char *warning = NULL;
    if (!catalog_open(&(CatalogOptions){NULL, NULL}, &s.arena, &catalog, &warning, &e) ||
        !catalog_facts(catalog, &s.arena, &f, &e))
        FAIL_("%s", e.text);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        Model m = read_config(&s, names[i], NULL);
        size_t k = 0;
        while (k < f.n_models && strcmp(f.models[k].model_id, names[i]) != 0) k++;
        CHECK(k < f.n_models);
        const Model *row = &f.models[k];
        // The configuration of Step-3.7-Flash that was seen has no tower.
        double total = is_known(m.params_vision) || !is_known(row->params_vision)
                           ? row->params_total
                           : row->params_total - row->params_vision;
        if (fabs(m.params_total / total - 1) > 0.01)
            FAIL_("%s: %.6g parameters, the row says %.6g", names[i], m.params_total, total);
        if (m.kv_bytes_per_token_bf16 != row->kv_bytes_per_token_bf16)
            FAIL_("%s: %g bytes a token, the row says %g", names[i], m.kv_bytes_per_token_bf16,
                  row->kv_bytes_per_token_bf16);
        bool extra = is_known(row->kv_extra_bytes_per_token);
        if (extra != is_known(m.kv_extra_bytes_per_token) ||
            (extra && fabs(m.kv_extra_bytes_per_token - row->kv_extra_bytes_per_token) > 0.5))
            FAIL_("%s: %g more, the row says %g", names[i], m.kv_extra_bytes_per_token,
                  row->kv_extra_bytes_per_token);
        CHECK(m.kv_full_layers == row->kv_full_layers && m.linear_layers == row->linear_layers);
        const double sparse[][2] = {{m.kv_sparse_bytes_per_token_bf16, row->kv_sparse_bytes_per_token_bf16},
                                    {m.sparse_tokens, row->sparse_tokens},
                                    {m.index_flops_per_pair, row->index_flops_per_pair}};
        for (size_t j = 0; j < COUNT_OF(sparse); j++) {
            bool same = is_known(sparse[j][0]) ? sparse[j][0] == sparse[j][1] : !is_known(sparse[j][1]);
            if (!same)
                FAIL_("%s: sparse attention %zu is %g, the row says %g", names[i], j, sparse[j][0],
                      sparse[j][1]);
        }
    }
    catalog_close(catalog);
    scratch_free(&s);
}

#define WINDOWED "\"sliding_attention\","
#define GEMMA                                                                                                \
    "{\"model_type\":\"gemma4_text\",\"hidden_size\":2816,\"num_hidden_layers\":6,\"intermediate_size\":"    \
    "2112,\"num_attention_heads\":16,"                                                                       \
    "\"num_key_value_heads\":8,\"head_dim\":256,\"vocab_size\":262144,\"sliding_window\":1024,\"max_"        \
    "position_embeddings\":262144,\"layer_types\":[" WINDOWED WINDOWED WINDOWED WINDOWED WINDOWED            \
    "\"full_attention\"],"

// As current transformers save what older files said in other words.
static void test_saved_again(void) {
    Scratch s = scratch_make();
    Model before = model_read(&s,
                              made_model(&s, "config.json",
                                         GEMMA "\"global_head_dim\":512,\"num_global_key_value_heads\":2"
                                               "}"),
                              false, NULL);
    Model after = model_read(
        &s,
        made_model(&s, "config.json",
                   GEMMA "\"per_layer_config\":{\"05\":{\"head_dim\":512,\"num_key_value_heads\":2}}"
                         "}"),
        false, NULL);
    CHECK(before.kv_bytes_per_token_bf16 == 2 * 1024 * 2 && before.params_total == after.params_total);
    CHECK(before.kv_bytes_per_token_bf16 == after.kv_bytes_per_token_bf16 &&
          before.kv_window_bytes_per_token_bf16 == after.kv_window_bytes_per_token_bf16);
    model_fails(&s,
                made_model(&s, "config.json",
                           GEMMA "\"per_layer_config\":{\"04\":{\"head_dim\":512}}"
                                 "}"),
                false, "some layers of a kind and not of others");
    model_fails(&s,
                made_model(&s, "config.json",
                           GEMMA "\"per_layer_config\":{\"05\":{\"hidden_size\":512}}"
                                 "}"),
                false, "sets 'hidden_size'");
    model_fails(&s,
                made_model(&s, "config.json",
                           GEMMA "\"per_layer_config\":{\"9\":{\"head_dim\":512}}"
                                 "}"),
                false, "speaks of a layer '9'");
    scratch_free(&s);
}

// What is not read and speaks of caches is said, and the model's figures are in doubt.
static void test_keys_that_are_not_read(void) {
    Scratch s = scratch_make();
    const char *shape = "\"model_type\":\"llama\",\"hidden_size\":4096,\"num_attention_heads\":32,\"num_"
                        "hidden_layers\":32,\"intermediate_size\":11008,\"vocab_size\":32000";
    const char *warning = NULL;
    Model m = model_read(
        &s, made_model(&s, "config.json", arena_printf(&s.arena, "{%s,\"cla_share_factor\":2}", shape)),
        false, &warning);
    CHECK(m.doubt != NULL && strstr(warning, "'cla_share_factor' is not read") != NULL);
    m = model_read(
        &s,
        made_model(
            &s, "config.json",
            arena_printf(
                &s.arena,
                "{%s,\"kv_source_layer_ids\":[],\"num_key_value_heads\":8,\"rope_layer_types\":{\"a\":1}}",
                shape)),
        false, &warning);
    CHECK(m.doubt == NULL && warning[0] == '\0');
    scratch_free(&s);
}

static void test_refused_with_the_reason(void) {
    Scratch s = scratch_make();
    model_fails(&s, "tests/models/deepseek-v4.1-flash.json", false,
                "no source says yet which entries each keeps");
    scratch_free(&s);
}

// A Llama of 2 layers: 4 attention matrices of 64 x 64 weights and 3 of 64 x 256 a layer.
#define SMALL                                                                                                \
    "\"hidden_size\":64,\"num_attention_heads\":1,\"num_hidden_layers\":2,\"intermediate_size\":256,"        \
    "\"vocab_size\":100"
enum { ATTENTION = 4 * 64 * 64, FFN = 3 * 64 * 256, PLAIN = 2 * 100 * 64 + 5 * 64 };

typedef struct Words {
    const char *quantisation;
    double bytes;  // of both layers' matrices
} Words;

static const Words words[] = {
    {"\"quant_method\":\"fp8\"", 2 * (ATTENTION + FFN)},
    {"\"quant_method\":\"fp8\",\"ignored_layers\":[\"model.layers.0.self_attn.o_proj\"]",
     2 * (ATTENTION + FFN) + 64 * 64},
    {"\"quant_method\":\"fp8\",\"modules_to_not_convert\":[\"self_attn\"]", 2 * (2 * ATTENTION + FFN)},
    {"\"quant_method\":\"fp8\",\"exclude_layers\":[\"layers.1\"]", 3 * (ATTENTION + FFN)},
    {"\"quant_method\":\"fp8\",\"exclude_layers\":[\"layers.10\",\"layer\",\"attn\",\"visual.layers.0\","
     "\"mtp.layers.0*\"]",
     2 * (ATTENTION + FFN)},
    {"\"quant_method\":\"modelopt\",\"quant_algo\":\"FP8\",\"exclude_modules\":[\"language_model.model."
     "layers.0*\"]",
     3 * (ATTENTION + FFN)},
    {"\"quant_method\":\"modelopt\",\"quant_algo\":\"FP8\",\"ignore\":[\"*.mlp.*\"]",
     2 * (ATTENTION + 2 * FFN)},
    {"\"quant_method\":\"modelopt\",\"quant_algo\":\"FP8\",\"ignore\":[\"model.language_model.layers.*.self_"
     "attn.qkv_proj\"]",
     2 * (ATTENTION + FFN) + 2 * 3 * 64 * 64},
    {"\"quant_method\":\"modelopt\",\"quant_algo\":\"MIXED_PRECISION\",\"quantized_layers\":{\"model.layers."
     "0.mlp.up_proj\":{\"quant_algo\":\"FP8\"},\"model.layers.1.mlp\":{\"quant_algo\":\"NVFP4\"}}",
     4 * (ATTENTION + FFN) - 64 * 256 - FFN *(2 - 4.5 / 8)},
    {"\"quant_method\":\"compressed-tensors\",\"config_groups\":{\"g\":{\"targets\":[\"Linear\"],\"weights\":"
     "{\"num_bits\":8,\"type\":\"float\"}}},\"ignore\":[\"re:.*mlp\\\\.(gate|up|gate_up)_proj.*\"]",
     2 * (ATTENTION + FFN) + 2 * 2 * 64 * 256},
    {"\"quant_method\":\"compressed-tensors\",\"config_groups\":{\"g\":{\"targets\":[\"re:model\\\\."
     "layers\\\\.\\\\d+\\\\.mlp.*\"],\"weights\":{\"num_bits\":8,\"type\":\"float\"}}}",
     2 * (2 * ATTENTION + FFN)},
    {"\"quant_method\":\"compressed-tensors\",\"config_groups\":{\"a\":{\"targets\":[\"re:.*(q|k|v|o)_proj$"
     "\"],\"weights\":{\"num_bits\":8,\"type\":\"float\"}},\"b\":{\"targets\":[\"re:.*mlp.*\"],\"weights\":{"
     "\"num_bits\":4,\"type\":\"int\",\"group_size\":32}}}",
     2 * (ATTENTION + FFN * 4.5 / 8)},
    {"\"quant_method\":\"quark\",\"global_quant_config\":{\"weight\":{\"dtype\":\"fp8_e4m3\"}},\"exclude\":["
     "\"*self_attn*\",\"lm_head\"]",
     2 * (2 * ATTENTION + FFN)},
    {"\"quant_method\":\"quark\",\"global_quant_config\":{\"weight\":{\"dtype\":\"fp8_e4m3\"}},\"layer_quant_"
     "config\":{\"*mlp*\":{\"weight\":{\"dtype\":\"fp4\",\"group_size\":32}}}",
     2 * (ATTENTION + FFN * 4.25 / 8)},
    {"\"quant_method\":\"gptq\",\"bits\":8,\"group_size\":-1,\"dynamic\":{\"-:.*self_attn.*\":{}}",
     2 * (2 * ATTENTION + FFN)},
    {"\"quant_method\":\"auto-round\",\"bits\":8,\"group_size\":-1,\"extra_config\":{\"model.layers.0.mlp.up_"
     "proj\":{\"bits\":16}}",
     2 * (ATTENTION + FFN) + 64 * 256},
    {"\"quant_method\":\"awq\",\"bits\":8,\"group_size\":-1,\"modules_to_not_convert\":[\"[\",\"*\",\"(\"]",
     4 * (ATTENTION + FFN)},
};

static void test_quantisation_words(void) {
    Scratch s = scratch_make();
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        const char *text =
            arena_printf(&s.arena, "{\"model_type\":\"llama\"," SMALL ",\"quantization_config\":{%s}}",
                         words[i].quantisation);
        ModelDraft d;
        Err e = {0};
        Arena a = {0};
        draft_init(&d, &a, false);
        if (!config_read(&d, str_of(text), &e)) FAIL_("%s: %s", words[i].quantisation, e.text);
        // The model is too small for the table's bounds: only its bytes are of interest.
        draft_finish(&d, &e);
        double bytes = d.m.weight_bytes_native - 2 * PLAIN;
        if (fabs(bytes - words[i].bytes) > 0.5)
            FAIL_("%s: %.1f bytes, not %.1f", words[i].quantisation, bytes, words[i].bytes);
        arena_free(&a);
    }
    scratch_free(&s);
}

static bool matches(PatternKind kind, const char *pattern, const char *name) {
    bool strange = false;
    int64_t budget = 100000;
    return pattern_match(kind, pattern, name, &budget, &strange) && !strange;
}

static void test_patterns(void) {
    const char *name = "model.layers.12.mlp.experts.0.down_proj";
    CHECK(matches(PATTERN_PLAIN, "mlp.experts", name) && matches(PATTERN_PLAIN, "down_proj", name) &&
          matches(PATTERN_PLAIN, "layers.12", name));
    CHECK(!matches(PATTERN_PLAIN, "layers.1", name) && !matches(PATTERN_PLAIN, "down", name) &&
          !matches(PATTERN_PLAIN, "proj", name));
    CHECK(matches(PATTERN_GLOB, "*experts*", name) && matches(PATTERN_GLOB, "model.layers.*.mlp", name) &&
          matches(PATTERN_GLOB, "model.layers.1?.mlp.*", name));
    CHECK(!matches(PATTERN_GLOB, "*expert", name) && !matches(PATTERN_GLOB, "layers.*", name));
    CHECK(matches(PATTERN_EXPRESSION, ".*experts\\.\\d+\\.(up|down)_proj$", name) &&
          matches(PATTERN_EXPRESSION, "^model\\.layers\\.[0-9]+", name));
    CHECK(matches(PATTERN_EXPRESSION, "lm_head|.*mlp.*", name) &&
          matches(PATTERN_EXPRESSION, ".*(?:attn|mlp)?\\.experts", name) &&
          matches(PATTERN_EXPRESSION, "model\\.layers\\.(1|12)\\.mlp", name));
    CHECK(!matches(PATTERN_EXPRESSION, ".*attn.*", name) && !matches(PATTERN_EXPRESSION, "layers", name) &&
          !matches(PATTERN_EXPRESSION, ".*[^a-z_]proj", name));
    static const char *const strange[] = {"(?!mlp).*", "(a|b", "[abc", ".*(ab)+", "a{3}", "\\bmlp"};
    for (size_t i = 0; i < COUNT_OF(strange); i++) {
        bool said = false;
        int64_t budget = 1000;
        pattern_match(PATTERN_EXPRESSION, strange[i], name, &budget, &said);
        if (!said) FAIL_("'%s' was read", strange[i]);
    }
    int64_t budget = 1000;
    bool said = false;
    CHECK(!pattern_match(PATTERN_EXPRESSION, ".*.*.*.*.*.*.*.*x", name, &budget, &said) && budget < 0);
}

// What is known of the wrapper says nothing of what it wraps.
static void test_wrapper_of_the_unknown(void) {
    Scratch s = scratch_make();
    const char *path =
        made_model(&s, "config.json",
                   "{\"model_type\":\"mistral3\",\"text_config\":{\"model_type\":\"mistral77\"," SMALL "}}");
    model_fails(&s, path, false, "unknown architecture 'mistral77'");
    scratch_free(&s);
}

// ---------------------------------------------------------------- GGUF

typedef struct Pair {
    const char *key;
    uint32_t value;
    const uint32_t *list;  // with an entry a layer, instead of the value
} Pair;

enum { HEADER_PAIRS = 2, LIST_LAYERS = 6 };

static ModelDraft read_pairs(Arena *a, const char *architecture, const Pair *pairs, size_t n) {
    Buf b;
    Err e = {0};
    ModelDraft d;
    TensorTotals t;
    double parts = 0;
    bool more = false;
    put_start(&b, 1, n + HEADER_PAIRS);
    put_pair_text(&b, "general.architecture", architecture);
    put_pair(&b, arena_printf(a, "%s.vocab_size", architecture), 32000);
    for (size_t i = 0; i < n; i++) {
        const char *key = arena_printf(a, "%s.%s", architecture, pairs[i].key);
        if (pairs[i].list != NULL)
            put_pair_list(&b, key, pairs[i].list, LIST_LAYERS);
        else
            put_pair(&b, key, pairs[i].value);
    }
    put_tensor(&b, "token_embd.weight", 32000, 2048, 0, 30, 0);
    draft_init(&d, a, false);
    tensors_init(&t);
    if (!gguf_read(&d, &t, (Str){b.data, b.length}, 1e9, true, &parts, &more, &e) || !draft_finish(&d, &e))
        FAIL_("%s: %s", architecture, e.text);
    buf_free(&b);
    return d;
}

static void check_cache(const ModelDraft *d, double kv, double window, double linear) {
    if (d->m.kv_bytes_per_token_bf16 != kv || d->m.kv_window_bytes_per_token_bf16 != window ||
        d->m.linear_layers != linear) {
        FAIL_("%s: %g and %g bytes a token and %g recurrent layers, not %g, %g and %g", d->type,
              d->m.kv_bytes_per_token_bf16, d->m.kv_window_bytes_per_token_bf16, d->m.linear_layers, kv,
              window, linear);
    }
}

#define COMMON                                                                                               \
    {"block_count", 6, NULL}, {"embedding_length", 2048, NULL}, { "context_length", 100000, NULL }

static void test_gguf_by_kind_of_layer(void) {
    Arena a = {0};
    static const uint32_t windows[] = {1, 1, 1, 1, 1, 0};
    static const uint32_t kv[] = {8, 8, 8, 8, 8, 4}, heads[] = {16, 16, 16, 16, 16, 12};
    static const Pair gemma[] = {COMMON,
                                 {"attention.head_count", 16, NULL},
                                 {"attention.head_count_kv", 0, kv},
                                 {"attention.key_length", 512, NULL},
                                 {"attention.value_length", 512, NULL},
                                 {"attention.key_length_swa", 256, NULL},
                                 {"attention.value_length_swa", 256, NULL},
                                 {"attention.sliding_window", 1024, NULL},
                                 {"attention.sliding_window_pattern", 0, windows},
                                 {"feed_forward_length", 8192, NULL},
                                 {"attention.shared_kv_layers", 2, NULL}};
    ModelDraft d = read_pairs(&a, "gemma4", gemma, COUNT_OF(gemma));
    check_cache(&d, 0, 4 * 8 * 512 * 2, 0);  // the only full layer borrows
    static const Pair step[] = {COMMON,
                                {"attention.head_count", 0, heads},
                                {"attention.head_count_kv", 0, kv},
                                {"attention.key_length", 128, NULL},
                                {"attention.value_length", 128, NULL},
                                {"attention.sliding_window", 512, NULL},
                                {"attention.sliding_window_pattern", 0, windows},
                                {"feed_forward_length", 8192, NULL}};
    static const char *const like_step[] = {"step35", "mimo2", "laguna"};
    for (size_t i = 0; i < COUNT_OF(like_step); i++) {
        d = read_pairs(&a, like_step[i], step, COUNT_OF(step));
        check_cache(&d, 4 * 256 * 2, 5 * 8 * 256 * 2, 0);
        CHECK(d.m.heads == 12 && d.window_heads == 16);
    }
    arena_free(&a);
}

static void test_gguf_with_recurrent_layers(void) {
    Arena a = {0};
    static const uint32_t kv[] = {0, 0, 2, 0, 0, 2}, feeds[] = {0, 1856, 0, 0, 1856, 0};
    static const Pair nemotron[] = {COMMON,
                                    {"attention.head_count", 32, NULL},
                                    {"attention.head_count_kv", 0, kv},
                                    {"attention.key_length", 128, NULL},
                                    {"attention.value_length", 128, NULL},
                                    {"feed_forward_length", 0, feeds},
                                    {"expert_count", 128, NULL},
                                    {"expert_used_count", 6, NULL},
                                    {"expert_feed_forward_length", 1856, NULL},
                                    {"expert_shared_count", 1, NULL},
                                    {"expert_shared_feed_forward_length", 3712, NULL},
                                    {"ssm.conv_kernel", 4, NULL},
                                    {"ssm.inner_size", 4096, NULL},
                                    {"ssm.state_size", 128, NULL},
                                    {"ssm.time_step_rank", 64, NULL},
                                    {"ssm.group_count", 8, NULL}};
    ModelDraft d = read_pairs(&a, "nemotron_h_moe", nemotron, COUNT_OF(nemotron));
    check_cache(&d, 2 * 2 * 256 * 2, 0, 2);
    CHECK(d.m.state_elements_per_seq == 2 * (4096 * 128 + 3 * (4096 + 2 * 8 * 128)));
    static const uint32_t one[] = {0, 0, 0, 1, 0, 0};
    static const Pair kimi[] = {COMMON,
                                {"attention.head_count", 32, NULL},
                                {"attention.head_count_kv", 0, one},
                                {"attention.key_length_mla", 192, NULL},
                                {"attention.value_length_mla", 128, NULL},
                                {"attention.kv_lora_rank", 512, NULL},
                                {"rope.dimension_count", 64, NULL},
                                {"ssm.conv_kernel", 4, NULL},
                                {"kda.head_dim", 128, NULL},
                                {"feed_forward_length", 8192, NULL}};
    d = read_pairs(&a, "kimi-linear", kimi, COUNT_OF(kimi));
    check_cache(&d, 576 * 2, 0, 5);
    static const Pair lfm[] = {COMMON,
                               {"attention.head_count", 32, NULL},
                               {"attention.head_count_kv", 0, kv},
                               {"shortconv.l_cache", 3, NULL},
                               {"feed_forward_length", 8192, NULL}};
    d = read_pairs(&a, "lfm2moe", lfm, COUNT_OF(lfm));
    check_cache(&d, 2 * 2 * 128 * 2, 0, 0);
    arena_free(&a);
}

static void test_gguf_compressed(void) {
    Arena a = {0};
    static const uint32_t ratios[] = {0, 0, 4, 128, 4, 128};
    static const Pair pairs[] = {COMMON,
                                 {"attention.head_count", 64, NULL},
                                 {"attention.key_length", 512, NULL},
                                 {"attention.q_lora_rank", 1024, NULL},
                                 {"attention.sliding_window", 128, NULL},
                                 {"attention.compress_ratios", 0, ratios},
                                 {"attention.output_group_count", 8, NULL},
                                 {"attention.output_lora_rank", 1024, NULL},
                                 {"attention.indexer.head_count", 64, NULL},
                                 {"attention.indexer.key_length", 128, NULL},
                                 {"expert_count", 16, NULL},
                                 {"expert_used_count", 6, NULL},
                                 {"expert_feed_forward_length", 2048, NULL},
                                 {"expert_shared_count", 1, NULL},
                                 {"hyper_connection.count", 4, NULL}};
    ModelDraft d = read_pairs(&a, "deepseek4", pairs, COUNT_OF(pairs));
    check_cache(&d, 2 * 1024 / 4 + 2 * 1024 / 128, 6 * 1024, 0);
    CHECK(d.m.kv_extra_bytes_per_token == 2 * 64 / 4);
    arena_free(&a);
}

static const TestCase tests[] = {TEST(shipped_models),
                                 TEST(refused_with_the_reason),
                                 TEST(rows_of_2026),
                                 TEST(saved_again),
                                 TEST(keys_that_are_not_read),
                                 TEST(quantisation_words),
                                 TEST(patterns),
                                 TEST(wrapper_of_the_unknown),
                                 TEST(gguf_by_kind_of_layer),
                                 TEST(gguf_with_recurrent_layers),
                                 TEST(gguf_compressed)};

TEST_MAIN(tests)
