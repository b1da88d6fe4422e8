// Four questions for somebody who starts: what runs, under which traffic, on what today, and what matters. They
// end in the command that they built, which Advice then shows.
#ifndef GPUADVISE_TUI_START_H
#define GPUADVISE_TUI_START_H

#include "tui/services.h"

void start_open(Tui *t);
void start_draw(Tui *t, Grid *g);
bool start_act(Tui *t, Action action, int argument);  // false: what all boxes do
void start_answer(Tui *t, const char *text);          // to the question that asked for words
const char *start_line(const Tui *t, Arena *a);       // the command so far

#endif
