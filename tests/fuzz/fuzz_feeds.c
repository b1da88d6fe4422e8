// Feed parsers: the first byte picks a document of a feed, the rest is what a server answers. Rows have a GPU
// and a price.
#include <string.h>

#include "catalog/facts/catalog.h"
#include "catalog/feeds/refresh_job.h"
#include "tests/fuzz/fuzz.h"

static size_t documents(void) {
    size_t n = 0;
    for (size_t i = 0; i < n_feeds; i++) n += feed_table[i]->n_docs;
    return n;
}

static void pick(size_t index, const Feed **ret_feed, const FeedDocSpec **ret_spec) {
    for (size_t i = 0; i < n_feeds; i++) {
        if (index < feed_table[i]->n_docs) {
            *ret_feed = feed_table[i];
            *ret_spec = &feed_table[i]->docs[index];
            return;
        }
        index -= feed_table[i]->n_docs;
    }
}

// Read once for all inputs.
static const SellerFacts *sellers(void) {
    static SellerFacts facts;
    static Arena kept;
    if (facts.instances == NULL) {
        Arena a = {0};
        Err e = {0};
        Catalog *c = NULL;
        const char *warning = "";
        MUST_HOLD(catalog_open(&(CatalogOptions){0}, &a, &c, &warning, &e) &&
                  catalog_sellers(c, &kept, &facts, &e));
        catalog_close(c);
        arena_free(&a);
    }
    return &facts;
}

static void check_rows(const FeedDoc *doc) {
    for (size_t i = 0; i < doc->n_rows; i++) {
        MUST_HOLD(doc->rows[i].gpu != NULL && doc->rows[i].gpu[0] != '\0');
        MUST_HOLD(is_known(doc->rows[i].price));
        MUST_HOLD(str_is_utf8(str_of(doc->rows[i].gpu)));
    }
}

// The join of a feed whose only document came in so.
static void try_finish(DocIn *d) {
    FeedJob job = {.feed = d->doc.feed, .docs = d, .n_docs = 1};
    Err e = {0};
    FeedDoc into = {.job = &job,
                    .feed = d->doc.feed,
                    .spec = d->doc.spec,
                    .url = "",
                    .label = "",
                    .today = d->doc.today,
                    .sellers = d->doc.sellers};
    d->state = DOC_IN;
    bool ok = d->doc.feed->finish(&job, &into, &e);
    MUST_HOLD(ok || e.kind != ERR_NONE);
    check_rows(&into);
    arena_free(&into.arena);
}

static void try_token(Str answer) {
    Arena a = {0};
    Err e = {0};
    const char *token = "";
    bool ok = token_read(answer, &a, &token, &e);
    MUST_HOLD(ok ? token[0] != '\0' : e.kind != ERR_NONE);
    for (const char *c = token; *c != '\0'; c++) MUST_HOLD(*c > ' ' && *c < 0x7f);
    arena_free(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    const Feed *feed = NULL;
    const FeedDocSpec *spec = NULL;
    pick(data[0] % documents(), &feed, &spec);
    MUST_HOLD(feed != NULL && spec != NULL);
    const char *bytes = (const char *)data + 1;
    if (spec->token) {
        try_token((Str){bytes, size - 1});
        return 0;
    }
    DocIn d = {.doc = {.feed = feed,
                       .spec = spec,
                       .url = "https://localhost/v3/gcp/version",
                       .label = "",
                       .today = 20784,
                       .sellers = sellers()},
               .etag = "",
               .last_modified = ""};
    Err e = {0};
    doc_init(&d);
    doc_begin(&d);
    size_t half = (size - 1) / 2;  // a cut anywhere must not matter
    bool ok = doc_bytes(&d, (Str){bytes, half}, &e) &&
              doc_bytes(&d, (Str){bytes + half, size - 1 - half}, &e) && doc_end(&d, &e);
    MUST_HOLD(ok || e.kind != ERR_NONE);
    check_rows(&d.doc);
    if (ok && feed->finish != NULL) try_finish(&d);
    doc_free(&d);
    return 0;
}
