// Row structs <-> database rows.
#include "catalog/facts/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *field_column(const Field *f) { return f->column != NULL ? f->column : f->name; }

bool field_name(const Field *f, Str text, int *ret_index, Err *e) {
    for (int i = 0; f->names[i] != NULL; i++) {
        if (!str_is(text, f->names[i])) continue;
        *ret_index = i;
        return true;
    }
    char list[300] = "";
    size_t used = 0;
    for (int i = 0; f->names[i] != NULL && used < sizeof list; i++) {
        int n = snprintf(list + used, sizeof list - used, "%s%s", i == 0 ? "" : ", ", f->names[i]);
        used += n < 0 ? 0 : (size_t)n;
    }
    return err_set(e, ERR_FAILED, "'%.*s' is none of %s", text.length > 60 ? 60 : (int)text.length, text.data,
                   list);
}

// ---------------------------------------------------------------- fields of a struct

static void get(const void *row, const Field *f, void *ret_x, size_t size) {
    memcpy(ret_x, (const char *)row + f->offset, size);
}

// ---------------------------------------------------------------- order

static int compare_field(const Field *f, const void *x, const void *y) {
    double numbers[2];
    int ints[2];
    int64_t micros[2];
    switch (f->kind) {
    case FIELD_TEXT:
    case FIELD_DATE: return strcmp(row_text(x, f), row_text(y, f));
    case FIELD_NUM:
        get(x, f, &numbers[0], sizeof numbers[0]);
        get(y, f, &numbers[1], sizeof numbers[1]);
        return number_order(numbers[0], numbers[1]);
    case FIELD_BOOL:
    case FIELD_NAME:
        get(x, f, &ints[0], sizeof ints[0]);
        get(y, f, &ints[1], sizeof ints[1]);
        return ints[0] - ints[1];
    case FIELD_MICRO:
        get(x, f, &micros[0], sizeof micros[0]);
        get(y, f, &micros[1], sizeof micros[1]);
        return micros[0] < micros[1] ? -1 : micros[0] > micros[1];
    }
    return 0;
}

int row_compare(const Table *t, const void *x, const void *y) {
    for (size_t i = 0; i < t->n_fields; i++) {
        int order = t->fields[i].key ? compare_field(&t->fields[i], x, y) : 0;
        if (order != 0) return order;
    }
    return 0;
}

typedef struct Ranked {
    const Table *table;
    const char *row;  // its address also tells which came first
} Ranked;

static int by_key(const void *a, const void *b) {
    const Ranked *x = a;
    const Ranked *y = b;
    int order = row_compare(x->table, x->row, y->row);
    return order != 0 ? order : x->row < y->row ? -1 : x->row > y->row;
}

const size_t *rows_order(const Table *t, Arena *a, const void *rows, size_t n) {
    Ranked *ranked = arena_alloc(a, n + 1, sizeof *ranked);
    size_t *order = arena_alloc(a, n + 1, sizeof *order);
    for (size_t i = 0; i < n; i++) ranked[i] = (Ranked){t, (const char *)rows + i * t->row_size};
    if (n > 0) qsort(ranked, n, sizeof *ranked, by_key);
    for (size_t i = 0; i < n; i++) order[i] = (size_t)(ranked[i].row - (const char *)rows) / t->row_size;
    return order;
}

static bool in_order(const Table *t, const char *rows, size_t n) {
    for (size_t i = 1; i < n; i++) {
        if (row_compare(t, rows + (i - 1) * t->row_size, rows + i * t->row_size) > 0) return false;
    }
    return true;
}

// Facts are stored in key order, and so come in order: sorting here costs a third of sorting in SQL, and
// mostly nothing.
static char *sorted(const Table *t, Arena *a, char *rows, size_t n) {
    if (in_order(t, rows, n)) return rows;
    const size_t *order = rows_order(t, a, rows, n);
    char *copy = arena_alloc(a, n, t->row_size);
    for (size_t i = 0; i < n; i++) memcpy(copy + i * t->row_size, rows + order[i] * t->row_size, t->row_size);
    return copy;
}

// ---------------------------------------------------------------- tables of the database

static DbType field_type(const Field *f) {
    switch (f->kind) {
    case FIELD_NUM: return DB_REAL;
    case FIELD_BOOL:
    case FIELD_MICRO: return DB_INTEGER;
    case FIELD_TEXT:
    case FIELD_DATE:
    case FIELD_NAME: break;
    }
    return DB_TEXT;
}

static DbColumn column_of(TableId id, const Field *f, Arena *a) {
    bool filled = f->required || f->kind == FIELD_NAME || f->kind == FIELD_BOOL || f->kind == FIELD_MICRO;
    DbColumn c = {.name = field_column(f), .type = field_type(f), .required = filled};
    for (size_t i = 0; i < n_fact_references; i++) {
        const Reference *r = &fact_references[i];
        if (r->target == id && strcmp(r->target_field, f->name) == 0) c.key = true;
        if (r->table == id && strcmp(r->field, f->name) == 0)
            c.references = arena_printf(a, "%s (%s)", fact_tables[r->target].name, r->target_field);
    }
    return c;
}

bool rows_make_tables(Db *db, Err *e) {
    Arena a = {0};
    DbTable tables[TABLE_COUNT];
    for (int i = 0; i < TABLE_COUNT; i++) {
        const Table *t = &fact_tables[i];
        DbColumn *columns = arena_alloc(&a, t->n_fields, sizeof *columns);
        for (size_t k = 0; k < t->n_fields; k++) columns[k] = column_of((TableId)i, &t->fields[k], &a);
        tables[i] = (DbTable){t->name, columns, t->n_fields};
    }
    bool ok = db_make_facts(db, tables, TABLE_COUNT, e);
    arena_free(&a);
    return ok;
}

static void name_columns(const Table *t, const char **columns) {
    for (size_t i = 0; i < t->n_fields && i < TABLE_CELLS_MAX; i++) columns[i] = field_column(&t->fields[i]);
}

// ---------------------------------------------------------------- struct -> database

static bool bind(Stmt *s, const Field *f, const void *row, Err *e) {
    const char *column = field_column(f);
    double number = 0;
    int index = 0;
    int64_t micro = 0;
    switch (f->kind) {
    case FIELD_TEXT:
    case FIELD_DATE: return stmt_bind_text(s, column, row_text(row, f), e);
    case FIELD_NUM: get(row, f, &number, sizeof number); return stmt_bind_number(s, column, number, e);
    case FIELD_BOOL: get(row, f, &index, sizeof index); return stmt_bind_integer(s, column, index, e);
    case FIELD_NAME: get(row, f, &index, sizeof index); return stmt_bind_text(s, column, f->names[index], e);
    case FIELD_MICRO: get(row, f, &micro, sizeof micro); return stmt_bind_integer(s, column, micro, e);
    }
    return false;
}

bool rows_insert(Db *db, const Table *t, const void *rows, size_t n, Err *e) {
    const char *columns[TABLE_CELLS_MAX];
    Stmt *s = NULL;
    name_columns(t, columns);
    bool ok = stmt_insert(db, t->name, columns, t->n_fields, &s, e);
    for (size_t r = 0; ok && r < n; r++) {
        const void *row = (const char *)rows + r * t->row_size;
        for (size_t i = 0; ok && i < t->n_fields; i++) ok = bind(s, &t->fields[i], row, e);
        bool more = false;
        ok = ok && stmt_step(s, &more, e);
    }
    stmt_free(s);
    return ok;
}

// ---------------------------------------------------------------- database -> struct

// A text column of one row after another: sources and names repeat, and then share their memory.
static const char *shared_text(Arena *a, const char *last, const char *text) {
    if (text[0] == '\0') return "";
    return last != NULL && strcmp(last, text) == 0 ? last : arena_copy(a, text, strlen(text));
}

static bool read_field(Stmt *s, size_t column, const Field *f, Arena *a, const void *last, void *row,
                       Err *e) {
    int index = 0;
    switch (f->kind) {
    case FIELD_TEXT:
    case FIELD_DATE:
        row_set_text(row, f, shared_text(a, last == NULL ? NULL : row_text(last, f), stmt_text(s, column)));
        break;
    case FIELD_NUM: row_set_number(row, f, stmt_number(s, column)); break;
    case FIELD_BOOL: row_set_int(row, f, stmt_integer(s, column) != 0); break;
    case FIELD_NAME:
        if (!field_name(f, str_of(stmt_text(s, column)), &index, e))
            return err_wrap(e, "column '%s'", field_column(f));
        row_set_int(row, f, index);
        break;
    case FIELD_MICRO: row_set_micro(row, f, stmt_integer(s, column)); break;
    }
    return true;
}

// For every field of the table the statement's column of that name.
static bool map_columns(Stmt *s, const Table *t, size_t *map, Err *e) {
    for (size_t i = 0; i < t->n_fields; i++) {
        const char *column = field_column(&t->fields[i]);
        map[i] = 0;
        while (map[i] < stmt_columns(s) && strcmp(stmt_column_name(s, map[i]), column) != 0) map[i]++;
        if (map[i] == stmt_columns(s)) return err_set(e, ERR_FAILED, "no column '%s'", column);
    }
    return true;
}

bool rows_read(Stmt *s, const Table *t, Arena *a, void **ret_rows, size_t *ret_n, Err *e) {
    size_t map[TABLE_CELLS_MAX];
    size_t n = 0;
    size_t capacity = 64;
    char *rows = arena_alloc(a, capacity, t->row_size);
    if (!map_columns(s, t, map, e)) return err_wrap(e, "read '%s'", t->name);
    for (;;) {
        bool more = false;
        if (!stmt_step(s, &more, e)) return err_wrap(e, "read '%s'", t->name);
        if (!more) break;
        if (n == capacity) {
            char *larger = arena_alloc(a, capacity * 2, t->row_size);
            memcpy(larger, rows, capacity * t->row_size);
            rows = larger;
            capacity *= 2;
        }
        char *row = rows + n * t->row_size;
        for (size_t i = 0; i < t->n_fields; i++) {
            if (!read_field(s, map[i], &t->fields[i], a, n == 0 ? NULL : row - t->row_size, row, e))
                return err_wrap(e, "read '%s'", t->name);
        }
        n++;
    }
    *ret_rows = sorted(t, a, rows, n);
    *ret_n = n;
    return true;
}

bool rows_read_all(Db *db, const char *from, const Table *t, Arena *a, void **ret_rows, size_t *ret_n,
                   Err *e) {
    const char *columns[TABLE_CELLS_MAX];
    Stmt *s = NULL;
    name_columns(t, columns);
    bool ok = stmt_select(db, from, columns, t->n_fields, &s, e) && rows_read(s, t, a, ret_rows, ret_n, e);
    stmt_free(s);
    return ok;
}
