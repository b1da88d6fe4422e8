// Snapshots that passed for signed ones, and the text of keys and signatures: refused with a reason, or taken
// in whole.
#include "catalog/feeds/minisign.h"
#include "catalog/feeds/snapshot.h"
#include "tests/fuzz/fuzz.h"

// One catalog for all inputs: opening one loads all facts.
static Catalog *catalog(void) {
    static Catalog *volatile kept;
    if (kept == NULL) {
        Arena a = {0};
        Err e = {0};
        const char *warning = "";
        Catalog *c = NULL;
        const CatalogOptions none = {0};
        MUST_HOLD(catalog_open(&none, &a, &c, &warning, &e));
        kept = c;
        arena_free(&a);
    }
    return kept;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena a = {0};
    Err e = {0};
    Str text = {(const char *)data, size};
    SnapshotFeed *feeds = NULL;
    size_t n = 0;
    const char *comment = NULL;
    const char *signature = NULL;
    if (snapshot_is(text) && !snapshot_read(catalog(), text, 1795780800, "fuzz", &a, &feeds, &n, &e))
        MUST_HOLD(e.text[0] != '\0');
    // Nobody signed these bytes: no text may make them pass.
    static const char key[] = "RWRbMOFgnARxWVbTsg1nPqKMFxRJGwv+3CrThrvlMwRkt7zJWxrbxO/O";
    MUST_HOLD(!minisign_verify(str_of("unsigned"), text, str_of(key), &a, &comment, &e));
    MUST_HOLD(!minisign_verify(str_of("unsigned"), text, text, &a, &comment, &e));
    minisign_sign(str_of("unsigned"), text, NULL, "c", &a, &signature, &e);
    arena_free(&a);
    return 0;
}
