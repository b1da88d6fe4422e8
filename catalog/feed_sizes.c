// GPUs of instance types whose price list names the type, not the GPU: data/instance_gpus.tsv.
#include <string.h>

#include "catalog/feed.h"

bool feed_size(const FeedDoc *doc, const char *provider, const char *instance, SizeGpu *ret_gpu) {
    size_t low = 0;
    size_t high = doc->sellers != NULL ? doc->sellers->n_instances : 0;
    while (low < high) {  // rows are in the order of their key
        size_t middle = low + (high - low) / 2;
        const InstanceGpu *row = &doc->sellers->instances[middle];
        int order = strcmp(row->provider, provider);
        if (order == 0) order = strcmp(row->instance, instance);
        if (order == 0) {
            *ret_gpu = (SizeGpu){row->sku_id, row->gpu, row->gpu_count};
            return true;
        }
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    return false;
}
