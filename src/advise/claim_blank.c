// A claim that says nothing yet.
#include <math.h>

#include "src/advise/check.h"

PublicClaim claim_blank(void) {
    const double unknown = (double)NAN;
    return (PublicClaim){.claim = "",
                         .what = "",
                         .model = "",
                         .gpu = "",
                         .gpus = unknown,
                         .batch = unknown,
                         .isl_tokens = unknown,
                         .osl_tokens = unknown,
                         .steps = unknown,
                         .tokens_per_s = unknown,
                         .images_per_s = unknown,
                         .tflops = unknown,
                         .usd_per_hour = unknown,
                         .usd_per_gpu_hour = unknown,
                         .usd_per_mtok = unknown,
                         .hours = unknown,
                         .usd_total = unknown,
                         .subject = "",
                         .platform = "",
                         .status = "",
                         .engine = "",
                         .against_gpu = "",
                         .against_engine = "",
                         .against_gpus = unknown,
                         .claimed_low = unknown,
                         .claimed_high = unknown,
                         .source = "",
                         .as_of = ""};
}
