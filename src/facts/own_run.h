// Runs of the user's own: what a benchmark tool's result file says of one run on the user's GPUs.
//
// Level 0. Unknown is NaN or "", as in src/facts/facts.h. Rows come from src/runs (bytes of a tool -> rows),
// are kept by catalog/facts/own_runs.c, and count in an estimate unless they are quarantined.
#ifndef GPUADVISE_OWN_RUN_H
#define GPUADVISE_OWN_RUN_H

#include "src/facts/facts.h"
#include "src/facts/tables.h"

// What is to be known before a run counts: bits of OwnRun.flags. A flagged run counts, but less.
typedef enum OwnRunFlag {
    RUN_SHORT = 1 << 0,          // it lasted under 60 s
    RUN_CLIENT_BOUND = 1 << 1,   // requests in flight times latency do not give its throughput (Little's law)
    RUN_LOSSES = 1 << 2,         // fewer than 95 % of the requests asked for were completed
    RUN_FEW = 1 << 3,            // fewer requests than five times the concurrency
    RUN_CANCELLED = 1 << 4,      // it broke off
    RUN_WARM_UP = 1 << 5,        // its time holds a start or a warm-up
    RUN_LENGTHS_ASKED = 1 << 6,  // lengths are those asked for, not those that ran
    RUN_STATIC_BATCH = 1 << 7,   // one batch without a scheduler
    RUN_QUEUED = 1 << 8,         // all requests at once: latencies are those of a queue, and are left out
    RUN_MIXED = 1 << 9,          // several loads in one figure
    RUN_MOCK = 1 << 10,          // a mock server, a fixture or an example
    RUN_HOSTED = 1 << 11,        // somebody else's endpoint: no GPU that is known
    RUN_INVALID = 1 << 12,       // its own tool calls it invalid
    RUN_AGENTIC = 1 << 13,       // sessions of an agent: prompts that a cache mostly holds
    RUN_NO_LENGTHS = 1 << 14,    // lengths of prompts or answers are not known
    RUN_CONVERTED = 1 << 15,     // a figure was worked out from others of the file
    RUN_FLAG_COUNT = 16
} OwnRunFlag;
extern const char *const own_run_flag_names[];    // "short", ...: NULL-terminated, by bit
extern const char *const own_run_flag_reasons[];  // a sentence without a full stop, by bit

// clang-format off
// One run at one load. Scenario, task, grade and units are those of data/measurements.tsv, whose columns
// `m` has: m.id is "own:" and the identity, m.run_class "independent" or "mlperf", m.date the day of the run
// where that is known (software of that day or older), m.source "own: " and the file.
#define OWN_RUN_FIELDS(X) \
    /* 16 hexadecimal digits of what the file says: the same run twice is one */ \
    X(OwnRun, TEXT, KEY, identity) \
    /* "vllm-serve", "sglang-serve", "llama-bench" ...: names of src/runs/runs.h */ \
    X(OwnRun, TEXT, MAY, tool) \
    X(OwnRun, TEXT, MAY, host)                          /* machine that ran it */ \
    X(OwnRun, TEXT, MAY, file)                          /* where it was read */ \
    X(OwnRun, DATE, MAY, ran_at)                        /* YYYY-MM-DD; "" not known */ \
    X(OwnRun, DATE, MAY, imported_at)                   /* YYYY-MM-DD */ \
    X(OwnRun, NUM, MAY, place, 1, 1e9)                  /* of the run in its file, from 1 */ \
    X(OwnRun, NUM, MAY, seconds, 0, 1e9)                /* that it lasted */ \
    X(OwnRun, NUM, MAY, requests_asked, 0, 1e12) \
    X(OwnRun, NUM, MAY, requests_completed, 0, 1e12) \
    X(OwnRun, NUM, MAY, requests_failed, 0, 1e12) \
    X(OwnRun, NUM, MAY, requests_per_s, 0, 1e9)         /* completed ones */ \
    X(OwnRun, NUM, MAY, concurrency_mean, 0, 1e9)       /* requests really in flight, on average */ \
    /* of prompt tokens, that a prefix cache held; NaN: not known */ \
    X(OwnRun, NUM, MAY, cached_share, 0, 1) \
    X(OwnRun, NUM, MAY, shared_prefix_tokens, 0, 1e9) \
    /* of gpu_count, that only read prompts (disaggregated serving) */ \
    X(OwnRun, NUM, MAY, prefill_gpus, 1, 1e6) \
    X(OwnRun, NUM, MAY, flags, 0, 1 << RUN_FLAG_COUNT)  /* bits of OwnRunFlag */ \
    /* "" = it counts. Set by checks that need no prediction; those that do need one (perf) are not kept */ \
    /* but asked anew at every reading. */ \
    X(OwnRun, TEXT, MAY, quarantine) \
    X(OwnRun, TEXT, MAY, note)                          /* what else the file says */ \
    /* YYYY-MM-DD that the user let it count against a quarantine; "" = never */ \
    X(OwnRun, DATE, MAY, accepted)
typedef struct OwnRun {
    OWN_RUN_FIELDS(MEMBER)
    Measurement m;
    int64_t id;  // in the order of arrival; 0: not kept
} OwnRun;
// clang-format on

// The columns that a run has beyond those of data/measurements.tsv; `held_out` is for no run of the user's.
extern const Table own_run_table;

// A run of which nothing is known.
OwnRun own_run_blank(void);

bool own_run_has(const OwnRun *r, OwnRunFlag flag);

#endif
