// What feed parsers call: rows in, rows turned away, values out of foreign JSON and CSV.
#include "catalog/feeds/feed.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "catalog/market/market_gate.h"

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
    return buf_take(&b, &doc->arena);
}

const char *feed_form(const char *text) {
    static const char *const forms[][2] = {{"sxm", "SXM"}, {"hgx", "SXM"}, {"pcie", "PCIe"}};
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        if (text_contains(text, forms[i][0])) return forms[i][1];
    }
    return "";
}

const char *feed_with_form(FeedDoc *doc, const char *gpu, const char *form) {
    const char *word = feed_form(form);
    bool told = word[0] == '\0' || gpu[0] == '\0' || feed_form(gpu)[0] != '\0' || text_contains(gpu, "nvl");
    return told ? gpu : feed_printf(doc, "%s %s", gpu, word);
}

// A text for FeedRow.said: has it letters, is it no object, list, link or sentence?
static bool may_tell(Str text) {
    enum { SAID_WORDS_MAX = 8 };
    bool letters = false;
    if (text.length < 2 || text.data[0] == '{' || text.data[0] == '[') return false;
    for (size_t i = 0; i < text.length && !letters; i++)
        letters = char_lower(text.data[i]) >= 'a' && char_lower(text.data[i]) <= 'z';
    return letters && gate_is_value(text, SAID_WORDS_MAX);
}

static void said_members(const Json *record, size_t depth, Buf *out) {
    enum { DEPTH_MAX = 3 };
    for (const Json *member = json_first(record); member != NULL; member = json_next(member)) {
        const char *text = json_text(member);
        if (text != NULL && may_tell(str_of(text))) buf_printf(out, "%s%s", out->length > 0 ? "|" : "", text);
        if (json_is_object(member) && depth < DEPTH_MAX) said_members(member, depth + 1, out);
    }
}

const char *feed_said(FeedDoc *doc, const Json *record) {
    Buf said;
    buf_init(&said, FEED_SAID_MAX);
    said_members(record, 1, &said);
    return buf_take(&said, &doc->arena);
}

bool feed_array(const Json *root, const char *key, const Json **ret_array, Err *e) {
    const Json *array = json_get(root, key);
    if (!json_is_array(array)) return err_set(e, ERR_FAILED, "the answer has no list '%s'", key);
    *ret_array = array;
    return true;
}

bool feed_each(FeedDoc *doc, const Json *root, const char *key,
               void (*read)(FeedDoc *doc, const Json *element), Err *e) {
    const Json *array = NULL;
    if (!feed_array(root, key, &array, e)) return false;
    for (const Json *x = json_first(array); x != NULL; x = json_next(x)) read(doc, x);
    return true;
}

// ---------------------------------------------------------------- rows

void feed_reject(FeedDoc *doc, const char *reason, const char *example) {
    size_t i = 0;
    while (i < doc->n_rejects && strcmp(doc->rejects[i].reason, reason) != 0) i++;
    if (i == doc->n_rejects) {
        if (i == FEED_REASONS_MAX)
            i--;  // more reasons than feeds have
        else
            doc->n_rejects++;
    }
    FeedReject *r = &doc->rejects[i];
    bool first = r->count++ == 0;
    if (!first && reason != market_unknown_size) return;
    char *clean = arena_printf(&doc->arena, "%.160s", example);
    text_scrub(clean);
    r->example = first ? clean : market_names_join(&doc->arena, r->example, clean);
    if (first) r->reason = reason;
}

// Is it free of control characters and broken UTF-8? A name with them is a fault or an attack, not a name to
// clean up.
static bool sane(const char *name) {
    char copy[MARKET_TEXT_MAX + 1];
    if (name == NULL || strlen(name) > MARKET_TEXT_MAX) return true;  // the market turns overlong ones away
    snprintf(copy, sizeof copy, "%s", name);
    text_scrub(copy);
    return strcmp(copy, name) == 0;
}

static const char *keep(FeedDoc *doc, const char *text) {
    return text != NULL ? arena_copy(&doc->arena, text, strlen(text)) : NULL;
}

static double over_0(double x) { return x > 0 && isfinite(x) ? x : (double)NAN; }

// A row that is worth the market's look; NULL, or why not.
static const char *fault(const FeedRow *r) {
    if (!sane(r->provider) || !sane(r->instance) || !sane(r->region) || !sane(r->gpu))
        return "control characters in a name";
    if (r->gpu == NULL || r->gpu[0] == '\0') return "no GPU";
    if (!is_known(r->price)) return "the price is no number";
    return NULL;
}

void feed_row(FeedDoc *doc, const FeedRow *row) {
    FeedRow r = *row;
    const char *why = doc->n_rows == FEED_ROWS_MAX ? "more rows than a feed may have" : fault(row);
    if (why != NULL) {
        bool named = r.instance != NULL && r.instance[0] != '\0';
        feed_reject(doc, why, named ? r.instance : r.gpu != NULL ? r.gpu : "");
        return;
    }
    r.gpu_memory_gb = over_0(r.gpu_memory_gb);
    r.vcpus = over_0(r.vcpus);
    r.ram_gb = over_0(r.ram_gb);
    const char **const texts[] = {&r.provider, &r.instance,       &r.region, &r.country,
                                  &r.gpu,      &r.said,           &r.sku_id, &r.price_text,
                                  &r.currency, &r.effective_from, &r.as_of,  &r.source};
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

// ---------------------------------------------------------------- tables

struct FeedTable {
    FeedDoc *doc;
    const FeedColumns *columns;
    CsvStream *csv;
    Str cells[FEED_COLUMNS_MAX];
    int where[FEED_COLUMNS_MAX];               // -1: missing
    size_t unread[TABLE_CELLS_MAX], n_unread;  // columns that the parser does not name
    char said[FEED_SAID_MAX];
    const Str *record;  // the row at hand, while its parser runs
    size_t n_record;
    bool header;
    size_t lines_before;
};

static bool is_read(const FeedTable *t, size_t column) {
    for (size_t i = 0; i < t->columns->n; i++) {
        if (t->where[i] == (int)column) return true;
    }
    return false;
}

static bool find_columns(FeedTable *t, const Str *cells, size_t n, Err *e) {
    if (csv_column(cells, n, t->columns->names[0]) < 0) {
        enum { LINES_BEFORE_MAX = 20 };
        return ++t->lines_before <= LINES_BEFORE_MAX ||
               err_set(e, ERR_FAILED, "no header with the column '%s'", t->columns->names[0]);
    }
    for (size_t i = 0; i < t->columns->n; i++) {
        const char *name = t->columns->names[i];
        bool needed = name[0] != '?';
        t->where[i] = csv_column(cells, n, needed ? name : name + 1);
        if (needed && t->where[i] < 0) return err_set(e, ERR_FAILED, "the column '%s' is missing", name);
    }
    for (size_t i = 0; i < n; i++) {
        if (!is_read(t, i)) t->unread[t->n_unread++] = i;
    }
    t->header = true;
    return true;
}

static bool on_row(void *user, const Str *cells, size_t n, Err *e) {
    FeedTable *t = user;
    if (!t->header) return find_columns(t, cells, n, e);
    for (size_t i = 0; i < t->columns->n; i++) {
        bool there = t->where[i] >= 0 && (size_t)t->where[i] < n;
        t->cells[i] = there ? cells[t->where[i]] : (Str){"", 0};
    }
    t->record = cells;
    t->n_record = n;
    t->doc->table = t;
    bool ok = t->columns->row(t->doc, t->cells, e);
    t->doc->table = NULL;
    return ok;
}

const char *feed_said_unread(FeedDoc *doc) {
    FeedTable *t = doc->table;
    size_t used = 0;
    for (size_t i = 0; i < t->n_unread && t->unread[i] < t->n_record; i++) {
        Str cell = t->record[t->unread[i]];
        if (!may_tell(cell) || used + cell.length + 2 > sizeof t->said) continue;
        if (used > 0) t->said[used++] = '|';
        memcpy(t->said + used, cell.data, cell.length);
        used += cell.length;
    }
    t->said[used] = '\0';
    return t->said;
}

FeedTable *feed_table_open(FeedDoc *doc, const FeedColumns *columns) {
    FeedTable *t = arena_alloc(&doc->arena, 1, sizeof *t);
    *t = (FeedTable){.doc = doc, .columns = columns};
    t->csv = csv_open(on_row, t);
    return t;
}

bool feed_table_bytes(FeedTable *t, Str bytes, Err *e) { return csv_bytes(t->csv, bytes, e); }

bool feed_table_end(FeedTable *t, Err *e) {
    if (!csv_end(t->csv, e)) return false;
    return t->header || err_set(e, ERR_FAILED, "no header with the column '%s'", t->columns->names[0]);
}

void feed_table_close(FeedTable *t) {
    if (t != NULL) csv_close(t->csv);
}
