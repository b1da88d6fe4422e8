// Figures of the HTML report that are counts and tables: findings by class, what runs where.
#include "src/report/drawing.h"

#include <string.h>

#include "src/report/html_page.h"

enum { MATRIX_GPUS_MAX = 8 };

// ---------------------------------------------------------------- migration by class

// clang-format off
#define CLASS_COLUMNS(X) \
    X("class",    "Class",           TEXT,      port_class_names[c]) \
    X("findings", "Findings",        NUMBER(6), m->findings[c]) \
    X("days",     "Days",            NUMBER(2), \
      m->effort->by_class != NULL ? m->effort->by_class[c].likely : (double)NAN) \
    X("what",     "What that means", TEXT,      meanings[c])
// clang-format on

void draw_migration(Drawing *d) {
    static const char *const meanings[PORT_CLASS_COUNT] = {"done by a tool or a rename", "must be looked at",
                                                           "written anew",
                                                           "no counterpart: leave out or build"};
    const Move *m = d->advice->move;
    size_t all = 0;
    for (size_t c = 0; m != NULL && m->findings != NULL && c < PORT_CLASS_COUNT; c++) all += m->findings[c];
    if (all == 0) return;
    Json *j = figure_data(d, "migration", "counts");
    json_add_text(j, "y", "findings");
    Json *labels = json_add_array(j, "labels");
    Json *value = json_add_array(j, "value");
    Listing l = LISTING(d->arena, "migration", CLASS_COLUMNS, PORT_CLASS_COUNT);
    for (size_t c = 0; c < PORT_CLASS_COUNT; c++) {
        json_add_text(labels, NULL, port_class_names[c]);
        json_add_number(value, NULL, (double)m->findings[c]);
        listing_row(&l, CLASS_COLUMNS(LISTING_CELL));
    }
    html_figure(d->out, "migration", "What the code has to change",
                "Findings in the code base by what they need.",
                arena_printf(d->arena, "Bars: %zu automatic, %zu review, %zu manual, %zu blocker",
                             m->findings[PORT_AUTOMATIC], m->findings[PORT_REVIEW], m->findings[PORT_MANUAL],
                             m->findings[PORT_BLOCKER]),
                &l);
}

// ---------------------------------------------------------------- what runs where

// The GPUs of the options, each architecture once, the best first.
static size_t matrix_gpus(const Advice *x, const Gpu *gpus[MATRIX_GPUS_MAX]) {
    size_t n = 0;
    for (size_t i = 0; i < x->n_options && n < MATRIX_GPUS_MAX; i++) {
        const Gpu *g = x->options[i].gpu;
        size_t k = 0;
        while (k < n && (gpus[k]->vendor != g->vendor || strcmp(gpus[k]->architecture, g->architecture) != 0))
            k++;
        if (k == n) gpus[n++] = g;
    }
    return n;
}

static const char *precision_status(const Facts *f, const Gpu *g, Dtype weights) {
    for (size_t i = 0; i < f->n_precisions; i++) {
        const Precision *p = &f->precisions[i];
        if (p->vendor == g->vendor && p->weights == weights && strcmp(p->architecture, g->architecture) == 0)
            return p->status;
    }
    return "none";
}

static Listing matrix(Drawing *d, const char *first, const Gpu *const *gpus, size_t n, size_t rows) {
    Column *columns = arena_alloc(d->arena, n + 1, sizeof *columns);
    columns[0] = (Column){.key = "what", .title = first};
    for (size_t g = 0; g < n; g++)
        columns[g + 1] =
            (Column){.key = gpus[g]->sku_id,
                     .title = arena_printf(d->arena, "%s (%s)", gpus[g]->name, gpus[g]->architecture)};
    Listing l = listing_new(d->arena, "matrix", columns, n + 1, rows);
    return l;
}

// clang-format off
#define STACK_COLUMNS(X) \
    X("item",   "Item",   TEXT, \
      x->version[0] != '\0' ? arena_printf(d->arena, "%s %s", x->title, x->version) : x->title) \
    X("fit",    "On AMD", TEXT,      fit_titles[x->fit]) \
    X("change", "Change", TEXT,      x->change) \
    X("lost",   "Lost",   TEXT,      x->lost) \
    X("days",   "Days",   NUMBER(2), x->days > 0 ? x->days : (double)NAN) \
    X("source", "Source", TEXT,      x->source) \
    X("as_of",  "As of",  TEXT,      x->as_of)
// clang-format on

void draw_stack(Drawing *d) {
    const StackView *v = d->advice->stack;
    if (v == NULL || v->n_items == 0) return;
    Listing l = LISTING(d->arena, "stack", STACK_COLUMNS, v->n_items);
    for (size_t i = 0; i < v->n_items; i++) {
        const StackItem *x = &v->items[i];
        listing_row(&l, STACK_COLUMNS(LISTING_CELL));
    }
    html_section(d->out, "long", "Compatibility of the stack");
    html_table(d->out, "Items of the stack on AMD", &l);
    html_end(d->out, "section");
}

void draw_matrix(Drawing *d) {
    const Facts *f = d->page->facts;
    const Gpu *gpus[MATRIX_GPUS_MAX];
    size_t n = matrix_gpus(d->advice, gpus);
    if (n == 0) return;
    Listing engines = matrix(d, "Engine", gpus, n, f->n_engine_limits);
    for (size_t i = 0; i < f->n_engine_limits; i++) {
        listing_text(&engines, 0, f->engine_limits[i].engine);
        for (size_t g = 0; g < n; g++) {
            const EngineSupport *s = engine_support(f, gpus[g], f->engine_limits[i].engine);
            listing_text(&engines, g + 1, s != NULL ? support_names[s->status] : "none");
        }
        listing_row_done(&engines);
    }
    Listing dtypes = matrix(d, "Weights", gpus, n, DTYPE_COUNT);
    for (int t = DTYPE_FP16; t < DTYPE_COUNT; t++) {
        listing_text(&dtypes, 0, dtype_names[t]);
        for (size_t g = 0; g < n; g++) listing_text(&dtypes, g + 1, precision_status(f, gpus[g], (Dtype)t));
        listing_row_done(&dtypes);
    }
    html_section(d->out, "long", "What runs where");
    html_table(d->out, "Serving engines by GPU", &engines);
    html_table(d->out, "Dtypes of weights by GPU", &dtypes);
    html_element(d->out, "p", "note",
                 "native: the matrix units compute in it; weight-only: stored in it, computed wider; "
                 "emulated: as if, more slowly. `gpuadvise compat` has the evidence.");
    html_end(d->out, "section");
}
