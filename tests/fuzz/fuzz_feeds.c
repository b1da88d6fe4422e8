// Feed parsers: the first line names a document of a feed, the rest is what a server answers. Rows have a GPU
// and a price.
#include <string.h>

#include "catalog/facts/catalog.h"
#include "catalog/feeds/refresh_job.h"
#include "tests/fuzz/fuzz.h"

// Whether `line` names the document, as --feed-url does: "oci", "oci.shapes".
static bool is_named(Str line, const Feed *feed, const FeedDocSpec *spec) {
    Str rest = line, name;
    str_next(&rest, '.', &name);
    return str_is(name, feed->name) && str_is(rest.data != NULL ? rest : (Str){"", 0}, spec->part);
}

// The document that the line names; of a line that names none, some document: edits of it try them all.
static void pick(Str line, const Feed **ret_feed, const FeedDocSpec **ret_spec) {
    size_t documents = 0, index = 0;
    for (size_t i = 0; i < n_feeds; i++) documents += feed_table[i]->n_docs;
    for (size_t i = 0; i < line.length; i++) index = (index * 31 + (unsigned char)line.data[i]) % documents;
    for (size_t i = 0; i < n_feeds; i++) {
        for (size_t d = 0; d < feed_table[i]->n_docs; d++) {
            bool named = is_named(line, feed_table[i], &feed_table[i]->docs[d]);
            if (!named && index-- != 0) continue;
            *ret_feed = feed_table[i];
            *ret_spec = &feed_table[i]->docs[d];
            if (named) return;
        }
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
    Str answer = {(const char *)data, size}, line;
    str_next(&answer, '\n', &line);
    if (answer.data == NULL) answer = (Str){"", 0};
    pick(line, &feed, &spec);
    MUST_HOLD(feed != NULL && spec != NULL);
    if (spec->token) {
        try_token(answer);
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
    size_t half = answer.length / 2;  // a cut anywhere must not matter
    bool ok = doc_bytes(&d, (Str){answer.data, half}, &e) &&
              doc_bytes(&d, (Str){answer.data + half, answer.length - half}, &e) && doc_end(&d, &e);
    MUST_HOLD(ok || e.kind != ERR_NONE);
    check_rows(&d.doc);
    if (ok && feed->finish != NULL) try_finish(&d);
    doc_free(&d);
    return 0;
}
