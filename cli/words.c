// The words of other tools: vLLM and SGLang's servers and load generators, TensorRT-LLM, clouds' command
// lines, and guesses that people make. A word may stand for several options: the first that the command takes
// is meant.
#include "cli/words.h"

#include <string.h>

static const struct {
    const char *word;
    OptionId option;
} option_words[] = {
    // load
    {"users", OPT_CONCURRENCY},
    {"user", OPT_CONCURRENCY},
    {"clients", OPT_CONCURRENCY},
    {"max-concurrency", OPT_CONCURRENCY},
    {"parallel", OPT_CONCURRENCY},
    {"num-prompts", OPT_CONCURRENCY},
    {"num-concurrent-requests", OPT_CONCURRENCY},
    {"max-num-seqs", OPT_CONCURRENCY},
    {"max-batch-size", OPT_CONCURRENCY},
    {"max-running-requests", OPT_CONCURRENCY},
    {"batch-size", OPT_BATCH},
    {"batch-size", OPT_CONCURRENCY},
    {"batch", OPT_CONCURRENCY},
    {"concurrency", OPT_BATCH},
    {"users", OPT_BATCH},
    {"in-flight", OPT_CONCURRENCY},
    {"inflight", OPT_CONCURRENCY},
    {"requests", OPT_CONCURRENCY},
    {"streams", OPT_CONCURRENCY},
    {"qps", OPT_RATE},
    {"rps", OPT_RATE},
    {"request-rate", OPT_RATE},
    {"requests-per-second", OPT_RATE},
    // lengths
    {"random-input-len", OPT_ISL},
    {"input-len", OPT_ISL},
    {"input-length", OPT_ISL},
    {"input-tokens", OPT_ISL},
    {"prompt-len", OPT_ISL},
    {"prompt-tokens", OPT_ISL},
    {"synthetic-input-tokens-mean", OPT_ISL},
    {"context", OPT_ISL},
    {"max-model-len", OPT_ISL},
    {"context-length", OPT_ISL},
    {"ctx-size", OPT_ISL},
    {"prompt", OPT_ISL},
    {"tokens-in", OPT_ISL},
    {"input", OPT_ISL},
    {"tokens-out", OPT_OSL},
    {"completion", OPT_OSL},
    {"completion-tokens", OPT_OSL},
    {"random-output-len", OPT_OSL},
    {"output-len", OPT_OSL},
    {"output-length", OPT_OSL},
    {"output-tokens", OPT_OSL},
    {"max-tokens", OPT_OSL},
    {"max-new-tokens", OPT_OSL},
    {"n-predict", OPT_OSL},
    // layout
    {"tensor-parallel-size", OPT_TP},
    {"tensor-parallel", OPT_TP},
    {"tp-size", OPT_TP},
    {"pipeline-parallel-size", OPT_PP},
    {"pp-size", OPT_PP},
    {"enable-expert-parallel", OPT_EP},
    {"expert-parallel-size", OPT_EP},
    {"ep-size", OPT_EP},
    {"data-parallel-size", OPT_DP},
    {"dp-size", OPT_DP},
    {"replicas", OPT_DP},
    {"num-gpus", OPT_GPUS},
    {"gpu-count", OPT_GPUS},
    {"ngpus", OPT_GPUS},
    {"count", OPT_GPUS},
    {"num-gpu", OPT_GPUS},
    {"num-speculative-tokens", OPT_DRAFT_TOKENS},
    {"speculative", OPT_DRAFT_TOKENS},
    {"mtp", OPT_DRAFT_TOKENS},
    // model and numbers
    {"dtype", OPT_WEIGHTS},
    {"quantization", OPT_WEIGHTS},
    {"precision", OPT_WEIGHTS},
    {"quant", OPT_WEIGHTS},
    {"kv-cache-dtype", OPT_KV},
    {"cache-type-k", OPT_KV},
    {"model-path", OPT_MODEL},
    {"hf-repo", OPT_MODEL},
    {"served-model-name", OPT_MODEL},
    {"backend", OPT_ENGINE},
    {"framework", OPT_ENGINE},
    {"server", OPT_ENGINE},
    {"runtime", OPT_ENGINE},
    {"gpu-type", OPT_GPU},
    {"gpu-name", OPT_GPU},
    {"accelerator", OPT_GPU},
    {"sku", OPT_GPU},
    {"gpu", OPT_DEVICE},
    {"device", OPT_GPU},
    // limits
    {"itl", OPT_TPOT},
    {"inter-token-latency", OPT_TPOT},
    {"time-per-output-token", OPT_TPOT},
    {"slo-tpot", OPT_TPOT},
    {"latency", OPT_TPOT},
    {"slo", OPT_TPOT},
    {"sla", OPT_TPOT},
    {"time-to-first-token", OPT_TTFT},
    {"slo-ttft", OPT_TTFT},
    {"power-limit", OPT_POWER_CAP},
    {"tdp", OPT_POWER_CAP},
    {"site-power", OPT_SITE_KW},
    {"power-budget", OPT_SITE_KW},
    // offers and money
    {"amd", OPT_VENDOR},
    {"nvidia", OPT_VENDOR},
    {"no-provider", OPT_EXCLUDE_PROVIDER},
    {"not-provider", OPT_EXCLUDE_PROVIDER},
    {"without-provider", OPT_EXCLUDE_PROVIDER},
    {"except-provider", OPT_EXCLUDE_PROVIDER},
    {"no-gpu", OPT_EXCLUDE_GPU},
    {"not-gpu", OPT_EXCLUDE_GPU},
    {"without-gpu", OPT_EXCLUDE_GPU},
    {"except-gpu", OPT_EXCLUDE_GPU},
    {"quote", OPT_GPU_PRICE},
    {"gpu-cost", OPT_GPU_PRICE},
    {"capex", OPT_GPU_PRICE},
    {"amortization", OPT_AMORTISE},
    {"amortisation", OPT_AMORTISE},
    {"depreciation", OPT_AMORTISE},
    {"interest", OPT_CAPITAL_RATE},
    {"wacc", OPT_CAPITAL_RATE},
    {"payback", OPT_HORIZON},
    {"api", OPT_API_OUTPUT},
    {"api-price", OPT_API_OUTPUT},
    {"api-cost", OPT_API_OUTPUT},
    {"cloud", OPT_PROVIDER},
    {"infra", OPT_PROVIDER},
    {"seller", OPT_PROVIDER},
    {"regions", OPT_REGION},
    {"zone", OPT_REGION},
    {"location", OPT_REGION},
    {"datacenter", OPT_REGION},
    {"countries", OPT_COUNTRY},
    {"region", OPT_COUNTRY},
    {"country", OPT_REGION},
    {"use-spot", OPT_SPOT},
    {"preemptible", OPT_SPOT},
    {"interruptible", OPT_SPOT},
    {"commitment", OPT_RESERVED},
    {"budget", OPT_MAX_PRICE},
    {"max-cost", OPT_MAX_PRICE},
    {"usage", OPT_DUTY_CYCLE},
    {"utilization", OPT_DUTY_CYCLE},
    {"electricity", OPT_POWER_PRICE},
    {"on-prem", OPT_ONPREM},
    {"buy", OPT_ONPREM},
    {"own", OPT_ONPREM},
    {"months", OPT_HORIZON},
    // answers
    {"limit", OPT_TOP},
    {"out", OPT_OUTPUT},
    {"out-file", OPT_OUTPUT},
    {"output-file", OPT_OUTPUT},
    {"output-format", OPT_FORMAT},
    {"csv", OPT_FORMAT},
    {"html", OPT_FORMAT},
    {"markdown", OPT_FORMAT},
    {"no-color", OPT_COLOR},
    {"debug", OPT_VERBOSE},
    {"silent", OPT_QUIET},
    {"code", OPT_SOURCE},
    {"repo", OPT_SOURCE},
    {"path", OPT_SOURCE},
};

const OptionSpec *word_option(const Command *c, const char *name) {
    for (size_t i = 0; i < COUNT_OF(option_words); i++) {
        const OptionSpec *o = &option_table[option_words[i].option];
        if (text_same(option_words[i].word, name) &&
            (c == NULL || o->global || command_takes(c, option_words[i].option)))
            return o;
    }
    return NULL;
}

static const OptionSpec *option_or_word(const Command *c, const char *name) {
    OptionId id;
    if (!option_by_name(name, strlen(name), &id)) return word_option(c, name);
    return c == NULL || option_table[id].global || command_takes(c, id) ? &option_table[id]
                                                                        : word_option(c, name);
}

const OptionSpec *word_inside(const Command *c, const char *name) {
    enum { PART_MIN = 3, PART_BYTES = 48 };
    const OptionSpec *found = NULL;
    size_t longest = PART_MIN;
    for (const char *from = name; from != NULL;
         from = strchr(from, '-'), from = from != NULL ? from + 1 : NULL) {
        for (size_t n = strcspn(from, "-"); n < PART_BYTES; n += 1 + strcspn(from + n + 1, "-")) {
            char part[PART_BYTES] = {0};
            memcpy(part, from, n);
            if (n >= longest && option_or_word(NULL, part) != NULL) {
                found = option_or_word(c, part);
                longest = n;
            }
            if (from[n] == '\0') break;
        }
    }
    return found;
}

static const struct {
    const char *word, *instead;
} command_words[] = {
    {"compare", "`gpuadvise report` puts the best GPUs of both vendors side by side; `gpuadvise bench "
                "compare A B` compares two runs"},
    {"advise", "`gpuadvise report` gives the advice"},
    {"advice", "`gpuadvise report` gives the advice"},
    {"recommend", "`gpuadvise report` gives the advice"},
    {"run", "`gpuadvise report` gives the advice"},
    {"cost", "`gpuadvise report` counts the cost of a workload, `gpuadvise prices list` lists offers"},
    {"price", "`gpuadvise prices list` lists offers"},
    {"pricing", "`gpuadvise prices list` lists offers"},
    {"offers", "`gpuadvise prices list` lists offers"},
    {"providers", "`gpuadvise prices list --group-by provider` lists them"},
    {"clouds", "`gpuadvise prices list --group-by provider` lists them"},
    {"gpu", "`gpuadvise gpus` lists them"},
    {"model", "`gpuadvise models` lists them"},
    {"list", "`gpuadvise gpus`, `models` and `workloads` list what the catalog has"},
    {"ls", "`gpuadvise gpus`, `models` and `workloads` list what the catalog has"},
    {"benchmark", "`gpuadvise bench` measures this machine"},
    {"measure", "`gpuadvise bench` measures this machine"},
    {"predict", "`gpuadvise estimate` computes one configuration"},
    {"simulate", "`gpuadvise estimate` computes one configuration"},
    {"scan", "`gpuadvise migrate scan PATH` reads a code base"},
    {"port", "`gpuadvise migrate scan PATH` reads a code base"},
    {"hipify",
     "`gpuadvise migrate scan PATH` reads a code base, `gpuadvise migrate api NAME` looks one name up"},
    {"support", "`gpuadvise compat SUBJECT` says what runs where"},
    {"compatibility", "`gpuadvise compat SUBJECT` says what runs where"},
    {"claim", "`gpuadvise check` judges a claim"},
    {"verify", "`gpuadvise check` judges a claim, `gpuadvise bench verify` a machine"},
    {"update", "`gpuadvise prices refresh` asks the providers"},
    {"refresh", "`gpuadvise prices refresh` asks the providers"},
    {"import", "`gpuadvise prices import FILE` takes in a price list"},
    {"diff", "`gpuadvise report diff A.json B.json` or `gpuadvise prices diff`"},
    {"ui", "`gpuadvise tui` is the screen"},
};

const char *word_command(const char *name) {
    for (size_t i = 0; i < COUNT_OF(command_words); i++) {
        if (text_same(command_words[i].word, name)) return command_words[i].instead;
    }
    return NULL;
}
