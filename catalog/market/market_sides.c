// Providers that look one-sided: offers of one vendor's GPUs count, those of the other's stand beside them
// and cannot be told apart.
#include <stdlib.h>
#include <string.h>

#include "catalog/market/market_store.h"

typedef struct Side {
    size_t counted, unknown;
    const char *names;  // of the unknown ones
} Side;

static int by_provider(const void *x, const void *y) {
    const Offer *const *p = x;
    const Offer *const *q = y;
    return strcmp((*p)->provider, (*q)->provider);
}

static const char *one_side(const char *provider, const Side sides[VENDOR_COUNT], int vendor, Arena *a) {
    const Side *unknown = &sides[vendor];
    const Side *other = &sides[1 - vendor];
    if (unknown->unknown == 0 || other->counted == 0 || other->unknown > 0) return NULL;
    return arena_printf(
        a,
        "%s: %s of %s not counted, as the names do not tell which card it is (%s), while %zu of %s count%s",
        provider, counted(a, unknown->unknown, "offer"), vendor_titles[vendor], unknown->names,
        other->counted, vendor_titles[1 - vendor], other->counted == 1 ? "s" : "");
}

const char *gpu_names_one_sided(const GpuNames *names, const Offer **offers, size_t n, Arena *a) {
    const char *text = "";
    if (n > 0) qsort(offers, n, sizeof *offers, by_provider);
    for (size_t first = 0, end = 0; first < n; first = end) {
        Side sides[VENDOR_COUNT] = {{0, 0, ""}, {0, 0, ""}};
        for (end = first; end < n && strcmp(offers[first]->provider, offers[end]->provider) == 0; end++) {
            const Offer *o = offers[end];
            const Gpu *gpu = o->sku_id[0] != '\0' ? gpu_names_sku(names, o->sku_id) : NULL;
            int vendor = gpu != NULL            ? gpu->vendor
                         : o->sku_id[0] != '\0' ? -1
                                                : gpu_names_vendor(names, o->listed_name);
            if (vendor < 0) continue;
            sides[vendor].counted += gpu != NULL;
            sides[vendor].unknown += gpu == NULL;
            if (gpu == NULL) sides[vendor].names = market_names_join(a, sides[vendor].names, o->listed_name);
        }
        for (int v = 0; v < VENDOR_COUNT; v++) {
            const char *side = one_side(offers[first]->provider, sides, v, a);
            if (side != NULL) text = arena_printf(a, "%s%s%s", text, text[0] == '\0' ? "" : "; ", side);
        }
    }
    return text;
}

const char *market_one_sided(const Gpu *gpus, size_t n_gpus, const Offer **offers, size_t n, Arena *a) {
    const SellerFacts none = {0};
    return gpu_names_one_sided(gpu_names_make(a, gpus, n_gpus, NULL, 0, &none), offers, n, a);
}
