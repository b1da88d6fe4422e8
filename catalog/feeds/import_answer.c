// Answers of the feeds' own servers that somebody kept as a file: each is taken by the parser of its feed.
#include <stdio.h>
#include <string.h>

#include "catalog/feeds/feed_table.h"
#include "catalog/feeds/import.h"
#include "catalog/feeds/refresh_job.h"

// What tells an answer: a list in it ("" the whole), and a key that its elements have. Elements alone (a list
// of them, one a line) are told by the key.
typedef struct Answer {
    const Feed *feed;
    const char *part, *list, *key;
} Answer;

static const Answer answers[] = {
    {&feed_azure, "", "Items", "armSkuName"},
    {&feed_vultr, "", "plans_metal", "hourly_cost"},
    {&feed_vultr, "plans", "plans", "hourly_cost"},
    {&feed_runpod, "", "data.gpuTypes", "securePrice"},
    {&feed_vast, "", "offers", "dph_base"},
    {&feed_gpurentalprices, "", "offers", "usd_hr"},
    {&feed_cloudrift, "", "data.instance_types", "variants"},
    {&feed_digitalocean, "", "sizes", "price_hourly"},
    {&feed_hotaisle, "", "", "Specs"},
    {&feed_lambda, "", "data", "instance_type"},
    {&feed_shadeform, "", "instance_types", "shade_instance_type"},
    {&feed_gcp, "", "skus", "pricingInfo"},
    {&feed_oci, "", "items", "currencyCodeLocalizations"},
};

static bool has_key(const Json *list, const char *key) {
    size_t looked = 0;
    for (const Json *item = json_first(list); item != NULL && looked < 100;
         item = json_next(item), looked++) {
        if (json_get(item, key) != NULL) return true;
    }
    return false;
}

static const Json *at_path(const Json *root, const char *path) {
    Str rest = str_of(path);
    Str part;
    while (path[0] != '\0' && root != NULL && str_next(&rest, '.', &part)) {
        char key[40];
        snprintf(key, sizeof key, "%.*s", (int)part.length, part.data);
        root = json_get(root, key);
    }
    return root;
}

static const FeedDocSpec *spec_of(const Feed *feed, const char *part) {
    return row_named(part, feed->docs, feed->n_docs, sizeof *feed->docs);
}

static const char *base_name(const char *path, Arena *a) {
    const char *slash = strrchr(path, '/');
    const char *base = slash == NULL ? path : slash + 1;
    return arena_copy(a, base, strcspn(base, "."));
}

// Joins what a feed has in several documents, of which this is one.
static bool finish(DocIn *d, FeedDoc *into, Err *e) {
    FeedJob job = {.feed = d->doc.feed, .docs = d, .n_docs = 1};
    d->state = DOC_IN;
    into->job = &job;
    bool ok = d->doc.feed->finish(&job, into, e);
    into->job = NULL;
    return ok;
}

// What the answer leaves open.
static void complete(FeedDoc *doc, const char *provider, const char *as_of) {
    for (size_t i = 0; i < doc->n_rows; i++) {
        FeedRow *row = &doc->rows[i];
        if (row->provider == NULL || row->provider[0] == '\0') row->provider = provider;
        if (row->as_of == NULL || row->as_of[0] == '\0') row->as_of = as_of;
    }
}

// Through the parser of the feed and into the market.
static bool take(MarketRefresh *r, const ImportAsked *asked, const Feed *feed, const FeedDocSpec *as,
                 Str text, Err *e) {
    Arena a = {0};
    FeedDocSpec spec = *as;
    const char *base = base_name(asked->file, &a);
    const char *provider = asked->provider[0] != '\0' ? asked->provider : feed->peers ? base : feed->name;
    if (feed->peers) spec.part = base;  // of a file that names no cloud
    if (spec.csv != NULL) spec.kind = FEED_CSV;
    DocIn d = {.doc = {.feed = feed,
                       .spec = &spec,
                       .url = arena_printf(&a, "/%s", asked->file),
                       .label = asked->provider,
                       .today = r->market->now / DAY_S,
                       .sellers = market_sellers(r->market)},
               .etag = "",
               .last_modified = ""};
    FeedDoc joined = {.feed = feed,
                      .spec = &spec,
                      .url = d.doc.url,
                      .label = "",
                      .today = d.doc.today,
                      .sellers = d.doc.sellers};
    doc_init(&d);
    bool ok = doc_bytes(&d, text, e) && doc_end(&d, e) && (feed->finish == NULL || finish(&d, &joined, e));
    if (ok && feed->finish != NULL && d.doc.n_rows + joined.n_rows == 0)
        ok = err_set(e, ERR_FAILED, "no offers without the other documents of the feed");
    complete(&d.doc, provider, asked->as_of);
    complete(&joined, provider, asked->as_of);
    ok = ok && doc_add_rows(&d.doc, r, e) && doc_add_rows(&joined, r, e);
    if (!ok)
        err_wrap(e, "an answer of %s (`gpuadvise prices refresh %s` asks for all of it)", feed->name,
                 feed->name);
    arena_free(&joined.arena);
    doc_free(&d);
    arena_free(&a);
    return ok;
}

bool import_json_answer(MarketRefresh *r, const ImportAsked *asked, Str text, const Json *root,
                        bool *ret_taken, Err *e) {
    for (size_t i = 0; i < COUNT_OF(answers); i++) {
        const Answer *answer = &answers[i];
        const FeedDocSpec *spec = spec_of(answer->feed, answer->part);
        bool alone = json_is_array(root) && has_key(root, answer->key);
        if (spec == NULL ||
            !(alone || (!json_is_array(root) && has_key(at_path(root, answer->list), answer->key))))
            continue;
        *ret_taken = true;
        if (!alone || answer->list[0] == '\0') return take(r, asked, answer->feed, spec, text, e);
        Buf whole;
        size_t levels = 0;
        Str rest = str_of(answer->list);
        Str part;
        buf_init(&whole, BUF_LIMIT);
        for (; str_next(&rest, '.', &part); levels++)
            buf_printf(&whole, "{\"%.*s\":", (int)part.length, part.data);
        buf_add(&whole, text.data, text.length);
        for (; levels > 0; levels--) buf_puts(&whole, "}");
        bool ok = !whole.overflow || err_set(e, ERR_FAILED, "over %d bytes", BUF_LIMIT);
        ok = ok && take(r, asked, answer->feed, spec, (Str){whole.data, whole.length}, e);
        buf_free(&whole);
        return ok;
    }
    return true;
}

// ---------------------------------------------------------------- CSV

static bool is_header(const FeedColumns *columns, const TableReader *t) {
    for (size_t i = 0; i < columns->n; i++) {
        if (columns->names[i][0] != '?' && csv_column(t->cells, t->n_cells, columns->names[i]) < 0)
            return false;
    }
    return true;
}

bool import_csv_answer(MarketRefresh *r, const ImportAsked *asked, Str text, bool *ret_taken, Err *e) {
    enum { LINES_BEFORE_MAX = 20 };
    Arena a = {0};
    TableReader t;
    bool more = true;
    const Feed *feed = NULL;
    const FeedDocSpec *spec = NULL;
    table_open(&t, &a, text, ',');
    for (size_t line = 0; feed == NULL && line < LINES_BEFORE_MAX && table_next(&t, &more, NULL) && more;
         line++) {
        for (size_t i = 0; i < n_feeds && feed == NULL; i++) {
            for (size_t k = 0; k < feed_table[i]->n_docs && feed == NULL; k++) {
                spec = &feed_table[i]->docs[k];
                if (spec->csv != NULL && is_header(spec->csv, &t)) feed = feed_table[i];
            }
        }
    }
    arena_free(&a);
    *ret_taken = feed != NULL;
    return feed == NULL || take(r, asked, feed, spec, text, e);
}
