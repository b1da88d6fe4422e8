// GPUs of instance types whose price list names the type, not the GPU: data/instance_gpus.tsv.
#include <string.h>

#include "catalog/feed.h"
#include "catalog/market_store.h"

const InstanceGpu *instance_gpu_find(const SellerFacts *f, const char *provider, const char *instance) {
    size_t low = 0;
    size_t high = f->n_instances;
    while (low < high) {  // rows are in the order of their key
        size_t middle = low + (high - low) / 2;
        const InstanceGpu *row = &f->instances[middle];
        int order = strcmp(row->provider, provider);
        if (order == 0) order = strcmp(row->instance, instance);
        if (order == 0) return row;
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    return NULL;
}

bool feed_size(const FeedDoc *doc, const char *provider, const char *instance, SizeGpu *ret_gpu) {
    const InstanceGpu *row = doc->sellers != NULL ? instance_gpu_find(doc->sellers, provider, instance) : NULL;
    if (row != NULL) *ret_gpu = (SizeGpu){row->sku_id, row->gpu, row->gpu_count};
    return row != NULL;
}
