// What feed parsers call: rows in, rows turned away, values out of foreign JSON and CSV.
#include "catalog/feed.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// No machine costs more per hour; a price over it is another unit or nonsense.
static const double price_max_usd_h = 100000;

enum { NAME_BYTES_MAX = 200 };

// ---------------------------------------------------------------- values

double feed_cell_number(Str cell) {
    double x = 0;
    return parse_number(str_trim(cell), -1e300, 1e300, &x, NULL) ? x : (double)NAN;
}

double feed_number(const Json *j) {
    const char *text = json_text(j);
    return text != NULL ? feed_cell_number(str_of(text)) : json_number(j);
}

const char *feed_text(const Json *object, const char *key) {
    const char *text = json_text(json_get(object, key));
    return text != NULL ? text : "";
}

const char *feed_cell(FeedDoc *doc, Str cell) {
    Str s = str_trim(cell);
    return arena_copy(&doc->arena, s.data, s.length);
}

const char *feed_printf(FeedDoc *doc, const char *format, ...) {
    Buf b;
    buf_init(&b, 4096);
    va_list args;
    va_start(args, format);
    buf_vprintf(&b, format, args);
    va_end(args);
    const char *text = arena_copy(&doc->arena, b.length > 0 ? b.data : "", b.length);
    buf_free(&b);
    return text;
}

const char *feed_lower(FeedDoc *doc, const char *text, char from, char to) {
    char *copy = arena_copy(&doc->arena, text, strlen(text));
    for (char *c = copy; *c != '\0'; c++) *c = *c == from ? to : char_lower(*c);
    return copy;
}

bool feed_array(const Json *root, const char *key, const Json **ret_array, Err *e) {
    const Json *array = json_get(root, key);
    if (!json_is_array(array)) return err_set(e, ERR_FAILED, "the answer has no list '%s'", key);
    *ret_array = array;
    return true;
}

// ---------------------------------------------------------------- rows

void feed_reject(FeedDoc *doc, const char *reason, const char *example) {
    size_t i = 0;
    while (i < doc->n_rejects && strcmp(doc->rejects[i].reason, reason) != 0) i++;
    if (i == doc->n_rejects) {
        if (i == FEED_REASONS_MAX) i--;  // more reasons than feeds have
        else doc->n_rejects++;
    }
    FeedReject *r = &doc->rejects[i];
    if (r->count++ > 0) return;
    r->reason = reason;
    snprintf(r->example, sizeof r->example, "%s", example);
    text_scrub(r->example);
}

// Name that can be shown and stored: no control characters, no broken UTF-8, not endless.
static bool sane(const char *name) {
    char copy[NAME_BYTES_MAX + 1];
    if (strlen(name) > NAME_BYTES_MAX) return false;
    snprintf(copy, sizeof copy, "%s", name);
    text_scrub(copy);
    return strcmp(copy, name) == 0;
}

// NULL, or why the row is no offer.
static const char *fault(const FeedRow *r) {
    const char *const names[] = {r->provider, r->instance, r->region, r->listed_name, r->currency};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (!sane(names[i])) return "a name with control characters or over 200 bytes";
    }
    if (r->provider[0] == '\0') return "no provider";
    if (r->listed_name[0] == '\0') return "no GPU";
    if (!is_known(r->price_per_hour)) return "the price is no number";
    if (r->price_per_hour < 0) return "the price is negative";
    if (r->price_per_hour == 0) return "the price is 0: unknown, not free";
    if (r->price_per_hour < 1e-6) return "the price is under a millionth";
    if (r->price_per_hour > price_max_usd_h) return "the price is over 100,000 an hour";
    if (is_known(r->gpu_count) && !(r->gpu_count > 0 && r->gpu_count <= 10000)) return "the GPU count is out of range";
    return NULL;
}

static const char *keep(FeedDoc *doc, const char *text) { return arena_copy(&doc->arena, text, strlen(text)); }

static double at_least_0(double x) { return x > 0 && isfinite(x) ? x : (double)NAN; }

void feed_row(FeedDoc *doc, const FeedRow *row) {
    FeedRow r = *row;
    const char **const texts[] = {&r.provider, &r.instance, &r.region, &r.sku_id, &r.listed_name, &r.currency, &r.source, &r.source_time};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        if (*texts[i] == NULL) *texts[i] = "";
    }
    if (r.provider[0] == '\0') r.provider = doc->feed->name;
    if (r.currency[0] == '\0') r.currency = "USD";
    if (r.source[0] == '\0') r.source = doc->feed->home;
    const char *why = fault(&r);
    if (why == NULL && doc->n_rows == FEED_ROWS_MAX) why = "more rows than a feed may have";
    if (why != NULL) {
        feed_reject(doc, why, r.instance[0] != '\0' ? r.instance : r.listed_name);
        return;
    }
    r.vcpus = at_least_0(r.vcpus);
    r.ram_gb = at_least_0(r.ram_gb);
    for (size_t i = 0; i < COUNT_OF(texts); i++) *texts[i] = keep(doc, *texts[i]);
    if (doc->n_rows == doc->rows_capacity) {
        size_t capacity = doc->rows_capacity == 0 ? 64 : doc->rows_capacity * 2;
        FeedRow *rows = arena_alloc(&doc->arena, capacity, sizeof *rows);
        if (doc->n_rows > 0) memcpy(rows, doc->rows, doc->n_rows * sizeof *rows);
        doc->rows = rows;
        doc->rows_capacity = capacity;
    }
    doc->rows[doc->n_rows++] = r;
}
