// Prices that no machine is sold at: quarantined against what the provider itself, and what others ask for the same
// GPU.
//
// A placeholder (0.50 $/h for any GPU that is not for sale) would win every verdict; a mirrored listing at
// ninety times the usual price only misleads. All prices here are of one whole GPU; slices of a card take no
// part.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/market/market_store.h"

enum { OTHERS_MIN = 4, TEXT_MAX = 200 };  // OTHERS_MIN: providers, without which there is no median

// Below this share of the median over other providers, or of the provider's own next dearer price (on-demand
// and reserved): quarantined. Auctions scatter wider: the lowest spot prices of a card lay at 0.33 of their median
// in listings of May to August 2026.
static const double low_share[PRICING_COUNT] = {[PRICING_ON_DEMAND] = 0.35,
                                                [PRICING_SPOT] = 0.30,
                                                [PRICING_RESERVED_1Y] = 0.35,
                                                [PRICING_RESERVED_3Y] = 0.35};
// Discounts on the provider's own on-demand price go as far as 0.12 (spot) and 0.42 (three years) in the same
// listings.
static const double discount_share[PRICING_COUNT] = {
    [PRICING_SPOT] = 0.10, [PRICING_RESERVED_1Y] = 0.35, [PRICING_RESERVED_3Y] = 0.25};
// Old cards in dear regions cost 10 times the cheapest marketplaces' median; nothing real was seen above
// that.
static const double high_factor = 20;

// What a provider asks at least for a kind of GPU; `family`: the SKU without its form factor, whose variants
// cost about the same.
typedef struct Ask {
    const char *family, *provider;
    int pricing_model;
    double usd_gpu_h;
    double others;  // median over other providers; NaN: too few
    size_t n_others;
} Ask;

typedef struct Worth {
    MarketRefresh *r;
    Arena scratch;
    MarketRow **rows;  // whole mapped GPUs by provider, SKU, pricing model, price
    size_t n_rows;
    Ask *asks;  // by family, pricing model, provider: one each
    size_t n_asks, capacity;
} Worth;

static double usd_gpu_h(const MarketRow *row) {
    double usd = (double)row->offer.price_micro_usd_h / 1e6;
    return is_known(row->offer.gpu_count) ? usd / row->offer.gpu_count : usd;
}

static bool is_form_factor(const char *part, size_t length) {
    static const char *const forms[] = {"sxm", "pcie", "nvl", "oam"};
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        size_t n = strlen(forms[i]);
        if (length >= n && length <= n + 1 && strncmp(part, forms[i], n) == 0) return true;
    }
    return false;
}

// "h200-141gb" of "h200-nvl-141gb".
static const char *family_of(MarketRefresh *r, const char *sku_id) {
    char name[TEXT_MAX];
    size_t used = 0;
    for (const char *part = sku_id; *part != '\0';) {
        size_t length = strcspn(part, "-");
        if (!is_form_factor(part, length) && used + length + 1 < sizeof name) {
            if (used > 0) name[used++] = '-';
            memcpy(name + used, part, length);
            used += length;
        }
        part += length + (part[length] == '-');
    }
    name[used] = '\0';
    return refresh_text(r, name);
}

// ---------------------------------------------------------------- what is compared

static bool takes_part(const MarketRow *row) {
    const Offer *o = &row->offer;
    return row->quarantine == NULL && o->sku_id[0] != '\0' && o->price_micro_usd_h > 0 &&
           !(is_known(o->gpu_count) && o->gpu_count < 1);
}

static int by_tier(const void *x, const void *y) {
    const MarketRow *a = *(MarketRow *const *)x;
    const MarketRow *b = *(MarketRow *const *)y;
    int c = strcmp(a->offer.provider, b->offer.provider);
    if (c == 0) c = strcmp(a->offer.sku_id, b->offer.sku_id);
    if (c == 0) c = a->offer.pricing_model - b->offer.pricing_model;
    return c != 0 ? c : (usd_gpu_h(a) > usd_gpu_h(b)) - (usd_gpu_h(a) < usd_gpu_h(b));
}

static int by_kind(const void *x, const void *y) {
    const Ask *a = x;
    const Ask *b = y;
    int c = strcmp(a->family, b->family);
    if (c == 0) c = a->pricing_model - b->pricing_model;
    return c != 0 ? c : strcmp(a->provider, b->provider);
}

static int by_kind_then_price(const void *x, const void *y) {
    int c = by_kind(x, y);
    double a = ((const Ask *)x)->usd_gpu_h;
    double b = ((const Ask *)y)->usd_gpu_h;
    return c != 0 ? c : (a > b) - (a < b);
}

static void add_ask(Worth *w, Ask ask) {
    w->asks = arena_grow(&w->scratch, w->asks, w->n_asks, &w->capacity, sizeof *w->asks);
    w->asks[w->n_asks++] = ask;
}

static bool read_asks(Worth *w, Err *e) {
    Stmt *s = NULL;
    bool ok = stmt_query(w->r->market->db, "market_lowest", &s, e);
    while (stmt_next(s, &ok, e)) {
        int model = name_index(pricing_names, stmt_text(s, 1));
        if (model < 0) continue;
        add_ask(w, (Ask){.family = family_of(w->r, stmt_text(s, 0)),
                         .provider = refresh_text(w->r, stmt_text(s, 2)),
                         .pricing_model = model,
                         .usd_gpu_h = stmt_number(s, 3) / 1e6});
    }
    stmt_free(s);
    return ok;
}

// A seller that no public source names, in a list of the user's own: the user's word is all there is.
static bool is_own_seller(const Worth *w, const char *provider) {
    if (!w->r->private) return false;
    for (size_t i = 0; i < w->n_asks; i++) {
        size_t n = strlen(w->asks[i].provider);
        // "vast" of "vast.ai", "lambda" of "lambda-labs"
        bool begins = strncmp(w->asks[i].provider, provider, n) == 0;
        if (begins && (provider[n] == '\0' || provider[n] == '.' || provider[n] == '-')) return false;
    }
    return true;
}

static void find_rows(Worth *w) {
    MarketRows *staged = &w->r->staged;
    const char *last = "";
    bool own = false;
    w->rows = arena_alloc(&w->scratch, staged->n + 1, sizeof(MarketRow *));
    for (size_t i = 0; i < staged->n; i++) {
        const char *provider = staged->rows[i].offer.provider;
        if (strcmp(provider, last) != 0) own = is_own_seller(w, provider);
        last = provider;
        if (!own && takes_part(&staged->rows[i])) w->rows[w->n_rows++] = &staged->rows[i];
    }
    if (w->n_rows > 0) qsort(w->rows, w->n_rows, sizeof(MarketRow *), by_tier);
}

// ---------------------------------------------------------------- against other providers

static void quarantine(Worth *w, MarketRow *row, double limit, const char *reason) {
    row->limit_usd_gpu_h = limit;
    row->quarantine = refresh_text(w->r, reason);
}

// The median of the kind first..end without the provider at `at`.
static void find_others(Worth *w, size_t first, size_t end, size_t at, double *room) {
    size_t n = 0;
    for (size_t i = first; i < end; i++) {
        if (i != at) room[n++] = w->asks[i].usd_gpu_h;
    }
    w->asks[at].n_others = n;
    w->asks[at].others = (double)NAN;
    if (n < OTHERS_MIN) return;
    qsort(room, n, sizeof *room, order_doubles);
    w->asks[at].others = (room[(n - 1) / 2] + room[n / 2]) / 2;
}

static bool same_kind(const Ask *x, const Ask *y) {
    return x->pricing_model == y->pricing_model && strcmp(x->family, y->family) == 0;
}

// One ask a provider, this refresh's among them.
static void settle_asks(Worth *w) {
    for (size_t i = 0; i < w->n_rows; i++) {
        const Offer *o = &w->rows[i]->offer;
        add_ask(w, (Ask){.family = family_of(w->r, o->sku_id),
                         .provider = o->provider,
                         .pricing_model = o->pricing_model,
                         .usd_gpu_h = usd_gpu_h(w->rows[i])});
    }
    size_t kept = 0;
    if (w->n_asks > 0) qsort(w->asks, w->n_asks, sizeof *w->asks, by_kind_then_price);
    for (size_t i = 0; i < w->n_asks; i++) {
        if (kept == 0 || by_kind(&w->asks[kept - 1], &w->asks[i]) != 0) w->asks[kept++] = w->asks[i];
    }
    w->n_asks = kept;
    double *room = arena_alloc(&w->scratch, w->n_asks + 1, sizeof *room);
    for (size_t first = 0, end = 0; first < w->n_asks; first = end) {
        for (end = first; end < w->n_asks && same_kind(&w->asks[first], &w->asks[end]);) end++;
        for (size_t i = first; i < end; i++) find_others(w, first, end, i, room);
    }
}

// What the row's own provider asks, with the median of the others; every row has one.
static const Ask *ask_of(const Worth *w, const MarketRow *row) {
    const Ask key = {.family = family_of(w->r, row->offer.sku_id),
                     .provider = row->offer.provider,
                     .pricing_model = row->offer.pricing_model};
    return bsearch(&key, w->asks, w->n_asks, sizeof key, by_kind);
}

static void judge_market(Worth *w) {
    for (size_t i = 0; i < w->n_rows; i++) {
        MarketRow *row = w->rows[i];
        const Ask *ask = ask_of(w, row);
        if (ask == NULL || !is_known(ask->others)) continue;
        double low = low_share[row->offer.pricing_model];
        if (usd_gpu_h(row) < low * ask->others) {
            quarantine(w, row, low * ask->others,
                       arena_printf(&w->scratch,
                                    "%.4g $/GPU-h, under %.0f %% of %.4g, the median of %zu other providers",
                                    usd_gpu_h(row), low * 100, ask->others, ask->n_others));
        } else if (usd_gpu_h(row) > high_factor * ask->others) {
            quarantine(w, row, high_factor * ask->others,
                       arena_printf(&w->scratch,
                                    "%.4g $/GPU-h, over %.0f times %.4g, the median of %zu other providers",
                                    usd_gpu_h(row), high_factor, ask->others, ask->n_others));
        }
    }
}

// ---------------------------------------------------------------- against the provider's own prices

static bool same_offer_kind(const MarketRow *x, const MarketRow *y) {
    return strcmp(x->offer.provider, y->offer.provider) == 0 && strcmp(x->offer.sku_id, y->offer.sku_id) == 0;
}

// Holds rows that are on the wrong side of `limit`, which `other` sets.
static void hold_rows(Worth *w, size_t first, size_t end, double limit, double other) {
    for (size_t i = first; i < end; i++) {
        const MarketRow *row = w->rows[i];
        const Ask *ask = ask_of(w, row);
        double usd = usd_gpu_h(row);
        // judged by others' prices
        if (ask != NULL && is_known(ask->others) && (usd >= ask->others || usd > limit)) continue;
        const char *than = usd < limit ? arena_printf(&w->scratch, "under %.0f %% of",
                                                      low_share[row->offer.pricing_model] * 100)
                                       : arena_printf(&w->scratch, "over %.0f times", high_factor);
        quarantine(w, w->rows[i], limit,
                   arena_printf(&w->scratch,
                                "%.4g $/GPU-h, %s %.4g, which %s asks for the same GPU elsewhere", usd, than,
                                other, row->offer.provider));
    }
}

// Rows first..end are all that the provider asks for this GPU at this pricing model, cheapest first. Where
// its prices lie far apart the side with fewer rows is doubtful; the cheap one where both have as many.
static void judge_own(Worth *w, size_t first, size_t end) {
    double low = low_share[w->rows[first]->offer.pricing_model];
    for (size_t i = first + 1; i < end; i++) {
        double below = usd_gpu_h(w->rows[i - 1]);
        double above = usd_gpu_h(w->rows[i]);
        bool cheap = i - first <= end - i && below < low * above;
        bool dear = !cheap && i - first > end - i && above > high_factor * below;
        // auctions differ so from region to region
        if (w->rows[i]->offer.pricing_model == PRICING_SPOT && cheap) continue;
        if (cheap) hold_rows(w, first, i, low * above, above);
        if (dear) hold_rows(w, i, end, high_factor * below, below);
    }
}

// Rows first..end are all pricing models of one GPU at one provider.
static void judge_discounts(Worth *w, size_t first, size_t end) {
    double full = (double)NAN;
    for (size_t i = first; i < end; i++) {
        MarketRow *row = w->rows[i];
        int model = row->offer.pricing_model;
        if (row->quarantine != NULL) continue;
        if (model == PRICING_ON_DEMAND && !(full <= usd_gpu_h(row))) full = usd_gpu_h(row);
        if (model == PRICING_ON_DEMAND || !(usd_gpu_h(row) < discount_share[model] * full)) continue;
        quarantine(w, row, discount_share[model] * full,
                   arena_printf(&w->scratch, "%s at %.4g $/GPU-h, under %.0f %% of the on-demand price, %.4g",
                                pricing_names[model], usd_gpu_h(row), discount_share[model] * 100, full));
    }
}

static void judge_provider(Worth *w) {
    size_t kept = 0;
    for (size_t i = 0; i < w->n_rows; i++) {
        if (w->rows[i]->quarantine == NULL) w->rows[kept++] = w->rows[i];
    }
    w->n_rows = kept;
    for (size_t first = 0, end = 0; first < w->n_rows; first = end) {
        for (end = first; end < w->n_rows && same_offer_kind(w->rows[first], w->rows[end]);) {
            size_t begin = end;
            while (end < w->n_rows && same_offer_kind(w->rows[first], w->rows[end]) &&
                   w->rows[begin]->offer.pricing_model == w->rows[end]->offer.pricing_model)
                end++;
            judge_own(w, begin, end);
        }
        judge_discounts(w, first, end);
    }
}

// ---------------------------------------------------------------- all of it

bool market_judge_worth(MarketRefresh *r, Err *e) {
    Worth w = {.r = r};
    bool ok = read_asks(&w, e);
    if (ok) {
        find_rows(&w);
        settle_asks(&w);
        judge_market(&w);
        judge_provider(&w);
    }
    arena_free(&w.scratch);
    return ok;
}

bool market_is_vouched(const MarketRow *row, const MarketRow *before) {
    double limit = row->limit_usd_gpu_h;
    double is = usd_gpu_h(row);
    double was = usd_gpu_h(before);
    if (!(limit > 0) || before->gone || before->offer.price_micro_usd_h == 0) return false;
    return is < limit ? was < limit && is >= low_share[PRICING_ON_DEMAND] * was
                      : was > limit && is * low_share[PRICING_ON_DEMAND] <= was;
}
