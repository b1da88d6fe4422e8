// Scaleway's server types: a list for each zone with prices in euros, and what of them is in stock in a
// document of its own.
#include <math.h>
#include <string.h>

#include "catalog/feeds/feed.h"

enum { PAGE_TYPES = 100, PAGES_MAX = 20 };  // what a page holds, and more pages than a zone can need

static const char *zone_of(const FeedDoc *doc) {
    return doc->spec->part[0] != '\0' ? doc->spec->part : "fr-par-2";
}

// ---------------------------------------------------------------- pages

// Asks for the page after this one when this one is full: no answer says how many there are.
static bool follow(FeedDoc *doc, size_t n, const char *zone, Err *e) {
    const char *at = strstr(doc->url, "&page=");
    int64_t page = 0;
    if (n < PAGE_TYPES || at == NULL) return true;
    if (!parse_integer(str_of(at + 6), 1, PAGES_MAX - 1, &page, NULL))
        return err_set(e, ERR_FAILED, "more than %d pages", PAGES_MAX);
    feed_follow(doc, doc->spec->part,
                feed_printf(doc, "%.*s&page=%d", (int)(at - doc->url), doc->url, (int)page + 1), zone);
    return true;
}

static bool read_object(const Json *root, const Json **ret_servers, size_t *ret_n, Err *e) {
    const Json *servers = json_get(root, "servers");
    if (!json_is_object(servers)) return err_set(e, ERR_FAILED, "the answer has no object 'servers'");
    *ret_servers = servers;
    *ret_n = 0;
    for (const Json *s = json_first(servers); s != NULL; s = json_next(s)) (*ret_n)++;
    return true;
}

// ---------------------------------------------------------------- prices

static void read_type(FeedDoc *doc, const Json *type) {
    const Json *gpu = json_get(type, "gpu_info");
    double count = feed_number(json_get(type, "gpu"));
    const char *why = !(count > 0)                                        ? "no GPU"
                      : feed_text(type, "mig_profile")[0] != '\0'         ? "a part of a GPU"
                      : json_truth(json_get(type, "end_of_service")) == 1 ? "no longer sold"
                                                                          : NULL;
    if (why != NULL) {
        feed_reject(doc, why, json_key(type));
        return;
    }
    feed_row(doc, &(FeedRow){.instance = json_key(type),
                             .said = feed_said(doc, type),
                             .region = zone_of(doc),
                             .gpu = feed_text(gpu, "gpu_name"),
                             .gpu_count = count,
                             // of one card; its nominal GB are GiB here
                             .gpu_memory_gb = feed_number(json_get(gpu, "gpu_memory")) / 1073741824,
                             .vcpus = feed_number(json_get(type, "ncpus")),
                             .ram_gb = feed_number(json_get(type, "ram")) / 1e9,
                             .price = feed_number(json_get(type, "hourly_price")),
                             .currency = "EUR"});
}

static bool read_types(FeedDoc *doc, const Json *root, Err *e) {
    const Json *servers = NULL;
    size_t n = 0;
    if (!read_object(root, &servers, &n, e)) return false;
    for (const Json *s = json_first(servers); s != NULL; s = json_next(s)) read_type(doc, s);
    size_t path = strcspn(doc->url, "?");
    const char *stock = feed_printf(doc, "%.*s/availability%s", (int)path, doc->url, doc->url + path);
    bool first = doc->label[0] == '\0';  // of the zone's pages
    if (!follow(doc, n, zone_of(doc), e)) return false;
    if (first) feed_follow(doc, "stock", stock, zone_of(doc));
    return true;
}

// ---------------------------------------------------------------- stock

typedef struct Stock {
    const char *instance;
    Available available;
} Stock;

typedef struct Stocks {
    Stock *all;
    size_t n;
} Stocks;

static bool read_stock(FeedDoc *doc, const Json *root, Err *e) {
    const Json *servers = NULL;
    size_t n = 0;
    if (!read_object(root, &servers, &n, e)) return false;
    Stocks *stocks = arena_alloc(&doc->arena, 1, sizeof *stocks);
    stocks->all = arena_alloc(&doc->arena, n + 1, sizeof *stocks->all);
    for (const Json *s = json_first(servers); s != NULL; s = json_next(s)) {
        const char *word = feed_text(s, "availability");
        bool some = strcmp(word, "available") == 0 || strcmp(word, "scarce") == 0;
        Available available = some                            ? AVAILABLE_YES
                              : strcmp(word, "shortage") == 0 ? AVAILABLE_NO
                                                              : AVAILABLE_UNKNOWN;
        stocks->all[stocks->n++] = (Stock){feed_printf(doc, "%s", json_key(s)), available};
    }
    doc->kept = stocks;
    return follow(doc, n, doc->label, e);
}

static Available stock_of(FeedJob *job, const char *zone, const char *instance) {
    for (FeedDoc *d = feed_doc(job, "stock"); d != NULL; d = feed_doc_after(d)) {
        const Stocks *stocks = d->kept;
        for (size_t i = 0; strcmp(d->label, zone) == 0 && i < stocks->n; i++) {
            if (strcmp(stocks->all[i].instance, instance) == 0) return stocks->all[i].available;
        }
    }
    return AVAILABLE_UNKNOWN;
}

static bool join(FeedJob *job, FeedDoc *into, Err *e) {
    (void)e;
    for (size_t i = 0; i < into->feed->n_docs; i++) {
        for (FeedDoc *d = feed_doc(job, into->feed->docs[i].part); d != NULL; d = feed_doc_after(d)) {
            for (size_t k = 0; k < d->n_rows; k++)
                d->rows[k].available = stock_of(job, d->rows[k].region, d->rows[k].instance);
        }
    }
    return true;
}

#define ZONE(part_name, zone)                                                                                \
    {                                                                                                        \
        .part = part_name,                                                                                   \
        .url = "https://api.scaleway.com/instance/v1/zones/" zone "/products/servers?per_page=100&page=1",   \
        .json = read_types                                                                                   \
    }

static const FeedDocSpec docs[] = {
    ZONE("", "fr-par-2"),
    ZONE("fr-par-1", "fr-par-1"),
    ZONE("fr-par-3", "fr-par-3"),
    ZONE("nl-ams-1", "nl-ams-1"),
    ZONE("nl-ams-2", "nl-ams-2"),
    ZONE("nl-ams-3", "nl-ams-3"),
    ZONE("pl-waw-1", "pl-waw-1"),
    ZONE("pl-waw-2", "pl-waw-2"),
    ZONE("pl-waw-3", "pl-waw-3"),
    ZONE("it-mil-1", "it-mil-1"),
    {.part = "stock", .url = "", .json = read_stock},
};

const Feed feed_scaleway = {.name = "scaleway",
                            .home = "api.scaleway.com server types",
                            .docs = docs,
                            .n_docs = COUNT_OF(docs),
                            .finish = join,
                            .peers = true};
