// Prices of the user's own: CSV or JSON in the project's form (docs/prices-import.md).
#include <math.h>
#include <string.h>

#include "catalog/market_store.h"

enum { IMPORT_VALUES_MAX = 20000000 };

typedef enum ImportColumn {
    I_PROVIDER, I_INSTANCE, I_REGION, I_COUNTRY, I_GPU, I_LISTED, I_COUNT, I_MEMORY, I_VCPUS, I_RAM, I_PRICING, I_PRICE, I_PRICE_GPU,
    I_CURRENCY, I_AVAILABLE, I_OS, I_EFFECTIVE, I_AS_OF, I_SOURCE, I_COLUMNS
} ImportColumn;

// Columns of CSV and keys of JSON. Others are ignored, so that what `prices list` prints can be read back.
static const char *const column_names[I_COLUMNS] = {
    [I_PROVIDER] = "provider", [I_INSTANCE] = "instance", [I_REGION] = "region", [I_COUNTRY] = "country", [I_GPU] = "gpu",
    [I_LISTED] = "listed_name", [I_COUNT] = "gpu_count", [I_MEMORY] = "gpu_memory_gb", [I_VCPUS] = "vcpus", [I_RAM] = "ram_gb",
    [I_PRICING] = "pricing_model", [I_PRICE] = "price_per_hour", [I_PRICE_GPU] = "price_per_gpu_hour", [I_CURRENCY] = "currency",
    [I_AVAILABLE] = "available", [I_OS] = "os", [I_EFFECTIVE] = "effective_from", [I_AS_OF] = "as_of", [I_SOURCE] = "source"};

// Spellings that mean the same column.
static const struct {
    const char *name;
    ImportColumn column;
} also[] = {{"price_usd_per_hour", I_PRICE}, {"price_usd_per_gpu_hour", I_PRICE_GPU}, {"seen_at", I_AS_OF}, {"gpu_name", I_GPU}, {"operating_system", I_OS}};

static int column_of(Str name) {
    for (int i = 0; i < I_COLUMNS; i++) {
        if (str_is(name, column_names[i])) return i;
    }
    for (size_t i = 0; i < COUNT_OF(also); i++) {
        if (str_is(name, also[i].name)) return (int)also[i].column;
    }
    return -1;
}

// ---------------------------------------------------------------- one row

typedef struct ImportRow {
    const char *text[I_COLUMNS];  // "" = not given
} ImportRow;

// "": unknown. False: something else than a number.
static bool number_of(const char *text, double *ret_x) {
    *ret_x = (double)NAN;
    Str trimmed = str_trim(str_of(text));
    return trimmed.length == 0 || parse_number(trimmed, -1e308, 1e308, ret_x, NULL);
}

static bool available_of(const char *text, Available *ret_available) {
    static const struct {
        const char *word;
        Available available;
    } words[] = {{"", AVAILABLE_UNKNOWN}, {"unknown", AVAILABLE_UNKNOWN}, {"yes", AVAILABLE_YES}, {"true", AVAILABLE_YES}, {"1", AVAILABLE_YES},
                 {"no", AVAILABLE_NO},    {"false", AVAILABLE_NO},        {"0", AVAILABLE_NO}};
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

// Both prices given, and one of them wrong? Lists round to cents.
static bool contradict(const char *hour, const char *gpu_hour, double count) {
    double whole = (double)NAN, each = (double)NAN;
    if (hour[0] == '\0' || gpu_hour[0] == '\0' || !is_known(count)) return false;
    if (!number_of(hour, &whole) || !number_of(gpu_hour, &each)) return false;  // the price that counts is checked later
    return !(fabs(whole - each * count) <= 0.01 * fabs(whole) + 0.005 * count);
}

// Why the row cannot be read; NULL: it can.
static const char *fill(const ImportRow *in, FeedRow *row) {
    *row = FEED_ROW;
    const char *const *t = in->text;
    if (t[I_OS][0] != '\0' && !text_contains(t[I_OS], "linux")) return text_contains(t[I_OS], "windows") ? "Windows" : "operating system other than Linux";
    int pricing = t[I_PRICING][0] == '\0' ? PRICING_ON_DEMAND : name_index(pricing_names, t[I_PRICING]);
    if (pricing < 0) return "pricing model is none of on-demand, spot, reserved-1y, reserved-3y";
    if (!number_of(t[I_COUNT], &row->gpu_count)) return "gpu_count is not a number";
    if (!number_of(t[I_MEMORY], &row->gpu_memory_gb)) return "gpu_memory_gb is not a number";
    if (!number_of(t[I_VCPUS], &row->vcpus)) return "vcpus is not a number";
    if (!number_of(t[I_RAM], &row->ram_gb)) return "ram_gb is not a number";
    row->provider = t[I_PROVIDER];
    row->instance = t[I_INSTANCE];
    row->region = t[I_REGION];
    row->country = t[I_COUNTRY];
    if (!is_country(row->country)) return "country is no code of two letters (ISO 3166)";
    if (!available_of(t[I_AVAILABLE], &row->available)) return "available is none of yes, no";
    row->gpu = t[I_LISTED][0] != '\0' ? t[I_LISTED] : t[I_GPU];
    row->sku_id = t[I_GPU];
    row->pricing_model = (PricingModel)pricing;
    row->per_gpu = t[I_PRICE][0] == '\0';
    row->price_text = row->per_gpu ? t[I_PRICE_GPU] : t[I_PRICE];
    row->currency = t[I_CURRENCY];
    row->effective_from = t[I_EFFECTIVE];
    row->as_of = t[I_AS_OF];
    row->source = t[I_SOURCE];
    if (!row->per_gpu && !is_known(row->gpu_count)) return "price_per_hour without gpu_count: of how many GPUs?";
    if (contradict(t[I_PRICE], t[I_PRICE_GPU], row->gpu_count)) return "price_per_hour and price_per_gpu_hour contradict each other";
    return NULL;
}

static bool add(MarketRefresh *r, const ImportRow *in, const char *where, Err *e) {
    FeedRow row;
    const char *why = fill(in, &row);
    if (why == NULL) return market_add(r, &row, e);
    market_reject(r, why, where);
    return true;
}

// ---------------------------------------------------------------- CSV

static bool import_csv(MarketRefresh *r, Str text, Err *e) {
    Arena a = {0};
    TableReader t;
    int map[TABLE_CELLS_MAX];
    bool more = false;
    bool price = false;
    bool gpu = false;
    table_open(&t, &a, text, ',');
    bool ok = table_next(&t, &more, e) && (more || err_set(e, ERR_FAILED, "no header"));
    size_t n = ok ? t.n_cells : 0;
    for (size_t i = 0; i < n; i++) {
        map[i] = column_of(str_trim(t.cells[i]));
        price = price || map[i] == I_PRICE || map[i] == I_PRICE_GPU;
        gpu = gpu || map[i] == I_GPU || map[i] == I_LISTED;
    }
    if (ok && !(price && gpu)) ok = err_set(e, ERR_FAILED, "line %zu: no column 'gpu', or neither 'price_per_hour' nor 'price_per_gpu_hour'", t.line);
    while (ok && (ok = table_next(&t, &more, e)) && more) {
        Arena row_arena = {0};
        ImportRow row;
        for (size_t i = 0; i < I_COLUMNS; i++) row.text[i] = "";
        for (size_t i = 0; i < t.n_cells && i < n; i++) {
            Str cell = str_trim(t.cells[i]);
            if (map[i] >= 0 && cell.length > 0) row.text[map[i]] = arena_copy(&row_arena, cell.data, cell.length);
        }
        ok = t.n_cells <= n || err_set(e, ERR_FAILED, "line %zu: %zu cells where the header has %zu", t.line, t.n_cells, n);
        ok = ok && add(r, &row, arena_printf(&row_arena, "line %zu", t.line), e);
        arena_free(&row_arena);
    }
    arena_free(&a);
    return ok;
}

// ---------------------------------------------------------------- JSON

static const char *value_text(const Json *value, Arena *a) {
    const char *text = json_text(value);
    if (text != NULL) return text;
    if (json_is_number(value)) return arena_printf(a, "%.15g", json_number(value));
    int truth = json_truth(value);
    return truth < 0 ? "" : truth != 0 ? "yes" : "no";
}

static bool import_json(MarketRefresh *r, Str text, Err *e) {
    Json *root = NULL;
    if (!json_parse_rows(text, IMPORT_VALUES_MAX, &root, e)) return false;
    const Json *list = json_is_array(root) ? root : json_get(root, "offers");
    bool ok = json_is_array(list) || err_set(e, ERR_FAILED, "neither an array of offers nor an object with one under 'offers'");
    size_t number = 0;
    for (const Json *item = ok ? json_first(list) : NULL; ok && item != NULL; item = json_next(item)) {
        Arena a = {0};
        ImportRow row;
        number++;
        for (size_t i = 0; i < I_COLUMNS; i++) row.text[i] = "";
        for (const Json *member = json_first(item); json_is_object(item) && member != NULL; member = json_next(member)) {
            int column = column_of(str_of(json_key(member)));
            if (column >= 0) row.text[column] = value_text(member, &a);
        }
        if (json_is_object(item)) {
            ok = add(r, &row, arena_printf(&a, "offer %zu", number), e);
        } else {
            market_reject(r, "not an object", arena_printf(&a, "offer %zu", number));
        }
        arena_free(&a);
    }
    json_free(root);
    return ok;
}

// ---------------------------------------------------------------- both

bool market_import(Market *m, const char *name, const char *source, Str text, Arena *a, MarketOutcome *ret_outcome, Err *e) {
    MarketRefresh *r = market_begin(m, name, source);
    market_scope(r, SCOPE_WHOLE);
    market_private(r);
    Str head = str_trim(text);
    if (head.length >= 3 && memcmp(head.data, "\xef\xbb\xbf", 3) == 0) head = str_trim((Str){head.data + 3, head.length - 3});
    bool json = head.length > 0 && (head.data[0] == '{' || head.data[0] == '[');
    bool ok = json ? import_json(r, head, e) : import_csv(r, text, e);
    if (ok) return market_finish(r, a, ret_outcome, e);
    market_abandon(r);
    e->kind = ERR_FAILED;  // the file's words, not the user's
    return false;
}
