// The screen as a whole: its birth and end, what keys do to it, its frame.
#ifndef GPUADVISE_TUI_APP_H
#define GPUADVISE_TUI_APP_H

#include "tui/services.h"

bool tui_init(Tui *t, const TuiHost *host, const TuiOptions *options, int width, int height, Err *e);
void tui_free(Tui *t);
void tui_resize(Tui *t, int width, int height);
void tui_key(Tui *t, int key);
void tui_act(Tui *t, Action action, int argument);
void tui_job_done(Tui *t);

#endif
