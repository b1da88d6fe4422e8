// Views that are tables and nothing else: GPUs, Sources.
#include "tui/services.h"

static const Action table_keys[] = {ACT_OPEN, ACT_FILTER,  ACT_SORT_RIGHT, ACT_EXPORT, ACT_PANEL, ACT_BASIS,
                                    ACT_MARK, ACT_COMPARE, ACT_SORT_BY,    ACT_FIND,   ACT_COPY};

// ---------------------------------------------------------------- GPUs

static const Panel gpu_panels[] = {
    {"GPUs", {"gpus"}, {"gpus", "show"}, "sku_id"},
    {"models", {"models"}, {"models", "show"}, "model_id"},
    {"workloads", {"workloads"}, {"workloads", "show"}, "workload_id"},
};

const View view_gpus = {
    .panels = gpu_panels,
    .n_panels = COUNT_OF(gpu_panels),
    .keys = table_keys,
    .n_keys = COUNT_OF(table_keys),
    .lists = true,
};

// ---------------------------------------------------------------- Sources

static const Panel source_panels[] = {{"sources", {"sources"}, {NULL}, NULL}};

const View view_sources = {
    .panels = source_panels,
    .n_panels = COUNT_OF(source_panels),
    .keys = table_keys,
    .n_keys = COUNT_OF(table_keys),
    .lists = true,
};
