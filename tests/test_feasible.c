// Shipped facts: what an engine runs on a GPU in a dtype and a layout, and what it does not. A row cites what
// data/engine_precisions.tsv, data/precisions.tsv and data/block_checkpoints.tsv do.
#include "src/perf/engines.h"
#include "tests/posterior_world.h"

typedef struct Case {
    const char *model, *gpu, *engine;
    Dtype weights;
    Layout layout;
    ServeStatus status;
} Case;

static const Case cases[] = {
    // FP8 by the engine on Ampere, and where there is no FP8 unit
    {"llama-3.1-70b", "a100-sxm4-80gb", "tensorrt-llm", DTYPE_FP8, {4, 1, 1, 1}, SERVE_NO_PRECISION},
    {"llama-3.1-70b", "a100-sxm4-80gb", "vllm", DTYPE_FP8, {4, 1, 1, 1}, SERVE_OK},
    {"llama-3.1-70b", "a100-sxm4-80gb", "sglang", DTYPE_FP8, {4, 1, 1, 1}, SERVE_OK},
    {"mixtral-8x7b", "a100-sxm4-80gb", "sglang", DTYPE_FP8, {2, 1, 1, 1}, SERVE_NO_PRECISION},
    {"mixtral-8x7b", "a100-sxm4-80gb", "vllm", DTYPE_FP8, {2, 1, 1, 1}, SERVE_OK},
    {"llama-3.1-8b", "mi210-64gb", "vllm", DTYPE_FP8, {1, 1, 1, 1}, SERVE_NO_PRECISION},
    {"llama-3.1-8b", "mi250x-128gb", "vllm", DTYPE_FP8, {1, 1, 1, 1}, SERVE_NO_PRECISION},
    {"llama-3.1-8b", "rx-7900-xtx-24gb", "vllm", DTYPE_FP8, {1, 1, 1, 1}, SERVE_NO_PRECISION},
    {"llama-3.1-8b", "rx-9070-xt-16gb", "vllm", DTYPE_FP8, {1, 1, 1, 1}, SERVE_OK},
    // 4 bits of NVIDIA's form: weight-only below Blackwell, under engines that have Marlin; never on AMD
    {"llama-3.1-70b", "h100-sxm5-80gb", "vllm", DTYPE_NVFP4, {4, 1, 1, 1}, SERVE_OK},
    {"llama-3.1-70b", "h100-sxm5-80gb", "tensorrt-llm", DTYPE_NVFP4, {4, 1, 1, 1}, SERVE_NO_PRECISION},
    {"llama-3.1-70b", "a100-sxm4-80gb", "vllm", DTYPE_NVFP4, {4, 1, 1, 1}, SERVE_OK},
    {"llama-3.1-8b", "l40s-48gb", "sglang", DTYPE_NVFP4, {1, 1, 1, 1}, SERVE_OK},
    {"llama-3.1-8b", "l40s-48gb", "tensorrt-llm", DTYPE_NVFP4, {1, 1, 1, 1}, SERVE_NO_PRECISION},
    {"llama-3.1-70b", "mi300x-192gb", "vllm", DTYPE_NVFP4, {1, 1, 1, 1}, SERVE_NO_PRECISION},
    {"llama-3.1-70b", "mi355x-288gb", "vllm", DTYPE_NVFP4, {1, 1, 1, 1}, SERVE_NO_PRECISION},
    // and of the open form
    {"llama-3.1-70b", "mi355x-288gb", "vllm", DTYPE_MXFP4, {1, 1, 1, 1}, SERVE_OK},
    {"gpt-oss-120b", "mi300x-192gb", "sglang", DTYPE_MXFP4, {1, 1, 1, 1}, SERVE_OK},
    {"gpt-oss-20b", "mi250x-128gb", "vllm", DTYPE_MXFP4, {1, 1, 1, 1}, SERVE_NO_PRECISION},
    {"gpt-oss-20b", "a100-sxm4-80gb", "vllm", DTYPE_MXFP4, {1, 1, 1, 1}, SERVE_OK},
    {"gpt-oss-20b", "a100-sxm4-80gb", "tensorrt-llm", DTYPE_MXFP4, {1, 1, 1, 1}, SERVE_NO_PRECISION},
    {"gpt-oss-20b", "h100-sxm5-80gb", "tensorrt-llm", DTYPE_MXFP4, {1, 1, 1, 1}, SERVE_OK},
    // integers of four bits (GPTQ, AWQ) on AMD
    {"llama-3.1-70b", "mi300x-192gb", "vllm", DTYPE_INT4, {1, 1, 1, 1}, SERVE_OK},
    {"llama-3.1-8b", "mi210-64gb", "vllm", DTYPE_INT4, {1, 1, 1, 1}, SERVE_OK},
    // experts that are cut below the blocks of the checkpoint, and ways around it
    {"minimax-m2.5", "h200-sxm5-141gb", "vllm", DTYPE_FP8, {8, 1, 1, 1}, SERVE_NO_BLOCKS},
    {"minimax-m2.5", "h200-sxm5-141gb", "vllm", DTYPE_FP8, {8, 1, 8, 1}, SERVE_OK},
    {"minimax-m2.5", "h200-sxm5-141gb", "vllm", DTYPE_FP8, {4, 1, 1, 1}, SERVE_OK},
    {"minimax-m2.5", "mi300x-192gb", "sglang", DTYPE_FP8, {8, 1, 1, 1}, SERVE_NO_BLOCKS},
    {"qwen3-235b-a22b", "mi300x-192gb", "vllm", DTYPE_FP8, {8, 1, 1, 1}, SERVE_NO_BLOCKS},
    {"qwen3-30b-a3b", "h100-sxm5-80gb", "vllm", DTYPE_FP8, {4, 1, 1, 1}, SERVE_NO_BLOCKS},
    {"qwen3-30b-a3b", "h100-sxm5-80gb", "vllm", DTYPE_BF16, {4, 1, 1, 1}, SERVE_OK},
    {"deepseek-r1", "h200-sxm5-141gb", "vllm", DTYPE_FP8, {8, 1, 1, 1}, SERVE_OK},
    {"deepseek-r1", "h200-sxm5-141gb", "vllm", DTYPE_FP8, {32, 1, 1, 1}, SERVE_NO_BLOCKS},
    // engines that there are not
    {"llama-3.1-70b", "mi300x-192gb", "tensorrt-llm", DTYPE_FP8, {1, 1, 1, 1}, SERVE_NO_ENGINE},
    {"llama-3.1-8b", "mi210-64gb", "sglang", DTYPE_BF16, {1, 1, 1, 1}, SERVE_NO_ENGINE},
};

static void test_what_runs_and_what_does_not(void) {
    World w;
    open_world(&w);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const Case *c = &cases[i];
        ServingWant want = {.engine = c->engine,
                            .layout = c->layout,
                            .weights = c->weights,
                            .kv = DTYPE_BF16,
                            .isl = 1024,
                            .osl = 512};
        for (size_t k = 0; k < w.facts.n_gpus; k++) {
            if (strcmp(w.facts.gpus[k].sku_id, c->gpu) == 0) want.gpu = &w.facts.gpus[k];
        }
        for (size_t k = 0; k < w.facts.n_models; k++) {
            if (strcmp(w.facts.models[k].model_id, c->model) == 0) want.model = &w.facts.models[k];
        }
        Serving s;
        ServeStatus status = serving_resolve(&w.facts, &want, &s);
        if (status != c->status)
            FAIL_("%s in %s on %s, TP%d, under %s: %s, not %s", c->model, dtype_names[c->weights], c->gpu,
                  c->layout.tp, c->engine, serve_status_names[status], serve_status_names[c->status]);
        const char *why = serving_why(&w.facts, &want, status, &w.arena);
        CHECK(status == SERVE_OK || why[0] != '\0');
    }
    close_world(&w);
}

static const TestCase tests[] = {TEST(what_runs_and_what_does_not)};
TEST_MAIN(tests)
