// What in a run of the user's own cannot be, or is hard to believe: units, GPUs and their number taken for
// others. Pure.
#ifndef GPUADVISE_FIT_SUSPECT_H
#define GPUADVISE_FIT_SUSPECT_H

#include "src/perf/posterior.h"

// Texts live in the arena; "" = nothing to say.
typedef struct Suspicion {
    const char *wrong;  // it does not count: what is wrong, and what may be behind it
    const char *doubt;  // it counts, but less: what the user should look at
} Suspicion;

// `p`: what is predicted of the run without any own run's help. Wrong is what needs more bandwidth,
// arithmetic, memory or requests in flight than there are, and what lies a factor of own_wrong_factor beyond
// the 80 % range.
Suspicion suspect_run(const Facts *facts, const OwnRun *run, const Prediction *p, Arena *a);

// A run with what was predicted of it without any own run's help.
typedef struct JudgedRun {
    const OwnRun *run;
    Prediction prediction;
    PosteriorRow row;   // where it counts
    const char *wrong;  // why it is quarantined, by its import or by suspect_run; "": it is not
    const char *doubt;  // "": none. Of a run that the user accepted: that, and what it was quarantined for
    const char *idle;   // why it moves no estimate though nothing is wrong with it; "": it moves them
    bool counts;
} JudgedRun;

// `today`: days since 1970. ret: n, of the caller; borrows the runs.
void judge_runs(const Facts *facts, const OwnRun *runs, size_t n, int64_t today, Arena *a, JudgedRun *ret);

// For `facts->own`; NULL where no run counts. `model`: the one in question, NULL: none.
const Posterior *posterior_of_runs(const Facts *facts, const JudgedRun *runs, size_t n, const Model *model,
                                   Arena *a);

#endif
