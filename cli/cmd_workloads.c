// workloads: what can be asked of `report --workload`.
#include "cli/cmd.h"
#include "cli/own.h"

static const BrowseColumn columns[] = {
    {"workload_id", "WORKLOAD", 0, 0, 0},  {"kind", "KIND", 0, 0, 0},
    {"model_id", "MODEL", 0, 0, 0},        {"isl_tokens", "ISL", 6, 0, 0},
    {"osl_tokens", "OSL", 6, 0, 0},        {"rate_rps", "REQ/s", 4, 0, 130},
    {"ttft_p99_ms", "TTFT ms", 5, 0, 100}, {"tpot_ms", "TPOT ms", 4, 0, 110},
    {"concurrency", "IN FLIGHT", 5, 0, 0}, {"title", "WHAT", 0, 0, 0},
};

static const Browse browse = {
    .table = TABLE_WORKLOADS,
    .name = "workloads",
    .columns = columns,
    .n_columns = COUNT_OF(columns),
    .note = "ISL, OSL: input and output tokens of a request. `gpuadvise workloads show WORKLOAD` gives the "
            "limits too.",
};

static const Verb verbs[] = {
    {"list", "", 0, 0, false, "all of them", ROW_OPTIONS, browse_every},
    {"show", "WORKLOAD", 1, 1, false, "one with its limits", NO_OPTIONS, browse_named},
    OWN_VERBS("WORKLOAD", "workload")};

COMMAND(workloads, "workloads", FORMATS_LISTING, .browse = &browse,
        .summary = "workloads that `report` knows",
        .description = OWN_HELP("`workloads add my-chat kind=serve model_id=llama-3.1-70b isl_tokens=2000 "
                                "osl_tokens=300 concurrency=64`"));
