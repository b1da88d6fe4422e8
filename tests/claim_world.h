// A claim on its way to an answer, for tests of src/advise/check: 70B on one H100 or one MI300X.
#ifndef GPUADVISE_TESTS_CLAIM_WORLD_H
#define GPUADVISE_TESTS_CLAIM_WORLD_H

#include <string.h>

#include "src/advise/check.h"
#include "tests/check.h"
#include "tests/fixture.h"

// A run of MI300X under vLLM, FP8, 64 in flight, 1,000 tokens in and out, TP over all its GPUs, at 1,000 tokens/s.
#define CLAIM_ROW(name, gpus)                                                                                \
    {                                                                                                        \
        .id = "r", .gpu_sku = "mi300x", .gpu_count = gpus, .model = name, .precision_weights = "fp8",        \
        .precision_kv = "", .weight_bits = UNKNOWN, .engine = "vllm", .engine_version = "",                  \
        .scenario = "fixed-concurrency", .task = "serving", .grade = "A", .run_class = "independent",        \
        .input_tokens = 1000, .output_tokens = 1000, .batch_or_concurrency = 64, .rate_rps = UNKNOWN,        \
        .tp = gpus, .pp = UNKNOWN, .ep = UNKNOWN, .dp = UNKNOWN, .layout = "", .draft_tokens = "",           \
        .output_tokens_per_s = 1000, .tokens_per_s_total = UNKNOWN, .tokens_kind = "", .ttft_ms = UNKNOWN,   \
        .latency_statistic = "", .submitter = "", .date = "2026-01", .source = "lab", .as_of = "2026-01"     \
    }

typedef struct World {
    Gpu gpus[2];
    Model model;
    Facts facts;
    Arena arena;
    PublicClaim claim;
    ClaimAnswer answer;
} World;

// 70B on one MI300X (1), or H100 (0): 19,500 tokens/s.
static inline void make(World *w) {
    *w = (World){0};
    w->gpus[0] = gpu_like("h100", VENDOR_NVIDIA, "hopper", 80, 3350, 989, 1979);
    w->gpus[1] = gpu_like("mi300x", VENDOR_AMD, "cdna3", 192, 5300, 1307, 2615);
    w->model = llama_70b();
    w->facts = fixture_facts(w->gpus, 2);
    w->claim = claim_blank();
    w->claim.tokens_per_s = 19500;
}

static inline ClaimVerdict judged(World *w, int gpu) {
    Err e = {0};
    ClaimAsk ask = {.row = &w->claim, .gpu = &w->gpus[gpu], .model = &w->model};
    if (!claim_check(&w->facts, &ask, &w->arena, &w->answer, &e)) FAIL_("%s", e.text);
    return w->answer.verdict;
}

static inline bool has_condition(const World *w, const char *words) {
    size_t i = 0;
    while (i < w->answer.n_conditions && strstr(w->answer.conditions[i], words) == NULL) i++;
    return i < w->answer.n_conditions;
}

#endif
