// DigitalOcean sizes (its AMD Developer Cloud answers in the same shape): whole droplets, a region list for
// each.
#include <math.h>
#include <string.h>

#include "catalog/feeds/feed.h"

static void read_size(FeedDoc *doc, const Json *size) {
    const Json *gpu = json_get(size, "gpu_info");
    const char *slug = feed_text(size, "slug");
    double count = feed_number(json_get(gpu, "count"));
    if (!json_is_object(gpu) || !(count > 0)) {
        feed_reject(doc, "no GPU", slug);
        return;
    }
    double vram = feed_number(json_get(json_get(gpu, "vram"), "amount"));  // of all cards
    bool sold = json_truth(json_get(size, "available")) == 1;
    const Json *region = json_first(json_get(size, "regions"));
    FeedRow r = {.instance = slug,
                 .said = feed_said(doc, size),
                 .gpu = feed_text(gpu, "model"),
                 .gpu_count = count,
                 .gpu_memory_gb = vram / count,
                 .vcpus = feed_number(json_get(size, "vcpus")),
                 .ram_gb = feed_number(json_get(size, "memory")) * 1.048576 / 1000,
                 .price = feed_number(json_get(size, "price_hourly")),
                 .available = sold && region != NULL ? AVAILABLE_YES : AVAILABLE_NO};
    if (region == NULL) feed_row(doc, &r);
    for (; region != NULL; region = json_next(region)) {
        r.region = json_text(region);
        feed_row(doc, &r);
    }
}

static bool read_sizes(FeedDoc *doc, const Json *root, Err *e) {
    if (!feed_each(doc, root, "sizes", read_size, e)) return false;
    const char *next = feed_text(json_get(json_get(root, "links"), "pages"), "next");
    if (next[0] != '\0') feed_follow(doc, doc->spec->part, next, "");
    return true;
}

static const FeedDocSpec docs[] = {
    {.part = "", .url = "https://api.digitalocean.com/v2/sizes?per_page=200&page=1", .json = read_sizes}};

const Feed feed_digitalocean = {.name = "digitalocean",
                                .home = "api.digitalocean.com/v2/sizes",
                                .docs = docs,
                                .n_docs = COUNT_OF(docs),
                                .auth = AUTH_BEARER,
                                .key_name = "DIGITALOCEAN_TOKEN"};
