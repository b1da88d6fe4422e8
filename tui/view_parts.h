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

// Migration
void scan_free_view(Tui *t);
bool scan_take(Tui *t, Str json, Err *e);

#endif
