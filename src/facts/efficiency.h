// Efficiency as shifts that add up over properties. Part of facts.h, whose conventions hold.
#ifndef GPUADVISE_FACTS_EFFICIENCY_H
#define GPUADVISE_FACTS_EFFICIENCY_H

#include "src/facts/columns.h"

// The properties of a configuration that shift the efficiency of serving.
typedef enum Effect {
    EFFECT_ALL,
    EFFECT_VENDOR,
    EFFECT_LAYOUT,  // vendor and dense or moe
    EFFECT_ARCHITECTURE,
    EFFECT_ENGINE,
    EFFECT_CLASS,   // of weights: see factor_class in src/perf/perf.h
    EFFECT_NATIVE,  // architecture and class
    EFFECT_STACK,   // architecture, dense or moe, software before 2025 or not
    EFFECT_MODEL,
    EFFECT_RUN,        // run class: mlperf, vendor, independent
    EFFECT_TREND,      // vendor: for each half-year of software, MoE models only
    EFFECT_NEW_MODEL,  // vendor: fades within months of the model's release
    EFFECT_DISPATCH,   // engine, architecture and dense or moe: which kernels it calls there
    EFFECT_AGE,        // engine and vendor: for each year of software before the kernels' own
    EFFECT_PUBLISHER,  // this and the next in fits alone: who measured, and what of an engine there
    EFFECT_PUBLISHED_STACK,
    // shifts nothing: the range of a group, "amd|moe", "amd|moe|cdna3", "amd|moe|cdna3|vllm"
    EFFECT_SPREAD,
    EFFECT_COUNT
} Effect;
extern const char *const effect_names[];

// The factors of serving: see Factors in src/perf/effects.h.
typedef enum Factor {
    FACTOR_BW,
    FACTOR_KV,
    FACTOR_FL,
    FACTOR_PREFILL,
    FACTOR_TAU,
    FACTOR_TAU_TP,
    FACTOR_LINK,
    FACTOR_EXPERT,
    FACTOR_SEQ,
    FACTOR_LINK_SIZE,
    FACTOR_START,
    FACTOR_SCALE,  // from here on of sums of kernels
    FACTOR_PROMPT,
    FACTOR_STEP,
    FACTOR_KERNEL_SEQ,
    FACTOR_KERNEL_START,
    FACTOR_COUNT
} Factor;

// clang-format off
// What one property does (data/efficiency.tsv): shifts that add up over the properties of a configuration, on
// the scale where each factor is fitted: logit for shares of a peak, ln for times. See src/perf/effects.h.
#define EFFICIENCY_FIELDS(X) \
    X(Efficiency, NAME, KEY, effect, int, effect_names)  /* Effect */ \
    X(Efficiency, TEXT, KEY, level)                      /* its value: "amd", "cdna3|fp8" */ \
    X(Efficiency, ARRAY, MUST, shift, FACTOR_COUNT) \
    X(Efficiency, NUMAT, MUST, shift, FACTOR_BW, "bw", -20, 20) \
    X(Efficiency, NUMAT, MUST, shift, FACTOR_KV, "kv", -20, 20) \
    X(Efficiency, NUMAT, MUST, shift, FACTOR_FL, "fl", -20, 20) \
    X(Efficiency, NUMAT, MUST, shift, FACTOR_PREFILL, "prefill", -20, 20) \
    X(Efficiency, NUMAT, MUST, shift, FACTOR_TAU, "tau", -20, 20) \
    X(Efficiency, NUMAT, MUST, shift, FACTOR_TAU_TP, "tau_tp", -20, 20) \
    X(Efficiency, NUMAT, MUST, shift, FACTOR_LINK, "link", -20, 20) \
    X(Efficiency, NUMAT, MUST, shift, FACTOR_EXPERT, "expert", -20, 20) \
    X(Efficiency, NUMAT, MUST, shift, FACTOR_SEQ, "seq", -20, 20) \
    X(Efficiency, NUMAT, MUST, shift, FACTOR_LINK_SIZE, "link_size", -20, 20) \
    X(Efficiency, NUMAT, MUST, shift, FACTOR_START, "start", -20, 20) \
    X(Efficiency, NUMAT, MUST, shift, FACTOR_SCALE, "scale", -20, 20) \
    X(Efficiency, NUMAT, MUST, shift, FACTOR_PROMPT, "prompt", -20, 20) \
    X(Efficiency, NUMAT, MUST, shift, FACTOR_STEP, "step", -20, 20) \
    X(Efficiency, NUMAT, MUST, shift, FACTOR_KERNEL_SEQ, "kernel_seq", -20, 20) \
    X(Efficiency, NUMAT, MUST, shift, FACTOR_KERNEL_START, "kernel_start", -20, 20) \
    /* spread: standard deviation of ln(predicted / measured) of the group */ \
    X(Efficiency, NUM, MAY, sigma_log, 0.02, 2) \
    X(Efficiency, NUM, MUST, n, 0, 1e5)                  /* measured rows behind it */ \
    /* spread: sku_ids that those rows were measured on, separated by blanks */ \
    X(Efficiency, TEXT, MAY, gpus) \
    ORIGIN(X, Efficiency)
typedef struct Efficiency {EFFICIENCY_FIELDS(MEMBER)} Efficiency;
// clang-format on

// The properties of a task that shift its efficiency.
typedef enum TaskEffect {
    TASK_ALL,
    TASK_KIND,  // train, lora, images, ...: see TaskSubject in src/perf/task.h
    TASK_VENDOR,
    TASK_ARCHITECTURE,
    TASK_CLASS,     // of the compute dtype: 16, 8 or 4 bits, fp32, fp64; or quantised weights
    TASK_NATIVE,    // architecture and class
    TASK_FAMILY,    // family of kinds and architecture
    TASK_RUN,       // family and run class
    TASK_LAYOUT,    // moe
    TASK_SCENARIO,  // server, single-stream
    TASK_SPLIT,     // vendor: for each e-fold that sequences are fewer than GPUs
    TASK_SCALE,     // family: for each e-fold of GPUs
    TASK_SPREAD,    // shifts nothing: the range of a group, "train", "train|amd", "train|amd|cdna3"
    TASK_EFFECT_COUNT
} TaskEffect;
extern const char *const task_effect_names[];

// clang-format off
// What one property does to everything that is not token serving (data/task_efficiency.tsv).
#define TASK_EFFICIENCY_FIELDS(X) \
    X(TaskEfficiency, NAME, KEY, effect, int, task_effect_names)  /* TaskEffect */ \
    X(TaskEfficiency, TEXT, KEY, level)                           /* its value */ \
    X(TaskEfficiency, NUM, MUST, shift, -10, 10)                  /* of ln(share of peak) */ \
    /* spread: standard deviation of ln(predicted / measured) of the group */ \
    X(TaskEfficiency, NUM, MAY, sigma_log, 0.02, 2) \
    /* measured rows behind it; 0: an assumption */ \
    X(TaskEfficiency, NUM, MUST, n, 0, 1e5) \
    /* spread: sku_ids that those rows were measured on, separated by blanks */ \
    X(TaskEfficiency, TEXT, MAY, gpus) \
    ORIGIN(X, TaskEfficiency)
typedef struct TaskEfficiency {TASK_EFFICIENCY_FIELDS(MEMBER)} TaskEfficiency;
// clang-format on

#endif
