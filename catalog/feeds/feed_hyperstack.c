// Hyperstack's price book: names of GPUs (and of other things) with a price per GPU-hour.
#include <math.h>
#include <string.h>

#include "catalog/feeds/feed.h"

static bool is_gpu(const char *name) {
    static const char *const words[] = {"A100", "H100",  "H200",  "B200",  "B300", "GB200",
                                        "L40",  "A4000", "A5000", "A6000", "RTX",  "MI3"};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (text_contains(name, words[i])) return true;
    }
    return false;
}

static bool read_book(FeedDoc *doc, const Json *root, Err *e) {
    if (!json_is_array(root)) return err_set(e, ERR_FAILED, "the answer is no price book");
    for (const Json *i = json_first(root); i != NULL; i = json_next(i)) {
        const char *name = feed_text(i, "name");
        bool spot = text_contains(name, "spot");
        if (!is_gpu(name)) {
            feed_reject(doc, "no GPU", name);
            continue;
        }
        feed_row(doc, &(FeedRow){.gpu = name,
                                 .said = feed_said(doc, i),
                                 .gpu_count = (double)NAN,
                                 .pricing_model = spot ? PRICING_SPOT : PRICING_ON_DEMAND,
                                 .price = feed_number(json_get(i, "value")),
                                 .per_gpu = true,
                                 .effective_from = feed_text(i, "start_time")});
    }
    return true;
}

static const FeedDocSpec docs[] = {
    {.part = "", .url = "https://infrahub-api.nexgencloud.com/v1/pricebook", .json = read_book}};

const Feed feed_hyperstack = {.name = "hyperstack",
                              .home = "infrahub-api.nexgencloud.com price book",
                              .docs = docs,
                              .n_docs = COUNT_OF(docs),
                              .auth = AUTH_HEADER,
                              .key_name = "HYPERSTACK_API_KEY",
                              .key_field = "api_key"};
