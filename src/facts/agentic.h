// Public runs of agents at work, and KV capacities that engines reported. Level 0; the conventions of facts.h
// hold.
#ifndef GPUADVISE_FACTS_AGENTIC_H
#define GPUADVISE_FACTS_AGENTIC_H

// One run: so many sessions of recorded coding agents against one replica, each sending its next request when
// it has the answer and has thought (data/agentic_runs.tsv).
typedef struct AgenticRun {
    const char *run;
    const char *gpu_sku;
    double gpu_count;
    const char *model;
    int precision_weights, precision_kv;  // Dtype; kv DTYPE_UNKNOWN: not stated
    const char *engine, *engine_version;
    double tp, ep;
    double memory_fraction;  // that the engine was told to take; NaN: not recorded
    const char *offload;     // none, lmcache, hicache: where misses may come from besides
    double host_gb;          // of host memory for that; NaN: not recorded
    double sessions;         // at once
    const char *dataset;     // of recorded sessions; "": not recorded
    double requests, duration_s;
    double input_tokens, output_tokens;  // means of a request
    double hit_rate_max;                 // of input tokens, that an endless cache would hold
    double hit_device, hit_host;   // of input tokens, by the engine's counters of tokens; NaN: not recorded
    double kv_tokens;              // capacity that the engine printed
    double running, waiting;       // means over the run
    double ttft_s, tpot_s, e2e_s;  // means of completed requests
    double total_tokens_per_s;     // input and output tokens of completed requests over the run's time
    const char *flag;              // what is wrong or assumed about the run, "; " between; "": nothing
    const char *source, *as_of;
} AgenticRun;

// KV capacity that an engine printed when it started (data/kv_capacities.tsv).
typedef struct KvSetting {
    const char *gpu_sku, *model;
    double tp;
    const char *engine, *engine_version;
    double memory_fraction;
    int precision_weights, precision_kv;  // Dtype
    const char *offload;
    double kv_tokens_low, kv_tokens_high;  // over all starts
    double starts;
    const char *note;
    const char *source, *as_of;
} KvSetting;

#endif
