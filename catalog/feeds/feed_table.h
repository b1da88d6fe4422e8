// Every feed, one line each: how catalog/feeds/feed_table.c lists them.
#ifndef GPUADVISE_CATALOG_FEEDS_FEED_TABLE_H
#define GPUADVISE_CATALOG_FEEDS_FEED_TABLE_H

#include "catalog/feeds/feed.h"

extern const Feed feed_azure, feed_aws, feed_oci, feed_vultr, feed_runpod, feed_vast, feed_cloudrift,
    feed_gpuhunt, feed_skypilot, feed_gpurentalprices;
extern const Feed feed_digitalocean, feed_hotaisle, feed_lambda, feed_shadeform, feed_hyperstack, feed_gcp,
    feed_verda;
extern const Feed feed_scaleway, feed_seeweb, feed_jarvislabs;

#endif
