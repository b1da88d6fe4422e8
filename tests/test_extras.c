// Indexers of sparse attention, linear attention and unpacking, against arithmetic by hand on the shipped facts.
#include <math.h>
#include <string.h>

#include "src/perf/extras.h"
#include "src/perf/kv.h"
#include "tests/advise_world.h"
#include "tests/shipped.h"

// 8,192 tokens in, 1,024 out: in the middle 8,704.
static const double INPUT = 8192, OUTPUT = 1024, CONTEXT = 8704;

static Serving resolved(const Shipped *s, const char *gpu, const char *model, const char *engine, int tp,
                        Dtype weights) {
    Serving out = {0};
    const Gpu *g = gpu_row(s, gpu);
    ServingWant want = {.gpu = g,
                        .model = model_named(s, model),
                        .engine = engine,
                        .layout = {tp, 1, 1, 1},
                        .weights = weights,
                        .kv = DTYPE_BF16,
                        .isl = INPUT,
                        .osl = OUTPUT};
    CHECK_INT(serving_resolve(&s->facts, &want, &out), SERVE_OK);
    return out;
}

// DeepSeek-V3.2: 61 layers keep 576 elements of a token and the indexer's key of 132 bytes; a token reads 2,048
// entries and scores all: 64 heads of 128.
static void test_sparse_layers_read_what_the_indexer_picks(void) {
    Shipped s;
    open_shipped(&s);
    const Model *m = model_named(&s, "deepseek-v3.2");
    CHECK_NEAR(model_read_bytes(m, 1000, DTYPE_BF16), 1000 * 61 * 576 * 2.0, 1e-12);
    CHECK_NEAR(model_read_bytes(m, CONTEXT, DTYPE_BF16), 2048 * 61 * 576 * 2.0, 1e-12);
    CHECK_NEAR(model_cache_bytes(m, CONTEXT, DTYPE_BF16), CONTEXT * 61 * (576 * 2 + 132.0), 1e-12);
    CHECK_NEAR(m->index_flops_per_pair, 61 * 2 * 64 * 128.0, 1e-12);
    // Beyond 2,048 tokens a pair costs what it does in the latent space: 2 x 512 + 64 elements to 192 + 128.
    CHECK_NEAR(model_prompt_pairs(m, 2048), 2048 * 2048 / 2.0, 1e-12);
    CHECK_NEAR(model_prompt_pairs(m, INPUT), 2048 * 2048 / 2.0 + 1088.0 / 320 * 6144 * 2048, 1e-12);
    // 57 of 60 layers of MiniMax-M3 choose.
    const Model *minimax = model_named(&s, "minimax-m3");
    CHECK_NEAR(model_read_bytes(minimax, CONTEXT, DTYPE_BF16), (3 * CONTEXT + 57 * 2048) * 2048.0, 1e-12);
    CHECK_NEAR(model_prompt_pairs(minimax, INPUT),
               0.05 * INPUT * INPUT / 2 + 0.95 * (2048 * 2048 / 2.0 + 6144 * 2048.0), 1e-12);
    // Dense models as ever.
    const Model *llama = model_named(&s, "llama-3.1-70b");
    CHECK_NEAR(model_read_bytes(llama, CONTEXT, DTYPE_BF16), model_cache_bytes(llama, CONTEXT, DTYPE_BF16),
               1e-12);
    CHECK_NEAR(model_prompt_pairs(llama, INPUT), INPUT * INPUT / 2, 1e-12);
    close_shipped(&s);
}

// Every rank of eight scores all keys: of a sequence 8,704 x 8,052 bytes at the table's share of 4.8 TB/s, and
// 8,704 x 999,424 flops at the 8-bit peak.
static void test_indexer(void) {
    Shipped s;
    open_shipped(&s);
    Serving v = resolved(&s, "h200-sxm5-141gb", "deepseek-v3.2", "vllm", 8, DTYPE_FP8);
    const KernelFit *decode = v.extras.decode[EXTRA_INDEXER], *prompt = v.extras.prompt[EXTRA_INDEXER];
    CHECK(v.extras.known[EXTRA_INDEXER] && decode != NULL && prompt != NULL);
    CHECK_STR(decode->gpu, "h200-sxm5-141gb");
    CHECK_STR(decode->library, "vllm");
    double f8 = v.gpu->fp8_tflops * 1e12, each = CONTEXT * (8052 / (decode->eta_bw * 4.8e12) + 999424 / f8);
    CHECK_NEAR(extras_step_s(&v, EXTRA_INDEXER, 64, 64), 64 * each, 1e-9);
    CHECK_NEAR(extras_prompt_s(&v, EXTRA_INDEXER, 0, INPUT),
               999424 * INPUT * INPUT / 2 / (prompt->eta_compute * f8), 1e-9);
    // The second half of a prompt looks back at the first.
    CHECK_NEAR(extras_prompt_s(&v, EXTRA_INDEXER, 4096, 4096),
               extras_prompt_s(&v, EXTRA_INDEXER, 0, 8192) - extras_prompt_s(&v, EXTRA_INDEXER, 0, 4096),
               1e-9);
    CHECK(v.kernels.known);
    CHECK_INT(v.extras.known[EXTRA_LINEAR], 0);
    CHECK_INT(v.extras.known[EXTRA_UNPACKING], 0);
    // AMD has no table of it: another vendor's, and said so.
    Serving amd = resolved(&s, "mi355x-288gb", "deepseek-v3.2", "sglang", 8, DTYPE_FP8);
    CHECK(amd.extras.decode[EXTRA_INDEXER] != NULL && amd.extras.decode_reach[EXTRA_INDEXER] == KERNEL_NONE);
    CHECK(strstr(extras_basis(&amd, EXTRA_INDEXER, &s.arena), "another vendor") != NULL);
    close_shipped(&s);
}

// Qwen3-Next: 19,759,104 elements of state in 32 bits, read and written, a quarter on each of four ranks; two KV heads,
// so that the cache of the full layers is there twice and the state once.
static void test_linear_attention(void) {
    Shipped s;
    open_shipped(&s);
    Serving q = resolved(&s, "h200-sxm5-141gb", "qwen3-next-80b-a3b", "sglang", 4, DTYPE_BF16);
    const KernelFit *decode = q.extras.decode[EXTRA_LINEAR], *prompt = q.extras.prompt[EXTRA_LINEAR];
    CHECK(decode != NULL && prompt != NULL);
    CHECK_STR(decode->gpu, "h200-sxm5-141gb");
    CHECK_NEAR(extras_step_s(&q, EXTRA_LINEAR, 10, 10),
               10 * 2 * 19759104 * 4.0 / 4 / (decode->eta_bw * 4.8e12), 1e-9);
    CHECK_NEAR(extras_prompt_s(&q, EXTRA_LINEAR, 0, 1000),
               1000 * 6 * 19759104.0 / 4 / (prompt->eta_compute * q.gpu->bf16_tflops * 1e12), 1e-9);
    CHECK_NEAR(kv_sequence_bytes(&q, CONTEXT), 2 * CONTEXT * 24576 + 4 * 19759104.0, 1e-12);
    CHECK_NEAR(q.read_bytes_per_seq, 2 * CONTEXT * 24576, 1e-12);
    CHECK(!q.extras.known[EXTRA_INDEXER]);
    close_shipped(&s);
}

// Weights of four bits on A100: unpacked once for every 128 tokens, on vector units that do half of their flops in
// instructions. A prompt stays below the dense peak by that.
static void test_unpacking(void) {
    Shipped s;
    open_shipped(&s);
    Serving v = resolved(&s, "a100-sxm4-80gb", "llama-3.1-70b", "vllm", 2, DTYPE_INT4);
    double weights = model_token_flops(v.model) / 2,
           a_tile = weights / 2 * 0.4 / (v.gpu->fp32_vector_tflops * 1e12 / 2);
    CHECK(v.extras.known[EXTRA_UNPACKING]);
    CHECK_NEAR(extras_step_s(&v, EXTRA_UNPACKING, 1, 1), a_tile, 1e-9);
    CHECK_NEAR(extras_step_s(&v, EXTRA_UNPACKING, 512, 512), 4 * a_tile, 1e-9);
    CHECK_NEAR(extras_prompt_s(&v, EXTRA_UNPACKING, 0, 1280), 10 * a_tile, 1e-9);
    Serving wide = resolved(&s, "a100-sxm4-80gb", "llama-3.1-70b", "vllm", 4, DTYPE_BF16);
    CHECK_INT(wide.extras.known[EXTRA_UNPACKING], 0);
    CHECK(extras_prompt_s(&wide, EXTRA_UNPACKING, 0, 1280) == 0);
    close_shipped(&s);
}

static const TestCase tests[] = {
    TEST(sparse_layers_read_what_the_indexer_picks),
    TEST(indexer),
    TEST(linear_attention),
    TEST(unpacking),
};

TEST_MAIN(tests)
