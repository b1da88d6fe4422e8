// The filter language: terms that all have to hold, each of one or more alternatives.
#include "src/report/filter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum Operator { OP_WORD, OP_LESS, OP_AT_MOST, OP_MORE, OP_AT_LEAST, OP_IS, OP_IS_NOT } Operator;

struct FilterAtom {
    bool inverted;
    bool or_next;  // the next atom is an alternative to this one
    Operator op;
    size_t column;     // unless OP_WORD
    const char *text;  // what is looked for, or a date
    double number;     // of columns of figures
};

// Longest first: "<=" is no "<".
static const struct {
    const char *sign;
    Operator op;
} operators[] = {{"<=", OP_AT_MOST}, {">=", OP_AT_LEAST}, {"!=", OP_IS_NOT},
                 {"<", OP_LESS},     {">", OP_MORE},      {"=", OP_IS}};

// ---------------------------------------------------------------- columns

static bool counts(char c) { return c != ' ' && c != '_' && c != '-'; }

// Whether `name` begins with `wanted`; *ret_whole: it is all of it.
static bool begins(const char *name, Str wanted, bool *ret_whole) {
    size_t i = 0;
    for (;; name++) {
        while (*name != '\0' && !counts(*name)) name++;
        while (i < wanted.length && !counts(wanted.data[i])) i++;
        *ret_whole = *name == '\0' && i == wanted.length;
        if (i == wanted.length) return true;
        if (char_lower(*name) != char_lower(wanted.data[i])) return false;
        i++;
    }
}

static bool is_meant(const Column *c, Str name, bool *ret_whole) {
    bool whole_key = false, whole_title = false;
    bool key = begins(c->key, name, &whole_key);
    bool title = begins(c->title, name, &whole_title);
    *ret_whole = whole_key || whole_title;
    return key || title;
}

static size_t no_column(const Listing *l, Str name, bool several, Err *e) {
    Buf names;
    buf_init(&names, 4096);
    for (size_t c = 0; c < l->n_columns; c++) {
        bool whole = false;
        if (!several || is_meant(&l->columns[c], name, &whole))
            buf_printf(&names, "%s%s", names.length > 0 ? ", " : "", l->columns[c].key);
    }
    err_set(e, ERR_USAGE,
            several ? "'%.*s' begins several columns: %s" : "no column is called '%.*s'; there are: %s",
            (int)name.length, name.data, names.data);
    buf_free(&names);
    return SIZE_MAX;
}

size_t listing_column(const Listing *l, Str name, Err *e) {
    size_t found = SIZE_MAX;
    size_t n = 0;
    bool any = false;
    for (size_t i = 0; i < name.length && !any; i++) any = counts(name.data[i]);
    for (size_t c = 0; any && c < l->n_columns; c++) {
        bool whole = false;
        if (!is_meant(&l->columns[c], name, &whole)) continue;
        if (whole) return c;
        found = c;
        n++;
    }
    return n == 1 ? found : no_column(l, name, n > 1, e);
}

// ---------------------------------------------------------------- values

// What may stand behind a figure: a scale, or letters that the column's name has, too ("200 GB" of memory_gb).
static bool scale_of(const Column *column, Str unit, double *ret_scale) {
    static const struct {
        const char *unit;
        double scale;
    } scales[] = {{"", 1}, {"k", 1e3}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"B", 1e9}, {"T", 1e12}};
    *ret_scale = 1;
    for (size_t i = 0; i < COUNT_OF(scales); i++) {
        if (!str_is(unit, scales[i].unit)) continue;
        *ret_scale = scales[i].scale;
        return true;
    }
    char text[32];
    if (unit.length >= sizeof text) return false;
    memcpy(text, unit.data, unit.length);
    text[unit.length] = '\0';
    return text_contains(column->key, text) || text_contains(column->title, text);
}

static bool number_value(const Column *column, Str value, double *ret_number, Err *e) {
    Str digits = value;
    if (digits.length > 0 && digits.data[0] == '$') digits.data++, digits.length--;
    size_t n = 0;
    while (n < digits.length && strchr("+-.0123456789eE", digits.data[n]) != NULL) n++;
    // a unit that begins with e is no exponent
    while (n > 0 && strchr("eE+-", digits.data[n - 1]) != NULL) n--;
    double scale = 1;
    if (!parse_number((Str){digits.data, n}, -1e300, 1e300, ret_number, NULL) ||
        !scale_of(column, (Str){digits.data + n, digits.length - n}, &scale))
        return err_set(e, ERR_USAGE, "'%.*s' is no figure for column '%s'", (int)value.length, value.data,
                       column->key);
    *ret_number *= scale;
    return true;
}

static bool is_date(Str value) {
    size_t n = 0;
    while (n < value.length && ((value.data[n] >= '0' && value.data[n] <= '9') || value.data[n] == '-')) n++;
    return n == value.length && n >= 4;
}

// ---------------------------------------------------------------- reading

typedef struct Reader {
    const Listing *listing;
    Arena *arena;
    FilterAtom *atoms;
    size_t n, capacity;
} Reader;

// Of a word without quotes; its length if there is no operator in it.
static size_t operator_at(Str word, Operator *ret_op, size_t *ret_length) {
    for (size_t at = 0; at < word.length; at++) {
        for (size_t i = 0; i < COUNT_OF(operators); i++) {
            size_t n = strlen(operators[i].sign);
            if (at + n > word.length || memcmp(word.data + at, operators[i].sign, n) != 0) continue;
            *ret_op = operators[i].op;
            *ret_length = n;
            return at;
        }
    }
    return word.length;
}

static bool read_comparison(Reader *r, Str word, size_t at, size_t sign, FilterAtom *atom, Err *e) {
    Str value = {word.data + at + sign, word.length - at - sign};
    if (at == 0)
        return err_set(e, ERR_USAGE, "'%.*s': a column belongs before it", (int)word.length, word.data);
    atom->column = listing_column(r->listing, (Str){word.data, at}, e);
    if (atom->column == SIZE_MAX) return false;
    const Column *column = &r->listing->columns[atom->column];
    if (value.length == 0)
        return err_set(e, ERR_USAGE, "'%.*s': a value belongs behind it", (int)word.length, word.data);
    if (value.length >= 2 && value.data[0] == '"') value.data++, value.length -= 2;
    atom->text = arena_copy(r->arena, value.data, value.length);
    if (column->number) return number_value(column, value, &atom->number, e);
    if (atom->op == OP_IS || atom->op == OP_IS_NOT || is_date(value)) return true;
    return err_set(e, ERR_USAGE, "column '%s' is text: it is compared with = and !=, or with a date",
                   column->key);
}

static bool read_atom(Reader *r, Str word, bool or_next, Err *e) {
    FilterAtom atom = {.or_next = or_next, .op = OP_WORD, .text = "", .number = (double)NAN};
    Str whole = word;
    while (word.length > 0 && word.data[0] == '!') atom.inverted = !atom.inverted, word.data++, word.length--;
    if (word.length == 0)
        return err_set(e, ERR_USAGE, "a word belongs %s '%s'",
                       whole.length > 0 ? "behind" : "on both sides of", whole.length > 0 ? "!" : "|");
    size_t sign = 0;
    size_t at = word.data[0] == '"' ? word.length : operator_at(word, &atom.op, &sign);
    if (at < word.length) {
        if (!read_comparison(r, word, at, sign, &atom, e)) return false;
    } else {
        if (word.data[0] == '"') word.data++, word.length -= word.length > 1 ? 2 : 1;
        atom.text = arena_copy(r->arena, word.data, word.length);
    }
    r->atoms = arena_grow(r->arena, r->atoms, r->n, &r->capacity, sizeof *r->atoms);
    r->atoms[r->n++] = atom;
    return true;
}

// The next word up to a blank or a bar outside of quotes. False: none is left.
static bool next_word(Str *rest, Str *ret_word, bool *ret_bar, Err *e) {
    while (rest->length > 0 && rest->data[0] == ' ') rest->data++, rest->length--;
    size_t n = 0;
    bool quoted = false;
    while (n < rest->length && (quoted || (rest->data[n] != ' ' && rest->data[n] != '|'))) {
        if (rest->data[n] == '"') quoted = !quoted;
        n++;
    }
    *ret_word = (Str){rest->data, n};
    if (quoted) return err_set(e, ERR_USAGE, "a quotation mark is missing");
    rest->data += n;
    rest->length -= n;
    while (rest->length > 0 && rest->data[0] == ' ') rest->data++, rest->length--;
    *ret_bar = rest->length > 0 && rest->data[0] == '|';
    if (*ret_bar) rest->data++, rest->length--;
    return true;
}

bool filter_parse(const Listing *l, const char *text, Arena *a, Filter *ret, Err *e) {
    Reader r = {.listing = l, .arena = a};
    Str rest = str_trim(str_of(text));
    bool bar = false;
    while (rest.length > 0 || bar) {
        Str word = {0};
        bool before = bar;
        if (!next_word(&rest, &word, &bar, e)) return false;
        if (word.length == 0 && !bar && !before) break;
        if (!read_atom(&r, word, bar, e)) return false;
    }
    *ret = (Filter){r.atoms, r.n};
    return true;
}

// ---------------------------------------------------------------- rows

// A word stands in any text of the row; one of figures alone in a figure as it is shown, too.
static bool has_word(const Listing *l, size_t row, const char *word) {
    bool figure = word[strspn(word, "0123456789.,-")] == '\0';
    for (size_t c = 0; c < l->n_columns; c++) {
        const Cell *cell = listing_cell(l, row, c);
        char text[64] = "";
        if (l->columns[c].number && figure && is_known(cell->number))
            format_number(text, sizeof text, cell->number, l->columns[c].digits);
        if (l->columns[c].number ? text[0] != '\0' && text_contains(text, word)
                                 : text_contains(cell->text, word))
            return true;
    }
    return false;
}

// -1, 0, 1. Figures that show as one figure are one.
static int order_of(const Column *column, double x, double value) {
    char shown[64], wanted[64];
    format_number(shown, sizeof shown, x, column->digits > 6 ? column->digits : 6);
    format_number(wanted, sizeof wanted, value, column->digits > 6 ? column->digits : 6);
    return strcmp(shown, wanted) == 0 ? 0 : x < value ? -1 : 1;
}

static bool holds(const FilterAtom *atom, const Listing *l, size_t row) {
    if (atom->op == OP_WORD) return has_word(l, row, atom->text);
    const Column *column = &l->columns[atom->column];
    const Cell *cell = listing_cell(l, row, atom->column);
    if (!column->number && atom->op == OP_IS) return text_contains(cell->text, atom->text);
    if (!column->number && atom->op == OP_IS_NOT) return !text_contains(cell->text, atom->text);
    if (column->number ? !is_known(cell->number) : cell->text[0] == '\0') return false;
    int order = column->number ? order_of(column, cell->number, atom->number)
                               : strncmp(cell->text, atom->text, strlen(atom->text));
    switch (atom->op) {
    case OP_LESS: return order < 0;
    case OP_AT_MOST: return order <= 0;
    case OP_MORE: return order > 0;
    case OP_AT_LEAST: return order >= 0;
    case OP_IS: return order == 0;
    case OP_IS_NOT: return order != 0;
    case OP_WORD: break;
    }
    return false;
}

bool filter_passes(const Filter *f, const Listing *l, size_t row) {
    bool term = false;
    for (size_t i = 0; i < f->n_atoms; i++) {
        term = term || holds(&f->atoms[i], l, row) != f->atoms[i].inverted;
        if (f->atoms[i].or_next) continue;
        if (!term) return false;
        term = false;
    }
    return true;
}

// ---------------------------------------------------------------- order

enum { SORTED_BY_MAX = 8 };

typedef struct Order {
    const Listing *listing;
    size_t columns[SORTED_BY_MAX];
    int signs[SORTED_BY_MAX];
    size_t n;
} Order;

typedef struct Ordered {
    const Order *by;
    size_t row;
} Ordered;

static int compare_cells(const Column *column, const Cell *x, const Cell *y, int sign) {
    bool known_x = column->number ? is_known(x->number) : x->text[0] != '\0';
    bool known_y = column->number ? is_known(y->number) : y->text[0] != '\0';
    if (known_x != known_y) return known_x ? -1 : 1;
    if (!known_x) return 0;
    int order = column->number ? (x->number > y->number) - (x->number < y->number) : strcmp(x->text, y->text);
    return sign * order;
}

static int compare_rows(const void *left, const void *right) {
    const Ordered *a = left;
    const Ordered *b = right;
    const Listing *l = a->by->listing;
    for (size_t i = 0; i < a->by->n; i++) {
        size_t c = a->by->columns[i];
        int order = compare_cells(&l->columns[c], listing_cell(l, a->row, c), listing_cell(l, b->row, c),
                                  a->by->signs[i]);
        if (order != 0) return order;
    }
    return a->row < b->row ? -1 : 1;
}

static bool read_order(const Listing *l, const char *columns, Order *ret, Err *e) {
    Str rest = str_of(columns);
    Str name;
    *ret = (Order){.listing = l};
    while (columns[0] != '\0' && str_next(&rest, ',', &name)) {
        name = str_trim(name);
        bool down = name.length > 0 && name.data[0] == '-';
        if (down) name.data++, name.length--;
        if (ret->n == SORTED_BY_MAX)
            return err_set(e, ERR_USAGE, "more than %d columns to sort by", SORTED_BY_MAX);
        size_t column = listing_column(l, name, e);
        if (column == SIZE_MAX) return false;
        ret->columns[ret->n] = column;
        ret->signs[ret->n++] = down ? -1 : 1;
    }
    return true;
}

bool listing_choose(const Listing *l, const char *where, const char *sort, Arena *a, size_t **ret_rows,
                    size_t *ret_n, Err *e) {
    Filter f = {NULL, 0};
    Order by;
    if (!filter_parse(l, where, a, &f, e) || !read_order(l, sort, &by, e)) return false;
    Ordered *rows = arena_alloc(a, l->n_rows + 1, sizeof *rows);
    size_t n = 0;
    for (size_t row = 0; row < l->n_rows; row++) {
        if (filter_passes(&f, l, row)) rows[n++] = (Ordered){&by, row};
    }
    if (n > 1) qsort(rows, n, sizeof *rows, compare_rows);
    *ret_rows = arena_alloc(a, n + 1, sizeof **ret_rows);
    for (size_t i = 0; i < n; i++) (*ret_rows)[i] = rows[i].row;
    *ret_n = n;
    return true;
}

void listing_take(Listing *l, const size_t *rows, size_t n, Arena *a) {
    Cell *cells = arena_alloc(a, n * l->n_columns + 1, sizeof *cells);
    for (size_t i = 0; i < n; i++)
        memcpy(&cells[i * l->n_columns], listing_cell(l, rows[i], 0), l->n_columns * sizeof(Cell));
    l->cells = cells;
    l->n_rows = n;
}
