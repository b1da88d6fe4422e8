// Names of what is known of a run.
#include "src/facts/own_run.h"
#include "src/facts/columns.h"

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

const Table own_run_table = TABLE("own_runs", OwnRun, OWN_RUN_FIELDS);

OwnRun own_run_blank(void) {
    OwnRun r;
    row_blank(&own_run_table, &r);
    row_blank(&fact_tables[TABLE_MEASUREMENTS], &r.m);
    r.flags = 0;
    return r;
}

bool own_run_has(const OwnRun *r, OwnRunFlag flag) { return ((unsigned)r->flags & (unsigned)flag) != 0; }
