// RunPod: GPU types by GraphQL, prices of one GPU in the secure and the community cloud.
#include <math.h>
#include <string.h>

#include "catalog/feed.h"

// Pods of one machine: as many GPUs as the type allows, in the sizes that layouts use.
static const double counts[] = {1, 2, 4, 8};

typedef struct Cloud {
    const char *name, *flag, *price, *spot;
} Cloud;

static const Cloud clouds[] = {{"secure", "secureCloud", "securePrice", "secureSpotPrice"},
                               {"community", "communityCloud", "communityPrice", "communitySpotPrice"}};

static void offer(FeedDoc *doc, const Json *type, const Cloud *cloud, const char *price_key, PricingModel model) {
    const char *id = feed_text(type, "id");
    const Json *price = json_get(type, price_key);
    if (price == NULL) return;
    if (json_truth(json_get(type, cloud->flag)) != 1) {  // RunPod states 0.5 for what it does not sell
        feed_reject(doc, "placeholder: not sold in that cloud", feed_printf(doc, "%s (%s)", id, cloud->name));
        return;
    }
    double most = feed_number(json_get(type, "maxGpuCount"));
    double usd = feed_number(price);
    const char *stock = feed_text(json_get(type, "lowestPrice"), "stockStatus");
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        if (counts[i] > 1 && !(counts[i] <= most)) break;
        feed_row(doc, &(FeedRow){.instance = id,
                                 .region = cloud->name,
                                 .gpu = id,
                                 .gpu_memory_gb = feed_number(json_get(type, "memoryInGb")),
                                 .gpu_count = counts[i],
                                 .vcpus = (double)NAN,
                                 .ram_gb = (double)NAN,
                                 .pricing_model = model,
                                 .price = usd * counts[i],
                                 .available = stock[0] != '\0' ? AVAILABLE_YES : AVAILABLE_UNKNOWN});
    }
}

static bool read_types(FeedDoc *doc, const Json *root, Err *e) {
    const Json *error = json_first(json_get(root, "errors"));
    const Json *types = NULL;
    if (error != NULL) return err_set(e, ERR_FAILED, "the API answers with an error: %.200s", feed_text(error, "message"));
    if (!feed_array(json_get(root, "data"), "gpuTypes", &types, e)) return false;
    for (const Json *t = json_first(types); t != NULL; t = json_next(t)) {
        if (text_same(feed_text(t, "id"), "unknown")) {
            feed_reject(doc, "no GPU", "unknown");
            continue;
        }
        for (size_t c = 0; c < COUNT_OF(clouds); c++) {
            offer(doc, t, &clouds[c], clouds[c].price, PRICING_ON_DEMAND);
            offer(doc, t, &clouds[c], clouds[c].spot, PRICING_SPOT);
        }
    }
    return true;
}

static const char query[] =
    "{\"query\":\"query { gpuTypes { id displayName manufacturer memoryInGb maxGpuCount secureCloud communityCloud securePrice communityPrice "
    "secureSpotPrice communitySpotPrice lowestPrice(input: {gpuCount: 1}) { minimumBidPrice uninterruptablePrice stockStatus } } }\"}";

static const FeedDocSpec docs[] = {{.part = "", .url = "https://api.runpod.io/graphql", .body = query, .kind = FEED_JSON, .body_max = 8 * FEED_MIB, .timeout_s = 60, .json = read_types}};

const Feed feed_runpod = {.name = "runpod", .home = "api.runpod.io/graphql gpuTypes", .docs = docs, .n_docs = COUNT_OF(docs)};
