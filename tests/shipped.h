// The catalog as it ships, without a database of the user's, for tests that need real rows.
#ifndef GPUADVISE_TESTS_SHIPPED_H
#define GPUADVISE_TESTS_SHIPPED_H

#include <string.h>

#include "catalog/facts/catalog.h"
#include "tests/check.h"

// Closed with catalog_close, before its arena is freed.
static inline Catalog *shipped_catalog(Arena *a) {
    Err e = {0};
    const char *warning = "";
    Catalog *c = NULL;
    if (!catalog_open(&(CatalogOptions){0}, a, &c, &warning, &e)) FAIL_("%s", e.text);
    return c;
}

// With the facts of porting beside it.
static inline Catalog *shipped_porting(Arena *a, PortingFacts *ret_facts) {
    Err e = {0};
    Catalog *c = shipped_catalog(a);
    if (!catalog_porting(c, a, ret_facts, &e)) FAIL_("%s", e.text);
    return c;
}

// The example of a pattern as text: "\\n" and "\\t" of its cell are the end of a line and a tab.
static inline const char *shipped_example(Arena *a, const char *cell) {
    char *text = arena_alloc(a, strlen(cell) + 1, 1);
    size_t n = 0;
    for (const char *p = cell; *p != '\0'; p++) {
        bool escape = p[0] == '\\' && p[1] != '\0';
        if (escape) p++;
        text[n++] = !escape || *p == '\\' ? *p : *p == 'n' ? '\n' : *p == 't' ? '\t' : '?';
    }
    text[n] = '\0';
    return text;
}

typedef struct Shipped {
    Catalog *catalog;
    Facts facts;
    Arena arena;
} Shipped;

static inline void open_shipped(Shipped *s) {
    Err e = {0};
    *s = (Shipped){0};
    s->catalog = shipped_catalog(&s->arena);
    if (!catalog_facts(s->catalog, &s->arena, &s->facts, &e)) FAIL_("%s", e.text);
}

static inline void close_shipped(Shipped *s) {
    catalog_close(s->catalog);
    arena_free(&s->arena);
}

static inline const Gpu *gpu_row(const Shipped *s, const char *sku) {
    for (size_t i = 0; i < s->facts.n_gpus; i++) {
        if (strcmp(s->facts.gpus[i].sku_id, sku) == 0) return &s->facts.gpus[i];
    }
    FAIL_("no GPU %s", sku);
    return NULL;
}

static inline Gpu gpu_named(const Shipped *s, const char *sku) { return *gpu_row(s, sku); }

static inline const Model *model_named(const Shipped *s, const char *id) {
    for (size_t i = 0; i < s->facts.n_models; i++) {
        if (strcmp(s->facts.models[i].model_id, id) == 0) return &s->facts.models[i];
    }
    FAIL_("no model %s", id);
    return NULL;
}

#endif
