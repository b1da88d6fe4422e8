// Fields of row structs by the description of their columns.
#include <string.h>

#include "src/facts/tables.h"

static void set(void *row, const Field *f, const void *x, size_t size) {
    memcpy((char *)row + f->offset, x, size);
}

void row_set_text(void *row, const Field *f, const char *x) { set(row, f, &x, sizeof x); }
void row_set_number(void *row, const Field *f, double x) { set(row, f, &x, sizeof x); }
void row_set_int(void *row, const Field *f, int x) { set(row, f, &x, sizeof x); }
void row_set_micro(void *row, const Field *f, int64_t x) { set(row, f, &x, sizeof x); }

const char *row_text(const void *row, const Field *f) {
    const char *x = NULL;
    memcpy(&x, (const char *)row + f->offset, sizeof x);
    return x;
}
