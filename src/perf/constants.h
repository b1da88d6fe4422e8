// The constants that src looks up: name in data/constants.tsv and the values that make sense. The file holds exactly these.
#ifndef GPUADVISE_PERF_CONSTANTS_H
#define GPUADVISE_PERF_CONSTANTS_H

#include "src/facts/facts.h"

// X(ID, name, least, most), in the order of the names, which is the order of the file
#define CONSTANT_LIST(X)                                                                                     \
    X(CACHE_USE, "cache_use", 0.3, 1)                                                                        \
    X(CLAIM_DRAFT_GAIN_MOST, "claim_draft_gain_most", 1, 100)                                                \
    X(CLAIM_MEASURED_MOST, "claim_measured_most", 1, 100)                                                    \
    X(CLAIM_SHARE_BATCH, "claim_share_batch", 0.01, 1)                                                       \
    X(CLAIM_SHARE_DENSE_16, "claim_share_dense_16", 0.01, 1)                                                 \
    X(CLAIM_SHARE_DENSE_4, "claim_share_dense_4", 0.01, 1)                                                   \
    X(CLAIM_SHARE_DENSE_8, "claim_share_dense_8", 0.01, 1)                                                   \
    X(CLAIM_SHARE_IMAGES, "claim_share_images", 0.01, 1)                                                     \
    X(CLAIM_SHARE_MOE_4, "claim_share_moe_4", 0.01, 1)                                                       \
    X(CLAIM_SHARE_MOE_8, "claim_share_moe_8", 0.01, 1)                                                       \
    X(CLAIM_SHARE_ONE, "claim_share_one", 0.01, 1)                                                           \
    X(CLAIM_SHARE_TRAINING_16, "claim_share_training_16", 0.01, 1)                                           \
    X(CLAIM_SHARE_TRAINING_8, "claim_share_training_8", 0.01, 1)                                             \
    X(DEQUANT_INSTRUCTIONS, "dequant_instructions", 0, 16)                                                   \
    X(DRAFT_ACCEPTANCE, "draft_acceptance", 0.01, 0.99)                                                      \
    X(DRAFT_TOKENS_USUAL, "draft_tokens_usual", 1, 64)                                                       \
    X(EMBED_BATCH_TOKENS, "embed_batch_tokens", 1, 1e7)                                                      \
    X(GGUF_MXFP4_BITS, "gguf_mxfp4_bits", 4, 8)                                                              \
    X(HEALTHY_BANDWIDTH_AMD, "healthy_bandwidth_amd", 0.3, 1)                                                \
    X(HEALTHY_BANDWIDTH_NVIDIA, "healthy_bandwidth_nvidia", 0.3, 1)                                          \
    X(HEALTHY_GEMM_AMD, "healthy_gemm_amd", 0.2, 1)                                                          \
    X(HEALTHY_GEMM_NVIDIA, "healthy_gemm_nvidia", 0.2, 1)                                                    \
    X(HOST_GB_PER_GPU, "host_gb_per_gpu", 1, 100000)                                                         \
    X(HOST_LINK_GB_S, "host_link_gb_s", 1, 10000)                                                            \
    X(HPC_STEP_US, "hpc_step_us", 0, 1e4)                                                                    \
    X(IMAGES_WORKSPACE_GB, "images_workspace_gb", 0, 100)                                                    \
    X(KERNEL_SHARE, "kernel_share", 0, 1)                                                                    \
    X(KERNEL_SHARE_YEARS, "kernel_share_years", 0.1, 100)                                                    \
    X(KV_DOUBT_SHARE, "kv_doubt_share", 0, 0.2)                                                              \
    X(LENGTH_CV, "length_cv", 0, 3)                                                                          \
    X(LIST_DOUBT_YEAR, "list_doubt_year", 0, 1)                                                              \
    X(LORA_BYTES_PER_PARAM, "lora_bytes_per_param", 0.1, 100)                                                \
    X(MEMORY_FRACTION_MOST, "memory_fraction_most", 0.5, 1)                                                  \
    X(NETWORK_GB_S, "network_gb_s", 1, 1000)                                                                 \
    X(ONE_HOST_SUREST, "one_host_surest", 0.5, 1)                                                            \
    X(OWN_WRONG_FACTOR, "own_wrong_factor", 1, 100)                                                          \
    X(OWNED_GPUS_TIMES_MOST, "owned_gpus_times_most", 1, 1e6)                                                \
    X(POWER_DOUBT, "power_doubt", 0, 2)                                                                      \
    X(POWER_IDLE_SHARE, "power_idle_share", 0, 0.9)                                                          \
    X(PP_BUBBLE, "pp_bubble", 0, 1)                                                                          \
    X(PRICE_AGE_WARN_DAYS, "price_age_warn_days", 0, 3650)                                                   \
    X(PROMPT_HOLD_SHARE, "prompt_hold_share", 0, 1)                                                          \
    X(RATE_OVERHEAD_MS, "rate_overhead_ms", 0, 1000)                                                         \
    X(RUN_WAVES, "run_waves", 1, 1000)                                                                       \
    X(SEQUENCES_FEW, "sequences_few", 1, 1024)                                                               \
    X(SESSION_ALONE_RATIO, "session_alone_ratio", 0.1, 20)                                                   \
    X(SESSION_HOST_US_TOKEN, "session_host_us_token", 0, 1000)                                               \
    X(SESSION_OFFLOAD_RATIO, "session_offload_ratio", 0.1, 10)                                               \
    X(SESSION_PREFILL_RATIO, "session_prefill_ratio", 0.1, 20)                                               \
    X(SESSION_RUNNING_SHARE, "session_running_share", 0.1, 1)                                                \
    X(SESSION_STEP_RATIO, "session_step_ratio", 0.1, 20)                                                     \
    X(SHARE_ENGINE, "share_engine", 0, 1)                                                                    \
    X(SHARE_GPU, "share_gpu", 0, 1)                                                                          \
    X(SHARE_HAND, "share_hand", 0, 0.9)                                                                      \
    X(SHARE_MODEL, "share_model", 0, 1)                                                                      \
    X(SIGMA_ACCEPTANCE, "sigma_acceptance", 0, 2)                                                            \
    X(SIGMA_BURST, "sigma_burst", 0, 2)                                                                      \
    X(SIGMA_DRAFTS, "sigma_drafts", 0, 2)                                                                    \
    X(SIGMA_HOST, "sigma_host", 0, 2)                                                                        \
    X(SIGMA_MARKET_YEAR, "sigma_market_year", 0, 1)                                                          \
    X(SIGMA_NETWORK, "sigma_network", 0, 2)                                                                  \
    X(SIGMA_OWN, "sigma_own", 0.02, 2)                                                                       \
    X(SIGMA_PIPELINE, "sigma_pipeline", 0, 2)                                                                \
    X(SIGMA_PREFIX, "sigma_prefix", 0, 2)                                                                    \
    X(SIGMA_PUBLISHED, "sigma_published", 0.02, 2)                                                           \
    X(SIGMA_SESSIONS, "sigma_sessions", 0, 2)                                                                \
    X(SIGMA_SPLIT, "sigma_split", 0, 2)                                                                      \
    X(SIGMA_SPREAD, "sigma_spread", 0, 2)                                                                    \
    X(SIGMA_TAIL, "sigma_tail", 0, 2)                                                                        \
    X(SIGMA_TTFT, "sigma_ttft", 0, 2)                                                                        \
    X(SIGMA_UNSEEN_ENGINE, "sigma_unseen_engine", 0, 2)                                                      \
    X(SIGMA_UNSEEN_GPU, "sigma_unseen_gpu", 0, 2)                                                            \
    X(SIGMA_UNSEEN_GROUP, "sigma_unseen_group", 0, 2)                                                        \
    X(SPLIT_STEP_RATIO, "split_step_ratio", 1, 5)                                                            \
    X(TPOT_P99_RATIO, "tpot_p99_ratio", 1, 10)                                                               \
    X(TRAIN_ACTIVATION_FACTOR, "train_activation_factor", 0, 100)                                            \
    X(TRAIN_BYTES_PER_PARAM, "train_bytes_per_param", 1, 100)                                                \
    X(TRAIN_MEMORY_FRACTION, "train_memory_fraction", 0.01, 1)                                               \
    X(TTFT_ALONE_SHARE, "ttft_alone_share", 0.1, 2)                                                          \
    X(TTFT_P99_RATIO, "ttft_p99_ratio", 1, 100)                                                              \
    X(UTILISATION_MAX, "utilisation_max", 0.01, 1)                                                           \
    X(WAYS_DOUBT, "ways_doubt", 0, 2)                                                                        \
    X(WORKING_DAYS_MONTH, "working_days_month", 15, 31)                                                      \
    X(WORKSPACE_GB_LEAST, "workspace_gb_least", 0, 100)                                                      \
    X(WORKSPACE_GB_PER_GPU, "workspace_gb_per_gpu", 0, 100)                                                  \
    X(WORKSPACE_SHARE, "workspace_share", 0, 0.2)

typedef enum ConstantId {
#define ID(id, name, least, most) CONSTANT_##id,
    CONSTANT_LIST(ID)
#undef ID
        CONSTANT_COUNT
} ConstantId;

typedef struct ConstantSpec {
    const char *name;
    double min, max;
} ConstantSpec;
extern const ConstantSpec constant_specs[CONSTANT_COUNT];

// NaN when the table lacks it.
double constant_of(const Facts *facts, ConstantId id);

#endif
