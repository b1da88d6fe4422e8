// Catalogs of made-up facts.
#ifndef GPUADVISE_TESTS_CATALOG_WORLD_H
#define GPUADVISE_TESTS_CATALOG_WORLD_H

#include "catalog/facts/catalog.h"
#include "tests/check.h"
#include "tests/made.h"

static inline Catalog *open_or_fail(const char *db_path, const char *data_dir) {
    Arena a = {0};
    Catalog *c = NULL;
    const char *warning = NULL;
    Err e = {0};
    if (!catalog_open(&(CatalogOptions){db_path, data_dir}, &a, &c, &warning, &e)) FAIL_("%s", e.text);
    CHECK_STR(warning, "");
    arena_free(&a);
    return c;
}

static inline Facts facts_of(Scratch *s, Catalog *c) {
    Facts facts = {0};
    Err e = {0};
    if (!catalog_facts(c, &s->arena, &facts, &e)) FAIL_("%s", e.text);
    return facts;
}

#endif
