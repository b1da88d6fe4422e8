// Google Cloud: its catalog prices GPUs, cores, memory and disks apart; machines are added up from them
// (data/gcp_machines.tsv).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/feeds/feed.h"

static const char ssd_words[] = "SSD backed Local Storage";

enum { PRICES_MAX = 100 * 1000 };

// What one part costs in one region.
typedef struct PartPrice {
    const char *words, *region;
    int spot;
    double usd;  // of one GPU, core, GiB, an hour
} PartPrice;

typedef struct PartPrices {
    PartPrice *all;
    size_t n, capacity;
} PartPrices;

static int compare(const void *x, const void *y) {
    const PartPrice *a = x;
    const PartPrice *b = y;
    int order = strcmp(a->words, b->words);
    if (order == 0) order = strcmp(a->region, b->region);
    return order != 0 ? order : a->spot - b->spot;
}

static void push(Arena *a, PartPrices *p, const PartPrice *price) {
    if (p->n == PRICES_MAX) return;
    if (p->n == p->capacity) {
        size_t capacity = p->capacity == 0 ? 256 : p->capacity * 2;
        PartPrice *all = arena_alloc(a, capacity, sizeof *all);
        if (p->n > 0) memcpy(all, p->all, p->n * sizeof *all);
        p->all = all;
        p->capacity = capacity;
    }
    p->all[p->n++] = *price;
}

// ---------------------------------------------------------------- one page

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

// "WORDS running in Americas", "WORDS attached to Spot Preemptible VMs running in ...", "Spot Preemptible
// WORDS running in ...".
static bool speaks_of(const char *description, const char *words, int *ret_spot) {
    static const char ahead[] = "Spot Preemptible ";
    bool spot = begins(description, ahead);
    const char *at = description + (spot ? sizeof ahead - 1 : 0);
    if (words[0] == '\0' || !begins(at, words)) return false;
    at += strlen(words);
    bool attached = begins(at, " attached to Spot Preemptible VMs");
    bool plain = *at == '\0' || begins(at, " running in ") || begins(at, " in ");
    if (!attached && !plain) return false;
    *ret_spot = spot || attached;
    return true;
}

// The part that a description speaks of; NULL: of none of those machines.
static const char *part_of(const SellerFacts *f, const char *description, const char **ret_unit,
                           int *ret_spot) {
    if (speaks_of(description, ssd_words, ret_spot)) {
        *ret_unit = "GiBy.mo";
        return ssd_words;
    }
    for (size_t i = 0; f != NULL && i < f->n_machines; i++) {
        const PartsMachine *m = &f->machines[i];
        const char *const words[] = {m->gpu_words, m->core_words, m->ram_words};
        const char *const units[] = {"h", "h", "GiBy.h"};
        for (size_t k = 0; k < COUNT_OF(words); k++) {
            if (!speaks_of(description, words[k], ret_spot)) continue;
            *ret_unit = units[k];
            return words[k];
        }
    }
    return NULL;
}

// Of a price's timeline what is in force: the latest that has begun, or its first.
static const Json *info_of(const FeedDoc *doc, const Json *sku) {
    const Json *found = json_first(json_get(sku, "pricingInfo"));
    int64_t since = INT64_MIN;
    for (const Json *info = found; info != NULL; info = json_next(info)) {
        int64_t day = 0;
        if (!parse_date(str_of(feed_text(info, "effectiveTime")), &day, NULL) || day > doc->today ||
            day < since)
            continue;
        since = day;
        found = info;
    }
    return found;
}

// Dollars of the only tier, or why there is no such price.
static const char *price_of(const FeedDoc *doc, const Json *sku, const char *unit, double *ret_usd) {
    const Json *info = info_of(doc, sku);
    const Json *expression = json_get(info, "pricingExpression");
    const Json *tier = json_first(json_get(expression, "tieredRates"));
    const Json *price = json_get(tier, "unitPrice");
    int64_t day = 0;
    double nanos = feed_number(json_get(price, "nanos"));
    double units = feed_number(json_get(price, "units"));
    if (parse_date(str_of(feed_text(info, "effectiveTime")), &day, NULL) && day > doc->today)
        return "effective in the future";
    if (strcmp(feed_text(expression, "usageUnit"), unit) != 0) return "another unit than its part has";
    if (tier == NULL || json_next(tier) != NULL) return "price of volume tiers";
    if (strcmp(feed_text(price, "currencyCode"), "USD") != 0) return "another currency than USD";
    if (!is_known(units) && !is_known(nanos)) return "the price is no number";
    *ret_usd = (is_known(units) ? units : 0) +
               (is_known(nanos) ? nanos : 0) / 1e9;  // either is left out when it is 0
    return *ret_usd > 0 ? NULL : "price of 0: unknown, not free";
}

// Worth a word when it is left out? Most of the catalog has nothing to do with GPUs.
static bool is_gpu(const Json *sku) {
    return strcmp(feed_text(json_get(sku, "category"), "resourceGroup"), "GPU") == 0 ||
           text_contains(feed_text(sku, "description"), " GPU");
}

static const char *unfit(const char *description, const Json *sku) {
    const char *usage = feed_text(json_get(sku, "category"), "usageType");
    if (begins(description, "Commitment") || begins(usage, "Commit"))
        return "commitment for parts, not a price of a machine";
    if (text_contains(description, "DWS") || text_contains(description, "Calendar Mode") ||
        begins(description, "Reserved"))
        return "flexible-start or calendar reservation";
    return "a GPU alone, or of a machine that is not known";
}

static void read_sku(FeedDoc *doc, PartPrices *prices, const Json *sku) {
    const char *description = feed_text(sku, "description");
    const char *usage = feed_text(json_get(sku, "category"), "usageType");
    const char *unit = "";
    int spot = 0;
    const char *words = begins(usage, "Commit") ? NULL : part_of(doc->sellers, description, &unit, &spot);
    double usd = 0;
    const char *why = words == NULL ? unfit(description, sku) : price_of(doc, sku, unit, &usd);
    if (why != NULL) {
        if (words != NULL || is_gpu(sku)) feed_reject(doc, why, description);
        return;
    }
    // the words are right where the usage type is not, and the other way round
    spot = spot || strcmp(usage, "Preemptible") == 0;
    for (const Json *r = json_first(json_get(sku, "serviceRegions")); r != NULL; r = json_next(r)) {
        const char *region = json_text(r);
        if (region != NULL)
            push(&doc->arena, prices, &(PartPrice){words, feed_printf(doc, "%s", region), spot, usd});
    }
}

// As a value in a URL's query.
static const char *escaped(Arena *a, const char *text) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";
    static const char hex[] = "0123456789ABCDEF";
    char *out = arena_alloc(a, strlen(text) * 3 + 1, 1);
    char *to = out;
    for (; *text != '\0'; text++) {
        if (strchr(plain, *text) != NULL) {
            *to++ = *text;
            continue;
        }
        *to++ = '%';
        *to++ = hex[(unsigned char)*text >> 4];
        *to++ = hex[(unsigned char)*text & 15];
    }
    return out;
}

static bool read_page(FeedDoc *doc, const Json *root, Err *e) {
    const Json *skus = NULL;
    if (!feed_array(root, "skus", &skus, e)) return false;
    PartPrices *prices = arena_alloc(&doc->arena, 1, sizeof *prices);
    for (const Json *s = json_first(skus); s != NULL; s = json_next(s)) read_sku(doc, prices, s);
    doc->kept = prices;
    const char *next = feed_text(root, "nextPageToken");
    if (next[0] == '\0') return true;
    feed_follow(doc, doc->spec->part,
                feed_printf(doc, "%s&pageToken=%s", doc->spec->url, escaped(&doc->arena, next)), "");
    return true;
}

// ---------------------------------------------------------------- machines

static double part_usd(const PartPrices *p, const char *words, const char *region, int spot) {
    const PartPrice key = {words, region, spot, 0};
    const PartPrice *found = p->n > 0 ? bsearch(&key, p->all, p->n, sizeof key, compare) : NULL;
    return found != NULL ? found->usd : (double)NAN;
}

// One hour of the whole machine; NaN when a part has no price there.
static double machine_usd(const PartPrices *p, const PartsMachine *m, const PartPrice *gpu) {
    double usd = gpu->usd * m->gpu_count;
    if (m->core_words[0] != '\0') usd += part_usd(p, m->core_words, gpu->region, gpu->spot) * m->vcpus;
    if (m->ram_words[0] != '\0') usd += part_usd(p, m->ram_words, gpu->region, gpu->spot) * m->ram_gib;
    if (m->ssd_gib > 0) usd += part_usd(p, ssd_words, gpu->region, gpu->spot) * m->ssd_gib / HOURS_A_MONTH;
    return usd;
}

static void machine_row(FeedDoc *into, const PartPrices *p, const PartsMachine *m, const PartPrice *gpu) {
    const char *example = feed_printf(into, "%s in %s", m->machine, gpu->region);
    double usd = machine_usd(p, m, gpu);
    if (!gpu->spot && m->on_demand != 1) {
        feed_reject(into, "priced, but not sold on demand", example);
    } else if (!is_known(usd)) {
        feed_reject(into, "a part of the machine has no price in that region", example);
    } else {
        feed_row(into, &(FeedRow){.instance = m->machine,
                                  .region = gpu->region,
                                  .sku_id = m->sku_id,
                                  .gpu = m->gpu,
                                  .gpu_count = m->gpu_count,
                                  .gpu_memory_gb = (double)NAN,
                                  .vcpus = m->vcpus,
                                  .ram_gb = m->ram_gib * 1.073741824,
                                  .pricing_model = gpu->spot ? PRICING_SPOT : PRICING_ON_DEMAND,
                                  .price = usd});
    }
}

static bool add_up(FeedJob *job, FeedDoc *into, Err *e) {
    PartPrices p = {0};
    for (FeedDoc *d = feed_doc(job, ""); d != NULL; d = feed_doc_after(d)) {
        const PartPrices *page = d->kept;
        for (size_t i = 0; page != NULL && i < page->n; i++) push(&into->arena, &p, &page->all[i]);
    }
    if (p.n == 0) return err_set(e, ERR_FAILED, "no price of a GPU machine's parts in the catalog");
    qsort(p.all, p.n, sizeof *p.all, compare);
    for (size_t i = 0; i < p.n; i++) {
        if (i > 0 && compare(&p.all[i - 1], &p.all[i]) == 0) continue;  // said twice
        for (size_t k = 0; into->sellers != NULL && k < into->sellers->n_machines; k++) {
            const PartsMachine *m = &into->sellers->machines[k];
            if (strcmp(m->gpu_words, p.all[i].words) == 0) machine_row(into, &p, m, &p.all[i]);
        }
    }
    return true;
}

// 6F81-5844-456A: Compute Engine.
static const FeedDocSpec docs[] = {
    {.part = "",
     .url = "https://cloudbilling.googleapis.com/v1/services/6F81-5844-456A/skus?pageSize=5000",
     .body_max = 64 * FEED_MIB,
     .timeout_s = 120,
     .json = read_page}};

const Feed feed_gcp = {.name = "gcp",
                       .home = "cloudbilling.googleapis.com catalog of Compute Engine",
                       .docs = docs,
                       .n_docs = COUNT_OF(docs),
                       .finish = add_up,
                       .auth = AUTH_HEADER,
                       .key_name = "GCP_API_KEY",
                       .key_field = "X-Goog-Api-Key"};
