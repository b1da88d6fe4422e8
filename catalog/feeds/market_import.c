// Price lists as files: CSV, JSON, and what feeds' own servers answer. Form, names, words:
// docs/prices-import.md.
#include <math.h>
#include <string.h>

#include "catalog/feeds/feed_zip.h"
#include "catalog/feeds/import.h"

enum { IMPORT_VALUES_MAX = 20000000, UNPACKED_BYTES_MAX = BUF_LIMIT };

static void row_clear(ImportRow *row) {
    for (size_t i = 0; i < I_COLUMNS; i++) row->text[i] = "";
}

// ---------------------------------------------------------------- CSV

// What a column is. One that is named after a seller, a pricing model or a GPU ("aws_spot",
// "neocloud-MI300X") holds prices.
typedef struct Column {
    int column;  // -1: not read, or a price of `crossed`
    bool crossed;
    const char *provider, *pricing, *gpu;  // of a crossed one; "" as the row says
    Str name;
} Column;

static bool cross(const ImportFile *f, Str name, bool gpu_named, Arena *a, Column *c) {
    const char *word = "";
    size_t before = gpu_named ? import_pricing_suffix(name, &word) : 0;
    if (before > 0) {
        *c = (Column){-1,
                      true,
                      arena_copy(a, name.data, before),
                      arena_copy(a, word, (size_t)(name.data + name.length - word)),
                      "",
                      c->name};
        return true;
    }
    if (gpu_named) return false;
    const char *whole = arena_copy(a, name.data, name.length);
    const char *gpu = whole + strcspn(whole, "-_ ");
    if (*gpu != '\0' && gpu_names_any(f->market->names, gpu + 1)) {
        *c = (Column){-1, true, arena_copy(a, whole, (size_t)(gpu - whole)), "", gpu + 1, c->name};
    } else if (gpu_names_any(f->market->names, whole)) {
        *c = (Column){-1, true, "", "", whole, c->name};
    }
    return c->crossed;
}

static bool read_header(ImportFile *f, const TableReader *t, Arena *a, Column *columns, Err *e) {
    bool crossed = false;
    for (size_t i = 0; i < t->n_cells; i++) {
        char currency[4];
        Str name = str_trim(t->cells[i]);
        name.data = arena_copy(a, name.data, name.length);
        columns[i] = (Column){import_column_of(f, name, currency), false, "", "", "", name};
        if (columns[i].column >= 0) f->has[columns[i].column] = true;
        if (currency[0] != '\0') memcpy(f->currency, currency, sizeof currency);
    }
    bool priced = f->has[I_PRICE] || f->has[I_PRICE_GPU] || f->has[I_PRICE_ANY] || f->has[I_SPOT_ANY] ||
                  f->has[I_TYPICAL];
    for (size_t i = 0; !priced && i < t->n_cells; i++) {
        if (columns[i].column == -1)
            crossed = cross(f, str_trim(t->cells[i]), f->has[I_GPU], a, &columns[i]) || crossed;
    }
    for (size_t i = 0; i < t->n_cells; i++) {
        if (columns[i].column < 0 && !columns[i].crossed) import_ignored(f, columns[i].name);
    }
    if (crossed) f->has[I_PRICE_ANY] = f->has[I_GPU] = true;
    return import_begin(f, e) || err_wrap(e, "line %zu", t->line);
}

static bool add_line(ImportFile *f, const ImportRow *row, const Column *columns, const TableReader *t,
                     Arena *a, Err *e) {
    const char *where = arena_printf(a, "line %zu", t->line);
    bool crossed = false;
    bool ok = true;
    for (size_t i = 0; i < t->n_cells && ok; i++) {
        if (!columns[i].crossed) continue;
        crossed = true;
        Str cell = str_trim(t->cells[i]);
        ImportRow one = *row;
        if (cell.length == 0 || str_is(cell, "-") || str_is(cell, "\xe2\x80\x94")) continue;  // not sold
        if (columns[i].provider[0] != '\0') one.text[I_PROVIDER] = columns[i].provider;
        if (columns[i].pricing[0] != '\0') one.text[I_PRICING] = columns[i].pricing;
        if (columns[i].gpu[0] != '\0') one.text[I_GPU] = columns[i].gpu;
        one.text[I_PRICE_ANY] = arena_copy(a, cell.data, cell.length);
        ok = import_row(f, &one, where, e);
    }
    return crossed ? ok : import_row(f, row, where, e);
}

// Spreadsheets run what begins with = + - @, so that writers of CSV put an apostrophe before it, this program
// too: it is no part of the cell.
static Str undefused(Str cell) {
    size_t n = 0;
    while (n < cell.length && cell.data[n] == '\'') n++;
    bool defused = n > 0 && n < cell.length && strchr("=+-@", cell.data[n]) != NULL;
    return defused ? (Str){cell.data + 1, cell.length - 1} : cell;
}

static bool read_line(ImportFile *f, const Column *columns, const TableReader *t, Arena *a, ImportRow *row,
                      Err *e) {
    ImportUnread unread = {"", "", {0}};
    row_clear(row);
    for (size_t i = 0; i < t->n_cells; i++) {
        Str cell = undefused(str_trim(t->cells[i]));
        int column = columns[i].column;
        if (columns[i].crossed || cell.length == 0 ||
            (column >= 0 && import_cell(row, column, columns[i].name, cell, a)))
            continue;
        import_unread(f, columns[i].name, columns[i].name, cell, a, &unread);
    }
    return import_unread_check(f, &unread, row, arena_printf(a, "line %zu", t->line), e);
}

static bool import_csv(ImportFile *f, Str text, Err *e) {
    if (text.length >= 4 && memcmp(text.data, "---\n", 4) == 0)
        return err_set(e, ERR_FAILED, "YAML: only CSV and JSON are read");
    Arena a = {0};
    TableReader t;
    Column columns[TABLE_CELLS_MAX];
    bool more = false;
    table_open(&t, &a, text, ',');
    bool ok = table_next(&t, &more, e) && (more || err_set(e, ERR_FAILED, "no header")) &&
              read_header(f, &t, &a, columns, e);
    size_t n = ok ? t.n_cells : 0;
    while (ok && (ok = table_next(&t, &more, e)) && more) {
        Arena row_arena = {0};
        ImportRow row;
        ok = t.n_cells <= n ||
             err_set(e, ERR_FAILED, "line %zu: %zu cells where the header has %zu", t.line, t.n_cells, n);
        ok = ok && read_line(f, columns, &t, &row_arena, &row, e) &&
             add_line(f, &row, columns, &t, &row_arena, e);
        arena_free(&row_arena);
    }
    arena_free(&a);
    return ok;
}

// ---------------------------------------------------------------- JSON

static const char *value_text(const Json *value, Arena *a) {
    const char *text = json_text(value);
    if (text != NULL) return text;
    if (json_is_number(value)) return arena_printf(a, "%.15g", json_number(value));
    int truth = json_truth(value);
    return truth < 0 ? "" : truth != 0 ? "yes" : "no";
}

// What an unread member holds, texts of objects and lists within it too.
static void unread_member(ImportFile *f, Str column, Str name, const Json *member, size_t depth, Arena *a,
                          ImportUnread *unread) {
    enum { DEPTH_MAX = 8 };
    if (!json_is_object(member) && !json_is_array(member)) {
        import_unread(f, column, name, str_trim(str_of(value_text(member, a))), a, unread);
        return;
    }
    for (const Json *inner = json_first(member); inner != NULL && depth < DEPTH_MAX;
         inner = json_next(inner)) {
        const char *key = json_key(inner);
        unread_member(f, column, key[0] != '\0' ? str_of(key) : name, inner, depth + 1, a, unread);
    }
}

// Columns of an object's own members; `f` learns what it has, and which are not read. A later member of the
// same meaning fills what an earlier one left open. `nest`: the member that holds prices by their keys, or
// "".
static bool read_members(ImportFile *f, const Json *object, const char *nest, Arena *a, ImportRow *row,
                         const char *where, Err *e) {
    ImportUnread unread = {"", "", {0}};
    for (const Json *member = json_first(object); json_is_object(object) && member != NULL;
         member = json_next(member)) {
        char currency[4];
        Str name = str_of(json_key(member));
        int column = import_column_of(f, name, currency);
        if (nest[0] != '\0' && str_is(name, nest)) continue;
        if (column < 0) import_ignored(f, name);
        bool plain = column >= 0 && !json_is_object(member) && !json_is_array(member);
        if (plain) f->has[column] = true;
        if (plain && currency[0] != '\0') memcpy(f->currency, currency, sizeof currency);
        if (plain && import_cell(row, column, name, str_trim(str_of(value_text(member, a))), a)) continue;
        unread_member(f, name, name, member, 0, a, &unread);
    }
    return import_unread_check(f, &unread, row, where, e);
}

// Prices that lie in objects whose keys are data: which key is which column, from the outside in.
typedef struct Nest {
    const char *list;   // member of the root
    const char *inner;  // member of each element that holds the nest; "": the list is the nest
    ImportColumn levels[3];
    size_t n_levels;
    const char *provider;  // whose prices they are; "": not said
} Nest;

static const Nest nests[] = {
    {"prices", "", {I_REGION, I_PRICING, I_INSTANCE}, 3, ""},
    {"entries", "prices", {I_GPU}, 1, "average"},
};

static bool read_nest(ImportFile *f, const Nest *nest, size_t level, const Json *value, const ImportRow *row,
                      Err *e) {
    bool ok = true;
    for (const Json *member = json_first(value); ok && json_is_object(value) && member != NULL;
         member = json_next(member)) {
        Arena a = {0};
        ImportRow inner = *row;
        inner.text[nest->levels[level]] = json_key(member);
        if (level + 1 < nest->n_levels) {
            ok = read_nest(f, nest, level + 1, member, &inner, e);
        } else {
            inner.text[I_PRICE_ANY] = value_text(member, &a);
            ok = import_row(f, &inner, nest->list, e);
        }
        arena_free(&a);
    }
    return ok;
}

static const Nest *nest_of(const Json *root) {
    for (size_t i = 0; i < COUNT_OF(nests); i++) {
        const Json *list = json_get(root, nests[i].list);
        const Json *in = nests[i].inner[0] == '\0' ? list : json_get(json_first(list), nests[i].inner);
        for (size_t level = 0; level + 1 < nests[i].n_levels && json_is_object(in); level++)
            in = json_first(in);
        if (json_is_object(in) && json_is_number(json_first(in))) return &nests[i];
    }
    return NULL;
}

static bool import_nest(ImportFile *f, const Nest *nest, const Json *root, Err *e) {
    const Json *list = json_get(root, nest->list);
    ImportRow row;
    bool ok = true;
    row_clear(&row);
    row.text[I_PROVIDER] = nest->provider;
    for (size_t i = 0; i < nest->n_levels; i++) f->has[nest->levels[i]] = true;
    f->has[I_PRICE_ANY] = true;
    if (!import_begin(f, e)) return false;
    if (nest->inner[0] == '\0') return read_nest(f, nest, 0, list, &row, e);
    for (const Json *item = json_first(list); ok && item != NULL; item = json_next(item)) {
        Arena a = {0};
        ImportRow one = row;
        ok = read_members(f, item, nest->inner, &a, &one, nest->list, e) &&
             read_nest(f, nest, 0, json_get(item, nest->inner), &one, e);
        arena_free(&a);
    }
    return ok;
}

// The list of offers: the whole, what is under 'offers', or the first list of objects.
static const Json *offers_of(const Json *root) {
    if (json_is_array(root)) return root;
    if (json_is_array(json_get(root, "offers"))) return json_get(root, "offers");
    for (const Json *member = json_first(root); json_is_object(root) && member != NULL;
         member = json_next(member)) {
        if (json_is_array(member) && json_is_object(json_first(member))) return member;
    }
    return NULL;
}

static bool import_objects(ImportFile *f, const Json *root, Err *e) {
    const Json *list = offers_of(root);
    if (list == NULL)
        return err_set(e, ERR_FAILED, "neither an array of offers nor an object with one under 'offers'");
    Arena names = {0};
    bool ok = true;
    size_t number = 0;
    for (const Json *item = json_first(list); ok && item != NULL; item = json_next(item)) {
        ImportRow row;
        row_clear(&row);
        ok = read_members(f, item, "", &names, &row, arena_printf(&names, "offer %zu", ++number), e);
        arena_free(&names);
    }
    ok = ok && import_begin(f, e);
    number = 0;
    for (const Json *item = json_first(list); ok && item != NULL; item = json_next(item)) {
        Arena a = {0};
        ImportRow row;
        const char *where = arena_printf(&a, "offer %zu", ++number);
        row_clear(&row);
        ok = read_members(f, item, "", &a, &row, where, e);
        if (ok && json_is_object(item)) {
            ok = import_row(f, &row, where, e);
        } else if (ok) {
            market_reject(f->refresh, "not an object", where);
        }
        arena_free(&a);
    }
    return ok;
}

// An object a line, as one list: false when the text is none.
static bool from_lines(Str text, Buf *out) {
    Str rest = text;
    Str line;
    size_t n = 0;
    buf_puts(out, "[");
    while (str_next(&rest, '\n', &line)) {
        line = str_trim(line);
        if (line.length == 0) continue;
        if (line.data[0] != '{' || line.data[line.length - 1] != '}') return false;
        if (n++ > 0) buf_puts(out, ",\n");
        buf_add(out, line.data, line.length);
    }
    buf_puts(out, "]");
    return n > 1 && !out->overflow;
}

static bool import_json(ImportFile *f, Str text, Err *e) {
    Json *root = NULL;
    Buf lines;
    bool taken = false;
    buf_init(&lines, BUF_LIMIT);
    if (text.data[0] == '{' && from_lines(text, &lines)) text = (Str){lines.data, lines.length};
    bool ok = json_parse_rows(text, IMPORT_VALUES_MAX, &root, e) &&
              import_json_answer(f->refresh, &f->asked, text, root, &taken, e);
    const Nest *nest = ok && !taken ? nest_of(root) : NULL;
    if (ok && !taken) ok = nest != NULL ? import_nest(f, nest, root, e) : import_objects(f, root, e);
    json_free(root);
    buf_free(&lines);
    return ok;
}

// ---------------------------------------------------------------- both

static bool keep_bytes(void *user, Str bytes, Err *e) {
    Buf *b = user;
    buf_add(b, bytes.data, bytes.length);
    return !b->overflow || err_set(e, ERR_FAILED, "it unpacks to over %zu bytes", b->limit);
}

static bool import_text(ImportFile *f, Str text, Err *e) {
    Str head = str_trim(text);
    bool taken = false;
    if (head.length >= 3 && memcmp(head.data, "\xef\xbb\xbf", 3) == 0)
        head = str_trim((Str){head.data + 3, head.length - 3});
    if (head.length > 0 && (head.data[0] == '{' || head.data[0] == '[')) return import_json(f, head, e);
    if (!import_csv_answer(f->refresh, &f->asked, text, &taken, e)) return false;
    return taken || import_csv(f, text, e);
}

// Text as it stands, or what a .gz or .zip holds.
static bool import_bytes(ImportFile *f, Str bytes, Err *e) {
    char name[100] = "";
    Buf unpacked;
    if (!zip_begins(bytes) && !gzip_begins(bytes)) return import_text(f, bytes, e);
    buf_init(&unpacked, UNPACKED_BYTES_MAX);
    bool ok = zip_begins(bytes)
                  ? zip_unpack(bytes, "", UNPACKED_BYTES_MAX, name, sizeof name, keep_bytes, &unpacked, e)
                  : gzip_unpack(bytes, keep_bytes, &unpacked, e);
    if (name[0] != '\0') f->asked.file = name;
    Str text = {unpacked.length > 0 ? unpacked.data : "", unpacked.length};
    if (ok && text.length > 262 && memcmp(text.data + 257, "ustar", 5) == 0)
        ok = err_set(e, ERR_FAILED, "a tar archive: unpack it, and import the files that count one by one");
    ok = ok && import_text(f, text, e);
    buf_free(&unpacked);
    return ok;
}

bool market_import(Market *m, const char *name, const char *source, Str bytes, const ImportAsked *asked,
                   Arena *a, MarketOutcome *ret_outcome, Err *e) {
    const ImportAsked nothing = {.file = name, .provider = "", .as_of = ""};
    ImportFile f = {
        .market = m, .refresh = market_begin(m, name, source), .asked = asked != NULL ? *asked : nothing};
    market_scope(f.refresh, SCOPE_WHOLE);
    market_private(f.refresh);
    bool ok = import_columns_check(&f, e) && import_bytes(&f, bytes, e) && import_columns_found(&f, e);
    const char **ignored = arena_alloc(a, f.n_ignored + 1, sizeof *ignored);
    for (size_t i = 0; i < f.n_ignored; i++) ignored[i] = arena_printf(a, "%s", f.ignored[i]);
    arena_free(&f.arena);
    if (ok) {
        if (!market_finish(f.refresh, a, ret_outcome, e)) return false;
        ret_outcome->ignored = ignored;
        ret_outcome->n_ignored = f.n_ignored;
        return true;
    }
    market_abandon(f.refresh);
    e->kind = f.must_say ? ERR_USAGE : ERR_FAILED;  // the file's words, unless the user's are wanting
    return false;
}
