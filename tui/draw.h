// The frame around a view: header, box, what runs, the command, the keys.
#ifndef GPUADVISE_TUI_DRAW_H
#define GPUADVISE_TUI_DRAW_H

#include "tui/app.h"

void frame_draw(Tui *t, Arena *a, Grid *ret_grid);

#endif
