// Public runs of agents held against the estimator, each predicted with what the runs of other models say.
//
// Level 1; part of src/perf. Of a run the prediction knows what was known before it: GPUs, model, engine and
// its memory, the number of sessions, the lengths of the recorded requests and what of them came before. How
// long sessions think is no column; it is taken from runs of other models with the same recorded sessions and
// the nearest number of them.
#ifndef GPUADVISE_PERF_AGENTIC_H
#define GPUADVISE_PERF_AGENTIC_H

#include "src/facts/agentic.h"
#include "src/perf/prefix.h"

// What runs of agents are fitted by.
typedef struct AgenticFit {
    SessionFactors factors;            // the ratio of prompts is no run's of these: data/constants.tsv
    double cliff_at, cliff_steepness;  // of cliff_curve
    double hit_max;                    // median, for runs that do not record theirs
    size_t n;                          // runs behind it
} AgenticFit;

// A run and its prediction.
typedef struct AgenticCheck {
    const AgenticRun *run;
    const char *left_out;       // why it is not scored: what its flag says, or NULL
    const char *not_predicted;  // NULL: predicted
    KvCapacity kv;
    SessionPoint predicted;
    double think_s;
    double sigma_log;             // of tokens/s, as an estimate says it
    double error, ttft_error;     // ln(predicted / measured); NaN: not measured
    double hit_error;             // predicted less measured, of input tokens, on the GPUs; NaN: not recorded
    bool side_known, side_right;  // of the cliff: half of what could be found, found or not
} AgenticCheck;

typedef struct AgenticStats {
    const char *name;  // all, below the cliff, beyond the cliff, or a model
    size_t n, n_ttft, n_hit, n_side;
    double median_abs_error_pct, bias_pct, interval_coverage_pct;  // coverage: of the 80 % range
    double ttft_within_2x_pct;
    double hit_median_abs_points;
    double side_right_pct;
} AgenticStats;

// Predicts every run without the runs of its own model. `checks`: room for n.
void agentic_check(const Facts *facts, const AgenticRun *runs, size_t n, Arena *a, AgenticCheck *checks);

// Fits to the scored runs of all models but `without` (NULL: of all).
AgenticFit agentic_fit(const Facts *facts, const AgenticRun *runs, size_t n, const char *without, Arena *a);

enum { AGENTIC_GROUPS_MAX = 16 };
size_t agentic_groups(const AgenticCheck *checks, size_t n, Arena *a, AgenticStats ret[AGENTIC_GROUPS_MAX]);

// A setting of data/kv_capacities.tsv as the estimator would have it; false: GPU, model or engine not known.
bool kv_setting_capacity(const Facts *facts, const KvSetting *setting, KvCapacity *ret);

#endif
