// What in a run of the user's own cannot be, or is hard to believe: units, GPUs and their number taken for
// others. Pure.
#ifndef GPUADVISE_FIT_SUSPECT_H
#define GPUADVISE_FIT_SUSPECT_H

#include "src/perf/posterior.h"

// A run with what was predicted of it without any own run's help.
typedef struct JudgedRun {
    const OwnRun *run;
    Prediction prediction;
    PosteriorRow row;  // where it counts
    const char
        *wrong;  // why it is quarantined, by its import or by what follows from the prediction; "": it is not
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
