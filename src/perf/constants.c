// Which constants there are and what values make sense for them.
#include <math.h>
#include <string.h>

#include "src/perf/perf.h"

const ConstantSpec constant_specs[] = {
    {"cache_use", 0.3, 1},
    {"claim_draft_gain_most", 1, 100},
    {"claim_measured_most", 1, 100},
    {"claim_share_batch", 0.01, 1},
    {"claim_share_dense_16", 0.01, 1},
    {"claim_share_dense_4", 0.01, 1},
    {"claim_share_dense_8", 0.01, 1},
    {"claim_share_images", 0.01, 1},
    {"claim_share_moe_4", 0.01, 1},
    {"claim_share_moe_8", 0.01, 1},
    {"claim_share_one", 0.01, 1},
    {"claim_share_training_16", 0.01, 1},
    {"claim_share_training_8", 0.01, 1},
    {"draft_acceptance", 0.01, 0.99},
    {"draft_tokens_usual", 1, 64},
    {"gguf_mxfp4_bits", 4, 8},
    {"healthy_bandwidth_amd", 0.3, 1},
    {"healthy_bandwidth_nvidia", 0.3, 1},
    {"healthy_gemm_amd", 0.2, 1},
    {"healthy_gemm_nvidia", 0.2, 1},
    {"embed_batch_tokens", 1, 1e7},
    {"host_gb_per_gpu", 1, 100000},
    {"host_link_gb_s", 1, 10000},
    {"hpc_step_us", 0, 1e4},
    {"images_workspace_gb", 0, 100},
    {"kv_doubt_share", 0, 0.2},
    {"kernel_share", 0, 1},
    {"kernel_share_years", 0.1, 100},
    {"length_cv", 0, 3},
    {"list_doubt_year", 0, 1},
    {"lora_bytes_per_param", 0.1, 100},
    {"memory_fraction_most", 0.5, 1},
    {"network_gb_s", 1, 1000},
    {"one_host_surest", 0.5, 1},
    {"own_wrong_factor", 1, 100},
    {"owned_gpus_times_most", 1, 1e6},
    {"power_doubt", 0, 2},
    {"power_idle_share", 0, 0.9},
    {"pp_bubble", 0, 1},
    {"price_age_warn_days", 0, 3650},
    {"rate_overhead_ms", 0, 1000},
    {"run_waves", 1, 1000},
    {"sequences_few", 1, 1024},
    {"session_alone_ratio", 0.1, 20},
    {"session_host_us_token", 0, 1000},
    {"session_offload_ratio", 0.1, 10},
    {"session_prefill_ratio", 0.1, 20},
    {"session_running_share", 0.1, 1},
    {"session_step_ratio", 0.1, 20},
    {"share_engine", 0, 1},
    {"share_gpu", 0, 1},
    {"share_model", 0, 1},
    {"sigma_acceptance", 0, 2},
    {"sigma_drafts", 0, 2},
    {"sigma_market_year", 0, 1},
    {"sigma_network", 0, 2},
    {"sigma_own", 0.02, 2},
    {"sigma_pipeline", 0, 2},
    {"sigma_prefix", 0, 2},
    {"sigma_published", 0.02, 2},
    {"sigma_sessions", 0, 2},
    {"sigma_split", 0, 2},
    {"sigma_spread", 0, 2},
    {"sigma_tail", 0, 2},
    {"sigma_ttft", 0, 2},
    {"sigma_unseen_engine", 0, 2},
    {"sigma_unseen_gpu", 0, 2},
    {"sigma_unseen_group", 0, 2},
    {"split_step_ratio", 1, 5},
    {"tpot_p99_ratio", 1, 10},
    {"train_activation_factor", 0, 100},
    {"train_bytes_per_param", 1, 100},
    {"train_memory_fraction", 0.01, 1},
    {"ttft_alone_share", 0.1, 2},
    {"ttft_p99_ratio", 1, 100},
    {"utilisation_max", 0.01, 1},
    {"working_days_month", 15, 31},
    {"workspace_gb_least", 0, 100},
    {"workspace_gb_per_gpu", 0, 100},
    {"workspace_share", 0, 0.2},
};
const size_t n_constant_specs = COUNT_OF(constant_specs);

double constant_of(const Facts *facts, const char *name) {
    // A search asks a hundred thousand times: most names differ within two letters.
    for (size_t i = 0; i < facts->n_constants; i++) {
        const char *other = facts->constants[i].name;
        if (other[0] == name[0] && other[1] == name[1] && strcmp(other, name) == 0)
            return facts->constants[i].value;
    }
    return (double)NAN;
}
