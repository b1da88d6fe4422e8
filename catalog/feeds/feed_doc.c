// A document on its way in: CSV goes through row by row, JSON and text are gathered and parsed whole.
#include "catalog/feeds/feed_doc.h"

#include <string.h>

#define BYTES "application/octet-stream binary/octet-stream"

const char *doc_types(FeedKind kind) {
    switch (kind) {
    case FEED_JSON:
        return "application/json text/json application/vnd.api+json text/plain text/javascript "
               "application/javascript " BYTES;
    case FEED_CSV: return "text/csv application/csv text/plain application/vnd.ms-excel " BYTES;
    case FEED_TEXT: break;
    }
    return "text/plain text/javascript application/javascript application/x-javascript application/json "
           "application/zip application/x-zip-compressed " BYTES;
}

void doc_init(DocIn *d) { buf_init(&d->body, (size_t)feed_body_max(d->doc.spec)); }

void doc_free(DocIn *d) {
    feed_table_close(d->table);
    d->table = NULL;
    buf_free(&d->body);
    arena_free(&d->doc.arena);
    d->doc.rows = NULL;
    d->doc.n_rows = d->doc.rows_capacity = d->doc.n_rejects = 0;
    d->doc.links = NULL;
    d->doc.n_links = d->doc.links_capacity = 0;
    d->doc.places = NULL;
    d->doc.n_places = d->doc.places_capacity = 0;
    d->doc.kept = NULL;
}

void doc_begin(DocIn *d) { doc_free(d); }

bool doc_bytes(DocIn *d, Str bytes, Err *e) {
    if (d->doc.spec->kind == FEED_CSV) {
        if (d->table == NULL) d->table = feed_table_open(&d->doc, d->doc.spec->csv);
        return feed_table_bytes(d->table, bytes, e);
    }
    buf_add(&d->body, bytes.data, bytes.length);
    return !d->body.overflow || err_set(e, ERR_FAILED, "the answer is over %zu bytes", d->body.limit);
}

static bool looks_like_html(Str text) {
    Str s = str_trim(text);
    return s.length > 0 && s.data[0] == '<';
}

static bool parse_json(DocIn *d, Str text, Err *e) {
    Json *root = NULL;
    if (looks_like_html(text)) return err_set(e, ERR_FAILED, "answers with HTML or XML, not JSON");
    if (!json_parse(text, FEED_VALUES_MAX, &root, e)) return err_wrap(e, "bad JSON");
    bool ok = d->doc.spec->json(&d->doc, root, e);
    json_free(root);
    return ok;
}

bool doc_end(DocIn *d, Err *e) {
    const FeedDocSpec *spec = d->doc.spec;
    bool ok = false;
    if (spec->kind == FEED_CSV) {
        if (d->table == NULL) d->table = feed_table_open(&d->doc, spec->csv);
        ok = feed_table_end(d->table, e);
        feed_table_close(d->table);
        d->table = NULL;
        return ok;
    }
    Str text = {d->body.length > 0 ? d->body.data : "", d->body.length};
    ok = spec->kind == FEED_JSON ? parse_json(d, text, e) : spec->text(&d->doc, text, e);
    buf_free(&d->body);
    return ok;
}

bool doc_add_rows(const FeedDoc *doc, MarketRefresh *r, Err *e) {
    for (size_t i = 0; i < doc->n_rejects; i++) {
        for (size_t k = 0; k < doc->rejects[i].count; k++)
            market_reject(r, doc->rejects[i].reason, doc->rejects[i].example);
    }
    for (size_t i = 0; i < doc->n_rows; i++) {
        if (!market_add(r, &doc->rows[i], e)) return false;
    }
    return true;
}
