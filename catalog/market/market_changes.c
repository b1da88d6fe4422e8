// What changed since a time: all observations of a market are read once, and of each offer the first and the
// last are kept.
//
// A market of years has millions of observations of some hundred thousand offers: an offer here is a small
// record, its texts are kept once for all, and a Change is only made when it is asked for.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/market/market_store.h"
#include "src/base/hash.h"

enum {
    C_ID,
    C_FEED,
    C_PROVIDER,
    C_INSTANCE,
    C_REGION,
    C_LISTED,
    C_SKU,
    C_COUNTRY,
    C_COUNT,
    C_VCPUS,
    C_RAM,
    C_PRICING,
    C_PRICE,
    C_SEEN,
    C_LAST,
    C_GONE
};
enum { BLOCK_OFFERS = 4096 };

// The texts that tell an offer; what stands behind them are those of its last observation.
enum {
    T_FEED,
    T_PROVIDER,
    T_INSTANCE,
    T_REGION,
    T_LISTED,
    T_IDENTITY,
    T_SKU = T_IDENTITY,
    T_COUNTRY,
    T_SEEN,
    T_LAST,
    T_COUNT
};

struct SeenOffer {
    const char *text[T_COUNT];
    const char *first_seen_at;
    double gpu_count, vcpus, ram_gb;
    int64_t first_id, last_id, first_micro_h, last_micro_h;
    uint8_t pricing_model;
    bool gone;
};

// Found by a hash, open addressing; `capacity` is a power of two.
typedef struct Hashed {
    void **slots;
    size_t n, capacity;
} Hashed;

typedef struct Reader {
    Arena *arena;
    Hashed texts, offers;
    SeenOffer *block;  // where the next offers go
    size_t used;
} Reader;

static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 29;
}

static uint64_t text_hash(const char *text) { return mix(hash_fnv1a(str_of(text)), 0); }

static uint64_t number_hash(uint64_t hash, double x) {
    uint64_t bits = 0;
    if (!isnan(x)) memcpy(&bits, &x, sizeof bits);
    return mix(hash, bits);
}

// Its identifying texts are the only copies, so that their addresses tell them.
static uint64_t offer_hash(const SeenOffer *o) {
    uint64_t hash = o->pricing_model;
    for (size_t i = 0; i < T_IDENTITY; i++) hash = mix(hash, (uint64_t)(uintptr_t)o->text[i]);
    return number_hash(number_hash(number_hash(hash, o->gpu_count), o->vcpus), o->ram_gb);
}

static void table_make_room(Hashed *t, Arena *a, uint64_t (*hash)(const void *)) {
    if (t->n * 2 < t->capacity) return;
    Hashed larger = {NULL, t->n, t->capacity == 0 ? 1024 : t->capacity * 2};
    larger.slots = arena_alloc(a, larger.capacity, sizeof *larger.slots);
    for (size_t i = 0; i < t->capacity; i++) {
        if (t->slots[i] == NULL) continue;
        size_t at = hash(t->slots[i]) & (larger.capacity - 1);
        while (larger.slots[at] != NULL) at = (at + 1) & (larger.capacity - 1);
        larger.slots[at] = t->slots[i];
    }
    *t = larger;
}

static uint64_t hash_of_text(const void *text) { return text_hash(text); }
static uint64_t hash_of_offer(const void *offer) { return offer_hash(offer); }

static const char *kept(Reader *r, const char *text) {
    if (text[0] == '\0') return "";
    table_make_room(&r->texts, r->arena, hash_of_text);
    size_t at = text_hash(text) & (r->texts.capacity - 1);
    for (; r->texts.slots[at] != NULL; at = (at + 1) & (r->texts.capacity - 1)) {
        if (strcmp(r->texts.slots[at], text) == 0) return r->texts.slots[at];
    }
    r->texts.n++;
    r->texts.slots[at] = arena_copy(r->arena, text, strlen(text));
    return r->texts.slots[at];
}

static bool same_offer(const SeenOffer *x, const SeenOffer *y) {
    for (size_t i = 0; i < T_IDENTITY; i++) {
        if (x->text[i] != y->text[i]) return false;
    }
    return x->pricing_model == y->pricing_model && number_order(x->gpu_count, y->gpu_count) == 0 &&
           number_order(x->vcpus, y->vcpus) == 0 && number_order(x->ram_gb, y->ram_gb) == 0;
}

static void take(Reader *r, const SeenOffer *seen) {
    table_make_room(&r->offers, r->arena, hash_of_offer);
    size_t at = offer_hash(seen) & (r->offers.capacity - 1);
    while (r->offers.slots[at] != NULL && !same_offer(r->offers.slots[at], seen))
        at = (at + 1) & (r->offers.capacity - 1);
    SeenOffer *o = r->offers.slots[at];
    if (o == NULL) {
        if (r->used % BLOCK_OFFERS == 0) r->block = arena_alloc(r->arena, BLOCK_OFFERS, sizeof *r->block);
        o = &r->block[r->used++ % BLOCK_OFFERS];
        *o = *seen;
        r->offers.slots[at] = o;
        r->offers.n++;
        return;
    }
    int before = strcmp(seen->first_seen_at, o->first_seen_at);
    int after = strcmp(seen->text[T_SEEN], o->text[T_SEEN]);
    if (before < 0 || (before == 0 && seen->first_id < o->first_id)) {
        o->first_seen_at = seen->first_seen_at;
        o->first_id = seen->first_id;
        o->first_micro_h = seen->first_micro_h;
    }
    if (after > 0 || (after == 0 && seen->last_id > o->last_id)) {
        SeenOffer last = *seen;
        last.first_seen_at = o->first_seen_at;
        last.first_id = o->first_id;
        last.first_micro_h = o->first_micro_h;
        *o = last;
    }
}

static bool read_all(Stmt *s, Reader *r, Err *e) {
    static const size_t columns[T_COUNT] = {
        [T_FEED] = C_FEED,       [T_PROVIDER] = C_PROVIDER, [T_INSTANCE] = C_INSTANCE,
        [T_REGION] = C_REGION,   [T_LISTED] = C_LISTED,     [T_SKU] = C_SKU,
        [T_COUNTRY] = C_COUNTRY, [T_SEEN] = C_SEEN,         [T_LAST] = C_LAST};
    bool ok = true;
    while (stmt_next(s, &ok, e)) {
        int pricing = name_index(pricing_names, stmt_text(s, C_PRICING));
        SeenOffer seen = {.gpu_count = stmt_number(s, C_COUNT),
                          .vcpus = stmt_number(s, C_VCPUS),
                          .ram_gb = stmt_number(s, C_RAM),
                          .pricing_model = (uint8_t)(pricing < 0 ? PRICING_ON_DEMAND : pricing),
                          .gone = stmt_integer(s, C_GONE) != 0};
        for (size_t i = 0; i < T_COUNT; i++) seen.text[i] = kept(r, stmt_text(s, columns[i]));
        seen.first_seen_at = seen.text[T_SEEN];
        seen.first_id = seen.last_id = stmt_integer(s, C_ID);
        seen.first_micro_h = seen.last_micro_h = stmt_integer(s, C_PRICE);
        take(r, &seen);
    }
    return ok;
}

// ---------------------------------------------------------------- what became of them

// One that stood at `since` was seen first until then, or its observations of that time would not be among
// them.
static bool was_offered(const SeenOffer *o, const char *since) {
    return strcmp(o->first_seen_at, since) <= 0;
}

static bool has_changed(const SeenOffer *o, const char *since) {
    bool was = was_offered(o, since);
    // what came and went is no change
    return was != !o->gone || (was && o->first_micro_h != o->last_micro_h);
}

static int by_identity(const void *x, const void *y) {
    static const int order[] = {T_PROVIDER, T_INSTANCE, T_REGION, T_LISTED};
    const SeenOffer *p = *(const SeenOffer *const *)x;
    const SeenOffer *q = *(const SeenOffer *const *)y;
    int c = 0;
    for (size_t i = 0; i < COUNT_OF(order) && c == 0; i++)
        c = p->text[order[i]] == q->text[order[i]] ? 0 : strcmp(p->text[order[i]], q->text[order[i]]);
    if (c == 0) c = number_order(p->gpu_count, q->gpu_count);
    if (c == 0) c = number_order(p->vcpus, q->vcpus);
    if (c == 0) c = number_order(p->ram_gb, q->ram_gb);
    if (c == 0) c = p->pricing_model - q->pricing_model;
    return c != 0 ? c : strcmp(p->text[T_FEED], q->text[T_FEED]);
}

bool market_changes(Market *m, const char *since, Arena *a, MarketChanges *ret_changes, Err *e) {
    Stmt *s = NULL;
    Reader r = {.arena = a};
    bool ok = stmt_query(m->db, "market_changes", &s, e) && stmt_bind_text(s, "since", since, e) &&
              read_all(s, &r, e);
    stmt_free(s);
    if (!ok) return false;
    const SeenOffer **rows = arena_alloc(a, r.offers.n + 1, sizeof *rows);
    size_t n = 0;
    for (size_t i = 0; i < r.offers.capacity; i++) {
        const SeenOffer *o = r.offers.slots[i];
        if (o != NULL && has_changed(o, since)) rows[n++] = o;
    }
    if (n > 0) qsort(rows, n, sizeof *rows, by_identity);
    *ret_changes = (MarketChanges){rows, n, arena_copy(a, since, strlen(since))};
    return true;
}

Change market_change(const MarketChanges *c, size_t i) {
    const SeenOffer *o = c->rows[i];
    bool was = was_offered(o, c->since);
    Change change = {.kind = !was                                 ? CHANGE_NEW
                             : o->gone                            ? CHANGE_GONE
                             : o->last_micro_h > o->first_micro_h ? CHANGE_UP
                                                                  : CHANGE_DOWN,
                     .before_micro_h = was ? o->first_micro_h : 0,
                     .at = was && o->gone ? o->text[T_LAST] : o->text[T_SEEN]};
    change.offer = (Offer){.feed = o->text[T_FEED],
                           .provider = o->text[T_PROVIDER],
                           .instance = o->text[T_INSTANCE],
                           .region = o->text[T_REGION],
                           .listed_name = o->text[T_LISTED],
                           .sku_id = o->text[T_SKU],
                           .country = o->text[T_COUNTRY],
                           .seen_at = o->text[T_SEEN],
                           .source = "",
                           .as_of = "",
                           .gpu_count = o->gpu_count,
                           .vcpus = o->vcpus,
                           .ram_gb = o->ram_gb,
                           .machines_seen = (double)NAN,
                           .pricing_model = o->pricing_model,
                           .price_micro_usd_h = o->last_micro_h};
    return change;
}
