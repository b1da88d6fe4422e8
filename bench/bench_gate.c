// A catalog of gpuhunt with 400,000 rows: parsed, taken into a market, and what of that is the gate's
// (catalog/market/market_gate.c). Exits 1 when the gate costs a twentieth of the parse or more.
//
// In a refresh a text is read once however many rows repeat it; "distinct" is that cost: the texts that the
// rows have, and for each row the joining and the verdict. "every row" would read all texts of all rows
// again.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "catalog/feeds/feed_doc.h"
#include "catalog/market/market_store.h"

enum { ROWS = 400 * 1000 - 1, REGIONS = 40, TEXTS_MAX = 1 << 15 };

static const char *const cards[][3] = {{"H100", "80", "nvidia"},  {"H200", "141", "nvidia"},
                                       {"A100", "80", "nvidia"},  {"L4", "24", "nvidia"},
                                       {"B200", "180", "nvidia"}, {"MI300X", "192", "amd"}};
static const char *const flags[] = {"", "", "", "gcp-dws-calendar-mode", "runpod-cluster"};

static double seconds(void) {
    struct timespec t = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void make(Buf *out) {
    buf_puts(out, "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,gpu_"
                  "vendor,flags,cpu_arch,provider_data\n");
    for (size_t i = 0; i < ROWS; i++) {
        const char *const *card = cards[i % COUNT_OF(cards)];
        buf_printf(out,
                   "size-%zu-highgpu-8g,region-%zu-%c,%.4f,208,1872.0,8,%s,%s,%s,,%s,%s,x86,\"{\"\"zone\"\": "
                   "\"\"%zu\"\"}\"\n",
                   i / REGIONS, i % REGIONS, (char)('a' + i % 3), 20 + (double)(i % 977) / 10, card[0],
                   card[1], i % 4 == 0 ? "True" : "False", card[2], flags[i % COUNT_OF(flags)], i % 7);
    }
}

static const FeedDocSpec *zip_of(const Feed *feed) {
    for (size_t i = 0; i < feed->n_docs; i++) {
        if (feed->docs[i].csv != NULL) return &feed->docs[i];
    }
    return NULL;
}

static size_t lines_of(Str text) {
    size_t n = 0;
    for (const char *c = text.data; (c = memchr(c, '\n', (size_t)(text.data + text.length - c))) != NULL; c++)
        n++;
    return n;
}

static volatile unsigned sink;

static void judge(const FeedRow *row, GateSaid said) {
    PricingModel model = row->pricing_model;
    sink += gate_model(said, row->pricing_model, &model) != NULL;
}

static double gate_distinct(const FeedDoc *doc) {
    static const char *seen[TEXTS_MAX];
    const FeedRow *rows = doc->rows;
    size_t n = 0;
    for (size_t i = 0; i < doc->n_rows && n + 4 < TEXTS_MAX; i++) {
        bool same = i > 0 && strcmp(rows[i].instance, rows[i - 1].instance) == 0;
        if (!same) seen[n++] = rows[i].instance;
        if (i < 3 * REGIONS) seen[n++] = rows[i].region;
        if (i < COUNT_OF(cards) * COUNT_OF(flags)) seen[n++] = rows[i].gpu;
        if (i < COUNT_OF(cards) * COUNT_OF(flags)) seen[n++] = rows[i].said;
    }
    double start = seconds();
    for (size_t i = 0; i < n; i++) sink += gate_read(seen[i]).bits;
    for (size_t i = 0; i < doc->n_rows; i++) {
        GateSaid said = {i % 4 == 0 ? SAYS_SPOT : 0, NULL};
        for (size_t k = 0; k < 3; k++) said = gate_join(said, (GateSaid){0});
        judge(&rows[i], said);
    }
    return seconds() - start;
}

static double gate_every_row(const FeedDoc *doc) {
    double start = seconds();
    for (size_t i = 0; i < doc->n_rows; i++) {
        const FeedRow *row = &doc->rows[i];
        judge(row, gate_join(gate_join(gate_read(row->instance), gate_read(row->region)),
                             gate_join(gate_read(row->gpu), gate_read(row->said))));
    }
    return seconds() - start;
}

static bool bench(Catalog *c, const SellerFacts *sellers, Str text, bool *ret_fine, Err *e) {
    const Feed *feed = feed_find("gpuhunt");
    FeedDocSpec spec = *zip_of(feed);
    Market *m = NULL;
    spec.kind = FEED_CSV;
    DocIn d = {
        .doc = {.feed = feed, .spec = &spec, .url = "", .label = "gcp", .today = 20784, .sellers = sellers},
        .etag = "",
        .last_modified = ""};
    doc_init(&d);
    doc_begin(&d);
    double begin = seconds();
    size_t lines = lines_of(text);
    double counted = seconds() - begin;
    begin = seconds();
    bool ok = doc_bytes(&d, text, e) && doc_end(&d, e);
    double parsed = seconds() - begin;
    ok = ok && market_open(c, 1795780800, &m, e);
    if (ok) {
        MarketRefresh *r = market_begin(m, "gpuhunt", "https://example.org");
        begin = seconds();
        ok = doc_add_rows(&d.doc, r, e);
        double taken = seconds() - begin;
        market_abandon(r);
        double distinct = gate_distinct(&d.doc);
        double every = gate_every_row(&d.doc);
        *ret_fine = distinct < 0.05 * parsed;
        printf("%zu lines, %.0f MB: counting lines %.3f s; parse %.2f s (%.0f rows/s, %.0f times the "
               "counting); checks on the way in %.2f s\n",
               lines, (double)text.length / 1e6, counted, parsed, (double)d.doc.n_rows / parsed,
               parsed / counted, taken);
        printf(
            "gate, distinct texts: %.4f s, %.1f %% of the parse, limit 5 %%%s; every row: %.3f s, %.0f %%\n",
            distinct, 100 * distinct / parsed, *ret_fine ? "" : "  OVER", every, 100 * every / parsed);
    }
    market_close(m);
    doc_free(&d);
    return ok;
}

int main(void) {
    Arena a = {0};
    Err e = {0};
    Catalog *c = NULL;
    const char *warning = "";
    SellerFacts sellers;
    Buf text;
    bool fine = false;
    buf_init(&text, BUF_LIMIT);
    make(&text);
    bool ok = catalog_open(&(CatalogOptions){0}, &a, &c, &warning, &e) &&
              catalog_sellers(c, &a, &sellers, &e) &&
              bench(c, &sellers, (Str){text.data, text.length}, &fine, &e);
    if (!ok) fprintf(stderr, "%s\n", e.text);
    catalog_close(c);
    buf_free(&text);
    arena_free(&a);
    return ok && fine ? 0 : 1;
}
