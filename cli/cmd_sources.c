// sources: where the catalog's rows come from, table by table.
#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"

typedef struct Origin {
    const char *table, *source, *newest;
    int64_t newest_day;
    size_t rows;
} Origin;

// `source` and `as_of` of one row.
typedef struct Mark {
    const char *source, *as_of;
} Mark;

static int compare_marks(const void *x, const void *y) {
    return strcmp(((const Mark *)x)->source, ((const Mark *)y)->source);
}

static size_t offset_of(const Table *t, const char *field) {
    for (size_t i = 0; i < t->n_fields; i++) {
        if (strcmp(t->fields[i].name, field) == 0) return t->fields[i].offset;
    }
    return 0;  // not reached: every table ends with both
}

static const char *text_at(const void *rows, const Table *t, size_t row, size_t offset) {
    const void *at = (const char *)rows + row * t->row_size + offset;
    return *(const char *const *)at;
}

static int64_t day_of(const char *date) {
    int64_t day = 0;
    return parse_date(str_of(date), &day, NULL) ? day : 0;
}

// Appends the distinct origins of one table, in order of their names.
static bool add_table(App *app, Catalog *c, TableId id, Origin **origins, size_t *n, Err *e) {
    const Table *t = &fact_tables[id];
    void *rows = NULL;
    size_t n_rows = 0;
    if (!catalog_rows(c, id, &app->arena, &rows, &n_rows, e)) return false;
    size_t source = offset_of(t, "source");
    size_t as_of = offset_of(t, "as_of");
    Mark *marks = arena_alloc(&app->arena, n_rows, sizeof *marks);
    for (size_t i = 0; i < n_rows; i++)
        marks[i] = (Mark){text_at(rows, t, i, source), text_at(rows, t, i, as_of)};
    if (n_rows > 0) qsort(marks, n_rows, sizeof *marks, compare_marks);
    Origin *grown = arena_alloc(&app->arena, *n + n_rows, sizeof *grown);
    if (*n > 0) memcpy(grown, *origins, *n * sizeof *grown);
    for (size_t i = 0; i < n_rows; i++) {
        int64_t day = day_of(marks[i].as_of);
        bool same = i > 0 && strcmp(marks[i - 1].source, marks[i].source) == 0;
        if (!same) grown[(*n)++] = (Origin){t->name, marks[i].source, marks[i].as_of, day, 0};
        Origin *o = &grown[*n - 1];
        o->rows++;
        if (day > o->newest_day) {
            o->newest_day = day;
            o->newest = marks[i].as_of;
        }
    }
    *origins = grown;
    return true;
}

// clang-format off
#define COLUMNS(X) \
    X("table",  "TABLE",  TEXT,      origins[i].table) \
    X("rows",   "ROWS",   NUMBER(6), origins[i].rows) \
    X("as_of",  "NEWEST", TEXT,      origins[i].newest) \
    X("source", "SOURCE", TEXT,      origins[i].source)
// clang-format on

// `word`: a table's name, or part of a source's; "" = all.
static Listing listing_of(App *app, const Origin *origins, size_t n, const char *word) {
    Listing l = LISTING(&app->arena, "sources", COLUMNS, n);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(origins[i].table, word) != 0 && !text_contains(origins[i].source, word)) continue;
        listing_row(&l, COLUMNS(LISTING_CELL));
    }
    return l;
}

static void show_text(App *app, const Listing *l) {
    for (size_t r = 0; r < l->n_rows; r++) {
        if (r > 0) buf_puts(&app->out, "\n");
        listing_show(l, r, app->format, app_width(app), &app->out);
    }
}

static int run(App *app) {
    Err e = {0};
    Catalog *c = NULL;
    Origin *origins = NULL;
    size_t n = 0;
    if (!app_catalog(app, &c, &e)) return app_fail(app, &e);
    for (size_t id = 0; id < TABLE_COUNT; id++) {
        if (!add_table(app, c, (TableId)id, &origins, &n, &e)) return app_fail(app, &e);
    }
    bool show = strcmp(app->verb->name, "show") == 0;
    Listing l = listing_of(app, origins, n, show ? app->args[0] : "");
    if (l.n_rows > 0 && !show && !app_rows(app, &l, &e)) return app_fail(app, &e);
    if (l.n_rows == 0 && !opt_set(app, OPT_WHERE)) {
        const char *names[TABLE_COUNT];
        for (size_t id = 0; id < TABLE_COUNT; id++) names[id] = fact_tables[id].name;
        name_unknown(&e, "table or source", show ? app->args[0] : "", names, TABLE_COUNT);
        return app_fail(app, &e);
    }
    const DataAge *ages = NULL;
    size_t n_ages = 0;
    KindAge kind[DATA_KINDS];
    if (!catalog_ages(c, false, &app->arena, &ages, &n_ages, &e)) return app_fail(app, &e);
    kinds_of(app, ages, n_ages, kind);
    if (app->format == FORMAT_JSON) {
        Json *root = app_json(app);
        if (show) json_add_text(app->inputs, "name", app->args[0]);
        listing_json(&l, root);
        kinds_json(kind, root);
    } else if (show && app->format == FORMAT_TABLE) {
        show_text(app, &l);
    } else {
        l.note = arena_printf(&app->arena,
                              "`gpuadvise sources show NAME` gives the sources of a table, or those with "
                              "NAME in them, in full. Facts: %s.",
                              kinds_text(kind, &app->arena));
        app_listing(app, &l);
    }
    return EXIT_DONE;
}

static const Verb verbs[] = {
    {"list", "", 0, 0, false, "where each table comes from, and its age", ROW_OPTIONS, run},
    {"show", "NAME", 1, 1, false, "the origins of one table, or the rows of one origin", NO_OPTIONS, run}};

COMMAND(sources, "sources", FORMATS_LISTING, .summary = "where the catalog's facts come from");
