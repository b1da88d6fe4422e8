// One row of a price list: what it states, of the instance or of one GPU.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "catalog/feeds/import.h"

bool import_begin(ImportFile *f, Err *e) {
    const bool *has = f->has;
    bool any = has[I_PRICE_ANY] || has[I_SPOT_ANY] || has[I_TYPICAL];
    bool gpu = has[I_GPU] || has[I_LISTED];
    if (!any && !has[I_PRICE] && !has[I_PRICE_GPU])
        return err_set(e, ERR_FAILED,
                       "no price: none of its columns is 'price_per_hour', 'price_per_gpu_hour' or another "
                       "name of a price that is known (docs/prices-import.md)");
    if (!gpu && !has[I_INSTANCE])
        return err_set(e, ERR_FAILED,
                       "no column 'gpu' or another name of it that is known, nor 'instance' that would tell "
                       "(docs/prices-import.md)");
    f->price_of = f->asked.price_of;
    if (f->price_of != PRICE_OF_UNSAID || !any) return true;
    // a list of machines; or the column beside says what one GPU costs
    if (!gpu || has[I_PRICE_GPU]) f->price_of = PRICE_OF_INSTANCE;
    // a list of GPUs: there is no machine
    else if (!has[I_COUNT] && !has[I_INSTANCE])
        f->price_of = PRICE_OF_GPU;
    return true;
}

// ---------------------------------------------------------------- values

// "": unknown. False: something else than a number.
static bool number_of(const char *text, double *ret_x) {
    *ret_x = (double)NAN;
    Str trimmed = str_trim(str_of(text));
    return trimmed.length == 0 || parse_number(trimmed, -1e308, 1e308, ret_x, NULL);
}

// The same of what a machine has besides: "4-6" may be any of them.
static bool amount_of(const char *text, double *ret_x) {
    double low = 0, high = 0;
    const char *dash = strchr(text, '-');
    if (number_of(text, ret_x)) return true;
    *ret_x = (double)NAN;
    return dash != NULL && parse_number((Str){text, (size_t)(dash - text)}, 0, 1e308, &low, NULL) &&
           parse_number(str_of(dash + 1), low, 1e308, &high, NULL);
}

static bool available_of(const char *text, Available *ret_available) {
    static const struct {
        const char *word;
        Available available;
    } words[] = {{"", AVAILABLE_UNKNOWN}, {"unknown", AVAILABLE_UNKNOWN},
                 {"yes", AVAILABLE_YES},  {"true", AVAILABLE_YES},
                 {"1", AVAILABLE_YES},    {"no", AVAILABLE_NO},
                 {"false", AVAILABLE_NO}, {"0", AVAILABLE_NO}};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (!text_same(text, words[i].word)) continue;
        *ret_available = words[i].available;
        return true;
    }
    return false;
}

static bool is_country(const char *text) {
    for (size_t i = 0; i < strlen(text); i++) {
        if (char_lower(text[i]) < 'a' || char_lower(text[i]) > 'z') return false;
    }
    return text[0] == '\0' || strlen(text) == 2;
}

// A price as people write it: "$0.97 (IN)" is 0.97 USD in IN, a dash is none.
static const char *money(const char *text, Arena *a, const char **ret_currency, const char **ret_note) {
    static const char *const none[] = {"-",   "--", "\xe2\x80\x94", "\xe2\x80\x93",
                                       "n/a", "na", "none",         "null"};
    static const char *const signs[][2] = {{"$", "USD"}, {"\xe2\x82\xac", "EUR"}, {"\xc2\xa3", "GBP"}};
    for (size_t i = 0; i < COUNT_OF(none); i++) {
        if (text_same(text, none[i])) return "";
    }
    for (size_t i = 0; i < COUNT_OF(signs); i++) {
        size_t n = strlen(signs[i][0]);
        if (strncmp(text, signs[i][0], n) != 0) continue;
        text += n;
        *ret_currency = signs[i][1];
    }
    const char *open = strchr(text, '(');
    const char *close = open == NULL ? NULL : strchr(open, ')');
    if (close == NULL || close[1] != '\0') return text;
    *ret_note = arena_copy(a, open + 1, (size_t)(close - open - 1));
    Str number = str_trim((Str){text, (size_t)(open - text)});
    return arena_copy(a, number.data, number.length);
}

// Both prices given, and one of them wrong? Lists round to cents.
static bool contradict(const char *hour, const char *gpu_hour, double count) {
    double whole = (double)NAN, each = (double)NAN;
    if (hour[0] == '\0' || gpu_hour[0] == '\0' || !is_known(count)) return false;
    // the price that counts is checked later
    if (!number_of(hour, &whole) || !number_of(gpu_hour, &each)) return false;
    return !(fabs(whole - each * count) <= 0.01 * fabs(whole) + 0.005 * count);
}

// ---------------------------------------------------------------- the GPU

// The form that a column of its own tells: "A100 80GB" and "SXM". Links between cards say nothing of it.
static const char *with_form(const char *gpu, const char *form, Arena *a) {
    bool told = form[0] == '\0' || text_contains(gpu, form) || text_contains(form, "nvlink");
    if (feed_form(form)[0] != '\0') form = feed_form(form);
    told = told || text_contains(gpu, form);
    return told || gpu[0] == '\0' ? gpu : arena_printf(a, "%s %s", gpu, form);
}

// GPUs of a plan whose name tells them; NaN: it does not. A part of a card is one slot: the market makes it
// the part that it is, and the price is of it.
static double plan_count(const ImportFile *f, const FeedRow *row) {
    const char *provider = row->provider[0] != '\0' ? market_provider(f->refresh, row->provider) : NULL;
    const Gpu *gpu =
        gpu_names_find(f->market->names, &(GpuAsked){row->gpu, (double)NAN, provider, row->instance});
    double part = gpu != NULL ? plan_gpus(row->instance, gpu->memory_gb) : (double)NAN;
    return part < 1 ? 1 : part;
}

// The GPUs of a size of a cloud's; provider NULL: whoever sells a size of that name.
static bool size_of(const SellerFacts *s, const char *provider, const char *instance, FeedRow *row) {
    const InstanceGpu *size = provider != NULL ? instance_gpu_find(s, provider, instance) : NULL;
    for (size_t i = 0; provider == NULL && i < s->n_instances && size == NULL; i++) {
        if (text_same(s->instances[i].instance, instance)) size = &s->instances[i];
    }
    if (size != NULL) {
        row->provider = size->provider;
        row->sku_id = size->sku_id;
        row->gpu = size->gpu;
        row->gpu_count = size->gpu_count;
        return true;
    }
    for (size_t i = 0; (provider == NULL || strcmp(provider, "gcp") == 0) && i < s->n_machines; i++) {
        const PartsMachine *machine = &s->machines[i];
        if (strcmp(machine->machine, instance) != 0) continue;
        row->provider = "gcp";
        row->sku_id = machine->sku_id;
        row->gpu = machine->gpu;
        row->gpu_count = machine->gpu_count;
        if (!machine->on_demand && row->pricing_model == PRICING_ON_DEMAND) row->available = AVAILABLE_NO;
        return true;
    }
    return false;
}

static const char *read_gpu(const ImportFile *f, const char *const *t, Arena *a, FeedRow *row) {
    FeedRow size = *row;
    const char *provider = row->provider[0] != '\0' ? market_provider(f->refresh, row->provider) : NULL;
    bool sized =
        row->instance[0] != '\0' && size_of(market_sellers(f->market), provider, row->instance, &size);
    row->sku_id = t[I_GPU];
    row->gpu = with_form(t[I_LISTED][0] != '\0' ? t[I_LISTED] : t[I_GPU], t[I_FORM], a);
    if (row->gpu[0] == '\0') {
        if (!sized && instance_has_gpus(provider, row->instance)) return market_unknown_size;
        if (!sized) return "instance type without a GPU, or with one that is not known";
        double count = row->gpu_count;
        *row = size;
        if (is_known(count)) row->gpu_count = count;
    } else if (sized && !is_known(row->gpu_count)) {
        row->gpu_count = size.gpu_count;
    } else if (!is_known(row->gpu_count)) {
        row->gpu_count = plan_count(f, row);
    }
    return NULL;
}

// ---------------------------------------------------------------- the price

static const char no_pricing[] = "pricing model is none of on-demand, spot, reserved-1y, reserved-3y";

// What the words say, one line a column; NULL, or why they make no offer. ret_tier: they name a part of the
// provider's offers.
static const char *read_words(const char *words, GateSaid *ret_said, bool *ret_tier) {
    Str rest = str_of(words);
    Str line;
    while (str_next(&rest, '\n', &line)) {
        if (line.length == 0) continue;
        char word[200];
        ImportPricing pricing = {PRICING_ON_DEMAND, NULL, false};
        snprintf(word, sizeof word, "%.*s", (int)line.length, line.data);
        GateSaid said = gate_read(word);
        *ret_said = gate_join(*ret_said, said);
        if (gate_tells(said) || said.bits != 0) continue;
        if (!import_pricing(word, &pricing)) return no_pricing;
        if (pricing.why != NULL) return pricing.why;
        *ret_tier = *ret_tier || pricing.tier;
    }
    return NULL;
}

static const char *read_pricing(const char *const *t, FeedRow *row) {
    GateSaid said = {0};
    Available spot = AVAILABLE_UNKNOWN;
    bool word = t[I_PRICING][0] != '\0';
    bool tier = false;
    const char *why = read_words(t[I_PRICING], &said, &tier);
    bool flagged = available_of(t[I_IS_SPOT], &spot) && spot != AVAILABLE_UNKNOWN;
    bool own_word = why == no_pricing && flagged;  // a seller's own word; the flag tells
    if (why != NULL && !own_word) return why;
    why = gate_model(said, PRICING_ON_DEMAND, &row->pricing_model);
    if (why != NULL) return why;
    if (flagged && spot == AVAILABLE_YES) row->pricing_model = PRICING_SPOT;
    // It keeps a part of the seller's offers apart from the others.
    if (row->region[0] == '\0' && word && (tier || own_word)) row->region = t[I_PRICING];
    return NULL;
}

bool import_row_model(const ImportRow *row, PricingModel *ret_model) {
    FeedRow read = FEED_ROW;
    Available spot = AVAILABLE_UNKNOWN;
    read.region = "";
    if (read_pricing(row->text, &read) != NULL) return false;
    if (available_of(row->text[I_SPOT_ANY], &spot) && spot == AVAILABLE_YES &&
        text_same(row->text[I_SPOT_ANY], "true"))
        read.pricing_model = PRICING_SPOT;
    *ret_model = read.pricing_model;
    return true;
}

static const char no_class[] =
    "seller_class is none of unknown, hyperscaler, cloud, marketplace-host, broker, price-list-only";

static const char no_standing[] = "standing is none of listed, secondary, superseded";

// What the row says of itself: whether somebody asks the price, or only says that somebody does.
static const char *read_standing(const char *text, FeedRow *row) {
    if (text[0] == '\0') return NULL;
    for (int i = 0; standing_names[i] != NULL; i++) {
        if (!text_same(text, standing_names[i])) continue;
        row->standing = (Standing)i;
        return NULL;
    }
    return no_standing;
}

// What the row says of its seller.
static const char *read_seller(const char *const *t, FeedRow *row) {
    if (t[I_CLASS][0] != '\0' && !import_seller_class(t[I_CLASS], &row->seller_class)) return no_class;
    if (!number_of(t[I_MACHINES], &row->machines_seen) || row->machines_seen < 0)
        return "machines_seen is no number of machines";
    if (!number_of(t[I_HOSTS], &row->hosts_seen) || row->hosts_seen < 0)
        return "hosts_seen is no number of hosts";
    if (!available_of(t[I_BY_GPU], &row->sold_by_gpu)) return "sold_by_gpu is none of yes, no";
    // it was looked for, and none was there
    if (row->machines_seen < 1 && row->available == AVAILABLE_UNKNOWN) row->available = AVAILABLE_NO;
    return NULL;
}

// Why the row cannot be read, its price aside; NULL: it can.
static const char *fill(const ImportFile *f, const char *const *t, Arena *a, FeedRow *row) {
    *row = FEED_ROW;
    if (t[I_OS][0] != '\0' && !text_contains(t[I_OS], "linux"))
        return text_contains(t[I_OS], "windows") ? "Windows" : "operating system other than Linux";
    if (!number_of(t[I_COUNT], &row->gpu_count)) return "gpu_count is not a number";
    if (!number_of(t[I_MEMORY], &row->gpu_memory_gb)) return "gpu_memory_gb is not a number";
    if (!amount_of(t[I_VCPUS], &row->vcpus)) return "vcpus is not a number";
    if (!amount_of(t[t[I_RAM][0] != '\0' ? I_RAM : I_RAM_GIB], &row->ram_gb)) return "ram_gb is not a number";
    if (t[I_RAM][0] == '\0') row->ram_gb *= 1.073741824;
    row->provider = t[I_PROVIDER][0] != '\0' ? t[I_PROVIDER] : f->asked.provider;
    row->instance = t[I_INSTANCE];
    row->region = t[I_REGION];
    row->country = t[I_COUNTRY];
    if (!is_country(row->country)) return "country is no code of two letters (ISO 3166)";
    if (!available_of(t[I_AVAILABLE], &row->available)) return "available is none of yes, no";
    if (t[I_STANDING][0] == '\0' && text_contains(t[I_SOURCE], "estimate"))
        return "an estimate, no price that anybody asked";
    const char *why = read_pricing(t, row);
    if (why == NULL) why = read_standing(t[I_STANDING], row);
    if (why == NULL) why = read_seller(t, row);
    if (why == NULL) why = read_gpu(f, t, a, row);
    if (why != NULL) return why;
    // What nobody in particular asks is no offer.
    if (import_is_average(row->provider) || (t[I_PRICE_ANY][0] == '\0' && t[I_TYPICAL][0] != '\0')) {
        row->standing = STANDING_SECONDARY;
        row->available = AVAILABLE_NO;
    }
    row->currency = t[I_CURRENCY][0] != '\0' ? t[I_CURRENCY] : f->currency;
    row->effective_from = t[I_EFFECTIVE];
    row->as_of = t[I_AS_OF][0] != '\0' ? t[I_AS_OF] : f->asked.as_of;
    row->source = t[I_SOURCE];
    return NULL;
}

static bool add(const ImportFile *f, FeedRow row, const char *price, Arena *a, Err *e) {
    const char *note = "";
    row.price_text = money(price, a, &row.currency, &note);
    if (row.region[0] == '\0') row.region = note;
    return market_add(f->refresh, &row, e);
}

static bool unsaid(ImportFile *f, const FeedRow *row, const char *where, Err *e) {
    if (f->price_of != PRICE_OF_UNSAID || row->gpu_count == 1) return false;
    f->must_say = true;
    err_set(e, ERR_USAGE,
            "%s: is the price of the whole instance or of one GPU? The column's name does not tell: say "
            "--price-of instance or --price-of gpu",
            where);
    return true;
}

bool import_row(ImportFile *f, const ImportRow *in, const char *where, Err *e) {
    const char *const *t = in->text;
    Arena a = {0};
    FeedRow row;
    bool ok = true;
    Available spot_flag = AVAILABLE_UNKNOWN;
    const char *why = fill(f, t, &a, &row);
    // "spot" is a price in some lists, and yes or no in others.
    bool flag = why == NULL && (text_same(t[I_SPOT_ANY], "true") || text_same(t[I_SPOT_ANY], "false")) &&
                available_of(t[I_SPOT_ANY], &spot_flag);
    if (flag && spot_flag == AVAILABLE_YES) row.pricing_model = PRICING_SPOT;
    bool spot = !flag && t[I_SPOT_ANY][0] != '\0';
    const char *any = t[t[I_PRICE_ANY][0] != '\0' ? I_PRICE_ANY : I_TYPICAL];
    const char *whole = t[I_PRICE][0] != '\0' ? t[I_PRICE] : f->price_of == PRICE_OF_INSTANCE ? any : "";
    const char *named_cell = why == no_class      ? t[I_CLASS]
                             : why == no_standing ? t[I_STANDING]
                             : why == no_pricing  ? t[I_PRICING]
                                                  : "";
    // what the reason does not name
    const char *stated = named_cell[0] != '\0' ? arena_printf(&a, ": '%.60s'", named_cell) : "";
    if (why == NULL && contradict(whole, t[I_PRICE_GPU], row.gpu_count)) {
        why = "the price of the instance and that of one GPU contradict each other";
        stated = arena_printf(&a, ": %.30s for %.6g, %.30s for one", whole, row.gpu_count, t[I_PRICE_GPU]);
    }
    if (why == NULL && whole[0] != '\0' && t[I_PRICE_GPU][0] == '\0' && !is_known(row.gpu_count))
        why = "a price of the instance without gpu_count: of how many GPUs?";
    if (why != NULL) {
        const char *what =
            t[I_INSTANCE][0] != '\0' ? t[I_INSTANCE] : t[t[I_LISTED][0] != '\0' ? I_LISTED : I_GPU];
        bool named = why == market_unknown_size;  // its examples are the sizes
        market_reject(
            f->refresh, why,
            named ? row.instance
                  : arena_printf(&a, "%s%s%.200s%s", where, what[0] != '\0' ? ": " : "", what, stated));
    } else if (t[I_PRICE][0] != '\0' || t[I_PRICE_GPU][0] != '\0') {
        row.per_gpu = whole[0] == '\0' || !is_known(row.gpu_count);
        ok = add(f, row, row.per_gpu ? t[I_PRICE_GPU] : whole, &a, e);
    } else if (any[0] != '\0' || !spot) {
        row.per_gpu = f->price_of != PRICE_OF_INSTANCE;
        ok = (any[0] == '\0' || !unsaid(f, &row, where, e)) && add(f, row, any, &a, e);
    }
    if (ok && why == NULL && spot) {
        row.pricing_model = PRICING_SPOT;
        row.per_gpu = f->price_of != PRICE_OF_INSTANCE;
        ok = !unsaid(f, &row, where, e) && add(f, row, t[I_SPOT_ANY], &a, e);
    }
    arena_free(&a);
    return ok;
}
