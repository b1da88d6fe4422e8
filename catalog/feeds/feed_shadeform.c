// Shadeform: instance types of some twenty clouds that it resells, one price in cents for all regions of a
// type.
#include <math.h>
#include <string.h>

#include "catalog/feeds/feed.h"

static void read_type(FeedDoc *doc, const Json *type) {
    const Json *c = json_get(type, "configuration");
    const char *name = feed_text(type, "shade_instance_type");
    double count = feed_number(json_get(c, "num_gpus"));
    if (!(count > 0)) {
        feed_reject(doc, "no GPU", name);
        return;
    }
    FeedRow r = {.provider = "shadeform",
                 .instance = feed_printf(doc, "%s %s", feed_text(type, "cloud"), name),
                 .gpu = feed_with_form(doc, feed_text(c, "gpu_type"), feed_text(c, "interconnect")),
                 .said = feed_said(doc, type),
                 .gpu_count = count,
                 .gpu_memory_gb = feed_number(json_get(c, "vram_per_gpu_in_gb")),
                 .vcpus = feed_number(json_get(c, "vcpus")),
                 .ram_gb = feed_number(json_get(c, "memory_in_gb")),
                 .price = feed_number(json_get(type, "hourly_price")) / 100};
    const Json *at = json_first(json_get(type, "availability"));
    if (at == NULL) feed_row(doc, &r);
    for (; at != NULL; at = json_next(at)) {
        int there = json_truth(json_get(at, "available"));
        r.region = feed_text(at, "region");
        r.available = there == 1 ? AVAILABLE_YES : there == 0 ? AVAILABLE_NO : AVAILABLE_UNKNOWN;
        feed_row(doc, &r);
    }
}

static bool read_types(FeedDoc *doc, const Json *root, Err *e) {
    return feed_each(doc, root, "instance_types", read_type, e);
}

static const FeedDocSpec docs[] = {{.part = "",
                                    .url = "https://api.shadeform.ai/v1/instances/types",
                                    .body_max = 16 * FEED_MIB,
                                    .json = read_types}};

const Feed feed_shadeform = {.name = "shadeform",
                             .home = "api.shadeform.ai instance types",
                             .docs = docs,
                             .n_docs = COUNT_OF(docs),
                             .auth = AUTH_HEADER,
                             .key_name = "SHADEFORM_API_KEY",
                             .key_field = "X-API-KEY"};
