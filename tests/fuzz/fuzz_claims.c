// Tables of claims of the user's own: read, and judged as far as they can be.
#include <math.h>

#include "catalog/facts/load.h"
#include "src/advise/check.h"
#include "tests/fixture.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena a = {0};
    Err e = {0};
    TableRows rows;
    Gpu gpu = gpu_like("h100", VENDOR_NVIDIA, "hopper", 80, 3350, 989, 1979);
    Model model = llama_70b();
    Facts facts = fixture_facts(&gpu, 1);
    bool read = table_load_csv(&claims_table, (Str){(const char *)data, size}, &a, &rows, &e);
    MUST_HOLD(read || e.text[0] != '\0');
    const PublicClaim *claims = read ? rows.rows : NULL;
    for (size_t i = 0; read && i < rows.n; i++) {
        ClaimAsk ask = {.row = &claims[i], .gpu = &gpu, .against = &gpu, .model = &model};
        ClaimAnswer x;
        if (!claim_check(&facts, &ask, &a, &x, &e)) continue;
        MUST_HOLD(x.verdict < CLAIM_VERDICT_COUNT && x.arithmetic[0] != '\0' &&
                  x.n_conditions <= CONDITIONS_MAX);
        MUST_HOLD(x.verdict != CLAIM_CONDITIONAL || x.n_conditions > 0);
    }
    arena_free(&a);
    return 0;
}
