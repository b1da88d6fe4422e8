// Files that are not C, scanned with the shipped facts: what was found.
#ifndef GPUADVISE_TESTS_TEXT_WORLD_H
#define GPUADVISE_TESTS_TEXT_WORLD_H

#include <string.h>

#include "src/migrate/text.h"
#include "tests/check.h"
#include "tests/shipped.h"

enum { SEEN_MAX = 64 };

typedef struct Seen {
    TextHit hits[SEEN_MAX];
    size_t n;
    DependencyHit deps[SEEN_MAX];
    size_t n_deps;
    size_t kernels, kernel_line;
} Seen;

static inline void on_hit(void *context, const TextHit *h) {
    Seen *s = context;
    if (s->n < SEEN_MAX) s->hits[s->n++] = *h;
}

static inline void on_dependency(void *context, const DependencyHit *h) {
    Seen *s = context;
    if (s->n_deps < SEEN_MAX) s->deps[s->n_deps++] = *h;
}

static inline void on_cuda(void *context, Str text, size_t offset, size_t line, size_t column) {
    Seen *s = context;
    CHECK(text.length > 0 && column > 0);
    (void)offset;
    s->kernels++;
    s->kernel_line = line;
}

static inline void scan(const PortingFacts *f, const char *name, const char *text, Arena *a, Seen *ret) {
    Err e = {0};
    TextSink sink = {.context = ret, .hit = on_hit, .dependency = on_dependency, .cuda_source = on_cuda};
    TextFacts facts = {.packages = f->packages, .n_packages = f->n_packages};
    memset(ret, 0, sizeof *ret);
    TextKind kind = text_kind(name, str_of(text));
    CHECK(kind != TEXT_NONE);
    CHECK(text_patterns(f, a, &facts, &e));
    CHECK(text_scan(kind, name, str_of(text), &facts, &sink, a, &e));
}

typedef struct World {
    Arena a;
    Catalog *c;
    PortingFacts f;
} World;

static inline void begin(World *w) {
    *w = (World){0};
    w->c = shipped_porting(&w->a, &w->f);
}

static inline void end(World *w) {
    catalog_close(w->c);
    arena_free(&w->a);
}

#endif
