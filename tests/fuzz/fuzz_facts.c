// Loader of fact tables: the first byte picks the table, the rest are rows under its header (odd bytes: the
// whole file).
#include <string.h>

#include "catalog/facts/load.h"
#include "tests/fuzz/fuzz.h"

static void check_rows(const Table *t, const TableRows *rows) {
    for (size_t i = 0; i < rows->n; i++) {
        const char *row = (const char *)rows->rows + i * t->row_size;
        for (size_t k = 0; k < t->n_fields; k++) {
            const Field *f = &t->fields[k];
            if (f->kind == FIELD_TEXT || f->kind == FIELD_DATE) {
                const char *text = NULL;
                memcpy(&text, row + f->offset, sizeof text);
                MUST_HOLD(text != NULL && (text[0] != '\0' || !f->required));
            } else if (f->kind == FIELD_NUM) {
                double x = 0;
                memcpy(&x, row + f->offset, sizeof x);
                MUST_HOLD(is_known(x) ? x >= f->min && x <= f->max : !f->required);
            } else if (f->kind == FIELD_MICRO) {
                int64_t x = 0;
                memcpy(&x, row + f->offset, sizeof x);
                MUST_HOLD(x >= 0 && (x > 0 || !f->required));
            }
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    const Table *t = &fact_tables[data[0] / 2 % TABLE_COUNT];
    Buf text;
    buf_init(&text, BUF_LIMIT);
    for (size_t i = 0; data[0] % 2 == 0 && i < t->n_fields; i++) {
        buf_printf(&text, "%s%c", t->fields[i].name, i + 1 < t->n_fields ? '\t' : '\n');
    }
    buf_add(&text, (const char *)data + 1, size - 1);
    Arena a = {0};
    Err e = {0};
    TableRows rows = {0};
    if (table_load(t, (Str){text.data, text.length}, &a, &rows, &e)) {
        check_rows(t, &rows);
    } else {
        MUST_HOLD(e.text[0] != '\0');
    }
    arena_free(&a);
    buf_free(&text);
    return 0;
}
