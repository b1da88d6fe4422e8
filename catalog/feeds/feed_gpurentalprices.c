// gpurentalprices.com (CC BY 4.0): daily list prices per GPU of some thirty providers.
#include <math.h>
#include <string.h>

#include "catalog/feeds/feed.h"

static bool listed_in(const Json *array, const char *name) {
    for (const Json *j = json_first(array); j != NULL; j = json_next(j)) {
        const char *text = json_text(j);
        if (text != NULL && text_same(text, name)) return true;
    }
    return false;
}

// Slugs whose number is the memory.
static const char *sku_of(const char *slug) {
    static const char *const slugs[][2] = {{"a100-sxm-40", "a100-sxm4-40gb"},
                                           {"a100-sxm-80", "a100-sxm4-80gb"},
                                           {"a100-pcie-40", "a100-pcie-40gb"},
                                           {"a100-pcie-80", "a100-pcie-80gb"}};
    return paired(slug, slugs, COUNT_OF(slugs));
}

static void read_offer(FeedDoc *doc, const Json *o, const Json *stale) {
    const char *provider = feed_text(o, "provider");
    const char *kind = feed_text(o, "kind");
    const char *gpu = feed_text(o, "gpu");
    bool spot = strcmp(kind, "spot") == 0;
    const char *example = feed_printf(doc, "%s %s", provider, gpu);
    if (strcmp(kind, "serverless") == 0) {
        feed_reject(doc, "serverless, billed by the second", example);
    } else if (!spot && strcmp(kind, "on-demand") != 0 && strcmp(kind, "secure") != 0 &&
               strcmp(kind, "community") != 0) {
        feed_reject(doc, "unknown kind of price", feed_printf(doc, "%s %s", example, kind));
    } else if (strcmp(provider, "gcp") == 0) {
        feed_reject(doc, "price of the GPU alone, not of a machine", example);
    } else if (listed_in(stale, provider)) {
        feed_reject(doc, "stale at its source", example);
    } else {
        bool tier = strcmp(kind, "secure") == 0 || strcmp(kind, "community") == 0;
        feed_row(doc, &(FeedRow){.provider = provider,
                                 .region = tier ? kind : "",
                                 .gpu = gpu,
                                 .said = feed_said(doc, o),
                                 .sku_id = sku_of(gpu),
                                 .gpu_count = (double)NAN,
                                 .gpu_memory_gb = feed_number(json_get(o, "vram_gb")),
                                 .pricing_model = spot ? PRICING_SPOT : PRICING_ON_DEMAND,
                                 .price = feed_number(json_get(o, "usd_hr")),
                                 .per_gpu = true,
                                 .standing = STANDING_SECONDARY,
                                 .as_of = feed_printf(doc, "%.10s", feed_text(o, "fetched_at")),
                                 .source = feed_printf(doc, "%s, %.120s", doc->feed->home,
                                                       feed_text(o, "source_url"))});
    }
}

static bool read_offers(FeedDoc *doc, const Json *root, Err *e) {
    const Json *offers = NULL;
    if (!feed_array(root, "offers", &offers, e)) return false;
    const Json *stale = json_get(json_get(root, "meta"), "stale_providers");
    for (const Json *o = json_first(offers); o != NULL; o = json_next(o)) read_offer(doc, o, stale);
    return true;
}

static const FeedDocSpec docs[] = {
    {.part = "",
     .url = "https://raw.githubusercontent.com/adriannutiu/gpu-rental-prices/main/data/latest.json",
     .json = read_offers},
};

const Feed feed_gpurentalprices = {.name = "gpurentalprices",
                                   .home = "gpurentalprices.com (CC BY 4.0)",
                                   .docs = docs,
                                   .n_docs = COUNT_OF(docs)};
