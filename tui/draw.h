// The frame around a view: header, box, what runs, the command, the keys.
#ifndef GPUADVISE_TUI_DRAW_H
#define GPUADVISE_TUI_DRAW_H

#include "tui/services.h"

// Loads the view that is shown when it must be, then draws the whole frame.
void tui_frame(Tui *t, Arena *a, Grid *ret_grid);

#endif
