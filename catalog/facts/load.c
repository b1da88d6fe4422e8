// Text of a facts file -> checked row structs.
#include "catalog/facts/load.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/facts/rows.h"
#include "src/facts/facts.h"
#include "src/perf/perf.h"

// A file on its way into rows.
typedef struct Loading {
    const Table *table;
    Arena *arena;  // of the result
    Arena scratch;
    char *rows;     // in file order
    size_t *lines;  // of each row
    size_t n, capacity;
} Loading;

// ---------------------------------------------------------------- cells

static bool has_control(Str s) {
    for (size_t i = 0; i < s.length; i++) {
        unsigned char c = (unsigned char)s.data[i];
        if (c < 0x20 || c == 0x7f) return true;
    }
    return false;
}

static bool parse_bool(const Field *f, Str cell, void *row, Err *e) {
    bool yes = str_is(cell, "yes");
    if (!yes && !str_is(cell, "no")) {
        return err_set(e, ERR_FAILED, "'%.*s' is neither yes nor no",
                       cell.length > 60 ? 60 : (int)cell.length, cell.data);
    }
    row_set_int(row, f, yes);
    return true;
}

static bool parse_dollars(const Field *f, Str cell, void *row, Err *e) {
    double dollars = 0;
    int64_t micro = 0;
    if (!parse_number(cell, f->min, f->max, &dollars, e) ||
        !parse_micros(cell, (int64_t)(f->max * 1e6), &micro, e))
        return false;
    row_set_micro(row, f, micro);
    return true;
}

static bool parse_cell(const Field *f, Str cell, Arena *a, void *row, Err *e) {
    double number = 0;
    int64_t days = 0;
    int index = 0;
    if (cell.length == 0) {
        row_set_empty(row, f);
        return true;
    }
    if (has_control(cell)) return err_set(e, ERR_FAILED, "holds a control character");
    switch (f->kind) {
    case FIELD_NUM:
        if (!parse_number(cell, f->min, f->max, &number, e)) return false;
        row_set_number(row, f, number);
        return true;
    case FIELD_NAME:
        if (!field_name(f, cell, &index, e)) return false;
        row_set_int(row, f, index);
        return true;
    case FIELD_BOOL: return parse_bool(f, cell, row, e);
    case FIELD_MICRO: return parse_dollars(f, cell, row, e);
    case FIELD_DATE:
        if (!parse_date(cell, &days, e)) return false;
        // Dates are compared as text: no time of day behind them.
        if (cell.length > 10)
            return err_set(e, ERR_FAILED, "'%.60s' is not a date (YYYY-MM-DD)",
                           arena_copy(a, cell.data, cell.length));
        break;
    case FIELD_TEXT: break;
    }
    row_set_text(row, f, arena_copy(a, cell.data, cell.length));
    return true;
}

// ---------------------------------------------------------------- rows

static bool check_header(const Table *t, const TableReader *r, Err *e) {
    for (size_t i = 0; i < t->n_fields || i < r->n_cells; i++) {
        if (i >= r->n_cells)
            return err_set(e, ERR_FAILED, "line %zu: column '%s' is missing", r->line, t->fields[i].name);
        Str cell = r->cells[i];
        int shown = cell.length > 60 ? 60 : (int)cell.length;
        if (i >= t->n_fields)
            return err_set(e, ERR_FAILED, "line %zu: unknown column '%.*s'", r->line, shown, cell.data);
        if (str_is(cell, t->fields[i].name)) continue;
        return err_set(e, ERR_FAILED, "line %zu: column %zu is '%.*s' where '%s' belongs", r->line, i + 1,
                       shown, cell.data, t->fields[i].name);
    }
    return true;
}

static void reserve(Loading *l) {
    if (l->n < l->capacity) return;
    size_t capacity = l->capacity == 0 ? 64 : l->capacity * 2;
    char *rows = arena_alloc(&l->scratch, capacity, l->table->row_size);
    size_t *lines = arena_alloc(&l->scratch, capacity, sizeof *lines);
    if (l->n > 0) {
        memcpy(rows, l->rows, l->n * l->table->row_size);
        memcpy(lines, l->lines, l->n * sizeof *lines);
    }
    l->rows = rows;
    l->lines = lines;
    l->capacity = capacity;
}

static const char *columns_named(const Table *t, const bool *which, size_t *ret_n, Arena *a) {
    const char *text = "";
    *ret_n = 0;
    for (size_t i = 0; i < t->n_fields; i++) {
        if (!which[i]) continue;
        text = arena_printf(a, "%s%s'%s'", text, *ret_n > 0 ? ", " : "", t->fields[i].name);
        ++*ret_n;
    }
    return text;
}

// All columns that have to hold something and do not, in one sentence.
static bool none_empty(const Table *t, const Str *cells, Arena *a, Err *e) {
    bool empty[TABLE_CELLS_MAX];
    size_t n = 0;
    for (size_t i = 0; i < t->n_fields; i++) empty[i] = t->fields[i].required && cells[i].length == 0;
    const char *names = columns_named(t, empty, &n, a);
    if (n == 1) return err_set(e, ERR_FAILED, "column %s: is empty", names);
    return n == 0 || err_set(e, ERR_FAILED, "columns %s are empty", names);
}

bool table_cells(const Table *t, const Str *cells, Arena *a, void *row, Err *e) {
    if (!none_empty(t, cells, a, e)) return false;
    for (size_t i = 0; i < t->n_fields; i++) {
        if (!parse_cell(&t->fields[i], cells[i], a, row, e))
            return err_wrap(e, "column '%s'", t->fields[i].name);
    }
    return true;
}

static bool load_row(Loading *l, const TableReader *r, Err *e) {
    const Table *t = l->table;
    if (r->n_cells != t->n_fields) {
        return err_set(e, ERR_FAILED, "line %zu: %zu cells where the header has %zu", r->line, r->n_cells,
                       t->n_fields);
    }
    reserve(l);
    if (!table_cells(t, r->cells, l->arena, l->rows + l->n * t->row_size, e))
        return err_wrap(e, "line %zu", r->line);
    l->lines[l->n++] = r->line;
    return true;
}

// Rows into the result, in key order or as they were filed; refuses a key that occurs twice.
static bool finish(Loading *l, TableRows *ret_rows, Err *e) {
    const Table *t = l->table;
    const size_t *order = rows_order(t, &l->scratch, l->rows, l->n);
    char *rows = arena_alloc(l->arena, l->n + 1, t->row_size);
    size_t *lines = arena_alloc(l->arena, l->n + 1, sizeof *lines);
    for (size_t i = 1; i < l->n; i++) {
        size_t x = order[i - 1], y = order[i];
        if (row_compare(t, l->rows + x * t->row_size, l->rows + y * t->row_size) == 0)
            return err_set(e, ERR_FAILED, "line %zu: the same key as line %zu", l->lines[y], l->lines[x]);
    }
    for (size_t i = 0; i < l->n; i++) {
        size_t from = t->line > 0 ? i : order[i];
        char *row = rows + i * t->row_size;
        memcpy(row, l->rows + from * t->row_size, t->row_size);
        lines[i] = l->lines[from];
        if (t->line > 0) memcpy(row + t->line, &lines[i], sizeof *lines);
    }
    *ret_rows = (TableRows){rows, l->n, lines};
    return true;
}

bool table_load(const Table *t, Str text, Arena *a, TableRows *ret_rows, Err *e) {
    Loading l = {.table = t, .arena = a};
    TableReader r;
    bool more = false;
    table_open(&r, &l.scratch, text, '\t');
    bool ok = table_next(&r, &more, e);
    if (ok && !more) ok = err_set(e, ERR_FAILED, "no header");
    if (ok) ok = check_header(t, &r, e);
    while (ok && more) {
        ok = table_next(&r, &more, e);
        if (ok && more) ok = load_row(&l, &r, e);
    }
    if (ok) ok = finish(&l, ret_rows, e);
    if (!ok && e != NULL) {
        e->kind = ERR_FAILED;  // not the user's words: a parser of numbers would say so
        err_wrap(e, "load '%s.tsv'", t->name);
    }
    arena_free(&l.scratch);
    return ok;
}

// ---------------------------------------------------------------- CSV of the user's own

bool table_columns(const Table *t, const TableReader *r, size_t *columns, Err *e) {
    for (size_t i = 0; i < t->n_fields; i++) {
        columns[i] = SIZE_MAX;
        for (size_t c = 0; c < r->n_cells; c++) {
            if (!str_is(str_trim(r->cells[c]), t->fields[i].name)) continue;
            if (columns[i] != SIZE_MAX)
                return err_set(e, ERR_FAILED, "line %zu: column '%s' stands twice", r->line,
                               t->fields[i].name);
            columns[i] = c;
        }
    }
    return true;
}

bool columns_missing(const Table *t, const bool *missing, size_t line, Arena *a, Err *e) {
    size_t n = 0;
    const char *names = columns_named(t, missing, &n, a);
    return n == 0 || err_set(e, ERR_FAILED, "line %zu: column%s %s %s missing", line, n > 1 ? "s" : "", names,
                             n > 1 ? "are" : "is");
}

static bool has_keys(const Table *t, const TableReader *r, const size_t *columns, Arena *a, Err *e) {
    bool missing[TABLE_CELLS_MAX];
    for (size_t i = 0; i < t->n_fields; i++) missing[i] = t->fields[i].key && columns[i] == SIZE_MAX;
    return columns_missing(t, missing, r->line, a, e);
}

static bool load_csv_row(Loading *l, const TableReader *r, const size_t *columns, Err *e) {
    const Table *t = l->table;
    reserve(l);
    void *row = l->rows + l->n * t->row_size;
    for (size_t i = 0; i < t->n_fields; i++) {
        const Field f = t->fields[i];
        Str cell = columns[i] < r->n_cells ? str_trim(r->cells[columns[i]]) : (Str){"", 0};
        if (f.key && cell.length == 0)
            return err_set(e, ERR_FAILED, "line %zu: column '%s': is empty", r->line, f.name);
        if (!parse_cell(&f, cell, l->arena, row, e))
            return err_wrap(e, "line %zu: column '%s'", r->line, f.name);
    }
    l->lines[l->n++] = r->line;
    return true;
}

char table_separator(Str text) {
    Str first;
    return str_next(&text, '\n', &first) && first.length > 0 && memchr(first.data, '\t', first.length) != NULL
               ? '\t'
               : ',';
}

bool table_load_csv(const Table *t, Str text, Arena *a, TableRows *ret_rows, Err *e) {
    Loading l = {.table = t, .arena = a};
    TableReader r;
    bool more = false;
    size_t *columns = arena_alloc(&l.scratch, t->n_fields, sizeof *columns);
    table_open(&r, &l.scratch, text, table_separator(text));
    bool ok = table_next(&r, &more, e);
    if (ok && !more) ok = err_set(e, ERR_FAILED, "no header");
    if (ok) ok = table_columns(t, &r, columns, e) && has_keys(t, &r, columns, a, e);
    while (ok && more) {
        ok = table_next(&r, &more, e);
        if (ok && more) ok = load_csv_row(&l, &r, columns, e);
    }
    if (ok) ok = finish(&l, ret_rows, e);
    if (!ok && e != NULL) e->kind = ERR_FAILED;
    arena_free(&l.scratch);
    return ok;
}

// ---------------------------------------------------------------- writing

static void write_cell(const Field *f, const char *row, Buf *out) {
    const char *at = row + f->offset;
    switch (f->kind) {
    case FIELD_TEXT:
    case FIELD_DATE: buf_add_clean(out, row_text(row, f)); break;
    case FIELD_NUM: {
        double x = 0;
        memcpy(&x, at, sizeof x);
        if (is_known(x)) buf_printf(out, "%.4g", x);
        break;
    }
    case FIELD_BOOL:
    case FIELD_NAME: {
        int x = 0;
        memcpy(&x, at, sizeof x);
        buf_puts(out, f->kind == FIELD_NAME ? f->names[x] : x != 0 ? "yes" : "no");
        break;
    }
    case FIELD_MICRO: {
        int64_t x = 0;
        memcpy(&x, at, sizeof x);
        buf_printf(out, "%.6f", (double)x / 1e6);
        break;
    }
    }
}

void table_write(const Table *t, const void *rows, size_t n, Buf *out) {
    Arena scratch = {0};
    const size_t *order = rows_order(t, &scratch, rows, n);
    for (size_t c = 0; c < t->n_fields; c++) buf_printf(out, "%s%s", c > 0 ? "\t" : "", t->fields[c].name);
    buf_puts(out, "\n");
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < t->n_fields; c++) {
            if (c > 0) buf_puts(out, "\t");
            write_cell(&t->fields[c], (const char *)rows + order[i] * t->row_size, out);
        }
        buf_puts(out, "\n");
    }
    arena_free(&scratch);
}

// ---------------------------------------------------------------- references

static const Field *field_named(const Table *t, const char *name) {
    return row_named(name, t->fields, t->n_fields, sizeof *t->fields);
}

static bool check_reference(const Reference *ref, const TableRows *tables, Arena *a, Err *e) {
    const Table *from = &fact_tables[ref->table];
    const Table *to = &fact_tables[ref->target];
    const Field *field = field_named(from, ref->field);
    const Field *target = field_named(to, ref->target_field);
    if (field == NULL || target == NULL)
        return err_set(e, ERR_FAILED, "reference '%s.%s': no such column", from->name, ref->field);
    size_t n = tables[ref->target].n;
    const char **known = arena_alloc(a, n + 1, sizeof *known);
    for (size_t i = 0; i < n; i++)
        known[i] = row_text((const char *)tables[ref->target].rows + i * to->row_size, target);
    if (n > 0) qsort(known, n, sizeof *known, order_texts);
    for (size_t i = 0; i < tables[ref->table].n; i++) {
        const char *text = row_text((const char *)tables[ref->table].rows + i * from->row_size, field);
        if (text[0] == '\0' || (n > 0 && bsearch(&text, known, n, sizeof *known, order_texts) != NULL))
            continue;
        return err_set(e, ERR_FAILED, "load '%s.tsv': line %zu: column '%s': '%.60s' is not in %s.tsv",
                       from->name, tables[ref->table].lines[i], ref->field, text, to->name);
    }
    return true;
}

bool tables_check_references(const TableRows *tables, Err *e) {
    Arena a = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < n_fact_references; i++)
        ok = check_reference(&fact_references[i], tables, &a, e);
    arena_free(&a);
    return ok;
}

bool row_check_references(TableId id, const void *row, const TableRows *tables, Err *e) {
    for (size_t i = 0; i < n_fact_references; i++) {
        const Reference *ref = &fact_references[i];
        const Table *to = &fact_tables[ref->target];
        if (ref->table != id) continue;
        const char *text = row_text(row, field_named(&fact_tables[id], ref->field));
        const Field *target = field_named(to, ref->target_field);
        const TableRows *known = &tables[ref->target];
        size_t k = 0;
        while (k < known->n &&
               strcmp(row_text((const char *)known->rows + k * to->row_size, target), text) != 0)
            k++;
        if (text[0] != '\0' && k == known->n)
            return err_set(e, ERR_FAILED, "column '%s': '%.60s' is not among the %s", ref->field, text,
                           to->name);
    }
    return true;
}

// ---------------------------------------------------------------- constants

static const ConstantSpec *spec_of(const char *name) {
    return row_named(name, constant_specs, CONSTANT_COUNT, sizeof *constant_specs);
}

bool tables_check_constants(const TableRows *tables, Err *e) {
    const TableRows *t = &tables[TABLE_CONSTANTS];
    const Constant *rows = t->rows;
    for (size_t i = 0; i < t->n; i++) {
        const ConstantSpec *spec = spec_of(rows[i].name);
        if (spec == NULL)
            return err_set(e, ERR_FAILED,
                           "load 'constants.tsv': line %zu: '%.60s' is no constant of this program",
                           t->lines[i], rows[i].name);
        if (rows[i].value >= spec->min && rows[i].value <= spec->max) continue;
        return err_set(e, ERR_FAILED, "load 'constants.tsv': line %zu: '%s' is %g, outside %g..%g",
                       t->lines[i], spec->name, rows[i].value, spec->min, spec->max);
    }
    for (size_t i = 0; i < CONSTANT_COUNT; i++) {
        size_t k = 0;
        while (k < t->n && strcmp(rows[k].name, constant_specs[i].name) != 0) k++;
        if (k == t->n)
            return err_set(e, ERR_FAILED, "load 'constants.tsv': '%s' is missing", constant_specs[i].name);
    }
    return true;
}

// ---------------------------------------------------------------- sellers

static bool check_class(const TableRows *t, SellerClass seller_class, Err *e) {
    const SellerClassFact *rows = t->rows;
    for (size_t i = 0; i < t->n; i++) {
        if (rows[i].seller_class == seller_class) return true;
    }
    return err_set(e, ERR_FAILED, "load 'seller_classes.tsv': '%s' is missing",
                   seller_class_names[seller_class]);
}

// Rows lie by class, pricing model, days.
static bool check_moves(const TableRows *t, SellerClass seller_class, int pricing_model, Err *e) {
    const PriceMove *rows = t->rows;
    const PriceMove *before = NULL;
    bool from_today = false;
    for (size_t i = 0; i < t->n; i++) {
        const PriceMove *m = &rows[i];
        if (m->seller_class != seller_class || m->pricing_model != pricing_model) continue;
        from_today = from_today || m->lag_days <= 0;
        if (before != NULL && (m->sigma_log < before->sigma_log || m->gone < before->gone))
            return err_set(e, ERR_FAILED,
                           "load 'price_moves.tsv': line %zu: sigma_log and gone may not fall with time",
                           t->lines[i]);
        before = m;
    }
    bool whole = from_today && before->lag_days >= DAYS_A_YEAR;
    return whole ||
           err_set(e, ERR_FAILED, "load 'price_moves.tsv': '%s', '%s' lacks rows from day 0 to day %d",
                   seller_class_names[seller_class], pricing_names[pricing_model], DAYS_A_YEAR);
}

bool tables_check_price_moves(const TableRows *tables, Err *e) {
    bool ok = true;
    for (SellerClass class = 0; ok && class < SELLER_CLASS_COUNT; class ++)
        ok = check_class(&tables[TABLE_SELLER_CLASSES], class, e);
    for (SellerClass class = SELLER_UNKNOWN + 1; ok && class < SELLER_CLASS_COUNT; class ++) {
        for (int model = 0; ok && model < PRICING_COUNT; model++)
            ok = check_moves(&tables[TABLE_PRICE_MOVES], class, model, e);
    }
    return ok;
}

bool tables_check_traffic(const TableRows *tables, Err *e) {
    const TableRows *t = &tables[TABLE_TRAFFIC];
    const Traffic *rows = t->rows;
    HitCurve ignored;
    for (size_t i = 0; i < t->n; i++) {
        if (rows[i].hits[0] != '\0' && !hit_curve_of(&rows[i], &ignored))
            return err_set(e, ERR_FAILED,
                           "load 'traffic.tsv': line %zu: column 'hits': pairs CAPACITY:RATE that rise, none "
                           "over hit_rate_max",
                           t->lines[i]);
    }
    return true;
}
