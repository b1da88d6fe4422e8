// The words and needs of each kind of workload.
#include "src/facts/kinds.h"

#include "src/base/base.h"

static bool has_input(const Workload *w) { return w->isl_tokens >= 1; }
static bool has_lengths(const Workload *w) { return has_input(w) && w->osl_tokens >= 1; }
static bool has_budget(const Workload *w) { return is_known(w->tokens_total); }
static bool has_all(const Workload *w) { return w != NULL; }

#define TRAINING                                                                                             \
    .trains = true, .by_job = true, .native_weights = true, .whole = has_budget,                             \
    .lacks = "tokens to train on", .reads = "", .per = "for the whole run", .title = "$ in all",             \
    .axis = "$ in all", .rate_key = "train_tokens_per_s_per_gpu", .rate_unit = "tok/s/GPU", .rate_s = 1

static const KindSpec kind_specs[] = {
    // by WorkloadKind
    [KIND_SERVE] = {.serves = true,
                    .native_weights = true,
                    .whole = has_lengths,
                    .lacks = "input or output length",
                    .reads = "",
                    .per = "per million output tokens",
                    .title = "$/Mtok",
                    .axis = "$ per million output tokens",
                    .rate_key = "output_tokens_per_s_per_gpu",
                    .rate_unit = "tok/s/GPU",
                    .rate_s = 1},
    [KIND_IMAGES] = {.alone = true,
                     .native_weights = true,
                     .whole = has_all,
                     .lacks = "",
                     .reads = "",
                     .per = "per 1,000 images",
                     .title = "$/1k images",
                     .axis = "$ per 1000 images",
                     .rate_key = "images_per_s_per_gpu",
                     .rate_unit = "images/s/GPU",
                     .rate_s = 1},
    [KIND_TRAIN] = {TRAINING},
    [KIND_LORA] = {TRAINING},
    [KIND_HPC] = {.by_job = true,
                  .no_model = true,
                  .native_weights = true,
                  .whole = has_all,
                  .lacks = "",
                  .reads = "",
                  .per = "a run",
                  .title = "$/run",
                  .axis = "$ a run",
                  .rate_key = "runs_per_day_per_gpu",
                  .rate_unit = "runs/day/GPU",
                  .rate_s = DAY_S},
    [KIND_EMBED] = {.alone = true,
                    .whole = has_input,
                    .lacks = "input length",
                    .reads = "one vector a text of",
                    .per = "per million input tokens",
                    .title = "$/Mtok in",
                    .axis = "$ per million input tokens",
                    .rate_key = "sequences_per_s_per_gpu",
                    .rate_unit = "texts/s/GPU",
                    .rate_s = 1},
};
_Static_assert(COUNT_OF(kind_specs) == KIND_COUNT, "each kind of workload has a row");

const KindSpec *kind_of(const Workload *w) { return &kind_specs[w->kind]; }
bool serves_tokens(const Workload *w) { return kind_of(w)->serves; }
