// Vultr plans: bare metal and cloud GPUs, on-demand and preemptible.
#include <math.h>
#include <string.h>

#include "catalog/feeds/feed.h"

// gpu_type -> GPU. gb: of one card, to count the cards of plans that state only their total.
typedef struct Card {
    const char *type, *sku_id;
    double gb;
} Card;

static const Card cards[] = {
    {"AMD_MI300X", "mi300x-192gb", 192},
    {"AMD_MI325X", "mi325x-256gb", 256},
    {"AMD_MI355X", "mi355x-288gb", 288},
    {"NVIDIA_A100_SXM", "a100-sxm4-80gb", 80},
    {"NVIDIA_HGX_A100", "a100-sxm4-80gb", 80},
    {"NVIDIA_A100", "", 80},
    {"NVIDIA_HGX_H100", "h100-sxm5-80gb", 80},
    {"NVIDIA_H100", "", 80},
    {"NVIDIA_B200", "b200-sxm6-180gb", 180},
    {"NVIDIA_L40S", "l40s-48gb", 48},
    {"NVIDIA_L40", "l40-48gb", 48},
    {"NVIDIA_A40", "a40-48gb", 48},
    {"NVIDIA_A16", "", 16},
};

// The number in "...-8-mi300x-gpu"; NaN without one.
static double count_in_id(const char *id) {
    Str rest = str_of(id);
    Str part, before = {"", 0};
    Str two_before = {"", 0};
    while (str_next(&rest, '-', &part)) {
        if (str_is(part, "gpu")) return feed_cell_number(two_before);
        two_before = before;
        before = part;
    }
    return (double)NAN;
}

static double count_of(const Json *plan, const char *id, double card_gb) {
    double n = count_in_id(id);
    if (!is_known(n) && text_contains(id, "gh200")) n = 1;  // gpu_vram_gb is the CPU's memory there
    return is_known(n) ? n : feed_number(json_get(plan, "gpu_vram_gb")) / card_gb;
}

// A row for each location, one without region where none has any left.
static void rows(FeedDoc *doc, const Json *plan, FeedRow r, const char *price_key, const char *flag_key) {
    const Json *locations = json_get(plan, "locations");
    const Json *at = json_first(locations);
    r.price = feed_number(json_get(plan, price_key));
    int sold = json_truth(json_get(plan, flag_key));
    r.available = at != NULL && sold == 1  ? AVAILABLE_YES
                  : at != NULL && sold < 0 ? AVAILABLE_UNKNOWN
                                           : AVAILABLE_NO;
    do {
        const char *region = json_text(at);
        r.region = region != NULL ? region : "";
        feed_row(doc, &r);
        at = at != NULL ? json_next(at) : NULL;
    } while (at != NULL);
}

static void read_plan(FeedDoc *doc, const Json *plan) {
    const char *id = feed_text(plan, "id");
    const char *type = feed_text(plan, "gpu_type");
    const Card *card = TABLE_ROW(type, cards);
    double gb = card != NULL ? card->gb : (double)NAN;
    double count = count_of(plan, id, gb);
    if (type[0] == '\0') {
        feed_reject(doc, "no GPU", id);
        return;
    }
    if (!is_known(count)) {
        feed_reject(doc, market_unknown_size, feed_printf(doc, "%s (%s)", id, type));
        return;
    }
    double threads = feed_number(json_get(plan, "cpu_threads"));
    FeedRow r = {.instance = id,
                 .said = feed_said(doc, plan),
                 .sku_id = card != NULL ? card->sku_id : "",
                 .gpu = type,
                 .gpu_memory_gb = gb,
                 .gpu_count = count,
                 .vcpus = is_known(threads) ? threads : feed_number(json_get(plan, "vcpu_count")),
                 .ram_gb = feed_number(json_get(plan, "ram")) * 1.048576 / 1000};
    rows(doc, plan, r, "hourly_cost", "deploy_ondemand");
    r.pricing_model = PRICING_SPOT;
    if (feed_number(json_get(plan, "hourly_cost_preemptible")) > 0)
        rows(doc, plan, r, "hourly_cost_preemptible", "deploy_preemptible");
}

static bool read_plans(FeedDoc *doc, const Json *root, const char *key, Err *e) {
    if (!feed_each(doc, root, key, read_plan, e)) return false;
    const char *cursor = feed_text(json_get(json_get(root, "meta"), "links"), "next");
    if (cursor[0] == '\0') return true;
    if (strspn(cursor, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-=") != strlen(cursor))
        return err_set(e, ERR_FAILED, "the cursor of the next page is none");
    feed_follow(doc, doc->spec->part, feed_printf(doc, "%s&cursor=%s", doc->spec->url, cursor), "");
    return true;
}

static bool read_metal(FeedDoc *doc, const Json *root, Err *e) {
    return read_plans(doc, root, "plans_metal", e);
}
static bool read_cloud(FeedDoc *doc, const Json *root, Err *e) { return read_plans(doc, root, "plans", e); }

static const FeedDocSpec docs[] = {
    {.part = "", .url = "https://api.vultr.com/v2/plans-metal?per_page=500", .json = read_metal},
    {.part = "plans",
     .url = "https://api.vultr.com/v2/plans?type=all&per_page=500",
     .optional = true,
     .json = read_cloud},
};

const Feed feed_vultr = {
    .name = "vultr", .home = "api.vultr.com/v2/plans", .docs = docs, .n_docs = COUNT_OF(docs)};
