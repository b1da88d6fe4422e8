// Offers and groups of them as `prices list` shows them.
#include "src/report/price_rows.h"

#include <stdlib.h>
#include <string.h>

static const char *gpu_name(const PriceRow *r) {
    return r->gpu != NULL ? r->gpu->sku_id : r->offer->listed_name;
}

static void add_available(Json *j, const char *key, Available x) {
    if (x == AVAILABLE_UNKNOWN) {
        json_add_null(j, key);
    } else {
        json_add_bool(j, key, x == AVAILABLE_YES);
    }
}

static const char *known_available(Available x) { return x == AVAILABLE_UNKNOWN ? "" : available_names[x]; }
static const char *known_class(SellerClass x) { return x == SELLER_UNKNOWN ? "" : seller_class_names[x]; }

void price_row_json(Json *list, const PriceRow *r) {
    const Offer *o = r->offer;
    Json *j = json_add_object(list, NULL);
    json_add(j, J_TEXT("provider", o->provider), J_TEXT_OR_NULL("instance", o->instance),
             J_TEXT_OR_NULL("region", o->region), J_TEXT("gpu", gpu_name(r)),
             J_BOOL("mapped", r->gpu != NULL), J_TEXT("listed_name", o->listed_name),
             J_NUMBER("gpu_count", o->gpu_count),
             J_NUMBER("gpu_memory_gb", r->gpu != NULL ? r->gpu->memory_gb : (double)NAN),
             J_NUMBER("vcpus", o->vcpus), J_NUMBER("ram_gb", o->ram_gb),
             J_TEXT("pricing_model", pricing_names[o->pricing_model]),
             J_NUMBER("price_usd_per_hour", r->usd_h), J_NUMBER("price_usd_per_gpu_hour", r->usd_gpu_h),
             J_NUMBER("spot_price_usd_per_gpu_hour", r->spot_usd_gpu_h));
    add_available(j, "available", (Available)o->available);
    json_add(j, J_TEXT_OR_NULL("seller_class", known_class(r->seller_class)),
             J_NUMBER("machines_seen", o->machines_seen), J_NUMBER("hosts_seen", o->hosts_seen));
    add_available(j, "one_host", offer_one_host(o, r->seller_class));
    add_available(j, "sold_by_gpu", r->sold_by_gpu);
    json_add(j, J_TEXT("standing", standing_names[o->standing]), J_TEXT("seen_at", o->as_of),
             J_TEXT_OR_NULL("first_seen_at", o->seen_at), J_TEXT_OR_NULL("feed", o->feed),
             J_TEXT_OR_NULL("country", r->country), J_NUMBER("discount_pct", r->discount_pct),
             J_NUMBER("age_days", r->ahead ? (double)NAN : (double)r->age_days), J_TEXT("source", o->source));
}

enum {
    C_GPU,
    C_QTY,
    C_PROVIDER,
    C_INSTANCE,
    C_MEM,
    C_VCPU,
    C_RAM,
    C_HOUR,
    C_GPU_HOUR,
    C_SPOT,
    C_REGION,
    C_AVAILABLE,
    C_SELLER,
    C_MACHINES,
    C_BY_GPU,
    C_AGE,
    C_STANDING,
    C_SEEN,
    C_SOURCE,
    C_PRICING,
    C_LISTED,
    C_COUNTRY,
    C_HOSTS,
    C_ONE_HOST,
    C_COUNT
};

static const struct {
    Column column;
    size_t from_width;  // shown on terminals at least this wide
} offer_columns[C_COUNT] = {
    [C_GPU] = {{"gpu", "GPU", false, 0, false}, 0},
    [C_QTY] = {{"gpu_count", "QTY", true, 3, false}, 0},
    [C_PROVIDER] = {{"provider", "PROVIDER", false, 0, false}, 0},
    [C_INSTANCE] = {{"instance", "INSTANCE", false, 0, false}, 0},
    [C_MEM] = {{"gpu_memory_gb", "GPU MEM", true, 4, false}, 120},
    [C_VCPU] = {{"vcpus", "vCPU", true, 4, false}, 130},
    [C_RAM] = {{"ram_gb", "RAM GB", true, 5, false}, 140},
    [C_HOUR] = {{"price_usd_per_hour", "$/h", true, 4, false}, 0},
    [C_GPU_HOUR] = {{"price_usd_per_gpu_hour", "$/GPU-h", true, 4, false}, 0},
    [C_SPOT] = {{"spot_price_usd_per_gpu_hour", "SPOT $/GPU-h", true, 4, false}, 110},
    [C_REGION] = {{"region", "REGION", false, 0, false}, 0},
    [C_AVAILABLE] = {{"available", "AVAILABLE", false, 0, false}, 160},
    [C_SELLER] = {{"seller_class", "SELLER", false, 0, false}, 175},
    [C_MACHINES] = {{"machines_seen", "MACHINES", true, 3, false}, 145},
    [C_BY_GPU] = {{"sold_by_gpu", "BY GPU", false, 0, false}, 180},
    [C_AGE] = {{"age_days", "AGE d", true, 5, false}, 0},
    [C_STANDING] = {{"standing", "STANDING", false, 0, false}, 150},
    [C_SEEN] = {{"seen_at", "SEEN", false, 0, false}, 170},
    [C_SOURCE] = {{"source", "SOURCE", false, 0, false}, 180},
    [C_PRICING] = {{"pricing_model", "PRICING", false, 0, false}, 200},
    [C_LISTED] = {{"listed_name", "LISTED AS", false, 0, false}, 220},
    [C_COUNTRY] = {{"country", "COUNTRY", false, 0, false}, 200},
    [C_HOSTS] = {{"hosts_seen", "HOSTS", true, 3, false}, 200},
    [C_ONE_HOST] = {{"one_host", "ONE HOST", false, 0, false}, 220},
};

// In text a doubtful row is marked where it cannot be overlooked; the note under the table says how.
static const char *marked_provider(const PriceRow *r, Arena *a, bool table) {
    const Offer *o = r->offer;
    bool alone = offer_one_host(o, r->seller_class) == AVAILABLE_YES;
    const char *mark = o->standing == STANDING_SUPERSEDED  ? " x"
                       : o->standing == STANDING_SECONDARY ? " ?"
                       : o->available == AVAILABLE_NO      ? " -"
                       : alone                             ? " 1"
                                                           : "";
    return table ? arena_printf(a, "%s%s", o->provider, mark) : o->provider;
}

static void offer_row(Listing *l, const PriceRow *r, Arena *a, bool table) {
    const Offer *o = r->offer;
    listing_add(l, L_TEXT(C_GPU, gpu_name(r)), L_NUMBER(C_QTY, o->gpu_count),
                L_TEXT(C_PROVIDER, marked_provider(r, a, table)), L_TEXT(C_INSTANCE, o->instance),
                L_NUMBER(C_MEM, r->gpu != NULL ? r->gpu->memory_gb : (double)NAN), L_NUMBER(C_VCPU, o->vcpus),
                L_NUMBER(C_RAM, o->ram_gb), L_NUMBER(C_HOUR, r->usd_h), L_NUMBER(C_GPU_HOUR, r->usd_gpu_h),
                L_NUMBER(C_SPOT, r->spot_usd_gpu_h), L_TEXT(C_REGION, o->region),
                L_TEXT(C_AVAILABLE, known_available((Available)o->available)),
                L_TEXT(C_SELLER, known_class(r->seller_class)), L_NUMBER(C_MACHINES, o->machines_seen),
                L_TEXT(C_BY_GPU, known_available(r->sold_by_gpu)),
                L_NUMBER(C_AGE, r->ahead ? (double)NAN : (double)r->age_days),
                L_TEXT(C_STANDING, standing_names[o->standing]), L_TEXT(C_SEEN, o->as_of),
                L_TEXT(C_SOURCE, o->source), L_TEXT(C_PRICING, pricing_names[o->pricing_model]),
                L_TEXT(C_LISTED, o->listed_name), L_TEXT(C_COUNTRY, r->country),
                L_NUMBER(C_HOSTS, o->hosts_seen),
                L_TEXT(C_ONE_HOST, known_available(offer_one_host(o, r->seller_class))));
}

Listing price_rows(const Writer *w, const PriceSelection *s, bool table) {
    Column *columns = arena_alloc(w->arena, C_COUNT, sizeof *columns);
    for (size_t c = 0; c < C_COUNT; c++) {
        columns[c] = offer_columns[c].column;
        columns[c].detail = table && offer_columns[c].from_width > writer_columns(w);
    }
    Listing l;
    listing_init(&l, w->arena, "offers", columns, C_COUNT, s->n);
    for (size_t i = 0; i < s->n; i++) offer_row(&l, &s->rows[i], w->arena, table);
    return l;
}

// ---------------------------------------------------------------- groups

typedef struct Group {
    const char *name;
    size_t n;
    double lowest, median, highest;  // $/GPU-h
} Group;

static const char *group_name(int by, const PriceRow *r) {
    const char *name = by == 0 ? gpu_name(r) : by == 1 ? r->offer->provider : r->offer->region;
    return name[0] != '\0' ? name : "unknown";
}

static int compare_group(const void *x, const void *y) {
    const Group *a = x;
    const Group *b = y;
    if (a->lowest < b->lowest || a->lowest > b->lowest) return a->lowest < b->lowest ? -1 : 1;
    return strcmp(a->name, b->name);
}

static double group_median(int by, const PriceSelection *s, const Group *g) {
    double sum = 0;  // of the one or two rows in the middle
    size_t seen = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (strcmp(g->name, group_name(by, &s->rows[i])) != 0) continue;
        if (seen == (g->n - 1) / 2) sum += s->rows[i].usd_gpu_h;
        if (seen == g->n / 2) return (sum + s->rows[i].usd_gpu_h) / 2;
        seen++;
    }
    return (double)NAN;
}

// The rows come by price, so that a group's first is its lowest and its last the highest.
static size_t make_groups(const Writer *w, int by, const PriceSelection *s, Group **ret_groups) {
    Group *groups = arena_alloc(w->arena, s->n, sizeof *groups);
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        const char *name = group_name(by, &s->rows[i]);
        size_t g = 0;
        while (g < n && strcmp(groups[g].name, name) != 0) g++;
        if (g == n) groups[n++] = (Group){.name = name, .lowest = s->rows[i].usd_gpu_h};
        groups[g].n++;
        groups[g].highest = s->rows[i].usd_gpu_h;
    }
    for (size_t g = 0; g < n; g++) groups[g].median = group_median(by, s, &groups[g]);
    if (n > 0) qsort(groups, n, sizeof *groups, compare_group);
    *ret_groups = groups;
    return n;
}

Listing price_groups(const Writer *w, int by, const PriceSelection *s) {
    static const Column names[] = {{"gpu", "GPU", false, 0, false},
                                   {"provider", "PROVIDER", false, 0, false},
                                   {"region", "REGION", false, 0, false}};
    static const Column figures[] = {{"offers", "OFFERS", true, 6, false},
                                     {"min_usd_per_gpu_hour", "MIN $/GPU-h", true, 4, false},
                                     {"median_usd_per_gpu_hour", "MEDIAN $/GPU-h", true, 4, false},
                                     {"max_usd_per_gpu_hour", "MAX $/GPU-h", true, 4, false}};
    Column *columns = arena_alloc(w->arena, 1 + COUNT_OF(figures), sizeof *columns);
    columns[0] = names[by];
    for (size_t i = 0; i < COUNT_OF(figures); i++) columns[i + 1] = figures[i];
    Group *groups = NULL;
    size_t n = make_groups(w, by, s, &groups);
    Listing l;
    listing_init(&l, w->arena, "groups", columns, 1 + COUNT_OF(figures), n);
    for (size_t i = 0; i < n; i++) {
        listing_add(&l, L_TEXT(0, groups[i].name), L_NUMBER(1, (double)groups[i].n),
                    L_NUMBER(2, groups[i].lowest), L_NUMBER(3, groups[i].median),
                    L_NUMBER(4, groups[i].highest));
    }
    return l;
}
