// RunPod: GPU types by GraphQL, prices of one GPU in the secure and the community cloud.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "catalog/feeds/feed.h"

// Pods of one machine: as many GPUs as the type allows, in the sizes that layouts use.
static const double counts[] = {1, 2, 4, 8};

typedef struct Cloud {
    const char *name, *flag, *price, *spot;
} Cloud;

static const Cloud clouds[] = {{"secure", "secureCloud", "securePrice", "secureSpotPrice"},
                               {"community", "communityCloud", "communityPrice", "communitySpotPrice"}};

// Is a pod of so many GPUs in stock? The query asks for each count in each cloud; what has no status then
// cannot be had. Answers that others kept have often a single `lowestPrice`, of one GPU in either cloud: it
// tells nothing of more GPUs, nor which of two clouds has it.
static Available stock_of(const Json *type, const Cloud *cloud, double count) {
    char key[32];
    snprintf(key, sizeof key, "%s%.0f", cloud->name, count);
    const Json *asked = json_get(type, key);
    if (asked != NULL) return feed_text(asked, "stockStatus")[0] != '\0' ? AVAILABLE_YES : AVAILABLE_NO;
    const Json *status = json_first(json_get(type, "lowestPrice"));
    while (status != NULL && strcmp(json_key(status), "stockStatus") != 0) status = json_next(status);
    bool both =
        json_truth(json_get(type, clouds[0].flag)) == 1 && json_truth(json_get(type, clouds[1].flag)) == 1;
    if (count > 1 || status == NULL) return AVAILABLE_UNKNOWN;
    if (json_text(status) == NULL) return AVAILABLE_NO;
    return both ? AVAILABLE_UNKNOWN : AVAILABLE_YES;
}

static void offer(FeedDoc *doc, const Json *type, const Cloud *cloud, const char *price_key,
                  PricingModel model) {
    const char *id = feed_text(type, "id");
    const Json *price = json_get(type, price_key);
    if (price == NULL) return;
    if (json_truth(json_get(type, cloud->flag)) != 1) {  // RunPod states 0.5 for what it does not sell
        feed_reject(doc, "placeholder: not sold in that cloud", feed_printf(doc, "%s (%s)", id, cloud->name));
        return;
    }
    double most = feed_number(json_get(type, "maxGpuCount"));
    double usd = feed_number(price);
    const char *said = feed_said(doc, type);
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        if (counts[i] > 1 && !(counts[i] <= most)) break;
        feed_row(doc, &(FeedRow){.instance = id,
                                 .said = said,
                                 .region = cloud->name,
                                 .gpu = id,
                                 .gpu_memory_gb = feed_number(json_get(type, "memoryInGb")),
                                 .gpu_count = counts[i],
                                 .vcpus = (double)NAN,
                                 .ram_gb = (double)NAN,
                                 .pricing_model = model,
                                 .price = usd * counts[i],
                                 .available = stock_of(type, cloud, counts[i])});
    }
}

static bool read_types(FeedDoc *doc, const Json *root, Err *e) {
    const Json *error = json_first(json_get(root, "errors"));
    const Json *types = NULL;
    if (error != NULL)
        return err_set(e, ERR_FAILED, "the API answers with an error: %.200s", feed_text(error, "message"));
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

#define STOCK(cloud, count, secure)                                                                          \
    cloud count ": lowestPrice(input: {gpuCount: " count ", secureCloud: " secure "}) { stockStatus } "
#define STOCKS(cloud, secure)                                                                                \
    STOCK(cloud, "1", secure) STOCK(cloud, "2", secure) STOCK(cloud, "4", secure) STOCK(cloud, "8", secure)

static const char query[] =
    "{\"query\":\"query { gpuTypes { id displayName manufacturer memoryInGb maxGpuCount secureCloud "
    "communityCloud securePrice communityPrice "
    "secureSpotPrice communitySpotPrice " STOCKS("secure", "true") STOCKS("community", "false") "} }\"}";

static const FeedDocSpec docs[] = {
    {.part = "", .url = "https://api.runpod.io/graphql", .body = query, .json = read_types}};

const Feed feed_runpod = {
    .name = "runpod", .home = "api.runpod.io/graphql gpuTypes", .docs = docs, .n_docs = COUNT_OF(docs)};
