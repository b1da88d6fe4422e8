// Filters and orders as typed: rows that exist, or a message; and the same rows when asked twice.
#include "src/report/filter.h"

#include <string.h>

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const Column columns[] = {{"gpu", "GPU", false, 0, false},
                                     {"memory_gb", "MEM GB", true, 4, false},
                                     {"price_usd", "$/h", true, 4, false},
                                     {"seen_at", "SEEN", false, 0, false}};
    enum { ROWS = 5 };
    if (size > 4096) return 0;
    Arena a = {0};
    Listing l = listing_new(&a, "rows", columns, COUNT_OF(columns), ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        listing_text(&l, 0, i % 2 == 0 ? "mi300x" : "h100 sxm");
        listing_number(&l, 1, (double)(80 * i));
        if (i > 1) listing_number(&l, 2, 2.5 / (double)i);
        listing_text(&l, 3, i == 4 ? "" : "2026-09-01");
        listing_row_done(&l);
    }
    const char *text = arena_copy(&a, (const char *)data, size);
    const char *rest = strchr(text, '\n');
    const char *sort = rest != NULL ? rest + 1 : "";
    const char *where = rest != NULL ? arena_copy(&a, text, (size_t)(rest - text)) : text;
    Err e = {0};
    size_t *rows = NULL;
    size_t n = 0;
    if (listing_choose(&l, where, sort, &a, &rows, &n, &e)) {
        MUST_HOLD(n <= ROWS);
        bool seen[ROWS] = {false};
        for (size_t i = 0; i < n; i++) {
            MUST_HOLD(rows[i] < ROWS && !seen[rows[i]]);
            seen[rows[i]] = true;
        }
        listing_take(&l, rows, n, &a);
        MUST_HOLD(listing_choose(&l, where, sort, &a, &rows, &n, &e) && n == l.n_rows);
        for (size_t i = 0; i < n; i++) MUST_HOLD(rows[i] == i);
    } else {
        MUST_HOLD(e.kind == ERR_USAGE && e.text[0] != '\0');
    }
    arena_free(&a);
    return 0;
}
