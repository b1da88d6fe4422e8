// Which columns of a file are read, and as what: by their names, by the user's word, and never past a column
// that tells how prices are had.
#include <string.h>

#include "catalog/feeds/import.h"

enum { SHOWN_BYTES = 60, IMPORT_WORDS_MAX = 6 };

// "NAME=COLUMN": the file's name, and what it is. The name may hold '=' itself.
static Str split(const char *column, const char **ret_meaning) {
    const char *sign = strrchr(column, '=');
    *ret_meaning = sign == NULL ? "" : sign + 1;
    return str_trim((Str){column, sign == NULL ? strlen(column) : (size_t)(sign - column)});
}

static int meaning_of(const char *meaning) {
    if (text_same(meaning, "ignore")) return IMPORT_IGNORE;
    for (int i = 0; i < I_COLUMNS; i++) {
        if (text_same(meaning, import_own_name(i))) return i;
    }
    return -1;
}

bool import_columns_check(ImportFile *f, Err *e) {
    f->told = arena_alloc(&f->arena, f->asked.n_columns + 1, sizeof *f->told);
    for (size_t i = 0; i < f->asked.n_columns; i++) {
        const char *meaning = "";
        Str name = split(f->asked.columns[i], &meaning);
        if (name.length > 0 && meaning_of(meaning) != -1) continue;
        f->must_say = true;
        return err_set(e, ERR_USAGE,
                       "option '--column': '%.100s' is not NAME=COLUMN, with COLUMN one of "
                       "docs/prices-import.md (pricing_model, price_per_gpu_hour, ...) or 'ignore'",
                       f->asked.columns[i]);
    }
    return true;
}

static bool same_name(Str a, Str b) {
    if (a.length != b.length) return false;
    for (size_t i = 0; i < a.length; i++) {
        if (char_lower(a.data[i]) != char_lower(b.data[i])) return false;
    }
    return true;
}

bool import_columns_found(ImportFile *f, Err *e) {
    for (size_t i = 0; i < f->asked.n_columns; i++) {
        if (f->told[i]) continue;
        f->must_say = true;
        return err_set(e, ERR_USAGE, "option '--column': the file has no column of '%.100s'",
                       f->asked.columns[i]);
    }
    return true;
}

int import_column_of(ImportFile *f, Str name, char ret_currency[4]) {
    for (size_t i = 0; i < f->asked.n_columns; i++) {
        const char *meaning = "";
        if (!same_name(split(f->asked.columns[i], &meaning), str_trim(name))) continue;
        ret_currency[0] = '\0';
        f->told[i] = true;
        return meaning_of(meaning);
    }
    return import_column(name, ret_currency);
}

// ---------------------------------------------------------------- cells

static bool has_part(Str text, const char *part) {
    char lower[SHOWN_BYTES + 1];
    size_t n = text.length < SHOWN_BYTES ? text.length : SHOWN_BYTES;
    for (size_t i = 0; i < n; i++) lower[i] = char_lower(text.data[i]);
    lower[n] = '\0';
    return strstr(lower, part) != NULL;
}

static bool has_one_of(Str text, const char *const *parts, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (has_part(text, parts[i])) return true;
    }
    return false;
}

// "36" of a column "commitment_months" is 36 months.
static const char *unit_of(Str name, Str cell) {
    static const char *const months[] = {"month", "monat", "mois", "meses"};
    static const char *const years[] = {"year", "jahr"};
    double x = 0;
    if (!parse_number(cell, 0, 1000, &x, NULL)) return "";
    return has_one_of(name, months, COUNT_OF(months)) ? " months"
           : has_one_of(name, years, COUNT_OF(years)) ? " years"
                                                      : "";
}

// A number of a column "min_commit" or "lock_in_days", which is neither its price nor what it saves, says
// that there is a commitment.
static bool tells_length(Str name, Str cell) {
    static const char *const binding[] = {"commit",   "contract",     "lock_in",  "lockin",
                                          "lock-in",  "lock in",      "min_term", "minimum_term",
                                          "min term", "minimum term", "laufzeit", "bindung"};
    static const char *const others[] = {"price",    "usd",     "eur", "cost",   "rate", "hour",
                                         "discount", "percent", "pct", "saving", "_id",  "uncommit"};
    double x = 0;
    return has_one_of(name, binding, COUNT_OF(binding)) && !has_one_of(name, others, COUNT_OF(others)) &&
           parse_number(cell, 0, 1e6, &x, NULL) && x > 0;
}

static bool is_dash(Str cell) {
    return str_is(cell, "-") || str_is(cell, "--") || str_is(cell, "\xe2\x80\x94") ||
           str_is(cell, "\xe2\x80\x93");
}

bool import_cell(ImportRow *row, int column, Str name, Str cell, Arena *a) {
    const char *before = row->text[column];
    if (cell.length == 0) return true;
    if (column != I_PRICING) {
        if (before[0] != '\0') return false;
        row->text[column] = arena_copy(a, cell.data, cell.length);
        return true;
    }
    if (is_dash(cell)) return true;
    row->text[column] = arena_printf(a, "%s%s%.*s%s", before, before[0] == '\0' ? "" : "\n", (int)cell.length,
                                     cell.data, unit_of(name, cell));
    return true;
}

static const char *shown(Str name, Arena *a) {
    return text_clean(
        a, arena_printf(a, "%.*s", (int)(name.length < SHOWN_BYTES ? name.length : SHOWN_BYTES), name.data));
}

void import_ignored(ImportFile *f, Str name) {
    const char *clean = shown(name, &f->arena);
    for (size_t i = 0; i < f->n_ignored; i++) {
        if (strcmp(f->ignored[i], clean) == 0) return;
    }
    if (f->n_ignored == TABLE_CELLS_MAX) return;
    f->ignored = arena_grow(&f->arena, f->ignored, f->n_ignored, &f->ignored_capacity, sizeof *f->ignored);
    f->ignored[f->n_ignored++] = clean;
}

// "yes" of a column "contract_only" says what the column's name says.
static bool is_yes(Str cell) {
    return str_is(cell, "1") || has_part(cell, "true") || has_part(cell, "yes") ||
           (cell.length == 1 && char_lower(cell.data[0]) == 'y');
}

void import_unread(ImportFile *f, Str column, Str name, Str cell, Arena *a, ImportUnread *unread) {
    char currency[4];
    if (cell.length == 0 || import_column_of(f, column, currency) == IMPORT_IGNORE) return;
    const char *text = arena_printf(a, "%.*s%s", (int)(cell.length < 1000 ? cell.length : 1000), cell.data,
                                    unit_of(name, cell));
    GateSaid said = {0};
    if (gate_is_value(str_of(text), IMPORT_WORDS_MAX)) said = gate_read(text);
    if (!gate_tells(said) && cell.length <= 4 && is_yes(cell) && !has_part(name, "price"))
        said = gate_read(shown(name, a));
    if (!gate_tells(said) && tells_length(name, cell)) said.bits = SAYS_COMMITTED;
    if (!gate_tells(said)) return;
    if (!gate_tells(unread->said)) *unread = (ImportUnread){shown(column, a), text, {0}};
    unread->said = gate_join(unread->said, said);
}

bool import_unread_check(ImportFile *f, const ImportUnread *unread, const ImportRow *row, const char *where,
                         Err *e) {
    PricingModel stated = PRICING_ON_DEMAND;
    PricingModel told = PRICING_ON_DEMAND;
    if (!gate_tells(unread->said) || !import_row_model(row, &stated)) return true;
    if (gate_model(unread->said, stated, &told) == NULL && told == stated) return true;
    Arena a = {0};
    f->must_say = true;
    err_set(e, ERR_USAGE,
            "%s: column '%s' is not read, and tells how the price is had: '%.60s'. Say --column "
            "'%s=pricing_model' to read it so, or --column '%s=ignore' to leave it out",
            where, unread->name, text_clean(&a, unread->text), unread->name, unread->name);
    arena_free(&a);
    return false;
}
