// SkyPilot's catalog: a CSV for each cloud, prices of the whole instance.
#include <math.h>
#include <string.h>

#include "catalog/feeds/feed.h"

enum { C_INSTANCE, C_GPU, C_COUNT, C_VCPUS, C_MEMORY, C_PRICE, C_REGION, C_SPOT, C_PROVIDER, C_INFO };

static const char *const names[] = {"InstanceType", "AcceleratorName", "AcceleratorCount", "?vCPUs",
                                    "?MemoryGiB",   "Price",           "?Region",          "?SpotPrice",
                                    "?Provider",    "?GpuInfo"};

// Catalog folder -> provider as this program names it.
static const char *const clouds[][2] = {{"do", "digitalocean"},
                                        {"lambda", "lambda"},
                                        {"aws", "aws"},
                                        {"azure", "azure"},
                                        {"gcp", "gcp"},
                                        {"oci", "oci"},
                                        {"runpod", "runpod"},
                                        {"vast", "vast"},
                                        {"nebius", "nebius"},
                                        {"verda", "verda"},
                                        {"hyperstack", "hyperstack"},
                                        {"seeweb", "seeweb"},
                                        {"shadeform", "shadeform"},
                                        {"cudo", "cudo"},
                                        {"fluidstack", "fluidstack"},
                                        {"primeintellect", "primeintellect"},
                                        {"spheron", "spheron"},
                                        {"hyperbolic", "hyperbolic"}};

// The cloud of ".../<cloud>/vms.csv" or ".../<cloud>.csv"; `fallback` when the URL names none.
static const char *cloud_of(const char *url, const char *fallback) {
    for (size_t i = 0; i < COUNT_OF(clouds); i++) {
        size_t n = strlen(clouds[i][0]);
        for (const char *at = strstr(url, clouds[i][0]); at != NULL; at = strstr(at + 1, clouds[i][0])) {
            if (at > url && at[-1] == '/' && (at[n] == '/' || strncmp(at + n, ".csv", 4) == 0))
                return clouds[i][1];
        }
    }
    return fallback;
}

// Memory of the card in "{'Gpus': [{'Name': 'GH200', 'MemoryInfo': {'SizeInMiB': 98304}}], ...}"; NaN: not
// stated. Of machines with several some clouds' tables state one card's, others that of all, and nothing
// tells which: only a single card's is certain.
static double card_gb(Str info, double count) {
    static const char key[] = "SizeInMiB";
    for (size_t i = 0; count <= 1 && i + sizeof key < info.length; i++) {
        if (memcmp(info.data + i, key, sizeof key - 1) != 0) continue;
        i += sizeof key - 1;
        while (i < info.length && info.data[i] != '\0' && strchr("'\": ", info.data[i]) != NULL) i++;
        size_t n = 0;
        while (i + n < info.length && info.data[i + n] >= '0' && info.data[i + n] <= '9') n++;
        return feed_cell_number((Str){info.data + i, n}) * 1.048576 / 1000;
    }
    return (double)NAN;
}

// Names that SkyPilot gives to cards of a cloud, where they say less than it knows
// (sky/provision/runpod/utils.py: 'H100' is "NVIDIA H100 PCIe", 'A100-80GB' is "NVIDIA A100 80GB PCIe",
// beside H100-SXM, H100-NVL and A100-80GB-SXM).
static const char *gpu_of(const char *cloud, const char *gpu) {
    static const char *const cards[][3] = {{"runpod", "H100", "H100 PCIe"},
                                           {"runpod", "A100-80GB", "A100 80GB PCIe"}};
    for (size_t i = 0; i < COUNT_OF(cards); i++) {
        if (strcmp(cloud, cards[i][0]) == 0 && strcmp(gpu, cards[i][1]) == 0) return cards[i][2];
    }
    return gpu;
}

// Its columns know no currency: Seeweb's prices stand there as its API gives them, in euros.
static const char *currency_of(const char *cloud) { return strcmp(cloud, "seeweb") == 0 ? "EUR" : "USD"; }

static bool read_row(FeedDoc *doc, const Str *c, Err *e) {
    (void)e;
    double count = feed_cell_number(c[C_COUNT]);
    if (doc->label[0] == '\0')
        doc->label = cloud_of(doc->url, doc->spec->part[0] != '\0' ? doc->spec->part : "gcp");
    if (c[C_GPU].length > 4 && memcmp(c[C_GPU].data, "tpu-", 4) == 0) {
        feed_reject(doc, "TPU, no GPU", feed_cell(doc, c[C_INSTANCE]));
        return true;
    }
    if (c[C_INSTANCE].length == 0) {
        feed_reject(doc, "price of the GPU alone, not of a machine", feed_cell(doc, c[C_GPU]));
        return true;
    }
    FeedRow r = {.provider = c[C_PROVIDER].length > 0 ? feed_cell(doc, c[C_PROVIDER]) : doc->label,
                 .instance = feed_cell(doc, c[C_INSTANCE]),
                 .region = feed_cell(doc, c[C_REGION]),
                 .said = feed_said_unread(doc),
                 .gpu = feed_cell(doc, c[C_GPU]),
                 .gpu_count = count,
                 .gpu_memory_gb = card_gb(c[C_INFO], count),
                 .vcpus = feed_cell_number(c[C_VCPUS]),
                 .ram_gb = feed_cell_number(c[C_MEMORY]) * 1.073741824,
                 .price = feed_cell_number(c[C_PRICE])};
    r.currency = currency_of(r.provider);
    r.gpu = gpu_of(r.provider, r.gpu);
    if ((c[C_GPU].length == 0 || !(count > 0)) && !feed_size_row(doc, &r)) return true;
    if (c[C_PRICE].length > 0) feed_row(doc, &r);
    r.pricing_model = PRICING_SPOT;
    r.price = feed_cell_number(c[C_SPOT]);
    if (c[C_SPOT].length > 0) feed_row(doc, &r);
    if (c[C_PRICE].length == 0 && c[C_SPOT].length == 0)
        feed_reject(doc, "not offered: no price", r.instance);
    return true;
}

static const FeedColumns columns = {names, COUNT_OF(names), read_row};

#define CATALOG(part_name, cloud)                                                                            \
    {                                                                                                        \
        .part = part_name,                                                                                   \
        .url = "https://raw.githubusercontent.com/skypilot-org/skypilot-catalog/master/catalogs/v8/" cloud   \
               "/vms.csv",                                                                                   \
        .kind = FEED_CSV, .body_max = 64 * FEED_MIB, .timeout_s = 120, .csv = &columns                       \
    }

static const FeedDocSpec docs[] = {
    CATALOG("", "gcp"),
    CATALOG("aws", "aws"),
    CATALOG("azure", "azure"),
    CATALOG("oci", "oci"),
    CATALOG("lambda", "lambda"),
    CATALOG("runpod", "runpod"),
    CATALOG("do", "do"),
    CATALOG("nebius", "nebius"),
    CATALOG("verda", "verda"),
    CATALOG("hyperstack", "hyperstack"),
    CATALOG("seeweb", "seeweb"),
    CATALOG("shadeform", "shadeform"),
    CATALOG("vast", "vast"),
    CATALOG("primeintellect", "primeintellect"),
    CATALOG("spheron", "spheron"),
    CATALOG("hyperbolic", "hyperbolic"),
    CATALOG("cudo", "cudo"),
    CATALOG("fluidstack", "fluidstack"),
};

const Feed feed_skypilot = {.name = "skypilot",
                            .home = "skypilot-org/skypilot-catalog v8",
                            .docs = docs,
                            .n_docs = COUNT_OF(docs),
                            .peers = true};
