// AWS: the price list of EC2 in one region (CSV of hundreds of MB, streamed) and the spot prices of its web
// site.
#include <math.h>
#include <string.h>

#include "catalog/feeds/feed.h"
#include "src/market/gpu_names.h"

// ---------------------------------------------------------------- price list

enum {
    C_SKU,
    C_TERM,
    C_UNIT,
    C_PRICE,
    C_CURRENCY,
    C_TYPE,
    C_TENANCY,
    C_SYSTEM,
    C_CAPACITY,
    C_SOFTWARE,
    C_MARKET,
    C_GPU,
    C_REGION,
    C_LENGTH,
    C_OPTION,
    C_CLASS,
    C_VCPU,
    C_MEMORY,
    C_DATE
};

static const char *const columns[] = {"SKU",
                                      "TermType",
                                      "Unit",
                                      "PricePerUnit",
                                      "Currency",
                                      "Instance Type",
                                      "?Tenancy",
                                      "?Operating System",
                                      "?CapacityStatus",
                                      "?Pre Installed S/W",
                                      "?MarketOption",
                                      "?GPU",
                                      "?Region Code",
                                      "?LeaseContractLength",
                                      "?PurchaseOption",
                                      "?OfferingClass",
                                      "?vCPU",
                                      "?Memory",
                                      "?EffectiveDate"};

static bool one_of(Str cell, const char *a, const char *b, const char *c) {
    return str_is(cell, a) || str_is(cell, b) || str_is(cell, c);
}

// NULL, or why the row is no price of an hour of Linux on shared hosts.
static const char *unfit(const Str *c) {
    if (str_is(c[C_SYSTEM], "Windows")) return "Windows price";
    if (!one_of(c[C_SYSTEM], "Linux", "", "")) return "another system than Linux";
    if (str_is(c[C_TENANCY], "Dedicated") || str_is(c[C_TENANCY], "Host"))
        return "dedicated host or instance";
    if (!one_of(c[C_TENANCY], "Shared", "", "")) return "tenancy other than shared";
    if (str_is(c[C_CAPACITY], "UnusedCapacityReservation") ||
        str_is(c[C_CAPACITY], "AllocatedCapacityReservation"))
        return "capacity reservation";
    if (!one_of(c[C_CAPACITY], "Used", "", "")) return "capacity that is not in use";
    if (!one_of(c[C_SOFTWARE], "NA", "", "None")) return "with licensed software";
    if (str_is(c[C_MARKET], "CapacityBlock")) return "capacity block";
    if (!one_of(c[C_MARKET], "OnDemand", "", "NA")) return "market option other than on-demand";
    if (!one_of(c[C_UNIT], "Hrs", "Hours", "Hour")) return "the unit is not an hour";
    return NULL;
}

// NULL, or why a reserved row is not comparable: only standard terms without an upfront payment are a price
// per hour.
static const char *term(const Str *c, PricingModel *ret_model) {
    *ret_model = PRICING_ON_DEMAND;
    if (str_is(c[C_TERM], "OnDemand")) return NULL;
    if (!str_is(c[C_TERM], "Reserved")) return "another term than on-demand or reserved";
    if (!str_is(c[C_OPTION], "No Upfront")) return "reservation with an upfront payment";
    if (!str_is(c[C_CLASS], "standard")) return "convertible reservation";
    if (!one_of(c[C_LENGTH], "1yr", "3yr", "3yr")) return "reservation of another term than 1 or 3 years";
    *ret_model = str_is(c[C_LENGTH], "1yr") ? PRICING_RESERVED_1Y : PRICING_RESERVED_3Y;
    return NULL;
}

// "2,048 GiB" -> GB of 10^9.
static double memory_gb(Str cell) {
    char digits[32];
    size_t n = 0;
    for (size_t i = 0; i < cell.length && cell.data[i] != ' ' && n + 1 < sizeof digits; i++) {
        if (cell.data[i] != ',') digits[n++] = cell.data[i];
    }
    return feed_cell_number((Str){digits, n}) * 1.073741824;
}

static void listed(FeedDoc *doc, const Str *c, const char *type, const SizeGpu *gpu, PricingModel model) {
    FeedRow r = {.instance = type,
                 .region = feed_cell(doc, c[C_REGION]),
                 .said = feed_said_unread(doc),
                 .sku_id = gpu->sku_id,
                 .gpu = gpu->name,
                 .gpu_count = gpu->gpu_count,
                 .vcpus = feed_cell_number(c[C_VCPU]),
                 .ram_gb = memory_gb(c[C_MEMORY]),
                 .pricing_model = model,
                 .price = feed_cell_number(c[C_PRICE]),
                 .effective_from = feed_cell(doc, c[C_DATE]),
                 .currency = feed_cell(doc, c[C_CURRENCY])};
    feed_row(doc, &r);
}

static bool read_row(FeedDoc *doc, const Str *c, Err *e) {
    (void)e;
    char type[64];
    SizeGpu gpu = {0};
    double stated = feed_cell_number(c[C_GPU]);
    if (c[C_TYPE].length >= sizeof type) return true;
    memcpy(type, c[C_TYPE].data, c[C_TYPE].length);
    type[c[C_TYPE].length] = '\0';
    bool known = c[C_TYPE].length > 0 && feed_size(doc, "aws", type, &gpu);
    // a machine without GPU, storage, traffic: nearly every row, not worth counting
    if (!known && !(stated > 0)) return true;
    PricingModel model = PRICING_ON_DEMAND;
    const char *why = unfit(c);
    if (why == NULL) why = term(c, &model);
    if (why == NULL && known && stated >= 1 && gpu.gpu_count >= 1 && stated != gpu.gpu_count)
        why = "the GPU count is not the size's";
    if (why != NULL) {
        feed_reject(doc, why, type);
        return true;
    }
    if (!known) gpu = (SizeGpu){"", feed_printf(doc, "GPU of %.*s", (int)strcspn(type, "."), type), stated};
    listed(doc, c, type, &gpu, model);
    return true;
}

static const FeedColumns price_list = {columns, COUNT_OF(columns), read_row};

// ---------------------------------------------------------------- spot

// The site's names of regions that are not those of the API (seen in yeo/ec2.shop).
static const char *const odd_regions[][2] = {{"us-east", "us-east-1"},        {"us-west", "us-west-1"},
                                             {"us-west-2", "us-west-2"},      {"eu-ireland", "eu-west-1"},
                                             {"apac-sin", "ap-southeast-1"},  {"apac-syd", "ap-southeast-2"},
                                             {"apac-tokyo", "ap-northeast-1"}};

static const char *region_name(const char *name) {
    const char *usual = paired(name, odd_regions, COUNT_OF(odd_regions));
    return usual != NULL ? usual : name;
}

static void spot_size(FeedDoc *doc, const char *region, const Json *size) {
    const char *type = feed_text(size, "size");
    SizeGpu gpu = {0};
    if (!feed_size(doc, "aws", type, &gpu)) {
        if (instance_has_gpus("aws", type)) feed_reject(doc, market_unknown_size, type);
        return;
    }
    for (const Json *v = json_first(json_get(size, "valueColumns")); v != NULL; v = json_next(v)) {
        const Json *price = json_get(json_get(v, "prices"), "USD");
        const char *text = json_text(price);
        if (!text_same(feed_text(v, "name"), "linux")) {
            feed_reject(doc, "Windows price", type);
        } else if (text != NULL && text_contains(text, "N/A")) {
            feed_reject(doc, "not sold there", type);
        } else {
            feed_row(doc, &(FeedRow){.instance = type,
                                     .region = region_name(region),
                                     .sku_id = gpu.sku_id,
                                     .gpu = gpu.name,
                                     .gpu_count = gpu.gpu_count,
                                     .vcpus = (double)NAN,
                                     .ram_gb = (double)NAN,
                                     .pricing_model = PRICING_SPOT,
                                     .price = feed_number(price),
                                     .source = "website.spot.ec2.aws.a2z.com/spot.js"});
        }
    }
}

static bool read_spot(FeedDoc *doc, Str text, Err *e) {
    size_t start = 0;
    size_t end = text.length;
    while (start < end && text.data[start] != '{') start++;
    while (end > start && text.data[end - 1] != '}') end--;
    Json *root = NULL;
    const Json *regions = NULL;
    if (!json_parse((Str){text.data + start, end - start}, FEED_VALUES_MAX, &root, e)) return false;
    bool ok = feed_array(json_get(root, "config"), "regions", &regions, e);
    for (const Json *r = ok ? json_first(regions) : NULL; r != NULL; r = json_next(r)) {
        for (const Json *t = json_first(json_get(r, "instanceTypes")); t != NULL; t = json_next(t)) {
            for (const Json *s = json_first(json_get(t, "sizes")); s != NULL; s = json_next(s))
                spot_size(doc, feed_text(r, "region"), s);
        }
    }
    json_free(root);
    return ok;
}

// One list a region, each of hundreds of MB: more than the one with most GPUs is for whoever asks for it.
static const char *const regions[] = {"us-east-1"};

static const FeedDocSpec docs[] = {
    {.part = "",
     .url = "https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/AmazonEC2/current/{region}/index.csv",
     .kind = FEED_CSV,
     .body_max = 6000 * FEED_MIB,
     .timeout_s = 1800,
     .csv = &price_list},
    {.part = "spot",
     .url = "https://website.spot.ec2.aws.a2z.com/spot.js",
     .kind = FEED_TEXT,
     .optional = true,
     .body_max = 32 * FEED_MIB,
     .timeout_s = 120,
     .text = read_spot},
};

const Feed feed_aws = {.name = "aws",
                       .home = "pricing.us-east-1.amazonaws.com AmazonEC2 price list",
                       .docs = docs,
                       .n_docs = COUNT_OF(docs),
                       .regions = regions,
                       .n_regions = COUNT_OF(regions)};
