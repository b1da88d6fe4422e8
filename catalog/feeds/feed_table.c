// The table of feeds.
#include "catalog/feeds/feed_table.h"

#include <string.h>

#define FEED_ROW_(name) &feed_##name,
const Feed *const feed_table[] = {FEEDS(FEED_ROW_)};
const size_t n_feeds = COUNT_OF(feed_table);

const Feed *feed_find(const char *name) {
    for (size_t i = 0; i < n_feeds; i++) {
        if (strcmp(feed_table[i]->name, name) == 0) return feed_table[i];
    }
    return NULL;
}
