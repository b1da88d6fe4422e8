// JarvisLabs' pools of GPUs, as its own SDK asks for them: prices of one GPU in the currency of the account,
// which the answer names.
//
// A pool serves containers or virtual machines ("workload_type") of one to `num_gpus` GPUs, each at the same
// price. Spot is for containers alone, and in Europe an instance has one GPU.
#include <math.h>
#include <string.h>

#include "catalog/feeds/feed.h"

// How many instances of the row's size the pool's free GPUs make.
static void read_free(const Json *pool, const char *key, const char *otherwise, FeedRow *r) {
    double n = known_or(feed_number(json_get(pool, key)), feed_number(json_get(pool, otherwise)));
    r->available = n >= r->gpu_count ? AVAILABLE_YES : n < r->gpu_count ? AVAILABLE_NO : AVAILABLE_UNKNOWN;
    r->machines_seen = floor(n / r->gpu_count);
}

// The pool's instances of so many GPUs.
static void read_count(FeedDoc *doc, const Json *pool, const char *currency, double count) {
    const char *gpu = feed_text(pool, "gpu_type");
    const char *workload = feed_text(pool, "workload_type");
    FeedRow r = {.instance =
                     feed_printf(doc, "%.0fx %s%s%s", count, gpu, workload[0] != '\0' ? " " : "", workload),
                 .region = feed_text(pool, "region"),
                 .said = feed_said(doc, pool),
                 .gpu = gpu,
                 .gpu_count = count,
                 .gpu_memory_gb = feed_number(json_get(pool, "vram")),
                 .vcpus = count * feed_number(json_get(pool, "cpus_per_gpu")),
                 .ram_gb = count * feed_number(json_get(pool, "ram_per_gpu")),
                 .price = feed_number(json_get(pool, "price_per_hour")),
                 .per_gpu = true,
                 .currency = currency};
    read_free(pool, "effective_num_free_devices", "num_free_devices", &r);
    if (json_truth(json_get(pool, "spot_only_server")) != 1) feed_row(doc, &r);
    r.price = feed_number(json_get(pool, "spot_price"));
    if (!is_known(r.price) || strcmp(workload, "container") != 0) return;
    r.pricing_model = PRICING_SPOT;
    read_free(pool, "spot_num_free_devices", "num_free_devices", &r);
    feed_row(doc, &r);
}

static bool read_pools(FeedDoc *doc, const Json *root, Err *e) {
    const Json *pools = NULL;
    const char *currency = feed_text(root, "currency");
    if (!feed_array(root, "server_meta", &pools, e)) return false;
    if (currency[0] == '\0')
        return err_set(
            e, ERR_FAILED,
            "the answer does not say in which currency its prices are: they are in rupees for some accounts");
    for (const Json *p = json_first(pools); p != NULL; p = json_next(p)) {
        double most = text_contains(feed_text(p, "region"), "europe")
                          ? 1
                          : known_or(feed_number(json_get(p, "num_gpus")), 1);
        for (double count = 1; count <= fmin(most, 8); count *= 2) read_count(doc, p, currency, count);
    }
    return true;
}

static const FeedDocSpec docs[] = {
    {.part = "", .url = "https://backendn.jarvislabs.net/misc/server_meta", .json = read_pools}};

const Feed feed_jarvislabs = {.name = "jarvislabs",
                              .home = "backendn.jarvislabs.net pools of GPUs",
                              .docs = docs,
                              .n_docs = COUNT_OF(docs),
                              .auth = AUTH_BEARER,
                              .key_name = "JL_API_KEY"};
