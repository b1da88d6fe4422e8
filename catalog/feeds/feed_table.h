// Every feed, one line each, in the order of `prices refresh`: to add one, write its feed_x.c and its line here.
#ifndef GPUADVISE_CATALOG_FEEDS_FEED_TABLE_H
#define GPUADVISE_CATALOG_FEEDS_FEED_TABLE_H

#include "catalog/feeds/feed.h"

// clang-format off
#define FEEDS(FEED) \
    FEED(azure) \
    FEED(aws) \
    FEED(oci) \
    FEED(vultr) \
    FEED(runpod) \
    FEED(vast) \
    FEED(cloudrift) \
    FEED(gpuhunt) \
    FEED(skypilot) \
    FEED(gpurentalprices) \
    FEED(digitalocean) \
    FEED(hotaisle) \
    FEED(lambda) \
    FEED(shadeform) \
    FEED(hyperstack) \
    FEED(gcp) \
    FEED(verda) \
    FEED(scaleway) \
    FEED(seeweb) \
    FEED(jarvislabs)

#define FEED_DECLARED_(name) extern const Feed feed_##name;
FEEDS(FEED_DECLARED_)
#undef FEED_DECLARED_
// clang-format on

#endif
