// gpuhunt's published catalogs: for each provider a line that names the newest version, then a zip with one
// CSV.
#include <math.h>
#include <string.h>

#include "catalog/feeds/feed.h"
#include "catalog/feeds/feed_zip.h"

enum { CSV_BYTES_MAX = 512 * 1024 * 1024 };

enum { C_INSTANCE, C_REGION, C_PRICE, C_CPU, C_MEMORY, C_COUNT, C_GPU, C_GPU_MEMORY, C_SPOT, C_VENDOR };

static const char *const names[] = {"instance_name", "location", "price",      "cpu",  "memory",
                                    "gpu_count",     "gpu_name", "gpu_memory", "spot", "?gpu_vendor"};

static bool read_row(FeedDoc *doc, const Str *c, Err *e) {
    (void)e;
    const char *instance = feed_cell(doc, c[C_INSTANCE]);
    double count = feed_cell_number(c[C_COUNT]);
    if (str_is(c[C_VENDOR], "google") || (c[C_GPU].length > 4 && memcmp(c[C_GPU].data, "tpu-", 4) == 0)) {
        feed_reject(doc, "TPU, no GPU", instance);
        return true;
    }
    if (str_is(c[C_VENDOR], "intel") || str_is(c[C_VENDOR], "tenstorrent")) {
        feed_reject(doc, "accelerator that is no GPU of NVIDIA or AMD", instance);
        return true;
    }
    bool spot = str_is(c[C_SPOT], "True") || str_is(c[C_SPOT], "true");
    double gpu_memory = feed_cell_number(c[C_GPU_MEMORY]);
    FeedRow r = {.provider = doc->label,
                 .instance = instance,
                 .region = feed_cell(doc, c[C_REGION]),
                 .gpu = feed_cell(doc, c[C_GPU]),
                 .gpu_count = count,
                 .gpu_memory_gb = gpu_memory,
                 .vcpus = feed_cell_number(c[C_CPU]),
                 .ram_gb = feed_cell_number(c[C_MEMORY]),
                 .said = feed_said_unread(doc),
                 .pricing_model = spot ? PRICING_SPOT : PRICING_ON_DEMAND,
                 .price = feed_cell_number(c[C_PRICE])};
    if ((c[C_GPU].length == 0 || !(count > 0)) && !feed_size_row(doc, &r)) return true;
    feed_row(doc, &r);
    return true;
}

static const FeedColumns columns = {names, COUNT_OF(names), read_row};

static bool piece(void *user, Str bytes, Err *e) { return feed_table_bytes(user, bytes, e); }

// The catalog's provider, from "<provider>.csv" in the archive.
static bool read_zip(FeedDoc *doc, Str archive, Err *e) {
    char name[100] = "";
    FeedTable *table = feed_table_open(doc, &columns);
    bool ok = zip_unpack(archive, ".csv", CSV_BYTES_MAX, name, sizeof name, piece, table, e) &&
              feed_table_end(table, e);
    feed_table_close(table);
    if (!ok) return false;
    const char *base = path_name(name);
    const char *label = arena_copy(&doc->arena, base, strlen(base) - strlen(".csv"));
    for (size_t i = 0; i < doc->n_rows; i++) {  // the archive was asked for directly
        if (doc->rows[i].provider[0] == '\0') doc->rows[i].provider = label;
    }
    return true;
}

// ".../v3/aws/version" -> the provider "aws".
static const char *provider_of(FeedDoc *doc, const char *url) {
    Str rest = str_of(url);
    Str part, before = {"", 0};
    Str last = {"", 0};
    while (str_next(&rest, '/', &part)) {
        before = last;
        last = part;
    }
    return feed_printf(doc, "%.*s", (int)before.length, before.data);
}

static bool read_version(FeedDoc *doc, Str text, Err *e) {
    if (zip_begins(text)) return read_zip(doc, text, e);
    static const char end[] = "version";
    Str v = str_trim(text);
    size_t base = strcspn(doc->url, "?");
    if (v.length == 0 || v.length > 64) return err_set(e, ERR_FAILED, "the version is none");
    for (size_t i = 0; i < v.length; i++) {
        if (strchr("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-_", v.data[i]) == NULL)
            return err_set(e, ERR_FAILED, "the version is none");
    }
    if (base >= sizeof end - 1 && memcmp(doc->url + base - (sizeof end - 1), end, sizeof end - 1) == 0)
        base -= sizeof end - 1;
    const char *url = feed_printf(doc, "%.*s%.*s/catalog.zip", (int)base, doc->url, (int)v.length, v.data);
    feed_follow(doc, "zip", url, provider_of(doc, doc->url));
    return true;
}

#define VERSION(provider)                                                                                    \
    {                                                                                                        \
        .part = provider,                                                                                    \
        .url = "https://dstack-gpu-pricing.s3.eu-west-1.amazonaws.com/v3/" provider "/version",              \
        .kind = FEED_TEXT, .body_max = 32 * FEED_MIB, .timeout_s = 120, .text = read_version                 \
    }

static const FeedDocSpec docs[] = {
    {.part = "",
     .url = "https://dstack-gpu-pricing.s3.eu-west-1.amazonaws.com/v3/aws/version",
     .kind = FEED_TEXT,
     .body_max = 32 * FEED_MIB,
     .timeout_s = 120,
     .text = read_version},
    VERSION("azure"),
    VERSION("cloudrift"),
    VERSION("gcp"),
    VERSION("lambdalabs"),
    VERSION("nebius"),
    VERSION("oci"),
    VERSION("runpod"),
    VERSION("verda"),
    {.part = "zip",
     .url = "",
     .kind = FEED_TEXT,
     .body_max = 32 * FEED_MIB,
     .timeout_s = 120,
     .csv = &columns /* unpacked by hand, for imports */,
     .text = read_zip},
};

const Feed feed_gpuhunt = {
    .name = "gpuhunt", .home = "gpuhunt catalog v3", .docs = docs, .n_docs = COUNT_OF(docs), .peers = true};
