// models: the models of the catalog.
#include "cli/cmd.h"
#include "cli/own.h"

static const BrowseColumn columns[] = {
    {"model_id", "MODEL", 0, 0, 0},
    {"family", "FAMILY", 0, 0, 0},
    {"params_total", "TOTAL B", 4, 1e-9, 0},
    {"params_active", "ACTIVE B", 4, 1e-9, 0},
    {"max_context", "CONTEXT", 8, 0, 0},
    {"weights_native", "NATIVE", 0, 0, 86},
    {"weight_bytes_native", "WEIGHTS GB", 4, 1e-9, 98},
    {"kv_bytes_per_token_bf16", "KV B/TOKEN", 7, 0, 110},
    {"attention", "ATTENTION", 0, 0, 122},
    {"layers", "LAYERS", 4, 0, 130},
};

static const Browse browse = {
    .table = TABLE_MODELS,
    .name = "models",
    .columns = columns,
    .n_columns = COUNT_OF(columns),
    .note = "Parameters in billions (10^9). `gpuadvise models show MODEL` gives the shape and its source.",
};

static const Verb verbs[] = {
    {"list", "", 0, 0, false, "all of them, with size and context", ROW_OPTIONS, browse_every},
    {"show", "MODEL", 1, 1, false, "one with its shape and source", NO_OPTIONS, browse_named},
    OWN_VERBS("MODEL", "model")};

COMMAND(models, "models", FORMATS_LISTING, .browse = &browse, .summary = "models of the catalog",
        .description = OWN_HELP(
            "`models add my-model family=dense attention=gqa weights_native=bf16 params_total=8.03e9 "
            "layers=32 hidden=4096 heads=32 kv_heads=8 head_dim=128 intermediate=14336 vocab=128256`; a "
            "model that lies in files needs none: --model PATH"));
