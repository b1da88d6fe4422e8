// Price lists of the user's own and of hostile others, as CSV and JSON, into a market in memory.
#include "catalog/market/market.h"
#include "tests/fuzz/fuzz.h"

// One market for all inputs: opening one loads all facts.
static Market *market(void) {
    static Market *volatile kept;
    static Catalog *volatile catalog;
    if (kept == NULL) {
        Arena a = {0};
        Err e = {0};
        const char *warning = "";
        Catalog *c = NULL;
        Market *m = NULL;
        const CatalogOptions none = {0};
        MUST_HOLD(catalog_open(&none, &a, &c, &warning, &e) && market_open(c, 1795780800, &m, &e));
        catalog = c;  // must outlive the market
        (void)catalog;
        kept = m;
        arena_free(&a);
    }
    return kept;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena a = {0};
    Err e = {0};
    MarketOutcome out;
    if (market_import(market(), "fuzz", "fuzz", (Str){(const char *)data, size}, NULL, &a, &out, &e)) {
        MUST_HOLD(out.rows + out.quarantined > 0);
    } else {
        MUST_HOLD(e.text[0] != '\0');
    }
    arena_free(&a);
    return 0;
}
