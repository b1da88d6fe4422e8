// The user's own facts: from a file or the command line into the database, and from there among the shipped
// ones.
#include "catalog/facts/own.h"

#include <stdint.h>
#include <string.h>

#include "catalog/facts/rows.h"
#include "catalog/facts/store.h"
#include "src/facts/facts.h"

#define OWN_MARK "own: "

static const struct {
    TableId table;
    const char *noun;
} own_tables[] = {{TABLE_GPUS, "GPU"},
                  {TABLE_MODELS, "model"},
                  {TABLE_TRAFFIC, "traffic"},
                  {TABLE_WORKLOADS, "workload"},
                  {TABLE_SUPPORT, "claim"}};

// What cells hold where the user gives nothing.
static const struct {
    TableId table;
    const char *column, *value;  // NULL: the row's id
} defaults[] = {
    {TABLE_GPUS, "name", NULL},
    {TABLE_GPUS, "support", "supported"},
    {TABLE_GPUS, "devices_per_package", "1"},
    {TABLE_GPUS, "market", "shipping"},
    {TABLE_GPUS, "confidence", "C"},
    {TABLE_MODELS, "confidence", "C"},
    {TABLE_WORKLOADS, "title", NULL},
    {TABLE_WORKLOADS, "who", "you"},
    {TABLE_WORKLOADS, "duty_cycle", "1"},
    {TABLE_SUPPORT, "source_type", "own-word"},
    {TABLE_SUPPORT, "standing", "current"},
};

const char *own_noun(TableId id) {
    for (size_t i = 0; i < COUNT_OF(own_tables); i++) {
        if (own_tables[i].table == id) return own_tables[i].noun;
    }
    return "row";
}

static void names_add(OwnNames *names, Arena *a, const char *name) {
    names->names = arena_grow(a, names->names, names->n, &names->capacity, sizeof *names->names);
    names->names[names->n++] = arena_copy(a, name, strlen(name));
}

static const char *row_name(const Table *t, const void *row) { return row_text(row, &t->fields[0]); }

static const void *row_at(const Table *t, const TableRows *rows, size_t i) {
    return (const char *)rows->rows + i * t->row_size;
}

static bool has_key(const Table *t, const TableRows *rows, const void *row) {
    for (size_t i = 0; i < rows->n; i++) {
        if (row_compare(t, row_at(t, rows, i), row) == 0) return true;
    }
    return false;
}

// ---------------------------------------------------------------- rows that are kept

// A row of own_fact.
typedef struct Kept {
    int64_t id;
    const char *name, *left_out;  // left_out "": it is among the facts
    Str content;
} Kept;

static bool read_kept(Db *db, TableId id, Arena *a, Kept **ret_kept, size_t *ret_n, Err *e) {
    Stmt *s = NULL;
    Kept *kept = NULL;
    size_t n = 0;
    size_t capacity = 0;
    bool row = false;
    bool ok = stmt_query(db, "own_facts", &s, e) && stmt_bind_text(s, "table_name", fact_tables[id].name, e);
    while (ok && (ok = stmt_step(s, &row, e)) && row) {
        kept = arena_grow(a, kept, n, &capacity, sizeof *kept);
        kept[n++] =
            (Kept){stmt_integer(s, 0), arena_printf(a, "%s", stmt_text(s, 1)),
                   arena_printf(a, "%s", stmt_text(s, 3)), str_of(arena_printf(a, "%s", stmt_text(s, 2)))};
    }
    stmt_free(s);
    *ret_kept = kept;
    *ret_n = n;
    return ok;
}

bool own_text(Db *db, TableId id, Arena *a, Str *ret_text, Err *e) {
    Kept *kept = NULL;
    size_t n = 0;
    if (!read_kept(db, id, a, &kept, &n, e)) return false;
    Buf b;
    buf_init(&b, BUF_LIMIT);
    for (size_t i = 0; i < n; i++) buf_add(&b, kept[i].content.data, kept[i].content.length);
    *ret_text = (Str){arena_copy(a, b.length > 0 ? b.data : "", b.length), b.length};
    buf_free(&b);
    return true;
}

// The cell of each column of the table in the row just read; "" where the text has none.
static Str *cells_of(const Table *t, const TableReader *r, const size_t *columns, Arena *a) {
    Str *cells = arena_alloc(a, t->n_fields, sizeof *cells);
    for (size_t i = 0; i < t->n_fields; i++)
        cells[i] = columns[i] < r->n_cells ? str_trim(r->cells[columns[i]]) : (Str){"", 0};
    return cells;
}

static bool parse_kept(const Table *t, const Kept *kept, Arena *a, void *row, Err *e) {
    TableReader r;
    size_t columns[TABLE_CELLS_MAX];
    bool more = false;
    table_open(&r, a, kept->content, '\t');
    bool ok = table_next(&r, &more, e) && table_columns(t, &r, columns, e) && table_next(&r, &more, e);
    return ok && (more || err_set(e, ERR_FAILED, "has no cells")) &&
           table_cells(t, cells_of(t, &r, columns, a), a, row, e);
}

static bool put_state(Db *db, const Kept *kept, const char *left_out, Err *e) {
    Stmt *s = NULL;
    if (strcmp(kept->left_out, left_out) == 0) return true;
    bool ok = stmt_query(db, "own_state", &s, e) && stmt_bind_integer(s, "id", kept->id, e) &&
              stmt_bind_text(s, "left_out", left_out, e) && stmt_run(s, e);
    stmt_free(s);
    return ok;
}

static bool drop(Db *db, int64_t id, Err *e) {
    Stmt *s = NULL;
    bool ok = stmt_query(db, "own_drop", &s, e) && stmt_bind_integer(s, "id", id, e) && stmt_run(s, e);
    stmt_free(s);
    return ok;
}

// ---------------------------------------------------------------- among the facts

// Rows of a table by key, as they are stored.
static void put_in_order(const Table *t, TableRows *rows, Arena *a) {
    const size_t *order = rows_order(t, a, rows->rows, rows->n);
    char *sorted = arena_alloc(a, rows->n + 1, t->row_size);
    for (size_t i = 0; i < rows->n; i++)
        memcpy(sorted + i * t->row_size, row_at(t, rows, order[i]), t->row_size);
    rows->rows = sorted;
}

static bool merge_table(Db *db, TableId id, TableRows *tables, Arena *a, Err *e) {
    const Table *t = &fact_tables[id];
    Kept *kept = NULL;
    size_t n = 0;
    if (!read_kept(db, id, a, &kept, &n, e)) return false;
    if (n == 0) return true;
    TableRows all = {arena_alloc(a, tables[id].n + n, t->row_size), tables[id].n, NULL};
    if (all.n > 0) memcpy(all.rows, tables[id].rows, all.n * t->row_size);
    for (size_t i = 0; i < n; i++) {
        Err why = {0};
        void *row = (char *)all.rows + all.n * t->row_size;
        bool fits = parse_kept(t, &kept[i], a, row, &why);
        if (fits && has_key(t, &all, row))
            fits = err_set(&why, ERR_FAILED, "a row with its key ships with the program");
        fits = fits && row_check_references(id, row, tables, &why);
        all.n += fits;
        if (!put_state(db, &kept[i], fits ? "" : why.text, e)) return false;
    }
    put_in_order(t, &all, a);
    tables[id] = all;
    return true;
}

bool own_merge(Db *db, TableRows *tables, Arena *a, Err *e) {
    for (int id = 0; id < TABLE_COUNT; id++) {  // references point backwards
        for (size_t i = 0; i < COUNT_OF(own_tables); i++) {
            if (own_tables[i].table == (TableId)id && !merge_table(db, (TableId)id, tables, a, e))
                return false;
        }
    }
    return true;
}

bool catalog_own_left_out(Catalog *c, Arena *a, OwnNames *ret_texts, Err *e) {
    Stmt *s = NULL;
    bool row = false;
    bool ok = stmt_query(catalog_db(c), "own_left_out", &s, e);
    while (ok && (ok = stmt_step(s, &row, e)) && row) {
        const char *noun = "row";
        for (size_t i = 0; i < COUNT_OF(own_tables); i++) {
            if (strcmp(fact_tables[own_tables[i].table].name, stmt_text(s, 0)) == 0)
                noun = own_tables[i].noun;
        }
        names_add(
            ret_texts, a,
            arena_printf(a, "%s '%s' of your own is left out: %s", noun, stmt_text(s, 1), stmt_text(s, 2)));
    }
    stmt_free(s);
    return ok;
}

// ---------------------------------------------------------------- rows that come in

typedef struct Adding {
    OwnChange *change;
    OwnRow *rows;
    size_t n, capacity;
    size_t width;  // cells of the header
} Adding;

// A fault of a file is named by its place; what was typed is the user's.
static bool in_row(const OwnChange *change, size_t line, Err *e) {
    e->kind = change->file != NULL ? ERR_FAILED : ERR_USAGE;
    return change->file != NULL && err_wrap(e, "read '%s': line %zu", change->file, line);
}

// An id is typed on command lines, in lists with commas and beside paths.
static bool check_id(const Table *t, Str id, Err *e) {
    size_t keys = 0;
    for (size_t i = 0; i < t->n_fields; i++) keys += t->fields[i].key;
    if (keys > 1 || id.length == 0) return true;
    bool fits = strchr("-._", id.data[0]) == NULL;
    for (size_t i = 0; i < id.length; i++) {
        char c = id.data[i];
        fits = fits && ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || strchr("-._", c) != NULL);
    }
    return fits || err_set(e, ERR_FAILED, "column '%s': '%.*s' is no id (a-z, 0-9, '-', '.', '_')",
                           t->fields[0].name, id.length > 60 ? 60 : (int)id.length, id.data);
}

// What the search takes from these columns are names of dtypes; it would pass over a misspelt one.
static bool check_dtypes(const Field *f, Str cell, Err *e) {
    Str word;
    while (word_in("weights kv", f->name) && str_next(&cell, ' ', &word)) {
        int k = 1;
        while (dtype_names[k] != NULL && !str_is(word, dtype_names[k])) k++;
        if (word.length > 0 && dtype_names[k] == NULL)
            return err_set(e, ERR_FAILED, "column '%s': '%.*s' is no dtype", f->name,
                           word.length > 60 ? 60 : (int)word.length, word.data);
    }
    return true;
}

static bool is_clean(Str cell, Arena *a) {
    const char *text = arena_copy(a, cell.data, cell.length);
    return strlen(text) == cell.length && strcmp(text_clean(a, text), text) == 0;
}

static Str default_of(const OwnChange *change, const char *column, Str id, Str given) {
    Arena *a = change->arena;
    if (strcmp(column, "source") == 0) {
        bool marked = given.length >= strlen(OWN_MARK) && memcmp(given.data, OWN_MARK, strlen(OWN_MARK)) == 0;
        if (given.length > 0)
            return marked ? given : str_of(arena_printf(a, OWN_MARK "%.*s", (int)given.length, given.data));
        return str_of(change->file == NULL
                          ? OWN_MARK "typed in"
                          : text_clean(a, arena_printf(a, OWN_MARK "file %s", change->file)));
    }
    if (given.length > 0) return given;
    if (strcmp(column, "as_of") == 0) return str_of(change->today);
    for (size_t i = 0; i < COUNT_OF(defaults); i++) {
        if (defaults[i].table == change->table && strcmp(defaults[i].column, column) == 0)
            return defaults[i].value == NULL ? id : str_of(defaults[i].value);
    }
    return given;
}

static const char *content_of(const Table *t, const Str *cells, Arena *a) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    for (size_t i = 0; i < t->n_fields; i++) buf_printf(&b, "%s%s", i > 0 ? "\t" : "", t->fields[i].name);
    for (size_t i = 0; i < t->n_fields; i++)
        buf_printf(&b, "%s%.*s", i > 0 ? "\t" : "\n", (int)cells[i].length, cells[i].data);
    buf_puts(&b, "\n");
    return buf_take(&b, a);
}

static bool take_row(Adding *x, const TableReader *r, const size_t *columns, Err *e) {
    const OwnChange *change = x->change;
    const Table *t = &fact_tables[change->table];
    Arena *a = change->arena;
    void *row = arena_alloc(a, 1, t->row_size);
    Str *cells = cells_of(t, r, columns, a);
    bool ok = r->n_cells == x->width ||
              err_set(e, ERR_FAILED, "%zu cells where the header has %zu", r->n_cells, x->width);
    ok = ok && check_id(t, cells[0], e);
    for (size_t i = 0; ok && i < t->n_fields; i++) {
        ok = is_clean(cells[i], a)
                 ? check_dtypes(&t->fields[i], cells[i], e)
                 : err_set(e, ERR_FAILED, "column '%s': holds a control character", t->fields[i].name);
        cells[i] = default_of(change, t->fields[i].name, cells[0], cells[i]);
    }
    ok = ok && table_cells(t, cells, a, row, e);
    for (size_t i = 0; ok && i < x->n; i++) {
        if (row_compare(t, x->rows[i].row, row) == 0)
            ok = err_set(e, ERR_FAILED, "the same key as line %zu", x->rows[i].line);
    }
    if (ok && x->n == OWN_ROWS_MAX) ok = err_set(e, ERR_FAILED, "more than %d rows", OWN_ROWS_MAX);
    if (!ok) return in_row(change, r->line, e);
    x->rows = arena_grow(a, x->rows, x->n, &x->capacity, sizeof *x->rows);
    x->rows[x->n++] = (OwnRow){row, row_name(t, row), content_of(t, cells, a), r->line};
    return true;
}

static void find_ignored(OwnChange *change, const TableReader *r, const size_t *columns) {
    const Table *t = &fact_tables[change->table];
    for (size_t c = 0; c < r->n_cells; c++) {
        bool known = false;
        for (size_t i = 0; i < t->n_fields; i++) known = known || columns[i] == c;
        if (!known)
            names_add(
                &change->ignored, change->arena,
                text_clean(change->arena, arena_copy(change->arena, r->cells[c].data, r->cells[c].length)));
    }
}

bool own_read(OwnChange *change, OwnRow **ret_rows, size_t *ret_n, Err *e) {
    Adding x = {.change = change};
    const Table *t = &fact_tables[change->table];
    TableReader r;
    size_t columns[TABLE_CELLS_MAX];
    bool more = false;
    table_open(&r, change->arena, change->text, table_separator(change->text));
    bool ok = table_next(&r, &more, e) && (more || err_set(e, ERR_FAILED, "no header")) &&
              table_columns(t, &r, columns, e);
    bool missing[TABLE_CELLS_MAX];
    for (size_t i = 0; ok && i < t->n_fields; i++) {
        const Field *f = &t->fields[i];
        Str filled = i == 0 ? str_of("") : default_of(change, f->name, str_of("id"), str_of(""));
        missing[i] = columns[i] == SIZE_MAX && (i == 0 || f->required) && filled.length == 0;
    }
    ok = ok && (change->file == NULL || columns_missing(t, missing, r.line, change->arena, e));
    x.width = r.n_cells;
    if (ok) find_ignored(change, &r, columns);
    if (!ok && change->file != NULL) err_wrap(e, "read '%s'", change->file);
    while (ok && more) {
        ok = table_next(&r, &more, e) || (change->file != NULL && err_wrap(e, "read '%s'", change->file));
        if (ok && more) ok = take_row(&x, &r, columns, e);
    }
    if (ok && x.n == 0)
        ok = err_set(e, ERR_FAILED, "read '%s': no rows", change->file != NULL ? change->file : "");
    if (ok) *ret_rows = x.rows, *ret_n = x.n;
    return ok;
}

// ---------------------------------------------------------------- changes

static bool keep_row(Db *db, const Table *t, const OwnRow *row, Err *e) {
    static const char *const columns[] = {"table_name", "name", "content"};
    Stmt *s = NULL;
    bool ok = stmt_insert(db, "own_fact", columns, COUNT_OF(columns), &s, e) &&
              stmt_bind_text(s, "table_name", t->name, e) && stmt_bind_text(s, "name", row->name, e) &&
              stmt_bind_text(s, "content", row->content, e) && stmt_run(s, e);
    stmt_free(s);
    return ok;
}

// Is `kept` the row that `coming` replaces? One that this version cannot read is known by its name alone.
static bool replaces(const Table *t, const OwnRow *coming, const Kept *kept, const void *kept_row) {
    return kept_row != NULL ? row_compare(t, kept_row, coming->row) == 0
                            : strcmp(kept->name, coming->name) == 0;
}

static bool put_row(Db *db, OwnChange *change, const OwnRow *coming, const Kept *kept,
                    const void *const *kept_rows, size_t n, Err *e) {
    const Table *t = &fact_tables[change->table];
    bool replaced = false;
    for (size_t i = 0; i < n; i++) {
        if (!replaces(t, coming, &kept[i], kept_rows[i])) continue;
        replaced = true;
        if (!drop(db, kept[i].id, e)) return false;
    }
    names_add(replaced ? &change->replaced : &change->added, change->arena, coming->name);
    return keep_row(db, t, coming, e);
}

// Does a shipped row have this one's key, also where its source is part of that and was not yet marked as
// own?
static bool ships(const Table *t, const TableRows *shipped, const void *row, Arena *a) {
    const Field *source = &t->fields[t->n_fields - 2];  // of every table
    void *unmarked = arena_alloc(a, 1, t->row_size);
    memcpy(unmarked, row, t->row_size);
    row_set_text(unmarked, source, row_text(row, source) + strlen(OWN_MARK));
    return has_key(t, shipped, row) || (source->key && has_key(t, shipped, unmarked));
}

static bool add_step(Db *db, void *what, TableRows *tables, Arena *a, Err *e) {
    const Adding *x = what;
    OwnChange *change = x->change;
    const Table *t = &fact_tables[change->table];
    Kept *kept = NULL;
    size_t n = 0;
    if (!read_kept(db, change->table, a, &kept, &n, e)) return false;
    const void **kept_rows = arena_alloc(a, n + 1, sizeof *kept_rows);
    for (size_t i = 0; i < n; i++) {
        Err ignored = {0};
        void *row = arena_alloc(a, 1, t->row_size);
        if (parse_kept(t, &kept[i], a, row, &ignored)) kept_rows[i] = row;
    }
    for (size_t i = 0; i < x->n; i++) {
        const OwnRow *coming = &x->rows[i];
        if (ships(t, &tables[change->table], coming->row, a)) {
            err_set(e, ERR_FAILED, "%s '%s' ships with the program and stays as it is: take another %s",
                    own_noun(change->table), coming->name, t->fields[0].name);
            in_row(change, coming->line, e);
            e->kind = ERR_USAGE;
            return false;
        }
        if (!put_row(db, change, coming, kept, kept_rows, n, e)) return false;
    }
    if (!own_merge(db, tables, a, e)) return false;
    for (size_t i = 0; i < x->n; i++) {
        if (!row_check_references(change->table, x->rows[i].row, tables, e))
            return in_row(change, x->rows[i].line, e);
    }
    return true;
}

bool catalog_own_add(Catalog *c, OwnChange *change, Err *e) {
    Adding x = {.change = change};
    return catalog_keep(c, e) && own_read(change, &x.rows, &x.n, e) && catalog_rebuild(c, add_step, &x, e);
}

static bool remove_step(Db *db, void *what, TableRows *tables, Arena *a, Err *e) {
    OwnChange *change = what;
    const Table *t = &fact_tables[change->table];
    Kept *kept = NULL;
    size_t n = 0;
    if (!read_kept(db, change->table, a, &kept, &n, e)) return false;
    for (size_t w = 0; w < change->n_wanted; w++) {
        bool found = false;
        bool ships = false;
        for (size_t i = 0; i < n; i++) {
            if (strcmp(kept[i].name, change->wanted[w]) != 0) continue;
            found = true;
            if (!drop(db, kept[i].id, e)) return false;
        }
        for (size_t i = 0; i < tables[change->table].n; i++)
            ships =
                ships || strcmp(row_name(t, row_at(t, &tables[change->table], i)), change->wanted[w]) == 0;
        if (!found && ships)
            return err_set(e, ERR_USAGE,
                           "'%.60s' ships with the program: only rows of your own can be removed",
                           change->wanted[w]);
        if (!found)
            return err_set(
                e, ERR_USAGE,
                "no %s of your own is called '%.60s'; the list with --where 'source=own:' has those that "
                "there are",
                own_noun(change->table), change->wanted[w]);
        names_add(&change->removed, change->arena, change->wanted[w]);
    }
    return own_merge(db, tables, a, e);
}

bool catalog_own_remove(Catalog *c, OwnChange *change, Err *e) {
    return catalog_keep(c, e) && catalog_rebuild(c, remove_step, change, e);
}
