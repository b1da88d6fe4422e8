// A market of a test's own: a scratch folder, a database in it, the built-in facts, a clock that the test
// turns.
#ifndef GPUADVISE_TESTS_MARKET_WORLD_H
#define GPUADVISE_TESTS_MARKET_WORLD_H

#include <math.h>

#include "catalog/market/market.h"
#include "tests/scratch.h"

enum { DAY = 86400 };
static const int64_t noon = 1795780800;  // 2026-11-27T12:00:00Z

typedef struct World {
    Scratch s;
    const char *path;
    Catalog *c;
    Market *m;
} World;

static inline void at(World *w, int64_t now) {
    Err e = {0};
    market_close(w->m);
    if (!market_open(w->c, now, &w->m, &e)) FAIL_("%s", e.text);
}

static inline World world(void) {
    World w = {.s = scratch_make()};
    Err e = {0};
    const char *warning = "";
    w.path = scratch_path(&w.s, "x.db");
    const CatalogOptions o = {.db_path = w.path};
    if (!catalog_open(&o, &w.s.arena, &w.c, &warning, &e)) FAIL_("%s", e.text);
    at(&w, noon);
    return w;
}

static inline void world_free(World *w) {
    market_close(w->m);
    catalog_close(w->c);
    scratch_free(&w->s);
}

// A row of "INSTANCE PRICE" for eight MI300X.
static inline FeedRow plain(const char *instance, double price) {
    FeedRow row = FEED_ROW;
    row.instance = instance;
    row.region = "r1";
    row.gpu = "AMD Instinct MI300X OAM";
    row.gpu_count = 8;
    row.price = price;
    return row;
}

static inline MarketOutcome refresh(World *w, const char *feed, const FeedRow *rows, size_t n) {
    Err e = {0};
    MarketOutcome out;
    MarketRefresh *r = market_begin(w->m, feed, "https://example.org/prices");
    for (size_t i = 0; i < n; i++) {
        if (!market_add(r, &rows[i], &e)) FAIL_("%s", e.text);
    }
    if (!market_finish(r, &w->s.arena, &out, &e)) FAIL_("%s", e.text);
    return out;
}

// The offers of a feed in words, with "; " between them; `add` writes one, or nothing.
static inline const char *offers_said(World *w, const char *feed, void (*add)(Buf *b, const Offer *o)) {
    void *rows = NULL;
    size_t n = 0;
    Err e = {0};
    Buf b;
    buf_init(&b, 10000);
    if (!catalog_rows(w->c, TABLE_OFFERS, &w->s.arena, &rows, &n, &e)) FAIL_("%s", e.text);
    for (size_t i = 0; i < n; i++) {
        const Offer *o = (const Offer *)rows + i;
        if (strcmp(o->feed, feed) != 0) continue;
        size_t before = b.length;
        buf_puts(&b, before > 0 ? "; " : "");
        size_t start = b.length;
        add(&b, o);
        if (b.length == start) b.length = before;
    }
    const char *text = arena_copy(&w->s.arena, b.length > 0 ? b.data : "", b.length);
    buf_free(&b);
    return text;
}

static inline void say_price(Buf *b, const Offer *o) {
    buf_printf(b, "%s %.6g%s%s", o->instance, (double)o->price_micro_usd_h / 1e6,
               o->available == AVAILABLE_NO ? " no" : "",
               o->standing == STANDING_SUPERSEDED ? " superseded" : "");
}

// "INSTANCE PRICE" of every offer that the feed said, with "no" where it cannot be had.
static inline const char *offers_of(World *w, const char *feed) { return offers_said(w, feed, say_price); }

static inline const Offer *offer_named(World *w, const char *feed, const char *instance) {
    void *rows = NULL;
    size_t n = 0;
    Err e = {0};
    if (!catalog_rows(w->c, TABLE_OFFERS, &w->s.arena, &rows, &n, &e)) FAIL_("%s", e.text);
    for (size_t i = 0; i < n; i++) {
        const Offer *o = (const Offer *)rows + i;
        if (strcmp(o->feed, feed) == 0 && strcmp(o->instance, instance) == 0) return o;
    }
    FAIL_("no offer '%s' of '%s'", instance, feed);
    return NULL;
}

#endif
