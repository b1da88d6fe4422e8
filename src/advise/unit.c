// What costs are for: a million tokens in and out or of answers alone, images, runs.
#include <stddef.h>

#include "src/advise/search.h"

// Most of the work is reading prompts: a price of answers alone would say little of it.
bool inputs_lead(const Ask *ask) {
    static const double LEAD = 8;  // input tokens to one of output; docs/traffic.md
    const Workload *w = &ask->workload;
    return w->kind == KIND_SERVE && (w->isl_tokens >= LEAD * w->osl_tokens || in_sessions(ask));
}

typedef struct CostUnit {
    size_t estimate;  // in Option
    const char *per, *title;
} CostUnit;

static const CostUnit *unit_of(const Ask *ask) {
    static const CostUnit units[KIND_COUNT] = {
        [KIND_SERVE] = {offsetof(Option, output_usd_mtok), "per million output tokens", "$/Mtok"},
        [KIND_IMAGES] = {offsetof(Option, usd_1k_images), "per 1,000 images", "$/1k images"},
        [KIND_TRAIN] = {offsetof(Option, usd_total), "for the whole run", "$ in all"},
        [KIND_LORA] = {offsetof(Option, usd_total), "for the whole run", "$ in all"},
        [KIND_HPC] = {offsetof(Option, usd_run), "a run", "$/run"},
        [KIND_EMBED] = {offsetof(Option, input_usd_mtok), "per million input tokens", "$/Mtok in"}};
    static const CostUnit both = {offsetof(Option, blended_usd_mtok), "per million input and output tokens",
                                  "$ IN+OUT"};
    return inputs_lead(ask) ? &both : &units[ask->workload.kind];
}

size_t cost_offset(const Ask *ask) { return unit_of(ask)->estimate; }

const Estimate *option_cost(const Option *o, const Ask *ask) {
    return (const Estimate *)(const void *)((const char *)o + cost_offset(ask));
}

const char *per_what(const Ask *ask) { return unit_of(ask)->per; }

const char *cost_title(const Ask *ask) { return unit_of(ask)->title; }
