// Offers as `prices list` shows them.
#include "src/market/price_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- parts of names

static bool is_separator(char c) { return strchr("-_. ", c) != NULL; }  // the end of a text counts as one

// Length of the part at `text`.
static size_t part_length(const char *text) {
    size_t n = 0;
    while (!is_separator(text[n])) n++;
    return n;
}

static bool same_part(const char *a, const char *b) {
    size_t n = part_length(a);
    if (n != part_length(b)) return false;
    for (size_t i = 0; i < n; i++) {
        if (char_lower(a[i]) != char_lower(b[i])) return false;
    }
    return true;
}

bool name_parts_match(const char *id, const char *name) {
    while (*name != '\0') {
        while (*id != '\0' && !same_part(id, name)) {
            id += part_length(id);
            if (*id != '\0') id++;
        }
        if (*id == '\0') return false;
        id += part_length(id);
        if (*id != '\0') id++;
        name += part_length(name);
        if (*name != '\0') name++;
    }
    return true;
}

// ---------------------------------------------------------------- filters

static bool fits_gpu(const PriceFilter *f, const PriceRow *row) {
    const Gpu *g = row->gpu;
    if (g == NULL)  // all that is known is the provider's name for it
        return text_contains(row->offer->listed_name, f->name) && f->memory_gb <= 0;
    return g->memory_gb >= f->memory_gb && name_parts_match(g->sku_id, f->name);
}

// Is the row's country one of those asked for?
static bool fits_country(const PriceFilter *f, const char *of) {
    static const char union_members[] =
        "at be bg hr cy cz dk ee fi fr de gr hu ie it lv lt lu mt nl pl pt ro sk si es se";
    char country[3] = "";
    for (size_t i = 0; i < 2 && of[i] != '\0'; i++) country[i] = char_lower(of[i]);
    for (size_t i = 0; i < f->n_countries; i++) {
        if (text_same(f->countries[i], country)) return true;
        if (text_same(f->countries[i], "eu") && word_in(union_members, country)) return true;
    }
    return false;
}

// The last part of a place of so many bytes, when it is two capital letters; "" otherwise.
static const char *code_at_end(const char *place, size_t length) {
    const char *tail = length >= 2 ? place + length - 2 : "";
    bool capitals = length >= 2 && tail[0] >= 'A' && tail[0] <= 'Z' && tail[1] >= 'A' && tail[1] <= 'Z';
    return capitals && (length == 2 || (length > 4 && memcmp(tail - 2, ", ", 2) == 0)) ? tail : "";
}

// As marketplaces write it: "Oslo, NO", "NO", and with the continent behind the country "Denmark, DK, EU". ""
// = not so.
static const char *country_in(const char *place) {
    static const char continents[] = "EU NA SA AS AF OC";
    size_t length = strlen(place);
    const char *last = code_at_end(place, length);
    const char *before =
        last[0] != '\0' && length > 4 && word_in(continents, last) ? code_at_end(place, length - 4) : "";
    return before[0] != '\0' ? before : strcmp(last, "EU") != 0 ? last : "";
}

// Where the offer's machines stand: as it says, as its region is written, or where its region lies.
static const char *country_of(const PriceFilter *f, const Offer *o, Arena *a) {
    const char *written = country_in(o->region);
    const char *country = "";
    size_t longest = 0;
    if (o->country[0] != '\0') return o->country;
    if (written[0] != '\0') return arena_copy(a, written, 2);
    for (size_t i = 0; i < f->n_regions; i++) {
        const Region *r = &f->regions[i];
        size_t n = strlen(r->region);
        if (n <= longest || strcmp(r->provider, o->provider) != 0 || strncmp(o->region, r->region, n) != 0)
            continue;
        longest = n;
        country = r->country;
    }
    return country;
}

static PriceRow row_of(const PriceFilter *f, const Offer *o, const Gpu *gpus, size_t n_gpus) {
    double off = discount_of(f->offer.discounts, f->offer.n_discounts, o->provider);
    bool whole = is_known(o->gpu_count) && o->gpu_count > 0;
    const Seller *s = seller_find(f->sellers, f->n_sellers, o->provider, o->region);
    return (PriceRow){
        .offer = o,
        .gpu = offer_gpu(gpus, n_gpus, o, NULL),
        .usd_h = whole ? offer_usd_h(o, off) : (double)NAN,
        .usd_gpu_h = offer_usd_gpu_h(o, off),
        .spot_usd_gpu_h = (double)NAN,
        .age_days = offer_age_days(o, f->today),
        .ahead = date_is_ahead(o->as_of, f->today),
        .seller_class = o->seller_class != SELLER_UNKNOWN || s == NULL ? o->seller_class : s->seller_class,
        .sold_by_gpu = o->sold_by_gpu != AVAILABLE_UNKNOWN || s == NULL ? o->sold_by_gpu : s->sold_by_gpu,
        .discount_pct = off};
}

// ---------------------------------------------------------------- order

static int compare_numbers(double a, double b) { return a < b ? -1 : a > b ? 1 : 0; }

static int compare_price(const void *x, const void *y) {
    const PriceRow *a = x;
    const PriceRow *b = y;
    int c = compare_numbers(a->usd_gpu_h, b->usd_gpu_h);
    if (c == 0) c = compare_numbers((double)a->age_days, (double)b->age_days);
    if (c == 0) c = strcmp(a->offer->provider, b->offer->provider);
    if (c == 0) c = strcmp(a->offer->instance, b->offer->instance);
    if (c == 0) c = strcmp(a->offer->region, b->offer->region);
    if (c == 0) c = strcmp(a->offer->listed_name, b->offer->listed_name);
    return c != 0 ? c : strcmp(a->offer->source, b->offer->source);
}

// 0: the same thing on sale, in whatever region.
static int compare_thing(const PriceRow *a, const PriceRow *b) {
    const Offer *p = a->offer;
    const Offer *q = b->offer;
    int c = strcmp(p->provider, q->provider);
    if (c == 0) c = strcmp(p->instance, q->instance);
    if (c == 0) c = strcmp(p->sku_id, q->sku_id);
    if (c == 0) c = strcmp(p->listed_name, q->listed_name);
    if (c == 0)
        c = compare_numbers(is_known(p->gpu_count) ? p->gpu_count : -1,
                            is_known(q->gpu_count) ? q->gpu_count : -1);
    return c;
}

static int compare_thing_then_price(const void *x, const void *y) {
    int c = compare_thing(x, y);
    return c != 0 ? c : compare_price(x, y);
}

static void keep_cheapest_regions(PriceSelection *s) {
    if (s->n == 0) return;
    qsort(s->rows, s->n, sizeof *s->rows, compare_thing_then_price);
    size_t kept = 1;
    for (size_t i = 1; i < s->n; i++) {
        if (compare_thing(&s->rows[kept - 1], &s->rows[i]) == 0) {
            s->n_other_regions++;
        } else {
            s->rows[kept++] = s->rows[i];
        }
    }
    s->n = kept;
}

// 0: the same machine in the same place.
static int compare_machine(const Offer *a, const Offer *b) {
    int c = strcmp(a->instance, b->instance);
    if (c == 0) c = strcmp(a->provider, b->provider);
    if (c == 0) c = strcmp(a->region, b->region);
    return c != 0 ? c : strcmp(a->sku_id, b->sku_id);
}

static int by_machine(const void *x, const void *y) {
    return compare_machine(*(const Offer *const *)x, *(const Offer *const *)y);
}

// The cheapest current spot offer of the same instance in the same region.
static void add_spot(PriceSelection *s, const Offer *offers, size_t n, Arena *a) {
    const Offer **spots = arena_alloc(a, n + 1, sizeof *spots);
    size_t n_spots = 0;
    for (size_t i = 0; i < n; i++) {
        bool current = offers[i].pricing_model == PRICING_SPOT && offers[i].standing != STANDING_SUPERSEDED;
        if (current && offers[i].instance[0] != '\0') spots[n_spots++] = &offers[i];
    }
    if (n_spots == 0) return;
    qsort(spots, n_spots, sizeof *spots, by_machine);
    for (size_t r = 0; r < s->n; r++) {
        PriceRow *row = &s->rows[r];
        const Offer **any = bsearch(&row->offer, spots, n_spots, sizeof *spots, by_machine);
        if (any == NULL) continue;
        while (any > spots && compare_machine(any[-1], row->offer) == 0) any--;
        for (; any < spots + n_spots && compare_machine(*any, row->offer) == 0; any++) {
            double usd = (*any)->gpu_count > 0 ? offer_usd_gpu_h(*any, row->discount_pct) : (double)NAN;
            if (!(row->spot_usd_gpu_h <= usd)) row->spot_usd_gpu_h = usd;
        }
    }
}

void price_select(const PriceFilter *f, const Offer *offers, size_t n_offers, const Gpu *gpus, size_t n_gpus,
                  Arena *a, PriceSelection *ret_selection) {
    PriceSelection s = {.rows = arena_alloc(a, n_offers, sizeof *s.rows)};
    for (size_t i = 0; i < n_offers; i++) {
        PriceRow row = row_of(f, &offers[i], gpus, n_gpus);
        if (offer_refusal(&f->offer, &offers[i], row.gpu) != OFFER_FITS || !fits_gpu(f, &row)) continue;
        row.country = country_of(f, &offers[i], a);
        if ((row.gpu == NULL) != f->unmapped) {
            s.n_unmapped += row.gpu == NULL;
        } else if (offers[i].standing == STANDING_SUPERSEDED && !f->superseded) {
            s.n_superseded++;
        } else if (is_known(f->max_age_days) && (double)row.age_days > f->max_age_days) {
            s.n_too_old++;
        } else if (is_known(f->max_age_days) && row.ahead) {
            s.n_ahead++;
        } else if (f->available && offers[i].available == AVAILABLE_NO) {
            s.n_unavailable++;
        } else if (f->n_countries > 0 && !fits_country(f, row.country)) {
            s.n_unknown_country += row.country[0] == '\0';
        } else {
            s.rows[s.n++] = row;
        }
    }
    if (!f->all_regions) keep_cheapest_regions(&s);
    if (s.n > 0) qsort(s.rows, s.n, sizeof *s.rows, compare_price);
    if (f->offer.pricing_model != PRICING_SPOT) add_spot(&s, offers, n_offers, a);
    *ret_selection = s;
}
