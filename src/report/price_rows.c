// Offers and groups of them as `prices list` shows them.
#include "src/report/price_rows.h"

#include <stdlib.h>
#include <string.h>

static const char *gpu_name(const PriceRow *r) {
    return r->gpu != NULL ? r->gpu->sku_id : r->offer->listed_name;
}

static const char *known_available(Available x) { return x == AVAILABLE_UNKNOWN ? "" : available_names[x]; }
static const char *known_class(SellerClass x) { return x == SELLER_UNKNOWN ? "" : seller_class_names[x]; }

void price_row_json(Json *list, const PriceRow *r) {
    const Offer *o = r->offer;
    Json *j = json_add_object(list, NULL);
    json_add(
        j, J_TEXT("provider", o->provider), J_TEXT_OR_NULL("instance", o->instance),
        J_TEXT_OR_NULL("region", o->region), J_TEXT("gpu", gpu_name(r)), J_BOOL("mapped", r->gpu != NULL),
        J_TEXT("listed_name", o->listed_name), J_NUMBER("gpu_count", o->gpu_count),
        J_NUMBER("gpu_memory_gb", r->gpu != NULL ? r->gpu->memory_gb : (double)NAN),
        J_NUMBER("vcpus", o->vcpus), J_NUMBER("ram_gb", o->ram_gb),
        J_TEXT("pricing_model", pricing_names[o->pricing_model]), J_NUMBER("price_usd_per_hour", r->usd_h),
        J_NUMBER("price_usd_per_gpu_hour", r->usd_gpu_h),
        J_NUMBER("spot_price_usd_per_gpu_hour", r->spot_usd_gpu_h), J_AVAILABLE("available", o->available),
        J_TEXT_OR_NULL("seller_class", known_class(r->seller_class)),
        J_NUMBER("machines_seen", o->machines_seen), J_NUMBER("hosts_seen", o->hosts_seen),
        J_AVAILABLE("one_host", offer_one_host(o, r->seller_class)),
        J_AVAILABLE("sold_by_gpu", r->sold_by_gpu), J_TEXT("standing", standing_names[o->standing]),
        J_TEXT("seen_at", o->as_of), J_TEXT_OR_NULL("first_seen_at", o->seen_at),
        J_TEXT_OR_NULL("feed", o->feed), J_TEXT_OR_NULL("country", r->country),
        J_NUMBER("discount_pct", r->discount_pct),
        J_NUMBER("age_days", r->ahead ? (double)NAN : (double)r->age_days), J_TEXT("source", o->source));
}

// What the columns are, on terminals of what width they are shown, and their cells.
// clang-format off
#define OFFER_COLUMNS(X) \
    X("gpu",                         "GPU",          TEXT,        0, gpu_name(r)) \
    X("gpu_count",                   "QTY",          NUMBER(3),   0, o->gpu_count) \
    X("provider",                    "PROVIDER",     TEXT,        0, marked_provider(r, a, table)) \
    X("instance",                    "INSTANCE",     TEXT,        0, o->instance) \
    X("gpu_memory_gb",               "GPU MEM",      NUMBER(4), 120, r->gpu != NULL ? r->gpu->memory_gb : (double)NAN) \
    X("vcpus",                       "vCPU",         NUMBER(4), 130, o->vcpus) \
    X("ram_gb",                      "RAM GB",       NUMBER(5), 140, o->ram_gb) \
    X("price_usd_per_hour",          "$/h",          NUMBER(4),   0, r->usd_h) \
    X("price_usd_per_gpu_hour",      "$/GPU-h",      NUMBER(4),   0, r->usd_gpu_h) \
    X("spot_price_usd_per_gpu_hour", "SPOT $/GPU-h", NUMBER(4), 110, r->spot_usd_gpu_h) \
    X("region",                      "REGION",       TEXT,        0, o->region) \
    X("available",                   "AVAILABLE",    TEXT,      160, known_available(o->available)) \
    X("seller_class",                "SELLER",       TEXT,      175, known_class(r->seller_class)) \
    X("machines_seen",               "MACHINES",     NUMBER(3), 145, o->machines_seen) \
    X("sold_by_gpu",                 "BY GPU",       TEXT,      180, known_available(r->sold_by_gpu)) \
    X("age_days",                    "AGE d",        NUMBER(5),   0, r->ahead ? (double)NAN : (double)r->age_days) \
    X("standing",                    "STANDING",     TEXT,      150, standing_names[o->standing]) \
    X("seen_at",                     "SEEN",         TEXT,      170, o->as_of) \
    X("source",                      "SOURCE",       TEXT,      180, o->source) \
    X("pricing_model",               "PRICING",      TEXT,      200, pricing_names[o->pricing_model]) \
    X("listed_name",                 "LISTED AS",    TEXT,      220, o->listed_name) \
    X("country",                     "COUNTRY",      TEXT,      200, r->country) \
    X("hosts_seen",                  "HOSTS",        NUMBER(3), 200, o->hosts_seen) \
    X("one_host",                    "ONE HOST",     TEXT,      220, known_available(offer_one_host(o, r->seller_class)))
#define OFFER_COLUMN(key, title, kind, from_width, cell) LISTING_COLUMN(key, title, kind, cell)
#define OFFER_CELL(key, title, kind, from_width, cell) LISTING_CELL(key, title, kind, cell)
#define OFFER_WIDTH(key, title, kind, from_width, cell) from_width,
// clang-format on
static const Column offer_columns[] = {OFFER_COLUMNS(OFFER_COLUMN)};
static const size_t offer_widths[] = {OFFER_COLUMNS(OFFER_WIDTH)};

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

Listing price_rows(const Writer *w, const PriceSelection *s, bool table) {
    Arena *a = w->arena;
    Listing l = listing_new(a, "offers", offer_columns, COUNT_OF(offer_columns), s->n);
    for (size_t c = 0; c < l.n_columns; c++)
        l.columns[c].detail = table && offer_widths[c] > writer_columns(w);
    for (size_t i = 0; i < s->n; i++) {
        const PriceRow *r = &s->rows[i];
        const Offer *o = r->offer;
        listing_row(&l, OFFER_COLUMNS(OFFER_CELL));
    }
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

// clang-format off
#define GROUP_COLUMNS(X) \
    X("gpu",                     "GPU",            TEXT,      groups[i].name) \
    X("offers",                  "OFFERS",         NUMBER(6), groups[i].n) \
    X("min_usd_per_gpu_hour",    "MIN $/GPU-h",    NUMBER(4), groups[i].lowest) \
    X("median_usd_per_gpu_hour", "MEDIAN $/GPU-h", NUMBER(4), groups[i].median) \
    X("max_usd_per_gpu_hour",    "MAX $/GPU-h",    NUMBER(4), groups[i].highest)
// clang-format on

Listing price_groups(const Writer *w, int by, const PriceSelection *s) {
    Group *groups = NULL;
    size_t n = make_groups(w, by, s, &groups);
    static const Column names[] = {{"gpu", "GPU", false, 0, false},
                                   {"provider", "PROVIDER", false, 0, false},
                                   {"region", "REGION", false, 0, false}};
    Listing l = LISTING(w->arena, "groups", GROUP_COLUMNS, n);
    l.columns[0] = names[by];
    for (size_t i = 0; i < n; i++) listing_row(&l, GROUP_COLUMNS(LISTING_CELL));
    return l;
}
