// safetensors headers: exact bytes, sharded models, what indexes may name; and files and folders that are no
// model.
#include "tests/check.h"
#include "tests/model_files.h"

#define CONFIG                                                                                               \
    "{\"model_type\":\"llama\",\"torch_dtype\":\"bfloat16\",\"hidden_size\":1024,\"intermediate_size\":"     \
    "4096,\"num_hidden_layers\":2,"                                                                          \
    "\"num_attention_heads\":8,\"num_key_value_heads\":2,\"vocab_size\":5000,\"max_position_embeddings\":"   \
    "8192}"

static void add_layer(Safetensors *st, int layer, const char *dtype, double bytes) {
    static const struct {
        const char *name;
        double rows, columns;
    } parts[] = {{"self_attn.q_proj.weight", 1024, 1024}, {"self_attn.k_proj.weight", 256, 1024},
                 {"self_attn.v_proj.weight", 256, 1024},  {"self_attn.o_proj.weight", 1024, 1024},
                 {"mlp.gate_proj.weight", 4096, 1024},    {"mlp.up_proj.weight", 4096, 1024},
                 {"mlp.down_proj.weight", 1024, 4096}};
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        char name[100];
        snprintf(name, sizeof name, "model.layers.%d.%s", layer, parts[i].name);
        st_add(st, name, dtype, bytes, parts[i].rows, parts[i].columns);
    }
}

static const double layer_params = 1024 * 1024 * 2 + 256 * 1024 * 2 + 3 * 4096 * 1024;

static void write_shard(Scratch *s, const char *name, int layer, bool ends) {
    Safetensors st;
    st_open(&st);
    add_layer(&st, layer, "BF16", 2);
    if (ends)
        st_add(&st, "model.embed_tokens.weight", "BF16", 2, 5000, 1024),
            st_add(&st, "lm_head.weight", "BF16", 2, 5000, 1024);
    st_write(&st, scratch_path(s, name));
}

static const char *sharded(Scratch *s) {
    const char *folder = made_dir(s, "m");
    made_model(s, "m/config.json", CONFIG);
    write_shard(s, "m/model-00001-of-00002.safetensors", 0, true);
    write_shard(s, "m/model-00002-of-00002.safetensors", 1, false);
    made_model(s, "m/model.safetensors.index.json",
               "{\"metadata\":{\"total_size\":1},\"weight_map\":{\"a\":\"model-00001-of-00002.safetensors\","
               "\"b\":\"model-00002-of-00002.safetensors\",\"c\":\"model-00001-of-00002.safetensors\"}}");
    return folder;
}

static void test_safetensors_sharded(void) {
    Scratch s = scratch_make();
    const char *folder = sharded(&s);
    const double params = 2 * layer_params + 2 * 5000 * 1024;
    const char *warning = NULL;
    Model m = model_read(&s, folder, false, &warning);
    CHECK_STR(warning, "");
    CHECK(m.params_total == params && m.weight_bytes_native == 2 * params);
    CHECK(m.params_input_embedding == 5000 * 1024 && m.params_active == params);
    CHECK_STR(m.model_id, "m");
    CHECK(model_read(&s, scratch_path(&s, "m/model.safetensors.index.json"), false, NULL).params_total ==
          params);
    CHECK(model_read(&s, scratch_path(&s, "m/model-00002-of-00002.safetensors"), false, NULL).params_total ==
          params);
    unlink(scratch_path(&s, "m/model.safetensors.index.json"));
    CHECK(model_read(&s, folder, false, NULL).params_total == params);
    CHECK(model_read(&s, scratch_path(&s, "m/model-00001-of-00002.safetensors"), false, NULL).params_total ==
          params);
    // The config.json alone is just that.
    // and its norms
    CHECK(model_read(&s, scratch_path(&s, "m/config.json"), false, NULL).weight_bytes_native > 2 * params);
    unlink(scratch_path(&s, "m/model-00001-of-00002.safetensors"));
    model_fails(&s, folder, false, "1 of 2 parts of 'model' are there");
    model_fails(&s, scratch_path(&s, "m/model-00002-of-00002.safetensors"), false,
                "shard 'model-00001-of-00002.safetensors': open");
    scratch_free(&s);
}

static void test_safetensors_bad_indexes(void) {
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"{}", "'weight_map' is missing"},
        {"{\"weight_map\":{}}", "'weight_map' is empty"},
        {"{\"weight_map\":[\"a\"]}", "'weight_map' is missing"},
        {"{\"weight_map\":{\"a\":1}}", "tensor 'a' names no file"},
        {"{\"weight_map\":{\"a\":\"../model.safetensors\"}}", "names '../model.safetensors'"},
        {"{\"weight_map\":{\"a\":\"/etc/x.safetensors\"}}", "no safetensors file of the same folder"},
        {"{\"weight_map\":{\"a\":\"sub/x.safetensors\"}}", "no safetensors file of the same folder"},
        {"{\"weight_map\":{\"a\":\"x..safetensors\"}}", "no safetensors file of the same folder"},
        {"{\"weight_map\":{\"a\":\".safetensors\"}}", "no safetensors file of the same folder"},
        // itself
        {"{\"weight_map\":{\"a\":\"model.safetensors.index.json\"}}",
         "no safetensors file of the same folder"},
        {"{\"weight_map\":{\"a\":\"gone.safetensors\"}}", "shard 'gone.safetensors': open"},
        {"{\"weight_map\":{\"a\":\"folder.safetensors\"}}", "not a regular file"},
        {"{\"weight_map\":{\"a\":\"pipe.safetensors\"}}", "not a regular file"},
        {"{\"weight_map\":{\"a\":\"loop.safetensors\"}}", "shard 'loop.safetensors': open"},
    };
    Scratch s = scratch_make();
    const char *folder = made_dir(&s, "m");
    made_model(&s, "m/config.json", CONFIG);
    made_dir(&s, "m/folder.safetensors");
    CHECK(mkfifo(scratch_path(&s, "m/pipe.safetensors"), 0600) == 0);
    CHECK(symlink("loop.safetensors", scratch_path(&s, "m/loop.safetensors")) == 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        made_model(&s, "m/model.safetensors.index.json", cases[i].text);
        model_fails(&s, folder, false, cases[i].want);
    }
    scratch_free(&s);
}

static void test_safetensors_quantised(void) {
    Scratch s = scratch_make();
    const char *folder = made_dir(&s, "m");
    made_model(&s, "m/config.json", CONFIG);
    Safetensors st;
    st_open(&st);
    add_layer(&st, 0, "F8_E4M3", 1), add_layer(&st, 1, "F8_E4M3", 1);
    st_add(&st, "model.layers.0.mlp.up_proj.weight_scale_inv", "F32", 4, 32, 8);
    // behind the last layer: multi-token prediction
    st_add(&st, "model.layers.2.mlp.up_proj.weight", "F8_E4M3", 1, 4096, 1024);
    st_add(&st, "model.embed_tokens.weight", "BF16", 2, 5000, 1024);
    st_write(&st, scratch_path(&s, "m/model.safetensors"));
    made_model(&s, "m/consolidated.safetensors", "the same in another form");
    const char *warning = NULL;
    Model m = model_read(&s, folder, false, &warning);
    CHECK_STR(warning, "");
    CHECK_INT(m.weights_native, DTYPE_FP8);
    CHECK(m.weight_bytes_native == 2 * layer_params + 32 * 8 * 4 + 5000 * 1024 * 2);
    CHECK(m.params_total == 2 * layer_params + 5000 * 1024 && m.params_mtp == 4096 * 1024);
    CHECK(m.tied_embeddings);
    // Eight weights in an int32: the shape gives the parameters, the file the bytes.
    st_open(&st);
    st_add(&st, "model.layers.0.mlp.up_proj.qweight", "I32", 4, 128, 4096);
    st_add(&st, "lm_head.weight", "F16", 2, 5000, 1024);
    st_write(&st, scratch_path(&s, "m/model.safetensors"));
    Buf b;
    buf_init(&b, BUF_LIMIT);
    buf_puts(&b, "{\"quantization_config\":{\"quant_method\":\"gptq\",\"bits\":4,\"group_size\":128},");
    buf_puts(&b, &CONFIG[1]);
    made_model(&s, "m/config.json", b.data);
    m = model_read(&s, folder, false, NULL);
    CHECK_INT(m.weights_native, DTYPE_INT4);
    CHECK(m.weight_bytes_native == 128 * 4096 * 4 + 5000 * 1024 * 2);
    CHECK_NEAR(m.params_total, 2 * layer_params + 2 * 5000 * 1024, 1e-3);
    buf_free(&b);
    scratch_free(&s);
}

static void test_safetensors_experts_and_vision(void) {
    Scratch s = scratch_make();
    const char *folder = made_dir(&s, "m");
    made_model(
        &s, "m/config.json",
        "{\"model_type\":\"qwen3_vl_moe\",\"text_config\":{\"model_type\":\"qwen3_vl_moe_text\",\"hidden_"
        "size\":1024,\"moe_intermediate_size\":512,\"num_hidden_layers\":1,"
        "\"num_attention_heads\":8,\"num_key_value_heads\":2,\"head_dim\":128,\"num_experts\":8,\"num_"
        "experts_per_tok\":2,\"vocab_size\":5000},\"vision_config\":{\"depth\":2,\"hidden_size\":64}}");
    Safetensors st;
    st_open(&st);
    st_add(&st, "model.language_model.layers.0.mlp.experts.gate_up_proj", "BF16", 2, 8 * 1024, 1024);
    st_add(&st, "model.language_model.layers.0.mlp.experts.down_proj", "BF16", 2, 8 * 512, 1024);
    st_add(&st, "model.visual.blocks.31.mlp.weight", "BF16", 2, 1000, 1000);
    st_add(&st, "model.language_model.embed_tokens.weight", "BF16", 2, 5000, 1024);
    st_write(&st, scratch_path(&s, "m/model.safetensors"));
    Model m = model_read(&s, folder, false, NULL);
    CHECK(m.params_expert_routed == 8 * 1536 * 1024 && m.params_vision == 1e6);
    CHECK_STR(m.family, "vision-language");
    CHECK_NEAR(m.params_active, 8 * 1536 * 1024 / 4.0 + 5000 * 1024, 1e-12);
    scratch_free(&s);
}

static void test_safetensors_without_config(void) {
    Scratch s = scratch_make();
    Safetensors st;
    st_open(&st);
    add_layer(&st, 0, "F16", 2), add_layer(&st, 1, "F16", 2);
    st_add(&st, "model.embed_tokens.weight", "F16", 2, 5000, 1024);
    st_write(&st, scratch_path(&s, "alone.safetensors"));
    model_fails(&s, scratch_path(&s, "alone.safetensors"), false, "no config.json lies beside it");
    const char *warning = NULL;
    Model m = model_read(&s, scratch_path(&s, "alone.safetensors"), true, &warning);
    CHECK(strstr(warning, "128 wide") != NULL);
    CHECK(m.layers == 2 && m.hidden == 1024 && m.heads == 8 && m.kv_heads == 2 && m.intermediate == 4096 &&
          m.vocab == 5000);
    CHECK_INT(m.weights_native, DTYPE_FP16);
    st_open(&st);
    add_layer(&st, 0, "F16", 2);
    st_add(&st, "model.layers.0.self_attn.q_norm.weight", "F16", 2, 0, 64);
    st_add(&st, "model.embed_tokens.weight", "F16", 2, 5000, 1024);
    st_write(&st, scratch_path(&s, "normed.safetensors"));
    CHECK(model_read(&s, scratch_path(&s, "normed.safetensors"), false, NULL).heads == 16);
    scratch_free(&s);
}

static void bad_header(Scratch *s, const char *header, const char *want) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    put_number(&b, strlen(header), 8);
    buf_puts(&b, header);
    scratch_write(scratch_path(s, "m/model.safetensors"), b.data, b.length);
    model_fails(s, scratch_path(s, "m"), false, want);
    buf_free(&b);
}

static void test_safetensors_bad_headers(void) {
    Scratch s = scratch_make();
    made_dir(&s, "m");
    made_model(&s, "m/config.json", CONFIG);
    bad_header(&s, "", "header: byte 0: empty");
    bad_header(&s, "{}", "hold no tensors");
    bad_header(&s, "[]", "not an object");
    bad_header(&s, "{\"t\":{\"dtype\":\"X9\",\"shape\":[1],\"data_offsets\":[0,1]}}",
               "tensor 't': its dtype is not known");
    bad_header(&s, "{\"t\":{\"dtype\":\"F16\",\"data_offsets\":[0,1]}}", "it has no shape");
    bad_header(&s, "{\"t\":{\"dtype\":\"F16\",\"shape\":[-1],\"data_offsets\":[0,1]}}",
               "a shape that is none");
    bad_header(&s, "{\"t\":{\"dtype\":\"F16\",\"shape\":[1e300],\"data_offsets\":[0,1]}}",
               "a shape that is none");
    bad_header(&s, "{\"t\":{\"dtype\":\"F16\",\"shape\":[9007199254740992,2],\"data_offsets\":[0,1]}}",
               "too large");
    bad_header(
        &s,
        "{\"t\":{\"dtype\":\"F16\",\"shape\":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1],\"data_offsets\":[0,2]}}",
        "a shape that is none");
    bad_header(&s, "{\"t\":{\"dtype\":\"F16\",\"shape\":[4]}}", "it has no offsets");
    bad_header(&s, "{\"t\":{\"dtype\":\"F16\",\"shape\":[4],\"data_offsets\":[8,0]}}",
               "its bytes do not fit its shape");
    bad_header(&s, "{\"t\":{\"dtype\":\"F16\",\"shape\":[4],\"data_offsets\":[0,7]}}",
               "its bytes do not fit its shape");
    bad_header(&s,
               "{\"t\":{\"dtype\":\"F16\",\"shape\":[4],\"data_offsets\":[0,8]},\"u\":{\"dtype\":\"F16\","
               "\"shape\":[4],\"data_offsets\":[0,8]}}",
               "tensors overlap");
    Buf b;
    buf_init(&b, BUF_LIMIT);
    put_number(&b, UINT64_MAX, 8), buf_puts(&b, "{}");
    scratch_write(scratch_path(&s, "m/model.safetensors"), b.data, b.length);
    model_fails(&s, scratch_path(&s, "m"), false, "a header of 18446744073709551615 bytes");
    buf_free(&b);
    scratch_free(&s);
}

static void test_safetensors_cut_anywhere(void) {
    Scratch s = scratch_make();
    sharded(&s);
    const char *path = scratch_path(&s, "m/model-00002-of-00002.safetensors");
    Safetensors st;
    st_open(&st);
    st_add(&st, "t", "BF16", 2, 1000, 1000);
    buf_puts(&st.header, "}");
    Buf b;
    buf_init(&b, BUF_LIMIT);
    put_number(&b, st.header.length, 8);
    buf_add(&b, st.header.data, st.header.length);
    scratch_write(path, b.data, b.length);
    for (size_t n = b.length; n-- > 0;) {
        CHECK(truncate(path, (off_t)n) == 0);
        model_fails(&s, path, false, "shard 'model-00002-of-00002.safetensors'");
    }
    scratch_write(path, b.data, b.length);
    const char *warning = NULL;
    model_read(&s, path, false, &warning);
    CHECK(strstr(warning, "shorter than its header says") != NULL);
    buf_free(&b);
    buf_free(&st.header);
    scratch_free(&s);
}

// ---------------------------------------------------------------- things that are no model

static void test_no_model(void) {
    Scratch s = scratch_make();
    model_fails(&s, scratch_path(&s, "none/config.json"), false, "No such file");
    model_fails(&s, made_dir(&s, "empty"), false, "holds neither config.json nor safetensors nor GGUF files");
    model_fails(&s, made_model(&s, "readme.txt", "hello"), false,
                "is no config.json, GGUF or safetensors file");
    model_fails(&s, made_model(&s, "zero.gguf", ""), false, "ends too early");
    model_fails(&s, made_model(&s, "zero.safetensors", ""), false, "too short");
    CHECK(mkfifo(scratch_path(&s, "pipe.gguf"), 0600) == 0);
    model_fails(&s, scratch_path(&s, "pipe.gguf"), false, "not a regular file");
    CHECK(symlink("loop", scratch_path(&s, "loop")) == 0);
    model_fails(&s, scratch_path(&s, "loop"), false, "symbolic links");
    made_dir(&s, "round");
    CHECK(symlink("../round", scratch_path(&s, "round/round")) == 0);
    model_fails(&s, scratch_path(&s, "round/round/round"), false, "holds neither");
    made_dir(&s, "folders");
    made_dir(&s, "folders/config.json");
    model_fails(&s, scratch_path(&s, "folders"), false, "not a regular file");
    // A file without an ending is known by how it begins.
    CHECK(model_read(&s, made_model(&s, "blob", "  " CONFIG), false, NULL).layers == 2);
    scratch_free(&s);
}

static const TestCase tests[] = {
    TEST(safetensors_sharded),        TEST(safetensors_bad_indexes),
    TEST(safetensors_quantised),      TEST(safetensors_experts_and_vision),
    TEST(safetensors_without_config), TEST(safetensors_bad_headers),
    TEST(safetensors_cut_anywhere),   TEST(no_model),
};

TEST_MAIN(tests)
