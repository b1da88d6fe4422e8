// Names of what is known of a run.
#include "src/facts/own_run.h"

#include <math.h>

const char *const own_run_flag_names[] = {
    "short",         "client-bound", "losses",          "few-requests", "cancelled", "warm-up",
    "lengths-asked", "static-batch", "queued",          "mixed-loads",  "mock",      "hosted",
    "invalid",       "agentic",      "lengths-unknown", "converted",    NULL};
NAMES_FIT(own_run_flag_names, RUN_FLAG_COUNT);

const char *const own_run_flag_reasons[] = {
    "it lasted under 60 s",
    "its throughput times its latency is not its concurrency: the client was the limit, or it broke off",
    "fewer than 95 % of its requests were completed",
    "it has fewer requests than five times its concurrency",
    "it was cancelled",
    "its time holds a start or a warm-up",
    "its lengths are those asked for, not those that ran",
    "one batch without a scheduler: an upper bound of serving",
    "all requests were sent at once: its latencies are those of a queue",
    "it mixes several loads",
    "a mock server, a fixture or an example",
    "an endpoint of somebody else, on GPUs that nobody names",
    "its own tool calls it invalid",
    "sessions of an agent, whose prompts a cache mostly holds",
    "its lengths are not known",
    "a figure was worked out from others of the file",
    NULL};
NAMES_FIT(own_run_flag_reasons, RUN_FLAG_COUNT);

OwnRun own_run_blank(void) {
    const double unknown = (double)NAN;
    return (OwnRun){.m = {.id = "",
                          .gpu_sku = "",
                          .model = "",
                          .precision_weights = "",
                          .precision_kv = "",
                          .engine = "",
                          .engine_version = "",
                          .scenario = "",
                          .task = "",
                          .grade = "",
                          .run_class = "",
                          .layout = "",
                          .draft_tokens = "",
                          .tokens_kind = "",
                          .latency_statistic = "",
                          .submitter = "",
                          .date = "",
                          .source = "",
                          .as_of = "",
                          .gpu_count = unknown,
                          .weight_bits = unknown,
                          .input_tokens = unknown,
                          .output_tokens = unknown,
                          .batch_or_concurrency = unknown,
                          .rate_rps = unknown,
                          .tp = unknown,
                          .pp = unknown,
                          .ep = unknown,
                          .dp = unknown,
                          .output_tokens_per_s = unknown,
                          .tokens_per_s_total = unknown,
                          .ttft_ms = unknown,
                          .ttft_p99_ms = unknown,
                          .tpot_ms = unknown,
                          .tpot_p99_ms = unknown,
                          .e2e_ms = unknown},
                    .identity = "",
                    .tool = "",
                    .host = "",
                    .file = "",
                    .ran_at = "",
                    .imported_at = "",
                    .quarantine = "",
                    .note = "",
                    .accepted = "",
                    .place = unknown,
                    .seconds = unknown,
                    .requests_asked = unknown,
                    .requests_completed = unknown,
                    .requests_failed = unknown,
                    .requests_per_s = unknown,
                    .concurrency_mean = unknown,
                    .cached_share = unknown,
                    .shared_prefix_tokens = unknown,
                    .prefill_gpus = unknown};
}

bool own_run_has(const OwnRun *r, OwnRunFlag flag) { return ((unsigned)r->flags & (unsigned)flag) != 0; }
