// Lambda: instance types as an object keyed by name, prices in cents of the instance.
#include <math.h>
#include <string.h>

#include "catalog/feeds/feed.h"

static void read_type(FeedDoc *doc, const Json *entry) {
    const Json *type = json_get(entry, "instance_type");
    const Json *specs = json_get(type, "specs");
    const char *name = feed_text(type, "name");
    const char *described = feed_text(type, "gpu_description");
    double count = feed_number(json_get(specs, "gpus"));
    if (!(count > 0)) {
        feed_reject(doc, "no GPU", name);
        return;
    }
    const Json *region = json_first(json_get(entry, "regions_with_capacity_available"));
    FeedRow r = {.instance = name,
                 .said = feed_said(doc, type),
                 .gpu = described[0] != '\0' ? described : feed_text(type, "description"),
                 .gpu_count = count,
                 .vcpus = feed_number(json_get(specs, "vcpus")),
                 .ram_gb = feed_number(json_get(specs, "memory_gib")) * 1.073741824,
                 .price = feed_number(json_get(type, "price_cents_per_hour")) / 100,
                 .available = region != NULL ? AVAILABLE_YES : AVAILABLE_NO};
    if (region == NULL) feed_row(doc, &r);
    for (; region != NULL; region = json_next(region)) {
        r.region = feed_text(region, "name");
        feed_row(doc, &r);
    }
}

static bool read_types(FeedDoc *doc, const Json *root, Err *e) {
    const Json *data = json_get(root, "data");
    if (!json_is_object(data)) return err_set(e, ERR_FAILED, "the answer has no object 'data'");
    for (const Json *t = json_first(data); t != NULL; t = json_next(t)) read_type(doc, t);
    return true;
}

static const FeedDocSpec docs[] = {
    {.part = "", .url = "https://cloud.lambda.ai/api/v1/instance-types", .json = read_types}};

const Feed feed_lambda = {.name = "lambda",
                          .home = "cloud.lambda.ai instance types",
                          .docs = docs,
                          .n_docs = COUNT_OF(docs),
                          .auth = AUTH_BEARER,
                          .key_name = "LAMBDA_API_KEY"};
