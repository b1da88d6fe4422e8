// Documents of a feed as its parsers see them: where they lead, and which are in.
#include <string.h>

#include "catalog/feeds/refresh_job.h"

void feed_follow(FeedDoc *doc, const char *part, const char *url, const char *label) {
    const FeedDocSpec *spec = row_named(part, doc->feed->docs, doc->feed->n_docs, sizeof *spec);
    if (spec == NULL) spec = doc->spec;
    doc->links = arena_grow(&doc->arena, doc->links, doc->n_links, &doc->links_capacity, sizeof *doc->links);
    doc->links[doc->n_links++] = (FeedLink){spec, arena_copy(&doc->arena, url, strlen(url)),
                                            arena_copy(&doc->arena, label, strlen(label))};
}

void feed_place(FeedDoc *doc, const char *instance, const char *region) {
    doc->places =
        arena_grow(&doc->arena, doc->places, doc->n_places, &doc->places_capacity, sizeof *doc->places);
    doc->places[doc->n_places++] = (FeedPlace){arena_copy(&doc->arena, instance, strlen(instance)),
                                               arena_copy(&doc->arena, region, strlen(region))};
}

FeedDoc *feed_doc(FeedJob *job, const char *part) {
    for (DocIn *d = job->docs; d != NULL; d = d->next) {
        if (d->state == DOC_IN && strcmp(d->doc.spec->part, part) == 0) return &d->doc;
    }
    return NULL;
}

FeedDoc *feed_doc_after(FeedDoc *doc) {
    for (DocIn *d = ((DocIn *)(void *)doc)->next; d != NULL; d = d->next) {
        if (d->state == DOC_IN && d->doc.spec == doc->spec) return &d->doc;
    }
    return NULL;
}
