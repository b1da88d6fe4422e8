// Rows of price lists that name an instance type and not its GPU.
#include "catalog/feeds/feed.h"
#include "catalog/market/market_store.h"

bool feed_size(const FeedDoc *doc, const char *provider, const char *instance, SizeGpu *ret_gpu) {
    const InstanceGpu *row =
        doc->sellers != NULL ? instance_gpu_find(doc->sellers, provider, instance) : NULL;
    if (row != NULL) *ret_gpu = (SizeGpu){row->sku_id, row->gpu, row->gpu_count};
    return row != NULL;
}

bool feed_size_row(FeedDoc *doc, FeedRow *row) {
    SizeGpu gpu = {0};
    if (!feed_size(doc, row->provider, row->instance, &gpu)) {
        feed_reject(doc, instance_has_gpus(row->provider, row->instance) ? market_unknown_size : "no GPU",
                    row->instance);
        return false;
    }
    row->sku_id = gpu.sku_id;
    row->gpu = gpu.name;
    row->gpu_count = gpu.gpu_count;
    return true;
}
