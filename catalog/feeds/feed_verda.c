// Verda (DataCrunch before): instance types with prices as texts, availability by location in documents of
// their own.
#include <math.h>
#include <string.h>

#include "catalog/feeds/feed.h"

// "8x H100 SXM5 80GB" -> "H100 SXM5 80GB".
static const char *card(const char *description) {
    size_t digits = strspn(description, "0123456789");
    return digits > 0 && strncmp(description + digits, "x ", 2) == 0 ? description + digits + 2 : description;
}

static void read_type(FeedDoc *doc, const Json *type) {
    const Json *gpu = json_get(type, "gpu");
    const char *name = feed_text(type, "instance_type");
    double count = feed_number(json_get(gpu, "number_of_gpus"));
    if (!(count > 0)) {
        feed_reject(doc, "no GPU", name);
        return;
    }
    FeedRow r = {.instance = name,
                 .said = feed_said(doc, type),
                 .gpu = card(feed_text(gpu, "description")),
                 .gpu_count = count,
                 // of all cards
                 .gpu_memory_gb =
                     feed_number(json_get(json_get(type, "gpu_memory"), "size_in_gigabytes")) / count,
                 .vcpus = feed_number(json_get(json_get(type, "cpu"), "number_of_cores")),
                 .ram_gb = feed_number(json_get(json_get(type, "memory"), "size_in_gigabytes")),
                 .price = feed_number(json_get(type, "price_per_hour")),
                 .currency = feed_text(type, "currency")};
    feed_row(doc, &r);
    r.pricing_model = PRICING_SPOT;
    r.price = feed_number(json_get(type, "spot_price"));
    if (r.price > 0) feed_row(doc, &r);
}

static bool read_types(FeedDoc *doc, const Json *root, Err *e) {
    if (!json_is_array(root)) return err_set(e, ERR_FAILED, "the answer is no list of instance types");
    for (const Json *t = json_first(root); t != NULL; t = json_next(t)) read_type(doc, t);
    return true;
}

// ---------------------------------------------------------------- availability

// [{"location_code": "FIN-01", "availabilities": ["1H100.80S.30V", ...]}, ...]
static bool read_places(FeedDoc *doc, const Json *root, Err *e) {
    if (!json_is_array(root)) return err_set(e, ERR_FAILED, "the answer is no list of locations");
    for (const Json *l = json_first(root); l != NULL; l = json_next(l)) {
        const char *location = feed_text(l, "location_code");
        for (const Json *i = json_first(json_get(l, "availabilities")); i != NULL; i = json_next(i)) {
            const char *instance = json_text(i);
            if (instance != NULL && location[0] != '\0') feed_place(doc, instance, location);
        }
    }
    return true;
}

// A row for each location that has the type now; one without region where none has.
static void place_row(FeedDoc *into, FeedRow row, const FeedDoc *now) {
    size_t found = 0;
    for (size_t i = 0; now != NULL && i < now->n_places; i++) {
        if (strcmp(now->places[i].instance, row.instance) != 0) continue;
        row.region = now->places[i].region;
        row.available = AVAILABLE_YES;
        feed_row(into, &row);
        found++;
    }
    if (found > 0) return;
    row.available = now != NULL ? AVAILABLE_NO : AVAILABLE_UNKNOWN;
    feed_row(into, &row);
}

static bool join(FeedJob *job, FeedDoc *into, Err *e) {
    FeedDoc *types = feed_doc(job, "");
    const FeedDoc *now = feed_doc(job, "available");
    const FeedDoc *spot = feed_doc(job, "available-spot");
    if (types == NULL) return err_set(e, ERR_FAILED, "no instance types");
    for (size_t i = 0; i < types->n_rows; i++) {
        place_row(into, types->rows[i], types->rows[i].pricing_model == PRICING_SPOT ? spot : now);
    }
    types->n_rows = 0;  // they are in the other document now
    return true;
}

#define VERDA "https://api.verda.com/v1/"

static const FeedDocSpec docs[] = {
    {.part = "", .url = VERDA "instance-types", .json = read_types},
    {.part = "available",
     .url = VERDA "instance-availability?is_spot=false",
     .optional = true,
     .json = read_places},
    {.part = "available-spot",
     .url = VERDA "instance-availability?is_spot=true",
     .optional = true,
     .json = read_places},
    {.part = "token", .url = VERDA "oauth2/token", .token = true},
};

const Feed feed_verda = {.name = "verda",
                         .home = "api.verda.com/v1/instance-types",
                         .docs = docs,
                         .n_docs = COUNT_OF(docs),
                         .finish = join,
                         .auth = AUTH_OAUTH,
                         .key_name = "VERDA_CLIENT_SECRET",
                         .id_name = "VERDA_CLIENT_ID"};
