// Vast.ai: a marketplace of machines. Of machines alike in GPU, its memory, count and country the cheapest
// stands for all, and tells how many others can be had for about as much.
#include <math.h>
#include <string.h>

#include "catalog/feeds/feed.h"

enum { KINDS_MAX = 4000 };
// machines that ask at most a tenth more than the cheapest count as of its price
static const double alike = 1.1;

// Machines, and the hosts whose they are: NaN where a machine tells none.
typedef struct Supply {
    double machines, hosts;
    struct Host *first;
} Supply;

typedef struct Host {
    double id;
    struct Host *next;
} Host;

typedef struct Kind {
    const char *gpu, *country;
    double count, vram_gb, vcpus, ram_gb, usd, bid;
    Supply supply, bid_supply;  // that can be had for about usd, for about bid
} Kind;

// "Paris, FR" -> "FR"; "" unknown.
static const char *country_of(FeedDoc *doc, const Json *offer) {
    const char *where = feed_text(offer, "geolocation");
    const char *comma = strrchr(where, ',');
    return feed_cell(doc, str_of(comma != NULL ? comma + 1 : where));
}

// Of one card, as the machine reports it.
static double card_gb(const Json *offer) { return feed_number(json_get(offer, "gpu_ram")) * 1.048576 / 1000; }

// Cards of one name come with several memories ("A100 SXM4": 40 and 80 GB); what drivers report of one size
// differs by a percent or two.
static bool same_card(double x_gb, double y_gb) {
    return !is_known(x_gb) || !is_known(y_gb) ? is_known(x_gb) == is_known(y_gb)
                                              : fabs(x_gb - y_gb) <= 0.1 * y_gb;
}

static bool is_kind(const Kind *k, const char *gpu, double count, double gb, const char *country) {
    return k->count == count && same_card(gb, k->vram_gb) && strcmp(k->gpu, gpu) == 0 &&
           strcmp(k->country, country) == 0;
}

static Kind *kind_of(FeedDoc *doc, Kind *kinds, size_t *n, const char *gpu, double count, double gb,
                     const char *country) {
    for (size_t i = 0; i < *n; i++) {
        if (is_kind(&kinds[i], gpu, count, gb, country)) return &kinds[i];
    }
    if (*n == KINDS_MAX) return NULL;
    kinds[*n] = (Kind){.gpu = feed_printf(doc, "%s", gpu),
                       .country = country,
                       .count = count,
                       .vram_gb = gb,
                       .vcpus = (double)NAN,
                       .ram_gb = (double)NAN,
                       .usd = (double)NAN,
                       .bid = (double)NAN};
    return &kinds[(*n)++];
}

static bool is_offered(const Json *o) {
    return json_truth(json_get(o, "rentable")) != 0 && json_truth(json_get(o, "rented")) != 1;
}

static bool less(double x, double than) { return x > 0 && !(than <= x); }

static void supply_add(FeedDoc *doc, Supply *s, double host) {
    s->machines++;
    if (!is_known(host)) s->hosts = (double)NAN;
    for (const Host *h = s->first; h != NULL; h = h->next) {
        if (h->id == host) return;
    }
    Host *h = arena_alloc(&doc->arena, 1, sizeof *h);
    *h = (Host){host, s->first};
    s->first = h;
    s->hosts++;
}

// One machine more for about the price of its kind: called when all offers were read.
static void count_offer(FeedDoc *doc, const Json *o, Kind *kinds, size_t n) {
    double count = feed_number(json_get(o, "num_gpus"));
    const char *gpu = feed_printf(doc, "%s", feed_text(o, "gpu_name"));
    const char *country = country_of(doc, o);
    double usd = feed_number(json_get(o, "dph_base"));
    double bid = feed_number(json_get(o, "min_bid"));
    if (!is_offered(o)) return;
    for (size_t i = 0; i < n; i++) {
        Kind *k = &kinds[i];
        if (!is_kind(k, gpu, count, card_gb(o), country)) continue;
        double host = feed_number(json_get(o, "host_id"));
        if (usd > 0 && usd <= alike * k->usd) supply_add(doc, &k->supply, host);
        if (usd > 0 && bid > 0 && bid <= alike * k->bid) supply_add(doc, &k->bid_supply, host);
    }
}

static void read_offer(FeedDoc *doc, const Json *o, Kind *kinds, size_t *n) {
    const char *gpu = feed_text(o, "gpu_name");
    double count = feed_number(json_get(o, "num_gpus"));
    const char *shown = feed_printf(doc, "%s", gpu);
    double usd = feed_number(json_get(o, "dph_base"));
    double bid = feed_number(json_get(o, "min_bid"));
    if (gpu[0] == '\0' || !(count > 0)) {
        feed_reject(doc, "no GPU", shown);
    } else if (!is_offered(o)) {
        feed_reject(doc, "rented out", shown);
    } else if (!(usd > 0)) {
        feed_reject(doc, is_known(usd) ? "the price is 0 or negative" : "the price is no number", shown);
    } else {
        Kind *k = kind_of(doc, kinds, n, gpu, count, card_gb(o), country_of(doc, o));
        if (k == NULL) {
            feed_reject(doc, "more kinds than a feed may have", shown);
            return;
        }
        if (less(usd, k->usd)) {
            double cores = feed_number(json_get(o, "cpu_cores_effective"));
            k->usd = usd;
            k->vcpus = is_known(cores) ? cores : feed_number(json_get(o, "cpu_cores"));
            k->ram_gb = feed_number(json_get(o, "cpu_ram")) / 1000;
        }
        if (less(bid, k->bid)) k->bid = bid;
    }
}

static bool read_offers(FeedDoc *doc, const Json *root, Err *e) {
    const Json *offers = NULL;
    if (!feed_array(root, "offers", &offers, e)) return false;
    Kind *kinds = arena_alloc(&doc->arena, KINDS_MAX, sizeof *kinds);
    size_t n = 0;
    for (const Json *o = json_first(offers); o != NULL; o = json_next(o)) read_offer(doc, o, kinds, &n);
    for (const Json *o = json_first(offers); o != NULL; o = json_next(o)) count_offer(doc, o, kinds, n);
    for (size_t i = 0; i < n; i++) {
        const Kind *k = &kinds[i];
        // what tells cards of one name apart
        const char *size =
            is_known(k->vram_gb) ? feed_printf(doc, " %.0fGB", k->vram_gb * 1000 / 1.048576 / 1024) : "";
        FeedRow r = {.instance = feed_printf(doc, "%.0fx %s%s", k->count, k->gpu, size),
                     .region = k->country,
                     .gpu = k->gpu,
                     .gpu_memory_gb = k->vram_gb,
                     .gpu_count = k->count,
                     .vcpus = k->vcpus,
                     .ram_gb = k->ram_gb,
                     .price = k->usd,
                     .machines_seen = k->supply.machines,
                     .hosts_seen = k->supply.hosts,
                     .available = AVAILABLE_YES};
        feed_row(doc, &r);
        r.pricing_model = PRICING_SPOT;
        r.price = k->bid;
        r.machines_seen = k->bid_supply.machines;
        r.hosts_seen = k->bid_supply.hosts;
        if (is_known(k->bid)) feed_row(doc, &r);
    }
    return true;
}

static const char filter[] =
    "{\"verified\":{\"eq\":true},\"rentable\":{\"eq\":true},\"limit\":3000,\"order\":[[\"score\",\"desc\"]]}";

static const FeedDocSpec docs[] = {{.part = "",
                                    .url = "https://console.vast.ai/api/v0/bundles/",
                                    .body = filter,
                                    .body_max = 64 * FEED_MIB,
                                    .timeout_s = 120,
                                    .json = read_offers}};

const Feed feed_vast = {
    .name = "vast", .home = "console.vast.ai/api/v0/bundles", .docs = docs, .n_docs = COUNT_OF(docs)};
