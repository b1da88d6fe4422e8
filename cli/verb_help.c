// What help says of each subcommand: a line, the options that it takes, and examples. Every example is run by
// tests/cli/test_help.py.
#include "cli/verb_help.h"

#include <string.h>

// The options of a subcommand, OPT_COUNT after the last.
#define TAKES(...) ((const OptionId[]){__VA_ARGS__, OPT_COUNT})
#define NONE ((const OptionId[]){OPT_COUNT})
#define ROWS TAKES(OPT_WHERE, OPT_SORT)

// `add`, `import` and `remove` of the commands that take rows of the user's own.
#define OWN(command, row)                                                                                    \
    {command, "add", "add a " row " of your own", NONE},                                                     \
        {command, "import", "take in rows of your own from a file", NONE}, {                                 \
        command, "remove", "take rows of your own back", NONE                                                \
    }

static const VerbHelp verb_table[] = {
    {"report", "diff", "in what two answers (--json) differ, and what moved the verdict", NONE},
    {"gpus", "list", "all of them, with memory, bandwidth and dense arithmetic",
     TAKES(OPT_VENDOR, OPT_WHERE, OPT_SORT)},
    {"gpus", "show", "one with every figure, and how it reports itself", NONE},
    OWN("gpus", "GPU"),
    {"models", "list", "all of them, with size and context", ROWS},
    {"models", "show", "one with its shape and source", NONE},
    OWN("models", "model"),
    {"workloads", "list", "all of them", ROWS},
    {"workloads", "show", "one with its limits", NONE},
    OWN("workloads", "workload"),
    {"traffic", "list", "traffics that are kept, yours and the shipped ones", ROWS},
    {"traffic", "show", "one of them", NONE},
    {"traffic", "describe", "lengths, bursts and reuse of a log or trace",
     TAKES(OPT_MAP, OPT_BLOCK_TOKENS, OPT_SERVICE, OPT_SESSIONS)},
    {"traffic", "import", "keep the same under a name, for `report --traffic NAME`",
     TAKES(OPT_MAP, OPT_BLOCK_TOKENS, OPT_SERVICE, OPT_SESSIONS)},
    {"traffic", "remove", "forget traffics that you imported", NONE},
    {"prices", "list", "offers, the cheapest GPU-hour first",
     TAKES(OPT_VENDOR, OPT_GPU, OPT_GPUS, OPT_PROVIDER, OPT_REGION, OPT_COUNTRY, OPT_SPOT, OPT_RESERVED,
           OPT_MAX_PRICE, OPT_MAX_AGE, OPT_AVAILABLE, OPT_ALL_REGIONS, OPT_UNMAPPED, OPT_QUARANTINED,
           OPT_DISCOUNT, OPT_SUPERSEDED, OPT_GROUP_BY, OPT_SORT, OPT_WHERE)},
    {"prices", "refresh", "ask the providers, all or those named",
     TAKES(OPT_MAX_AGE, OPT_STRICT, OPT_FEED_URL, OPT_FEED_REGIONS, OPT_CA, OPT_METRICS, OPT_FROM,
           OPT_TRUSTED_KEY, OPT_PROGRESS)},
    {"prices", "history", "how prices of a GPU moved",
     TAKES(OPT_SPOT, OPT_RESERVED, OPT_PROVIDER, OPT_REGION, OPT_SINCE)},
    {"prices", "diff", "what changed since a day",
     TAKES(OPT_SINCE, OPT_VENDOR, OPT_GPU, OPT_GPUS, OPT_PROVIDER, OPT_REGION, OPT_SPOT, OPT_RESERVED)},
    {"prices", "import", "take in a price list of your own, or a signed snapshot",
     TAKES(OPT_NAME, OPT_PROVIDER, OPT_REGION, OPT_PRICE_OF, OPT_COLUMN, OPT_CURRENCY_RATE, OPT_AS_OF,
           OPT_TRUSTED_KEY, OPT_CA)},
    {"prices", "export", "write refreshed prices as a signed snapshot for others",
     TAKES(OPT_SNAPSHOT, OPT_WITH_IMPORTS, OPT_SECRET_KEY, OPT_NEW_KEY)},
    {"prices", "accept", "take in rows that were held back as doubtful", NONE},
    {"prices", "prune", "forget what was last seen long ago", TAKES(OPT_OLDER_THAN)},
    {"compat", "list", "claims about what runs on CUDA and ROCm", TAKES(OPT_PLATFORM, OPT_WHERE, OPT_SORT)},
    {"compat", "show", "those of one subject side by side", TAKES(OPT_PLATFORM)},
    OWN("compat", "claim"),
    {"stack", "init", "write a commented example of a stack file", NONE},
    {"stack", "show", "what becomes of each entry of a stack file on AMD", TAKES(OPT_GPU)},
    {"migrate", "ports", "the effort model against ports that happened", NONE},
    {"migrate", "scan", "what stands in the way of a tree of sources, and how many days it takes",
     TAKES(OPT_ROCM, OPT_GPU, OPT_TEAM, OPT_TEST_COVERAGE, OPT_ENGINEER_DAY, OPT_EXCLUDE, OPT_BASELINE,
           OPT_FAIL_OVER_DAYS, OPT_CLASS, OPT_RULE, OPT_PATH, OPT_WHERE, OPT_SORT)},
    {"migrate", "explain", "what a rule of the scan means; without a name all rules", NONE},
    {"migrate", "api", "what becomes of a CUDA name or library", TAKES(OPT_ROCM)},
    {"migrate", "fix", "a patch of what can be proven, with the rest marked",
     TAKES(OPT_WRITE, OPT_CHECK, OPT_ROCM, OPT_GPU, OPT_EXCLUDE)},
    {"bench", "list", "the tests", ROWS},
    {"bench", "runs", "runs that are kept, or one of them", ROWS},
    {"bench", "compare", "two runs, by id or file", NONE},
    {"bench", "verify", "the checks alone, and bits against those of another machine",
     TAKES(OPT_QUICK, OPT_DEVICE, OPT_GPU, OPT_REFERENCE, OPT_DEADLINE, OPT_SEED, OPT_SHARED, OPT_PROGRESS)},
    {"bench", "export", "write runs that are kept", NONE},
    {"bench", "import", "take in runs of other machines", NONE},
    {"bench", "fleet", "records of many nodes (--record) judged together: stragglers, faulty, missing",
     TAKES(OPT_EXPECT, OPT_KEEP, OPT_FAIL_IF, OPT_WHERE, OPT_SORT)},
    {"runs", "list", "the runs that were imported", ROWS},
    {"runs", "import", "take in result files of benchmark tools",
     TAKES(OPT_MODEL, OPT_GPU, OPT_GPUS, OPT_ENGINE, OPT_WEIGHTS, OPT_KV, OPT_TP, OPT_PP, OPT_EP, OPT_DP,
           OPT_ISL, OPT_OSL, OPT_CONCURRENCY, OPT_CACHED_PROMPT, OPT_DRAFT_TOKENS, OPT_PREFILL_GPUS, OPT_HOST,
           OPT_AS_OF, OPT_COLUMN, OPT_DRY_RUN)},
    {"runs", "show", "some of them in full", NONE},
    {"runs", "remove", "forget some of them", NONE},
    {"runs", "export", "write them for others", TAKES(OPT_REDACT)},
    {"runs", "compare", "two runs side by side", NONE},
    {"runs", "accept", "let quarantined runs count", NONE},
    {"runs", "plan", "the runs that would settle the verdict on a workload",
     TAKES(OPT_WORKLOAD, OPT_MODEL, OPT_GPU, OPT_GPUS, OPT_ISL, OPT_OSL, OPT_CONCURRENCY, OPT_RATE, OPT_TTFT,
           OPT_TPOT, OPT_WEIGHTS, OPT_KV, OPT_ENGINE, OPT_PROVIDER, OPT_PRICE)},
    {"sources", "list", "where each table comes from, and its age", ROWS},
    {"sources", "show", "the origins of one table, or the rows of one origin", NONE},
    {"completion", "words", "what may stand for the last of these words: for the scripts of the shells",
     NONE},
};

const VerbHelp *verb_help(const Command *c, const Verb *v) {
    for (size_t i = 0; i < COUNT_OF(verb_table); i++) {
        if (strcmp(verb_table[i].command, c->name) == 0 && strcmp(verb_table[i].verb, v->name) == 0)
            return &verb_table[i];
    }
    return NULL;
}

bool verb_takes(const Command *c, const Verb *v, OptionId id) {
    const VerbHelp *help = v != NULL ? verb_help(c, v) : NULL;
    if (help == NULL) return command_takes(c, id);
    for (size_t i = 0; help->options[i] != OPT_COUNT; i++) {
        if (help->options[i] == id) return true;
    }
    return option_table[id].global;
}
