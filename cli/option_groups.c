// Options under headings, for help and the man page. A test misses an option that no group has.
#include "cli/help.h"

#define GROUP(title, ...)                                                                                    \
    {                                                                                                        \
        title, (const OptionId[]) { __VA_ARGS__, OPT_COUNT }                                                 \
    }

const OptionGroup option_groups[] = {
    GROUP("What to run", OPT_WORKLOAD, OPT_MODEL, OPT_ISL, OPT_OSL, OPT_CONCURRENCY, OPT_BATCH, OPT_RATE,
          OPT_SESSIONS, OPT_TTFT, OPT_TPOT, OPT_DUTY_CYCLE, OPT_JOBS, OPT_ASSUME_DENSE),
    GROUP("The claim", OPT_TOKENS_S, OPT_USD_HOUR, OPT_USD_MTOK, OPT_CLAIMS, OPT_FILE),
    GROUP("On which GPUs", OPT_GPU, OPT_VENDOR, OPT_EXCLUDE_GPU, OPT_GPUS, OPT_FLEET, OPT_SITE_KW, OPT_TP,
          OPT_PP, OPT_EP, OPT_DP, OPT_PREFILL_GPUS, OPT_POWER_CAP, OPT_PLATFORM),
    GROUP("How it is served", OPT_ENGINE, OPT_WEIGHTS, OPT_KV, OPT_CACHED_PROMPT, OPT_DRAFT_TOKENS,
          OPT_ACCEPTED_TOKENS, OPT_HOST_GB, OPT_MEMORY_FRACTION, OPT_SPLIT, OPT_GPU_LAYERS, OPT_CPU_OFFLOAD,
          OPT_CPU_EXPERTS, OPT_HOST_GB_S),
    GROUP("A traffic of many lengths", OPT_TRAFFIC, OPT_START_MIN, OPT_BILLING_MIN, OPT_GROWTH, OPT_MAP,
          OPT_BLOCK_TOKENS, OPT_SERVICE),
    GROUP("Which offers", OPT_PROVIDER, OPT_EXCLUDE_PROVIDER, OPT_REGION, OPT_COUNTRY, OPT_SPOT, OPT_RESERVED,
          OPT_MAX_PRICE, OPT_MAX_AGE, OPT_SINCE, OPT_AVAILABLE, OPT_ALL_REGIONS, OPT_UNMAPPED,
          OPT_QUARANTINED, OPT_SUPERSEDED),
    GROUP("Prices of your own", OPT_PRICE, OPT_DISCOUNT, OPT_CURRENT),
    GROUP("Owning, and an API", OPT_ONPREM, OPT_GPU_PRICE, OPT_HOST_PRICE, OPT_AMORTISE, OPT_RESIDUAL,
          OPT_CAPITAL_RATE, OPT_POWER_PRICE, OPT_PUE, OPT_API_OUTPUT, OPT_API_INPUT),
    GROUP("Moving from CUDA", OPT_STACK, OPT_SOURCE, OPT_ROCM, OPT_TEAM, OPT_TEAM_SIZE, OPT_TEST_COVERAGE,
          OPT_EXCLUDE, OPT_ENGINEER_DAY, OPT_HORIZON, OPT_DISCOUNT_RATE, OPT_MOVABLE, OPT_WRITE, OPT_CHECK),
    GROUP("Measuring", OPT_QUICK, OPT_DEVICE, OPT_MINUTES, OPT_RECORD, OPT_JOIN, OPT_EXPECT, OPT_KEEP,
          OPT_WORKING_SET, OPT_DEADLINE, OPT_SHARED),
    GROUP("Taking in", OPT_NAME, OPT_PRICE_OF, OPT_COLUMN, OPT_CURRENCY_RATE, OPT_AS_OF, OPT_HOST,
          OPT_DRY_RUN, OPT_MEASUREMENTS),
    GROUP("Asking the providers", OPT_STRICT, OPT_FEED_REGIONS, OPT_FEED_URL, OPT_CA, OPT_METRICS, OPT_FROM,
          OPT_TRUSTED_KEY),
    GROUP("Handing on, forgetting", OPT_SNAPSHOT, OPT_WITH_IMPORTS, OPT_SECRET_KEY, OPT_NEW_KEY, OPT_REDACT,
          OPT_OLDER_THAN),
    GROUP("Rows and their order", OPT_WHERE, OPT_SORT, OPT_TOP, OPT_PARETO, OPT_GROUP_BY, OPT_CLASS, OPT_RULE,
          OPT_PATH),
    GROUP("The fit", OPT_LEAVE_OUT, OPT_RUNS, OPT_TASKS, OPT_TSV),
    GROUP("Gates and comparisons", OPT_BASELINE, OPT_REFERENCE, OPT_FAIL_OVER, OPT_FAIL_CHANGES,
          OPT_FAIL_OVER_DAYS, OPT_FAIL_IF, OPT_GATE),
    GROUP("The screen", OPT_ONCE, OPT_SIZE, OPT_THEME, OPT_ASCII, OPT_BIND),
    GROUP("Besides", OPT_SEED, OPT_PROGRESS, OPT_MAN),
};
const size_t n_option_groups = COUNT_OF(option_groups);

bool option_has_group(OptionId id) {
    for (size_t g = 0; g < n_option_groups; g++) {
        for (const OptionId *of = option_groups[g].options; *of != OPT_COUNT; of++) {
            if (*of == id) return true;
        }
    }
    return false;
}
