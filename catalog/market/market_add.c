// Rows from a source: cleaned, checked, staged or rejected.
#include <math.h>
#include <string.h>

#include "catalog/market/market_store.h"
#include "catalog/facts/names.h"
#include "src/base/hash.h"

enum {
    PRICE_MAX_USD_H = 100000,  // whole instance; over it nobody asks a price, it is a mistake
    DOCUMENTS_MAX = 4096
};

// Per GPU-hour; outside, a row waits for somebody's word. Public list prices lie between 0.02 (old cards,
// spot) and 25.
static const double plausible_low_usd = 0.005, plausible_high_usd = 100;
// How far a stated memory may be from the card's: sellers state GB, GiB, usable or total by turns.
static const double memory_tolerance = 0.15;

// ---------------------------------------------------------------- texts

// Where the search for a text begins; `capacity` is a power of two.
static size_t text_slot(const char *text, size_t capacity) {
    uint64_t hash = hash_fnv1a(str_of(text));
    return (size_t)(hash ^ hash >> 32) & (capacity - 1);
}

static void texts_grow(MarketRefresh *r) {
    size_t capacity = r->texts_capacity == 0 ? 256 : r->texts_capacity * 2;
    KeptText *texts = arena_alloc(&r->arena, capacity, sizeof *texts);
    for (size_t i = 0; i < r->texts_capacity; i++) {
        if (r->texts[i].text == NULL) continue;
        size_t at = text_slot(r->texts[i].text, capacity);
        while (texts[at].text != NULL) at = (at + 1) & (capacity - 1);
        texts[at] = r->texts[i];
    }
    r->texts = texts;
    r->texts_capacity = capacity;
}

// The one copy of a text, made clean; NULL: there is nothing in it. Holds until the next one is kept.
static KeptText *keep_text(MarketRefresh *r, const char *text) {
    enum { KEPT_MAX = 4000 };
    char clean[KEPT_MAX + 1];
    if (text == NULL || text[0] == '\0') return NULL;
    Str trimmed = str_trim((Str){text, strnlen(text, KEPT_MAX)});
    memcpy(clean, trimmed.data, trimmed.length);
    clean[trimmed.length] = '\0';
    text_scrub(clean);
    trimmed = str_trim(str_of(clean));
    memmove(clean, trimmed.data, trimmed.length);
    clean[trimmed.length] = '\0';
    if (clean[0] == '\0') return NULL;
    if (r->n_texts * 2 >= r->texts_capacity) texts_grow(r);
    size_t at = text_slot(clean, r->texts_capacity);
    for (; r->texts[at].text != NULL; at = (at + 1) & (r->texts_capacity - 1)) {
        if (strcmp(r->texts[at].text, clean) == 0) return &r->texts[at];
    }
    r->n_texts++;
    r->texts[at].text = arena_copy(&r->arena, clean, strlen(clean));
    return &r->texts[at];
}

const char *refresh_text(MarketRefresh *r, const char *text) {
    const KeptText *kept = keep_text(r, text);
    return kept == NULL ? "" : kept->text;
}

// The same of a text that may tell how the price is had: what it says is joined to `said`. A text is read
// once in a refresh, since rows repeat their sizes, cards and regions by the thousand.
static const char *gated_text(MarketRefresh *r, const char *text, GateSaid *said) {
    KeptText *kept = keep_text(r, text);
    if (kept == NULL) return "";
    if (!kept->read) kept->said = gate_read(kept->text);
    kept->read = true;
    *said = gate_join(*said, kept->said);
    return kept->text;
}

// One spelling of a name: lower-case ASCII, runs of blanks, '_' and '-' one '-'. All else stays, or two
// sellers would become one.
static const char *spelled(Arena *a, const char *text) {
    char *name = arena_copy(a, text, strlen(text));
    size_t used = 0;
    for (const char *c = text; *c != '\0'; c++) {
        bool between = *c == ' ' || *c == '_' || *c == '-';
        if (between && (used == 0 || name[used - 1] == '-')) continue;
        name[used++] = between ? '-' : char_lower(*c);
    }
    while (used > 0 && name[used - 1] == '-') used--;
    name[used] = '\0';
    return name;
}

// Notes what a seller's name became.
static void note_renamed(MarketRefresh *r, const char *stated, const char *provider) {
    if (strcmp(stated, provider) == 0 || r->n_renamed == RENAMED_MAX) return;
    r->renamed = arena_grow(&r->arena, r->renamed, r->n_renamed, &r->renamed_capacity, sizeof *r->renamed);
    r->renamed[r->n_renamed++] = (MarketRenamed){stated, provider};
}

const char *market_provider(MarketRefresh *r, const char *stated) {
    const KeptText *kept = keep_text(r, stated);
    if (kept == NULL) return r->feed;
    if (kept->provider != NULL) return kept->provider;
    Arena a = {0};
    const UserNames names = {r->market->sellers.names_of, r->market->sellers.n_names_of};
    const char *text = kept->text;
    const char *name = spelled(&a, text);
    const UserName *known = user_name(&names, NAMED_PROVIDER, name);
    if (known != NULL && known->means[0] != '\0') name = known->means;
    const char *provider = name[0] == '\0' ? r->feed : refresh_text(r, name);
    arena_free(&a);
    note_renamed(r, text, provider);
    keep_text(r, text)->provider = provider;
    return provider;
}

// ---------------------------------------------------------------- begin

MarketRefresh *market_begin(Market *m, const char *name, const char *url) {
    Arena own = {0};
    MarketRefresh *r = arena_alloc(&own, 1, sizeof *r);
    r->arena = own;
    r->market = m;
    r->feed = refresh_text(r, spelled(&r->arena, refresh_text(r, name)));
    r->url = refresh_text(r, url);
    return r;
}

void market_scope(MarketRefresh *r, MarketScope scope) { r->scope = scope; }

void market_private(MarketRefresh *r) { r->private = true; }

void market_abandon(MarketRefresh *r) {
    if (r == NULL) return;
    Arena a = r->arena;
    arena_free(&a);
}

void market_document(MarketRefresh *r, const char *url, const char *etag, const char *last_modified) {
    bool none = (etag == NULL || etag[0] == '\0') && (last_modified == NULL || last_modified[0] == '\0');
    if (none || r->n_documents == DOCUMENTS_MAX) return;
    r->documents =
        arena_grow(&r->arena, r->documents, r->n_documents, &r->documents_capacity, sizeof *r->documents);
    r->documents[r->n_documents++] =
        (MarketDocument){refresh_text(r, url), refresh_text(r, etag), refresh_text(r, last_modified)};
}

// ---------------------------------------------------------------- rejects

const char market_unknown_size[] = "machine with GPUs that are not known, or not how many";

static bool has_name(const char *list, Str name) {
    Str rest = str_of(list);
    Str part;
    while (str_next(&rest, ',', &part)) {
        part = str_trim(part);
        if (part.length == name.length && memcmp(part.data, name.data, name.length) == 0) return true;
    }
    return false;
}

const char *market_names_join(Arena *a, const char *list, const char *names) {
    enum { LIST_MAX = 800, NAME_MAX_BYTES = 80 };
    static const char more[] = "...";
    Str rest = str_of(names);
    Str part;
    while (str_next(&rest, ',', &part)) {
        part = str_trim(part);
        if (part.length > NAME_MAX_BYTES || strlen(list) > LIST_MAX) part = str_of(more);
        if (part.length > 0 && !has_name(list, part))
            list =
                arena_printf(a, "%s%s%.*s", list, list[0] == '\0' ? "" : ", ", (int)part.length, part.data);
    }
    return list;
}

void market_reject(MarketRefresh *r, const char *reason, const char *example) {
    for (size_t i = 0; i < r->n_rejects; i++) {
        if (strcmp(r->rejects[i].reason, reason) != 0 && i < MARKET_REASONS) continue;
        if (r->rejects[i].reason == market_unknown_size)
            r->rejects[i].example =
                market_names_join(&r->arena, r->rejects[i].example, refresh_text(r, example));
        r->rejects[i].count++;
        return;
    }
    bool other = r->n_rejects == MARKET_REASONS;
    r->rejects[r->n_rejects++] = (MarketReject){other ? "other" : reason, refresh_text(r, example), 1};
}

static void reject_row(MarketRefresh *r, const char *reason, const FeedRow *row) {
    Arena a = {0};
    const char *price = row->price_text != NULL ? row->price_text
                        : is_known(row->price)  ? arena_printf(&a, "%.6g", row->price)
                                                : "";
    const char *what =
        arena_printf(&a, "%.200s %.200s %.200s%s%.60s", row->provider == NULL ? r->feed : row->provider,
                     row->instance == NULL || row->instance[0] == '\0' ? (row->gpu == NULL ? "" : row->gpu)
                                                                       : row->instance,
                     row->region == NULL ? "" : row->region, price[0] == '\0' ? "" : " ", price);
    market_reject(r, reason, what);
    arena_free(&a);
}

// ---------------------------------------------------------------- checks

static bool too_long(const char *text) {
    return text != NULL && strnlen(text, MARKET_TEXT_MAX + 1) > MARKET_TEXT_MAX;
}

// Words that tell what this program does not compare; how the price is had: market_gate.c.
static const char *unwanted(const FeedRow *row) {
    static const struct {
        const char *word, *reason;
    } words[] = {{"commitment v1", "price of the GPU alone, not of a machine"},
                 {"gpu running in", "price of the GPU alone, not of a machine"},
                 {"gpu attached to", "price of the GPU alone, not of a machine"},
                 {"ma35d", "no GPU of NVIDIA or AMD: media card"},
                 {"trainium", "no GPU of NVIDIA or AMD: Trainium"},
                 {"inferentia", "no GPU of NVIDIA or AMD: Inferentia"},
                 {"gaudi", "no GPU of NVIDIA or AMD: Gaudi"},
                 {"tpu", "no GPU of NVIDIA or AMD: TPU"},
                 {"fpga", "no GPU of NVIDIA or AMD: FPGA"},
                 {"alveo", "no GPU of NVIDIA or AMD: FPGA"},
                 {"sqlg7_amd", "no GPU of NVIDIA or AMD: AMD CPU"}};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (text_contains(row->gpu, words[i].word) ||
            (row->instance != NULL && text_contains(row->instance, words[i].word)))
            return words[i].reason;
    }
    return NULL;
}

// The price as stated, in its currency. NULL: fine, else why it is none.
static const char *read_price(const FeedRow *row, double *ret_price) {
    double price = row->price;
    if (row->price_text != NULL) {
        Str text = str_trim(str_of(row->price_text));
        if (text.length == 0) return "no price";
        if (!parse_number(text, -1e308, 1e308, &price, NULL))
            return "the price is not a plain decimal number";
    }
    if (isnan(price)) return "no price";
    if (price < 0) return "price below 0";
    if (price <= 0) return "price of 0: unknown, not free";
    if (price > PRICE_MAX_USD_H) return "price out of range";
    *ret_price = price;
    return NULL;
}

// Seconds since 1970 from which the price holds; 0: not stated, or not understood.
static int64_t effective_at(const FeedRow *row) {
    int64_t days = 0;
    const char *text = row->effective_from;
    if (text == NULL || text[0] == '\0' || !parse_date(str_of(text), &days, NULL)) return 0;
    return strlen(text) >= 19 ? time_seconds(text) : days * DAY_S;
}

// A price that holds only later is none yet. One that was seen later than this clock's now is taken in, and
// shown as such: who knows which clock is right.
static const char *check_dates(const FeedRow *row, int64_t now) {
    int64_t days = 0;
    bool effective = row->effective_from != NULL && row->effective_from[0] != '\0';
    bool dated = row->as_of != NULL && row->as_of[0] != '\0';
    if (effective && !parse_date(str_of(row->effective_from), &days, NULL))
        return "date of effect not understood";
    if (effective_at(row) > now) return "takes effect in the future";
    return dated && !parse_date(str_of(row->as_of), &days, NULL) ? "date not understood" : NULL;
}

static bool is_currency(const char *text) {
    size_t n = 0;
    for (; text[n] != '\0'; n++) {
        char c = char_lower(text[n]);
        if (c < 'a' || c > 'z') return false;
    }
    return n == 3;
}

// Why a row cannot be used at all; NULL: it can.
static const char *unusable(const MarketRefresh *r, const FeedRow *row, double *ret_price) {
    if (row->gpu == NULL || str_trim(str_of(row->gpu)).length == 0) return "no GPU named";
    if (too_long(row->gpu) || too_long(row->instance) || too_long(row->region) || too_long(row->provider))
        return "a name is too long";
    const char *why = unwanted(row);
    if (why == NULL && row->currency != NULL && row->currency[0] != '\0' && !is_currency(row->currency))
        why = "currency not understood";
    if (why == NULL && is_known(row->gpu_count) && !(row->gpu_count >= 0.01 && row->gpu_count <= 1024))
        why = "GPU count out of range";
    if (why == NULL) why = check_dates(row, r->market->clock);
    return why != NULL ? why : read_price(row, ret_price);
}

static double in_range(double x, double low, double high) { return x >= low && x <= high ? x : (double)NAN; }

// Dollars for what is stated in another currency; false: no rate.
static bool convert(MarketRefresh *r, MarketRow *row, const char *currency) {
    char upper[4] = "";
    for (size_t i = 0; i < 3; i++) {
        char c = char_lower(currency[i]);
        upper[i] = (char)(c - 'a' + 'A');
    }
    row->currency = refresh_text(r, upper);
    row->stated_micro_h = row->offer.price_micro_usd_h;
    row->offer.price_micro_usd_h = 0;
    for (size_t i = r->market->n_rates; i > 0; i--) {
        const MarketRate *rate = &r->market->rates[i - 1];
        if (!text_same(rate->currency, upper)) continue;
        row->offer.price_micro_usd_h = (int64_t)llround((double)row->stated_micro_h * rate->usd);
        Arena a = {0};
        row->offer.source = refresh_text(
            r, arena_printf(&a, "%s; %s at %.6g USD of %s", row->offer.source, upper, rate->usd, rate->date));
        arena_free(&a);
        return row->offer.price_micro_usd_h > 0;
    }
    return false;
}

static const char *held_text(MarketRefresh *r, const char *text, Arena *a) {
    const char *kept = refresh_text(r, text);
    arena_free(a);
    return kept;
}

// Why a row must wait; NULL: it need not.
static const char *doubtful(MarketRefresh *r, const MarketRow *row, const Gpu *gpu, double memory_gb) {
    const Offer *o = &row->offer;
    Arena a = {0};
    if (o->price_micro_usd_h == 0)
        return held_text(r, arena_printf(&a, "price in %s: no dated rate for it (--usd-per)", row->currency),
                         &a);
    double usd = (double)o->price_micro_usd_h / 1e6 / (is_known(o->gpu_count) ? o->gpu_count : 1);
    if (usd < plausible_low_usd) return "under 0.005 $/GPU-h: a placeholder?";
    if (usd > plausible_high_usd) return "over 100 $/GPU-h: a placeholder, or not of one hour?";
    bool slice = is_known(o->gpu_count) && o->gpu_count < 1;
    if (gpu == NULL || slice || !is_known(memory_gb) || !is_known(gpu->memory_gb)) return NULL;
    if (fabs(memory_gb - gpu->memory_gb) <= memory_tolerance * gpu->memory_gb) return NULL;
    return held_text(
        r, arena_printf(&a, "%.5g GB a GPU, where %s has %.5g GB", memory_gb, gpu->sku_id, gpu->memory_gb),
        &a);
}

// ---------------------------------------------------------------- add

static const char *date_of(MarketRefresh *r, const FeedRow *row, bool *ret_dated) {
    char day[11];
    *ret_dated = row->as_of != NULL && row->as_of[0] != '\0';
    if (*ret_dated) {
        // Without the time of day: rows are told apart by days.
        size_t length = strnlen(row->as_of, 10);
        memcpy(day, row->as_of, length);
        day[length] = '\0';
    } else {
        format_date(day, r->market->now / DAY_S);
    }
    return refresh_text(r, day);
}

// What tells which offer a row is, each text kept once; and the pricing model that these texts leave it.
// NULL, or why the row is turned away.
static const char *name_offer(MarketRefresh *r, const FeedRow *f, Offer *o) {
    GateSaid said = {0};
    PricingModel model = f->pricing_model;
    o->instance = gated_text(r, f->instance, &said);
    o->region = gated_text(r, f->region, &said);
    o->listed_name = gated_text(r, f->gpu, &said);
    gated_text(r, f->said, &said);
    const char *why = gate_model(said, f->pricing_model, &model);
    o->pricing_model = (int)model;
    return why;
}

bool market_add(MarketRefresh *r, const FeedRow *f, Err *e) {
    double price = (double)NAN;
    Offer named = {0};
    if (++r->n_added > MARKET_ROWS_MAX) return err_set(e, ERR_FAILED, "more than %d rows", MARKET_ROWS_MAX);
    const char *why = unusable(r, f, &price);
    if (why == NULL) why = name_offer(r, f, &named);
    if (why != NULL) {
        reject_row(r, why, f);
        return true;
    }
    bool has_id = f->sku_id != NULL && f->sku_id[0] != '\0';
    const Gpu *gpu = has_id ? gpu_names_sku(r->market->names, f->sku_id) : NULL;
    const char *provider = market_provider(r, f->provider);
    if (gpu == NULL)
        gpu = gpu_names_find(r->market->names, &(GpuAsked){f->gpu, f->gpu_memory_gb, provider, f->instance});
    if (is_known(f->gpu_count) && f->per_gpu) price *= f->gpu_count;
    double part = gpu != NULL ? plan_gpus(f->instance, gpu->memory_gb) : (double)NAN;
    bool whole = !(part < 1);  // lists that know no parts count one GPU, of the part's memory
    double memory_gb = whole ? f->gpu_memory_gb : (double)NAN;
    MarketRow row = {
        .offer = {.provider = provider,
                  .instance = named.instance,
                  .region = named.region,
                  .sku_id = gpu == NULL ? "" : refresh_text(r, gpu->sku_id),
                  .listed_name = named.listed_name,
                  .gpu_count = whole ? f->gpu_count : part,
                  .vcpus = in_range(f->vcpus, 0.1, 10000),
                  .ram_gb = in_range(f->ram_gb, 0.1, 1e6),
                  .pricing_model = named.pricing_model,
                  .price_micro_usd_h = (int64_t)llround(price * 1e6),
                  .available = f->available,
                  .standing = f->standing,
                  .seller_class = f->seller_class,
                  .machines_seen = in_range(f->machines_seen, 1, 1e6),
                  .hosts_seen = in_range(f->hosts_seen, 1, 1e6),
                  .sold_by_gpu = f->sold_by_gpu,
                  .source = f->source == NULL || f->source[0] == '\0' ? r->url : refresh_text(r, f->source)},
        .currency = "",
        .country = refresh_text(r, f->country)};
    if (row.offer.source[0] == '\0') row.offer.source = r->feed;
    row.offer.as_of = date_of(r, f, &row.dated);
    row.effective_at = effective_at(f);
    if (row.offer.price_micro_usd_h == 0) {
        reject_row(r, "price of 0: unknown, not free", f);
        return true;
    }
    if (f->currency != NULL && f->currency[0] != '\0' && !text_same(f->currency, "USD"))
        convert(r, &row, f->currency);
    row.quarantine = doubtful(r, &row, gpu, memory_gb);
    market_rows_push(&r->staged, &r->arena, &row);
    return true;
}
