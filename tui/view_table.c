// A view that is a table: its panels, rows, filter and note.
#include <string.h>

#include "tui/services.h"

static int style_of_vendor(const char *text) {
    if (text_same(text, "nvidia") || strncmp(text, "N ", 2) == 0) return STYLE_NVIDIA;
    if (text_same(text, "amd") || strncmp(text, "A ", 2) == 0) return STYLE_AMD;
    return STYLE_TEXT;
}

// Words that mean something good or bad wherever they stand.
static int style_of_cell(const Listing *l, size_t row, size_t column) {
    static const struct {
        const char *word;
        int style;
    } words[] = {{"full", STYLE_GOOD},        {"partial", STYLE_WARN},  {"experimental", STYLE_WARN},
                 {"none", STYLE_BAD},         {"disputed", STYLE_WARN}, {"superseded", STYLE_DIM},
                 {"unverified", STYLE_DIM},   {"blocker", STYLE_BAD},   {"manual", STYLE_WARN},
                 {"as expected", STYLE_GOOD}, {"low", STYLE_BAD},       {"a little low", STYLE_WARN},
                 {"wrong", STYLE_BAD},        {"failed", STYLE_BAD},    {"up", STYLE_BAD},
                 {"down", STYLE_GOOD},        {"faster", STYLE_GOOD},   {"slower", STYLE_BAD},
                 {"good", STYLE_GOOD},        {"mixed", STYLE_WARN},    {"straggler", STYLE_WARN},
                 {"throttled", STYLE_WARN},   {"missing", STYLE_BAD},   {"unreadable", STYLE_BAD},
                 {"unfinished", STYLE_BAD},   {"faulty", STYLE_BAD}};
    if (l->columns[column].number) return STYLE_TEXT;
    const char *text = l->cells[row * l->n_columns + column].text;
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (strcmp(text, words[i].word) == 0) return words[i].style;
    }
    return style_of_vendor(text);
}

ListLook view_look(void) {
    return (ListLook){.sort_action = ACT_COLUMN, .row_action = ACT_ROW, .style_of = style_of_cell};
}

// The panels of a view in the top line of its box.
static void draw_panels(const ViewState *v, Grid *g, Rect box) {
    int x = box.x + 3;
    for (size_t i = 0; i < v->view->n_panels; i++) {
        bool on = i == v->panel;
        int used = grid_printf(g, x, box.y, box.width - 6 - (x - box.x), on ? STYLE_TITLE : STYLE_DIM,
                               on ? "[%s]" : " %s ", v->view->panels[i].title);
        grid_zone(g, (Rect){x, box.y, used, 1}, ACT_CHOICE, (int)i);
        x += used;
    }
}

void draw_filter(const List *l, Grid *g, Rect at) {
    if (l->filter[0] == '\0') return;
    bool wrong = l->error.kind != ERR_NONE;
    grid_printf(g, at.x + 3, at.y + at.height - 1, at.width - 6, wrong ? STYLE_BAD : STYLE_CHANGED,
                " filter: %s ", wrong ? l->error.text : l->filter);
}

void view_table_fill(ViewState *v, Grid *g, Rect at) {
    grid_box(g, at, "");
    draw_panels(v, g, at);
    Rect inside = rect_inside(at);
    if (v->list.of == NULL) {
        const char *text = v->error.kind != ERR_NONE ? v->error.text
                           : v->answer.text != NULL  ? v->answer.text
                           : v->loaded               ? ""
                                                     : "...";
        grid_wrapped(g, inside, v->error.kind != ERR_NONE ? STYLE_BAD : STYLE_TEXT, 0, text);
        return;
    }
    grid_right(g, at.x, at.y, at.width - 2, STYLE_DIM, list_count(&v->list, g->arena));
    draw_filter(&v->list, g, at);
    ListLook look = view_look();
    const char *note = v->list.of->note;
    int lines = note != NULL && note[0] != '\0'
                    ? grid_wrapped(g, (Rect){inside.x, inside.y, inside.width, 0}, STYLE_DIM, 0, note)
                    : 0;
    if (lines > inside.height / 5) lines = inside.height / 5;
    Rect rows = rect_top(&inside, inside.height - lines - (lines > 0));
    list_draw(&v->list, g, rows, &look);
    if (lines > 0) grid_wrapped(g, (Rect){inside.x, inside.y + 1, inside.width, lines}, STYLE_DIM, 0, note);
}
