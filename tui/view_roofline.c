// A panel of Bench: the rooflines of a run that was kept, a device each. The chart is of the device whose row is
// under the cursor; the letters in it are those of the rows.
#include <math.h>
#include <string.h>

#include "tui/chart.h"
#include "tui/view_parts.h"

// ---------------------------------------------------------------- list

enum { C_DEVICE, C_OWN };  // before the columns of the command's own tables

// The tables of all devices as one, with the device before each row. Roofs and tables are in the same order.
static void join_tables(const TuiAnswer *answer, Arena *a, Listing *ret_listing) {
    static const Column device = {"device", "DEVICE", false, 0, false};
    const Listing *tables = &answer->listings[answer->n_listings - answer->n_roofs];
    size_t own = tables[0].n_columns, rows = 0, at = 0;
    Column *columns = arena_alloc(a, own + C_OWN, sizeof *columns);
    columns[C_DEVICE] = device;
    memcpy(columns + C_OWN, tables[0].columns, own * sizeof *columns);
    for (size_t i = 0; i < answer->n_roofs; i++) rows += tables[i].n_rows;
    *ret_listing = listing_new(a, "points", columns, own + C_OWN, rows);
    for (size_t i = 0; i < answer->n_roofs; i++) {
        for (size_t r = 0; r < tables[i].n_rows; r++, at++) {
            Cell *row = &ret_listing->cells[at * (own + C_OWN)];
            row[C_DEVICE] = (Cell){.text = answer->roofs[i].device, .number = (double)NAN};
            memcpy(row + C_OWN, &tables[i].cells[r * own], own * sizeof *row);
            listing_row_done(ret_listing);
        }
    }
}

bool roofline_load(Tui *t, ViewState *v, const char *run, Err *e) {
    const char *const words[] = {"bench", "runs", run};
    if (!view_ask(t, v, words, COUNT_OF(words), e)) return false;
    if (v->answer.n_roofs == 0) {
        v->answer.text = arena_printf(
            &v->arena,
            "Run %s has no roofline: one takes a stream (copy, scale, add, triad) and a product (gemm-*) "
            "that were verified on the same device. gpuadvise bench --quick triad gemm-fp32 measures both.",
            run);
        v->list.of = NULL;
        return true;
    }
    Listing *l = arena_alloc(&v->arena, 1, sizeof *l);
    join_tables(&v->answer, &v->arena, l);
    list_open(&v->list, l, &v->arena);
    return true;
}

// ---------------------------------------------------------------- chart

static const Roofline *roof_of_row(const ViewState *v, size_t row) {
    const Listing *l = v->list.of;
    const char *device = row != SIZE_MAX ? l->cells[row * l->n_columns + C_DEVICE].text : "";
    for (size_t i = 0; i < v->answer.n_roofs; i++) {
        if (strcmp(v->answer.roofs[i].device, device) == 0) return &v->answer.roofs[i];
    }
    return NULL;
}

static const char *roof_title(const Roofline *roof, Arena *a) {
    const char *text = arena_printf(a, "roofline of %s, measured: memory %s GB/s", roof->device,
                                    number_text(a, roof->memory_gb_s, 4));
    for (size_t i = 0; i < roof->n_ceilings; i++) {
        text = arena_printf(a, "%s, %s %s GFLOP/s", text, roof->ceilings[i].dtype,
                            number_text(a, roof->ceilings[i].gflop_s, 4));
    }
    return text;
}

// The slope of the memory from the lowest intensity to the highest ridge, and a ceiling from each ridge to the
// right end.
static size_t roof_lines(const Roofline *roof, Dot *dots) {
    double from = (double)NAN, ridge = 0;
    size_t n = 0;
    for (size_t i = 0; i < roof->n_points; i++) from = fmin(from, roof->points[i].flop_per_byte);
    for (size_t i = 0; i < roof->n_ceilings; i++)
        ridge = fmax(ridge, roof->ceilings[i].gflop_s / roof->memory_gb_s);
    double to = 2 * ridge;
    for (size_t i = 0; i < roof->n_points; i++) to = fmax(to, roof->points[i].flop_per_byte);
    dots[n++] = (Dot){.x = from, .y = from * roof->memory_gb_s, .style = STYLE_FRAME};
    dots[n++] = (Dot){.x = ridge, .y = ridge * roof->memory_gb_s, .style = STYLE_FRAME, .joined = true};
    for (size_t i = 0; i < roof->n_ceilings; i++) {
        double y = roof->ceilings[i].gflop_s;
        dots[n++] = (Dot){.x = y / roof->memory_gb_s, .y = y, .style = STYLE_FRAME};
        dots[n++] = (Dot){.x = to, .y = y, .style = STYLE_FRAME, .joined = true};
    }
    return n;
}

static void draw_chart(const ViewState *v, const Roofline *roof, Grid *g, Rect at) {
    const List *list = &v->list;
    const Listing *l = list->of;
    size_t x = list_column(l, "flop_per_byte"), y = list_column(l, "gflop_per_s"),
           mark = list_column(l, "mark");
    size_t now = list_row(list), n = 0;
    Dot *dots = arena_alloc(g->arena, list->n_shown + 3 + 2 * (ROOF_CEILINGS + 1), sizeof *dots);
    grid_box(g, at, roof_title(roof, g->arena));
    n = roof_lines(roof, dots);
    Dot chosen = {0};
    for (size_t i = 0; i < list->n_shown; i++) {
        size_t row = list->shown[i];
        const Cell *cells = &l->cells[row * l->n_columns];
        if (roof_of_row(v, row) != roof) continue;
        dots[n] = (Dot){.x = cells[x].number,
                        .y = cells[y].number,
                        .style = STYLE_TITLE | (row == now ? STYLE_CURSOR : 0),
                        .label = (unsigned char)cells[mark].text[0],
                        .zone = (int)i + 1};
        if (row == now) chosen = dots[n];
        n++;
    }
    dots[n++] = chosen;  // over all others
    ChartAxes axes = {.x_title = "operations a byte",
                      .y_title = "GFLOP/s",
                      .x_log = true,
                      .y_log = true,
                      .row_action = ACT_ROW};
    chart_draw(g, rect_inside(at), &axes, dots, n);
}

void roofline_fill(ViewState *v, Grid *g, Rect at) {
    enum { CHART_ROOM = 18 };
    const Roofline *roof = v->list.of != NULL ? roof_of_row(v, list_row(&v->list)) : NULL;
    if (roof != NULL && at.height >= CHART_ROOM) draw_chart(v, roof, g, rect_top(&at, at.height / 2 + 1));
    view_table_fill(v, g, at);
}
