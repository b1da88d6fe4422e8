// Times the AWS price-list parser on a file (its own entry, no network): seconds, rows and peak memory as one
// line of JSON.
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "catalog/facts/catalog.h"
#include "catalog/feeds/feed_doc.h"

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    const Feed *feed = feed_find("aws");
    Arena a = {0};
    Err e = {0};
    Catalog *c = NULL;
    const char *warning = "";
    SellerFacts sellers;
    if (!catalog_open(&(CatalogOptions){0}, &a, &c, &warning, &e) || !catalog_sellers(c, &a, &sellers, &e)) {
        fprintf(stderr, "%s\n", e.text);
        return 1;
    }
    catalog_close(c);
    DocIn d = {.doc = {.feed = feed,
                       .spec = &feed->docs[0],
                       .url = "",
                       .label = "",
                       .today = 20784,
                       .sellers = &sellers},
               .etag = "",
               .last_modified = ""};
    char bytes[16384];  // as large as curl's pieces
    ssize_t n = 0;
    bool ok = true;
    double start = seconds_now();
    int fd = open(argv[1], O_RDONLY);
    doc_init(&d);
    doc_begin(&d);
    while (ok && (n = read(fd, bytes, sizeof bytes)) > 0) ok = doc_bytes(&d, (Str){bytes, (size_t)n}, &e);
    ok = ok && n == 0 && doc_end(&d, &e);
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    printf("{\"ok\": %s, \"seconds\": %.3f, \"rows\": %zu, \"peak_mb\": %.1f}\n", ok ? "true" : "false",
           seconds_now() - start, d.doc.n_rows, (double)usage.ru_maxrss / 1024);
    if (!ok) fprintf(stderr, "%s\n", e.text);
    doc_free(&d);
    arena_free(&a);
    close(fd);
    return ok ? 0 : 1;
}
