// Azure Retail Prices: on-demand, spot and reserved Linux prices of N-series sizes, page by page.
#include <math.h>
#include <string.h>

#include "catalog/feeds/feed.h"

static bool ends(const char *text, const char *end) {
    size_t n = strlen(text);
    size_t k = strlen(end);
    return n >= k && text_same(text + n - k, end);
}

// NULL, or why the item is no offer of Linux on shared hosts that can be had today.
static const char *unfit(const FeedDoc *doc, const Json *item) {
    const char *product = feed_text(item, "productName");
    int64_t day = 0;
    if (text_same(feed_text(item, "type"), "DevTestConsumption")) return "DevTest price";
    if (text_contains(product, "Windows") || ends(product, " Win")) return "Windows price";
    if (text_contains(product, "Dedicated")) return "dedicated host";
    if (feed_number(json_get(item, "tierMinimumUnits")) > 0) return "price of a volume tier";
    if (parse_date(str_of(feed_text(item, "effectiveEndDate")), &day, NULL) && day < doc->today)
        return "no longer effective";
    return NULL;
}

// Number of vCPUs in "Standard_ND96isr_MI300X_v5".
static double vcpus_of(const char *size) {
    const char *at = size + strcspn(size, "_");
    at += strcspn(at, "0123456789");
    return feed_cell_number((Str){at, strspn(at, "0123456789")});
}

static bool read_price(const Json *item, FeedRow *r, const char **ret_why) {
    const char *unit = feed_text(item, "unitOfMeasure");
    const char *term = feed_text(item, "reservationTerm");
    double price = feed_number(json_get(item, "retailPrice"));
    *ret_why = NULL;
    if (text_same(feed_text(item, "type"), "Reservation")) {
        bool one = text_same(term, "1 Year");
        if (!one && !text_same(term, "3 Years")) *ret_why = "reservation of another term than 1 or 3 years";
        r->pricing_model = one ? PRICING_RESERVED_1Y : PRICING_RESERVED_3Y;
        r->price = price / (one ? HOURS_A_YEAR : 3 * HOURS_A_YEAR);
    } else if (strcmp(unit, "1 Hour") != 0) {
        *ret_why = "the unit is not an hour";
    } else {
        r->price = price;  // on-demand, unless its product, meter or SKU says otherwise
    }
    return *ret_why == NULL;
}

static void read_item(FeedDoc *doc, const Json *item) {
    const char *size = feed_text(item, "armSkuName");
    const char *why = unfit(doc, item);
    SizeGpu gpu = {0};
    if (size[0] == '\0') size = feed_text(item, "skuName");
    if (why == NULL && strncmp(size, "Standard_N", 10) != 0) why = "no GPU";
    if (why == NULL && (strncmp(size, "Standard_NP", 11) == 0 || strncmp(size, "Standard_NM", 11) == 0))
        why = "FPGA or media card, no GPU";
    if (why == NULL && !feed_size(doc, "azure", size, &gpu)) why = market_unknown_size;
    FeedRow r = {.instance = size,
                 .region = feed_text(item, "armRegionName"),
                 .sku_id = gpu.sku_id,
                 .gpu = gpu.name,
                 .said = feed_said(doc, item),
                 .gpu_count = gpu.gpu_count,
                 .vcpus = vcpus_of(size),
                 .ram_gb = (double)NAN,
                 .effective_from = feed_text(item, "effectiveStartDate"),
                 .currency = feed_text(item, "currencyCode")};
    if (why == NULL && read_price(item, &r, &why)) {
        feed_row(doc, &r);
    } else {
        feed_reject(doc, why,
                    why == market_unknown_size
                        ? size
                        : feed_printf(doc, "%s (%s)", size, feed_text(item, "productName")));
    }
}

static bool read_page(FeedDoc *doc, const Json *root, Err *e) {
    if (!feed_each(doc, root, "Items", read_item, e)) return false;
    const char *next = feed_text(root, "NextPageLink");
    if (next[0] != '\0') feed_follow(doc, doc->spec->part, next, "");
    return true;
}

#define AZURE                                                                                                \
    "https://prices.azure.com/api/retail/"                                                                   \
    "prices?api-version=2023-01-01-preview&$filter=serviceName%20eq%20%27Virtual%20Machines%27"
#define N_SERIES "%20and%20contains(armSkuName,%27Standard_N%27)"

static const FeedDocSpec docs[] = {
    {.part = "",
     .url = AZURE "%20and%20priceType%20eq%20%27Consumption%27" N_SERIES,
     .body_max = 16 * FEED_MIB,
     .timeout_s = 120,
     .json = read_page},
    {.part = "reserved",
     .url = AZURE "%20and%20priceType%20eq%20%27Reservation%27" N_SERIES,
     .optional = true,
     .body_max = 16 * FEED_MIB,
     .timeout_s = 120,
     .json = read_page},
};

const Feed feed_azure = {
    .name = "azure", .home = "prices.azure.com retail prices API", .docs = docs, .n_docs = COUNT_OF(docs)};
