// Fields of row structs by the description of their columns.
#include <math.h>
#include <string.h>

#include "src/facts/facts.h"
#include "src/facts/tables.h"

// A column of names is stored as an int where the struct has its enum.
_Static_assert(sizeof(WorkloadKind) == sizeof(int) && sizeof(LinkTopology) == sizeof(int),
               "an enum takes the place of an int");

static void set(void *row, const Field *f, const void *x, size_t size) {
    memcpy((char *)row + f->offset, x, size);
}

void row_set_text(void *row, const Field *f, const char *x) { set(row, f, &x, sizeof x); }
void row_set_number(void *row, const Field *f, double x) { set(row, f, &x, sizeof x); }
void row_set_int(void *row, const Field *f, int x) { set(row, f, &x, sizeof x); }
void row_set_micro(void *row, const Field *f, int64_t x) { set(row, f, &x, sizeof x); }

static void get(const void *row, const Field *f, void *ret, size_t size) {
    memcpy(ret, (const char *)row + f->offset, size);
}

const char *row_text(const void *row, const Field *f) {
    const char *x = NULL;
    get(row, f, &x, sizeof x);
    return x;
}

bool field_is_number(const Field *f) { return f->kind == FIELD_NUM || f->kind == FIELD_MICRO; }

double row_number(const void *row, const Field *f) {
    double x = 0;
    int64_t micro = 0;
    if (f->kind == FIELD_MICRO) {
        get(row, f, &micro, sizeof micro);
        return (double)micro / 1e6;
    }
    get(row, f, &x, sizeof x);
    return x;
}

const char *row_word(const void *row, const Field *f) {
    int x = 0;
    if (f->kind == FIELD_TEXT || f->kind == FIELD_DATE) return row_text(row, f);
    get(row, f, &x, sizeof x);
    if (f->kind == FIELD_BOOL) return x != 0 ? "yes" : "no";
    return strcmp(f->names[x], "unknown") == 0 ? "" : f->names[x];
}

const Field *field_find(const Table *t, const char *name) {
    for (size_t i = 0; i < t->n_fields; i++) {
        if (strcmp(t->fields[i].name, name) == 0) return &t->fields[i];
    }
    return NULL;
}

void row_set_empty(void *row, const Field *f) {
    switch (f->kind) {
    case FIELD_TEXT:
    case FIELD_DATE: row_set_text(row, f, ""); break;
    case FIELD_NUM: row_set_number(row, f, (double)NAN); break;
    case FIELD_BOOL:
    case FIELD_NAME: row_set_int(row, f, 0); break;
    case FIELD_MICRO: row_set_micro(row, f, 0); break;
    }
}

void row_blank(const Table *t, void *row) {
    memset(row, 0, t->row_size);
    for (size_t i = 0; i < t->n_fields; i++) row_set_empty(row, &t->fields[i]);
}
