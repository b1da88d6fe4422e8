// The words of other tools: vLLM and SGLang's servers and load generators, TensorRT-LLM, clouds' command
// lines, and guesses that people make. A word may stand for several options: the first that the command takes
// is meant.
#include "cli/words.h"

#include <string.h>

static const struct {
    OptionId option;
    const char *words;
} option_words[] = {
    // load
    {OPT_CONCURRENCY,
     "users user clients max-concurrency parallel num-prompts num-concurrent-requests max-num-seqs "
     "max-batch-size max-running-requests batch in-flight inflight requests streams"},
    {OPT_BATCH, "batch-size concurrency users"},
    {OPT_CONCURRENCY, "batch-size"},
    {OPT_RATE, "qps rps request-rate requests-per-second"},
    // lengths
    {OPT_ISL,
     "random-input-len input-len input-length input-tokens prompt-len prompt-tokens "
     "synthetic-input-tokens-mean context max-model-len context-length ctx-size prompt tokens-in input"},
    {OPT_OSL, "tokens-out completion completion-tokens random-output-len output-len output-length "
              "output-tokens max-tokens max-new-tokens n-predict"},
    // layout
    {OPT_TP, "tensor-parallel-size tensor-parallel tp-size"},
    {OPT_PP, "pipeline-parallel-size pp-size"},
    {OPT_EP, "enable-expert-parallel expert-parallel-size ep-size"},
    {OPT_DP, "data-parallel-size dp-size replicas"},
    {OPT_GPUS, "num-gpus gpu-count ngpus count num-gpu"},
    {OPT_DRAFT_TOKENS, "num-speculative-tokens speculative mtp"},
    // model and numbers
    {OPT_WEIGHTS, "dtype quantization precision quant"},
    {OPT_KV, "kv-cache-dtype cache-type-k"},
    {OPT_MODEL, "model-path hf-repo served-model-name"},
    {OPT_ENGINE, "backend framework server runtime"},
    {OPT_GPU, "gpu-type gpu-name accelerator sku device"},
    {OPT_DEVICE, "gpu"},
    // limits
    {OPT_TPOT, "itl inter-token-latency time-per-output-token slo-tpot latency slo sla"},
    {OPT_TTFT, "time-to-first-token slo-ttft"},
    {OPT_POWER_CAP, "power-limit tdp"},
    {OPT_SITE_KW, "site-power power-budget"},
    // offers and money
    {OPT_VENDOR, "amd nvidia"},
    {OPT_EXCLUDE_PROVIDER, "no-provider not-provider without-provider except-provider"},
    {OPT_EXCLUDE_GPU, "no-gpu not-gpu without-gpu except-gpu"},
    {OPT_GPU_PRICE, "quote gpu-cost capex"},
    {OPT_AMORTISE, "amortization amortisation depreciation"},
    {OPT_CAPITAL_RATE, "interest wacc"},
    {OPT_HORIZON, "payback months"},
    {OPT_API_OUTPUT, "api api-price api-cost"},
    {OPT_PROVIDER, "cloud infra seller"},
    {OPT_REGION, "regions zone location datacenter country"},
    {OPT_COUNTRY, "countries region"},
    {OPT_SPOT, "use-spot preemptible interruptible"},
    {OPT_RESERVED, "commitment"},
    {OPT_MAX_PRICE, "budget max-cost"},
    {OPT_DUTY_CYCLE, "usage utilization"},
    {OPT_POWER_PRICE, "electricity"},
    {OPT_ONPREM, "on-prem buy own"},
    // answers
    {OPT_TOP, "limit"},
    {OPT_OUTPUT, "out out-file output-file"},
    {OPT_FORMAT, "output-format csv html markdown"},
    {OPT_COLOR, "no-color"},
    {OPT_VERBOSE, "debug"},
    {OPT_QUIET, "silent"},
    {OPT_SOURCE, "code repo path"},
};

const OptionSpec *word_option(const Command *c, const char *name) {
    for (size_t i = 0; i < COUNT_OF(option_words); i++) {
        const OptionSpec *o = &option_table[option_words[i].option];
        if (word_same_in(option_words[i].words, name) &&
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
    const char *words, *instead;
} command_words[] = {
    {"compare", "`gpuadvise report` puts the best GPUs of both vendors side by side; `gpuadvise bench "
                "compare A B` compares two runs"},
    {"advise advice recommend run", "`gpuadvise report` gives the advice"},
    {"cost", "`gpuadvise report` counts the cost of a workload, `gpuadvise prices list` lists offers"},
    {"price pricing offers", "`gpuadvise prices list` lists offers"},
    {"providers clouds", "`gpuadvise prices list --group-by provider` lists them"},
    {"gpu", "`gpuadvise gpus` lists them"},
    {"model", "`gpuadvise models` lists them"},
    {"list ls", "`gpuadvise gpus`, `models` and `workloads` list what the catalog has"},
    {"benchmark measure", "`gpuadvise bench` measures this machine"},
    {"predict simulate", "`gpuadvise estimate` computes one configuration"},
    {"scan port", "`gpuadvise migrate scan PATH` reads a code base"},
    {"hipify",
     "`gpuadvise migrate scan PATH` reads a code base, `gpuadvise migrate api NAME` looks one name up"},
    {"support compatibility", "`gpuadvise compat SUBJECT` says what runs where"},
    {"claim", "`gpuadvise check` judges a claim"},
    {"verify", "`gpuadvise check` judges a claim, `gpuadvise bench verify` a machine"},
    {"update refresh", "`gpuadvise prices refresh` asks the providers"},
    {"import", "`gpuadvise prices import FILE` takes in a price list"},
    {"diff", "`gpuadvise report diff A.json B.json` or `gpuadvise prices diff`"},
    {"ui", "`gpuadvise tui` is the screen"},
};

const char *word_command(const char *name) {
    for (size_t i = 0; i < COUNT_OF(command_words); i++) {
        if (word_same_in(command_words[i].words, name)) return command_words[i].instead;
    }
    return NULL;
}
