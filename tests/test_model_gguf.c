// GGUF headers: exact bytes, split models, and files that are out to do harm.
#include "src/perf/perf.h"
#include "tests/check.h"
#include "tests/model_files.h"

enum { Q4_K = 12, Q6_K = 14, F32 = 0, F16 = 1, BF16 = 30, MXFP4 = 39 };

// A dense model of 2 layers, 256 wide: 3,000 words, FFN 512, 4 heads and 2 KV heads of 64.
static void small_gguf(Buf *b, const char *architecture, bool tensors) {
    put_start(b, tensors ? 16 : 0, 8);
    put_pair_text(b, "general.architecture", architecture);
    put_pair_text(b, "general.name", "Small");
    const struct {
        const char *key;
        uint64_t value;
    } pairs[] = {{"block_count", 2},          {"embedding_length", 256},      {"feed_forward_length", 512},
                 {"attention.head_count", 4}, {"attention.head_count_kv", 2}, {"context_length", 4096}};
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        char key[100];
        snprintf(key, sizeof key, "%s.%s", architecture, pairs[i].key);
        put_pair(b, key, pairs[i].value);
    }
    uint64_t at = 0;
    for (int layer = 0; tensors && layer < 2; layer++) {
        const struct {
            const char *name;
            uint64_t rows, columns;
        } parts[] = {{"attn_q", 256, 256},      {"attn_k", 128, 256},   {"attn_v", 128, 256},
                     {"attn_output", 256, 256}, {"ffn_gate", 512, 256}, {"ffn_up", 512, 256},
                     {"ffn_down", 256, 512}};
        for (size_t i = 0; i < COUNT_OF(parts); i++) {
            char name[100];
            snprintf(name, sizeof name, "blk.%d.%s.weight", layer, parts[i].name);
            put_tensor(b, name, parts[i].rows, parts[i].columns, 0, Q4_K, at);
            at += parts[i].rows * parts[i].columns / 256 * 144;
        }
    }
    if (!tensors) return;
    put_tensor(b, "token_embd.weight", 3000, 256, 0, Q6_K, at);
    put_tensor(b, "output_norm.weight", 0, 256, 0, F32, at + 3000 * 210);
}

static const double small_bytes =
    (2.0 * (256 * 256 * 2 + 128 * 256 * 2 + 3 * 512 * 256) / 256) * 144 + 3000 * 210 + 256 * 4;

// Bounds of models are those of data/models.tsv: a million parameters at least.
static void test_gguf_counts_every_byte(void) {
    Scratch s = scratch_make();
    const char *path = scratch_path(&s, "small-Q4_K_M.gguf");
    Buf b;
    small_gguf(&b, "llama", true);
    write_sparse(path, &b, 2e6);
    const char *warning = NULL;
    Model m = model_read(&s, path, false, &warning);
    CHECK_STR(warning, "");
    CHECK_STR(m.model_id, "small-Q4_K_M");
    CHECK(m.weight_bytes_native == small_bytes);
    CHECK(m.params_total == 2 * (256 * 256 * 2 + 128 * 256 * 2 + 3 * 512 * 256) + 768000 + 256);
    CHECK(m.layers == 2 && m.vocab == 3000 && m.kv_heads == 2 && m.head_dim == 64 && m.max_context == 4096);
    CHECK(m.tied_embeddings && m.kv_bytes_per_token_bf16 == 2 * 2 * 2 * 64 * 2);
    CHECK_INT(m.weights_native, DTYPE_INT4);
    CHECK_STR(m.native_quantization, "gguf q4_k 51 %, q6_k 49 %");
    buf_free(&b);
    scratch_free(&s);
}

static void test_gguf_of_half_a_terabyte(void) {
    Scratch s = scratch_make();
    const char *path = scratch_path(&s, "large.gguf");
    Buf b;
    small_gguf(&b, "llama", true);
    write_sparse(path, &b, 500e9);
    CHECK(model_read(&s, path, false, NULL).weight_bytes_native == small_bytes);
    buf_free(&b);
    scratch_free(&s);
}

static void put_experts(Buf *b, uint64_t layers, uint64_t *ret_at) {
    uint64_t at = 0;
    for (uint64_t layer = 0; layer < layers; layer++) {
        static const char *const names[] = {"ffn_gate_exps", "ffn_up_exps", "ffn_down_exps"};
        for (size_t i = 0; i < COUNT_OF(names); i++) {
            char name[100];
            snprintf(name, sizeof name, "blk.%d.%s.weight", (int)layer, names[i]);
            put_tensor(b, name, 2880, 2880, 32, MXFP4, at);
            at += 2880u * 2880u * 32u / 32u * 17u;
        }
    }
    *ret_at = at;
}

// The header of gpt-oss-20b up to its tensors: 24 layers, each with 32 experts.
static void oss_head(Buf *b, uint64_t tensors) {
    put_start(b, tensors, 10);
    put_pair_text(b, "general.architecture", "gpt-oss");
    static const struct {
        const char *key;
        uint64_t value;
    } pairs[] = {{"gpt-oss.block_count", 24},
                 {"gpt-oss.embedding_length", 2880},
                 {"gpt-oss.feed_forward_length", 2880},
                 {"gpt-oss.attention.head_count", 64},
                 {"gpt-oss.attention.head_count_kv", 8},
                 {"gpt-oss.attention.key_length", 64},
                 {"gpt-oss.expert_count", 32},
                 {"gpt-oss.expert_used_count", 4},
                 {"gpt-oss.attention.sliding_window", 128}};
    for (size_t i = 0; i < COUNT_OF(pairs); i++) put_pair(b, pairs[i].key, pairs[i].value);
}

// Experts in MXFP4; attention left out of the file is counted as stated.
static void test_gguf_with_experts(void) {
    Scratch s = scratch_make();
    Buf b;
    oss_head(&b, 24 * 3 + 2);
    uint64_t at = 0;
    put_experts(&b, 24, &at);
    put_tensor(&b, "token_embd.weight", 201088, 2880, 0, F16, at);
    put_tensor(&b, "output.weight", 201088, 2880, 0, F16, at + 201088u * 2880u * 2u);
    write_sparse(scratch_path(&s, "oss.gguf"), &b, 14e9);
    Model m = model_read(&s, scratch_path(&s, "oss.gguf"), false, NULL);
    CHECK_STR(m.family, "moe");
    CHECK(m.params_expert_routed == 24.0 * 3 * 32 * 2880 * 2880);
    CHECK(m.weight_bytes_native == 24.0 * 3 * 2880 * 2880 * 17 + 2.0 * 201088 * 2880 * 2);
    CHECK_INT(m.weights_native, DTYPE_MXFP4);
    // Read whatever the batch: all but the experts and the look-up table.
    CHECK(model_expert_bytes(&m, DTYPE_MXFP4) == 24.0 * 3 * 2880 * 2880 * 17);
    CHECK(model_fixed_bytes(&m, DTYPE_MXFP4) == 201088.0 * 2880 * 2);
    CHECK(m.kv_window_layers == 12 && m.kv_full_layers == 12 && !m.tied_embeddings);
    CHECK_NEAR(m.params_active, m.params_total - m.params_expert_routed * 28 / 32, 1e-12);
    buf_free(&b);
    scratch_free(&s);
}

// Files whose experts go by other names: all that they hold is less than what the configuration says of experts alone.
static void test_gguf_without_its_experts(void) {
    Scratch s = scratch_make();
    Buf b;
    oss_head(&b, 2);
    put_tensor(&b, "token_embd.weight", 201088, 2880, 0, F16, 0);
    put_tensor(&b, "output.weight", 201088, 2880, 0, F16, 201088u * 2880u * 2u);
    write_sparse(scratch_path(&s, "oss.gguf"), &b, 14e9);
    model_fails(
        &s, scratch_path(&s, "oss.gguf"), false,
        "1.158 billion parameters in all, and 19.7 billion in experts, tables and vision alone: the weight "
        "files hold another model than the configuration says");
    buf_free(&b);
    scratch_free(&s);
}

// Latent attention in the words of GGUF.
static void test_gguf_latent_attention(void) {
    Scratch s = scratch_make();
    Buf b;
    put_start(&b, 1, 15);
    put_pair_text(&b, "general.architecture", "deepseek2");
    static const struct {
        const char *key;
        uint64_t value;
    } pairs[] = {{"block_count", 61},
                 {"embedding_length", 7168},
                 {"feed_forward_length", 18432},
                 {"attention.head_count", 128},
                 {"attention.head_count_kv", 1},
                 {"attention.q_lora_rank", 1536},
                 {"attention.kv_lora_rank", 512},
                 {"attention.key_length", 576},
                 {"attention.value_length", 512},
                 {"attention.key_length_mla", 192},
                 {"attention.value_length_mla", 128},
                 {"rope.dimension_count", 64},
                 {"vocab_size", 129280},
                 {"context_length", 163840}};
    for (size_t i = 0; i < COUNT_OF(pairs); i++)
        put_pair(&b, arena_printf(&s.arena, "deepseek2.%s", pairs[i].key), pairs[i].value);
    put_tensor(&b, "token_embd.weight", 129280, 7168, 0, F16, 0);
    write_sparse(scratch_path(&s, "v3.gguf"), &b, 2e9);
    Model m = model_read(&s, scratch_path(&s, "v3.gguf"), false, NULL);
    CHECK_STR(m.attention, "mla");
    CHECK(m.qk_nope_head_dim == 128 && m.v_head_dim == 128);
    CHECK(m.kv_bytes_per_token_bf16 == 70272);
    buf_free(&b);
    scratch_free(&s);
}

static void put_list_pairs(Buf *b, const uint32_t *heads, size_t n) {
    put_pair_text(b, "general.architecture", "llama");
    put_pair(b, "llama.block_count", 2);
    put_pair(b, "llama.embedding_length", 1024);
    put_pair(b, "llama.feed_forward_length", 2048);
    put_pair(b, "llama.attention.head_count", 8);
    put_pair_list(b, "llama.attention.head_count_kv", heads, n);
    put_text(b, "tokenizer.ggml.tokens");
    put_number(b, 9, 4), put_number(b, 8, 4), put_number(b, 3, 8);
    put_text(b, "a"), put_text(b, ""), put_text(b, "\xff\xfe");
    put_tensor(b, "token_embd.weight", 2000, 1024, 0, F16, 0);
}

static void test_gguf_lists(void) {
    Scratch s = scratch_make();
    const char *path = scratch_path(&s, "a.gguf");
    Buf b;
    put_start(&b, 1, 7);
    put_list_pairs(&b, (const uint32_t[]){4, 4}, 2);
    write_sparse(path, &b, 5e6);
    CHECK(model_read(&s, path, false, NULL).kv_heads == 4);
    buf_free(&b);
    put_start(&b, 1, 7);
    put_list_pairs(&b, (const uint32_t[]){2, 4}, 2);
    write_sparse(path, &b, 5e6);
    model_fails(&s, path, false, "'llama.attention.head_count_kv' differs from layer to layer");
    buf_free(&b);
    scratch_free(&s);
}

// Layers that draft tokens are counted with those that answer, of which some have to be left.
static void test_gguf_draft_layers(void) {
    Scratch s = scratch_make();
    const char *path = scratch_path(&s, "a.gguf");
    for (uint64_t drafts = 0; drafts < 5; drafts++) {
        Buf b;
        put_start(&b, 1, 7);
        put_pair_text(&b, "general.architecture", "llama");
        put_pair(&b, "llama.block_count", 3), put_pair(&b, "llama.nextn_predict_layers", drafts);
        put_pair(&b, "llama.embedding_length", 1024), put_pair(&b, "llama.feed_forward_length", 2048);
        put_pair(&b, "llama.attention.head_count", 8), put_pair(&b, "llama.vocab_size", 2000);
        put_tensor(&b, "token_embd.weight", 2000, 1024, 0, F16, 0);
        write_sparse(path, &b, 5e6);
        if (drafts < 3) {
            CHECK(model_read(&s, path, false, NULL).layers == 3 - (double)drafts);
        } else {
            model_fails(&s, path, false, "of 3 layers: none is left");
        }
        buf_free(&b);
    }
    scratch_free(&s);
}

static void test_gguf_split(void) {
    Scratch s = scratch_make();
    const char *folder = made_dir(&s, "split");
    for (int i = 1; i <= 3; i++) {
        Buf b;
        put_start(&b, 1, i == 1 ? 7 : 1);
        if (i == 1) {
            put_pair_text(&b, "general.architecture", "llama");
            put_pair(&b, "llama.block_count", 4), put_pair(&b, "llama.embedding_length", 4096),
                put_pair(&b, "llama.feed_forward_length", 8192);
            put_pair(&b, "llama.attention.head_count", 32), put_pair(&b, "llama.vocab_size", 32000);
        }
        put_pair(&b, "split.count", 3);
        put_tensor(&b, arena_printf(&s.arena, "blk.%d.ffn_up.weight", i), 8192, 4096, 0, F16, 0);
        write_sparse(
            scratch_path(&s, (const char *[]){"split/m-00001-of-00003.gguf", "split/m-00002-of-00003.gguf",
                                              "split/m-00003-of-00003.gguf"}[i - 1]),
            &b, 70e6);
        buf_free(&b);
    }
    const double bytes = 3.0 * 8192 * 4096 * 2;
    Model m = model_read(&s, folder, false, NULL);
    CHECK(m.weight_bytes_native == bytes);
    CHECK_STR(m.model_id, "split");
    // any part stands for all
    m = model_read(&s, scratch_path(&s, "split/m-00002-of-00003.gguf"), false, NULL);
    CHECK(m.weight_bytes_native == bytes);
    CHECK_STR(m.model_id, "m");
    made_model(&s, "split/mmproj-f16.gguf", "GGUF");
    CHECK(model_read(&s, folder, false, NULL).weight_bytes_native == bytes);
    unlink(scratch_path(&s, "split/m-00003-of-00003.gguf"));
    model_fails(&s, folder, false, "2 of 3 parts of 'm' are there");
    model_fails(&s, scratch_path(&s, "split/m-00001-of-00003.gguf"), false,
                "part 'm-00003-of-00003.gguf': open");
    CHECK(rename(scratch_path(&s, "split/m-00001-of-00003.gguf"), scratch_path(&s, "split/x.gguf")) == 0);
    model_fails(&s, scratch_path(&s, "split/x.gguf"), false, "is one of 3 parts");
    model_fails(&s, folder, false, "holds several models, name one: m-00002-of-00003.gguf, x.gguf");
    scratch_free(&s);
}

// ---------------------------------------------------------------- bad GGUF

static void fails(Scratch *s, Buf *b, const char *want) {
    const char *path = scratch_path(s, "bad.gguf");
    scratch_write(path, b->data, b->length);
    model_fails(s, path, false, want);
    model_fails(s, path, true, want);
    buf_free(b);
}

static void start(Buf *b, uint64_t version, uint64_t tensors, uint64_t pairs) {
    buf_init(b, BUF_LIMIT);
    buf_puts(b, "GGUF");
    put_number(b, version, 4), put_number(b, tensors, 8), put_number(b, pairs, 8);
}

static void test_gguf_bad_starts(void) {
    Scratch s = scratch_make();
    Buf b;
    buf_init(&b, BUF_LIMIT);
    buf_puts(&b, "GGML tensors of old");
    fails(&s, &b, "not a GGUF file");
    start(&b, 1, 0, 0), fails(&s, &b, "GGUF version 1 is not read");
    start(&b, 0x03000000, 0, 0), fails(&s, &b, "big-endian");
    start(&b, 3, UINT64_MAX, 0), fails(&s, &b, "18446744073709551615 tensors");
    start(&b, 3, 0, UINT64_MAX), fails(&s, &b, "18446744073709551615 pairs");
    start(&b, 3, 0, 90000), fails(&s, &b, "ends too early");
    start(&b, 3, 1, 0), fails(&s, &b, "");
    scratch_free(&s);
}

// One pair of a key "k" and what `bytes` say.
static void one_pair(Buf *b, uint64_t type, const uint64_t *words, size_t n) {
    start(b, 3, 0, 1);
    put_text(b, "k");
    put_number(b, type, 4);
    for (size_t i = 0; i < n; i++) put_number(b, words[i], i % 2 == 0 ? 4 : 8);
    for (int i = 0; i < 64; i++) put_number(b, 0, 8);
}

static void test_gguf_bad_pairs(void) {
    Scratch s = scratch_make();
    Buf b;
    start(&b, 3, 0, 1), put_number(&b, UINT64_MAX, 8), put_number(&b, 0, 8),
        fails(&s, &b, "a text of 18446744073709551615 bytes");
    one_pair(&b, 13, NULL, 0), fails(&s, &b, "a value of type 13");
    one_pair(&b, 9, (const uint64_t[]){4, UINT64_MAX}, 2),
        fails(&s, &b, "an array of 18446744073709551615 values");
    // times 8 wraps around
    one_pair(&b, 9, (const uint64_t[]){4, (uint64_t)1 << 61}, 2), fails(&s, &b, "an array of");
    one_pair(&b, 9, (const uint64_t[]){8, 1000}, 2), fails(&s, &b, "ends too early");
    one_pair(&b, 9, (const uint64_t[]){9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1}, 12),
        fails(&s, &b, "nested too deep");
    one_pair(&b, 9, (const uint64_t[]){99, 1}, 2), fails(&s, &b, "a value of type 99");
    scratch_free(&s);
}

static void one_tensor(Buf *b, uint64_t dimensions, uint64_t d0, uint64_t d1, uint64_t type) {
    put_start(b, 1, 6);
    put_pair_text(b, "general.architecture", "llama");
    put_pair(b, "llama.block_count", 2), put_pair(b, "llama.embedding_length", 1024),
        put_pair(b, "llama.feed_forward_length", 2048);
    put_pair(b, "llama.attention.head_count", 8), put_pair(b, "llama.vocab_size", 32000);
    put_text(b, "t.weight");
    put_number(b, dimensions, 4), put_number(b, d0, 8), put_number(b, d1, 8), put_number(b, type, 4),
        put_number(b, 0, 8);
}

static void test_gguf_bad_tensors(void) {
    Scratch s = scratch_make();
    Buf b;
    one_tensor(&b, 9, 1, 1, 0), fails(&s, &b, "tensor 't.weight' has 9 dimensions");
    one_tensor(&b, 2, UINT64_MAX, UINT64_MAX, 0), fails(&s, &b, "elements");
    // wraps around to 0
    one_tensor(&b, 2, (uint64_t)1 << 32, (uint64_t)1 << 32, 0), fails(&s, &b, "elements");
    one_tensor(&b, 2, 256, 4096, 4), fails(&s, &b, "is of type 4, which is not known");
    one_tensor(&b, 2, 256, 4096, UINT32_MAX), fails(&s, &b, "which is not known");
    one_tensor(&b, 2, 100, 4096, Q4_K), fails(&s, &b, "no whole blocks of q4_k");
    one_tensor(&b, 2, 0, 0, 0), fails(&s, &b, "comes to 0");
    small_gguf(&b, "llama", false), fails(&s, &b, "holds no tensors");
    scratch_free(&s);
}

static void test_gguf_unknown(void) {
    Scratch s = scratch_make();
    const char *path = scratch_path(&s, "warp.gguf");
    Buf b;
    small_gguf(&b, "warp", true);
    write_sparse(path, &b, 2e6);
    model_fails(&s, path, false, "unknown architecture 'warp'");
    const char *warning = NULL;
    CHECK(model_read(&s, path, true, &warning).weight_bytes_native == small_bytes);
    CHECK(strstr(warning, "'warp' is not known") != NULL);
    buf_free(&b);
    put_start(&b, 0, 1), put_pair_text(&b, "general.architecture", "clip");
    fails(&s, &b, "");
    put_start(&b, 0, 2), put_pair_text(&b, "general.architecture", "llama"),
        put_pair_text(&b, "general.type", "adapter");
    fails(&s, &b, "a thing of type 'adapter'");
    put_start(&b, 1, 1), put_pair_text(&b, "general.architecture", "llama"),
        put_tensor(&b, "t", 1024, 1024, 0, 0, 0);
    fails(&s, &b,
          "missing: llama.block_count, llama.embedding_length, llama.attention.head_count, llama.vocab_size");
    scratch_free(&s);
}

static void test_gguf_cut_anywhere(void) {
    Scratch s = scratch_make();
    const char *path = scratch_path(&s, "cut.gguf");
    Buf b;
    small_gguf(&b, "llama", true);
    scratch_write(path, b.data, b.length);
    for (size_t n = b.length; n-- > 0;) {
        CHECK(truncate(path, (off_t)n) == 0);
        model_fails(&s, path, false, "cut.gguf");
    }
    scratch_write(path, b.data, b.length);  // the header is all: the download goes on
    const char *warning = NULL;
    CHECK(model_read(&s, path, false, &warning).weight_bytes_native == small_bytes);
    CHECK(strstr(warning, "shorter than its header says") != NULL);
    buf_free(&b);
    scratch_free(&s);
}

static const TestCase tests[] = {
    TEST(gguf_counts_every_byte), TEST(gguf_of_half_a_terabyte),
    TEST(gguf_with_experts),      TEST(gguf_without_its_experts),
    TEST(gguf_latent_attention),  TEST(gguf_lists),
    TEST(gguf_draft_layers),      TEST(gguf_split),
    TEST(gguf_bad_starts),        TEST(gguf_bad_pairs),
    TEST(gguf_bad_tensors),       TEST(gguf_unknown),
    TEST(gguf_cut_anywhere),
};

TEST_MAIN(tests)
