// The table of feeds.
#include "catalog/feeds/feed_table.h"

#include <string.h>

const Feed *const feed_table[] = {
    &feed_azure,        &feed_aws,       &feed_oci,      &feed_vultr,     &feed_runpod,
    &feed_vast,         &feed_cloudrift, &feed_gpuhunt,  &feed_skypilot,  &feed_gpurentalprices,
    &feed_digitalocean, &feed_hotaisle,  &feed_lambda,   &feed_shadeform, &feed_hyperstack,
    &feed_gcp,          &feed_verda,     &feed_scaleway, &feed_seeweb,    &feed_jarvislabs};
const size_t n_feeds = COUNT_OF(feed_table);

const Feed *feed_find(const char *name) {
    for (size_t i = 0; i < n_feeds; i++) {
        if (strcmp(feed_table[i]->name, name) == 0) return feed_table[i];
    }
    return NULL;
}
