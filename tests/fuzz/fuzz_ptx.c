// The tests' own reader of PTX: it reads committed files, and broken ones where faults are planted.
#include "tests/fuzz/fuzz.h"
#include "tests/ptx/ptx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena a = {0};
    PtxModule m;
    Err e = {0};
    Str text = {arena_copy(&a, (const char *)data, size), size};
    bool ok = ptx_module(text, &a, &m, &e);
    for (size_t i = 0; ok && i < m.n_entries; i++) {
        PtxEntry *entry = NULL;
        Err why = {0};
        if (ptx_entry(&m, ptx_entry_name(&m, i), &entry, &why)) (void)ptx_entry_digest(entry);
    }
    arena_free(&a);
    return 0;
}
