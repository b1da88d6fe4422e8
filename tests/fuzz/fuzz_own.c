// Rows of the user's own: the first byte picks the table. What is taken is kept as a text that gives the same
// row again.
#include <string.h>

#include "catalog/facts/load.h"
#include "catalog/facts/own.h"
#include "catalog/facts/rows.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const TableId tables[] = {TABLE_GPUS, TABLE_MODELS, TABLE_WORKLOADS, TABLE_SUPPORT};
    if (size == 0) return 0;
    Arena a = {0};
    Err e = {0};
    OwnChange change = {.table = tables[data[0] % COUNT_OF(tables)],
                        .arena = &a,
                        .text = {(const char *)data + 1, size - 1},
                        .file = data[0] & 4 ? "f" : NULL,
                        .today = "2026-11-27"};
    const Table *t = &fact_tables[change.table];
    OwnRow *rows = NULL;
    size_t n = 0;
    bool read = own_read(&change, &rows, &n, &e);
    MUST_HOLD(read ? n > 0 && n <= OWN_ROWS_MAX : n == 0 && e.text[0] != '\0');
    for (size_t i = 0; i < n; i++) {
        TableRows again;
        MUST_HOLD(table_load(t, str_of(rows[i].content), &a, &again, &e) && again.n == 1);
        MUST_HOLD(row_compare(t, again.rows, rows[i].row) == 0 &&
                  strcmp(row_text(again.rows, &t->fields[0]), rows[i].name) == 0);
        MUST_HOLD(strncmp(row_text(again.rows, &t->fields[t->n_fields - 2]), "own: ", 5) == 0);
    }
    arena_free(&a);
    return 0;
}
