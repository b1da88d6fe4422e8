// The rules and patterns that ship, read once from their text: fuzzers need no database.
#ifndef GPUADVISE_TESTS_FUZZ_PORTING_H
#define GPUADVISE_TESTS_FUZZ_PORTING_H

#include <string.h>

#include "catalog/facts/load.h"
#include "src/base/embedded.h"
#include "src/facts/porting.h"
#include "tests/fuzz/fuzz.h"

static inline TableRows fuzz_rows(const Table *table, Arena *a) {
    Err e = {0};
    TableRows rows = {0};
    for (size_t i = 0; i < n_embedded_facts; i++) {
        const EmbeddedFile *f = &embedded_facts[i];
        if (strcmp(f->name, table->name) == 0)
            MUST_HOLD(table_load(table, (Str){f->data, f->length}, a, &rows, &e));
    }
    MUST_HOLD(rows.n > 0);
    return rows;
}

// Lives as long as the process.
static inline const PortingFacts *fuzz_porting(Arena *a) {
    PortingFacts *f = arena_alloc(a, 1, sizeof *f);
    TableRows rules = fuzz_rows(&fact_tables[TABLE_CONSTRUCTS], a);
    TableRows texts = fuzz_rows(&text_patterns_table, a);
    TableRows cuda = fuzz_rows(&cuda_patterns_table, a);
    *f = (PortingFacts){.rules = rules.rows,
                        .n_rules = rules.n,
                        .text_patterns = texts.rows,
                        .n_text_patterns = texts.n,
                        .cuda_patterns = cuda.rows,
                        .n_cuda_patterns = cuda.n};
    return f;
}

#endif
