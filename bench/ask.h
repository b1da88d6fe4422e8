// A question that filters nothing, for programs that time answers.
#ifndef GPUADVISE_BENCH_ASK_H
#define GPUADVISE_BENCH_ASK_H

#include <math.h>

#include "src/advise/advise.h"

static inline Ask ask_of(Workload workload, const Model *model) {
    return (Ask){.workload = workload,
                 .model = model,
                 .region = "",
                 .vendor = -1,
                 .pricing_model = PRICING_ON_DEMAND,
                 .gpus_max = (double)NAN,
                 .fleet = (double)NAN,
                 .site_kw = (double)NAN,
                 .current_gpus = (double)NAN,
                 .max_price_usd_gpu_h = (double)NAN,
                 .max_age_days = (double)NAN,
                 .top = 20,
                 .today = 20784};
}

#endif
