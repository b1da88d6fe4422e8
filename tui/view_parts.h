// What one view lets another, or the screen, see of itself.
#ifndef GPUADVISE_TUI_VIEW_PARTS_H
#define GPUADVISE_TUI_VIEW_PARTS_H

#include "tui/services.h"

// What-if. True: the key begins a number in the field under the cursor.
bool field_typed(Tui *t, int key);
// The answer box of What-if.
void whatif_draw_answer(Tui *t, ViewState *v, Grid *g, Rect box);
void whatif_pin(Tui *t, bool chosen);  // the answer is the one that later ones are compared with

// Bench: measured against predicted of the rows that the list of `runs list` shows.
void runs_chart_draw(const List *list, Grid *g, Rect at);
void bench_show_newest(Tui *t);

// Panels of Bench, each the answer of a command: `bench compare A B` of the two runs chosen, the rooflines of
// `bench runs ID`, `bench fleet DIR` of the folder named. False: *e says why.
bool compare_load(Tui *t, ViewState *v, Err *e);
bool compare_marked(Tui *t, const ViewState *v);  // chooses the two that are marked; false: said why not
bool roofline_load(Tui *t, ViewState *v, const char *run, Err *e);
void roofline_fill(ViewState *v, Grid *g, Rect at);
bool fleet_load(Tui *t, ViewState *v, Err *e);
void fleet_folder(Tui *t, const char *path);  // as typed, "~/" resolved

// Migration
void scan_free_view(Tui *t);
bool scan_take(Tui *t, Str json, Err *e);

#endif
