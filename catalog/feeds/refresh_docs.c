// Which documents a feed asks for, and where they are.
#include <string.h>

#include "catalog/feeds/refresh_job.h"

#define REGION "{region}"

static const char *override_of(const FeedJob *job, const char *part) {
    const RefreshOptions *o = job->run->options;
    const char *url = NULL;
    for (size_t i = 0; i < o->n_urls; i++) {
        if (strcmp(o->urls[i].name, job->feed->name) == 0 && strcmp(o->urls[i].part, part) == 0)
            url = o->urls[i].url;
    }
    return url;
}

static size_t origin_length(const char *url) { return 8 + strcspn(url + 8, "/?#"); }

// The other URL's query, behind this one's.
static const char *with_query(Arena *a, const char *url, const char *other) {
    const char *query = strchr(other, '?');
    if (query == NULL) return url;
    return arena_printf(a, "%s%c%s", url, strchr(url, '?') != NULL ? '&' : '?', query + 1);
}

// The text with one placeholder filled.
static const char *filled(Arena *a, const char *text, const char *placeholder, const char *value) {
    const char *at = strstr(text, placeholder);
    return at == NULL ? text
                      : arena_printf(a, "%.*s%s%s", (int)(at - text), text, value, at + strlen(placeholder));
}

const char *job_url(FeedJob *job, const char *part, const char *url) {
    const char *own = override_of(job, part);
    const char *first = override_of(job, "");
    if (own != NULL) return with_query(&job->arena, own, url);
    if (first != NULL)
        return arena_printf(&job->arena, "%.*s%s", (int)origin_length(first), first,
                            url + origin_length(url));
    return filled(&job->arena, url, "{team}", job->team);
}

static Str host_of(const char *url) {
    Str host = {url, origin_length(url)};
    if (host.length > 4 && memcmp(host.data + host.length - 4, ":443", 4) == 0) host.length -= 4;
    return host;
}

static bool hosts_match(const char *a, const char *b) {
    Str x = host_of(a);
    Str y = host_of(b);
    return x.length == y.length && memcmp(x.data, y.data, x.length) == 0;
}

// ---------------------------------------------------------------- what is asked for at once

static bool is_region(const char *text) {
    size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-");
    return n > 0 && n <= 40 && text[n] == '\0';
}

static void want(Wanted *list, size_t *n, const FeedDocSpec *spec, const char *url) {
    for (size_t i = 0; i < *n; i++) {
        // an override of the user's that is the same for all regions
        if (strcmp(list[i].url, url) == 0) return;
    }
    list[(*n)++] = (Wanted){spec, url, ""};
}

bool job_wanted(FeedJob *job, const Wanted **ret_wanted, size_t *ret_n, Err *e) {
    const RefreshOptions *o = job->run->options;
    const char *const *regions = o->n_regions > 0 ? o->regions : job->feed->regions;
    size_t n_regions = o->n_regions > 0 ? o->n_regions : job->feed->n_regions;
    Wanted *list = arena_alloc(&job->arena, job->feed->n_docs * (n_regions + 1), sizeof *list);
    size_t n = 0;
    for (size_t i = 0; i < job->feed->n_docs; i++) {
        const FeedDocSpec *spec = &job->feed->docs[i];
        if (spec->url[0] == '\0' || spec->token) continue;
        const char *url = job_url(job, spec->part, spec->url);
        if (strstr(url, REGION) == NULL) {
            want(list, &n, spec, url);
            continue;
        }
        for (size_t k = 0; k < n_regions; k++) {
            if (!is_region(regions[k])) return err_set(e, ERR_USAGE, "'%.60s' is no region", regions[k]);
            want(list, &n, spec, filled(&job->arena, url, REGION, regions[k]));
        }
    }
    *ret_wanted = list;
    *ret_n = n;
    return true;
}

// ---------------------------------------------------------------- what answers lead to

bool job_follow(FeedJob *job, const FeedDoc *doc, const FeedLink *link, Wanted *ret_wanted, Err *e) {
    const FeedDocSpec *spec = link->spec;
    if (!http_url_check(link->url, e)) return err_wrap(e, "the next page");
    const char *first = spec->url[0] != '\0' ? spec->url : doc->url;
    const char *to = NULL;
    // nowhere else is it known where that document is
    if (spec->url[0] == '\0' && override_of(job, spec->part) != NULL) {
        to = override_of(job, spec->part);
    } else if (hosts_match(link->url, doc->url)) {
        to = link->url;
    } else if (hosts_match(link->url, first)) {
        to = job_url(job, spec->part, link->url);
    } else {
        return err_set(e, ERR_FAILED, "the next page is on another host");
    }
    if (job->n_docs >= FEED_DOCS_MAX) return err_set(e, ERR_FAILED, "more than %d pages", FEED_DOCS_MAX);
    for (const DocIn *d = job->docs; d != NULL; d = d->next) {
        if (strcmp(d->doc.url, to) == 0)
            return err_set(e, ERR_FAILED, "a page repeats: its link to the next one was followed before");
    }
    *ret_wanted = (Wanted){spec, arena_copy(&job->arena, to, strlen(to)),
                           arena_copy(&job->arena, link->label, strlen(link->label))};
    return true;
}
