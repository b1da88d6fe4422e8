// Public runs of agents at work, and KV capacities that engines reported. Level 0; the conventions of facts.h
// hold.
#ifndef GPUADVISE_FACTS_AGENTIC_H
#define GPUADVISE_FACTS_AGENTIC_H

#include "src/facts/columns.h"
#include "src/facts/words.h"

// clang-format off
// One run: so many sessions of recorded coding agents against one replica, each sending its next request when
// it has the answer and has thought (data/agentic_runs.tsv).
#define AGENTIC_RUN_FIELDS(X) \
    X(AgenticRun, TEXT, KEY, run) \
    X(AgenticRun, TEXT, MUST, gpu_sku) \
    X(AgenticRun, NUM, MUST, gpu_count, 1, 1024) \
    X(AgenticRun, TEXT, MUST, model) \
    /* kv DTYPE_UNKNOWN: not stated */ \
    X(AgenticRun, NAME, MUST, precision_weights, Dtype, dtype_names) \
    X(AgenticRun, NAME, MAY, precision_kv, Dtype, dtype_names) \
    X(AgenticRun, TEXT, MUST, engine) \
    X(AgenticRun, TEXT, MAY, engine_version) \
    X(AgenticRun, NUM, MUST, tp, 1, 1024) \
    X(AgenticRun, NUM, MUST, ep, 1, 1024) \
    /* that the engine was told to take; NaN: not recorded */ \
    X(AgenticRun, NUM, MAY, memory_fraction, 0.1, 1) \
    /* none, lmcache, hicache: where misses may come from besides */ \
    X(AgenticRun, TEXT, MUST, offload) \
    /* of host memory for that; NaN: not recorded */ \
    X(AgenticRun, NUM, MAY, host_gb, 0.001, 1e6) \
    X(AgenticRun, NUM, MUST, sessions, 1, 1e6)                      /* at once */ \
    /* of recorded sessions; "": not recorded */ \
    X(AgenticRun, TEXT, MAY, dataset) \
    X(AgenticRun, NUM, MAY, requests, 0, 1e9) \
    X(AgenticRun, NUM, MAY, duration_s, 0, 1e9) \
    X(AgenticRun, NUM, MAY, input_tokens, 1, 1e9)                   /* means of a request */ \
    X(AgenticRun, NUM, MAY, output_tokens, 1, 1e9) \
    /* of input tokens, that an endless cache would hold */ \
    X(AgenticRun, NUM, MAY, hit_rate_max, 0, 1) \
    /* of input tokens, by the engine's counters of tokens; NaN: not recorded */ \
    X(AgenticRun, NUM, MAY, hit_device, 0, 1) \
    X(AgenticRun, NUM, MAY, hit_host, 0, 1) \
    X(AgenticRun, NUM, MAY, kv_tokens, 1, 1e12)                     /* capacity that the engine printed */ \
    X(AgenticRun, NUM, MAY, running, 0, 1e6)                        /* means over the run */ \
    X(AgenticRun, NUM, MAY, waiting, 0, 1e6) \
    X(AgenticRun, NUM, MAY, ttft_s, 1e-6, 1e6)                      /* means of completed requests */ \
    X(AgenticRun, NUM, MAY, tpot_s, 1e-9, 1e6) \
    X(AgenticRun, NUM, MAY, e2e_s, 1e-6, 1e6) \
    /* input and output tokens of completed requests over the run's time */ \
    X(AgenticRun, NUM, MAY, total_tokens_per_s, 1e-9, 1e12) \
    /* what is wrong or assumed about the run, "; " between; "": nothing */ \
    X(AgenticRun, TEXT, MAY, flag) \
    ORIGIN(X, AgenticRun)
typedef struct AgenticRun {AGENTIC_RUN_FIELDS(MEMBER)} AgenticRun;

// KV capacity that an engine printed when it started (data/kv_capacities.tsv).
#define KV_SETTING_FIELDS(X) \
    X(KvSetting, TEXT, KEY, gpu_sku) \
    X(KvSetting, TEXT, KEY, model) \
    X(KvSetting, NUM, KEY, tp, 1, 1024) \
    X(KvSetting, TEXT, KEY, engine) \
    X(KvSetting, TEXT, KEY_MAY, engine_version) \
    X(KvSetting, NUM, MUST, memory_fraction, 0.1, 1) \
    X(KvSetting, NAME, KEY, precision_weights, Dtype, dtype_names) \
    X(KvSetting, NAME, MAY, precision_kv, Dtype, dtype_names) \
    X(KvSetting, TEXT, KEY, offload) \
    X(KvSetting, NUM, MUST, kv_tokens_low, 1, 1e12)               /* over all starts */ \
    X(KvSetting, NUM, MUST, kv_tokens_high, 1, 1e12) \
    X(KvSetting, NUM, MUST, starts, 1, 1e6) \
    X(KvSetting, TEXT, MAY, note) \
    X(KvSetting, TEXT, KEY, source) \
    X(KvSetting, DATE, MAY, as_of)
typedef struct KvSetting {KV_SETTING_FIELDS(MEMBER)} KvSetting;
// clang-format on

#endif
