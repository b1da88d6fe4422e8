// Boxes over the view: text to read, rows side by side, what can be set.
#ifndef GPUADVISE_TUI_POPUP_H
#define GPUADVISE_TUI_POPUP_H

#include "tui/services.h"

void popup_draw(Tui *t, Grid *g);
bool popup_act(Tui *t, Action action, int argument);
// The marked rows side by side; NULL: fewer than two are marked.
const char *compare_text(Tui *t, ViewState *v, Arena *a);

#endif
