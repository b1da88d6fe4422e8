// The roofline of a device: a picture, a table of the tests under it, JSON.
#include <math.h>
#include <string.h>

#include "src/report/bench_report.h"

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
enum { PICTURE_ROWS = 16, LABELS = 24, WIDEST = 100, NARROWEST = 30 };

// ---------------------------------------------------------------- picture

static void widen(double x, double *from, double *to) {
    if (!(*from <= x)) *from = x;
    if (!(*to >= x)) *to = x;
}

// One line a ceiling under the common slope; the first carries the slope from the left end.
static void draw(const Writer *w, const Roofline *roof) {
    double x_from = (double)NAN, x_to = (double)NAN, y_from = (double)NAN, y_to = (double)NAN;
    LogLine lines[ROOF_CEILINGS];
    LogPoint *points = arena_alloc(w->arena, roof->n_points, sizeof *points);
    for (size_t i = 0; i < roof->n_points; i++) {
        const RoofPoint *p = &roof->points[i];
        points[i] = (LogPoint){p->flop_per_byte, p->gflop_s, letters[i % (sizeof letters - 1)]};
        widen(p->flop_per_byte, &x_from, &x_to);
        widen(p->gflop_s, &y_from, &y_to);
    }
    double highest = 0;
    for (size_t i = 0; i < roof->n_ceilings; i++) highest = fmax(highest, roof->ceilings[i].gflop_s);
    for (size_t i = 0; i < roof->n_ceilings; i++) {
        const RoofCeiling *c = &roof->ceilings[i];
        double ridge = c->gflop_s / roof->memory_gb_s;
        lines[i] = (LogLine){roof->memory_gb_s, c->gflop_s, c->gflop_s < highest ? ridge : 0, c->dtype};
        widen(2 * ridge, &x_from, &x_to);
        widen(c->gflop_s, &y_from, &y_to);
    }
    size_t width = w->room.width > 0 && w->room.width < WIDEST ? w->room.width : WIDEST;
    LogPlot plot = {.columns = width > LABELS + NARROWEST ? width - LABELS : NARROWEST,
                    .rows = PICTURE_ROWS,
                    .x_from = x_from / 1.5,
                    .x_to = x_to * 1.5,
                    .y_from = y_from / 1.5,
                    .y_to = y_to * 1.5,
                    .x_name = "operations a byte",
                    .y_name = "GFLOP/s",
                    .lines = lines,
                    .n_lines = roof->n_ceilings,
                    .points = points,
                    .n_points = roof->n_points};
    logplot_text(&plot, w->out);
}

// ---------------------------------------------------------------- table

// clang-format off
#define COLUMNS(X) \
    X("mark",             "",          TEXT, \
      arena_printf(a, "%c", letters[i % (sizeof letters - 1)])) \
    X("test",             "TEST",      TEXT,      p->result->test) \
    X("dtype",            "DTYPE",     TEXT,      p->result->dtype) \
    X("flop_per_byte",    "FLOP/B",    NUMBER(3), p->flop_per_byte) \
    X("gflop_per_s",      "GFLOP/s",   NUMBER(4), p->gflop_s) \
    X("roof_gflop_per_s", "ROOF",      NUMBER(4), p->roof_gflop_s) \
    X("pct_of_roof",      "% OF ROOF", NUMBER(3), 100 * p->gflop_s / p->roof_gflop_s) \
    X("bound_by",         "BOUND BY",  TEXT, \
      p->memory_bound ? "memory" : is_known(p->roof_gflop_s) ? "arithmetic" : "")
// clang-format on

Listing roofline_points(const Roofline *roof, Arena *a) {
    Listing l = LISTING(a, "points", COLUMNS, roof->n_points);
    for (size_t i = 0; i < roof->n_points; i++) {
        const RoofPoint *p = &roof->points[i];
        listing_row(&l, COLUMNS(LISTING_CELL));
    }
    return l;
}

static const char *ceilings_text(const Roofline *roof, Arena *a) {
    const char *text = arena_printf(a, "Roofline of %s, measured: memory %.4g GB/s (%s)", roof->device,
                                    roof->memory_gb_s, roof->memory_by);
    for (size_t i = 0; i < roof->n_ceilings; i++) {
        const RoofCeiling *c = &roof->ceilings[i];
        text = arena_printf(a, "%s, %s %.4g GFLOP/s (%s)", text, c->dtype, c->gflop_s, c->by);
    }
    return text;
}

void roofline_text(const Writer *w, const Roofline *roof, const Listing *points) {
    Buf table;
    buf_puts(w->out, "\n");
    writer_line(w, 2, "%s", ceilings_text(roof, w->arena));
    draw(w, roof);
    buf_init(&table, BUF_LIMIT);
    listing_print(points, FORMAT_TABLE, w->room, &table);
    buf_puts(w->out, "\n");
    buf_add(w->out, table.data, table.length);
    buf_free(&table);
}

void roofline_json(const Roofline *roof, Arena *a, Json *object) {
    json_add(object, J_TEXT("device", roof->device), J_NUMBER("memory_gb_per_s", roof->memory_gb_s),
             J_TEXT("memory_by", roof->memory_by));
    Json *ceilings = json_add_array(object, "ceilings");
    for (size_t k = 0; k < roof->n_ceilings; k++) {
        Json *c = json_add_object(ceilings, NULL);
        json_add(c, J_TEXT("dtype", roof->ceilings[k].dtype),
                 J_NUMBER("gflop_per_s", roof->ceilings[k].gflop_s), J_TEXT("by", roof->ceilings[k].by));
    }
    Listing l = roofline_points(roof, a);
    listing_json(&l, object);
}
