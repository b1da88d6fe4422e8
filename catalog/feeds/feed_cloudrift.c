// CloudRift: instance types, prices in cents of the whole machine, a count of free nodes for each data
// centre.
#include <math.h>
#include <string.h>

#include "catalog/feeds/feed.h"

static void read_variant(FeedDoc *doc, const char *brand, const Json *v) {
    double count = feed_number(json_get(v, "gpu_count"));
    const char *name = feed_text(v, "name");
    if (!(count > 0)) {
        feed_reject(doc, "no GPU", name);
        return;
    }
    FeedRow r = {.instance = name,
                 .said = feed_said(doc, v),
                 .region = "",
                 .gpu = brand,
                 .gpu_count = count,
                 .vcpus = feed_number(json_get(v, "cpu_count")),
                 .ram_gb = feed_number(json_get(v, "dram")) / 1e9,
                 .price = feed_number(json_get(v, "cost_per_hour")) / 100,
                 .available = AVAILABLE_NO};
    const Json *node = json_first(json_get(v, "nodes_per_dc"));
    if (node == NULL) feed_row(doc, &r);
    for (; node != NULL; node = json_next(node)) {
        r.region = json_key(node);
        r.machines_seen = feed_number(node);
        r.available = r.machines_seen > 0 ? AVAILABLE_YES : AVAILABLE_NO;
        feed_row(doc, &r);
    }
}

static bool read_types(FeedDoc *doc, const Json *root, Err *e) {
    const Json *types = NULL;
    if (!feed_array(json_get(root, "data"), "instance_types", &types, e)) return false;
    for (const Json *t = json_first(types); t != NULL; t = json_next(t)) {
        for (const Json *v = json_first(json_get(t, "variants")); v != NULL; v = json_next(v))
            read_variant(doc, feed_text(t, "brand_short"), v);
    }
    return true;
}

static const char body[] =
    "{\"version\":\"2025-03-21\",\"data\":{\"selector\":{\"ByServiceAndLocation\":{\"services\":[\"vm\"]}}}}";

static const FeedDocSpec docs[] = {{.part = "",
                                    .url = "https://api.cloudrift.ai/api/v1/instance-types/list",
                                    .body = body,
                                    .json = read_types}};

const Feed feed_cloudrift = {
    .name = "cloudrift", .home = "api.cloudrift.ai instance types", .docs = docs, .n_docs = COUNT_OF(docs)};
